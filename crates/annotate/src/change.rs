//! Signs that a text tells how something has become, in place of how it was: words of change, and the words and the kinds of values
//! that two texts have in common.
//!
//! Signs on the surface, in several languages; whoever compares texts decides what they are worth.

use rustc_hash::FxHashSet;

use text::calendar::{Spelling, months_named, weekdays_named};
use text::{fold, is_among, languages_of, plain_words};

/// Only so much of a text is looked at.
const TEXT_BYTES_MAX: usize = 1_000;

/// What a word of its own says.
const WORDS: &str = "now nowadays currently anymore instead moved moves moving changed changes switched swapped replaced replaces \
    cancelled canceled postponed rescheduled slipped slips stopped retired sold quit resigned upgraded migrated renamed ended \
    expired discontinued dropped transferred updated correction obsolete outdated swaps switches again gone finished switching \
    swapping replacing rebooked relocated downgraded divorced shifted extended reverted scrapped abandoned \
    jetzt nunmehr inzwischen stattdessen umgezogen gewechselt geandert verschoben abgesagt verkauft gekundigt ersetzt neuerdings \
    desormais maintenant dorenavant remplace remplacee reporte reportee reportes annule annulee vendu vendue demenage change \
    ahora actualmente mudado cambiado aplazado cancelado vendido reemplazado adesso ora spostato cambiato venduto agora \
    atualmente mudou nu voortaan verhuisd verplaatst verkocht";

/// What words say only together.
const PHRASES: [&str; 75] = [
    "no longer",
    "not any more",
    "any more",
    "no more",
    "not anymore",
    "these days",
    "at the moment",
    "as of",
    "from now on",
    "after all",
    "put back",
    "put off",
    "brought forward",
    "called off",
    "pulled out",
    "took over",
    "takes over",
    "taken over",
    "gave up",
    "given up",
    "gives up",
    "cut out",
    "has left",
    "have left",
    "went live",
    "is gone",
    "are gone",
    "used to",
    "new date",
    "new address",
    "new number",
    "new contract",
    "new job",
    "since then",
    "since this",
    "since last",
    "has become",
    "turned into",
    "rather than",
    "in place of",
    "out of date",
    "decided against",
    "handed over",
    "switched off",
    "not the",
    "went back",
    "gone back",
    "goes back",
    "back to",
    "still no",
    "still not",
    "any longer",
    "in the end",
    "ended up",
    "given notice",
    "broke up",
    "shut down",
    "closed down",
    "went with",
    "settled on",
    "pushed back",
    "pushed to",
    "moved up",
    "went up",
    "went down",
    "up from",
    "down from",
    "nicht mehr",
    "ab sofort",
    "a la place",
    "au lieu",
    "a partir",
    "ne plus",
    "ya no",
    "non piu",
];

/// Whether a text tells of a change.
pub fn tells_of_change(text: &str) -> bool {
    let folded = fold(opening(text));
    let words: Vec<&str> = plain_words(&folded).collect();
    let line = format!(" {} ", words.join(" "));
    words.iter().any(|word| is_among(WORDS, word)) || PHRASES.iter().any(|phrase| line.contains(&format!(" {phrase} ")))
}

/// Whether both texts give values of the same kind: times of day, days of the week, dates, sums of money, measures.
pub fn gives_like_values(one: &str, other: &str) -> bool {
    values(one) & values(other) != 0
}

/// The share of the words of one text that the other holds as well, without those that hold sentences together.
pub fn shared_words(one: &str, other: &str) -> f32 {
    let (one, other) = (fold(opening(one)), fold(opening(other)));
    let telling =
        |folded| plain_words(folded).filter(|word| languages_of(word).is_empty()).collect::<FxHashSet<&str>>();
    let (one, other) = (telling(&one), telling(&other));
    one.intersection(&other).count() as f32 / one.len().max(1) as f32
}

const TIME: u8 = 1;
const WEEKDAY: u8 = 2;
const DATE: u8 = 4;
const MONEY: u8 = 8;
const MEASURE: u8 = 16;

const CURRENCIES: &str = "€ £ $ ¥ eur usd gbp chf euro euros dollars pounds zł zl pln kr sek nok dkk franken yen";
const MEASURES: &str =
    "mg µg μg mcg g kg ml cl l km m cm mm gb mb tb kb mbit gbit kwh mph hours hour minutes miles units ie";

