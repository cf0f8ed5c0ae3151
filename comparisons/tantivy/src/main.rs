//! tantivy beside our index over words: the same made-up texts, the same tokens, the same queries, in one run.
//!
//! `cargo run --release` in this folder takes some minutes; `-- 2000` is a smoke test, any sizes may follow `--`. Both sides keep
//! their texts on the same disk and answer with the ten best of them. Ours is the whole path through the store, with
//! SQLite, transactions and filters, because that is how a service uses it; tantivy is bare: nothing keeps texts and
//! index in step for it. Both sides take turns, query by query, so that a slow moment of the machine falls on both; memory and
//! the time to open are those of a process of its own.

#[path = "../../../crates/afterthought/benches/harness/contents.rs"]
mod contents;
#[path = "../../../crates/afterthought/benches/speed/corpus.rs"]
#[expect(dead_code, reason = "the service's own benchmarks ask for more")]
mod corpus;
mod ours;
mod theirs;

use std::fs::File;
use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use text::{QueryTerm, TermKind};

use corpus::Corpus;
use ours::Ours;
use theirs::Theirs;

/// How many hits are asked for.
const HITS: usize = 10;

const QUERIES: usize = 500;
const CAPTURES: usize = 300;

/// How many captures of one side follow each other.
const TURN: usize = 30;

/// How often each side is opened.
const OPENED: usize = 5;

/// A rare word stands in at most one of so many texts.
const RARE: u64 = 5_000;

/// What both sides can do.
trait Side: Sized {
    const NAME: &'static str;

    /// Stores the texts in a folder.
    fn build(folder: &Path, texts: impl Iterator<Item = String>);
    fn open(folder: &Path) -> Self;
    /// The texts of the best hits.
    fn search(&self, query: &str) -> Vec<String>;
    /// Stores one more text; once it returns, it is durable and found.
    fn capture(&mut self, text: &str);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, name, folder] = arguments.as_slice()
        && first == "--open"
    {
        match name == Ours::NAME {
            true => open::<Ours>(Path::new(folder)),
            false => open::<Theirs>(Path::new(folder)),
        }
        return;
    }
    let sizes: Vec<usize> = arguments.iter().map(|size| size.parse().expect("a number of texts")).collect();
    for size in if sizes.is_empty() { vec![100_000, 1_000_000] } else { sizes } {
        let folder = tempfile::tempdir().unwrap();
        let (our_folder, their_folder) = (folder.path().join("ours"), folder.path().join("theirs"));
        println!("{size} texts{:>31} {:>22}", Ours::NAME, Theirs::NAME);
        row("stored", [build::<Ours>(&our_folder, size), build::<Theirs>(&their_folder, size)]);
        row("on disk", [&our_folder, &their_folder].map(|folder| format!("{:.0} MB", bytes_of(folder) as f64 / 1e6)));
        opened(&our_folder, &their_folder);
        let (mut ours, mut theirs) = (Ours::open(&our_folder), Theirs::open(&their_folder));
        println!("tantivy has {} segments", theirs.segments());
        queries(&ours, &theirs, size);
        captures(&mut ours, &mut theirs, folder.path());
        println!();
    }
}

fn row(name: &str, [ours, theirs]: [String; 2]) {
    println!("{name:<22} {ours:>22} {theirs:>22}");
}

fn build<S: Side>(folder: &Path, size: usize) -> String {
    std::fs::create_dir(folder).unwrap();
    let mut corpus = Corpus::new(3);
    let begun = Instant::now();
    S::build(folder, std::iter::repeat_with(|| corpus.text()).take(size));
    format!("{:.1} s", begun.elapsed().as_secs_f64())
}

fn bytes_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| if entry.path().is_dir() { bytes_of(&entry.path()) } else { entry.metadata().unwrap().len() })
        .sum()
}

/// Opens each side in a process of its own, in turn, and prints how long the first answer took and what memory it holds.
fn opened(our_folder: &Path, their_folder: &Path) {
    let mut measured = [const { Vec::new() }; 2];
    for _ in 0..OPENED {
        for (side, (name, folder)) in [(Ours::NAME, our_folder), (Theirs::NAME, their_folder)].into_iter().enumerate() {
            let program = std::env::current_exe().unwrap();
            let output = Command::new(program).args(["--open", name]).arg(folder).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let output = String::from_utf8(output.stdout).unwrap();
            let numbers: Vec<f64> = output.split_whitespace().map(|number| number.parse().unwrap()).collect();
            measured[side].push(numbers);
        }
    }
    let middle = |side: usize, part: usize| {
        let mut parts: Vec<f64> = measured[side].iter().map(|numbers| numbers[part]).collect();
        parts.sort_by(f64::total_cmp);
        parts[parts.len() / 2]
    };
    row("open and first answer", [0, 1].map(|side| format!("{:.1} ms", middle(side, 0))));
    row("memory of its own", [0, 1].map(|side| format!("{:.0} MB", middle(side, 1))));
    row("pages of files", [0, 1].map(|side| format!("{:.0} MB", middle(side, 2))));
}

