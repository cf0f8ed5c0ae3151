//! `afterthought note`: text files attached to thoughts.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::Subcommand;

use model::{Account, AccountName, NOTE_BYTES_MAX, NewNote, Note, NoteId, NoteText, ThoughtId};
use store::NoteListing;

use super::output::Output;
use super::place::Place;
use super::scope;
use crate::app::App;

/// Attach text files to thoughts, list and remove them
///
/// A thought is found by the words of its notes, too. A running service finds them at once.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  afterthought note attach THOUGHT_ID plan.md
  pdftotext report.pdf - | afterthought note attach THOUGHT_ID - --name report.txt")]
pub(super) enum NoteCommand {
    /// Attach a text file, UTF-8 of at most 1 MiB, and print the note's id
    Attach {
        /// The thought
        thought_id: ThoughtId,
        /// The file; `-` reads standard input
        file: PathBuf,
        /// The account of the thought [default: whichever has it]
        #[arg(long, value_name = "ACCOUNT")]
        account: Option<AccountName>,
        /// What the note is called [default: the file's name]
        #[arg(long)]
        name: Option<String>,
    },
    /// List notes, oldest first
    List {
        /// Only the notes of this thought
        thought_id: Option<ThoughtId>,
        /// Only the notes of this account
        #[arg(long, value_name = "ACCOUNT")]
        account: Option<AccountName>,
    },
    /// Take a note away from its thought
    Remove {
        /// The note
        note_id: NoteId,
        /// The account of the note [default: whichever has it]
        #[arg(long, value_name = "ACCOUNT")]
        account: Option<AccountName>,
    },
}

/// The longest name of a note, in characters: what file systems allow.
const NAME_CHARS_MAX: usize = 255;

impl NoteCommand {
    pub(super) async fn run(self, place: &Place, output: &mut Output) -> anyhow::Result<()> {
        match self {
            Self::Attach { thought_id, file, account, name } => {
                let note = NewNote { name: name_of(&file, name)?, text: read(&file)? };
                let note = place
                    .open_existing(async |app| {
                        let account = owner(app, account.as_ref(), thought_id).await?;
                        let attached = app.memory.attach_note(account.id, thought_id, note).await?;
                        attached.ok_or_else(|| anyhow!("{}", unknown(thought_id)))
                    })
                    .await?;
                output.result(note.id)?;
                output.remark(format_args!("attached `{}` to thought {thought_id}", note.name));
                Ok(())
            }
            Self::List { thought_id, account } => list(thought_id, account, place, output).await,
            Self::Remove { note_id, account } => {
                let note = place
                    .open_existing(async |app| {
                        for account in scope::accounts(app, account.as_ref()).await? {
                            if let Some(note) = app.memory.remove_note(account.id, note_id).await? {
                                return Ok(note);
                            }
                        }
                        bail!("no note `{note_id}`: see `afterthought note list`")
                    })
                    .await?;
                output.result(format_args!("removed `{}` from thought {}", note.name, note.thought))
            }
        }
    }
}

async fn list(
    thought: Option<ThoughtId>,
    account: Option<AccountName>,
    place: &Place,
    output: &mut Output,
) -> anyhow::Result<()> {
    if place.is_vacant().await && thought.is_none() {
        output.remark(place.vacancy());
        return Ok(());
    }
    place
        .open_existing(async |app| {
            let accounts = match thought {
                Some(id) => vec![owner(app, account.as_ref(), id).await?],
                None => scope::accounts(app, account.as_ref()).await?,
            };
            output.result(row("NOTE", "THOUGHT", "BYTES", "ATTACHED", "NAME"))?;
            for account in accounts {
                let mut after = None;
                loop {
                    let page = app.memory.list_notes(account.id, NoteListing { thought, after, limit: PAGE }).await?;
                    let Some(last) = page.last() else { break };
                    after = Some(last.id);
                    for Note { id, thought, name, text_bytes, created_at } in page {
                        output.result(row(id, thought, text_bytes, created_at, name))?;
                    }
                }
            }
            Ok(())
        })
        .await
}

/// How many notes are held in memory at a time.
const PAGE: usize = 1_000;

