//! Which thoughts are linked and how strongly: a pure function of what speaks for each.

use model::ThoughtText;
use store::{Link, Relative, Relatives};

use super::replacing::{Odds, replaced};

/// How many links a thought is given at most.
const LINKS_MAX: usize = 8;

/// How many of them close meaning alone may take: a crowd of like texts must leave room for names.
const BY_MEANING_MAX: usize = 4;

/// A link weaker than this is none.
const WEIGHT_MIN: f32 = 0.25;

/// How much of the way from an unrelated text to the same text a meaning must have come to count.
const CLOSENESS_MIN: f32 = 0.4;

/// What one entity that only these two thoughts mention says.
const SHARED_WEIGHT: f32 = 0.6;

/// What being stored at the same moment by the same author says: something, but never enough alone.
const MOMENT_WEIGHT: f32 = 0.2;

/// How quickly that fades.
const MOMENT_SECONDS: f32 = 600.0;

/// The links of a thought with that text, strongest first, ties by id; those that replace or are replaced come first.
pub(super) fn links(text: &ThoughtText, relatives: &Relatives, odds: Odds<'_>) -> Vec<Link> {
    let mut links: Vec<Link> = belonging(relatives);
    for replaced in replaced(text, relatives, odds) {
        match links.iter_mut().find(|link| link.other == replaced.other) {
            Some(link) => link.replaces = replaced.replaces,
            None => links.push(replaced),
        }
    }
    links.sort_by(|a, b| {
        let strength = b.replaces.is_some().cmp(&a.replaces.is_some()).then(b.weight.total_cmp(&a.weight));
        strength.then_with(|| a.other.cmp(&b.other))
    });
    links.truncate(LINKS_MAX);
    links
}

/// The thoughts that belong with one.
fn belonging(relatives: &Relatives) -> Vec<Link> {
    let mut weighed: Vec<(&Relative, f32)> = relatives
        .candidates
        .iter()
        .map(|relative| (relative, weight(relative, relatives.closeness(relative), relatives.population)))
        .filter(|(_, weight)| *weight >= WEIGHT_MIN)
        .collect();
    weighed.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.thought.cmp(&b.0.thought)));
    let mut by_meaning = 0;
    weighed.retain(|(relative, _)| {
        by_meaning += usize::from(relative.shared.is_empty());
        !relative.shared.is_empty() || by_meaning <= BY_MEANING_MAX
    });
    weighed.truncate(LINKS_MAX);
    let link = |(relative, weight): (&Relative, f32)| Link { other: relative.thought, weight, replaces: None };
    weighed.into_iter().map(link).collect()
}

/// The chance that not everything that speaks for the link is wrong.
fn weight(relative: &Relative, closeness: f32, population: u64) -> f32 {
    let meaning = if closeness < CLOSENESS_MIN { 0.0 } else { closeness };
    let mut doubt = 1.0 - meaning;
    for count in &relative.shared {
        doubt *= 1.0 - SHARED_WEIGHT * rarity(*count, population);
    }
    if relative.same_source {
        let apart = relative.apart_seconds as f32 / MOMENT_SECONDS;
        doubt *= 1.0 - MOMENT_WEIGHT * (-apart).exp();
    }
    1.0 - doubt
}

