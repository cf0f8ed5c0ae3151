//! Decides what the clauses of a request come to together.

use std::collections::HashSet;

use model::Status;

use super::{
    Change, changing,
    clause::{self, Clause, Unit},
    grammar,
    lexicon::Class,
    list,
    phrase::Phrase,
    reading::{Goal, Reading, Subject, read},
    refusal::Refusal,
    removal,
    words::{self, Word},
};

/// Reads what is said about the state of one thought.
pub(super) struct Reader<'a> {
    subject: Subject<'a>,
    /// The words by which the thought may be named.
    names: HashSet<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, status: Status) -> Self {
        // What a text is shows at its start.
        let is_list = list::takes_items(&text[..text.floor_char_boundary(LONGEST_OPENING)]);
        Self {
            subject: Subject { text, status, is_list, asked: super::deed::asked_of(text) },
            names: clause::text_words(text),
        }
    }

    /// The change of state that `request` asks for.
    pub(super) fn decide(&self, request: &str) -> Result<Change, Refusal> {
        if request.len() > LONGEST_REQUEST {
            return Err(Refusal::Unclear);
        }
        let words = words::words(request);
        let phrase = Phrase { request, words: &words };
        if spells_out_words(phrase) || Self::corrects_form(request) || self.takes_out_words(phrase) {
            return Err(Refusal::Unclear);
        }
        let clauses = clause::clauses(request, &self.names, self.subject.is_list);
        if is_about_an_item(&clauses, self.subject.is_list) {
            return Err(Refusal::Unclear);
        }
        let readings: Vec<Reading> = clauses.iter().map(|clause| read(clause, &self.subject)).collect();
        combine(&clauses, &readings).map(Change::from)
    }

    /// Whether a word of the text is said to need another form: `expires should be expired`.
    fn corrects_form(request: &str) -> bool {
        let words: Vec<&str> = request.split_whitespace().collect();
        let [wrong, "should", "be" | "say" | "read", right] = words.as_slice() else { return false };
        let same = wrong.bytes().zip(right.bytes()).take_while(|(one, other)| one.eq_ignore_ascii_case(other)).count();
        same >= 4
    }

    /// Whether words are to be taken out of the text: `delete very from this note`, `remove also`.
    fn takes_out_words(&self, request: Phrase<'_, '_>) -> bool {
        let asked = super::asked::ready(request);
        let Some(named) = asked.strip("remove|delete|drop|erase|cut|strip|omit|take out|get rid of") else {
            return false;
        };
        if let Some(words) = named.strip_end(removal::FROM_HERE) {
            return !words.unmarked().is_empty() && !changing::is_whole(words.unmarked());
        }
        // A word that says nothing of the thought, but stands in it.
        let [word] = named.unmarked().words else { return false };
        word.is_any("also|just|very|really|actually|honestly|simply|maybe|perhaps|again|too|still|already|so|even")
            && self.names.contains(&clause::stem(&word.folded))
    }

    /// Whether `words` ask for a change of state and for nothing else.
    pub(super) fn is_wish(&self, words: &str) -> bool {
        self.decide(words).is_ok()
    }

    /// Whether `words` command a change of state or tell of one in a sentence, rather than only naming a state.
    pub(super) fn is_command(&self, words: &str) -> bool {
        let said = |reading: &Reading| {
            matches!(reading, Reading::Wish { command: true, .. } | Reading::Wish { sentence: true, .. })
        };
        self.readings(words).iter().any(said)
    }

    /// Whether the text has one of `words`, small ones aside.
    pub(super) fn knows(&self, words: &[Word<'_>]) -> bool {
        words.iter().any(|word| word.raw.chars().count() > 2 && self.names.contains(&clause::stem(&word.folded)))
    }

    fn readings(&self, words: &str) -> Vec<Reading> {
        if words.len() > LONGEST_REQUEST {
            return Vec::new();
        }
        clause::clauses(words, &self.names, self.subject.is_list)
            .iter()
            .map(|clause| read(clause, &self.subject))
            .collect()
    }
}

/// Whether a thing of the thought is named and then taken off the list: `got the butter, remove it from the list`.
fn is_about_an_item(clauses: &[Clause], is_list: bool) -> bool {
    let lists = |clause: &Clause| {
        let named = |unit: &Unit| unit.word == "list" || unit.class == Some(Class::Filler) && unit.ends_list();
        (is_list || clause.units.iter().any(named))
            && clause.units.first().is_some_and(|unit| unit.class == Some(Class::Verb(Status::Archived)))
    };
    let names = |clause: &Clause| clause.units.iter().any(|unit| unit.class.is_none() && unit.in_text);
    // `she has no dog, remove that`: what is denied may be what is to be taken out.
    let denies = |clause: &Clause| {
        names(clause) && clause.units.iter().any(|unit| matches!(unit.class, Some(Class::Not | Class::No)))
    };
    let takes_out = |clause: &Clause| {
        let [verb, rest @ ..] = clause.units.as_slice() else { return false };
        matches!(verb.word.as_str(), "remove" | "delete" | "drop" | "erase")
            && rest.iter().any(|unit| matches!(unit.word.as_str(), "it" | "that"))
    };
    clauses.iter().any(lists) && clauses.iter().any(|clause| names(clause) && !lists(clause))
        || clauses.iter().any(denies) && clauses.iter().any(takes_out)
}

/// How much of a text tells whether it is a list.
const LONGEST_OPENING: usize = 4_096;

/// Nobody needs more words to say what becomes of a thought.
const LONGEST_REQUEST: usize = 2_000;

