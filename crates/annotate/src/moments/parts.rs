//! Parts of months and the days about a day: `end of May`, `mid-April`, `the second Sunday of June`, `around 21 October`.

use jiff::ToSpan;
use jiff::civil::Date;

use super::{Days, Read, Reader, day, month, weekday};

/// How many days `around` a day reaches either way.
const AROUND: i32 = 3;

/// From which day of a month to before which; `None` for its end.
type Part = (i8, Option<i8>);

const BEGINNING: Part = (1, Some(11));
const MIDDLE: Part = (11, Some(21));
const END: Part = (21, None);
const FIRST_HALF: Part = (1, Some(16));
const SECOND_HALF: Part = (16, None);

impl Reader<'_> {
    /// Days less than a month and more than one.
    pub(super) fn part(&self, at: usize) -> Option<Read> {
        self.part_of_month(at)
            .or_else(|| self.weekday_of_month(at))
            .or_else(|| self.around(at))
            .or_else(|| self.days(at))
    }

    fn part_of_month(&self, at: usize) -> Option<Read> {
        let words = (self.word(at), self.word(at + 1), self.word(at + 2));
        let (part, led) = match words {
            ("first", "half", "of") => (FIRST_HALF, 3),
            ("second", "half", "of") => (SECOND_HALF, 3),
            ("beginning" | "start", "of", _) => (BEGINNING, 2),
            ("middle", "of", _) => (MIDDLE, 2),
            ("end", "of", _) => (END, 2),
            ("early" | "anfang" | "debut", ..) => (BEGINNING, 1),
            ("mid" | "mitte" | "mi", ..) => (MIDDLE, 1),
            ("late" | "ende" | "fin", ..) => (END, 1),
            _ => (MIDDLE, 0),
        };
        // `mid-April` is one word.
        let named = match (led, words.0.split_once('-')) {
            (0, Some(("mid" | "mi", name))) => name,
            (0, _) => return None,
            _ => self.word(at + led),
        };
        let month = month(named)?;
        self.in_years(at, led.max(1) + usize::from(led > 0), |year| {
            let start = Date::new(year, month, part.0).ok()?;
            let next = Date::new(year, month, 1).ok()?.checked_add(1.month()).ok()?;
            let end = part.1.and_then(|day| Date::new(year, month, day).ok());
            Some(Days { start, end: end.unwrap_or(next) })
        })
    }

    /// `the second Sunday of June`.
    fn weekday_of_month(&self, at: usize) -> Option<Read> {
        let nth = match self.word(at) {
            "first" => 1,
            "second" => 2,
            "third" => 3,
            "fourth" => 4,
            "last" => -1,
            _ => return None,
        };
        let day = weekday(self.word(at + 1))?;
        let month = matches!(self.word(at + 2), "of" | "in").then(|| month(self.word(at + 3)))??;
        self.in_years(at, 4, |year| Days::of(Date::new(year, month, 1).ok()?.nth_weekday_of_month(nth, day).ok()?, 1))
    }

    /// `around 21 October`, `around Christmas`.
    fn around(&self, at: usize) -> Option<Read> {
        if !matches!(self.word(at), "around" | "about" | "circa" | "vers" | "um" | "gegen") {
            return None;
        }
        let the = usize::from(matches!(self.word(at + 1), "the" | "le" | "den"));
        let at = at + 1 + the;
        let (month, day, taken) = self.feast(at).or_else(|| self.day_of_month(at))?;
        let about = |year| {
            let first = Date::new(year, month, day).ok()?.checked_sub(AROUND.days()).ok()?;
            Days::of(first, 2 * AROUND + 1)
        };
        let (days, taken) = self.in_years(at, taken, about)?;
        Some((days, taken + 1 + the))
    }

    /// `20 to 22 October`.
    fn days(&self, at: usize) -> Option<Read> {
        let (first, last) = (day(self.word(at))?, day(self.word(at + 2))?);
        let is_range = matches!(self.word(at + 1), "to" | "until" | "till" | "and" | "bis" | "au" | "al");
        let month = is_range.then(|| month(self.word(at + 3)))??;
        self.in_years(at, 4, |year| {
            let (start, last) = (Date::new(year, month, first).ok()?, Date::new(year, month, last).ok()?);
            (start <= last).then_some(Days { start, end: last.checked_add(1.day()).ok()? })
        })
    }
}
