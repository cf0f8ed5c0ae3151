//! What a change looks like beside the request it is to answer, as numbers: what goes and comes, and what the request says that is not done.

use std::{collections::HashSet, ops::Range};

use text::Difference;

use super::{
    find::is_empty_word,
    marked::overlaps,
    value::{Value, values},
    vocabulary,
    words::{Word, words},
};

/// How many numbers a change is seen by.
pub(super) const ASPECTS: usize = 17;

/// A text and a request about it, read once for all that could be done.
pub(super) struct Beside<'a> {
    text: &'a str,
    request: &'a str,
    /// The content words of the request, and those of them that are nowhere in the text.
    said: HashSet<String>,
    unheard: Vec<String>,
    /// The names of the request, in small letters.
    names: Vec<String>,
    told_values: Vec<Value>,
    asked_values: Vec<Value>,
    oddities: usize,
}

impl<'a> Beside<'a> {
    pub(super) fn new(text: &'a str, request: &'a str) -> Self {
        let said = content(request);
        let told = text.to_lowercase();
        let is_name = |word: &&str| word.starts_with(char::is_uppercase) && word.len() > 2;
        let names = request.split(|c: char| !c.is_alphanumeric()).skip(1).filter(is_name);
        Self {
            text,
            request,
            unheard: said.iter().filter(|word| !told.contains(word.as_str())).cloned().collect(),
            said,
            names: names.map(str::to_lowercase).collect(),
            told_values: values(text),
            asked_values: values(request),
            oddities: oddities(text),
        }
    }

    /// What it looks like that the text becomes `new`.
    pub(super) fn aspects(&self, new: &str) -> [f32; ASPECTS] {
        let Self { text, request, said, unheard, names, asked_values, .. } = self;
        let (kept, new_values) = (content(new), values(new));
        let count = self.counts(new, &new_values);
        let unused = asked_values.iter().filter(|value| !new.contains(&request[value.place()])).count() as f32;
        let unnamed = names.iter().filter(|name| !kept.contains(*name)).count() as f32;
        let lost = unheard.iter().filter(|word| !kept.contains(*word)).count() as f32;
        [
            count.replaced.min(4.0),
            count.removed.min(4.0),
            count.added.min(4.0),
            count.signs.min(4.0),
            count.alike.min(4.0),
            count.unlike.min(4.0),
            count.torn.min(2.0),
            count.broken.min(2.0),
            (1.0 + count.gone).ln(),
            count.named / count.gone.max(1.0),
            (1.0 + count.came).ln(),
            unused.min(4.0),
            unnamed.min(4.0),
            lost / (said.len() as f32).max(1.0),
            (1.0 + said.len() as f32).ln(),
            (1.0 + text.len() as f32).ln(),
            number(oddities(new) > self.oddities),
        ]
    }

    fn counts(&self, new: &str, new_values: &[Value]) -> Counts {
        let Self { text, said, told_values, .. } = self;
        let is_word = |part: &str| part.contains(char::is_alphanumeric);
        let mut count = Counts::default();
        for difference in text::differences(text, new, 1).iter().filter(|difference| !is_same(text, new, difference)) {
            let (gone, came) = (text[difference.before.clone()].trim(), new[difference.after.clone()].trim());
            match (is_word(gone), is_word(came)) {
                (true, true) => {
                    let families = [family(told_values, &difference.before), family(new_values, &difference.after)];
                    count.replaced += 1.0;
                    count.alike += number(families[0] == families[1] && families[0].is_some());
                    count.unlike += number(families[0] != families[1]);
                }
                (true, false) => {
                    count.removed += 1.0;
                    count.torn += number(!stands_apart(text, &difference.before));
                }
                (false, true) => count.added += 1.0,
                (false, false) => count.signs += 1.0,
            }
            count.broken += number(breaks_value(told_values, &difference.before));
            let gone = content(gone);
            count.gone += gone.len() as f32;
            count.named += gone.iter().filter(|word| said.contains(*word)).count() as f32;
            count.came += content(came).len() as f32;
        }
        count
    }
}

