//! A store that fails or panics where it is told to, and otherwise is the one it stands before.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use tokio::sync::watch;

use afterthought::app::App;
use annotate::entities::EntityKey;
use model::{
    Account, AccountId, AccountName, Cursor, Key, KeyHash, KeyId, Note, NoteId, RandomIds, Revision, RevisionKind,
    Session, SystemClock, Thought, ThoughtId, Time, TokenHash,
};
use store::{
    Accounts, Among, Backup, CapturedQuery, Census, ChangeMark, Changes, Claim, Connections, Copies, Duplicates,
    Enrichment, EntityHit, EntityListing, EntityPage, EntityQuery, EntityView, Filter, Finished, Focus, Graph, Job,
    Jobs, Keys, Knowledge, KnownNames, LexicalHits, LexicalQuery, Linked, Listing, Mentioned, MetName, NewKey, NewLink,
    NewThought, NoteListing, Notes, Overviews, Piece, PieceId, Rebuild, Relatives, RunningCopy, SemanticHits,
    SemanticQuery, Sessions, Sittings, SittingsQuery, Stats, Store, StoreError, StoredNote, Thoughts, Ticket, Transfer,
    Update, Updated, Upkeep, Visible,
};

/// What happens at the next call of a method, once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    Panic,
    PanicAfterwards,
    Busy,
    Full,
    Failure,
}

/// A store with faults.
pub(crate) struct Faulty {
    inner: Arc<dyn Store>,
    next: Mutex<Option<(&'static str, Fault)>>,
}

impl Faulty {
    pub(crate) fn new(inner: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self { inner, next: Mutex::default() })
    }

    /// Lets the next call of a method go wrong.
    pub(crate) fn at_next(&self, method: &'static str, fault: Fault) {
        *self.next.lock() = Some((method, fault));
    }

    /// Whether the fault has happened.
    pub(crate) fn has_happened(&self) -> bool {
        self.next.lock().is_none()
    }

    fn take(&self, method: &str, fits: impl Fn(Fault) -> bool) -> Option<Fault> {
        self.next.lock().take_if(|(at, fault)| *at == method && fits(*fault)).map(|(_, fault)| fault)
    }

    fn before(&self, method: &str) -> Result<(), StoreError> {
        match self.take(method, |fault| fault != Fault::PanicAfterwards) {
            None | Some(Fault::PanicAfterwards) => Ok(()),
            Some(Fault::Panic) => panic!("a bug before {method}"),
            Some(Fault::Busy) => Err(StoreError::Busy("told so".into())),
            Some(Fault::Full) => Err(StoreError::Full("told so".into())),
            Some(Fault::Failure) => Err(StoreError::backend("told so")),
        }
    }

    fn after(&self, method: &str) {
        assert!(self.take(method, |fault| fault == Fault::PanicAfterwards).is_none(), "a bug after {method}");
    }
}

/// The same parts over a store with faults, which is told beside.
pub(crate) fn app(usual: &App, faulty: &mut Option<Arc<Faulty>>) -> App {
    let store = faulty.insert(Faulty::new(usual.store.clone())).clone();
    App::on(store, None, Arc::new(SystemClock), Arc::new(RandomIds))
}

/// Hands a call on, with what is to go wrong at it.
macro_rules! hand_on {
    ($self:ident.$method:ident($($argument:expr),*)) => {{
        $self.before(stringify!($method))?;
        let answer = $self.inner.$method($($argument),*).await;
        $self.after(stringify!($method));
        answer
    }};
}

type Outcome<T> = Result<T, StoreError>;

#[async_trait]
impl Accounts for Faulty {
    async fn insert_account(&self, account: &Account) -> Outcome<bool> {
        hand_on!(self.insert_account(account))
    }
    async fn get_account(&self, name: &AccountName) -> Outcome<Option<Account>> {
        hand_on!(self.get_account(name))
    }
    async fn list_accounts(&self) -> Outcome<Vec<Account>> {
        hand_on!(self.list_accounts())
    }
}

