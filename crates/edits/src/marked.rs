//! What the words say that a model marked: a change made of them, and how well a change made by rules agrees with them.

mod readings;
mod seam;

use std::ops::Range;

use encoder::{Marks, RequestMark, TextMark};

use readings::readings;

/// A place of the text, and the words of the request that come to it; none if it only goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) place: Range<usize>,
    pub(super) new: Option<Range<usize>>,
}

/// A new text, and how far the marks agree with it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Proposal {
    pub(super) text: String,
    pub(super) hunks: Vec<Hunk>,
    /// How much less likely it is than the likeliest, as a difference of logarithms.
    pub(super) cost: f32,
    pub(super) agreement: Agreement,
}

/// How far the marks agree with a change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Agreement {
    /// The probability of the least likely mark.
    pub(super) least: f32,
    /// How much they doubt it all together: the negative logarithm of the probability of all of them.
    pub(super) doubt: f32,
    /// The least probability that new words come to where they came.
    pub(super) place: f32,
    /// Whether all that is new was found in the request; of a number counted on, or a name moved, the marks say nothing.
    pub(super) is_known: bool,
    /// Whether words come where none go.
    pub(super) inserts: bool,
    /// The share of the text that goes, and of the request that comes.
    pub(super) shares: [f32; 2],
}

impl Default for Agreement {
    /// Neither for nor against.
    fn default() -> Self {
        let even = 0.5;
        Self { least: even, doubt: 1.0, place: even, is_known: false, inserts: false, shares: [0.0; 2] }
    }
}

/// The texts after what the marks may say, the likeliest first, no two alike.
pub(super) fn proposals(text: &str, request: &str, marks: &Marks) -> Vec<Proposal> {
    let mut proposals: Vec<Proposal> = Vec::new();
    for reading in readings(text, request, marks) {
        if proposals.len() == MOST_PROPOSALS {
            break;
        }
        let is_cut_short = |hunk: &Hunk| hunk.new.as_ref().is_some_and(|new| may_be_cut_short(request, new.end));
        if reading.hunks.iter().any(is_cut_short) {
            continue;
        }
        let Some(changed) = seam::applied(text, request, &reading.hunks) else { continue };
        if are_alike(&changed, text) || proposals.iter().any(|other| are_alike(&changed, &other.text)) {
            continue;
        }
        let agreement = Agreement {
            place: reading.place,
            inserts: reading.hunks.iter().any(|hunk| hunk.place.is_empty()),
            ..agreement(marks, &reading.gone, Some(&reading.come))
        };
        proposals.push(Proposal { text: changed, hunks: reading.hunks, cost: reading.cost, agreement });
    }
    proposals
}

/// So many proposals are looked at.
const MOST_PROPOSALS: usize = 8;

/// Whether two texts have the same words, however they are joined.
pub(super) fn are_alike(one: &str, other: &str) -> bool {
    let words =
        |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    words(one) == words(other)
}

/// How far the marks agree with it that `text` becomes `new`.
pub(super) fn agreement_with(text: &str, request: &str, marks: &Marks, new: &str) -> Agreement {
    let mut gone = vec![false; marks.text.len()];
    let mut come = Some(vec![false; marks.request.len()]);
    let (mut place, mut inserts) = (1.0_f32, false);
    let asked = Some(request.to_lowercase()).filter(|asked| asked.len() == request.len());
    for difference in text::differences(text, new, 0) {
        let (before, after) = shrunk(text, new, &marks.text, difference.before, difference.after);
        if text[before.clone()].to_lowercase() == new[after.clone()].to_lowercase() || counts_on(text, &before) {
            continue;
        }
        for (mark, gone) in marks.text.iter().zip(&mut gone) {
            *gone |= overlaps(&mark.place, &before);
        }
        let words = new[after].trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        if words.is_empty() {
            continue;
        }
        inserts |= !marks.text.iter().any(|mark| overlaps(&mark.place, &before));
        match (asked.as_ref().and_then(|asked| asked.rfind(&words)), &mut come) {
            (Some(at), Some(come)) => {
                let words = at..at + words.len();
                for (mark, come) in marks.request.iter().zip(come) {
                    *come |= overlaps(&mark.place, &words);
                }
                place = place.min(placed(marks, &words, &before));
            }
            _ => come = None,
        }
    }
    Agreement { place, inserts, ..agreement(marks, &gone, come.as_deref()) }
}

