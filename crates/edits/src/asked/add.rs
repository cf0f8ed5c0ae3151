//! Puts the words that a request gives into a text: as a sentence, a line, an item of a list or a label.

use super::super::{
    command::{self, Command, Which},
    counting,
    find::is_empty_word,
    locate::capitalized,
    page::{Page, Row, key, marker, split_conjunction},
    phrase::Phrase,
    refusal::Refusal,
    sentence, value, vocabulary,
    words::Word,
};

use super::entry::{self, Kind};

/// Where new words go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    /// Where such words naturally go.
    Natural,
    End,
    Start,
    Line,
    /// Before the item, counted from 0.
    Item(usize),
}

/// `text` with what `phrase`, the words after a verb like `add`, gives; `before` is what a pronoun may stand for.
pub(in super::super) fn run(
    page: &Page,
    phrase: Phrase<'_, '_>,
    verb: &str,
    before: Option<Phrase<'_, '_>>,
) -> Option<Result<String, Refusal>> {
    let text = page.text.as_str();
    let asked = phrase;
    let phrase = phrase.unmarked_start_of_colon();
    if phrase.unmarked().is_empty() {
        return Some(Err(Refusal::Vague));
    }
    // `am Ende den Satz: …`, `à la fin : …`
    let phrase = phrase
        .strip("am ende|am schluss|a la fin|al final|alla fine|aan het eind|aan het einde|no final")
        .map_or(phrase, |rest| {
            let rest = rest
                .strip("den satz|die zeile|la phrase|la frase|de zin|einen satz|une phrase|una frase|la ligne|la linea")
                .unwrap_or(rest);
            rest.unmarked_start_of_colon()
        });
    let phrase = phrase
        .strip("une phrase|la phrase|une ligne|einen satz|den satz|eine zeile|una frase|la frase|una linea|een zin")
        .filter(|rest| rest.words.first().is_some_and(|word| word.is(":") || word.quoted))
        .map_or(phrase, |rest| rest.unmarked_start_of_colon());
    // `add that she is off`
    let told =
        phrase.strip("que|che").or_else(|| phrase.strip("that|dass|dat").filter(|said| super::is_statement(*said)));
    if let Some(said) = told.filter(|said| !said.unmarked().is_empty()) {
        return Some(Ok(with_sentence(page, &said.unmarked().raw().replace(" and that ", " and "))));
    }
    if phrase.words.first().is_some_and(|word| word.start > 0 && asked.words.first().is_some_and(|first| first.is(":")))
    {
        let content = phrase.request[asked.words[0].end..].trim();
        if phrase.words.len() > 1 && !content.contains('\n') {
            return natural(page, content);
        }
    }
    // `add at the end that …`, `note additionally that …`
    let that = phrase.words.iter().take(7).position(|word| word.is("that"));
    if let Some(at) = that.filter(|at| *at > 0)
        && phrase.words[..at].iter().all(|word| word.is_any("notes|log|list|file|at|the|end|to|this|memory|note|in|here|additionally|also|as|well|it|thought|text|record|entry|further|down|there"))
        && super::is_statement(phrase.from(at + 1))
    {
        let said = phrase.from(at + 1).unmarked().raw();
        // `add to the notes that …`, where the record has notes.
        let notes = |label: &&super::super::page::Label| label.keys.len() == 1 && phrase.to(at).words.iter().any(|word| key(word.raw) == label.keys[0]);
        let labels: Vec<_> = page.labels().iter().filter(notes).filter(|label| !label.value.is_empty()).collect();
        if let [label] = labels.as_slice() {
            let end = label.value.end;
            return Some(Ok(super::super::find::applied(&page.text, &vec![(end..end, format!(", {said}"))])));
        }
        return Some(Ok(with_sentence(page, said)));
    }
    if let Some(new) = super::table::with_row(page, phrase) {
        return Some(Ok(new));
    }
    // `Cappuccino: 3.20 right after the espresso`
    if let Some(done) = pair_beside(page, phrase) {
        return Some(done);
    }
    let colon = phrase.words.iter().position(|word| word.is(":"));
    let newline = phrase
        .words
        .iter()
        .zip(phrase.words.iter().skip(1))
        .position(|(one, other)| phrase.request[one.end..other.start].contains('\n'));
    if let Some(at) = colon.filter(|at| *at > 0 && newline.is_none_or(|newline| newline >= *at - 1)) {
        let content = phrase.from(at + 1);
        let content = if let [only] = content.unmarked().words
            && only.quoted
        {
            only.raw
        } else {
            phrase.request[phrase.words[at].end..].trim()
        };
        let content = content
            .strip_suffix(|c| matches!(c, '"' | '”'))
            .filter(|_| content.starts_with(['"', '“']))
            .map_or(content, |inner| inner.trim_start_matches(['"', '“']));
        return announced(page, phrase.to(at), content);
    }
    // `a comma after passport`, `the title 'Notes' at the top`
    if phrase.words.first().is_some_and(|word| vocabulary::is(&word.folded, "article"))
        && phrase.words.len() > 1
        && vocabulary::length(&phrase.words[1..], "mark") > 0
    {
        return None;
    }
    let tells = phrase.words.iter().any(|word| word.is("that"));
    let (rest, place) = placed(super::ordered::soft(Some(phrase)).filter(|_| !tells).unwrap_or(phrase));
    let rest = rest.unmarked();
    // `poor sleep as another trigger`
    let rest = match rest.find("as another|as an additional|as a further|as one more|as an extra").filter(|at| *at > 0)
    {
        Some(at) if rest.words.len() <= at + 4 => rest.to(at),
        _ => rest,
    };
    // `'a weekend in Ghent' as another idea`
    let rest = match rest.words {
        [first, second, others @ ..]
            if first.quoted && second.is("as") && !others.iter().any(|word| word.is_any("after|before|between")) =>
        {
            rest.to(1)
        }
        _ => rest,
    };
    if rest.strip("it as|this as|that as|them as").is_some() && !is_pronoun(rest) {
        return Some(Err(Refusal::Unclear));
    }
    if is_pronoun(rest) {
        return before
            .filter(|before| before.strip("come up|think|find|write|create|make|suggest|invent").is_none())
            .map(|before| {
                // An item that is told of has a form of its own.
                let row = page.rows().iter().any(|row| !row.is_lines() && row.range().end == text.trim_end().len());
                let item = before.unmarked();
                let list = page
                    .rows()
                    .iter()
                    .find(|row| !row.is_lines() && row.range().end == text.trim_end().trim_end_matches('.').len());
                if let Some(list) = list.filter(|_| !super::is_statement(item) && item.words.len() <= 5) {
                    return Ok(list.with(text, &[item.raw()], list.items.len()));
                }
                match row {
                    true => Err(Refusal::placeless(before.unmarked().raw())),
                    false => Ok(with_sentence(page, before.unmarked().raw())),
                }
            });
    }
    // `a note that …`, `a line saying …`
    if let Some(said) = borne(rest) {
        if said.is_empty() {
            return Some(Err(Refusal::Vague));
        }
        let said = match said.words {
            [only] if only.quoted => only.raw.to_owned(),
            _ => said.raw().to_owned(),
        };
        if place == Where::Start {
            return Some(Ok(format!("{said}\n{text}")));
        }
        return Some(Ok(match rest.words.iter().take(3).any(|word| word.is("line")) || place == Where::Line {
            true => with_line(page, &said),
            false => with_sentence(page, &said),
        }));
    }
    if let Some(new) = super::table::with_row(page, asked.unmarked_start_of_colon()) {
        return Some(Ok(new));
    }
    // `a field EMAIL with the value a@b.example`
    if let Some(field) = rest
        .strip("a field|a line|a label|an entry|the field|a new field|a new line")
        .map(|rest| rest.strip("called|named").unwrap_or(rest))
        && let Some(with) = field.find("with the value|with value|set to|with").filter(|at| (1..=3).contains(at))
        && let Some(value) = field.from(with).strip("with the value|with value|set to|with")
        && page.labels().len() > 1
        && page.text.contains('\n')
    {
        let name = field.to(with);
        let name = if let [only] = name.words { only.raw } else { name.raw() };
        let value = if let [only] = value.words { only.raw } else { value.raw() };
        return Some(Ok(with_line(page, &format!("{name}: {value}"))));
    }
    if let Some(done) = beside(page, rest) {
        return Some(done);
    }
    if rest.words.iter().any(|word| word.is_any("after|before|between"))
        || rest.find("instead of|rather than").is_some()
    {
        return None;
    }
    if let Some(done) = to_label(page, rest).or_else(|| of_label(page, rest)) {
        return Some(Ok(done));
    }
    if let [only, others @ ..] = rest.words
        && others.iter().all(|word| {
            word.is_any("as|a|new|setting|line|entry|too|to|the|settings|option|config|file|parameter|,|below|in|list")
        })
        && let Some(new) = with_setting(page, only.raw)
    {
        return Some(Ok(new));
    }
    let (what, list) = for_list(page, rest);
    let subject;
    let what = match is_pronoun(what) {
        true => {
            // `Hepatitis A was given on Monday, add it to the list`
            let before = before?;
            let verb = before.words.iter().position(|word| super::cut::is_verb(&word.folded))?;
            subject = before.to(verb);
            subject
        }
        false => what,
    };
    let quoted: Vec<&Word<'_>> = what.words.iter().filter(|word| word.quoted).collect();
    let named = |word: &Word<'_>| {
        word.quoted
            || vocabulary::is(&word.folded, "article")
            || vocabulary::is(&word.folded, "thing")
            || vocabulary::is(&word.folded, "bearer")
            || word.is_any("tag|new")
    };
    let what = match what.words.iter().position(|word| word.quoted) {
        Some(at) if quoted.len() == 1 && list.is_some() && what.words.iter().all(named) => what.from(at).to(1),
        _ => what,
    };
    let only_quoted = !quoted.is_empty() && what.words.iter().all(|word| word.quoted || word.is_any("and|,|&"));
    let items: Vec<String> = match only_quoted {
        true => quoted.iter().map(|word| word.raw.to_owned()).collect(),
        false => vec![what.raw().to_owned()],
    };
    let tells = matches!(verb, "note" | "mention" | "record" | "document" | "store" | "save" | "jot");
    if tells && list.is_none() && !only_quoted && what.words.len() <= 3 {
        return Some(Err(Refusal::Unclear));
    }
    let anchored = rest.words.iter().any(|word| word.is_any("after|before|between"))
        && (only_quoted || rest.words.first().is_some_and(|word| word.quoted));
    if anchored {
        return None;
    }
    let more = what.words.iter().take(4).any(|word| word.is_any("more|some|several|few"))
        && what.words.iter().any(|word| word.is_any("ideas|items|things|options|suggestions|tips|steps|examples"));
    let open = what.words.first().is_some_and(|word| word.is_any("whatever|whichever|something|anything|whoever"));
    if !only_quoted && (list.is_none() && is_vague(what) || more || open) {
        return Some(Err(Refusal::Vague));
    }
    // `the ticket number EXP-902`
    if what.words.iter().all(|word| word.raw.chars().all(|c| c.is_ascii_digit())) && !only_quoted {
        return None;
    }
    let beside = phrase.words.iter().any(|word| word.is_any("after|before|between"));
    if list.is_none()
        && !beside
        && let Some(labelled) = labelled(what)
    {
        return Some(Ok(with_sentence(page, &labelled)));
    }
    let row = match &list {
        Some(Listed::Row(row)) => Some(row.clone()),
        Some(Listed::Unknown) => return None,
        None => {
            let to_list = phrase.words.iter().any(|word| vocabulary::is(&word.folded, "list"));
            natural_row(page, what, place, only_quoted && !to_list)
        }
    };
    if let Some(row) = row {
        let whole = items.join(", ");
        // `Vitamin D 1000 IU, morning` among items that have commas of their own.
        let commas = row.is_lines() && row.items.iter().filter(|item| page.at(item).contains(", ")).count() > 1;
        let items = match only_quoted || commas {
            true => items,
            false => several(&whole),
        };
        let items: Vec<String> = match only_quoted {
            true => items,
            false => {
                let shaped = items.iter().map(|item| shaped_like(page, &row, item.trim().trim_end_matches('.')));
                shaped.map(|item| like_items(page, &row, &item)).collect()
            }
        };
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        let at = match place {
            Where::Start => 0,
            Where::Item(at) if at <= row.items.len() => at,
            Where::Item(_) => return Some(Err(Refusal::Nothing)),
            _ => row.items.len(),
        };
        if at == row.items.len() && !row.is_lines() && ends_with_circumstance(page, &row) {
            return None;
        }
        return Some(Ok(row.with(text, &items, at)));
    }
    if place == Where::Line {
        return Some(Ok(with_line(page, &items.join("\n"))));
    }
    // `the ticket number EXP-902`
    if let Some(labelled) = labelled(what).filter(|_| !beside) {
        return Some(Ok(with_sentence(page, &labelled)));
    }
    if only_quoted && items.len() == 1 && matches!(place, Where::Natural | Where::End) && is_sentence(&items[0]) {
        return Some(Ok(with_sentence(page, &items[0])));
    }
    if only_quoted
        && items.len() == 1
        && place != Where::Start
        && is_phrase(&items[0])
        && page.text.trim_end().ends_with('.')
    {
        return Some(Ok(with_sentence(page, &items[0])));
    }
    // `append first fruits on 18 July`
    if matches!(verb, "append" | "record" | "note" | "mention")
        && matches!(place, Where::Natural | Where::End)
        && what.words.len() > 2
        && !only_quoted
    {
        return natural(page, what.raw());
    }
    None
}

