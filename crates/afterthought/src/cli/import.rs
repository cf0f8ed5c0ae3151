//! `afterthought import`: what an export or another memory holds, into this store.
//!
//! What is there already is left as it is, so importing again does no harm and goes on where an import broke off. Every import is a
//! batch that can be undone.

mod batch;
mod check;
#[cfg(test)]
mod fuzz;
mod others;
mod own;
mod progress;
mod summary;
mod undo;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use imports::{Detected, Kind, Limits};

use model::{AccountName, Author, KeyName};

use super::output::Output;
use super::place::Place;
use super::usage::Usage;
pub(super) use batch::copy_all;
use others::Others;
use own::Own;

/// Take in an export, or what another memory holds
///
/// What is there already is left as it is, so importing twice adds nothing. The last line says how much came in and the batch by which
/// `--undo` takes it back. `--dry-run` tells the same and stores nothing.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  afterthought import everything.jsonl
  afterthought import --from auto --dry-run ~/Downloads/export.zip
  afterthought import --from server-memory ~/memory.jsonl
  afterthought import --from markdown ~/vault
  afterthought import --undo 0197c1a2-7b3c-7def-8123-456789abcdef
  afterthought export --data old | afterthought import --with-keys --data new -")]
pub(super) struct Import {
    /// The file, archive or folder; `-` reads an export of our own from standard input
    #[arg(required_unless_present = "undo")]
    path: Option<PathBuf>,
    /// What it comes from
    #[arg(long, value_name = "KIND", default_value = "afterthought", conflicts_with = "undo")]
    from: From,
    /// The account that takes it in [default: the only one, or the one called `default`]; an export of our own brings its accounts
    #[arg(long, value_name = "ACCOUNT", conflicts_with = "undo")]
    account: Option<AccountName>,
    /// Whose it is where the source does not say: `user`, or the name of an agent [default: `user` for Markdown, basic-memory, ChatGPT
    /// and Claude, else an agent named after the source]
    #[arg(long = "as", value_name = "AUTHOR", value_parser = author, conflicts_with = "undo")]
    author: Option<Author>,
    /// Store nothing, and say what would be
    #[arg(long, conflicts_with = "undo")]
    dry_run: bool,
    /// Store nothing unless everything can be read
    #[arg(long, conflicts_with = "undo")]
    strict: bool,
    /// Take the keys of an export of our own as well: whoever has one of them can then read and change the account here
    #[arg(long, conflicts_with = "undo")]
    with_keys: bool,
    /// Archive what this import brought in and is still open
    #[arg(long, value_name = "BATCH", conflicts_with = "path")]
    undo: Option<uuid::Uuid>,
}

/// What can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum From {
    /// An export of our own
    Afterthought,
    /// The knowledge graph of the reference server, memory.jsonl
    ServerMemory,
    /// The archive of OpenMemory, or the array of mem0
    Openmemory,
    /// The JSON of mcp-memory-service
    McpMemoryService,
    /// A folder of basic-memory
    BasicMemory,
    /// The archive of one's data at ChatGPT: what it was told to remember
    Chatgpt,
    /// The archive of one's data at Claude: its memory and projects
    Claude,
    /// A folder of Markdown files, such as an Obsidian vault
    Markdown,
    /// Whichever of these it looks like
    Auto,
}

impl Import {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        if let Some(batch) = self.undo {
            return undo::undo(batch, place, output).await;
        }
        let path = self.path.unwrap_or_default();
        let Some(kind) = self.from.kind(&path)? else {
            if self.account.is_some() || self.author.is_some() {
                let said = "an export of our own names its accounts and authors: leave out `--account` and `--as`";
                return Err(Usage(said.into()).into());
            }
            let Self { with_keys, dry_run, strict, .. } = self;
            return Own { file: path, with_keys, dry_run, strict }.run(place, output).await;
        };
        if self.with_keys {
            return Err(Usage("only an export of our own has keys: leave out `--with-keys`".into()).into());
        }
        let Self { account, author, dry_run, strict, .. } = self;
        let author = author.unwrap_or_else(|| match kind.is_the_persons() {
            true => Author::User,
            false => Author::Agent { name: kind.name().to_owned() },
        });
        Others { kind, path, account, author, dry_run, strict }.run(place, output).await
    }
}

impl From {
    /// The memory to read; `None` for an export of our own.
    fn kind(self, path: &Path) -> anyhow::Result<Option<Kind>> {
        Ok(Some(match self {
            Self::Afterthought => return Ok(None),
            Self::ServerMemory => Kind::ServerMemory,
            Self::Openmemory => Kind::OpenMemory,
            Self::McpMemoryService => Kind::McpMemoryService,
            Self::BasicMemory => Kind::BasicMemory,
            Self::Chatgpt => Kind::ChatGpt,
            Self::Claude => Kind::Claude,
            Self::Markdown => Kind::Markdown,
            Self::Auto => match imports::detect(path, Limits::default())? {
                Some(Detected::Own) => return Ok(None),
                Some(Detected::Other(kind)) => kind,
                None => anyhow::bail!(
                    "cannot tell what `{}` comes from: name it with `--from` (see `afterthought import --help`)",
                    path.display()
                ),
            },
        }))
    }
}

fn author(text: &str) -> Result<Author, String> {
    match text {
        "user" => Ok(Author::User),
        name => match name.parse::<KeyName>() {
            Ok(name) => Ok(Author::Agent { name: name.to_string() }),
            Err(invalid) => Err(invalid.to_string()),
        },
    }
}
