//! Finds the values in a text that a request can name by their kind: days, times, amounts, addresses.

use rustc_hash::FxHashMap;
use text::Language;
use text::calendar::{Name, Spelling, months_named, weekdays_named};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Weekday,
    Date,
    Month,
    /// `tomorrow`, `next week`.
    Relative,
    Time,
    Money,
    Percent,
    Number,
    Email,
    Link,
    Phone,
    /// `/var/log`, `10.0.4.17`.
    Address,
    /// Letters and digits in one: `eu-central-1`, `AUTH-77`.
    Code,
}

impl Kind {
    /// Kinds that can stand in for each other.
    pub(super) fn family(self) -> u8 {
        match self {
            Self::Weekday | Self::Date | Self::Relative => 0,
            Self::Month => 6,
            Self::Time => 1,
            Self::Money | Self::Percent | Self::Number => 2,
            Self::Email => 3,
            Self::Link => 4,
            Self::Phone => 5,
            Self::Address => 7,
            Self::Code => 8,
        }
    }
}

/// A value and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Where the unit after a number ends; `end` if it has none.
    pub(super) unit_end: usize,
}

impl Value {
    pub(super) fn place(&self) -> std::ops::Range<usize> {
        self.start..self.end
    }

    /// What a number counts or is measured in, in small letters.
    pub(super) fn unit(&self, text: &str) -> String {
        text[self.end..self.unit_end].trim().to_lowercase()
    }
}

/// The kind of value that a noun such as `deadline` asks for.
pub(super) fn kind_of_noun(noun: &str) -> Option<&'static [Kind]> {
    const DAY: &[Kind] = &[Kind::Weekday, Kind::Date, Kind::Relative, Kind::Month];
    Some(match noun {
        "time" | "hour" | "start time" | "end time" => &[Kind::Time],
        "date" | "day" | "deadline" | "due date" | "weekday" => DAY,
        "month" => &[Kind::Month],
        "year" | "number" | "amount" | "count" | "quantity" | "figure" | "total" | "value" | "digits" => {
            &[Kind::Number, Kind::Money]
        }
        "price" | "cost" | "sum" => &[Kind::Money, Kind::Number],
        "percentage" | "percent" => &[Kind::Percent],
        "email" | "e-mail" | "mail" | "email address" | "mail address" => &[Kind::Email],
        "link" | "url" | "website" | "address of the site" => &[Kind::Link],
        "phone" | "phone number" | "telephone number" | "mobile number" => &[Kind::Phone],
        _ => return None,
    })
}

/// The values in `text`, in order and without overlap.
pub(super) fn values(text: &str) -> Vec<Value> {
    let chunks = chunks(text);
    let mut out = Vec::new();
    let mut at = 0;
    // Most words of a text are letters alone and begin no value; each of them is looked at once.
    let mut plain: FxHashMap<&str, bool> = FxHashMap::default();
    while at < chunks.len() {
        let word = &text[chunks[at].0..chunks[at].1];
        let letters = word.chars().all(char::is_alphabetic);
        if letters && *plain.entry(word).or_insert_with(|| !is_named(word)) {
            at += 1;
            continue;
        }
        match value(text, &chunks[at..]) {
            Some((kind, taken)) => {
                let is_zone = |(start, end): &&(usize, usize)| {
                    matches!(
                        &text[*start..*end],
                        "UTC" | "GMT" | "CET" | "CEST" | "EST" | "EDT" | "PST" | "PDT" | "BST"
                    )
                };
                let zone = chunks.get(at + taken).filter(is_zone);
                let (start, end) = (chunks[at].0, chunks[at + taken - 1].1);
                let kind =
                    if kind == Kind::Number && taken == 1 && is_hour(text, start..end) { Kind::Time } else { kind };
                let unit_end = match kind {
                    Kind::Number => unit_end(text, end, chunks.get(at + taken)),
                    Kind::Time => zone.map_or(end, |(_, zone)| *zone),
                    _ => end,
                };
                out.push(Value { kind, start, end, unit_end });
                at += taken;
            }
            None => at += 1,
        }
    }
    out
}

