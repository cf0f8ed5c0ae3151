//! `retrieve_thoughts`: searches thoughts or browses them newest first.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, Serializer};

use model::{AuthorFilter, Caller, Cursor, Detail, Invalid, Mode, Order, ThoughtId, Threshold, Time, TopK};
use service::memory::{Found, Memory, Retrieve, Retrieved};
use service::search::{NoteMatch, Signal};

use super::definition::{Definition, Hints, Meta};
use super::reply::{displayed, write};
use super::room::Room;
use super::schema;
use super::thought::{AuthorKind, Status, author};
use super::tool::Tool;
use crate::mcp::error::ToolError;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to look for; omit to browse
    query: Option<String>,
    /// relevance needs query; created_at ignores it
    #[schemars(extend("default" = "relevance"))]
    order: Option<OrderWord>,
    /// Most results; the page size when browsing
    #[schemars(with = "Option<u8>", range(min = 1, max = 100), extend("default" = 10))]
    top_k: Option<f64>,
    /// Drop matches with a lower score; 0.7: rather nothing than a near miss
    #[schemars(range(min = 0, max = 1))]
    threshold: Option<f64>,
    /// fast: words only, no model
    #[schemars(extend("default" = "full"))]
    mode: Option<ModeWord>,
    /// full: whole text, entities, ids of linked thoughts
    #[schemars(extend("default" = "snippet"))]
    detail: Option<DetailWord>,
    /// Whose thoughts
    #[schemars(extend("default" = "user"))]
    author: Option<AuthorWord>,
    /// true: as author=all; ignored if author is set
    include_agent: Option<bool>,
    /// From next_cursor, when browsing
    cursor_created_at: Option<String>,
    /// From next_cursor
    cursor_id: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum OrderWord {
    Relevance,
    CreatedAt,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ModeWord {
    Fast,
    Full,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum DetailWord {
    Snippet,
    Full,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum AuthorWord {
    User,
    Agent,
    All,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Reply<'a> {
    thoughts: Vec<FoundThought<'a>>,
    order: OrderWord,
    next_cursor: Option<NextCursor>,
    // Why there is nothing, where asking otherwise would find something.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
}

/// What an agent stores for itself is no memory of the user's, which its next search is about: an empty answer would look like a loss.
const ONLY_OF_AGENTS: &str = "Nothing of the user's, but agents stored some: author=all shows them.";

#[derive(Debug, Serialize, JsonSchema)]
struct FoundThought<'a> {
    #[serde(serialize_with = "displayed")]
    #[schemars(with = "String")]
    id: ThoughtId,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<&'a str>,
    status: Status,
    category: &'static str,
    author: AuthorKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    created_at: Option<Time>,
    captured_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    updated_at: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched_by: Option<Vec<MatchedBy>>,
    // The later thought that replaces this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    superseded_by: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<FoundNote<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entities: Option<Vec<FoundEntity<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    links: Option<Vec<String>>,
    // The whole text did not fit into the answer any more; a plain comment, since a model pays for every word it is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<bool>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FoundEntity<'a> {
    name: &'a str,
    kind: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FoundNote<'a> {
    name: &'a str,
    snippet: &'a str,
}

#[derive(Debug, Serialize, JsonSchema)]
struct NextCursor {
    #[schemars(with = "String")]
    cursor_created_at: Time,
    #[serde(serialize_with = "displayed")]
    #[schemars(with = "String")]
    cursor_id: ThoughtId,
}

#[derive(Debug)]
struct MatchedBy(Signal);

impl Serialize for MatchedBy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl JsonSchema for MatchedBy {
    fn schema_name() -> Cow<'static, str> {
        "MatchedBy".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "enum": ["semantic", "lexical", "graph", "note"]})
    }
}

pub(super) fn definition() -> Definition {
    Definition {
        name: Tool::Retrieve.name(),
        title: "Retrieve thoughts",
        description: "Look up what was stored before. With query: best matches first, scored 0 to 1; superseded_by: a \
                      later thought replaces it. Else newest first; go on with both next_cursor values, null: end. \
                      Only open thoughts of the user; author=all adds agents'. cut: ask for fewer.",
        input_schema: schema::input::<Args>(),
        output_schema: schema::output::<Reply<'_>>(),
        annotations: Hints {
            read_only_hint: true,
            destructive_hint: false,
            idempotent_hint: true,
            open_world_hint: false,
        },
        meta: Some(Meta::ALWAYS_LOAD),
    }
}

pub(super) async fn call(memory: &Memory, caller: &Caller, args: Args) -> Result<String, ToolError> {
    let chooses_author = args.author.is_some() || args.include_agent.is_some();
    let retrieve = Retrieve::try_from(args)?;
    let detail = retrieve.detail;
    let retrieved = memory.retrieve(caller, retrieve.clone()).await?;
    let is_silent = retrieved.thoughts.is_empty() && !chooses_author;
    let hint = if is_silent && agents_have_some(memory, caller, retrieve).await? { Some(ONLY_OF_AGENTS) } else { None };
    Ok(write(&Reply { hint, ..Reply::new(&retrieved, detail) }))
}

