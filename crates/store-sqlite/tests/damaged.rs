//! Account files with bytes that nobody wrote: whatever is asked of them is answered or refused, and nothing panics.
//!
//! A panic on a thread of the store's own would come out as an error; so every panic of the process counts here, and this is a
//! program of its own.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on is a failed test")]

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Once};

use rusqlite::Connection;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use uuid::Uuid;

use annotate::entities::{EntityKey, EntityKind, Mention};
use fuzz::Target;
use model::{
    Account, AccountId, Author, AuthorFilter, Category, Clock, NoteId, Status, SystemClock, ThoughtId, ThoughtText,
};
use store::{
    Claim, Derived, Embedding, Enriched, EntityListing, EntityQuery, Filter, Finished, Focus, LexicalQuery, Link,
    Listing, NewThought, SemanticQuery, Step, Store, StoreError, StoredNote, Update, Visible,
};

static PANICS: AtomicUsize = AtomicUsize::new(0);
static COUNTED: Once = Once::new();

const VISIBLE: Visible = Visible::open(AuthorFilter::All);

fn thought(number: usize) -> NewThought {
    NewThought {
        id: ThoughtId::from_uuid(Uuid::from_u128(number as u128 + 1)),
        raw_text: ThoughtText::new(format!("Ana drinks tea number {}", number / 2)).unwrap(),
        category: Category::Observation,
        author: if number.is_multiple_of(2) { Author::User } else { Author::Agent { name: "laptop".into() } },
        captured_at: None,
    }
}

/// A folder with an account that has a little of everything, in one file without a journal.
fn a_store(runtime: &Runtime) -> (TempDir, AccountId) {
    let folder = tempfile::tempdir().unwrap();
    let id = AccountId::from_uuid(Uuid::from_u128(7));
    runtime.block_on(async {
        let store = open(folder.path()).await.unwrap();
        let account = Account { id, name: "default".parse().unwrap(), created_at: SystemClock.now() };
        assert!(store.insert_account(&account).await.unwrap());
        for number in 0..8 {
            store.insert(id, thought(number)).await.unwrap();
        }
        let note = StoredNote {
            id: NoteId::from_uuid(Uuid::from_u128(9)),
            name: "tea.txt".into(),
            text: "a note about tea".into(),
            created_at: SystemClock.now(),
            removed_at: None,
        };
        store.insert_note(id, thought(0).id, note).await.unwrap();
        work_off(store.as_ref(), id).await.unwrap();
        change(store.as_ref(), id).await.unwrap();
        store.close().await.unwrap();
    });
    Connection::open(file(folder.path(), id)).unwrap().execute_batch("PRAGMA journal_mode = DELETE; VACUUM").unwrap();
    (folder, id)
}

fn file(folder: &Path, id: AccountId) -> std::path::PathBuf {
    folder.join("accounts").join(format!("{id}.db"))
}

async fn open(folder: &Path) -> Result<Arc<dyn Store>, StoreError> {
    afterthought_store_sqlite::open(folder, Arc::new(SystemClock), 4).await
}

/// Does all background work there is.
async fn work_off(store: &dyn Store, id: AccountId) -> Result<usize, StoreError> {
    let now = SystemClock.now();
    let mut done = 0;
    for _ in 0..4 {
        let jobs = store.claim(id, Claim { now, leased_until: now, limit: 50, text_bytes: 1 << 20 }).await?;
        let finished = jobs.into_iter().map(|job| {
            let derived = match job.ticket.step {
                Step::Enrich => Derived::Enriched(Enriched {
                    embedding: Embedding {
                        model: "test".into(),
                        centre: [0.0; 4].into(),
                        parts: vec![vec![1.0, 0.0, 0.0, 0.0]],
                        tokens: Vec::new(),
                    },
                    mentions: vec![Mention { name: "Ana".into(), kind: EntityKind::Person, span: 0..3 }],
                    category: Category::Fact,
                }),
                Step::Link => Derived::Linked(vec![Link { other: thought(1).id, weight: 0.5, replaces: None }]),
            };
            Finished { ticket: job.ticket, derived }
        });
        done += store.finish(id, finished.collect()).await?;
    }
    Ok(done)
}

async fn change(store: &dyn Store, id: AccountId) -> Result<(), StoreError> {
    let Some(known) = store.get(id, thought(2).id).await? else { return Ok(()) };
    let text = Some(ThoughtText::new("Ana drinks milk").unwrap());
    let update = Update {
        based_on: known.revision,
        text,
        status: Some(Status::Completed),
        kind: model::RevisionKind::Change,
        by: "test".into(),
    };
    store.update(id, known.id, update).await.map(drop)
}

