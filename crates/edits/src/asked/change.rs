//! Changes what a request names into what it gives.

use super::super::{
    command::{self, Command, Operand, Which},
    counting::{self, counted},
    find::{self, New, wanted},
    locate::{Reach, locate},
    page::Page,
    phrase::Phrase,
    refusal::Refusal,
    replace,
    value::Kind,
    vocabulary,
    words::Word,
};

/// `text` after `phrase`, the words after a verb like `change`; `None` if they give nothing to change into.
pub(in super::super) fn run(
    page: &Page,
    phrase: Phrase<'_, '_>,
    verb: &str,
    joint: &str,
    before: Option<Phrase<'_, '_>>,
) -> Option<Result<String, Refusal>> {
    let phrase = phrase.unmarked_start();
    let (phrase, which) = everywhere(phrase);
    if let Some(done) = from_to(page, phrase, which) {
        return Some(done);
    }
    // `correct the rear pressure: it's 2.4 bar, not 2.1`
    if let Some(at) = phrase.words.iter().position(|word| word.is(":")).filter(|at| *at > 0) {
        let said = phrase.from(at + 1);
        if said.find("not|instead of|rather than").is_some() && !said.words.iter().any(|word| word.quoted) {
            return Some(super::fact::run(page, said));
        }
    }
    let pairs = pairs(phrase, joint)?;
    Some(page.after_all(pairs, |page, (old, new)| pair(page, old, new, verb, which, before)))
}

/// Whether a command or an arrow gives more than one change.
pub(super) fn is_several(phrase: Phrase<'_, '_>) -> bool {
    let joint = ["change", "replace", "other.change", "other.replace"]
        .into_iter()
        .zip(["to", "with", "other.to|other.with", "other.to|other.with"])
        .find(|(class, _)| vocabulary::length(phrase.words, class) > 0)
        .map_or("arrow", |(_, joint)| joint);
    pairs(phrase, joint).is_some_and(|pairs| pairs.len() > 1)
}

/// A phrase without the words that say that something is in this text.
fn here<'a, 'r>(phrase: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
    let length = vocabulary::length_at_end(phrase.unmarked().words, "from_here");
    let body = phrase.unmarked();
    if length > 0 && length < body.words.len() { body.to(body.words.len() - length) } else { phrase }
}

/// Whether all places are meant, and the phrase without that.
fn everywhere<'a, 'r>(phrase: Phrase<'a, 'r>) -> (Phrase<'a, 'r>, Which) {
    let rest = here(phrase);
    let all = vocabulary::length_at_end(rest.unmarked().words, "everywhere");
    if all > 0 && all < rest.unmarked().words.len() {
        return (rest.unmarked().to(rest.unmarked().words.len() - all), Which::Every);
    }
    (rest, Which::Only)
}

/// `[what] from X to Y`.
fn from_to(page: &Page, phrase: Phrase<'_, '_>, which: Which) -> Option<Result<String, Refusal>> {
    let text = page.text.as_str();
    let from = phrase.words.iter().position(|word| word.is("from"))?;
    let to = from + 1 + phrase.from(from + 1).words.iter().position(|word| word.is("to") || word.is_arrow())?;
    let (what, old, new) = (phrase.to(from), phrase.to(to).from(from + 1).unmarked(), phrase.from(to + 1).unmarked());
    let (old_words, new_words) = (old.operand()?, New::of(new)?);
    let found = locate(text, &old_words.text, if which == Which::Every { Reach::Parts } else { Reach::Words }).places;
    if found.is_empty() {
        return Some(Err(Refusal::not_in_text(&old_words.text)));
    }
    if which == Which::Every {
        let edits = found.into_iter().map(|place| (place, new_words.text.clone())).collect();
        return Some(Ok(find::applied(text, &edits)));
    }
    let places = match found.len() {
        1 => found,
        _ => {
            // The one that stands nearest to what is named before.
            let keys: Vec<String> = find::content(what.words);
            let near: Vec<_> = found
                .into_iter()
                .filter(|place| {
                    let segment = page.segment_of(place);
                    let said = page.words_in(&segment);
                    !keys.is_empty() && keys.iter().all(|key| said.iter().any(|word| word.key == *key))
                })
                .collect();
            if near.len() != 1 {
                return Some(Err(Refusal::ambiguous(&old_words.text)));
            }
            near
        }
    };
    Some(Ok(replace::put(text, &places, |place| replace::styled(&text[place], &new_words.text), true)))
}

