//! The vectors of texts: parts for the embedding model, and which vectors belong to which text.

use store::{Embedding, Job};
use text::passages;
use vectors::WeightedToken;

use super::enrichment::Enrichment;
use super::failure::Failure;

/// A text of more parts is compared as a whole alone: its tokens would take more room than all else about it.
const PARTS_WITH_TOKENS_MAX: usize = 8;

/// Cuts the jobs into groups that the model takes at once; a text with many parts is a group of its own.
pub(super) fn groups(jobs: Vec<Job>, texts_at_once: usize) -> Vec<Vec<Job>> {
    let mut groups: Vec<Vec<Job>> = Vec::new();
    let mut texts = usize::MAX;
    for job in jobs {
        let parts = passages(job.thought.raw_text.as_str()).len();
        match groups.last_mut().filter(|_| texts.saturating_add(parts) <= texts_at_once) {
            Some(group) => {
                group.push(job);
                texts += parts;
            }
            None => {
                groups.push(vec![job]);
                texts = parts;
            }
        }
    }
    groups
}

/// The vectors of each of these texts.
pub(super) fn embed(enrichment: &Enrichment, texts: &[String]) -> Result<Vec<Embedding>, Failure> {
    let centre = enrichment.centre()?;
    let parts: Vec<Vec<&str>> = texts.iter().map(|text| parts(text)).collect();
    let all_parts: Vec<&str> = parts.iter().flatten().copied().collect();
    let read = enrichment.embedder.read(&all_parts)?;
    let is_complete = read.len() == all_parts.len() && read.iter().all(|part| part.vector.len() == centre.len());
    if !is_complete {
        return Err(Failure::Retry("the embedding model returned other vectors than were asked for".to_owned()));
    }
    let mut read = read.into_iter();
    let model = enrichment.embedder.model_id();
    let embedding = |parts: Vec<&str>| {
        let (parts, tokens): (Vec<_>, Vec<_>) =
            read.by_ref().take(parts.len()).map(|part| (part.vector, part.tokens)).unzip();
        let has_tokens = parts.len() <= PARTS_WITH_TOKENS_MAX && tokens.iter().any(|tokens| !tokens.is_empty());
        let vectors = |tokens: Vec<WeightedToken>| tokens.into_iter().map(|token| token.vector).collect();
        let tokens = if has_tokens { tokens.into_iter().map(vectors).collect() } else { Vec::new() };
        Embedding { model: model.to_owned(), centre: centre.clone(), parts, tokens }
    };
    Ok(parts.into_iter().map(embedding).collect())
}

/// The whole text, of which a model reads as much as it can, then the passages it does not get to.
fn parts(text: &str) -> Vec<&str> {
    let later = passages(text).into_iter().skip(1);
    std::iter::once(text).chain(later).collect()
}
