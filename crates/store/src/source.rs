//! Where the log of one account is.

use std::sync::Arc;

use model::AccountId;

use crate::backend::{Backend, Logged, Reading, Seen};
use crate::error::StoreError;

/// One account of a back end.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) account: AccountId,
}

impl Source {
    /// All entries that have not been seen, up to but without number `end`.
    pub(crate) async fn follow_all(
        &self,
        mut seen: Seen,
        end: u64,
        reading: Reading,
    ) -> Result<Vec<Logged>, StoreError> {
        let mut all = Vec::new();
        loop {
            let page = self.backend.follow(self.account, seen, end, reading).await?;
            let Some(last) = page.last() else { return Ok(all) };
            seen.next = last.entry.seq + 1;
            let rows = page.iter().map(|logged| logged.entry.thought + 1);
            seen.next_thought = rows.max().unwrap_or_default().max(seen.next_thought);
            all.extend(page);
        }
    }
}
