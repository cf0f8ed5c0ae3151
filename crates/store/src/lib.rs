//! The contract every back end keeps, and the door to opening one.
//!
//! Every method is atomic, and what must happen together is one method. Absence is `None`. Thoughts, notes and searches
//! always name the account, and nothing of another account is reachable through them.

mod contract;
mod error;

pub use contract::{
    Accounts, Beside, CapturedQuery, Claim, Connections, Derived, Embedding, Enriched, EntityHit, EntityQuery,
    Finished, Job, Jobs, Keys, Knowledge, KnownName, LexicalHit, LexicalHits, LexicalQuery, Linked, Listing, NewKey,
    NewThought, Notes, Rebuild, Relative, Relatives, ResolvedTerm, Seek, SemanticHit, SemanticHits, SemanticQuery,
    Sittings, SittingsQuery, Stats, Step, Store, StoredNote, StoredThought, Terms, Thoughts, Ticket, Transfer, Update,
    Updated, Upkeep, Visible, said,
};
pub use error::StoreError;
