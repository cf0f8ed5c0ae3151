//! Reads what a request wants changed, and to what: `X to Y`, `X with Y`, `make it Y`.

use super::{
    command::{Command, Which},
    counting::{counted, part},
    description::is_description,
    insertion::mark_for,
    phrase::Phrase,
    removal, statement, value,
    words::Word,
};

/// `X to Y` after a verb that changes.
pub(super) fn change(phrase: Phrase<'_, '_>, joints: &str, verb: &str) -> Option<Vec<Command>> {
    let (phrase, which) = counted(phrase, if verb == "rename" { Which::Every } else { Which::Only });
    if phrase.unmarked().is_empty() {
        return Some(vec![Command::Vague]);
    }
    let mut out = Vec::new();
    for at in phrase.all(joints).take(MOST_READINGS) {
        let (left, right) = (phrase.to(at), phrase.from(at + 1));
        let right = right.strip("say|read|be|just say|instead say").unwrap_or(right);
        let left = left.find("from").map_or(left, |from| left.from(from + 1));
        if right.unmarked().is_empty() {
            continue;
        }
        let moved =
            verb == "move" && right.is_only("the|front|top|end|bottom|start|beginning|first|last|place|of|list|my|it");
        if moved || is_description(right) {
            return Some(vec![Command::Vague]);
        }
        if left.unmarked().is_empty() || is_whole(left) {
            let text = left.find("text|wording|content").is_some();
            let reading = whole(right, text || verb != "set" && verb != "move");
            if matches!(reading, Some(Command::Rewrite { .. })) {
                return reading.map(|reading| vec![reading]);
            }
            out.extend(reading);
            continue;
        }
        if let Some((part, which)) = part(left) {
            out.extend(right.free().map(|new| Command::ReplacePart { part, which, new }));
            continue;
        }
        if let (Some(old), Some(new)) = (left.operand(), right.operand()) {
            let literal = phrase.words[at].is_arrow();
            // A misspelt word is misspelt everywhere; `correct the time` is about no word.
            let misspelt =
                matches!(verb, "fix" | "correct") && which == Which::Only && left.unmarked().words.len() == 1;
            let which = if misspelt { Which::Every } else { which };
            out.push(match literal {
                true => Command::Replace { old: mark_for(old), new: mark_for(new), which },
                false => Command::Change { old: mark_for(old), new: mark_for(new), which },
            });
        }
    }
    match (out.is_empty(), verb) {
        (false, _) => Some(out),
        (true, "fix" | "correct") => {
            let rest = phrase.find(":|,|.").map(|at| phrase.from(at + 1));
            rest.and_then(statement::commands)
                .or_else(|| phrase.operand().map(|word| vec![Command::FixTypos { word: Some(word) }]))
        }
        (true, _) => {
            let rest = phrase.find(":").map(|at| (phrase.to(at), phrase.from(at + 1)));
            match rest {
                Some((left, right)) if is_whole(left) && !right.is_empty() => {
                    right.free().map(|new| vec![Command::Rewrite { new }])
                }
                Some((_, right)) => statement::commands(right).or(Some(vec![Command::Vague])),
                None => Some(vec![Command::Vague]),
            }
        }
    }
}

/// `X with Y` after a verb that replaces.
pub(super) fn replace(phrase: Phrase<'_, '_>, verb: &str) -> Option<Vec<Command>> {
    let (phrase, which) = counted(phrase, Which::Only);
    let joints: &str = "with|by|for|to|->|→|=>";
    let mut out = Vec::new();
    for at in phrase.all(joints).take(MOST_READINGS) {
        let (left, right) = (phrase.to(at), phrase.from(at + 1));
        if left.unmarked().is_empty() || right.unmarked().is_empty() {
            continue;
        }
        if is_description(right) {
            return Some(vec![Command::Vague]);
        }
        // `replace very with nothing`.
        if right.is_only("nothing|blank|space|a|an|empty|string") {
            return removal::commands(left);
        }
        if is_whole(left) {
            out.extend(right.free().map(|new| Command::Rewrite { new }));
            continue;
        }
        if let Some((part, which)) = part(left) {
            out.extend(right.free().map(|new| Command::ReplacePart { part, which, new }));
            continue;
        }
        let (Some(left), Some(right)) = (left.operand(), right.operand()) else { continue };
        let (old, new) = match verb == "substitute" && phrase.words[at].is("for") {
            true => (right, left),
            false => (left, right),
        };
        if verb == "swap" && phrase.words[at].is("with") {
            out.push(Command::Exchange { one: old.clone(), other: new.clone() });
        }
        out.push(Command::Change { old: mark_for(old), new: mark_for(new), which });
    }
    if matches!(verb, "swap" | "exchange" | "switch") && out.is_empty() {
        let at = phrase.find("and")?;
        let (one, other) = (phrase.to(at).operand()?, phrase.from(at + 1).operand()?);
        return Some(vec![Command::Exchange { one, other }]);
    }
    Some(if out.is_empty() { vec![Command::Vague] } else { out })
}

