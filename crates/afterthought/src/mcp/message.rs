//! Reads one JSON-RPC 2.0 message from bytes: a pure function that never panics and copies nothing it can borrow.
//!
//! What it hands on is valid JSON of bounded depth; only the members a request is made of have been looked at.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::value::RawValue;

use super::error::Fault;

/// The deepest nesting that is read: what serde_json itself allows where it recurses.
const DEPTH_MAX: usize = 128;

/// One JSON-RPC message a client may send.
#[derive(Debug)]
pub(super) enum Message<'a> {
    /// Wants an answer.
    Request(Request<'a>),
    /// Has no `id` and wants none.
    Notification,
}

/// A JSON-RPC request.
#[derive(Debug)]
pub(super) struct Request<'a> {
    /// The id as it was written, to be echoed byte for byte: an integer or a string.
    pub(super) id: &'a str,
    /// The method asked for.
    pub(super) method: Cow<'a, str>,
    /// The parameters, whatever their shape; `null` counts as absent.
    pub(super) params: Option<&'a RawValue>,
}

/// A message that is no request, with its id where that could be read.
#[derive(Debug)]
pub(super) struct Unreadable<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) fault: Fault,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
}

/// Keeps a `null` apart from an absent member: a null id is a wrong id, no id is a notification.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Reads one message.
pub(super) fn decode(body: &[u8]) -> Result<Message<'_>, Unreadable<'_>> {
    let refuse = |fault| Unreadable { id: None, fault };
    let text = std::str::from_utf8(body).map_err(|_| refuse(Fault::not_json("the body is not UTF-8")))?;
    if too_deep(text) {
        return Err(refuse(Fault::not_json(format!("the body is nested deeper than {DEPTH_MAX} levels"))));
    }
    // Checked first because serde would read an array as the members in their order.
    if !is_object(text) {
        return Err(refuse(match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) if text.trim_start().starts_with('[') => {
                Fault::not_a_request("batches are not supported: send one request object at a time")
            }
            Ok(_) => Fault::not_a_request("the body must be one JSON-RPC request object"),
            Err(error) => Fault::not_json(format!("the body is not JSON: {error}")),
        }));
    }
    let envelope: Envelope<'_> = match serde_json::from_str(text) {
        Ok(envelope) => envelope,
        Err(error) if error.is_data() && serde_json::from_str::<IgnoredAny>(text).is_ok() => {
            return Err(refuse(Fault::not_a_request(format!("the body is not a JSON-RPC request: {error}"))));
        }
        Err(error) => return Err(refuse(Fault::not_json(format!("the body is not JSON: {error}")))),
    };
    envelope.into_message()
}

impl<'a> Envelope<'a> {
    fn into_message(self) -> Result<Message<'a>, Unreadable<'a>> {
        let id = match self.id.map(RawValue::get) {
            None => None,
            Some(id) if is_id(id) => Some(id),
            Some(_) => {
                let fault = Fault::not_a_request("`id` must be an integer or a string");
                return Err(Unreadable { id: None, fault });
            }
        };
        let refuse = |sentence: &'static str| Unreadable { id, fault: Fault::not_a_request(sentence) };
        if self.jsonrpc.and_then(string).as_deref() != Some("2.0") {
            return Err(refuse("`jsonrpc` must be \"2.0\""));
        }
        let Some(method) = self.method.and_then(string) else {
            return Err(refuse("`method` must be a string"));
        };
        Ok(match id {
            Some(id) => Message::Request(Request { id, method, params: self.params }),
            None => Message::Notification,
        })
    }
}

/// The value as a string, if it is one.
pub(super) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    #[serde(transparent)]
    struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);

    serde_json::from_str::<Borrowed<'_>>(raw.get()).ok().map(|Borrowed(text)| text)
}

/// Whether a JSON text is an object.
pub(super) fn is_object(json: &str) -> bool {
    json.trim_start_matches([' ', '\t', '\n', '\r']).starts_with('{')
}

/// Whether a JSON value is an integer of any size, or a string that can be read.
fn is_id(json: &str) -> bool {
    match json.as_bytes() {
        [b'"', ..] => serde_json::from_str::<Cow<'_, str>>(json).is_ok(),
        [b'-', digits @ ..] | digits => digits.iter().all(u8::is_ascii_digit),
    }
}

