//! The ways to read marks: which words go, which come and where to, the likeliest first.

use std::ops::Range;

use encoder::Marks;

use super::{Hunk, odds, words_of};

/// A way to read marks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reading {
    /// In order of their places.
    pub(super) hunks: Vec<Hunk>,
    /// How much less likely it is than the likeliest, as a difference of logarithms.
    pub(super) cost: f32,
    /// The pieces of words that go, and those that come.
    pub(super) gone: Vec<bool>,
    pub(super) come: Vec<bool>,
    /// The least probability that new words come to where they come.
    pub(super) place: f32,
}

/// So many of the least certain words are taken for the contrary, one or several at once.
const UNCERTAIN: usize = 10;
/// What costs more is not tried, nor more than so many.
const MOST_COST: f32 = 7.0;
const MOST: usize = 40;
/// Other places are tried where the words cost no more than this, and a place itself no more than that.
const MOST_COST_MOVED: f32 = 4.0;
const MOST_COST_OF_PLACE: f32 = 3.5;
/// How many places are tried for the same words.
const PLACES: usize = 3;

/// All readings that are likely enough to be looked at.
pub(super) fn readings(text: &str, request: &str, marks: &Marks) -> Vec<Reading> {
    let words = Words::of(text, request, marks);
    let mut readings = Vec::new();
    for (cost, contrary) in words.contraries() {
        let [gone, come] = words.marked(contrary);
        let begins = |at: usize| marks.request[at].begins > 0.5;
        let runs_come = runs(&come, begins);
        let places: Vec<Vec<(usize, f32)>> =
            runs_come.iter().map(|run| likeliest(&marks.request[run.start].follows)).collect();
        let first: Vec<usize> = places.iter().map(|places| places[0].0).collect();
        let mut add = |cost: f32, to: &[usize]| {
            let (hunks, place) = hunks(text, marks, &gone, &runs_come, to);
            readings.push(Reading { hunks, cost, gone: gone.clone(), come: come.clone(), place });
        };
        add(cost, &first);
        if cost > MOST_COST_MOVED {
            continue;
        }
        for (run, places) in places.iter().enumerate() {
            for (place, further) in places.iter().skip(1).filter(|(_, further)| *further < MOST_COST_OF_PLACE) {
                let mut to = first.clone();
                to[run] = *place;
                add(cost + further, &to);
            }
        }
    }
    readings.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    readings
}

/// The words of both texts with what the marks say of each.
struct Words {
    /// The pieces of each word, whose they are, and the logarithm of the odds that it is marked.
    words: Vec<(Range<usize>, usize, f32)>,
    pieces: [usize; 2],
    /// The words that are least certain.
    uncertain: Vec<usize>,
}

impl Words {
    fn of(text: &str, request: &str, marks: &Marks) -> Self {
        let told = by_word(text, marks.text.iter().map(|mark| (&mark.place, mark.goes)));
        let asked = by_word(request, marks.request.iter().map(|mark| (&mark.place, mark.comes)));
        let own = |side: usize| move |(pieces, odds): (Range<usize>, f32)| (pieces, side, odds);
        let words: Vec<_> = told.into_iter().map(own(0)).chain(asked.into_iter().map(own(1))).collect();
        let mut uncertain: Vec<usize> = (0..words.len()).collect();
        uncertain.sort_by(|one, other| words[*one].2.abs().total_cmp(&words[*other].2.abs()));
        uncertain.truncate(UNCERTAIN);
        Self { words, pieces: [marks.text.len(), marks.request.len()], uncertain }
    }

    /// Sets of uncertain words to be taken for the contrary, as bits, with what that costs; none of them first.
    fn contraries(&self) -> Vec<(f32, usize)> {
        let cost = |set: usize| -> f32 {
            let of =
                |(place, word): (usize, &usize)| if set >> place & 1 == 1 { self.words[*word].2.abs() } else { 0.0 };
            self.uncertain.iter().enumerate().map(of).sum()
        };
        let mut sets: Vec<(f32, usize)> =
            (0..1 << self.uncertain.len()).map(|set| (cost(set), set)).filter(|(cost, _)| *cost <= MOST_COST).collect();
        sets.sort_by(|one, other| one.0.total_cmp(&other.0));
        sets.truncate(MOST);
        sets
    }

    /// The pieces that are marked, of the text and of the request.
    fn marked(&self, contrary: usize) -> [Vec<bool>; 2] {
        let mut marked = self.pieces.map(|count| vec![false; count]);
        for (at, (pieces, side, odds)) in self.words.iter().enumerate() {
            let is_contrary =
                self.uncertain.iter().position(|word| *word == at).is_some_and(|place| contrary >> place & 1 == 1);
            marked[*side][pieces.clone()].fill((*odds > 0.0) != is_contrary);
        }
        marked
    }
}