/// Whether words are a remark that can stand by itself: `paid on 19 May`.
fn is_phrase(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default();
    words.split_whitespace().count() > 2
        && !super::super::small_words::is_preposition(first)
        && first.starts_with(char::is_alphabetic)
}

fn is_sentence(words: &str) -> bool {
    words.starts_with(char::is_uppercase) && words.split_whitespace().count() > 2 && words.ends_with(['.', '!', '?'])
}

fn is_pronoun(phrase: Phrase<'_, '_>) -> bool {
    let words = phrase.words;
    let first = words.first().is_some_and(|word| word.is_any("it|this|that|them|him|her"));
    let rest = words.get(1..).unwrap_or_default();
    let as_info = rest.first().is_some_and(|word| word.is("as"))
        && rest
            .iter()
            .all(|word| word.is_any("as|extra|additional|info|information|a|note|remark|well|detail|context|further"));
    first && (rest.is_empty() || as_info)
}

/// The words that a note or a line is said to carry; empty if it is named and nothing said.
fn borne<'a, 'r>(phrase: Phrase<'a, 'r>) -> Option<Phrase<'a, 'r>> {
    let article = phrase.words.first().is_some_and(|word| word.is_any("a|an|the|another|one|this"));
    let rest = phrase.from(usize::from(article));
    let noun = rest
        .words
        .iter()
        .take(4)
        .position(|word| vocabulary::is(&word.folded, "bearer") || vocabulary::is(&word.folded, "part.item"))?;
    let after = rest.from(noun + 1);
    if after.is_empty() && article {
        return Some(after);
    }
    let saying = vocabulary::length(after.words, "saying");
    let named = usize::from(after.words.len() > 1 && after.words[0].is_any("called|named|titled|labelled|labeled"));
    if saying.max(named) > 0 {
        return Some(after.from(saying.max(named)));
    }
    matches!(after.words, [only] if only.quoted).then_some(after)
}

