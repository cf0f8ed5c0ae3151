use proptest::prelude::*;

use model::Status;
use text::{LexicalForm, lexical_form, query_terms};

use super::block::{Block, Segment};
use super::*;
use crate::backend::Entry;
use crate::facet::Facet;

/// An entry of a thought by the human user that is open.
fn open(seq: u64, thought: u32, text: &str) -> (Entry, LexicalForm) {
    (Entry { seq, thought, note: None, facet: OPEN }, lexical_form(text))
}

const OPEN: Facet = Facet::with(Status::Open, false);

fn index_of(entries: &[(Entry, LexicalForm)]) -> Index {
    let mut index = Index::default();
    entries.iter().for_each(|(entry, form)| index.add(*entry, form));
    index
}

fn found(index: &Index, query: &str) -> Vec<u32> {
    let filter = Filter::new(&[OPEN], None);
    let (ranked, _) = index.search(&query_terms(query), &filter, 10);
    ranked.into_iter().map(|ranked| ranked.thought).collect()
}

#[test]
fn a_text_with_more_of_the_query_comes_first() {
    let index = index_of(&[open(1, 1, "green tea"), open(2, 2, "green tea from Uji"), open(3, 3, "black coffee")]);
    assert_eq!(found(&index, "tea from Uji"), [2, 1]);
}

#[test]
fn a_word_of_like_meaning_finds_and_stays_behind_the_word_itself() {
    let index = index_of(&[open(1, 1, "our dog barks"), open(2, 2, "our pet sleeps"), open(3, 3, "black coffee")]);
    let mut terms = query_terms("pet");
    assert_eq!(found(&index, "pet"), [2]);
    terms[0].related = vec!["dog".to_owned(), "whippet".to_owned()];
    let (ranked, _) = index.search(&terms, &Filter::new(&[OPEN], None), 10);
    let scores: Vec<(u32, f32)> =
        ranked.iter().filter_map(|ranked| Some((ranked.thought, ranked.text_score?))).collect();
    assert_eq!(scores.iter().map(|(thought, _)| *thought).collect::<Vec<_>>(), [2, 1]);
    assert!(scores[1].1 < 0.5 * scores[0].1, "{scores:?}");
}

#[test]
fn a_mistyped_word_is_found_in_every_language_a_text_was_taken_for() {
    let german = "Ich habe gestern mit der Zahnärztin über die neue Rechnung gesprochen und sie hat mir alles erklärt";
    let mut entries: Vec<_> = (1..=60).map(|row| open(row, row as u32, "we paid the bill for the garden")).collect();
    entries.push(open(61, 61, german));
    entries.push(open(62, 62, "Rechnung Garten"));
    let index = index_of(&entries);
    // The one by way of English, as which so short a note is taken, the other because it holds the same word.
    assert_eq!(found(&index, "Rechnnug"), [62, 61]);
    // Nowhere but in a language that hardly anything is written in.
    assert_eq!(found(&index, "Zahnärztn"), [61]);
}

#[test]
fn a_replaced_entry_is_not_found_any_more() {
    let index = index_of(&[open(1, 1, "green tea"), open(2, 1, "black coffee")]);
    assert_eq!(found(&index, "tea"), [0_u32; 0]);
    assert_eq!(found(&index, "coffee"), [1]);
}

#[test]
fn a_filter_does_not_cost_hits() {
    let mut entries: Vec<_> = (1..=50).map(|row| open(row, row as u32, "tea tea tea")).collect();
    for (entry, _) in &mut entries[..40] {
        entry.facet = Facet::with(Status::Completed, false);
    }
    assert_eq!(found(&index_of(&entries), "tea").len(), 10);
}

#[test]
fn a_note_is_found_only_while_its_thought_is() {
    let (mut note, text) = open(2, 1, "hibiscus");
    (note.note, note.facet) = (Some(1), Facet::NOTE);
    let mut index = index_of(&[open(1, 1, "garden"), (note, text)]);
    assert_eq!(found(&index, "hibiscus"), [1]);
    let (mut archived, text) = open(3, 1, "garden");
    archived.facet = Facet::with(Status::Archived, false);
    index.add(archived, &text);
    assert_eq!(found(&index, "hibiscus"), [0_u32; 0]);
}

#[test]
fn a_removed_note_is_not_found() {
    let (mut note, text) = open(2, 1, "hibiscus");
    (note.note, note.facet) = (Some(1), Facet::NOTE);
    let mut index = index_of(&[open(1, 1, "garden"), (note, text)]);
    index.add(Entry { seq: 3, facet: Facet::REMOVED, ..note }, &LexicalForm::default());
    assert_eq!(found(&index, "hibiscus"), [0_u32; 0]);
}