/// 1 for an entity in two thoughts, towards 0 for one in all of them.
fn rarity(count: u64, population: u64) -> f32 {
    let (count, population) = (count.max(2) as f32, population.max(3) as f32);
    ((population / count).ln_1p() / (population / 2.0).ln_1p()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use model::ThoughtId;
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> ThoughtId {
        ThoughtId::from_uuid(Uuid::from_u128(number))
    }

    fn relative(number: u128) -> Relative {
        Relative {
            thought: id(number),
            text: text("something"),
            is_later: false,
            cosine: None,
            shared: Vec::new(),
            apart_seconds: 100_000,
            same_source: false,
        }
    }

    fn text(text: &str) -> ThoughtText {
        ThoughtText::new(text).unwrap()
    }

    /// The links of a thought about something else than the candidates.
    fn links(relatives: &Relatives) -> Vec<(ThoughtId, f32)> {
        let links = super::links(&text("another thing"), relatives, &|_, _| -9.0);
        links.into_iter().map(|link| (link.other, link.weight)).collect()
    }

    fn relatives(candidates: Vec<Relative>) -> Relatives {
        Relatives { candidates, typical_cosine: 0.7, population: 1000 }
    }

    #[test]
    fn a_rare_name_links_and_a_common_one_does_not() {
        let rare = Relative { shared: vec![2], ..relative(1) };
        let common = Relative { shared: vec![600], ..relative(2) };
        let linked = links(&relatives(vec![rare, common]));
        assert_eq!(linked.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [id(1)]);
    }

    #[test]
    fn what_is_replaced_comes_first_and_leaves_room_for_a_name() {
        let close = |number| Relative { cosine: Some(0.95), text: text("Ran 5 miles"), ..relative(number) };
        let mut candidates: Vec<Relative> = (10..30).map(close).collect();
        candidates.push(Relative { shared: vec![3], ..relative(1) });
        let links = super::links(&text("Ran 6 miles with Ana"), &relatives(candidates), &|_, _| 9.0);
        assert!(links[0].replaces.is_some());
        assert!(links.iter().any(|link| link.other == id(1) && link.replaces.is_none()));
    }

    #[test]
    fn close_meaning_links_and_the_usual_closeness_does_not() {
        let close = Relative { cosine: Some(0.9), ..relative(1) };
        let usual = Relative { cosine: Some(0.75), ..relative(2) };
        let linked = links(&relatives(vec![usual, close]));
        assert_eq!(linked.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [id(1)]);
    }

    #[test]
    fn like_texts_leave_room_for_a_name() {
        let mut candidates: Vec<Relative> =
            (10..30).map(|number| Relative { cosine: Some(0.99), ..relative(number) }).collect();
        candidates.push(Relative { shared: vec![3], ..relative(1) });
        assert!(links(&relatives(candidates)).iter().any(|(linked, _)| *linked == id(1)));
    }

    #[test]
    fn a_common_moment_alone_does_not_link() {
        let moment = Relative { apart_seconds: 0, same_source: true, ..relative(1) };
        assert_eq!(links(&relatives(vec![moment])), []);
    }

    fn any_relative() -> impl Strategy<Value = Relative> {
        (
            0..40_u128,
            prop::option::of(-1.0..1.0_f32),
            prop::collection::vec(1..2000_u64, 0..4),
            0..10_000_u64,
            any::<bool>(),
        )
            .prop_map(|(number, cosine, shared, apart_seconds, same_source)| Relative {
                thought: id(number),
                text: text("something"),
                is_later: false,
                cosine,
                shared,
                apart_seconds,
                same_source,
            })
    }

    proptest! {
        #[test]
        fn links_are_few_and_weigh_between_zero_and_one(candidates in prop::collection::vec(any_relative(), 0..60)) {
            let linked = links(&relatives(candidates));
            prop_assert!(linked.len() <= LINKS_MAX);
            prop_assert!(linked.iter().all(|(_, weight)| (0.0..=1.0).contains(weight)));
            prop_assert!(linked.is_sorted_by(|a, b| a.1 >= b.1));
        }

        #[test]
        fn the_order_of_the_candidates_does_not_matter(candidates in prop::collection::vec(any_relative(), 0..30)) {
            let mut seen = std::collections::BTreeSet::new();
            let candidates: Vec<Relative> =
                candidates.into_iter().filter(|relative| seen.insert(relative.thought)).collect();
            let reversed = candidates.iter().rev().cloned().collect();
            prop_assert_eq!(links(&relatives(candidates)), links(&relatives(reversed)));
        }

        #[test]
        fn whatever_else_speaks_for_a_link_makes_it_no_weaker(relative in any_relative(), count in 1..2000_u64) {
            let mut more = relative.clone();
            more.shared.push(count);
            prop_assert!(weight(&more, 0.5, 1000) >= weight(&relative, 0.5, 1000));
        }
    }
}
