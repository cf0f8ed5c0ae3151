//! Which tools there are, and what they are called.

/// A tool, named by what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tool {
    /// `capture_thought`
    Capture,
    /// `retrieve_thoughts`
    Retrieve,
    /// `edit_thought`
    Edit,
    /// `delete_thought`
    Delete,
}

impl Tool {
    /// Every tool, in the order of the list.
    pub const ALL: [Self; 4] = [Self::Capture, Self::Retrieve, Self::Edit, Self::Delete];

    /// The name clients call it by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Capture => "capture_thought",
            Self::Retrieve => "retrieve_thoughts",
            Self::Edit => "edit_thought",
            Self::Delete => "delete_thought",
        }
    }

    /// What it does, as it follows "the service could not".
    pub(crate) const fn action(self) -> &'static str {
        match self {
            Self::Capture => "store the thought",
            Self::Retrieve => "look for thoughts",
            Self::Edit => "change the thought",
            Self::Delete => "archive the thought",
        }
    }
}