#[test]
fn a_segment_is_read_back_as_stored() {
    let entries: Vec<_> = (1..=200).map(|row| open(row, row as u32, &format!("tea number {row}"))).collect();
    let growing = index_of(&entries);
    let segment = Segment::from_bytes(&growing.compact(0).unwrap().to_bytes()).unwrap();
    let mut loaded = Index::default();
    loaded.add_segment(0, segment);
    entries.iter().for_each(|(entry, form)| loaded.add_sealed(*entry, form.words));
    for query in ["tea", "number 7", "199"] {
        assert_eq!(found(&loaded, query), found(&growing, query), "{query}");
    }
}

#[test]
fn bytes_that_are_no_segment_are_not_read() {
    for bytes in [&b""[..], b"12345678", &[0xff; 40]] {
        assert!(Segment::from_bytes(bytes).is_none(), "{bytes:?}");
    }
}

/// Changes of a few thoughts with a few words, as (row, words) in the order they happen.
fn histories() -> impl Strategy<Value = Vec<(u32, String)>> {
    prop::collection::vec((1..8_u32, "(tea|rain|moss)( (tea|rain|moss|fern)){0,4}"), 1..40)
}

proptest! {
    #[test]
    fn an_index_that_saw_every_change_answers_like_one_that_saw_only_what_is_left(history in histories()) {
        let entries: Vec<_> =
            history.iter().enumerate().map(|(index, (row, text))| open(index as u64 + 1, *row, text)).collect();
        let last = |row: u32| entries.iter().rposition(|(entry, _)| entry.thought == row);
        let left: Vec<_> = entries
            .iter()
            .enumerate()
            .filter(|(index, (entry, _))| last(entry.thought) == Some(*index))
            .map(|(_, entry)| entry.clone())
            .collect();
        let (all, left) = (index_of(&entries), index_of(&left));
        let filter = Filter::new(&[OPEN], None);
        for query in ["tea", "rain moss", "fern tea"] {
            prop_assert_eq!(all.search(&query_terms(query), &filter, 5), left.search(&query_terms(query), &filter, 5));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_sealed_block_counts_many_tokens_as_a_growing_one_counts_each(
        texts in prop::collection::vec("([ab]\\^|[abc_ ]){0,12}", 0..20), tokens in prop::collection::btree_set("[abc]{1,4}", 0..40),
    ) {
        let mut block = Block::starting_at(1);
        (1..).zip(&texts).for_each(|(slot, text)| block.add_words(slot, text));
        let tokens: Vec<String> = tokens.into_iter().collect();
        let expected: Vec<u32> = tokens.iter().map(|token| block.count(token)).collect();
        let bytes = |block: &Block| (block.list_bytes(), ["a^", "ab^", "b^"].map(|tag| block.list_bytes_of(tag)));
        let growing = bytes(&block);
        block.seal(block.compact().unwrap());
        prop_assert_eq!(bytes(&block), growing);
        let mut counts = vec![0; tokens.len()];
        block.add_counts(&tokens, &mut counts);
        prop_assert_eq!(counts, expected);
    }

    #[test]
    fn the_best_are_those_a_look_at_every_text_finds(
        texts in prop::collection::vec("(tea|rain|moss)( (tea|rain|moss|fern|stone)){0,12}", 100..300),
        long in prop::collection::vec(0..100_usize, 0..3),
        notes in prop::collection::vec(0..100_u32, 0..5),
    ) {
        let mut texts: Vec<String> = texts;
        for which in long {
            texts[which] = format!("{} {}", texts[which], "word ".repeat(300));
        }
        let mut entries: Vec<_> = (1..).zip(&texts).map(|(row, text)| open(u64::from(row), row, text)).collect();
        for (number, thought) in (1..).zip(notes) {
            let (mut note, text) = open(entries.len() as u64 + 1, thought + 1, "a note about rain and stone");
            (note.note, note.facet) = (Some(number), Facet::NOTE);
            entries.push((note, text));
        }
        let note_count = entries.len() - texts.len();
        let index = index_of(&entries);
        let (ranked, terms) = index.search(&query_terms("tea fern stone"), &Filter::new(&[OPEN], None), 10);
        let mut seek = Seek::new(&terms);
        let texts = entries.iter().filter(|(entry, _)| entry.note.is_none());
        let scores: Vec<f32> = texts.map(|(_, form)| seek.held(form).iter().sum()).collect();
        let mut best: Vec<f32> = scores.iter().copied().filter(|score| *score > 0.0).collect();
        best.sort_by(|a, b| b.total_cmp(a));
        let mut found: Vec<f32> = Vec::new();
        for Ranked { thought, text_score, .. } in &ranked {
            if let Some(score) = text_score {
                prop_assert!((score - scores[*thought as usize - 1]).abs() < 1e-5);
                found.push(*score);
            }
        }
        prop_assert!(found.len() + note_count >= best.len().min(10));
        found.sort_by(|a, b| b.total_cmp(a));
        for (found, best) in found.iter().zip(&best) {
            prop_assert!((found - best).abs() < 1e-5, "{found} in place of {best}");
        }
    }
}
