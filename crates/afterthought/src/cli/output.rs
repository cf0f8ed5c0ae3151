//! Where a command writes: what was asked for to standard output, everything else to standard error.
//!
//! A reader that goes away, as `head` does, is no failure: the command stops and nothing is said.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};

/// The two streams of a command.
pub(super) struct Output {
    results: Box<dyn Write>,
    remarks: Box<dyn Write>,
}

/// Whoever read the results has gone.
#[derive(Debug, thiserror::Error)]
#[error("the reader of standard output has gone")]
pub(super) struct ReaderGone;

impl Output {
    /// Standard output and standard error of this process.
    pub(super) fn standard() -> Self {
        Self { results: Box::new(BufWriter::new(io::stdout())), remarks: Box::new(io::stderr()) }
    }

    /// Writes a line of what was asked for; it may stay in a buffer until [`flush`](Self::flush).
    pub(super) fn result(&mut self, line: impl Display) -> anyhow::Result<()> {
        writeln!(self.results, "{line}").map_err(explain)
    }

    /// Hands over everything written so far.
    pub(super) fn flush(&mut self) -> anyhow::Result<()> {
        self.results.flush().map_err(explain)
    }

    /// Writes a line about what was done.
    pub(super) fn remark(&mut self, line: impl Display) {
        // Nobody can be told that standard error does not work.
        let _ = writeln!(self.remarks, "{line}");
    }

    /// Puts a line in the place of the one written so before, on a terminal.
    pub(super) fn rewrite(&mut self, line: &str) {
        let _ = write!(self.remarks, "\r\u{1b}[2K{line}").and_then(|()| self.remarks.flush());
    }

    /// The stream for results, for those who write more than lines.
    pub(super) fn results(&mut self) -> &mut dyn Write {
        &mut self.results
    }
}

/// Says what to do about a failed write to standard output.
pub(super) fn explain(error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => ReaderGone.into(),
        _ => anyhow::anyhow!("cannot write to standard output: {error}; send it somewhere that has room for it"),
    }
}

/// A number of things in words.
pub(super) fn count(number: u64, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// Lays out rows in columns, two spaces apart, without trailing spaces.
pub(super) fn table<const N: usize>(header: [&str; N], rows: &[[String; N]]) -> String {
    let mut widths = header.map(|title| title.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: [&str; N]| {
        let padded = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(header)];
    lines.extend(rows.iter().map(|row| line(row.each_ref().map(String::as_str))));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Closed(io::ErrorKind);

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    fn output(kind: io::ErrorKind) -> Output {
        Output { results: Box::new(Closed(kind)), remarks: Box::new(Closed(kind)) }
    }

    #[test]
    fn a_reader_that_goes_away_is_told_apart_from_a_failure() {
        let gone = output(io::ErrorKind::BrokenPipe).result("x").unwrap_err();
        assert!(gone.is::<ReaderGone>());
        let full = output(io::ErrorKind::StorageFull).result("x").unwrap_err();
        assert!(!full.is::<ReaderGone>());
    }

    #[test]
    fn a_remark_that_cannot_be_written_is_let_go() {
        output(io::ErrorKind::BrokenPipe).remark("x");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["größer".to_owned(), "1".to_owned()], ["a".to_owned(), "12".to_owned()]];
        assert_eq!(table(["NAME", "N"], &rows), "NAME    N\ngrößer  1\na       12");
    }
}
