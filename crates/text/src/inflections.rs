//! Other forms of a word, as they are stored where nothing tells the language of a text.
//!
//! A note of two words without function words (`Rechnungen bezahlen`) is taken for English, and its words are stored as English
//! leaves them. Whoever asks for `Rechnung` looks for those forms: the endings of a language are put to the word, and what its stemmer
//! takes for the same word counts.

use super::language::Language;
use super::stems::{folded_stem, is_stemmed};

/// Shorter words have too many others beside them.
const LETTERS_MIN: usize = 4;

/// The endings that nouns and verbs of a language mostly take.
const ENDINGS: [(Language, &[&str]); 13] = [
    (Language::German, &["", "e", "en", "n", "er", "ern", "s", "es", "em", "t", "te", "st"]),
    (Language::French, &["", "s", "x", "e", "es", "er", "ez", "ent", "ee", "ees", "ons", "ait"]),
    (Language::Spanish, &["", "s", "es", "a", "as", "o", "os", "ar", "er", "ir", "an", "ado"]),
    (Language::Portuguese, &["", "s", "es", "a", "as", "o", "os", "ar", "er", "ir", "am", "ado"]),
    (Language::Italian, &["", "a", "e", "i", "o", "are", "ere", "ire", "ato", "ata", "ati", "ano"]),
    (Language::Dutch, &["", "e", "en", "s", "t", "n", "de", "te", "den", "je"]),
    (Language::Swedish, &["", "en", "et", "ar", "er", "or", "arna", "erna", "a", "n", "na", "s"]),
    (Language::Danish, &["", "en", "et", "er", "ene", "erne", "e", "r", "s", "ne"]),
    (Language::Norwegian, &["", "en", "et", "er", "ene", "e", "r", "a", "s", "ne"]),
    (Language::Finnish, &["", "n", "a", "ssa", "sta", "lla", "lle", "t", "en", "ta", "an", "ja"]),
    (Language::Hungarian, &["", "k", "ok", "ek", "ban", "ben", "t", "at", "et", "nak", "nek", "val"]),
    (Language::Romanian, &["", "a", "e", "i", "le", "lor", "ul", "ului", "uri", "ile"]),
    (Language::Turkish, &["", "lar", "ler", "i", "da", "de", "in", "nin", "a", "e", "lari", "leri"]),
];

/// The tokens under which other forms of a folded word are stored in a text that says too little to tell its language; distinct, and
/// none for a word that no stemmer knows what to do with. Meant for words that are not English: `car` would bring in `care`.
#[must_use]
pub fn inflections(word: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    if word.len() < LETTERS_MIN || !is_stemmed(word) {
        return tokens;
    }
    for (language, endings) in ENDINGS {
        let stem = folded_stem(word, language);
        // Where only a few letters are left, any word could be meant.
        if stem.len() + 1 < LETTERS_MIN {
            continue;
        }
        let bases = [stem.as_str(), word];
        for &base in &bases[usize::from(stem == word)..] {
            for ending in endings {
                let form = [base, ending].concat();
                if form != word && folded_stem(&form, language) == stem {
                    tokens.push(folded_stem(&form, Language::English));
                }
            }
        }
    }
    tokens.sort_unstable();
    tokens.dedup();
    tokens
}

#[cfg(test)]
mod tests {
    use super::super::form::lexical_form;
    use super::*;

    #[track_caller]
    fn finds(word: &str, note: &str) {
        let form = lexical_form(note);
        let found = inflections(word);
        assert!(
            form.text.split(' ').any(|token| found.iter().any(|found| found == token)),
            "{word}: {note}: {found:?}"
        );
    }

    #[test]
    fn a_short_note_of_any_language_is_found_by_another_form_of_its_words() {
        finds("rechnung", "Rechnungen bezahlen");
        finds("rechnungen", "Rechnung bezahlen");
        finds("impfung", "Impfungen Kinder Montag");
        finds("facture", "Factures EDF");
        finds("reunion", "Réunions parents");
        finds("vacuna", "Vacunas perro");
        finds("reserva", "Reservas hotel Lisboa");
        finds("fattura", "Fatture luce");
        finds("biglietto", "Biglietti treno Torino");
        finds("rekening", "Rekeningen betalen");
        finds("rakning", "Räkningar betala");
        finds("regning", "Regninger betale");
        finds("lasku", "Laskut maksamatta");
        finds("szamla", "Számlák befizetése");
        finds("kitap", "Kitaplar Ayşe");
    }

    #[test]
    fn short_words_and_numbers_have_none() {
        for word in ["tee", "", "2024", "b2bs", "東京", "книга"] {
            assert_eq!(inflections(word), Vec::<String>::new(), "{word}");
        }
    }
}
