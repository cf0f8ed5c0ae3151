//! Changing a thought: its text, its status, and taking changes back.
//!
//! A change is decided on the thought as it was read and stored only if it still is so; otherwise it is decided anew.

use super::{Memory, MemoryError};
use crate::edit::{self, Change};
use crate::model::{Caller, Revision, RevisionKind, Status, Thought, ThoughtId, ThoughtText, Timeline};
use crate::store::{Update, Updated};
use crate::text;

/// What to change. At least one of the two is needed.
#[derive(Debug, Clone, Default)]
pub struct Edit {
    /// A request in plain language.
    pub request: Option<String>,
    /// The new text, taken as it is.
    pub raw_text: Option<ThoughtText>,
}

/// A change that was made.
#[derive(Debug, Clone)]
pub struct Edited {
    /// The thought after the change.
    pub thought: Thought,
    /// The status it had before.
    pub previous_status: Status,
    /// What really changed; empty if the thought already was as asked.
    pub changed: Vec<Changed>,
}

/// A part of a thought that a change can touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// The text.
    Text,
    /// The status.
    Status,
}

/// The longest request, in bytes: a whole new text and the words around it.
const REQUEST_BYTES_MAX: usize = crate::model::TEXT_BYTES_MAX + 4096;

/// How often a change is decided anew because others changed the thought meanwhile. Each round means that someone else's
/// change was stored, so running out of rounds takes as many writers of this one thought at once.
const ROUNDS_MAX: usize = 64;

/// The state a thought is to have, and how that came about.
struct Target {
    text: Option<ThoughtText>,
    status: Option<Status>,
    kind: RevisionKind,
}

impl Memory {
    /// Changes text and status as asked, both or neither.
    pub async fn edit(&self, caller: &Caller, id: ThoughtId, edit: Edit) -> Result<Edited, MemoryError> {
        let request = edit.request.as_deref().map(str::trim).filter(|request| !request.is_empty());
        if request.is_none() && edit.raw_text.is_none() {
            return Err(MemoryError::Refused(
                "give `edit_request` (for example \"mark as done\") or `raw_text` (the whole new text)".into(),
            ));
        }
        if request.is_some_and(|request| request.len() > REQUEST_BYTES_MAX) {
            return Err(MemoryError::Refused(format!("`edit_request` has at most {REQUEST_BYTES_MAX} bytes")));
        }
        for _ in 0..ROUNDS_MAX {
            let thought = self.existing(caller, id).await?;
            let target = self.target(caller, &thought, request, edit.raw_text.as_ref()).await?;
            if let Some(edited) = self.apply(caller, thought, target).await? {
                return Ok(edited);
            }
        }
        Err(MemoryError::Refused("the thought is being changed by others at the same time: try again".into()))
    }

    /// Archives a thought; archiving an archived one changes nothing.
    pub async fn delete(&self, caller: &Caller, id: ThoughtId) -> Result<Edited, MemoryError> {
        for _ in 0..ROUNDS_MAX {
            let thought = self.existing(caller, id).await?;
            let target = Target { text: None, status: Some(Status::Archived), kind: RevisionKind::Change };
            if let Some(edited) = self.apply(caller, thought, target).await? {
                return Ok(edited);
            }
        }
        Err(MemoryError::Refused("the thought is being changed by others at the same time: try again".into()))
    }

    /// The thought, or the one sentence for every thought the caller cannot reach.
    async fn existing(&self, caller: &Caller, id: ThoughtId) -> Result<Thought, MemoryError> {
        self.store.get(caller.account, id).await?.ok_or_else(|| {
            MemoryError::Refused(format!(
                "no thought `{id}`: use an id that capture_thought or retrieve_thoughts returned"
            ))
        })
    }

    async fn target(
        &self,
        caller: &Caller,
        thought: &Thought,
        request: Option<&str>,
        raw_text: Option<&ThoughtText>,
    ) -> Result<Target, MemoryError> {
        let Some(request) = request else {
            return Ok(Target { text: raw_text.cloned(), status: None, kind: RevisionKind::Change });
        };
        let change = edit::interpret(thought.raw_text.as_str(), thought.status, request)
            .map_err(|refusal| MemoryError::Refused(refusal.to_string()))?;
        match (change, raw_text) {
            (Change::Edit { text: None, status }, Some(raw_text)) => {
                Ok(Target { text: Some(raw_text.clone()), status, kind: RevisionKind::Change })
            }
            (_, Some(_)) => Err(MemoryError::Refused(
                "`edit_request` would change the text that `raw_text` replaces: give only one of them".into(),
            )),
            (Change::Edit { text, status }, None) => {
                let text = text.map(ThoughtText::new).transpose()?;
                Ok(Target { text, status, kind: RevisionKind::Change })
            }
            (Change::Undo, None) => {
                let revisions = self.store.revisions(caller.account, thought.id).await?;
                let revision = Timeline::of(&revisions).to_undo().cloned().ok_or_else(|| {
                    MemoryError::Refused(
                        "there is nothing to undo: no change of this thought is left to take back".into(),
                    )
                })?;
                travel(revision, RevisionKind::Undo)
            }
            (Change::Redo, None) => {
                let revisions = self.store.revisions(caller.account, thought.id).await?;
                let revision = Timeline::of(&revisions).to_redo().cloned().ok_or_else(|| {
                    MemoryError::Refused("there is nothing to redo: the last change was not an undo".into())
                })?;
                travel(revision, RevisionKind::Redo)
            }
        }
    }

    /// Stores the target state; `None` if the thought has changed since it was read.
    async fn apply(&self, caller: &Caller, thought: Thought, target: Target) -> Result<Option<Edited>, MemoryError> {
        let previous_status = thought.status;
        let text = target.text.filter(|text| *text != thought.raw_text);
        let status = target.status.filter(|status| *status != thought.status);
        let touched = [(Changed::Text, text.is_some()), (Changed::Status, status.is_some())];
        let changed: Vec<Changed> = touched.into_iter().filter(|(_, touched)| *touched).map(|(part, _)| part).collect();
        if changed.is_empty() {
            return Ok(Some(Edited { thought, previous_status, changed }));
        }
        let update = Update {
            based_on: thought.revision,
            text: text.map(|text| {
                let lexical = text::lexical_form(text.as_str());
                (text, lexical)
            }),
            status,
            kind: target.kind,
            by: caller.key_name.to_string(),
        };
        match self.store.update(caller.account, thought.id, update).await? {
            Updated::Done(thought) => Ok(Some(Edited { thought: *thought, previous_status, changed })),
            // An absent thought was there a moment ago; reading it again says so to the caller.
            Updated::Stale | Updated::Absent => Ok(None),
        }
    }
}

/// The state before a change that is undone, or after one that is redone.
fn travel(revision: Revision, kind: RevisionKind) -> Result<Target, MemoryError> {
    let back = kind == RevisionKind::Undo;
    let text = revision.text.map(|(before, after)| if back { before } else { after });
    let status = revision.status.map(|(before, after)| if back { before } else { after });
    Ok(Target { text: text.map(ThoughtText::new).transpose()?, status, kind })
}
