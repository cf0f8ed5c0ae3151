//! Spots days, weekdays, months, years and feasts, in digits or in words of several languages.
//!
//! - A date names a day, a month, a quarter, a season with its year, a year or a feast. Spans counted from now
//!   (`tomorrow`, `last week`) name none without the time of capture and are left out.
//! - The preposition is not part of the date, `next` and `last` are.
//! - A month that is also a name or a verb (`May`, `March`) needs a number, a preposition or a verb to be a month.

use std::ops::Range;

use super::cues::Cue;
use super::date_words::{DateWord, is_numeric_date, is_quarter, is_year};
use super::tokens::{Gap, Shape, Token};

/// The dates among `tokens`, as ranges of tokens in order.
pub(super) fn dates(text: &str, tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let reader = Reader { text, tokens };
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match reader.date_at(at) {
            Some(end) => {
                found.push(at..end);
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

struct Reader<'r, 't> {
    text: &'t str,
    tokens: &'r [Token<'t>],
}

impl Reader<'_, '_> {
    /// The end of the date that begins at token `at`.
    fn date_at(&self, at: usize) -> Option<usize> {
        let token = self.tokens.get(at)?;
        let folded = token.folded.as_str();
        if is_numeric_date(token.text) {
            return Some(at + 1);
        }
        if token.shape == Shape::Number {
            return self.number_date(at).or_else(|| self.lone_year(at));
        }
        if token.shape == Shape::Mixed {
            return is_quarter(folded).then(|| self.with_year(at + 1));
        }
        if DateWord::Qualifier.has(folded) {
            return self.qualified(at);
        }
        if let Some(end) = self.feast(at) {
            return Some(end);
        }
        if DateWord::Season.has(folded) {
            let end = self.with_year(at + 1);
            return (end > at + 1).then_some(end);
        }
        if DateWord::Weekday.has(folded) {
            return Some(self.after_weekday(at));
        }
        if DateWord::ShortWeekday.has(folded) && (self.has_date_cue(at) || self.is_number(at + 1, 1, 31)) {
            return Some(at + 1);
        }
        self.month_date(at)
    }

    /// `5/6/24`, `5 May 2024`, `3rd of October`, `5 de mayo`.
    fn number_date(&self, at: usize) -> Option<usize> {
        let word = &self.tokens[at].text;
        if let Some(end) = self.slashed(at) {
            return Some(end);
        }
        let day = word.trim_end_matches(|char: char| char.is_alphabetic() || matches!(char, 'º' | 'ª'));
        if !matches!(day.parse::<u8>(), Ok(1..=31)) || day.len() > 2 {
            return None;
        }
        let mut next = at + 1;
        if self.tokens.get(next).is_some_and(|token| matches!(token.folded.as_str(), "of" | "de" | "di")) {
            next += 1;
        }
        let month = self.tokens.get(next)?;
        let tight = match self.between(next) {
            "" | " " | ". " | "." => true,
            between => between.chars().all(char::is_whitespace) && !between.contains('\n'),
        };
        let is_named = DateWord::Month.has(&month.folded) || DateWord::ShortMonth.has(&month.folded);
        (tight && is_named).then(|| self.with_year(next + 1))
    }

    /// `03/04/2025`, whose slashes part tokens.
    fn slashed(&self, at: usize) -> Option<usize> {
        let last = self.tokens.get(at + 2)?;
        if self.between(at + 1) != "/" || self.between(at + 2) != "/" {
            return None;
        }
        let numbers = [self.tokens[at].text, self.tokens[at + 1].text, last.text].map(|text| text.parse::<u16>().ok());
        match numbers {
            [Some(1..=31), Some(1..=31), Some(0..=99 | 1900..=2100)]
            | [Some(1900..=2100), Some(1..=12), Some(1..=31)] => Some(at + 3),
            _ => None,
        }
    }

    /// `May 5`, `July 4, 1976`, `March 2024`, `in March`.
    fn month_date(&self, at: usize) -> Option<usize> {
        let token = &self.tokens[at];
        let folded = token.folded.as_str();
        let short = DateWord::ShortMonth.has(folded);
        if !DateWord::Month.has(folded) && !short {
            return None;
        }
        if self.is_number(at + 1, 1, 31) {
            return Some(self.with_year(at + 2));
        }
        let end = self.with_year(at + 1);
        if end > at + 1 {
            return Some(end);
        }
        if short {
            return None;
        }
        if !DateWord::DoubtfulMonth.has(folded) {
            return Some(at + 1);
        }
        let cue = self.has_date_cue(at);
        let subject = token.shape == Shape::Capital
            && !token.possessive
            && !self.left(at).is_some_and(|left| Cue::BeforePerson.has(left))
            && self
                .tokens
                .get(at + 1)
                .is_none_or(|next| matches!(next.folded.as_str(), "was" | "is" | "will" | "and" | "to" | "or"));
        // `Call me in May`, `March was cold`, but not `I may be late` or `April was late`.
        (cue || subject && folded != "may" && (token.opens_sentence() || self.joins_month(at))).then_some(at + 1)
    }

    /// Whether another month stands on the other side of an `and`.
    fn joins_month(&self, at: usize) -> bool {
        let near =
            |place: Option<usize>| place.and_then(|place| self.tokens.get(place)).map_or("", |token| &token.folded);
        let month = |place: Option<usize>| DateWord::Month.has(near(place));
        near(at.checked_sub(1)) == "and"
            && (month(at.checked_sub(2)) || (2..=6).any(|back| month(at.checked_sub(back))))
            || near(Some(at + 1)) == "and" && month(Some(at + 2))
    }

    /// `next Friday`, `last March`, `early 2024`.
    fn qualified(&self, at: usize) -> Option<usize> {
        let next = self.tokens.get(at + 1)?;
        if !matches!(next.gap, Gap::Space | Gap::Tight) && self.between(at + 1) != "-" {
            return None;
        }
        let folded = next.folded.as_str();
        if DateWord::Weekday.has(folded) || DateWord::ShortWeekday.has(folded) {
            return Some(self.after_weekday(at + 1));
        }
        if DateWord::Month.has(folded) {
            return Some(self.with_year(at + 2));
        }
        if let Some(end) = self.feast(at + 1) {
            return Some(end);
        }
        is_year(next.text).then_some(at + 2)
    }

    /// A weekday takes the day after it along: `Friday, 5 May 2024`.
    fn after_weekday(&self, at: usize) -> usize {
        let tied = self.tokens.get(at + 1).is_some_and(|next| matches!(next.gap, Gap::Space | Gap::Comma));
        if !tied {
            return at + 1;
        }
        let next = &self.tokens[at + 1];
        let date = match next.shape {
            Shape::Number => self.number_date(at + 1),
            _ if DateWord::Month.has(&next.folded) && self.is_number(at + 2, 1, 31) => self.month_date(at + 1),
            _ => None,
        };
        date.unwrap_or(at + 1)
    }

    fn feast(&self, at: usize) -> Option<usize> {
        let token = &self.tokens[at];
        let next = self.tokens.get(at + 1).map(|next| next.folded.as_str());
        if self.left(at).is_some_and(|left| DateWord::Greeting.has(left)) {
            return None;
        }
        let mut end = match token.folded.as_str() {
            feast if DateWord::Feast.has(feast) && token.shape != Shape::Caps => at + 1,
            "new" if next == Some("year") && self.tokens[at + 1].possessive => at + 2,
            "black" if next == Some("friday") => at + 2,
            "valentine" if token.possessive => at + 1,
            _ => return None,
        };
        if let Some(after) = self.tokens.get(end)
            && matches!(after.folded.as_str(), "day" | "eve" | "sunday" | "monday" | "friday" | "morning")
            && (after.gap == Gap::Space || token.possessive)
        {
            end += 1;
        }
        // `Noel is late`: the feast is called by a given name.
        if end == at + 1 && token.folded == "noel" && token.text.is_ascii() {
            return None;
        }
        Some(self.with_year(end))
    }

    /// A year is a date where something says so.
    fn lone_year(&self, at: usize) -> Option<usize> {
        let said = self.left(at).is_some_and(|left| DateWord::BeforeYear.has(left));
        (said && is_year(self.tokens[at].text)).then_some(at + 1)
    }

    /// `end`, or past the year that stands there.
    fn with_year(&self, end: usize) -> usize {
        let Some(year) = self.tokens.get(end) else { return end };
        let tied = matches!(year.gap, Gap::Space | Gap::Comma) || matches!(self.between(end), "'" | " '" | "/" | "-");
        if tied && is_year(year.text) {
            return end + 1;
        }
        // `5 de mayo de 2024`
        let of = matches!(year.folded.as_str(), "de" | "of" | "del");
        if of && self.tokens.get(end + 1).is_some_and(|year| is_year(year.text)) { end + 2 } else { end }
    }

    fn is_number(&self, at: usize, least: u16, most: u16) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            let digits = token.text.trim_end_matches(|char: char| char.is_ascii_lowercase());
            let in_range =
                |day: &str| day.len() <= 2 && day.parse::<u16>().is_ok_and(|number| (least..=most).contains(&number));
            // `July 16-18`
            let is_day =
                digits.split_once('-').map_or_else(|| in_range(digits), |(from, to)| in_range(from) && in_range(to));
            token.gap == Gap::Space && token.shape == Shape::Number && is_day
        })
    }

    fn has_date_cue(&self, at: usize) -> bool {
        self.left(at).is_some_and(|left| DateWord::BeforeDate.has(left))
    }

    fn left(&self, at: usize) -> Option<&str> {
        if self.tokens[at].opens_sentence() {
            return None;
        }
        Some(self.tokens[at.checked_sub(1)?].folded.as_str())
    }

    fn between(&self, at: usize) -> &str {
        match (self.tokens.get(at.wrapping_sub(1)), self.tokens.get(at)) {
            (Some(left), Some(right)) => &self.text[left.span.end..right.span.start],
            _ => "\n",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let tokens = tokens(text);
        let spans = dates(text, &tokens);
        spans.into_iter().map(|span| &text[tokens[span.start].span.start..tokens[span.end - 1].span.end]).collect()
    }

    #[test]
    fn days_in_digits_are_dates_and_versions_are_not() {
        assert_eq!(found("2026-03-01, 03.04.2025, 5/6/2024, 2.3.1, 10-12"), ["2026-03-01", "03.04.2025", "5/6/2024"]);
    }

    #[test]
    fn days_in_words_take_their_year_along() {
        assert_eq!(
            found("5 May, July 4, 1976 and the 3rd of October 2020"),
            ["5 May", "July 4, 1976", "3rd of October 2020"]
        );
        assert_eq!(found("am 5. Mai, le 12 juin, el 5 de mayo de 2024"), ["5. Mai", "12 juin", "5 de mayo de 2024"]);
        assert_eq!(
            found("next Friday, on Christmas day 2024, Q3 2025"),
            ["next Friday", "Christmas day 2024", "Q3 2025"]
        );
    }

    #[test]
    fn months_that_are_words_need_a_reason() {
        assert_eq!(found("we may march with April"), Vec::<&str>::new());
        assert_eq!(found("in March, since may"), ["March", "may"]);
    }

    #[test]
    fn spans_counted_from_now_are_no_dates() {
        assert_eq!(found("tomorrow, last week, today, next month"), Vec::<&str>::new());
    }

    #[test]
    fn years_need_a_preposition() {
        assert_eq!(found("in 2019 we lived in room 2019"), ["2019"]);
    }
}