/// What an announcement with a colon gives: `the cost of the visit: 145 EUR`.
pub(super) fn announced(page: &Page, lead: Phrase<'_, '_>, content: &str) -> Option<Result<String, Refusal>> {
    let whole = Phrase { request: lead.request, words: lead.words };
    let (rest, place) = match vocabulary::length(lead.words, "end") == lead.words.len()
        || lead
            .words
            .iter()
            .all(|word| word.is_any("additionally|also|toe|hinzu|an|dazu|aan|further|in|addition|as|well"))
    {
        true => (whole.to(0), Where::End),
        false => placed(lead),
    };
    let rest = rest.unmarked();
    if content.is_empty() || [". It should", ". Put it", ". Please put"].iter().any(|more| content.contains(more)) {
        return Some(Err(Refusal::Vague));
    }
    // `add BUDGET: 12,000 EUR at the end`
    let ends = [" at the end", " at the bottom", " to the end", " at the end of the list", " to the list"];
    let content = ends.iter().find_map(|end| content.trim_end_matches('.').strip_suffix(end)).unwrap_or(content);
    // `a third question`, `a new first step`
    if let Some(row) = page.rows().iter().find(|row| row.is_lines() && row.is_numbered(&page.text))
        && rest.words.len() <= 4
        && rest.strip("a|an|another|the").is_some()
        && let Some(which) = rest.words.iter().find_map(|word| counting::ordinal(&word.folded))
    {
        let at = match which {
            Which::Nth(number) => number - 1,
            _ => row.items.len(),
        };
        let quoted = super::super::words::words(content);
        let content = if let [only] = quoted.as_slice() { only.raw } else { content };
        let item = like_items(page, row, content.trim_end_matches('.'));
        return Some(match at <= row.items.len() {
            true => Ok(row.with(&page.text, &[&item], at)),
            false => Err(Refusal::Nothing),
        });
    }
    // `a line BUDGET: 12,000 EUR`
    if let Some(at) = rest.words.iter().position(|word| word.is_any("line|field|label|entry|row"))
        && let label = rest.from(at + 1).words
        && !label.is_empty()
        && label.len() <= 3
        && label.iter().all(|word| word.raw.starts_with(char::is_uppercase))
    {
        return Some(Ok(with_line(page, &format!("{}: {content}", rest.from(at + 1).raw()))));
    }
    // `a line for her birthday: 9 February`
    if let Some(at) = rest.words.iter().take(4).position(|word| word.is_any("line|field|label|entry|row"))
        && let Some(noun) = rest.from(at + 1).strip("for|with|on|about")
        && page.labels().len() > 1
        && !noun.is_empty()
        && noun.words.len() <= 4
    {
        let noun = noun.strip("the|her|his|their|its|a|an").unwrap_or(noun);
        let table = page.text.lines().filter(|line| line.contains('|')).count() > 1;
        let upper = page.labels().iter().all(|label| page.at(&label.name).chars().all(|c| !c.is_lowercase()));
        let name = if upper { noun.raw().to_uppercase() } else { capitalized(noun.raw()) };
        let lines = page
            .labels()
            .iter()
            .all(|label| page.text[..label.whole.start].ends_with(['\n', '-', '*', ' ']) || label.whole.start == 0);
        if table || !lines || noun.words.iter().any(|word| word.quoted) {
            return Some(Err(Refusal::placeless(content)));
        }
        // `a line for the tyre size: TYRES: 205/55`
        let labelled = content.split_once(": ").is_some_and(|(name, _)| name.split(' ').count() <= 3);
        let line = if labelled { content.to_owned() } else { format!("{name}: {content}") };
        return Some(Ok(with_line(page, line.trim_end_matches('.'))));
    }
    // `add URGENT: at the beginning`
    let said = super::super::words::words(content);
    if ["start", "end", "line"].iter().any(|class| vocabulary::length(&said, class) == said.len()) {
        return None;
    }
    let article = rest.words.first().is_some_and(|word| vocabulary::is(&word.folded, "article"));
    let named = rest.from(usize::from(article));
    let bears = named.words.iter().any(|word| {
        vocabulary::is(&word.folded, "bearer")
            || vocabulary::is(&word.folded, "part.item")
            || word.is_any("following|lines|steps|items|sentences|bullets|this|these|text|new|another|one|more")
    });
    let step = counting::part(rest);
    if let Some((command::Part::Item, Which::Nth(number))) = step {
        let row = page.rows().iter().find(|row| row.is_lines())?;
        return Some(match number == row.items.len() + 1 || number <= row.items.len() {
            true => Ok(row.with(&page.text, &[content], number - 1)),
            false => Err(Refusal::Nothing),
        });
    }
    if let Some(done) = beside_part(page, rest, content) {
        return Some(done);
    }
    // `two bullets: "a" and "b"`
    let quotations = super::super::words::words(content);
    let quoted: Vec<&str> = quotations.iter().filter(|word| word.quoted).map(|word| word.raw).collect();
    if quoted.len() > 1
        && quotations.iter().all(|word| word.quoted || word.is_any("and|,|.|&"))
        && let Some(row) = page.rows().iter().find(|row| row.is_lines())
    {
        return Some(Ok(row.with(&page.text, &quoted, row.items.len())));
    }
    if quoted.len() > 1
        && quotations.iter().all(|word| word.quoted || word.is_any("and|,|.|&"))
        && page.text.trim_end().ends_with('.')
    {
        return Some(Ok(with_sentence(page, &quoted.join(" "))));
    }
    // A place that is named has to be found.
    let anywhere = rest.find("after the existing|after the others|after the last|after the rest|after all").is_some();
    if rest.words.iter().any(|word| word.is_any("after|before"))
        && !anywhere
        && !named.words.iter().any(|word| word.quoted)
    {
        return Some(Err(Refusal::placeless(content)));
    }
    let lines: Vec<&str> = content.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.len() > 1 {
        if let Some(row) = page.rows().iter().find(|row| row.is_lines()) {
            return Some(Ok(row.with(&page.text, &lines, row.items.len())));
        }
        return Some(Ok(with_line(page, &lines.join("\n"))));
    }
    if place == Where::Line {
        return Some(Ok(with_line(page, content)));
    }
    if place == Where::Start {
        return None;
    }
    if rest.is_empty() || bears {
        if rest.words.iter().any(|word| word.is("line")) {
            return Some(Ok(with_line(page, content)));
        }
        if let Some(row) =
            page.rows().iter().find(|row| row.is_lines() && row.range().end + 1 >= page.text.trim_end().len())
        {
            let items: Vec<&str> =
                if rest.words.iter().any(|word| word.is_any("items|steps|bullets|entries|points|lines")) {
                    content.split(", ").collect()
                } else {
                    vec![content]
                };
            let items: Vec<String> = items.iter().map(|item| like_items(page, row, item)).collect();
            let items: Vec<&str> = items.iter().map(String::as_str).collect();
            return Some(Ok(row.with(&page.text, &items, row.items.len())));
        }
        return natural(page, content);
    }
    // `her email: …` becomes a label of its own.
    if named.words.len() <= 7 && !named.words.iter().any(|word| word.quoted) && lead_is_noun(named) {
        return Some(Ok(with_sentence(page, &format!("{}: {content}", capitalized(named.raw())))));
    }
    None
}

