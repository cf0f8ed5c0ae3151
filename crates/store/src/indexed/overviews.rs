//! An account as a person looks at it is the back end's alone: nothing of it is ranked.

use async_trait::async_trait;

use annotate::entities::EntityKey;
use model::{AccountId, Cursor, Thought, ThoughtId};

use super::store::IndexedStore;
use crate::contract::{
    Among, Census, ChangeMark, Changes, Duplicates, EntityListing, EntityPage, EntityView, Filter, Focus, Graph,
    Overviews,
};
use crate::error::StoreError;

#[async_trait]
impl Overviews for IndexedStore {
    async fn list_filtered(
        &self,
        account: AccountId,
        filter: &Filter,
        before: Option<Cursor>,
        limit: usize,
    ) -> Result<Vec<Thought>, StoreError> {
        self.rows(account).list_filtered(account, filter, before, limit).await
    }

    async fn among(&self, account: AccountId, filter: &Filter) -> Result<Among, StoreError> {
        self.rows(account).among(account, filter).await
    }

    async fn mentioning(
        &self,
        account: AccountId,
        entity: &EntityKey,
        ids: &[ThoughtId],
    ) -> Result<Vec<ThoughtId>, StoreError> {
        self.rows(account).mentioning(account, entity, ids).await
    }

    async fn census(&self, account: AccountId) -> Result<Census, StoreError> {
        self.rows(account).census(account).await
    }

    async fn list_entities(&self, account: AccountId, listing: &EntityListing) -> Result<EntityPage, StoreError> {
        self.rows(account).list_entities(account, listing).await
    }

    async fn entity(&self, account: AccountId, key: &EntityKey) -> Result<Option<EntityView>, StoreError> {
        self.rows(account).entity(account, key).await
    }

    async fn entities_of_thought(
        &self,
        account: AccountId,
        id: ThoughtId,
    ) -> Result<Vec<(EntityKey, String)>, StoreError> {
        self.rows(account).entities_of_thought(account, id).await
    }

    async fn graph(&self, account: AccountId, focus: &Focus, limit: usize) -> Result<Graph, StoreError> {
        self.rows(account).graph(account, focus, limit).await
    }

    async fn duplicates(&self, account: AccountId, skip: usize, limit: usize) -> Result<Duplicates, StoreError> {
        self.rows(account).duplicates(account, skip, limit).await
    }

    async fn changes(
        &self,
        account: AccountId,
        since: Option<ChangeMark>,
        limit: usize,
    ) -> Result<Changes, StoreError> {
        self.rows(account).changes(account, since, limit).await
    }
}
