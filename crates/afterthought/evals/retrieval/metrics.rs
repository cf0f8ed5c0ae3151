//! What a ranking is worth: averages over queries of how much of the answer stands among the first.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::set::Query;

/// The averages of one way of searching on one set.
pub(crate) struct Row {
    pub(crate) set: String,
    pub(crate) way: String,
    pub(crate) figures: Figures,
    /// By category, with how many queries it has.
    pub(crate) categories: BTreeMap<String, (usize, Figures)>,
    /// How long the queries took: the half and all but a hundredth took less.
    pub(crate) latency: Option<(Duration, Duration)>,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Figures {
    pub(crate) recall_1: f64,
    pub(crate) recall_5: f64,
    pub(crate) recall_10: f64,
    pub(crate) ndcg_10: f64,
    pub(crate) all_10: f64,
}

/// Collects the rankings of one way of searching.
#[derive(Default)]
pub(crate) struct Tally {
    asked: Vec<(String, Figures)>,
    took: Vec<Duration>,
}

/// A category that has no right answer to find: reported, and left out of the average.
pub(crate) const APART: &str = "adversarial";

impl Tally {
    /// Takes in what was found for a query, best first.
    pub(crate) fn add(&mut self, query: &Query, found: &[String], took: Duration) {
        self.asked.push((query.category.clone(), figures(query, found)));
        self.took.push(took);
    }

    pub(crate) fn row(mut self, set: &str, way: &str) -> Row {
        let mut by_category: BTreeMap<String, Vec<Figures>> = BTreeMap::new();
        self.asked
            .iter()
            .for_each(|(category, figures)| by_category.entry(category.clone()).or_default().push(*figures));
        let counted: Vec<Figures> =
            self.asked.iter().filter(|(category, _)| category != APART).map(|(_, figures)| *figures).collect();
        self.took.sort_unstable();
        let quantile = |share: f64| self.took.get(((self.took.len() - 1) as f64 * share).round() as usize).copied();
        Row {
            set: set.to_owned(),
            way: way.to_owned(),
            figures: mean(&counted),
            categories: by_category.into_iter().map(|(name, all)| (name, (all.len(), mean(&all)))).collect(),
            latency: quantile(0.5).zip(quantile(0.99)),
        }
    }
}

fn figures(query: &Query, found: &[String]) -> Figures {
    let recall = |first: usize| {
        let hits = found.iter().take(first).filter(|id| query.answers.contains(*id)).count();
        hits as f64 / query.answers.len() as f64
    };
    let gain = |place: usize| 1.0 / (place as f64 + 2.0).log2();
    let places = found.iter().take(10).enumerate().filter(|(_, id)| query.answers.contains(*id));
    let ideal: f64 = (0..query.answers.len().min(10)).map(gain).sum();
    Figures {
        recall_1: recall(1),
        recall_5: recall(5),
        recall_10: recall(10),
        ndcg_10: places.map(|(place, _)| gain(place)).sum::<f64>() / ideal,
        all_10: if recall(10) >= 1.0 { 1.0 } else { 0.0 },
    }
}

fn mean(all: &[Figures]) -> Figures {
    let part = |part: fn(&Figures) -> f64| all.iter().map(part).sum::<f64>() / all.len().max(1) as f64;
    Figures {
        recall_1: part(|figures| figures.recall_1),
        recall_5: part(|figures| figures.recall_5),
        recall_10: part(|figures| figures.recall_10),
        ndcg_10: part(|figures| figures.ndcg_10),
        all_10: part(|figures| figures.all_10),
    }
}
