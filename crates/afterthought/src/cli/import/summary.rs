//! What an import did, in words.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::cli::output::{Output, count};

/// How many broken records are named one by one.
const NAMED_MAX: u64 = 100;

/// What an import did.
#[derive(Debug, Default)]
pub(super) struct Summary {
    pub(super) imported: u64,
    pub(super) known: u64,
    left_out: BTreeMap<&'static str, u64>,
    not_kept: BTreeMap<&'static str, u64>,
    broken: u64,
}

impl Summary {
    pub(super) fn new(imported: u64, known: u64) -> Self {
        Self { imported, known, ..Self::default() }
    }

    pub(super) fn left_out(&mut self, what: &'static str, number: u64) {
        *self.left_out.entry(what).or_default() += number;
    }

    pub(super) fn not_kept(&mut self, what: &'static str) {
        *self.not_kept.entry(what).or_default() += 1;
    }

    /// Counts a record that could not be read, and names it.
    pub(super) fn broken(&mut self, place: &str, reason: &str, output: &mut Output) {
        self.broken += 1;
        self.left_out("broken record", 1);
        match self.broken {
            ..=NAMED_MAX => output.remark(format_args!("{place}: {reason}; it is left out")),
            _ if self.broken == NAMED_MAX + 1 => output.remark("there are more broken records"),
            _ => {}
        }
    }

    /// Says what was left out, by kind, and in the last line how much came in, and by which batch it can be undone.
    pub(super) fn tell(&self, batch: Option<Uuid>, output: &mut Output) -> anyhow::Result<()> {
        for (what, number) in &self.not_kept {
            output.result(format_args!("without: {}", counted(*number, what)))?;
        }
        for (what, number) in &self.left_out {
            output.result(format_args!("left out: {}", counted(*number, what)))?;
        }
        let Self { imported, known, .. } = self;
        let left_out: u64 = self.left_out.values().sum();
        let batch = batch.map_or_else(|| "none, nothing is stored in a dry run".to_owned(), |id| id.to_string());
        output.result(format_args!("imported {imported}, known {known}, left out {left_out}; batch {batch}"))
    }
}

/// The plural stands at the noun, which may not be the last word: "2 files that are no text" is not worth the grammar.
fn counted(number: u64, what: &str) -> String {
    match what.contains(' ') {
        true => format!("{number} × {what}"),
        false => count(number, what),
    }
}
