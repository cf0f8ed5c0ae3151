//! The best that the driver does: a prepared `INSERT` of the same columns, committed by itself, on connections that are shared by sending
//! one after the other without waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use tokio_postgres::{Client, NoTls, Statement};
use uuid::Uuid;

use super::corpus::Corpus;
use super::doing::Measured;

const TABLE: &str = "
    CREATE TABLE plain (
        account_id uuid, row bigint, id uuid, status smallint, author smallint, agent_name bytea, category text,
        created_at bigint, captured_at bigint, updated_at bigint, revision bigint, seq bigint, raw_text bytea,
        PRIMARY KEY (account_id, row), UNIQUE (account_id, id))";

const INSERT: &str = "INSERT INTO plain VALUES ($1, $2, $3, 0, 0, NULL, 'observation', $4, $4, $4, 0, $2, $5)";

pub(crate) struct Plain {
    clients: Vec<Arc<(Client, Statement)>>,
    row: Arc<AtomicI64>,
}

impl Plain {
    pub(crate) async fn prepare(address: &str, connections: usize) -> Self {
        let mut clients = Vec::new();
        for number in 0..connections {
            let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
            tokio::spawn(connection);
            if number == 0 {
                client.batch_execute(TABLE).await.unwrap();
            }
            let insert = client.prepare(INSERT).await.unwrap();
            clients.push(Arc::new((client, insert)));
        }
        Self { clients, row: Arc::default() }
    }

    /// Stores for a while, by so many callers at a time, each for the next of as many accounts.
    pub(crate) async fn measured(&self, accounts: usize, callers: usize, time: Duration) -> Measured {
        let begun = Instant::now();
        let caller = |number: usize| {
            let (client, row) = (self.clients[number % self.clients.len()].clone(), self.row.clone());
            tokio::spawn(async move {
                let (client, insert) = &*client;
                let (mut corpus, mut times) = (Corpus::new(number as u64 + 17), Vec::new());
                while begun.elapsed() < time {
                    let account = Uuid::from_u128(corpus.below(accounts) as u128);
                    let (row, text, now) =
                        (row.fetch_add(1, Ordering::Relaxed), corpus.text(), 1_700_000_000_000_000_i64);
                    let at = Instant::now();
                    let values = (account, Uuid::now_v7(), text.as_bytes());
                    client.execute(insert, &[&values.0, &row, &values.1, &now, &values.2]).await.unwrap();
                    times.push(at.elapsed());
                }
                times
            })
        };
        let callers: Vec<_> = (0..callers).map(caller).collect();
        let mut times = Vec::new();
        for caller in callers {
            times.extend(caller.await.unwrap());
        }
        Measured::of(times, Some(begun.elapsed()))
    }
}
