//! Laws that hold for every text, tried on generated ones.

use std::collections::HashSet;

use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::fold::normalise;
use super::script::is_unspaced;
use super::{QueryTerm, Wanted, fold, lexical_form, one_typo_variants, query_terms, snippet};

/// Texts that look like thoughts: words of many scripts, identifiers, addresses, and the signs between them.
fn texts() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => "[a-zA-Z]{1,10}",
        2 => "[a-zàâäçéèêëîïôöùûüßñåæøœ]{1,10}",
        1 => "[а-яёА-ЯЁ]{1,10}",
        1 => "[α-ωάέήίόύώ]{1,8}",
        1 => "[一-十東京都大阪ぁ-んァ-ヶ가-힣ก-ฮ]{1,6}",
        1 => "[ا-ي]{1,8}",
        1 => "[अ-हा-्]{1,6}",
        2 => "[a-zA-Z0-9]{1,6}([-_./:@#+~,'’&=?]{1,2}[a-zA-Z0-9東京é]{1,6}){1,4}",
        1 => "https?://(www\\.)?[a-z]{1,5}\\.[a-z]{2,3}(/[a-zA-Z0-9]{0,4}){0,3}(\\?[a-z]=[0-9])?",
        1 => "[+(]?[0-9]{1,4}[)]?",
        1 => "\\PC{1,6}",
        1 => prop::sample::select(vec![
            "the", "and", "don't", "Bob's", "l'homme", "C++", "C#", ".NET", "v2.3.1", "e\u{301}a\u{300}", "🎉", "👩‍👩‍👧", "½",
        ])
        .prop_map(str::to_owned),
    ];
    let gap = prop::sample::select(vec![" ", " ", " ", "\n", ", ", ". ", "… ", "\u{a0}", " (", ") ", "。", "\t\t"]);
    prop::collection::vec((word, gap), 0..30)
        .prop_map(|words| words.into_iter().flat_map(|(word, gap)| [word, gap.to_owned()]).collect())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![3 => texts(), 1 => any::<String>(), 1 => "\\PC{0,80}"]
}

fn stored(text: &str) -> HashSet<String> {
    lexical_form(text).text.split(' ').map(str::to_owned).collect()
}

