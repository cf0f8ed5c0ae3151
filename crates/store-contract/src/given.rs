//! A fresh store, and what cases need to use it.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use uuid::Uuid;

use model::{
    Account, AccountId, Author, AuthorFilter, Category, Clock, RevisionKind, Status, SystemClock, Thought, ThoughtId,
    ThoughtText,
};
use store::{LexicalHits, LexicalQuery, Listing, NewThought, Store, Update, Updated, Visible};

/// A kind of store, at a place where one is.
#[async_trait]
pub trait UnderTest: Send + Sync {
    /// A new place, where nothing is stored; it is gone with what is returned.
    async fn fresh(&self) -> Box<dyn UnderTest>;

    /// Opens the store at the place, as a process of its own would.
    async fn open(&self) -> Arc<dyn Store>;

    /// Opens the copy that a backup wrote into a folder.
    async fn open_copy(&self, folder: &Path) -> Arc<dyn Store>;
}

/// A fresh store and what a case needs to use it.
pub struct Given {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) account: AccountId,
    pub(crate) other_account: AccountId,
    pub(crate) under_test: Box<dyn UnderTest>,
}

impl Given {
    /// A store where nothing is stored yet.
    pub async fn new(under_test: Box<dyn UnderTest>) -> Self {
        let [account, other_account] = [(); 2].map(|()| AccountId::from_uuid(Uuid::now_v7()));
        Self { store: under_test.open().await, account, other_account, under_test }
    }

    /// A second store of the same kind.
    pub(crate) async fn elsewhere(&self) -> Self {
        Self::new(self.under_test.fresh().await).await
    }

    /// The same store as another process would open it.
    pub(crate) async fn another_process(&self) -> Arc<dyn Store> {
        self.under_test.open().await
    }

    /// Stores an account of that name.
    pub(crate) async fn an_account(&self, id: AccountId, name: &str) -> Account {
        let account = Account { id, name: name.parse().unwrap(), created_at: SystemClock.now() };
        assert!(self.store.insert_account(&account).await.unwrap());
        account
    }

    /// Stores a thought of the human user.
    pub(crate) async fn a_thought(&self, text: &str) -> Thought {
        self.store.insert(self.account, new(text, Author::User)).await.unwrap()
    }

    /// Gives a thought another status.
    pub(crate) async fn with_status(&self, thought: &Thought, status: Status) -> Thought {
        let update = change(thought, None, Some(status));
        match self.store.update(self.account, thought.id, update).await.unwrap() {
            Updated::Done(thought) => *thought,
            other => panic!("expected a change, got {other:?}"),
        }
    }

    /// The open thoughts of the human user that hold the words.
    pub(crate) async fn search(&self, words: &str) -> Vec<ThoughtId> {
        found(&self.store.search(self.account, &query(words, AuthorFilter::User, Status::Open)).await.unwrap())
    }
}

pub(crate) fn agent(name: &str) -> Author {
    Author::Agent { name: name.into() }
}

pub(crate) fn new(text: &str, author: Author) -> NewThought {
    NewThought {
        id: ThoughtId::from_uuid(Uuid::now_v7()),
        raw_text: ThoughtText::new(text).unwrap(),
        category: Category::Observation,
        author,
        captured_at: None,
    }
}

pub(crate) fn change(thought: &Thought, text: Option<&str>, status: Option<Status>) -> Update {
    Update {
        based_on: thought.revision,
        text: text.map(|text| ThoughtText::new(text).unwrap()),
        status,
        kind: RevisionKind::Change,
        by: "test".into(),
    }
}

/// What is open of the human user's.
pub(crate) const OPEN: Visible = Visible::open(AuthorFilter::User);

pub(crate) fn query(words: &str, author: AuthorFilter, status: Status) -> LexicalQuery {
    LexicalQuery {
        terms: text::query_terms(words),
        visible: Visible { status, author },
        among: None,
        limit: 10,
        as_of: None,
    }
}

pub(crate) fn found(hits: &LexicalHits) -> Vec<ThoughtId> {
    hits.hits.iter().map(|hit| hit.thought.id).collect()
}

pub(crate) fn listing(limit: usize) -> Listing {
    Listing { visible: OPEN, before: None, limit }
}
