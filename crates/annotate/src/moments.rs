//! Reads the times a query or a text names: dates, months and their parts, years, feasts and spans counted from now.
//!
//! - A pure function of the words and the present day; whoever ranks decides what a time is worth.
//! - In a query, a day or month without its year is meant in each of the last years and the coming one, unless `last` or `next` says
//!   which. In a text it is the one nearest to when it was told, before or after.
//! - Times are days of the calendar in UTC. Nothing in the future is counted from `ago` and `last`.

mod parts;

use jiff::civil::{Date, Weekday};
use jiff::{Timestamp, ToSpan, tz::TimeZone};

use model::Time;
use text::calendar::{self, Name, Spelling};
use text::{Language, fold};

/// A stretch of time: from its first moment up to, and without, its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moments {
    /// The first moment.
    pub start: Time,
    /// The first moment after.
    pub end: Time,
}

/// How many years a date without a year may mean.
const YEARS_MEANT: i16 = 5;

/// Only so much of a query is read: a whole text pasted as a query names too many times to mean any of them.
const WORDS_MAX: usize = 64;

/// The times the query names, in its order; none for most queries.
pub fn moments(query: &str, now: Time) -> Vec<Moments> {
    read(query, now, false)
}

/// The times that a text names which was told at a moment, in its order.
pub fn moments_told(text: &str, told_at: Time) -> Vec<Moments> {
    read(text, told_at, true)
}

fn read(text: &str, now: Time, is_told: bool) -> Vec<Moments> {
    let Ok(now) = Timestamp::from_microsecond(now.as_micros()) else { return Vec::new() };
    let words: Vec<String> = text
        .split(|char: char| !(char.is_alphanumeric() || matches!(char, '-' | '\'' | '’')))
        .map(|word| fold(word).replace('’', "'"))
        .map(|word| word.strip_suffix("'s").map_or(word.clone(), str::to_owned))
        .filter(|word| !word.is_empty())
        .take(WORDS_MAX)
        .collect();
    let today = now.to_zoned(TimeZone::UTC).date();
    let reader = Reader { words: words.iter().map(String::as_str).collect(), today, is_told };
    reader.read().into_iter().filter_map(Days::moments).collect()
}

/// Whole days: the first, and the first after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Days {
    start: Date,
    end: Date,
}

impl Days {
    fn of(day: Date, days: i32) -> Option<Self> {
        Some(Self { start: day, end: day.checked_add(days.days()).ok()? })
    }

    fn month(year: i16, month: i8) -> Option<Self> {
        let start = Date::new(year, month, 1).ok()?;
        Some(Self { start, end: start.checked_add(1.month()).ok()? })
    }

    fn year(year: i16) -> Option<Self> {
        Some(Self { start: Date::new(year, 1, 1).ok()?, end: Date::new(year + 1, 1, 1).ok()? })
    }

    fn moments(self) -> Option<Moments> {
        let at = |day: Date| Some(day.to_zoned(TimeZone::UTC).ok()?.timestamp().as_microsecond());
        Some(Moments { start: Time::from_micros(at(self.start)?), end: Time::from_micros(at(self.end)?) })
    }
}

struct Reader<'a> {
    words: Vec<&'a str>,
    today: Date,
    /// Whether the words tell something at that day, rather than asking on it.
    is_told: bool,
}

/// What was read at a place: the days it may mean, and how many words it took.
type Read = (Vec<Days>, usize);

