//! Thoughts and their revisions.

use std::collections::BTreeSet;

use uuid::Uuid;

use model::{Author, AuthorFilter, Cursor, RevisionKind, Status, Thought, ThoughtId, Time};
use store::{Listing, NewThought, Updated, Visible};

use super::given::{Given, agent, change, listing, new};

pub(crate) async fn a_stored_thought_is_read_back_whole(given: &Given) {
    let new =
        NewThought { captured_at: Some(Time::from_micros(77)), ..new("  Ana lives in Lisbon\n", agent("laptop")) };
    let stored = given.store.insert(given.account, new.clone()).await.unwrap();
    assert_eq!(given.store.get(given.account, new.id).await.unwrap(), Some(stored.clone()));
    assert_eq!((stored.id, stored.raw_text, stored.author), (new.id, new.raw_text, new.author));
    assert_eq!((stored.status, stored.captured_at, stored.revision), (Status::Open, Time::from_micros(77), 0));
    assert_eq!(stored.updated_at, stored.created_at);
}

pub(crate) async fn every_text_is_kept_verbatim(given: &Given) {
    let text = " \0 a NUL, \u{7f} \u{feff}\u{202e}\r\n\u{10ffff} and e\u{301}\0";
    let thought = given.a_thought(text).await;
    let kept = given.store.get(given.account, thought.id).await.unwrap().unwrap();
    assert_eq!(kept.raw_text.as_str(), text);
    let reworded =
        given.store.update(given.account, thought.id, change(&thought, Some("\0two\0"), None)).await.unwrap();
    assert!(matches!(reworded, Updated::Done(thought) if thought.raw_text.as_str() == "\0two\0"));
    let revision = given.store.get_revision(given.account, thought.id, 1).await.unwrap().unwrap();
    assert_eq!(revision.text, Some((text.to_owned(), "\0two\0".to_owned())));
    assert_eq!(given.search("two").await, [thought.id]);
}

pub(crate) async fn a_thought_survives_reopening(given: &Given) {
    let thought = given.a_thought("Ana lives in Lisbon").await;
    given.store.close().await.unwrap();
    assert_eq!(given.another_process().await.get(given.account, thought.id).await.unwrap(), Some(thought));
}

pub(crate) async fn another_account_cannot_reach_it(given: &Given) {
    let thought = given.a_thought("Ana lives in Lisbon").await;
    let other = given.other_account;
    assert_eq!(given.store.get(other, thought.id).await.unwrap(), None);
    assert_eq!(given.store.list(other, &listing(10)).await.unwrap(), []);
    assert_eq!(given.store.revision_kinds(other, thought.id).await.unwrap(), []);
    assert_eq!(given.store.get_revision(other, thought.id, 1).await.unwrap(), None);
    let archive = change(&thought, None, Some(Status::Archived));
    assert_eq!(given.store.update(other, thought.id, archive).await.unwrap(), Updated::Absent);
    assert_eq!(given.store.get(given.account, thought.id).await.unwrap(), Some(thought));
}

pub(crate) async fn creation_times_strictly_increase(given: &Given) {
    let captures = (0..200).map(|number| {
        let (store, account) = (given.store.clone(), given.account);
        tokio::spawn(
            async move { store.insert(account, new(&format!("number {number}"), Author::User)).await.unwrap() },
        )
    });
    let mut times = BTreeSet::new();
    for capture in captures.collect::<Vec<_>>() {
        times.insert(capture.await.unwrap().created_at);
    }
    assert_eq!(times.len(), 200);
}

pub(crate) async fn browsing_pages_without_gaps_or_repeats_while_others_write(given: &Given) {
    for number in 0..50 {
        given.a_thought(&format!("early {number}")).await;
    }
    let (store, account) = (given.store.clone(), given.account);
    let writer = tokio::spawn(async move {
        for number in 0..200 {
            store.insert(account, new(&format!("late {number}"), Author::User)).await.unwrap();
        }
    });
    let (mut seen, mut before): (Vec<Thought>, _) = (Vec::new(), None);
    loop {
        let page = given.store.list(given.account, &Listing { before, ..listing(3) }).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some(Cursor { created_at: last.created_at, id: Some(last.id) });
        seen.extend(page);
    }
    writer.await.unwrap();
    // Everything that is now older than where the walk began must have been seen, in order and once.
    let first = seen[0].created_at;
    let all = given.store.list(given.account, &listing(1000)).await.unwrap();
    let expected: Vec<Thought> = all.into_iter().filter(|thought| thought.created_at <= first).collect();
    assert_eq!(seen, expected);
}

