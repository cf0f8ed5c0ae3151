//! Getting into a database: its form, its privileges, its absence.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

use tokio_postgres::NoTls;

use std::sync::Arc;

use afterthought_store_postgres::{Settings, is_vacant, open};
use model::SystemClock;
use store::StoreError;
use test_postgres::Place;

fn settings(place: &Place) -> Settings {
    at(place.address(), place.schema())
}

fn at(address: &str, schema: &str) -> Settings {
    Settings { address: address.parse().unwrap(), schema: schema.parse().unwrap(), connections: 4 }
}

async fn prepare(settings: &Settings) -> Result<(), StoreError> {
    open(settings, Arc::new(SystemClock)).await.map(drop)
}

/// Says something to the database as its administrator; the first value of what it answers.
async fn say(sql: &str) -> Option<String> {
    let (client, connection) = tokio_postgres::connect(test_postgres::address(), NoTls).await.unwrap();
    tokio::spawn(connection);
    let messages = client.simple_query(sql).await.unwrap();
    messages.into_iter().find_map(|message| match message {
        tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_copies_that_start_at_once_migrate_once() {
    let place = Place::fresh();
    assert!(is_vacant(&settings(&place)).await.unwrap());
    let copies: Vec<_> =
        (0..8).map(|_| settings(&place)).map(|own| tokio::spawn(async move { prepare(&own).await })).collect();
    for copy in copies {
        copy.await.unwrap().unwrap();
    }
    assert!(!is_vacant(&settings(&place)).await.unwrap());
    prepare(&settings(&place)).await.unwrap();
}

#[tokio::test]
async fn a_later_form_is_refused_before_anything_is_touched() {
    let place = Place::fresh();
    let schema = place.schema();
    let made = format!(
        "CREATE SCHEMA {schema}; CREATE TABLE {schema}.format (one boolean PRIMARY KEY, version bigint NOT NULL);
         INSERT INTO {schema}.format VALUES (true, 1000)"
    );
    say(&made).await;
    let refused = prepare(&settings(&place)).await.unwrap_err();
    assert!(matches!(refused, StoreError::Newer { found: 1000, .. }), "{refused}");
    let tables = format!("SELECT count(*) FROM pg_tables WHERE schemaname = '{schema}'");
    assert_eq!(say(&tables).await.as_deref(), Some("1"));
}

#[tokio::test]
async fn a_role_that_owns_its_schema_alone_is_enough() {
    let place = Place::fresh();
    let schema = place.schema();
    let made = format!("CREATE ROLE {schema}_role LOGIN; CREATE SCHEMA {schema} AUTHORIZATION {schema}_role");
    say(&made).await;
    let address = test_postgres::address().replace("postgres@", &format!("{schema}_role@"));
    prepare(&at(&address, schema)).await.unwrap();
    let refused = prepare(&at(&address, &format!("{schema}_other"))).await.unwrap_err().to_string();
    assert!(refused.contains("permission denied") && refused.contains(&format!("{schema}_other")), "{refused}");
    say(&format!("DROP SCHEMA {schema} CASCADE; DROP ROLE {schema}_role")).await;
}

#[tokio::test]
async fn where_there_is_no_database_one_sentence_says_so() {
    let nobody = at("postgres://ana:s3cret@127.0.0.1:1/notes", "afterthought");
    let failed = prepare(&nobody).await.unwrap_err().to_string();
    assert!(failed.contains("postgres://127.0.0.1:1/notes") && failed.contains("refused"), "{failed}");
    assert!(!failed.contains("s3cret") && !failed.contains('\n'), "{failed}");
}
