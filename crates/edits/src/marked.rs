//! What the words say that a model marked: a change made of them, and how well a change made by rules agrees with them.

mod seam;

use std::ops::Range;

use encoder::{Marks, RequestMark, TextMark};

/// A place of the text, and the words of the request that come to it; none if it only goes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hunk {
    place: Range<usize>,
    new: Option<Range<usize>>,
}

/// A new text, and how far the marks agree with it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Proposal {
    pub(super) text: String,
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

/// The text after what the marks say, if they say anything.
pub(super) fn proposal(text: &str, request: &str, marks: &Marks) -> Option<Proposal> {
    let gone = by_word(text, marks.text.iter().map(|mark| (&mark.place, mark.goes)));
    let come = by_word(request, marks.request.iter().map(|mark| (&mark.place, mark.comes)));
    let mut agreement = agreement(marks, &gone, Some(&come));

    // Runs of words that go, and what comes to each of them.
    let mut going: Vec<(Range<usize>, Option<Range<usize>>)> =
        runs(&gone, |_| false).into_iter().map(|run| (run, None)).collect();
    let mut hunks = Vec::new();
    let begins = |at: usize| marks.request[at].begins > 0.5;
    for run in runs(&come, begins) {
        let follows = &marks.request[run.start].follows;
        let at = (0..follows.len()).max_by(|l, r| follows[*l].total_cmp(&follows[*r]))?;
        let words = words_of(&marks.request, &run);
        if may_be_cut_short(request, words.end) {
            return None;
        }
        match going.iter_mut().find(|(gone, _)| at > 0 && gone.contains(&(at - 1))) {
            Some((gone, new)) => {
                agreement.place = agreement.place.min(follows[gone.start + 1..=gone.end].iter().sum());
                *new = Some(new.as_ref().map_or(words.clone(), |new| new.start..words.end));
            }
            None => {
                agreement.place = agreement.place.min(follows[at]);
                agreement.inserts = true;
                let end = at.checked_sub(1).map_or(0, |before| marks.text[before].place.end);
                hunks.push(Hunk { place: end..end, new: Some(words) });
            }
        }
    }
    let stretch = |run: &Range<usize>| marks.text[run.start].place.start..marks.text[run.end - 1].place.end;
    // What comes once comes wherever the same words go.
    let replaced: Vec<(&str, Range<usize>)> =
        going.iter().filter_map(|(run, new)| Some((&text[stretch(run)], new.clone()?))).collect();
    hunks.extend(going.iter().map(|(run, new)| {
        let alike = || replaced.iter().find(|(old, _)| *old == &text[stretch(run)]).map(|(_, new)| new.clone());
        Hunk { place: stretch(run), new: new.clone().or_else(alike) }
    }));
    hunks.sort_by_key(|hunk| (hunk.place.start, hunk.place.end));
    let changed = seam::applied(text, request, &hunks)?;
    (changed != text).then_some(Proposal { text: changed, agreement })
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

fn overlaps(one: &Range<usize>, other: &Range<usize>) -> bool {
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

/// Which words are marked. The pieces of a word are of one mind.
fn by_word<'m>(text: &str, marks: impl Iterator<Item = (&'m Range<usize>, f32)>) -> Vec<bool> {
    let mut marked: Vec<bool> = Vec::new();
    let mut start = 0;
    let mut end = 0;
    let settle = |marked: &mut [bool]| {
        let yes = marked.iter().filter(|is_marked| **is_marked).count() * 2 >= marked.len();
        marked.fill(yes);
    };
    for (at, (place, probability)) in marks.enumerate() {
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let continues = place.start == end
            && is_letter(text[..end].chars().next_back())
            && is_letter(text[place.start..].chars().next());
        if !continues {
            settle(&mut marked[start..]);
            start = at;
        }
        marked.push(probability > 0.5);
        end = place.end;
    }
    settle(&mut marked[start..]);
    marked
}

/// The runs of marked words; one ends as well where another begins.
fn runs(marked: &[bool], begins: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in (0..marked.len()).filter(|at| marked[*at]) {
        match runs.last_mut() {
            Some(last) if last.end == at && !begins(at) => last.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
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
