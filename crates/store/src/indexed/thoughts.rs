//! Thoughts: kept by the back end, searched by their words in memory.

use async_trait::async_trait;
use rustc_hash::FxHashMap;

use model::{AccountId, NoteId, Revision, Thought, ThoughtId};
use text::LexicalForm;

use super::store::IndexedStore;
use crate::backend::{FormedUpdate, Row, UpdatedForm};
use crate::contract::{
    CapturedQuery, LexicalHit, LexicalHits, LexicalQuery, Listing, NewThought, Sittings, SittingsQuery, Thoughts,
    Update, Updated,
};
use crate::error::StoreError;
use crate::facet::Facet;
use crate::follow::off_the_runtime;
use crate::sittings::{around, sittings};
use crate::words::{Filter, Ranked};

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

    async fn revisions(&self, account: AccountId, id: ThoughtId) -> Result<Vec<Revision>, StoreError> {
        self.rows(account).revisions(account, id).await
    }

    async fn search(&self, account: AccountId, query: &LexicalQuery) -> Result<LexicalHits, StoreError> {
        let loaded = self.account(account);
        let LexicalQuery { terms, visible, limit } = query.clone();
        let end = loaded.end().await?;
        let rank =
            move |index: &crate::words::Index| index.search(&terms, Filter::new(&Facet::admitted(visible)), limit);
        let (ranked, terms) = loaded.with_words(end, rank).await?;
        let rows: Vec<Row> = ranked.iter().map(|ranked| ranked.thought).collect();
        let note_rows: Vec<Row> = ranked.iter().flat_map(|ranked| &ranked.notes).map(|(note, _)| *note).collect();
        let mut thoughts: FxHashMap<Row, Thought> = self.backend.read(account, &rows).await?.into_iter().collect();
        let notes: FxHashMap<Row, NoteId> = match note_rows.is_empty() {
            true => FxHashMap::default(),
            false => self.backend.note_ids(account, &note_rows).await?.into_iter().collect(),
        };
        let hit = |Ranked { thought, text_score, notes: ranked }| {
            // What changed between ranking and reading may not fit the filter any more.
            let thought = thoughts.remove(&thought).filter(|thought| visible.admits(thought))?;
            let notes = ranked.into_iter().filter_map(|(row, score)| Some((*notes.get(&row)?, score))).collect();
            Some(LexicalHit { thought, text_score, notes })
        };
        Ok(LexicalHits { hits: ranked.into_iter().filter_map(hit).collect(), terms })
    }

    async fn sittings(&self, account: AccountId, query: SittingsQuery) -> Result<Sittings, StoreError> {
        let rows = self.rows(account);
        let SittingsQuery { ids, steps, visible, terms } = query;
        let around = around(rows.rows_of(account, &ids).await?.into_iter().map(|(_, row)| row), steps);
        let found = rows.read_formed(account, &around).await?;
        let population = u64::from(rows.last(account).await?.row);
        off_the_runtime(move || sittings(found, &terms, steps, visible, population)).await
    }

    async fn captured_within(&self, account: AccountId, query: CapturedQuery) -> Result<Vec<Thought>, StoreError> {
        self.rows(account).captured_within(account, query).await
    }
}

/// A text up to this long is analysed in less time than handing it to another thread takes.
const SHORT_BYTES: usize = 2_048;

/// The lexical form of a text.
pub(super) async fn formed(text: String) -> Result<LexicalForm, StoreError> {
    match text.len() <= SHORT_BYTES {
        true => Ok(text::lexical_form(&text)),
        false => off_the_runtime(move || text::lexical_form(&text)).await,
    }
}
