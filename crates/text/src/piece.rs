//! The pieces that a chunk is cut into, which are what it is found by.

/// One thing a chunk is found by. `text` is normalised; words are in lower case with their accents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    pub(super) form: Form,
    pub(super) role: Role,
}

/// How a piece becomes tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// The folded text is the token.
    Exact,
    /// A word: its stems are the tokens.
    Word,
    /// A run of a script without spaces: its characters and pairs of neighbours are the tokens.
    Run,
}

/// How a piece relates to its chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A word in its own right.
    Base,
    /// A compound or identifier as a whole.
    Whole,
    /// Another spelling of the base or whole before it.
    Variant,
    /// A part of a whole.
    Part,
}

/// Where the pieces go.
pub(super) type Sink<'s> = &'s mut dyn FnMut(Piece<'_>);
