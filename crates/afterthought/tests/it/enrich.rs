//! Background enrichment end to end: what a thought means and what it is connected to is found after a while.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tempfile::TempDir;

use afterthought::app::App;
use afterthought::stores::Location;
use model::{
    AuthorFilter, Caller, Category, Clock, Detail, Mode, Order, SystemClock, Thought, ThoughtId, ThoughtText, Time,
    TopK,
};
use service::embed::{BuiltIn, EmbedError, Embedder};
use service::enrich::{Enrichment, Round, Worker, Workers};
use service::memory::{Attribution, Capture, Edit, Found, Retrieve};
use service::search::Signal;

/// A model that knows a few subjects by their words, and fails as told.
#[derive(Default)]
struct Subjects {
    unavailable: AtomicBool,
    /// How often each text was given to it.
    seen: Mutex<BTreeMap<String, u32>>,
}

const SUBJECTS: [&[&str]; 4] =
    [&["physician", "doctor", "checkup"], &["car", "vehicle", "garage"], &["tea", "drink"], &["invoice", "bill"]];

impl Embedder for Subjects {
    fn model_id(&self) -> &str {
        "subjects"
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if self.unavailable.load(Ordering::Relaxed) {
            return Err(EmbedError::Unavailable("told so".into()));
        }
        texts.iter().for_each(|text| *self.seen.lock().entry((*text).to_owned()).or_default() += 1);
        assert!(!texts.iter().any(|text| text.contains("poison")), "a text no model can bear");
        Ok(texts.iter().map(|text| subject(text)).collect())
    }

    fn texts_at_once(&self) -> usize {
        4
    }
}

/// A direction for each subject, and one for texts on none of them.
fn subject(text: &str) -> Vec<f32> {
    let text = text.to_lowercase();
    let mut vector: Vec<f32> =
        SUBJECTS.iter().map(|words| f32::from(u8::from(words.iter().any(|word| text.contains(word))))).collect();
    vector.push(0.3);
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.iter().map(|value| value / length).collect()
}

/// A clock that a test moves on.
struct LaterClock(AtomicU32);

impl Clock for LaterClock {
    fn now(&self) -> Time {
        SystemClock.now().after(Duration::from_secs(u64::from(self.0.load(Ordering::Relaxed))))
    }
}

/// An account whose thoughts are enriched by `Subjects`.
struct Given {
    app: App,
    caller: Caller,
    model: Arc<Subjects>,
    clock: Arc<LaterClock>,
    worker: Worker,
    folder: TempDir,
}

impl Given {
    async fn new() -> Self {
        let model = Arc::new(Subjects::default());
        Self::with(model.clone(), model).await
    }

    /// The same with the model inside the binary.
    async fn with_built_in_model() -> Self {
        Self::with(Arc::new(BuiltIn::default()), Arc::default()).await
    }

    async fn with(embedder: Arc<dyn Embedder>, model: Arc<Subjects>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let app = App::open_with(&Location::Embedded(folder.path().to_owned()), Some(embedder.clone())).await.unwrap();
        let account = app.keyring.create_account("ana".parse().unwrap()).await.unwrap();
        let (_, key) = app.keyring.create_key(account.id, "laptop".parse().unwrap()).await.unwrap();
        let caller = Caller { account: account.id, key: Some(key.id), key_name: key.name };
        let clock = Arc::new(LaterClock(AtomicU32::new(0)));
        let enrichment = Enrichment::new(app.store.clone(), embedder, clock.clone());
        let worker = Worker::start(enrichment).unwrap();
        Self { app, caller, model, clock, worker, folder }
    }

    async fn capture(&self, text: &str) -> Thought {
        let raw_text = ThoughtText::new(text).unwrap();
        let capture = Capture { raw_text, captured_at: None, attribution: Attribution::User };
        self.app.memory.capture(&self.caller, capture).await.unwrap()
    }

    async fn round(&self) -> Round {
        self.worker.round(&|| false).await.unwrap()
    }

    async fn drain(&self) {
        while let Round::Worked(_) = self.round().await {}
    }

    async fn find(&self, query: &str, mode: Mode) -> Vec<Found> {
        let retrieve = Retrieve {
            query: Some(query.into()),
            order: Order::Relevance,
            top_k: TopK::DEFAULT,
            threshold: None,
            mode,
            detail: Detail::Full,
            author: AuthorFilter::All,
            cursor: None,
        };
        self.app.memory.retrieve(&self.caller, retrieve).await.unwrap().thoughts
    }