/// Whether a bare number is an hour: `at 9`, with nothing after it that it could count.
pub(super) fn is_hour(text: &str, place: std::ops::Range<usize>) -> bool {
    let number = text
        .get(place.clone())
        .and_then(|number| number.parse::<u8>().ok())
        .is_some_and(|hour| (1..=24).contains(&hour));
    let rest = text.get(place.end..).unwrap_or_default();
    let ends = rest.is_empty()
        || rest.starts_with(['.', ',', ';', '!', '?', ')', '\n'])
            && !rest[1..].starts_with(|c: char| c.is_alphanumeric())
        || [" now", " instead", " on ", " and "].iter().any(|after| rest.starts_with(after));
    number && ends && (text[..place.start].ends_with(" at ") || text[..place.start].ends_with(" um "))
}

/// Whether a word of letters alone can begin a value.
fn is_named(word: &str) -> bool {
    word.len() <= 200
        && (is_month(word)
            || is_weekday(word)
            || matches!(
                lower(word).as_str(),
                "next" | "this" | "today" | "tomorrow" | "tonight" | "yesterday" | "noon" | "midnight"
            ))
}

/// The values that `text` consists of, if it is nothing but values and the small words that join them.
pub(super) fn only_values(text: &str) -> Option<Vec<Value>> {
    if text.len() > LONGEST_VALUES {
        return None;
    }
    let values = values(text);
    let between = |range: std::ops::Range<usize>| {
        text[range].split(|c: char| !c.is_alphanumeric()).all(|word| {
            matches!(
                word.to_lowercase().as_str(),
                "" | "on" | "at" | "by" | "the" | "next" | "this" | "from" | "in" | "of" | "before" | "until"
            )
        })
    };
    let mut end = 0;
    for value in &values {
        if !between(end..value.start) {
            return None;
        }
        end = value.end;
    }
    (!values.is_empty() && between(end..text.len())).then_some(values)
}

/// No list of values that somebody asks for is longer.
const LONGEST_VALUES: usize = 80;

/// Where the unit after a number that ends at `end` ends.
fn unit_end(text: &str, end: usize, next: Option<&(usize, usize)>) -> usize {
    let Some(&(from, to)) = next else { return end };
    let word = &text[from..to];
    let joined = matches!(&text[end..from], " " | "\u{a0}" | "\u{202f}");
    let is_unit = word.chars().all(|c| c.is_alphabetic() || matches!(c, '°' | '/' | '²' | '³'))
        && !super::small_words::is_small(word)
        && !matches!(
            lower(word).as_str(),
            "last"
                | "instead"
                | "rather"
                | "only"
                | "each"
                | "already"
                | "again"
                | "every"
                | "there"
                | "here"
                | "please"
        )
        && !is_month(word)
        && !is_weekday(word);
    if joined && is_unit { to } else { end }
}

/// Stretches without spaces or the marks around words.
fn chunks(text: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut at = 0;
    for piece in text
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | ';' | '[' | ']' | '“' | '”' | '–' | '—'))
    {
        let lead = piece.len() - piece.trim_start_matches(['\'', '‘', '*', '_', '-']).len();
        let body = piece[lead..].trim_end_matches([',', '.', ':', '!', '?', '\'', '’', '*', '_']);
        let body = body.strip_suffix("'s").or(body.strip_suffix("’s")).unwrap_or(body);
        if !body.is_empty() {
            out.push((at + lead, at + lead + body.len()));
        }
        // Every separator is one character, of unknown length.
        at += piece.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    out
}

