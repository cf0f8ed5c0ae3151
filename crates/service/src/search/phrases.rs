//! Keeps only what holds the phrases a query quotes, in its text or in a note.

use rustc_hash::FxHashSet;

use annotate::holds_phrase;
use model::{AccountId, NoteId, Thought};
use store::{LexicalHit, Store, StoreError};

use super::explain::NOTES_AT_ONCE;
use super::lists::Lists;

/// Takes out of the lists what does not hold every phrase; neighbours of hits count no more, as they hold other words.
pub(super) async fn retain(
    store: &dyn Store,
    account: AccountId,
    lists: &mut Lists,
    phrases: &[String],
) -> Result<(), StoreError> {
    if phrases.is_empty() {
        return Ok(());
    }
    let holds_all = |text: &str| phrases.iter().all(|phrase| holds_phrase(text, phrase));
    let in_text = |thought: &Thought| holds_all(thought.raw_text.as_str());
    let notes: Vec<NoteId> = lists.lexical.iter().flat_map(|hit| hit.notes.iter().map(|(id, _)| *id)).collect();
    let mut holding: FxHashSet<NoteId> = FxHashSet::default();
    for some in notes.chunks(NOTES_AT_ONCE) {
        let texts = store.note_texts(account, some).await?;
        holding.extend(texts.into_iter().filter(|(_, _, text)| holds_all(text)).map(|(id, _, _)| id));
    }
    lists.lexical.retain_mut(|LexicalHit { thought, notes, .. }| {
        notes.retain(|(id, _)| holding.contains(id));
        in_text(thought) || !notes.is_empty()
    });
    let held: Vec<_> = lists.lexical.iter().map(|hit| hit.thought.id).collect();
    let is_held = |thought: &Thought| held.contains(&thought.id) || in_text(thought);
    lists.compared.iter_mut().for_each(|compared| compared.closest.retain(is_held));
    lists.graph.retain(|(thought, _)| is_held(thought));
    lists.captured.retain(is_held);
    lists.sittings = Default::default();
    lists.replaced.retain(is_held);
    Ok(())
}
