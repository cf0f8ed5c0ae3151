//! What a command asks for: rules by what it does, each with an example and a counter-example.

use super::super::{
    command::{self, Command, settle},
    find, grammar,
    page::Page,
    phrase::Phrase,
    refusal::Refusal,
    vocabulary,
    words::Word,
};

use super::{
    add, change,
    cut::is_command,
    fact, items, remove,
    role::{has_arrow, take_off},
};

/// Whether new words leave a choice: `to rolls or bagels`.
pub(super) fn is_choice(phrase: Phrase<'_, '_>) -> bool {
    let adds = vocabulary::length(phrase.words, "add") > 0
        || vocabulary::length(phrase.words, "rewrite") > 0
        || vocabulary::length(phrase.words, "remove") > 0;
    let at = phrase.words.iter().position(|word| word.is("or"));
    let either = phrase.words.iter().any(|word| word.is("either")) && at.is_some();
    either && !adds
        || !adds
            && !phrase.words.iter().any(|word| word.is(":"))
            && at
                .is_some_and(|at| at > 1 && at + 1 < phrase.words.len() && !phrase.words[at - 1].is_any("to|with|word"))
}

/// What a command is read as, with the statement before it that a pronoun may mean.
#[derive(Clone, Copy)]
struct Asked<'a, 'r> {
    phrase: Phrase<'a, 'r>,
    told: Option<Phrase<'a, 'r>>,
}

impl<'a, 'r> Asked<'a, 'r> {
    /// What follows a verb of `class`, if the command begins with one.
    fn after(&self, class: &str) -> Option<Phrase<'a, 'r>> {
        let length = vocabulary::length(self.phrase.words, class);
        (length > 0).then(|| self.phrase.from(length))
    }

    fn starts(&self, words: &str) -> bool {
        self.phrase.words.first().is_some_and(|word| word.is_any(words))
    }
}

type Read = Option<Result<String, Refusal>>;

