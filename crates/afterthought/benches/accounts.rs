//! What accounts cost that nobody uses: `cargo bench --bench accounts`.
//!
//! Two folders, one of 300 accounts and one of 10,000, all with a thought that is worked off; in each the same 300 are used.
//! The real binary is started on one after the other, and each figure of the first stands beside that of the second.
//! `-- --idle SECONDS` sets how long the idle service is watched, 60 unless given; `-- --accounts N` the larger number.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark stops at the first surprise and prints")]

#[path = "harness/arguments.rs"]
#[expect(dead_code, reason = "there are no flags here")]
mod arguments;
#[path = "harness/service.rs"]
#[expect(dead_code, reason = "the keys are made with the accounts here")]
mod service;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;
use test_client::{Connection, Request};
use tokio::task::JoinSet;

use ::service::embed::{BuiltIn, Embedder};
use ::service::memory::{Attribution, Capture};
use afterthought::app::App;
use afterthought::stores::Location;
use model::{Caller, Category, Clock, SystemClock, ThoughtText};
use store::{Claim, Derived, Embedding, Enriched, Finished, Job, Step};

use arguments::number_after;
use service::{Service, command};

/// How many accounts are used.
const USED: usize = 300;

/// How many accounts are made at a time.
const AT_ONCE: usize = 16;

/// How long a count of what is stored is kept by the service.
const COUNT_AGE_MAX: Duration = Duration::from_secs(5);

fn main() {
    let idle = Duration::from_secs(number_after("--idle").unwrap_or(60) as u64);
    let many = number_after("--accounts").unwrap_or(10_000);
    let [few, many] = [USED, many].map(|accounts| Measured::of(accounts, idle));
    println!("                                      {:>8}     {:>8}   accounts", few.accounts, many.accounts);
    let print = |what, unit, part: fn(&Measured) -> f64| {
        println!("{what:<36} {:>10.1} {unit:<2} {:>9.1} {unit}", part(&few), part(&many));
    };
    print("start until it listens", "ms", |measured| millis(measured.start));
    print("processor time of the start", "ms", |measured| millis(measured.starting));
    print("processor time in an idle minute", "ms", |measured| millis(measured.idle_minute));
    print("`/metrics`, counted anew, p50", "ms", |measured| millis(measured.metrics));
    print("`afterthought status`, p50", "ms", |measured| millis(measured.status));
    print("capture in one of 300 accounts, p50", "ms", |measured| millis(measured.capture));
    print("processor time until it is enriched", "ms", |measured| millis(measured.captured));
    print("memory", "MB", |measured| measured.resident_bytes as f64 / 1e6);
}

/// What a number of accounts costs.
struct Measured {
    accounts: usize,
    /// Until the service listens.
    start: Duration,
    /// The processor time until it has looked at everything.
    starting: Duration,
    /// The processor time of a minute in which nobody asks.
    idle_minute: Duration,
    metrics: Duration,
    status: Duration,
    /// The latency of a capture.
    capture: Duration,
    /// The processor time of a capture and its enrichment.
    captured: Duration,
    resident_bytes: u64,
}

impl Measured {
    fn of(accounts: usize, idle: Duration) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let keys = make(&folder, accounts);
        // The first start sees every account as it was left; what is measured is the start of every other day.
        drop(watch(&folder).0);
        let (service, start) = watch(&folder);
        let starting = processor_time(&service);
        std::thread::sleep(idle);
        let idle_minute = (processor_time(&service) - starting).mul_f64(60.0 / idle.as_secs_f64());
        let metrics = median((0..3).map(|_| {
            std::thread::sleep(COUNT_AGE_MAX);
            took(|| pending(&service)).0
        }));
        let status = median((0..5).map(|_| took(|| command(folder.path(), &["status"])).0));
        let begun = processor_time(&service);
        let mut client = Connection::open(&service.address).unwrap();
        let capture = median(keys.iter().enumerate().map(|(number, key)| {
            let arguments = json!({"raw": format!("Ana likes tea number {number}"), "as_user": true});
            let request = Request::tool(key, "capture_thought", &arguments).bytes();
            // As people write: now one, now another.
            std::thread::sleep(Duration::from_millis(50));
            took(|| client.ask(&request).succeeded()).0
        }));
        while pending(&service) > 0 {
            std::thread::sleep(COUNT_AGE_MAX);
        }
        let captured = (processor_time(&service) - begun) / USED as u32;
        let resident_bytes = service.resident_bytes();
        Self { accounts, start, starting, idle_minute, metrics, status, capture, captured, resident_bytes }
    }
}

