//! The same question gets the same answer on both back ends: ids, scores and all, on a few thousand thoughts.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

use std::sync::Arc;

use uuid::Uuid;

use annotate::entities::{EntityKey, Mention, NothingKnown, entities};
use model::{
    AccountId, Author, AuthorFilter, Category, Clock, Status, SystemClock, Thought, ThoughtId, ThoughtText, Time,
};
use store::{
    CapturedQuery, Claim, Derived, Embedding, Enriched, EntityListing, EntityQuery, Filter, Finished, Focus,
    LexicalQuery, Link, Piece, SemanticQuery, Step, Store, Visible,
};
use test_postgres::Place;

/// How many thoughts there are.
const THOUGHTS: u64 = 3_000;

/// As many numbers as the vectors of this test have.
const DIMENSIONS: usize = 32;

const MODEL: &str = "of this test";

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn of<'a>(&mut self, some: &[&'a str]) -> &'a str {
        some[usize::try_from(self.next()).unwrap() % some.len()]
    }

    fn vector(&mut self) -> Vec<f32> {
        let values: Vec<f32> = (0..DIMENSIONS).map(|_| (self.next() % 2_000) as f32 / 1_000.0 - 1.0).collect();
        let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
        values.into_iter().map(|value| value / length).collect()
    }
}

const PEOPLE: &[&str] = &["Ana Souza", "Ana", "Otto Lind", "Ingrid Berger", "Miguel", "Yuki Tanaka"];
const THINGS: &[&str] =
    &["tea", "the harbour", "a green lamp", "rain", "the old tower", "kite surfing", "a pebble", "bread"];
const VERBS: &[&str] = &["likes", "forgot", "bought", "paints", "wrote about", "dreams of", "no longer likes"];
const PLACES: &[&str] = &["Lisbon", "Osaka", "Oslo", "the beach", "Berlin"];

fn thoughts() -> Vec<Thought> {
    let mut numbers = Numbers(7);
    let thought = |number: u64| {
        let text = format!(
            "{} {} {} in {} on day {}",
            numbers.of(PEOPLE),
            numbers.of(VERBS),
            numbers.of(THINGS),
            numbers.of(PLACES),
            numbers.next() % 500
        );
        let created_at = Time::from_micros(1_700_000_000_000_000 + i64::try_from(number).unwrap() * 60_000_000);
        let author = match number % 3 {
            0 => Author::Agent { name: "laptop".to_owned() },
            _ => Author::User,
        };
        Thought {
            id: ThoughtId::from_uuid(Uuid::from_u128(u128::from(number) << 64 | 7)),
            raw_text: ThoughtText::new(text).unwrap(),
            status: Status::ALL[usize::try_from(number % 7).unwrap().min(2) % 3],
            category: Category::ALL[usize::try_from(number % 4).unwrap()],
            author,
            created_at,
            captured_at: Time::from_micros(created_at.as_micros() - i64::try_from(numbers.next() % 5).unwrap()),
            updated_at: created_at,
            revision: 0,
        }
    };
    (1..=THOUGHTS).map(thought).collect()
}

fn recognise(text: &str) -> Vec<Mention> {
    entities(text, &NothingKnown)
}

/// Stores everything, enriches it with vectors that are the same everywhere, and links some of it.
async fn fill(store: &Arc<dyn Store>, account: AccountId) {
    let pieces: Vec<Piece> = thoughts().into_iter().map(Piece::Thought).collect();
    for some in pieces.chunks(500) {
        store.import(account, some.to_vec()).await.unwrap();
    }
    let centre: Arc<[f32]> = vec![0.01; DIMENSIONS].into();
    let now = SystemClock.now();
    let later = Time::from_micros(now.as_micros() + 60_000_000);
    loop {
        let claim = Claim { now, leased_until: later, limit: 500, text_bytes: usize::MAX };
        let mut jobs = store.claim(account, claim).await.unwrap();
        if jobs.is_empty() {
            return;
        }
        jobs.sort_by_key(|job| job.thought.id);
        let finished = jobs.into_iter().map(|job| {
            let mut numbers = Numbers(u64::from_be_bytes(job.thought.id.as_bytes()[..8].try_into().unwrap()));
            let derived = match job.ticket.step {
                Step::Enrich => Derived::Enriched(Enriched {
                    embedding: Embedding {
                        model: MODEL.to_owned(),
                        centre: centre.clone(),
                        parts: vec![numbers.vector()],
                        tokens: Vec::new(),
                    },
                    mentions: recognise(job.thought.raw_text.as_str()),
                    category: job.thought.category,
                }),
                Step::Link => {
                    let other = numbers.next() % THOUGHTS + 1;
                    let other = ThoughtId::from_uuid(Uuid::from_u128(u128::from(other) << 64 | 7));
                    let weight = (numbers.next() % 1_000) as f32 / 1_000.0;
                    Derived::Linked(vec![Link { other, weight, replaces: None }])
                }
            };
            Finished { ticket: job.ticket, derived }
        });
        store.finish(account, finished.collect()).await.unwrap();
    }
}

