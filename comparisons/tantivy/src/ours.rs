//! Our index, by way of the store.

use std::path::Path;
use std::sync::Arc;

use tokio::runtime::Runtime;
use uuid::Uuid;

use model::{AccountId, Author, AuthorFilter, Category, SystemClock, ThoughtId, ThoughtText};
use store::{LexicalQuery, NewThought, Store, Visible};

use super::{HITS, Side, terms};
use crate::contents::{an_account, stored};

/// How many texts are imported in one transaction.
const BATCH: usize = 10_000;

pub struct Ours {
    runtime: Runtime,
    store: Arc<dyn Store>,
    account: AccountId,
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap()
}

async fn open(folder: &Path) -> Arc<dyn Store> {
    store_sqlite::open(folder, Arc::new(SystemClock), store_sqlite::OPEN_ACCOUNTS).await.unwrap()
}

impl Side for Ours {
    const NAME: &'static str = "ours";

    fn build(folder: &Path, texts: impl Iterator<Item = String>) {
        let runtime = runtime();
        let store = runtime.block_on(open(folder));
        let account = runtime.block_on(an_account(store.as_ref()));
        let mut texts = texts.enumerate().peekable();
        while texts.peek().is_some() {
            let batch = texts.by_ref().take(BATCH).map(|(number, text)| stored(&text, number as i64)).collect();
            runtime.block_on(store.import(account, batch)).unwrap();
        }
        let ours = Self { runtime, store, account };
        // What a running service does now and then: finished blocks are written down.
        ours.search("anything");
        ours.runtime.block_on(ours.store.upkeep()).unwrap();
        ours.runtime.block_on(ours.store.close()).unwrap();
    }

    fn open(folder: &Path) -> Self {
        let runtime = runtime();
        let store = runtime.block_on(open(folder));
        let account = runtime.block_on(store.list_accounts()).unwrap()[0].id;
        Self { runtime, store, account }
    }

    fn search(&self, query: &str) -> Vec<String> {
        let visible = Visible::open(AuthorFilter::All);
        let query = LexicalQuery { terms: terms(query), visible, limit: HITS };
        let found = self.runtime.block_on(self.store.search(self.account, &query)).unwrap();
        found.hits.into_iter().map(|hit| hit.thought.raw_text.as_str().to_owned()).collect()
    }

    fn capture(&mut self, text: &str) {
        let thought = NewThought {
            id: ThoughtId::from_uuid(Uuid::now_v7()),
            raw_text: ThoughtText::new(text).unwrap(),
            category: Category::Observation,
            author: Author::User,
            captured_at: None,
        };
        self.runtime.block_on(self.store.insert(self.account, thought)).unwrap();
    }
}