fn too_deep(text: &str) -> bool {
    let opening = |byte: &u8| matches!(byte, b'[' | b'{');
    // Nearly every message ends here: so few brackets cannot nest too deep, wherever they stand.
    if text.bytes().filter(opening).count() <= DEPTH_MAX {
        return false;
    }
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH_MAX {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::error::FaultKind;
    use super::*;

    fn request(body: &str) -> Request<'_> {
        match decode(body.as_bytes()) {
            Ok(Message::Request(request)) => request,
            other => panic!("{body}: {other:?}"),
        }
    }

    fn refusal(body: &str) -> (Option<&str>, FaultKind) {
        let unreadable = decode(body.as_bytes()).expect_err(body);
        (unreadable.id, unreadable.fault.kind)
    }

    #[test]
    fn an_id_is_kept_as_it_was_written() {
        for id in ["0", "-7", "123456789012345678901234567890", r#""a""#, r#""\u00e9 \n""#, r#""""#] {
            let body = format!(r#"{{"jsonrpc":"2.0", "id" : {id} ,"method":"ping"}}"#);
            assert_eq!(request(&body).id, id);
        }
    }

    #[test]
    fn an_id_of_another_kind_is_refused() {
        for id in ["null", "1.0", "1e3", "true", "{}", "[1]", r#""\ud800""#] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            assert_eq!(refusal(&body), (None, FaultKind::NotARequest), "{id}");
        }
    }

    #[test]
    fn a_message_without_id_is_a_notification() {
        let body = br#"{"jsonrpc":"2.0","method":"tools/call"}"#;
        assert!(matches!(decode(body), Ok(Message::Notification)));
    }

    #[test]
    fn what_is_no_request_is_refused_with_its_id() {
        for (body, id) in [
            (r#"{"id":1,"method":"ping"}"#, Some("1")),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, Some("1")),
            (r#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#, Some("1")),
            (r#"{"jsonrpc":"2.0","id":"x"}"#, Some(r#""x""#)),
            (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, Some("1")),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Some("1")),
            (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, None),
            (r#"["2.0",1,"ping"]"#, None),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, None),
            ("[]", None),
            (r#""ping""#, None),
            ("null", None),
        ] {
            assert_eq!(refusal(body), (id, FaultKind::NotARequest), "{body}");
        }
    }

    #[test]
    fn what_is_not_json_is_refused_as_such() {
        for body in ["", " ", "{", "[1,", "{]", "nope", r#"{"a":1,}"#, r#"{"id":1,"id":2"#, "{} {}", "\u{feff}{}"] {
            assert_eq!(refusal(body).1, FaultKind::NotJson, "{body}");
        }
        assert_eq!(decode(b"{\"a\":\"\xff\"}").expect_err("not UTF-8").fault.kind, FaultKind::NotJson);
    }

    #[test]
    fn nesting_is_bounded_and_brackets_in_strings_do_not_nest() {
        let nested = |levels: usize| {
            let (open, close) = ("[".repeat(levels), "]".repeat(levels));
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{open}{close}}}"#)
        };
        assert_eq!(request(&nested(DEPTH_MAX - 1)).id, "1");
        assert_eq!(refusal(&nested(DEPTH_MAX)).1, FaultKind::NotJson);
        assert_eq!(refusal(&nested(100_000)).1, FaultKind::NotJson);
        let flat = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":"\"{}"}}"#, "[".repeat(500));
        assert_eq!(request(&flat).id, "1");
    }

    #[test]
    fn null_params_are_absent_params() {
        assert!(request(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#).params.is_none());
    }

    #[test]
    fn an_escaped_method_is_read() {
        assert_eq!(request(r#"{"jsonrpc":"2.0","id":1,"method":"tools\/list"}"#).method, "tools/list");
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(body in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&body);
        }

        #[test]
        fn no_text_of_json_characters_makes_it_panic(body in r#"[\[\]{}:,"\\0-9a-zu.\-+ ]{0,80}"#) {
            let _ = decode(body.as_bytes());
        }

        #[test]
        fn no_cut_or_changed_request_makes_it_panic(at in 0_usize..90, byte in any::<u8>()) {
            let mut body = br#"{"jsonrpc":"2.0","id":"a\u00e9","method":"tools/call","params":{"name":"x","y":[1.5]}}"#.to_vec();
            let at = at.min(body.len() - 1);
            let _ = decode(&body[..at]);
            body[at] = byte;
            let _ = decode(&body);
        }

        #[test]
        fn every_integer_is_an_id(id in any::<i128>()) {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            prop_assert_eq!(request(&body).id, id.to_string());
        }
    }
}