impl Reader<'_> {
    fn read(&self) -> Vec<Days> {
        let mut found: Vec<(usize, usize, Vec<Days>)> = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
            match self.at(at) {
                Some((days, taken)) => {
                    found.push((at, at + taken, days));
                    at += taken;
                }
                None => at += 1,
            }
        }
        self.join(found)
    }

    /// Makes one stretch of `between A and B` and `from A to B`.
    fn join(&self, found: Vec<(usize, usize, Vec<Days>)>) -> Vec<Days> {
        let mut joined: Vec<Days> = Vec::new();
        let mut parts = found.into_iter().peekable();
        while let Some((start, end, days)) = parts.next() {
            let opens = start > 0 && matches!(self.words[start - 1], "between" | "from" | "zwischen" | "von" | "entre");
            let is_range = |next: &(usize, usize, Vec<Days>)| {
                opens
                    && next.0 == end + 1
                    && matches!(self.words[end], "and" | "to" | "until" | "till" | "und" | "bis" | "et" | "y")
            };
            let Some((_, _, until)) = parts.next_if(is_range) else {
                joined.extend(days);
                continue;
            };
            for from in days {
                let last = until.iter().filter(|until| until.end > from.start).min_by_key(|until| until.end);
                joined.extend(last.map(|until| Days { start: from.start, end: until.end }));
            }
        }
        joined
    }

    fn word(&self, at: usize) -> &str {
        self.words.get(at).copied().unwrap_or_default()
    }

    fn at(&self, at: usize) -> Option<Read> {
        let one = |days: Option<Days>, taken| days.map(|days| (vec![days], taken));
        match self.word(at) {
            "today" | "heute" => return one(Days::of(self.today, 1), 1),
            "yesterday" | "gestern" | "hier" | "ayer" => return one(self.days_back(1, 1), 1),
            // `the last Friday of May` is no last Friday.
            "last" if self.part(at).is_some() => return self.part(at),
            "last" | "past" | "previous" => return self.last(at + 1).map(|(days, taken)| (days, taken + 1)),
            "this" => return one(self.this(self.word(at + 1)), 2),
            "tomorrow" | "demain" => return one(Days::of(self.days_on(1)?, 1), 1),
            "next" | "coming" | "upcoming" => return one(self.next(self.word(at + 1)), 2),
            _ => {}
        }
        self.ago(at).or_else(|| self.part(at)).or_else(|| self.date(at))
    }

    /// `two weeks ago`, `a year ago`: as exact as the unit is.
    fn ago(&self, at: usize) -> Option<Read> {
        let (count, unit) = (number(self.word(at))?, unit(self.word(at + 1))?);
        let ago = self.word(at + 2);
        if !matches!(ago, "ago" | "back" | "earlier") {
            return None;
        }
        let (step, width) = match unit {
            Unit::Day => (count, 1),
            Unit::Week => (count * 7, 7),
            Unit::Month => {
                let then = self.today.checked_sub(count.months()).ok()?;
                return Some((vec![Days::month(then.year(), then.month())?], 3));
            }
            Unit::Year => return Some((vec![Days::year(self.today.year() - i16::try_from(count).ok()?)?], 3)),
        };
        Some((vec![self.days_back(step + width / 2, width)?], 3))
    }

    /// What stands after `last`: a unit, `three weeks`, a month, a weekday, a season.
    fn last(&self, at: usize) -> Option<Read> {
        let word = self.word(at);
        if word == "night" {
            return Some((vec![self.days_back(1, 1)?], 1));
        }
        if let (Some(count), Some(unit)) = (number(word), unit(self.word(at + 1))) {
            let days = match unit {
                Unit::Day => count,
                Unit::Week => count * 7,
                Unit::Month => count * 30,
                Unit::Year => count * 365,
            };
            return Some((vec![self.days_back(days, days + 1)?], 2));
        }
        let days = match unit(word) {
            Some(Unit::Day) => self.days_back(1, 1)?,
            Some(Unit::Week) => {
                let monday = self.monday().checked_sub(7.days()).ok()?;
                Days::of(monday, 7)?
            }
            Some(Unit::Month) => {
                let then = self.today.checked_sub(1.month()).ok()?;
                Days::month(then.year(), then.month())?
            }
            Some(Unit::Year) => Days::year(self.today.year() - 1)?,
            None => self.latest(word)?,
        };
        Some((vec![days], 1))
    }

    /// The latest month, weekday or season of that name that has begun before this day's own.
    fn latest(&self, word: &str) -> Option<Days> {
        if let Some(day) = weekday(word) {
            let back = (self.today.weekday().to_monday_zero_offset() - day.to_monday_zero_offset() + 6) % 7 + 1;
            return self.days_back(i32::from(back), 1);
        }
        let year = self.today.year();
        if let Some(month) = month(word) {
            return Days::month(if month < self.today.month() { year } else { year - 1 }, month);
        }
        [year, year - 1].into_iter().filter_map(|year| season(word, year)).find(|days| days.end <= self.today)
    }

    fn this(&self, word: &str) -> Option<Days> {
        match unit(word) {
            Some(Unit::Day) => Days::of(self.today, 1),
            Some(Unit::Week) => Days::of(self.monday(), 7),
            Some(Unit::Month) => Days::month(self.today.year(), self.today.month()),
            Some(Unit::Year) => Days::year(self.today.year()),
            None => season(word, self.today.year()),
        }
    }

    /// What stands after `next`: a unit, a month, a weekday.
    fn next(&self, word: &str) -> Option<Days> {
        if let Some(day) = weekday(word) {
            let on = (day.to_monday_zero_offset() - self.today.weekday().to_monday_zero_offset() + 6) % 7 + 1;
            return Days::of(self.days_on(i32::from(on))?, 1);
        }
        let year = self.today.year();
        match unit(word) {
            Some(Unit::Day) => Days::of(self.days_on(1)?, 1),
            Some(Unit::Week) => Days::of(self.monday().checked_add(7.days()).ok()?, 7),
            Some(Unit::Month) => {
                let then = self.today.checked_add(1.month()).ok()?;
                Days::month(then.year(), then.month())
            }
            Some(Unit::Year) => Days::year(year + 1),
            None => {
                let month = month(word)?;
                Days::month(if month > self.today.month() { year } else { year + 1 }, month)
            }
        }
    }

    /// A date, a month, a season, a feast or a year.
    fn date(&self, at: usize) -> Option<Read> {
        let word = self.word(at);
        if let Ok(day) = word.parse::<Date>() {
            return Some((vec![Days::of(day, 1)?], 1));
        }
        if let Some(year) = year(word) {
            return Some((vec![Days::year(year)?], 1));
        }
        if let Some((month, day, taken)) = self.feast(at).or_else(|| self.day_of_month(at)) {
            return self.in_years(at, taken, |year| Days::of(Date::new(year, month, day).ok()?, 1));
        }
        if let Some(month) = month(word) {
            let dated = year(self.word(at + 1)).is_some() || year(self.word(at + 2)).is_some();
            let led = at > 0 && LEADS_TO_MONTH.contains(&self.words[at - 1]);
            // `May` and `march` are words of their own.
            return (dated || led || !matches!(word, "may" | "march" | "mars" | "mai"))
                .then(|| self.in_years(at, 1, |year| Days::month(year, month)))?;
        }
        season(word, 2000)?;
        let (days, taken) = self.in_years(at, 1, |year| season(word, year))?;
        (taken > 1).then_some((days, taken))
    }

    /// `5 May`, `5th of May`, `May 5`: month, day and the words taken.
    fn day_of_month(&self, at: usize) -> Option<(i8, i8, usize)> {
        if let Some(day) = day(self.word(at)) {
            let of = usize::from(matches!(self.word(at + 1), "of" | "de"));
            return Some((month(self.word(at + 1 + of))?, day, 2 + of));
        }
        let month = month(self.word(at))?;
        let the = usize::from(self.word(at + 1) == "the");
        Some((month, day(self.word(at + 1 + the))?, 2 + the))
    }

    fn feast(&self, at: usize) -> Option<(i8, i8, usize)> {
        let next = self.word(at + 1);
        let with = |taken: bool| 1 + usize::from(taken);
        match self.word(at) {
            "christmas" | "xmas" if next == "eve" => Some((12, 24, 2)),
            "christmas" | "xmas" => Some((12, 25, with(next == "day"))),
            "weihnachten" | "noel" | "navidad" => Some((12, 25, 1)),
            "new" if next == "year" && self.word(at + 2) == "eve" => Some((12, 31, 3)),
            "new" if next == "year" => Some((1, 1, 2 + usize::from(self.word(at + 2) == "day"))),
            "halloween" => Some((10, 31, 1)),
            "valentine" => Some((2, 14, with(next == "day"))),
            _ => None,
        }
    }

    /// The days in the year that follows; without one, in each of the last years and the coming one, or in the nearest for what is told.
    fn in_years(&self, at: usize, taken: usize, days: impl Fn(i16) -> Option<Days>) -> Option<Read> {
        for skipped in [0, 1] {
            let is_joined = skipped == 0 || matches!(self.word(at + taken), "of" | "in" | "de");
            if let Some(year) = year(self.word(at + taken + skipped)).filter(|_| is_joined) {
                return Some((vec![days(year)?], taken + skipped + 1));
            }
        }
        let this = self.today.year();
        if self.is_told {
            let apart = |days: &Days| (days.start - self.today).get_days().abs();
            let nearest = (this - 1..=this + 1).filter_map(days).min_by_key(apart)?;
            return Some((vec![nearest], taken));
        }
        let (past, coming): (Vec<Days>, Vec<Days>) =
            (this - YEARS_MEANT..=this + 1).rev().filter_map(days).partition(|days| days.start <= self.today);
        let meant: Vec<Days> = past.into_iter().chain(coming.last().copied()).collect();
        (!meant.is_empty()).then_some((meant, taken))
    }

    /// That many days, the first so many days before today.
    fn days_back(&self, back: i32, days: i32) -> Option<Days> {
        Days::of(self.today.checked_sub(back.days()).ok()?, days)
    }

    /// The day so many days after today.
    fn days_on(&self, on: i32) -> Option<Date> {
        self.today.checked_add(on.days()).ok()
    }

    fn monday(&self) -> Date {
        let offset = i32::from(self.today.weekday().to_monday_zero_offset());
        self.today.checked_sub(offset.days()).unwrap_or(self.today)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Day,
    Week,
    Month,
    Year,
}

