//! What has been derived: vectors, entities, links.

use std::time::Duration;

use annotate::entities::{EntityKey, EntityKind, Mention};
use model::{AuthorFilter, Category, Clock, Status, SystemClock, Thought, ThoughtId};
use store::{
    Claim, Connections, Derived, Embedding, Enriched, EntityQuery, Finished, Job, Link, Linked, Mentioned, Replaces,
    SemanticHits, SemanticQuery, Store, Visible,
};
use vectors::{TokenVector, WeightedToken};

use super::given::{Given, OPEN, agent, change, new, query};

/// What the steps would have brought.
struct Brought<'a> {
    model: &'a str,
    parts: Vec<Vec<f32>>,
    tokens: Vec<Vec<TokenVector>>,
    people: &'a [&'a str],
    links: Vec<Link>,
}

impl Default for Brought<'_> {
    fn default() -> Self {
        Self { model: "test", parts: vec![direction(0.0)], tokens: Vec::new(), people: &[], links: Vec::new() }
    }
}

/// A vector of length 1 at that angle.
fn direction(degrees: f32) -> Vec<f32> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    vec![cos, sin, 0.0]
}

fn link(other: ThoughtId, weight: f32) -> Link {
    Link { other, weight, replaces: None }
}

fn person(name: &str) -> Mention {
    Mention { name: name.into(), kind: EntityKind::Person, span: 0..0 }
}

async fn next_job(given: &Given) -> Job {
    let now = SystemClock.now().after(Duration::from_secs(1));
    let claim = Claim { now, leased_until: now.after(Duration::from_secs(60)), limit: 1, text_bytes: 1 };
    given.store.claim(given.account, claim).await.unwrap().remove(0)
}

async fn finish(given: &Given, derived: Derived) {
    let finished = Finished { ticket: next_job(given).await.ticket, derived };
    assert_eq!(given.store.finish(given.account, vec![finished]).await.unwrap(), 1);
}

/// Finishes both steps of the thought that waits.
async fn enrich(given: &Given, brought: Brought<'_>) {
    let embedding = Embedding {
        model: brought.model.into(),
        centre: [0.0; 3].into(),
        parts: brought.parts,
        tokens: brought.tokens,
    };
    let mentions = brought.people.iter().map(|name| person(name)).collect();
    finish(given, Derived::Enriched(Enriched { embedding, mentions, category: Category::Fact })).await;
    finish(given, Derived::Linked(brought.links)).await;
}

async fn enriched(given: &Given, text: &str, brought: Brought<'_>) -> Thought {
    let thought = given.a_thought(text).await;
    enrich(given, brought).await;
    thought
}

fn query_at(degrees: f32) -> SemanticQuery {
    let (vector, tokens, also) = (direction(degrees), Vec::new(), Vec::new());
    SemanticQuery { model: "test".into(), vector, tokens, visible: OPEN, among: None, limit: 10, also, as_of: None }
}

async fn close_to(store: &dyn Store, given: &Given, degrees: f32) -> SemanticHits {
    store.search_semantic(given.account, query_at(degrees)).await.unwrap()
}

fn found(hits: &SemanticHits) -> Vec<ThoughtId> {
    hits.hits.iter().map(|hit| hit.thought.id).collect()
}

async fn connections(given: &Given, thought: &Thought) -> Connections {
    given.store.connections(given.account, &[thought.id]).await.unwrap().remove(0)
}

async fn mentioning(given: &Given, folded: &str) -> Vec<ThoughtId> {
    let keys = vec![EntityKey { kind: EntityKind::Person, folded: folded.into() }];
    let query = EntityQuery { keys, visible: OPEN, among: None, limit: 10 };
    let hits = given.store.search_entities(given.account, query).await.unwrap();
    hits.into_iter().map(|hit| hit.thought.id).collect()
}

pub(crate) async fn what_is_found_by_meaning_does_not_depend_on_who_searched_by_words_before(given: &Given) {
    let turned = |degrees| Brought { parts: vec![direction(degrees)], ..Brought::default() };
    let mut all = Vec::new();
    for (number, degrees) in [5.0, 10.0, 15.0, 20.0].into_iter().enumerate() {
        all.push(enriched(given, &format!("kettle number {number}"), turned(degrees)).await);
    }
    let archived = given.with_status(&all[0], Status::Archived).await;
    given.with_status(&all[2], Status::Completed).await;
    let expected = [all[1].id, all[3].id];
    let by_meaning_alone = given.another_process().await;
    assert_eq!(found(&close_to(by_meaning_alone.as_ref(), given, 0.0).await), expected);
    let after_words = given.another_process().await;
    let words = query("kettle", AuthorFilter::All, Status::Open);
    after_words.search(given.account, &words).await.unwrap();
    // Changed since the words were read.
    given.with_status(&all[3], Status::Completed).await;
    given.with_status(&archived, Status::Open).await;
    assert_eq!(found(&close_to(after_words.as_ref(), given, 0.0).await), [all[0].id, all[1].id]);
}

