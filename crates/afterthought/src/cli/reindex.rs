//! `afterthought reindex`: makes everything that is derived from thoughts anew.
//!
//! The work is queued in the store, so it goes on where it was after any interruption, and a running service takes part.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use clap::Args;

use model::AccountName;
use service::enrich::{Round, Worker};
use store::Rebuild;

use super::embedding::EmbeddingArgs;
use super::output::{Output, count};
use super::place::Place;
use super::scope;
use crate::app::App;

/// Make everything that is derived from thoughts anew: vectors, entities, categories, links
///
/// Works beside a running service, which goes on answering. After an interruption, the same command or the service goes on
/// where it was.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  afterthought reindex --account ana")]
pub(super) struct Reindex {
    /// Only the thoughts of this account
    #[arg(long, value_name = "NAME")]
    account: Option<AccountName>,
    #[command(flatten)]
    embedding: EmbeddingArgs,
}

/// How many thoughts are queued at a time: a few milliseconds in which nobody else can write.
const QUEUED_AT_ONCE: usize = 1_000;

/// How long to wait for jobs that others work on or that are put off.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

impl Reindex {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        let Self { account, embedding } = self;
        let embedder = embedding.embedder(|name| std::env::var_os(name))?;
        place
            .open_existing_with(embedder, async |app| {
                queue(app, account.as_ref()).await?;
                work_off(app, output).await
            })
            .await
    }
}

/// Queues every thought of the account or of all.
async fn queue(app: &App, name: Option<&AccountName>) -> anyhow::Result<()> {
    for account in scope::accounts(app, name).await? {
        while app.store.queue_rebuild(account.id, Rebuild::Everything, QUEUED_AT_ONCE).await? {}
    }
    Ok(())
}

/// Takes part in the work until none is left.
async fn work_off(app: &App, output: &mut Output) -> anyhow::Result<()> {
    let worker = Worker::start(app.enrichment.clone())?;
    let mut progress = Progress::begin(app.store.stats().await?.pending_enrichment);
    loop {
        let round = worker.round(&|| false).await?;
        let stats = app.store.stats().await?;
        progress.show(stats.pending_enrichment, round == Round::Unavailable, output);
        if stats.pending_enrichment == 0 {
            progress.end(output);
            let given_up = match stats.given_up {
                0 => String::new(),
                number => format!("; {} could not be, see the log of the service", count(number, "thought")),
            };
            return output.result(format_args!("reindexed {}{given_up}", count(progress.total, "thought")));
        }
        if !matches!(round, Round::Worked(_)) {
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }
}

/// How far the work is: a line that is rewritten on a terminal, now and then a line of its own elsewhere.
struct Progress {
    total: u64,
    begun: Instant,
    shown: Option<Instant>,
    on_terminal: bool,
}

/// How often a terminal is rewritten, and how often a line is written elsewhere.
const REWRITE_EVERY: Duration = Duration::from_millis(200);
const WRITE_EVERY: Duration = Duration::from_secs(10);

/// How many characters the bar has.
const BAR_CHARS: u64 = 30;

impl Progress {
    fn begin(total: u64) -> Self {
        let on_terminal = std::io::stderr().is_terminal();
        Self { total, begun: Instant::now(), shown: None, on_terminal }
    }

    fn show(&mut self, left: u64, is_waiting: bool, output: &mut Output) {
        // Others may store thoughts meanwhile.
        self.total = self.total.max(left);
        let every = if self.on_terminal { REWRITE_EVERY } else { WRITE_EVERY };
        if self.shown.is_some_and(|shown| shown.elapsed() < every) {
            return;
        }
        self.shown = Some(Instant::now());
        let line = line(self.total - left, self.total, self.begun.elapsed(), is_waiting);
        match self.on_terminal {
            true => output.rewrite(&line),
            false => output.remark(line),
        }
    }

    fn end(&self, output: &mut Output) {
        if self.on_terminal && self.shown.is_some() {
            output.rewrite("");
        }
    }
}

fn line(done: u64, total: u64, elapsed: Duration, is_waiting: bool) -> String {
    let filled = BAR_CHARS * done / total.max(1);
    let bar: String = (0..BAR_CHARS).map(|place| if place < filled { '#' } else { '-' }).collect();
    let a_second = done as f64 / elapsed.as_secs_f64().max(0.001);
    let rest = match (is_waiting, a_second > 0.0) {
        (true, _) => "waiting for the embedding model".to_owned(),
        (false, true) => format!("{a_second:.0}/s, {} s left", ((total - done) as f64 / a_second).ceil()),
        (false, false) => String::new(),
    };
    format!("[{bar}] {done} of {total} {rest}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_the_work_is() {
        let elapsed = Duration::from_secs(10);
        assert_eq!(line(0, 0, elapsed, false), "[------------------------------] 0 of 0");
        assert_eq!(line(500, 1000, elapsed, false), "[###############---------------] 500 of 1000 50/s, 10 s left");
        assert_eq!(
            line(1, 1000, elapsed, true),
            "[------------------------------] 1 of 1000 waiting for the embedding model"
        );
    }
}
