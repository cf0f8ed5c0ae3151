//! What a request reads of an account does not grow with it, whether or not the database knows how large the account is: held by the counts
//! the server keeps of the rows it has read.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

use std::sync::Arc;
use std::time::Duration;

use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

use afterthought_store_postgres::{Settings, open};
use annotate::entities::{EntityKey, EntityKind, Mention};
use model::{
    Account, AccountId, Author, AuthorFilter, Category, Clock, Cursor, Status, SystemClock, Thought, ThoughtId,
    ThoughtText, Time,
};
use store::{
    CapturedQuery, Claim, Derived, Embedding, Enriched, EntityQuery, Filter, Finished, Job, LexicalQuery, Link,
    Listing, Piece, SemanticQuery, SittingsQuery, Step, Store, Visible,
};
use test_postgres::{Server, Settings as ServerSettings};

/// How many thoughts the account has, all of the person's.
const THOUGHTS: usize = 12_000;

/// Many more than any of these requests needs, and many fewer than there are.
const READ_MAX: i64 = 2_000;

/// How many names the thoughts of the account mention.
const NAMES: i64 = 700;

/// More rows than enriching a thought needs, and fewer than there are names.
const READ_OF_EACH_MAX: i64 = 200;

const MODEL: &str = "a model";

struct Given {
    server: Server,
    administrator: Client,
    account: AccountId,
    ids: Vec<ThoughtId>,
}

impl Given {
    /// A large account on a server that never looks by itself how large it is.
    async fn unknown_to_the_planner() -> Self {
        let mut given = Self::nothing().await;
        given.import("ana", THOUGHTS).await;
        given.work_all_off().await;
        given
    }

    /// No account yet, on such a server.
    async fn nothing() -> Self {
        let server = Server::start(&ServerSettings {
            configuration: vec!["autovacuum = off".to_owned()],
            ..ServerSettings::default()
        });
        let (administrator, connection) = tokio_postgres::connect(&server.address(), NoTls).await.unwrap();
        tokio::spawn(connection);
        Self { server, administrator, account: AccountId::from_uuid(Uuid::now_v7()), ids: Vec::new() }
    }

    async fn store(&self) -> Arc<dyn Store> {
        let (address, schema) = (self.server.address().parse().unwrap(), "afterthought".parse().unwrap());
        open(&Settings { address, schema, connections: 2 }, Arc::new(SystemClock)).await.unwrap()
    }

    async fn become_known(&mut self, known: Known) {
        match known {
            Known::Nothing => {}
            Known::Everything => self.administrator.batch_execute("ANALYZE").await.unwrap(),
            Known::Another => {
                self.import("rui", THOUGHTS).await;
                self.check_claims().await;
                self.work_all_off().await;
            }
        }
    }

    /// Whoever takes on work reads of it what it takes, not what is waiting.
    async fn check_claims(&self) {
        let store = self.store().await;
        // The first of many are queued.
        assert_eq!(self.claim(store.as_ref(), 20).await.len(), 20);
        let before = self.settled(store).await;
        let store = self.store().await;
        assert_eq!(self.claim(store.as_ref(), 20).await.len(), 20);
        let read = self.settled(store).await - before;
        assert!(read < READ_MAX, "taking on work reads {read} rows");
    }

    /// By copies that come and go: none does so much that it would have the server count.
    async fn work_all_off(&self) {
        let mut more = true;
        while more {
            let store = self.store().await;
            more = self.work_off(store.as_ref(), 250).await;
            store.close().await.unwrap();
        }
    }

    /// Goes on with a new account; nothing has been derived yet.
    async fn import(&mut self, name: &str, thoughts: usize) {
        self.account = AccountId::from_uuid(Uuid::now_v7());
        let store = self.store().await;
        let made = Account { id: self.account, name: name.parse().unwrap(), created_at: SystemClock.now() };
        assert!(store.insert_account(&made).await.unwrap());
        self.ids = (0..thoughts).map(|_| ThoughtId::from_uuid(Uuid::now_v7())).collect();
        let pebble = |(number, id): (usize, &ThoughtId)| {
            let at = at(number);
            Piece::Thought(Thought {
                id: *id,
                raw_text: ThoughtText::new(format!("pebble {number} from the beach")).unwrap(),
                status: Status::Open,
                category: Category::Observation,
                author: Author::User,
                created_at: at,
                captured_at: at,
                updated_at: at,
                revision: 0,
            })
        };
        let pieces: Vec<Piece> = self.ids.iter().enumerate().map(pebble).collect();
        store.import(self.account, pieces).await.unwrap();
        store.close().await.unwrap();
    }

