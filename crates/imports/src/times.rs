//! Times as others write them: ISO-8601, or seconds or milliseconds since 1970.

use std::time::{SystemTime, UNIX_EPOCH};

use model::Time;
use serde_json::Value;

/// Seconds beyond this are milliseconds: it is the year 5138.
const SECONDS_MAX: f64 = 1e11;

/// A time given as a text or a number; `None` if it is none.
pub(crate) fn time(value: Option<&Value>) -> Option<Time> {
    match value? {
        Value::String(text) => written(text),
        Value::Number(number) => from_seconds(number.as_f64()?),
        _ => None,
    }
}

/// A time given as a text, with a space or a `T` before the hours.
pub(crate) fn written(text: &str) -> Option<Time> {
    let text = text.trim().trim_matches(['"', '\'']);
    text.parse().ok().or_else(|| from_seconds(text.parse().ok()?))
}

fn from_seconds(number: f64) -> Option<Time> {
    let seconds = if number.abs() > SECONDS_MAX { number / 1e3 } else { number };
    let micros = (seconds * 1e6).round();
    let shown = Time::FIRST.as_micros() as f64..=Time::LAST.as_micros() as f64;
    shown.contains(&micros).then(|| Time::from_micros(micros as i64))
}

/// When a file was changed last.
pub(crate) fn of_file(modified: std::io::Result<SystemTime>) -> Time {
    let since = modified.ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    Time::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX).min(Time::LAST.as_micros()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_however_they_are_written() {
        let at = Some(Time::from_micros(1_772_357_400_500_000));
        for value in [
            Value::from(1_772_357_400.5),
            Value::from(1_772_357_400_500_u64),
            Value::from("2026-03-01T09:30:00.5Z"),
            Value::from("2026-03-01 09:30:00.5"),
            Value::from("2026-03-01T02:30:00.500000-07:00"),
            Value::from("1772357400.5"),
        ] {
            assert_eq!(time(Some(&value)), at, "{value}");
        }
        for value in [Value::Null, Value::from("soon"), Value::from(1e300), Value::from(true)] {
            assert_eq!(time(Some(&value)), None, "{value}");
        }
    }
}
