//! What was said just before and after: which thoughts are of one sitting.

use std::collections::{BTreeMap, BTreeSet};

use model::Thought;

use crate::backend::{FormedThought, Row};
use crate::contract::{Beside, Sittings, Terms, Visible};
use crate::words::Seek;

/// The longest pause within a sitting: an hour.
const PAUSE_MICROS_MAX: u64 = 3_600_000_000;

/// The stretches of rows that lie up to so many steps around these.
pub(crate) fn around(rows: impl IntoIterator<Item = Row>, steps: u8) -> Vec<(Row, Row)> {
    let steps = Row::from(steps);
    let mut stretches: Vec<(Row, Row)> = Vec::new();
    for row in rows.into_iter().collect::<BTreeSet<Row>>() {
        let (first, last) = (row.saturating_sub(steps).max(1), row.saturating_add(steps));
        match stretches.last_mut().filter(|before| first <= before.1.saturating_add(1)) {
            Some(before) => before.1 = last,
            None => stretches.push((first, last)),
        }
    }
    stretches
}

/// A thought with how much of the query it holds, by term.
struct Read {
    thought: Thought,
    held: Vec<f32>,
}

/// The visible thoughts among these with how much of the query each holds, and the pairs that are at most so many steps apart in
/// one sitting.
pub(crate) fn sittings(
    found: Vec<FormedThought>,
    terms: &Terms,
    steps: u8,
    visible: Visible,
    population: u64,
) -> Sittings {
    let mut seek = Seek::new(terms);
    let read = |FormedThought { row, thought, form }| (row, Read { thought, held: seek.held(&form.into_form()) });
    let rows: BTreeMap<Row, Read> = found.into_iter().map(read).collect();
    let mut sittings = Sittings { population, ..Sittings::default() };
    for (row, Read { thought, .. }) in rows.iter().filter(|(_, read)| visible.admits(&read.thought)) {
        let mut last = thought;
        for apart in 1..=steps {
            let next = rows.get(&(row + Row::from(apart))).map(|read| &read.thought);
            let Some(next) = next.filter(|next| is_one_sitting(last, next)) else { break };
            if visible.admits(next) {
                sittings.pairs.push(Beside { earlier: thought.id, later: next.id, steps: apart });
            }
            last = next;
        }
    }
    for Read { thought, held } in rows.into_values().filter(|read| visible.admits(&read.thought)) {
        sittings.held.insert(thought.id, held);
        sittings.thoughts.push(thought);
    }
    sittings
}

/// Whether two thoughts stored one after the other are of the same source and about the same time.
fn is_one_sitting(one: &Thought, other: &Thought) -> bool {
    let pause = one.captured_at.as_micros().abs_diff(other.captured_at.as_micros());
    pause <= PAUSE_MICROS_MAX && one.author == other.author
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_that_touch_are_read_as_one() {
        assert_eq!(around([9, 2, 30], 3), [(1, 12), (27, 33)]);
        assert_eq!(around([5, 5], 0), [(5, 5)]);
        assert_eq!(around([], 2), []);
    }
}
