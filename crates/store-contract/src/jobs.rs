//! The queue of background work.

use std::time::Duration;

use model::{Category, Clock, Status, SystemClock, Thought, Time};
use store::{Claim, Derived, Embedding, Enriched, Finished, Job, Rebuild, Step, Store, Ticket, Updated};

use super::given::{Given, change};

/// A claim at that second, leased for a minute.
fn at(second: u64) -> Claim {
    let now = SystemClock.now().after(Duration::from_secs(second));
    Claim { now, leased_until: now.after(Duration::from_secs(60)), limit: 10, text_bytes: 1_000 }
}

async fn claim(store: &dyn Store, given: &Given, second: u64) -> Vec<Job> {
    store.claim(given.account, at(second)).await.unwrap()
}

fn tickets(jobs: &[Job]) -> Vec<Ticket> {
    jobs.iter().map(|job| job.ticket).collect()
}

fn enriched(ticket: Ticket, category: Category) -> Finished {
    let embedding =
        Embedding { model: "test".into(), centre: [0.0; 2].into(), parts: vec![vec![1.0, 0.0]], tokens: Vec::new() };
    Finished { ticket, derived: Derived::Enriched(Enriched { embedding, mentions: Vec::new(), category }) }
}

fn linked(ticket: Ticket) -> Finished {
    Finished { ticket, derived: Derived::Linked(Vec::new()) }
}

async fn edited(given: &Given, thought: &Thought, text: &str) -> Thought {
    match given.store.update(given.account, thought.id, change(thought, Some(text), None)).await.unwrap() {
        Updated::Done(thought) => *thought,
        other => panic!("expected a change, got {other:?}"),
    }
}

async fn category(given: &Given, thought: &Thought) -> Category {
    given.store.get(given.account, thought.id).await.unwrap().unwrap().category
}

pub(crate) async fn a_new_text_is_queued_and_claimed_in_order(given: &Given) {
    let first = given.a_thought("Ana lives in Lisbon").await;
    let second = given.a_thought("Rui lives in Porto").await;
    let jobs = claim(given.store.as_ref(), given, 1).await;
    assert_eq!(jobs.iter().map(|job| job.thought.clone()).collect::<Vec<_>>(), [first, second]);
    assert!(jobs.iter().all(|job| job.ticket.step == Step::Enrich && job.attempts == 1));
}

pub(crate) async fn a_text_changed_before_its_claim_is_worked_on_once(given: &Given) {
    given.an_account(given.account, "ana").await;
    let thought = given.a_thought("Ana lives in Lisbon").await;
    edited(given, &thought, "Ana lives in Porto").await;
    assert_eq!(given.store.stats().await.unwrap().pending_enrichment, 1);
    let jobs = claim(given.store.as_ref(), given, 1).await;
    assert_eq!(jobs.len(), 1);
    assert_eq!(jobs[0].thought.raw_text.as_str(), "Ana lives in Porto");
    finish_all(given).await;
    assert_eq!(given.store.finish(given.account, vec![enriched(jobs[0].ticket, Category::Fact)]).await.unwrap(), 1);
    finish_all(given).await;
    assert_eq!(given.store.stats().await.unwrap().pending_enrichment, 0);
}

pub(crate) async fn a_long_queue_is_claimed_in_the_order_it_came(given: &Given) {
    let mut stored = Vec::new();
    for number in 0..25 {
        stored.push(given.a_thought(&format!("number {number}")).await.id);
    }
    let mut claimed = Vec::new();
    for _ in 0..3 {
        claimed.extend(claim(given.store.as_ref(), given, 1).await.iter().map(|job| job.thought.id));
    }
    assert_eq!(claimed, stored);
    assert_eq!(claim(given.store.as_ref(), given, 1).await.len(), 0);
}

pub(crate) async fn a_claim_ends_when_it_has_enough_text(given: &Given) {
    for _ in 0..3 {
        given.a_thought(&"tea ".repeat(200)).await;
    }
    assert_eq!(claim(given.store.as_ref(), given, 1).await.len(), 2);
}

pub(crate) async fn a_leased_job_is_nobody_elses(given: &Given) {
    given.a_thought("Ana lives in Lisbon").await;
    assert_eq!(claim(given.store.as_ref(), given, 1).await.len(), 1);
    assert_eq!(claim(given.another_process().await.as_ref(), given, 30).await.len(), 0);
}

