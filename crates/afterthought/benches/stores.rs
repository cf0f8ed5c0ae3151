//! The embedded store beside PostgreSQL on the same machine, in one run: `cargo bench --bench stores`, some minutes.
//!
//! `-- --large N` sets the thoughts of the one large account, `-- --accounts N` and `-- --each N` how many others there are and how many
//! thoughts each has, a million in some minutes more; `-- --captures` measures storing alone, `-- --without-embedded` the database alone;
//! `-- --quick` is a smoke test. Both stores commit to the disk before they answer. The server, the copies and
//! those who ask share the cores. Figures are of the rules on top of a store, without HTTP; only the copies are asked over it.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark stops at the first surprise and prints")]

#[path = "harness/arguments.rs"]
mod arguments;
#[path = "harness/contents.rs"]
#[expect(dead_code, reason = "accounts are made with their names here")]
mod contents;
#[path = "stores/copies.rs"]
mod copies;
#[path = "speed/corpus.rs"]
#[expect(dead_code, reason = "a few kinds of questions are enough here")]
mod corpus;
#[path = "speed/derived.rs"]
mod derived;
#[path = "stores/doing.rs"]
mod doing;
#[path = "stores/filling.rs"]
mod filling;
#[path = "stores/multiplied.rs"]
mod multiplied;
#[path = "stores/plain.rs"]
mod plain;
#[path = "harness/service.rs"]
#[expect(dead_code, reason = "copies are started on a database here")]
mod service;
#[path = "harness/settled.rs"]
mod settled;
#[path = "stores/sizes.rs"]
mod sizes;
#[path = "enrichment/texts.rs"]
#[expect(dead_code, reason = "nobody looks for these texts here")]
mod texts;

use std::time::{Duration, Instant};

use tempfile::TempDir;

use afterthought::app::App;
use afterthought::stores::{Location, STORE_CONNECTIONS};
use model::Caller;
use test_postgres::{Server, Settings};

use arguments::{is_given, number_after};
use doing::{Doing, Measured, measured, show};
use filling::{ENOUGH, FRESH, fill, owner};
use plain::Plain;

/// How large everything is.
struct Sizes {
    large: usize,
    accounts: usize,
    each: usize,
    /// How long each thing is done at a time, and how often it is its turn: short and often, since the machine's speed changes.
    turn: Duration,
    turns: usize,
}

/// Both stores, with the same contents.
struct Sides {
    _folder: TempDir,
    embedded: Location,
    database: Location,
    server: Server,
}

/// The schema everything is in.
const SCHEMA: &str = "afterthought";

impl Sides {
    fn start() -> Self {
        // As a server is run that holds something: tests have theirs forget with the machine.
        let durable = ["fsync = on", "full_page_writes = on", "shared_buffers = 1GB"].map(str::to_owned).to_vec();
        let server = Server::start(&Settings { configuration: durable, ..Settings::default() });
        let folder = tempfile::tempdir().unwrap();
        let embedded = Location::Embedded(folder.path().join("data"));
        let database = Location::parse(&server.address(), Some(SCHEMA), STORE_CONNECTIONS).unwrap();
        Self { _folder: folder, embedded, database, server }
    }

    /// Those that are measured.
    fn both(&self) -> Vec<(&'static str, &Location)> {
        let both = [("embedded", &self.embedded), ("PostgreSQL", &self.database)];
        both.into_iter().skip(usize::from(is_given("--without-embedded"))).collect()
    }
}

