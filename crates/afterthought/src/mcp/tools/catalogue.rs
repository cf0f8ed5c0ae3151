//! The list of the tools as clients see it.
//!
//! Its order and text never change while the program runs, so it is made once.

use std::sync::LazyLock;

use super::definition::Definition;
use super::tool::Tool;
use super::{capture, delete, edit, retrieve};
use crate::mcp::generation::Generation;
use crate::mcp::lifecycle::CACHING;

/// What clients are told about each tool, in the order of [`Tool::ALL`].
pub fn definitions() -> &'static [Definition; 4] {
    static DEFINITIONS: LazyLock<[Definition; 4]> = LazyLock::new(|| {
        Tool::ALL.map(|tool| match tool {
            Tool::Capture => capture::definition(),
            Tool::Retrieve => retrieve::definition(),
            Tool::Edit => edit::definition(),
            Tool::Delete => delete::definition(),
        })
    });
    &DEFINITIONS
}

/// What clients are told about one tool.
pub(super) fn definition_of(tool: Tool) -> &'static Definition {
    &definitions()[tool as usize]
}

/// The members of the answer to `tools/list`.
pub(crate) fn list(generation: Generation) -> &'static str {
    static LISTS: LazyLock<[String; 2]> = LazyLock::new(|| {
        let tools = serde_json::to_string(definitions()).expect("definitions are plain JSON");
        [format!(r#""tools":{tools}"#), format!(r#""tools":{tools},{CACHING}"#)]
    });
    match generation {
        Generation::Handshake => &LISTS[0],
        Generation::Stateless => &LISTS[1],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_model_reads_all_tools_in_under_1800_tokens() {
        for generation in [Generation::Handshake, Generation::Stateless] {
            let list = format!("{{{}}}", list(generation));
            let counts = [tiktoken_rs::o200k_base(), tiktoken_rs::cl100k_base()]
                .map(|encoding| encoding.unwrap().encode_ordinary(&list).len());
            assert!(counts.into_iter().all(|count| count <= 1_800), "{counts:?}");
        }
    }

    #[test]
    fn schemas_are_plain_closed_objects_without_references() {
        for definition in definitions() {
            for schema in [&definition.input_schema, &definition.output_schema] {
                let text = serde_json::to_string(schema).unwrap();
                assert_eq!(schema.get("type"), Some(&Value::from("object")), "{text}");
                assert_eq!(schema.get("additionalProperties"), Some(&Value::from(false)), "{text}");
                for word in ["$ref", "$defs", "$schema", "anyOf", "oneOf", "\"title\"", "\"format\""] {
                    assert!(!text.contains(word), "{word} in {text}");
                }
            }
        }
    }

    #[test]
    fn every_argument_is_described() {
        for definition in definitions() {
            let properties = definition.input_schema.get("properties").and_then(Value::as_object).unwrap();
            for (name, property) in properties {
                assert!(property["description"].is_string(), "{}: {name}", definition.name);
                assert!(property["type"].is_string(), "{}: {name}", definition.name);
            }
        }
    }

    #[test]
    fn the_list_is_in_the_order_of_the_tools() {
        let names = definitions().each_ref().map(|definition| definition.name);
        assert_eq!(names, Tool::ALL.map(Tool::name));
    }
}
