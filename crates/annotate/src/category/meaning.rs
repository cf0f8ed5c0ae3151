//! What the meaning of a text says about its category.

use super::meaning_weights::{BIASES, STEP, WEIGHTS};
use super::scores::Scores;

/// How likely each category is by the vector that the built-in model made of a text, already flattened to how far it can be
/// believed; [`Scores::EVEN`] for a vector of another length.
#[must_use]
pub fn meaning_scores(vector: &[f32]) -> Scores {
    let (rows, _) = WEIGHTS.as_chunks::<4>();
    if vector.len() != rows.len() {
        return Scores::EVEN;
    }
    let mut logits = BIASES;
    for (value, weights) in vector.iter().zip(rows) {
        for (logit, weight) in logits.iter_mut().zip(weights) {
            *logit += value * f32::from(*weight) * STEP;
        }
    }
    Scores::of_logits(logits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_of_another_model_says_nothing() {
        assert_eq!(meaning_scores(&[0.1; 768]), Scores::EVEN);
        assert_eq!(meaning_scores(&[]), Scores::EVEN);
    }
}
