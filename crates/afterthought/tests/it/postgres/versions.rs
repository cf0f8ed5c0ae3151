//! Copies of two versions on one database.

use std::process::Command;

use test_client::{Connection, Request};
use test_postgres::Place;

use super::{Given, captured, found, health, say};

#[test]
fn a_copy_beside_a_later_version_goes_on_and_says_that_it_is_to_be_replaced() {
    let place = Place::fresh();
    let given = Given::on(place.address(), place.schema());
    let copy = given.copy();
    let key = copy.first_key().unwrap();
    let mut caller = copy.caller(&key);
    assert_eq!(health(&copy), 200);
    // What a later version does when it migrates.
    let schema = place.schema();
    say(
        place.address(),
        &format!("ALTER TABLE {schema}.thought ADD COLUMN later text; UPDATE {schema}.format SET version = 1000"),
    );
    let mut connection = Connection::open(&copy.address).unwrap();
    connection.send(&Request::get("/healthz"));
    let answer = connection.answer();
    assert!(answer.status == 503 && answer.text().contains("is to be replaced"), "{}", answer.text());
    let id = captured(&mut caller, "Ana likes tea");
    assert_eq!(found(&mut caller, "tea"), [id]);
    // Whoever starts now is told before anything is touched.
    let mut serve = Command::new(env!("CARGO_BIN_EXE_afterthought"));
    serve.args(["serve", "--listen", "127.0.0.1:0"]).env("HOME", given.home.path()).env_remove("XDG_DATA_HOME");
    serve.env("AFTERTHOUGHT_STORE", &given.address).env("AFTERTHOUGHT_SCHEMA", &given.schema);
    let refused = serve.output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(1) && said.contains("its format is 1000"), "{said}");
}
