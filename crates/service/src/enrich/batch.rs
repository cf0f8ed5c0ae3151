//! Works off the jobs of one claim and stores the results together.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tracing::{debug, warn};

use annotate::category::{Scores, combine, form_scores, meaning_scores};
use annotate::entities::{NothingKnown, entities, known_key};
use model::{AccountId, Category, ThoughtText};
use store::{Derived, Embedding, Enriched, Finished, Job, Link, Mentioned, Relatives, Step, StoreError, Ticket};

use super::backoff::{ATTEMPTS_MAX, pause};
use super::computer::Computer;
use super::enrichment::Enrichment;
use super::failure::Failure;
use super::met::Met;
use super::{links, meaning};
use crate::embed::BUILT_IN_MODEL;

/// How a batch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Every job was finished, put off, given up or put back.
    Settled,
    /// The embedding model could not be reached; the jobs that need it were put back.
    Unavailable,
}

/// How long jobs rest when the embedding model cannot be reached. The worker itself waits longer the longer it lasts.
const UNAVAILABLE_PAUSE: Duration = Duration::from_secs(1);

/// The jobs of one claim and what became of them so far.
struct Batch<'a> {
    enrichment: &'a Enrichment,
    computer: &'a Computer,
    account: AccountId,
    finished: Vec<Finished>,
    put_back: Vec<Ticket>,
    unavailable: Option<String>,
}

/// Does the jobs and stores what they bring in one transaction.
pub(super) async fn work_off(
    enrichment: &Enrichment,
    computer: &Computer,
    account: AccountId,
    jobs: Vec<Job>,
    stopping: &(dyn Fn() -> bool + Sync),
) -> Result<Outcome, StoreError> {
    let mut batch =
        Batch { enrichment, computer, account, finished: Vec::new(), put_back: Vec::new(), unavailable: None };
    let (tired, jobs): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(|job| job.attempts > ATTEMPTS_MAX);
    for job in tired {
        // It was never reported as failed, so whoever worked on it did not come back.
        batch.give_up(&job, "its workers ended while they worked on it").await?;
    }
    let (to_enrich, to_link): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(|job| job.ticket.step == Step::Enrich);
    for jobs in meaning::groups(to_enrich, enrichment.embedder.texts_at_once()) {
        match stopping() || batch.unavailable.is_some() {
            true => batch.put_back.extend(jobs.iter().map(|job| job.ticket)),
            false => batch.enrich(jobs).await?,
        }
    }
    match stopping() {
        true => batch.put_back.extend(to_link.iter().map(|job| job.ticket)),
        false => batch.link(to_link).await?,
    }
    batch.settle().await
}

