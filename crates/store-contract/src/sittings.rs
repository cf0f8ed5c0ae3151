//! Thoughts by when they were captured.

use model::{Author, AuthorFilter, Status, Thought, ThoughtId, Time};
use store::{Beside, CapturedQuery, SittingsQuery, Terms};

use super::given::{Given, OPEN, agent, new, query};

fn around(thought: &Thought) -> SittingsQuery {
    SittingsQuery { ids: vec![thought.id], steps: 2, visible: OPEN, terms: Terms::default(), as_of: None }
}

async fn at(given: &Given, time: &str, author: Author) -> Thought {
    let mut thought = new("tea", author);
    thought.captured_at = Some(time.parse().unwrap());
    given.store.insert(given.account, thought).await.unwrap()
}

async fn beside(given: &Given, thought: &Thought) -> Vec<(ThoughtId, u8)> {
    let sittings = given.store.sittings(given.account, around(thought)).await.unwrap();
    let other = |pair: &Beside| match (pair.earlier == thought.id, pair.later == thought.id) {
        (true, _) => Some((pair.later, pair.steps)),
        (_, true) => Some((pair.earlier, pair.steps)),
        _ => None,
    };
    sittings.pairs.iter().filter_map(other).collect()
}

pub(crate) async fn neighbours_of_one_sitting_are_told(given: &Given) {
    let mut turns = Vec::new();
    for _ in 0..4 {
        turns.push(at(given, "2026-03-01T09:30:00Z", Author::User).await);
    }
    assert_eq!(beside(given, &turns[1]).await, [(turns[0].id, 1), (turns[2].id, 1), (turns[3].id, 2)]);
    let other = given.store.sittings(given.other_account, around(&turns[1])).await.unwrap();
    assert!(other.thoughts.is_empty() && other.pairs.is_empty());
}

pub(crate) async fn neighbours_tell_how_much_of_the_query_they_hold(given: &Given) {
    let texts = ["green tea", "a pot of tea with milk", "two cups"];
    let mut turns = Vec::new();
    for text in texts {
        turns.push(given.store.insert(given.account, new(text, Author::User)).await.unwrap());
    }
    // Two of its words have one stem.
    let asked = query("milk tea in pots, or a pot", AuthorFilter::User, Status::Open);
    let found = given.store.search(given.account, &asked).await.unwrap();
    let around = SittingsQuery { terms: found.terms.clone(), ..around(&turns[0]) };
    let sittings = given.store.sittings(given.account, around).await.unwrap();
    for turn in &turns {
        let held: f32 = sittings.held[&turn.id].iter().sum();
        let score = found.hits.iter().find(|hit| hit.thought.id == turn.id).and_then(|hit| hit.text_score);
        assert!((held - score.unwrap_or_default()).abs() < 1e-5, "{held} is not {score:?}");
    }
}

pub(crate) async fn a_pause_another_source_and_another_state_end_a_sitting(given: &Given) {
    let morning = at(given, "2026-03-01T09:30:00Z", Author::User).await;
    let evening = at(given, "2026-03-01T19:30:00Z", Author::User).await;
    let theirs = at(given, "2026-03-01T19:30:00Z", agent("laptop")).await;
    let done = at(given, "2026-03-01T19:30:00Z", Author::User).await;
    given.with_status(&done, Status::Completed).await;
    for thought in [&morning, &evening, &theirs] {
        assert_eq!(beside(given, thought).await, []);
    }
}

pub(crate) async fn thoughts_are_found_by_when_they_were_captured(given: &Given) {
    at(given, "2026-02-28T23:00:00Z", Author::User).await;
    let first = at(given, "2026-03-01T00:00:00Z", Author::User).await;
    let last = at(given, "2026-03-31T23:59:59Z", Author::User).await;
    at(given, "2026-03-05T00:00:00Z", agent("laptop")).await;
    at(given, "2026-04-01T00:00:00Z", Author::User).await;
    let time = |text: &str| text.parse::<Time>().unwrap();
    let query = CapturedQuery { start: time("2026-03-01"), end: time("2026-04-01"), visible: OPEN, limit: 10 };
    let found = given.store.captured_within(given.account, query).await.unwrap();
    assert_eq!(found.iter().map(|thought| thought.id).collect::<Vec<_>>(), [last.id, first.id]);
}
