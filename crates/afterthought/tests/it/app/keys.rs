//! Keys: made and revoked by the owner alone.

use serde_json::json;
use test_client::{Request, tool_call};

use super::{NOWHERE, Page, refusal, refused};
use crate::service::Service;

#[test]
fn a_key_made_in_the_app_works_until_it_is_revoked_there() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    let made = page.post("keys", &json!({ "name": "laptop" }));
    let secret = made["secret"].as_str().unwrap();
    assert_eq!((&made["key"]["name"], &made["key"]["prefix"]), (&json!("laptop"), &json!(secret[..10])));
    let call = Request::post(secret, tool_call("retrieve_thoughts", &json!({})).to_string());
    assert_eq!(service.send(&call).status, 200);
    let listed = page.get("keys");
    assert_eq!((listed["keys"].as_array().unwrap().len(), &listed["may_change"]), (2, &json!(true)));
    assert!(!listed.to_string().contains(secret));
    let answer = page.ask("DELETE", &format!("keys/{}", made["key"]["id"].as_str().unwrap()));
    assert!(answer.status == 200 && answer.json()["key"]["revoked_at"].is_string());
    assert_eq!(service.send(&call).status, 401);
    assert!(page.get("keys")["keys"][1]["revoked_at"].is_string());
}

#[test]
fn whoever_signed_in_with_a_key_only_reads_the_list() {
    let service = Service::start();
    let page = Page::of_key(&service, &service.key);
    let listed = page.get("keys");
    assert_eq!(listed["may_change"], json!(false));
    let id = listed["keys"][0]["id"].as_str().unwrap();
    assert_eq!(refusal(&page.send("keys", &json!({ "name": "mine" }))), refused(403, "owner_only"));
    assert_eq!(refusal(&page.ask("DELETE", &format!("keys/{id}"))), refused(403, "owner_only"));
    assert_eq!(page.get("keys")["keys"].as_array().unwrap().len(), 1);
}

#[test]
fn another_accounts_keys_are_neither_seen_nor_revoked() {
    let service = Service::start();
    service.another_key("eve", "hers");
    let (ana, eve) = (Page::of_owner(&service, "default"), Page::of_owner(&service, "eve"));
    let hers = eve.get("keys")["keys"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(ana.get("keys")["keys"].as_array().unwrap().len(), 1);
    let of_hers = ana.ask("DELETE", &format!("keys/{hers}"));
    assert_eq!(refusal(&of_hers), refused(404, "no_such_key"));
    assert_eq!(of_hers.text(), ana.ask("DELETE", &format!("keys/{NOWHERE}")).text());
    assert_eq!(refusal(&ana.ask("DELETE", "keys/x")), refused(404, "no_such_key"));
    assert_eq!(eve.get("keys")["keys"][0]["revoked_at"], json!(null));
}

#[test]
fn a_key_needs_a_name() {
    let service = Service::start();
    let page = Page::of_owner(&service, "default");
    for name in ["", " ", "a\nb", &"x".repeat(101)] {
        assert_eq!(refusal(&page.send("keys", &json!({ "name": name }))), refused(422, "refused"), "{name:?}");
    }
}
