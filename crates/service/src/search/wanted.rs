//! Keeps only the hits that a person wants to see.

use rustc_hash::FxHashSet;

use model::{AccountId, ThoughtId};
use store::{Filter, Store, StoreError};

use super::fuse::Ranked;

/// Keeps the hits that a filter admits. Words and meaning look among those alone; links and times lead to others as well.
pub(super) async fn retain(
    store: &dyn Store,
    account: AccountId,
    ranked: &mut Vec<Ranked<'_>>,
    filter: &Filter,
) -> Result<(), StoreError> {
    ranked.retain(|hit| filter.admits(hit.thought));
    if let Some(entity) = &filter.entity {
        let ids: Vec<ThoughtId> = ranked.iter().map(|hit| hit.thought.id).collect();
        let mentioning = store.mentioning(account, entity, &ids).await?;
        let mentioning: FxHashSet<ThoughtId> = mentioning.into_iter().collect();
        ranked.retain(|hit| mentioning.contains(&hit.thought.id));
    }
    Ok(())
}