/// Asks everything a caller can ask; which questions were answered.
async fn ask_everything(store: &dyn Store, id: AccountId) -> Vec<bool> {
    let all = Filter::default();
    let words = LexicalQuery {
        terms: text::query_terms("tea number 3 note"),
        visible: VISIBLE,
        among: None,
        limit: 10,
        as_of: None,
    };
    let meaning = SemanticQuery {
        model: "test".into(),
        vector: vec![1.0, 0.0, 0.0, 0.0],
        tokens: Vec::new(),
        visible: VISIBLE,
        among: None,
        limit: 10,
        also: vec![thought(3).id],
        as_of: None,
    };
    let ana = EntityKey { kind: EntityKind::Person, folded: "ana".into() };
    let mentioning = EntityQuery { keys: vec![ana.clone()], visible: VISIBLE, among: None, limit: 10 };
    let ids: Vec<ThoughtId> = (0..8).map(|number| thought(number).id).collect();
    let mut exported = Ok(());
    let mut after = None;
    for _ in 0..4 {
        match store.export(id, after).await {
            Ok(pieces) => after = pieces.last().map(store::Piece::id),
            Err(error) => exported = Err(error),
        }
        if after.is_none() {
            break;
        }
    }
    vec![
        store.get(id, ids[0]).await.is_ok(),
        store.list(id, &Listing { visible: VISIBLE, before: None, limit: 10 }).await.is_ok(),
        store.list_filtered(id, &all, None, 10).await.is_ok(),
        store.among(id, &all).await.is_ok(),
        store.search(id, &words).await.is_ok(),
        store.search_semantic(id, meaning).await.is_ok(),
        store.search_entities(id, mentioning).await.is_ok(),
        store.known_names(id, vec!["ana".into()]).await.is_ok(),
        store.connections(id, &ids).await.is_ok(),
        store.linked(id, &ids, VISIBLE).await.is_ok(),
        store.census(id).await.is_ok(),
        store.duplicates(id, 0, 10).await.is_ok(),
        store.list_entities(id, &EntityListing { limit: 10, ..EntityListing::default() }).await.is_ok(),
        store.entity(id, &ana).await.is_ok(),
        store.graph(id, &Focus::Everything, 50).await.is_ok(),
        store.graph(id, &Focus::Thought(ids[1]), 50).await.is_ok(),
        store.changes(id, None, 10).await.is_ok(),
        store.revision_kinds(id, ids[2]).await.is_ok(),
        store.get_revision(id, ids[2], 1).await.is_ok(),
        exported.is_ok(),
        work_off(store, id).await.is_ok(),
        change(store, id).await.is_ok(),
        store.insert(id, thought(20)).await.is_ok(),
        store.search(id, &words).await.is_ok(),
        store.stats().await.is_ok(),
    ]
}

/// A file changed as an input says: five bytes each time, what to do, where, and with what.
fn damaged(whole: &[u8], input: &[u8]) -> Vec<u8> {
    const PAGE: usize = 4096;
    let mut bytes = whole.to_vec();
    for step in input.chunks_exact(5).take(64) {
        if bytes.is_empty() {
            break;
        }
        let place = u32::from_le_bytes([step[1], step[2], step[3], 0]) as usize % bytes.len();
        let page = place / PAGE * PAGE;
        match step[0] % 8 {
            0..=2 => bytes[place] = step[4],
            3 => bytes[place] ^= 1 << (step[4] % 8),
            // A number near the start of a page: where its cells lie, and how many.
            4 => {
                let at = (page + usize::from(step[4] % 16)).min(bytes.len() - 1);
                bytes[at] = step[1];
            }
            5 => {
                let end = bytes.len().min(place + usize::from(step[4]));
                bytes[place..end].fill(step[1]);
            }
            6 => {
                let from = usize::from(step[4]) * PAGE % bytes.len();
                let length = PAGE.min(bytes.len() - from).min(bytes.len() - page);
                bytes.copy_within(from..from + length, page);
            }
            _ if step[4] < 32 => bytes.truncate(place.max(1)),
            _ => bytes[place] = 0,
        }
    }
    bytes
}