/// Whether a request says by its form that it is about words: `close -> closed`, `s/open/shut/`, `remove "!!"`.
fn spells_out_words(Phrase { request, words }: Phrase<'_, '_>) -> bool {
    let arrow =
        ["->", "→", "=>"].iter().any(|arrow| request.contains(arrow)) && !request.to_lowercase().contains("status");
    // `remove !` names the mark, `remove this !` only ends with it.
    let start = words.iter().take_while(|word| word.is("please")).count();
    let named = match &words[start..] {
        [verb, mark, ..] => verb.is_any(grammar::VERBS) && mark.is_mark() && mark.start > verb.end,
        _ => false,
    };
    let marks = |word: &Word<'_>| word.quoted && !word.raw.contains(char::is_alphanumeric);
    arrow || request.trim_start().starts_with("s/") || named || words.iter().any(marks)
}

fn combine(clauses: &[Clause], readings: &[Reading]) -> Result<Goal, Refusal> {
    let refusals = readings.iter().filter_map(|reading| match reading {
        Reading::Refused(refusal) => Some(refusal),
        _ => None,
    });
    // A question or a change of text says more about the whole request than what else is wrong with it.
    let weight = |refusal: &&Refusal| match refusal {
        Refusal::Question => 3,
        Refusal::Vague => 2,
        _ => 1,
    };
    if let Some(refusal) = refusals.max_by_key(weight) {
        return Err(refusal.clone());
    }
    let denied = readings.contains(&Reading::Denied);
    let wish = match wish(readings)? {
        None if denied && readings.contains(&Reading::Believed) => Some((Goal::To(Status::Open), false)),
        Some((goal, _)) if denied && !matches!(goal, Goal::To(Status::Open) | Goal::Undo) => {
            return Err(Refusal::Contradiction);
        }
        wish => wish,
    };
    let Some((goal, command)) = wish else {
        return Err(without_wish(readings));
    };
    if is_taken_back(readings) {
        return Err(Refusal::Contradiction);
    }
    let unexplained = readings.iter().zip(clauses).any(|(reading, clause)| match reading {
        Reading::Unknown => !command || !is_reason(clause) || !clauses.iter().any(puts_away),
        Reading::Background { .. } if clause.after == Some(Class::But) => true,
        Reading::Background { state } => !command && state.is_some_and(|state| Goal::To(state) != goal),
        Reading::Promise => !command,
        _ => false,
    });
    if unexplained {
        return Err(Refusal::Unclear);
    }
    Ok(goal)
}

/// Whether a clause of unknown words can only be the reason for a command beside it: `no space left, archive it`.
fn is_reason(clause: &Clause) -> bool {
    let harmless = |unit: &Unit| {
        let class = matches!(
            unit.class,
            None | Some(
                Class::It
                    | Class::They
                    | Class::We
                    | Class::Be
                    | Class::Have
                    | Class::Did
                    | Class::Filler
                    | Class::Aside
                    | Class::Past
                    | Class::Now
                    | Class::Not
            )
        );
        class && !unit.quoted && !unit.in_text && !word_is_command(&unit.word)
    };
    !clause.asks && clause.after != Some(Class::But) && clause.units.len() > 1 && clause.units.iter().all(harmless)
}

fn word_is_command(word: &str) -> bool {
    grammar::VERBS.split('|').any(|verb| verb == word)
}

/// Whether a clause puts the thought as a whole away, which `remove it` may not.
fn puts_away(clause: &Clause) -> bool {
    let named = clause.units.iter().any(|unit| matches!(unit.word.as_str(), "archive" | "dismiss" | "close" | "mark"));
    let whole = clause.units.iter().any(|unit| matches!(unit.class, Some(Class::It | Class::Thing)));
    named && (whole || clause.units.len() == 1)
}

/// The one wish of a request and whether it is a command.
fn wish(readings: &[Reading]) -> Result<Option<(Goal, bool)>, Refusal> {
    let wishes = |commands: bool| {
        readings.iter().filter_map(move |reading| match reading {
            Reading::Wish { goal, command, sentence } if *command == commands => Some((*goal, *sentence)),
            _ => None,
        })
    };
    let command = wishes(true).next().map(|(goal, _)| goal);
    let statement = wishes(false).next().map(|(goal, _)| goal);
    let Some(goal) = command.or(statement) else {
        return Ok(None);
    };
    let agrees = |(other, sentence): (Goal, bool)| {
        // `archive it, I already did it`: what is done may well be put away.
        let reason = sentence && command == Some(Goal::To(Status::Archived)) && other == Goal::To(Status::Completed);
        other == goal || reason
    };
    let forbidden = readings.contains(&Reading::Prohibited(Some(goal)));
    if forbidden || !wishes(true).all(|(other, _)| other == goal) || !wishes(false).all(agrees) {
        return Err(Refusal::Contradiction);
    }
    Ok(Some((goal, command.is_some())))
}

fn without_wish(readings: &[Reading]) -> Refusal {
    let forbids = |reading: &Reading| matches!(reading, Reading::Prohibited(_) | Reading::Retracted);
    if readings.contains(&Reading::Promise) {
        return Refusal::Later;
    }
    match readings.iter().any(forbids) && !readings.contains(&Reading::Unknown) {
        true => Refusal::Prohibition,
        false => Refusal::Unclear,
    }
}

/// Whether a wish is followed by a `no`, a `wait` or a `keep it`.
fn is_taken_back(readings: &[Reading]) -> bool {
    let wished = readings.iter().position(|reading| matches!(reading, Reading::Wish { .. })).unwrap_or(0);
    readings[wished..]
        .iter()
        .any(|reading| matches!(reading, Reading::Retracted | Reading::No | Reading::Prohibited(None)))
}
