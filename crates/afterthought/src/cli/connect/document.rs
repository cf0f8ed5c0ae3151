//! The configuration of a client as text: an entry is put in, read and taken out, and everything else stays as it is, comments and
//! order included.

use anyhow::anyhow;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;
use toml_edit::{DocumentMut, InlineTable, Item, Table};

use super::client::Format;

/// What the entry is called.
const ENTRY: &str = "afterthought";

/// The entry in a table of a text, if it is there. An error names the line that cannot be read.
pub(super) fn entry(format: Format, text: &str, table: &str) -> anyhow::Result<Option<Value>> {
    match format {
        Format::Json => {
            let found = json(text)?.1.object_value(table).and_then(|table| table.get(ENTRY));
            Ok(found.map(|property| property.value().and_then(|value| value.to_serde_value()).unwrap_or(Value::Null)))
        }
        Format::Toml => {
            let document = toml(text)?;
            let found = document.get(table).and_then(|table| table.get(ENTRY));
            Ok(found.map(of_toml))
        }
    }
}

/// The text with the entry in that table, in place of the one that is there.
pub(super) fn with_entry(format: Format, text: &str, table: &str, entry: &Value) -> anyhow::Result<String> {
    match format {
        Format::Json => {
            let (root, object) = json(text)?;
            let table_of = object.object_value_or_create(table);
            let table_of = table_of.ok_or_else(|| anyhow!("`{table}` is no object"))?;
            match table_of.get(ENTRY) {
                Some(property) => property.set_value(input(entry)),
                None => drop(table_of.append(ENTRY, input(entry))),
            }
            Ok(root.to_string())
        }
        Format::Toml => {
            let mut document = toml(text)?;
            let table_of = document.entry(table).or_insert_with(|| {
                let mut table = Table::new();
                table.set_implicit(true);
                Item::Table(table)
            });
            let table_of = table_of.as_table_like_mut().ok_or_else(|| anyhow!("`{table}` is no table"))?;
            table_of.insert(ENTRY, Item::Table(to_toml(entry)));
            Ok(document.to_string())
        }
    }
}

/// The text without the entry, and without its table if that is empty then and `keep_table` is not set.
pub(super) fn without_entry(format: Format, text: &str, table: &str, keep_table: bool) -> anyhow::Result<String> {
    match format {
        Format::Json => {
            let (root, object) = json(text)?;
            if let Some(table_of) = object.object_value(table) {
                if let Some(property) = table_of.get(ENTRY) {
                    property.remove();
                }
                if !keep_table
                    && table_of.properties().is_empty()
                    && let Some(property) = object.get(table)
                {
                    property.remove();
                }
            }
            Ok(root.to_string())
        }
        Format::Toml => {
            let mut document = toml(text)?;
            if let Some(table_of) = document.get_mut(table).and_then(Item::as_table_like_mut) {
                table_of.remove(ENTRY);
                if !keep_table && table_of.is_empty() {
                    document.remove(table);
                }
            }
            Ok(document.to_string())
        }
    }
}

/// Whether nothing is said in a text.
pub(super) fn is_empty(format: Format, text: &str) -> bool {
    match format {
        Format::Json => json(text).is_ok_and(|(root, object)| {
            object.properties().is_empty() && !root.to_string().contains("//") && !root.to_string().contains("/*")
        }),
        Format::Toml => text.trim().is_empty(),
    }
}

/// Whether a text has that table.
pub(super) fn has_table(format: Format, text: &str, table: &str) -> bool {
    match format {
        Format::Json => json(text).is_ok_and(|(_, object)| object.get(table).is_some()),
        Format::Toml => toml(text).is_ok_and(|document| document.contains_key(table)),
    }
}

fn json(text: &str) -> anyhow::Result<(CstRootNode, CstObject)> {
    let text = text.trim_start_matches('\u{feff}');
    let root = CstRootNode::parse(text, &ParseOptions::default())
        .map_err(|error| anyhow!("line {}: {}", error.line_display(), error.kind()))?;
    let object = root.object_value_or_create().ok_or_else(|| anyhow!("line 1: it is no object"))?;
    Ok((root, object))
}

