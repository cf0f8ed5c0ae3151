//! What the index behind the lists of the app costs whoever captures: the same captures into a file with it and one without, turn
//! by turn, so that whatever else the machine does falls on both.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use uuid::Uuid;

use afterthought::stores::Location;
use model::{AccountId, Author, Category, SystemClock, ThoughtId, ThoughtText};
use store::{NewThought, Store};

use crate::contents::an_account;
use crate::corpus::Corpus;

/// How many captures a turn has, and how many turns there are.
const CAPTURES: usize = 1_000;
const TURNS: usize = 20;

/// Captures with one caller and with many, with the index and without.
pub(crate) async fn compare() {
    for callers in [1, 16] {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let [with, without] = [open(folders[0].path(), true).await, open(folders[1].path(), false).await];
        let mut corpus = Corpus::new(5);
        let [mut took_with, mut took_without] = [Duration::ZERO; 2];
        for _ in 0..TURNS {
            let texts: Vec<String> = (0..CAPTURES).map(|_| corpus.text()).collect();
            took_with += capture(&with, &texts, callers).await;
            took_without += capture(&without, &texts, callers).await;
        }
        let each = |took: Duration| took.as_secs_f64() * 1e6 / (CAPTURES * TURNS) as f64;
        println!(
            "captures by {callers:2} callers: {:6.1} us each with the index of lists, {:6.1} us without: {:.2} times",
            each(took_with),
            each(took_without),
            took_with.as_secs_f64() / took_without.as_secs_f64()
        );
    }
}

type Opened = (Arc<dyn Store>, AccountId);

/// A store with an account, whose file has the index or not.
async fn open(folder: &Path, has_index: bool) -> Opened {
    let location = Location::Embedded(folder.to_owned());
    let open = || afterthought::stores::open(&location, Arc::new(SystemClock));
    let store = open().await.unwrap();
    let account = an_account(store.as_ref()).await;
    capture(&(store.clone(), account), &["the first".to_owned()], 1).await;
    store.close().await.unwrap();
    if !has_index {
        let file = folder.join("accounts").join(format!("{account}.db"));
        rusqlite::Connection::open(file).unwrap().execute_batch("DROP INDEX thought_listed").unwrap();
    }
    (open().await.unwrap(), account)
}

/// Captures the texts, so many at once; how long it took.
async fn capture((store, account): &Opened, texts: &[String], callers: usize) -> Duration {
    let begun = Instant::now();
    let shares = texts.chunks(texts.len().div_ceil(callers)).map(|share| {
        let (store, account, share) = (store.clone(), *account, share.to_vec());
        tokio::spawn(async move {
            for text in share {
                let thought = NewThought {
                    id: ThoughtId::from_uuid(Uuid::now_v7()),
                    raw_text: ThoughtText::new(text).unwrap(),
                    category: Category::Observation,
                    author: Author::User,
                    captured_at: None,
                };
                store.insert(account, thought).await.unwrap();
            }
        })
    });
    for share in shares.collect::<Vec<_>>() {
        share.await.unwrap();
    }
    begun.elapsed()
}
