//! Which thoughts say what has become of what others say.
//!
//! Signs that cost nothing leave the pairs for which that is plausible; the likeliest of those are read side by side by a model that has
//! learned to tell. It has learned English only: in other languages the signs decide, and so they have to be strong.

use annotate::{gives_like_values, is_question, shared_words, speaker, tells_of_change};
use model::ThoughtText;
use store::{Link, Relatives, Replaces};
use text::{is_among, may_be_in_english};

/// The logarithm of the odds that a text, the second, says what has become of what another says.
pub(super) type Odds<'a> = &'a dyn Fn(&str, &str) -> f32;

/// What the signs say, in logits of a regression over 15,000 pairs of 27 people's memories. Whoever states a lot is rarely replaced as a
/// whole.
const CLOSENESS: f32 = 13.8;
const SHARED_NAME: f32 = 0.75;
const CHANGE: f32 = 0.8;
const WORDS: f32 = 2.4;
const BYTE: f32 = -0.019;

/// From here on a pair is worth reading: with less, no odds the model ever gives are enough.
const PLAUSIBLE: f32 = 5.0;

/// From here on the signs are enough where nobody can read: half of such pairs do replace by the questions of these memories, and more by the
/// eye.
const ENOUGH: f32 = 6.4;

/// How many of a thought's pairs are read at most, which takes some milliseconds each.
const READ: usize = 3;

/// What each logit of the model's odds says beside the signs, what both have to say together, and from where on the model denies it: then no
/// signs help. Of records such as `Gym: 39 € a month` it has seen too few to deny lightly that other values take the place of theirs.
const READING: f32 = 0.3;
const TOGETHER: f32 = 6.5;
const DENIED: f32 = 0.0;
const DENIED_OF_VALUES: f32 = -2.0;

/// The longest pause in a conversation.
const SITTING_SECONDS: u64 = 3_600;

/// A longer text says many things: no other says them all again, and it is about none of them in particular.
const BYTES_MAX: usize = 400;

/// How many others a thought replaces or is replaced by at most: what says the same as many others is one of a series.
const REPLACED_MAX: usize = 4;

/// Two texts, of which the newer may say what has become of what the older says.
struct Pair<'a> {
    older: &'a str,
    newer: &'a str,
    evidence: f32,
    link: Link,
}

/// The links to those that a thought with that text replaces or is replaced by.
pub(super) fn replaced(text: &ThoughtText, relatives: &Relatives, odds: Odds<'_>) -> Vec<Link> {
    // What is said in a conversation is said in passing: another such turn does not take it back.
    if is_turn(text.as_str(), relatives) {
        return Vec::new();
    }
    let mut pairs = plausible(text, relatives);
    pairs.sort_by(|a, b| b.evidence.total_cmp(&a.evidence).then_with(|| a.link.other.cmp(&b.link.other)));
    let mut read = 0;
    pairs.retain(|pair| {
        if !pair.is_in_english() {
            return pair.is_evident();
        }
        read += 1;
        read <= READ && pair.is_told_by(odds)
    });
    pairs.truncate(REPLACED_MAX);
    pairs.into_iter().map(|pair| pair.link).collect()
}

/// The pairs of a text with others for which it is plausible that one replaces the other.
fn plausible<'a>(text: &'a ThoughtText, relatives: &'a Relatives) -> Vec<Pair<'a>> {
    let states = |text: &str| !is_question(text) && !addresses(text);
    let pair = |relative: &'a store::Relative| {
        let (older, newer, replaces) = match relative.is_later {
            true => (text, &relative.text, Replaces::This),
            false => (&relative.text, text, Replaces::Other),
        };
        let (older, newer) = (older.as_str(), newer.as_str());
        let closeness = relatives.closeness(relative);
        let evidence = evidence(older, newer, closeness, !relative.shared.is_empty())?;
        let link = Link { other: relative.thought, weight: closeness, replaces: Some(replaces) };
        (states(older) && states(newer)).then_some(Pair { older, newer, evidence, link })
    };
    relatives.candidates.iter().filter_map(pair).collect()
}

/// What speaks for it that the newer text says what has become of what the older one says, if that makes it plausible.
fn evidence(older: &str, newer: &str, closeness: f32, shares_a_name: bool) -> Option<f32> {
    let flag = |weight: f32, is_so: bool| if is_so { weight } else { 0.0 };
    let evidence = CLOSENESS * closeness + flag(SHARED_NAME, shares_a_name) + BYTE * older.len() as f32;
    // Most pairs are settled by what costs nothing: a thought is compared with many others.
    let is_long = older.len().max(newer.len()) > BYTES_MAX;
    if is_long || older == newer || evidence + CHANGE + WORDS < PLAUSIBLE {
        return None;
    }
    let evidence = evidence + flag(CHANGE, tells_of_change(newer)) + WORDS * shared_words(older, newer);
    (evidence >= PLAUSIBLE).then_some(evidence)
}

