//! JSON Lines, each line for itself.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use crate::source::ReadError;

/// A longer line is no record of anything.
const LINE_BYTES_MAX: u64 = 16 << 20;

/// Tells each line that is not blank, with its number; `None` for one that is too long or not UTF-8.
pub(crate) fn lines(
    reader: impl Read,
    mut each: impl FnMut(usize, Option<&str>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let mut reader = BufReader::with_capacity(1 << 16, reader);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        match (&mut reader).take(LINE_BYTES_MAX + 1).read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return failed(error, number, each),
        }
        if line.len() as u64 > LINE_BYTES_MAX && line.last() != Some(&b'\n') {
            each(number, None)?;
            match reader.skip_until(b'\n') {
                Ok(_) => continue,
                Err(error) => return failed(error, number, each),
            }
        }
        match std::str::from_utf8(&line) {
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => each(number, Some(text.trim().trim_start_matches('\u{feff}')))?,
            Err(_) => each(number, None)?,
        }
    }
    Ok(())
}

/// An archive that unpacks to too much is refused; one that is damaged ends here.
fn failed(
    error: io::Error,
    number: usize,
    mut each: impl FnMut(usize, Option<&str>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    match error.kind() {
        ErrorKind::QuotaExceeded => Err(ReadError::Refused("the archive".to_owned(), error.to_string())),
        _ => each(number, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_cannot_be_read_does_not_stop_the_rest() {
        let long = vec![b'x'; (17 << 20) as usize];
        let input = [&b"one\n\n\xff\n"[..], &long, b"\ntwo"].concat();
        let mut told = Vec::new();
        lines(&input[..], |number, line| {
            told.push((number, line.map(str::to_owned)));
            Ok(())
        })
        .unwrap();
        let lines = [(1, Some("one".to_owned())), (3, None), (4, None), (5, Some("two".to_owned()))];
        assert_eq!(told, lines);
    }
}
