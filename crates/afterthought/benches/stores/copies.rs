//! Copies of the real program on one database, each on a core of its own as far as there are enough: how many questions all of them answer,
//! and how many cores they, the server and those who ask keep busy meanwhile.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;
use test_client::{AsyncConnection, Request};

use afterthought::app::App;
use afterthought::stores::Location;
use model::Caller;
use test_postgres::Server;

use super::SCHEMA;
use super::corpus::Corpus;
use super::doing::{Measured, show};
use super::service::Service;

/// How many ask at the same time.
const CALLERS: usize = 16;

/// How many of the accounts are asked about.
const ASKED: usize = 16;

pub(crate) async fn measure(server: &Server, database: &Location, accounts: &[Caller], time: Duration) {
    let address = server.address();
    let app = App::open(database).await.unwrap();
    let mut keys = Vec::new();
    for caller in accounts.iter().take(ASKED) {
        let (secret, _) = app.keyring.create_key(caller.account, "bench".parse().unwrap()).await.unwrap();
        keys.push(secret.reveal().to_owned());
    }
    app.store.close().await.unwrap();
    let home = tempfile::tempdir().unwrap();
    let cores = std::thread::available_parallelism().unwrap().get();
    for count in [1, 2, 4] {
        let copies: Vec<Service> = (0..count)
            .map(|number| {
                let mut command = Command::new("taskset");
                command.args(["-c", &(number % cores).to_string(), env!("CARGO_BIN_EXE_afterthought")]);
                command.args(["serve", "--listen", "127.0.0.1:0", "--rate-limit", "0"]);
                command.env("AFTERTHOUGHT_STORE", &address).env("AFTERTHOUGHT_SCHEMA", SCHEMA);
                command.env("HOME", home.path()).env_remove("XDG_DATA_HOME");
                Service::start_as(&mut command)
            })
            .collect();
        for mode in ["fast", "full"] {
            // Everything is in memory before it is counted.
            asked(&copies, &keys, mode, time / 2).await;
            let (begun, before) = (Instant::now(), Busy::so_far(&copies, server));
            let measured = asked(&copies, &keys, mode, time * 2).await;
            let busy = Busy::so_far(&copies, server).since(&before, begun.elapsed());
            show(&format!("{mode} over HTTP, {CALLERS} callers, {count} copies"), "PostgreSQL", measured);
            println!("  cores busy: copies {:.2}, server {:.2}, callers {:.2}", busy.copies, busy.server, busy.callers);
        }
        let resident: Vec<String> =
            copies.iter().map(|copy| format!("{:.0}", copy.resident_bytes() as f64 / 1e6)).collect();
        println!("memory of {count} copies: {} MB", resident.join(", "));
    }
}

/// How long the cores have been busy for whom, in seconds.
struct Busy {
    copies: f64,
    server: f64,
    callers: f64,
}

impl Busy {
    fn so_far(copies: &[Service], server: &Server) -> Self {
        let all = |processes: &[u32]| processes.iter().map(|process| busy_seconds(*process)).sum();
        let copies: Vec<u32> = copies.iter().map(|copy| copy.child.id()).collect();
        Self { copies: all(&copies), server: all(&server.processes()), callers: all(&[std::process::id()]) }
    }

    /// How many cores were busy, of a time that has just passed.
    fn since(&self, before: &Self, time: Duration) -> Self {
        let cores = |now: f64, before: f64| (now - before) / time.as_secs_f64();
        Self {
            copies: cores(self.copies, before.copies),
            server: cores(self.server, before.server),
            callers: cores(self.callers, before.callers),
        }
    }
}

/// How long cores have been busy for a process, 0 for one that has gone.
fn busy_seconds(process: u32) -> f64 {
    let about = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // A name may hold spaces; it ends with the last bracket. Then the 12th and 13th: for itself, and the system for it.
    let fields = about.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).map(|ticks| ticks.parse::<f64>().unwrap()).sum();
    ticks / 100.0
}

async fn asked(copies: &[Service], keys: &[String], mode: &'static str, time: Duration) -> Measured {
    let begun = Instant::now();
    let caller = |number: usize| {
        // An account is asked about at the same copy, as a balancer would send it.
        let (address, key) = (copies[number % copies.len()].address.clone(), keys[number % keys.len()].clone());
        tokio::spawn(async move {
            let mut client = AsyncConnection::open(&address).await;
            let (mut corpus, mut times) = (Corpus::new(number as u64), Vec::new());
            while begun.elapsed() < time {
                let question = json!({"query": corpus.question(), "mode": mode});
                let request = Request::tool(&key, "retrieve_thoughts", &question).bytes();
                let at = Instant::now();
                client.ask(&request).await;
                times.push(at.elapsed());
            }
            times
        })
    };
    let callers: Vec<_> = (0..CALLERS).map(caller).collect();
    let mut times = Vec::new();
    for caller in callers {
        times.extend(caller.await.unwrap());
    }
    Measured::of(times, Some(begun.elapsed()))
}
