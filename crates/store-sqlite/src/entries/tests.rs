use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use uuid::Uuid;

use model::{AccountId, Author, Category, RevisionKind, Status, SystemClock, Thought, ThoughtId, ThoughtText};
use store::backend::{FormedUpdate, Rows, UpdatedForm};
use store::{NewThought, Update, Updated};
use text::lexical_form;

use super::*;
use crate::account::AccountFile;
use crate::folder::SqliteStore;

/// Something that happens to an account. Which thought it happens to is counted from the first, over and over.
#[derive(Debug, Clone, Copy)]
enum Event {
    Stored,
    Completed(usize),
    Reworded(usize),
    /// Somebody has read what is to be listed next,
    Read,
    /// and lists what was read last, whatever has happened since.
    Listed,
    Followed,
}

fn histories() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        4 => Just(Event::Stored),
        1 => (0..20_usize).prop_map(Event::Completed),
        2 => (0..20_usize).prop_map(Event::Reworded),
        2 => Just(Event::Read),
        2 => Just(Event::Listed),
        2 => Just(Event::Followed),
    ];
    proptest::collection::vec(event, 1..40)
}

/// Somebody who follows the log: the last entry of each thought with its text.
#[derive(Debug, Default)]
struct Follower {
    entries: BTreeMap<Row, (u64, u8, String)>,
    next: u64,
}

impl Follower {
    fn follow(&mut self, file: &AccountFile) {
        let next_thought = self.entries.keys().last().map_or(0, |row| *row + 1);
        let seen = Seen { next: self.next, next_thought };
        let read = |connection: &Connection| follow(connection, seen, u64::MAX, Reading::Text);
        for Logged { entry, form } in file.database.read_now(read).unwrap() {
            assert!(entry.seq >= self.next, "{} before {}", entry.seq, self.next);
            self.next = entry.seq + 1;
            self.entries.insert(entry.thought, (entry.seq, entry.facet.number(), form.into_form().text));
        }
    }
}

/// What has happened to an account.
#[derive(Default)]
struct History {
    thoughts: Vec<Thought>,
    read: Option<Unformed>,
}

async fn happens(store: &SqliteStore, account: AccountId, history: &mut History, event: Event) {
    let History { thoughts, read } = history;
    let count = thoughts.len();
    match event {
        Event::Stored => {
            let text = format!("text {count}");
            let new = NewThought {
                id: ThoughtId::from_uuid(Uuid::now_v7()),
                raw_text: ThoughtText::new(&text).unwrap(),
                category: Category::Observation,
                author: Author::User,
                captured_at: None,
            };
            thoughts.push(store.insert(account, new).await.unwrap());
        }
        Event::Completed(which) | Event::Reworded(which) if count > 0 => {
            let thought = &mut thoughts[which % count];
            let text = format!("{} again", thought.raw_text.as_str());
            let completed = matches!(event, Event::Completed(_));
            let form = match completed {
                true => UpdatedForm::Kept { words: lexical_form(thought.raw_text.as_str()).words },
                false => UpdatedForm::New(lexical_form(&text)),
            };
            let update = Update {
                based_on: thought.revision,
                text: (!completed).then(|| ThoughtText::new(&text).unwrap()),
                status: completed.then_some(Status::Completed),
                kind: RevisionKind::Change,
                by: String::new(),
            };
            let update = FormedUpdate { update, form };
            let Updated::Done(changed) = store.update(account, thought.id, update).await.unwrap() else {
                panic!("nobody else changes anything")
            };
            *thought = *changed;
        }
        Event::Listed => {
            let Some(read) = read.take() else { return };
            let file = store.account(account).await.unwrap();
            let forms: Vec<_> =
                read.thoughts.into_iter().map(|logged| (logged.entry, logged.form.into_form())).collect();
            file.database.write(move |connection| list(connection, &forms, read.next)).await.unwrap();
        }
        Event::Read => {
            let file = store.account(account).await.unwrap();
            *read = Some(file.database.read_now(unlisted).unwrap());
        }
        Event::Completed(_) | Event::Reworded(_) | Event::Followed => {}
    }
}

/// Whatever forms and entries are stored are those of the thoughts as they are now, and no listed thought lacks a form.
fn check_listed(file: &AccountFile, thoughts: &[Thought]) {
    let read = |row: &SqlRow<'_>| Ok((row.get::<_, usize>(0).unwrap(), row.get::<_, String>(1).unwrap()));
    let sql = "SELECT thought, text FROM form";
    let stored = file.database.read_now(|connection| crate::statement::list(connection, sql, [], read));
    let stored: BTreeMap<usize, String> = stored.unwrap().into_iter().collect();
    for (row, text) in &stored {
        assert_eq!(*text, lexical_form(thoughts[row - 1].raw_text.as_str()).text);
    }
    let replaced = "SELECT count(*) FROM lexical JOIN thought ON thought.row = lexical.thought
                    WHERE lexical.seq <> thought.seq";
    assert_eq!(file.database.read_now(|connection| value::<i64>(connection, replaced, [])).unwrap(), 0);
    let next = usize::try_from(file.database.read_now(first_unlisted).unwrap()).unwrap();
    assert!((1..next).all(|row| stored.contains_key(&row)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whoever_follows_from_time_to_time_knows_what_the_thoughts_say(history in histories()) {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let store = SqliteStore::open(folder.path(), Arc::new(SystemClock), 8).await.unwrap();
            let account = AccountId::from_uuid(Uuid::now_v7());
            let file = store.account(account).await.unwrap();
            let mut past = History::default();
            let mut follower = Follower::default();
            for event in history {
                happens(&store, account, &mut past, event).await;
                if matches!(event, Event::Followed) {
                    follower.follow(&file);
                }
            }
            follower.follow(&file);
            let mut newcomer = Follower::default();
            newcomer.follow(&file);
            assert_eq!(follower.entries, newcomer.entries);
            let known = follower.entries.values().map(|(_, facet, text)| (*facet, text.clone()));
            let said = past.thoughts.iter().map(|thought| {
                (Facet::of(thought).number(), lexical_form(thought.raw_text.as_str()).text)
            });
            assert_eq!(known.collect::<Vec<_>>(), said.collect::<Vec<_>>());
            check_listed(&file, &past.thoughts);
        });
    }
}