pub(crate) async fn browsing_filters_by_author_and_status(given: &Given) {
    let mine = given.a_thought("mine").await;
    let theirs = given.store.insert(given.account, new("theirs", agent("laptop"))).await.unwrap();
    let done = given.a_thought("done").await;
    let done = given.with_status(&done, Status::Completed).await;
    let listed = async |author, status| {
        let listing = Listing { visible: Visible { status, author }, ..listing(10) };
        given
            .store
            .list(given.account, &listing)
            .await
            .unwrap()
            .into_iter()
            .map(|thought| thought.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(listed(AuthorFilter::User, Status::Open).await, [mine.id]);
    assert_eq!(listed(AuthorFilter::Agent, Status::Open).await, [theirs.id]);
    assert_eq!(listed(AuthorFilter::All, Status::Open).await, [theirs.id, mine.id]);
    assert_eq!(listed(AuthorFilter::All, Status::Completed).await, [done.id]);
}

pub(crate) async fn a_cursor_without_id_is_strictly_older(given: &Given) {
    let older = given.a_thought("older").await;
    let newer = given.a_thought("newer").await;
    let before = Some(Cursor { created_at: newer.created_at, id: None });
    assert_eq!(given.store.list(given.account, &Listing { before, ..listing(10) }).await.unwrap(), [older]);
}

pub(crate) async fn a_change_leaves_a_revision(given: &Given) {
    let thought = given.a_thought("Ana lives in Lisbon").await;
    let update = change(&thought, Some("Ana lives in Porto"), Some(Status::Completed));
    let Updated::Done(changed) = given.store.update(given.account, thought.id, update).await.unwrap() else {
        panic!("the change was based on the latest revision")
    };
    assert_eq!(given.store.get(given.account, thought.id).await.unwrap(), Some(*changed.clone()));
    assert_eq!((changed.raw_text.as_str(), changed.status), ("Ana lives in Porto", Status::Completed));
    assert_eq!((changed.created_at, changed.captured_at), (thought.created_at, thought.captured_at));
    let kinds = given.store.revision_kinds(given.account, thought.id).await.unwrap();
    assert_eq!(kinds, [(1, RevisionKind::Change)]);
    let revision = given.store.get_revision(given.account, thought.id, 1).await.unwrap().unwrap();
    assert_eq!((revision.number, revision.kind, revision.by.as_str()), (1, RevisionKind::Change, "test"));
    assert_eq!(revision.text, Some(("Ana lives in Lisbon".into(), "Ana lives in Porto".into())));
    assert_eq!(revision.status, Some((Status::Open, Status::Completed)));
    assert_eq!(revision.at, changed.updated_at);
    for number in [0, 2] {
        assert_eq!(given.store.get_revision(given.account, thought.id, number).await.unwrap(), None);
    }
}

pub(crate) async fn a_stale_change_is_refused_and_changes_nothing(given: &Given) {
    let thought = given.a_thought("Ana lives in Lisbon").await;
    let done = given.with_status(&thought, Status::Completed).await;
    let stale = change(&thought, Some("something else"), None);
    assert_eq!(given.store.update(given.account, thought.id, stale).await.unwrap(), Updated::Stale);
    assert_eq!(given.store.get(given.account, thought.id).await.unwrap(), Some(done));
    assert_eq!(given.store.revision_kinds(given.account, thought.id).await.unwrap().len(), 1);
}

pub(crate) async fn a_change_of_nothing_that_exists_is_absent(given: &Given) {
    let thought = given.a_thought("Ana lives in Lisbon").await;
    let nobody = ThoughtId::from_uuid(Uuid::now_v7());
    let update = change(&thought, None, Some(Status::Archived));
    assert_eq!(given.store.update(given.account, nobody, update).await.unwrap(), Updated::Absent);
}

pub(crate) async fn a_changed_text_is_queued_again(given: &Given) {
    given.an_account(given.account, "ana").await;
    let thought = given.a_thought("Ana lives in Lisbon").await;
    given.store.update(given.account, thought.id, change(&thought, Some("Ana moved"), None)).await.unwrap();
    assert_eq!(given.store.stats().await.unwrap().pending_enrichment, 1);
}

pub(crate) async fn many_writers_lose_nothing(given: &Given) {
    let other = given.another_process().await;
    let captures = (0..400).map(|number| {
        let store = if number % 2 == 0 { given.store.clone() } else { other.clone() };
        let account = given.account;
        tokio::spawn(
            async move { store.insert(account, new(&format!("number {number}"), Author::User)).await.unwrap() },
        )
    });
    let mut acknowledged = BTreeSet::new();
    for capture in captures.collect::<Vec<_>>() {
        acknowledged.insert(capture.await.unwrap().id);
    }
    let listed = given.store.list(given.account, &listing(1000)).await.unwrap();
    assert_eq!(listed.iter().map(|thought| thought.id).collect::<BTreeSet<_>>(), acknowledged);
}