pub(crate) async fn the_closest_thought_comes_first(given: &Given) {
    let far = enriched(given, "far", Brought { parts: vec![direction(80.0)], ..Brought::default() }).await;
    let near = enriched(given, "near", Brought { parts: vec![direction(10.0)], ..Brought::default() }).await;
    let hits = close_to(given.store.as_ref(), given, 0.0).await;
    assert_eq!(found(&hits), [near.id, far.id]);
    assert!((hits.hits[0].closeness.cosine - 10_f32.to_radians().cos()).abs() < 0.01);
    assert_eq!(found(&close_to(given.another_process().await.as_ref(), given, 0.0).await), [near.id, far.id]);
}

pub(crate) async fn a_thought_may_be_compared_however_far_it_is(given: &Given) {
    let near = enriched(given, "near", Brought { parts: vec![direction(10.0)], ..Brought::default() }).await;
    let far = enriched(given, "far", Brought { parts: vec![direction(80.0)], ..Brought::default() }).await;
    let fresh = given.a_thought("fresh").await;
    let query = SemanticQuery {
        model: "test".into(),
        vector: direction(0.0),
        tokens: Vec::new(),
        visible: OPEN,
        among: None,
        limit: 1,
        also: vec![far.id, near.id, fresh.id],
        as_of: None,
    };
    let hits = given.store.search_semantic(given.account, query).await.unwrap();
    assert_eq!(found(&hits), [near.id]);
    let also: Vec<ThoughtId> = hits.also.iter().map(|(id, _)| *id).collect();
    assert_eq!(also, [near.id, far.id]);
    assert_eq!(hits.also[0].1, hits.hits[0].closeness);
    assert!((hits.also[1].1.cosine - 80_f32.to_radians().cos()).abs() < 0.01);
}

pub(crate) async fn a_long_text_is_found_by_its_closest_part_once(given: &Given) {
    let parts = vec![direction(90.0), direction(5.0), direction(0.0)];
    let long = enriched(given, "long", Brought { parts, ..Brought::default() }).await;
    let short = enriched(given, "short", Brought { parts: vec![direction(15.0)], ..Brought::default() }).await;
    assert_eq!(found(&close_to(given.store.as_ref(), given, 0.0).await), [long.id, short.id]);
}

/// A token that is like no other one of another number.
fn token(number: usize) -> TokenVector {
    std::array::from_fn(|place| f32::from(u8::from(place == number)))
}

pub(crate) async fn tokens_tell_how_much_of_a_query_a_text_holds(given: &Given) {
    let tokens = vec![vec![token(1)], vec![token(2), token(3)]];
    let half = enriched(given, "half", Brought { tokens, ..Brought::default() }).await;
    let whole =
        enriched(given, "whole", Brought { tokens: vec![vec![token(1), token(2)]], ..Brought::default() }).await;
    let without = enriched(given, "without", Brought::default()).await;
    let asked = [1, 2].map(|number| WeightedToken { vector: token(number), weight: 1.0 });
    let held = async |store: &dyn Store| {
        let query = SemanticQuery { tokens: asked.to_vec(), also: vec![half.id], ..query_at(0.0) };
        let hits = store.search_semantic(given.account, query).await.unwrap();
        let of =
            |thought: &Thought| hits.hits.iter().find(|hit| hit.thought.id == thought.id).unwrap().closeness.clone();
        assert_eq!(hits.also[0].1, of(&half));
        [&half, &whole, &without].map(|thought| of(thought).held)
    };
    let expected = [Some(vec![1.0, 0.0]), Some(vec![1.0, 1.0]), None];
    assert_eq!(held(given.store.as_ref()).await, expected);
    assert_eq!(held(given.another_process().await.as_ref()).await, expected);
    given.store.update(given.account, whole.id, change(&whole, Some("changed"), None)).await.unwrap();
    enrich(given, Brought { tokens: vec![vec![token(3)]], ..Brought::default() }).await;
    assert_eq!(held(given.store.as_ref()).await, [Some(vec![1.0, 0.0]), Some(vec![0.0, 0.0]), None]);
}

