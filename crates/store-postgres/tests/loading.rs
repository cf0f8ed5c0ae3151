//! Reading an account into memory: by its words first, and only for as long as somebody waits for it.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;
use tokio_postgres::NoTls;
use uuid::Uuid;

use afterthought_store_postgres::{Settings, open};
use model::{
    Account, AccountId, Author, AuthorFilter, Category, Clock, Status, SystemClock, Thought, ThoughtId, ThoughtText,
    Time,
};
use store::{Claim, Derived, Embedding, Enriched, Finished, LexicalQuery, Piece, SemanticQuery, Step, Store, Visible};
use test_postgres::Place;

const MODEL: &str = "a model";
const VISIBLE: Visible = Visible::open(AuthorFilter::All);

async fn opened(place: &Place) -> Arc<dyn Store> {
    let (address, schema) = (place.address().parse().unwrap(), place.schema().parse().unwrap());
    open(&Settings { address, schema, connections: 4 }, Arc::new(SystemClock)).await.unwrap()
}

/// An account of pebbles, each with a vector.
async fn filled(store: &dyn Store, thoughts: usize) -> AccountId {
    let account = AccountId::from_uuid(Uuid::now_v7());
    let made = Account { id: account, name: "ana".parse().unwrap(), created_at: SystemClock.now() };
    assert!(store.insert_account(&made).await.unwrap());
    let pebble = |number: usize| {
        let at = Time::from_micros(1_700_000_000_000_000 + number as i64);
        Piece::Thought(Thought {
            id: ThoughtId::from_uuid(Uuid::now_v7()),
            raw_text: ThoughtText::new(format!("pebble{number} from the beach")).unwrap(),
            status: Status::Open,
            category: Category::Observation,
            author: Author::User,
            created_at: at,
            captured_at: at,
            updated_at: at,
            revision: 0,
        })
    };
    store.import(account, (0..thoughts).map(pebble).collect()).await.unwrap();
    loop {
        let now = SystemClock.now();
        let leased_until = now.after(Duration::from_secs(60));
        let jobs = store.claim(account, Claim { now, leased_until, limit: 500, text_bytes: 1 << 20 }).await.unwrap();
        if jobs.is_empty() {
            return account;
        }
        let finished = jobs.into_iter().map(|job| {
            let embedding = Embedding {
                model: MODEL.to_owned(),
                centre: vec![0.0; 8].into(),
                parts: vec![vec![0.5; 8]],
                tokens: Vec::new(),
            };
            let derived = match job.ticket.step {
                Step::Enrich => {
                    Derived::Enriched(Enriched { embedding, mentions: Vec::new(), category: Category::Observation })
                }
                Step::Link => Derived::Linked(Vec::new()),
            };
            Finished { ticket: job.ticket, derived }
        });
        store.finish(account, finished.collect()).await.unwrap();
    }
}

async fn by_words(store: &dyn Store, account: AccountId, words: &str) -> usize {
    let query = LexicalQuery { terms: text::query_terms(words), visible: VISIBLE, among: None, limit: 5, as_of: None };
    store.search(account, &query).await.unwrap().hits.len()
}

fn by_meaning() -> SemanticQuery {
    SemanticQuery {
        model: MODEL.to_owned(),
        vector: vec![0.5; 8],
        tokens: Vec::new(),
        visible: VISIBLE,
        among: None,
        limit: 5,
        also: Vec::new(),
        as_of: None,
    }
}

/// Keeps everybody from a table until it is dropped.
async fn keep_from(place: &Place, table: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(place.address(), NoTls).await.unwrap();
    tokio::spawn(connection);
    let lock = format!("BEGIN; LOCK TABLE {}.{table} IN ACCESS EXCLUSIVE MODE", place.schema());
    client.batch_execute(&lock).await.unwrap();
    client
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_asks_by_words_is_answered_before_the_vectors_are_in() {
    let place = Place::fresh();
    let account = filled(opened(&place).await.as_ref(), 100).await;
    let copy = opened(&place).await;
    let keeper = keep_from(&place, "vector").await;
    let asking = {
        let copy = copy.clone();
        tokio::spawn(async move { copy.search_semantic(account, by_meaning()).await })
    };
    let soon = Duration::from_secs(5);
    assert_eq!(timeout(soon, by_words(copy.as_ref(), account, "beach")).await.unwrap(), 5);
    assert!(!asking.is_finished(), "the vectors are out of reach");
    keeper.batch_execute("COMMIT").await.unwrap();
    assert_eq!(timeout(soon, asking).await.unwrap().unwrap().unwrap().hits.len(), 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reading_an_account_ends_with_whoever_waited_for_it() {
    let place = Place::fresh();
    let account = filled(opened(&place).await.as_ref(), 100).await;
    let copy = opened(&place).await;
    let keeper = keep_from(&place, "form").await;
    let asking = {
        let copy = copy.clone();
        tokio::spawn(async move { by_words(copy.as_ref(), account, "beach").await })
    };
    let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = $1::text::regclass";
    let table = format!("{}.form", place.schema());
    let waiting = async || keeper.query_one(waiting, &[&table]).await.unwrap().get::<_, i64>(0);
    let until = async |count: i64| {
        while waiting().await != count {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(5), until(1)).await.expect("it reads");
    asking.abort();
    // Long before the server itself would give the statement up, which takes it eight seconds.
    timeout(Duration::from_secs(5), until(0)).await.expect("it reads no more");
    keeper.batch_execute("COMMIT").await.unwrap();
    assert_eq!(by_words(copy.as_ref(), account, "beach").await, 5);
}