/// The pieces of each word with the logarithm of the odds that it is marked: those of the pieces on average, which are of one mind.
fn by_word<'m>(text: &str, marks: impl Iterator<Item = (&'m Range<usize>, f32)>) -> Vec<(Range<usize>, f32)> {
    let mut words: Vec<(Range<usize>, f32)> = Vec::new();
    let mut end = 0;
    for (at, (place, probability)) in marks.enumerate() {
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let continues = place.start == end
            && is_letter(text[..end].chars().next_back())
            && is_letter(text[place.start..].chars().next());
        let odds = odds(probability);
        match words.last_mut().filter(|_| continues) {
            Some((pieces, all)) => {
                pieces.end += 1;
                *all += odds;
            }
            None => words.push((at..at + 1, odds)),
        }
        end = place.end;
    }
    for (pieces, odds) in &mut words {
        *odds /= pieces.len() as f32;
    }
    words
}

/// The likeliest places, with how much less likely each is than the first.
fn likeliest(follows: &[f32]) -> Vec<(usize, f32)> {
    let mut places: Vec<usize> = (0..follows.len()).collect();
    places.sort_by(|one, other| follows[*other].total_cmp(&follows[*one]));
    let further = |place: usize| (follows[places[0]] / follows[place].max(f32::MIN_POSITIVE)).ln();
    places.iter().take(PLACES).map(|place| (*place, further(*place))).collect()
}

/// What goes and comes, given the place that each run of words comes to; and the least probability of those places.
fn hunks(text: &str, marks: &Marks, gone: &[bool], come: &[Range<usize>], to: &[usize]) -> (Vec<Hunk>, f32) {
    let mut going: Vec<(Range<usize>, Option<Range<usize>>)> =
        runs(gone, |_| false).into_iter().map(|run| (run, None)).collect();
    let (mut hunks, mut least) = (Vec::new(), 1.0_f32);
    for (run, at) in come.iter().zip(to) {
        let follows = &marks.request[run.start].follows;
        let words = words_of(&marks.request, run);
        match going.iter_mut().find(|(gone, _)| *at > 0 && gone.contains(&(at - 1))) {
            Some((gone, new)) => {
                least = least.min(follows[gone.start + 1..=gone.end].iter().sum());
                *new = Some(new.as_ref().map_or(words.clone(), |new| new.start..words.end));
            }
            None => {
                least = least.min(follows[*at]);
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
    (hunks, least)
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

#[cfg(test)]
mod tests {
    use super::*;
    use encoder::{Commands, RequestMark, TextMark};

    const TEXT: &str = "Tea on Monday";
    const REQUEST: &str = "now Friday";

    /// Words with the probabilities that they go, and that they come in the place of `Monday`.
    fn marks(goes: [f32; 3], comes: [f32; 2]) -> Marks {
        let commands = Commands { opens: 0.0, completes: 0.0, archives: 0.0, undoes: 0.0, redoes: 0.0 };
        let text = [0..3, 4..6, 7..13].into_iter().zip(goes).map(|(place, goes)| TextMark { place, goes });
        let follows = vec![0.01, 0.01, 0.2, 0.78];
        let request = [0..3, 4..10].into_iter().zip(comes);
        let request = request.map(|(place, comes)| RequestMark { place, comes, begins: 0.0, follows: follows.clone() });
        Marks {
            changes: 1.0,
            refuses: 0.0,
            commands,
            rearranges: 0.0,
            text: text.collect(),
            request: request.collect(),
        }
    }

    fn read(marks: &Marks) -> Vec<Vec<(&'static str, &'static str)>> {
        let parts = |hunk: &Hunk| (&TEXT[hunk.place.clone()], hunk.new.clone().map_or("", |new| &REQUEST[new]));
        readings(TEXT, REQUEST, marks).iter().map(|reading| reading.hunks.iter().map(parts).collect()).collect()
    }

    #[test]
    fn the_likeliest_reading_comes_first_and_the_next_takes_the_least_certain_word_otherwise() {
        let readings = read(&marks([0.001, 0.3, 0.99], [0.01, 0.98]));
        assert_eq!(readings[0], [("Monday", "Friday")]);
        assert_eq!(readings[1], [("on Monday", "Friday")]);
    }

    #[test]
    fn other_places_are_read_as_well() {
        let readings = read(&marks([0.001, 0.001, 0.99], [0.01, 0.99]));
        assert_eq!(readings[0], [("Monday", "Friday")]);
        assert_eq!(readings[1], [("", "Friday"), ("Monday", "")]);
    }

    #[test]
    fn readings_cost_ever_more() {
        let all = readings(TEXT, REQUEST, &marks([0.4, 0.3, 0.6], [0.2, 0.7]));
        assert!(all.len() > 8 && all.is_sorted_by(|one, other| one.cost <= other.cost), "{all:?}");
        assert_eq!(all[0].cost, 0.0);
    }
}
