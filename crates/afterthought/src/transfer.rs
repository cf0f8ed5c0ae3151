//! The format of an export: JSON Lines, one record a line.
//!
//! A header opens it and an end closes it, so that an export that was cut short is recognised. A record names only what
//! came before it: accounts first, then their keys and thoughts, then the revisions and notes of these. No line is longer
//! than [`LINE_BYTES_MAX`], however much belongs to a thought. What follows from the texts is left out; secrets are never in.
//!
//! Version 1 had the revisions and notes of a thought in its line, and is read as well.

mod hexadecimal;
mod word;

use std::fmt;

use serde::{Deserialize, Serialize};

use model::{
    Account, AccountId, Author, Category, Invalid, Key, KeyHash, KeyId, KeyName, KeyPrefix, NoteId, NoteText, Revision,
    RevisionKind, Status, Thought, ThoughtId, ThoughtText, Time,
};
use store::{NewKey, Piece, StoredNote};

/// The name of the format.
pub(crate) const FORMAT: &str = "afterthought-export";

/// The version of the format; it grows whenever an older program could misread what a newer one writes.
pub(crate) const VERSION: u32 = 2;

/// The longest line, in bytes. A note of control characters takes six times its length, and a line of version 1 may hold several
/// notes.
pub(crate) const LINE_BYTES_MAX: usize = 16 << 20;

/// The first line. A later version may say more in it, so unknown fields are let pass.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) format: String,
    pub(crate) version: u32,
}

/// Every line but the first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Record {
    Account(AccountRecord),
    Key(KeyRecord),
    Thought(Box<ThoughtRecord>),
    Revision(PartRecord<RevisionRecord>),
    Note(PartRecord<NoteRecord>),
    End(Counts),
}

impl Header {
    /// The first line of what this program writes.
    pub(crate) fn current() -> Self {
        Self { format: FORMAT.to_owned(), version: VERSION }
    }

    /// Checks the first line of an export.
    pub(crate) fn check(line: &[u8]) -> Result<(), Invalid> {
        match serde_json::from_slice::<Self>(line) {
            Ok(header) if header.format == FORMAT && header.version <= VERSION => Ok(()),
            Ok(header) if header.format == FORMAT => Err(Invalid::new(format!(
                "the export has format {}, this version knows up to {VERSION}: import it with a newer afterthought",
                header.version
            ))),
            _ => Err(Invalid::new("this is not an afterthought export: give a file that `afterthought export` wrote")),
        }
    }
}

impl Record {
    /// Reads a line.
    pub(crate) fn read(line: &[u8]) -> Result<Self, Invalid> {
        if line.len() > LINE_BYTES_MAX {
            return Err(Invalid::new(format!(
                "it is longer than {LINE_BYTES_MAX} bytes, the most that a line of an export has: export anew with this version"
            )));
        }
        serde_json::from_slice(line).map_err(|error| {
            // The line is known, and serde_json sees no other than the first.
            let said = error.to_string();
            Invalid::new(said.split(" at line 1 column").next().unwrap_or_default())
        })
    }
}

/// What belongs to a thought.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartRecord<T> {
    #[serde(with = "word")]
    account: AccountId,
    #[serde(with = "word")]
    thought: ThoughtId,
    part: T,
}

/// How many records of each kind there are.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Counts {
    pub(crate) accounts: u64,
    pub(crate) keys: u64,
    pub(crate) thoughts: u64,
    /// Of thoughts, in lines of their own.
    #[serde(default)]
    pub(crate) revisions: u64,
    #[serde(default)]
    pub(crate) notes: u64,
}

