//! The app's API as its page uses it, over HTTP.

mod changing;
mod following;
mod getting_in;
mod keys;
mod looking;
mod notes;
mod overview;
mod transfer;

use serde_json::{Value, json};
use test_client::{Answer, Request};

use crate::service::Service;
use service::enrich::Workers;

/// A thought nobody ever captured.
const NOWHERE: &str = "0197c1a2-7b3c-7def-8123-456789abcdef";

/// A page that somebody has signed in at.
struct Page<'a> {
    service: &'a Service,
    token: String,
}

impl<'a> Page<'a> {
    /// The page of the owner of an account.
    fn of_owner(service: &'a Service, account: &str) -> Self {
        let link = link(service, account);
        let answer = sign_in(service, &json!({ "link": link }));
        assert_eq!(answer.status, 201, "{}", answer.text());
        Self { service, token: answer.json()["token"].as_str().unwrap().to_owned() }
    }

    /// The page of whoever holds a key.
    fn of_key(service: &'a Service, key: &str) -> Self {
        let answer = sign_in(service, &json!({ "key": key }));
        assert_eq!(answer.status, 201, "{}", answer.text());
        Self { service, token: answer.json()["token"].as_str().unwrap().to_owned() }
    }

    fn request(&self, method: &str, path: &str) -> Request {
        let bearer = format!("Bearer {}", self.token);
        Request::get("/").to(method, &format!("/api/app/{path}")).header("authorization", &bearer)
    }

    fn ask(&self, method: &str, path: &str) -> Answer {
        self.service.send(&self.request(method, path))
    }

    fn send(&self, path: &str, body: &Value) -> Answer {
        let request = self.request("POST", path).header("content-type", "application/json");
        self.service.send(&request.body(body.to_string()))
    }

    /// What a request that must succeed is answered with.
    fn get(&self, path: &str) -> Value {
        let answer = self.ask("GET", path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    /// The same for one that changes something.
    fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.send(path, body);
        assert!(matches!(answer.status, 200 | 201), "{path}: {} {}", answer.status, answer.text());
        answer.json()
    }

    /// Captures a thought and returns its id.
    fn capture(&self, text: &str) -> String {
        self.post("thoughts", &json!({ "raw_text": text }))["thought"]["id"].as_str().unwrap().to_owned()
    }
}

/// The token of a fresh link.
fn link(service: &Service, account: &str) -> String {
    service.runtime.block_on(async {
        let account = service.app.keyring.account(&account.parse().unwrap()).await.unwrap();
        service.app.sessions.create_link(account.id).await.unwrap().reveal().to_owned()
    })
}

fn sign_in(service: &Service, with: &Value) -> Answer {
    let request = Request::get("/").to("POST", "/api/app/session").header("content-type", "application/json");
    service.send(&request.body(with.to_string()))
}

/// The status and the code of a refusal, which says why in one sentence.
fn refusal(answer: &Answer) -> (u16, String) {
    let error = &answer.json()["error"];
    let message = error["message"].as_str().unwrap();
    assert!(!message.is_empty() && !message.contains('\n') && !message.ends_with('.'), "{message}");
    (answer.status, error["code"].as_str().unwrap().to_owned())
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

/// Waits until the background work of the page's account is done.
fn enriched(page: &Page<'_>) {
    let workers = {
        let _runtime = page.service.runtime.enter();
        Workers::start(&page.service.app.enrichment, 1).unwrap()
    };
    while page.get("memory")["pending"] != json!(0) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    page.service.runtime.block_on(workers.stop());
}