/// Whether it is not done what the request says in so many words: to each of several, at the start, or for once only; or done what
/// the text has already: `add: ask for the terrace`, where it says so.
pub(super) fn falls_short(text: &str, request: &str, new: &str) -> bool {
    let asked = words(request);
    let asks = |class| vocabulary::has(&asked, class);
    let differences = text::differences(text, new, 1);
    let gone = || {
        differences
            .iter()
            .map(|difference| text[difference.before.clone()].trim())
            .filter(|gone| gone.contains(char::is_alphanumeric))
    };
    let is_left = |gone: &str| {
        let is_apart = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
        let is_whole = |(at, _): (usize, &str)| {
            is_apart(new[..at].chars().next_back()) && is_apart(new[at + gone.len()..].chars().next())
        };
        new.match_indices(gone).any(is_whole)
    };
    asks("to_each") && gone().any(is_left)
        || asks("to_the_start")
            && !differences.is_empty()
            && differences.iter().all(|difference| difference.before.start + 1 >= text.len())
        || asks("for_once") && gone().next().is_some()
        || !differences.is_empty() && differences.iter().all(|difference| says_again(text, new, difference))
}

/// Whether words come that the text has side by side already, and none go. Of fewer words that may be meant: a second `milk`.
fn says_again(text: &str, new: &str, Difference { before, after }: &Difference) -> bool {
    const FEWEST: usize = 3;
    let folded = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let (gone, came) = (folded(&text[before.clone()]), folded(&new[after.clone()]));
    gone.is_empty() && came.len() >= FEWEST && folded(text).windows(came.len()).any(|words| words == came)
}

/// Whether a request only supposes something, or wonders about it: `if they insist, we would have to …`
pub(super) fn only_supposes(request: &str) -> bool {
    let asked = words(request);
    let has = |class| vocabulary::has(&asked, class);
    let supposes = vocabulary::length(&asked, "supposing") > 0 && !has("asking");
    let is_unreal = || has("unreal") || asked.iter().any(|word| word.folded.ends_with("'d"));
    let is_settled = || has("settled") || asked.iter().any(|word| word.quoted);
    supposes && is_unreal() || has("wondering") && !is_settled() || has("wishing") || is_turned_down(&asked)
}

