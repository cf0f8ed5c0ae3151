//! Which thoughts are linked and how strongly: a pure function of what speaks for each.

use annotate::{gives_like_values, is_question, shared_words, speaker, tells_of_change};
use model::ThoughtText;
use store::{Link, Relative, Relatives, Replaces};
use text::is_among;

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

/// What has to speak for it that one thought replaces another, in logits of a regression over 15,000 pairs of 27 people's memories: from here
/// on half do by the questions of these sets, and more by the eye. Whoever states a lot is rarely replaced as a whole.
const REPLACES_MIN: f32 = 6.4;
const REPLACES_CLOSENESS: f32 = 13.8;
const REPLACES_SHARED: f32 = 0.75;
const REPLACES_CHANGE: f32 = 0.8;
const REPLACES_WORDS: f32 = 2.4;
const REPLACES_BYTE: f32 = -0.019;

/// The longest pause in a conversation.
const SITTING_SECONDS: u64 = 3_600;

/// A longer text says many things: no other says them all again, and it is about none of them in particular.
const REPLACED_BYTES_MAX: usize = 400;

/// How many others a thought replaces or is replaced by at most: what says the same as many others is one of a series.
const REPLACED_MAX: usize = 4;

/// The links of a thought with that text, strongest first, ties by id; those that replace or are replaced come first.
pub(super) fn links(text: &ThoughtText, relatives: &Relatives) -> Vec<Link> {
    let mut links: Vec<Link> = belonging(relatives);
    for replaced in replaced(text, relatives) {
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

/// The links to those that a thought replaces or is replaced by.
fn replaced(text: &ThoughtText, relatives: &Relatives) -> Vec<Link> {
    // What is said in a conversation is said in passing: another such turn does not take it back.
    if is_turn(text.as_str(), relatives) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for relative in &relatives.candidates {
        let (older, newer, replaces) = match relative.is_later {
            true => (text, &relative.text, Replaces::This),
            false => (&relative.text, text, Replaces::Other),
        };
        let closeness = closeness_of(relative, relatives.typical_cosine);
        if let Some(evidence) = evidence(older.as_str(), newer.as_str(), closeness, !relative.shared.is_empty()) {
            found.push((evidence, Link { other: relative.thought, weight: closeness, replaces: Some(replaces) }));
        }
    }
    found.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.other.cmp(&other.other)));
    found.truncate(REPLACED_MAX);
    found.into_iter().map(|(_, link)| link).collect()
}

/// What speaks for it that the newer text says what has become of what the older one says, if that is enough.
fn evidence(older: &str, newer: &str, closeness: f32, shares_a_name: bool) -> Option<f32> {
    let flag = |weight: f32, is_so: bool| if is_so { weight } else { 0.0 };
    let evidence =
        REPLACES_CLOSENESS * closeness + flag(REPLACES_SHARED, shares_a_name) + REPLACES_BYTE * older.len() as f32;
    // Most pairs are settled by what costs nothing: a thought is compared with every other.
    let is_long = older.len().max(newer.len()) > REPLACED_BYTES_MAX;
    if is_long || older == newer || evidence + REPLACES_CHANGE + REPLACES_WORDS < REPLACES_MIN {
        return None;
    }
    let states = |text: &str| !is_question(text) && !addresses(text);
    let changes = tells_of_change(newer);
    let evidence = evidence + flag(REPLACES_CHANGE, changes) + REPLACES_WORDS * shared_words(older, newer);
    let is_enough = evidence >= REPLACES_MIN && states(older) && states(newer);
    // Of two dinners, the later is no later state of the other, however alike they are told.
    (is_enough && (changes || gives_like_values(older, newer))).then_some(evidence)
}

/// Whether a text is a turn of a conversation that speaks to somebody. The first of one has no other before it.
fn addresses(text: &str) -> bool {
    const ADDRESSING: &str = "you your you're you've you'll hey hi hello thanks congrats wow haha du dein tu vous";
    let words =
        || text.split_whitespace().map(|word| word.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase());
    speaker(text).is_some() && words().any(|word| is_among(ADDRESSING, &word))
}

/// Whether a text is a turn of a conversation: it opens with a speaker, and so does one of another speaker about that time. A
/// heading such as `Project Heron:` stands alone.
fn is_turn(text: &str, relatives: &Relatives) -> bool {
    let Some(own) = speaker(text) else { return false };
    let about_then = relatives.candidates.iter().filter(|relative| relative.apart_seconds <= SITTING_SECONDS);
    about_then.into_iter().filter_map(|relative| speaker(relative.text.as_str())).any(|other| other != own)
}

