//! The same memory gives the same answers, however its enrichment was timed: what thoughts mention, every link, and the ids and
//! scores of eighty questions, to the last digit.

use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;
use tokio::task::JoinSet;
use uuid::Uuid;

use afterthought::app::App;
use model::{
    AccountId, Author, AuthorFilter, Caller, Category, Clock, Detail, Mode, Order, RandomIds, RevisionKind, Status,
    Thought, ThoughtId, ThoughtText, Time, TopK,
};
use service::embed::{EmbedError, Embedder};
use service::enrich::{Enrichment, Round, Worker};
use service::memory::Retrieve;
use store::{Piece, Store, Update, Updated};

/// A model of words: texts are as close as the words they share.
struct Words;

const DIMENSIONS: usize = 384;

impl Embedder for Words {
    fn model_id(&self) -> &str {
        "words"
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| vector(text)).collect())
    }

    fn texts_at_once(&self) -> usize {
        3
    }
}

fn vector(text: &str) -> Vec<f32> {
    let mut sum = vec![0.05_f32; DIMENSIONS];
    for word in text.to_lowercase().split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let mut state = word.bytes().fold(7_u64, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        for value in &mut sum {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *value += (state >> 40) as f32 / 16_777_216.0 - 0.5;
        }
    }
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    sum.iter().map(|value| value / length).collect()
}

/// A clock that stands still.
struct Then;

impl Clock for Then {
    fn now(&self) -> Time {
        at(100_000)
    }
}

fn at(minute: i64) -> Time {
    Time::from_micros(1_790_000_000_000_000 + minute * 60_000_000)
}

/// How many thoughts there are: more than the sample of an account takes in one by one.
const THOUGHTS: u64 = 320;

const PEOPLE: [&str; 10] = [
    "Dana Whitfield",
    "Dana",
    "Rui Costa",
    "whitfield",
    "Marek Nowak",
    "marek",
    "Sofie",
    "Ana Reis",
    "Dana Cole",
    "Rui",
];
const DOING: [&str; 8] = [
    "works at Siemens in",
    "moved to",
    "no longer likes",
    "pays €12 for the gym in",
    "starts at 18:30 in",
    "visits",
    "plays the harp in",
    "now starts at 19:00 in",
];
const WHERE: [&str; 6] = ["Lisbon", "the school hall", "Porto", "kestrel", "Project Kestrel", "the parish hall"];

/// The texts, some of them the same: equals are told apart by their order alone.
fn text(number: u64) -> String {
    let some = |of: u64, factor: u64| (number.wrapping_mul(factor).wrapping_add(number / 7) % of) as usize;
    format!("{} {} {}", PEOPLE[some(10, 7)], DOING[some(8, 5)], WHERE[some(6, 11)])
}

fn thought(number: u64) -> Thought {
    let minute = i64::try_from(number).unwrap();
    Thought {
        id: id(number),
        raw_text: ThoughtText::new(text(number)).unwrap(),
        status: Status::Open,
        category: Category::Observation,
        author: if number.is_multiple_of(5) { Author::Agent { name: "laptop".into() } } else { Author::User },
        created_at: at(minute),
        captured_at: at(minute * 37 % 500),
        updated_at: at(minute),
        revision: 0,
    }
}

fn id(number: u64) -> ThoughtId {
    ThoughtId::from_uuid(Uuid::from_u128(u128::from(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) << 64 | 7))
}

/// A memory in a folder of its own.
struct Memory {
    folder: TempDir,
    store: Arc<dyn Store>,
    account: AccountId,
    workers: Vec<Arc<Worker>>,
}

