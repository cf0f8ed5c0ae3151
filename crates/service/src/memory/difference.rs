//! How a text came to be another, part by part, for people to look at.

/// A part of two versions of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// In both.
    Same(String),
    /// In the version before alone.
    Removed(String),
    /// In the version after alone.
    Added(String),
    /// In both and left out here: so many characters.
    Skipped(usize),
}

/// How much of what did not change is shown on each side of a change, in characters.
const AROUND_CHARS: usize = 80;

/// The parts of two versions of a text, in order. Unchanged stretches are shown around the changes alone.
pub(super) fn parts(before: &str, after: &str) -> Vec<Part> {
    let places = text::differences(before, after, 0);
    let mut parts = Vec::new();
    let mut at = 0;
    for (number, place) in places.iter().enumerate() {
        same(&mut parts, &before[at..place.before.start], number > 0, true);
        let (removed, added) = (&before[place.before.clone()], &after[place.after.clone()]);
        parts.extend((!removed.is_empty()).then(|| Part::Removed(removed.to_owned())));
        parts.extend((!added.is_empty()).then(|| Part::Added(added.to_owned())));
        at = place.before.end;
    }
    same(&mut parts, &before[at..], !places.is_empty(), false);
    parts
}

/// Adds what is the same between two changes, or before the first or after the last one.
fn same(parts: &mut Vec<Part>, stretch: &str, follows: bool, leads: bool) {
    let chars = stretch.chars().count();
    let (head, tail) = (if follows { AROUND_CHARS } else { 0 }, if leads { AROUND_CHARS } else { 0 });
    // Leaving out a few words would take as much room as showing them.
    if chars <= head + tail + AROUND_CHARS / 4 {
        parts.extend((!stretch.is_empty()).then(|| Part::Same(stretch.to_owned())));
        return;
    }
    let at = |chars: usize| stretch.char_indices().nth(chars).map_or(stretch.len(), |(at, _)| at);
    let (head_end, tail_start) = (at(head), at(chars - tail));
    parts.extend((head > 0).then(|| Part::Same(stretch[..head_end].to_owned())));
    parts.push(Part::Skipped(chars - head - tail));
    parts.extend((tail > 0).then(|| Part::Same(stretch[tail_start..].to_owned())));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn removed(words: &str) -> Part {
        Part::Removed(words.into())
    }

    fn added(words: &str) -> Part {
        Part::Added(words.into())
    }

    fn kept(words: &str) -> Part {
        Part::Same(words.into())
    }

    #[test]
    fn a_changed_word_stands_between_what_is_the_same() {
        let parts = parts("Ana lives in Lisbon now", "Ana lives in Porto now");
        assert_eq!(parts, [kept("Ana lives in "), removed("Lisbon"), added("Porto"), kept(" now")]);
    }

    #[test]
    fn what_is_far_from_a_change_is_left_out() {
        let long = "é ".repeat(500);
        let parts = parts(&format!("{long}old {long}"), &format!("{long}new {long}"));
        let [
            Part::Skipped(before),
            Part::Same(_),
            Part::Removed(_),
            Part::Added(_),
            Part::Same(_),
            Part::Skipped(after),
        ] = parts.as_slice()
        else {
            panic!("{parts:?}")
        };
        assert_eq!((*before, *after), (920, 921));
    }

    proptest! {
        #[test]
        fn both_versions_can_be_put_together_again(before in "[ab é\\n]{0,60}", after in "[ab é\\n]{0,60}") {
            let (mut old, mut new) = (String::new(), String::new());
            for part in parts(&before, &after) {
                match part {
                    Part::Same(text) => { old += &text; new += &text; }
                    Part::Removed(text) => old += &text,
                    Part::Added(text) => new += &text,
                    Part::Skipped(_) => unreachable!("short texts are shown whole"),
                }
            }
            prop_assert_eq!((old, new), (before, after));
        }
    }
}
