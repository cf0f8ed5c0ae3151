//! Ids that follow from what identifies a record where it comes from.

use model::{NoteId, ThoughtId};
use uuid::Uuid;

use crate::kind::Kind;

/// Names everything that is derived here. It must never change: what was taken in before would be taken in again.
const NAMESPACE: Uuid = Uuid::from_u128(0x0199_8f6e_55aa_7c01_9d1e_aff7_e270_06a7);

/// The id a record has there if it is a UUID, else one derived from it.
pub(crate) fn kept_or_derived(kind: Kind, id: &str) -> ThoughtId {
    id.parse().unwrap_or_else(|_| derived(kind, &[id]))
}

/// The id of the record that these parts identify among those of its kind.
pub(crate) fn derived(kind: Kind, parts: &[&str]) -> ThoughtId {
    ThoughtId::from_uuid(Uuid::new_v5(&NAMESPACE, name(kind.name(), parts).as_bytes()))
}

/// The id of a note of a thought.
pub(crate) fn note(thought: ThoughtId, name_of_note: &str) -> NoteId {
    NoteId::from_uuid(Uuid::new_v5(&NAMESPACE, name("note", &[&thought.to_string(), name_of_note]).as_bytes()))
}

/// The parts with their lengths, so that no two lists of parts look alike.
fn name(kind: &str, parts: &[&str]) -> String {
    parts.iter().fold(kind.to_owned(), |name, part| format!("{name}\n{}:{part}", part.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_never_changes_and_parts_do_not_run_together() {
        let tea = derived(Kind::ServerMemory, &["Ana", "likes tea"]);
        assert_eq!(tea.to_string(), "ae2d0e1d-7f57-5699-967d-fef0ed9d5682");
        assert_ne!(
            derived(Kind::ServerMemory, &["Analikes", " tea"]),
            derived(Kind::ServerMemory, &["Ana", "likes tea"])
        );
        assert_ne!(derived(Kind::Claude, &["Ana"]), derived(Kind::ChatGpt, &["Ana"]));
    }

    #[test]
    fn a_uuid_is_kept() {
        let id = "0197c1a2-7b3c-7def-8123-456789abcdef";
        assert_eq!(kept_or_derived(Kind::OpenMemory, id).to_string(), id);
        assert_ne!(kept_or_derived(Kind::OpenMemory, "17"), kept_or_derived(Kind::OpenMemory, "18"));
    }
}
