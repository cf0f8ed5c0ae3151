//! What `score` means: how often hits of a score are right, and how high the best hit of a question scores that nothing answers.

use std::fmt::Write;

/// The scores of one set.
pub(crate) struct Scores {
    pub(crate) set: String,
    /// Of every hit, and whether it is right.
    pub(crate) hits: Vec<(f64, bool)>,
    /// Of the best hit of each question the set answers.
    pub(crate) best: Vec<f64>,
    /// Of the best hit of each question of another set.
    pub(crate) best_of_foreign: Vec<f64>,
}

/// The upper ends of the ranges hits are counted in.
const RANGES: [f64; 5] = [0.2, 0.4, 0.6, 0.8, 1.0];

/// The tables, in Markdown.
pub(crate) fn table(all: &[Scores]) -> String {
    let mut text = String::from("\n## What a score means\n\n");
    text += "Of the hits of `full` with a score in a range, the share that is an answer by the set's own list (which leaves \
             out other right ones), and how many they are:\n\n| set |";
    RANGES.iter().for_each(|end| write!(text, " to {end:.1} |").unwrap());
    text += "\n|---|---|---|---|---|---|\n";
    for scores in all {
        write!(text, "| {} |", scores.set).unwrap();
        for end in RANGES {
            let within = |score: f64| score <= end && score > end - 0.2;
            let hits: Vec<bool> =
                scores.hits.iter().filter(|(score, _)| within(*score)).map(|(_, right)| *right).collect();
            let right = hits.iter().filter(|right| **right).count();
            write!(text, " {:.2} of {} |", right as f64 / hits.len().max(1) as f64, hits.len()).unwrap();
        }
        text += "\n";
    }
    text += "\nThe score of the best hit, for questions the set answers and for questions of another set, which nothing in it \
             does: a tenth of them score less, half, and nine tenths.\n\n| set | answered | not answered |\n|---|---|---|\n";
    for Scores { set, best, best_of_foreign, .. } in all {
        writeln!(text, "| {set} | {} | {} |", tenths(best), tenths(best_of_foreign)).unwrap();
    }
    text
}

fn tenths(scores: &[f64]) -> String {
    let mut sorted = scores.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted.get(((sorted.len().max(1) - 1) as f64 * share).round() as usize);
    let shown = [0.1, 0.5, 0.9].map(|share| at(share).map_or("–".to_owned(), |score| format!("{score:.2}")));
    shown.join(" / ")
}
