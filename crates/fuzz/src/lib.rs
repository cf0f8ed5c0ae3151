//! Tries a reader on inputs nobody would write: a corpus kept in `corpus/`, and changes of it, the same ones each time. A panic, or
//! more time than its length allows, fails the test that runs it. Uses no other crate of the project, and no other uses it but
//! for tests. `docs/fuzzing.md` tells how to run it for long.
//!
//! It runs on any toolchain, so it cannot see which branches an input takes. What it sees is what the reader made of the
//! input: one with an outcome that no other had is changed further.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a report to the terminal; a test that cannot go on has failed"
)]

mod budget;
mod corpus;
mod mutation;
mod random;
mod saving;
mod watch;

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use budget::{Budget, processor_time};
use mutation::Mutator;
use saving::save;
use watch::Watch;

/// How many inputs are tried beside the corpus; other numbers come from the environment.
const INPUTS: u64 = 400;
const INPUTS_VARIABLE: &str = "AFTERTHOUGHT_FUZZ_INPUTS";

/// The longest input where nobody asked for a number: code that is not optimised takes seconds for the longest text there may be.
const LONGEST_UNASKED: usize = 4096;

/// Outcomes are told apart and inputs kept up to this many, so that a long run stays in memory.
const KEPT_MAX: usize = 8192;

/// A reader of inputs from outside.
pub struct Target {
    name: &'static str,
    words: &'static [&'static str],
    inputs: Vec<Vec<u8>>,
    budget: Budget,
    longest: usize,
    unasked: u64,
}

impl Target {
    /// A reader with a name of its own, and the folders of the corpus to begin with.
    pub fn new(name: &'static str, folders: &[&str]) -> Self {
        let inputs = folders.iter().flat_map(|folder| corpus::read(folder)).collect();
        Self { name, words: &[], inputs, budget: Budget::default(), longest: corpus::LONG, unasked: INPUTS }
    }

    /// Adds an input that is made rather than kept.
    #[must_use]
    pub fn with(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.inputs.push(input.into());
        self
    }

    /// Words that mean something to this reader.
    #[must_use]
    pub fn words(mut self, words: &'static [&'static str]) -> Self {
        self.words = words;
        self
    }

    /// Allows so much time for each byte in place of the usual.
    #[must_use]
    pub fn allowing(mut self, time_per_byte: Duration) -> Self {
        self.budget.per_byte = time_per_byte;
        self
    }

    /// Tries nothing longer, for a reader whose time is known to grow faster than its input.
    #[must_use]
    pub fn up_to(mut self, bytes: usize) -> Self {
        self.longest = bytes;
        self
    }

    /// Tries so many where nobody asked for a number, for a reader that takes long for each.
    #[must_use]
    pub fn in_the_test_command(mut self, inputs: u64) -> Self {
        self.unasked = inputs;
        self
    }

    /// Tries `reader` on texts.
    pub fn try_text<T: Hash>(self, reader: impl Fn(&str) -> T) {
        self.try_bytes(|bytes| reader(&String::from_utf8_lossy(bytes)));
    }

    /// Tries `reader`, which returns what it made of an input: the coarser, the more an outcome nobody had tells.
    ///
    /// # Panics
    ///
    /// When the reader does, or takes too long.
    pub fn try_bytes<T: Hash>(self, reader: impl Fn(&[u8]) -> T) {
        let asked: Option<u64> = std::env::var(INPUTS_VARIABLE).ok().map(|number| number.parse().unwrap());
        let (more, longest) = match asked {
            Some(asked) => (asked, self.longest),
            None => (self.unasked, self.longest.min(LONGEST_UNASKED)),
        };
        let mut kept = self.inputs.clone();
        kept.extend(corpus::long_runs(longest));
        let mut mutator = Mutator::new(self.name, self.words, longest);
        let mut run =
            Run { target: &self, watch: Watch::start(self.name), outcomes: HashSet::default(), slowest: None };
        for input in &kept {
            run.attempt(&reader, input);
        }
        let corpus = kept.len();
        for _ in 0..more {
            let input = mutator.change(&kept);
            if run.attempt(&reader, &input) && kept.len() < corpus + KEPT_MAX && input.len() <= mutation::SHORT {
                kept.push(input);
            }
        }
        run.report(corpus as u64 + more);
    }
}