/// `He suggested Friday, but we said no`
fn is_turned_down(asked: &[Word<'_>]) -> bool {
    let but = asked.iter().rposition(|word| word.is("but"));
    but.is_some_and(|at| vocabulary::has(&asked[at..], "turned_down") && !asked[at..].iter().any(|word| word.is("so")))
}

/// What goes and comes.
#[derive(Default)]
struct Counts {
    replaced: f32,
    removed: f32,
    added: f32,
    signs: f32,
    /// Replaced by a value of the same kind, or by something of another.
    alike: f32,
    unlike: f32,
    /// Removed from the midst of a clause.
    torn: f32,
    /// Part of a value.
    broken: f32,
    gone: f32,
    /// Gone, and said in the request.
    named: f32,
    came: f32,
}

/// 1 or 0.
pub(super) fn number(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
}

fn is_same(text: &str, new: &str, difference: &Difference) -> bool {
    text[difference.before.clone()].to_lowercase() == new[difference.after.clone()].to_lowercase()
}

/// The words that carry content, in small letters.
fn content(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    words.filter(|word| !is_empty_word(word)).collect()
}

/// The kind of what stands at a place, if it is a value.
fn family(values: &[Value], place: &Range<usize>) -> Option<u8> {
    values.iter().find(|value| overlaps(&value.place(), place)).map(|value| value.kind.family())
}

/// Whether only a part of a value is touched, and not at its start: the `75` of `0.75`.
fn breaks_value(values: &[Value], place: &Range<usize>) -> bool {
    values.iter().any(|value| {
        value.start < place.start && place.start < value.end || value.start < place.end && place.end < value.end
    })
}

/// Whether a stretch is parted by signs from what is before and after it.
fn stands_apart(text: &str, place: &Range<usize>) -> bool {
    let (before, gone, after) = (
        text[..place.start].trim_end_matches(' '),
        text[place.clone()].trim(),
        text[place.end..].trim_start_matches(' '),
    );
    let is_sign = |c: char| !c.is_alphanumeric();
    (before.is_empty() || before.ends_with(is_sign) || gone.starts_with(is_sign))
        && (after.is_empty() || after.starts_with(is_sign) || gone.ends_with(is_sign))
}

/// Signs and words that no careful writer leaves, among them a quotation that does not end.
fn oddities(text: &str) -> usize {
    let signs = ["..", ",,", " ,", " .", ",.", "( ", " )", "()", "::", ":.", ":,", ": .", ";.", "  "];
    let words: Vec<&str> = text.split(' ').collect();
    let doubled = words.windows(2).filter(|pair| pair[0].eq_ignore_ascii_case(pair[1]) && pair[0].len() > 1).count();
    let is_open = text.matches('"').count() % 2 == 1;
    signs.iter().map(|sign| text.matches(sign).count()).sum::<usize>() + doubled + usize::from(is_open)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPLACED: usize = 0;
    const ALIKE: usize = 4;
    const UNLIKE: usize = 5;
    const TORN: usize = 6;
    const UNUSED_VALUES: usize = 11;
    const UNUSED_NAMES: usize = 12;
    const ODD: usize = 16;

    const TEXT: &str = "Ultrasound on day 10. Pay 240 up front, cash only.";
    const REQUEST: &str = "It is day 11 now, and Ana pays 260.";

    fn of(new: &str, aspect: usize) -> f32 {
        Beside::new(TEXT, REQUEST).aspects(new)[aspect]
    }

    #[test]
    fn a_value_takes_the_place_of_its_like() {
        let changed = "Ultrasound on day 11. Pay 240 up front, cash only.";
        assert_eq!([of(changed, REPLACED), of(changed, ALIKE), of(changed, UNLIKE)], [1.0, 1.0, 0.0]);
        let changed = "Ana on day 10. Pay 240 up front, cash only.";
        assert_eq!([of(changed, ALIKE), of(changed, UNLIKE)], [0.0, 0.0]);
        let changed = "Ultrasound on day Ana. Pay 240 up front, cash only.";
        assert_eq!([of(changed, ALIKE), of(changed, UNLIKE)], [0.0, 1.0]);
    }

    #[test]
    fn what_the_request_says_is_used_or_not() {
        let half = "Ultrasound on day 11. Pay 240 up front, cash only.";
        assert_eq!([of(half, UNUSED_VALUES), of(half, UNUSED_NAMES)], [1.0, 1.0]);
        let all = "Ultrasound on day 11. Ana pays 260 up front, cash only.";
        assert_eq!([of(all, UNUSED_VALUES), of(all, UNUSED_NAMES)], [0.0, 0.0]);
    }

    #[test]
    fn what_is_torn_out_of_a_clause_shows() {
        assert_eq!(of("Ultrasound on day 10. Pay 240 up front.", TORN), 0.0);
        assert_eq!(of("Ultrasound on day 10. Pay 240, cash only.", TORN), 1.0);
        assert_eq!(of("Ultrasound on day 10. Pay 240 up front,, cash only.", ODD), 1.0);
        assert_eq!(of("Ultrasound on day 10. Pay:. 0 up front, cash only.", ODD), 1.0);
        assert_eq!(of("Ultrasound on \"day 10. Pay 240 up front, cash only.", ODD), 1.0);
    }

    #[test]
    fn what_is_only_supposed_is_told_from_what_is_asked_for() {
        for supposed in [
            "If legal ever insists on Frankfurt, we'd have to put eu-central-1 here.",
            "Ottilie said she'd check whether the lunch budget can be raised to 30.",
            "It would be lovely if the launch could happen in July.",
            "I wish it were 52,000",
            "Nadia might get off work earlier, in which case the time is 16:45.",
            "Jonas suggested changing blue to green, but we turned it down.",
        ] {
            assert!(only_supposes(supposed), "{supposed}");
        }
        for asked in [
            "If the short cable is still on there, make it the 3 m one.",
            "It would have been 30, but it is 40 now.",
            "The party may last until 23:00 now.",
            "I wanted Friday, but they said no, so it is Saturday now.",
            "The Satos asked whether Sunday would do, and I said yes.",
            "If you could swap tomato salad for watermelon, that's easier with the heat.",
        ] {
            assert!(!only_supposes(asked), "{asked}");
        }
    }

    #[test]
    fn what_the_request_says_in_so_many_words_is_done() {
        let talk = "30 minutes Japanese, 30 minutes Italian.";
        let request = "They've agreed on 45 minutes for each language.";
        assert!(falls_short(talk, request, "30 minutes Japanese, 45 minutes Italian."));
        assert!(!falls_short(talk, request, "45 minutes Japanese, 45 minutes Italian."));
        let request = "Put oats at the front of the list";
        assert!(falls_short("Buy: tea, milk", request, "Buy: tea, milk, oats"));
        assert!(!falls_short("Buy: tea, milk", request, "Buy: oats, tea, milk"));
        let (dinner, request) = ("Dinner at eight. Ask for the terrace.", "add 'ask for the terrace'");
        assert!(falls_short(dinner, request, "Dinner at eight. Ask for the terrace. Ask for the terrace."));
        assert!(!falls_short(dinner, request, "Dinner at eight. Ask for the terrace. Ask for the window."));
        let request = "Next week she comes on Friday, just this once.";
        assert!(falls_short("She comes on Thursday.", request, "She comes on Friday."));
        assert!(!falls_short(
            "She comes on Thursday.",
            request,
            "She comes on Thursday. Next week she comes on Friday, just this once."
        ));
    }
}