/// The old and the new words of each change: `A to B and C to D`.
fn pairs<'a, 'r>(phrase: Phrase<'a, 'r>, joint: &str) -> Option<Vec<(Phrase<'a, 'r>, Phrase<'a, 'r>)>> {
    let length = |words: &[Word<'_>]| joint.split('|').map(|class| vocabulary::length(words, class)).max().unwrap_or(0);
    let is_joint = |phrase: Phrase<'_, '_>, at: usize| at > 0 && length(&phrase.words[at..]) > 0;
    let colon = |at: &usize| phrase.words[*at].is(":");
    let Some(at) = (1..phrase.words.len()).find(|&at| is_joint(phrase, at)) else {
        // `fill in the mitigation: …`
        let at = (1..phrase.words.len()).find(colon)?;
        let new = phrase.from(at + 1);
        let new = new.strip("it's|it is|should be|it should be|this is").unwrap_or(new);
        return (!new.unmarked().is_empty()).then(|| vec![(here(phrase.to(at)), new)]);
    };
    let (old, mut new) = (here(phrase.to(at)), phrase.from(at + length(&phrase.words[at..])));
    if new.words.first().is_some_and(|word| word.is(":")) {
        new = new.from(1);
        return Some(vec![(old, new)]);
    }
    if new.unmarked().is_empty() {
        return None;
    }
    let mut out = Vec::new();
    // Another pair begins after `and` or a comma if it has a joint of its own.
    let next = (1..new.words.len()).find(|&at| {
        if new.from(at).starts("as well as") {
            return true;
        }
        let joins = new.words[at].is_any("and|,|;|y|et|und|e|en|sowie|&");
        let after = new.from(at + 1);
        joins
            && after.words.first().is_some_and(|word| !word.is_any("and|y|et|und|e|en"))
            && (1..after.words.len().min(6)).any(|to| is_joint(after, to))
            || joins
                && new.words[at].is(",")
                && after.words.first().is_some_and(|word| word.is_any("and|then|also"))
                && (2..after.words.len().min(7)).any(|to| is_joint(after, to))
    });
    match next {
        Some(at) => {
            out.push((old, new.to(at)));
            let after = new.from(if new.from(at).starts("as well as") { at + 3 } else { at + 1 });
            let after = after.from(after.words.iter().take_while(|word| word.is_any("and|then|also")).count());
            out.extend(pairs(after, joint)?);
        }
        None => {
            // In other languages a reason is told by its comma alone.
            let comma = new.words.iter().position(|word| word.is(",")).filter(|at| *at > 0 && joint.contains("other"));
            out.push((old, comma.map_or(new, |at| new.to(at))));
        }
    }
    Some(out)
}

/// The one thing of a statement that the text has, in one place.
fn meant<'a, 'r>(page: &Page, told: Phrase<'a, 'r>) -> Option<Phrase<'a, 'r>> {
    let once = |at: &usize| {
        let word = &told.words[*at];
        !find::is_empty_word(&word.folded) && page.places_of(&super::super::page::key(word.raw)).count() == 1
    };
    let mut known = (0..told.words.len()).filter(once);
    let only = known.next().filter(|_| known.next().is_none())?;
    Some(told.from(only).to(1))
}

/// `text` with one thing changed into another.
pub(super) fn pair(
    page: &Page,
    old: Phrase<'_, '_>,
    new: Phrase<'_, '_>,
    verb: &str,
    which: Which,
    before: Option<Phrase<'_, '_>>,
) -> Result<String, Refusal> {
    let text = page.text.as_str();
    // `she isn't into techno any more, replace it with bouldering`
    if super::remove::is_pronoun(old.unmarked())
        && verb == "replace"
        && let Some(meant) = before.and_then(|before| meant(page, before))
    {
        return pair(page, meant, new, verb, which, None);
    }
    // `set Last updated to 9 Feb`: a label may begin like a count.
    let name = old.unmarked();
    let name = name.strip("the").unwrap_or(name).raw();
    let labels: Vec<_> = page.labels().iter().filter(|label| page.at(&label.name).eq_ignore_ascii_case(name)).collect();
    if let ([label], Some(new)) = (labels.as_slice(), New::of(new))
        && name.contains(' ')
        && counting::ordinal(&name.split(' ').next().unwrap_or_default().to_lowercase()).is_some()
    {
        return Ok(find::applied(text, &vec![(label.value.clone(), new.text)]));
    }
    // `the sentence about notes`
    let about = ["part.sentence", "part.line", "part.item"]
        .iter()
        .any(|class| name.split(' ').next().is_some_and(|noun| vocabulary::is(noun, class)));
    if about
        && old.words.iter().any(|word| vocabulary::is(&word.folded, "about"))
        && let Some(Ok((entries, at))) = super::entry::one(page, old)
        && let Some(new) = New::of(new)
    {
        let old = page.at(&entries.bodies[at]);
        let stop = if old.ends_with('.') && !new.text.ends_with(['.', '!', '?']) { "." } else { "" };
        return Ok(find::applied(text, &vec![(entries.bodies[at].clone(), format!("{}{stop}", new.text))]));
    }
    // `the Paid column for Tamsin`
    if let Some(new) = New::of(new).and_then(|new| super::table::with_named_cell(page, old, &new.text)) {
        return Ok(new);
    }
    // `with Farid in the roster`
    let new = match new.unmarked().words {
        [_, .., at, the, noun]
            if at.is_any("in|on")
                && the.is("the")
                && !noun.quoted
                && page.has(&super::super::page::key(noun.raw))
                && verb == "replace" =>
        {
            new.unmarked().to(new.unmarked().words.len() - 3)
        }
        _ => new,
    };
    let named = old;
    let (old, which) = counted(old.unmarked(), which);
    // `with Samira as mentor`, where the text says mentor.
    let role = new.words.iter().position(|word| word.is("as")).filter(|at| *at > 0);
    let new = match role {
        Some(at)
            if !find::content(new.from(at + 1).words).is_empty()
                && find::content(new.from(at + 1).words).iter().all(|key| page.has(key)) =>
        {
            new.to(at)
        }
        _ => new,
    };
    // `to Simone with email s@x.example`: a value of its own kind.
    if let Some(at) = new.words.iter().position(|word| word.is("with")).filter(|at| *at > 0)
        && let Some((noun, value)) = new.from(at + 1).words.split_first()
        && !find::wanted(Phrase { request: new.request, words: std::slice::from_ref(noun) }).kinds.is_empty()
        && New::of(Phrase { request: new.request, words: value }).is_some_and(|value| value.is_value())
    {
        let now = pair(page, old, new.to(at), verb, which, before)?;
        let page = Page::read(&now);
        let described = wanted(Phrase { request: new.request, words: std::slice::from_ref(noun) });
        let value = New::of(Phrase { request: new.request, words: value }).ok_or(Refusal::Vague)?;
        return find::set(&page, &described, &value).map(|edits| find::applied(&now, &edits));
    }
    // `to 240 to compensate`
    let purpose = (1..new.words.len().saturating_sub(1)).find(|&at| {
        new.words[at].is_any("to|so|as|since|because|for")
            && new.words[at + 1].raw.chars().all(char::is_lowercase)
            && New::of(new.to(at)).is_some_and(|value| value.is_value())
            && !New::of(new).is_some_and(|value| value.is_value())
            && find::only_values(new.from(at + 1).raw()).is_empty()
    });
    let new = purpose.filter(|at| new.words[*at].is("to")).map_or(new, |at| new.to(at));
    let new_words = New::of(new).ok_or(Refusal::Vague)?;
    let whole = old.strip("the|this").unwrap_or(old);
    if new_words.quoted
        && whole.is_only("text|wording|content|note|thought|memory|entry")
        && !whole.is_empty()
        && page
            .labels()
            .iter()
            .all(|label| !whole.words.iter().any(|word| label.keys.contains(&super::super::page::key(word.raw))))
    {
        return Ok(new_words.text.clone());
    }
    if let Some(heading) = heading(page, old) {
        return Ok(find::applied(text, &vec![(heading, new_words.text.trim_end_matches([':', '.']).to_owned())]));
    }
    let body = new.unmarked().words;
    if body.len() > 1 && body[0].quoted && body[1..].iter().any(|word| word.is(",")) {
        return Err(Refusal::Unclear);
    }
    if body.last().is_some_and(|word| word.is_any("and|or|but")) {
        return Err(Refusal::Unclear);
    }
    if new.unmarked().is_only("nothing") {
        return super::remove::run(page, old, before);
    }
    if is_vague(new) {
        return Err(Refusal::Vague);
    }
    // `to Thursday tomorrow` says when to change it.
    if let [first, .., last] = new_words.values.as_slice()
        && last.kind == Kind::Relative
        && first.kind.family() == last.kind.family()
    {
        return Err(Refusal::Later);
    }
    if let Some(done) = super::items::set(page, old, &new_words).or_else(|| super::items::set(page, named, &new_words))
    {
        return done;
    }
    // `number 5 is too slow. Replace it with …`
    if is_pronoun(old)
        && let Some(told) = before
        && let Some(done) = super::items::told_item(told).and_then(|named| super::items::set(page, named, &new_words))
    {
        return done;
    }
    // `replace PO number 77120 with 80455`: the noun before a number stays.
    if let [.., number] = old.words
        && old.words.len() > 1
        && !number.quoted
        && new_words.values.len() == 1
        && matches!(new_words.values[0].kind, Kind::Number | Kind::Code)
        && new_words.text.split_whitespace().count() == 1
        && find::only_values(number.raw).len() == 1
        && locate(text, old.raw(), Reach::Words).places.len() == 1
    {
        return pair(page, old.from(old.words.len() - 1), new, verb, which, before);
    }
    // `the sentence about the key`, `the line with the router`
    let described =
        named.words.iter().take(3).any(|word| word.is_any("sentence|line|bullet|item|entry|step|point|row"))
            && named.words.iter().any(|word| word.is_any("about|with|on|regarding|mentioning|for|that|saying"));
    if described
        && (new_words.quoted || new.words.iter().any(|word| word.is(":")))
        && let Some(Ok((entries, at))) = super::entry::one(page, named)
    {
        let ends = page.at(&entries.bodies[at]).ends_with(['.', '!', '?']);
        let body = new_words.text.trim_end_matches('.');
        let full = if ends && !body.ends_with(['!', '?']) { format!("{body}.") } else { new_words.text.clone() };
        return Ok(find::applied(text, &vec![(entries.bodies[at].clone(), full)]));
    }
    if let Some((part, which)) = counting::part(old) {
        return command::apply(
            text,
            &Command::ReplacePart {
                part,
                which,
                new: Operand { text: new_words.text.clone(), quoted: new_words.quoted },
            },
        );
    }
    if is_pronoun(old) {
        let described = before.map(|before| known(page, before)).unwrap_or_default();
        let mut asked = wanted(Phrase { request: old.request, words: &[] });
        asked.keys = described;
        asked.said = new_words.text.clone();
        if new_words.is_value() && verb != "replace" {
            // Which one a pronoun means is only certain where there is one.
            let certain = before.is_some_and(|before| super::work::has_only_known_subject(page, before));
            if certain && let Ok(edits) = find::set(page, &asked, &new_words) {
                return Ok(find::applied(text, &edits));
            }
            let kind = new_words.values[0].kind;
            let same = page.values().iter().filter(|value| value.kind == kind).count();
            if before.is_some() && same > 1 && new_words.values.len() == 1 {
                return Err(Refusal::ambiguous(&new_words.text));
            }
            let found = find::set(page, &asked, &new_words);
            return match found {
                Err(Refusal::NotInText { .. }) if !asked.keys.is_empty() => {
                    asked.keys.clear();
                    find::set(page, &asked, &new_words).map(|edits| find::applied(text, &edits))
                }
                found => found.map(|edits| find::applied(text, &edits)),
            };
        }
        // `change it to "Call Rosa again on Sunday"`: most of the one sentence that the text is, said anew.
        let shared =
            page.words().iter().filter(|word| super::super::page::keys(&new_words.text).contains(&word.key)).count();
        if new_words.quoted && page.sentences().len() == 1 && shared * 2 >= page.words().len() {
            return Ok(new_words.text.clone());
        }
        return Err(Refusal::Unclear);
    }
    let quoted = old.words.iter().any(|word| word.quoted);
    if verb == "arrow"
        && is_label_name(page, old)
        && (new_words.is_value() || page.labels().len() > 1 && text.contains('\n'))
    {
        return find::set(page, &wanted(old), &new_words).map(|edits| find::applied(text, &edits));
    }
    if !quoted && which == Which::Only {
        let described = wanted(old);
        let bare = bare(old);
        let literal = locate(text, bare.raw(), Reach::Words).places;
        let in_label = |place: &std::ops::Range<usize>| {
            page.labels()
                .iter()
                .any(|label| label.name == *place || label.name.start <= place.start && place.end == label.name.end)
        };
        let is_label = !literal.is_empty() && literal.iter().all(in_label) && !bare.is_empty();
        let old_is_value =
            !find::only_values(bare.raw()).is_empty() || bare.raw().contains(|c: char| c.is_ascii_digit());
        let article = bare.words.len() < old.words.len();
        let names = bare.words.iter().any(|word| word.raw.starts_with(char::is_uppercase)) && !is_label;
        let or = bare.words.is_empty();
        let rename = verb == "rename" || verb == "arrow" && !new_words.is_value() || or;
        let unknown_name =
            names && literal.is_empty() && !article && described.kinds.is_empty() && page.labels().is_empty();
        // `change day 7 to …` of `Day 7: Munch museum` is about what is said under it.
        let whole_label =
            is_label && literal.iter().all(|place| page.labels().iter().any(|label| label.name == *place));
        let by_words = old_is_value && !(whole_label && verb != "rename") || rename || unknown_name;
        let target = !by_words
            && (literal.is_empty()
                || is_label
                || article && !names
                || verb == "set"
                || !described.kinds.is_empty()
                || new_words.is_value() && !names && new_words.text.contains(|c: char| c.is_ascii_digit()));
        // `change contact to Simone Adeyemi` is about who it is.
        let is_named = |words: &str| words.split_whitespace().all(|word| word.starts_with(char::is_uppercase));
        let target = target
            || verb == "change"
                && !by_words
                && !names
                && !literal.is_empty()
                && is_named(&new_words.text)
                && !new_words.is_value()
                && literal.iter().all(|place| {
                    page.sentence_of(place).start == place.start || text[place.clone()].starts_with(char::is_lowercase)
                });
        // `change doctor to dentist` of `Mom's new doctor: Dr. Nwosu`: a noun for the noun, and not for the name after it.
        let noun_for_noun = verb == "change"
            && !article
            && new_words.text.chars().all(|c| c.is_lowercase() || c == ' ')
            && page.labels().iter().any(|label| {
                page.at(&label.value).starts_with(char::is_uppercase)
                    && literal.iter().any(|place| place.end == label.name.end && place.start > label.name.start)
            });
        if target && !noun_for_noun {
            match find::set(page, &described, &new_words) {
                Ok(edits) => return Ok(find::applied(text, &edits)),
                Err(refusal @ (Refusal::Ambiguous { .. } | Refusal::Prohibition))
                    if is_label || literal.is_empty() || new_words.is_value() =>
                {
                    return Err(refusal);
                }
                Err(refusal) if is_label => return Err(refusal),
                Err(_) => {}
            }
        }
        // `update the plate to KX21 OPB` means what is said of the plate, and not the word.
        let noun = article && !names && !old_is_value && !literal.is_empty();
        if noun && target && !new_words.text.chars().all(|c| c.is_lowercase() || c.is_whitespace() || c == '-') {
            return Err(Refusal::ambiguous(bare.raw()));
        }
        // A noun is no value: `set the weight to 72 kg` does not replace the word.
        let digits = new_words.text.contains(|c: char| c.is_ascii_digit());
        if new_words.is_value()
            && digits
            && !old_is_value
            && !literal.is_empty()
            && literal.iter().all(|place| find::only_values(&text[place.clone()]).is_empty())
            && !new_words.quoted
        {
            return Err(Refusal::ambiguous(bare.raw()));
        }
    }
    // A label that the text has not yet: `set Owner to Priya`.
    if verb == "set"
        && !quoted
        && !page.labels().is_empty()
        && old.words.len() <= 2
        && old.words[0].raw.starts_with(char::is_uppercase)
        && !page.has(&super::super::page::key(old.words[0].raw))
    {
        return Ok(super::add::with_sentence(page, &format!("{}: {}", old.raw(), new_words.text)));
    }
    let old = literal_part(text, old);
    let old = match old.strip("the label|label|the field|field|the heading|the key|key").filter(|_| verb == "rename") {
        Some(rest) if !rest.is_empty() => rest,
        _ => old,
    };
    let operand = old.operand().ok_or(Refusal::Unclear)?;
    let new = new.strip("should have been|should be").filter(|_| verb == "arrow").unwrap_or(new);
    let new = new.operand().ok_or(Refusal::Vague)?;
    let which = if verb == "rename" && which == Which::Only { Which::Every } else { which };
    // `rename the label CONTACT to OWNER`
    if verb == "rename"
        && let [label] =
            page.labels().iter().filter(|label| page.at(&label.name) == operand.text).collect::<Vec<_>>().as_slice()
    {
        return Ok(find::applied(text, &vec![(label.name.clone(), new.text)]));
    }
    let command = match verb {
        "replace" => Command::Replace { old: operand, new, which },
        _ => Command::Change { old: operand, new, which },
    };
    super::settle(text, &[command])
}

/// The first line of a text, without its marks, where words name it as its heading and no other words of it are meant.
pub(super) fn heading(page: &Page, named: Phrase<'_, '_>) -> Option<std::ops::Range<usize>> {
    let named = named.strip("the|its|this").unwrap_or(named).unmarked();
    let named = named.strip_end("of the note|of this note|of the list|of the thought|line").unwrap_or(named);
    if !named.is_only("heading|title|headline|header")
        || named.is_empty()
        || page
            .labels()
            .iter()
            .any(|label| named.words.iter().any(|word| label.keys.contains(&super::super::page::key(word.raw))))
    {
        return None;
    }
    let line = super::super::sentence::lines(&page.text)
        .into_iter()
        .next()
        .filter(|line| line.end < page.text.trim_end().len())?;
    let body = page.at(&line);
    let start = line.start + body.len() - body.trim_start_matches(['#', '*', ' ']).len();
    let end = line.start + body.trim_end_matches([':', '*', ' ']).len();
    (start < end).then_some(start..end)
}

/// The `Done` of `the column Done`, where the text has only that.
fn literal_part<'a, 'r>(text: &str, old: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
    let bare = bare(old);
    if bare.words.len() < 2 || !locate(text, bare.raw(), Reach::Words).places.is_empty() {
        return old;
    }
    let sort = bare
        .words
        .iter()
        .take_while(|word| vocabulary::is(&word.folded, "thing") || vocabulary::is(&word.folded, "part.item"))
        .count();
    let rest = bare.from(sort);
    match sort > 0 && !rest.is_empty() && locate(text, rest.raw(), Reach::Words).places.len() == 1 {
        true => rest,
        false => old,
    }
}

fn is_label_name(page: &Page, old: Phrase<'_, '_>) -> bool {
    let keys = find::content(old.words);
    page.labels().iter().any(|label| !keys.is_empty() && label.keys == keys)
}

fn known(page: &Page, before: Phrase<'_, '_>) -> Vec<String> {
    wanted(before).keys.into_iter().filter(|key| page.has(key)).collect()
}

fn bare<'a, 'r>(phrase: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
    let taken = phrase
        .words
        .iter()
        .take_while(|word| {
            vocabulary::is(&word.folded, "article") || word.is_any("word|phrase|name|current|existing|old")
        })
        .count();
    phrase.from(taken.min(phrase.words.len()))
}

fn is_pronoun(phrase: Phrase<'_, '_>) -> bool {
    matches!(phrase.words, [only] if only.is_any("it|this|that|them"))
}

/// Whether new words leave open what they are: `whoever was on duty`, `something better`.
pub(super) fn is_vague(new: Phrase<'_, '_>) -> bool {
    let new = new.unmarked();
    let quoted = new.words.iter().any(|word: &Word<'_>| word.quoted);
    let empty = new.words.len() > 2
        && new.words.iter().all(|word| {
            word.is_any(
                "the|latest|current|new|correct|right|actual|number|value|amount|date|one|figure|time|price|proper",
            )
        });
    let described = new
        .strip("the new|the latest|the correct|the agreed|the actual|the right|the updated|the current|the proper")
        .is_some_and(|rest| {
            rest.words.iter().any(|word| word.is_any("that|which|we|was|were|they|he|she|from|i|you"))
                && !rest.words.iter().any(|word| word.raw.contains(|c: char| c.is_ascii_digit()))
        });
    !quoted
        && (described
            || empty
            || vocabulary::length(new.words, "vague") > 0
            || super::super::description::is_description(new))
}
