//! The plot of the results: recall@10 of each way of searching, set by set, as bars.

use std::fmt::Write;

use crate::in_process::{FAST, FULL};
use crate::metrics::Row;
use crate::set::Set;

const BAR: usize = 16;
const GAP: usize = 34;
const LABEL: usize = 170;
const WIDTH: usize = 420;

pub(crate) fn plot(sets: &[Set], rows: &[Row]) -> String {
    let mut bars = String::new();
    let mut y = 10;
    for set in sets {
        y += GAP;
        write!(bars, "<text x=\"10\" y=\"{}\" font-weight=\"bold\">{}, recall@10</text>", y - 8, set.name).unwrap();
        for row in rows.iter().filter(|row| row.set == set.name) {
            let recall = row.figures.recall_10;
            let width = recall * WIDTH as f64;
            let colour = if [FULL, FAST].contains(&row.way.as_str()) { "#2a6f97" } else { "#a9c6d8" };
            let (middle, end) = (y + BAR - 5, LABEL as f64 + width + 6.0);
            write!(bars, "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{}</text>", LABEL - 8, row.way).unwrap();
            let height = BAR - 3;
            write!(bars, "<rect x=\"{LABEL}\" y=\"{y}\" width=\"{width:.1}\" height=\"{height}\" fill=\"{colour}\"/>")
                .unwrap();
            writeln!(bars, "<text x=\"{end:.1}\" y=\"{middle}\">{recall:.3}</text>").unwrap();
            y += BAR;
        }
    }
    let (width, height) = (LABEL + WIDTH + 60, y + 20);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{bars}</svg>\n"
    )
}
