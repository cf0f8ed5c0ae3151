//! What a thought takes: on the disk of the server with everything that is really derived from it, and in the memory of a copy.

use std::time::Duration;

use ::service::enrich::Workers;
use ::service::memory::{Attribution, Capture};
use afterthought::app::App;
use afterthought::stores::{Location, STORE_CONNECTIONS};
use model::{Caller, KeyName, ThoughtText};
use test_postgres::Server;
use tokio_postgres::NoTls;

use super::corpus::Corpus;
use super::doing::Doing;
use super::texts;

/// The schema of the thoughts that are enriched by the built-in model.
const SCHEMA: &str = "enriched";

/// What a copy holds of the large account once it has been searched by words, and by meaning as well.
pub(crate) async fn of_what_is_held(database: &Location, large: &Caller, thoughts: usize) {
    let app = App::open(database).await.unwrap();
    for (doing, what) in [(Doing::Fast, "words"), (Doing::Full, "words and vectors")] {
        doing.once(&app, large, &mut Corpus::new(3)).await;
        let held = app.store.stats().await.unwrap().held_bytes;
        println!("held in memory of a thought, {what}: {} bytes", held / thoughts as u64);
    }
    app.store.close().await.unwrap();
}

/// What thoughts of about forty tokens take on the disk, enriched by the built-in model; table by table.
pub(crate) async fn on_disk(server: &Server, thoughts: usize) {
    let location = Location::parse(&server.address(), Some(SCHEMA), STORE_CONNECTIONS).unwrap();
    let app = App::open(&location).await.unwrap();
    let account = app.keyring.create_account("default".parse().unwrap()).await.unwrap();
    let caller = Caller { account: account.id, key: None, key_name: KeyName::owner() };
    let mut text_bytes = 0;
    for number in 0..thoughts {
        let text = texts::text(number);
        text_bytes += text.len();
        let raw_text = ThoughtText::new(text).unwrap();
        let capture = Capture { raw_text, captured_at: None, attribution: Attribution::User };
        app.memory.capture(&caller, capture).await.unwrap();
    }
    let workers = Workers::start(&app.enrichment, 2).unwrap();
    while app.store.stats().await.unwrap().pending_enrichment > 0 {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    workers.stop().await;
    Doing::Fast.once(&app, &caller, &mut Corpus::new(3)).await;
    for _ in 0..20 {
        app.store.upkeep().await.unwrap();
    }
    app.store.close().await.unwrap();
    let (client, connection) = tokio_postgres::connect(&server.address(), NoTls).await.unwrap();
    tokio::spawn(connection);
    let tables = "SELECT format('%I.%I', relnamespace::regnamespace, relname) FROM pg_class
                  WHERE relnamespace = $1::text::regnamespace AND relkind = 'r'";
    for table in client.query(tables, &[&SCHEMA]).await.unwrap() {
        client.batch_execute(&format!("VACUUM ANALYZE {}", table.get::<_, String>(0))).await.unwrap();
    }
    let sql =
        "SELECT relname::text, pg_table_size(oid), pg_indexes_size(oid), greatest(reltuples, 0)::bigint FROM pg_class
         WHERE relnamespace = $1::text::regnamespace AND relkind = 'r' AND pg_table_size(oid) > 16384
         ORDER BY pg_total_relation_size(oid) DESC";
    println!("on disk, {thoughts} thoughts of {} bytes, bytes a thought:", text_bytes / thoughts);
    println!("  {:<12} {:>8} {:>8} {:>14}", "table", "rows", "indexes", "rows a thought");
    let mut total = 0;
    for row in client.query(sql, &[&SCHEMA]).await.unwrap() {
        let (table, heap, indexes, rows): (String, i64, i64, i64) = (row.get(0), row.get(1), row.get(2), row.get(3));
        let each = |bytes: i64| bytes / thoughts as i64;
        total += heap + indexes;
        println!("  {table:<12} {:>8} {:>8} {:>14.2}", each(heap), each(indexes), rows as f64 / thoughts as f64);
    }
    println!("  {:<12} {:>8}", "together", total / thoughts as i64);
}