pub(crate) async fn the_jobs_of_a_dead_worker_are_taken_over_one_at_a_time(given: &Given) {
    given.a_thought("Ana lives in Lisbon").await;
    given.a_thought("Rui lives in Porto").await;
    let abandoned = claim(given.store.as_ref(), given, 1).await;
    given.store.close().await.unwrap();
    let other = given.another_process().await;
    let first = claim(other.as_ref(), given, 120).await;
    let second = claim(other.as_ref(), given, 120).await;
    assert_eq!((first.len(), second.len()), (1, 1));
    assert_eq!([first[0].ticket, second[0].ticket], tickets(&abandoned)[..]);
    assert_eq!(first[0].attempts, 2);
}

pub(crate) async fn a_job_is_finished_once(given: &Given) {
    let thought = given.a_thought("Ana lives in Lisbon").await;
    let slow = claim(given.store.as_ref(), given, 1).await.remove(0);
    let taken_over = claim(given.store.as_ref(), given, 120).await.remove(0);
    let finish =
        async |ticket, category| given.store.finish(given.account, vec![enriched(ticket, category)]).await.unwrap();
    assert_eq!(finish(taken_over.ticket, Category::Fact).await, 1);
    assert_eq!(finish(slow.ticket, Category::Idea).await, 0);
    assert_eq!(category(given, &thought).await, Category::Fact);
}

pub(crate) async fn enriching_leads_to_linking_and_linking_to_the_end(given: &Given) {
    given.an_account(given.account, "ana").await;
    given.a_thought("Ana lives in Lisbon").await;
    let enriching = claim(given.store.as_ref(), given, 1).await.remove(0);
    given.store.finish(given.account, vec![enriched(enriching.ticket, Category::Fact)]).await.unwrap();
    assert_eq!(given.store.stats().await.unwrap().pending_enrichment, 1);
    let linking = claim(given.store.as_ref(), given, 1).await.remove(0);
    assert_eq!((linking.ticket.step, linking.attempts), (Step::Link, 1));
    assert_eq!(given.store.finish(given.account, vec![linked(linking.ticket)]).await.unwrap(), 1);
    assert_eq!(given.store.stats().await.unwrap().pending_enrichment, 0);
    assert_eq!(tickets(&claim(given.store.as_ref(), given, 600).await), []);
}

pub(crate) async fn what_is_finished_after_an_edit_stores_nothing(given: &Given) {
    let thought = given.a_thought("Ana lives in Lisbon").await;
    let stale = claim(given.store.as_ref(), given, 1).await.remove(0);
    let thought = edited(given, &thought, "Ana lives in Porto").await;
    assert_eq!(given.store.finish(given.account, vec![enriched(stale.ticket, Category::Idea)]).await.unwrap(), 0);
    assert_eq!(category(given, &thought).await, Category::Observation);
    assert_eq!(given.store.serving_model(given.account).await.unwrap(), None);
    let later = claim(given.store.as_ref(), given, 1).await.remove(0);
    assert_eq!((later.thought.raw_text.as_str(), later.attempts), ("Ana lives in Porto", 1));
}

pub(crate) async fn a_stale_failure_does_not_touch_the_later_job(given: &Given) {
    let thought = given.a_thought("Ana lives in Lisbon").await;
    let stale = claim(given.store.as_ref(), given, 1).await.remove(0);
    edited(given, &thought, "Ana lives in Porto").await;
    let far = Time::from_micros(i64::MAX);
    given.store.retry_at(given.account, stale.ticket, far).await.unwrap();
    given.store.put_back(given.account, vec![stale.ticket], far).await.unwrap();
    given.store.give_up(given.account, stale.ticket).await.unwrap();
    assert_eq!(claim(given.store.as_ref(), given, 1).await.len(), 1);
}

pub(crate) async fn a_failed_job_waits_until_its_time(given: &Given) {
    given.a_thought("Ana lives in Lisbon").await;
    let failed = claim(given.store.as_ref(), given, 1).await.remove(0);
    given.store.retry_at(given.account, failed.ticket, at(300).now).await.unwrap();
    assert_eq!(claim(given.store.as_ref(), given, 200).await.len(), 0);
    let again = claim(given.store.as_ref(), given, 400).await;
    assert_eq!((again.len(), again[0].attempts), (1, 2));
}

pub(crate) async fn a_job_that_is_put_back_has_not_been_tried(given: &Given) {
    given.a_thought("Ana lives in Lisbon").await;
    given.a_thought("Rui lives in Porto").await;
    let jobs = claim(given.store.as_ref(), given, 1).await;
    given.store.put_back(given.account, tickets(&jobs), jobs[0].thought.created_at).await.unwrap();
    let again = claim(given.store.as_ref(), given, 1).await;
    assert_eq!(again.iter().map(|job| job.attempts).collect::<Vec<_>>(), [1, 1]);
}

