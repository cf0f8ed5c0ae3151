//! A second model, which reads a request to change a text beside that text and marks words: those of the text that go, and
//! those of the request that come, with the place they come to.
//!
//! It was trained on requests with the texts that came of them; `models/marks` of [`parameters`] has how. What is done with its marks is
//! decided elsewhere.

use std::ops::Range;

use vectors::kernel::{InstructionSet, Kernel, Task};

use crate::math::{dot, exp};
use crate::pair::Pair;
use crate::tokens::Tokenizer;
use crate::weights::{DIMENSIONS, Head, MAX_TOKENS, MarkingWeights};

/// Marks words. Shared freely between threads: marking changes nothing in it.
pub struct Marker {
    kernel: Kernel,
    tokenizer: &'static Tokenizer,
    weights: MarkingWeights,
}

/// What the model makes of a request beside a text. All numbers are probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Marks {
    /// That the words of the text are to change by words of the request, or go.
    pub changes: f32,
    /// That nothing is to be done.
    pub refuses: f32,
    /// That the words stay and something else is to be done.
    pub commands: Commands,
    /// That the text is to change in a way that marks cannot say: words moved, counted or sorted.
    pub rearranges: f32,
    /// The words of the text, in order; long or rare ones in pieces.
    pub text: Vec<TextMark>,
    /// Those of the request.
    pub request: Vec<RequestMark>,
}

/// That the text is to be open, completed or archived, that its last change is to be taken back, or made again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Commands {
    /// Open.
    pub opens: f32,
    /// Completed.
    pub completes: f32,
    /// Archived.
    pub archives: f32,
    /// The last change is taken back.
    pub undoes: f32,
    /// It is made again.
    pub redoes: f32,
}

/// A word of the text, or a piece of one.
#[derive(Clone, Debug, PartialEq)]
pub struct TextMark {
    /// Its bytes in the text.
    pub place: Range<usize>,
    /// That it goes.
    pub goes: f32,
}

/// A word of the request, or a piece of one.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestMark {
    /// Its bytes in the request.
    pub place: Range<usize>,
    /// That it comes into the text.
    pub comes: f32,
    /// That it begins what comes to a place.
    pub begins: f32,
    /// That what begins here follows each word of the text, or takes its place: before the first one, after the first, and
    /// so on. They add up to 1.
    pub follows: Vec<f32>,
}

impl Marker {
    /// Prepares the model that is part of the binary, for the fastest kernel of this processor.
    pub fn load() -> Self {
        Self::with_kernel(Kernel::detect())
    }

    /// Prepares the model for a given kernel, to compare kernels.
    pub fn with_kernel(kernel: Kernel) -> Self {
        Self { kernel, tokenizer: Tokenizer::shared(), weights: MarkingWeights::load() }
    }

    /// Marks the words of a request and of the text it is about; `None` if they are longer than the model can read.
    pub fn mark(&self, text: &str, request: &str) -> Option<Marks> {
        let (asked, told) = (self.tokenizer.placed(request), self.tokenizer.placed(text));
        if asked.len() + told.len() + 3 > MAX_TOKENS {
            return None;
        }
        let pair = Pair::new((request, asked), (text, told));
        let states = pair.states(self.kernel, &self.weights.pairs);
        Some(self.kernel.run(Marking { weights: &self.weights, pair, states }))
    }
}

/// A request and a text after the last layer.
struct Marking<'a> {
    weights: &'a MarkingWeights,
    pair: Pair,
    states: Vec<f32>,
}

