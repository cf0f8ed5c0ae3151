use proptest::prelude::*;
use uuid::Uuid;

use annotate::{Asked, Meant, Moments, Tense};
use model::{Author, Category, Status, ThoughtText, Time};
use store::{Beside, Linked, Sittings};

use super::*;
use crate::search::alike::Alike;
use crate::search::judged::Judged;
use crate::search::meaning::Compared;
use crate::search::preferences::Answers;
use crate::search::replaced::Replaced;

pub(in crate::search) fn saying(number: u128, text: &str) -> Thought {
    Thought {
        id: ThoughtId::from_uuid(Uuid::from_u128(number)),
        raw_text: ThoughtText::new(text).unwrap(),
        status: Status::Open,
        category: Category::Fact,
        author: Author::User,
        created_at: Time::from_micros(0),
        captured_at: Time::from_micros(0),
        updated_at: Time::from_micros(0),
        revision: 0,
    }
}

pub(in crate::search) fn thought(number: u128) -> Thought {
    saying(number, "tea")
}

fn hit(number: u128, text: Option<f32>, note: Option<f32>) -> LexicalHit {
    let notes = note.map(|score| (NoteId::from_uuid(Uuid::from_u128(number)), score)).into_iter().collect();
    LexicalHit { thought: thought(number), text_score: text, notes }
}

fn compared(closest: Vec<(Thought, f64)>) -> Option<Compared> {
    let closeness = closest.iter().map(|(thought, closeness)| (thought.id, *closeness)).collect();
    Some(Compared {
        closest: closest.into_iter().map(|(thought, _)| thought).collect(),
        closeness,
        ..Compared::default()
    })
}

fn beside(earlier: u128, later: u128, steps: u8) -> Beside {
    let id = |number| ThoughtId::from_uuid(Uuid::from_u128(number));
    Beside { earlier: id(earlier), later: id(later), steps }
}

/// Thoughts stored one after the other, each with how much of the query it holds, by term.
fn in_sitting(held: &[(u128, &[f32])]) -> Sittings {
    let steps =
        |steps: usize| held.windows(steps + 1).map(move |these| beside(these[0].0, these[steps].0, steps as u8));
    Sittings {
        thoughts: held.iter().map(|(number, _)| thought(*number)).collect(),
        held: held.iter().map(|(number, held)| (thought(*number).id, held.to_vec())).collect(),
        pairs: steps(1).chain(steps(2)).collect(),
        population: held.len() as u64,
    }
}

fn order(ranked: &[Ranked<'_>]) -> Vec<ThoughtId> {
    ranked.iter().map(|ranked| ranked.thought.id).collect()
}

fn ids(numbers: &[u128]) -> Vec<ThoughtId> {
    numbers.iter().map(|number| ThoughtId::from_uuid(Uuid::from_u128(*number))).collect()
}

fn fused(lists: &Lists) -> Vec<Ranked<'_>> {
    fuse(lists, &Preferences::default())
}

#[test]
fn a_match_in_text_and_note_beats_either_alone() {
    let lexical = vec![hit(1, Some(0.5), None), hit(2, None, Some(0.5)), hit(3, Some(0.5), Some(0.5))];
    let lists = Lists { lexical, ..Lists::default() };
    assert_eq!(order(&fused(&lists)), ids(&[3, 1, 2]));
}

#[test]
fn a_text_that_holds_every_word_is_a_clear_answer_and_half_of_them_half_of_one() {
    let lexical = vec![hit(1, Some(1.0), None), hit(2, Some(0.5), None)];
    let lists = Lists { lexical, ..Lists::default() };
    let scores: Vec<f64> = fused(&lists).iter().map(|ranked| ranked.score).collect();
    assert!((scores[0] - 0.86).abs() < 0.01 && (scores[1] - 0.43).abs() < 0.01, "{scores:?}");
}

