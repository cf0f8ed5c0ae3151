use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::model::{AccountId, Author, Category, RevisionKind, Status, SystemClock, Thought, ThoughtId, ThoughtText};
use crate::store::sqlite::SqliteStore;
use crate::store::sqlite::account::AccountFile;
use crate::store::{NewThought, Thoughts, Update, Updated};
use crate::text::lexical_form;

/// Something that happens to an account. Which thought it happens to is counted from the first, over and over.
#[derive(Debug, Clone, Copy)]
enum Event {
    Stored,
    Completed(usize),
    Reworded(usize),
    Listed,
    Followed,
}

fn histories() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        4 => Just(Event::Stored),
        1 => (0..20_usize).prop_map(Event::Completed),
        2 => (0..20_usize).prop_map(Event::Reworded),
        1 => Just(Event::Listed),
        2 => Just(Event::Followed),
    ];
    proptest::collection::vec(event, 1..40)
}

/// Somebody who follows the log: the last entry of each thought with its text.
#[derive(Debug, Default)]
struct Follower {
    entries: BTreeMap<u32, (u64, u8, String)>,
    next: i64,
}

impl Follower {
    fn follow(&mut self, file: &AccountFile) {
        let next_thought = self.entries.keys().last().map_or(0, |row| i64::from(*row) + 1);
        let seen = Seen { next: self.next, next_thought };
        let take = |entry: Entry, text: &str| {
            assert!(entry.seq >= self.next.cast_unsigned(), "{} before {}", entry.seq, self.next);
            self.next = entry.seq.cast_signed() + 1;
            self.entries.insert(entry.thought, (entry.seq, entry.facet.number(), text.to_owned()));
        };
        file.database.read_here(|connection| follow(connection, seen, i64::MAX, Reading::Text, take)).unwrap();
    }
}

async fn happens(store: &SqliteStore, account: AccountId, thoughts: &mut Vec<Thought>, event: Event) {
    let count = thoughts.len();
    match event {
        Event::Stored => {
            let text = format!("text {count}");
            let new = NewThought {
                id: ThoughtId::from_uuid(Uuid::now_v7()),
                raw_text: ThoughtText::new(&text).unwrap(),
                lexical: lexical_form(&text),
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
            let update = Update {
                based_on: thought.revision,
                text: (!completed).then(|| (ThoughtText::new(&text).unwrap(), lexical_form(&text))),
                status: completed.then_some(Status::Completed),
                kind: RevisionKind::Change,
                by: String::new(),
            };
            let Updated::Done(changed) = store.update(account, thought.id, update).await.unwrap() else {
                panic!("nobody else changes anything")
            };
            *thought = *changed;
        }
        Event::Listed => {
            let file = store.account(account).await.unwrap();
            while file.database.write(list_some).await.unwrap() {}
        }
        Event::Completed(_) | Event::Reworded(_) | Event::Followed => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whoever_follows_from_time_to_time_knows_what_the_thoughts_say(history in histories()) {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let store = SqliteStore::open(folder.path(), Arc::new(SystemClock)).unwrap();
            let account = AccountId::from_uuid(Uuid::now_v7());
            let file = store.account(account).await.unwrap();
            let mut thoughts = Vec::new();
            let mut follower = Follower::default();
            for event in history {
                happens(&store, account, &mut thoughts, event).await;
                if matches!(event, Event::Followed) {
                    follower.follow(&file);
                }
            }
            follower.follow(&file);
            let mut newcomer = Follower::default();
            newcomer.follow(&file);
            assert_eq!(follower.entries, newcomer.entries);
            let known = follower.entries.values().map(|(_, facet, text)| (*facet, text.clone()));
            let said = thoughts.iter().map(|thought| {
                (thoughts::facet(thought).number(), lexical_form(thought.raw_text.as_str()).text)
            });
            assert_eq!(known.collect::<Vec<_>>(), said.collect::<Vec<_>>());
        });
    }
}