/// `make it 3pm`, `make it say …`, `make Tuesday Wednesday`.
pub(super) fn make(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    if let Some(rest) =
        phrase.strip("it say|it read|this say|this read|the text say|the thought say|that say|it just say")
    {
        return match is_description(rest) {
            true => Some(vec![Command::Vague]),
            false => rest.free().map(|new| vec![Command::Rewrite { new }]),
        };
    }
    if let Some(rest) = phrase.strip("it|that|this|the thought|the text") {
        let rest = rest.strip_end("instead|please|now").unwrap_or(rest);
        if let Some(commands) = statement::commands(rest) {
            return Some(commands);
        }
        let new = rest.operand()?;
        let wishes = "better|shorter|longer|nicer|clearer|simpler|more|less|concise|formal|informal|pop|good|sound|look|\
             easier|bold|funny|earlier|later|friendlier|a|an|so|the|as|not|private|public|brief|neat|cleaner|\
             readable|active|professional";
        if !new.quoted && !rest.words.is_empty() && !rest.words[0].is_any(wishes) && rest.words.len() > 1 {
            return Some(vec![Command::Settle { new }]);
        }
        let definite = value::only_values(&new.text).is_some()
            || new.text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
            || new.quoted;
        return Some(vec![if definite { Command::Settle { new } } else { Command::Vague }]);
    }
    // `make the bread rye bread`.
    let last = phrase.unmarked().words.last().filter(|last| !last.quoted)?;
    if let Some(at) =
        phrase.words.iter().position(|word| word.is(&last.folded)).filter(|at| *at + 2 < phrase.unmarked().words.len())
    {
        let (old, new) = (phrase.to(at + 1).operand()?, phrase.from(at + 1).operand()?);
        return Some(vec![Command::Replace { old, new, which: Which::Only }]);
    }
    // `make the time 3pm`: where the value starts, the noun has ended.
    let at = (1..phrase.words.len())
        .find(|&at| phrase.from(at).operand().is_some_and(|new| value::only_values(&new.text).is_some()));
    let at = at.or_else(|| phrase.words.iter().rposition(|word| word.quoted).filter(|at| *at > 0))?;
    let (old, new) = (phrase.to(at).operand()?, phrase.from(at).operand()?);
    Some(vec![Command::Change { old, new, which: Which::Only }])
}

/// New words for the whole text, or for the only value like them.
fn whole(new: Phrase<'_, '_>, may_rewrite: bool) -> Option<Command> {
    let announced = new.words.first().is_some_and(|word| word.is(":"));
    let new = new.strip_end("instead|now|please").unwrap_or(new);
    let operand = new.operand()?;
    if announced && may_rewrite {
        return new.free().map(|new| Command::Rewrite { new });
    }
    if operand.quoted
        && value::only_values(&operand.text).is_none()
        && operand.text.split_whitespace().count() > 1
        && may_rewrite
    {
        return Some(Command::Rewrite { new: operand });
    }
    if value::only_values(&operand.text).is_some() || operand.text.split_whitespace().count() < 3 {
        return Some(Command::Settle { new: operand });
    }
    let sentence = operand.text.starts_with(char::is_uppercase) && may_rewrite;
    sentence.then(|| new.free().map(|new| Command::Rewrite { new })).flatten()
}

/// Words that stand for the whole text.
const WHOLE: &str = "it|this|that|everything|all|the|whole|entire|text|thought|note|thing|wording|content|contents|memory|entry|\
     task|of|sentence|to|item|full|complete|current|message|with|existing";

pub(super) fn is_whole(phrase: Phrase<'_, '_>) -> bool {
    let naming = |word: &Word<'_>| {
        word.is_any("it|this|that|everything|all|text|thought|note|thing|wording|content|contents|memory|entry|task")
    };
    phrase.is_only(WHOLE) && phrase.words.iter().any(naming)
}

/// More splits than this nobody means.
pub(super) const MOST_READINGS: usize = 6;
