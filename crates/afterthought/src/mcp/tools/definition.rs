//! What a client is told about a tool.

use schemars::Schema;
use serde::Serialize;

/// What a client is told about a tool.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Definition {
    /// What it is called by.
    pub name: &'static str,
    /// What people see.
    pub title: &'static str,
    /// When and how to use it, for a model that has never seen the service.
    pub description: &'static str,
    /// The arguments it takes.
    pub input_schema: Schema,
    /// The object it answers with.
    pub output_schema: Schema,
    /// What calling it can do.
    pub annotations: Hints,
    /// What particular clients are told about it.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// What particular clients are told about a tool.
#[derive(Debug, Serialize)]
pub struct Meta {
    #[serde(rename = "anthropic/alwaysLoad")]
    always_load: bool,
}

impl Meta {
    /// The model sees the tool from the start. Claude Code shows others only to a model that searches for them, and one that does not
    /// know of a memory does not.
    pub(super) const ALWAYS_LOAD: Self = Self { always_load: true };
}

/// What calling a tool can do.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hints {
    pub(super) read_only_hint: bool,
    pub(super) destructive_hint: bool,
    pub(super) idempotent_hint: bool,
    pub(super) open_world_hint: bool,
}
