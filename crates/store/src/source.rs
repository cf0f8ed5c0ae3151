//! Where the log of one account is. What it hands on keeps what the log promises: a damaged one is refused before anything is made of it.

use std::sync::Arc;

use model::AccountId;

use crate::backend::{Backend, LogEnd, Logged, Reading, Row, Seen};
use crate::error::StoreError;

/// More changes than any account has: what is made of entries counts them in 32 bits.
const ENTRIES_MAX: u64 = u32::MAX as u64;

/// One account of a back end.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) account: AccountId,
}

impl Source {
    /// Where the numbering of the account stands.
    pub(crate) async fn last(&self) -> Result<LogEnd, StoreError> {
        let end = self.backend.last(self.account).await?;
        if end.entry >= ENTRIES_MAX {
            return Err(broken(format!("an entry has the number {}", end.entry)));
        }
        Ok(end)
    }

    /// The next entries that have not been seen, in the order of their numbers.
    pub(crate) async fn follow(&self, seen: Seen, end: u64, reading: Reading) -> Result<Vec<Logged>, StoreError> {
        let page = self.backend.follow(self.account, seen, end, reading).await?;
        let mut next = seen.next.max(1);
        for Logged { entry, .. } in &page {
            if !(next..ENTRIES_MAX).contains(&entry.seq) {
                return Err(broken(format!("an entry has the number {} where {next} may come", entry.seq)));
            }
            next = entry.seq + 1;
        }
        self.check_rows(page.iter().map(|logged| logged.entry.thought)).await?;
        Ok(page)
    }

    /// Refuses rows after the last: whoever keeps something by row makes room for all before it.
    pub(crate) async fn check_rows(&self, rows: impl Iterator<Item = Row>) -> Result<(), StoreError> {
        let Some(highest) = rows.max() else { return Ok(()) };
        let last = self.backend.last(self.account).await?.row;
        match highest <= last {
            true => Ok(()),
            false => Err(broken(format!("an entry is of thought {highest}, and {last} is the last"))),
        }
    }

    /// All entries that have not been seen, up to but without number `end`.
    pub(crate) async fn follow_all(
        &self,
        mut seen: Seen,
        end: u64,
        reading: Reading,
    ) -> Result<Vec<Logged>, StoreError> {
        let mut all = Vec::new();
        loop {
            let page = self.follow(seen, end, reading).await?;
            let Some(last) = page.last() else { return Ok(all) };
            seen.next = last.entry.seq + 1;
            let rows = page.iter().map(|logged| logged.entry.thought + 1);
            seen.next_thought = rows.max().unwrap_or_default().max(seen.next_thought);
            all.extend(page);
        }
    }
}

fn broken(reason: String) -> StoreError {
    StoreError::Corrupt { place: "the log of an account".to_owned(), reason, remedy: "restore it from a backup" }
}