/// The probability that these words of the request come to a place of the text.
fn placed(marks: &Marks, words: &Range<usize>, place: &Range<usize>) -> f32 {
    let Some(first) = marks.request.iter().find(|mark| mark.place.end > words.start) else { return 0.0 };
    // To one of the words that go, or after the last one before.
    let to = marks.text.iter().map(|mark| &mark.place);
    let is_here: Vec<bool> = to.clone().map(|at| overlaps(at, place)).collect();
    match is_here.contains(&true) {
        true => first.follows[1..].iter().zip(is_here).filter(|(_, is)| *is).map(|(share, _)| share).sum(),
        false => first.follows[to.take_while(|at| at.end <= place.start).count()],
    }
}

pub(super) fn overlaps(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Whether this is the number of an item at the start of a line, which follows from where the item stands.
fn counts_on(text: &str, place: &Range<usize>) -> bool {
    let opens = text[..place.start].rsplit('\n').next().is_some_and(|before| before.trim().is_empty());
    let number = &text[place.clone()];
    opens
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && text[place.end..].starts_with(['.', ')'])
}

/// How likely these decisions are, whatever comes to which place.
fn agreement(marks: &Marks, gone: &[bool], come: Option<&[bool]>) -> Agreement {
    let of = |(probability, is_so): (f32, &bool)| if *is_so { probability } else { 1.0 - probability };
    let text = marks.text.iter().map(|mark| mark.goes).zip(gone).map(of);
    let request = marks.request.iter().map(|mark| mark.comes).zip(come.unwrap_or_default()).map(of);
    let all = text.chain(request);
    let least = all.clone().fold(1.0, f32::min);
    Agreement {
        least,
        doubt: all.map(|probability| -probability.max(1e-5).ln()).sum(),
        place: 1.0,
        is_known: come.is_some(),
        inserts: false,
        shares: [gone, come.unwrap_or_default()].map(share),
    }
}

fn share(marked: &[bool]) -> f32 {
    marked.iter().filter(|is_marked| **is_marked).count() as f32 / marked.len().max(1) as f32
}

/// The logarithm of the odds of a probability; beyond one in a hundred thousand all are alike.
pub(super) fn odds(probability: f32) -> f32 {
    let probability = probability.clamp(1e-5, 1.0 - 1e-5);
    (probability / (1.0 - probability)).ln()
}

fn words_of(marks: &[RequestMark], run: &Range<usize>) -> Range<usize> {
    marks[run.start].place.start..marks[run.end - 1].place.end
}

/// Whether a point that follows may belong to the word before it: `no.`, `st.`
fn may_be_cut_short(request: &str, end: usize) -> bool {
    let last = request[..end].rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    request[end..].starts_with('.') && (1..=2).contains(&last.len()) && last.chars().all(char::is_lowercase)
}

/// A difference without the words at its ends that both sides have.
fn shrunk(
    text: &str,
    new: &str,
    words: &[TextMark],
    mut before: Range<usize>,
    mut after: Range<usize>,
) -> (Range<usize>, Range<usize>) {
    let ends = words.iter().map(|mark| mark.place.end);
    let starts = words.iter().map(|mark| mark.place.start);
    if let Some(end) =
        ends.rev().find(|end| before.contains(end) && new[after.clone()].starts_with(&text[before.start..*end]))
    {
        after.start += end - before.start;
        before.start = end;
    }
    let same = |start: &usize| *start >= before.start && *start < before.end;
    if let Some(start) = starts.filter(same).find(|start| new[after.clone()].ends_with(&text[*start..before.end])) {
        after.end -= before.end - start;
        before.end = start;
    }
    (before, after)
}
