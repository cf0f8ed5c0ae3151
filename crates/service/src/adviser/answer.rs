//! Reads the answer of a language model, whatever it wraps around it.
//!
//! Models think aloud, fence their JSON or add a sentence. The one object in the reply counts; two that differ are none.

use serde_json::{Map, Value};

use model::Status;

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A new text, a new status or both.
    Change {
        /// The whole new text.
        text: Option<String>,
        /// The new status.
        status: Option<Status>,
    },
    /// Why nothing can be changed.
    Refusal(String),
}

/// How much of a model's reason is passed on, in characters.
const REASON_CHARS_MAX: usize = 200;

/// The answer in `reply`, or why there is none.
pub(super) fn read(reply: &str) -> Result<Answer, &'static str> {
    // What a model thinks aloud may hold drafts of its answer.
    let reply = reply.rsplit_once("</think>").map_or(reply, |(_, said)| said);
    let mut answers = objects(reply).filter(|object| FIELDS.iter().any(|field| object.contains_key(*field)));
    let object = answers.next().ok_or("it is not the JSON object that was asked for")?;
    if answers.any(|other| other != object) {
        return Err("it holds more than one answer");
    }
    let text_of = |field: &str| match object.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone()).filter(|text| !text.is_empty())),
        Some(_) => Err("one of its fields is of the wrong kind"),
    };
    if let Some(reason) = text_of("refusal")? {
        return Ok(Answer::Refusal(shortened(&reason)));
    }
    let status = match text_of("status")? {
        None => None,
        Some(word) => Some(word.parse().map_err(|_| "it names a status that does not exist")?),
    };
    Ok(Answer::Change { text: text_of("text")?, status })
}

const FIELDS: [&str; 3] = ["text", "status", "refusal"];

/// How many braces are tried as the opening of an object. Each may lead through as many levels as are read at all, so that a reply of
/// braces alone would take seconds.
const TRIES_MAX: usize = 200;

/// The outermost JSON objects in a text, in order.
fn objects(text: &str) -> impl Iterator<Item = Map<String, Value>> {
    let (mut at, mut tries) = (0, 0..TRIES_MAX);
    std::iter::from_fn(move || {
        loop {
            at += text[at..].find('{')?;
            tries.next()?;
            let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Map<String, Value>>();
            let object = values.next();
            match object {
                Some(Ok(object)) => {
                    at += values.byte_offset();
                    return Some(object);
                }
                _ => at += 1,
            }
        }
    })
}

/// One line of a reason, as much as a message has room for.
fn shortened(reason: &str) -> String {
    let line: String = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.trim_end_matches('.');
    match line.char_indices().nth(REASON_CHARS_MAX) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(text: Option<&str>, status: Option<Status>) -> Result<Answer, &'static str> {
        Ok(Answer::Change { text: text.map(str::to_owned), status })
    }

    #[test]
    fn the_object_is_found_in_whatever_surrounds_it() {
        let object = r#"{"text": "Buy {oat} milk", "status": null, "refusal": null}"#;
        for reply in [
            object.to_owned(),
            format!("```json\n{object}\n```"),
            format!("Here is the result:\n\n{object}\nAnything else?"),
            format!("<think>Perhaps {{\"text\": \"Buy milk\"}}?</think>\n{object}"),
            format!("{object}\n{object}"),
            format!("The set {{a, b}} aside: {object}"),
        ] {
            assert_eq!(read(&reply), change(Some("Buy {oat} milk"), None), "{reply}");
        }
    }

    #[test]
    fn a_status_may_come_alone_or_with_a_text() {
        assert_eq!(read(r#"{"status": "completed"}"#), change(None, Some(Status::Completed)));
        assert_eq!(read(r#"{"text": "", "status": "archived"}"#), change(None, Some(Status::Archived)));
        assert_eq!(read(r#"{"text": "tea", "status": "open"}"#), change(Some("tea"), Some(Status::Open)));
    }

    #[test]
    fn a_refusal_counts_whatever_else_is_said() {
        let refusal = read(r#"{"text": "tea", "refusal": "The note\nnames no date."}"#);
        assert_eq!(refusal, Ok(Answer::Refusal("The note names no date".into())));
        let Ok(Answer::Refusal(long)) = read(&format!(r#"{{"refusal": "{}"}}"#, "é".repeat(5_000))) else {
            panic!("a refusal")
        };
        assert_eq!(long.chars().count(), REASON_CHARS_MAX + 1);
    }

    #[test]
    fn what_is_not_one_answer_is_none() {
        for reply in [
            "",
            "done",
            "{}",
            r#"{"note": "tea"}"#,
            r#"{"text": "tea""#,
            r#"{"text": ["tea"]}"#,
            r#"{"status": "deleted"}"#,
            r#"{"text": "tea"} or {"text": "coffee"}"#,
            "<think>{\"text\": \"tea\"}</think>",
        ] {
            assert!(read(reply).is_err(), "{reply}");
        }
        assert!(read(&"{".repeat(100_000)).is_err());
    }
}
