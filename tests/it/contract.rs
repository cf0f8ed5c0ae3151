//! The store's contract: one suite of cases, run against every back end.

mod accounts;
mod lexical;
mod notes;
mod thoughts;
mod transfer;

use std::sync::Arc;

use afterthought::model::{
    Account, AccountId, Author, AuthorFilter, Category, Clock, RevisionKind, Status, SystemClock, Thought, ThoughtId,
    ThoughtText,
};
use afterthought::store::{
    self, LexicalHits, LexicalQuery, Listing, Location, NewThought, Step, Store, Update, Updated,
};
use afterthought::text;
use tempfile::TempDir;
use uuid::Uuid;

/// Names every case once for every back end: a case that is not listed is dead code and does not compile.
macro_rules! contract {
    ($($module:ident: $($case:ident),+ $(,)?;)+) => {
        mod sqlite {
            $(mod $module { $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    let given = crate::contract::Given::sqlite();
                    crate::contract::$module::$case(&given).await;
                }
            )+ })+
        }
    };
}

contract! {
    accounts:
        an_account_name_is_taken_only_once,
        a_key_is_found_by_its_hash_alone,
        a_taken_prefix_is_reported,
        a_revoked_key_keeps_its_first_time,
        the_last_use_never_moves_back,
        a_failed_write_takes_nothing_else_with_it,
        another_process_sees_keys_at_once;
    thoughts:
        a_stored_thought_is_read_back_whole,
        a_thought_survives_reopening,
        another_account_cannot_reach_it,
        creation_times_strictly_increase,
        browsing_pages_without_gaps_or_repeats_while_others_write,
        browsing_filters_by_author_and_status,
        a_cursor_without_id_is_strictly_older,
        a_change_leaves_a_revision,
        a_stale_change_is_refused_and_changes_nothing,
        a_change_of_nothing_that_exists_is_absent,
        a_changed_text_is_queued_again,
        many_writers_lose_nothing;
    lexical:
        a_thought_is_found_by_its_words_on_return,
        an_edited_text_is_found_by_its_new_words_only,
        only_the_asked_status_and_author_are_found,
        another_accounts_words_are_not_found,
        what_another_process_wrote_is_found,
        the_answer_is_the_same_after_reopening,
        sealed_blocks_answer_like_growing_ones;
    notes:
        a_note_is_found_by_its_words,
        a_removed_note_is_not_found_and_not_listed,
        a_note_of_an_archived_thought_is_not_found,
        a_note_needs_its_thought,
        notes_are_listed_by_thought;
    transfer:
        what_is_exported_is_imported_the_same,
        importing_twice_stores_nothing_twice,
        keys_are_exported_with_what_stands_for_their_secrets,
        a_backup_is_a_store_of_its_own,
        counts_are_told;
}

/// A fresh store and what a case needs to use it.
pub(crate) struct Given {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) account: AccountId,
    pub(crate) other_account: AccountId,
    location: Location,
    _folder: TempDir,
}

impl Given {
    fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let location = Location::Embedded(folder.path().join("data"));
        let [account, other_account] = [(); 2].map(|()| AccountId::from_uuid(Uuid::now_v7()));
        Self { store: open(&location), account, other_account, location, _folder: folder }
    }

    /// The same store as another process would open it.
    pub(crate) fn another_process(&self) -> Arc<dyn Store> {
        open(&self.location)
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

pub(crate) fn open(location: &Location) -> Arc<dyn Store> {
    store::open(location, Arc::new(SystemClock)).unwrap()
}

pub(crate) fn agent(name: &str) -> Author {
    Author::Agent { name: name.into() }
}

pub(crate) fn new(text: &str, author: Author) -> NewThought {
    NewThought {
        id: ThoughtId::from_uuid(Uuid::now_v7()),
        raw_text: ThoughtText::new(text).unwrap(),
        lexical: text::lexical_form(text),
        category: Category::Observation,
        author,
        captured_at: None,
        steps: &[Step::Enrich],
    }
}

pub(crate) fn change(thought: &Thought, text: Option<&str>, status: Option<Status>) -> Update {
    Update {
        based_on: thought.revision,
        text: text.map(|text| (ThoughtText::new(text).unwrap(), text::lexical_form(text))),
        status,
        kind: RevisionKind::Change,
        by: "test".into(),
        steps: &[Step::Enrich],
    }
}

pub(crate) fn query(words: &str, author: AuthorFilter, status: Status) -> LexicalQuery {
    LexicalQuery { terms: text::query_terms(words), status, author, limit: 10 }
}

pub(crate) fn found(hits: &LexicalHits) -> Vec<ThoughtId> {
    hits.hits.iter().map(|hit| hit.thought.id).collect()
}

pub(crate) fn listing(limit: usize) -> Listing {
    Listing { status: Status::Open, author: AuthorFilter::User, before: None, limit }
}
