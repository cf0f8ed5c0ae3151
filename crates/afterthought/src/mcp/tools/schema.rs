//! JSON schemas from the very types that are read and written, in the plain form every client takes.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The schema of a tool's arguments.
pub(super) fn input<T: JsonSchema>() -> Schema {
    settings(Plain { described: true }).for_deserialize().into_generator().into_root_schema_for::<T>()
}

/// The schema of a tool's answer.
pub(super) fn output<T: JsonSchema>() -> Schema {
    settings(Plain { described: false }).for_serialize().into_generator().into_root_schema_for::<T>()
}

fn settings(plain: Plain) -> SchemaSettings {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.with_transform(plain)
}

/// Takes away what costs tokens and tells a model nothing, and closes every object.
#[derive(Debug, Clone)]
struct Plain {
    /// Whether a model reads it: what to put into arguments must be told, what an answer means shows.
    described: bool,
}

impl Transform for Plain {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        for key in ["title", "format"] {
            schema.remove(key);
        }
        let is_object = schema.get("properties").is_some();
        // The documentation of a type is for those who read the code; what an argument means stands at the argument.
        if is_object || !self.described {
            schema.remove("description");
        }
        if !is_object {
            return;
        }
        schema.insert("additionalProperties".to_owned(), Value::from(false));
        let required = schema.get("required").cloned().unwrap_or_default();
        let is_required = |name: &str| required.as_array().is_some_and(|names| names.iter().any(|each| each == name));
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten();
        // What may be left out need not say that it may be null as well.
        for (_, property) in properties.filter(|(name, _)| !is_required(name)) {
            remove_null(property);
        }
    }
}

fn remove_null(property: &mut Value) {
    if let Some(values) = property.get_mut("enum").and_then(Value::as_array_mut) {
        values.retain(|value| !value.is_null());
    }
    let Some(kind) = property.get_mut("type") else { return };
    if let Some(kinds) = kind.as_array_mut() {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            *kind = only.clone();
        }
    }
}
