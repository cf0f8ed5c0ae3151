//! `afterthought doctor`: looks at everything that has to be right for assistants to have their memory, and says what to do.

use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use clap::Args;

use super::connect::{Client, Findings, Home, check};
use super::copies;
use super::forward::{Forward, endpoint};
use super::output::{Output, count};
use super::place::Place;
use crate::mcp::Headers;
use crate::running::Running;

/// Check that everything works, and say what to do where it does not
///
/// Looks at the data folder, its permissions, free space, the service, keys, and what each assistant here is set up with. Exit status 1 if
/// anything is broken; that no service runs is told, and not broken.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  afterthought doctor --public-url https://memory.example.org")]
pub(super) struct Doctor {
    /// Also walk through what a client elsewhere does with the service at this address
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
}

/// Less than this leaves no room for a day of notes.
const FREE_BYTES_MIN: u64 = 100 << 20;

/// How long a service may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What was found, line by line.
struct Report<'a> {
    output: &'a mut Output,
    broken: u64,
}

impl Report<'_> {
    fn good(&mut self, said: impl std::fmt::Display) -> anyhow::Result<()> {
        self.output.result(format_args!("ok      {said}"))
    }

    fn remark(&mut self, said: impl std::fmt::Display) -> anyhow::Result<()> {
        self.output.result(format_args!("note    {said}"))
    }

    fn broken(&mut self, said: impl std::fmt::Display) -> anyhow::Result<()> {
        self.broken += 1;
        self.output.result(format_args!("broken  {said}"))
    }
}

impl Doctor {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        let mut report = Report { output, broken: 0 };
        report.good(format_args!("version {}", env!("CARGO_PKG_VERSION")))?;
        let running = copies::find(place);
        match place.is_vacant().await {
            true => report.remark(format_args!("{}: `{}` makes one", place.vacancy(), place.command("serve")))?,
            false => store(place, &mut report).await?,
        }
        match &running {
            Some(Running { origin, process }) => {
                report.good(format_args!("a service runs at {origin} (process {process})"))?;
            }
            None => report.remark(format_args!(
                "no service runs here for this store: `{}` starts it; clients that start `afterthought stdio` start it themselves",
                place.command("serve")
            ))?,
        }
        let copies: Vec<String> = copies::known(place).into_iter().map(|copy| copy.origin).collect();
        if copies.len() > 1 {
            report.good(format_args!("{} copies use this database: {}", copies.len(), copies.join(", ")))?;
        }
        clients(place, running.as_ref(), &mut report)?;
        if let Some(url) = &self.public_url {
            walk(&endpoint(url)?, &mut report)?;
        }
        match report.broken {
            0 => Ok(()),
            broken => bail!(
                "{} broken, as said above",
                if broken == 1 { "one thing is".into() } else { format!("{broken} things are") }
            ),
        }
    }
}

async fn store(place: &Place, report: &mut Report<'_>) -> anyhow::Result<()> {
    match place.store_folder() {
        Some(folder) => data_folder(folder, report)?,
        None => report.good(format_args!("database: {place}"))?,
    }
    let opened = place.open_existing(async |app| {
        let (stats, damaged) = (app.store.stats().await?, app.store.damaged().await?);
        Ok((stats, damaged, app.keyring.list_keys(None).await?))
    });
    let (stats, damaged, keys) = match opened.await {
        Ok(opened) => opened,
        Err(error) => return report.broken(format_args!("the store cannot be opened: {error}")),
    };
    let thoughts = stats.open + stats.completed + stats.archived;
    report.good(format_args!("{}, {}", count(stats.accounts, "account"), count(thoughts, "thought")))?;
    for (account, reason) in damaged {
        report.broken(format_args!("account {account} cannot be read: {reason}"))?;
    }
    if stats.given_up > 0 {
        let number = count(stats.given_up, "thought");
        report.remark(format_args!("{number} could not be enriched: `{}` tries again", place.command("reindex")))?;
    }
    let valid = keys.iter().filter(|key| key.revoked_at.is_none()).count() as u64;
    match valid {
        0 => report.remark(format_args!("no key opens this store: `{}` makes one", place.command("key create NAME"))),
        _ => report.good(format_args!("{} of {} valid", valid, count(keys.len() as u64, "key"))),
    }
}
/// Its permissions, and the room on its disk.
fn data_folder(folder: &Path, report: &mut Report<'_>) -> anyhow::Result<()> {
    report.good(format_args!("data folder {}", folder.display()))?;
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::MetadataExt::mode(&folder.metadata()?) & 0o777;
        match mode & 0o077 {
            0 => report.good("only you may open it")?,
            _ => report.broken(format_args!(
                "others may open the data folder (mode {mode:o}): run `chmod 700 {}`",
                super::place::quoted(&folder.display().to_string())
            ))?,
        }
    }
    match free_bytes(folder) {
        Some(free) if free < FREE_BYTES_MIN => {
            report.broken(format_args!("the disk has {} MiB left: free some space", free >> 20))?;
        }
        Some(free) => report.good(format_args!("the disk has {} MiB left", free >> 20))?,
        None => {}
    }
    Ok(())
}

