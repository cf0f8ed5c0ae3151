//! What a back end keeps: rows, a log of them, and blocks of bytes that it does not look into. `docs/back-ends.md` says how to write
//! one.
//!
//! - Every method is atomic: all or nothing, durable on return, and never a transaction handle across a call.
//! - A back end knows no language and no ranking. Whatever has to be decided inside a transaction is decided by a function of
//!   this crate or of those below it, from what the back end has read there: see [`crate::decide`].
//! - Every method but those of accounts and keys names the account, and reaches nothing of another.

mod blocks;
mod derived;
mod keeping;
mod log;
mod rows;
mod tally;
mod work;

pub use blocks::{Blocks, Unformed};
pub use derived::{DerivedRow, DerivedRows, FinishedRow, GroupRow, GroupsOf, LinkKind, LinkRow, NameRow, VectorRow};
pub use keeping::Keeping;
pub use log::{Entry, FormedThought, Log, LogEnd, Logged, Reading, Row, Seen, StoredForm, VectorPage};
pub use rows::{FormedPiece, FormedUpdate, NoteRows, Rows, TransferRows, UpdatedForm};
pub use tally::{Counted, Facts, Tally, TextHash, Unexpected};
pub use work::{Noted, Work};

use crate::contract::{Accounts, Copies, Jobs, Keys, Overviews, Sessions};

/// Everything a back end keeps.
pub trait Backend:
    Accounts
    + Keys
    + Sessions
    + Copies
    + Jobs
    + Rows
    + NoteRows
    + TransferRows
    + Log
    + Blocks
    + DerivedRows
    + Overviews
    + Keeping
{
}

impl<
    T: Accounts
        + Keys
        + Sessions
        + Copies
        + Jobs
        + Rows
        + NoteRows
        + TransferRows
        + Log
        + Blocks
        + DerivedRows
        + Overviews
        + Keeping,
> Backend for T
{
}
