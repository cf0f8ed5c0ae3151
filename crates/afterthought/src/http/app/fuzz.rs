//! Addresses no page would ask for: each is understood or refused.

use fuzz::Target;
use model::ThoughtId;

use super::endpoint::methods;
use super::entities::{entity_id, entity_key, skipped};
use super::fault::Fault;
use super::list::{NAMES, cursor, filter, written};
use super::query::{Query, decoded};

const WORDS: &[&str] = &[
    "status=",
    "author=agent:",
    "category=",
    "entity=person:",
    "from=",
    "to=",
    "q=",
    "cursor=",
    "limit=",
    "&",
    "%2B",
    "%00",
    "%ff",
    "+",
    "thoughts",
    "/history",
    "99999999999999999999",
    "9999-12-31T23:59:59Z",
];

#[test]
fn any_address_is_understood_or_refused() {
    Target::new("app-addresses", &["addresses", "queries", "times"]).words(WORDS).try_text(|text| {
        let asked = Query::parse(text, NAMES);
        let read = |query: &Query| -> Result<_, Fault> {
            let place = query.get("cursor").map(cursor).transpose()?;
            let again = place.map(|place| cursor(&written(place)).map(|again| again == place));
            assert!(again.is_none_or(|same| matches!(same, Ok(true))), "a place is read back as it was written");
            let limit = query.limit(30, 100)?;
            assert!((1..=100).contains(&limit));
            Ok((filter(query)?.entity.is_some(), place.is_some()))
        };
        let listed = asked.as_ref().ok().and_then(|query| read(query).ok());
        if let Ok(key) = entity_key(text) {
            assert_eq!(entity_id(&key), text, "an entity is called the same");
        }
        let others = Query::parse(text, &["q", "kind", "cursor", "limit", "entity", "thought"]).ok();
        let others = others.map(|query| (skipped(&query).is_ok(), query.read::<ThoughtId>("thought").is_ok()));
        let path: Result<Vec<String>, Fault> = text.split('/').map(decoded).collect();
        let path = path.ok().and_then(|parts| methods(&parts.iter().map(String::as_str).collect::<Vec<_>>()));
        (asked.is_ok(), listed, others, path)
    });
}
