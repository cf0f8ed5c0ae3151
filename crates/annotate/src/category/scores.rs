//! How likely each category is.
//!
//! - Scores are probabilities: they lie between 0 and 1 and sum to 1.

use model::Category;

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
    pub(super) fn of_logits(logits: [f32; 4]) -> Self {
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

    #[test]
    fn a_sure_meaning_outweighs_a_doubtful_form() {
        let form = Scores::new([0.3, 0.2, 0.2, 0.3]);
        let meaning = Scores::new([0.0, 0.9, 0.05, 0.05]);
        assert_eq!(combine(form, meaning).best().0, Category::Idea);
    }

    proptest! {
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