/// Starts the service, and waits until it has nothing to do.
fn watch(folder: &TempDir) -> (Service, Duration) {
    let (start, service) = took(|| Service::start(folder.path()));
    std::thread::sleep(Duration::from_secs(6));
    (service, start)
}

/// The processor time the service has used so far, in steps of a hundredth of a second.
fn processor_time(service: &Service) -> Duration {
    let about = std::fs::read_to_string(format!("/proc/{}/stat", service.child.id())).unwrap();
    // Of what follows the name, which may hold anything, the twelfth and the thirteenth.
    let (_, fields) = about.rsplit_once(')').unwrap();
    let ticks: u64 = fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}

/// How many thoughts wait for their enrichment, as `/metrics` says.
fn pending(service: &Service) -> u64 {
    let metrics = Connection::open(&service.address).unwrap().ask(&Request::get("/metrics").bytes());
    let line = metrics.text().lines().find_map(|line| line.strip_prefix("afterthought_pending_enrichment "));
    line.unwrap().parse().unwrap()
}

fn took<T>(action: impl FnOnce() -> T) -> (Duration, T) {
    let begun = Instant::now();
    let done = action();
    (begun.elapsed(), done)
}

fn median(measured: impl Iterator<Item = Duration>) -> Duration {
    let mut measured: Vec<Duration> = measured.collect();
    measured.sort_unstable();
    measured[measured.len() / 2]
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// Makes that many accounts of one thought each; the keys of those that are used.
fn make(folder: &TempDir, accounts: usize) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let app = open(folder.path()).await;
        let mut making = JoinSet::new();
        let mut keys = Vec::new();
        for number in 0..accounts {
            if making.len() == AT_ONCE {
                keys.push(making.join_next().await.unwrap().unwrap());
            }
            making.spawn(an_account(app.clone(), number));
        }
        keys.extend(making.join_all().await);
        app.store.close().await.unwrap();
        keys.truncate(USED);
        keys
    })
}

async fn open(folder: &Path) -> App {
    App::open(&Location::Embedded(folder.to_owned())).await.unwrap()
}

/// Makes an account with a thought whose background work is done; its key.
async fn an_account(app: App, number: usize) -> String {
    let account = app.keyring.create_account(format!("account {number}").parse().unwrap()).await.unwrap();
    let (secret, key) = app.keyring.create_key(account.id, "bench".parse().unwrap()).await.unwrap();
    let caller = Caller { account: account.id, key: Some(key.id), key_name: key.name };
    let raw_text = ThoughtText::new("Rui lives in Porto").unwrap();
    let capture = Capture { raw_text, captured_at: None, attribution: Attribution::User };
    app.memory.capture(&caller, capture).await.unwrap();
    loop {
        let now = SystemClock.now();
        let claim = Claim { now, leased_until: now.after(Duration::from_secs(600)), limit: 10, text_bytes: 10_000 };
        let jobs = app.store.claim(account.id, claim).await.unwrap();
        if jobs.is_empty() {
            return secret.reveal().to_owned();
        }
        app.store.finish(account.id, jobs.into_iter().map(finished).collect()).await.unwrap();
    }
}

/// A vector like any other; whoever measures accounts does not search.
fn finished(job: Job) -> Finished {
    let model = BuiltIn::default();
    let centre: Arc<[f32]> = model.centre().unwrap().into();
    let parts = vec![centre.iter().map(|_| 1.0 / (centre.len() as f32).sqrt()).collect()];
    let embedding = Embedding { model: model.model_id().to_owned(), centre, parts, tokens: Vec::new() };
    let derived = match job.ticket.step {
        Step::Enrich => Derived::Enriched(Enriched { embedding, mentions: Vec::new(), category: Category::Fact }),
        Step::Link => Derived::Linked(Vec::new()),
    };
    Finished { ticket: job.ticket, derived }
}