/// The value that `chunks` begins with and the number of chunks it takes.
fn value(text: &str, chunks: &[(usize, usize)]) -> Option<(Kind, usize)> {
    let word = |at: usize| chunks.get(at).map_or("", |(start, end)| &text[*start..*end]);
    // Words that a comma or a line divides do not make one value.
    let joined = |at: usize| match (chunks.get(at), chunks.get(at + 1)) {
        (Some(one), Some(other)) => text[one.1..other.0].trim_matches([' ', '\u{a0}', '.']).is_empty(),
        _ => false,
    };
    let (first, second) = (word(0), if joined(0) { word(1) } else { "" });
    if first.len() > 200 {
        return None;
    }
    if is_month(first) {
        // `May 5`, `May 5th`, and the year after it.
        if day_number(second) {
            let year = text[chunks[1].1..].trim_start_matches([',', ' ']).starts_with(|c: char| c.is_ascii_digit())
                && is_year(word(2));
            return Some((Kind::Date, if year { 3 } else { 2 }));
        }
        return Some((Kind::Month, if is_year(second) { 2 } else { 1 }));
    }
    if day_number(first) {
        let of = usize::from(matches!(lower(second).as_str(), "of" | "de"));
        if (is_month(word(1 + of)) || is_foreign_month(word(1 + of))) && joined(0) && (of == 0 || joined(1)) {
            return Some((Kind::Date, 2 + of + usize::from(joined(1 + of) && is_year(word(2 + of)))));
        }
    }
    if is_weekday(first) {
        return Some((Kind::Weekday, 1));
    }
    // `Q3`, `Q1 2027`.
    if matches!(first, "Q1" | "Q2" | "Q3" | "Q4") {
        return Some((Kind::Date, if is_year(second) { 2 } else { 1 }));
    }
    if matches!(lower(first).as_str(), "next" | "this")
        && matches!(lower(second).as_str(), "week" | "month" | "year" | "weekend")
    {
        return Some((Kind::Relative, 2));
    }
    if matches!(lower(first).as_str(), "today" | "tomorrow" | "tonight" | "yesterday") {
        return Some((Kind::Relative, 1));
    }
    if matches!(lower(first).as_str(), "noon" | "midnight") {
        return Some((Kind::Time, 1));
    }
    if first.contains('@')
        && first.split('@').count() == 2
        && first.ends_with(char::is_alphanumeric)
        && first.contains('.')
    {
        return Some((Kind::Email, 1));
    }
    if ["http://", "https://", "www."].iter().any(|start| lower(first).starts_with(start)) {
        return Some((Kind::Link, 1));
    }
    let long = phone(text, chunks).filter(|(_, groups)| *groups > 1);
    long.or_else(|| numeric(first, second))
        .or_else(|| phone(text, chunks))
        .or_else(|| is_address(first).then_some((Kind::Address, 1)))
        .or_else(|| is_code(first).then_some((Kind::Code, 1)))
}

/// A path, an address of the network or a domain.
fn is_address(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['.', ':']).collect();
    let is_ip =
        parts.len() >= 4 && parts.iter().all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    let is_path = word.len() > 2
        && (word.starts_with('/') || word.starts_with("~/") || word.starts_with("./"))
        && word[1..].contains(char::is_alphabetic);
    let named = word.contains('.')
        && !word.contains("..")
        && word.split('.').count() > 1
        && word.split('.').all(|part| {
            !part.is_empty()
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '/' || c == ':')
        })
        && word
            .rsplit('.')
            .next()
            .is_some_and(|end| end.len() > 1 && end.bytes().next().is_some_and(|b| b.is_ascii_lowercase()))
        && !word.ends_with(".m")
        && word.len() > 4;
    is_ip || is_path || named
}

/// Letters and digits, or groups of digits, in one.
fn is_code(word: &str) -> bool {
    let digits = word.chars().any(|c| c.is_ascii_digit());
    let others = word.chars().any(|c| c.is_alphabetic() || matches!(c, '-' | '_' | '/' | '#' | ':'));
    digits
        && others
        && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '#' | '.' | ':' | '+' | '*'))
}

