//! A connection that is lost after a commit was sent: nothing is stored twice, nothing is guessed, and whoever cannot be told what became
//! of a change hears that it may have been made. Nor does a lock that somebody holds keep others waiting.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

use afterthought_store_postgres::{Settings, open};
use model::{
    Account, AccountId, Author, AuthorFilter, Category, Clock, NoteId, RevisionKind, Status, SystemClock, Thought,
    ThoughtId, ThoughtText,
};
use store::{Listing, NewThought, Store, StoreError, StoredNote, Update, Updated, Visible};
use test_postgres::{Place, address};

/// What becomes of the next message that holds certain bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// It never arrives: nothing is committed.
    Before,
    /// It arrives and is carried out, and the answer is lost.
    After,
    /// The same, and from then on nobody is let in.
    ForGood,
}

/// Between a store and its server: passes everything on until it is told to cut.
#[derive(Default)]
struct Between {
    cut: Mutex<Option<(Vec<u8>, Cut)>>,
    is_shut: Mutex<bool>,
}

impl Between {
    /// The next message with these bytes is cut off.
    fn cut(&self, bytes: &[u8], cut: Cut) {
        *self.cut.lock() = Some((bytes.to_vec(), cut));
    }

    fn cut_was_made(&self) -> bool {
        self.cut.lock().is_none()
    }

    /// Whether these bytes are the ones to cut off.
    fn cuts(&self, message: &[u8]) -> Option<Cut> {
        let mut waiting = self.cut.lock();
        let (bytes, cut) = waiting.as_ref()?;
        message.windows(bytes.len()).any(|some| some == bytes).then_some(*cut).inspect(|_| *waiting = None)
    }

    async fn listen(self: Arc<Self>) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if !*self.is_shut.lock() {
                    tokio::spawn(self.clone().pass_on(client));
                }
            }
        });
        port
    }

    /// One connection, until it ends or is cut.
    async fn pass_on(self: Arc<Self>, mut client: TcpStream) {
        let server = address().rsplit_once('@').unwrap().1.split('/').next().unwrap();
        let mut server = TcpStream::connect(server).await.unwrap();
        let (mut asked, mut answered) = (vec![0; 1 << 16], vec![0; 1 << 16]);
        loop {
            tokio::select! {
                read = some_of(&mut client, &mut asked) => {
                    let Some(message) = read else { return };
                    match self.cuts(message) {
                        Some(Cut::Before) => return,
                        Some(cut) => {
                            server.write_all(message).await.unwrap();
                            // It has been carried out when it is answered.
                            some_of(&mut server, &mut answered).await;
                            *self.is_shut.lock() = cut == Cut::ForGood;
                            return;
                        }
                        None => server.write_all(message).await.unwrap(),
                    }
                }
                read = some_of(&mut server, &mut answered) => {
                    let Some(message) = read else { return };
                    if client.write_all(message).await.is_err() {
                        return;
                    }
                }
            }
        }
    }
}

async fn some_of<'a>(from: &mut (impl AsyncRead + Unpin), into: &'a mut [u8]) -> Option<&'a [u8]> {
    let read = from.read(into).await.ok().filter(|read| *read > 0)?;
    Some(&into[..read])
}

/// A store whose server is reached through what can be cut, and one that reaches it directly.
struct Given {
    between: Arc<Between>,
    cut: Arc<dyn Store>,
    direct: Arc<dyn Store>,
    account: AccountId,
    place: Place,
}

impl Given {
    async fn fresh() -> Self {
        let place = Place::fresh();
        let between = Arc::new(Between::default());
        let port = between.clone().listen().await;
        let through = format!("postgres://postgres@127.0.0.1:{port}/postgres");
        let open = async |address: &str| {
            let (address, schema) = (address.parse().unwrap(), place.schema().parse().unwrap());
            open(&Settings { address, schema, connections: 2 }, Arc::new(SystemClock)).await.unwrap()
        };
        let (direct, cut) = (open(place.address()).await, open(&through).await);
        let id = AccountId::from_uuid(Uuid::now_v7());
        let account = Account { id, name: "ana".parse().unwrap(), created_at: SystemClock.now() };
        assert!(direct.insert_account(&account).await.unwrap());
        Self { between, cut, direct, account: id, place }
    }

