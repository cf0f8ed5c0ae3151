//! A thought with everything around it, and the memory as a whole.

use std::cmp::Reverse;

use annotate::entities::EntityKey;
use model::{AccountId, Caller, Thought, ThoughtId};
use store::{
    Census, ChangeMark, Changes, Duplicates, Enrichment, EntityListing, EntityPage, EntityView, Focus, Graph, Link,
    Replaces, StoreError,
};

use super::edit::Travel;
use super::error::MemoryError;
use super::handle::Memory;
use super::refusal::Refusal;

/// A thought with everything around it but its notes.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The thought.
    pub thought: Thought,
    /// Whether there is anything to undo and to redo.
    pub travel: Travel,
    /// How far the background work on it is.
    pub enrichment: Enrichment,
    /// What it mentions, by the full names.
    pub entities: Vec<(EntityKey, String)>,
    /// The thoughts linked with it: first those that replace it, the latest first, then those it replaces and the others,
    /// the strongest first.
    pub linked: Vec<(Thought, Link)>,
}

/// How many linked thoughts are shown.
const LINKED_SHOWN: usize = 20;

/// The most nodes of a graph.
pub const GRAPH_NODES_MAX: usize = 300;

impl Memory {
    /// A thought with everything around it.
    pub async fn surroundings(&self, caller: &Caller, id: ThoughtId) -> Result<Surroundings, MemoryError> {
        let account = caller.account;
        let thought = self.thought(caller, id).await?;
        let travel = self.can_travel(caller, id).await?;
        let enrichment = self.store.enrichment_of(account, id).await?.ok_or(Refusal::NoSuchThought(id))?;
        let entities = self.store.entities_of_thought(account, id).await?;
        let mut linked = Vec::new();
        let connections = self.store.connections(account, &[id]).await?;
        let mut links: Vec<Link> = connections.into_iter().flat_map(|connections| connections.links).collect();
        links.sort_by_key(|link| match link.replaces {
            Some(Replaces::This) => 0,
            Some(Replaces::Other) => 1,
            None => 2,
        });
        for link in links.into_iter().take(LINKED_SHOWN) {
            linked.extend(self.store.get(account, link.other).await?.map(|thought| (thought, link)));
        }
        // The others keep their order.
        linked.sort_by_key(|(thought, link)| {
            let is_replacement = link.replaces == Some(Replaces::This);
            Reverse(is_replacement.then_some((thought.captured_at, thought.created_at)))
        });
        Ok(Surroundings { thought, travel, enrichment, entities, linked })
    }

    /// Has background work tried again that was given up; how far it is then.
    pub async fn retry_enrichment(&self, caller: &Caller, id: ThoughtId) -> Result<Enrichment, MemoryError> {
        self.store.try_again(caller.account, id).await?;
        let enrichment = self.store.enrichment_of(caller.account, id).await?;
        enrichment.ok_or_else(|| Refusal::NoSuchThought(id).into())
    }

    /// A page of the entities.
    pub async fn entities(&self, caller: &Caller, listing: &EntityListing) -> Result<EntityPage, StoreError> {
        self.store.list_entities(caller.account, listing).await
    }

    /// One entity with what is around it; `None` if nothing mentions it.
    pub async fn entity(&self, caller: &Caller, key: &EntityKey) -> Result<Option<EntityView>, StoreError> {
        self.store.entity(caller.account, key).await
    }

    /// A picture of what belongs together, of at most `limit` nodes and never more than [`GRAPH_NODES_MAX`].
    pub async fn graph(&self, caller: &Caller, focus: &Focus, limit: usize) -> Result<Graph, StoreError> {
        self.store.graph(caller.account, focus, limit.min(GRAPH_NODES_MAX)).await
    }

    /// Counts what is there.
    pub async fn census(&self, caller: &Caller) -> Result<Census, StoreError> {
        self.store.census(caller.account).await
    }

    /// A page of the groups of thoughts with the same text.
    pub async fn duplicates(&self, caller: &Caller, skip: usize, limit: usize) -> Result<Duplicates, StoreError> {
        self.store.duplicates(caller.account, skip, limit).await
    }

    /// What has changed since `since`, or where things stand.
    pub async fn changes(
        &self,
        account: AccountId,
        since: Option<ChangeMark>,
        limit: usize,
    ) -> Result<Changes, StoreError> {
        self.store.changes(account, since, limit).await
    }
}