#[test]
fn a_match_in_words_and_meaning_beats_either_alone() {
    let lexical = vec![hit(1, Some(0.6), None), hit(3, Some(0.6), None)];
    let compared = compared(vec![(thought(1), 0.0), (thought(2), 0.5), (thought(3), 0.5)]);
    let lists = Lists { lexical, compared, ..Lists::default() };
    let ranked = fused(&lists);
    assert_eq!(order(&ranked), ids(&[3, 2, 1]));
    assert_eq!(ranked[0].matched_by, [Signal::Semantic, Signal::Lexical]);
    assert_eq!(ranked[2].matched_by, [Signal::Lexical]);
}

#[test]
fn a_thought_without_a_vector_counts_by_its_words() {
    let lexical = vec![hit(1, Some(0.8), None), hit(2, Some(0.3), None)];
    let lists = Lists { lexical, compared: compared(vec![(thought(2), 0.6)]), ..Lists::default() };
    assert_eq!(order(&fused(&lists)), ids(&[1, 2]));
}

#[test]
fn a_little_closeness_does_not_beat_the_words_of_the_query() {
    let lists = Lists {
        lexical: vec![hit(1, Some(0.7), None)],
        compared: compared(vec![(thought(2), 0.12)]),
        ..Lists::default()
    };
    assert_eq!(order(&fused(&lists)), ids(&[1, 2]));
}

#[test]
fn what_nothing_answers_has_low_scores() {
    let lists = Lists { compared: compared(vec![(thought(1), 0.12), (thought(2), 0.05)]), ..Lists::default() };
    let ranked = fused(&lists);
    assert_eq!(order(&ranked), ids(&[1]));
    assert!(ranked[0].score < 0.2);
}

#[test]
fn of_equals_the_one_between_good_neighbours_comes_first() {
    let compared = compared(vec![(thought(1), 0.5), (thought(2), 0.3), (thought(3), 0.5), (thought(4), 0.3)]);
    let sittings = Sittings {
        pairs: vec![beside(1, 2, 1), beside(2, 3, 1), beside(1, 3, 2)],
        population: 4,
        ..Sittings::default()
    };
    let lists = Lists { compared, sittings, ..Lists::default() };
    assert_eq!(order(&fused(&lists))[2..], ids(&[2, 4]));
}

#[test]
fn terms_spread_over_a_sitting_count_together_and_each_once() {
    let (one, other) = ([0.5, 0.0], [0.0, 0.5]);
    let lexical = [1, 2, 4, 5].map(|number| hit(number, Some(0.5), None)).to_vec();
    let apart = in_sitting(&[(4, &one), (5, &one)]);
    let mut sittings = in_sitting(&[(1, &one), (2, &other)]);
    sittings.thoughts.extend(apart.thoughts);
    sittings.held.extend(apart.held);
    sittings.pairs.extend(apart.pairs);
    let lists = Lists { lexical, sittings, ..Lists::default() };
    let ranked = fused(&lists);
    assert_eq!(order(&ranked), ids(&[1, 2, 4, 5]));
    assert!(ranked[1].score > ranked[2].score, "what holds the same word beside it gains nothing");
}

#[test]
fn what_holds_the_whole_query_is_not_beaten_by_what_borrows_from_it() {
    // A short text says a word more clearly than a long one; what it lacks it borrows.
    let sittings = in_sitting(&[(1, &[0.45, 0.45]), (2, &[0.65, 0.0]), (3, &[0.0, 0.65])]);
    let lexical = vec![hit(1, Some(0.9), None), hit(2, Some(0.65), None), hit(3, Some(0.65), None)];
    let lists = Lists { lexical, sittings, ..Lists::default() };
    assert_eq!(order(&fused(&lists))[0], ids(&[1])[0]);
}

#[test]
fn a_neighbour_that_holds_words_of_the_query_is_found_by_them() {
    let sittings = in_sitting(&[(1, &[0.5, 0.5]), (2, &[0.1, 0.0])]);
    let lists = Lists { lexical: vec![hit(1, Some(1.0), None)], sittings, ..Lists::default() };
    let ranked = fused(&lists);
    assert_eq!(order(&ranked), ids(&[1, 2]));
    assert_eq!(ranked[1].matched_by, [Signal::Lexical]);
}

