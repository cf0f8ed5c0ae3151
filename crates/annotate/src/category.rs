//! Tells tasks, ideas, observations and facts apart, by how a text is put and by what it means.
//!
//! - Form: a linear model over the features of [`features`](fn@features). Meaning: another one over the vector of the text.
//!   The weights of both are trained by `examples/train_category.rs`.
//! - Scores are probabilities: they lie between 0 and 1 and sum to 1.
//! - The cost is bounded: only the beginning of a long text is read.
//!
//! Form alone cannot know that `pottery class` is a present, and meaning alone not who is to do what: [`combine`] joins both.

mod features;
mod form;
mod lexicon;
mod meaning;
mod meaning_weights;
mod weights;

pub use features::{FEATURE_COUNT, feature_names, features};
pub use meaning::meaning_scores;

use model::Category;

use weights::WEIGHTS;

/// The probability of each category, in the order of [`Category::ALL`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scores([f32; 4]);

impl Scores {
    /// Nothing known: every category is as likely.
    pub const EVEN: Self = Self([0.25; 4]);

    /// Makes probabilities of `weights`, one for each of [`Category::ALL`]: what is negative or not a number counts as
    /// nothing, and the rest is scaled to sum to 1. [`Self::EVEN`] if nothing is left.
    #[must_use]
    pub fn new(weights: [f32; 4]) -> Self {
        let weights = weights.map(|weight| if weight.is_finite() { weight.max(0.0) } else { 0.0 });
        let largest = weights.into_iter().fold(0.0, f32::max);
        if largest == 0.0 {
            return Self::EVEN;
        }
        // Scaling by the largest first keeps huge weights from summing to infinity.
        let scaled = weights.map(|weight| weight / largest);
        let sum: f32 = scaled.iter().sum();
        Self(scaled.map(|weight| weight / sum))
    }

    /// The probabilities with these logarithms, but for what makes them sum to 1.
    fn of_logits(logits: [f32; 4]) -> Self {
        let highest = logits.into_iter().fold(f32::NEG_INFINITY, f32::max);
        Self::new(logits.map(|logit| (logit - highest).exp()))
    }

    /// The probability of `category`.
    #[must_use]
    pub fn of(&self, category: Category) -> f32 {
        self.0[category as usize]
    }

    /// The most likely category and its probability; the first of [`Category::ALL`] among equals.
    #[must_use]
    pub fn best(&self) -> (Category, f32) {
        let mut best = (Category::ALL[0], self.0[0]);
        for (category, score) in Category::ALL.into_iter().zip(self.0) {
            if score > best.1 {
                best = (category, score);
            }
        }
        best
    }
}

/// The category of `text` by its form, and how likely it is.
#[must_use]
pub fn category(text: &str) -> (Category, f32) {
    form_scores(text).best()
}

/// How likely each category is by the form of `text`.
#[must_use]
pub fn form_scores(text: &str) -> Scores {
    let features = features(text);
    let mut logits = [0.0_f32; 4];
    for (value, weights) in features.into_iter().zip(WEIGHTS) {
        if value != 0.0 {
            for (logit, weight) in logits.iter_mut().zip(weights) {
                *logit += value * weight;
            }
        }
    }
    Scores::of_logits(logits)
}

/// The least a side can say against a category, so that one sure mistake does not silence the other side.
const LEAST: f32 = 0.02;

/// Joins what the form and the meaning of a text say, as independent witnesses: the product of their probabilities.
///
/// [`Scores::EVEN`] on one side leaves the decision to the other. A side that is often wrong should be flattened
/// towards even by its maker before it is brought here.
#[must_use]
pub fn combine(form: Scores, meaning: Scores) -> Scores {
    let mut product = [0.0; 4];
    for (place, slot) in product.iter_mut().enumerate() {
        *slot = form.0[place].max(LEAST) * meaning.0[place].max(LEAST);
    }
    Scores::new(product)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn word(text: &str) -> &'static str {
        category(text).0.as_str()
    }

    #[test]
    fn every_feature_has_its_weights() {
        assert_eq!(WEIGHTS.len(), FEATURE_COUNT);
    }

    #[test]
    fn requests_and_duties_are_tasks() {
        for text in
            ["call plumber re: leak", "I need to renew the lease", "[ ] rotate keys", "don't forget the charger"]
        {
            assert_eq!(word(text), "task", "{text}");
        }
    }

    #[test]
    fn suppositions_are_ideas() {
        for text in ["What if we used one queue?", "maybe a shared calendar", "We could rent a boat for the party"] {
            assert_eq!(word(text), "idea", "{text}");
        }
    }

    #[test]
    fn what_was_perceived_is_an_observation() {
        for text in [
            "saw a heron by the river this morning",
            "I noticed that the fan got louder",
            "The build failed again today",
        ] {
            assert_eq!(word(text), "observation", "{text}");
        }
    }

    #[test]
    fn what_holds_is_a_fact() {
        for text in ["Ana is allergic to nuts", "The default port is 5432", "My sister lives in Leipzig."] {
            assert_eq!(word(text), "fact", "{text}");
        }
    }

    #[test]
    fn an_even_side_leaves_the_decision_to_the_other() {
        let form = form_scores("We could rent a boat");
        assert_eq!(combine(form, Scores::EVEN).best().0, form.best().0);
        assert_eq!(combine(Scores::EVEN, form).best().0, form.best().0);
    }

    #[test]
    fn a_sure_meaning_outweighs_a_doubtful_form() {
        let form = Scores::new([0.3, 0.2, 0.2, 0.3]);
        let meaning = Scores::new([0.0, 0.9, 0.05, 0.05]);
        assert_eq!(combine(form, meaning).best().0, Category::Idea);
    }

    proptest! {
        #[test]
        fn any_text_has_probabilities(text in any::<String>()) {
            let scores = form_scores(&text);
            let sum: f32 = Category::ALL.into_iter().map(|category| scores.of(category)).sum();
            prop_assert!((sum - 1.0).abs() < 1e-4);
        }

        #[test]
        fn any_numbers_make_probabilities(weights in any::<[f32; 4]>()) {
            let scores = Scores::new(weights);
            let sum: f32 = Category::ALL.into_iter().map(|category| scores.of(category)).sum();
            prop_assert!((sum - 1.0).abs() < 1e-4);
        }

        #[test]
        fn joining_is_symmetric(left in any::<[f32; 4]>(), right in any::<[f32; 4]>()) {
            let (left, right) = (Scores::new(left), Scores::new(right));
            prop_assert_eq!(combine(left, right), combine(right, left));
        }
    }
}
