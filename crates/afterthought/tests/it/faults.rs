//! The running service where files are damaged, gone or too many.
#![cfg(unix)]

use serde_json::json;
use test_client::{Connection, Request};

use afterthought::app::App;
use afterthought::stores::Location;

use crate::process::Process;

/// Makes so many accounts with a key each; the keys.
fn accounts(data: &std::path::Path, count: usize) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let app = App::open(&Location::Embedded(data.to_owned())).await.unwrap();
        let mut keys = Vec::new();
        for number in 0..count {
            let account = app.keyring.create_account(format!("account {number}").parse().unwrap()).await.unwrap();
            let (secret, _) = app.keyring.create_key(account.id, "laptop".parse().unwrap()).await.unwrap();
            keys.push(secret.reveal().to_owned());
        }
        app.store.close().await.unwrap();
        keys
    })
}

/// Whether a capture is acknowledged.
fn capture(connection: &mut Connection, key: &str) -> bool {
    let request = Request::tool(key, "capture_thought", &json!({"raw": "Ana likes tea", "as_user": true}));
    connection.send(&request);
    connection.answer().json()["result"]["isError"] == false
}

fn is_healthy(service: &Process) -> bool {
    let mut connection = Connection::open(&service.address).unwrap();
    connection.send(&Request::get("/healthz"));
    connection.answer().status == 200
}

#[test]
fn many_accounts_do_not_use_up_the_files_of_the_service() {
    let folder = tempfile::tempdir().unwrap();
    let keys = accounts(folder.path(), 150);
    let service = Process::start_with_files(folder.path(), 256);
    let mut connection = Connection::open(&service.address).unwrap();
    for _ in 0..2 {
        assert!(keys.iter().all(|key| capture(&mut connection, key)));
    }
    connection.send(&Request::get("/metrics"));
    assert!(connection.answer().text().contains("afterthought_thoughts{status=\"open\"} 300"));
    assert!(is_healthy(&service), "there is a file left for the next connection");
}

#[test]
fn a_store_that_is_gone_is_told_and_nothing_is_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let keys = accounts(folder.path(), 1);
    let service = Process::start(folder.path());
    let mut connection = Connection::open(&service.address).unwrap();
    assert_eq!((capture(&mut connection, &keys[0]), is_healthy(&service)), (true, true));
    std::fs::remove_dir_all(folder.path()).unwrap();
    assert_eq!((capture(&mut connection, &keys[0]), is_healthy(&service)), (false, false));
}
