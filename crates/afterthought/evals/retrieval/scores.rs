//! What `score` means: how often hits of a score are right, and how well it tells questions that nothing answers from others.

use std::fmt::Write;

use crate::set::Query;

/// The scores of one set.
pub(crate) struct Scores {
    set: String,
    /// Of every hit, and whether it is right.
    hits: Vec<(f64, bool)>,
    /// Of the best hit of each question the set answers.
    best: Vec<f64>,
    /// Of the best right hit of each question the set answers; less than any score if none of the ten is right.
    best_right: Vec<f64>,
    /// Of the best hit of each question of the set that nothing in it answers.
    unanswerable: Vec<f64>,
    /// Of the best hit of each question of another set.
    pub(crate) best_of_foreign: Vec<f64>,
}

/// The upper ends of the ranges hits are counted in.
const RANGES: [f64; 5] = [0.2, 0.4, 0.6, 0.8, 1.0];

/// The share of questions without an answer that a threshold is to keep silent.
const SILENT: f64 = 0.9;

impl Scores {
    pub(crate) fn of(set: &str) -> Self {
        let (hits, best, best_right) = (Vec::new(), Vec::new(), Vec::new());
        Self { set: set.to_owned(), hits, best, best_right, unanswerable: Vec::new(), best_of_foreign: Vec::new() }
    }

    /// Takes in what was found for a query, best first.
    pub(crate) fn add(&mut self, query: &Query, found: &[(String, f64)], is_apart: bool, is_unanswerable: bool) {
        let best = found.first().map_or(0.0, |(_, score)| *score);
        if is_unanswerable {
            self.unanswerable.push(best);
        } else if !is_apart {
            let right = |id: &String| query.answers.contains(id);
            self.hits.extend(found.iter().map(|(id, score)| (*score, right(id))));
            self.best.push(best);
            self.best_right.push(found.iter().find(|(id, _)| right(id)).map_or(-1.0, |(_, score)| *score));
        }
    }

    /// The chance that a question with an answer scores higher than one without.
    fn told_apart(&self, without: &[f64]) -> f64 {
        let higher = |with: f64, without: f64| match with.total_cmp(&without) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
        let pairs = self.best.iter().flat_map(|with| without.iter().map(move |without| higher(*with, *without)));
        pairs.sum::<f64>() / (self.best.len() * without.len()).max(1) as f64
    }

    /// The threshold that keeps nine of ten questions without an answer silent, and the share of the others that still show a
    /// right thought.
    fn kept(&self, without: &[f64]) -> Option<(f64, f64)> {
        let mut sorted = without.to_vec();
        sorted.sort_by(f64::total_cmp);
        let silenced = (sorted.len() as f64 * SILENT).round() as usize;
        let threshold = *sorted.get(silenced.checked_sub(1)?)?;
        let kept = self.best_right.iter().filter(|score| **score > threshold).count();
        Some((threshold, kept as f64 / self.best_right.len().max(1) as f64))
    }
}

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
    text += "\nThe score of the best hit, for questions the set answers and for questions that nothing in it does: a tenth of \
             them score less, half, and nine tenths. Then how well it tells them apart (AUC), the threshold that keeps nine of \
             ten of the latter silent, and the share of the former that still show a right thought.\n\n\
             | set | answered | not answered | AUC | threshold | kept |\n|---|---|---|---|---|---|\n";
    for scores in all {
        let without = [(&scores.unanswerable, "its own"), (&scores.best_of_foreign, "another set's")];
        for (without, whose) in without.into_iter().filter(|(without, _)| !without.is_empty()) {
            let (answered, unanswered) = (tenths(&scores.best), tenths(without));
            let (apart, (threshold, kept)) = (scores.told_apart(without), scores.kept(without).unwrap_or_default());
            let set = &scores.set;
            writeln!(text, "| {set} | {answered} | {whose}: {unanswered} | {apart:.3} | {threshold:.2} | {kept:.2} |")
                .unwrap();
        }
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