async fn agents_have_some(memory: &Memory, caller: &Caller, retrieve: Retrieve) -> Result<bool, ToolError> {
    let any = Retrieve { author: AuthorFilter::All, detail: Detail::Snippet, ..retrieve };
    Ok(!memory.retrieve(caller, any).await?.thoughts.is_empty())
}

impl TryFrom<Args> for Retrieve {
    type Error = Invalid;

    fn try_from(args: Args) -> Result<Self, Invalid> {
        let author = match (args.author, args.include_agent) {
            (Some(AuthorWord::User), _) => AuthorFilter::User,
            (Some(AuthorWord::Agent), _) => AuthorFilter::Agent,
            (Some(AuthorWord::All), _) | (None, Some(true)) => AuthorFilter::All,
            (None, Some(false) | None) => AuthorFilter::User,
        };
        Ok(Self {
            query: args.query,
            order: match args.order.unwrap_or(OrderWord::Relevance) {
                OrderWord::Relevance => Order::Relevance,
                OrderWord::CreatedAt => Order::CreatedAt,
            },
            top_k: args.top_k.map_or(Ok(TopK::DEFAULT), TopK::new)?,
            threshold: args.threshold.map(Threshold::new).transpose()?,
            mode: match args.mode.unwrap_or(ModeWord::Full) {
                ModeWord::Fast => Mode::Fast,
                ModeWord::Full => Mode::Full,
            },
            detail: match args.detail.unwrap_or(DetailWord::Snippet) {
                DetailWord::Snippet => Detail::Snippet,
                DetailWord::Full => Detail::Full,
            },
            author,
            cursor: cursor(args.cursor_created_at, args.cursor_id)?,
        })
    }
}

fn cursor(created_at: Option<String>, id: Option<String>) -> Result<Option<Cursor>, Invalid> {
    let Some(created_at) = created_at else {
        return match id {
            None => Ok(None),
            Some(_) => Err(Invalid::new("`cursor_id` needs `cursor_created_at`: give both values of `next_cursor`")),
        };
    };
    let created_at = created_at.parse().map_err(|error| Invalid::new(format!("`cursor_created_at`: {error}")))?;
    let id = id.map(|id| id.parse()).transpose();
    let id = id.map_err(|invalid: Invalid| Invalid::new(format!("`cursor_id`: {invalid}")))?;
    Ok(Some(Cursor { created_at, id }))
}

impl<'a> Reply<'a> {
    fn new(retrieved: &'a Retrieved, detail: Detail) -> Self {
        let mut room = Room::default();
        let mut shown = |found: &'a Found| {
            let fits = detail != Detail::Full || room.take(found);
            FoundThought::new(found, if fits { detail } else { Detail::Snippet }, !fits)
        };
        Self {
            thoughts: retrieved.thoughts.iter().map(&mut shown).collect(),
            order: match retrieved.order {
                Order::Relevance => OrderWord::Relevance,
                Order::CreatedAt => OrderWord::CreatedAt,
            },
            next_cursor: retrieved.next_cursor.and_then(|Cursor { created_at, id }| {
                id.map(|cursor_id| NextCursor { cursor_created_at: created_at, cursor_id })
            }),
            hint: None,
        }
    }
}

impl<'a> FoundThought<'a> {
    fn new(found: &'a Found, detail: Detail, cut: bool) -> Self {
        let Found { thought, snippet, relevance, superseded_by, connections } = found;
        let (author, agent_name) = author(&thought.author);
        let full = detail == Detail::Full;
        // Of what a search shows in short, when it was and no more: a model pays for every character.
        let short = !full && !cut && relevance.is_some();
        Self {
            id: thought.id,
            raw_text: full.then_some(thought.raw_text.as_str()),
            snippet: (!full).then_some(snippet.as_str()),
            status: thought.status.into(),
            category: thought.category.as_str(),
            author,
            agent_name,
            created_at: (!short).then_some(thought.created_at),
            captured_at: if short { thought.captured_at.to_the_second() } else { thought.captured_at.to_string() },
            updated_at: (!short).then_some(thought.updated_at),
            score: relevance.as_ref().map(|relevance| rounded(relevance.score)),
            matched_by: relevance
                .as_ref()
                .map(|relevance| relevance.matched_by.iter().copied().map(MatchedBy).collect()),
            superseded_by: superseded_by.map(|id| id.to_string()),
            notes: relevance.iter().flat_map(|relevance| &relevance.notes).map(FoundNote::from).collect(),
            entities: full.then(|| {
                let entities = connections.iter().flat_map(|connections| &connections.entities);
                entities.map(|(name, kind)| FoundEntity { name, kind: kind.as_str() }).collect()
            }),
            links: full.then(|| {
                let links = connections.iter().flat_map(|connections| &connections.links);
                links.map(|link| link.other.to_string()).collect()
            }),
            cut: cut.then_some(true),
        }
    }
}

impl<'a> From<&'a NoteMatch> for FoundNote<'a> {
    fn from(note: &'a NoteMatch) -> Self {
        Self { name: &note.name, snippet: &note.snippet }
    }
}

/// Four decimals: more would claim a precision that no ranking has.
fn rounded(score: f64) -> f64 {
    (score * 10_000.0).round() / 10_000.0
}
