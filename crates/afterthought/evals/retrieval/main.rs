//! How well the service finds what was asked for, on folders of questions with known answers.
//!
//! `cargo bench --bench retrieval -- FOLDER…` takes folders with `corpus.jsonl` (`id`, `group`, `text`, `timestamp` or null),
//! `queries.jsonl` (`id`, `group`, `text`, `category`; maybe `asked_at`, and `older`, what its answer has replaced) and
//! `qrels.tsv` (query, document; none for the category `unanswerable`). Each group becomes an account of the real service, each
//! document a thought; once all are enriched, each query is asked with `top_k` 10 and nothing else, in both modes: in process,
//! since the present moment has to be the one the question is asked at. Then signals are left out, and the plain baselines
//! are asked; `--headline` goes without. The tables and a plot are written beside this file with `--write`; `--data DIR` keeps
//! the accounts, and uses them again if they are there. `--shuffled` stores the documents in no order and without their times:
//! what stands beside each other then belongs together by chance alone. `--found FILE` writes what was found for each query, a line each.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "an evaluation stops at the first surprise and prints")]

#[path = "../../benches/harness/arguments.rs"]
#[expect(dead_code, reason = "benchmarks are given numbers as well")]
mod arguments;
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

use arguments::{after, is_given};
use in_process::Stored;
use metrics::Row;
use set::Set;

fn main() {
    let kept = after("--data").map(PathBuf::from);
    let is_folder = |argument: &String| Path::new(argument).join("corpus.jsonl").exists();
    let shuffled = is_given("--shuffled");
    let read = |folder: String| {
        let set = Set::read(Path::new(&folder));
        if shuffled { set.shuffled() } else { set }
    };
    let sets: Vec<Set> = std::env::args().skip(1).filter(is_folder).map(read).collect();
    if sets.is_empty() {
        println!("give one or more folders with corpus.jsonl, queries.jsonl and qrels.tsv");
        return;
    }
    let quick = is_given("--headline");
    let temporary = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let mut rows: Vec<Row> = Vec::new();
    let mut scores = Vec::new();
    let mut answers = Vec::new();
    for (number, set) in sets.iter().enumerate() {
        let folder = kept.as_deref().unwrap_or(temporary.path()).join(&set.name);
        let foreign = sets.iter().cycle().nth(number + 1).filter(|foreign| foreign.name != set.name);
        service::fill(set, &folder);
        let stored = runtime.block_on(Stored::open(set, &folder));
        let (asked, scored) = runtime.block_on(stored.ask(foreign, &mut answers));
        rows.extend(asked);
        scores.push(scored);
        if !quick {
            rows.extend(runtime.block_on(stored.ask_in_part()));
        }
    }
    let table = table::table(&sets, &rows) + &scores::table(&scores);
    println!("{table}");
    if let Some(file) = after("--found") {
        let lines: String = answers.iter().map(|answer| format!("{answer}\n")).collect();
        std::fs::write(file, lines).unwrap();
    }
    if is_given("--write") {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("evals/retrieval");
        std::fs::write(here.join("results.md"), table).unwrap();
        std::fs::write(here.join("results.svg"), plot::plot(&sets, &rows)).unwrap();
    }
}