/// Words after which a month is a month.
const LEADS_TO_MONTH: [&str; 14] =
    ["in", "of", "during", "since", "until", "by", "early", "late", "mid", "between", "and", "to", "from", "before"];

fn unit(word: &str) -> Option<Unit> {
    match word.strip_suffix('s').unwrap_or(word) {
        "day" => Some(Unit::Day),
        "week" => Some(Unit::Week),
        "month" => Some(Unit::Month),
        "year" => Some(Unit::Year),
        _ => None,
    }
}

fn number(word: &str) -> Option<i32> {
    const WORDS: [&str; 13] =
        ["a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    if word == "an" {
        return Some(1);
    }
    let named = WORDS.iter().position(|known| *known == word).map(|place| place.max(1));
    let named = named.and_then(|number| i32::try_from(number).ok());
    named.or_else(|| word.parse().ok().filter(|number| (1..=400).contains(number)))
}

fn year(word: &str) -> Option<i16> {
    word.parse().ok().filter(|year| word.len() == 4 && (1900..2100).contains(year))
}

fn day(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let is_ordinal = matches!(&word[digits.len()..], "" | "st" | "nd" | "rd" | "th");
    digits.parse().ok().filter(|day| is_ordinal && (1..=31).contains(day))
}

/// The months by their names in several languages, in full or in short.
fn month(word: &str) -> Option<i8> {
    // The sea, in Spanish and Portuguese.
    if word == "mar" {
        return None;
    }
    let is_read = |name: &&Name| name.language != Language::Dutch && name.spelling != Spelling::Regional;
    let name = calendar::months_named(word).iter().find(is_read)?;
    i8::try_from(name.number).ok()
}

fn weekday(word: &str) -> Option<Weekday> {
    let is_read = |name: &&Name| name.language == Language::English && name.spelling == Spelling::Full;
    let name = calendar::weekdays_named(word).iter().find(is_read)?;
    Weekday::from_monday_one_offset(i8::try_from(name.number).ok()?).ok()
}

/// The season of that year in the north; a winter begins in it.
fn season(word: &str, year: i16) -> Option<Days> {
    let first = match word {
        "spring" => 3,
        "summer" => 6,
        "autumn" | "fall" => 9,
        "winter" => 12,
        _ => return None,
    };
    let start = Date::new(year, first, 1).ok()?;
    Some(Days { start, end: start.checked_add(3.months()).ok()? })
}

#[cfg(test)]
mod tests;