/// A value made of digits.
fn numeric(first: &str, second: &str) -> Option<(Kind, usize)> {
    let currency_first = first.starts_with(['$', '€', '£', '¥']);
    let digits = first.trim_start_matches(['$', '€', '£', '¥', '+']);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) || first.starts_with('+') {
        return None;
    }
    let body = digits.trim_end_matches(|c: char| !c.is_ascii_digit());
    let suffix = lower(&digits[body.len()..]);
    if is_date(body) && suffix.is_empty() {
        return Some((Kind::Date, 1));
    }
    let half_day = |word: &str| matches!(lower(word).as_str(), "am" | "pm" | "a.m" | "p.m" | "a.m." | "p.m.");
    let clock = body.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | '.' | '-' | 'h'));
    if clock && (half_day(&suffix) || suffix == "h") && body.len() <= 11 {
        return Some((Kind::Time, 1));
    }
    if clock && suffix.is_empty() && half_day(second) && body.len() <= 5 {
        return Some((Kind::Time, 2));
    }
    if clock && suffix.is_empty() && lower(second).trim_end_matches(['\'', '’']).replace(['\'', '’'], "") == "oclock"
    {
        return Some((Kind::Time, 2));
    }
    if is_clock(&body.replace('h', ":")) && suffix.is_empty() {
        return Some((Kind::Time, if second == "Uhr" { 2 } else { 1 }));
    }
    if clock && suffix.is_empty() && matches!(second, "h" | "Uhr") && body.len() <= 2 {
        return Some((Kind::Time, 2));
    }
    if !body.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'')) || body.matches('.').count() > 2 {
        return None;
    }
    match suffix.as_str() {
        "%" => return Some((Kind::Percent, 1)),
        "€" | "$" | "£" | "eur" | "usd" | "chf" => return Some((Kind::Money, 1)),
        "" | "k" | "m" => {}
        _ => return None,
    }
    if currency_first {
        return Some((Kind::Money, 1));
    }
    match lower(second).as_str() {
        "eur" | "usd" | "gbp" | "chf" | "euro" | "euros" | "dollars" | "pounds" | "francs" | "bucks" | "€" | "$"
        | "£" => Some((Kind::Money, 2)),
        "%" | "percent" => Some((Kind::Percent, 2)),
        _ => Some((Kind::Number, 1)),
    }
}

/// Groups of digits that are at least seven together.
fn phone(text: &str, chunks: &[(usize, usize)]) -> Option<(Kind, usize)> {
    let is_group = |(start, end): &&(usize, usize)| {
        text[*start..*end].chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '/' | '.'))
    };
    let groups = chunks.iter().take(6).take_while(is_group).count();
    // What a comma or a line sets apart is another number.
    let apart = |pair: &[(usize, usize)]| text[pair[0].1..pair[1].0].contains([',', '\n', ';']);
    let groups = chunks[..groups].windows(2).position(apart).map_or(groups, |at| at + 1);
    let digits = chunks[..groups]
        .iter()
        .map(|(start, end)| text[*start..*end].chars().filter(char::is_ascii_digit).count())
        .sum::<usize>();
    let (start, end) = chunks.first()?;
    let opens = text[*start..*end].starts_with('+') || text[*start..*end].contains('-');
    let years = chunks[..groups].iter().all(|(start, end)| end - start == 4);
    let grouped = groups > 2 && digits >= 9 && !years;
    (groups > 0 && digits >= 7 && (opens || grouped)).then_some((Kind::Phone, groups))
}

fn lower(word: &str) -> String {
    word.to_lowercase()
}

pub(super) fn is_weekday(word: &str) -> bool {
    let is_foreign = || {
        let folded = text::fold(word);
        weekdays_named(&folded).iter().any(|name| !matches!(name.spelling, Spelling::Short))
    };
    is_english_weekday(word) || is_foreign()
}