    async fn all(&self) -> Vec<Thought> {
        let listing = Listing { visible: Visible::open(AuthorFilter::All), before: None, limit: 100 };
        self.direct.list(self.account, &listing).await.unwrap()
    }

    async fn stored(&self, text: &str) -> Thought {
        self.cut.insert(self.account, thought(text)).await.unwrap()
    }

    /// Somebody who keeps others from storing thoughts of an account for as long as the transaction lasts.
    async fn lock(&self, account: AccountId) -> Client {
        let (other, connection) = tokio_postgres::connect(self.place.address(), NoTls).await.unwrap();
        tokio::spawn(connection);
        let lock = format!("SELECT 1 FROM {}.log_end WHERE account_id = $1 FOR UPDATE", self.place.schema());
        other.batch_execute("BEGIN").await.unwrap();
        other.query(&lock, &[&Uuid::from_bytes(*account.as_bytes())]).await.unwrap();
        other
    }
}

fn thought(text: &str) -> NewThought {
    NewThought {
        id: ThoughtId::from_uuid(Uuid::now_v7()),
        raw_text: ThoughtText::new(text).unwrap(),
        category: Category::Observation,
        author: Author::User,
        captured_at: None,
    }
}

fn completed(thought: &Thought) -> Update {
    Update {
        based_on: thought.revision,
        text: None,
        status: Some(Status::Completed),
        kind: RevisionKind::Change,
        by: "laptop".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thought_whose_commit_was_not_answered_is_stored_once() {
    let given = Given::fresh().await;
    given.stored("the first one makes the account").await;
    for (text, cut) in [("a pebble that arrived", Cut::After), ("a pebble that did not", Cut::Before)] {
        let new = thought(text);
        let id = new.id;
        given.between.cut(text.as_bytes(), cut);
        let stored = given.cut.insert(given.account, new).await.unwrap();
        assert!(given.between.cut_was_made());
        assert_eq!((stored.id, stored.raw_text.as_str()), (id, text));
        let there = given.all().await;
        assert_eq!(there.iter().filter(|thought| thought.raw_text.as_str() == text).count(), 1, "{cut:?}");
        assert_eq!(there.iter().find(|thought| thought.id == id), Some(&stored), "{cut:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thoughts_of_many_accounts_whose_commit_was_not_answered_are_stored_once() {
    let given = Given::fresh().await;
    let accounts: Vec<AccountId> = (0..12).map(|_| AccountId::from_uuid(Uuid::now_v7())).collect();
    for account in &accounts {
        given.direct.insert(*account, thought("the first one makes the account")).await.unwrap();
    }
    for cut in [Cut::After, Cut::Before] {
        given.between.cut(b"COMMIT", cut);
        let capture = |account: &AccountId| {
            let (store, account, new) = (given.cut.clone(), *account, thought(&format!("a pebble, {cut:?}")));
            tokio::spawn(async move { (account, store.insert(account, new).await.unwrap()) })
        };
        let captures: Vec<_> = accounts.iter().map(capture).collect();
        for capture in captures {
            let (account, stored) = capture.await.unwrap();
            let listing = Listing { visible: Visible::open(AuthorFilter::All), before: None, limit: 100 };
            let there = given.direct.list(account, &listing).await.unwrap();
            assert_eq!(there.iter().filter(|thought| thought.raw_text == stored.raw_text).count(), 1, "{cut:?}");
            assert_eq!(there.iter().find(|thought| thought.id == stored.id), Some(&stored), "{cut:?}");
        }
        assert!(given.between.cut_was_made(), "those that came together were committed together");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_caller_gave_up_on_is_stored_all_the_same() {
    let given = Given::fresh().await;
    let account = given.account;
    given.direct.insert(account, thought("the first one makes the account")).await.unwrap();
    let other = given.lock(account).await;
    let given_up = given.direct.insert(account, thought("a pebble"));
    assert!(tokio::time::timeout(Duration::from_millis(50), given_up).await.is_err());
    other.batch_execute("ROLLBACK").await.unwrap();
    let next = given.direct.insert(account, thought("another pebble"));
    tokio::time::timeout(Duration::from_secs(6), next).await.unwrap().unwrap();
    let there = given.all().await;
    assert_eq!(there.iter().filter(|thought| thought.raw_text.as_str() == "a pebble").count(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_that_is_locked_holds_up_nobody_else() {
    let given = Given::fresh().await;
    let accounts: Vec<AccountId> = (0..12).map(|_| AccountId::from_uuid(Uuid::now_v7())).collect();
    for account in &accounts {
        given.direct.insert(*account, thought("the first one makes the account")).await.unwrap();
    }
    let other = given.lock(accounts[5]).await;
    let capture = |account: &AccountId| {
        let (store, account) = (given.direct.clone(), *account);
        tokio::spawn(async move { store.insert(account, thought("a pebble")).await.unwrap() })
    };
    let mut captures: Vec<_> = accounts.iter().map(capture).collect();
    let locked = captures.remove(5);
    for capture in captures {
        tokio::time::timeout(Duration::from_secs(6), capture).await.unwrap().unwrap();
    }
    assert!(!locked.is_finished());
    other.batch_execute("ROLLBACK").await.unwrap();
    locked.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_it_cannot_be_looked_up_the_id_is_told_and_that_it_may_be_stored() {
    let given = Given::fresh().await;
    given.stored("the first one makes the account").await;
    let new = thought("a pebble nobody can ask about");
    let id = new.id;
    given.between.cut(b"a pebble nobody can ask about", Cut::ForGood);
    let begun = std::time::Instant::now();
    let failed = given.cut.insert(given.account, new).await.unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    let said = failed.to_string();
    assert!(matches!(failed, StoreError::Unsure { .. }), "{said}");
    assert!(said.contains(&id.to_string()) && said.contains("may have been"), "{said}");
    assert!(given.all().await.iter().any(|thought| thought.id == id), "and in this case it was");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_whose_commit_was_not_answered_may_have_been_made_and_says_of_what() {
    let given = Given::fresh().await;
    for (cut, status) in [(Cut::After, Status::Completed), (Cut::Before, Status::Open)] {
        let pebble = given.stored("a pebble").await;
        given.between.cut(b"COMMIT", cut);
        let failed = given.cut.update(given.account, pebble.id, completed(&pebble)).await.unwrap_err();
        let said = failed.to_string();
        assert!(matches!(failed, StoreError::Unsure { .. }), "{said}");
        assert!(said.contains(&pebble.id.to_string()) && said.contains("may have been"), "{said}");
        let there = given.direct.get(given.account, pebble.id).await.unwrap().unwrap();
        assert_eq!(there.status, status, "{cut:?}");
        // Whoever then does the same again, on what is there, does no harm.
        let again = given.cut.update(given.account, pebble.id, completed(&there)).await.unwrap();
        assert!(matches!(again, Updated::Done(_)), "{again:?}");
    }
    let pebble = given.stored("a pebble with a note").await;
    let note = StoredNote {
        id: NoteId::from_uuid(Uuid::now_v7()),
        name: "plan.md".to_owned(),
        text: "tea".to_owned(),
        created_at: SystemClock.now(),
        removed_at: None,
    };
    given.between.cut(b"COMMIT", Cut::After);
    let id = note.id.to_string();
    let failed = given.cut.insert_note(given.account, pebble.id, note).await.unwrap_err().to_string();
    assert!(failed.contains(&id) && failed.contains(&pebble.id.to_string()), "{failed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_that_commits_itself_is_not_said_to_have_changed_nothing() {
    let given = Given::fresh().await;
    let id = AccountId::from_uuid(Uuid::now_v7());
    let account = Account { id, name: "a-name-of-ben".parse().unwrap(), created_at: SystemClock.now() };
    given.between.cut(b"a-name-of-ben", Cut::After);
    let failed = given.cut.insert_account(&account).await.unwrap_err();
    assert!(matches!(failed, StoreError::Unsure { .. }), "{failed}");
    assert_eq!(given.direct.get_account(&account.name).await.unwrap(), Some(account));
}
