//! `afterthought connect`: sets up the clients on this machine, each with a key of its own, and undoes that.
//!
//! - A file keeps everything else it holds; one that cannot be read is left alone.
//! - An entry that `connect` did not make is left alone as well.
//! - A key is made after everything that could fail before it, and revoked if it could not be written.

mod client;
mod document;
mod file;
mod findings;
mod record;

use std::path::Path;
use std::process::Command;

use anyhow::{anyhow, bail};
use clap::Args;
use serde_json::Value;

use model::{AccountName, KeyPrefix};

use super::clients::program;
use super::copies;
use super::forward::{endpoint, key_of_environment};
use super::kept_key;
use super::output::Output;
use super::place::Place;
use super::scope::{self, DEFAULT_ACCOUNT};
use super::usage::Usage;
use crate::app::App;
use client::Link;
pub(super) use client::{Client, Home};
use document::{entry, has_table, is_empty, with_entry, without_entry};
use file::ConfigFile;
pub(super) use findings::{Findings, check};
use record::Record;

/// Set up the assistants on this machine
///
/// Each gets a key of its own, named after it. Without a client it lists which are found here and what would be done, and changes nothing.
/// Files keep everything else they hold; the first change leaves a copy beside them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  afterthought connect                     which are found here
  afterthought connect --all               set them all up
  afterthought connect cursor codex        set up these
  afterthought connect cursor --remove     take out what was put in, and revoke its key")]
pub(super) struct Connect {
    /// The clients to set up
    clients: Vec<Client>,
    /// All that are found here
    #[arg(long, conflicts_with = "clients")]
    all: bool,
    /// Show what would be written, with KEY in place of a key, and change nothing
    #[arg(long, conflicts_with = "remove")]
    print: bool,
    /// Take out what was put in, and revoke the keys
    #[arg(long)]
    remove: bool,
    /// Connect to this service instead, with the key in AFTERTHOUGHT_KEY
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// The account of the keys [default: the only one, or the one called `default`]
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "url")]
    account: Option<AccountName>,
}

/// Where the service listens if nothing else is said.
const USUAL: &str = "http://127.0.0.1:8720/api/mcp";

/// What a client is set up for.
struct Service {
    url: String,
    /// The key of a service elsewhere.
    given_key: Option<String>,
}

impl Connect {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        let Some(home) = Home::find(|name| std::env::var_os(name)) else {
            bail!("this user has no home folder: set HOME");
        };
        let service = self.service(place)?;
        let found: Vec<Client> = Client::ALL.into_iter().filter(|client| client.is_here(&home)).collect();
        if self.clients.is_empty() && !self.all {
            if self.remove {
                bail!(Usage("say what to take out: name clients, or `--all`".into()));
            }
            return self.list(&found, &home, place, output);
        }
        let clients = if self.all { found.clone() } else { self.clients.clone() };
        let absent: Vec<&str> =
            clients.iter().filter(|client| !found.contains(client)).map(|client| client.name()).collect();
        if !absent.is_empty() {
            bail!("not found here: {}; see `afterthought connect` for what is, nothing was changed", absent.join(", "));
        }
        let mut failed = 0;
        for client in clients {
            let setup = Setup { client, home: &home, place, service: &service };
            let done = match (self.print, self.remove) {
                (true, _) => setup.print(output),
                (_, true) => setup.remove(output).await,
                _ => setup.connect(self.account.as_ref(), output).await,
            };
            if let Err(error) = done {
                failed += 1;
                output.remark(format_args!("{}: {error}", client.name()));
            }
        }
        if !self.print && !self.remove && self.url.is_none() && copies::find(place).is_none() {
            output.remark(format_args!("no service runs: start it with `{}`", place.command("serve")));
        }
        match failed {
            0 => Ok(()),
            _ => bail!("{failed} could not be done, as said above"),
        }
    }

    fn service(&self, place: &Place) -> anyhow::Result<Service> {
        if let Some(url) = &self.url {
            let needs_key = !self.print && !self.remove && (self.all || !self.clients.is_empty());
            let given_key = if needs_key { Some(key_of_environment()?) } else { Some("KEY".to_owned()) };
            return Ok(Service { url: endpoint(url)?, given_key });
        }
        let url = copies::find(place).map_or_else(|| USUAL.to_owned(), |running| running.endpoint());
        Ok(Service { url, given_key: None })
    }

    fn list(&self, found: &[Client], home: &Home, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        for client in found {
            let (name, file) = (client.name(), client.file(home));
            let present = ConfigFile::read(&file)
                .ok()
                .and_then(|file| entry(client.format(), &file.text.unwrap_or_default(), client.table()).ok().flatten());
            let record = Record::read(place.folder(), *client);
            let is_done = record.zip(present).is_some_and(|(record, present)| is_ours(&record, &present));
            match is_done {
                true => output.result(format_args!("{name:15} connected in {}", file.display()))?,
                false => output.result(format_args!("{name:15} would be set up in {}", file.display()))?,
            }
        }
        match found.is_empty() {
            true => output.remark("no client is found here: `--print NAME` shows what each needs"),
            false => output.remark("nothing was changed; `afterthought connect --all` sets them up, or name some"),
        }
        Ok(())
    }
}