fn missing(stored: &HashSet<String>, query: &str) -> Vec<QueryTerm> {
    let is_stored = |term: &QueryTerm| term.tokens.iter().any(|token| stored.contains(token));
    query_terms(query).into_iter().filter(|term| !is_stored(term)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_text_is_found_by_each_of_its_chunks(text in any_text()) {
        let stored = stored(&text);
        for chunk in text.split_whitespace() {
            prop_assert_eq!(missing(&stored, chunk), vec![], "{:?} in {:?}", chunk, &text);
        }
    }

    #[test]
    fn a_text_is_found_by_each_of_its_words(text in texts()) {
        let stored = stored(&text);
        // Signs inside a word make it a compound, which is cut by other rules than those of UAX #29.
        let is_plain = |word: &&str| word.starts_with(char::is_alphanumeric) && !word.contains(['\'', '.', ',', '_', ':']);
        for word in normalise(&text).unicode_words().filter(is_plain) {
            prop_assert_eq!(missing(&stored, word), vec![], "{:?} in {:?}", word, &text);
        }
    }

    #[test]
    fn a_text_is_found_by_itself(text in any_text()) {
        prop_assert_eq!(missing(&stored(&text), &text), vec![]);
    }

    #[test]
    fn a_run_without_spaces_is_found_by_any_two_characters(text in any_text()) {
        let normalised: Vec<char> = normalise(&text).chars().collect();
        let stored = stored(&text);
        for pair in normalised.windows(2).filter(|pair| pair.iter().all(|char| is_unspaced(*char))) {
            let query: String = pair.iter().collect();
            prop_assert_eq!(missing(&stored, &query), vec![], "{:?} in {:?}", query, &text);
        }
    }

    #[test]
    fn case_and_accents_do_not_matter(word in "[a-zàâäçéèêëîïôöùûüñåøßA-ZÉÀÜа-яА-Яё]{1,12}", around in texts()) {
        let plain = fold(&word);
        prop_assert_eq!(missing(&stored(&format!("{word} {around}")), &plain), vec![]);
        let found_plain = missing(&stored(&format!("{plain} {around}")), &word);
        prop_assert!(found_plain.iter().all(|term| term.surface != plain), "{:?}", found_plain);
    }

    #[test]
    fn tokens_hold_no_white_space(text in any_text()) {
        let form = lexical_form(&text);
        prop_assert!(!form.text.contains(|char: char| char.is_whitespace() && char != ' '));
        prop_assert!(form.text.is_empty() || form.text.split(' ').all(|token| !token.is_empty() && token.len() <= 160));
        for term in query_terms(&text) {
            prop_assert!(!term.tokens.is_empty());
            prop_assert!(term.tokens.iter().all(|token| !token.is_empty() && !token.contains(char::is_whitespace)));
        }
    }

    #[test]
    fn forms_are_deterministic_and_bounded(text in any_text()) {
        let form = lexical_form(&text);
        prop_assert_eq!(&form, &lexical_form(&text));
        let length = normalise(&text).len();
        prop_assert!(form.text.len() <= 16 * length + 64, "{} from {}", form.text.len(), length);
        prop_assert!(form.words as usize <= length);
    }

    #[test]
    fn query_terms_are_bounded_and_distinct(text in any_text()) {
        let terms = query_terms(&text);
        let surfaces: HashSet<&str> = terms.iter().map(|term| term.surface.as_str()).collect();
        prop_assert!(terms.len() <= 64);
        prop_assert_eq!(surfaces.len(), terms.len());
    }

    #[test]
    fn folding_twice_changes_nothing(text in any_text()) {
        let once = fold(&text);
        prop_assert_eq!(fold(&once), once);
    }

    #[test]
    fn snippets_are_short_stretches_of_the_text(text in any_text(), query in any_text(), max_chars in 0_usize..80) {
        let terms = query_terms(&query);
        let wanted: Vec<Wanted<'_>> = terms.iter().map(|term| Wanted { tokens: &term.tokens, weight: 1.0 }).collect();
        for wanted in [&wanted[..], &[]] {
            let shown = snippet(&text, wanted, max_chars);
            prop_assert!(shown.chars().count() <= max_chars);
            if text.chars().count() <= max_chars {
                prop_assert_eq!(&shown, &text);
            } else {
                prop_assert!(is_stretch(&text, &shown), "{:?} of {:?}", shown, &text);
            }
        }
    }

    #[test]
    fn a_snippet_of_enough_room_shows_a_word_asked_for(before in texts(), after in texts()) {
        let text = format!("{before} zanzibar {after}");
        let terms = query_terms("zanzibar");
        let shown = snippet(&text, &[Wanted { tokens: &terms[0].tokens, weight: 1.0 }], 16);
        prop_assert!(shown.contains("zanzibar"), "{:?} of {:?}", shown, &text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn typos_are_looked_for_without_panic(text in texts()) {
        for term in query_terms(&text).iter().take(2) {
            let variants = one_typo_variants(term, |_| true);
            prop_assert!(variants.keys().all(|token| !term.tokens.contains(token)));
        }
    }
}

/// Whether `shown`, its signs of cutting taken off, is a stretch of `text` from grapheme bound to grapheme bound.
fn is_stretch(text: &str, shown: &str) -> bool {
    let bounds: HashSet<usize> = text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
    let without_lead = shown.strip_prefix('…').unwrap_or(shown);
    let without_tail = |shown: &str| shown.strip_suffix('…').unwrap_or(shown).to_owned();
    // A sign may be the text's own.
    [without_lead, shown].into_iter().flat_map(|shown| [shown.to_owned(), without_tail(shown)]).any(|stretch| {
        text.match_indices(&stretch).any(|(at, _)| bounds.contains(&at) && bounds.contains(&(at + stretch.len())))
    })
}
