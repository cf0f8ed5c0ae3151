//! `afterthought status`: how much is stored.

use clap::Args;
use serde::Serialize;

use model::AccountId;
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<Damaged>,
}

/// An account that cannot be read.
#[derive(Debug, Serialize)]
struct Damaged {
    account: String,
    reason: String,
}

#[derive(Debug, Serialize)]
struct Thoughts {
    open: u64,
    completed: u64,
    archived: u64,
}

impl StatusCommand {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        let (stats, damaged) = match place.is_vacant().await {
            true => {
                output.remark(place.vacancy());
                (Stats::default(), Vec::new())
            }
            false => place.open(async |app| Ok((app.store.stats().await?, app.store.damaged().await?))).await?,
        };
        let report = Report::of(stats, damaged);
        match self.json {
            true => output.result(serde_json::to_string(&report)?),
            false => output.result_lines(report.lines()),
        }
    }
}

impl Report {
    fn of(stats: Stats, damaged: Vec<(AccountId, String)>) -> Self {
        let damaged = damaged.into_iter().map(|(account, reason)| Damaged { account: account.to_string(), reason });
        Self {
            version: env!("CARGO_PKG_VERSION"),
            accounts: stats.accounts,
            thoughts: Thoughts { open: stats.open, completed: stats.completed, archived: stats.archived },
            pending_enrichment: stats.pending_enrichment,
            given_up: stats.given_up,
            store_bytes: stats.store_bytes,
            damaged: damaged.collect(),
        }
    }

    fn lines(&self) -> String {
        let Self { version, accounts, thoughts, pending_enrichment, given_up, store_bytes, damaged } = self;
        let Thoughts { open, completed, archived } = thoughts;
        let mut lines = format!(
            "version             {version}\n\
             accounts            {accounts}\n\
             thoughts            {open} open, {completed} completed, {archived} archived\n\
             pending enrichment  {pending_enrichment}\n\
             given up            {given_up}\n\
             store               {store_bytes} bytes"
        );
        for Damaged { account, reason } in damaged {
            lines.push_str(&format!("\ncannot be read      account {account}: {reason}"));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_has_these_keys_and_no_others() {
        let (accounts, open, completed, archived) = (1, 2, 3, 4);
        let (pending_enrichment, given_up, store_bytes) = (5, 6, 7);
        let damaged = 0;
        let stats = Stats {
            accounts,
            open,
            completed,
            archived,
            pending_enrichment,
            given_up,
            damaged,
            store_bytes,
            ..Stats::default()
        };
        let json = serde_json::to_string(&Report::of(stats, Vec::new())).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            json,
            format!(
                r#"{{"version":"{version}","accounts":1,"thoughts":{{"open":2,"completed":3,"archived":4}},"pending_enrichment":5,"given_up":6,"store_bytes":7}}"#
            )
        );
    }
}
