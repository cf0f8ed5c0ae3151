//! Keeps only what holds the phrases a query quotes, in its text or in a note.

use rustc_hash::FxHashSet;

use annotate::holds_phrases;
use model::{AccountId, NoteId, Thought, ThoughtId};
use store::{LexicalHit, Store, StoreError};

use super::explain::NOTES_AT_ONCE;
use super::graph::Links;
use super::lists::Lists;

/// Takes out of the lists what does not hold every phrase.
pub(super) async fn retain(
    store: &dyn Store,
    account: AccountId,
    lists: &mut Lists,
    phrases: &[String],
) -> Result<(), StoreError> {
    if phrases.is_empty() {
        return Ok(());
    }
    let notes: Vec<NoteId> = lists.lexical.iter().flat_map(|hit| hit.notes.iter().map(|(id, _)| *id)).collect();
    let mut holding: FxHashSet<NoteId> = FxHashSet::default();
    for some in notes.chunks(NOTES_AT_ONCE) {
        let texts = store.note_texts(account, some).await?;
        holding.extend(texts.into_iter().filter(|(_, _, text)| holds_phrases(text, phrases)).map(|(id, _, _)| id));
    }
    lists.lexical.retain_mut(|LexicalHit { thought, notes, .. }| {
        notes.retain(|(id, _)| holding.contains(id));
        holds_phrases(thought.raw_text.as_str(), phrases) || !notes.is_empty()
    });
    let is_held = is_held(&lists.lexical, phrases);
    lists.compared.iter_mut().for_each(|compared| compared.closest.retain(&is_held));
    lists.graph.retain(|(thought, _)| is_held(thought));
    lists.captured.retain(&is_held);
    Ok(())
}

/// The same for what the links of hits lead to.
pub(super) fn retain_linked(links: &mut Links, hits: &[LexicalHit], phrases: &[String]) {
    if phrases.is_empty() {
        return;
    }
    let is_held = is_held(hits, phrases);
    links.belonging.retain(|(thought, _)| is_held(thought));
    links.replaced.retain(is_held);
}

/// Whether a thought holds every phrase, given the hits that do.
fn is_held(hits: &[LexicalHit], phrases: &[String]) -> impl Fn(&Thought) -> bool {
    let held: FxHashSet<ThoughtId> = hits.iter().map(|hit| hit.thought.id).collect();
    move |thought| held.contains(&thought.id) || holds_phrases(thought.raw_text.as_str(), phrases)
}