/// What a lead like `another idea for the list` brings.
pub(super) fn announced_to(page: &Page, lead: Phrase<'_, '_>, content: &str) -> Option<Result<String, Refusal>> {
    let content = content.trim_end_matches('.');
    if let Some(label) = lead.strip("+") {
        return Some(Ok(with_sentence(page, &format!("{}: {content}", capitalized(label.raw())))));
    }
    let (_, listed) = for_list(page, lead);
    let joint = lead.words.iter().position(|word| word.is_any("for|to|on|in"));
    let listed = listed.or_else(|| joint.and_then(|at| self::listed(page, lead.from(at + 1))));
    let row = match listed {
        Some(Listed::Row(row)) => row,
        Some(Listed::Unknown) => match page.rows() {
            [only] => only.clone(),
            _ => return None,
        },
        None => return None,
    };
    Some(Ok(row.with(&page.text, &[content], row.items.len())))
}

/// Words that are given for the end: a sentence of their own unless they go on with the last one.
fn natural(page: &Page, content: &str) -> Option<Result<String, Refusal>> {
    if let Some(new) = with_setting(page, content) {
        return Some(Ok(new));
    }
    let first = content.split_whitespace().next().unwrap_or_default();
    let goes_on = super::super::small_words::is_preposition(first) || !first.starts_with(char::is_alphanumeric);
    let closed = page.text.trim_end().ends_with(['.', '!', '?']);
    let row = page.rows().iter().any(Row::is_lines)
        || super::super::list::takes_items(&page.text) && content.split_whitespace().count() <= 3;
    (closed && !goes_on && !row).then(|| Ok(with_sentence(page, content)))
}

/// `word_wrap=true` after the settings of the text, as they are set apart.
fn with_setting(page: &Page, content: &str) -> Option<String> {
    let (name, value) = content.split_once('=')?;
    let word = |part: &str| !part.is_empty() && !part.contains(char::is_whitespace);
    let settings: Vec<_> = page.labels().iter().filter(|label| label.is_setting).collect();
    let [.., before, last] = settings.as_slice() else { return None };
    if !word(name) || !word(value) || settings.iter().any(|label| page.at(&label.name).eq_ignore_ascii_case(name)) {
        return None;
    }
    let between = &page.text[before.value.end..last.name.start];
    Some(format!(
        "{}{between}{}{}",
        &page.text[..last.value.end],
        content.trim_end_matches('.'),
        &page.text[last.value.end..]
    ))
}

fn lead_is_noun(named: Phrase<'_, '_>) -> bool {
    !named.is_empty() && !named.words.iter().any(|word| word.is_any("to|after|before|between|in|into|at|under|as"))
}

