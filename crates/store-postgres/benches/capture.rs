//! What a capture costs beside a plain `INSERT` over the same driver, in turns: `cargo bench -p afterthought-store-postgres --bench capture`,
//! half a minute.
//!
//! The server does not wait for a disk, unless `-- --disk` says so: what is left is the work of server and program, which is the same on a
//! machine with other things to do, where the quickest quarter is looked at. The service, of which `cargo bench --bench stores` stores, is not
//! in it.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark stops at the first surprise and prints")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_postgres::{Client, NoTls, Statement};
use uuid::Uuid;

use afterthought_store_postgres::{CONNECTIONS, Settings, open};
use model::{Account, AccountId, Author, Category, Clock, SystemClock, ThoughtId, ThoughtText};
use store::{NewThought, Store};
use test_postgres::{Server, Settings as ServerSettings};

const TEXT: &str =
    "the lamp of the old tower was what Ana asked for when we had tea in the garden of the house on the hill";

/// How long each does something at a time, and how often it is its turn.
const TURN: Duration = Duration::from_millis(250);
const TURNS: usize = 24;

/// A table with the columns of a thought, and the keys that any has.
const PLAIN: &str = "
    CREATE TABLE plain (
        account_id uuid, row bigint, id uuid, status smallint, author smallint, agent_name bytea, category text,
        created_at bigint, captured_at bigint, updated_at bigint, revision bigint, seq bigint, raw_text bytea,
        PRIMARY KEY (account_id, row), UNIQUE (account_id, id));
    CREATE TABLE indexed (LIKE afterthought.thought INCLUDING ALL)";

/// Stores in a table, a row after the other.
struct Plain {
    client: Client,
    insert: Statement,
    row: i64,
}

impl Plain {
    async fn into(table: &str, address: &str) -> Self {
        let client = connected(address).await;
        let insert =
            format!("INSERT INTO {table} VALUES ($1, $2, $3, 0, 0, NULL, 'observation', $4, $4, $4, 0, $2, $5)");
        let insert = client.prepare(&insert).await.unwrap();
        Self { client, insert, row: 0 }
    }

    async fn store(&mut self) {
        self.row += 1;
        let (account, id, text) = (Uuid::from_u128(1), Uuid::now_v7(), TEXT.to_owned());
        // Later each time, as thoughts are.
        let at = 1_700_000_000_000_000 + self.row;
        self.client.execute(&self.insert, &[&account, &self.row, &id, &at, &text.as_bytes()]).await.unwrap();
    }
}

async fn connected(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// What is measured.
enum Storing {
    Plain(Plain),
    Captures(Arc<dyn Store>, AccountId),
}

impl Storing {
    async fn once(&mut self) {
        match self {
            Self::Plain(plain) => plain.store().await,
            Self::Captures(store, account) => {
                let thought = NewThought {
                    id: ThoughtId::from_uuid(Uuid::now_v7()),
                    raw_text: ThoughtText::new(TEXT.to_owned()).unwrap(),
                    category: Category::Observation,
                    author: Author::User,
                    captured_at: None,
                };
                drop(store.insert(*account, thought).await.unwrap());
            }
        }
    }

    /// Stores for a turn; how long each took.
    async fn turn(&mut self, times: &mut Vec<Duration>) {
        let begun = Instant::now();
        while begun.elapsed() < TURN {
            let at = Instant::now();
            self.once().await;
            times.push(at.elapsed());
        }
    }
}

fn show(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |hundredth: usize| times[(times.len() - 1) * hundredth / 100].as_secs_f64() * 1e6;
    println!("{what:<36} p10 {:>7.1}   p25 {:>7.1}   p50 {:>7.1}   p99 {:>7.1} µs", at(10), at(25), at(50), at(99));
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    // On a thread of the runtime, as requests are.
    runtime.block_on(async { tokio::spawn(run()).await.unwrap() });
}

async fn run() {
    let waits = std::env::args().any(|argument| argument == "--disk");
    let durable = if waits { vec!["fsync = on".to_owned()] } else { Vec::new() };
    let server = Server::start(&ServerSettings { configuration: durable, ..ServerSettings::default() });
    let (address, schema) = (server.address().parse().unwrap(), "afterthought".parse().unwrap());
    let settings = Settings { address, schema, connections: CONNECTIONS };
    let store = open(&settings, Arc::new(SystemClock)).await.unwrap();
    let account = AccountId::from_uuid(Uuid::now_v7());
    let made = Account { id: account, name: "ana".parse().unwrap(), created_at: SystemClock.now() };
    assert!(store.insert_account(&made).await.unwrap());
    connected(&server.address()).await.batch_execute(PLAIN).await.unwrap();
    let mut all = [
        ("INSERT", Storing::Plain(Plain::into("plain", &server.address()).await), Vec::new()),
        (
            "INSERT with the indexes of `thought`",
            Storing::Plain(Plain::into("indexed", &server.address()).await),
            Vec::new(),
        ),
        ("capture", Storing::Captures(store.clone(), account), Vec::new()),
    ];
    for _ in 0..TURNS {
        for (_, storing, times) in &mut all {
            storing.turn(times).await;
        }
    }
    for (what, _, times) in all {
        show(what, times);
    }
    store.close().await.unwrap();
}
