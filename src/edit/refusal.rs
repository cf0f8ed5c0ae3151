//! Why a request was not carried out.
//!
//! Every message is one sentence that says what is wrong and shows a request that works, so that a model can correct
//! itself without asking its user.

/// A request that changes nothing, by what the caller can do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There are no words in the request.
    #[error("the edit request is empty; say what to change, for example `mark as done`")]
    Empty,
    /// The request asks something instead of asking for something.
    #[error(
        "the edit request is a question, and only changes can be made here; ask for one, for example `mark as done`"
    )]
    Question,
    /// Two parts of the request exclude each other.
    #[error(
        "the edit request asks for things that exclude each other; ask for one of them, for example `mark as done`"
    )]
    Contradiction,
    /// The change is to happen later or under a condition.
    #[error(
        "the edit request is about a later time or a condition, and only immediate changes are possible, for example `mark as done`"
    )]
    Later,
    /// The request is unsure, or says that something is done in part.
    #[error(
        "the edit request says that this is so only in part or perhaps; ask for a definite change, for example `mark as done`"
    )]
    Partly,
    /// The request only says what not to do.
    #[error(
        "the edit request asks for nothing to be changed, and nothing was; ask for a change, for example `mark as done`"
    )]
    Prohibition,
    /// Some of the request has no known meaning.
    #[error(
        "the edit request is not clear; try for example `mark as done`, `archive`, `undo` or `change \"old words\" to \"new words\"`"
    )]
    Unclear,
    /// The request asks for other words, which needs the new text itself.
    #[error(
        "the edit request asks for a change of the text; send the whole new text as `raw_text`, or ask for example `mark as done`"
    )]
    TextChange,
}
