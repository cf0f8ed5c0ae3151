//! Reads commands that begin with a verb: `change … to …`, `add …`, `remove …`.

use super::{
    changing,
    command::{Command, Operand, Place, What, Which},
    counting::part,
    description::is_description,
    insertion, lettering, misspelling,
    phrase::Phrase,
    removal, statement, value,
};

/// The readings of a phrase as a change of text; `None` if it is no such thing.
pub(super) fn commands(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    if let Some(command) = sed(phrase.raw()) {
        return Some(vec![command]);
    }
    if phrase.words.len() > MOST_WORDS {
        return verb(phrase);
    }
    lettering::letters(phrase)
        .or_else(|| lettering::space(phrase))
        .or_else(|| misspelling::spelling(phrase))
        .or_else(|| insertion::place_first(phrase))
        .or_else(|| verb(phrase))
        .or_else(|| statement::commands(phrase))
}

/// A longer request can only be one that brings its own text.
const MOST_WORDS: usize = 200;

/// Verbs that begin a change of text, and the forms they take after `would you mind`.
pub(super) const VERBS: &str = "change|replace|swap|substitute|exchange|update|switch|modify|alter|edit|turn|convert|adjust|amend|revise|set|\
     fix|correct|rename|move|shift|push|reschedule|postpone|make|put|add|append|include|insert|tack|attach|mention|\
     prepend|prefix|remove|delete|drop|cut|strip|erase|omit|take|eliminate|exclude|reword|rephrase|rewrite|\
     capitalize|capitalise|uppercase|lowercase|trim|use|start|begin|end";

fn verb(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    let rest = phrase.from(1);
    match phrase.head() {
        "change" | "update" | "switch" | "modify" | "alter" | "edit" | "turn" | "convert" | "adjust" | "amend"
        | "revise" | "set" | "correct" | "fix" | "move" | "shift" | "push" | "reschedule" | "postpone" | "bump"
        | "transfer" => changing::change(rest, "to|into|->|→|=>|as|with", phrase.head()),
        "rename" => changing::change(rest, "to|as|into|->|→|=>", "rename"),
        "replace" | "swap" | "exchange" | "substitute" => {
            changing::replace(phrase.strip("swap out").unwrap_or(rest), phrase.head())
        }
        "make" => changing::make(rest),
        "raise" | "lower" | "increase" | "decrease" | "reduce" | "extend" => {
            let at = rest.find("to").filter(|at| *at > 0)?;
            let (old, new) = (rest.to(at).operand()?, rest.from(at + 1).operand()?);
            value::only_values(&new.text)?;
            Some(vec![Command::Change { old, new, which: Which::Only }])
        }
        "use" | "say" | "write" | "put" if statement::commands(phrase).is_some() => statement::commands(phrase),
        "append" | "prepend" | "add" | "insert" | "include" if is_description(rest) => Some(vec![Command::Vague]),
        "add" | "append" | "include" | "insert" | "attach" | "put" | "tack" | "mention" | "write" => {
            insertion::insert(rest, phrase.head())
        }
        "prepend" => insertion::prepend(rest),
        "start" | "begin" | "prefix" => insertion::start(rest),
        "end" | "finish" | "close" => {
            let new = rest.strip("it with|this with|with")?.operand()?;
            Some(vec![Command::Insert { new: insertion::mark_for(new), place: Place::End }])
        }
        "remove" | "delete" | "drop" | "cut" | "strip" | "erase" | "omit" | "eliminate" | "exclude" => {
            removal::commands(rest)
        }
        "take" | "cross" | "leave" => {
            if let Some(words) = rest.strip_end("off the list|off my list|off the shopping list|off this list") {
                return words.operand().map(|words| vec![Command::Remove(What::Item(words))]);
            }
            if let Some(words) = rest.strip_end("off").filter(|_| phrase.head() != "leave") {
                return words.operand().map(|words| vec![Command::Remove(What::Item(words))]);
            }
            let named = phrase.strip("take out|leave out|take away").or_else(|| rest.strip_end("out"))?;
            removal::commands(named)
        }
        "get" => removal::commands(phrase.strip("get rid of")?),
        "overwrite" => {
            let new = rest.strip("it with|this with|everything with|the text with|with")?;
            new.free().map(|new| vec![Command::Rewrite { new }])
        }
        "reword" | "rephrase" | "rewrite" => reword(rest),
        "improve" | "shorten" | "expand" | "summarize" | "summarise" | "translate" | "simplify" | "clarify"
        | "polish" | "elaborate" | "format" => Some(vec![Command::Vague]),
        _ => None,
    }
}

/// `reword to X`, `rephrase X as Y`.
fn reword(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    if phrase.unmarked().is_empty() {
        return Some(vec![Command::Vague]);
    }
    let mut out = Vec::new();
    for at in phrase.all("to|as|:|so it says|so that it says|so it reads|into").take(changing::MOST_READINGS) {
        let left = phrase.to(at);
        let length = if phrase.words[at].is("so") { phrase.from(at).find("says|reads")? + 1 } else { 1 };
        let right = phrase.from(at + length);
        let said = right.strip("say|read|be|follows|just say").unwrap_or(right);
        if is_description(right) || is_description(said) {
            return Some(vec![Command::Vague]);
        }
        let right = said;
        if right.unmarked().is_empty() {
            continue;
        }
        if left.unmarked().is_empty() || changing::is_whole(left) {
            // The rest is the new text, whatever other joints it has.
            return right.free().map(|new| vec![Command::Rewrite { new }]);
        }
        if let Some((part, which)) = part(left) {
            return right.free().map(|new| vec![Command::ReplacePart { part, which, new }]);
        }
        if let (Some(old), Some(new)) = (left.operand(), right.operand()) {
            out.push(Command::Replace { old, new, which: Which::Only });
        }
    }
    Some(if out.is_empty() { vec![Command::Vague] } else { out })
}

/// `s/old/new/` with the flags `g` and `i`.
fn sed(request: &str) -> Option<Command> {
    let mut rest = request.trim().strip_prefix('s')?.chars();
    let mark = rest.next().filter(|mark| matches!(mark, '/' | '|' | '#' | ','))?;
    let mut parts = vec![String::new()];
    let mut escaped = false;
    for c in rest {
        match c {
            '\\' if !escaped => escaped = true,
            _ if c == mark && !escaped => parts.push(String::new()),
            _ => {
                let part = parts.last_mut()?;
                if escaped && c != mark {
                    part.push('\\');
                }
                part.push(c);
                escaped = false;
            }
        }
    }
    let [old, new, flags @ ..] = parts.as_slice() else { return None };
    let flags = flags.join("");
    if old.is_empty() || !flags.chars().all(|c| matches!(c, 'g' | 'i' | 'I')) {
        return None;
    }
    let which = if flags.contains('g') { Which::Every } else { Which::Nth(1) };
    let (old, new) = (quoted(old), quoted(new));
    Some(match new.text.is_empty() {
        true => Command::Remove(What::Words(old, which)),
        false => Command::Replace { old, new, which },
    })
}

fn quoted(text: &str) -> Operand {
    Operand { text: text.to_owned(), quoted: true }
}