/// One run over many inputs.
struct Run<'a> {
    target: &'a Target,
    watch: Watch,
    outcomes: HashSet<u64, BuildHasherDefault<DefaultHasher>>,
    /// How long the worst input took and what it was, in relation to what it may take.
    slowest: Option<(Duration, Vec<u8>)>,
}

impl Run<'_> {
    /// Tries one input; whether no other had this outcome.
    fn attempt<T: Hash>(&mut self, reader: &impl Fn(&[u8]) -> T, input: &[u8]) -> bool {
        self.watch.begin(input);
        let begun = processor_time();
        let outcome = catch_unwind(AssertUnwindSafe(|| reader(input)));
        let mut taken = processor_time() - begun;
        let Ok(outcome) = outcome else {
            panic!("`{}` panicked on {}", self.target.name, save(self.target.name, "panic", input).display());
        };
        let allowed = self.target.budget.of(input.len());
        let slowest = self.slowest.as_ref().map_or(Duration::ZERO, |(slowest, _)| *slowest);
        for _ in 0..2 {
            // Whatever else the machine does must not count: the least of three is what the input takes.
            if taken > slowest.min(allowed) {
                let begun = processor_time();
                reader(input);
                taken = taken.min(processor_time() - begun);
            }
        }
        if taken > allowed {
            let saved = save(self.target.name, "slow", input);
            panic!("`{}` took {taken:?} of {allowed:?} for {}", self.target.name, saved.display());
        }
        if self.slowest.is_none() || taken > slowest {
            self.slowest = Some((taken, input.to_vec()));
        }
        let hash = self.outcomes.hasher().hash_one(outcome);
        self.outcomes.len() < KEPT_MAX && self.outcomes.insert(hash)
    }

    fn report(&self, inputs: u64) {
        let name = self.target.name;
        let (taken, input) = self.slowest.as_ref().unwrap();
        let (allowed, saved) = (self.target.budget.of(input.len()), save(name, "slowest", input));
        println!(
            "| {name} | {inputs} | {} | {:.2} ms of {:.0} | {} | {} |",
            self.outcomes.len(),
            taken.as_secs_f64() * 1e3,
            allowed.as_secs_f64() * 1e3,
            input.len(),
            saved.display()
        );
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn tried(name: &'static str) -> Vec<Vec<u8>> {
        let inputs = RefCell::new(Vec::new());
        Target::new(name, &["texts"]).try_bytes(|input| inputs.borrow_mut().push(input.to_vec()));
        // One that is slower than all before is tried again at once.
        let mut inputs = inputs.into_inner();
        inputs.dedup();
        inputs
    }

    #[test]
    fn the_same_inputs_are_tried_each_time() {
        let inputs = tried("itself");
        assert_eq!(inputs, tried("itself"));
        let distinct: HashSet<&Vec<u8>> = inputs.iter().collect();
        assert!(distinct.len() * 10 > inputs.len() * 9, "{} of {}", distinct.len(), inputs.len());
    }

    #[test]
    #[should_panic(expected = "`panics` panicked on")]
    fn a_panic_is_found_behind_two_conditions() {
        // Neither is in the corpus: it takes an outcome that is followed up.
        Target::new("panics", &["texts"]).words(&["alpha", "omega"]).try_text(|text| {
            let (first, second) = (text.contains("alpha"), text.contains("omega"));
            assert!(!(first && second));
            (first, second)
        });
    }

    #[test]
    #[should_panic(expected = "`slows` took")]
    fn too_much_time_is_found() {
        let reader = |input: &[u8]| {
            let begun = processor_time();
            while input.len() > 4000 && processor_time() - begun < Duration::from_millis(1600) {
                std::hint::spin_loop();
            }
        };
        Target::new("slows", &["texts"]).allowing(Duration::from_nanos(1)).try_bytes(reader);
    }
}