/// The kinds of values a text gives, a bit each.
fn values(text: &str) -> u8 {
    let lower = opening(text).to_lowercase();
    let tokens: Vec<&str> =
        lower.split_whitespace().map(|token| token.trim_matches([',', '.', ';', '(', ')', ':', '!'])).collect();
    let mut kinds = 0;
    for (place, token) in tokens.iter().enumerate() {
        let beside =
            |step: isize| place.checked_add_signed(step).and_then(|place| tokens.get(place)).copied().unwrap_or("");
        let has_number = |token: &str| token.starts_with(|char: char| char.is_ascii_digit());
        let folded = fold(token);
        let folded = folded.strip_suffix("'s").unwrap_or(&folded);
        let singular = folded.strip_suffix('s').unwrap_or(folded);
        if is_weekday(folded) || is_weekday(singular) {
            kinds |= WEEKDAY;
        }
        if !months_named(folded).is_empty() && (has_number(beside(-1)) || has_number(beside(1))) {
            kinds |= DATE;
        }
        if token.starts_with(['€', '£', '$']) || token.ends_with(['€', '£', '$']) {
            kinds |= MONEY;
        }
        if !has_number(token) {
            continue;
        }
        let unit = token.trim_start_matches(|char: char| char.is_ascii_digit() || matches!(char, '.' | ',' | '/'));
        let unit = if unit.is_empty() { beside(1) } else { unit };
        kinds |= if is_time(token) || is_among("am pm uhr", unit) || unit == "h" && has_number(beside(2)) {
            TIME
        } else {
            0
        };
        kinds |= if is_among(CURRENCIES, unit) { MONEY } else { 0 };
        kinds |= if is_among(MEASURES, unit) { MEASURE } else { 0 };
    }
    kinds
}

/// In short they are words as well: `mon frère`, `the sun`.
fn is_weekday(folded: &str) -> bool {
    weekdays_named(folded).iter().any(|name| name.spelling != Spelling::Short)
}

/// `16:30`, `9h15`.
fn is_time(token: &str) -> bool {
    let Some((hour, minute)) = token.split_once([':', 'h']) else { return false };
    let minute = &minute[..minute.floor_char_boundary(2)];
    let is_number = |digits: &str, below: u8| digits.parse::<u8>().is_ok_and(|number| number < below);
    is_number(hour, 25) && minute.len() == 2 && is_number(minute, 60)
}

fn opening(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_BYTES_MAX)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_by_words_alone_or_together() {
        for text in [
            "Ana no longer eats meat",
            "Practice is on Fridays now",
            "The meeting was put back to Monday",
            "Instead of Rome it will be Turin",
            "Das Treffen ist auf Montag verschoben",
            "Désormais le chœur répète le mercredi",
            "Nous irons en train, à la place de la voiture",
        ] {
            assert!(tells_of_change(text), "{text}");
        }
        for text in
            ["Ana eats meat", "The knowledge base is on the wiki", "Removed stains with soda", "Practice is on Fridays"]
        {
            assert!(!tells_of_change(text), "{text}");
        }
    }

    #[test]
    fn values_of_one_kind_are_alike_however_they_differ() {
        for (one, other) in [
            ("Swimming on Tuesdays at 16:30", "Swimming is Thursday"),
            ("Swimming on Tuesdays at 16:30", "Swimming at 17:15"),
            ("Rent is 900 € a month", "The rent: £1,050"),
            ("Cottage from 8 August", "Caravan, August 10"),
            ("75 µg in the morning", "takes 88 mg"),
            ("le chœur répète le mercredi", "Choir on Tuesdays"),
            ("le chœur répète à 18 h 30", "Choir at 19:00"),
        ] {
            assert!(gives_like_values(one, other), "{one} / {other}");
        }
        assert!(!gives_like_values("She may come", "8 people in the room"));
        assert!(!gives_like_values("Mon frère Paul habite à Lyon", "Mon frère Paul travaille à Lyon"));
        assert!(gives_like_values("Tuesday’s lesson is off", "The lesson is on Thursdays"));
    }

    #[test]
    fn words_are_shared_whatever_holds_them_together() {
        assert_eq!(shared_words("The choir meets on Tuesdays", "On Wednesdays: choir"), 1.0 / 3.0);
        assert_eq!(shared_words("Choir", "The choir has moved to the school hall"), 1.0);
        assert_eq!(shared_words("", "choir"), 0.0);
    }
}
