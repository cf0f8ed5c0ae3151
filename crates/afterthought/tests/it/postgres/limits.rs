//! What becomes of requests where there are fewer connections than are asked for.

use std::time::Instant;

use serde_json::json;
use test_postgres::{Server, Settings};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls};

use super::{ANSWERED_WITHIN, Given, Load, assert_kept, captured, found, health, wait_until};

/// How many connections the server lets in.
const LET_IN: usize = 12;

/// A connection of somebody else.
async fn connected(address: &str) -> Result<Client, tokio_postgres::Error> {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

/// The first value of what the server answers.
async fn number(client: &Client, sql: &str) -> i64 {
    client.query_one(sql, &[]).await.unwrap().get(0)
}

const OF_THE_COPY: &str = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'afterthought'";

#[test]
fn a_database_that_lets_nobody_in_is_told_in_time_and_the_service_recovers() {
    let server =
        Server::start(&Settings { configuration: vec![format!("max_connections = {LET_IN}")], ..Settings::default() });
    let given = Given::on(&server.address(), "afterthought");
    let copy = given.copy();
    let key = copy.first_key().unwrap();
    let id = captured(&mut copy.caller(&key), "Ana likes tea");
    let runtime = Runtime::new().unwrap();
    // Somebody else takes every connection there is, and those of the copy once they are cut off.
    let others = runtime.block_on(async {
        let mut others = vec![connected(&server.address()).await.unwrap()];
        loop {
            let end =
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'afterthought'";
            number(&others[0], end).await;
            while let Ok(other) = connected(&server.address()).await {
                others.push(other);
            }
            if number(&others[0], OF_THE_COPY).await == 0 {
                return others;
            }
        }
    });
    let begun = Instant::now();
    let refused = copy.caller(&key).answer("capture_thought", &json!({"raw": "Otto likes milk"})).unwrap();
    assert!(begun.elapsed() < ANSWERED_WITHIN, "answered after {:?}", begun.elapsed());
    assert_eq!((refused.status, refused.error_code(), refused.header("retry-after")), (503, -32_001, Some("5")));
    assert_eq!(health(&copy), 503);
    drop((others, runtime));
    wait_until("health", || health(&copy) == 200);
    let mut caller = copy.caller(&key);
    assert_eq!(found(&mut caller, "Otto milk tea"), [id], "what was refused is not there");
}

#[test]
fn a_copy_takes_no_more_connections_than_it_may() {
    let server = Server::start(&Settings::default());
    let given = Given::on(&server.address(), "afterthought");
    let copy = given.copy_with(&["--store-connections", "2"]);
    let key = copy.first_key().unwrap();
    let runtime = Runtime::new().unwrap();
    let load = Load::on(&[&copy, &copy], &key);
    let most = runtime.block_on(async {
        let observer = connected(&server.address()).await.unwrap();
        let mut most = 0;
        while load.acknowledged() < 40 {
            most = most.max(number(&observer, OF_THE_COPY).await);
        }
        most
    });
    let acknowledged = load.end();
    assert_eq!(most, 2);
    assert_kept(&copy, &key, &acknowledged);
}
