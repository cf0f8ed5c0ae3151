//! The elements of JSON arrays one by one, however long the arrays are.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufReader, ErrorKind, Read};
use std::rc::Rc;

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::source::ReadError;

/// A single element longer than this is no record of anything.
const ELEMENT_BYTES_MAX: u64 = 32 << 20;

/// The key under which the elements of an array that is the whole document are told.
pub(crate) const WHOLE: &str = "";

/// How far a document could be read.
pub(crate) enum Outcome {
    /// To its end.
    Whole,
    /// Up to here: the rest of it is no JSON.
    Damaged(String),
}

/// Tells each element of the arrays under these keys of an object, or of the array that the document is: the key, the number from
/// 1 on, and the element. `false` from `each` ends the reading.
pub(crate) fn elements(
    reader: impl Read,
    keys: &[&str],
    mut each: impl FnMut(&str, usize, &RawValue) -> bool,
) -> Result<Outcome, ReadError> {
    let since = Rc::new(Cell::new(0));
    let reader = BufReader::with_capacity(1 << 16, Metered { inner: reader, since: Rc::clone(&since) });
    let mut ended = false;
    let mut tell = |key: &str, number: usize, element: &RawValue| {
        since.set(0);
        ended = !each(key, number, element);
        !ended
    };
    let mut document = serde_json::Deserializer::from_reader(reader);
    let read = Document { keys, tell: &mut tell }.deserialize(&mut document).and_then(|()| document.end());
    match read {
        Ok(()) => Ok(Outcome::Whole),
        Err(_) if ended => Err(ReadError::Ended),
        Err(error) if error.io_error_kind() == Some(ErrorKind::QuotaExceeded) => {
            Err(ReadError::Refused("the archive".to_owned(), io::Error::from(error).to_string()))
        }
        Err(error) => Ok(Outcome::Damaged(error.to_string())),
    }
}

/// A whole document that is no longer than an element may be.
pub(crate) fn document<T: DeserializeOwned>(reader: impl Read) -> Result<T, String> {
    let reader = BufReader::new(Metered { inner: reader, since: Rc::default() });
    serde_json::from_reader(reader).map_err(|error| error.to_string())
}

type Tell<'a> = &'a mut dyn FnMut(&str, usize, &RawValue) -> bool;

struct Document<'a> {
    keys: &'a [&'a str],
    tell: Tell<'a>,
}

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<(), A::Error> {
        Array { key: WHOLE, tell: self.tell }.visit_seq(sequence)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match self.keys.contains(&key.as_str()) {
                true => map.next_value_seed(Array { key: &key, tell: &mut *self.tell })?,
                false => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

struct Array<'a> {
    key: &'a str,
    tell: Tell<'a>,
}

impl<'de> DeserializeSeed<'de> for Array<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Array<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array in `{}`", self.key)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<(), A::Error> {
        for number in 1.. {
            let Some(element) = sequence.next_element::<Box<RawValue>>()? else { break };
            if !(self.tell)(self.key, number, &element) {
                return Err(A::Error::custom("ended"));
            }
        }
        Ok(())
    }
}

/// Ends in an error once more is read without a pause than an element may have.
struct Metered<R> {
    inner: R,
    since: Rc<Cell<u64>>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.since.set(self.since.get() + read as u64);
        match self.since.get() > ELEMENT_BYTES_MAX {
            true => Err(io::Error::new(ErrorKind::InvalidData, "a single record is longer than 32 MiB")),
            false => Ok(read),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(document: &str, keys: &[&str]) -> (Vec<String>, bool) {
        let mut told = Vec::new();
        let outcome = elements(document.as_bytes(), keys, |key, number, element| {
            told.push(format!("{key}{number}={element}"));
            true
        });
        (told, matches!(outcome, Ok(Outcome::Whole)))
    }

    #[test]
    fn elements_are_told_wherever_they_are() {
        assert_eq!(told(r#"[1,{"a":2}]"#, &[]), (vec!["1=1".into(), r#"2={"a":2}"#.into()], true));
        let object = r#"{"x":[0],"apps":[1],"memories":[2,3]}"#;
        assert_eq!(told(object, &["apps", "memories"]).0, ["apps1=1", "memories1=2", "memories2=3"]);
    }

    #[test]
    fn what_comes_before_the_damage_is_told() {
        for damaged in ["[1,2,", "[1,2,}", "[1,2] x", r#"{"memories":[1,2"#] {
            let (told, whole) = told(damaged, &["memories"]);
            assert_eq!((told.len(), whole), (2, false), "{damaged}");
        }
    }

    #[test]
    fn a_single_element_without_end_is_not_taken_into_memory() {
        let endless = io::Read::chain(&b"[1,\""[..], io::repeat(b'x').take(100 << 20));
        let mut count = 0;
        let outcome = elements(endless, &[], |_, _, _| {
            count += 1;
            true
        });
        let Ok(Outcome::Damaged(reason)) = outcome else { panic!("taken in") };
        assert!(count == 1 && reason.contains("32 MiB"), "{reason}");
    }

    #[test]
    fn reading_ends_when_enough_was_heard() {
        assert!(matches!(elements(&b"[1,2,3]"[..], &[], |_, number, _| number < 2), Err(ReadError::Ended)));
    }
}