/// One client to set up.
struct Setup<'a> {
    client: Client,
    home: &'a Home,
    place: &'a Place,
    service: &'a Service,
}

impl Setup<'_> {
    /// The entry with that key.
    fn entry(&self, key: &str) -> Value {
        let program = program();
        if !self.client.starts_programs_only() {
            return self.client.entry(&Link::Http { url: &self.service.url, key });
        }
        let (arguments, key) = match self.service.given_key {
            Some(_) => (["stdio", "--url", &self.service.url].map(str::to_owned).to_vec(), Some(key)),
            None => (self.place.stdio(self.client.name()), None),
        };
        self.client.entry(&Link::Stdio { command: &program, arguments: &arguments, key })
    }

    fn needs_key(&self) -> bool {
        !self.client.starts_programs_only() || self.service.given_key.is_some()
    }

    fn print(&self, output: &mut Output) -> anyhow::Result<()> {
        let Self { client, home, .. } = self;
        output.result(format_args!("# {}: {}", client.name(), client.file(home).display()))?;
        let text = with_entry(client.format(), "", client.table(), &self.entry("KEY"))?;
        output.result_lines(text.trim_end())
    }

    async fn connect(&self, account: Option<&AccountName>, output: &mut Output) -> anyhow::Result<()> {
        let Self { client, home, place, .. } = self;
        let (data, name) = (place.folder(), client.name());
        if let Some(missing) = place.missing_password().filter(|_| !self.needs_key()) {
            bail!("{missing}");
        }
        let file = ConfigFile::read(&client.file(home))?;
        let shown = file.path().display();
        let text = file.text.clone().unwrap_or_default();
        let unreadable = |error| anyhow!("`{shown}` cannot be read and is left alone: {error}");
        let present = entry(client.format(), &text, client.table()).map_err(unreadable)?;
        let mut record = Record::read(data, *client).filter(|record| record.file == file.path());
        if let Some(present) = &present {
            let Some(record) = record.take().filter(|record| is_ours(record, present)) else {
                bail!(
                    "`{shown}` has an entry `afterthought` that `connect` did not make: it is left alone; rename or remove it"
                );
            };
            if let Some(prefix) = record.prefix.as_ref().filter(|_| record.made_key) {
                let keys = place.open_existing(async |app| Ok(app.keyring.list_keys(None).await?)).await?;
                if keys.iter().any(|key| key.prefix.as_str() == prefix && key.revoked_at.is_some()) {
                    bail!(
                        "its key {prefix} was revoked, and is not replaced by itself: `connect {name} --remove`, then connect again"
                    );
                }
            }
            let wanted = self.entry(key_in(present, &record).unwrap_or_default());
            if wanted == *present {
                return output.result(format_args!("{name}: connected already in {shown}"));
            }
            file.write(&with_entry(client.format(), &text, client.table(), &wanted)?)?;
            return output.result(format_args!("{name}: {shown} leads to {} now", self.service.url));
        }
        if self.needs_key() {
            file.check_private()?;
        }
        // What cannot be written later must not cost a key.
        with_entry(client.format(), &text, client.table(), &self.entry("KEY")).map_err(unreadable)?;
        let made = match (&self.service.given_key, self.needs_key()) {
            (Some(_), _) | (None, false) => None,
            (None, true) => Some(place.open(async |app| make_key(app, account, name).await).await?),
        };
        let key = made.as_deref().or(self.service.given_key.as_deref()).unwrap_or_default();
        let written = self.write(&file, &text, key, made.is_some());
        if let (Err(_), Some(key)) = (&written, &made) {
            place.open(async |app| Ok(app.keyring.revoke_key(key).await?)).await?;
        }
        written?;
        // The entry that had it is gone, and with the record nobody would know of it any more.
        if let Some(prefix) = record.filter(|record| record.made_key).and_then(|record| record.prefix) {
            place.open_existing(async |app| Ok(app.keyring.revoke_key(&prefix).await?)).await?;
        }
        output.result(format_args!("{name}: connected in {shown}"))
    }

    /// Puts the entry in, by the client's own command if it has one, and writes down that it did.
    fn write(&self, file: &ConfigFile, text: &str, key: &str, made_key: bool) -> anyhow::Result<()> {
        let Self { client, home, place, .. } = self;
        let data = place.folder();
        let command = home.program("claude").filter(|_| *client == Client::ClaudeCode);
        let mut record = Record {
            file: file.path().to_owned(),
            prefix: (!key.is_empty()).then(|| KeyPrefix::of(key).to_string()),
            made_key,
            made_file: file.text.is_none() && command.is_none(),
            by_command: command.is_some(),
        };
        record.write(data, *client)?;
        let put_in = || match &command {
            Some(command) => {
                let entry = self.entry(key).to_string();
                run(command, &["mcp", "add-json", "--scope", "user", "afterthought", &entry], home)
            }
            None => {
                file.keep_copy()?;
                file.write(&with_entry(client.format(), text, client.table(), &self.entry(key))?)
            }
        };
        put_in().inspect_err(|_| Record::forget(data, *client))?;
        if let Ok(path) = std::fs::canonicalize(file.path()) {
            record.file = path;
            record.write(data, *client)?;
        }
        Ok(())
    }

    async fn remove(&self, output: &mut Output) -> anyhow::Result<()> {
        let Self { client, home, place, .. } = self;
        let (data, name) = (place.folder(), client.name());
        let file = ConfigFile::read(&client.file(home))?;
        let shown = file.path().display();
        let text = file.text.clone().unwrap_or_default();
        let present = entry(client.format(), &text, client.table())
            .map_err(|error| anyhow!("`{shown}` cannot be read and is left alone: {error}"))?;
        let record = Record::read(data, *client);
        let Some(record) = record.filter(|record| present.as_ref().is_none_or(|present| is_ours(record, present)))
        else {
            match present {
                Some(_) => bail!("`{shown}` has an entry `afterthought` that `connect` did not make: it is left alone"),
                None => return output.result(format_args!("{name}: not connected")),
            }
        };
        if let Some(present) = &present {
            self.take_out(&file, &text, present, &record)?;
        }
        if let (true, Some(prefix)) = (record.made_key, &record.prefix) {
            place.open_existing(async |app| Ok(app.keyring.revoke_key(prefix).await?)).await?;
        }
        if record.prefix.is_none() {
            kept_key::revoke(place, &name.parse()?).await?;
        }
        Record::forget(data, *client);
        output.result(format_args!("{name}: taken out of {shown}"))
    }

    fn take_out(&self, file: &ConfigFile, text: &str, present: &Value, record: &Record) -> anyhow::Result<()> {
        let (client, copy) = (self.client, file.copy());
        let command = self.home.program("claude").filter(|_| record.by_command);
        if let Some(command) = command {
            return run(&command, &["mcp", "remove", "--scope", "user", "afterthought"], self.home);
        }
        let before = if record.by_command { None } else { std::fs::read_to_string(&copy).ok() };
        let (format, table) = (client.format(), client.table());
        // What nobody has changed since is what it was, to the last byte.
        let restored = before
            .as_ref()
            .filter(|before| with_entry(format, before, table, present).is_ok_and(|connected| connected == text));
        let without = match restored {
            Some(before) => before.clone(),
            None => {
                let keep_table = before.as_ref().is_some_and(|before| has_table(format, before, table));
                without_entry(format, text, table, keep_table)?
            }
        };
        match record.made_file && is_empty(format, &without) {
            true => file.remove()?,
            false => file.write(&without)?,
        }
        if before.is_some() {
            // A copy that stays does no harm.
            let _ = std::fs::remove_file(copy);
        }
        Ok(())
    }
}