impl Task for Marking<'_> {
    type Output = Marks;

    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) -> Marks {
        let Self { weights, pair, states } = self;
        let [asked, told] = &pair.tokens;
        let state = |at: usize| &states[at * DIMENSIONS..(at + 1) * DIMENSIONS];

        let kinds = softmax(&weights.kinds.apply(state(0)));
        let mark = |at: usize, output: usize| sigmoid(weights.marks.output(output, state(at)));
        // The token that parts request and text stands for the place before the first word.
        let first = asked.len() + 1;
        let link = |head: &Head, at: usize| head.apply(state(at));
        let places: Vec<Vec<f32>> = (first..=first + told.len()).map(|at| link(&weights.links[1], at)).collect();
        let text = told.iter().enumerate();
        let text = text.map(|(at, (_, place))| TextMark { place: place.clone(), goes: mark(first + 1 + at, 0) });
        let request = asked.iter().enumerate().map(|(at, (_, place))| {
            let own = link(&weights.links[0], at + 1);
            let near: Vec<f32> = places.iter().map(|place| dot(&own, place) / LINK_SCALE).collect();
            RequestMark {
                place: place.clone(),
                comes: mark(at + 1, 1),
                begins: mark(at + 1, 2),
                follows: softmax(&near),
            }
        });
        Marks {
            changes: kinds[0],
            refuses: kinds[1],
            commands: Commands {
                opens: kinds[2],
                completes: kinds[3],
                archives: kinds[4],
                undoes: kinds[5],
                redoes: kinds[6],
            },
            rearranges: kinds[7],
            text: text.collect(),
            request: request.collect(),
        }
    }
}

/// What products of two links are divided by, as when the model was trained.
const LINK_SCALE: f32 = 11.3;

fn sigmoid(x: f32) -> f32 {
    let share = exp(-x.abs());
    if x < 0.0 { share / (1.0 + share) } else { 1.0 / (1.0 + share) }
}

fn softmax(values: &[f32]) -> Vec<f32> {
    let highest = values.iter().copied().fold(f32::MIN, f32::max);
    let shares: Vec<f32> = values.iter().map(|value| exp(value - highest)).collect();
    let total: f32 = shares.iter().sum();
    shares.into_iter().map(|share| share / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static MARKER: LazyLock<Marker> = LazyLock::new(Marker::load);
    const TEXT: &str = "The meeting with Ana is on Tuesday. Bring the slides.";
    const REQUEST: &str = "Ana asked to meet on Thursday instead of Tuesday.";

    #[test]
    fn what_goes_and_what_comes_is_marked() {
        let marks = MARKER.mark(TEXT, REQUEST).unwrap();
        assert!(marks.changes > 0.5, "{marks:?}");
        let gone: Vec<&str> =
            marks.text.iter().filter(|mark| mark.goes > 0.5).map(|mark| &TEXT[mark.place.clone()]).collect();
        let come: Vec<&RequestMark> = marks.request.iter().filter(|mark| mark.comes > 0.5).collect();
        let [word] = come.as_slice() else { panic!("{come:?}") };
        assert_eq!((gone.as_slice(), &REQUEST[word.place.clone()]), (["Tuesday"].as_slice(), "Thursday"));
        let to = (0..word.follows.len()).max_by(|l, r| word.follows[*l].total_cmp(&word.follows[*r])).unwrap();
        assert_eq!(&TEXT[marks.text[to - 1].place.clone()], "Tuesday");
    }

    #[test]
    fn every_kernel_gives_the_same_marks() {
        for kernel in Kernel::available() {
            assert_eq!(
                Marker::with_kernel(kernel).mark(TEXT, REQUEST),
                MARKER.mark(TEXT, REQUEST),
                "{}",
                kernel.name()
            );
        }
    }

    #[test]
    fn what_is_too_long_is_not_marked() {
        assert!(MARKER.mark(&"tea ".repeat(MAX_TOKENS - 4), "tea").is_some());
        assert_eq!(MARKER.mark(&"tea ".repeat(MAX_TOKENS - 3), "tea"), None);
        assert_eq!(MARKER.mark(&"long ".repeat(100_000), ""), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn any_words_are_marked_with_probabilities(text in any::<String>(), request in any::<String>()) {
            let Some(marks) = MARKER.mark(&text, &request) else { return Ok(()) };
            for mark in &marks.text {
                prop_assert!(text.get(mark.place.clone()).is_some() && (0.0..=1.0).contains(&mark.goes));
            }
            for mark in &marks.request {
                prop_assert!(request.get(mark.place.clone()).is_some() && (0.0..=1.0).contains(&mark.comes));
                prop_assert_eq!(mark.follows.len(), marks.text.len() + 1);
                prop_assert!((mark.follows.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            }
        }
    }
}