impl Memory {
    async fn new(workers: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path()).await;
        let app = App::on(store.clone(), Some(Arc::new(Words)), Arc::new(Then), Arc::new(RandomIds));
        let account = app.keyring.create_account("ana".parse().unwrap()).await.unwrap().id;
        Self { workers: started(&store, workers), folder, store, account }
    }

    /// As after a restart.
    async fn again(self) -> Self {
        self.store.close().await.unwrap();
        let store = open(self.folder.path()).await;
        Self { workers: started(&store, self.workers.len()), store, ..self }
    }

    async fn store(&self, numbers: impl Iterator<Item = u64>) {
        let pieces = numbers.map(|number| Piece::Thought(thought(number))).collect();
        self.store.import(self.account, pieces).await.unwrap();
    }

    async fn change(&self, number: u64, text: Option<String>, status: Option<Status>) {
        let based_on = self.store.get(self.account, id(number)).await.unwrap().unwrap().revision;
        let text = text.map(|text| ThoughtText::new(text).unwrap());
        let update = Update { based_on, text, status, kind: RevisionKind::Change, by: String::new() };
        let updated = self.store.update(self.account, id(number), update).await.unwrap();
        assert!(matches!(updated, Updated::Done(_)), "{updated:?}");
    }

    /// A round of each worker, all at the same time; whether anything was done.
    async fn round(&self) -> bool {
        let mut rounds = JoinSet::new();
        for worker in &self.workers {
            let worker = worker.clone();
            rounds.spawn(async move { worker.round(&|| false).await.unwrap() });
        }
        rounds.join_all().await.into_iter().any(|round| round != Round::Idle)
    }

    async fn drain(&self) {
        while self.round().await {}
        let stats = self.store.stats().await.unwrap();
        assert_eq!((stats.pending_enrichment, stats.given_up), (0, 0));
    }

    /// What was derived, and what is answered.
    async fn told(&self) -> Vec<String> {
        let mut told = Vec::new();
        for number in 1..=THOUGHTS {
            told.push(format!("{:?}", self.store.connections(self.account, &[id(number)]).await.unwrap()));
        }
        let app = App::on(self.store.clone(), Some(Arc::new(Words)), Arc::new(Then), Arc::new(RandomIds));
        let caller = Caller { account: self.account, key: None, key_name: "tester".parse().unwrap() };
        for number in 0..80_usize {
            let asked = [PEOPLE[number % 10], DOING[number % 8], WHERE[number % 6]];
            let query = match number % 3 {
                0 => format!("Where does {} live now?", asked[0]),
                1 => format!("{} {}", asked[1], asked[2]),
                _ => format!("{} {}", asked[0], asked[2]),
            };
            let retrieve = Retrieve {
                query: Some(query.clone()),
                order: Order::Relevance,
                top_k: TopK::DEFAULT,
                threshold: None,
                mode: Mode::Full,
                detail: Detail::Full,
                author: AuthorFilter::All,
                cursor: None,
            };
            let found = app.memory.retrieve(&caller, retrieve).await.unwrap().thoughts;
            let hits: Vec<_> =
                found.iter().map(|found| (found.thought.id, found.relevance.as_ref().map(|told| told.score))).collect();
            told.push(format!("{query}: {hits:?}"));
        }
        told
    }
}

async fn open(folder: &Path) -> Arc<dyn Store> {
    store_sqlite::open(folder, Arc::new(Then), 8).await.unwrap()
}

fn started(store: &Arc<dyn Store>, count: usize) -> Vec<Arc<Worker>> {
    let worker = || Worker::start(Enrichment::new(store.clone(), Arc::new(Words), Arc::new(Then))).unwrap();
    (0..count).map(|_| Arc::new(worker())).collect()
}

/// What all are compared with: everything is stored, and then enriched by one worker.
async fn stored_at_once() -> Vec<String> {
    let memory = Memory::new(1).await;
    memory.store(1..=THOUGHTS).await;
    memory.drain().await;
    memory.told().await
}

fn assert_same(found: &[String], expected: &[String]) {
    let others: Vec<_> = found.iter().zip(expected).filter(|(found, expected)| found != expected).collect();
    assert!(others.is_empty(), "{} of {} differ, first {:#?}", others.len(), expected.len(), others.first());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_timing_of_enrichment_changes_no_link_and_no_answer() {
    let expected = stored_at_once().await;
    let linked = expected.iter().filter(|told| told.contains("weight")).count();
    assert!(linked > 200, "{linked} are linked");
    assert!(expected.iter().any(|told| told.contains("replaces: Some")));

    let one_by_one = Memory::new(1).await;
    for number in 1..=THOUGHTS {
        one_by_one.store(number..=number).await;
        one_by_one.drain().await;
    }
    assert_same(&one_by_one.told().await, &expected);

    let mut in_between = Memory::new(3).await;
    for first in (1..=THOUGHTS).step_by(45) {
        in_between.store(first..=(first + 44).min(THOUGHTS)).await;
        for _ in 0..first % 5 {
            in_between.round().await;
        }
        in_between = in_between.again().await;
    }
    in_between.drain().await;
    assert_same(&in_between.told().await, &expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_derived_follows_from_the_texts_there_are_whenever_they_were_changed() {
    let expected = stored_at_once().await;
    let memory = Memory::new(2).await;
    memory.store(1..=THOUGHTS).await;
    for number in (3..=THOUGHTS).step_by(29) {
        memory.change(number, Some(text(number + 500)), Some(Status::Archived)).await;
        for _ in 0..number % 4 {
            memory.round().await;
        }
    }
    memory.drain().await;
    // Back to what the others hold, some of it while the rest is under way.
    for number in (3..=THOUGHTS).rev().step_by(29).collect::<Vec<_>>() {
        for other in (3..=THOUGHTS).step_by(29).filter(|other| other % 5 == number % 5) {
            memory.change(other, Some(text(other)), Some(Status::Open)).await;
            memory.round().await;
        }
    }
    memory.drain().await;
    let (derived, answers) = (..THOUGHTS as usize, THOUGHTS as usize..);
    let found = memory.told().await;
    assert_same(&found[derived], &expected[derived]);
    assert_same(&found[answers.clone()], &expected[answers]);
}