pub(crate) async fn only_the_asked_status_and_author_are_compared(given: &Given) {
    let mine = enriched(given, "mine", Brought::default()).await;
    given.store.insert(given.account, new("theirs", agent("laptop"))).await.unwrap();
    enrich(given, Brought::default()).await;
    let gone = enriched(given, "gone", Brought::default()).await;
    let gone = given.with_status(&gone, Status::Archived).await;
    assert_eq!(found(&close_to(given.store.as_ref(), given, 0.0).await), [mine.id]);
    given.with_status(&gone, Status::Open).await;
    assert_eq!(found(&close_to(given.store.as_ref(), given, 0.0).await), [mine.id, gone.id]);
}

pub(crate) async fn nothing_derived_survives_an_edit(given: &Given) {
    let other = enriched(given, "other", Brought { people: &["Ana Reis"], ..Brought::default() }).await;
    let links = vec![link(other.id, 0.5)];
    let brought = Brought { people: &["Ana Reis", "Rui Paz"], links, ..Brought::default() };
    let thought = enriched(given, "Ana Reis met Rui Paz", brought).await;
    assert_eq!(connections(given, &other).await.links, [link(thought.id, 0.5)]);
    let (reader, both) = (given.another_process().await, [other.id, thought.id]);
    assert_eq!(found(&close_to(reader.as_ref(), given, 0.0).await), both);
    given.store.update(given.account, thought.id, change(&thought, Some("tea"), None)).await.unwrap();
    let empty = Connections { thought: thought.id, entities: Vec::new(), links: Vec::new() };
    assert_eq!(connections(given, &thought).await, empty);
    assert_eq!(connections(given, &other).await.links, []);
    assert_eq!(mentioning(given, "rui paz").await, []);
    assert_eq!(mentioning(given, "ana reis").await, [other.id]);
    for store in [&given.store, &reader] {
        assert_eq!(found(&close_to(store.as_ref(), given, 0.0).await), [other.id]);
    }
    let names = given.store.known_names(given.account, vec!["ana".into(), "rui".into()]).await.unwrap().names;
    assert_eq!(names.iter().map(|name| (name.name.as_str(), name.thoughts)).collect::<Vec<_>>(), [("Ana Reis", 1)]);
}

pub(crate) async fn a_short_name_is_joined_to_the_full_one(given: &Given) {
    let short = enriched(given, "one", Brought { people: &["Dana"], ..Brought::default() }).await;
    let full = enriched(given, "two", Brought { people: &["Dana Whitfield"], ..Brought::default() }).await;
    assert_eq!(mentioning(given, "dana").await, [full.id, short.id]);
    assert_eq!(connections(given, &short).await.entities, [("Dana Whitfield".into(), EntityKind::Person)]);
    let cole = enriched(given, "three", Brought { people: &["Dana Cole"], ..Brought::default() }).await;
    assert_eq!(mentioning(given, "dana whitfield").await, [full.id]);
    assert_eq!(connections(given, &short).await.entities, [("Dana".into(), EntityKind::Person)]);
    given.store.update(given.account, cole.id, change(&cole, Some("tea"), None)).await.unwrap();
    assert_eq!(mentioning(given, "dana whitfield").await, [full.id, short.id]);
}

pub(crate) async fn links_lead_to_the_thoughts_that_may_be_seen(given: &Given) {
    let done = enriched(given, "done", Brought::default()).await;
    let done = given.with_status(&done, Status::Completed).await;
    let open = enriched(given, "open", Brought::default()).await;
    let links = vec![link(done.id, 0.9), link(open.id, 0.5)];
    let thought = enriched(given, "one", Brought { links, ..Brought::default() }).await;
    let visible = Visible::open(AuthorFilter::All);
    let linked = given.store.linked(given.account, &[thought.id], visible).await.unwrap();
    let linked: Vec<_> = linked.into_iter().map(|linked| (linked.with, linked.thought.id, linked.weight)).collect();
    assert_eq!(linked, [(thought.id, open.id, 0.5)]);
    let agents = Visible { author: AuthorFilter::Agent, ..visible };
    assert!(given.store.linked(given.account, &[thought.id], agents).await.unwrap().is_empty());
}

