//! Which of the two formats a client wants, and whether what it sends is JSON: pure functions of header values.

use hyper::HeaderMap;
use hyper::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE};

use super::refusal::Refusal;
use super::reply::Format;

/// The format the client wants most; JSON where it does not care. A wildcard names what it covers.
pub(super) fn format(headers: &HeaderMap) -> Result<Format, Refusal> {
    let lines = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    preferred(lines).ok_or(Refusal::NotAcceptable)
}

fn preferred<'a>(lines: impl Iterator<Item = &'a str>) -> Option<Format> {
    let (mut json, mut events) = (Preference::default(), Preference::default());
    for range in lines.flat_map(|line| line.split(',')) {
        let mut parts = range.split(';').map(str::trim);
        let media_type = parts.next().unwrap_or_default();
        let quality = parts.find_map(quality).unwrap_or(QUALITY_MAX);
        json.hear(media_type, ["application/json", "application/*", "*/*"], quality);
        events.hear(media_type, ["text/event-stream", "text/*", "*/*"], quality);
    }
    match (json.quality, events.quality) {
        (0, 0) => None,
        (json, events) if json >= events => Some(Format::Json),
        _ => Some(Format::EventStream),
    }
}

/// Thousandths, since a quality value has three decimals.
const QUALITY_MAX: u16 = 1000;

/// How much a format is wanted, by the most specific range that covers it.
#[derive(Debug, Default)]
struct Preference {
    specificity: usize,
    quality: u16,
}

impl Preference {
    fn hear(&mut self, media_type: &str, covering: [&str; 3], quality: u16) {
        let Some(position) = covering.iter().position(|range| media_type.eq_ignore_ascii_case(range)) else { return };
        let specificity = covering.len() - position;
        if specificity > self.specificity {
            *self = Self { specificity, quality };
        } else if specificity == self.specificity {
            self.quality = self.quality.max(quality);
        }
    }
}

/// The value of a `q` parameter in thousandths. One that is no number counts as not given.
fn quality(parameter: &str) -> Option<u16> {
    let (name, value) = parameter.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let value: f32 = value.trim().parse().ok()?;
    (0.0..=1.0).contains(&value).then(|| (value * f32::from(QUALITY_MAX)).round() as u16)
}

/// Checks that the body is uncompressed JSON in UTF-8, as far as the headers say.
pub(super) fn check_content(headers: &HeaderMap) -> Result<(), Refusal> {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let content_type = types.next().and_then(|value| value.to_str().ok());
    if types.next().is_some() || !content_type.is_some_and(is_json) {
        return Err(Refusal::ContentType);
    }
    let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
    if encodings.any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(Refusal::ContentEncoding);
    }
    Ok(())
}

fn is_json(content_type: &str) -> bool {
    let mut parts = content_type.split(';').map(str::trim);
    let media_type = parts.next().unwrap_or_default();
    let utf8 = |parameter: &str| match parameter.split_once('=') {
        Some((name, value)) if name.eq_ignore_ascii_case("charset") => {
            let value = value.trim_matches('"');
            value.eq_ignore_ascii_case("utf-8") || value.eq_ignore_ascii_case("utf8")
        }
        _ => true,
    };
    media_type.eq_ignore_ascii_case("application/json") && parts.all(utf8)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn accepted(line: &str) -> Option<Format> {
        preferred([line].into_iter())
    }

    #[test]
    fn the_named_format_is_taken_and_json_where_both_are() {
        assert_eq!(accepted("application/json"), Some(Format::Json));
        assert_eq!(accepted("text/event-stream"), Some(Format::EventStream));
        assert_eq!(accepted("text/event-stream, application/json"), Some(Format::Json));
        assert_eq!(accepted("Application/JSON; charset=utf-8"), Some(Format::Json));
    }

    #[test]
    fn quality_values_decide() {
        for (line, format) in [
            ("application/json;q=0.5, text/event-stream", Some(Format::EventStream)),
            ("application/json;q=0.5, text/event-stream; q=0.5", Some(Format::Json)),
            ("application/json; Q = 0.4 , text/event-stream;q=0.5", Some(Format::EventStream)),
            ("application/json;q=0, text/event-stream;q=0.001", Some(Format::EventStream)),
            ("application/json;q=0", None),
            ("application/json;q=abc", Some(Format::Json)),
        ] {
            assert_eq!(accepted(line), format, "{line}");
        }
    }

    #[test]
    fn wildcards_name_what_they_cover_and_yield_to_what_is_named() {
        for (line, format) in [
            ("*/*", Some(Format::Json)),
            ("application/*", Some(Format::Json)),
            ("text/*", Some(Format::EventStream)),
            ("text/event-stream, */*;q=0.1", Some(Format::EventStream)),
            ("*/*, application/json;q=0", Some(Format::EventStream)),
            ("*/*;q=0", None),
        ] {
            assert_eq!(accepted(line), format, "{line}");
        }
    }

    #[test]
    fn neither_format_named_is_not_acceptable() {
        for line in ["", "text/html", "application/jsonx", "json", ";q=1", ",,,"] {
            assert_eq!(accepted(line), None, "{line}");
        }
        assert_eq!(preferred([].into_iter()), None);
    }

    #[test]
    fn several_lines_are_one_list() {
        assert_eq!(preferred(["text/html", "text/event-stream"].into_iter()), Some(Format::EventStream));
    }

    #[test]
    fn json_is_recognised_by_its_type_and_charset() {
        for good in ["application/json", "APPLICATION/json", "application/json; charset=\"UTF-8\""] {
            assert!(is_json(good), "{good}");
        }
        for bad in ["", "text/plain", "application/jsonp", "application/json; charset=latin1", "application/ld+json"] {
            assert!(!is_json(bad), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn the_order_of_ranges_does_not_matter(mut ranges in prop::collection::vec(
            prop::sample::select(vec!["application/json", "text/event-stream;q=0.7", "*/*;q=0.3", "text/*", "a/b"]), 0..5)) {
            let forth = accepted(&ranges.join(", "));
            ranges.reverse();
            prop_assert_eq!(forth, accepted(&ranges.join(",")));
        }
    }
}