/// The same of English alone, which writes them with a capital: `vendredi` has none.
pub(super) fn is_english_weekday(word: &str) -> bool {
    let day = lower(word);
    let is_named =
        |word: &str, spelling| weekdays_named(word).iter().any(|name| is_english(name) && name.spelling == spelling);
    is_named(day.strip_suffix('s').unwrap_or(&day), Spelling::Full)
        || is_capitalized(word) && is_named(&day, Spelling::Short)
}

pub(super) fn is_month(word: &str) -> bool {
    let month = lower(word);
    // `may` and `march` are verbs as well.
    let is_plain = |name: &Name| name.spelling == Spelling::Full && !matches!(name.word, "may" | "march");
    months_named(&month).iter().any(|name| is_english(name) && (is_plain(name) || is_capitalized(word)))
}

/// Whether a word is a month in another language, which is only certain beside the number of a day.
fn is_foreign_month(word: &str) -> bool {
    months_named(&text::fold(word)).iter().any(|name| name.spelling != Spelling::Short)
}

fn is_english(name: &Name) -> bool {
    name.language == Language::English
}

/// Whether a word has a capital letter and small ones after it.
fn is_capitalized(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && !word.chars().skip(1).any(char::is_uppercase)
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && (word.starts_with("19") || word.starts_with("20")) && word.chars().all(|c| c.is_ascii_digit())
}

/// `5`, `5th`, `21st`.
fn day_number(word: &str) -> bool {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = &word[digits.len()..];
    matches!(ending, "" | "st" | "nd" | "rd" | "th") && digits.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day))
}

/// `2026-05-03`, `3.5.2026`, `3/5`.
fn is_date(body: &str) -> bool {
    let separated = |mark: char, parts: std::ops::RangeInclusive<usize>| {
        let all: Vec<&str> = body.split(mark).collect();
        parts.contains(&all.len())
            && all.iter().all(|part| (1..=4).contains(&part.len()) && part.chars().all(|c| c.is_ascii_digit()))
    };
    separated('-', 3..=3) || separated('.', 3..=3) || separated('/', 2..=3)
}

/// `9:30`, `09:30:00`.
fn is_clock(body: &str) -> bool {
    let parts: Vec<&str> = body.split(':').collect();
    (2..=3).contains(&parts.len())
        && parts.iter().all(|part| (1..=2).contains(&part.len()) && part.chars().all(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(Kind, &str)> {
        values(text).into_iter().map(|value| (value.kind, &text[value.start..value.end])).collect()
    }

    #[test]
    fn values_are_found_by_their_shape() {
        assert_eq!(
            found("Lunch on Tuesday, 5 May at 10:30."),
            [(Kind::Weekday, "Tuesday"), (Kind::Date, "5 May"), (Kind::Time, "10:30")]
        );
        assert_eq!(found("due May 5th, 2026 by 10 am"), [(Kind::Date, "May 5th, 2026"), (Kind::Time, "10 am")]);
        assert_eq!(
            found("4,500 EUR or $30 or 12% of 7"),
            [(Kind::Money, "4,500 EUR"), (Kind::Money, "$30"), (Kind::Percent, "12%"), (Kind::Number, "7"),]
        );
        assert_eq!(
            found("a.b@c.org, https://x.org and +49 30 1234567"),
            [(Kind::Email, "a.b@c.org"), (Kind::Link, "https://x.org"), (Kind::Phone, "+49 30 1234567"),]
        );
    }

    #[test]
    fn verbs_and_names_are_no_values() {
        assert_eq!(found("may march Postgres"), []);
    }

    #[test]
    fn only_values_allows_small_words_between() {
        assert!(only_values("on Thursday at 3pm").is_some());
        assert!(only_values("the meeting on Thursday").is_none());
        assert!(only_values("").is_none());
    }
}