pub(crate) async fn links_are_seen_from_both_ends_and_bounded(given: &Given) {
    let hub = enriched(given, "hub", Brought::default()).await;
    let mut spokes = Vec::new();
    for number in 0..12_u8 {
        let links = vec![link(hub.id, 0.3 + f32::from(number) / 100.0)];
        spokes.push(enriched(given, "spoke", Brought { links, ..Brought::default() }).await.id);
    }
    let linked: Vec<ThoughtId> = connections(given, &hub).await.links.into_iter().map(|link| link.other).collect();
    assert_eq!(linked, spokes.into_iter().rev().take(8).collect::<Vec<_>>());
}

pub(crate) async fn what_replaces_a_thought_is_told_from_either_end(given: &Given) {
    let old = enriched(given, "old", Brought::default()).await;
    let replacing = |replaces, other: &Thought| vec![Link { replaces: Some(replaces), ..link(other.id, 0.2) }];
    let links = replacing(Replaces::Other, &old);
    let new = enriched(given, "new", Brought { links, ..Brought::default() }).await;
    let links = replacing(Replaces::This, &new);
    let told_late = enriched(given, "told late", Brought { links, ..Brought::default() }).await;
    for _ in 0..10 {
        enriched(given, "also linked", Brought { links: vec![link(old.id, 0.9)], ..Brought::default() }).await;
    }
    let replaced = async |visible: Visible| {
        let ids = [old.id, new.id, told_late.id];
        let linked = given.store.linked(given.account, &ids, visible).await.unwrap();
        let pairs = |linked: Vec<Linked>| {
            linked.into_iter().map(|linked| (linked.with, linked.thought.id)).collect::<std::collections::BTreeSet<_>>()
        };
        let replaced = pairs(linked.into_iter().filter(|linked| linked.replaces).collect());
        assert_eq!(pairs(given.store.replacing(given.account, &ids, visible).await.unwrap()), replaced);
        replaced
    };
    let visible = Visible::open(AuthorFilter::All);
    assert_eq!(replaced(visible).await, [(old.id, new.id), (told_late.id, new.id)].into());
    let as_seen = async |from: &Thought, to: &Thought| {
        let links = connections(given, from).await.links;
        links.into_iter().find(|link| link.other == to.id).and_then(|link| link.replaces)
    };
    for older in [&old, &told_late] {
        assert_eq!(as_seen(older, &new).await, Some(Replaces::This));
        assert_eq!(as_seen(&new, older).await, Some(Replaces::Other));
    }
    let archived = given.with_status(&new, Status::Archived).await;
    assert_eq!(replaced(visible).await, [].into());
    given.with_status(&archived, Status::Open).await;
    assert_eq!(replaced(visible).await, [(old.id, new.id), (told_late.id, new.id)].into());
    assert_eq!(replaced(Visible { author: AuthorFilter::Agent, ..visible }).await, [].into());
}

pub(crate) async fn an_archived_thought_is_named_by_no_link(given: &Given) {
    let other = enriched(given, "other", Brought::default()).await;
    let thought = enriched(given, "one", Brought { links: vec![link(other.id, 0.5)], ..Brought::default() }).await;
    let archived = given.with_status(&other, Status::Archived).await;
    assert_eq!(connections(given, &thought).await.links, []);
    given.with_status(&archived, Status::Open).await;
    assert_eq!(connections(given, &thought).await.links, [link(other.id, 0.5)]);
}

pub(crate) async fn relatives_share_entities_or_meaning(given: &Given) {
    let ana = &["Ana Reis"][..];
    let near = enriched(given, "near", Brought { parts: vec![direction(5.0)], ..Brought::default() }).await;
    let named =
        enriched(given, "named", Brought { parts: vec![direction(170.0)], people: ana, ..Brought::default() }).await;
    let archived = enriched(given, "gone", Brought { people: ana, ..Brought::default() }).await;
    given.with_status(&archived, Status::Archived).await;
    let thought = enriched(given, "thought", Brought { people: ana, ..Brought::default() }).await;
    let relatives = given.store.relatives(given.account, vec![thought.id], "test").await.unwrap().remove(0);
    let of = |id| relatives.candidates.iter().find(|relative| relative.thought == id);
    assert!(of(near.id).unwrap().cosine.unwrap() > 0.99);
    assert_eq!(of(named.id).unwrap().shared, [3]);
    assert_eq!(of(archived.id).unwrap().shared, [3], "whoever reads links looks at the state");
    assert_eq!((of(thought.id), relatives.population), (None, 4));
}

