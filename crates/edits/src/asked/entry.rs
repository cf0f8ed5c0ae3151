//! Which entries of a text words name: items of a list, lines of a record or a table, sentences.
//!
//! An entry is named by its number (`step 2`, `the last bullet`, `the first two`) or by words of it that no other entry has.

use std::ops::Range;

use super::super::{
    command::Which,
    counting,
    find::{content, is_empty_word},
    page::{Page, Row, RowKind, key, keys as keys_of, uncounted},
    phrase::Phrase,
    refusal::Refusal,
    sentence, vocabulary,
    words::Word,
};

/// Entries that stand one after the other.
pub(super) struct Entries {
    /// What each of them says, without the number before it.
    pub(super) bodies: Vec<Range<usize>>,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A list, by its place among the rows of the page.
    Row(usize),
    Lines,
    Sentences,
}

/// Some entries of a list.
pub(super) struct Named {
    pub(super) entries: Entries,
    pub(super) which: Vec<usize>,
}

impl Entries {
    /// The text with the words of `new` as an entry before the one at `at`.
    pub(super) fn with(&self, page: &Page, new: &str, at: usize) -> String {
        match self.kind {
            Kind::Row(row) => page.rows()[row].with(&page.text, &[new], at),
            Kind::Lines | Kind::Sentences => {
                let joint = if self.kind == Kind::Lines { "\n" } else { " " };
                match self.bodies.get(at) {
                    Some(next) => format!("{}{new}{joint}{}", &page.text[..next.start], &page.text[next.start..]),
                    None => {
                        let end = self.bodies.last().map_or(page.text.len(), |last| last.end);
                        format!("{}{joint}{new}{}", &page.text[..end], &page.text[end..])
                    }
                }
            }
        }
    }

    /// The text without the entries at `gone`.
    pub(super) fn without(&self, page: &Page, gone: &[usize]) -> Option<String> {
        if gone.len() >= self.bodies.len() {
            return None;
        }
        match self.kind {
            Kind::Row(row) => page.rows()[row].without(&page.text, gone),
            Kind::Lines | Kind::Sentences => {
                let mut text = page.text.clone();
                for &at in gone.iter().rev() {
                    text = match self.kind {
                        Kind::Lines => super::super::page::without_line(&text, &self.bodies[at]),
                        _ => sentence::without(&text, &self.bodies[at]),
                    };
                }
                Some(text)
            }
        }
    }
}

/// The one entry that `named` names; `None` if nothing is named so.
pub(super) fn one(page: &Page, named: Phrase<'_, '_>) -> Option<Result<(Entries, usize), Refusal>> {
    match some(page, named)? {
        Ok(Named { entries, which }) => match which.as_slice() {
            [only] => Some(Ok((entries, *only))),
            _ => None,
        },
        Err(refusal) => Some(Err(refusal)),
    }
}

/// The entries that `named` names, in the order of the text.
pub(super) fn some(page: &Page, named: Phrase<'_, '_>) -> Option<Result<Named, Refusal>> {
    let named = described(page, named);
    if named.is_empty() {
        return None;
    }
    let sentences = named.words.iter().any(is_sentence);
    let named = match named.words {
        [first, about, ..]
            if is_sentence(first)
                && named.words.len() > 2
                && about.is_any("about|with|on|regarding|mentioning|that|where|saying") =>
        {
            named.from(2)
        }
        _ => named,
    };
    let groups: Vec<Entries> = if sentences { vec![self::sentences(page)] } else { lists(page) };
    if let Some(numbers) = numbers(named) {
        // What is counted are the lines of a list, if there are any.
        let lines = |entries: &Entries| is_lines(page, entries);
        let any = groups.iter().any(lines);
        let mut fitting: Vec<Entries> = groups.into_iter().filter(|entries| !any || lines(entries)).collect();
        let entries = fitting.pop().filter(|_| fitting.is_empty())?;
        let which = numbers.indices(entries.bodies.len())?;
        return Some(Ok(Named { entries, which }));
    }
    let mut found: Vec<Named> = groups.into_iter().filter_map(|entries| said(page, entries, named)).collect();
    match found.len() {
        0 => None,
        1 => found.pop().map(Ok),
        _ => Some(Err(Refusal::ambiguous(named.raw()))),
    }
}

