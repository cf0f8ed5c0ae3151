//! Trains the weights of the category model on the half of the labels that is for tuning, and prints them as the source
//! of `src/category/weights.rs`, or with the argument `meaning` of `src/category/meaning_weights.rs`.
//!
//! `cargo run --release --example train_category > weights.rs`. Softmax regression with a quadratic penalty, by plain
//! gradient descent from zero: the same labels give the same weights. The penalty is chosen by cross-validation within
//! the half; the other half is not read.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for measuring prints, and stops at the first surprise"
)]

use serde_json::Value;

use afterthought_annotate::category::{feature_names, features};
use encoder::{DIMENSIONS, Encoder};
use model::Category;

type Weights = Vec<[f64; 4]>;
type Example = (Vec<f32>, usize);

const FOLDS: usize = 8;
const PENALTIES: [f64; 7] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.04, 0.08];
const ROUNDS: usize = 3000;
const RATE: f64 = 0.5;

/// What the vectors are scaled to before training, so that the same rate suits them.
const VECTOR_LENGTH: f32 = 4.0;

/// The penalty on the weights of meaning, and how much of what it says is believed, as it is right less often than it is sure.
/// Both by cross-validation together with the form: 90 % against 84 % for the form and 74 % for meaning alone.
const MEANING_PENALTY: f64 = 0.05;
const BELIEF: f64 = 0.75;

fn main() {
    let labels = labels();
    if std::env::args().any(|argument| argument == "meaning") {
        return meaning(&labels);
    }
    let features = |(text, class): &(String, usize)| (features(text).to_vec(), *class);
    let examples: Vec<Example> = labels.iter().map(features).collect();
    print_source(&train(&examples, chosen_penalty(&examples)));
}

/// The penalty that does best in cross-validation.
fn chosen_penalty(examples: &[Example]) -> f64 {
    let score = |penalty: f64| -> usize { (0..FOLDS).map(|fold| hits_of_fold(examples, fold, penalty)).sum() };
    let mut best = (0, PENALTIES[0]);
    for penalty in PENALTIES {
        let hits = score(penalty);
        eprintln!("penalty {penalty}: {hits} of {} in cross-validation", examples.len());
        if hits > best.0 {
            best = (hits, penalty);
        }
    }
    best.1
}

/// Trains on the vectors of the texts and prints the source.
fn meaning(labels: &[(String, usize)]) {
    let encoder = Encoder::load();
    let vectors: Vec<[f32; DIMENSIONS]> = labels.iter().map(|(text, _)| encoder.embed(text)).collect();
    let mut mean = [0.0; DIMENSIONS];
    for vector in &vectors {
        mean.iter_mut().zip(vector).for_each(|(mean, value)| *mean += value / vectors.len() as f32);
    }
    let squares =
        vectors.iter().flat_map(|vector| vector.iter().zip(&mean).map(|(value, mean)| (value - mean).powi(2)));
    let scale = VECTOR_LENGTH / (squares.sum::<f32>() / vectors.len() as f32).sqrt();
    let scaled =
        |vector: &[f32; DIMENSIONS]| vector.iter().zip(&mean).map(|(value, mean)| (value - mean) * scale).collect();
    let examples: Vec<Example> =
        vectors.iter().zip(labels).map(|(vector, (_, class))| (scaled(vector), *class)).collect();
    let weights = train(&examples, MEANING_PENALTY);
    let believed: Weights = weights.iter().map(|row| row.map(|weight| weight * f64::from(scale) * BELIEF)).collect();
    let mut biases = [0.0; 4];
    for (row, mean) in believed.iter().zip(&mean) {
        biases.iter_mut().zip(row).for_each(|(bias, weight)| *bias -= weight * f64::from(*mean));
    }
    print_meaning(&believed, biases);
}

fn print_meaning(weights: &Weights, biases: [f64; 4]) {
    let largest = weights.iter().flatten().fold(0.0_f64, |largest, weight| largest.max(weight.abs()));
    let step = largest / 127.0;
    println!("//! What each component of a vector says, written by `examples/train_category.rs`; do not edit.");
    println!("//!");
    println!("//! - For each component its weights for task, idea, observation and fact, in steps.\n");
    println!("/// What a weight of 1 stands for.\npub(super) const STEP: f32 = {step:.6};\n");
    println!("/// What is known before the vector.\npub(super) const BIASES: [f32; 4] = {biases:.4?};\n");
    let steps: Vec<i8> = weights.iter().flatten().map(|weight| (weight / step).round() as i8).collect();
    println!("#[rustfmt::skip]\npub(super) const WEIGHTS: [i8; {}] = [", steps.len());
    for line in steps.chunks(24) {
        println!("    {},", line.iter().map(i8::to_string).collect::<Vec<_>>().join(", "));
    }
    println!("];");
}

/// The texts for tuning, each with the place of its category.
fn labels() -> Vec<(String, usize)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/evals/categories.jsonl");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read `{path}`: {error}"));
    let labels = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("labels are JSON Lines"));
    labels
        .filter(|label| label["split"] == "tune")
        .map(|label| {
            let class = Category::ALL.iter().position(|category| label["category"] == category.as_str());
            (label["text"].as_str().unwrap_or_default().to_owned(), class.expect("labels name a category"))
        })
        .collect()
}

fn hits_of_fold(examples: &[Example], fold: usize, penalty: f64) -> usize {
    let (mut seen, mut unseen) = (Vec::new(), Vec::new());
    for (place, example) in examples.iter().enumerate() {
        if place % FOLDS == fold { unseen.push(example.clone()) } else { seen.push(example.clone()) }
    }
    let weights = train(&seen, penalty);
    unseen.iter().filter(|(features, class)| best(&probabilities(&weights, features)) == *class).count()
}

fn best(probabilities: &[f64; 4]) -> usize {
    (0..4).max_by(|left, right| probabilities[*left].total_cmp(&probabilities[*right])).unwrap_or(0)
}

fn probabilities(weights: &[[f64; 4]], features: &[f32]) -> [f64; 4] {
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
    let width = examples.first().map_or(0, |(features, _)| features.len());
    let mut weights = vec![[0.0; 4]; width];
    for _ in 0..ROUNDS {
        let mut gradient = vec![[0.0; 4]; width];
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
