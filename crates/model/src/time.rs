//! A moment in UTC, to the microsecond.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// A moment in UTC with microsecond precision; prints as RFC 3339 with six decimals and `Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

/// The text is not an ISO-8601 time within the years 1 to 9999.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an ISO-8601 time from 0001-01-01 to 9999-12-30: expected for example 2026-03-01T09:30:00Z, 2026-03-01T10:30:00+01:00 or 2026-03-01"
)]
pub struct TimeError(String);

impl Time {
    /// The first moment that can be shown: RFC 3339 has no sign for the year.
    pub const FIRST: Self = Self(-62_135_596_800_000_000);

    /// The last moment that can be shown: 9999-12-30T22:00:00Z. What follows is the year 10,000 in some zone.
    pub const LAST: Self = Self(253_402_207_200_000_000);

    /// The moment this many microseconds after the start of 1970.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the start of 1970, as stored.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// The moment `duration` later.
    pub fn after(self, duration: Duration) -> Self {
        let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(micros))
    }

    /// The time as it is shown, without the fractions of its second.
    pub fn to_the_second(self) -> String {
        let shown = self.to_string();
        let end = shown.find('.').unwrap_or(shown.len());
        format!("{}Z", shown[..end].trim_end_matches('Z'))
    }

    /// The present moment by the system's clock.
    pub(super) fn system_now() -> Self {
        Self(Timestamp::now().as_microsecond())
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Others are not let in; should one be stored all the same, it must not take down whoever shows it.
        let moment = Timestamp::from_microsecond(self.0.clamp(Self::FIRST.0, Self::LAST.0));
        write!(f, "{:.6}", moment.unwrap_or_default())
    }
}

impl FromStr for Time {
    type Err = TimeError;

    /// Reads a time with an offset or `Z`; without either it is taken as UTC, and a bare date as its midnight in UTC.
    fn from_str(text: &str) -> Result<Self, TimeError> {
        let text = text.trim();
        let refuse = || TimeError(text.chars().take(60).collect());
        let moment = match text.parse::<Timestamp>() {
            Ok(moment) => moment,
            Err(_) => {
                let civil = match text.parse::<DateTime>() {
                    Ok(civil) => civil,
                    Err(_) => text.parse::<Date>().map_err(|_| refuse())?.to_datetime(jiff::civil::Time::midnight()),
                };
                civil.to_zoned(TimeZone::UTC).map_err(|_| refuse())?.timestamp()
            }
        };
        let time = Self(moment.as_microsecond());
        if time < Self::FIRST || time > Self::LAST {
            return Err(refuse());
        }
        Ok(time)
    }
}

impl serde::Serialize for Time {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Time {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_prints_in_utc_with_microseconds() {
        let time: Time = "2026-03-01T10:30:00.5+01:00".parse().unwrap();
        assert_eq!(time.to_string(), "2026-03-01T09:30:00.500000Z");
    }

    #[test]
    fn a_time_is_shown_to_the_second() {
        let time: Time = "2026-03-01T10:30:00.5+01:00".parse().unwrap();
        assert_eq!(time.to_the_second(), "2026-03-01T09:30:00Z");
    }

    #[test]
    fn a_time_without_offset_is_utc_and_a_date_is_its_midnight() {
        assert_eq!("2026-03-01T09:30".parse::<Time>().unwrap().to_string(), "2026-03-01T09:30:00.000000Z");
        assert_eq!("2026-03-01".parse::<Time>().unwrap().to_string(), "2026-03-01T00:00:00.000000Z");
    }

    #[test]
    fn a_printed_time_is_read_back_the_same() {
        let time = Time::from_micros(1_772_357_400_123_456);
        assert_eq!(time.to_string().parse::<Time>(), Ok(time));
    }

    #[test]
    fn whatever_is_stored_can_be_shown() {
        for micros in [i64::MIN, Time::FIRST.0, 0, Time::LAST.0, Time::LAST.0 + 500_000, i64::MAX] {
            let shown = Time::from_micros(micros).to_string();
            assert_eq!(shown.parse::<Time>().unwrap().to_string(), shown, "{micros}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "yesterday",
            "2026-13-01",
            "2026-02-30T00:00:00Z",
            "1772357400",
            "-000001-01-01T00:00:00Z",
            "9999-12-30T22:00:00.5Z",
        ] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
    }
}