#[test]
fn neighbours_count_where_the_best_stand_together() {
    let found = |numbers: &[u128]| compared(numbers.iter().map(|number| (thought(*number), 0.5)).collect());
    let lists = |numbers: &[u128]| Lists {
        compared: found(numbers),
        in_context: ids(numbers),
        sittings: Sittings {
            pairs: (0..1000).map(|number| beside(number, number + 1, 1)).collect(),
            population: 1000,
            ..Sittings::default()
        },
        ..Lists::default()
    };
    let of = |lists: &Lists| kinship(&gather(lists), lists);
    assert_eq!(of(&lists(&[10, 11, 12, 13, 500, 501, 502, 503])), 1.0);
    assert_eq!(of(&lists(&[10, 110, 210, 310, 410, 510, 610, 710])), 0.0);
}

#[test]
fn what_says_nothing_for_itself_is_not_found_by_its_neighbours() {
    let sittings = in_sitting(&[(1, &[1.0]), (2, &[0.0])]);
    let lists = Lists { lexical: vec![hit(1, Some(1.0), None)], sittings, ..Lists::default() };
    assert_eq!(order(&fused(&lists)), ids(&[1]));
}

#[test]
fn a_turn_is_found_by_what_it_answers() {
    let asked = saying(1, "Ana: How long have you had the turtles?");
    let said = |text| {
        let (thoughts, pairs) = (vec![asked.clone(), saying(2, text)], vec![beside(1, 2, 1)]);
        let lexical = vec![LexicalHit { thought: asked.clone(), text_score: Some(1.0), notes: Vec::new() }];
        let sittings = Sittings { thoughts, pairs, population: 2, ..Sittings::default() };
        Lists { lexical, sittings, ..Lists::default() }
    };
    let lists = said("Rui: Three years now!");
    let ranked = fused(&lists);
    assert_eq!(order(&ranked), ids(&[1, 2]));
    assert_eq!(ranked[1].matched_by, [Signal::Graph]);
    for text in ["Ana: Anyway.", "Three years now!"] {
        assert_eq!(order(&fused(&said(text))), ids(&[1]), "{text}");
    }
}

#[test]
fn a_thought_that_tells_what_is_asked_for_comes_before_one_that_asks() {
    let asks = (saying(1, "When does the course begin?"), 0.5);
    let says = (saying(2, "the course begins"), 0.5);
    let tells = (saying(3, "the course begins on Friday"), 0.45);
    let lists = Lists { compared: compared(vec![asks, says, tells]), ..Lists::default() };
    let answers = Some(Answers { tell: Some(Asked::Time) });
    assert_eq!(order(&fuse(&lists, &Preferences { answers, ..Preferences::default() })), ids(&[3, 2, 1]));
    assert_eq!(order(&fused(&lists)), ids(&[1, 2, 3]));
}

#[test]
fn several_connections_say_more_than_one() {
    let graph = vec![(thought(1), 0.6), (thought(2), 0.5), (thought(2), 0.5)];
    let lists = Lists { graph, ..Lists::default() };
    assert_eq!(order(&fused(&lists)), ids(&[2, 1]));
}

#[test]
fn a_turn_of_whom_the_query_means_comes_before_that_of_another() {
    let compared = compared(vec![(saying(1, "Rui: I swim"), 0.5), (saying(2, "Ana: I swim"), 0.45)]);
    let lists = Lists { compared, ..Lists::default() };
    let meant = Meant::of_query("When does Ana swim?");
    assert_eq!(order(&fuse(&lists, &Preferences { meant: Some(&meant), ..Preferences::default() })), ids(&[2, 1]));
    let nobody = Meant::of_query("When does Eva swim?");
    assert_eq!(order(&fuse(&lists, &Preferences { meant: Some(&nobody), ..Preferences::default() })), ids(&[1, 2]));
}

