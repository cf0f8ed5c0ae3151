//! Shows where a hit matched: the best place of its text and of its notes.

use rustc_hash::FxHashMap;

use model::{AccountId, NoteId};
use store::{ResolvedTerm, Store, StoreError};
use text::Wanted;

use super::fuse::Ranked;
use super::hit::{Hit, NoteMatch};

/// The longest snippet, in characters.
const SNIPPET_CHARS_MAX: usize = 300;

/// How many matching notes of one thought are shown; a thought may have any number of them.
const NOTES_SHOWN_MAX: usize = 3;

/// How many notes are held in memory at a time: each may have a MiB.
pub(super) const NOTES_AT_ONCE: usize = 16;

/// The beginning of a text, for where nothing was searched.
pub fn opening(text: &str) -> String {
    text::snippet(text, &[], SNIPPET_CHARS_MAX)
}

/// Adds the places that matched to the ranked thoughts.
pub(super) async fn explain(
    store: &dyn Store,
    account: AccountId,
    ranked: Vec<Ranked<'_>>,
    resolved: &[ResolvedTerm],
) -> Result<Vec<Hit>, StoreError> {
    let wanted: Vec<Wanted<'_>> =
        resolved.iter().map(|term| Wanted { tokens: &term.tokens, weight: term.weight }).collect();
    let shown: Vec<NoteId> = ranked.iter().flat_map(shown_notes).copied().collect();
    let mut matches = FxHashMap::default();
    for some in shown.chunks(NOTES_AT_ONCE) {
        for (id, name, text) in store.note_texts(account, some).await? {
            matches.insert(id, NoteMatch { name, snippet: text::snippet(&text, &wanted, SNIPPET_CHARS_MAX) });
        }
    }
    let hit = |ranked: Ranked<'_>| Hit {
        notes: shown_notes(&ranked).iter().filter_map(|id| matches.get(id).cloned()).collect(),
        snippet: text::snippet(ranked.thought.raw_text.as_str(), &wanted, SNIPPET_CHARS_MAX),
        thought: ranked.thought.clone(),
        score: ranked.score,
        matched_by: ranked.matched_by,
        superseded_by: ranked.superseded_by,
    };
    Ok(ranked.into_iter().map(hit).collect())
}

fn shown_notes<'a>(ranked: &'a Ranked<'_>) -> &'a [NoteId] {
    &ranked.notes[..ranked.notes.len().min(NOTES_SHOWN_MAX)]
}
