//! Changes what a text says of a noun: the `hunter2` of `the password is hunter2`, or the only name.

use std::ops::Range;

use super::{
    command::Operand,
    dictionary,
    locate::{Reach, locate},
    refusal::Refusal,
    replace::{put_one, without_article},
    sentence,
    small_words::{is_one_of, is_preposition},
    value,
};

/// Changes what the text says `old` is: the `hunter2` of `the password is hunter2`.
pub(super) fn change_predicate_of(text: &str, old: &str, new: &Operand) -> Result<Option<String>, Refusal> {
    let noun = without_article(old).unwrap_or(old);
    if without_article(&new.text).is_some() && !new.quoted {
        return Ok(None);
    }
    let places = locate(text, noun, Reach::Words).places;
    let [place] = places.as_slice() else { return Ok(None) };
    let Some((verb, start)) = [" is ", " are ", " was ", ": ", " = "]
        .into_iter()
        .find_map(|verb| text[place.end..].starts_with(verb).then(|| (verb, place.end + verb.len())))
    else {
        // `the hotel` of `Hotel Krone` means its name.
        let named = is_attribute(noun) || noun.len() < old.len();
        let told = named && !new.text.contains(char::is_whitespace);
        return Ok(told.then(|| beside(text, place, &new.text)).flatten());
    };
    let predicate = predicate_at(text, start);
    let last = noun.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    let attribute = is_one_of(ATTRIBUTES, &last);
    let words = predicate.split_whitespace().count();
    let circumstance = predicate.split_whitespace().next().is_some_and(is_preposition);
    // `the password` asks for its value; a bare `password` may be the word itself.
    let bare = noun.len() == old.len();
    if !attribute && (bare || circumstance || words > LONGEST_PREDICATE) {
        return Ok(None);
    }
    let asked = attribute && (!bare || verb == " = ");
    let fits = words > 0 && words <= LONGEST_PREDICATE && !circumstance && (asked || are_alike(predicate, &new.text));
    match fits {
        true => Ok(Some(put_one(text, start..start + predicate.len(), &new.text, false))),
        false => Err(Refusal::ambiguous(old)),
    }
}

/// Changes what a setting is set to: the `30` of `timeout=30`.
pub(super) fn change_setting(text: &str, old: &str, new: &str) -> Option<String> {
    let noun = without_article(old).unwrap_or(old);
    let set = |place: &Range<usize>| text[place.end..].starts_with('=') && !text[place.end..].starts_with("==");
    let places: Vec<Range<usize>> = locate(text, noun, Reach::Words).places.into_iter().filter(set).collect();
    let [place] = places.as_slice() else { return None };
    let start = place.end + 1;
    let length =
        text[start..].find(|c: char| c.is_whitespace() || ",;&|)\"'`".contains(c)).unwrap_or(text.len() - start);
    let plain = !new.is_empty() && !new.contains(char::is_whitespace) && length > 0;
    plain.then(|| put_one(text, start..start + length, new, false))
}

/// Changes the one word that says what the noun at `place` is: the `Kilo` of `room Kilo`, the `Raj` of `mentor: Raj`.
pub(super) fn beside(text: &str, place: &Range<usize>, new: &str) -> Option<String> {
    let joint = [" is ", " was ", ": ", " = ", " "].into_iter().find(|joint| text[place.end..].starts_with(joint))?;
    let start = place.end + joint.len();
    let word = text[start..].split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ')')).next()?;
    let word = word.trim_end_matches(['.', '!', '?', ':']);
    if value::only_values(word).is_some() != value::only_values(new).is_some() {
        return None;
    }
    let codes = [word, new].iter().all(|words| words.contains(|c: char| c.is_ascii_digit()));
    let fits = codes || are_alike(word, new) || joint == ": " && text[start + word.len()..].trim().is_empty();
    (fits && !word.is_empty()).then(|| put_one(text, start..start + word.len(), new, false))
}

/// Whether a noun always has a value of its own.
pub(super) fn is_attribute(noun: &str) -> bool {
    is_one_of(ATTRIBUTES, &noun.split_whitespace().next_back().unwrap_or_default().to_lowercase())
}

/// More words than this say more than what something is.
const LONGEST_PREDICATE: usize = 4;

/// What stands at `start` up to the next mark.
fn predicate_at(text: &str, start: usize) -> &str {
    let rest = &text[start..];
    let mark = rest.find([',', ';', '(', '\n', '|']).unwrap_or(rest.len());
    let dash = [" - ", " – ", " — ", " / "].iter().filter_map(|dash| rest.find(dash)).min().unwrap_or(rest.len());
    let length = mark.min(dash);
    let sentence =
        sentence::sentences(text).into_iter().find(|sentence| sentence.start <= start && start < sentence.end);
    let end = (start + length).min(sentence.map_or(text.len(), |sentence| sentence.end));
    text[start..end].trim_end().trim_end_matches(['.', '!', '?'])
}

/// Whether two values look alike: both codes, or both names.
fn are_alike(one: &str, other: &str) -> bool {
    let code = |words: &str| words.contains(|c: char| c.is_ascii_digit() || c == '_');
    let name = |words: &str| words.starts_with(char::is_uppercase);
    code(one) && code(other) || name(one) && name(other) && !code(one) && !code(other)
}

/// Nouns that always have a value of their own.
const ATTRIBUTES: &str = "password code pin key address colour color owner name venue place location room title subject topic \
     author contact version id number host port username login city country language size theme provider \
     supplier vendor user pass passcode gate seat platform terminal table floor plan allergy birthday nickname favorite";

/// Changes the only name in the text.
pub(super) fn change_name(text: &str, new: &Operand) -> Result<String, Refusal> {
    let mut names: Vec<Range<usize>> = Vec::new();
    let starts: Vec<usize> = sentence::sentences(text).iter().map(|sentence| sentence.start).collect();
    let mut at = 0;
    for word in text.split_inclusive(|c: char| !c.is_alphabetic()) {
        let letters = word.trim_end_matches(|c: char| !c.is_alphabetic());
        let start = at;
        at += word.len();
        let capital =
            letters.chars().next().is_some_and(char::is_uppercase) && letters.chars().skip(1).any(char::is_lowercase);
        // Every sentence begins with a capital; a word that is none but a name is one there too.
        let opening = starts.contains(&start) && dictionary::is_form(&letters.to_lowercase());
        if capital && !opening && value::only_values(letters).is_none() {
            names.push(start..start + letters.len());
        }
    }
    match names.as_slice() {
        [name] => Ok(put_one(text, name.clone(), &new.text, true)),
        [] => Err(Refusal::not_in_text("name")),
        _ => Err(Refusal::ambiguous("name")),
    }
}