async fn make_key(app: &App, account: Option<&AccountName>, name: &str) -> anyhow::Result<String> {
    let account = match account.is_none() && app.keyring.list_accounts().await?.is_empty() {
        true => app.keyring.create_account(DEFAULT_ACCOUNT.parse()?).await?,
        false => scope::account(app, account).await?,
    };
    let (secret, _) = app.keyring.create_key(account.id, name.parse()?).await?;
    Ok(secret.reveal().to_owned())
}

/// Whether an entry is the one that was put in, whatever its owner has changed about it since.
fn is_ours(record: &Record, entry: &Value) -> bool {
    match &record.prefix {
        Some(prefix) => entry.to_string().contains(prefix),
        None => entry["args"][0] == "stdio",
    }
}

/// The key in an entry of ours.
fn key_in<'a>(entry: &'a Value, record: &Record) -> Option<&'a str> {
    let texts = ["/headers/Authorization", "/http_headers/Authorization", "/env/AFTERTHOUGHT_KEY"];
    let key = texts.iter().find_map(|pointer| entry.pointer(pointer)?.as_str())?;
    let key = key.strip_prefix("Bearer ").unwrap_or(key);
    key.starts_with(record.prefix.as_deref()?).then_some(key)
}

/// Runs a client's own command; what it says on failure is the error.
fn run(program: &Path, arguments: &[&str], home: &Home) -> anyhow::Result<()> {
    let mut command = Command::new(program);
    // In the home rather than wherever this was started: that may be a project, whose settings are its own.
    command.args(arguments).current_dir(home.folder());
    let output = command.output().map_err(|error| anyhow!("`{}` cannot be run: {error}", program.display()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [&output.stderr[..], &output.stdout[..]].concat();
    let said = String::from_utf8_lossy(&said);
    // A command line that is quoted back would show the key.
    let said = said.lines().find(|line| !line.trim().is_empty() && !line.contains("aft_")).unwrap_or("it says nothing");
    bail!("`{} {} {}` failed: {said}", program.display(), arguments[0], arguments[1])
}
