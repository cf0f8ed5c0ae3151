//! What it is worth that connections settle (`http/settle.rs`): the same service with and without, in one run.
//!
//! `cargo bench --bench settle` takes a minute; `-- --pairs 2` is a smoke test, and with `-- --control` both services settle,
//! which shows what the machine's noise alone does. Two processes of this benchmark each serve a folder over loopback,
//! without background work. They take turns of a fraction of a second, so that a slow moment of the machine falls on both;
//! each turn gives a median latency and the processor time of the serving process for each request, and each pair of
//! turns a ratio of both.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark stops at the first surprise and prints")]

#[path = "harness/arguments.rs"]
mod arguments;
#[path = "speed/corpus.rs"]
#[expect(dead_code, reason = "nothing is searched for here")]
mod corpus;
#[path = "settle/server.rs"]
mod server;

use std::time::{Duration, Instant};

use serde_json::json;
use test_client::{AsyncConnection, Connection, Request};

use arguments::{is_given, number_after};
use corpus::Corpus;
use server::Server;

const CALLERS: usize = 64;

/// Requests of a turn: of the only caller, and of each of many.
const TURN: usize = 50;
const TURN_OF_EACH: usize = 10;

fn main() {
    if server::is_asked_for() {
        return server::serve();
    }
    let pairs = number_after("--pairs").unwrap_or(600);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let [with, without] = [true, is_given("--control")].map(Server::start);
    println!(
        "                                     p50 with   without   ratio                 CPU with   without   ratio"
    );
    let mut one = [&with, &without].map(OneCaller::new);
    compare("a call that does nothing, one caller", pairs, &mut one, OneCaller::pings);
    compare("captures, one caller", pairs, &mut one, OneCaller::captures);
    let mut many = [&with, &without].map(|server| runtime.block_on(ManyCallers::new(server)));
    compare("captures, 64 callers", pairs, &mut many, |callers| runtime.block_on(callers.captures()));
}

/// What a turn took: the median latency, and the processor time of a request.
struct Turn {
    latency: Duration,
    processor: Duration,
}

impl Turn {
    fn new(mut latencies: Vec<Duration>, processor: Duration) -> Self {
        let processor = processor / u32::try_from(latencies.len()).unwrap();
        latencies.sort_unstable();
        Self { latency: latencies[latencies.len() / 2], processor }
    }
}

/// Lets both sides take turns, whoever was second going first next time, and prints what came of it.
fn compare<C>(name: &str, pairs: usize, sides: &mut [C; 2], turn: impl Fn(&mut C) -> Turn) {
    let mut turns: [Vec<Turn>; 2] = [Vec::new(), Vec::new()];
    for pair in 0..pairs {
        for side in [pair % 2, 1 - pair % 2] {
            turns[side].push(turn(&mut sides[side]));
        }
    }
    let print = |part: fn(&Turn) -> Duration| {
        let of_side = |side: usize| turns[side].iter().map(|turn| part(turn).as_secs_f64()).collect::<Vec<f64>>();
        let (with, without) = (of_side(0), of_side(1));
        let ratios: Vec<f64> = with.iter().zip(&without).map(|(with, without)| with / without).collect();
        let [low, middle, high] = [0.25, 0.5, 0.75].map(|share| quantile(ratios.clone(), share));
        let micros = |seconds: Vec<f64>| quantile(seconds, 0.5) * 1e6;
        format!("{:6.1} µs {:6.1} µs   {middle:.3} ({low:.2} to {high:.2})", micros(with), micros(without))
    };
    println!("{name:<37} {}   {}", print(|turn| turn.latency), print(|turn| turn.processor));
}

/// The value below which the given share of the measurements lie.
fn quantile(mut measured: Vec<f64>, share: f64) -> f64 {
    measured.sort_unstable_by(f64::total_cmp);
    measured[((measured.len() - 1) as f64 * share).round() as usize]
}

struct OneCaller<'a> {
    server: &'a Server,
    client: Connection,
    corpus: Corpus,
}

impl<'a> OneCaller<'a> {
    fn new(server: &'a Server) -> Self {
        Self { server, client: Connection::open(&server.address).unwrap(), corpus: Corpus::new(1) }
    }

    fn pings(&mut self) -> Turn {
        let requests =
            vec![Request::post(&self.server.key, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).bytes(); TURN];
        self.turn(&requests)
    }

    fn captures(&mut self) -> Turn {
        let requests: Vec<Vec<u8>> = (0..TURN).map(|_| capture(&self.server.key, &mut self.corpus)).collect();
        self.turn(&requests)
    }

    fn turn(&mut self, requests: &[Vec<u8>]) -> Turn {
        let begun = self.server.processor_time();
        let mut latencies = Vec::with_capacity(requests.len());
        for request in requests {
            let sent = Instant::now();
            self.client.ask(request);
            latencies.push(sent.elapsed());
        }
        Turn::new(latencies, self.server.processor_time() - begun)
    }
}

struct ManyCallers<'a> {
    server: &'a Server,
    callers: Vec<(AsyncConnection, Corpus)>,
}

impl<'a> ManyCallers<'a> {
    async fn new(server: &'a Server) -> Self {
        let mut callers = Vec::with_capacity(CALLERS);
        for caller in 0..CALLERS {
            callers.push((AsyncConnection::open(&server.address).await, Corpus::new(caller as u64)));
        }
        Self { server, callers }
    }

    async fn captures(&mut self) -> Turn {
        let begun = self.server.processor_time();
        let turns = self.callers.drain(..).map(|(mut client, mut corpus)| {
            let requests: Vec<Vec<u8>> = (0..TURN_OF_EACH).map(|_| capture(&self.server.key, &mut corpus)).collect();
            tokio::spawn(async move {
                let mut latencies = Vec::with_capacity(requests.len());
                for request in &requests {
                    let sent = Instant::now();
                    client.ask(request).await;
                    latencies.push(sent.elapsed());
                }
                (latencies, (client, corpus))
            })
        });
        let mut latencies = Vec::with_capacity(CALLERS * TURN_OF_EACH);
        for turn in turns.collect::<Vec<_>>() {
            let (measured, caller) = turn.await.unwrap();
            latencies.extend(measured);
            self.callers.push(caller);
        }
        Turn::new(latencies, self.server.processor_time() - begun)
    }
}

fn capture(key: &str, corpus: &mut Corpus) -> Vec<u8> {
    Request::tool(key, "capture_thought", &json!({"raw": corpus.text(), "as_user": true})).bytes()
}
