//! Follows connections: thoughts that mention what the query mentions, and thoughts linked with the best hits.

use annotate::entities::EntityKey;
use model::{AccountId, Mode, Thought};
use store::{EntityHit, EntityQuery, Linked, Store, StoreError};

use super::alike::Alike;
use super::fuse::Ranked;
use super::replaced::Replaced;
use super::request::Search;

/// What mentioning one rare entity of the query says.
const MENTION_WEIGHT: f64 = 0.8;

/// The links of how many of the best hits are followed.
const FOLLOWED: usize = 5;

/// Of how many of the best hits it is looked at whether they are replaced: a few more than are shown.
const LOOKED_AT: usize = 20;

/// The same for somebody who looks through many.
const LOOKED_AT_BY_PAGES: usize = 100;

/// What is left of what speaks for a hit one link further.
const HOP_WEIGHT: f64 = 0.7;

/// The thoughts that mention what the query mentions, of an account with so many, each with how much that says, 0 to 1.
pub(super) async fn mentioning(
    store: &dyn Store,
    account: AccountId,
    search: &Search<'_>,
    keys: &[EntityKey],
    population: u64,
    limit: usize,
) -> Result<Vec<(Thought, f64)>, StoreError> {
    if keys.is_empty() || !search.signals.graph {
        return Ok(Vec::new());
    }
    let query = EntityQuery { keys: keys.to_vec(), visible: search.visible, among: search.among().cloned(), limit };
    let hits = store.search_entities(account, query).await?;
    Ok(hits.into_iter().map(|hit| strength(hit, population)).collect())
}

fn strength(hit: EntityHit, population: u64) -> (Thought, f64) {
    let rarity = |count: u64| 1.0 - (count.max(1) as f64).ln() / (population.max(2) as f64).ln();
    let doubt: f64 = hit.shared.iter().map(|count| 1.0 - MENTION_WEIGHT * rarity(*count).clamp(0.1, 1.0)).product();
    (hit.thought, 1.0 - doubt)
}

/// What the links of the best hits say.
pub(super) struct Links {
    /// The thoughts linked with the best of them, each with how much that says, 0 to 1; once for each hit that leads to it.
    pub(super) belonging: Vec<(Thought, f64)>,
    /// Those that are replaced.
    pub(super) replaced: Replaced,
    /// Those that say like things.
    pub(super) alike: Alike,
}

/// Follows the links of the best hits.
pub(super) async fn linked(
    store: &dyn Store,
    account: AccountId,
    search: &Search<'_>,
    ranked: &[Ranked<'_>],
) -> Result<Links, StoreError> {
    // As many for each page, or what is on one of them would depend on how many are asked for.
    let most = if search.looking.is_some() { LOOKED_AT_BY_PAGES } else { LOOKED_AT.max(search.limit) };
    let looked_at = &ranked[..ranked.len().min(most)];
    let ids: Vec<_> = looked_at.iter().map(|hit| hit.thought.id).collect();
    if search.mode == Mode::Fast {
        // It follows nothing to thoughts its words did not find.
        let replaced = Replaced::of(&store.replacing(account, &ids, search.visible).await?);
        return Ok(Links { belonging: Vec::new(), replaced, alike: Alike::default() });
    }
    let linked = store.linked(account, &ids, search.visible).await?;
    let (replaced, alike) = (Replaced::of(&linked), Alike::of(&linked));
    let followed = &looked_at[..looked_at.len().min(FOLLOWED)];
    let strength = |Linked { with, thought, weight, .. }: Linked| {
        let from = followed.iter().find(|hit| hit.thought.id == with)?;
        Some((thought, HOP_WEIGHT * from.strength * f64::from(weight)))
    };
    Ok(Links { belonging: linked.into_iter().filter_map(strength).collect(), replaced, alike })
}