#[test]
fn in_short_notes_a_word_counts_less_beside_the_meaning_than_in_a_conversation() {
    let order_of = |texts: [&str; 2]| {
        let [word, meaning] = [(1, texts[0]), (2, texts[1])].map(|(number, text)| saying(number, text));
        let lexical = vec![LexicalHit { thought: word.clone(), text_score: Some(0.4), notes: Vec::new() }];
        let lists = Lists { lexical, compared: compared(vec![(word, 0.4), (meaning, 0.5)]), ..Lists::default() };
        order(&fused(&lists))
    };
    assert_eq!(order_of(["go-live in May", "studied in Porto"]), ids(&[2, 1]));
    assert_eq!(order_of(["Ana: go-live in May", "Rui: studied in Porto"]), ids(&[1, 2]));
}

#[test]
fn where_nothing_but_a_time_is_asked_for_the_time_decides() {
    let day = 86_400_000_000;
    let mut then = thought(2);
    then.captured_at = Time::from_micros(10 * day);
    let lists = Lists { compared: compared(vec![(thought(1), 0.5), (then, 0.1)]), ..Lists::default() };
    let moments = [Moments { start: Time::from_micros(10 * day), end: Time::from_micros(11 * day) }];
    let asked = |is_of_time_alone| Preferences { moments: &moments, is_of_time_alone, ..Preferences::default() };
    assert_eq!(order(&fuse(&lists, &asked(false))), ids(&[1, 2]));
    assert_eq!(order(&fuse(&lists, &asked(true))), ids(&[2, 1]));
}

#[test]
fn the_time_is_preferred_and_not_required() {
    let day = 86_400_000_000;
    let mut then = thought(2);
    then.captured_at = Time::from_micros(10 * day);
    let lists = Lists { compared: compared(vec![(thought(1), 0.5), (then, 0.45)]), ..Lists::default() };
    let moments = [Moments { start: Time::from_micros(10 * day), end: Time::from_micros(11 * day) }];
    assert_eq!(order(&fuse(&lists, &Preferences { moments: &moments, ..Preferences::default() })), ids(&[2, 1]));
}

/// Two that are equally good, the second of which was captured later and replaces the first.
fn old_and_new() -> Lists {
    let mut newer = thought(2);
    newer.captured_at = Time::from_micros(10);
    let compared = compared(vec![(thought(1), 0.5), (newer, 0.5)]);
    Lists { compared, ..Lists::default() }
}

#[test]
fn of_equals_the_later_comes_first() {
    assert_eq!(order(&fused(&old_and_new())), ids(&[2, 1]));
}

#[test]
fn who_asks_how_things_are_by_now_gets_the_later_and_who_asks_how_they_were_what_was_replaced() {
    let mut lists = old_and_new();
    let closest = lists.compared.as_mut().unwrap();
    closest.closeness.insert(thought(1).id, 0.55);
    let preferring = |tense| Preferences { tense, ..Preferences::default() };
    assert_eq!(order(&fuse(&lists, &preferring(None))), ids(&[1, 2]));
    assert_eq!(order(&fuse(&lists, &preferring(Some(Tense::Now)))), ids(&[2, 1]));
    let newer = lists.compared.as_ref().unwrap().closest[1].clone();
    lists.replaced = Replaced::of(&[Linked { with: thought(1).id, thought: newer, weight: 0.5, replaces: true }]);
    assert_eq!(order(&fuse(&lists, &preferring(None))), ids(&[2, 1]));
    let before = fuse(&lists, &preferring(Some(Tense::Before)));
    assert_eq!((order(&before), before[0].superseded_by), (ids(&[1, 2]), Some(thought(2).id)));
}

#[test]
fn a_thought_of_the_kind_the_query_names_comes_first_though_its_text_does_not_say_so() {
    let mut task = saying(2, "Cancel the subscription");
    task.category = Category::Task;
    let lists = Lists {
        lexical: vec![hit(1, Some(0.3), None)],
        compared: compared(vec![(thought(1), 0.15), (task.clone(), 0.12)]),
        captured: vec![task],
        ..Lists::default()
    };
    let preferences = Preferences { kind: Some(Category::Task), ..Preferences::default() };
    assert_eq!(order(&fuse(&lists, &preferences)), ids(&[2, 1]));
    assert_eq!(order(&fused(&lists)), ids(&[1, 2]));
}