pub(crate) async fn a_job_that_is_given_up_is_counted_and_the_thought_untouched(given: &Given) {
    given.an_account(given.account, "ana").await;
    let thought = given.a_thought("Ana lives in Lisbon").await;
    let job = claim(given.store.as_ref(), given, 1).await.remove(0);
    given.store.give_up(given.account, job.ticket).await.unwrap();
    let stats = given.store.stats().await.unwrap();
    assert_eq!((stats.given_up, stats.pending_enrichment), (1, 0));
    assert_eq!(claim(given.store.as_ref(), given, 100_000).await.len(), 0);
    assert_eq!(given.search("Lisbon").await, [thought.id]);
    edited(given, &thought, "Ana lives in Porto").await;
    let stats = given.store.stats().await.unwrap();
    assert_eq!((stats.given_up, stats.pending_enrichment), (0, 1));
}

pub(crate) async fn many_workers_share_the_jobs(given: &Given) {
    for number in 0..60 {
        given.a_thought(&format!("number {number}")).await;
    }
    let mut stores = Vec::new();
    for _ in 0..3 {
        stores.extend([given.store.clone(), given.another_process().await]);
    }
    let workers = stores.into_iter().map(|store| {
        let account = given.account;
        tokio::spawn(async move {
            let mut claimed = Vec::new();
            loop {
                let jobs = store.claim(account, Claim { limit: 4, ..at(1) }).await.unwrap();
                if jobs.is_empty() {
                    return claimed;
                }
                claimed.extend(jobs.into_iter().map(|job| job.thought.id));
            }
        })
    });
    let mut all = Vec::new();
    for worker in workers.collect::<Vec<_>>() {
        all.extend(worker.await.unwrap());
    }
    all.sort();
    let count = all.len();
    all.dedup();
    assert_eq!((count, all.len()), (60, 60));
}

pub(crate) async fn accounts_with_work_are_named_whoever_queued_it(given: &Given) {
    given.an_account(given.account, "ana").await;
    given.an_account(given.other_account, "rui").await;
    let store = given.another_process().await;
    assert_eq!(store.accounts_with_work(at(1).now).await.unwrap(), []);
    given.a_thought("Ana lives in Lisbon").await;
    assert_eq!(store.accounts_with_work(at(1).now).await.unwrap(), [given.account]);
    claim(given.store.as_ref(), given, 1).await;
    assert_eq!(store.accounts_with_work(at(30).now).await.unwrap(), []);
    assert_eq!(store.accounts_with_work(at(120).now).await.unwrap(), [given.account]);
}

pub(crate) async fn work_is_known_to_whoever_queued_or_saw_it_until_it_is_done(given: &Given) {
    given.an_account(given.account, "ana").await;
    given.an_account(given.other_account, "rui").await;
    let other = given.another_process().await;
    let known = async |second| {
        let [here, there] = [&given.store, &other].map(|store| store.accounts_known_to_have_work(at(second).now));
        let (here, there) = (here.await.unwrap(), there.await.unwrap());
        assert_eq!(here, there);
        here
    };
    assert_eq!(known(1).await, []);
    given.a_thought("Ana lives in Lisbon").await;
    assert_eq!(other.accounts_with_work(at(1).now).await.unwrap(), [given.account]);
    assert_eq!(known(1).await, [given.account]);
    let job = claim(given.store.as_ref(), given, 1).await.remove(0);
    assert_eq!((known(30).await, known(120).await), (vec![], vec![given.account]));
    given.store.finish(given.account, vec![enriched(job.ticket, Category::Fact)]).await.unwrap();
    assert_eq!(known(1).await, [given.account], "the links are left");
    finish_all(given).await;
    assert_eq!(known(120).await, []);
}

pub(crate) async fn archiving_keeps_what_was_derived(given: &Given) {
    let thought = given.a_thought("Ana lives in Lisbon").await;
    let job = claim(given.store.as_ref(), given, 1).await.remove(0);
    given.store.finish(given.account, vec![enriched(job.ticket, Category::Fact)]).await.unwrap();
    let archived = given.with_status(&thought, Status::Archived).await;
    assert_eq!(archived.category, Category::Fact);
    assert_eq!(tickets(&claim(given.store.as_ref(), given, 1).await)[0].step, Step::Link);
}

