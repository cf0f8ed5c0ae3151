//! The names of months and weekdays in several languages: the one table of them.
//!
//! - Names are folded as by [`fold`](super::fold()), so that case and accents do not matter.
//! - A name that several languages share comes once for each of them.
//! - Which names count is for the reader to say, by language and spelling: `mar` is a month beside a number and the sea elsewhere.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::language::Language;

/// A name of a month or of a weekday.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name, folded.
    pub word: &'static str,
    /// Which it names: 1 is January, or Monday.
    pub number: u8,
    /// The language it is of.
    pub language: Language,
    /// How it is spelt.
    pub spelling: Spelling,
}

/// How a name is spelt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// In full: `january`, `montag`.
    Full,
    /// In full, by another name in a part of the country: `janner`, `sonnabend`.
    Regional,
    /// In full, with the umlaut written as two letters: `maerz`.
    Transcribed,
    /// In short: `jan`, `tue`, `tues`.
    Short,
    /// As said of every one of them: `mondays`, `montags`.
    Plural,
}

/// Every name of a month.
pub fn months() -> impl Iterator<Item = Name> {
    names(MONTHS)
}

/// Every name of a weekday.
pub fn weekdays() -> impl Iterator<Item = Name> {
    names(WEEKDAYS)
}

/// The names of months that `folded` is, one for each language and spelling; none for most words.
pub fn months_named(folded: &str) -> &'static [Name] {
    static BY_WORD: LazyLock<ByWord> = LazyLock::new(|| by_word(months()));
    BY_WORD.get(folded).map_or(&[], Vec::as_slice)
}

/// The names of weekdays that `folded` is, one for each language and spelling; none for most words.
pub fn weekdays_named(folded: &str) -> &'static [Name] {
    static BY_WORD: LazyLock<ByWord> = LazyLock::new(|| by_word(weekdays()));
    BY_WORD.get(folded).map_or(&[], Vec::as_slice)
}

type ByWord = FxHashMap<&'static str, Vec<Name>>;

fn by_word(names: impl Iterator<Item = Name>) -> ByWord {
    let mut by_word = ByWord::default();
    for name in names {
        by_word.entry(name.word).or_default().push(name);
    }
    by_word
}

/// A language, a spelling, and the names in the order of the year or of the week, parted by white space. A bar stands between two
/// names of the same, a dash where there is none.
type Row = (Language, Spelling, &'static str);

fn names(rows: &'static [Row]) -> impl Iterator<Item = Name> {
    rows.iter().flat_map(|&(language, spelling, list)| {
        (1..).zip(list.split_ascii_whitespace()).filter(|(_, words)| *words != "-").flat_map(move |(number, words)| {
            words.split('|').map(move |word| Name { word, number, language, spelling })
        })
    })
}

const MONTHS: &[Row] = &[
    (
        Language::English,
        Spelling::Full,
        "january february march april may june july august september october november december",
    ),
    (Language::English, Spelling::Short, "jan feb mar apr - jun jul aug sep|sept oct nov dec"),
    (
        Language::German,
        Spelling::Full,
        "januar februar marz april mai juni juli august september oktober november dezember",
    ),
    (Language::German, Spelling::Regional, "janner"),
    (Language::German, Spelling::Transcribed, "- - maerz"),
    (Language::German, Spelling::Short, "jan feb - apr - jun jul aug sep|sept okt nov dez"),
    (
        Language::French,
        Spelling::Full,
        "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    ),
    (
        Language::Spanish,
        Spelling::Full,
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    ),
    (
        Language::Italian,
        Spelling::Full,
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    ),
    // Not `marco`: without its cedilla, the month is a given name.
    (
        Language::Portuguese,
        Spelling::Full,
        "janeiro fevereiro - abril maio junho julho agosto setembro outubro novembro dezembro",
    ),
    // No reader asks for the other Dutch months.
    (Language::Dutch, Spelling::Full, "- - maart"),
];

const WEEKDAYS: &[Row] = &[
    (Language::English, Spelling::Full, "monday tuesday wednesday thursday friday saturday sunday"),
    (Language::English, Spelling::Plural, "mondays tuesdays wednesdays thursdays fridays saturdays sundays"),
    (Language::English, Spelling::Short, "mon tue|tues wed thu|thur|thurs fri sat sun"),
    (Language::German, Spelling::Full, "montag dienstag mittwoch donnerstag freitag samstag sonntag"),
    (Language::German, Spelling::Plural, "montags dienstags mittwochs donnerstags freitags samstags sonntags"),
    (Language::German, Spelling::Regional, "- - - - - sonnabend"),
    (Language::French, Spelling::Full, "lundi mardi mercredi jeudi vendredi samedi dimanche"),
    (Language::Spanish, Spelling::Full, "lunes martes miercoles jueves viernes sabado domingo"),
    (Language::Italian, Spelling::Full, "lunedi martedi mercoledi giovedi venerdi sabato domenica"),
];

#[cfg(test)]
mod tests {
    use super::super::fold::fold;
    use super::*;

    #[test]
    fn names_are_folded_and_listed_once_by_language() {
        for names in [months().collect::<Vec<_>>(), weekdays().collect()] {
            for (place, name) in names.iter().enumerate() {
                assert_eq!(fold(name.word), name.word);
                let is_same = |other: &Name| other.word == name.word && other.language == name.language;
                assert!(!names[..place].iter().any(is_same), "{name:?}");
            }
        }
    }

    #[test]
    fn a_name_means_the_same_in_every_language() {
        for name in months() {
            assert!(months_named(name.word).iter().all(|other| other.number == name.number), "{name:?}");
        }
        for name in weekdays() {
            assert!(weekdays_named(name.word).iter().all(|other| other.number == name.number), "{name:?}");
        }
    }

    #[test]
    fn a_word_is_looked_up_in_all_languages() {
        let languages: Vec<Language> = months_named("april").iter().map(|name| name.language).collect();
        assert_eq!(languages, [Language::English, Language::German]);
        assert_eq!(weekdays_named("thurs")[0].number, 4);
        assert!(months_named("monday").is_empty() && weekdays_named("may").is_empty());
    }
}
