//! What becomes of a thought that is stored or changed: decided from what a back end has read in its transaction.

use model::{Category, Revision, Status, Thought, Time};

use crate::contract::{NewThought, Update};

/// What a thought is taken for until its text has been looked at.
const UNKNOWN_CATEGORY: Category = Category::Observation;

/// A new thought as it is stored. It is created later than the newest one, whatever the clock says: what a reader has paged past
/// can never be added to. What it is about is what the clock says, unless something else is given.
#[must_use]
pub fn stored(new: NewThought, now: Time, newest: Time) -> Thought {
    let created_at = now.max(Time::from_micros(newest.as_micros().saturating_add(1)));
    Thought {
        id: new.id,
        raw_text: new.raw_text,
        status: Status::Open,
        category: new.category,
        author: new.author,
        created_at,
        captured_at: new.captured_at.unwrap_or(now),
        updated_at: created_at,
        revision: 0,
    }
}

/// Changes a thought, and the revision that tells so; `None` if it is not the one the change was based on any more.
#[must_use]
pub fn revised(thought: &mut Thought, update: Update, now: Time) -> Option<Revision> {
    if thought.revision != update.based_on {
        return None;
    }
    thought.revision += 1;
    thought.updated_at = now.max(thought.updated_at);
    let text = update.text.map(|text| {
        thought.category = UNKNOWN_CATEGORY;
        let before = std::mem::replace(&mut thought.raw_text, text);
        (before.into_string(), thought.raw_text.as_str().to_owned())
    });
    let status = update.status.map(|status| (std::mem::replace(&mut thought.status, status), status));
    let (number, at) = (thought.revision, thought.updated_at);
    Some(Revision { number, at, kind: update.kind, by: update.by, text, status })
}