/// The entries of one list that a statement tells of: those that say something of it which no other entry says.
pub(super) fn told(page: &Page, told: Phrase<'_, '_>) -> Option<Named> {
    // `items 1 and 4 have been taken care of`
    let verb = told.words.iter().position(super::cut::is_finite).unwrap_or(told.words.len());
    if numbers(told.to(verb)).is_some() {
        return some(page, told.to(verb))?.ok();
    }
    let quoted = told.words.iter().filter(|word| word.quoted).flat_map(|word| keys_of(word.raw));
    let keys: Vec<String> = content(told.words).into_iter().chain(quoted).filter(|key| page.has(key)).collect();
    let mut groups = lists(page);
    groups.push(sentences(page));
    groups.into_iter().find_map(|entries| {
        let says = |at: usize, key: &String| page.says(&entries.bodies[at], key);
        let count = entries.bodies.len();
        let alone =
            |at: usize, key: &String| says(at, key) && (0..count).filter(|other| says(*other, key)).count() == 1;
        let which: Vec<usize> = (0..count).filter(|at| keys.iter().any(|key| alone(*at, key))).collect();
        (!which.is_empty() && which.len() < count).then_some(Named { entries, which })
    })
}

/// The line of a text that has most of the words of a statement.
pub(super) fn told_line(page: &Page, told: Phrase<'_, '_>) -> Option<(Entries, usize)> {
    let entries = lists(page).into_iter().find(|entries| is_lines(page, entries))?;
    let keys = content(told.words);
    let count = |at: usize| {
        let words = page.words_in(&entries.bodies[at]);
        keys.iter().filter(|key| words.iter().any(|word| word.key == **key)).count()
    };
    let most = (0..entries.bodies.len()).map(count).max().filter(|most| *most > 0)?;
    let mut best = (0..entries.bodies.len()).filter(|at| count(*at) == most);
    let at = best.next().filter(|_| best.next().is_none())?;
    Some((entries, at))
}

/// The list of a text, if it has only one.
pub(super) fn only_list(page: &Page) -> Option<Entries> {
    let mut lists = lists(page);
    let lines = lists.iter().position(|entries| is_lines(page, entries));
    match (lines, lists.len()) {
        (Some(at), _) if lists.iter().filter(|entries| is_lines(page, entries)).count() == 1 => {
            Some(lists.swap_remove(at))
        }
        (None, 1) => lists.pop(),
        _ => None,
    }
}

