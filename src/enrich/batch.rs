//! Works off the jobs of one claim and stores the results together.

use std::collections::HashMap;
use std::time::Duration;

use tracing::{debug, warn};

use super::backoff::{ATTEMPTS_MAX, pause};
use super::{Worker, links, meaning};
use crate::model::{AccountId, ThoughtId};
use crate::store::{Derived, Embedding, Enriched, Finished, Job, KnownName, Step, StoreError, Ticket};
use crate::text::category::category;
use crate::text::entities::{EntityKind, entities, known_key};

/// How a batch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Every job was finished, put off, given up or put back.
    Settled,
    /// The embedding model could not be reached; the jobs that need it were put back.
    Unavailable,
}

/// What becomes of a job that was not done.
#[derive(Debug, Clone)]
pub(super) enum Failure {
    /// It may be done another time.
    Retry(String),
    /// It was not to blame.
    Unavailable(String),
}

/// How long jobs rest when the embedding model cannot be reached. The worker itself waits longer the longer it lasts.
const UNAVAILABLE_PAUSE: Duration = Duration::from_secs(1);

/// The jobs of one claim and what became of them so far.
struct Batch<'a> {
    worker: &'a Worker,
    account: AccountId,
    finished: Vec<Finished>,
    put_back: Vec<Ticket>,
    unavailable: Option<String>,
}

/// Does the jobs and stores what they bring in one transaction.
pub(super) async fn work_off(
    worker: &Worker,
    account: AccountId,
    jobs: Vec<Job>,
    stopping: &(dyn Fn() -> bool + Sync),
) -> Result<Outcome, StoreError> {
    let mut batch = Batch { worker, account, finished: Vec::new(), put_back: Vec::new(), unavailable: None };
    let (tired, jobs): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(|job| job.attempts > ATTEMPTS_MAX);
    for job in tired {
        // It was never reported as failed, so whoever worked on it did not come back.
        batch.give_up(&job, "its workers ended while they worked on it").await?;
    }
    let (to_enrich, to_link): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(|job| job.ticket.step == Step::Enrich);
    for jobs in meaning::groups(to_enrich, worker.enrichment.embedder.texts_at_once()) {
        match stopping() || batch.unavailable.is_some() {
            true => batch.put_back.extend(jobs.iter().map(|job| job.ticket)),
            false => batch.enrich(jobs).await?,
        }
    }
    for job in to_link {
        match stopping() {
            true => batch.put_back.push(job.ticket),
            false => batch.link(&job).await?,
        }
    }
    batch.settle().await
}

