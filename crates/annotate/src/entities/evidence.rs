//! Adds up what speaks for each kind a name can have: its own words, weighed in `own_words`, and those around it, weighed in
//! `context`.
//!
//! - Weights are small whole numbers; a listed name counts [`LISTED`], a cue about half of that.

use super::kind::EntityKind;

/// What a listed name counts by itself.
pub(super) const LISTED: i32 = 4;

/// The kinds a name can have, in the order that breaks ties.
pub(super) const KINDS: [EntityKind; 5] =
    [EntityKind::Person, EntityKind::Organisation, EntityKind::Place, EntityKind::Product, EntityKind::Work];

/// The scores of a name, one for each of [`KINDS`].
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Evidence([i32; 5]);

impl Evidence {
    pub(super) fn of(&self, kind: EntityKind) -> i32 {
        KINDS.iter().position(|known| *known == kind).map_or(0, |place| self.0[place])
    }

    pub(super) fn add(&mut self, kind: EntityKind, weight: i32) {
        if let Some(place) = KINDS.iter().position(|known| *known == kind) {
            self.0[place] += weight;
        }
    }

    /// The best kind and its score; the first of [`KINDS`] among equals.
    pub(super) fn best(&self) -> (EntityKind, i32) {
        let mut best = (KINDS[0], self.0[0]);
        for (kind, score) in KINDS.into_iter().zip(self.0) {
            if score > best.1 {
                best = (kind, score);
            }
        }
        best
    }
}
