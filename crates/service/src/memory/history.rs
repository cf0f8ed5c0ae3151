//! What became of a thought, change by change.

use model::{Caller, Revision, RevisionKind, Status, ThoughtId, Time};

use super::difference::{self, Part};
use super::error::MemoryError;
use super::handle::Memory;

/// A page of changes.
#[derive(Debug, Clone)]
pub struct History {
    /// The changes, newest first.
    pub changes: Vec<HistoricChange>,
    /// Whether there are older ones.
    pub more: bool,
}

/// One change of a thought.
#[derive(Debug, Clone)]
pub struct HistoricChange {
    /// Counts from 1 within the thought.
    pub number: u32,
    /// When it happened.
    pub at: Time,
    /// How it came about.
    pub kind: RevisionKind,
    /// The name of the key that asked for it, or the owner.
    pub by: String,
    /// The status before and after, where it changed.
    pub status: Option<(Status, Status)>,
    /// What changed of the text, where it did.
    pub difference: Option<Vec<Part>>,
}

impl Memory {
    /// The changes of a thought before the one of that number, or the latest, newest first.
    pub async fn history(
        &self,
        caller: &Caller,
        id: ThoughtId,
        before: Option<u32>,
        limit: usize,
    ) -> Result<History, MemoryError> {
        let thought = self.thought(caller, id).await?;
        let last = before.map_or(thought.revision, |before| before.saturating_sub(1).min(thought.revision));
        let first = last.saturating_sub(u32::try_from(limit).unwrap_or(u32::MAX));
        let mut changes = Vec::new();
        // One at a time: each may hold two texts, and comparing them is for a thread of its own.
        for number in (first + 1..=last).rev() {
            let Some(revision) = self.store.get_revision(caller.account, id, number).await? else { continue };
            let compared = tokio::task::spawn_blocking(move || HistoricChange::of(revision)).await;
            changes.push(compared.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())));
        }
        Ok(History { changes, more: first > 0 })
    }
}

impl HistoricChange {
    fn of(revision: Revision) -> Self {
        let Revision { number, at, kind, by, text, status } = revision;
        let difference = text.map(|(before, after)| difference::parts(&before, &after));
        Self { number, at, kind, by, status, difference }
    }
}