/// A rule for commands: what it takes them to mean, with one that it carries out and one that is not for it.
struct Rule {
    run: fn(&Page, Asked<'_, '_>) -> Read,
    #[cfg_attr(not(test), expect(dead_code, reason = "says what the rule is for, and is run as its test"))]
    means: &'static str,
    /// A text, a command, and what the text becomes.
    #[cfg_attr(not(test), expect(dead_code, reason = "run as a test"))]
    example: [&'static str; 3],
    /// A text and a command that this rule leaves alone.
    #[cfg_attr(not(test), expect(dead_code, reason = "run as a test"))]
    counter_example: [&'static str; 2],
}

const RULES: &[Rule] = &[
    Rule {
        run: |page, asked| {
            (has_arrow(asked.phrase) && !is_command(asked.phrase))
                .then(|| change::run(page, asked.phrase, "arrow", "arrow", asked.told))
                .flatten()
        },
        means: "an arrow from the old to the new",
        example: ["Meet at 9.", "9 -> 10", "Meet at 10."],
        counter_example: ["Meet at 9.", "change 9 -> 10"],
    },
    Rule {
        run: respelt,
        means: "a misspelt word",
        example: ["call ana", "write ana with a capital A", "call Ana"],
        counter_example: ["call ana", "write to ana"],
    },
    Rule {
        run: lettered,
        means: "capitals or small letters, and the space between words",
        example: ["call ana", "capitalize ana", "call Ana"],
        counter_example: ["call ana", "call Ana back"],
    },
    Rule {
        run: removed,
        means: "something goes",
        example: ["Team: Ana, Ben, Carl.", "remove Ben", "Team: Ana, Carl."],
        counter_example: ["Team: Ana, Ben, Carl.", "move Ben to the top"],
    },
    Rule {
        run: |page, asked| items::sorted(page, asked.phrase),
        means: "a list in another order",
        example: ["- mint\n- basil", "sort the herbs alphabetically", "- basil\n- mint"],
        counter_example: ["- mint\n- basil", "sort it out with Ben"],
    },
    Rule {
        run: |page, asked| items::swapped(page, asked.phrase, asked.told),
        means: "two entries change places",
        example: ["1. mint\n2. basil\n3. dill", "swap items 1 and 3", "1. dill\n2. basil\n3. mint"],
        counter_example: ["1. mint\n2. basil", "swap mint for dill"],
    },
    Rule {
        run: |page, asked| items::ticked(page, asked.phrase, asked.told),
        means: "a box is ticked",
        example: ["- [ ] mint\n- [ ] basil", "tick off basil", "- [ ] mint\n- [x] basil"],
        counter_example: ["- mint\n- basil", "tick off basil"],
    },
    Rule {
        run: |page, asked| items::moved(page, asked.phrase, asked.told),
        means: "an entry goes elsewhere",
        example: ["- mint\n- basil\n- dill", "move dill to the top", "- dill\n- mint\n- basil"],
        counter_example: ["Meet on Monday.", "move it to Tuesday"],
    },
    Rule {
        run: added,
        means: "something more",
        example: ["- mint\n- basil", "add dill", "- mint\n- basil\n- dill"],
        counter_example: ["- mint\n- basil", "remove dill"],
    },
    Rule {
        run: |page, asked| change::run(page, soft(asked.after("replace"))?, "replace", "with", asked.told),
        means: "one thing for another",
        example: ["Buy mint.", "replace mint with basil", "Buy basil."],
        counter_example: ["Buy mint.", "change mint to basil"],
    },
    Rule {
        run: changed,
        means: "what something is to be",
        example: ["Meet at 9.", "change 9 to 10", "Meet at 10."],
        counter_example: ["Meet at 9.", "replace 9 with 10"],
    },
    Rule {
        run: |page, asked| {
            let english = asked.after("change").is_some() || asked.after("replace").is_some();
            let rest = asked.after("other.replace").or_else(|| asked.after("other.change")).filter(|_| !english)?;
            change::run(page, rest, "change", "other.to|other.with", asked.told)
        },
        means: "the same in other languages",
        example: ["Treffen am Montag.", "ändere Montag auf Dienstag", "Treffen am Dienstag."],
        counter_example: ["Meet on Monday.", "change Monday to Tuesday"],
    },
    Rule {
        run: |page, asked| assign(page, asked.after("assign")?),
        means: "who is to do it",
        example: ["Task: paint\nOwner: Ben", "assign it to Ana", "Task: paint\nOwner: Ana"],
        counter_example: ["Task: paint\nOwner: Ben", "set the owner to Ana"],
    },
    Rule {
        run: used,
        means: "what to use from now on",
        example: ["Dough: 300 g flour, 3 eggs.", "use 340 g flour and 4 eggs", "Dough: 340 g flour, 4 eggs."],
        counter_example: ["Dough: 300 g flour.", "add 340 g flour"],
    },
    Rule {
        run: made,
        means: "words in quotation marks for what is named, or for what says part of the same",
        example: ["May: plant tomatoes", "make it \"plant tomatoes and beans\"", "May: plant tomatoes and beans"],
        counter_example: ["May: plant tomatoes", "make it shorter"],
    },
    Rule {
        run: |page, asked| switched(page, soft(Some(asked.phrase))?).map(Ok),
        means: "a setting on or off",
        example: ["sound=off\nsize=3", "turn sound on", "sound=on\nsize=3"],
        counter_example: ["sound=loud\nsize=3", "turn sound on"],
    },
];

/// The text after a command; two rules that come to different texts are a refusal.
pub(super) fn command(page: &Page, phrase: Phrase<'_, '_>, told: Option<Phrase<'_, '_>>) -> Read {
    phrase.words.first()?;
    if is_vague_rewording(phrase) {
        return Some(Err(Refusal::Vague));
    }
    if is_choice(phrase) && super::super::lettering::letters(phrase).is_none() {
        return Some(Err(Refusal::Contradiction));
    }
    let asked = Asked { phrase, told };
    let mut refusal = None;
    let mut outcomes: Vec<String> = Vec::new();
    for rule in RULES {
        match (rule.run)(page, asked) {
            Some(Ok(new)) if !outcomes.contains(&new) => outcomes.push(new),
            Some(Err(found)) => refusal = refusal.or(Some(found)),
            _ => {}
        }
    }
    match outcomes.pop() {
        Some(only) if outcomes.is_empty() => Some(Ok(only)),
        Some(_) => Some(Err(Refusal::Readings)),
        None => refusal.map(Err).or_else(|| literally(page, phrase)),
    }
}

/// `reword it as a poem`: how it is to be said, and not what.
fn is_vague_rewording(phrase: Phrase<'_, '_>) -> bool {
    let free = phrase.words.iter().any(|word| word.quoted || word.is(":"));
    vocabulary::length(phrase.words, "rewrite") > 0
        && !free
        && phrase.find("as a|as an|in a|into a|to sound|to be|so that|more|less|better").is_some()
}

/// `fix the typo: libary`, `write Dagny with a capital D`, `spell Mark with a c`.
fn respelt(page: &Page, asked: Asked<'_, '_>) -> Read {
    let phrase = asked.phrase;
    let names = phrase.words.iter().take(4).any(|word| word.is_any("typo|typos|spelling|misspelling|misspellings"));
    if names && asked.starts("fix|correct|repair") {
        return literally(page, phrase);
    }
    let capital = phrase.find("with a capital|with capital").filter(|at| *at > 1 && asked.starts("write|spell|put"));
    if let Some(at) = capital {
        let name = phrase.to(at).from(1).unmarked().raw();
        let places = super::super::locate::locate_any_case(&page.text, name);
        let right = super::super::locate::capitalized(name);
        let edits: find::Edits = places.into_iter().map(|place| (place, right.clone())).collect();
        return Some(match edits.is_empty() {
            true => Err(Refusal::not_in_text(name)),
            false => Ok(find::applied(&page.text, &edits)),
        });
    }
    // `write the title as "Winter Newsletter"`
    if asked.starts("write|spell|put")
        && let Some(at) = phrase.words.iter().position(|word| word.is("as")).filter(|at| *at > 1)
        && let [new] = phrase.from(at + 1).unmarked().words
        && new.quoted
    {
        let what = phrase.to(at).from(1);
        return Some(change::pair(page, what, phrase.from(at + 1), "change", command::Which::Only, asked.told));
    }
    let spells = phrase.find("with a|with an|with one|with two|without").is_some_and(|at| at == 2);
    (spells && asked.starts("write|spell"))
        .then(|| phrase.to(2).from(1).operand())
        .flatten()
        .map(|right| settle(&page.text, &[Command::Spell { right }]))
}

fn lettered(page: &Page, asked: Asked<'_, '_>) -> Read {
    let commands =
        super::super::lettering::letters(asked.phrase).or_else(|| super::super::lettering::space(asked.phrase))?;
    Some(settle(&page.text, &commands))
}

fn removed(page: &Page, asked: Asked<'_, '_>) -> Read {
    let Asked { phrase, told } = asked;
    // `…, so remove`
    if phrase.unmarked().words.len() == 1 && vocabulary::length(phrase.words, "remove") == 1 && told.is_some() {
        let it = Word { raw: "it", folded: "it".into(), quoted: false, start: 0, end: 0 };
        return Some(remove::run(page, Phrase { request: "it", words: &[it] }, told));
    }
    // `cut the pellets to 5%`
    let to_value =
        phrase.words.windows(2).any(|pair| pair[0].is("to") && pair[1].raw.starts_with(|c: char| c.is_ascii_digit()));
    if to_value && asked.after("change").is_some() {
        return None;
    }
    let what = soft(take_off(phrase).or_else(|| asked.after("remove")))?;
    if what.unmarked().is_only("the|emoji|emojis|all|every|any|emoticon|smiley|icon") && !page.has("emoji") {
        return super::super::letters::without_emoji(&page.text).map(Ok);
    }
    let done = remove::run(page, what, told);
    // `drop her interview` after `Delphine withdrew`
    let owned = what.words.iter().any(|word| word.is_any("her|his|their|its|hers"));
    let (Err(Refusal::Ambiguous { .. }), true, Some(before)) = (&done, owned, told) else { return Some(done) };
    let is_name =
        |word: &&Word<'_>| word.raw.starts_with(char::is_uppercase) && page.has(&super::super::page::key(word.raw));
    let both: Vec<Word<'_>> = what.words.iter().chain(before.words.iter().filter(is_name)).cloned().collect();
    Some(remove::run(page, Phrase { request: what.request, words: &both }, told).or(done))
}

fn added(page: &Page, asked: Asked<'_, '_>) -> Read {
    let rest = asked.after("add")?;
    if let Some(done) = added_as_told(page, asked, rest) {
        return Some(done);
    }
    // `put dill first` moves what is there.
    if items::moved(page, asked.phrase, asked.told).is_some() {
        return None;
    }
    let parted = asked.starts("voeg|fuge|fuege|hange|haenge")
        && rest.unmarked().words.last().is_some_and(|word| vocabulary::is(&word.folded, "particle"));
    let rest = if parted { rest.unmarked().to(rest.unmarked().words.len() - 1) } else { rest };
    let foreign = asked.starts("fuge|fuege|hange|haenge|voeg|ajoute|ajoutez|anade|agrega|aggiungi|adicione");
    let verb = asked.phrase.words[0].folded.as_ref();
    add::run(page, rest, verb, asked.told).or_else(|| {
        let english = if asked.starts("hange|haenge") { "append" } else { "add" };
        let commands = super::super::insertion::insert(rest, english).filter(|_| foreign)?;
        Some(settle(&page.text, &commands))
    })
}

/// `Kwame is coming too, so add him after Sabine`: whom or what a pronoun means is told before.
fn added_as_told(page: &Page, asked: Asked<'_, '_>, rest: Phrase<'_, '_>) -> Read {
    let pronoun = rest.words.first().filter(|word| word.is_any("him|her|them|it|that"))?;
    let told = asked.told?.unmarked();
    let verb = told.words.iter().position(super::cut::is_finite).or_else(|| {
        told.words.iter().position(|word| {
            !word.quoted && word.folded.ends_with('s') && !page.has(&super::super::page::key(word.raw))
        })
    })?;
    let subject = told.to(verb);
    let meant = match pronoun.is("that") {
        // `Petra also eats gluten-free, so add that to her diet`
        true => {
            let after = told.from(verb + 1);
            let subject = subject.strip_end("also").unwrap_or(subject);
            (!subject.is_empty() && find::content(subject.words).iter().all(|key| page.has(key))).then_some(after)?
        }
        false => {
            // `There's a new grandchild, Emil (0)`, `Flat 4A also has gas`: what the text has not.
            let subject = subject.strip_end("also|now|too").unwrap_or(subject);
            let new = |at: &usize| {
                let word = &told.words[*at];
                let is_name = word.raw.starts_with(char::is_uppercase);
                (is_name || pronoun.is_any("it|them") && word.raw.starts_with(|c: char| c.is_ascii_digit()))
                    && !find::is_empty_word(&word.folded)
                    && !page.has(&super::super::page::key(word.raw))
                    && (*at > 0 || subject.words.len() == 1 || told.words[1].raw.starts_with(char::is_uppercase))
            };
            let known = subject.words.first().is_some_and(|word| {
                page.has(&super::super::page::key(word.raw))
                    || find::is_empty_word(&word.folded)
                    || word.folded.contains('\'')
            });
            let first = (0..told.words.len()).find(new).filter(|_| known);
            let named = first.map(|first| {
                let count = (first..told.words.len()).take_while(|at| new(at)).count();
                let bracket = told.words.get(first + count).is_some_and(|word| word.is("("));
                let close = told.words[first..].iter().position(|word| word.is(")")).filter(|_| bracket);
                told.from(first).to(close.map_or(count, |close| close + 1))
            });
            named.unwrap_or(subject)
        }
    };
    // `Samira is vegetarian too, add her`, where the text has a label for that.
    let said = told.from(verb + 1).unmarked();
    let said = said.strip_end("too|as well|also|now").unwrap_or(said);
    let of =
        page.labels().iter().filter(|label| !label.keys.is_empty() && label.keys == find::content(said.words)).count();
    if rest.unmarked().words.len() == 1 && of == 1 && pronoun.is_any("him|her|them|it") && meant.words.len() <= 3 {
        return add::into_label(page, said, meant).map(Ok);
    }
    let placed = rest.words.get(1).is_some_and(|word| word.is_any("after|before|to|under|into|at|as"));
    let short = (1..=6).contains(&meant.words.len())
        && !vocabulary::is(&meant.words[0].folded, "pronoun")
        && !vocabulary::is(&meant.words[0].folded, "article")
        && !find::content(meant.words).iter().any(|key| page.has(key));
    if !placed || !short {
        return None;
    }
    let place = rest.from(1);
    let place = place.raw().replace("to her ", "to the ").replace("to his ", "to the ").replace("to their ", "to the ");
    let request = format!("{} {place}", meant.raw());
    let words = super::super::words::words(&request);
    add::run(page, Phrase { request: &request, words: &words }, "add", None)
}

fn changed(page: &Page, asked: Asked<'_, '_>) -> Read {
    let rest = soft(asked.after("change"))?;
    if asked.after("add").is_some()
        || asked.after("remove").is_some() && removed(page, asked).is_some()
        || asked.after("replace").is_some()
        || take_off(asked.phrase).is_some()
        || lettered(page, asked).is_some()
        || items::moved(page, asked.phrase, asked.told).is_some()
        || items::swapped(page, asked.phrase, asked.told).is_some()
        || items::ticked(page, asked.phrase, asked.told).is_some()
    {
        return None;
    }
    let verb = ["set", "rename"].into_iter().find(|verb| asked.starts(verb)).unwrap_or("change");
    change::run(page, rest, verb, "to", asked.told)
}

/// `use 340 g flour and 12 g salt`, `use instead: …`, `take rye rather than wheat`.
fn used(page: &Page, asked: Asked<'_, '_>) -> Read {
    let announced = asked.phrase.strip("use").filter(|rest| rest.words.iter().any(|word| word.is(":")));
    if let Some(rest) = announced {
        let at = rest.words.iter().position(|word| word.is(":"))?;
        let what = rest.to(at);
        let what = what.strip_end("instead|now").unwrap_or(what);
        return Some(change::pair(page, what, rest.from(at + 1), "set", command::Which::Only, asked.told));
    }
    let rest = asked.phrase.strip("use|make it|make that|take|put")?;
    let told_apart = rest.find("rather than|instead of").and_then(|_| fact::contrast(page, rest).ok()).map(Ok);
    told_apart.or_else(|| counted_things(page, rest).filter(|_| asked.after("add").is_none()))
}

/// `make day 7 "Opera"`, `make it "plant tomatoes and beans"`.
fn made(page: &Page, asked: Asked<'_, '_>) -> Read {
    let rest = asked.after("make")?.unmarked();
    let [what @ .., new] = rest.words else { return None };
    // `make Tuesday Ana`
    if let [day, value @ ..] = rest.words
        && (1..=3).contains(&value.len())
        && !new.quoted
        && let labels =
            page.labels().iter().filter(|label| label.keys == [super::super::page::key(day.raw)]).collect::<Vec<_>>()
        && let [label] = labels.as_slice()
        && value.iter().all(|word| word.raw.starts_with(char::is_uppercase))
    {
        let new = rest.from(1).raw().to_owned();
        return Some(Ok(find::applied(&page.text, &vec![(label.value.clone(), new)])));
    }
    // `make the intervals 8 x 800 m`
    let value =
        rest.words.iter().position(|word| word.raw.starts_with(|c: char| c.is_ascii_digit())).filter(|at| *at > 0);
    if let Some(value) = value.filter(|_| !new.quoted && rest.words[0].is_any("the|his|her|our|my")) {
        let (what, new) = (rest.to(value), rest.from(value));
        let new = new.strip_end("this week|now|instead|from now on").unwrap_or(new);
        let known = find::content(what.words).iter().all(|key| page.has(key));
        return known.then(|| change::pair(page, what, new, "change", command::Which::Only, asked.told));
    }
    if !new.quoted || what.is_empty() {
        return None;
    }
    let what = Phrase { request: rest.request, words: what };
    let new_words = Phrase { request: rest.request, words: std::slice::from_ref(new) };
    match remove::is_pronoun(what) {
        true => overlapping(page, new.raw).map(Ok),
        false => Some(change::pair(page, what, new_words, "set", command::Which::Only, asked.told)),
    }
}

/// A command without what may end it and says no more.
pub(super) fn soft<'a, 'r>(phrase: Option<Phrase<'a, 'r>>) -> Option<Phrase<'a, 'r>> {
    let phrase = phrase?;
    let body = phrase.unmarked_end();
    let length = vocabulary::length_at_end(body.words, "soft");
    let free = phrase.words.iter().any(|word| word.is(":"));
    Some(if length > 0 && length < body.words.len() && !free {
        body.to(body.words.len() - length).unmarked_end()
    } else {
        phrase
    })
}

/// The text with `new` for the words of it that say part of the same: `make it "plant tomatoes and peppers"` of `May: plant tomatoes`.
pub(super) fn overlapping(page: &Page, new: &str) -> Option<String> {
    let keys = super::super::page::keys(new);
    let mut best: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
    for first in page.places_of(keys.first()?) {
        let start = page.words().partition_point(|word| word.place.start < first.place.start);
        let mut said = keys.iter();
        let count = page.words()[start..]
            .iter()
            .enumerate()
            .take_while(|(at, word)| {
                let joined = *at == 0
                    || page.text[page.words()[start + at - 1].place.end..word.place.start].trim_matches(' ').is_empty();
                joined && said.any(|key| *key == word.key)
            })
            .count();
        best.push((count, first.place.start..page.words()[start + count.max(1) - 1].place.end));
    }
    let most = best.iter().map(|(count, _)| *count).max().filter(|most| *most > 1)?;
    best.retain(|(count, _)| *count == most);
    let [(_, place)] = best.as_slice() else { return None };
    // What goes on after it is said otherwise, and not only with more words.
    if page.text[place.end..].starts_with(' ') {
        return None;
    }
    let changed = find::applied(&page.text, &vec![(place.clone(), new.trim_end_matches('.').to_owned())]);
    (changed != page.text).then_some(changed)
}

/// `turn autosave on`, `disable notifications`, where the text has it as a setting.
pub(super) fn switched(page: &Page, phrase: Phrase<'_, '_>) -> Option<String> {
    let phrase = phrase.unmarked();
    let turned = |end: &str| phrase.strip("turn|switch|set")?.strip_end(end);
    let (what, on) =
        phrase.strip("enable|activate|turn on|switch on").or_else(|| turned("on")).map(|what| (what, true)).or_else(
            || {
                let what = phrase.strip("disable|deactivate|turn off|switch off").or_else(|| turned("off"));
                what.map(|what| (what, false))
            },
        )?;
    set_switch(page, what, on)
}

/// `holiday mode is on now`, `she wants auto save switched off`.
pub(super) fn switched_as_said(page: &Page, phrase: Phrase<'_, '_>) -> Option<String> {
    let phrase = phrase.unmarked();
    let phrase = phrase.strip_end("now|again|from now on").unwrap_or(phrase);
    let (what, on) = phrase
        .strip_end("is on|is enabled|is active|should be on|switched on|turned on|enabled|to be on|is now on")
        .map(|what| (what, true))
        .or_else(|| {
            let off =
                "is off|is disabled|is inactive|should be off|switched off|turned off|disabled|to be off|is now off";
            phrase.strip_end(off).map(|what| (what, false))
        })?;
    let wants = what.words.iter().rposition(|word| word.is_any("wants|want|likes|prefers|wanted|has|have|had"));
    set_switch(page, what.from(wants.map_or(0, |at| at + 1)), on)
}

/// The text with the one setting that `what` names on or off, in the words it has for that.
pub(super) fn set_switch(page: &Page, what: Phrase<'_, '_>, on: bool) -> Option<String> {
    const PAIRS: &[[&str; 2]] =
        &[["on", "off"], ["true", "false"], ["yes", "no"], ["enabled", "disabled"], ["1", "0"], ["active", "inactive"]];
    let keys = find::content(what.words);
    let labels: Vec<_> = page
        .labels()
        .iter()
        .filter(|label| {
            let words: Vec<String> =
                label.keys.iter().flat_map(|key| key.split('_').map(super::super::page::key)).collect();
            !keys.is_empty() && keys.iter().all(|key| words.contains(key) || label.keys.contains(key))
        })
        .collect();
    let [label] = labels.as_slice() else { return None };
    let old = page.at(&label.value).to_lowercase();
    let pair = PAIRS.iter().find(|pair| pair.contains(&old.as_str()))?;
    let new = pair[usize::from(!on)];
    (new != old).then(|| find::applied(&page.text, &vec![(label.value.clone(), new.to_owned())]))
}

/// `340 g water and 12 g salt`: each for what the text has of it.
pub(super) fn counted_things(page: &Page, rest: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let parts = rest.unmarked().words.split(|word| word.is_any("and|,")).filter(|part| !part.is_empty());
    // What is no count of something in the text is read otherwise.
    let done = page.after_all(parts, |page, words| {
        let part = Phrase { request: rest.request, words };
        let value = |to: &usize| find::New::of(part.to(*to)).is_some_and(|new| new.is_value());
        let to = (1..words.len()).rev().find(value).ok_or(None)?;
        let described = find::wanted(part.from(to));
        if described.keys.is_empty() || !described.keys.iter().all(|key| page.has(key)) {
            return Err(None);
        }
        let new = find::New::of(part.to(to)).ok_or(None)?;
        find::set(page, &described, &new).map(|edits| find::applied(&page.text, &edits)).map_err(Some)
    });
    match done {
        Ok(new) => Some(Ok(new)),
        Err(refusal) => refusal.map(Err),
    }
}

/// `assign X as owner`, `assign it to X`.
pub(super) fn assign(page: &Page, rest: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let text = page.text.as_str();
    let rest = rest.find("instead of|rather than").filter(|at| *at > 0).map_or(rest, |at| rest.to(at));
    let rest = rest.unmarked();
    let rest = rest.strip_end("instead|now").unwrap_or(rest);
    if let Some(new) =
        rest.strip("it to|this to|the task to|the ticket to|this task to|the issue to").and_then(find::New::of)
    {
        for noun in ["assignee", "owner", "responsible", "assigned"] {
            let described = find::Wanted {
                keys: vec![super::super::page::key(noun)],
                said: noun.to_owned(),
                ..find::Wanted::default()
            };
            if let Ok(edits) = find::set(page, &described, &new) {
                return Some(Ok(find::applied(text, &edits)));
            }
        }
        let at = text.find("ssigned to ").map(|at| at + 11)?;
        let name: Vec<&str> = text[at..].split(' ').take_while(|word| word.starts_with(char::is_uppercase)).collect();
        let length = name.join(" ").trim_end_matches(['.', ',', ';']).len();
        return (length > 0).then(|| Ok(find::applied(text, &vec![(at..at + length, new.text.clone())])));
    }
    let at = rest.words.iter().position(|word| word.is("as"))?;
    let described = find::wanted(rest.from(at + 1));
    let new = find::New::of(rest.to(at))?;
    Some(find::set(page, &described, &new).map(|edits| find::applied(text, &edits)))
}

/// What a command asks of the words it names, wherever they stand.
pub(super) fn literally(page: &Page, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let text = page.text.as_str();
    let body = phrase.unmarked_end();
    let here = vocabulary::length_at_end(body.words, "from_here");
    let phrase = if here > 0 && here < body.words.len() && phrase.starts("prepend") {
        body.to(body.words.len() - here)
    } else {
        phrase
    };
    if is_choice(phrase) {
        return Some(Err(Refusal::Contradiction));
    }
    let commands = grammar::commands(phrase)?;
    Some(settle(text, &commands))
}

#[cfg(test)]
mod tests {
    use super::super::super::words::words;
    use super::*;

    #[test]
    fn every_rule_carries_out_its_example_and_leaves_its_counter_example_alone() {
        for rule in RULES {
            let [text, command, wanted] = rule.example;
            let read = words(command);
            let asked = Asked { phrase: Phrase { request: command, words: &read }, told: None };
            let made = (rule.run)(&Page::read(text), asked).and_then(Result::ok);
            assert_eq!(made.as_deref(), Some(wanted), "{}: {command}", rule.means);
            let [text, command] = rule.counter_example;
            let read = words(command);
            let asked = Asked { phrase: Phrase { request: command, words: &read }, told: None };
            let made = (rule.run)(&Page::read(text), asked).and_then(Result::ok);
            assert_eq!(made, None, "{}: {command}", rule.means);
        }
    }
}
