//! How well the service finds what was asked for, on folders of questions with known answers.
//!
//! `cargo bench --bench retrieval -- FOLDER…` takes folders with `corpus.jsonl` (`id`, `group`, `text`, `timestamp` or null),
//! `queries.jsonl` (`id`, `group`, `text`, `category`) and `qrels.tsv` (query, document). Each group becomes an account of
//! the real service, each document a thought; once all are enriched, each query is asked with `top_k` 10 and nothing else, in
//! both modes. The same data is then searched in process with signals left out and with the plain baselines. The tables and a
//! plot are written beside this file with `--write`; `--data DIR` keeps the accounts, and uses them again if they are there.
//! `--shuffled` stores the documents in no order and without their times: what stands beside each other then belongs together
//! by chance alone.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "an evaluation stops at the first surprise and prints")]

mod in_process;
mod metrics;
mod plot;
#[path = "../../benches/harness/service.rs"]
#[expect(dead_code, reason = "shared with the benchmarks")]
mod process;
mod scores;
mod service;
mod set;
mod table;

use std::path::{Path, PathBuf};

use metrics::Row;
use set::Set;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let kept = arguments.iter().position(|argument| argument == "--data");
    let kept = kept.and_then(|place| arguments.get(place + 1)).map(PathBuf::from);
    let is_folder = |argument: &&String| Path::new(argument).join("corpus.jsonl").exists();
    let shuffled = arguments.iter().any(|argument| argument == "--shuffled");
    let read = |folder: &String| {
        let set = Set::read(Path::new(folder));
        if shuffled { set.shuffled() } else { set }
    };
    let sets: Vec<Set> = arguments.iter().filter(is_folder).map(read).collect();
    if sets.is_empty() {
        println!("give one or more folders with corpus.jsonl, queries.jsonl and qrels.tsv");
        return;
    }
    let quick = arguments.iter().any(|argument| argument == "--headline");
    let temporary = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let mut rows: Vec<Row> = Vec::new();
    let mut scores = Vec::new();
    for (number, set) in sets.iter().enumerate() {
        let folder = kept.as_deref().unwrap_or(temporary.path()).join(&set.name);
        let foreign = sets.iter().cycle().nth(number + 1).filter(|foreign| foreign.name != set.name);
        let (asked, scored) = service::ask(set, &folder, foreign);
        rows.extend(asked);
        scores.push(scored);
        if !quick {
            rows.extend(runtime.block_on(in_process::ask(set, &folder)));
        }
    }
    let table = table::table(&sets, &rows) + &scores::table(&scores);
    println!("{table}");
    if arguments.iter().any(|argument| argument == "--write") {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("evals/retrieval");
        std::fs::write(here.join("results.md"), table).unwrap();
        std::fs::write(here.join("results.svg"), plot::plot(&sets, &rows)).unwrap();
    }
}
