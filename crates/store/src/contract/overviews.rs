//! An account as a person looks at it: lists by filters, counts, entities, a picture of what belongs together.

use async_trait::async_trait;

use annotate::entities::{EntityKey, EntityKind};
use model::{AccountId, Cursor, Thought, ThoughtId};

use super::filter::{Among, Filter};
use crate::error::StoreError;

/// An account as a person looks at it. Everything is bounded, and the same for the same contents.
#[async_trait]
pub trait Overviews: Send + Sync {
    /// A page of the thoughts that a filter admits, newest first, strictly older than `before`.
    async fn list_filtered(
        &self,
        account: AccountId,
        filter: &Filter,
        before: Option<Cursor>,
        limit: usize,
    ) -> Result<Vec<Thought>, StoreError>;

    /// All thoughts that a filter admits, to search among them.
    async fn among(&self, account: AccountId, filter: &Filter) -> Result<Among, StoreError>;

    /// Those of the thoughts that mention an entity, under any of its names.
    async fn mentioning(
        &self,
        account: AccountId,
        entity: &EntityKey,
        ids: &[ThoughtId],
    ) -> Result<Vec<ThoughtId>, StoreError>;

    /// Counts what an account holds.
    async fn census(&self, account: AccountId) -> Result<Census, StoreError>;

    /// A page of the entities, those of most thoughts first, then by name. A short name counts for the full one it stands for.
    async fn list_entities(&self, account: AccountId, listing: &EntityListing) -> Result<EntityPage, StoreError>;

    /// One entity and what is mentioned together with it; `None` if nothing mentions it.
    async fn entity(&self, account: AccountId, key: &EntityKey) -> Result<Option<EntityView>, StoreError>;

    /// What each of these thoughts mentions, under the full names; dates as well.
    async fn entities_of_thought(
        &self,
        account: AccountId,
        id: ThoughtId,
    ) -> Result<Vec<(EntityKey, String)>, StoreError>;

    /// Entities and thoughts that belong together, at most so many of both; archived thoughts are left out.
    async fn graph(&self, account: AccountId, focus: &Focus, limit: usize) -> Result<Graph, StoreError>;

    /// A page of the groups of thoughts that have the same text apart from white space at its ends; archived ones are left out.
    async fn duplicates(&self, account: AccountId, skip: usize, limit: usize) -> Result<Duplicates, StoreError>;

    /// What has changed since `since`: thoughts that were stored, changed, given or rid of a note, or enriched. Nothing, but where
    /// things stand, without it. Sees what other processes committed before the call.
    async fn changes(&self, account: AccountId, since: Option<ChangeMark>, limit: usize)
    -> Result<Changes, StoreError>;
}

/// What an account holds. Archived thoughts count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census {
    /// Thoughts by status, in the order of [`Status::ALL`](model::Status::ALL).
    pub status: [u64; 3],
    /// The person's own thoughts.
    pub users: u64,
    /// The thoughts of each agent, most first, then by name.
    pub agents: Vec<(String, u64)>,
    /// Thoughts by category, in the order of [`Category::ALL`](model::Category::ALL).
    pub categories: [u64; 4],
    /// Thoughts by the day they are about, in days since the start of 1970, UTC, earliest first.
    pub days: Vec<(i64, u64)>,
    /// Notes that are attached.
    pub notes: u64,
    /// Entities, dates aside.
    pub entities: u64,
    /// Thoughts whose background work is not finished.
    pub pending: u64,
    /// Thoughts whose background work was given up.
    pub given_up: u64,
}

/// A page of entities.
#[derive(Debug, Clone, Default)]
pub struct EntityListing {
    /// Part of the name, folded.
    pub part: Option<String>,
    /// Only of this kind; all but dates if not given.
    pub kind: Option<EntityKind>,
    /// How many to pass over.
    pub skip: usize,
    /// How many at most.
    pub limit: usize,
}

/// Some of the entities there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntityPage {
    /// The entities.
    pub entities: Vec<KnownEntity>,
    /// How many there are in all.
    pub total: u64,
}

/// An entity of an account, under its full name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownEntity {
    /// What it is known by.
    pub key: EntityKey,
    /// The name to show.
    pub name: String,
    /// In how many thoughts it is; one that mentions two of its names counts twice.
    pub thoughts: u64,
}

/// An entity with what is around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityView {
    /// The entity.
    pub entity: KnownEntity,
    /// The short names that stand for it.
    pub also: Vec<String>,
    /// What the latest of its thoughts mention as well, and in how many of them, most first.
    pub neighbours: Vec<(KnownEntity, u64)>,
}

/// What a graph is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Focus {
    /// The whole account: the entities of most thoughts, and the thoughts that join most of them.
    Everything,
    /// An entity, its latest thoughts, and what they mention.
    Entity(EntityKey),
    /// A thought, those linked with it, what they mention, and further thoughts that mention the same.
    Thought(ThoughtId),
}

/// Entities and thoughts that belong together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Graph {
    /// The entities.
    pub entities: Vec<KnownEntity>,
    /// The thoughts.
    pub thoughts: Vec<Thought>,
    /// Which thought mentions which entity.
    pub mentions: Vec<(ThoughtId, EntityKey)>,
    /// Which thoughts are linked and how strongly, 0 to 1; each pair once.
    pub links: Vec<(ThoughtId, ThoughtId, f32)>,
    /// How many entities and thoughts there would be without a limit.
    pub of: u64,
}

/// Some of the groups of thoughts that have the same text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// The groups, that with the oldest thought first.
    pub groups: Vec<DuplicateGroup>,
    /// How many groups there are in all.
    pub total: u64,
}

/// Thoughts that have the same text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateGroup {
    /// The first of them, oldest first.
    pub thoughts: Vec<Thought>,
    /// How many more there are.
    pub more: u64,
}

/// The most thoughts of a group of duplicates that are told.
pub const DUPLICATES_SHOWN: usize = 10;

/// How far somebody has followed the changes of an account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChangeMark {
    /// The row of the thought stored last.
    pub row: u32,
    /// The highest number of an entry of the log.
    pub entry: u64,
    /// The highest number of a vector.
    pub vector: u64,
}

/// What has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// Where things stand.
    pub mark: ChangeMark,
    /// The thoughts, in the order of storing.
    pub thoughts: Vec<ThoughtId>,
    /// Whether more have changed than are named.
    pub more: bool,
}
