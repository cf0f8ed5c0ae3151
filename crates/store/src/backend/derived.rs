//! What background work derives, as rows.

use std::sync::Arc;

use async_trait::async_trait;

use annotate::entities::{EntityKey, EntityKind, Mention};
use model::{AccountId, Category, ThoughtId};

use super::log::Row;
use crate::contract::{Link, Mentioned, MetName, Replaces, Ticket};
use crate::error::StoreError;
use crate::facet::Facet;
use crate::models::Model;

/// Vectors, entities and links of the thoughts of an account.
#[async_trait]
pub trait DerivedRows: Send + Sync {
    /// Stores what was derived and ends the steps, all in one transaction; what is finished already or belongs to an earlier
    /// text is left out. Returns how many counted.
    ///
    /// Inside the transaction, which names are one is decided by `annotate::entities::resolve`, and which model serves by
    /// [`models`](crate::models), from what has been read there.
    async fn finish(&self, account: AccountId, finished: Vec<FinishedRow>) -> Result<usize, StoreError>;

    /// The models that made vectors of the account's texts, oldest first.
    async fn models(&self, account: AccountId) -> Result<Vec<Model>, StoreError>;

    /// The packed vectors of these thoughts by that model, in no particular order; those without any are left out.
    async fn vectors_of(&self, account: AccountId, model: i64, rows: &[Row])
    -> Result<Vec<(Row, Vec<u8>)>, StoreError>;

    /// The packed tokens of these thoughts by that model, in no particular order; those without any are left out.
    async fn tokens_of(&self, account: AccountId, model: i64, rows: &[Row]) -> Result<Vec<(Row, Vec<u8>)>, StoreError>;

    /// Removes some vectors of a model that is still retired, and the model with the last of them; whether there may be more.
    async fn remove_retired(&self, account: AccountId, model: i64) -> Result<bool, StoreError>;

    /// The names of people, organisations, places, products and works that begin with one of the words: those of most thoughts
    /// first, at most `limit` for each word.
    async fn known_names(&self, account: AccountId, words: &[String], limit: usize)
    -> Result<Vec<NameRow>, StoreError>;

    /// The names of the same kinds that begin with one of the words and are mentioned by a thought before that row: in the order
    /// of the first such thoughts, then by `folded` and the word of their kind, at most `limit` for each word.
    async fn names_before(
        &self,
        account: AccountId,
        row: Row,
        words: &[String],
        limit: usize,
    ) -> Result<Vec<MetName>, StoreError>;

    /// As [`Knowledge::mention`](crate::Knowledge::mention) promises; which names are one is decided as in
    /// [`finish`](Self::finish).
    async fn mention(&self, account: AccountId, mentioned: Vec<Mentioned>) -> Result<(), StoreError>;

    /// The groups of these entities, as far as they are known, each once and with at most `limit` of its thoughts.
    async fn groups(&self, account: AccountId, keys: &[EntityKey], limit: usize) -> Result<Vec<GroupRow>, StoreError>;

    /// For each of these thoughts, the groups it mentions, each once, as they were with nothing stored after the row beside it:
    /// which names are one is told by [`one_with`](annotate::entities::one_with) among the names mentioned up to it, and
    /// thoughts up to it count. Dates are left out, and so are groups in more than `common` thoughts. At most `limit` of the thoughts
    /// of each.
    async fn groups_of(
        &self,
        account: AccountId,
        rows: &[GroupsOf],
        limit: usize,
    ) -> Result<Vec<(Row, Vec<GroupRow>)>, StoreError>;

    /// For each of these thoughts, what it mentions under the full names, in the order of their names.
    async fn entities_of(
        &self,
        account: AccountId,
        rows: &[Row],
    ) -> Result<Vec<(Row, Vec<(String, EntityKind)>)>, StoreError>;

    /// The links of that kind these thoughts were given themselves, and the `incoming` strongest of those that lead to each: first
    /// those of thoughts that replace it, of equals the ones of older thoughts.
    async fn links_of(
        &self,
        account: AccountId,
        rows: &[Row],
        kind: LinkKind,
        incoming: usize,
    ) -> Result<Vec<LinkRow>, StoreError>;
}

/// Which links of a thought are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// All.
    Any,
    /// Those with thoughts that replace it: hardly any, and finding out about the others would take most of the time.
    Replacing,
}

/// A job that was done, with what it brought in the form it is stored in.
#[derive(Debug, Clone)]
pub struct FinishedRow {
    /// The job.
    pub ticket: Ticket,
    /// What it brought.
    pub derived: DerivedRow,
}

/// What a step brought; replaces whatever it brought before.
#[derive(Debug, Clone)]
pub enum DerivedRow {
    /// Of enriching.
    Enriched {
        /// The text as vectors.
        vectors: VectorRow,
        /// What the text mentions.
        mentions: Vec<Mention>,
        /// What kind of thought it is.
        category: Category,
    },
    /// Of linking: the links of the thought. No more than
    /// [`INCOMING_MAX`](crate::links::INCOMING_MAX) links lead to any thought; the weakest give way, of equals those of younger
    /// thoughts.
    Linked(Vec<Link>),
}

/// The vectors of one text.
#[derive(Debug, Clone)]
pub struct VectorRow {
    /// The name of the model.
    pub model: String,
    /// What they were packed around.
    pub centre: Arc<[f32]>,
    /// The packed vectors, one after the other.
    pub parts: Vec<u8>,
    /// The packed tokens; kept apart, as they are read for few thoughts at a time. Empty if there are none.
    pub tokens: Vec<u8>,
}

/// A name by which the account knows an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameRow {
    /// The name, folded.
    pub folded: String,
    /// The name to show.
    pub name: String,
    /// What it names.
    pub kind: EntityKind,
    /// In how many thoughts it is mentioned.
    pub thoughts: u64,
}

/// The groups of which thought are asked for.
#[derive(Debug, Clone, Copy)]
pub struct GroupsOf {
    /// Its row.
    pub row: Row,
    /// The last row that is looked at.
    pub until: Row,
    /// A group in more thoughts than this is left out.
    pub common: u64,
}

/// An entity with the short names that stand for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupRow {
    /// In how many thoughts they are; one that mentions two of them counts twice.
    pub thoughts: u64,
    /// The rows of the newest of these thoughts, newest first.
    pub newest: Vec<Row>,
}

/// A link, as seen from one of its ends.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkRow {
    /// The thought it was asked for.
    pub with: Row,
    /// The other.
    pub row: Row,
    /// The other's id.
    pub id: ThoughtId,
    /// The other's facet.
    pub facet: Facet,
    /// How strong it is, 0 to 1.
    pub weight: f32,
    /// Which of the two stands in place of the other, if either does; the one it was asked for is this one.
    pub replaces: Option<Replaces>,
}
