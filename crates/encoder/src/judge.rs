//! Models that read two texts side by side and tell the odds of something: whether one answers the other, or makes it out of date.
//!
//! Vectors tell what a text is about, and a question on what was never stored is about the same as its near misses, as is what replaces a
//! text about the same as what stands beside it. These models see both at once; `models/judge` and `models/replacing` of [`parameters`] have how they were
//! trained.

use vectors::kernel::Kernel;

use crate::pair::Pair;
use crate::tokens::Tokenizer;
use crate::weights::JudgeWeights;

/// How much of either text is read, in tokens, as when the model was trained; the rest is cut.
const MOST_TOKENS: usize = 110;

/// What a model tells of two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matter {
    /// The second answers the first, which is a question.
    Answers,
    /// The second, which was written later, says what has become of what the first one says.
    Replaces,
}

/// Tells the odds of one matter. Shared freely between threads: judging changes nothing in it.
pub struct Judge {
    kernel: Kernel,
    tokenizer: &'static Tokenizer,
    weights: JudgeWeights,
}

impl Judge {
    /// Prepares the model that is part of the binary, for the fastest kernel of this processor.
    pub fn of(matter: Matter) -> Self {
        Self::with_kernel(matter, Kernel::detect())
    }

    /// Prepares the model for a given kernel, to compare kernels.
    pub fn with_kernel(matter: Matter, kernel: Kernel) -> Self {
        let weights = match matter {
            Matter::Answers => JudgeWeights::of_answers(),
            Matter::Replaces => JudgeWeights::of_replacing(),
        };
        Self { kernel, tokenizer: Tokenizer::shared(), weights }
    }

    /// The logarithm of the odds for these two texts.
    pub fn odds(&self, first: &str, second: &str) -> f32 {
        let tokens = |text| {
            let mut tokens = self.tokenizer.placed(text);
            tokens.truncate(MOST_TOKENS);
            tokens
        };
        let pair = Pair::new((first, tokens(first)), (second, tokens(second)));
        self.weights.odds.output(0, &pair.opening_state(self.kernel, &self.weights.pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static JUDGE: LazyLock<Judge> = LazyLock::new(|| Judge::of(Matter::Answers));
    static REPLACING: LazyLock<Judge> = LazyLock::new(|| Judge::of(Matter::Replaces));
    const TEXT: &str = "Lena's piano teacher is Mr Ostrowski, lessons are on Tuesdays at 16:30.";

    #[test]
    fn an_answer_is_told_from_a_near_miss() {
        for answered in ["Who teaches Lena the piano?", "When does Lena have her piano lesson?"] {
            for missed in ["How much does Lena's piano teacher charge?", "Where did Mr Ostrowski grow up?"] {
                let (answered, missed) = (JUDGE.odds(answered, TEXT), JUDGE.odds(missed, TEXT));
                assert!(answered > missed + 1.0, "{answered} {missed}");
            }
        }
    }

    #[test]
    fn what_replaces_a_text_is_told_from_what_stands_beside_it() {
        for (replaces, stands) in [
            (
                "Lena has Mr Ostrowski's piano lesson on Thursdays at 17:00",
                "Tom's piano lesson is on Thursdays at 17:00",
            ),
            ("Lena has given up the piano", "Mr Ostrowski teaches the cello as well"),
        ] {
            let (replaces, stands) = (REPLACING.odds(TEXT, replaces), REPLACING.odds(TEXT, stands));
            assert!(replaces > stands + 1.0, "{replaces} {stands}");
        }
    }

    #[test]
    fn every_kernel_judges_the_same() {
        let question = "Who teaches Lena the piano?";
        for kernel in Kernel::available() {
            let odds = Judge::with_kernel(Matter::Answers, kernel).odds(question, TEXT);
            assert_eq!(odds.to_bits(), JUDGE.odds(question, TEXT).to_bits(), "{}", kernel.name());
        }
    }

    #[test]
    fn the_opening_state_is_the_same_without_the_others() {
        let placed = |text| (text, JUDGE.tokenizer.placed(text));
        let pair = Pair::new(placed("Who teaches Lena the piano?"), placed(TEXT));
        let weights = &JUDGE.weights.pairs;
        let (opening, all) = (pair.opening_state(JUDGE.kernel, weights), pair.states(JUDGE.kernel, weights));
        assert!(all.len() > 20 * opening.len(), "there are other states");
        assert_eq!(opening, all[..opening.len()]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn any_words_are_judged(question in any::<String>(), text in any::<String>()) {
            prop_assert!(JUDGE.odds(&question, &text).is_finite());
        }
    }

    #[test]
    fn what_is_long_is_cut() {
        assert!(JUDGE.odds(&"why ".repeat(10_000), &"tea ".repeat(10_000)).is_finite());
    }
}