/// `the ticket number EXP-902` as `Ticket number: EXP-902`.
fn labelled(what: Phrase<'_, '_>) -> Option<String> {
    let rest = what.strip("the|her|his|their|its|my|our|a")?;
    let soft = vocabulary::length_at_end(rest.words, "soft");
    let rest = rest.to(rest.words.len() - soft);
    let last = rest.words.last()?;
    let noun = rest.to(rest.words.len() - 1).unmarked_end();
    let is_value = |text: &str| !value::values(text).is_empty() || text.starts_with("http");
    let link =
        last.raw.starts_with("http") && noun.words.len() == 1 && noun.words[0].is_any("link|url|website|address");
    if link {
        return Some(last.raw.to_owned());
    }
    (noun.words.len() <= 4
        && !noun.is_empty()
        && is_value(last.raw)
        && noun.words.iter().all(|word| word.raw.chars().all(|c| c.is_alphabetic() || c == '-')))
    .then(|| format!("{}: {}", capitalized(noun.raw()), last.raw))
}

/// What is to be put in, without the words that say where.
fn placed<'a, 'r>(phrase: Phrase<'a, 'r>) -> (Phrase<'a, 'r>, Where) {
    let mut rest = phrase.unmarked();
    let mut place = Where::Natural;
    loop {
        let mut taken = 0;
        for (class, to) in
            [("line", Where::Line), ("end", Where::End), ("start", Where::Start), ("from_here", Where::Natural)]
        {
            let length = vocabulary::length_at_end(rest.words, class);
            if length > 0 && length < rest.words.len() {
                taken = length;
                if to != Where::Natural && place != Where::Line {
                    place = to;
                }
                break;
            }
        }
        if taken == 0
            && let Some((taken_end, to)) = end_of_noun(rest)
        {
            rest = rest.to(rest.words.len() - taken_end).unmarked();
            place = to;
            continue;
        }
        if taken == 0 {
            break;
        }
        rest = rest.to(rest.words.len() - taken).unmarked();
    }
    // `put Oslo first`
    if let [_, .., end] = rest.words
        && end.is_any("first|last")
        && place == Where::Natural
        && !rest.words.iter().any(|word| word.quoted || word.is_any("the|as|at|a"))
        && rest.words.len() <= 4
    {
        return (rest.to(rest.words.len() - 1), if end.is("first") { Where::Start } else { Where::End });
    }
    // `as a third pickup person`
    if let Some(at) = rest.words.iter().rposition(|word| word.is("as")).filter(|at| *at > 0)
        && let [article, count, nouns @ ..] = &rest.words[at + 1..]
        && article.is_any("a|an")
        && (1..=3).contains(&nouns.len())
        && (counting::ordinal(&count.folded).is_some() || count.is_any("further|additional|extra|new|backup"))
    {
        return (rest.to(at), place);
    }
    // `as the closing song`
    if let [.., as_word, the, end, noun] = rest.words
        && as_word.is("as")
        && the.is("the")
        && end.is_any("closing|last|final|opening|first")
        && noun.raw.chars().all(char::is_lowercase)
        && rest.words.len() > 4
    {
        let place = if end.is_any("opening|first") { Where::Start } else { Where::End };
        return (rest.to(rest.words.len() - 4), place);
    }
    // `in as the second song`
    if let Some(at) = rest.words.iter().rposition(|word| word.is("as")).filter(|at| *at > 0)
        && rest.words.get(at + 1).is_some_and(|word| word.is("the"))
        && let Some(entry::Numbers::These(which)) = entry::numbers(rest.from(at + 1))
        && let [Which::Nth(number)] = which.as_slice()
    {
        let what = rest.to(at);
        return (what.strip_end("in").unwrap_or(what), Where::Item(number - 1));
    }
    // `as item 4`, `as step 4`
    if let Some(at) = rest.words.iter().rposition(|word| word.is("as")).filter(|at| *at > 0)
        && let Some((command::Part::Item, which)) = counting::part(rest.from(at + 1))
        && let Which::Nth(number) = which
    {
        return (rest.to(at), Where::Item(number - 1));
    }
    (rest, place)
}

/// `at the end of the checklist`: in words, and where that is.
fn end_of_noun(rest: Phrase<'_, '_>) -> Option<(usize, Where)> {
    (6..=8).find_map(|length| {
        let at = rest.words.len().checked_sub(length).filter(|at| *at > 0)?;
        let words = &rest.words[at..];
        let last = words.last()?;
        let list = vocabulary::is(&last.folded, "list");
        let names = words[0].is_any("at|to")
            && words[1].is("the")
            && words[3].is("of")
            && words[4].is_any("the|this|my|our")
            && (list || length == 6 && vocabulary::is(&last.folded, "whole"));
        match &*words[2].folded {
            "end" | "bottom" if names => Some((length, if list { Where::Natural } else { Where::End })),
            "start" | "top" | "beginning" | "front" if names => Some((length, Where::Start)),
            _ => None,
        }
    })
}

/// `cat dander to the allergies`, where the text says `Allergies: pollen, mites`.
fn to_label(page: &Page, rest: Phrase<'_, '_>) -> Option<String> {
    let at = rest.words.iter().rposition(|word| word.is_any("to|under|into")).filter(|at| *at > 0)?;
    let keys = super::super::find::content(rest.from(at + 1).words);
    let labels: Vec<_> = page.labels().iter().filter(|label| label.keys == keys && !label.is_setting).collect();
    let [label] = labels.as_slice() else { return None };
    let value = page.at(&label.value);
    let inside = |row: &Row| label.value.start <= row.items[0].start && row.range().end <= label.value.end;
    let what = rest.to(at);
    let short = what.words.len() <= 5 && value.split_whitespace().count() <= 12 && !value.contains(['.', '\n']);
    let listed = value.contains(", ") || value.split_whitespace().count() <= 2;
    let content = match what.words {
        [only] if only.quoted => only.raw,
        words if words.iter().any(|word| word.quoted) => return None,
        _ => what.raw(),
    };
    (page.labels().len() > 1 && short && listed && !page.rows().iter().any(inside)).then(|| {
        super::super::find::applied(&page.text, &vec![(label.value.end..label.value.end, format!(", {content}"))])
    })
}

/// `week 5 with 42 km` as `week 5 42 km` among items like `week 4 28 km`.
fn shaped_like(page: &Page, row: &Row, item: &str) -> String {
    let first = |text: &str| text.split_whitespace().next().unwrap_or_default().to_lowercase();
    let alike = row.items.iter().all(|other| first(page.at(other)) == first(item));
    let joined = row.items.iter().any(|other| page.at(other).contains(" with "));
    if alike && !joined { item.replacen(" with ", " ", 1) } else { item.to_owned() }
}

