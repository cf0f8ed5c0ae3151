//! Decides in which languages the Latin words of a text are stemmed.
//!
//! - Without evidence the answer is English; between English and another language it is both.
//! - At most [`MOST`] languages, and the same answer for the same text.
//! - Other scripts need no decision: their words have one stemmer each.

use whatlang::{Detector, Lang};

use super::fold::normalise;
use super::function_words::spelled_in;
use super::language::{Language, Languages};

/// Most languages one text is stemmed in.
const MOST: u32 = 3;

/// The words read for evidence; a language shows itself long before that.
const SAMPLE_WORDS: usize = 4096;

/// The bytes given to the statistics; enough for a sure answer, few enough to cost nothing.
const SAMPLE_BYTES: usize = 1024;

/// Below this the statistics guess.
const LEAST_LETTERS: usize = 60;

/// The languages to stem a stored text in.
pub(super) fn languages_of_text(normalised: &str) -> Languages {
    let evidence = Evidence::gather(normalised);
    let mut languages = Languages::default();
    let (best, best_score) = evidence.best();
    if best_score > 0 {
        languages.insert(best);
    }
    // Neighbours such as Danish and Norwegian share most of their function words. One place is kept for English.
    for language in Language::LATIN {
        let score = evidence.scores[language as usize];
        if score > 0 && score * 4 >= best_score * 3 && languages.len() < MOST - 1 {
            languages.insert(language);
        }
    }
    let english = evidence.scores[Language::English as usize];
    let is_weak = evidence.hits[best as usize] < 3 || evidence.hits[best as usize] * 12 < evidence.words;
    if english * 3 >= best_score || is_weak {
        languages.insert(Language::English);
    }
    // Every fourth word of running text is a function word. Where hardly any is, the lists do not know the language.
    if evidence.hits[best as usize] * 12 < evidence.words
        && languages.len() < MOST
        && let Some(language) = by_statistics(normalised)
    {
        languages.insert(language);
    }
    languages
}

/// The languages whose function words count as such in a query.
///
/// One hit proves little in a short text (`war` is German too), so a language other than English needs two, or all
/// the words of the query.
pub(super) fn languages_of_query(normalised: &str) -> Languages {
    let evidence = Evidence::gather(normalised);
    let (_, best_score) = evidence.best();
    let mut languages = Languages::default();
    for language in Language::LATIN {
        let index = language as usize;
        let proven = evidence.hits[index] >= 2 || evidence.hits[index] == evidence.words;
        if proven && evidence.scores[index] * 4 >= best_score * 3 {
            languages.insert(language);
        }
    }
    if languages == Languages::default() || evidence.scores[Language::English as usize] * 2 >= best_score {
        languages.insert(Language::English);
    }
    for language in [Language::Russian, Language::Greek, Language::Arabic] {
        languages.insert(language);
    }
    languages
}

/// Whether nothing says that a query is in another language than English.
#[must_use]
pub fn is_in_english(query: &str) -> bool {
    let languages = languages_of_query(&normalise(query));
    Language::LATIN.into_iter().all(|language| language == Language::English || !languages.contains(language))
}

/// Whether a query may be in English: that nothing says so is no hindrance, and neither are a few words of another language.
#[must_use]
pub fn may_be_in_english(query: &str) -> bool {
    let is_latin = |c: char| !c.is_alphabetic() || c < LATIN_END;
    query.chars().all(is_latin) && languages_of_query(&normalise(query)).contains(Language::English)
}

/// The first character after those of Latin script, accents and all.
const LATIN_END: char = '\u{250}';

#[derive(Default)]
struct Evidence {
    /// A hit counts the more the fewer languages share the word.
    scores: [u32; Language::LATIN.len()],
    hits: [u32; Language::LATIN.len()],
    words: u32,
}

