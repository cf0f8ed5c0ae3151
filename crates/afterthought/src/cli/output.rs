//! Where a command writes: what was asked for to standard output, everything else to standard error.
//!
//! A reader that goes away, as `head` does, is no failure: the command stops and nothing is said. Whatever is written, a terminal
//! shows it and obeys nothing in it: names and messages may quote what somebody else wrote.

use std::borrow::Cow;
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
        writeln!(self.results, "{}", shown(&line.to_string())).map_err(explain)
    }

    /// Writes several lines of what was asked for.
    pub(super) fn result_lines(&mut self, lines: impl Display) -> anyhow::Result<()> {
        lines.to_string().split('\n').try_for_each(|line| self.result(line))
    }

    /// Hands over everything written so far.
    pub(super) fn flush(&mut self) -> anyhow::Result<()> {
        self.results.flush().map_err(explain)
    }

    /// Writes a line about what was done.
    pub(super) fn remark(&mut self, line: impl Display) {
        // Nobody can be told that standard error does not work.
        let _ = writeln!(self.remarks, "{}", shown(&line.to_string()));
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

/// A text on one line in which every character is seen: what would move the cursor, change colours or turn the direction of
/// writing is written as JSON does.
fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unseen) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match is_unseen(character) {
            true => shown.push_str(&format!("\\u{:04x}", u32::from(character))),
            false => shown.push(character),
        }
    }
    shown.into()
}

pub(super) fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
    let rows: Vec<_> = rows.iter().map(|row| row.each_ref().map(|cell| shown(cell))).collect();
    let mut widths = header.map(|title| title.chars().count());
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: [&str; N]| {
        let padded = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(header)];
    lines.extend(rows.iter().map(|row| line(row.each_ref().map(AsRef::as_ref))));
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
    fn nothing_that_is_written_moves_a_terminal() {
        assert_eq!(shown("größer 茶 🍵 ~"), "größer 茶 🍵 ~");
        let hostile = "a\u{1b}[2J\r\n\t\u{7f}\u{9b}2J\u{202e}\u{2066}b";
        assert_eq!(shown(hostile), r"a\u001b[2J\u000d\u000a\u0009\u007f\u009b2J\u202e\u2066b");
        let rows = [[hostile.to_owned()], ["c".to_owned()]];
        assert_eq!(table(["NAME"], &rows).lines().count(), 3);
        let json = format!("\"{}\"", shown("\u{9b}\u{202e}"));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "\u{9b}\u{202e}", "what is JSON stays JSON");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["größer".to_owned(), "1".to_owned()], ["a".to_owned(), "12".to_owned()]];
        assert_eq!(table(["NAME", "N"], &rows), "NAME    N\ngrößer  1\na       12");
    }
}
