//! Thoughts: kept by the back end, searched by their words in memory.

use std::sync::Arc;

use async_trait::async_trait;
use rustc_hash::FxHashMap;

use model::{AccountId, NoteId, Revision, RevisionKind, Thought, ThoughtId};
use text::LexicalForm;

use super::loaded::Loaded;
use super::store::IndexedStore;
use crate::apart::{apart, computed};
use crate::backend::{FormedUpdate, Row, UpdatedForm};
use crate::contract::{
    CapturedQuery, LexicalHit, LexicalHits, LexicalQuery, Listing, NewThought, Sittings, SittingsQuery, Thoughts,
    Update, Updated,
};
use crate::error::StoreError;
use crate::facet::Facet;
use crate::sittings::{around, sittings};
use crate::source::Source;
use crate::words::{Filter, Index, Ranked};

#[async_trait]
impl Thoughts for IndexedStore {
    async fn insert(&self, account: AccountId, thought: NewThought) -> Result<Thought, StoreError> {
        self.rows(account).insert(account, thought).await
    }

    async fn get(&self, account: AccountId, id: ThoughtId) -> Result<Option<Thought>, StoreError> {
        self.rows(account).get(account, id).await
    }

    async fn list(&self, account: AccountId, listing: &Listing) -> Result<Vec<Thought>, StoreError> {
        self.rows(account).list(account, listing).await
    }

    async fn update(&self, account: AccountId, id: ThoughtId, update: Update) -> Result<Updated, StoreError> {
        let rows = self.rows(account);
        let form = match &update.text {
            Some(text) => UpdatedForm::New(formed(text.as_str().to_owned()).await?),
            None => {
                // The words of the text it is based on: if that is not the text any more, the update is stale.
                let Some(thought) = rows.get(account, id).await? else { return Ok(Updated::Absent) };
                UpdatedForm::Kept { words: formed(thought.raw_text.into_string()).await?.words }
            }
        };
        rows.update(account, id, FormedUpdate { update, form }).await
    }

    async fn revision_kinds(&self, account: AccountId, id: ThoughtId) -> Result<Vec<(u32, RevisionKind)>, StoreError> {
        self.rows(account).revision_kinds(account, id).await
    }

    async fn get_revision(
        &self,
        account: AccountId,
        id: ThoughtId,
        number: u32,
    ) -> Result<Option<Revision>, StoreError> {
        self.rows(account).get_revision(account, id, number).await
    }

    async fn search(&self, account: AccountId, query: &LexicalQuery) -> Result<LexicalHits, StoreError> {
        apart(search(self.account(account), query.clone())).await
    }

    async fn sittings(&self, account: AccountId, query: SittingsQuery) -> Result<Sittings, StoreError> {
        apart(sittings_of(self.account(account), query)).await
    }

    async fn captured_within(&self, account: AccountId, query: CapturedQuery) -> Result<Vec<Thought>, StoreError> {
        self.rows(account).captured_within(account, query).await
    }
}

async fn search(loaded: Arc<Loaded>, query: LexicalQuery) -> Result<LexicalHits, StoreError> {
    let Source { backend, account } = &loaded.source;
    let LexicalQuery { terms, visible, among, limit, as_of } = query;
    let end = loaded.as_of(as_of).await?;
    let filter = Filter::new(&Facet::admitted(visible), among);
    let rank = move |index: &Index| index.search(&terms, &filter, limit);
    let (ranked, terms) = loaded.with_words(end, rank).await?;
    let rows: Vec<Row> = ranked.iter().map(|ranked| ranked.thought).collect();
    let note_rows: Vec<Row> = ranked.iter().flat_map(|ranked| &ranked.notes).map(|(note, _)| *note).collect();
    let (mut thoughts, notes) = tokio::try_join!(loaded.read(&rows), backend.note_ids(*account, &note_rows))?;
    let notes: FxHashMap<Row, NoteId> = notes.into_iter().collect();
    let hit = |Ranked { thought, text_score, notes: ranked }| {
        // What changed between ranking and reading may not fit the filter any more.
        let thought = thoughts.remove(&thought).filter(|thought| visible.admits(thought))?;
        let notes = ranked.into_iter().filter_map(|(row, score)| Some((*notes.get(&row)?, score))).collect();
        Some(LexicalHit { thought, text_score, notes })
    };
    Ok(LexicalHits { hits: ranked.into_iter().filter_map(hit).collect(), terms })
}

async fn sittings_of(loaded: Arc<Loaded>, query: SittingsQuery) -> Result<Sittings, StoreError> {
    let SittingsQuery { ids, steps, visible, terms, as_of } = query;
    let around = around(loaded.rows_of(&ids).await?.into_iter().map(|(_, row)| row), steps);
    let (found, end) = tokio::try_join!(loaded.read_formed(&around), loaded.as_of(as_of))?;
    Ok(sittings(found, &terms, steps, visible, u64::from(end.row)))
}

/// A text up to this long is analysed in less time than handing it to another thread takes.
const SHORT_BYTES: usize = 2_048;

/// The lexical form of a text.
pub(super) async fn formed(text: String) -> Result<LexicalForm, StoreError> {
    match text.len() <= SHORT_BYTES {
        true => Ok(text::lexical_form(&text)),
        false => computed(move || text::lexical_form(&text)).await,
    }
}