#[async_trait]
impl Keys for Faulty {
    async fn insert_key(&self, key: &NewKey) -> Outcome<bool> {
        hand_on!(self.insert_key(key))
    }
    async fn get_key(&self, hash: &KeyHash) -> Outcome<Option<Key>> {
        hand_on!(self.get_key(hash))
    }
    async fn list_keys(&self, account: Option<AccountId>) -> Outcome<Vec<Key>> {
        hand_on!(self.list_keys(account))
    }
    async fn revoke_key(&self, id: KeyId, at: Time) -> Outcome<()> {
        hand_on!(self.revoke_key(id, at))
    }
    async fn record_key_uses(&self, uses: &[(KeyId, Time)]) -> Outcome<()> {
        hand_on!(self.record_key_uses(uses))
    }
}

#[async_trait]
impl Sessions for Faulty {
    async fn insert_link(&self, link: &NewLink) -> Outcome<()> {
        hand_on!(self.insert_link(link))
    }
    async fn redeem_link(&self, link: &TokenHash, session: TokenHash, created_at: Time) -> Outcome<bool> {
        hand_on!(self.redeem_link(link, session, created_at))
    }
    async fn insert_session(&self, session: TokenHash, key: KeyId, created_at: Time) -> Outcome<bool> {
        hand_on!(self.insert_session(session, key, created_at))
    }
    async fn get_session(&self, hash: &TokenHash) -> Outcome<Option<Session>> {
        hand_on!(self.get_session(hash))
    }
    async fn end_session(&self, hash: &TokenHash) -> Outcome<()> {
        hand_on!(self.end_session(hash))
    }
    async fn end_owners_sessions(&self, account: AccountId) -> Outcome<usize> {
        hand_on!(self.end_owners_sessions(account))
    }
    async fn record_session_uses(&self, uses: &[(TokenHash, Time)]) -> Outcome<()> {
        hand_on!(self.record_session_uses(uses))
    }
    async fn forget_stale_sessions(&self, unused_since: Time, now: Time) -> Outcome<()> {
        hand_on!(self.forget_stale_sessions(unused_since, now))
    }
}

#[async_trait]
impl Thoughts for Faulty {
    async fn insert(&self, account: AccountId, thought: NewThought) -> Outcome<Thought> {
        hand_on!(self.insert(account, thought))
    }
    async fn get(&self, account: AccountId, id: ThoughtId) -> Outcome<Option<Thought>> {
        hand_on!(self.get(account, id))
    }
    async fn list(&self, account: AccountId, listing: &Listing) -> Outcome<Vec<Thought>> {
        hand_on!(self.list(account, listing))
    }
    async fn update(&self, account: AccountId, id: ThoughtId, update: Update) -> Outcome<Updated> {
        hand_on!(self.update(account, id, update))
    }
    async fn revision_kinds(&self, account: AccountId, id: ThoughtId) -> Outcome<Vec<(u32, RevisionKind)>> {
        hand_on!(self.revision_kinds(account, id))
    }
    async fn get_revision(&self, account: AccountId, id: ThoughtId, number: u32) -> Outcome<Option<Revision>> {
        hand_on!(self.get_revision(account, id, number))
    }
    async fn search(&self, account: AccountId, query: &LexicalQuery) -> Outcome<LexicalHits> {
        hand_on!(self.search(account, query))
    }
    async fn sittings(&self, account: AccountId, query: SittingsQuery) -> Outcome<Sittings> {
        hand_on!(self.sittings(account, query))
    }
    async fn captured_within(&self, account: AccountId, query: CapturedQuery) -> Outcome<Vec<Thought>> {
        hand_on!(self.captured_within(account, query))
    }
}

#[async_trait]
impl Notes for Faulty {
    async fn insert_note(&self, account: AccountId, thought: ThoughtId, note: StoredNote) -> Outcome<Option<Note>> {
        hand_on!(self.insert_note(account, thought, note))
    }
    async fn list_notes(&self, account: AccountId, listing: NoteListing) -> Outcome<Vec<Note>> {
        hand_on!(self.list_notes(account, listing))
    }
    async fn get_note(&self, account: AccountId, id: NoteId) -> Outcome<Option<Note>> {
        hand_on!(self.get_note(account, id))
    }
    async fn note_texts(&self, account: AccountId, ids: &[NoteId]) -> Outcome<Vec<(NoteId, String, String)>> {
        hand_on!(self.note_texts(account, ids))
    }
    async fn remove_note(&self, account: AccountId, id: NoteId, at: Time) -> Outcome<Option<Note>> {
        hand_on!(self.remove_note(account, id, at))
    }
}