    async fn claim(&self, store: &dyn Store, limit: usize) -> Vec<Job> {
        let now = SystemClock.now();
        let claim = Claim { now, leased_until: now.after(Duration::from_secs(60)), limit, text_bytes: 1 << 20 };
        store.claim(self.account, claim).await.unwrap()
    }

    /// Finishes some of the background work; whether there was any.
    async fn work_off(&self, store: &dyn Store, at_once: usize) -> bool {
        let jobs = self.claim(store, at_once).await;
        let finished = jobs.iter().enumerate().map(|(number, job)| {
            let embedding = Embedding {
                model: MODEL.to_owned(),
                centre: vec![0.0; 8].into(),
                parts: vec![vec![0.5; 8]],
                tokens: Vec::new(),
            };
            let name = format!("Person{} Name", job.thought.created_at.as_micros() / 1_000_000 % NAMES);
            let mentions = vec![Mention { name, kind: EntityKind::Person, span: 0..0 }];
            let derived = match job.ticket.step {
                Step::Enrich => Derived::Enriched(Enriched { embedding, mentions, category: Category::Observation }),
                Step::Link => Derived::Linked(vec![Link {
                    other: self.ids[number % self.ids.len()],
                    weight: 0.5,
                    replaces: None,
                }]),
            };
            Finished { ticket: job.ticket, derived }
        });
        store.finish(self.account, finished.collect()).await.unwrap();
        !jobs.is_empty()
    }

    /// How many rows have been read of the tables of accounts so far.
    async fn read(&self) -> i64 {
        let sql = "SELECT sum(coalesce(seq_tup_read, 0) + coalesce(indexes.read, 0))::bigint FROM pg_stat_user_tables AS tables
                   LEFT JOIN (SELECT relid, sum(idx_tup_read) AS read FROM pg_stat_user_indexes GROUP BY relid) AS indexes
                        ON indexes.relid = tables.relid
                   WHERE tables.schemaname = 'afterthought'";
        self.administrator.query_one(sql, &[]).await.unwrap().get(0)
    }

    /// How many rows something reads that a store does which holds the account in memory, beyond those that it read for that.
    async fn read_by(&self, holding: i64, does: impl AsyncFn(&dyn Store)) -> i64 {
        let before = self.read().await;
        let store = self.store().await;
        self.hold(store.as_ref()).await;
        does(store.as_ref()).await;
        self.settled(store).await - before - holding
    }

    /// Reads the account into memory.
    async fn hold(&self, store: &dyn Store) {
        store.search(self.account, &by_words()).await.unwrap();
        store.search_semantic(self.account, by_meaning(Vec::new())).await.unwrap();
    }