impl Batch<'_> {
    async fn enrich(&mut self, jobs: Vec<Job>) -> Result<(), StoreError> {
        let embeddings = self.embed(&jobs).await;
        let enriched = self.read(&jobs, embeddings).await;
        for (job, enriched) in jobs.iter().zip(enriched) {
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
        let enrichment = self.enrichment.clone();
        let texts: Vec<String> = jobs.iter().map(|job| job.thought.raw_text.as_str().to_owned()).collect();
        let embed = move || meaning::embed(&enrichment, &texts);
        self.computer.run(embed).await.map_err(Failure::Retry)?
    }

    /// Entities and category, beside the vectors of those that have them: what the text tells by itself.
    async fn read(&self, jobs: &[Job], embeddings: Vec<Result<Embedding, Failure>>) -> Vec<Result<Enriched, Failure>> {
        let read = |(job, embedding): (&Job, Result<Embedding, Failure>)| {
            let text = job.thought.raw_text.clone();
            move || {
                let (embedding, text) = (embedding?, text.as_str());
                let category = category(text, &embedding);
                Ok(Enriched { embedding, mentions: entities(text, &NothingKnown), category })
            }
        };
        let readings = jobs.iter().zip(embeddings).map(read).collect();
        let answers = self.computer.run_each(readings).await;
        answers.into_iter().map(|answer| answer.map_err(Failure::Retry).flatten()).collect()
    }

    /// Links thoughts that were stored one after the other, everything before them being done.
    async fn link(&mut self, mut jobs: Vec<Job>) -> Result<(), StoreError> {
        if let Some((failed, reason)) = self.mention(&jobs).await {
            self.put_off(&jobs[failed], &reason).await?;
            // Those after it need what it mentions.
            self.put_back.extend(jobs.drain(failed..).skip(1).map(|job| job.ticket));
        }
        if jobs.is_empty() {
            return Ok(());
        }
        for (job, linked) in jobs.iter().zip(self.links(&jobs).await) {
            match linked {
                Ok(linked) => self.finish(job, Derived::Linked(linked)),
                Err(reason) => self.put_off(job, &reason).await?,
            }
        }
        Ok(())
    }

    /// Stores what the texts mention by the names known before each; the first that could not be read, and why.
    async fn mention(&self, jobs: &[Job]) -> Option<(usize, String)> {
        let store = &self.enrichment.store;
        let first = jobs.first()?;
        let texts = || jobs.iter().map(|job| job.thought.raw_text.clone());
        let words = self.computer.run_each(texts().map(|text| move || words(text.as_str())).collect()).await;
        let distinct: BTreeSet<String> = words.into_iter().flatten().flatten().collect();
        let met = match store.names_before(self.account, first.thought.id, distinct.into_iter().collect()).await {
            Ok(names) => Arc::new(Mutex::new(Met::of(names))),
            Err(error) => return Some((0, error.to_string())),
        };
        let read = |text: ThoughtText| {
            let met = met.clone();
            move || met.lock().read(text.as_str())
        };
        // One after the other: what one mentions, the next knows.
        let read = self.computer.run_each(texts().map(read).collect()).await;
        let mut mentioned = Vec::with_capacity(jobs.len());
        let mut failed = None;
        for (place, (job, mentions)) in jobs.iter().zip(read).enumerate() {
            match mentions {
                Ok(mentions) => mentioned.push(Mentioned { ticket: job.ticket, mentions }),
                Err(reason) => {
                    failed = Some((place, reason));
                    break;
                }
            }
        }
        match store.mention(self.account, mentioned).await {
            Ok(()) => failed,
            Err(error) => Some((0, error.to_string())),
        }
    }

    async fn links(&self, jobs: &[Job]) -> Vec<Result<Vec<Link>, String>> {
        let Enrichment { store, embedder, replacing, .. } = self.enrichment;
        let ids = jobs.iter().map(|job| job.thought.id).collect();
        match store.relatives(self.account, ids, embedder.model_id()).await {
            Ok(relatives) => {
                let weigh = |(job, relatives): (&Job, Relatives)| {
                    let (text, judge) = (job.thought.raw_text.clone(), replacing.clone());
                    move || links::links(&text, &relatives, &|older, newer| judge.odds(older, newer))
                };
                self.computer.run_each(jobs.iter().zip(relatives).map(weigh).collect()).await
            }
            Err(error) => jobs.iter().map(|_| Err(error.to_string())).collect(),
        }
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
        let at = self.enrichment.now().after(pause(job.attempts, seed));
        debug!(thought.id = %thought, step, job.attempts, reason, "the step failed and is tried again at {at}");
        self.enrichment.store.retry_at(self.account, job.ticket, at).await
    }

    async fn give_up(&self, job: &Job, reason: &str) -> Result<(), StoreError> {
        let (thought, step) = (job.ticket.thought, job.ticket.step.as_str());
        warn!(thought.id = %thought, step, job.attempts, reason, "gave up enriching thought {thought}, which is kept");
        self.enrichment.store.give_up(self.account, job.ticket).await
    }

    /// Stores what was done and puts back what was not.
    async fn settle(self) -> Result<Outcome, StoreError> {
        let Self { enrichment, account, finished, put_back, unavailable, .. } = self;
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

/// The category by form, and by meaning where the vectors are those that the weights were trained on.
fn category(text: &str, embedding: &Embedding) -> Category {
    let opening = embedding.parts.first().filter(|_| embedding.model == BUILT_IN_MODEL);
    let meaning = opening.map_or(Scores::EVEN, |opening| meaning_scores(opening));
    combine(form_scores(text), meaning).best().0
}

/// The folded words of a text.
fn words(text: &str) -> Vec<String> {
    known_key(text).split(' ').map(str::to_owned).collect()
}