    async fn given_up(&self) -> u64 {
        self.app.store.stats().await.unwrap().given_up
    }

    async fn pending(&self) -> u64 {
        self.app.store.stats().await.unwrap().pending_enrichment
    }
}

fn ids(found: &[Found]) -> Vec<ThoughtId> {
    found.iter().map(|found| found.thought.id).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_with_no_word_in_common_finds_its_thought() {
    let given = Given::new().await;
    let physician = given.capture("Appointment with the physician at noon").await;
    given.capture("Repaint the fence").await;
    assert_eq!(ids(&given.find("checkup", Mode::Full).await), []);
    given.drain().await;
    let found = given.find("checkup", Mode::Full).await;
    assert_eq!(found[0].thought.id, physician.id);
    assert_eq!(found[0].relevance.as_ref().unwrap().matched_by, [Signal::Semantic]);
    // A fast search compares no meanings, and no table of words knows this one.
    assert_eq!(ids(&given.find("checkup", Mode::Fast).await), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fast_search_finds_a_word_of_like_meaning_before_anything_is_enriched() {
    let given = Given::new().await;
    let physician = given.capture("Appointment with the physician at noon").await;
    given.capture("Repaint the fence").await;
    assert_eq!(ids(&given.find("doctor", Mode::Full).await), []);
    let found = given.find("doctor", Mode::Fast).await;
    assert_eq!(ids(&found), [physician.id]);
    assert_eq!(found[0].relevance.as_ref().unwrap().matched_by, [Signal::Lexical]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_short_note_of_another_language_is_found_by_its_inflections_in_both_modes() {
    let given = Given::new().await;
    let mut notes = Vec::new();
    for (note, asked) in [
        ("Rechnungen bezahlen", "Rechnung"),
        ("Impfung Hund", "Impfungen"),
        ("Factures EDF", "facture"),
        ("Vacunas perro", "vacuna"),
        ("Biglietti treno Torino", "biglietto"),
        ("Räkningar sommarstuga", "räkning"),
    ] {
        notes.push((given.capture(note).await.id, asked));
    }
    for (note, asked) in &notes {
        assert_eq!(ids(&given.find(asked, Mode::Fast).await), [*note], "{asked}");
    }
    given.drain().await;
    for (note, asked) in &notes {
        assert!(ids(&given.find(asked, Mode::Full).await).contains(note), "{asked}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_stored_of_a_relation_is_found_though_it_goes_by_the_name() {
    let given = Given::new().await;
    given.capture("My wife Sofie is a nurse").await;
    let clarinet = given.capture("Sofie brought her clarinet home").await;
    let harp = given.capture("Ana brought her harp home").await;
    given.capture("Rui's wife Ana is a teacher").await;
    given.drain().await;
    for mode in [Mode::Fast, Mode::Full] {
        let found = ids(&given.find("When was my wife here?", mode).await);
        let place = |id| found.iter().position(|found| *found == id).unwrap_or(usize::MAX);
        assert!(place(clarinet.id) < place(harp.id), "{mode:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_misspelt_query_is_compared_by_what_it_was_meant_to_be() {
    let given = Given::new().await;
    let physician = given.capture("Appointment with the physician at noon").await;
    given.capture("Repaint the fence").await;
    given.drain().await;
    for misspelt in ["doctr", "physican"] {
        let found = given.find(misspelt, Mode::Full).await;
        assert_eq!(ids(&found), [physician.id], "{misspelt}");
        assert!(found[0].relevance.as_ref().unwrap().matched_by.contains(&Signal::Semantic), "{misspelt}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_thoughts_joined_only_by_a_name_lead_to_each_other() {
    let given = Given::new().await;
    let invoice = given.capture("The invoice for the roof goes to Dana Whitfield").await;
    let cello = given.capture("At the concert we met Dana Whitfield again").await;
    for number in 0..30 {
        given.capture(&format!("A pot of tea, number {number}")).await;
    }
    given.drain().await;
    let found = given.find("invoice roof", Mode::Full).await;
    let connections = found[0].connections.as_ref().unwrap();
    assert_eq!(found[0].thought.id, invoice.id);
    assert_eq!(connections.links.iter().map(|link| link.other).collect::<Vec<_>>(), [cello.id]);
    assert_eq!(connections.entities[0].0, "Dana Whitfield");
    let linked = found.iter().find(|found| found.thought.id == cello.id).unwrap();
    assert_eq!(linked.relevance.as_ref().unwrap().matched_by, [Signal::Graph]);
    let back = given.find("concert", Mode::Full).await;
    assert!(ids(&back).contains(&invoice.id));
    let named = given.find("whitfield", Mode::Fast).await;
    assert_eq!(named.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_stale_survives_an_edit() {
    let given = Given::new().await;
    let thought = given.capture("buy a new vehicle with Dana Whitfield").await;
    given.drain().await;
    let before = given.find("car", Mode::Full).await;
    assert_eq!((ids(&before), before[0].thought.category), (vec![thought.id], Category::Task));
    let edit = Edit { request: None, raw_text: Some(ThoughtText::new("a quiet evening").unwrap()), based_on: None };
    let edited = given.app.memory.edit(&given.caller, thought.id, edit).await.unwrap().thought;
    assert_eq!(edited.category, Category::Observation);
    assert_eq!(ids(&given.find("car", Mode::Full).await), []);
    assert_eq!(ids(&given.find("Dana Whitfield", Mode::Full).await), []);
    given.drain().await;
    assert_eq!(ids(&given.find("car", Mode::Full).await), []);
    let found = given.find("quiet", Mode::Full).await;
    assert_eq!(found[0].connections.as_ref().unwrap().entities, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_poisoned_text_is_given_up_and_harms_no_other() {
    let given = Given::new().await;
    let poisoned = given.capture("a poisoned letter").await;
    let tea = given.capture("a kind of tea").await;
    given.drain().await;
    assert_eq!(given.find("drink", Mode::Full).await[0].thought.id, tea.id, "its meaning waits for nobody");
    assert_eq!((given.pending().await, given.given_up().await), (2, 0), "its links wait for what came before");
    for _ in 0..10 {
        given.clock.0.fetch_add(4_000, Ordering::Relaxed);
        given.drain().await;
    }
    assert_eq!((given.pending().await, given.given_up().await), (0, 1));
    assert_eq!(given.find("drink", Mode::Full).await[0].thought.id, tea.id);
    assert_eq!(given.find("poisoned letter", Mode::Full).await[0].thought.id, poisoned.id);
    // Once together with the other, then alone each time.
    assert_eq!(given.model.seen.lock()["a poisoned letter"], 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_out_of_reach_delays_enrichment_and_breaks_nothing() {
    let given = Given::new().await;
    let early = given.capture("a kind of tea").await;
    given.drain().await;
    given.model.unavailable.store(true, Ordering::Relaxed);
    let late = given.capture("the garage has the vehicle").await;
    for _ in 0..20 {
        given.clock.0.fetch_add(60, Ordering::Relaxed);
        assert_eq!(given.round().await, Round::Unavailable);
    }
    assert_eq!((given.pending().await, given.given_up().await), (1, 0));
    assert_eq!(ids(&given.find("tea", Mode::Full).await), [early.id]);
    given.model.unavailable.store(false, Ordering::Relaxed);
    given.clock.0.fetch_add(60, Ordering::Relaxed);
    given.drain().await;
    assert_eq!(given.pending().await, 0);
    assert_eq!(given.find("car", Mode::Full).await.first().map(|found| found.thought.id), Some(late.id));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_process_stores_is_enriched_within_15_seconds() {
    let given = Given::new().await;
    given.capture("a kind of tea").await;
    given.drain().await;
    let beside = App::open(&Location::Embedded(given.folder.path().to_owned())).await.unwrap();
    let raw_text = ThoughtText::new("the garage has the vehicle").unwrap();
    let capture = Capture { raw_text, captured_at: None, attribution: Attribution::User };
    let thought = beside.memory.capture(&given.caller, capture).await.unwrap();
    assert_eq!(given.round().await, Round::Idle, "an account at rest is not looked at");
    given.clock.0.fetch_add(15, Ordering::Relaxed);
    given.drain().await;
    assert_eq!(ids(&given.find("car", Mode::Full).await), [thought.id]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_text_is_found_by_its_last_part() {
    let given = Given::new().await;
    let filler = "Nothing of note happened on that day either. ".repeat(60);
    let long = given.capture(&format!("{filler}In the evening the physician called.")).await;
    for number in 0..5 {
        given.capture(&format!("Fence post number {number}")).await;
    }
    given.drain().await;
    assert_eq!(given.find("doctor", Mode::Full).await[0].thought.id, long.id);
}

#[tokio::test(flavor = "multi_thread")]
async fn captures_stay_fast_while_a_queue_drains() {
    let given = Given::new().await;
    let text = "Nothing of note happened on that day either. ".repeat(20);
    for number in 0..300 {
        given.capture(&format!("{number} {text}")).await;
    }
    let workers = Workers::start(&given.app.enrichment, 1).unwrap();
    let mut slowest = Duration::ZERO;
    let begun = Instant::now();
    while given.pending().await > 0 {
        let captured = Instant::now();
        if begun.elapsed() < Duration::from_secs(2) {
            given.capture("a kind of tea").await;
        }
        slowest = slowest.max(captured.elapsed());
        assert!(begun.elapsed() < Duration::from_secs(180), "the queue drains");
    }
    let drained = begun.elapsed();
    workers.stop().await;
    // Generous: a debug build beside other tests. A capture that waited for the queue would take as long as all of it.
    assert!(slowest < Duration::from_secs(1).max(drained / 4), "{slowest:?} of {drained:?}");
    assert_eq!(given.find("drink", Mode::Full).await[0].thought.raw_text.as_str(), "a kind of tea");
}

/// What else is in a memory.
const EVERYDAY: [&str; 12] = [
    "Repaint the fence before the winter",
    "The importer retries three times and then gives up",
    "Sourdough needs a hot oven and patience",
    "Train tickets to the coast are cheaper on weekdays",
    "The river was higher than last year",
    "A smaller font makes the invoice fit on one page",
    "The cat sleeps on the radiator",
    "Backups older than ninety days are removed",
    "Our landlord wants the keys back by the end of June",
    "Maybe a shared calendar for the football team",
    "The new parser is twice as fast",
    "Tomatoes grew better behind the shed",
];

#[tokio::test(flavor = "multi_thread")]
async fn the_built_in_model_finds_a_thought_that_has_no_word_of_the_query() {
    let given = Given::with_built_in_model().await;
    let physician = given.capture("Appointment with the physician about the sore throat").await;
    for text in EVERYDAY {
        given.capture(text).await;
    }
    assert_eq!(ids(&given.find("see my doctor", Mode::Full).await), []);
    given.drain().await;
    let found = given.find("see my doctor", Mode::Full).await;
    assert_eq!(found[0].thought.id, physician.id);
    assert_eq!(found[0].relevance.as_ref().unwrap().matched_by, [Signal::Semantic]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_score_in_the_readme_is_what_one_sees() {
    let readme = include_str!("../../../../README.md");
    let shown = readme.lines().find(|line| line.contains("retrieve_thoughts: ")).unwrap();
    let shown = shown.rsplit("score ").next().unwrap().trim_end_matches('*');
    let given = Given::with_built_in_model().await;
    given.capture("Dana moved the Falcon launch to 14 May, the venue is still open").await;
    for text in EVERYDAY {
        given.capture(text).await;
    }
    given.drain().await;
    let found = given.find("when is the falcon lanch?", Mode::Full).await;
    assert_eq!(format!("{:.2}", found[0].relevance.as_ref().unwrap().score), shown);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_the_built_in_model_a_name_alone_joins_two_thoughts() {
    let given = Given::with_built_in_model().await;
    let roof = given.capture("The bill for the new roof goes to Dana Whitfield").await;
    let cello = given.capture("Dana Whitfield plays the cello in a quartet").await;
    for text in EVERYDAY {
        given.capture(text).await;
    }
    given.drain().await;
    for (query, found, other) in [("roof", roof.id, cello.id), ("quartet", cello.id, roof.id)] {
        let answer = given.find(query, Mode::Full).await;
        assert_eq!(answer[0].thought.id, found);
        let links = &answer[0].connections.as_ref().unwrap().links;
        assert_eq!(links.first().map(|link| link.other), Some(other));
        let joined = answer.iter().find(|found| found.thought.id == other).unwrap();
        assert!(joined.relevance.as_ref().unwrap().matched_by.contains(&Signal::Graph));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_common_weekday_does_not_join_thoughts() {
    let given = Given::new().await;
    let car = given.capture("The car goes to the garage on Monday").await;
    let tea = given.capture("A pot of tea with Ingrid Berger on Monday").await;
    given.drain().await;
    let connections = given.app.store.connections(given.caller.account, &[car.id, tea.id]).await.unwrap();
    assert!(connections.iter().all(|connections| connections.links.is_empty()), "{connections:?}");
}