/// Finishes whatever is due.
async fn finish_all(given: &Given) {
    loop {
        let jobs = claim(given.store.as_ref(), given, 1).await;
        if jobs.is_empty() {
            return;
        }
        let finished = jobs.iter().map(|job| match job.ticket.step {
            Step::Enrich => enriched(job.ticket, Category::Fact),
            Step::Link => linked(job.ticket),
        });
        given.store.finish(given.account, finished.collect()).await.unwrap();
    }
}

async fn queue_rebuild(given: &Given, limit: usize) -> bool {
    given.store.queue_rebuild(given.account, Rebuild::Everything, limit).await.unwrap()
}

pub(crate) async fn a_rebuild_queues_everything_once_behind_new_texts(given: &Given) {
    let old = given.a_thought("Ana lives in Lisbon").await;
    finish_all(given).await;
    let new = given.a_thought("Rui lives in Porto").await;
    assert!(!queue_rebuild(given, 100).await);
    let first = claim(given.store.as_ref(), given, 1).await;
    let second = claim(given.store.as_ref(), given, 1).await;
    let ids = |jobs: &[Job]| jobs.iter().map(|job| job.thought.id).collect::<Vec<_>>();
    assert_eq!((ids(&first), ids(&second)), (vec![new.id], vec![old.id]));
}

pub(crate) async fn a_rebuild_goes_on_where_it_was(given: &Given) {
    given.an_account(given.account, "ana").await;
    for number in 0..5 {
        given.a_thought(&format!("number {number}")).await;
    }
    finish_all(given).await;
    let pending = async || given.store.stats().await.unwrap().pending_enrichment;
    assert!(queue_rebuild(given, 2).await);
    assert_eq!(pending().await, 2);
    let other = given.another_process().await;
    assert!(other.queue_rebuild(given.account, Rebuild::Everything, 2).await.unwrap());
    assert!(!other.queue_rebuild(given.account, Rebuild::Everything, 2).await.unwrap());
    assert_eq!(pending().await, 5);
    finish_all(given).await;
    assert_eq!(pending().await, 0);
}

pub(crate) async fn a_rebuild_tries_again_what_was_given_up(given: &Given) {
    given.an_account(given.account, "ana").await;
    given.a_thought("Ana lives in Lisbon").await;
    let job = claim(given.store.as_ref(), given, 1).await.remove(0);
    given.store.give_up(given.account, job.ticket).await.unwrap();
    queue_rebuild(given, 100).await;
    let again = claim(given.store.as_ref(), given, 1).await;
    assert_eq!((again.len(), again[0].attempts), (1, 1));
    assert_eq!(given.store.stats().await.unwrap().given_up, 0);
}

pub(crate) async fn what_a_model_has_not_seen_is_queued(given: &Given) {
    given.a_thought("Ana lives in Lisbon").await;
    finish_all(given).await;
    let missing = async |model: &str| {
        let rebuild = Rebuild::Missing { model: model.into() };
        assert!(!given.store.queue_rebuild(given.account, rebuild, 100).await.unwrap());
        claim(given.store.as_ref(), given, 1).await.len()
    };
    assert_eq!((missing("test").await, missing("other").await), (0, 1));
}

/// The steps and texts of a claim, in its order.
async fn claimed(given: &Given) -> Vec<(Step, String)> {
    let jobs = claim(given.store.as_ref(), given, 1).await;
    jobs.iter().map(|job| (job.ticket.step, job.thought.raw_text.as_str().to_owned())).collect()
}

fn linking(texts: &[&str]) -> Vec<(Step, String)> {
    texts.iter().map(|text| (Step::Link, (*text).to_owned())).collect()
}

/// Three thoughts whose texts are being enriched.
async fn three_enriching(given: &Given) -> Vec<Ticket> {
    given.an_account(given.account, "ana").await;
    for text in ["one", "two", "three"] {
        given.a_thought(text).await;
    }
    tickets(&claim(given.store.as_ref(), given, 1).await)
}

async fn finish_enriching(given: &Given, enriching: &[Ticket]) {
    let finished = enriching.iter().map(|ticket| enriched(*ticket, Category::Fact)).collect();
    assert_eq!(given.store.finish(given.account, finished).await.unwrap(), enriching.len());
}

pub(crate) async fn thoughts_are_linked_in_the_order_of_storing(given: &Given) {
    let enriching = three_enriching(given).await;
    finish_enriching(given, &enriching[1..]).await;
    assert_eq!(claimed(given).await, [], "the first is not there yet");
    finish_enriching(given, &enriching[..1]).await;
    assert_eq!(claimed(given).await, linking(&["one", "two", "three"]));
    given.a_thought("four").await;
    finish_enriching(given, &tickets(&claim(given.store.as_ref(), given, 1).await)).await;
    assert_eq!(claimed(given).await, [], "one worker at a time links");
}

