//! The queue of background work: written with a text, leased by workers, finished once.

use async_trait::async_trait;
use tokio::sync::watch;

use model::{AccountId, Thought, ThoughtId, Time};

use crate::error::StoreError;

/// The background work that is due.
///
/// A job is leased, never held in an open transaction: a worker that dies loses nothing but time. A job belongs to one
/// version of a text, so whatever is finished after the text has changed stores nothing, and the job of the later text
/// stays.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Changes whenever this process queues work.
    fn work_signal(&self) -> watch::Receiver<u64>;

    /// The accounts that have jobs to claim at `now`, whichever process queued them; in no particular order. An account that
    /// cannot be read is left out.
    async fn accounts_with_work(&self, now: Time) -> Result<Vec<AccountId>, StoreError>;

    /// The same of only those accounts in which this process has queued work, or saw some when it looked at all: others cost
    /// nothing here, and what another process has queued since is not seen.
    async fn accounts_known_to_have_work(&self, now: Time) -> Result<Vec<AccountId>, StoreError>;

    /// The accounts whose searches another model than this one answers; in no particular order.
    async fn accounts_with_another_model(&self, model: &str) -> Result<Vec<AccountId>, StoreError>;

    /// Leases jobs that are due, urgent ones first, then the longest due. Nobody else gets them before the lease ends.
    ///
    /// A thought is linked by what has been derived from those before it, so linking is leased in the order of storing: a stretch
    /// of thoughts one after the other, once all before them are done, and to one worker at a time. What was given up counts as
    /// done, and urgent work waits for urgent work alone: linked before something less urgent, a thought is linked again
    /// after it.
    ///
    /// Each claim counts as an attempt. A job whose lease ran out may have brought its worker down, so it comes alone.
    async fn claim(&self, account: AccountId, claim: Claim) -> Result<Vec<Job>, StoreError>;

    /// Ends the lease of a failed job; it is due again at `at`.
    async fn retry_at(&self, account: AccountId, ticket: Ticket, at: Time) -> Result<(), StoreError>;

    /// Ends leases without counting the attempt, because the jobs were not to blame or not begun; due again at `at`.
    async fn put_back(&self, account: AccountId, tickets: Vec<Ticket>, at: Time) -> Result<(), StoreError>;

    /// Queues the next `limit` thoughts of a rebuild, less urgent than new texts; whether there are more. Goes on after
    /// the last one queued, also if another process queued it, and starts over once all have been.
    async fn queue_rebuild(&self, account: AccountId, rebuild: Rebuild, limit: usize) -> Result<bool, StoreError>;

    /// How far the background work on a thought is; `None` if there is no such thought.
    async fn enrichment_of(&self, account: AccountId, id: ThoughtId) -> Result<Option<Enrichment>, StoreError>;

    /// Makes work on a thought that was given up due again, as if it had never been tried, and has later thoughts linked
    /// again; anything else is left as it is.
    async fn try_again(&self, account: AccountId, id: ThoughtId) -> Result<(), StoreError>;

    /// Ends a job that cannot be done. It stays countable; a new text or a rebuild tries again.
    async fn give_up(&self, account: AccountId, ticket: Ticket) -> Result<(), StoreError>;
}

/// How far the background work on a thought is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enrichment {
    /// Everything that follows from the text is there.
    Done,
    /// Something is due or under way.
    Pending,
    /// Something could not be done.
    GivenUp,
}

/// What a worker asks for.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    /// The present moment.
    pub now: Time,
    /// When others may take the jobs over.
    pub leased_until: Time,
    /// How many at most.
    pub limit: usize,
    /// No more once their texts are this long together.
    pub text_bytes: usize,
}

/// What is to be derived anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rebuild {
    /// Everything from all thoughts.
    Everything,
    /// What thoughts lack that have no vectors of this model and no job.
    Missing {
        /// The model.
        model: String,
    },
}

/// A piece of background work on one thought. Running a step twice does no harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Derive what follows from the text alone: vectors, entities, category.
    Enrich,
    /// Find names known from earlier thoughts and link the thought with those. Follows by itself, and again where what was
    /// derived from an earlier thought changes.
    Link,
}

impl Step {
    /// The word used wherever steps leave the program.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Enrich => "enrich",
            Self::Link => "link",
        }
    }

    /// Reads back what [`as_str`](Self::as_str) wrote.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Enrich, Self::Link].into_iter().find(|step| step.as_str() == word)
    }
}

/// A leased job.
#[derive(Debug, Clone)]
pub struct Job {
    /// What to name the job by.
    pub ticket: Ticket,
    /// The thought as it was when the job was claimed.
    pub thought: Thought,
    /// How often the job has been claimed, this time included.
    pub attempts: u32,
}

/// Names a job: a step on one version of a thought's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    /// The thought.
    pub thought: ThoughtId,
    /// The step.
    pub step: Step,
    /// The version of the text.
    pub version: u64,
}