#[async_trait]
impl Jobs for Faulty {
    fn work_signal(&self) -> watch::Receiver<u64> {
        self.inner.work_signal()
    }
    async fn accounts_with_work(&self, now: Time) -> Outcome<Vec<AccountId>> {
        hand_on!(self.accounts_with_work(now))
    }
    async fn accounts_known_to_have_work(&self, now: Time) -> Outcome<Vec<AccountId>> {
        hand_on!(self.accounts_known_to_have_work(now))
    }
    async fn accounts_with_another_model(&self, model: &str) -> Outcome<Vec<AccountId>> {
        hand_on!(self.accounts_with_another_model(model))
    }
    async fn claim(&self, account: AccountId, claim: Claim) -> Outcome<Vec<Job>> {
        hand_on!(self.claim(account, claim))
    }
    async fn retry_at(&self, account: AccountId, ticket: Ticket, at: Time) -> Outcome<()> {
        hand_on!(self.retry_at(account, ticket, at))
    }
    async fn put_back(&self, account: AccountId, tickets: Vec<Ticket>, at: Time) -> Outcome<()> {
        hand_on!(self.put_back(account, tickets, at))
    }
    async fn queue_rebuild(&self, account: AccountId, rebuild: Rebuild, limit: usize) -> Outcome<bool> {
        hand_on!(self.queue_rebuild(account, rebuild, limit))
    }
    async fn enrichment_of(&self, account: AccountId, id: ThoughtId) -> Outcome<Option<Enrichment>> {
        hand_on!(self.enrichment_of(account, id))
    }
    async fn try_again(&self, account: AccountId, id: ThoughtId) -> Outcome<()> {
        hand_on!(self.try_again(account, id))
    }
    async fn give_up(&self, account: AccountId, ticket: Ticket) -> Outcome<()> {
        hand_on!(self.give_up(account, ticket))
    }
}

#[async_trait]
impl Knowledge for Faulty {
    async fn finish(&self, account: AccountId, finished: Vec<Finished>) -> Outcome<usize> {
        hand_on!(self.finish(account, finished))
    }
    async fn serving_model(&self, account: AccountId) -> Outcome<Option<String>> {
        hand_on!(self.serving_model(account))
    }
    async fn search_semantic(&self, account: AccountId, query: SemanticQuery) -> Outcome<SemanticHits> {
        hand_on!(self.search_semantic(account, query))
    }
    async fn known_names(&self, account: AccountId, words: Vec<String>) -> Outcome<KnownNames> {
        hand_on!(self.known_names(account, words))
    }
    async fn names_before(&self, account: AccountId, id: ThoughtId, words: Vec<String>) -> Outcome<Vec<MetName>> {
        hand_on!(self.names_before(account, id, words))
    }
    async fn mention(&self, account: AccountId, mentioned: Vec<Mentioned>) -> Outcome<()> {
        hand_on!(self.mention(account, mentioned))
    }
    async fn search_entities(&self, account: AccountId, query: EntityQuery) -> Outcome<Vec<EntityHit>> {
        hand_on!(self.search_entities(account, query))
    }
    async fn connections(&self, account: AccountId, ids: &[ThoughtId]) -> Outcome<Vec<Connections>> {
        hand_on!(self.connections(account, ids))
    }
    async fn linked(&self, account: AccountId, ids: &[ThoughtId], visible: Visible) -> Outcome<Vec<Linked>> {
        hand_on!(self.linked(account, ids, visible))
    }
    async fn replacing(&self, account: AccountId, ids: &[ThoughtId], visible: Visible) -> Outcome<Vec<Linked>> {
        hand_on!(self.replacing(account, ids, visible))
    }
    async fn relatives(&self, account: AccountId, ids: Vec<ThoughtId>, model: &str) -> Outcome<Vec<Relatives>> {
        hand_on!(self.relatives(account, ids, model))
    }
}

