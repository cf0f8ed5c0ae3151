//! A stretch of a request, and the operands that can be read from it.

use super::{command::Operand, words::Word};

/// Some consecutive words of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phrase<'a, 'r> {
    pub(super) request: &'r str,
    pub(super) words: &'a [Word<'r>],
}

impl<'a, 'r> Phrase<'a, 'r> {
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn from(&self, start: usize) -> Self {
        Self { request: self.request, words: &self.words[start.min(self.words.len())..] }
    }

    pub(super) fn to(&self, end: usize) -> Self {
        Self { request: self.request, words: &self.words[..end.min(self.words.len())] }
    }

    /// The first word, folded; empty if it is a quotation.
    pub(super) fn head(&self) -> &'a str {
        self.words.first().map_or("", |word| &word.folded)
    }

    /// Whether the phrase begins with the words of `start`.
    pub(super) fn starts(&self, start: &str) -> bool {
        let mut words = self.words.iter();
        // Long requests are searched for hundreds of phrases: most differ in their first letter.
        if words.as_slice().first().is_none_or(|word| word.folded.as_bytes().first() != start.as_bytes().first()) {
            return false;
        }
        start.split(' ').all(|wanted| words.next().is_some_and(|word| word.is(wanted)))
    }

    /// The rest after the first of `starts` that the phrase begins with.
    pub(super) fn strip(&self, starts: &str) -> Option<Self> {
        let start = starts.split('|').find(|start| self.starts(start))?;
        Some(self.from(start.split(' ').count()))
    }

    /// The rest before the first of `ends` that the phrase ends with, final marks aside.
    pub(super) fn strip_end(&self, ends: &str) -> Option<Self> {
        let body = self.unmarked();
        ends.split('|').find_map(|end| {
            let count = end.split(' ').count();
            let at = body.words.len().checked_sub(count)?;
            body.from(at).starts(end).then(|| body.to(at))
        })
    }

    /// The phrase without marks at its ends.
    pub(super) fn unmarked(&self) -> Self {
        let start = self.words.iter().take_while(|word| word.is_mark()).count();
        let rest = self.from(start);
        let end = rest.words.iter().rposition(|word| !word.is_mark()).map_or(0, |at| at + 1);
        rest.to(end)
    }

    /// The phrase without marks at its start.
    pub(super) fn unmarked_start(&self) -> Self {
        self.from(self.words.iter().take_while(|word| word.is_mark() || word.is_any("-|–|—")).count())
    }

    /// The phrase without marks at its end.
    pub(super) fn unmarked_end(&self) -> Self {
        self.to(self.words.iter().rposition(|word| !word.is_mark()).map_or(0, |at| at + 1))
    }

    /// Whether it begins with how often something is: `once a day`.
    pub(super) fn is_count(&self) -> bool {
        self.strip("once").is_some_and(|after| after.strip("a|an|daily|weekly|monthly|per|every|each|more").is_some())
    }

    /// The phrase without a colon or a comma at its start.
    pub(super) fn unmarked_start_of_colon(&self) -> Self {
        self.from(self.words.iter().take_while(|word| word.is_any(":|,")).count())
    }

    /// Where one of `words` stands, from left to right.
    pub(super) fn all(self, words: &str) -> impl Iterator<Item = usize> {
        (0..self.words.len()).filter(move |&at| words.split('|').any(|word| self.from(at).starts(word)))
    }

    /// Where the first of `words` stands.
    pub(super) fn find(&self, words: &str) -> Option<usize> {
        (0..self.words.len()).find(|&at| words.split('|').any(|word| self.from(at).starts(word)))
    }

    /// Whether every word is one of `words` or a mark.
    pub(super) fn is_only(&self, words: &str) -> bool {
        self.words.iter().all(|word| word.is_mark() || word.is_any(words))
    }

    /// The request from the first word to the last, as written; words that were put together from several places have no such
    /// stretch.
    pub(super) fn raw(&self) -> &'r str {
        match (self.words.first(), self.words.last()) {
            (Some(first), Some(last)) => self.request.get(first.start..last.end).unwrap_or_default(),
            _ => "",
        }
    }

    /// The words named here, without what only announces them: `the word "very"` is `very`.
    pub(super) fn operand(&self) -> Option<Operand> {
        let mut rest = self.unmarked();
        // A bracket that was opened elsewhere is closed elsewhere.
        let opened = rest.words.iter().any(|word| word.is("("));
        if !opened && rest.words.len() > 1 && rest.words.last().is_some_and(|word| word.is(")")) {
            rest = rest.to(rest.words.len() - 1);
        }
        while let Some(inner) = rest.strip(ANNOUNCED)
            && !inner.unmarked().is_empty()
        {
            rest = inner.unmarked();
        }
        match rest.words {
            [] => None,
            [only] if only.quoted => Some(Operand { text: only.raw.to_owned(), quoted: true }),
            [quoted, after @ ..] if quoted.quoted && after.iter().all(|word| word.is_any("part|bit|there|here")) => {
                Some(Operand { text: quoted.raw.to_owned(), quoted: true })
            }
            // `the duplicate "the"`, `the paragraph "Bring cake"`.
            [named @ .., quoted]
                if quoted.quoted && named.len() <= 3 && named.iter().all(|word| word.is_any(NAMING)) =>
            {
                Some(Operand { text: quoted.raw.to_owned(), quoted: true })
            }
            words if words.iter().any(|word| word.quoted) => None,
            _ => Some(Operand { text: rest.raw().to_owned(), quoted: false }),
        }
    }

    /// The rest of the request as new words, its own marks included.
    pub(super) fn free(&self) -> Option<Operand> {
        let colon = self.words.iter().take_while(|word| word.is(":")).count();
        // `append, …` has a comma of its own; in `append , …` it is the first of the new words.
        let attached = |word: &Word<'_>| word.is(",") && !self.request[..word.start].ends_with(char::is_whitespace);
        let start = if colon > 0 { colon } else { self.words.iter().take_while(|word| attached(word)).count() };
        let rest = self.from(start);
        if let [only, marks @ ..] = rest.words
            && only.quoted
        {
            return marks.iter().all(Word::is_mark).then(|| Operand { text: only.raw.to_owned(), quoted: true });
        }
        (!rest.is_empty()).then(|| Operand { text: rest.raw().to_owned(), quoted: false })
    }
}

/// Words that name a quotation and say no more than it does.
const NAMING: &str = "the|a|an|word|words|line|sentence|paragraph|phrase|text|title|heading|bit|part|item|bullet|step|entry|tag|label|prefix|\
     suffix|comment|new|extra|letter|character";

/// What only announces the words that follow.
const ANNOUNCED: &str = "the part that says|the part where it says|the bit that says|where it says|the words|the word|the phrase|\
     the term|the string|the expression|the name of|the bit|the part|the letters|the letter|the spelling of|\
     the text|word|phrase|words|the sentence|the line|the symbol|the character|the emoji|the misspelled|\
     the misspelled word|the typo|misspelled|typo|spelling of|spelling|the number|the date|the time|the title|\
     the prefix|the suffix|the hashtag|the tag|the price|the name|the day";
