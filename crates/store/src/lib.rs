//! Keeping thoughts and finding them again: the contract of a store ([`Store`]), what a back end has to keep for it
//! ([`backend`]), and the core that makes the one from the other ([`IndexedStore`]): the index over words, the vectors, BM25, sittings,
//! links and the life of a model. Ranking is the same on every back end, because it happens here. Uses `model`, `text`,
//! `annotate` and `vectors`, and no database.

mod apart;
pub mod backend;
mod contract;
pub mod decide;
mod error;
mod facet;
mod follow;
mod indexed;
pub mod links;
mod meaning;
pub mod models;
mod sittings;
mod source;
mod words;

pub use apart::may_block;
pub use contract::{
    Accounts, Among, Backup, Beside, CapturedQuery, Census, ChangeMark, Changes, Claim, Closeness, Connections, Copies,
    DUPLICATES_SHOWN, Derived, DuplicateGroup, Duplicates, Embedding, Enriched, Enrichment, EntityHit, EntityListing,
    EntityPage, EntityQuery, EntityView, Filter, Finished, Focus, Graph, Job, Jobs, Keys, Knowledge, KnownEntity,
    KnownName, KnownNames, LexicalHit, LexicalHits, LexicalQuery, Link, Linked, Listing, Mentioned, MetName, NewKey,
    NewLink, NewThought, NoteListing, Notes, Overviews, Piece, PieceId, Rebuild, Relative, Relatives, Replaces,
    ResolvedTerm, RunningCopy, SESSIONS_MAX, SemanticHit, SemanticHits, SemanticQuery, Sessions, Sittings,
    SittingsQuery, Stats, Step, Store, StoredNote, Terms, Thoughts, Ticket, Transfer, Update, Updated, Upkeep, Visible,
    Whose,
};
pub use error::StoreError;
pub use facet::{Facet, status_number, status_of};
pub use indexed::{IndexedStore, NAMES_PER_WORD_MAX};