/// Prints the milliseconds until the first answer, and the megabytes in use after queries of all kinds.
fn open<S: Side>(folder: &Path) {
    let mut corpus = Corpus::new(11);
    let begun = Instant::now();
    let side = S::open(folder);
    side.search(&corpus.word());
    let first = begun.elapsed();
    for _ in 0..QUERIES {
        side.search(&corpus.question());
        side.search(&function_words(&mut corpus));
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let megabytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().trim_end_matches("kB").trim().parse::<f64>().unwrap() / 1e3
    };
    println!("{} {} {}", millis(first), megabytes("RssAnon:"), megabytes("RssFile:"));
}

fn queries(ours: &Ours, theirs: &Theirs, size: usize) {
    let mut corpus = Corpus::new(7);
    let is_rare = |word: &String| (1..=(size as u64 / RARE).max(1)).contains(&theirs.texts_with(word));
    let mut rare = || std::iter::repeat_with(|| corpus.word()).find(is_rare).unwrap();
    let rare: Vec<String> = (0..QUERIES).map(|_| rare()).collect();
    let questions: Vec<String> = (0..QUERIES).map(|_| corpus.question()).collect();
    let functions: Vec<String> = (0..QUERIES).map(|_| function_words(&mut corpus)).collect();
    for (name, queries) in [("a rare word", rare), ("a question", questions), ("four function words", functions)] {
        let mut measured = [const { Vec::new() }; 2];
        for (number, query) in queries.iter().enumerate() {
            for side in [number % 2, 1 - number % 2] {
                let begun = Instant::now();
                black_box(if side == 0 { ours.search(query) } else { theirs.search(query) });
                measured[side].push(begun.elapsed());
            }
        }
        row(name, measured.map(quantiles));
    }
}

/// From the call until a search has found what was stored. The sides take turns of some captures: what one leaves the disk to do
/// falls on the first of the other's, not on all of them.
fn captures(ours: &mut Ours, theirs: &mut Theirs, folder: &Path) {
    let (mut our_times, mut their_times) = (Times::default(), Times::default());
    let mut corpus = Corpus::new(5);
    let signs = (0..CAPTURES).map(unheard_of);
    let texts: Vec<(String, String)> = signs.map(|sign| (format!("{} {sign}", corpus.text()), sign)).collect();
    let mut bare = Vec::new();
    let mut file = File::create(folder.join("bare")).unwrap();
    for turn in texts.chunks(TURN) {
        for (text, _) in turn {
            let begun = Instant::now();
            file.write_all(text.as_bytes()).unwrap();
            file.sync_data().unwrap();
            bare.push(begun.elapsed());
        }
        turn.iter().for_each(|(text, sign)| our_times.capture(ours, text, sign));
        turn.iter().for_each(|(text, sign)| their_times.capture(theirs, text, sign));
    }
    println!("the disk alone, to keep the text: {}", quantiles(bare));
    row("capture", [quantiles(our_times.stored), quantiles(their_times.stored)]);
    row("capture and find it", [quantiles(our_times.found), quantiles(their_times.found)]);
}

/// How long captures took until they returned, and until they had been found.
#[derive(Default)]
struct Times {
    stored: Vec<Duration>,
    found: Vec<Duration>,
}

impl Times {
    fn capture(&mut self, side: &mut impl Side, text: &str, sign: &str) {
        let begun = Instant::now();
        side.capture(text);
        self.stored.push(begun.elapsed());
        let hits = side.search(sign);
        self.found.push(begun.elapsed());
        assert_eq!(hits, [text]);
    }
}

/// A word that no text holds, another for each number.
fn unheard_of(number: usize) -> String {
    let letter = |place: usize| char::from(b'a' + (number / place % 26) as u8);
    ["xyloq", "j"].join(&[676, 26, 1].map(letter).iter().collect::<String>())
}

fn function_words(corpus: &mut Corpus) -> String {
    (0..4).map(|_| corpus.function_word()).collect::<Vec<_>>().join(" ")
}

fn quantiles(mut measured: Vec<Duration>) -> String {
    measured.sort_unstable();
    let quantile = |share: f64| millis(measured[((measured.len() - 1) as f64 * share).round() as usize]);
    format!("{:.2} ms, p99 {:.2}", quantile(0.5), quantile(0.99))
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// What a query looks for: function words only where there is nothing else, as our ranking has it.
fn terms(query: &str) -> Vec<QueryTerm> {
    let terms = text::query_terms(query);
    let is_content = |term: &QueryTerm| term.kind != TermKind::FunctionWord;
    let says_something = terms.iter().any(is_content);
    terms.into_iter().filter(|term| is_content(term) || !says_something).collect()
}
