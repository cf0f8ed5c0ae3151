//! The tables of the results, in Markdown.

use std::fmt::Write;

use crate::in_process::{FAST, FULL};
use crate::metrics::{Figures, Row};
use crate::set::Set;

pub(crate) fn table(sets: &[Set], rows: &[Row]) -> String {
    let mut text = String::from("# Retrieval\n");
    for set in sets {
        let of_set: Vec<&Row> = rows.iter().filter(|row| row.set == set.name).collect();
        let (documents, queries) = (set.documents(), set.queries());
        write!(text, "\n## {} ({documents} thoughts, {queries} queries)\n\n", set.name).unwrap();
        text += "| way | hit@1 | recall@1 | recall@5 | recall@10 | MRR@10 | nDCG@10 | all@10 | newest first | p50 ms | p99 ms |\n";
        text += "|---|---|---|---|---|---|---|---|---|---|---|\n";
        for row in &of_set {
            let ms = |time: std::time::Duration| format!("{:.1}", time.as_secs_f64() * 1000.0);
            let latency = row.latency.filter(|(half, _)| !half.is_zero());
            let latency = latency.map_or(" | ".to_owned(), |(half, most)| format!("{} | {}", ms(half), ms(most)));
            let newest = row.newest_first.map_or(String::new(), |share| format!("{share:.3}"));
            writeln!(text, "| {} | {} | {newest} | {latency} |", row.way, shares(&row.figures)).unwrap();
        }
        let way = |name: &str| of_set.iter().find(|row| row.way == name);
        text += "\n| group or category | queries | full: hit@1 | recall@1 | recall@5 | recall@10 | MRR@10 | nDCG@10 | all@10 | fast: recall@10 |\n";
        text += "|---|---|---|---|---|---|---|---|---|---|\n";
        for (group, figures) in way(FULL).into_iter().flat_map(|row| &row.groups).filter(|_| set.groups.len() > 1) {
            let fast = way(FAST).and_then(|row| row.groups.get(group)).map_or(0.0, |fast| fast.recall_10);
            let count = set.groups[group].queries.len();
            writeln!(text, "| {group} | {count} | {} | {fast:.3} |", shares(figures)).unwrap();
        }
        for (category, (count, figures)) in way(FULL).into_iter().flat_map(|row| &row.categories) {
            let fast = way(FAST).and_then(|row| row.categories.get(category)).map_or(0.0, |(_, fast)| fast.recall_10);
            writeln!(text, "| {category} | {count} | {} | {fast:.3} |", shares(figures)).unwrap();
        }
    }
    text
}

fn shares(figures: &Figures) -> String {
    let Figures { hit_1, recall_1, recall_5, recall_10, mrr_10, ndcg_10, all_10 } = figures;
    let shares = [hit_1, recall_1, recall_5, recall_10, mrr_10, ndcg_10, all_10];
    shares.map(|share| format!("{share:.3}")).join(" | ")
}
