//! `afterthought status`: how much is stored.

use clap::Args;
use serde::Serialize;

use store::Stats;

use super::output::Output;
use super::place::Place;

/// Say how much is stored
///
/// Works beside a running service, and on a folder where nothing is stored yet, which it leaves as it is.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  afterthought status --json | jq .thoughts.open")]
pub(super) struct StatusCommand {
    /// As one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    accounts: u64,
    thoughts: Thoughts,
    pending_enrichment: u64,
    given_up: u64,
    store_bytes: u64,
}

#[derive(Debug, Serialize)]
struct Thoughts {
    open: u64,
    completed: u64,
    archived: u64,
}

impl StatusCommand {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        let stats = match place.is_vacant().await {
            true => {
                output.remark(place.vacancy());
                Stats::default()
            }
            false => place.open(async |app| Ok(app.store.stats().await?)).await?,
        };
        let report = Report::of(stats);
        match self.json {
            true => output.result(serde_json::to_string(&report)?),
            false => output.result(report.lines()),
        }
    }
}

impl Report {
    fn of(stats: Stats) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            accounts: stats.accounts,
            thoughts: Thoughts { open: stats.open, completed: stats.completed, archived: stats.archived },
            pending_enrichment: stats.pending_enrichment,
            given_up: stats.given_up,
            store_bytes: stats.store_bytes,
        }
    }

    fn lines(&self) -> String {
        let Self { version, accounts, thoughts, pending_enrichment, given_up, store_bytes } = self;
        let Thoughts { open, completed, archived } = thoughts;
        format!(
            "version             {version}\n\
             accounts            {accounts}\n\
             thoughts            {open} open, {completed} completed, {archived} archived\n\
             pending enrichment  {pending_enrichment}\n\
             given up            {given_up}\n\
             store               {store_bytes} bytes"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_has_these_keys_and_no_others() {
        let (accounts, open, completed, archived) = (1, 2, 3, 4);
        let (pending_enrichment, given_up, store_bytes) = (5, 6, 7);
        let stats = Stats { accounts, open, completed, archived, pending_enrichment, given_up, store_bytes };
        let json = serde_json::to_string(&Report::of(stats)).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            json,
            format!(
                r#"{{"version":"{version}","accounts":1,"thoughts":{{"open":2,"completed":3,"archived":4}},"pending_enrichment":5,"given_up":6,"store_bytes":7}}"#
            )
        );
    }
}