/// Columns of a file and values nobody would write into them; what the file itself refuses stays as it was.
const COLUMNS: &[(&str, &str)] = &[
    ("thought", "row"),
    ("thought", "id"),
    ("thought", "status"),
    ("thought", "author"),
    ("thought", "agent_name"),
    ("thought", "category"),
    ("thought", "created_at"),
    ("thought", "captured_at"),
    ("thought", "updated_at"),
    ("thought", "revision"),
    ("thought", "seq"),
    ("thought", "raw_text"),
    ("revision", "number"),
    ("revision", "kind"),
    ("revision", "text_before"),
    ("revision", "status_after"),
    ("note", "row"),
    ("note", "thought"),
    ("note", "seq"),
    ("note", "text"),
    ("lexical", "seq"),
    ("lexical", "thought"),
    ("lexical", "note"),
    ("lexical", "facet"),
    ("segment", "block"),
    ("segment", "bytes"),
    ("job", "thought"),
    ("job", "step"),
    ("job", "version"),
    ("job", "attempts"),
    ("queued", "next"),
    ("model", "number"),
    ("model", "dimensions"),
    ("model", "centre"),
    ("model", "state"),
    ("vector", "seq"),
    ("vector", "thought"),
    ("vector", "parts"),
    ("entity", "row"),
    ("entity", "kind"),
    ("entity", "stands_for"),
    ("entity", "thoughts"),
    ("mention", "thought"),
    ("mention", "entity"),
    ("link", "other"),
    ("link", "weight"),
    ("link", "replaces"),
    ("listed", "next"),
    ("listed", "formed"),
    ("form", "thought"),
    ("form", "words"),
    ("form", "text"),
    ("token", "vector"),
    ("token", "parts"),
];
const VALUES: &[&str] = &[
    "NULL",
    "-1",
    "0",
    "1",
    "7",
    "255",
    "1000000",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "253402300800000000",
    "1e308",
    "-0.0",
    "''",
    "'x'",
    "x''",
    "x'00'",
    "x'ffffffffffffffffffffffffffffffff'",
    "zeroblob(40)",
];

/// Writes values nobody would: three bytes each time, into which column, which value, of which row.
fn written_to(path: &Path, input: &[u8]) {
    let file = Connection::open(path).unwrap();
    file.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF")
        .unwrap();
    for step in input.chunks_exact(3).take(16) {
        let (table, column) = COLUMNS[usize::from(step[0]) % COLUMNS.len()];
        let value = VALUES[usize::from(step[1]) % VALUES.len()];
        let condition = match step[2] % 4 {
            // Most tables have no number of their own, and a row is as good as another.
            0 => format!("{column} = (SELECT max({column}) FROM {table})"),
            1 => format!("{column} = (SELECT min({column}) FROM {table})"),
            2 => format!("{column} IN (SELECT {column} FROM {table} LIMIT 1 OFFSET {})", step[2] / 4 % 8),
            _ => "true".to_owned(),
        };
        drop(file.execute_batch(&format!("UPDATE OR IGNORE {table} SET {column} = {value} WHERE {condition}")));
    }
}

/// Tries what `damage` makes of the file of an account.
fn try_files(target: Target, damage: impl Fn(&Path, &[u8], &[u8])) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (folder, id) = a_store(&runtime);
    let path = file(folder.path(), id);
    let whole = fs::read(&path).unwrap();
    COUNTED.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            PANICS.fetch_add(1, Ordering::Relaxed);
            before(info);
        }));
    });
    target.up_to(320).try_bytes(|input| {
        for journal in ["-wal", "-shm", "-journal"] {
            let mut name = path.clone().into_os_string();
            name.push(journal);
            drop(fs::remove_file(name));
        }
        damage(&path, &whole, input);
        let answered = runtime.block_on(async {
            let Ok(store) = open(folder.path()).await else { return None };
            let answered = ask_everything(store.as_ref(), id).await;
            drop(store.close().await);
            Some(answered)
        });
        assert_eq!(PANICS.load(Ordering::Relaxed), 0, "something panicked");
        answered
    });
}

#[test]
fn a_file_with_other_bytes_is_answered_or_refused() {
    let target = Target::new("account-files", &["files"]).in_the_test_command(10);
    try_files(target, |path, whole, input| fs::write(path, damaged(whole, input)).unwrap());
}

#[test]
fn a_file_with_other_values_is_answered_or_refused() {
    let target = Target::new("account-values", &["files"]).in_the_test_command(40);
    try_files(target, |path, whole, input| {
        fs::write(path, whole).unwrap();
        written_to(path, input);
    });
}
