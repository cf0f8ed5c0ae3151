//! The part of an address after the `?`: names and values, each name once.

use std::fmt::Display;
use std::str::FromStr;

use percent_encoding::percent_decode_str;

use super::fault::Fault;

/// What an address asks for, by name. A value that is empty counts as not given.
#[derive(Debug, Default)]
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    /// Reads names and values; one that is not among the names is refused.
    pub(super) fn parse(text: &str, names: &[&str]) -> Result<Self, Fault> {
        let mut values: Vec<(String, String)> = Vec::new();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (decoded(&name.replace('+', " "))?, decoded(&value.replace('+', " "))?);
            if !names.contains(&name.as_str()) {
                return Err(Fault::Unreadable(format!("there is no `{name}` here: {}", one_of(names))));
            }
            if values.iter().any(|(known, _)| *known == name) {
                return Err(Fault::Unreadable(format!("`{name}` is given twice: give it once")));
            }
            values.push((name, value));
        }
        values.retain(|(_, value)| !value.is_empty());
        Ok(Self(values))
    }

    /// The value of a name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The value of a name, read as what it should be.
    pub(super) fn read<T: FromStr<Err: Display>>(&self, name: &str) -> Result<Option<T>, Fault> {
        let value = self.get(name).map(str::parse).transpose();
        value.map_err(|error: T::Err| Fault::Unreadable(format!("`{name}`: {error}")))
    }

    /// A number within limits; `default` where none is given.
    pub(super) fn limit(&self, default: usize, most: usize) -> Result<usize, Fault> {
        match self.read::<usize>("limit")? {
            Some(limit) if !(1..=most).contains(&limit) => {
                Err(Fault::Unreadable(format!("`limit` is a number from 1 to {most}")))
            }
            limit => Ok(limit.unwrap_or(default)),
        }
    }
}

/// A part of an address as it was before it was encoded.
pub(super) fn decoded(text: &str) -> Result<String, Fault> {
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map(Into::into).map_err(|_| Fault::Unreadable("the address is no UTF-8 text".to_owned()))
}

fn one_of(names: &[&str]) -> String {
    match names {
        [] => "this address takes nothing after `?`".to_owned(),
        names => format!("known are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(query: Result<Query, Fault>) -> String {
        match query {
            Err(Fault::Unreadable(message)) => message,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn values_are_decoded() {
        let query =
            Query::parse("q=caf%C3%A9+au%20lait&entity=person%3Aana&status=", &["q", "entity", "status"]).unwrap();
        assert_eq!((query.get("q"), query.get("entity")), (Some("café au lait"), Some("person:ana")));
        assert_eq!((query.get("status"), query.get("x")), (None, None));
    }

    #[test]
    fn what_cannot_be_meant_is_refused_by_name() {
        assert!(message(Query::parse("colour=red", &["q"])).contains("`colour`"));
        assert!(message(Query::parse("q=1&q=2", &["q"])).contains("twice"));
        assert!(message(Query::parse("q=%ff", &["q"])).contains("UTF-8"));
        assert!(message(Query::parse("x", &[])).contains("nothing"));
        let query = Query::parse("limit=0", &["limit"]).unwrap();
        assert!(matches!(query.limit(30, 100), Err(Fault::Unreadable(_))));
        let query = Query::parse("limit=101", &["limit"]).unwrap();
        assert!(matches!(query.limit(30, 100), Err(Fault::Unreadable(_))));
        assert_eq!(Query::default().limit(30, 100).unwrap(), 30);
    }
}
