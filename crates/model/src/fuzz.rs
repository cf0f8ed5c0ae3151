//! Times nobody would write: each is refused or can be shown and read again.

use fuzz::Target;

use super::Time;

#[test]
fn any_time_is_refused_or_read_back_as_shown() {
    Target::new("times", &["times"]).words(&["T", "Z", "+00:00", "-25:59", "[UTC]", "W", ".9999999", "60"]).try_text(
        |text| {
            let micros: i64 = text.trim().parse().unwrap_or_default();
            let shown = Time::from_micros(micros).to_string();
            assert_eq!(shown.parse::<Time>().map(|time| time.to_string()), Ok(shown));
            let time = text.parse::<Time>().ok()?;
            assert!(Time::FIRST <= time && time <= Time::LAST);
            assert_eq!(time.to_string().parse(), Ok(time));
            Some((time == Time::FIRST, time == Time::LAST, text.len()))
        },
    );
}