pub(crate) async fn relatives_are_what_was_stored_before_and_as_it_was(given: &Given) {
    let near = |people| Brought { people, ..Brought::default() };
    let first = enriched(given, "first", near(&["Ana Reis"])).await;
    let short = enriched(given, "short", near(&["Ana"])).await;
    let ask = async || given.store.relatives(given.account, vec![first.id, short.id], "test").await.unwrap();
    let before = ask().await;
    assert_eq!(before[0].candidates, []);
    assert_eq!(before[1].candidates[0].shared, [2], "the only Ana there is");
    // A second Ana makes the short name doubtful from then on, and closer thoughts come.
    for people in [&["Ana Costa"][..], &["Ana Reis"], &["Ana"]] {
        enriched(given, "later", near(people)).await;
    }
    let after = ask().await;
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before.candidates, after.candidates);
        assert_eq!((before.typical_cosine, before.population), (after.typical_cosine, after.population));
    }
}

pub(crate) async fn names_are_known_from_earlier_thoughts_alone(given: &Given) {
    let first = enriched(given, "first", Brought { people: &["Ana Reis"], ..Brought::default() }).await;
    let second = enriched(given, "second", Brought { people: &["Ana Costa", "Rui"], ..Brought::default() }).await;
    let third = enriched(given, "third", Brought { people: &["Ana Reis"], ..Brought::default() }).await;
    let known = async |thought: &Thought| {
        let words = vec!["ana".into(), "rui".into()];
        let names = given.store.names_before(given.account, thought.id, words).await.unwrap();
        names.into_iter().map(|name| name.folded).collect::<Vec<_>>()
    };
    assert_eq!(known(&first).await, Vec::<String>::new());
    assert_eq!(known(&second).await, ["ana reis"]);
    assert_eq!(known(&third).await, ["ana reis", "ana costa", "rui"]);
}

pub(crate) async fn what_a_text_mentions_is_told_anew_while_its_job_is_there(given: &Given) {
    let thought = given.a_thought("ask ana").await;
    let embedding =
        Embedding { model: "test".into(), centre: [0.0; 3].into(), parts: vec![direction(0.0)], tokens: Vec::new() };
    finish(given, Derived::Enriched(Enriched { embedding, mentions: Vec::new(), category: Category::Fact })).await;
    let ticket = next_job(given).await.ticket;
    let mention = async |name| {
        let mentioned = Mentioned { ticket, mentions: vec![person(name)] };
        given.store.mention(given.account, vec![mentioned]).await.unwrap();
        given.store.connections(given.account, &[thought.id]).await.unwrap().remove(0).entities
    };
    let named = |name: &str| vec![(name.to_owned(), EntityKind::Person)];
    assert_eq!(mention("Ana").await, named("Ana"));
    assert_eq!(mention("Ana Reis").await, named("Ana Reis"));
    let finished = Finished { ticket, derived: Derived::Linked(Vec::new()) };
    assert_eq!(given.store.finish(given.account, vec![finished]).await.unwrap(), 1);
    assert_eq!(mention("Rui").await, named("Ana Reis"), "its job is done");
}

pub(crate) async fn another_model_answers_once_it_has_seen_every_thought(given: &Given) {
    let first = enriched(given, "first", Brought::default()).await;
    let second = enriched(given, "second", Brought::default()).await;
    for thought in [&first, &second] {
        assert_eq!(given.store.serving_model(given.account).await.unwrap().as_deref(), Some("test"));
        given.store.update(given.account, thought.id, change(thought, Some("again"), None)).await.unwrap();
        enrich(given, Brought { model: "other", ..Brought::default() }).await;
    }
    assert_eq!(given.store.serving_model(given.account).await.unwrap().as_deref(), Some("other"));
    given.store.upkeep().await.unwrap();
    assert_eq!(found(&close_to(given.store.as_ref(), given, 0.0).await), []);
}

pub(crate) async fn another_accounts_knowledge_is_not_reached(given: &Given) {
    let thought = enriched(given, "one", Brought { people: &["Ana Reis"], ..Brought::default() }).await;
    let other = given.other_account;
    assert_eq!(given.store.connections(other, &[thought.id]).await.unwrap(), []);
    assert_eq!(given.store.known_names(other, vec!["ana".into()]).await.unwrap().names, []);
    assert_eq!(given.store.serving_model(other).await.unwrap(), None);
}