impl Evidence {
    fn gather(normalised: &str) -> Self {
        let mut evidence = Self::default();
        let mut lower_storage = String::new();
        for word in latin_words(normalised).take(SAMPLE_WORDS) {
            evidence.words += 1;
            // No function word is longer, and nothing is to be gained from reading a word of many kilobytes.
            if word.len() > 24 {
                continue;
            }
            let lower = if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
                word
            } else {
                lower_storage.clear();
                lower_storage.extend(word.chars().flat_map(char::to_lowercase));
                &lower_storage
            };
            let languages = spelled_in(lower);
            if languages.is_empty() {
                continue;
            }
            for language in Language::LATIN.into_iter().filter(|language| languages.contains(*language)) {
                evidence.scores[language as usize] += 12 / languages.len();
                evidence.hits[language as usize] += 1;
            }
        }
        evidence
    }

    /// The language with the highest score; the first listed of equals.
    fn best(&self) -> (Language, u32) {
        let mut best = (Language::English, self.scores[Language::English as usize]);
        for language in Language::LATIN {
            if self.scores[language as usize] > best.1 {
                best = (language, self.scores[language as usize]);
            }
        }
        best
    }
}

/// The stretches of Latin letters.
fn latin_words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|char| !is_latin(char));
        // Most letters are plain ones, which need no decoding.
        let plain = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let end = plain + rest[plain..].find(|char| !is_latin(char)).unwrap_or(rest.len() - plain);
        let (word, after) = rest.split_at(end);
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

fn is_latin(char: char) -> bool {
    char.is_ascii_alphabetic() || matches!(char, 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ɏ')
}

/// What whatlang calls the languages of [`Language::LATIN`], in the same order.
const DETECTED: [Lang; 14] = [
    Lang::Eng,
    Lang::Deu,
    Lang::Fra,
    Lang::Spa,
    Lang::Por,
    Lang::Ita,
    Lang::Nld,
    Lang::Swe,
    Lang::Dan,
    Lang::Nob,
    Lang::Fin,
    Lang::Hun,
    Lang::Ron,
    Lang::Tur,
];

fn by_statistics(normalised: &str) -> Option<Language> {
    let sample = &normalised[..normalised.floor_char_boundary(SAMPLE_BYTES)];
    if sample.chars().filter(|char| is_latin(*char)).count() < LEAST_LETTERS {
        return None;
    }
    let found = Detector::with_allowlist(DETECTED.to_vec()).detect(sample)?;
    if !found.is_reliable() {
        return None;
    }
    let index = DETECTED.iter().position(|lang| *lang == found.lang())?;
    Some(Language::LATIN[index])
}

#[cfg(test)]
mod tests {
    use super::super::function_words::languages_of;
    use super::*;

    #[track_caller]
    fn taken_for(text: &str, expected: &[Language]) {
        let languages = languages_of_text(text);
        let found: Vec<Language> =
            Language::LATIN.into_iter().filter(|language| languages.contains(*language)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_query_may_be_in_english_though_it_names_what_is_not() {
        for query in ["When is the dentist?", "wifi password", "Where did André park?", "Who cooks the coq au vin?"] {
            assert!(may_be_in_english(query), "{query}");
        }
        for query in ["Wann ist der Termin beim Zahnarzt?", "歯医者はいつ", "¿Cuándo es la cita con el dentista?"]
        {
            assert!(!may_be_in_english(query), "{query}");
        }
    }

    #[test]
    fn plain_english_is_english_alone() {
        taken_for("I was in Berlin when the wall came down", &[Language::English]);
        taken_for("Caroline: Hey Mel! Good to see you! How have you been?", &[Language::English]);
    }

    #[test]
    fn no_evidence_means_english() {
        taken_for("", &[Language::English]);
        taken_for("Zürich Hauptbahnhof", &[Language::English]);
        taken_for("12345 !!!", &[Language::English]);
    }

    #[test]
    fn function_words_tell_the_language_of_a_sentence() {
        taken_for("Wir haben das Haus an der Ecke nicht gekauft", &[Language::German]);
        taken_for("Nous avons acheté la maison au coin de la rue", &[Language::French]);
        taken_for("Ho comprato la casa che si trova nella piazza", &[Language::Italian]);
        taken_for("Olen nyt kotona ja hän on siellä", &[Language::Finnish]);
    }

    #[test]
    fn little_evidence_means_english_as_well() {
        taken_for("Ich komme morgen", &[Language::English, Language::German]);
    }

    #[test]
    fn one_foreign_word_does_not_make_a_query_foreign() {
        let languages = languages_of_query("world war two");
        assert!(!languages_of("war").shares_any(languages));
    }

    #[test]
    fn a_german_question_has_german_function_words() {
        let languages = languages_of_query("wann war die Prüfung");
        assert!(languages_of("war").shares_any(languages));
    }
}
