//! Tells tasks, ideas, observations and facts apart, by how a text is put and by what it means.
//!
//! - Form: a linear model over the features of [`features`](fn@features). Meaning: another one over the vector of the text.
//!   The weights of both are trained by `examples/train_category.rs`.
//! - The cost is bounded: only the beginning of a long text is read.
//!
//! Form alone cannot know that `pottery class` is a present, and meaning alone not who is to do what: [`combine`] joins both.

mod features;
mod form;
mod lexicon;
mod meaning;
mod meaning_weights;
mod scores;
mod weights;

pub use features::{FEATURE_COUNT, feature_names, features};
pub use meaning::meaning_scores;
pub use scores::{Scores, combine};

use model::Category;

use weights::WEIGHTS;

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

    proptest! {
        #[test]
        fn any_text_has_probabilities(text in any::<String>()) {
            let scores = form_scores(&text);
            let sum: f32 = Category::ALL.into_iter().map(|category| scores.of(category)).sum();
            prop_assert!((sum - 1.0).abs() < 1e-4);
        }
    }
}
