//! What is derived from the thoughts of an account: their meaning, the entities they mention, their links.

use std::sync::Arc;

use async_trait::async_trait;

use annotate::entities::{EntityKey, EntityKind, Mention};
use model::{AccountId, Category, Thought, ThoughtId, ThoughtText};
use vectors::{TokenVector, WeightedToken};

use super::filter::Among;
use super::jobs::Ticket;
use super::visible::Visible;
use crate::backend::LogEnd;
use crate::error::StoreError;

/// What background work derives. All of it can be rebuilt from the texts, and may lag behind them.
#[async_trait]
pub trait Knowledge: Send + Sync {
    /// Stores what was derived and ends the steps, all in one transaction; what is finished already or belongs to an earlier
    /// text is left out. Returns how many counted.
    async fn finish(&self, account: AccountId, finished: Vec<Finished>) -> Result<usize, StoreError>;

    /// The model whose vectors answer searches of the account; `None` before the first vector.
    async fn serving_model(&self, account: AccountId) -> Result<Option<String>, StoreError>;

    /// The thoughts closest in meaning to a vector, and those to be compared as well: closest first, ties in the order of
    /// storing.
    async fn search_semantic(&self, account: AccountId, query: SemanticQuery) -> Result<SemanticHits, StoreError>;

    /// The names the account knows that begin with one of the words, as `text::entities::known_key` makes them.
    async fn known_names(&self, account: AccountId, words: Vec<String>) -> Result<KnownNames, StoreError>;

    /// The names known from thoughts stored before this one that begin with one of the words: those met first, first.
    async fn names_before(
        &self,
        account: AccountId,
        thought: ThoughtId,
        words: Vec<String>,
    ) -> Result<Vec<MetName>, StoreError>;

    /// Stores what the texts of leased jobs mention in place of what they did, in one transaction, and ends no step; a job that
    /// is not there any more is left out.
    async fn mention(&self, account: AccountId, mentioned: Vec<Mentioned>) -> Result<(), StoreError>;

    /// The thoughts that mention the entities, under any of their names: most and rarest entities first, then the newest.
    async fn search_entities(&self, account: AccountId, query: EntityQuery) -> Result<Vec<EntityHit>, StoreError>;

    /// The entities and links of each of these thoughts that exists, in no particular order.
    async fn connections(&self, account: AccountId, ids: &[ThoughtId]) -> Result<Vec<Connections>, StoreError>;

    /// The visible thoughts linked with these: once for each link, in no particular order.
    async fn linked(&self, account: AccountId, ids: &[ThoughtId], visible: Visible) -> Result<Vec<Linked>, StoreError>;

    /// Those of [`linked`](Self::linked) that say what has become of what one of these says; no others are read.
    async fn replacing(
        &self,
        account: AccountId,
        ids: &[ThoughtId],
        visible: Visible,
    ) -> Result<Vec<Linked>, StoreError>;

    /// For each of these thoughts, those stored before it that may be linked with it, by the vectors of that model and by what
    /// else is known of them: a bounded number, whatever the size of the account. What was stored after it changes nothing,
    /// unless it was changed when more than [`AGAIN_MAX`](crate::links::AGAIN_MAX) thoughts had come after it: those are looked
    /// at as well.
    async fn relatives(
        &self,
        account: AccountId,
        thoughts: Vec<ThoughtId>,
        model: &str,
    ) -> Result<Vec<Relatives>, StoreError>;
}

/// A job that was done.
#[derive(Debug, Clone)]
pub struct Finished {
    /// The job.
    pub ticket: Ticket,
    /// What it brought.
    pub derived: Derived,
}

/// What a step brought; replaces whatever it brought before.
#[derive(Debug, Clone)]
pub enum Derived {
    /// Of [`Step::Enrich`](super::Step::Enrich).
    Enriched(Enriched),
    /// Of [`Step::Link`](super::Step::Link): the links of the thought.
    Linked(Vec<Link>),
}

/// A link from one thought to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The other.
    pub other: ThoughtId,
    /// How strong it is, 0 to 1.
    pub weight: f32,
    /// Which of the two stands in place of the other, if either does.
    pub replaces: Option<Replaces>,
}

/// Which of two thoughts says what has become of what the other says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaces {
    /// The thought the link is of replaces the other.
    Other,
    /// The other replaces it.
    This,
}

/// What follows from a text alone.
#[derive(Debug, Clone)]
pub struct Enriched {
    /// The text as vectors.
    pub embedding: Embedding,
    /// What the text mentions, as far as it tells by itself.
    pub mentions: Vec<Mention>,
    /// What kind of thought it is.
    pub category: Category,
}

/// The vectors of one text.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    /// The model that made them: vectors of different models cannot be compared.
    pub model: String,
    /// The middle of the vectors of unrelated texts; the same for all vectors of the model.
    pub centre: Arc<[f32]>,
    /// One for the opening of the text, and one for each later part of a long one; all as long as the centre.
    pub parts: Vec<Vec<f32>>,
    /// The tokens of each part; none if the model does not tell them, or the text has too many.
    pub tokens: Vec<Vec<TokenVector>>,
}

