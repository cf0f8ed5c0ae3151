//! After an import: whether everything the export holds is here, as it was exported.
//!
//! Of each piece a name and its contents are kept as hashes, 24 bytes in all, so that the export need not be read again: it may come from
//! a pipe. The kind of a thought is not compared: a service that runs beside finds it out anew.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{BuildHasher, RandomState};

use anyhow::bail;

use model::{AccountId, Category, KeyId};
use store::{NewKey, Piece, PieceId};

use super::progress::Progress;
use crate::app::App;
use crate::cli::output::{Output, count};
use crate::transfer::{Counts, Record};

/// What has to be here.
#[derive(Default)]
pub(super) struct Check {
    hasher: RandomState,
    pieces: BTreeMap<AccountId, Vec<Expected>>,
    keys: HashMap<KeyId, u64>,
    counts: Counts,
}

/// A piece that has to be here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Expected {
    name: u64,
    contents: u64,
    /// How often a thought had been changed.
    revision: u32,
}

/// What was found.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    same: u64,
    changed_since: u64,
    different: u64,
    missing: u64,
    first_different: Option<String>,
}

impl Check {
    /// Takes note of a piece for an account of this store.
    pub(super) fn expect(&mut self, account: AccountId, piece: &Piece) -> anyhow::Result<()> {
        self.counts.add(piece);
        let expected = self.hashed(account, piece)?;
        self.pieces.entry(account).or_default().push(expected);
        Ok(())
    }

    /// Takes note of a key.
    pub(super) fn expect_key(&mut self, key: &NewKey) {
        self.counts.keys += 1;
        self.keys.insert(key.id, self.hashed_key(key));
    }

    fn hashed(&self, account: AccountId, piece: &Piece) -> anyhow::Result<Expected> {
        let mut piece = piece.clone();
        let name = self.hasher.hash_one(piece.id());
        let revision = match &mut piece {
            Piece::Thought(thought) => {
                thought.category = Category::Observation;
                thought.revision
            }
            Piece::Revision(..) | Piece::Note(..) => 0,
        };
        let contents = self.hasher.hash_one(serde_json::to_vec(&Record::new(account, piece))?);
        Ok(Expected { name, contents, revision })
    }

    fn hashed_key(&self, key: &NewKey) -> u64 {
        let NewKey { id, account, name, prefix, hash, created_at, revoked_at } = key;
        self.hasher.hash_one((id, account, name, prefix.as_str(), hash.0, created_at, revoked_at))
    }

    /// Looks for everything, and says what was found; fails where something is missing or is another.
    pub(super) async fn run(mut self, app: &App, output: &mut Output) -> anyhow::Result<()> {
        let mut found = Found::default();
        let mut progress = Progress::default();
        let (total, mut looked_at) = (self.counts.thoughts + self.counts.revisions + self.counts.notes, 0);
        for (account, mut expected) in std::mem::take(&mut self.pieces) {
            expected.sort_unstable();
            expected.dedup_by_key(|expected| expected.name);
            let (mut left, mut after) = (expected.len() as u64, None);
            loop {
                let page = app.store.export(account, after).await?;
                let Some(last) = page.last() else { break };
                after = Some(last.id());
                for piece in &page {
                    let here = self.hashed(account, piece)?;
                    if let Ok(place) = expected.binary_search_by_key(&here.name, |expected| expected.name) {
                        left -= 1;
                        found.add(expected[place], here, piece);
                    }
                }
                looked_at += page.len() as u64;
                progress.tell(output, || format!("checking: {looked_at} here, {total} in the export"));
            }
            found.missing += left;
            self.keys(app, account, &mut found).await?;
        }
        // Those of accounts without a thought.
        let accounts = app.keyring.list_accounts().await?;
        for account in accounts {
            self.keys(app, account.id, &mut found).await?;
        }
        found.missing += self.keys.len() as u64;
        if found.different + found.missing > 0 {
            bail!("{found}");
        }
        output.remark(format_args!(
            "checked: {} of the export are here with the same contents",
            Everything(&self.counts)
        ));
        if found.changed_since > 0 {
            output.remark(format_args!("but for {}, changed here since", count(found.changed_since, "thought")));
        }
        Ok(())
    }

    /// Looks for the keys of an account.
    async fn keys(&mut self, app: &App, account: AccountId, found: &mut Found) -> anyhow::Result<()> {
        if self.keys.is_empty() {
            return Ok(());
        }
        for (key, hash) in app.store.export_keys(account).await? {
            let Some(expected) = self.keys.remove(&key.id) else { continue };
            let (created_at, revoked_at) = (key.created_at, key.revoked_at);
            let same = NewKey { id: key.id, account, name: key.name, prefix: key.prefix, hash, created_at, revoked_at };
            match self.hashed_key(&same) == expected {
                true => found.same += 1,
                // A revocation is no difference to worry about: nothing opens what was shut.
                false if revoked_at.is_some() => found.same += 1,
                false => found.differs(format!("the key `{}`", same.prefix)),
            }
        }
        Ok(())
    }
}

impl Found {
    fn add(&mut self, expected: Expected, here: Expected, piece: &Piece) {
        match expected.contents == here.contents {
            true => self.same += 1,
            false if here.revision > expected.revision => self.changed_since += 1,
            false => self.differs(match piece.id() {
                PieceId::Thought(thought) => format!("the thought `{thought}`"),
                PieceId::Revision(thought, number) => format!("revision {number} of the thought `{thought}`"),
                PieceId::Note(thought, note) => format!("the note `{note}` of the thought `{thought}`"),
            }),
        }
    }

    fn differs(&mut self, what: String) {
        self.different += 1;
        self.first_different.get_or_insert(what);
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { same, different, missing, first_different, .. } = self;
        write!(
            f,
            "the check found {same} of the export's pieces here as they were exported, {different} with other contents"
        )?;
        if let Some(first) = first_different {
            write!(f, " (the first is {first})")?;
        }
        write!(
            f,
            " and {missing} missing: what was here before is left as it is, so import into an empty store if all of it is to be as in \
             the export"
        )
    }
}

/// Counts as a sentence names them.
struct Everything<'a>(&'a Counts);

impl fmt::Display for Everything<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { keys, thoughts, revisions, notes, .. } = *self.0;
        write!(f, "{}, {}", count(thoughts, "thought"), count(revisions, "revision"))?;
        match keys {
            0 => write!(f, " and {}", count(notes, "note")),
            _ => write!(f, ", {} and {}", count(notes, "note"), count(keys, "key")),
        }
    }
}
