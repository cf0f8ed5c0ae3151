//! What is better done between requests than in one: forms and full blocks are stored, what nobody needs is let go.

use std::time::{Duration, Instant};

use async_trait::async_trait;

use model::AccountId;

use super::loaded::Loaded;
use super::store::IndexedStore;
use crate::apart::computed;
use crate::contract::{Stats, Upkeep};
use crate::error::StoreError;
use crate::models::ModelState;
use crate::source::Source;
use crate::words::{Index, SEGMENT_FORMAT};

/// How long forms of one account are stored at a time: a small part of the time between two rounds of upkeep.
const FORMING: Duration = Duration::from_millis(200);

#[async_trait]
impl Upkeep for IndexedStore {
    async fn stats(&self) -> Result<Stats, StoreError> {
        Ok(Stats { held_bytes: self.held_bytes(), ..self.backend.stats().await? })
    }

    async fn damaged(&self) -> Result<Vec<(AccountId, String)>, StoreError> {
        self.backend.damaged().await
    }

    fn hold_at_most(&self, bytes: u64) {
        self.set_budget(bytes);
    }

    async fn check(&self) -> Result<(), StoreError> {
        self.backend.check().await
    }

    async fn upkeep(&self) -> Result<(), StoreError> {
        let mut failed = Ok(());
        for loaded in self.held() {
            // What fails in one account keeps the others from nothing.
            failed = failed.and(keep_up(&loaded).await);
        }
        self.let_surplus_go();
        let in_use = self.let_idle_go();
        self.backend.let_go(&in_use).await?;
        failed
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.let_all_go();
        self.backend.close().await
    }
}

async fn keep_up(loaded: &Loaded) -> Result<(), StoreError> {
    seal_full_blocks(loaded).await?;
    let begun = Instant::now();
    while store_forms(&loaded.source).await? && begun.elapsed() < FORMING {}
    remove_retired_vectors(loaded).await
}

/// Brings an index that is in use up to date, and makes its full blocks compact and stores them.
async fn seal_full_blocks(loaded: &Loaded) -> Result<(), StoreError> {
    let Some(words) = loaded.words_in_use() else { return Ok(()) };
    let end = loaded.end().await?;
    let mut sealed = Vec::new();
    for block in loaded.with_words(end, Index::unsealed).await? {
        // Sorting tens of thousands of words: done beside the searches, only the swap shuts them out.
        let compact = move |index: &Index| {
            let segment = index.compact(block)?;
            let bytes = segment.to_bytes();
            Some((segment, bytes))
        };
        let Some((segment, bytes)) = loaded.with_words(end, compact).await? else { continue };
        words.now_mut().replace_sealed(block, segment);
        sealed.push((block, bytes));
    }
    if sealed.is_empty() {
        return Ok(());
    }
    // What opening the account would otherwise read from the thoughts themselves.
    while store_forms(&loaded.source).await? {}
    let Source { backend, account } = &loaded.source;
    for (block, bytes) in sealed {
        let block = u32::try_from(block).expect("blocks are held in memory");
        backend.put_block(*account, block, SEGMENT_FORMAT, bytes).await?;
    }
    Ok(())
}

/// Stores the lexical forms of the next thoughts that lack one; whether there are more.
async fn store_forms(Source { backend, account }: &Source) -> Result<bool, StoreError> {
    let unformed = backend.unformed(*account).await?;
    if unformed.thoughts.is_empty() {
        return Ok(false);
    }
    let (next, more) = (unformed.next, unformed.more);
    let form = |logged: crate::backend::Logged| (logged.entry, logged.form.into_form());
    let forms = computed(move || unformed.thoughts.into_iter().map(form).collect()).await?;
    backend.put_forms(*account, forms, next).await?;
    Ok(more)
}

/// Removes the vectors of models that answer no more.
async fn remove_retired_vectors(loaded: &Loaded) -> Result<(), StoreError> {
    let Source { backend, account } = &loaded.source;
    let models = backend.models(*account).await?;
    for model in models.into_iter().filter(|model| model.state == ModelState::Retired) {
        loaded.forget_vectors(model.number);
        while backend.remove_retired(*account, model.number).await? {}
    }
    Ok(())
}