/// A line of the list. The columns are as wide as their widest value can be, and the name comes last: nothing depends on what
/// follows.
fn row(
    id: impl Display,
    thought: impl Display,
    bytes: impl Display,
    attached: impl Display,
    name: impl Display,
) -> String {
    let [id, thought, bytes, attached] = [id.to_string(), thought.to_string(), bytes.to_string(), attached.to_string()];
    format!("{id:36}  {thought:36}  {bytes:>7}  {attached:27}  {name}")
}

/// The account that has the thought.
async fn owner(app: &App, name: Option<&AccountName>, thought: ThoughtId) -> anyhow::Result<Account> {
    for account in scope::accounts(app, name).await? {
        if app.store.get(account.id, thought).await?.is_some() {
            return Ok(account);
        }
    }
    match name {
        Some(name) => bail!("account `{name}` has no thought `{thought}`: leave out `--account` to look in all"),
        None => bail!("{}", unknown(thought)),
    }
}

fn unknown(thought: ThoughtId) -> String {
    format!("no thought `{thought}`: give an id that capture_thought or retrieve_thoughts returned")
}

fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn name_of(file: &Path, given: Option<String>) -> anyhow::Result<String> {
    let name = match given {
        Some(name) => name,
        None if is_standard_input(file) => "standard input".to_owned(),
        None => match file.file_name().map(|name| name.to_str()) {
            Some(Some(name)) => name.to_owned(),
            Some(None) => bail!("the name of `{}` is not UTF-8: give another with `--name`", file.display()),
            None => bail!("`{}` is a folder: give a text file", file.display()),
        },
    };
    let name = name.trim();
    if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || name.chars().any(char::is_control) {
        bail!("the name of a note has 1 to {NAME_CHARS_MAX} characters and no line breaks: give another with `--name`");
    }
    Ok(name.to_owned())
}

/// Reads the text, and no more of a file than a note can hold.
fn read(file: &Path) -> anyhow::Result<NoteText> {
    let shown = file.display();
    let mut bytes = Vec::new();
    let limit = NOTE_BYTES_MAX as u64 + 1;
    if is_standard_input(file) {
        io::stdin()
            .lock()
            .take(limit)
            .read_to_end(&mut bytes)
            .map_err(|error| anyhow!("cannot read standard input: {error}; give a file instead"))?;
    } else {
        let opened = File::open(file).map_err(|error| match error.kind() {
            ErrorKind::NotFound => anyhow!("no file `{shown}`: check the path"),
            ErrorKind::PermissionDenied => anyhow!("not permitted to read `{shown}`: check its permissions"),
            _ => anyhow!("cannot read `{shown}`: {error}; check the path"),
        })?;
        let about = opened.metadata().map_err(|error| anyhow!("cannot read `{shown}`: {error}; check the path"))?;
        if about.is_dir() {
            bail!("`{shown}` is a folder: give a text file");
        }
        if about.len() >= limit {
            bail!("`{shown}` has {} bytes, a note at most {NOTE_BYTES_MAX}: split it into smaller files", about.len());
        }
        opened
            .take(limit)
            .read_to_end(&mut bytes)
            .map_err(|error| anyhow!("cannot read `{shown}`: {error}; check the path"))?;
    }
    if bytes.len() as u64 >= limit {
        bail!("the text has more than {NOTE_BYTES_MAX} bytes, the most a note can have: split it into smaller files");
    }
    Ok(NoteText::from_bytes(bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_called_like_its_file_unless_it_is_given_a_name() {
        assert_eq!(name_of(Path::new("/tmp/plan.md"), None).unwrap(), "plan.md");
        assert_eq!(name_of(Path::new("/tmp/plan.md"), Some(" The plan ".into())).unwrap(), "The plan");
        assert_eq!(name_of(Path::new("-"), None).unwrap(), "standard input");
    }

    #[test]
    fn a_name_that_would_break_a_line_is_refused() {
        for name in ["", " ", "a\nb", &"x".repeat(256)] {
            assert!(name_of(Path::new("-"), Some(name.into())).is_err(), "{name:?}");
        }
    }

    #[test]
    fn an_endless_file_is_read_no_further_than_a_note_goes() {
        #[cfg(unix)]
        assert!(read(Path::new("/dev/zero")).unwrap_err().to_string().contains("more than 1048576 bytes"));
    }
}