impl Counts {
    /// One more of what a piece is.
    pub(crate) fn add(&mut self, piece: &Piece) {
        match piece {
            Piece::Thought(_) => self.thoughts += 1,
            Piece::Revision(..) => self.revisions += 1,
            Piece::Note(..) => self.notes += 1,
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { accounts, keys, thoughts, .. } = *self;
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        write!(
            f,
            "{accounts} account{}, {keys} key{}, {thoughts} thought{}",
            plural(accounts),
            plural(keys),
            plural(thoughts)
        )
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccountRecord {
    #[serde(with = "word")]
    id: AccountId,
    name: String,
    created_at: Time,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyRecord {
    #[serde(with = "word")]
    account: AccountId,
    #[serde(with = "word")]
    id: KeyId,
    name: String,
    prefix: String,
    #[serde(with = "hexadecimal")]
    sha256: KeyHash,
    created_at: Time,
    last_used_at: Option<Time>,
    revoked_at: Option<Time>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ThoughtRecord {
    #[serde(with = "word")]
    account: AccountId,
    #[serde(with = "word")]
    id: ThoughtId,
    raw_text: String,
    status: String,
    category: String,
    author: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent_name: Option<String>,
    created_at: Time,
    captured_at: Time,
    updated_at: Time,
    /// How many revisions follow; the number of those that are here if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    revision_count: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    revisions: Vec<RevisionRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<NoteRecord>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RevisionRecord {
    number: u32,
    at: Time,
    kind: String,
    by: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<ChangeRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<ChangeRecord>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeRecord {
    before: String,
    after: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteRecord {
    #[serde(with = "word")]
    id: NoteId,
    name: String,
    text: String,
    created_at: Time,
    removed_at: Option<Time>,
}

impl From<&Account> for AccountRecord {
    fn from(account: &Account) -> Self {
        Self { id: account.id, name: account.name.to_string(), created_at: account.created_at }
    }
}

impl AccountRecord {
    pub(crate) fn into_account(self) -> Result<Account, Invalid> {
        Ok(Account { id: self.id, name: self.name.parse()?, created_at: self.created_at })
    }
}

impl KeyRecord {
    pub(crate) fn new(key: &Key, hash: &KeyHash) -> Self {
        Self {
            account: key.account,
            id: key.id,
            name: key.name.to_string(),
            prefix: key.prefix.to_string(),
            sha256: *hash,
            created_at: key.created_at,
            last_used_at: key.last_used_at,
            revoked_at: key.revoked_at,
        }
    }

    /// The key, and when it was last used.
    pub(crate) fn into_key(self) -> Result<(NewKey, Option<Time>), Invalid> {
        let prefix = KeyPrefix::of(&self.prefix);
        if self.prefix.chars().count() != KeyPrefix::CHARS {
            return Err(Invalid::new(format!("the prefix of a key has {} characters", KeyPrefix::CHARS)));
        }
        let key = NewKey {
            id: self.id,
            account: self.account,
            name: self.name.parse()?,
            prefix,
            hash: self.sha256,
            created_at: self.created_at,
            revoked_at: self.revoked_at,
        };
        Ok((key, self.last_used_at))
    }
}

impl Record {
    /// The record of a piece of an account.
    pub(crate) fn new(account: AccountId, piece: Piece) -> Self {
        match piece {
            Piece::Thought(thought) => Self::Thought(Box::new(ThoughtRecord::new(account, thought))),
            Piece::Revision(thought, revision) => {
                Self::Revision(PartRecord { account, thought, part: revision.into() })
            }
            Piece::Note(thought, note) => Self::Note(PartRecord { account, thought, part: note.into() }),
        }
    }
}

impl PartRecord<RevisionRecord> {
    /// The revision, and the account it belongs to.
    pub(crate) fn into_piece(self) -> Result<(AccountId, Piece), Invalid> {
        Ok((self.account, Piece::Revision(self.thought, self.part.into_revision()?)))
    }
}

impl PartRecord<NoteRecord> {
    /// The note, and the account it belongs to.
    pub(crate) fn into_piece(self) -> Result<(AccountId, Piece), Invalid> {
        Ok((self.account, Piece::Note(self.thought, self.part.into_note()?)))
    }
}

/// More revisions than this no thought has: the count must not overflow.
const REVISION_COUNT_MAX: u32 = 1 << 30;

impl ThoughtRecord {
    fn new(account: AccountId, thought: Thought) -> Self {
        let (author, agent_name) = match thought.author {
            Author::User => ("user", None),
            Author::Agent { name } => ("agent", Some(name)),
        };
        Self {
            account,
            id: thought.id,
            raw_text: thought.raw_text.into_string(),
            status: thought.status.to_string(),
            category: thought.category.as_str().to_owned(),
            author: author.to_owned(),
            agent_name,
            created_at: thought.created_at,
            captured_at: thought.captured_at,
            updated_at: thought.updated_at,
            revision_count: Some(thought.revision),
            revisions: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The thought and what belongs to it in its line, and the account they belong to.
    pub(crate) fn into_pieces(self) -> Result<(AccountId, Vec<Piece>), Invalid> {
        let author = match (self.author.as_str(), self.agent_name) {
            ("user", None) => Author::User,
            ("agent", Some(name)) => Author::Agent { name: name.parse::<KeyName>()?.to_string() },
            _ => return Err(Invalid::new("`author` is user, or agent with an `agent_name`")),
        };
        let revision = self.revision_count.map_or_else(|| u32::try_from(self.revisions.len()), Ok);
        let revision = revision.ok().filter(|count| *count <= REVISION_COUNT_MAX);
        let thought = Thought {
            id: self.id,
            raw_text: ThoughtText::new(self.raw_text)?,
            status: self.status.parse()?,
            category: self.category.parse::<Category>()?,
            author,
            created_at: self.created_at,
            captured_at: self.captured_at,
            updated_at: self.updated_at,
            revision: revision.ok_or_else(|| Invalid::new("there are too many revisions"))?,
        };
        let mut pieces = vec![Piece::Thought(thought)];
        for (number, record) in (1..).zip(self.revisions) {
            if record.number != number {
                return Err(Invalid::new("revisions are numbered 1, 2, 3 and so on"));
            }
            pieces.push(Piece::Revision(self.id, record.into_revision()?));
        }
        for record in self.notes {
            pieces.push(Piece::Note(self.id, record.into_note()?));
        }
        Ok((self.account, pieces))
    }
}

impl From<Revision> for RevisionRecord {
    fn from(revision: Revision) -> Self {
        Self {
            number: revision.number,
            at: revision.at,
            kind: revision.kind.as_str().to_owned(),
            by: revision.by,
            text: revision.text.map(|(before, after)| ChangeRecord { before, after }),
            status: revision
                .status
                .map(|(before, after)| ChangeRecord { before: before.to_string(), after: after.to_string() }),
        }
    }
}

impl RevisionRecord {
    fn into_revision(self) -> Result<Revision, Invalid> {
        let status = |change: ChangeRecord| Ok((change.before.parse::<Status>()?, change.after.parse::<Status>()?));
        Ok(Revision {
            number: self.number,
            at: self.at,
            kind: RevisionKind::parse(&self.kind)
                .ok_or_else(|| Invalid::new(format!("`{}` is no kind of revision", self.kind)))?,
            by: plain("by", self.by)?,
            text: self.text.map(texts).transpose()?,
            status: self.status.map(status).transpose()?,
        })
    }
}

/// Both are texts a thought can have: an undo takes one of them back.
fn texts(ChangeRecord { before, after }: ChangeRecord) -> Result<(String, String), Invalid> {
    Ok((ThoughtText::new(before)?.into_string(), ThoughtText::new(after)?.into_string()))
}

/// The most characters of a word that says who or what.
const WORD_CHARS_MAX: usize = 255;

/// A word from an export that is shown to people later: short, and nothing that would move a terminal's cursor.
fn plain(field: &str, word: String) -> Result<String, Invalid> {
    match word.chars().count() <= WORD_CHARS_MAX && !word.chars().any(char::is_control) {
        true => Ok(word),
        false => {
            Err(Invalid::new(format!("`{field}` has at most {WORD_CHARS_MAX} characters and no control characters")))
        }
    }
}

impl From<StoredNote> for NoteRecord {
    fn from(note: StoredNote) -> Self {
        let StoredNote { id, name, text, created_at, removed_at } = note;
        Self { id, name, text, created_at, removed_at }
    }
}

impl NoteRecord {
    fn into_note(self) -> Result<StoredNote, Invalid> {
        let text = NoteText::from_bytes(self.text.into_bytes())?.as_str().to_owned();
        Ok(StoredNote {
            id: self.id,
            name: plain("name", self.name)?,
            text,
            created_at: self.created_at,
            removed_at: self.removed_at,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCOUNT: &str = "0197c1a2-7b3c-7def-8123-456789abcdef";

    fn line(text: &str) -> String {
        format!(
            r#"{{"type":"thought","account":"{ACCOUNT}","id":"{ACCOUNT}","raw_text":{},"status":"completed","category":"task","author":"agent","agent_name":"laptop","created_at":"2026-03-01T09:30:00.000001Z","captured_at":"0001-01-01T00:00:00.000000Z","updated_at":"2026-03-02T09:30:00.000000Z","revisions":[{{"number":1,"at":"2026-03-02T09:30:00.000000Z","kind":"change","by":"laptop","text":{{"before":"a","after":"b"}},"status":{{"before":"open","after":"completed"}}}}],"notes":[{{"id":"{ACCOUNT}","name":"plan.md","text":"tea\n","created_at":"2026-03-01T09:31:00.000000Z","removed_at":null}}]}}"#,
            serde_json::to_string(text).unwrap()
        )
    }

    fn record(line: &str) -> Record {
        serde_json::from_str(line).unwrap()
    }

    fn pieces(line: &str) -> Result<(AccountId, Vec<Piece>), Invalid> {
        match record(line) {
            Record::Thought(record) => record.into_pieces(),
            Record::Revision(record) => record.into_piece().map(|(account, piece)| (account, vec![piece])),
            Record::Note(record) => record.into_piece().map(|(account, piece)| (account, vec![piece])),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn pieces_come_back_as_they_were_written() {
        let (account, all) = pieces(&line("  two\nlines, \"quoted\" \u{1F375} ")).unwrap();
        assert_eq!(all.len(), 3, "version 1 has them all in one line");
        for piece in all {
            let line = serde_json::to_string(&Record::new(account, piece.clone())).unwrap();
            assert_eq!(pieces(&line).unwrap(), (account, vec![piece]));
        }
    }

    #[test]
    fn the_longest_line_that_can_be_written_can_be_read() {
        let id = ACCOUNT.parse().unwrap();
        let (at, by) = (Time::from_micros(0), "\u{202e}".repeat(WORD_CHARS_MAX));
        let longest = "\u{1}".repeat(model::NOTE_BYTES_MAX);
        let text = "\u{1}".repeat(model::TEXT_BYTES_MAX);
        let note = StoredNote {
            id: ACCOUNT.parse().unwrap(),
            name: by.clone(),
            text: longest,
            created_at: at,
            removed_at: Some(at),
        };
        let kind = RevisionKind::ModelChange;
        let status = Some((Status::Completed, Status::Completed));
        let revision = Revision { number: u32::MAX, at, kind, by, text: Some((text.clone(), text)), status };
        for piece in [Piece::Note(id, note), Piece::Revision(id, revision)] {
            let line = serde_json::to_string(&Record::new(ACCOUNT.parse().unwrap(), piece)).unwrap();
            assert!(line.len() < LINE_BYTES_MAX, "{}", line.len());
        }
    }

    #[test]
    fn a_key_comes_back_as_it_was_written() {
        let sha256 = "00ff".repeat(16);
        let line = format!(
            r#"{{"type":"key","account":"{ACCOUNT}","id":"{ACCOUNT}","name":"laptop","prefix":"aft_123456","sha256":"{sha256}","created_at":"2026-03-01T09:30:00.000000Z","last_used_at":null,"revoked_at":"2026-03-01T09:30:00.000000Z"}}"#
        );
        let Ok(Record::Key(record)) = serde_json::from_str(&line) else { panic!("not a key") };
        let (new, last_used_at) = record.into_key().unwrap();
        let NewKey { id, account, name, prefix, hash, created_at, revoked_at } = new;
        let key = Key { id, account, name, prefix, created_at, last_used_at, revoked_at };
        let again = serde_json::to_string(&Record::Key(KeyRecord::new(&key, &hash))).unwrap();
        assert_eq!(again, line);
    }

    #[test]
    fn what_the_service_would_not_have_stored_is_refused() {
        for (good, bad) in [
            (r#""number":1"#, r#""number":2"#),
            (r#""author":"agent""#, r#""author":"user""#),
            (r#""status":"completed""#, r#""status":"lost""#),
            (r#""category":"task""#, r#""category":"dream""#),
            (r#""kind":"change""#, r#""kind":"wish""#),
            (r#""text":"tea\n""#, r#""text":"""#),
            (r#""before":"a""#, r#""before":" ""#),
            (r#""raw_text""#, r#""revision_count":4000000000,"raw_text""#),
        ] {
            let line = line("tea");
            assert!(line.contains(good), "{good}");
            assert!(pieces(&line.replace(good, bad)).is_err(), "{bad}");
        }
        assert!(pieces(&line(" ")).is_err());
    }
}