/// Which of `entries` the words name, if it is one.
pub(super) fn within(page: &Page, entries: &Entries, named: Phrase<'_, '_>) -> Option<usize> {
    let named = described(page, named);
    if let Some(numbers) = numbers(named) {
        return numbers.indices(entries.bodies.len()).filter(|at| at.len() == 1).map(|at| at[0]);
    }
    match matching(page, entries, named).as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// The entries that each part of `named` names: `the ferry and the maps`.
fn said(page: &Page, entries: Entries, named: Phrase<'_, '_>) -> Option<Named> {
    if let [only] = matching(page, &entries, named).as_slice() {
        return Some(Named { which: vec![*only], entries });
    }
    let parts: Vec<&[Word<'_>]> =
        named.words.split(|word| word.is_any("and|,|&")).filter(|part| !part.is_empty()).collect();
    if parts.len() < 2 {
        return None;
    }
    let parts = parts.into_iter().map(|words| Phrase { request: named.request, words });
    let mut which: Vec<usize> = parts.map(|part| within(page, &entries, part)).collect::<Option<_>>()?;
    which.sort_unstable();
    which.dedup();
    Some(Named { entries, which })
}

/// Which entries have all words of `named`.
fn matching(page: &Page, entries: &Entries, named: Phrase<'_, '_>) -> Vec<usize> {
    let quoted = named.words.iter().filter(|word| word.quoted).flat_map(|word| keys_of(word.raw));
    let is_noun = |word: &&Word<'_>| !word.quoted && !is_sentence(word);
    let words: Vec<Word<'_>> = named.words.iter().filter(is_noun).cloned().collect();
    let mut keys: Vec<String> = content(&words).into_iter().chain(quoted).collect();
    // `the methods chapter`
    if keys.len() > 1
        && keys.last().is_some_and(|last| !page.has(last))
        && keys[..keys.len() - 1].iter().all(|key| page.has(key))
    {
        keys.pop();
    }
    if keys.is_empty() {
        return Vec::new();
    }
    let says = |at: &usize| {
        let words = page.words_in(&entries.bodies[*at]);
        keys.iter().all(|key| words.iter().any(|word| word.key == *key))
    };
    let mut found: Vec<usize> = (0..entries.bodies.len()).filter(says).collect();
    // `the Postgres migration` of `Migrate to Postgres 16`
    if found.is_empty() {
        let kin = |one: &str, other: &str| {
            let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
            one == other || same >= 4 && one.len().max(other.len()) - same <= 3
        };
        let akin = |at: &usize| {
            let words = page.words_in(&entries.bodies[*at]);
            keys.iter().all(|key| words.iter().any(|word| kin(&word.key, key)))
        };
        found = (0..entries.bodies.len()).filter(akin).collect();
    }
    // The very entry, or the one that begins so, before others that only mention it.
    let exact = |at: &usize| {
        let words = page.words_in(&entries.bodies[*at]);
        words.iter().all(|word| keys.contains(&word.key) || is_empty_word(&word.key))
    };
    let begins = |at: &usize| page.words_in(&entries.bodies[*at]).first().is_some_and(|word| keys.contains(&word.key));
    for better in [&exact as &dyn Fn(&usize) -> bool, &begins] {
        if found.len() > 1 && entries.kind != Kind::Sentences && found.iter().filter(|at| better(at)).count() == 1 {
            return found.into_iter().filter(better).collect();
        }
    }
    found
}

/// What names an entry, without the nouns that only say that it is one: `the line about Anna`, `the budget item`.
fn described<'a, 'r>(page: &Page, named: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
    let mut rest = named.unmarked();
    rest = rest
        .strip_end("on the list|in the list|of the list|from the list|off the list|in the table|from the table")
        .unwrap_or(rest);
    rest = rest.strip("the|that|this|my|our|their|his|her").unwrap_or(rest);
    let is_kind = |word: &Word<'_>| {
        let noun = word.folded.trim_end_matches('s');
        vocabulary::is(noun, "part.item")
            || vocabulary::is(noun, "part.line")
            || vocabulary::is(noun, "part.any")
            || word.is("one")
    };
    if rest.words.len() > 2 && is_kind(&rest.words[0]) {
        let about = vocabulary::length(&rest.words[1..], "about")
            .max(usize::from(rest.words[1].is_any("at|called|named|for|with|about|on|from|in")));
        if about > 0 && about + 1 < rest.words.len() {
            return rest.from(about + 1);
        }
    }
    match rest.words {
        [.., last] if rest.words.len() > 1 && is_kind(last) && !page.has(&key(last.raw)) => match numbers(rest) {
            Some(_) => rest,
            None => rest.to(rest.words.len() - 1),
        },
        _ => rest,
    }
}

fn is_sentence(word: &Word<'_>) -> bool {
    !word.quoted && word.is_any("sentence|sentences|paragraph")
}

/// Which of several some numbers mean.
pub(super) enum Numbers {
    These(Vec<Which>),
    First(usize),
    Last(usize),
}

impl Numbers {
    pub(super) fn indices(&self, count: usize) -> Option<Vec<usize>> {
        let within = |at: usize| (at < count).then_some(at);
        match self {
            Self::These(which) => {
                let index = |which: &Which| match which {
                    Which::Nth(number) => number.checked_sub(1).and_then(within),
                    Which::Last => count.checked_sub(1),
                    Which::Only | Which::Every => None,
                };
                let mut out: Vec<usize> = which.iter().map(index).collect::<Option<_>>()?;
                out.sort_unstable();
                out.dedup();
                Some(out)
            }
            Self::First(number) => (*number <= count).then(|| (0..*number).collect()),
            Self::Last(number) => (*number <= count).then(|| (count - number..count).collect()),
        }
    }
}

/// `step 2`, `#3`, `the second exercise`, `number 4`, `the last one`, `items 2 and 4`, `the first two`.
pub(super) fn numbers(phrase: Phrase<'_, '_>) -> Option<Numbers> {
    let rest = phrase.unmarked();
    let rest = rest.strip("the|that|my|our").unwrap_or(rest);
    let digits = |word: &Word<'_>| {
        let bare = word.raw.trim_start_matches('#');
        let all = !bare.is_empty() && bare.len() <= 3 && bare.bytes().all(|byte| byte.is_ascii_digit());
        all.then(|| bare.parse().ok()).flatten().filter(|_| !word.quoted)
    };
    let small = |word: &Word<'_>| !word.quoted && word.raw.chars().all(char::is_lowercase);
    if let [count, number, rest @ ..] = rest.words
        && rest.len() <= 1
        && rest.iter().all(small)
        && let Some(number) = counting::number(number.raw).or_else(|| digits(number))
    {
        match counting::ordinal(&count.folded) {
            Some(Which::Nth(1)) => return Some(Numbers::First(number)),
            Some(Which::Last) => return Some(Numbers::Last(number)),
            _ => {}
        }
    }
    let is_noun = |noun: &Word<'_>| {
        let bare = noun.folded.trim_end_matches('s');
        counting::part_noun(bare).is_some()
            || vocabulary::is(bare, "part.item")
            || noun.is_any("number|numbers|no|nr|task|exercise|option|row|line|sentence|question|rule|place|position")
            || bare.len() + 1 == noun.folded.len() && noun.raw.chars().skip(1).all(char::is_lowercase)
    };
    match rest.words {
        [one] => digits(one)
            .map(Which::Nth)
            .or_else(|| counting::ordinal(&one.folded))
            .map(|which| Numbers::These(vec![which])),
        [count, noun] if small(noun) && counting::ordinal(&count.folded).is_some() => {
            counting::ordinal(&count.folded).map(|which| Numbers::These(vec![which]))
        }
        [noun, many @ ..] if is_noun(noun) => {
            let all = many.iter().filter(|word| !word.is_any("and|,|&")).map(digits).collect::<Option<Vec<usize>>>()?;
            (!all.is_empty()).then(|| Numbers::These(all.into_iter().map(Which::Nth).collect()))
        }
        [one, joint, other] if joint.is_any("and|&") => {
            let both = [digits(one)?, digits(other)?];
            Some(Numbers::These(both.into_iter().map(Which::Nth).collect()))
        }
        _ => None,
    }
}