/// The thoughts that belong with one.
fn belonging(relatives: &Relatives) -> Vec<Link> {
    let mut weighed: Vec<(&Relative, f32)> = relatives
        .candidates
        .iter()
        .map(|relative| (relative, weight(relative, relatives.typical_cosine, relatives.population)))
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
fn weight(relative: &Relative, typical: f32, population: u64) -> f32 {
    let closeness = closeness_of(relative, typical);
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

/// How far another's meaning is on the way from an unrelated text, 0, to the same text, 1.
fn closeness_of(relative: &Relative, typical: f32) -> f32 {
    let far = |cosine: f32| ((cosine - typical) / (1.0 - typical).max(f32::EPSILON)).clamp(0.0, 1.0);
    relative.cosine.map_or(0.0, far)
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
        let links = super::links(&text("another thing"), relatives);
        links.into_iter().map(|link| (link.other, link.weight)).collect()
    }

    /// What the thought is to one with that text, about an earlier or a later time.
    fn replaces(thought: &str, other: &str, is_later: bool) -> Option<Replaces> {
        let relative = Relative { text: text(other), is_later, cosine: Some(0.85), ..relative(1) };
        let links = super::links(&text(thought), &relatives(vec![relative]));
        links.first().and_then(|link| link.replaces)
    }

    #[test]
    fn a_later_thought_that_tells_of_a_change_replaces_the_earlier_one() {
        let (before, after) = ("Practice is in the parish hall", "Practice is in the school hall now");
        assert_eq!(replaces(after, before, false), Some(Replaces::Other));
        assert_eq!(replaces(before, after, true), Some(Replaces::This));
        assert_eq!(replaces(after, before, true), None, "what was told of a change is replaced by no old state");
    }

    #[test]
    fn a_later_thought_with_other_values_of_the_same_kinds_replaces_the_earlier_one() {
        assert_eq!(
            replaces("Practice: Fridays at 18:30, €12", "Practice: Mondays at 19:00, €10", false),
            Some(Replaces::Other)
        );
        assert_eq!(replaces("Ana sings the Requiem", "Ana sings in the choir", false), None);
    }

    #[test]
    fn words_of_change_replace_what_is_less_close() {
        let replaces = |after: &str| {
            let before =
                "Ana has her guitar lesson with Rui on Tuesdays at half past five, in the room behind the shop";
            let before = Relative { text: text(before), cosine: Some(0.85), ..relative(1) };
            super::links(&text(after), &relatives(vec![before])).iter().any(|link| link.replaces.is_some())
        };
        assert!(replaces("Guitar lesson moved to Wednesdays with Rui"));
        assert!(!replaces("Wednesdays are the best days for walks"));
    }

    #[test]
    fn one_of_a_series_leaves_room_for_a_name() {
        let close = |number| Relative { text: text("Ran 5 miles"), cosine: Some(0.95), ..relative(number) };
        let mut candidates: Vec<Relative> = (10..30).map(close).collect();
        candidates.push(Relative { shared: vec![3], ..relative(1) });
        let links = super::links(&text("Ran 6 miles with Ana"), &relatives(candidates));
        assert_eq!(links.iter().filter(|link| link.replaces.is_some()).count(), REPLACED_MAX);
        assert!(links.iter().any(|link| link.other == id(1)));
    }

    #[test]
    fn a_question_and_the_same_text_replace_nothing() {
        assert_eq!(replaces("Is practice in the school hall now?", "Practice is in the parish hall", false), None);
        assert_eq!(replaces("Practice is in the hall now", "Practice is in the hall now", false), None);
    }

    #[test]
    fn turns_of_a_conversation_replace_nothing() {
        let earlier = Relative { text: text("Ana: I work in a bakery"), cosine: Some(0.9), ..relative(1) };
        let before = Relative { text: text("Rui: And you?"), apart_seconds: 60, ..relative(2) };
        let said = text("Ana: I work in an office now");
        let replaced =
            |candidates| super::links(&said, &relatives(candidates)).iter().any(|link| link.replaces.is_some());
        assert!(!replaced(vec![earlier.clone(), before]));
        assert!(replaced(vec![earlier.clone()]), "a heading alone makes no conversation");
        let first = Relative { text: text("Ana: Hey Rui! I work in an office now"), is_later: true, ..earlier };
        assert!(!replaced(vec![first]));
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
            prop_assert!(weight(&more, 0.7, 1000) >= weight(&relative, 0.7, 1000));
        }
    }
}
