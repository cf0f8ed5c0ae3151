//! The forms in which the page is given things.

use serde_json::{Value, json};

use model::{Author, Key, Session, Thought};
use service::auth::SESSION_UNUSED_MAX;
use service::memory::{Changed, Edited, Part};

/// A thought with its whole text.
pub(super) fn whole(thought: &Thought) -> Value {
    let mut shape = about(thought);
    shape["raw_text"] = json!(thought.raw_text.as_str());
    shape
}

/// A thought with one place of its text.
pub(super) fn shortened(thought: &Thought, snippet: &str) -> Value {
    let mut shape = about(thought);
    shape["snippet"] = json!(snippet);
    shape["cut"] = json!(snippet.len() < thought.raw_text.as_str().trim().len());
    shape
}

fn about(thought: &Thought) -> Value {
    let mut shape = json!({
        "id": thought.id.to_string(),
        "status": thought.status.as_str(),
        "category": thought.category.as_str(),
        "created_at": thought.created_at,
        "captured_at": thought.captured_at,
        "updated_at": thought.updated_at,
        "revision": thought.revision,
    });
    match &thought.author {
        Author::User => shape["author"] = json!("user"),
        Author::Agent { name } => {
            shape["author"] = json!("agent");
            shape["agent_name"] = json!(name);
        }
    }
    shape
}

/// A change that was made.
pub(super) fn edited(edited: &Edited) -> Value {
    let changed = edited.changed.iter().map(|part| match part {
        Changed::Text => "text",
        Changed::Status => "status",
    });
    json!({
        "thought": whole(&edited.thought),
        "previous_status": edited.previous_status.as_str(),
        "changed": changed.collect::<Vec<_>>(),
        "by_model": edited.by_model,
        "difference": (!edited.difference.is_empty()).then(|| difference(&edited.difference)),
    })
}

/// How a text came to be another.
pub(super) fn difference(parts: &[Part]) -> Value {
    let part = |part: &Part| match part {
        Part::Same(text) => json!({ "same": text }),
        Part::Removed(text) => json!({ "removed": text }),
        Part::Added(text) => json!({ "added": text }),
        Part::Skipped(chars) => json!({ "skipped": chars }),
    };
    parts.iter().map(part).collect()
}

/// A session.
pub(super) fn session(session: &Session) -> Value {
    let key = session
        .key
        .as_ref()
        .map(|key| json!({ "id": key.id.to_string(), "name": key.name.as_str(), "prefix": key.prefix.as_str() }));
    json!({
        "kind": if session.is_owners() { "owner" } else { "key" },
        "account": session.account.name.as_str(),
        "key": key,
        "created_at": session.created_at,
        "unused_hours_max": SESSION_UNUSED_MAX.as_secs() / 3600,
    })
}

/// A key, without what nobody may see again.
pub(super) fn key(key: &Key) -> Value {
    json!({
        "id": key.id.to_string(),
        "name": key.name.as_str(),
        "prefix": key.prefix.as_str(),
        "created_at": key.created_at,
        "last_used_at": key.last_used_at,
        "revoked_at": key.revoked_at,
    })
}