/// `the tag "homework"`, where the text has `Tags: …`.
fn of_label(page: &Page, rest: Phrase<'_, '_>) -> Option<String> {
    let named = rest.strip("the|a|an|another|one more")?;
    let (noun, what) = named.words.split_first().filter(|(_, what)| (1..=3).contains(&what.len()))?;
    let plural = |name: &str| name.ends_with('s') && !noun.folded.ends_with('s');
    let labels: Vec<_> =
        page.labels().iter().filter(|label| label.keys == [key(noun.raw)] && plural(page.at(&label.name))).collect();
    let [label] = labels.as_slice() else { return None };
    let name = Phrase { request: rest.request, words: std::slice::from_ref(noun) };
    (!label.value.is_empty()).then(|| into_label(page, name, Phrase { request: rest.request, words: what }))?
}

/// The text with `what` among the things that the label named in `lead` has.
pub(super) fn into_label(page: &Page, lead: Phrase<'_, '_>, what: Phrase<'_, '_>) -> Option<String> {
    let keys = super::super::find::content(lead.words);
    let labels: Vec<_> = page
        .labels()
        .iter()
        .filter(|label| !label.keys.is_empty() && label.keys.iter().all(|key| keys.contains(key)))
        .collect();
    let [label] = labels.as_slice() else { return None };
    let what = match what.words {
        [only] if only.quoted => only.raw,
        _ => what.strip("a|an|the").unwrap_or(what).raw(),
    };
    let value = page.at(&label.value);
    let end = label.value.start + value.trim_end_matches('.').len();
    let joint = if value.is_empty() { "" } else { ", " };
    Some(format!("{}{joint}{what}{}", &page.text[..end], &page.text[end..]))
}

enum Listed {
    Row(Row),
    /// A list that the text has not, or has several of.
    Unknown,
}

/// `gloves to the packing list`: what goes into which list.
fn for_list<'a, 'r>(page: &Page, phrase: Phrase<'a, 'r>) -> (Phrase<'a, 'r>, Option<Listed>) {
    let joint =
        |word: &Word<'_>| word.is_any("among|amongst|onto|to|into|in|on|a|aux|alla|alle|aan|zu|zur|auf|aos|as|agli|ai");
    // An article in one language is a preposition in another.
    let english = phrase.words.iter().any(|word| word.is_any("to|on|into|onto|the"));
    let joints = (1..phrase.words.len().saturating_sub(1))
        .filter(|&at| joint(&phrase.words[at]) && !(english && phrase.words[at].is("a")));
    let mut unknown = None;
    for at in joints {
        match listed(page, phrase.from(at + 1)) {
            Some(Listed::Row(row)) => {
                let what = phrase.to(at);
                return (what.strip_end("toe|hinzu").unwrap_or(what), Some(Listed::Row(row)));
            }
            Some(Listed::Unknown) => unknown = Some(at),
            None => {}
        }
    }
    match unknown {
        Some(at) => (phrase.to(at), Some(Listed::Unknown)),
        None => (phrase, None),
    }
}

/// The list that words name.
fn listed(page: &Page, target: Phrase<'_, '_>) -> Option<Listed> {
    let list_noun =
        |word: &Word<'_>| vocabulary::is(&word.folded, "list") || word.is_any("things|list|liste|lista|lijst");
    let tells = |word: &&Word<'_>| !is_empty_word(&word.folded) && word.raw.contains(char::is_alphanumeric);
    let names: Vec<&Word<'_>> = target.words.iter().filter(tells).collect();
    let generic = target.words.iter().any(list_noun);
    let keys: Vec<String> =
        names.iter().filter(|word| !list_noun(word) || page.has(&key(word.raw))).map(|word| key(word.raw)).collect();
    if !generic && keys.is_empty() {
        return None;
    }
    let headed = |row: &&Row| {
        let sentence = page.sentence_of(&row.range());
        let heading = page.words_in(&row.heading);
        keys.iter().all(|key| {
            heading.iter().any(|word| word.key == *key)
                || page.words_in(&(sentence.start..row.range().end)).iter().any(|word| word.key == *key)
                    && !row.is_lines()
        })
    };
    let rows: Vec<&Row> = page.rows().iter().filter(headed).collect();
    let lines: Vec<&&Row> = rows.iter().filter(|row| row.is_lines()).collect();
    match (rows.as_slice(), lines.as_slice()) {
        ([only], _) => Some(Listed::Row((*only).clone())),
        (_, [only]) => Some(Listed::Row((**only).clone())),
        ([], _) if !generic => None,
        // A list without a heading may be called anything.
        ([], _)
            if page.rows().len() == 1
                && page.rows()[0].is_lines()
                && !page.words_in(&page.rows()[0].heading).iter().any(|word| word.key == "list") =>
        {
            Some(Listed::Row(page.rows()[0].clone()))
        }
        _ => Some(Listed::Unknown),
    }
}

/// The list that a thing without a place is added to: one with a line for each item, or the only one there is.
fn natural_row(page: &Page, what: Phrase<'_, '_>, place: Where, quoted: bool) -> Option<Row> {
    let lines: Vec<&Row> = page.rows().iter().filter(|row| row.is_lines()).collect();
    if let [only] = lines.as_slice() {
        let ends = only.range().end + 1 >= page.text.trim_end().len();
        return (ends && !super::is_statement(what) || matches!(place, Where::Item(_) | Where::Start))
            .then(|| (*only).clone());
    }
    if quoted || !matches!(place, Where::Natural) {
        return None;
    }
    // A text that is one list and nothing else.
    let [only] = page.rows() else { return None };
    let announced = page.text[..only.items[0].start].trim_end().ends_with(':');
    let alone = page.sentences().len() == 1 && (announced || super::super::list::takes_items(&page.text));
    let short = what.words.len() <= 4 && !super::is_statement(what);
    let first = what.words.first().map_or("", |word| &*word.folded);
    let circumstance = super::super::small_words::is_preposition(first) || first.starts_with('(');
    (alone && short && !circumstance).then(|| only.clone())
}

/// Whether the last item of a row tells when or where, so that nothing can follow it.
fn ends_with_circumstance(page: &Page, row: &Row) -> bool {
    let Some(last) = row.items.last() else { return false };
    let words: Vec<&str> = page.at(last).split_whitespace().collect();
    let announced = page.text[..row.items[0].start].trim_end().ends_with(':');
    !announced && words.iter().any(|word| super::super::small_words::is_preposition(word))
}

/// A new item with the capital and the full stop that the others have or have not.
fn like_items(page: &Page, row: &Row, item: &str) -> String {
    let all = |is: fn(&str) -> bool| row.items.iter().all(|item| is(page.at(item)));
    let item = if all(|item| !item.ends_with('.')) { item.trim_end_matches('.') } else { item };
    match row.is_lines() && all(|item| item.starts_with(char::is_uppercase)) {
        true => capitalized(item),
        false => item.to_owned(),
    }
}

