//! Reads a tool's arguments, and tells a model what is wrong with them in terms of the published schema.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::catalogue::definition_of;
use super::tool::Tool;
use crate::mcp::error::{ToolError, shorten};

/// Reads the arguments of a tool from a JSON object.
pub(super) fn read<T: DeserializeOwned>(tool: Tool, json: &str) -> Result<T, ToolError> {
    serde_json::from_str(json).or_else(|error| {
        let meant = as_meant(tool, json).and_then(|given| serde_json::from_value(Value::Object(given)).ok());
        meant.ok_or_else(|| ToolError::Refused(explain(tool, json, &error)))
    })
}

/// The arguments with the numbers and booleans that were sent as strings; `None` if there are none.
fn as_meant(tool: Tool, json: &str) -> Option<Map<String, Value>> {
    let mut given: Map<String, Value> = serde_json::from_str(json).ok()?;
    let known = definition_of(tool).input_schema.get("properties").and_then(Value::as_object)?;
    let mut found = false;
    for (name, value) in &mut given {
        let Some(text) = value.as_str() else { continue };
        let meant = match known.get(name).and_then(|schema| schema["type"].as_str()) {
            Some("integer" | "number") => serde_json::from_str::<serde_json::Number>(text).ok().map(Value::Number),
            Some("boolean") => text.parse().ok().map(Value::Bool),
            _ => None,
        };
        if let Some(meant) = meant {
            *value = meant;
            found = true;
        }
    }
    found.then_some(given)
}

/// What is wrong with arguments that could not be read. Only the unlucky pay for reading them twice.
fn explain(tool: Tool, json: &str, error: &serde_json::Error) -> String {
    let unreadable = || format!("the arguments of `{}` cannot be read: {error}", tool.name());
    let Ok(given) = serde_json::from_str::<Map<String, Value>>(json) else { return unreadable() };
    let schema = &definition_of(tool).input_schema;
    let Some(known) = schema.get("properties").and_then(Value::as_object) else { return unreadable() };
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);

    let unknown: Vec<String> =
        given.keys().filter(|name| !known.contains_key(*name)).map(|name| format!("`{}`", shorten(name))).collect();
    if !unknown.is_empty() {
        let (noun, names) = (if unknown.len() == 1 { "argument" } else { "arguments" }, unknown.join(", "));
        return format!("unknown {noun} {names}: `{}` takes {}", tool.name(), listed(known.keys()));
    }
    for name in required {
        if given.get(name).is_none_or(Value::is_null) {
            return format!("`{name}` is missing: it must be {}", allowed(&known[name]));
        }
    }
    for (name, value) in &given {
        if !value.is_null() && !admits(&known[name], value) {
            return format!("`{name}` must be {}, not {}", allowed(&known[name]), kind(value));
        }
    }
    unreadable()
}

fn listed<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn admits(schema: &Value, value: &Value) -> bool {
    if let Some(words) = schema["enum"].as_array() {
        return words.contains(value);
    }
    match schema["type"].as_str() {
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer" | "number") => value.is_number(),
        _ => true,
    }
}

/// What a schema allows, in words.
fn allowed(schema: &Value) -> String {
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<String> = words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect();
        return format!("one of {}", words.join(", "));
    }
    let noun = match schema["type"].as_str() {
        Some("string") => return "a string".to_owned(),
        Some("boolean") => return "true or false".to_owned(),
        Some("integer") => "a whole number",
        _ => "a number",
    };
    format!("{noun} from {} to {}", schema["minimum"], schema["maximum"])
}

fn kind(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("the string `{}`", shorten(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// Takes nothing, so that every argument is told to be wrong by the schema of the tool alone.
    #[derive(Debug, Deserialize)]
    enum Nothing {}

    fn refusal(tool: Tool, json: &str) -> String {
        match read::<Nothing>(tool, json) {
            Err(ToolError::Refused(sentence)) => sentence,
            other => panic!("{json}: {other:?}"),
        }
    }

    #[test]
    fn an_unknown_argument_is_named_with_the_allowed_ones() {
        assert_eq!(
            refusal(Tool::Edit, r#"{"thought_id":"x","text":"y"}"#),
            "unknown argument `text`: `edit_thought` takes `edit_request`, `raw_text`, `thought_id`"
        );
    }

    #[test]
    fn a_missing_argument_is_named() {
        for json in ["{}", r#"{"raw":null}"#] {
            assert_eq!(refusal(Tool::Capture, json), "`raw` is missing: it must be a string");
        }
    }

    #[test]
    fn a_wrong_type_is_told_with_what_is_allowed() {
        for (json, sentence) in [
            (r#"{"top_k":"ten"}"#, "`top_k` must be a whole number from 1 to 100, not the string `ten`"),
            (r#"{"threshold":true}"#, "`threshold` must be a number from 0 to 1, not true"),
            (r#"{"author":"me"}"#, "`author` must be one of `user`, `agent`, `all`, not the string `me`"),
            (r#"{"include_agent":"yes"}"#, "`include_agent` must be true or false, not the string `yes`"),
            (r#"{"query":["a"]}"#, "`query` must be a string, not a list"),
        ] {
            assert_eq!(refusal(Tool::Retrieve, json), sentence);
        }
    }
}