impl Batch<'_> {
    async fn enrich(&mut self, jobs: Vec<Job>) -> Result<(), StoreError> {
        let embeddings = self.embed(&jobs).await;
        for (job, embedding) in jobs.iter().zip(embeddings) {
            let enriched = match embedding {
                Ok(embedding) => self.read(job, embedding).await,
                Err(failure) => Err(failure),
            };
            match enriched {
                Ok(enriched) => self.finish(job, Derived::Enriched(enriched)),
                Err(Failure::Retry(reason)) => self.put_off(job, &reason).await?,
                Err(Failure::Unavailable(reason)) => {
                    self.unavailable = Some(reason);
                    self.put_back.push(job.ticket);
                }
            }
        }
        Ok(())
    }

    /// The vectors of each job's text. If the texts fail together, each is tried alone, so that only the guilty one fails.
    async fn embed(&self, jobs: &[Job]) -> Vec<Result<Embedding, Failure>> {
        match (self.embed_together(jobs).await, jobs) {
            (Ok(embeddings), _) => embeddings.into_iter().map(Ok).collect(),
            (Err(failure), [_]) => vec![Err(failure)],
            (Err(failure @ Failure::Unavailable(_)), _) => jobs.iter().map(|_| Err(failure.clone())).collect(),
            (Err(Failure::Retry(_)), _) => {
                let mut embeddings = Vec::with_capacity(jobs.len());
                for job in jobs {
                    let alone = self.embed_together(std::slice::from_ref(job)).await;
                    embeddings.push(alone.map(|mut embeddings| embeddings.remove(0)));
                }
                embeddings
            }
        }
    }

    async fn embed_together(&self, jobs: &[Job]) -> Result<Vec<Embedding>, Failure> {
        let enrichment = self.worker.enrichment.clone();
        let texts: Vec<String> = jobs.iter().map(|job| job.thought.raw_text.as_str().to_owned()).collect();
        let embed = move || meaning::embed(&enrichment, &texts);
        self.worker.computer.run(embed).await.map_err(Failure::Retry)?
    }

    /// Entities and category, beside the vectors that are there already.
    async fn read(&self, job: &Job, embedding: Embedding) -> Result<Enriched, Failure> {
        let computer = &self.worker.computer;
        let text = job.thought.raw_text.as_str().to_owned();
        let (words, text) = computer.run(move || (distinct_words(&text), text)).await.map_err(Failure::Retry)?;
        let names = self.worker.enrichment.store.known_names(self.account, words).await;
        let known = known(names.map_err(|error| Failure::Retry(error.to_string()))?);
        let read = move || Enriched { embedding, mentions: entities(&text, &known), category: category(&text).0 };
        computer.run(read).await.map_err(Failure::Retry)
    }

    async fn link(&mut self, job: &Job) -> Result<(), StoreError> {
        match self.links(job).await {
            Ok(linked) => self.finish(job, Derived::Linked(linked)),
            Err(reason) => self.put_off(job, &reason).await?,
        }
        Ok(())
    }

    async fn links(&self, job: &Job) -> Result<Vec<(ThoughtId, f32)>, String> {
        let enrichment = &self.worker.enrichment;
        let relatives = enrichment.store.relatives(self.account, job.thought.id, enrichment.embedder.model_id()).await;
        let relatives = relatives.map_err(|error| error.to_string())?;
        self.worker.computer.run(move || links::links(&relatives)).await
    }

    fn finish(&mut self, job: &Job, derived: Derived) {
        self.finished.push(Finished { ticket: job.ticket, derived });
    }

    /// Tries a failed job again later, or gives it up.
    async fn put_off(&self, job: &Job, reason: &str) -> Result<(), StoreError> {
        if job.attempts >= ATTEMPTS_MAX {
            return self.give_up(job, reason).await;
        }
        let (thought, step) = (job.ticket.thought, job.ticket.step.as_str());
        let seed = thought.as_bytes().iter().fold(0_u64, |seed, byte| seed.rotate_left(8) ^ u64::from(*byte));
        let at = self.worker.enrichment.now().after(pause(job.attempts, seed));
        debug!(thought.id = %thought, step, job.attempts, reason, "the step failed and is tried again at {at}");
        self.worker.enrichment.store.retry_at(self.account, job.ticket, at).await
    }

    async fn give_up(&self, job: &Job, reason: &str) -> Result<(), StoreError> {
        let (thought, step) = (job.ticket.thought, job.ticket.step.as_str());
        warn!(thought.id = %thought, step, job.attempts, reason, "gave up enriching thought {thought}, which is kept");
        self.worker.enrichment.store.give_up(self.account, job.ticket).await
    }

    /// Stores what was done and puts back what was not.
    async fn settle(self) -> Result<Outcome, StoreError> {
        let Self { worker, account, finished, put_back, unavailable } = self;
        let enrichment = &worker.enrichment;
        if !finished.is_empty() {
            let given = finished.len();
            let counted = enrichment.store.finish(account, finished).await?;
            debug!(account.id = %account, jobs = counted, stale = given - counted, "finished {counted} jobs");
        }
        if !put_back.is_empty() {
            let pause = if unavailable.is_some() { UNAVAILABLE_PAUSE } else { Duration::ZERO };
            enrichment.store.put_back(account, put_back, enrichment.now().after(pause)).await?;
        }
        let Some(reason) = unavailable else { return Ok(Outcome::Settled) };
        warn!(reason, "enrichment waits for the embedding model");
        Ok(Outcome::Unavailable)
    }
}

/// The folded words of a text, each once.
fn distinct_words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = known_key(text).split(' ').map(str::to_owned).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The names as the spotter asks for them; of two things of one name, the one in more thoughts.
fn known(mut names: Vec<KnownName>) -> HashMap<String, (String, EntityKind)> {
    names.sort_by(|a, b| a.thoughts.cmp(&b.thoughts).then_with(|| b.kind.cmp(&a.kind)));
    names.into_iter().map(|KnownName { folded, name, kind, .. }| (folded, (name, kind))).collect()
}