pub(crate) async fn what_was_given_up_holds_up_nobody(given: &Given) {
    let enriching = three_enriching(given).await;
    finish_enriching(given, &enriching[1..]).await;
    given.store.give_up(given.account, enriching[0]).await.unwrap();
    assert_eq!(claimed(given).await, linking(&["two", "three"]));
}

pub(crate) async fn thoughts_after_a_changed_one_are_linked_again(given: &Given) {
    given.an_account(given.account, "ana").await;
    let mut stored = Vec::new();
    for text in ["one", "two", "three"] {
        stored.push(given.a_thought(text).await);
    }
    finish_all(given).await;
    edited(given, &stored[1], "two again").await;
    assert_eq!(given.store.stats().await.unwrap().pending_enrichment, 2);
    finish_enriching(given, &tickets(&claim(given.store.as_ref(), given, 1).await)).await;
    let changed = claim(given.store.as_ref(), given, 1).await;
    assert_eq!(changed.iter().map(|job| job.thought.raw_text.as_str()).collect::<Vec<_>>(), ["two again"]);
    given.store.finish(given.account, vec![linked(changed[0].ticket)]).await.unwrap();
    assert_eq!(claimed(given).await, linking(&["three"]));
    assert_eq!(given.store.accounts_with_work(at(1).now).await.unwrap(), [], "all is leased");
}

pub(crate) async fn what_was_linked_by_an_earlier_text_is_linked_in_vain(given: &Given) {
    let enriching = three_enriching(given).await;
    finish_enriching(given, &enriching).await;
    let begun = tickets(&claim(given.store.as_ref(), given, 1).await);
    given.store.finish(given.account, vec![linked(begun[0])]).await.unwrap();
    let first = given.store.get(given.account, begun[0].thought).await.unwrap().unwrap();
    edited(given, &first, "one again").await;
    finish_enriching(given, &tickets(&claim(given.store.as_ref(), given, 1).await)).await;
    let again = claim(given.store.as_ref(), given, 1).await;
    assert_eq!(again.len(), 1);
    given.store.finish(given.account, vec![linked(again[0].ticket)]).await.unwrap();
    let all = claim(given.store.as_ref(), given, 1).await;
    assert_eq!(all.len(), 2, "the others were begun before the change");
    assert_eq!(given.store.finish(given.account, vec![linked(begun[1]), linked(begun[2])]).await.unwrap(), 0);
    let finished = all.iter().map(|job| linked(job.ticket)).collect();
    assert_eq!(given.store.finish(given.account, finished).await.unwrap(), 2);
    assert_eq!(given.store.stats().await.unwrap().pending_enrichment, 0);
}

pub(crate) async fn a_new_thought_is_linked_at_once_and_again_after_a_rebuild(given: &Given) {
    given.an_account(given.account, "ana").await;
    given.a_thought("old").await;
    finish_all(given).await;
    assert!(!queue_rebuild(given, 100).await);
    given.a_thought("new").await;
    finish_enriching(given, &tickets(&claim(given.store.as_ref(), given, 1).await)).await;
    let new = claim(given.store.as_ref(), given, 1).await;
    assert_eq!((new.len(), new[0].ticket.step, new[0].thought.raw_text.as_str()), (1, Step::Link, "new"));
    given.store.finish(given.account, vec![linked(new[0].ticket)]).await.unwrap();
    finish_enriching(given, &tickets(&claim(given.store.as_ref(), given, 1).await)).await;
    assert_eq!(claimed(given).await, linking(&["old", "new"]));
}

pub(crate) async fn what_is_tried_again_has_later_thoughts_linked_again(given: &Given) {
    let enriching = three_enriching(given).await;
    given.store.give_up(given.account, enriching[0]).await.unwrap();
    finish_enriching(given, &enriching[1..]).await;
    finish_all(given).await;
    given.store.try_again(given.account, enriching[0].thought).await.unwrap();
    finish_enriching(given, &tickets(&claim(given.store.as_ref(), given, 1).await)).await;
    let first = claim(given.store.as_ref(), given, 1).await;
    assert_eq!(first.len(), 1);
    given.store.finish(given.account, vec![linked(first[0].ticket)]).await.unwrap();
    assert_eq!(claimed(given).await, linking(&["two", "three"]));
}
