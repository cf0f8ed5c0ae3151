//! Puts words into a text, and takes words out, so that it reads on: spaces, capitals, marks and markers of lists.

use std::ops::Range;

use super::Hunk;
use crate::{
    find::is_empty_word,
    locate::capitalized,
    page::{self, Page},
    replace::with_capital_days,
    sentence,
};

/// The text after all changes, which are in order and do not overlap; `None` if it is not certain how words are joined.
pub(super) fn applied(text: &str, request: &str, hunks: &[Hunk]) -> Option<String> {
    let mut out = text.to_owned();
    // From the end, so that the places before stay where they are.
    for hunk in hunks.iter().rev() {
        let new = hunk.new.as_ref().map(|new| New { request, place: new.clone(), words: &request[new.clone()] });
        out = match new {
            None => without(&out, &hunk.place),
            Some(new) if hunk.place.is_empty() => inserted(&out, hunk.place.start, &new)?,
            Some(new) => replaced(&out, &hunk.place, &new),
        };
    }
    Some(out)
}

/// Words of the request.
struct New<'r> {
    request: &'r str,
    place: Range<usize>,
    words: &'r str,
}

impl New<'_> {
    /// As they stand within a sentence.
    fn lowered(&self) -> String {
        let first = self.words.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        // The capital is owed to the start of a sentence, unless it is that of a name.
        let owed = opens(self.request, self.place.start) && first != "I" && is_empty_word(&first.to_lowercase());
        match first.chars().next() {
            Some(letter) if owed => format!("{}{}", letter.to_lowercase(), &self.words[letter.len_utf8()..]),
            _ => self.words.to_owned(),
        }
    }

    /// The words with what stands before them in the request, if they go on there as they do after `before`.
    fn going_on(&self, before: &str) -> Option<&str> {
        let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().filter(|word| !word.is_empty())?;
        let asked = &self.request[..self.place.start];
        let said = asked.trim_end_matches(|c: char| !c.is_alphanumeric());
        let same = said.len() >= last.len()
            && said.is_char_boundary(said.len() - last.len())
            && said[said.len() - last.len()..].eq_ignore_ascii_case(last);
        (same && asked.len() - said.len() <= 2).then(|| &self.request[said.len()..self.place.end])
    }

    /// As they open a sentence.
    fn raised(&self) -> String {
        capitalized(self.words)
    }
}

const ENDS: [char; 4] = ['.', '!', '?', '…'];

/// Whether a sentence or a line begins at `at`.
fn opens(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '"', '“', '(', '*', '-', '•']);
    before.is_empty() || before.ends_with('\n') || before.ends_with(ENDS)
}

fn replaced(text: &str, place: &Range<usize>, new: &New<'_>) -> String {
    let old = &text[place.clone()];
    let words = match opens(text, place.start) {
        true if old.starts_with(char::is_uppercase) => new.raised(),
        true => new.words.to_owned(),
        false => new.lowered(),
    };
    format!("{}{words}{}", &text[..place.start], &text[place.end..])
}

fn without(text: &str, place: &Range<usize>) -> String {
    // Lines go with their markers.
    let lines: Vec<Range<usize>> = sentence::lines(text);
    let gone = lines.iter().filter(|line| place.start < line.end && line.start < place.end);
    let gone: Vec<&Range<usize>> = gone.collect();
    if let ([first, ..], Some(last)) = (gone.as_slice(), gone.last())
        && lines.len() > 1
        && place.end == last.end
        && place.start <= page::marker(&text[(*first).clone()]).map_or(first.start, |body| first.end - body.len())
    {
        return gone.iter().rev().fold(text.to_owned(), |text, line| page::without_line(&text, line));
    }
    let (mut before, mut after) = (&text[..place.start], text[place.end..].to_owned());
    let spaced = before.is_empty() || before.ends_with(char::is_whitespace) || before.ends_with('(');
    if spaced || after.trim_start_matches(' ').starts_with([',', '.', ';', ':', '!', '?', ')']) {
        after = after.trim_start_matches(' ').to_owned();
    }
    if after.is_empty() || after.starts_with(['.', ',', ';', '!', '?', ')', '\n', '\'', '’']) {
        before = before.trim_end_matches(' ');
    }
    let gone = &text[place.clone()];
    if opens(text, place.start) && gone.starts_with(char::is_uppercase) && !gone.ends_with(':') {
        after = capitalized(&after);
    }
    format!("{before}{after}")
}

