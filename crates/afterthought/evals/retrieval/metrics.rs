//! What a ranking is worth: averages over queries of how much of the answer stands among the first.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::set::{Query, UNANSWERABLE};

/// The averages of one way of searching on one set.
pub(crate) struct Row {
    pub(crate) set: String,
    pub(crate) way: String,
    pub(crate) figures: Figures,
    /// By group.
    pub(crate) groups: BTreeMap<String, Figures>,
    /// By category, with how many queries it has.
    pub(crate) categories: BTreeMap<String, (usize, Figures)>,
    /// Of the questions whose answer has replaced another, the share where it stands above all it has replaced.
    pub(crate) newest_first: Option<f64>,
    /// How long the queries took: the half and all but a hundredth took less.
    pub(crate) latency: Option<(Duration, Duration)>,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Figures {
    /// Whether the first is right.
    pub(crate) hit_1: f64,
    pub(crate) recall_1: f64,
    pub(crate) recall_5: f64,
    pub(crate) recall_10: f64,
    /// One by the rank of the first that is right.
    pub(crate) mrr_10: f64,
    pub(crate) ndcg_10: f64,
    pub(crate) all_10: f64,
}

/// Collects the rankings of one way of searching.
#[derive(Default)]
pub(crate) struct Tally {
    asked: Vec<Asked>,
    took: Vec<Duration>,
}

struct Asked {
    group: String,
    category: String,
    figures: Figures,
    newest_first: Option<bool>,
}

/// A category whose right answers are beside the point: reported, and left out of the average.
pub(crate) const APART: &str = "adversarial";

impl Tally {
    /// Takes in what was found for a query of a group, best first. What has no answer is not counted here.
    pub(crate) fn add(&mut self, group: &str, query: &Query, found: &[String], took: Duration) {
        self.took.push(took);
        if query.category == UNANSWERABLE {
            return;
        }
        let (group, category) = (group.to_owned(), query.category.clone());
        self.asked.push(Asked {
            group,
            category,
            figures: figures(query, found),
            newest_first: newest_first(query, found),
        });
    }

    pub(crate) fn row(mut self, set: &str, way: &str) -> Row {
        let counted: Vec<&Asked> = self.asked.iter().filter(|asked| asked.category != APART).collect();
        let newest: Vec<bool> = self.asked.iter().filter_map(|asked| asked.newest_first).collect();
        let share = newest.iter().filter(|first| **first).count() as f64 / newest.len().max(1) as f64;
        self.took.sort_unstable();
        let quantile = |share: f64| self.took.get(((self.took.len() - 1) as f64 * share).round() as usize).copied();
        let by = |key: fn(&Asked) -> &str, asked: &[&Asked]| {
            let mut parts: BTreeMap<String, Vec<Figures>> = BTreeMap::new();
            asked.iter().for_each(|asked| parts.entry(key(asked).to_owned()).or_default().push(asked.figures));
            parts
        };
        let categories = by(|asked| &asked.category, &self.asked.iter().collect::<Vec<_>>());
        Row {
            set: set.to_owned(),
            way: way.to_owned(),
            figures: mean(&counted.iter().map(|asked| asked.figures).collect::<Vec<_>>()),
            groups: by(|asked| &asked.group, &counted).into_iter().map(|(name, all)| (name, mean(&all))).collect(),
            categories: categories.into_iter().map(|(name, all)| (name, (all.len(), mean(&all)))).collect(),
            newest_first: (!newest.is_empty()).then_some(share),
            latency: quantile(0.5).zip(quantile(0.99)),
        }
    }
}

/// Whether an answer is found and stands above all it has replaced; `None` if it has replaced nothing.
fn newest_first(query: &Query, found: &[String]) -> Option<bool> {
    if query.older.is_empty() {
        return None;
    }
    let place = |ids: &std::collections::BTreeSet<String>| found.iter().take(10).position(|id| ids.contains(id));
    let answer = place(&query.answers);
    Some(answer.is_some_and(|answer| place(&query.older).is_none_or(|older| answer < older)))
}

fn figures(query: &Query, found: &[String]) -> Figures {
    let is_right = |id: &&String| query.answers.contains(*id);
    let recall = |first: usize| found.iter().take(first).filter(is_right).count() as f64 / query.answers.len() as f64;
    let gain = |place: usize| 1.0 / (place as f64 + 2.0).log2();
    let places: Vec<usize> =
        found.iter().take(10).enumerate().filter(|(_, id)| is_right(id)).map(|(place, _)| place).collect();
    let ideal: f64 = (0..query.answers.len().min(10)).map(gain).sum();
    Figures {
        hit_1: f64::from(u8::from(places.first() == Some(&0))),
        recall_1: recall(1),
        recall_5: recall(5),
        recall_10: recall(10),
        mrr_10: places.first().map_or(0.0, |place| 1.0 / (*place as f64 + 1.0)),
        ndcg_10: places.iter().map(|place| gain(*place)).sum::<f64>() / ideal,
        all_10: if recall(10) >= 1.0 { 1.0 } else { 0.0 },
    }
}

fn mean(all: &[Figures]) -> Figures {
    let part = |part: fn(&Figures) -> f64| all.iter().map(part).sum::<f64>() / all.len().max(1) as f64;
    Figures {
        hit_1: part(|figures| figures.hit_1),
        recall_1: part(|figures| figures.recall_1),
        recall_5: part(|figures| figures.recall_5),
        recall_10: part(|figures| figures.recall_10),
        mrr_10: part(|figures| figures.mrr_10),
        ndcg_10: part(|figures| figures.ndcg_10),
        all_10: part(|figures| figures.all_10),
    }
}
