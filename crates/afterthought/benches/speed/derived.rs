//! Vectors, entities and links for a large account without a model: made up, stored through the same door as real ones.

use std::sync::Arc;
use std::time::Duration;

use annotate::entities::{EntityKind, Mention};
use model::{AccountId, Category, Clock, SystemClock};
use service::embed::{BuiltIn, Embedder};
use store::{Claim, Derived, Embedding, Enriched, Finished, Job, Link, Step, Store};

use super::corpus::Corpus;

/// How many jobs are finished in one transaction. A worker finishes 16; of thousands, a database that has not counted yet what it holds
/// would compare each with each.
const AT_ONCE: usize = 256;

/// Finishes the background work of every thought.
pub(crate) async fn derive(store: &dyn Store, account: AccountId) {
    let model = BuiltIn::default();
    let centre: Arc<[f32]> = model.centre().unwrap().into();
    let mut corpus = Corpus::new(11);
    loop {
        let now = SystemClock.now();
        let claim =
            Claim { now, leased_until: now.after(Duration::from_secs(600)), limit: AT_ONCE, text_bytes: usize::MAX };
        let jobs = store.claim(account, claim).await.unwrap();
        if jobs.is_empty() {
            break;
        }
        let others: Vec<_> = jobs.iter().map(|job| job.thought.id).collect();
        let derived = |job: &Job| match job.ticket.step {
            Step::Enrich => Derived::Enriched(enriched(model.model_id(), &centre, &mut corpus)),
            Step::Link => Derived::Linked(
                (0..3)
                    .map(|_| Link { other: others[corpus.below(others.len())], weight: 0.5, replaces: None })
                    .collect(),
            ),
        };
        let derived: Vec<Derived> = jobs.iter().map(derived).collect();
        let finished =
            jobs.iter().zip(derived).map(|(job, derived)| Finished { ticket: job.ticket, derived }).collect();
        store.finish(account, finished).await.unwrap();
    }
    store.upkeep().await.unwrap();
}

fn enriched(model: &str, centre: &Arc<[f32]>, corpus: &mut Corpus) -> Enriched {
    let mut vector: Vec<f32> = centre.iter().map(|middle| middle + (corpus.fraction() as f32 - 0.5) * 0.09).collect();
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|value| *value /= length);
    let name = corpus.person();
    Enriched {
        embedding: Embedding {
            model: model.to_owned(),
            centre: centre.clone(),
            parts: vec![vector],
            tokens: Vec::new(),
        },
        mentions: vec![Mention { name, kind: EntityKind::Person, span: 0..0 }],
        category: Category::Fact,
    }
}