fn clients(place: &Place, running: Option<&Running>, report: &mut Report<'_>) -> anyhow::Result<()> {
    let Some(home) = Home::find(|name| std::env::var_os(name)) else { return Ok(()) };
    for client in Client::ALL.into_iter().filter(|client| client.is_here(&home)) {
        let name = client.name();
        match check(client, &home, place)? {
            Findings::Absent => report
                .remark(format_args!("{name} is not connected: `{}`", place.command(&format!("connect {name}"))))?,
            Findings::Unreadable(said) => report.broken(format_args!("{name}: {said}"))?,
            Findings::Program(program) => match Path::new(&program).is_file() {
                true => report.good(format_args!("{name} starts {program}"))?,
                false => report.broken(format_args!(
                    "{name} starts `{program}`, which is not there: `connect {name} --remove`, then connect it again"
                ))?,
            },
            Findings::Address { url, key } => {
                let is_ours = running.is_some_and(|running| url.starts_with(&running.origin));
                let is_local = url.starts_with("http://127.") || url.starts_with("http://localhost");
                match knock(&url, &key) {
                    Ok(200) => report.good(format_args!("{name} is let in at {url}"))?,
                    Ok(401) => report.broken(format_args!(
                        "{name} is refused at {url}: its key was revoked or is another's; `connect {name} --remove`, then connect it again"
                    ))?,
                    Ok(status) => report.broken(format_args!("{name}: {url} answers {status}"))?,
                    Err(_) if is_local && running.is_none() => {
                        report.remark(format_args!("{name} waits for the service at {url}, which does not run"))?;
                    }
                    Err(error) if is_ours || !is_local => report.broken(format_args!("{name}: {url}: {error}"))?,
                    Err(_) => report.broken(format_args!(
                        "{name} is set up for {url}, where nothing answers, and the service runs elsewhere: `{}` sets it right",
                        place.command(&format!("connect {name}"))
                    ))?,
                }
            }
        }
    }
    Ok(())
}

/// What an endpoint answers to a key.
fn knock(url: &str, key: &str) -> anyhow::Result<u16> {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    Ok(Forward::within(url.to_owned(), key.to_owned(), PATIENCE).post(ping, &Headers::default())?.status)
}

/// What a client elsewhere does, step by step; ends at the first that fails.
fn walk(url: &str, report: &mut Report<'_>) -> anyhow::Result<()> {
    match knock(url, "aft_nobody") {
        Err(error) => {
            return report.broken(format_args!(
                "{url} cannot be reached: {error}; check its name, its certificate and the proxy before it"
            ));
        }
        Ok(401) => report.good(format_args!("{url} can be reached and refuses whoever has no key"))?,
        Ok(403) => {
            return report.broken(format_args!(
                "{url} is reached, but refuses its own name: start the service with `--allow-host` and that name"
            ));
        }
        Ok(status) => {
            return report.broken(format_args!(
                "{url} answers {status} where it should refuse with 401: the proxy leads elsewhere, or drops the header Authorization"
            ));
        }
    }
    let Some(key) = std::env::var("AFTERTHOUGHT_KEY").ok().filter(|key| !key.is_empty()) else {
        return report.remark("with a key in AFTERTHOUGHT_KEY the steps after signing in are tried as well");
    };
    match knock(url, key.trim()) {
        Ok(200) => report.good("the key in AFTERTHOUGHT_KEY is let in"),
        Ok(401) => {
            report.broken("the key in AFTERTHOUGHT_KEY is refused: make another with `afterthought key create NAME`")
        }
        Ok(status) => report.broken(format_args!("with the key in AFTERTHOUGHT_KEY it answers {status}")),
        Err(error) => report.broken(format_args!("{url}: {error}")),
    }
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let found = crate::descriptors::free_bytes(folder);
    found.ok()
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}