fn main() {
    let quick = is_given("--quick");
    let or = |flag, usual, smoke| number_after(flag).unwrap_or(if quick { smoke } else { usual });
    let sizes = Sizes {
        large: or("--large", 100_000, 2_000),
        accounts: or("--accounts", 100, 4),
        each: or("--each", 1_000, 100),
        turn: Duration::from_millis(if quick { 100 } else { 500 }),
        turns: if quick { 1 } else { 12 },
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(run(&sizes));
}

async fn run(sizes: &Sizes) {
    let cores = std::thread::available_parallelism().unwrap();
    println!(
        "{cores} cores; accounts: one of {} thoughts, one of {ENOUGH}, {} of {}",
        sizes.large, sizes.accounts, sizes.each
    );
    let sides = Sides::start();
    for (name, location) in sides.both() {
        let begun = Instant::now();
        fill(location, &sides.server.address(), sizes).await;
        println!("{name:<10} filled in {:.0} s", begun.elapsed().as_secs_f64());
    }
    if is_given("--captures") {
        return captures(&sides, sizes).await;
    }
    let large = owner(0);
    let others: Vec<Caller> = (2..).take(sizes.accounts).map(owner).collect();
    first_questions(&sides, &large).await;
    captures(&sides, sizes).await;
    side_by_side(&sides, sizes, &large, &others).await;
    sizes::of_what_is_held(&sides.database, &large, sizes.large).await;
    copies::measure(&sides.server, &sides.database, &others, 4 * sizes.turn).await;
    sizes::on_disk(&sides.server, if sizes.large < ENOUGH { 50 } else { 2_000 }).await;
}

/// What the first question to an account takes, which reads it into memory.
async fn first_questions(sides: &Sides, large: &Caller) {
    for (what, caller) in [(format!("{ENOUGH} thoughts"), &owner(1)), ("the large account".to_owned(), large)] {
        for (doing, mode) in [(Doing::Fast, "fast"), (Doing::Full, "full")] {
            for (name, location) in sides.both() {
                let mut times = Vec::new();
                for number in 0..5 {
                    let app = App::open(location).await.unwrap();
                    let mut corpus = corpus::Corpus::new(number);
                    // The model is loaded and the connection made: only the account is new.
                    doing.once(&app, &owner(2), &mut corpus).await;
                    times.push(doing.once(&app, caller, &mut corpus).await);
                    app.store.close().await.unwrap();
                }
                show(&format!("first question, {mode}, {what}"), name, Measured::of(times, None));
            }
        }
    }
}

/// Both stores, opened.
async fn open(sides: &Sides) -> Vec<(&'static str, App)> {
    let mut both = Vec::new();
    for (name, location) in sides.both() {
        both.push((name, App::open(location).await.unwrap()));
    }
    both
}

async fn close(both: Vec<(&'static str, App)>) {
    for (_, app) in both {
        app.store.close().await.unwrap();
    }
}

async fn captures(sides: &Sides, sizes: &Sizes) {
    let both = open(sides).await;
    // What is stored here is not searched: its background work is not done.
    let fresh = owner(FRESH);
    let many: Vec<Caller> = (FRESH + 1..).take(100).map(owner).collect();
    let plain = Plain::prepare(&sides.server.address(), STORE_CONNECTIONS).await;
    for callers in [1, 64] {
        for (what, accounts) in [("one account", std::slice::from_ref(&fresh)), ("100 accounts", &many[..])] {
            let mut kinds = vec![("INSERT", Vec::new())];
            kinds.extend(both.iter().map(|(name, _)| (*name, Vec::new())));
            for _ in 0..sizes.turns {
                kinds[0].1.push(plain.measured(accounts.len(), callers, sizes.turn).await);
                for ((_, app), (_, measured_before)) in both.iter().zip(&mut kinds[1..]) {
                    measured_before.push(measured(Doing::Capture, app, accounts, callers, sizes.turn).await);
                }
            }
            for (name, measured) in kinds {
                show(&format!("capture, {callers} callers, {what}"), name, Measured::joined(measured));
            }
        }
    }
    close(both).await;
}

async fn side_by_side(sides: &Sides, sizes: &Sizes, large: &Caller, others: &[Caller]) {
    let both = open(sides).await;
    for (what, accounts) in [("large account", std::slice::from_ref(large)), ("many accounts", others)] {
        for (doing, name) in [
            (Doing::Browse, "browse"),
            (Doing::Fast, "fast"),
            (Doing::Full, "full"),
            (Doing::Counts, "counts of the app"),
            (Doing::Duplicates, "duplicates of the app"),
            (Doing::Status, "counts of status"),
        ] {
            for (_, app) in &both {
                // Everything is in memory, and the statements are prepared.
                doing.everywhere(app, accounts).await;
            }
            let mut kinds: Vec<_> = both.iter().map(|(side, app)| (side, app, Vec::new())).collect();
            for _ in 0..sizes.turns {
                for (_, app, measured_before) in &mut kinds {
                    measured_before.push(measured(doing, app, accounts, 1, sizes.turn).await);
                }
            }
            for (side, _, measured) in kinds {
                show(&format!("{name}, {what}"), side, Measured::joined(measured));
            }
        }
    }
    close(both).await;
}
