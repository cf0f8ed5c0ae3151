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
pub struct Timeline<'a> {
    done: Vec<&'a Revision>,
    undone: Vec<&'a Revision>,
}

impl<'a> Timeline<'a> {
    /// Replays the revisions, oldest first.
    pub fn of(revisions: &'a [Revision]) -> Self {
        let mut timeline = Self::default();
        for revision in revisions {
            match revision.kind {
                RevisionKind::Change | RevisionKind::ModelChange => {
                    timeline.done.push(revision);
                    timeline.undone.clear();
                }
                RevisionKind::Undo => timeline.undone.extend(timeline.done.pop()),
                RevisionKind::Redo => timeline.done.extend(timeline.undone.pop()),
            }
        }
        timeline
    }

    /// The change an undo would take back.
    pub fn to_undo(&self) -> Option<&'a Revision> {
        self.done.last().copied()
    }

    /// The change a redo would make again.
    pub fn to_redo(&self) -> Option<&'a Revision> {
        self.undone.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(kinds: &[RevisionKind]) -> Vec<Revision> {
        let revision = |(index, kind): (usize, &RevisionKind)| Revision {
            number: index as u32 + 1,
            at: Time::from_micros(index as i64),
            kind: *kind,
            by: "test".into(),
            text: None,
            status: None,
        };
        kinds.iter().enumerate().map(revision).collect()
    }

    use RevisionKind::{Change, ModelChange, Redo, Undo};

    #[test]
    fn undoing_again_goes_further_back() {
        let log = log(&[Change, Change, Undo]);
        assert_eq!(Timeline::of(&log).to_undo().map(|revision| revision.number), Some(1));
    }

    #[test]
    fn a_redo_makes_the_last_undone_change_again() {
        let log = log(&[Change, Change, Undo, Undo]);
        assert_eq!(Timeline::of(&log).to_redo().map(|revision| revision.number), Some(1));
    }

    #[test]
    fn a_redone_change_can_be_undone() {
        let log = log(&[Change, Undo, Redo]);
        assert_eq!(Timeline::of(&log).to_undo().map(|revision| revision.number), Some(1));
    }

    #[test]
    fn a_new_change_leaves_nothing_to_redo() {
        let log = log(&[Change, Undo, ModelChange]);
        let timeline = Timeline::of(&log);
        assert_eq!(timeline.to_redo(), None);
        assert_eq!(timeline.to_undo().map(|revision| revision.number), Some(3));
    }
}
