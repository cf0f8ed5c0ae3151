//! Finds the thoughts a query is about: gather ranked candidates, fuse them, say why each is there.
//!
//! A back end ranks by one signal at a time; only here do signals meet. The answer depends on the query and on what is
//! stored, never on timing: of equals the latest comes first, then ids decide.

mod alike;
mod explain;
mod fuse;
mod gather;
mod graph;
mod hit;
mod judged;
mod kin;
mod lists;
mod meaning;
mod phrases;
mod preferences;
mod related;
mod replaced;
mod request;
mod signals;
mod spelling;
mod understand;
mod wanted;

use model::{AccountId, Mode};
use store::{Store, StoreError};

pub use explain::opening;
pub use hit::{Hit, NoteMatch};
pub use meaning::QueryEmbedder;
pub use request::{Depth, Looking, Search};
pub use signals::{Signal, Signals};

pub(crate) use replaced::Replaced;

use fuse::fuse;
use gather::Searching;
use judged::Judged;
use spelling::mended;
use understand::understand;

/// How many candidates each signal names: more than are shown, since what one signal ranks low another may rank high.
const CANDIDATES: usize = 60;

/// The same for a fast search, which reads no more than it needs.
const FAST_CANDIDATES: usize = 30;

/// The same where hits must hold a phrase, which is looked for among those that hold its words.
const PHRASE_CANDIDATES: usize = 1_000;

/// The most hits a person can look through, and how many candidates each signal names for that.
pub const LOOKED_THROUGH_MAX: usize = 1_000;

/// The same for the first of them, which are there at once.
pub const NEAR_MAX: usize = 100;

/// Where more hits than this are wanted, each signal names as many as may be wanted at most.
const FEW_HITS: usize = 30;
const MANY_CANDIDATES: usize = 100;

/// The best hits for the query, best first.
pub async fn search(
    store: &dyn Store,
    embedder: &QueryEmbedder,
    account: AccountId,
    search: &Search<'_>,
) -> Result<Vec<Hit>, StoreError> {
    let named = kin::with_names(store, account, search).await?;
    let search = &Search { text: named.as_deref().unwrap_or(search.text), ..search.clone() };
    let (understood, as_of) = understand(store, account, search.text, search.now).await?;
    let candidates = match search.mode {
        _ if !understood.phrases.is_empty() => PHRASE_CANDIDATES,
        _ if search.looking.is_some_and(|looking| looking.depth == Depth::Far) => LOOKED_THROUGH_MAX,
        _ if search.looking.is_some() => NEAR_MAX,
        _ if search.limit > FEW_HITS => MANY_CANDIDATES,
        Mode::Fast => FAST_CANDIDATES,
        Mode::Full => CANDIDATES,
    };
    let searching = Searching { store, embedder, account, search, understood: &understood, as_of, candidates };
    let (mut lists, terms) = searching.gather().await?;
    phrases::retain(store, account, &mut lists, &understood.phrases).await?;
    let preferences = searching.preferences();
    if search.signals.graph {
        searching.follow_links(&mut lists).await?;
    }
    if search.signals.judge && lists.compared.is_some() {
        let ranked = fuse(&lists, &preferences);
        // What an attached note says is not in the text.
        let best = ranked.iter().filter(|hit| hit.notes.is_empty()).map(|hit| hit.thought).collect();
        let question = mended(&understood.question, &understood.terms, &lists.lexical);
        lists.judged = Judged::of(embedder, &question, best).await;
    }
    let mut ranked = fuse(&lists, &preferences);
    ranked.retain(|hit| hit.score >= search.threshold);
    if let Some(among) = search.among() {
        wanted::retain(store, account, &mut ranked, among.filter()).await?;
    }
    ranked.truncate(search.limit);
    explain::explain(store, account, ranked, &terms.resolved).await
}