fn several(items: &str) -> Vec<String> {
    let items = items.trim_end_matches([',', ' ']);
    if [", which ", ", who ", ", where "].iter().any(|word| items.contains(word)) {
        return vec![items.to_owned()];
    }
    let (before, joint) = split_conjunction(items);
    // `Klara and the Sun` is one title.
    let after = &items[before.len() + joint.map_or(0, str::len)..];
    let title = joint.is_some()
        && before.starts_with(char::is_uppercase)
        && !before.contains(", ")
        && ["the ", "a ", "an ", "his ", "her "]
            .iter()
            .any(|article| after.strip_prefix(article).is_some_and(|rest| rest.starts_with(char::is_uppercase)));
    if title {
        return vec![items.to_owned()];
    }
    let mut out: Vec<String> = before.split(", ").map(str::to_owned).collect();
    if let Some(joint) = joint {
        out.push(items[before.len() + joint.len()..].to_owned());
    }
    out
}

/// `X after Y`, `X between Y and Z` where Y and Z are items.
fn beside(page: &Page, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let at = phrase
        .words
        .iter()
        .rposition(|word| {
            word.is_any("after|before|between|behind|below|above|underneath|nach|vor|apres|avant|despues|antes|dopo|prima|na|voor|depois")
        })
        .filter(|at| *at > 0)?;
    let what = phrase.to(at).unmarked();
    let what = what.strip_end("right|directly|just").unwrap_or(what);
    // `put "mornings only" in brackets after Mon–Thu`
    if let Some(inner) = what.strip_end("in brackets|in parentheses")
        && phrase.words[at].is("after")
        && let [only] = inner.words
    {
        let anchor = phrase.from(at + 1).unmarked().raw();
        let places = super::super::locate::locate(&page.text, anchor, super::super::locate::Reach::Words).places;
        let [place] = places.as_slice() else { return None };
        return Some(Ok(format!("{} ({}){}", &page.text[..place.end], only.raw, &page.text[place.end..])));
    }
    let what = what.strip_end("as a new item|as an item|as a new step|as a step|as a new bullet|as a bullet|as a new entry|as a new point|as a new line").unwrap_or(what);
    let names = |word: &Word<'_>| {
        vocabulary::is(&word.folded, "article") || vocabulary::is(&word.folded, "bearer") || word.is_any("new|another")
    };
    let content = match what.words {
        [only] if only.quoted => only.raw,
        [named @ .., only] if only.quoted && named.iter().all(names) => only.raw,
        words if words.iter().any(|word| word.quoted) => return None,
        _ => what.raw(),
    };
    if phrase.words[at].is("between") {
        let pair = phrase.from(at + 1);
        let and = pair.words.iter().position(|word| word.is("and"))?;
        let (entries, one) = entry::one(page, pair.to(and))?.ok()?;
        let other = entry::within(page, &entries, pair.from(and + 1))?;
        if one + 1 != other {
            return Some(Err(Refusal::placeless(content)));
        }
        return Some(Ok(entries.with(page, content, other)));
    }
    let after = phrase.words[at].is_any("after|behind|below|underneath|nach|apres|despues|dopo|na|depois");
    let quoted = what.words.iter().any(|word| word.quoted);
    // `"Product demo at 10:15." after the safety briefing`
    let sentence = || beside_sentence(page, phrase.from(at), content).filter(|_| quoted && content.ends_with('.'));
    put_beside(page, phrase.from(at + 1), after, content).or_else(|| sentence().map(Ok))
}

/// `Cappuccino: 3.20 right after the espresso`: a line of a record beside another one.
fn pair_beside(page: &Page, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let colon = phrase.words.iter().position(|word| word.is(":")).filter(|at| (1..=4).contains(at))?;
    let at =
        phrase.words.iter().rposition(|word| word.is_any("after|before|below|above")).filter(|at| *at > colon + 1)?;
    let anchor = phrase.from(at + 1).unmarked();
    let keys = super::super::find::content(anchor.words);
    let lines: Vec<std::ops::Range<usize>> =
        sentence::lines(&page.text).into_iter().filter(|line| !page.at(line).trim().is_empty()).collect();
    if keys.is_empty() || anchor.words.len() > 5 || lines.len() < 2 || phrase.words.iter().any(|word| word.quoted) {
        return None;
    }
    let named = |line: &&std::ops::Range<usize>| page.at(line).contains(':') && page.says_all(line, &keys);
    let found: Vec<_> = lines.iter().filter(named).collect();
    let [line] = found.as_slice() else { return None };
    let pair = phrase.to(at).unmarked();
    let pair = pair.strip_end("right|directly|just|immediately").unwrap_or(pair);
    let pair = pair.strip("a line|the line|a new line|an entry|the entry|a row").unwrap_or(pair).raw();
    let (start, end) = (line.start, line.end);
    Some(Ok(match phrase.words[at].is_any("after|below") {
        true => format!("{}\n{pair}{}", &page.text[..end], &page.text[end..]),
        false => format!("{}{pair}\n{}", &page.text[..start], &page.text[start..]),
    }))
}

/// The text with `content` before or after the entry that words name.
fn put_beside(page: &Page, named: Phrase<'_, '_>, after: bool, content: &str) -> Option<Result<String, Refusal>> {
    let (entries, at) = entry::one(page, named)?.ok()?;
    match entries.kind {
        // What leads into a row may go with its first item.
        Kind::Row(row) => {
            let list = &page.rows()[row];
            let led = !list.is_lines() && !page.text[..list.items[0].start].trim_end().ends_with(':');
            if at == 0 && led {
                return None;
            }
        }
        // A row of a table has its cells.
        Kind::Lines if page.at(&entries.bodies[at]).contains('|') && !content.contains('|') => return None,
        Kind::Lines | Kind::Sentences => {}
    }
    // What is in brackets goes with what it is put after.
    if after && content.starts_with('(') && content.ends_with(')') && entries.kind != Kind::Sentences {
        let end = entries.bodies[at].end;
        return Some(Ok(format!("{} {content}{}", &page.text[..end], &page.text[end..])));
    }
    let content = if entries.kind == Kind::Sentences && !content.ends_with(['.', '!', '?']) {
        format!("{}.", capitalized(content))
    } else {
        content.to_owned()
    };
    Some(Ok(entries.with(page, &content, at + usize::from(after))))
}

