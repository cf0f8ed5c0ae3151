//! Trains the weights of the category model on the half of the labels that is for tuning, and prints them as the source
//! of `src/text/category/weights.rs`.
//!
//! `cargo run --release --example train_category > weights.rs`. Softmax regression with a quadratic penalty, by plain
//! gradient descent from zero: the same labels give the same weights. The penalty is chosen by cross-validation within
//! the half; the other half is not read.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for measuring prints, and stops at the first surprise"
)]

use afterthought::model::Category;
use afterthought::text::category::{FEATURE_COUNT, feature_names, features};
use serde_json::Value;

type Weights = [[f64; 4]; FEATURE_COUNT];
type Example = ([f32; FEATURE_COUNT], usize);

const FOLDS: usize = 8;
const PENALTIES: [f64; 7] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.04, 0.08];
const ROUNDS: usize = 3000;
const RATE: f64 = 0.5;

fn main() {
    let examples = examples();
    let score = |penalty: f64| -> usize { (0..FOLDS).map(|fold| hits_of_fold(&examples, fold, penalty)).sum() };
    let mut best = (0, PENALTIES[0]);
    for penalty in PENALTIES {
        let hits = score(penalty);
        eprintln!("penalty {penalty}: {hits} of {} in cross-validation", examples.len());
        if hits > best.0 {
            best = (hits, penalty);
        }
    }
    print_source(&train(&examples, best.1));
}

fn examples() -> Vec<Example> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/evals/labels/categories.jsonl");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read `{path}`: {error}"));
    let labels = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("labels are JSON Lines"));
    labels
        .filter(|label| label["split"] == "tune")
        .map(|label| {
            let class = Category::ALL.iter().position(|category| label["category"] == category.as_str());
            (features(label["text"].as_str().unwrap_or_default()), class.expect("labels name a category"))
        })
        .collect()
}

fn hits_of_fold(examples: &[Example], fold: usize, penalty: f64) -> usize {
    let (mut seen, mut unseen) = (Vec::new(), Vec::new());
    for (place, example) in examples.iter().enumerate() {
        if place % FOLDS == fold { unseen.push(*example) } else { seen.push(*example) }
    }
    let weights = train(&seen, penalty);
    unseen.iter().filter(|(features, class)| best(&probabilities(&weights, features)) == *class).count()
}

fn best(probabilities: &[f64; 4]) -> usize {
    (0..4).max_by(|left, right| probabilities[*left].total_cmp(&probabilities[*right])).unwrap_or(0)
}

fn probabilities(weights: &Weights, features: &[f32; FEATURE_COUNT]) -> [f64; 4] {
    let mut logits = [0.0_f64; 4];
    for (value, row) in features.iter().zip(weights) {
        for class in 0..4 {
            logits[class] += f64::from(*value) * row[class];
        }
    }
    let highest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers = logits.map(|logit| (logit - highest).exp());
    let sum: f64 = powers.iter().sum();
    powers.map(|power| power / sum)
}

fn train(examples: &[Example], penalty: f64) -> Weights {
    let mut weights: Weights = [[0.0; 4]; FEATURE_COUNT];
    for _ in 0..ROUNDS {
        let mut gradient: Weights = [[0.0; 4]; FEATURE_COUNT];
        for (features, class) in examples {
            let found = probabilities(&weights, features);
            for (value, row) in features.iter().zip(&mut gradient) {
                for (place, slot) in row.iter_mut().enumerate() {
                    *slot += f64::from(*value) * (found[place] - f64::from(u8::from(place == *class)));
                }
            }
        }
        for (row, steps) in weights.iter_mut().zip(&gradient) {
            for (weight, step) in row.iter_mut().zip(steps) {
                *weight -= RATE * (step / examples.len() as f64 + penalty * *weight);
            }
        }
    }
    weights
}

fn print_source(weights: &Weights) {
    println!("//! The weights of the category model, written by `examples/train_category.rs`; do not edit.");
    println!("//!");
    println!(
        "//! - One row for each feature, in their order; one column for each category: task, idea, observation, fact.\n"
    );
    println!("pub(super) const WEIGHTS: &[[f32; 4]] = &[");
    for (row, name) in weights.iter().zip(feature_names()) {
        let [task, idea, observation, fact] = row;
        println!("    // {name}\n    [{task:.2}, {idea:.2}, {observation:.2}, {fact:.2}],");
    }
    println!("];");
}
