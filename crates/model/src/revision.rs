//! What a change leaves behind, and how changes are taken back.

use super::{Status, Time};

/// One change of a thought's text, status or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// Counts from 1 within the thought.
    pub number: u32,
    /// When it happened.
    pub at: Time,
    /// How it came about.
    pub kind: RevisionKind,
    /// The name of the key that asked for it.
    pub by: String,
    /// The text before and after, where it changed.
    pub text: Option<(String, String)>,
    /// The status before and after, where it changed.
    pub status: Option<(Status, Status)>,
}

/// How a revision came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevisionKind {
    /// Someone asked for a change.
    Change,
    /// Someone asked for a change, and a language model worked out what it is.
    ModelChange,
    /// An earlier change was taken back.
    Undo,
    /// A change that had been taken back was made again.
    Redo,
}

impl RevisionKind {
    /// The word used wherever revisions leave the program.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Change => "change",
            Self::ModelChange => "model_change",
            Self::Undo => "undo",
            Self::Redo => "redo",
        }
    }

    /// Reads back what [`as_str`](Self::as_str) wrote.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Change, Self::ModelChange, Self::Undo, Self::Redo].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// What can be undone and redone, derived from all revisions of a thought in order.
///
/// Undoing twice goes two changes back; a new change after an undo leaves nothing to redo. The log itself only grows.
#[derive(Debug, Default)]
pub struct Timeline {
    done: Vec<u32>,
    undone: Vec<u32>,
}

impl Timeline {
    /// Replays the revisions, oldest first: the number and the kind of each.
    pub fn of(revisions: impl IntoIterator<Item = (u32, RevisionKind)>) -> Self {
        let mut timeline = Self::default();
        for (number, kind) in revisions {
            match kind {
                RevisionKind::Change | RevisionKind::ModelChange => {
                    timeline.done.push(number);
                    timeline.undone.clear();
                }
                RevisionKind::Undo => timeline.undone.extend(timeline.done.pop()),
                RevisionKind::Redo => timeline.done.extend(timeline.undone.pop()),
            }
        }
        timeline
    }

    /// The number of the change an undo would take back.
    pub fn to_undo(&self) -> Option<u32> {
        self.done.last().copied()
    }

    /// The number of the change a redo would make again.
    pub fn to_redo(&self) -> Option<u32> {
        self.undone.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use RevisionKind::{Change, ModelChange, Redo, Undo};

    fn timeline(kinds: &[RevisionKind]) -> Timeline {
        Timeline::of((1..).zip(kinds.iter().copied()))
    }

    #[test]
    fn undoing_again_goes_further_back() {
        assert_eq!(timeline(&[Change, Change, Undo]).to_undo(), Some(1));
    }

    #[test]
    fn a_redo_makes_the_last_undone_change_again() {
        assert_eq!(timeline(&[Change, Change, Undo, Undo]).to_redo(), Some(1));
    }

    #[test]
    fn a_redone_change_can_be_undone() {
        assert_eq!(timeline(&[Change, Undo, Redo]).to_undo(), Some(1));
    }

    #[test]
    fn a_new_change_leaves_nothing_to_redo() {
        let timeline = timeline(&[Change, Undo, ModelChange]);
        assert_eq!((timeline.to_redo(), timeline.to_undo()), (None, Some(3)));
    }
}