impl Pair<'_> {
    fn is_in_english(&self) -> bool {
        may_be_in_english(self.older) && may_be_in_english(self.newer)
    }

    /// Whether it is told by reading, as far as the signs agree.
    fn is_told_by(&self, odds: Odds<'_>) -> bool {
        let odds = odds(self.older, self.newer);
        let denied = if gives_like_values(self.older, self.newer) { DENIED_OF_VALUES } else { DENIED };
        odds >= denied && self.evidence + READING * odds >= TOGETHER
    }

    /// Whether the signs alone are enough. Of two dinners, the later is no later state of the other, however alike they are told.
    fn is_evident(&self) -> bool {
        self.evidence >= ENOUGH && (tells_of_change(self.newer) || gives_like_values(self.older, self.newer))
    }
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::LazyLock;

    use encoder::{Judge, Matter};
    use model::ThoughtId;
    use store::Relative;
    use uuid::Uuid;

    use super::*;

    fn text(text: &str) -> ThoughtText {
        ThoughtText::new(text).unwrap()
    }

    fn relative(number: u128, other: &str) -> Relative {
        Relative {
            thought: ThoughtId::from_uuid(Uuid::from_u128(number)),
            text: text(other),
            is_later: false,
            cosine: Some(0.85),
            shared: Vec::new(),
            apart_seconds: 100_000,
            same_source: false,
        }
    }

    /// The links of a thought among others, by what a reader says of each pair.
    fn among(thought: &str, candidates: Vec<Relative>, odds: Odds<'_>) -> Vec<Link> {
        replaced(&text(thought), &Relatives { candidates, typical_cosine: 0.7, population: 1000 }, odds)
    }

    /// What the thought is to one with that text, about an earlier or a later time, if a reader says that it replaces it.
    fn replaces(thought: &str, other: &str, is_later: bool) -> Option<Replaces> {
        let links = among(thought, vec![Relative { is_later, ..relative(1, other) }], &|_, _| 9.0);
        links.first().and_then(|link| link.replaces)
    }

    const BEFORE: &str = "Practice is in the parish hall";
    const AFTER: &str = "Practice is in the school hall";

    #[test]
    fn the_later_thought_replaces_the_earlier_one() {
        assert_eq!(replaces(AFTER, BEFORE, false), Some(Replaces::Other));
        assert_eq!(replaces(BEFORE, AFTER, true), Some(Replaces::This));
        let read = |older: &str, newer: &str| if (older, newer) == (BEFORE, AFTER) { 9.0 } else { -9.0 };
        assert_eq!(among(AFTER, vec![relative(1, BEFORE)], &read).len(), 1, "it is read after the earlier one");
        assert_eq!(among(AFTER, vec![relative(1, BEFORE)], &|_, _| -9.0), []);
    }

    static JUDGE: LazyLock<Judge> = LazyLock::new(|| Judge::of(Matter::Replaces));

    /// Whether the later thought replaces the earlier one, which is close, by the signs and the model of the program.
    fn is_told(earlier: &str, later: &str) -> bool {
        !among(later, vec![relative(1, earlier)], &|older, newer| JUDGE.odds(older, newer)).is_empty()
    }

    #[test]
    fn signs_and_model_together_tell_what_replaces_what() {
        const GUITAR: &str =
            "Ana has her guitar lesson with Rui on Tuesdays at half past five, in the room behind the shop";
        for (earlier, later) in [
            (BEFORE, "Practice is in the school hall now"),
            ("Practice: Fridays at 18:30, €12", "Practice: Mondays at 19:00, €10"),
            ("Gym: 39 € a month", "Gym: 45 € a month"),
            (GUITAR, "Guitar lesson moved to Wednesdays with Rui"),
        ] {
            assert!(is_told(earlier, later), "{later}");
        }
        for (earlier, later) in [
            ("Ana sings the Requiem", "Ana sings in the choir"),
            (GUITAR, "Wednesdays are the best days for walks"),
            ("Dinner with Rui at the castle", "Dinner with Rui at the harbour"),
            (
                "Marta Oliveira runs the Falcon project from Lisbon",
                "Marta Oliveira wants the Falcon budget on Friday in Lisbon",
            ),
        ] {
            assert!(!is_told(earlier, later), "{later}");
        }
    }

    #[test]
    fn only_the_likeliest_are_read() {
        let times = Cell::new(0);
        let read = |_: &str, _: &str| {
            times.set(times.get() + 1);
            9.0
        };
        let close = |number| relative(number, "Ran 5 miles");
        assert_eq!(among("Ran 6 miles with Ana", (10..30).map(close).collect(), &read).len(), READ);
        assert_eq!(times.take(), READ);
        let far = Relative { cosine: Some(0.71), ..relative(1, "The parish hall needs a roof") };
        assert_eq!(among(AFTER, vec![far], &read), []);
        assert_eq!(times.take(), 0);
    }

    #[test]
    fn in_other_languages_a_change_or_other_values_replace_what_is_close() {
        let before = || relative(1, "Die Probe ist am Montag um 18 Uhr in der Aula");
        let replaces = |after: &str| !among(after, vec![before()], &|_, _| -9.0).is_empty();
        assert!(replaces("Die Probe ist am Dienstag um 19 Uhr in der Aula"));
        assert!(replaces("Die Probe ist jetzt in der Kirche, nicht mehr in der Aula"));
        assert!(!replaces("Die Probe in der Aula ist mit dem Chor"));
    }

    #[test]
    fn a_question_and_the_same_text_replace_nothing() {
        assert_eq!(replaces("Is practice in the school hall now?", BEFORE, false), None);
        assert_eq!(replaces(AFTER, AFTER, false), None);
    }

    #[test]
    fn turns_of_a_conversation_replace_nothing() {
        let earlier = || Relative { cosine: Some(0.9), ..relative(1, "Ana: I work in a bakery") };
        let before = Relative { apart_seconds: 60, ..relative(2, "Rui: And you?") };
        let replaces = |candidates| !among("Ana: I work in an office now", candidates, &|_, _| 9.0).is_empty();
        assert!(!replaces(vec![earlier(), before]));
        assert!(replaces(vec![earlier()]), "a heading alone makes no conversation");
        let first = Relative { text: text("Ana: Hey Rui! I work in an office now"), is_later: true, ..earlier() };
        assert!(!replaces(vec![first]));
    }
}