fn toml(text: &str) -> anyhow::Result<DocumentMut> {
    text.parse::<DocumentMut>().map_err(|error| {
        let before = error.span().map_or(0, |span| text[..span.start.min(text.len())].matches('\n').count());
        anyhow!("line {}: {}", before + 1, error.message())
    })
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(map) => {
            CstInputValue::Object(map.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

fn to_toml(entry: &Value) -> Table {
    let mut table = Table::new();
    for (key, value) in entry.as_object().into_iter().flatten() {
        table.insert(key, Item::Value(toml_value(value)));
    }
    table
}

fn toml_value(value: &Value) -> toml_edit::Value {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Array(values) => values.iter().map(toml_value).collect::<toml_edit::Array>().into(),
        Value::Object(map) => {
            map.iter().map(|(key, value)| (key.clone(), toml_value(value))).collect::<InlineTable>().into()
        }
        Value::String(text) => text.as_str().into(),
        other => other.to_string().into(),
    }
}

/// The texts of an entry: enough to tell whose it is.
fn of_toml(item: &Item) -> Value {
    match item {
        Item::Value(toml_edit::Value::String(text)) => Value::String(text.value().clone()),
        Item::Value(toml_edit::Value::Array(array)) => {
            array.iter().map(|value| of_toml(&Item::Value(value.clone()))).collect()
        }
        Item::Value(toml_edit::Value::Boolean(value)) => Value::Bool(*value.value()),
        item => match item.as_table_like() {
            Some(table) => table.iter().map(|(key, item)| (key.to_owned(), of_toml(item))).collect(),
            None => Value::String(item.to_string().trim().to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const JSON: &str = "{\n  // my servers\n  \"theme\": \"dark\", /* yes */\n  \"mcpServers\": {\n    \"other\": { \"command\": \"x\" }, // keep\n  },\n}\n";
    const TOML: &str = "# mine\nmodel = \"o9\"   # best\n\n[mcp_servers.other]\ncommand = 'x'\n\n[profiles.a]\nb = 1\n";

    #[test]
    fn an_entry_is_put_in_and_taken_out_and_nothing_else_changes() {
        let value = json!({ "url": "http://127.0.0.1:8720/api/mcp", "headers": { "Authorization": "Bearer k" } });
        for (format, text, table) in [(Format::Json, JSON, "mcpServers"), (Format::Toml, TOML, "mcp_servers")] {
            let with = with_entry(format, text, table, &value).unwrap();
            assert_eq!(entry(format, &with, table).unwrap(), Some(value.clone()), "{with}");
            assert!(text.lines().filter(|line| !line.contains("keep")).all(|line| with.contains(line)), "{with}");
            assert_eq!(with_entry(format, &with, table, &value).unwrap(), with, "a second time changes nothing");
            let without = without_entry(format, &with, table, true).unwrap();
            assert_eq!(entry(format, &without, table).unwrap(), None);
            assert!(
                ["my servers", "keep", "best", "mine"].iter().all(|word| text.contains(word) == without.contains(word))
            );
        }
    }

    #[test]
    fn an_empty_file_gets_what_it_needs_and_loses_it_again() {
        let value = json!({ "url": "u" });
        for (format, table) in [(Format::Json, "mcpServers"), (Format::Toml, "mcp_servers")] {
            let with = with_entry(format, "", table, &value).unwrap();
            assert_eq!(entry(format, &with, table).unwrap(), Some(value.clone()), "{with}");
            let without = without_entry(format, &with, table, false).unwrap();
            assert!(is_empty(format, &without), "{without}");
        }
    }

    #[test]
    fn the_line_that_cannot_be_read_is_named() {
        let broken = entry(Format::Json, "{\n  \"a\": 1\n  \"b\" oops\n}", "mcpServers").unwrap_err().to_string();
        assert!(broken.starts_with("line 3") || broken.starts_with("line 2"), "{broken}");
        let broken = entry(Format::Toml, "a = 1\nb = = 2\n", "mcp_servers").unwrap_err().to_string();
        assert!(broken.starts_with("line 2"), "{broken}");
        assert!(entry(Format::Json, "[]", "mcpServers").is_err());
    }
}