/// A search by meaning.
#[derive(Debug, Clone)]
pub struct SemanticQuery {
    /// The model that made the vector; only its vectors are looked at.
    pub model: String,
    /// What to be close to.
    pub vector: Vec<f32>,
    /// The same token by token; none if the model does not tell them.
    pub tokens: Vec<WeightedToken>,
    /// Which thoughts may be seen.
    pub visible: Visible,
    /// Which of them are looked at; `None` for all.
    pub among: Option<Among>,
    /// How many of the closest at most.
    pub limit: usize,
    /// Thoughts to compare as well, however far they are; those without vectors are passed over.
    pub also: Vec<ThoughtId>,
    /// What it is to see at least, if that is known already; else everything stored before it is asked.
    pub as_of: Option<LogEnd>,
}

/// What a search by meaning found.
#[derive(Debug, Clone, Default)]
pub struct SemanticHits {
    /// The hits, closest first.
    pub hits: Vec<SemanticHit>,
    /// Those that were to be compared as well.
    pub also: Vec<(ThoughtId, Closeness)>,
    /// The cosine that a thought which has nothing to do with the query typically has.
    pub typical_cosine: f32,
}

/// A thought that is close in meaning.
#[derive(Debug, Clone)]
pub struct SemanticHit {
    /// The thought.
    pub thought: Thought,
    /// How close it is.
    pub closeness: Closeness,
}

/// How close a text is to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Closeness {
    /// The cosine of the angle between the query and the closest part of the text; a little less for a part that is not its
    /// opening.
    pub cosine: f32,
    /// How much of each token of the query its tokens hold, as [`vectors::held`] tells; `None` if either has none.
    pub held: Option<Vec<f32>>,
}

/// Names the account knows.
#[derive(Debug, Clone, Default)]
pub struct KnownNames {
    /// The names, for each word those of most thoughts first.
    pub names: Vec<KnownName>,
    /// How far the account had come: whoever searches as of that need not ask again.
    pub as_of: LogEnd,
}

/// A name by which the account knows an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownName {
    /// The name, folded.
    pub folded: String,
    /// The name to show.
    pub name: String,
    /// What it names.
    pub kind: EntityKind,
    /// In how many thoughts it is mentioned.
    pub thoughts: u64,
    /// How many thoughts the account has.
    pub population: u64,
}

/// A name the account had met before a thought was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetName {
    /// The name, folded.
    pub folded: String,
    /// The name to show.
    pub name: String,
    /// What it names.
    pub kind: EntityKind,
}

/// What the text of a job mentions.
#[derive(Debug, Clone)]
pub struct Mentioned {
    /// The job.
    pub ticket: Ticket,
    /// What its text mentions.
    pub mentions: Vec<Mention>,
}

/// A search by what thoughts mention.
#[derive(Debug, Clone)]
pub struct EntityQuery {
    /// The entities; those the account does not know are passed over.
    pub keys: Vec<EntityKey>,
    /// Which thoughts may be seen.
    pub visible: Visible,
    /// Which of them are looked at; `None` for all.
    pub among: Option<Among>,
    /// How many at most.
    pub limit: usize,
}

/// A thought that mentions an entity of the query.
#[derive(Debug, Clone)]
pub struct EntityHit {
    /// The thought.
    pub thought: Thought,
    /// For each entity it mentions, in how many thoughts that one is.
    pub shared: Vec<u64>,
}

/// What a thought is connected to.
#[derive(Debug, Clone, PartialEq)]
pub struct Connections {
    /// The thought.
    pub thought: ThoughtId,
    /// What it mentions, under the full names, by name.
    pub entities: Vec<(String, EntityKind)>,
    /// Its links, strongest first; those with archived thoughts are left out.
    pub links: Vec<Link>,
}

/// A thought that is linked with another.
#[derive(Debug, Clone)]
pub struct Linked {
    /// The other.
    pub with: ThoughtId,
    /// The thought.
    pub thought: Thought,
    /// How strongly, 0 to 1.
    pub weight: f32,
    /// Whether the thought says what has become of what the other says.
    pub replaces: bool,
}

/// What may be linked with a thought.
#[derive(Debug, Clone, Default)]
pub struct Relatives {
    /// The other thoughts, in no particular order.
    pub candidates: Vec<Relative>,
    /// The cosine that a thought which has nothing to do with this one typically has.
    pub typical_cosine: f32,
    /// How many thoughts the account had with this one.
    pub population: u64,
}

impl Relatives {
    /// How far another's meaning is on the way from an unrelated text, 0, to the same text, 1.
    #[must_use]
    pub fn closeness(&self, relative: &Relative) -> f32 {
        let far = |cosine: f32| (cosine - self.typical_cosine) / (1.0 - self.typical_cosine).max(f32::EPSILON);
        relative.cosine.map_or(0.0, |cosine| far(cosine).clamp(0.0, 1.0))
    }
}

/// A thought that may be linked with another, and what speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Relative {
    /// The other thought.
    pub thought: ThoughtId,
    /// Its text.
    pub text: ThoughtText,
    /// Whether it is about a later time; of equals the one that was stored later.
    pub is_later: bool,
    /// How close in meaning, if it is among the closest.
    pub cosine: Option<f32>,
    /// For each entity both mention, in how many thoughts that one is.
    pub shared: Vec<u64>,
    /// How long before or after.
    pub apart_seconds: u64,
    /// Whether both have the same author.
    pub same_source: bool,
}
