//! The memories that can be read.

/// A memory that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The knowledge graph of the reference server: `memory.jsonl`.
    ServerMemory,
    /// The archive that OpenMemory exports, or the array that mem0 does.
    OpenMemory,
    /// The JSON that mcp-memory-service exports.
    McpMemoryService,
    /// A folder of notes in the form of basic-memory.
    BasicMemory,
    /// The archive of one's data at ChatGPT.
    ChatGpt,
    /// The archive of one's data at Claude.
    Claude,
    /// A folder of Markdown files, such as an Obsidian vault.
    Markdown,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::ServerMemory,
        Self::OpenMemory,
        Self::McpMemoryService,
        Self::BasicMemory,
        Self::ChatGpt,
        Self::Claude,
        Self::Markdown,
    ];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ServerMemory => "server-memory",
            Self::OpenMemory => "openmemory",
            Self::McpMemoryService => "mcp-memory-service",
            Self::BasicMemory => "basic-memory",
            Self::ChatGpt => "chatgpt",
            Self::Claude => "claude",
            Self::Markdown => "markdown",
        }
    }

    /// Whether what it holds is the person's own where it does not say whose it is; else it is an agent's of the kind's name.
    pub const fn is_the_persons(self) -> bool {
        matches!(self, Self::BasicMemory | Self::ChatGpt | Self::Claude | Self::Markdown)
    }
}