/// `after the first sentence: …`, with the words given.
pub(super) fn beside_part(page: &Page, rest: Phrase<'_, '_>, content: &str) -> Option<Result<String, Refusal>> {
    let asked = rest;
    // `a step after step 2`
    let named = rest.words.iter().take_while(|word| {
        vocabulary::is(&word.folded, "article")
            || vocabulary::is(&word.folded, "bearer")
            || vocabulary::is(&word.folded, "part.item")
            || word.is_any("new|another|extra|additional|right|directly|just|row|line")
    });
    let rest = rest.from(named.count());
    let rest = rest.strip("right|directly|just").unwrap_or(rest);
    let place = rest.strip("after|before")?;
    let Some((part, which)) = counting::part(place) else {
        // `a sentence right after the one about watering`
        let kind =
            |word: &Word<'_>| word.is_any("sentence|line") && !place.words.iter().any(|word| word.is("sentence"));
        let sentence = asked.words.iter().take(3).find(|word| kind(word)).filter(|word| word.is("sentence"));
        let named = sentence.map(|word| place.words.iter().cloned().chain([word.clone()]).collect::<Vec<_>>());
        let named = named.as_deref().map_or(place, |words| Phrase { request: place.request, words });
        return put_beside(page, named, rest.starts("after"), content);
    };
    let after = rest.starts("after");
    if part == command::Part::Item
        && let Some(done) = put_beside(page, place, after, content.trim_end_matches('.'))
    {
        return Some(done);
    }
    let new = command::Operand { text: content.to_owned(), quoted: true };
    Some(command::apply(&page.text, &Command::Insert { new, place: command::Place::BesidePart { part, which, after } }))
}

/// The text with `content` where `place` says: `between steps 3 and 4`, `after the sentence about the surgery`.
pub(super) fn placed_at(page: &Page, place: Phrase<'_, '_>, content: &str) -> Option<Result<String, Refusal>> {
    if let Some(pair) = place.strip("between") {
        let named = entry::some(page, pair)?.ok()?;
        let [one, other] = named.which.as_slice() else { return None };
        return Some(match one + 1 == *other {
            true => Ok(named.entries.with(page, content, *other)),
            false => Err(Refusal::placeless(content)),
        });
    }
    let named = place.strip("after|before")?;
    beside_part(page, place, content).or_else(|| put_beside(page, named, place.starts("after"), content))
}

/// The text with a sentence after or before the one that has the words of `place`.
pub(super) fn beside_sentence(page: &Page, place: Phrase<'_, '_>, said: &str) -> Option<String> {
    let named = place.strip("after|before|right after|right before")?;
    let keys: Vec<String> = super::super::find::content(named.words).into_iter().filter(|key| page.has(key)).collect();
    let all = |sentence: &&std::ops::Range<usize>| !keys.is_empty() && page.says_all(sentence, &keys);
    let found: Vec<&std::ops::Range<usize>> = page.sentences().iter().filter(all).collect();
    let [only] = found.as_slice() else { return None };
    let sentence = format!("{}.", capitalized(said).trim_end_matches('.'));
    Some(match place.starts("after") || place.starts("right after") {
        true => format!("{} {sentence}{}", &page.text[..only.end], &page.text[only.end..]),
        false => format!("{}{sentence} {}", &page.text[..only.start], &page.text[only.start..]),
    })
}

/// Whether words leave open what is to be added.
fn is_vague(what: Phrase<'_, '_>) -> bool {
    let described = what.strip("a short|a brief|a quick|a little|short|brief|a longer|a detailed|more|a better|an appropriate|a suitable").is_some()
        && what.words.iter().any(|word| word.is_any("description|descriptions|summary|explanation|overview|introduction|detail|details|comment|definition|title|heading"));
    if described {
        return true;
    }
    let vague = vocabulary::length(what.words, "vague") > 0
        || what.words.first().is_some_and(|word| word.is_any("two|three|four|five|more|another"))
            && what.words.get(1).is_some_and(|word| word.is_any("more|other|new|additional|further"));
    // `the phone number of the hotel` names what it does not give.
    let named = what.words.first().is_some_and(|word| vocabulary::is(&word.folded, "article") && !word.is_any("a|an"));
    let value = |word: &Word<'_>| word.raw.contains(|c: char| c.is_ascii_digit() || matches!(c, '@' | '#'));
    // `a bullet for Wednesday with legs` says what it is about, and not in which words.
    let borne = what.words.first().is_some_and(|word| word.is_any("a|an|another|one"))
        && what.words.get(1).is_some_and(|word| vocabulary::is(&word.folded, "bearer"))
        && what.words.get(2).is_some_and(|word| word.is_any("for|about|on|regarding|with"))
        && !what.words.iter().any(|word| word.quoted);
    vague || borne || named && !what.words.iter().any(|word| value(word) || word.quoted)
}

/// `text` with a sentence of its own at the end.
pub(in super::super) fn with_sentence(page: &Page, said: &str) -> String {
    let body = page.text.trim_end();
    let said = said.trim();
    let lines = sentence::lines(body);
    let closed = body.ends_with(['.', '!', '?', '…', ')']);
    if let Some(row) = page.rows().iter().find(|row| row.is_lines() && row.range().end + 1 >= body.len()) {
        return row.with(&page.text, &[marker(said).unwrap_or(said).trim_end_matches('.')], row.items.len());
    }
    // Records have a line for each of their facts.
    if lines.len() > 1 && closed && page.sentences().len() <= lines.len() {
        return format!("{body}\n{}", capitalized(said));
    }
    if lines.len() > 1 && !closed {
        return format!("{body}\n{}", capitalized(said).trim_end_matches('.'));
    }
    let mark = if said.ends_with(['.', '!', '?', '…']) || said.ends_with('/') || said.starts_with("http") || !closed {
        ""
    } else {
        "."
    };
    match closed {
        true => format!("{body} {}{mark}", if said.starts_with("http") { said.to_owned() } else { capitalized(said) }),
        false => format!("{body}. {}{mark}", capitalized(said)),
    }
}

/// `text` with a line of its own at the end.
fn with_line(page: &Page, said: &str) -> String {
    if let Some(row) =
        page.rows().iter().find(|row| row.is_lines() && row.range().end + 1 >= page.text.trim_end().len())
    {
        let lines: Vec<&str> = said.lines().collect();
        return row.with(&page.text, &lines, row.items.len());
    }
    format!("{}\n{}", page.text.trim_end(), said.trim())
}