/// Everything that is asked, with everything that is answered, as text.
async fn answers(store: &Arc<dyn Store>, account: AccountId) -> Vec<String> {
    let mut answers = Vec::new();
    let mut numbers = Numbers(99);
    for status in Status::ALL {
        for author in [AuthorFilter::All, AuthorFilter::User, AuthorFilter::Agent] {
            let visible = Visible { status, author };
            for words in ["tea", "Ana likes tea", "harbor Lisbon", "kite surfing Osaka 17", "no longer", "pebbel"] {
                let terms = text::query_terms(words);
                let query = LexicalQuery { terms, visible, among: None, limit: 20, as_of: None };
                answers.push(format!("{words}: {:?}", store.search(account, &query).await.unwrap()));
            }
            let query = SemanticQuery {
                model: MODEL.to_owned(),
                vector: numbers.vector(),
                tokens: Vec::new(),
                visible,
                among: None,
                limit: 20,
                also: Vec::new(),
                as_of: None,
            };
            answers.push(format!("{:?}", store.search_semantic(account, query).await.unwrap()));
            let key = EntityKey::of(&recognise("Otto Lind likes Lisbon")[0]);
            let query = EntityQuery { keys: vec![key], visible, among: None, limit: 20 };
            answers.push(format!("{:?}", store.search_entities(account, query).await.unwrap()));
            let (start, end) = (Time::from_micros(1_700_000_000_000_000), Time::from_micros(1_700_005_000_000_000));
            let within = CapturedQuery { start, end, visible, limit: 30 };
            answers.push(format!("{:?}", store.captured_within(account, within).await.unwrap()));
        }
    }
    let filter = Filter { category: Some(Category::ALL[1]), ..Filter::default() };
    answers.push(format!("{:?}", store.list_filtered(account, &filter, None, 50).await.unwrap()));
    answers.push(format!("{:?}", store.census(account).await.unwrap()));
    let listing = EntityListing { limit: 100, ..EntityListing::default() };
    answers.push(format!("{:?}", store.list_entities(account, &listing).await.unwrap().entities));
    answers.push(format!("{:?}", store.graph(account, &Focus::Everything, 60).await.unwrap()));
    let ids: Vec<ThoughtId> = thoughts().iter().step_by(97).map(|thought| thought.id).collect();
    for id in &ids {
        answers.push(format!("{:?}", store.graph(account, &Focus::Thought(*id), 40).await.unwrap()));
    }
    let mut connections = store.connections(account, &ids).await.unwrap();
    connections.sort_by_key(|connections| connections.thought);
    answers.push(format!("{connections:?}"));
    let mut relatives = store.relatives(account, ids, MODEL).await.unwrap();
    relatives.iter_mut().for_each(|found| found.candidates.sort_by_key(|relative| relative.thought));
    answers.push(format!("{relatives:?}"));
    answers.push(format!("{:?}", store.duplicates(account, 0, 20).await.unwrap()));
    answers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_back_ends_answer_the_same_to_the_digit() {
    let (folder, place, account) =
        (tempfile::tempdir().unwrap(), Place::fresh(), AccountId::from_uuid(Uuid::from_u128(1)));
    let embedded = store_sqlite::open(folder.path(), Arc::new(SystemClock), 8).await.unwrap();
    let (address, schema) = (place.address().parse().unwrap(), place.schema().parse().unwrap());
    let settings = afterthought_store_postgres::Settings { address, schema, connections: 4 };
    let database = afterthought_store_postgres::open(&settings, Arc::new(SystemClock)).await.unwrap();
    tokio::join!(fill(&embedded, account), fill(&database, account));
    let (expected, found) = tokio::join!(answers(&embedded, account), answers(&database, account));
    assert!(expected.iter().filter(|answer| answer.len() > 1_000).count() > 40, "the questions have answers");
    for (expected, found) in expected.iter().zip(&found) {
        assert_eq!(expected, found);
    }
    // Once more from what has been put away: forms and blocks in place of texts.
    database.upkeep().await.unwrap();
    let again = afterthought_store_postgres::open(&settings, Arc::new(SystemClock)).await.unwrap();
    assert_eq!(answers(&again, account).await, expected);
}