fn is_lines(page: &Page, entries: &Entries) -> bool {
    match entries.kind {
        Kind::Row(row) => page.rows()[row].is_lines(),
        Kind::Lines => true,
        Kind::Sentences => false,
    }
}

fn sentences(page: &Page) -> Entries {
    Entries { bodies: page.sentences().to_vec(), kind: Kind::Sentences }
}

/// The lists of a text; where no line has a bullet, its lines.
fn lists(page: &Page) -> Vec<Entries> {
    let mut out: Vec<Entries> = page
        .rows()
        .iter()
        .enumerate()
        .filter(|(_, row)| row.items.len() > 1)
        .map(|(at, row)| Entries { bodies: bodies(page, row), kind: Kind::Row(at) })
        .collect();
    if !page.rows().iter().any(Row::is_lines) {
        let lines: Vec<Range<usize>> =
            sentence::lines(&page.text).into_iter().filter(|line| !page.at(line).trim().is_empty()).collect();
        let ruled = lines.iter().position(|line| is_rule(page.at(line)));
        // A table has a head, a list a line that announces it.
        let head = match (ruled, lines.first()) {
            (Some(rule), _) => rule + 1,
            (None, Some(first)) => {
                let first = page.at(first);
                let others = lines.iter().skip(1).filter(|line| page.at(line).contains(": ")).count();
                usize::from(first.ends_with(':') || !first.contains(": ") && others + 1 == lines.len())
            }
            _ => 0,
        };
        if lines.len() > head + 1 {
            out.push(Entries { bodies: lines[head..].to_vec(), kind: Kind::Lines });
        }
    }
    out
}

/// Whether a line of a table only parts its head from its rows.
fn is_rule(line: &str) -> bool {
    line.contains("--") && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '+'))
}

/// The items of a list without the numbers that stay where they are, and with the boxes that go with them.
fn bodies(page: &Page, row: &Row) -> Vec<Range<usize>> {
    let body = |at: usize| {
        let item = &row.items[at];
        if let RowKind::Lines(lines) = &row.kind {
            let lead = &page.text[lines[at].start..item.start];
            return lead.find('[').map_or(item.start, |open| lines[at].start + open)..item.end;
        }
        uncounted(page.at(item)).map_or(item.start, |body| item.end - body.len())..item.end
    };
    (0..row.items.len()).map(body).collect()
}
