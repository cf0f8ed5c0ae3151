//! The command line: one file per subcommand.
//!
//! Exit status 0 on success, 2 on bad usage, 1 on failure. Results go to standard output, everything else to standard
//! error; an error is one sentence.

mod account;
mod adviser;
mod background;
mod backup;
mod clients;
mod completions;
mod connect;
mod copies;
mod doctor;
mod embedding;
mod export;
mod forward;
mod hook;
mod import;
mod kept_key;
mod key;
mod logs;
mod note;
mod open;
mod output;
mod place;
mod private;
mod reindex;
mod scope;
mod serve;
mod status;
mod stdio;
mod usage;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use crate::descriptors::BLOCKING_THREADS;
use output::{Output, ReaderGone};
use place::{Place, PlaceArgs};
use usage::Usage;

const EXAMPLES: &str = "\
Examples:
  afterthought serve                           run the service; the first start prints a key
  afterthought open                            see and correct the memory in a browser
  afterthought key create laptop               another key
  afterthought note attach THOUGHT_ID plan.md  a text file, found along with the thought
  afterthought status --json                   how much is stored
  afterthought export backup.jsonl             everything, as JSON Lines

Every command works beside a running service. Commands that only read never make a data folder.";

/// A memory service for AI assistants: stores thoughts and finds them again, over MCP.
#[derive(Debug, Parser)]
#[command(name = "afterthought", version, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    place: PlaceArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Serve),
    Open(open::Open),
    Stdio(stdio::Stdio),
    Connect(connect::Connect),
    #[command(subcommand)]
    Hook(hook::HookCommand),
    #[command(subcommand)]
    Account(account::AccountCommand),
    #[command(subcommand)]
    Key(key::KeyCommand),
    #[command(subcommand)]
    Note(note::NoteCommand),
    Status(status::StatusCommand),
    Doctor(doctor::Doctor),
    Reindex(reindex::Reindex),
    Export(export::Export),
    Import(import::Import),
    Backup(backup::Backup),
    Completions(completions::Completions),
    #[command(hide = true)]
    Man(completions::Man),
}

/// Does what the arguments ask for; the first is the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return answer(&error),
    };
    let mut output = Output::standard();
    let done = cli.run(&mut output).and_then(|()| output.flush());
    let Err(error) = done else { return ExitCode::SUCCESS };
    if error.is::<ReaderGone>() {
        return ExitCode::SUCCESS;
    }
    output.remark(format_args!("error: {error}"));
    ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
}

/// Shows the help or the version that was asked for, or says in one sentence what is wrong with the arguments.
fn answer(error: &clap::Error) -> ExitCode {
    let asked = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    match asked {
        // Nobody can be told that the help could not be written.
        true => drop(error.print()),
        false => Output::standard().remark(sentence(&error.render().to_string())),
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// The first paragraphs of a usage error, up to the usage itself, on one line.
fn sentence(rendered: &str) -> String {
    let said = rendered.split("\n\nUsage:").next().unwrap_or_default();
    let said = said.split("\n\nFor more information").next().unwrap_or_default();
    let paragraphs = said.split("\n\n").map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut paragraphs: Vec<String> = paragraphs.filter(|paragraph| !paragraph.is_empty()).collect();
    paragraphs.push("see `--help`".into());
    paragraphs.join("; ").replace("tip: ", "")
}

impl Cli {
    fn run(self, output: &mut Output) -> anyhow::Result<()> {
        match &self.command {
            Command::Completions(command) => return command.run(Self::command(), output),
            Command::Man(command) => return command.run(Self::command(), output),
            _ => {}
        }
        let place = Place::choose(self.place, |name| std::env::var_os(name))?;
        // Only the service has more to do at once than one thread can.
        let mut runtime = match self.command {
            Command::Serve(_) => tokio::runtime::Builder::new_multi_thread(),
            _ => tokio::runtime::Builder::new_current_thread(),
        };
        let runtime = runtime.enable_all().max_blocking_threads(BLOCKING_THREADS).build()?;
        runtime.block_on(async {
            match self.command {
                Command::Serve(command) => command.run(&place, output).await,
                Command::Open(command) => command.run(&place, output).await,
                Command::Hook(command) => command.run(&place, output).await,
                Command::Connect(command) => command.run(&place, output).await,
                Command::Stdio(command) => command.run(&place).await,
                Command::Account(command) => command.run(&place, output).await,
                Command::Key(command) => command.run(&place, output).await,
                Command::Note(command) => command.run(&place, output).await,
                Command::Doctor(command) => command.run(&place, output).await,
                Command::Status(command) => command.run(&place, output).await,
                Command::Reindex(command) => command.run(&place, output).await,
                Command::Export(command) => command.run(&place, output).await,
                Command::Import(command) => command.run(&place, output).await,
                Command::Backup(command) => command.run(&place, output).await,
                Command::Completions(_) | Command::Man(_) => Ok(()),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(arguments: &[&str]) -> String {
        sentence(&Cli::try_parse_from(arguments).unwrap_err().render().to_string())
    }

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_usage_error_is_one_sentence() {
        assert_eq!(
            refusal(&["afterthought", "key", "create"]),
            "error: the following required arguments were not provided: <NAME>; see `--help`"
        );
        assert_eq!(
            refusal(&["afterthought", "serve", "--lisen", "x"]),
            "error: unexpected argument '--lisen' found; a similar argument exists: '--listen'; see `--help`"
        );
        assert_eq!(
            refusal(&["afterthought", "note", "remove", "x"]),
            "error: invalid value 'x' for '<NOTE_ID>': `x` is not a note id: expected a UUID such as \
             0197c1a2-7b3c-7def-8123-456789abcdef; see `--help`"
        );
    }

    #[test]
    fn the_store_is_named_before_or_after_the_command() {
        for arguments in [["afterthought", "--data", "/a", "status"], ["afterthought", "status", "--data", "/a"]] {
            let cli = Cli::try_parse_from(arguments).unwrap();
            let place = Place::choose(cli.place, |_| None).unwrap();
            assert_eq!(place.command("status"), "afterthought status --data /a");
        }
    }
}