#[async_trait]
impl Overviews for Faulty {
    async fn list_filtered(
        &self,
        account: AccountId,
        filter: &Filter,
        before: Option<Cursor>,
        limit: usize,
    ) -> Outcome<Vec<Thought>> {
        hand_on!(self.list_filtered(account, filter, before, limit))
    }
    async fn among(&self, account: AccountId, filter: &Filter) -> Outcome<Among> {
        hand_on!(self.among(account, filter))
    }
    async fn mentioning(&self, account: AccountId, entity: &EntityKey, ids: &[ThoughtId]) -> Outcome<Vec<ThoughtId>> {
        hand_on!(self.mentioning(account, entity, ids))
    }
    async fn census(&self, account: AccountId) -> Outcome<Census> {
        hand_on!(self.census(account))
    }
    async fn list_entities(&self, account: AccountId, listing: &EntityListing) -> Outcome<EntityPage> {
        hand_on!(self.list_entities(account, listing))
    }
    async fn entity(&self, account: AccountId, key: &EntityKey) -> Outcome<Option<EntityView>> {
        hand_on!(self.entity(account, key))
    }
    async fn entities_of_thought(&self, account: AccountId, id: ThoughtId) -> Outcome<Vec<(EntityKey, String)>> {
        hand_on!(self.entities_of_thought(account, id))
    }
    async fn graph(&self, account: AccountId, focus: &Focus, limit: usize) -> Outcome<Graph> {
        hand_on!(self.graph(account, focus, limit))
    }
    async fn duplicates(&self, account: AccountId, skip: usize, limit: usize) -> Outcome<Duplicates> {
        hand_on!(self.duplicates(account, skip, limit))
    }
    async fn changes(&self, account: AccountId, since: Option<ChangeMark>, limit: usize) -> Outcome<Changes> {
        hand_on!(self.changes(account, since, limit))
    }
}

#[async_trait]
impl Transfer for Faulty {
    async fn export(&self, account: AccountId, after: Option<PieceId>) -> Outcome<Vec<Piece>> {
        hand_on!(self.export(account, after))
    }
    async fn export_keys(&self, account: AccountId) -> Outcome<Vec<(Key, KeyHash)>> {
        hand_on!(self.export_keys(account))
    }
    async fn existing(&self, account: AccountId, ids: &[ThoughtId]) -> Outcome<Vec<ThoughtId>> {
        hand_on!(self.existing(account, ids))
    }
    async fn import(&self, account: AccountId, pieces: Vec<Piece>) -> Outcome<usize> {
        hand_on!(self.import(account, pieces))
    }
    async fn backup(&self, folder: &Path) -> Outcome<Backup> {
        hand_on!(self.backup(folder))
    }
}

#[async_trait]
impl Copies for Faulty {
    async fn announce(&self, copy: &RunningCopy) -> Outcome<()> {
        hand_on!(self.announce(copy))
    }
    async fn withdraw(&self, instance: &str) -> Outcome<()> {
        hand_on!(self.withdraw(instance))
    }
    async fn copies(&self, within: Duration) -> Outcome<Vec<RunningCopy>> {
        hand_on!(self.copies(within))
    }
}

#[async_trait]
impl Upkeep for Faulty {
    async fn stats(&self) -> Outcome<Stats> {
        hand_on!(self.stats())
    }
    async fn upkeep(&self) -> Outcome<()> {
        hand_on!(self.upkeep())
    }
    async fn damaged(&self) -> Outcome<Vec<(AccountId, String)>> {
        hand_on!(self.damaged())
    }
    fn hold_at_most(&self, bytes: u64) {
        self.inner.hold_at_most(bytes);
    }
    async fn check(&self) -> Outcome<()> {
        hand_on!(self.check())
    }
    async fn close(&self) -> Outcome<()> {
        hand_on!(self.close())
    }
}
