//! The ways by which thoughts are found.

/// A way by which a thought can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signal {
    /// It means something close to the query.
    Semantic,
    /// Words of the query stand in its text.
    Lexical,
    /// It mentions what the query mentions, or is linked with a good hit.
    Graph,
    /// Words of the query stand in a note attached to it.
    Note,
}

impl Signal {
    /// The word used in every interface.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Semantic => "semantic",
            Self::Lexical => "lexical",
            Self::Graph => "graph",
            Self::Note => "note",
        }
    }
}

/// Which signals a search uses. A service uses all of them; an evaluation turns them off one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signals {
    /// Words in texts and notes.
    pub words: bool,
    /// Meaning.
    pub meaning: bool,
    /// Entities and links.
    pub graph: bool,
    /// What was said just before and after.
    pub context: bool,
    /// The times the query names.
    pub time: bool,
    /// Whose turn it is.
    pub speech: bool,
    /// Whether it tells what is asked for, or only asks.
    pub answers: bool,
    /// What comes of reading the query beside the best hits.
    pub judge: bool,
}

impl Signals {
    /// All of them.
    pub const ALL: Self = Self::every(true);
    /// None of them.
    pub const NONE: Self = Self::every(false);

    const fn every(on: bool) -> Self {
        Self { words: on, meaning: on, graph: on, context: on, time: on, speech: on, answers: on, judge: on }
    }
}