    /// How many rows have been read, when everybody who read has gone: a server counts then.
    async fn settled(&self, store: Arc<dyn Store>) -> i64 {
        store.close().await.unwrap();
        let others = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'afterthought'";
        while self.administrator.query_one(others, &[]).await.unwrap().get::<_, i64>(0) > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        self.read().await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_enriching_reads_does_not_grow_with_a_database_that_was_empty() {
    let mut given = Given::nothing().await;
    given.import("first", 1).await;
    let store = given.store().await;
    while given.work_off(store.as_ref(), 64).await {}
    given.import("ana", THOUGHTS).await;
    while given.work_off(store.as_ref(), 64).await {}
    let read = given.settled(store).await / THOUGHTS as i64;
    assert!(read < READ_OF_EACH_MAX, "enriching a thought reads {read} rows");
}

/// When the thought of that number was stored.
fn at(number: usize) -> Time {
    Time::from_micros(1_700_000_000_000_000 + number as i64 * 1_000_000)
}

fn visible(author: AuthorFilter) -> Visible {
    Visible::open(author)
}

fn by_words() -> LexicalQuery {
    let terms = text::query_terms("pebble 77 beach");
    LexicalQuery { terms, visible: visible(AuthorFilter::All), among: None, limit: 20, as_of: None }
}

fn by_meaning(also: Vec<ThoughtId>) -> SemanticQuery {
    SemanticQuery {
        model: MODEL.to_owned(),
        vector: vec![0.5; 8],
        tokens: Vec::new(),
        visible: visible(AuthorFilter::All),
        among: None,
        limit: 20,
        also,
        as_of: None,
    }
}

/// What the planner knows of how large accounts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    Everything,
    /// It knows another account, and takes this one for empty: what a new one is until the server looks again.
    Another,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_request_reads_does_not_grow_with_the_account() {
    let mut given = Given::unknown_to_the_planner().await;
    for known in [Known::Nothing, Known::Everything, Known::Another] {
        given.become_known(known).await;
        let (account, some) = (given.account, given.ids[5_000..5_020].to_vec());
        let holding = given.read_by(0, async |_| {}).await;
        let check = |what: &str, read: i64| assert!(read < READ_MAX, "{what} reads {read} rows, known: {known:?}");
        let counted = "SELECT count(*) FROM pg_class WHERE relname = 'thought' AND reltuples >= 0";
        let counted: i64 = given.administrator.query_one(counted, &[]).await.unwrap().get(0);
        assert_eq!(counted > 0, known != Known::Nothing);
        for author in [AuthorFilter::All, AuthorFilter::Agent] {
            let listing = Listing { visible: visible(author), before: None, limit: 20 };
            let read = given.read_by(holding, async |store| drop(store.list(account, &listing).await.unwrap())).await;
            check("browsing", read);
        }
        // The page that ends with the oldest thoughts.
        let before = Some(Cursor { created_at: at(19), id: Some(given.ids[19]) });
        let late = async |store: &dyn Store| {
            let listing = Listing { visible: visible(AuthorFilter::All), before, limit: 20 };
            assert_eq!(store.list(account, &listing).await.unwrap().len(), 19);
            assert_eq!(store.list_filtered(account, &Filter::default(), before, 20).await.unwrap().len(), 19);
        };
        check("a late page", given.read_by(holding, late).await);
        let read = given.read_by(holding, async |store| drop(store.search(account, &by_words()).await.unwrap())).await;
        check("a search by words", read);
        let meaning = async |store: &dyn Store| {
            drop(store.search_semantic(account, by_meaning(some.clone())).await.unwrap());
        };
        check("a search by meaning", given.read_by(holding, meaning).await);
        let around = async |store: &dyn Store| {
            let (ids, terms) = (some.clone(), store.search(account, &by_words()).await.unwrap().terms);
            let query = SittingsQuery { ids, steps: 2, visible: visible(AuthorFilter::All), terms, as_of: None };
            drop(store.sittings(account, query).await.unwrap());
        };
        check("what was said around", given.read_by(holding, around).await);
        let names = async |store: &dyn Store| {
            drop(store.known_names(account, vec!["person7".to_owned(), "pebble".to_owned()]).await.unwrap());
            let keys = vec![EntityKey { kind: EntityKind::Person, folded: "person7 name".to_owned() }];
            let query = EntityQuery { keys, visible: visible(AuthorFilter::All), among: None, limit: 20 };
            drop(store.search_entities(account, query).await.unwrap());
        };
        check("a name", given.read_by(holding, names).await);
        let linked = async |store: &dyn Store| {
            drop(store.linked(account, &some, visible(AuthorFilter::All)).await.unwrap());
            drop(store.replacing(account, &some, visible(AuthorFilter::All)).await.unwrap());
            drop(store.connections(account, &some).await.unwrap());
        };
        check("links", given.read_by(holding, linked).await);
        let within = async |store: &dyn Store| {
            let (start, end) = (Time::from_micros(1_700_000_000_000_000), Time::from_micros(1_800_000_000_000_000));
            let query = CapturedQuery { start, end, visible: visible(AuthorFilter::All), limit: 20 };
            drop(store.captured_within(account, query).await.unwrap());
        };
        check("a time", given.read_by(holding, within).await);
    }
}
