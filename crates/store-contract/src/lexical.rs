//! Searching by words.

use model::{Author, AuthorFilter, Status};
use store::{LexicalQuery, Updated};

use super::given::{Given, agent, change, found, new, query};

pub(crate) async fn a_thought_is_found_by_its_words_on_return(given: &Given) {
    let lisbon = given.a_thought("Ana lives in Lisbon").await;
    assert_eq!(given.search("lisbon").await, [lisbon.id]);
    let porto = given.a_thought("Rui lives in Porto").await;
    assert_eq!(given.search("PORTO").await, [porto.id]);
    assert_eq!(given.search("Faro").await, []);
}

pub(crate) async fn an_edited_text_is_found_by_its_new_words_only(given: &Given) {
    let thought = given.a_thought("Ana lives in Lisbon").await;
    assert_eq!(given.search("lisbon").await, [thought.id]);
    let update = change(&thought, Some("Ana lives in Porto"), None);
    assert!(matches!(given.store.update(given.account, thought.id, update).await.unwrap(), Updated::Done(_)));
    assert_eq!(given.search("lisbon").await, []);
    assert_eq!(given.search("porto").await, [thought.id]);
}

pub(crate) async fn only_the_asked_status_and_author_are_found(given: &Given) {
    let mine = given.a_thought("tea").await;
    let theirs = given.store.insert(given.account, new("tea", agent("laptop"))).await.unwrap();
    let done = given.a_thought("tea").await;
    let done = given.with_status(&done, Status::Completed).await;
    let search =
        async |author, status| found(&given.store.search(given.account, &query("tea", author, status)).await.unwrap());
    assert_eq!(search(AuthorFilter::User, Status::Open).await, [mine.id]);
    assert_eq!(search(AuthorFilter::Agent, Status::Open).await, [theirs.id]);
    assert_eq!(search(AuthorFilter::All, Status::Open).await, [mine.id, theirs.id]);
    assert_eq!(search(AuthorFilter::All, Status::Completed).await, [done.id]);
}

pub(crate) async fn another_accounts_words_are_not_found(given: &Given) {
    given.a_thought("Ana lives in Lisbon").await;
    let hits =
        given.store.search(given.other_account, &query("lisbon", AuthorFilter::All, Status::Open)).await.unwrap();
    assert_eq!(found(&hits), []);
}

pub(crate) async fn what_another_process_wrote_is_found(given: &Given) {
    assert_eq!(given.search("lisbon").await, []);
    let other = given.another_process().await;
    let thought = other.insert(given.account, new("Ana lives in Lisbon", Author::User)).await.unwrap();
    assert_eq!(given.search("lisbon").await, [thought.id]);
    other.update(given.account, thought.id, change(&thought, Some("Ana lives in Porto"), None)).await.unwrap();
    assert_eq!(given.search("lisbon").await, []);
}

pub(crate) async fn what_does_not_fit_into_memory_is_let_go_and_read_again(given: &Given) {
    let tea = given.a_thought("Ana likes tea").await;
    let elsewhere = given.store.insert(given.other_account, new("Otto likes tea", Author::User)).await.unwrap();
    let asked = query("tea", AuthorFilter::User, Status::Open);
    let ask = async |account| found(&given.store.search(account, &asked).await.unwrap());
    assert_eq!(ask(given.account).await, [tea.id]);
    let one = given.store.stats().await.unwrap().held_bytes;
    assert_eq!(ask(given.other_account).await, [elsewhere.id]);
    let both = given.store.stats().await.unwrap().held_bytes;
    assert!(0 < one && one < both, "{one} and {both} bytes");
    // Room for one of them, and then for none.
    for (budget, left) in [(both, both), (both - 1, both - one), (0, 0)] {
        given.store.hold_at_most(budget);
        given.store.upkeep().await.unwrap();
        assert_eq!(given.store.stats().await.unwrap().held_bytes, left, "{budget}");
    }
    assert_eq!(ask(given.account).await, [tea.id]);
    assert_eq!(ask(given.other_account).await, [elsewhere.id]);
}

pub(crate) async fn the_answer_is_the_same_after_reopening(given: &Given) {
    for number in 0..60 {
        let thought = given.a_thought(&format!("tea of day {number}, with {} words", "some ".repeat(number % 7))).await;
        if number % 3 == 0 {
            given.with_status(&thought, Status::Completed).await;
        }
    }
    let query = query("tea some day 7", AuthorFilter::User, Status::Open);
    let before = given.store.search(given.account, &query).await.unwrap();
    let after = given.another_process().await.search(given.account, &query).await.unwrap();
    assert_eq!(found(&before), found(&after));
    let scores = |hits: &store::LexicalHits| hits.hits.iter().map(|hit| hit.text_score).collect::<Vec<_>>();
    assert_eq!(scores(&before), scores(&after));
}

pub(crate) async fn a_typo_is_forgiven_where_only_others_make_it(given: &Given) {
    let archived = given.a_thought("I will recieve the parcel").await;
    given.with_status(&archived, Status::Archived).await;
    let open = given.a_thought("I will receive the invoice").await;
    assert_eq!(given.search("recieve").await, [open.id]);
}

pub(crate) async fn a_search_as_of_a_moment_sees_what_was_stored_before_it(given: &Given) {
    let thought = given.a_thought("the kettle is in the shed").await;
    let as_of = Some(given.store.known_names(given.account, vec!["kettle".into()]).await.unwrap().as_of);
    // Another process has seen nothing yet, and reads on as far as it is told.
    let other = given.another_process().await;
    let query = LexicalQuery { as_of, ..query("kettle", AuthorFilter::User, Status::Open) };
    assert_eq!(found(&other.search(given.account, &query).await.unwrap()), [thought.id]);
}

pub(crate) async fn sealed_blocks_answer_like_growing_ones(given: &Given) {
    // More than one block of entries; by import, which stores many in one commit.
    let one = given.a_thought("the needle is here").await;
    let copies = (0..66_000_u32).map(|number| {
        let mut copy = one.clone();
        copy.id = new("copy", Author::User).id;
        copy.raw_text = model::ThoughtText::new(format!("hay number {}", number % 500)).unwrap();
        store::Piece::Thought(copy)
    });
    given.store.import(given.account, copies.collect()).await.unwrap();
    let query = query("number 123", AuthorFilter::User, Status::Open);
    let growing = given.store.search(given.account, &query).await.unwrap();
    given.store.upkeep().await.unwrap();
    let sealed = given.store.search(given.account, &query).await.unwrap();
    let reopened = given.another_process().await;
    let loaded = reopened.search(given.account, &query).await.unwrap();
    assert_eq!(found(&growing), found(&sealed));
    assert_eq!(found(&growing), found(&loaded));
    assert_eq!(given.search("needle").await, [one.id]);
    given.with_status(&one, Status::Archived).await;
    assert_eq!(given.search("needle").await, []);
    let late = given.a_thought("another needle").await;
    assert_eq!(given.search("needle").await, [late.id]);
}
