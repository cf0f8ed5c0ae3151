//! What a store can do for its callers: small traits by concern, and the values they exchange.
//!
//! Every method is atomic, and what must happen together is one method. Absence is `None`. Thoughts, notes and searches
//! always name the account, and nothing of another account is reachable through them.

mod accounts;
mod copies;
mod filter;
mod jobs;
mod knowledge;
mod lexical;
mod notes;
mod overviews;
mod sessions;
mod sittings;
mod thoughts;
mod transfer;
mod upkeep;
mod visible;

pub use accounts::{Accounts, Keys, NewKey};
pub use copies::{Copies, RunningCopy};
pub use filter::{Among, Filter, Whose};
pub use jobs::{Claim, Enrichment, Job, Jobs, Rebuild, Step, Ticket};
pub use knowledge::{
    Closeness, Connections, Derived, Embedding, Enriched, EntityHit, EntityQuery, Finished, Knowledge, KnownName,
    KnownNames, Link, Linked, Mentioned, MetName, Relative, Relatives, Replaces, SemanticHit, SemanticHits,
    SemanticQuery,
};
pub use lexical::{LexicalHit, LexicalHits, LexicalQuery, ResolvedTerm, Terms};
pub use notes::{NoteListing, Notes, StoredNote};
pub use overviews::{
    Census, ChangeMark, Changes, DUPLICATES_SHOWN, DuplicateGroup, Duplicates, EntityListing, EntityPage, EntityView,
    Focus, Graph, KnownEntity, Overviews,
};
pub use sessions::{NewLink, SESSIONS_MAX, Sessions};
pub use sittings::{Beside, Sittings, SittingsQuery};
pub use thoughts::{CapturedQuery, Listing, NewThought, Thoughts, Update, Updated};
pub use transfer::{Backup, Piece, PieceId, Transfer};
pub use upkeep::{Stats, Upkeep};
pub use visible::Visible;

/// Everything a store can do.
pub trait Store:
    Accounts + Keys + Sessions + Thoughts + Notes + Jobs + Knowledge + Overviews + Transfer + Upkeep + Copies
{
}

impl<T: Accounts + Keys + Sessions + Thoughts + Notes + Jobs + Knowledge + Overviews + Transfer + Upkeep + Copies> Store
    for T
{
}