#[test]
fn a_thought_that_tells_of_the_time_is_preferred_as_well() {
    let day = |text: &str| -> Time { text.parse().unwrap() };
    let mut told = saying(2, "On site from 20 to 22 October");
    told.captured_at = day("2026-09-18T10:00:00Z");
    let compared = compared(vec![(thought(1), 0.4), (told, 0.3)]);
    let lists = Lists { compared, ..Lists::default() };
    let moments = [Moments { start: day("2026-10-21T00:00:00Z"), end: day("2026-10-22T00:00:00Z") }];
    assert_eq!(order(&fused(&lists)), ids(&[1, 2]));
    assert_eq!(order(&fuse(&lists, &Preferences { moments: &moments, ..Preferences::default() })), ids(&[2, 1]));
}

fn any_lists() -> impl Strategy<Value = Lists> {
    let part = || prop::option::of(0.0..2.0_f32);
    let lexical = prop::collection::btree_map(0..12_u128, (part(), part()), 0..8);
    let list = || prop::collection::btree_map(0..12_u128, 0.0..1.0_f64, 0..8);
    let pairs = prop::collection::btree_set((0..12_u128, 1..3_u8), 0..8);
    let held = prop::collection::btree_map(0..14_u128, prop::array::uniform3(0.0..1.0_f32), 0..14);
    let population = 0..200_u64;
    let odds = prop::collection::btree_map(0..14_u128, -9.0..9.0, 0..3);
    let parts = (lexical, prop::option::of(list()), list(), pairs, held, population, odds);
    parts.prop_map(|(lexical, semantic, graph, pairs, held, population, odds)| Lists {
        lexical: lexical.into_iter().map(|(number, (text, note))| hit(number, text, note)).collect(),
        compared: semantic
            .and_then(|list| compared(list.into_iter().map(|(number, share)| (thought(number), share)).collect())),
        graph: graph.into_iter().map(|(number, share)| (thought(number), share)).collect(),
        captured: Vec::new(),
        replaced: Replaced::default(),
        alike: Alike::default(),
        judged: Judged::with(odds.into_iter().map(|(number, odds)| (thought(number).id, odds))),
        in_context: ids(&[0, 1, 2, 3, 4, 5]),
        sittings: Sittings {
            population,
            thoughts: pairs.iter().map(|(number, _)| thought(*number)).collect(),
            held: held.into_iter().map(|(number, held)| (thought(number).id, held.to_vec())).collect(),
            pairs: pairs.iter().map(|(number, steps)| beside(*number, number + u128::from(*steps), *steps)).collect(),
        },
    })
}

fn reversed(mut lists: Lists) -> Lists {
    lists.lexical.reverse();
    lists.compared.iter_mut().for_each(|compared| compared.closest.reverse());
    lists.graph.reverse();
    lists
}

proptest! {
    #[test]
    fn the_ranking_does_not_depend_on_the_order_of_the_lists(lists in any_lists()) {
        let reversed = reversed(lists.clone());
        prop_assert_eq!(order(&fused(&lists)), order(&fused(&reversed)));
    }

    #[test]
    fn scores_are_in_order_and_between_zero_and_one(lists in any_lists()) {
        let scores: Vec<f64> = fused(&lists).iter().map(|ranked| ranked.score).collect();
        prop_assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)));
        prop_assert!(scores.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn every_hit_says_what_found_it(lists in any_lists()) {
        let compared = lists.compared.is_some();
        for ranked in fused(&lists) {
            prop_assert!(!ranked.matched_by.is_empty());
            prop_assert!(compared || !ranked.matched_by.contains(&Signal::Semantic));
        }
    }
}