/// `text` with new words after the word that ends at `at`.
fn inserted(text: &str, at: usize, new: &New<'_>) -> Option<String> {
    let (before, after) = text.split_at(at);
    if let Some(words) = new.going_on(before) {
        return Some(format!("{before}{}{after}", with_capital_days(words)));
    }
    let leads_on = LEADS.contains(&new.words.split(' ').next().unwrap_or_default());
    // Another item of a list, with its bullet, number or comma.
    let page = Page::read(text);
    let rows = page.rows().iter().filter_map(|row| Some((row, row.items.iter().position(|item| item.end == at)?)));
    if let Some((row, item)) = rows.min_by_key(|(row, _)| row.range().len()).filter(|_| !leads_on) {
        let raised = page.at(&row.items[item]).starts_with(char::is_uppercase) && row.is_lines();
        let words = if raised { new.raised() } else { new.lowered() };
        return Some(row.with(text, &[&words], item + 1));
    }
    if before.ends_with(ENDS) {
        let mark = if new.words.ends_with(ENDS) { "" } else { "." };
        return Some(format!("{before} {}{mark}{after}", new.raised()));
    }
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_labelled = line.split_once(": ").is_some_and(|(label, _)| label.len() <= LABEL_BYTES);
    let ends = after.is_empty() || after.starts_with('\n');
    (ends && is_labelled && text.contains('\n') && !leads_on).then(|| format!("{before}\n{}{after}", new.raised()))
}

/// Words that go on with a sentence, and begin neither another nor an item.
const LEADS: &[&str] =
    &["and", "or", "but", "with", "without", "for", "in", "at", "on", "to", "from", "by", "of", "until", "since"];

/// A longer beginning of a line is no label.
const LABEL_BYTES: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;

    /// `old` of a text goes, and `new` of a request comes instead; either may be empty, with what it follows before a `|`.
    fn made(text: &str, request: &str, old: &str, new: &str) -> String {
        let place = match old.strip_suffix('|') {
            Some(before) => {
                let end = text.find(before).expect("it is said") + before.len();
                end..end
            }
            None => {
                let start = text.find(old).expect("it is said");
                start..start + old.len()
            }
        };
        let new = (!new.is_empty()).then(|| {
            let start = request.find(new).expect("it is asked");
            start..start + new.len()
        });
        applied(text, request, &[Hunk { place, new }]).expect("it is certain how they are joined")
    }

    #[test]
    fn words_take_the_place_of_words() {
        let request = "The codes go to my iPhone now.";
        assert_eq!(made("2FA goes to the old Nokia.", request, "the old Nokia", "my iPhone"), "2FA goes to my iPhone.");
        let request = "A heat pump heats the house now.";
        assert_eq!(made("We have oil heating.", request, "oil heating", "A heat pump"), "We have a heat pump.");
        let request = "Jo takes it from Vikram.";
        assert_eq!(made("Owner: Vikram", request, "Vikram", "Jo"), "Owner: Jo");
    }

    #[test]
    fn what_goes_leaves_no_gap() {
        assert_eq!(made("Bring tea, milk, and bread.", "no milk", "milk,", ""), "Bring tea, and bread.");
        assert_eq!(
            made("Ana sings. She is tall. Ben is not.", "drop it", "She is tall.", ""),
            "Ana sings. Ben is not."
        );
        assert_eq!(made("Today we met. It rained.", "drop it", "Today we", ""), "Met. It rained.");
        assert_eq!(made("1. tea\n2. milk\n3. bread", "no milk", "milk", ""), "1. tea\n2. bread");
        assert_eq!(made("1. tea\n2. milk\n3. rice\n4. bread", "no", "milk\n3. rice", ""), "1. tea\n2. bread");
    }

    #[test]
    fn what_comes_is_joined_as_its_neighbours_are() {
        let add = "Please add oats and Ana";
        assert_eq!(made("- tea\n- milk", add, "milk|", "oats"), "- tea\n- milk\n- oats");
        assert_eq!(made("1. tea\n2. milk", add, "tea|", "oats"), "1. tea\n2. oats\n3. milk");
        assert_eq!(made("Buy: tea, milk.", add, "milk|", "oats"), "Buy: tea, milk, oats.");
        assert_eq!(made("He eats nuts, kiwi and figs.", add, "figs|", "oats"), "He eats nuts, kiwi, figs and oats.");
        assert_eq!(made("Ben sings.", "She dances", ".|", "She dances"), "Ben sings. She dances.");
        assert_eq!(
            made("Trainer: Elodie Marchand.", "It is Marchand-Roux", "Marchand|", "Roux"),
            "Trainer: Elodie Marchand-Roux."
        );
    }
}
