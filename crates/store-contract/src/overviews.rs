//! An account as a person looks at it.

use annotate::entities::{EntityKey, EntityKind, Mention};
use model::{Author, AuthorFilter, Category, Clock, Cursor, Status, SystemClock, Thought, ThoughtId, Time};
use store::{
    Changes, Claim, Derived, Embedding, Enriched, Enrichment, EntityListing, EntityQuery, Filter, Finished, Focus,
    LexicalQuery, Link, NewThought, SemanticQuery, Step, Updated, Visible, Whose,
};

use super::given::{Given, agent, change, new, query};
use super::notes::note;

/// Stores a thought of somebody that is about a time.
async fn about(given: &Given, text: &str, author: Author, micros: i64) -> Thought {
    let thought = NewThought { captured_at: Some(Time::from_micros(micros)), ..new(text, author) };
    given.store.insert(given.account, thought).await.unwrap()
}

async fn listed(given: &Given, filter: &Filter) -> Vec<ThoughtId> {
    let page = given.store.list_filtered(given.account, filter, None, 100).await.unwrap();
    page.into_iter().map(|thought| thought.id).collect()
}

fn person(name: &str) -> EntityKey {
    EntityKey { kind: EntityKind::Person, folded: name.to_lowercase() }
}

/// Works everything off: thoughts mention the people whose names begin their sentences, and each is linked with the one before.
async fn enrich(given: &Given) {
    let now = SystemClock.now();
    let mut before: Option<ThoughtId> = None;
    loop {
        let claim = Claim { now, leased_until: now, limit: 50, text_bytes: 1 << 20 };
        let jobs = given.store.claim(given.account, claim).await.unwrap();
        if jobs.is_empty() {
            return;
        }
        let finished = jobs.into_iter().map(|job| {
            let derived = match job.ticket.step {
                Step::Enrich => Derived::Enriched(Enriched {
                    embedding: Embedding {
                        model: "test".into(),
                        centre: [0.0; 2].into(),
                        parts: vec![vec![1.0, 0.0]],
                        tokens: Vec::new(),
                    },
                    mentions: mentions(job.thought.raw_text.as_str()),
                    category: Category::Fact,
                }),
                Step::Link => Derived::Linked(
                    before
                        .replace(job.thought.id)
                        .map(|other| Link { other, weight: 0.5, replaces: None })
                        .into_iter()
                        .collect(),
                ),
            };
            Finished { ticket: job.ticket, derived }
        });
        given.store.finish(given.account, finished.collect()).await.unwrap();
    }
}

fn mentions(text: &str) -> Vec<Mention> {
    let words = text.split_whitespace().filter(|word| word.starts_with(char::is_uppercase));
    words.map(|name| Mention { name: name.into(), kind: EntityKind::Person, span: 0..0 }).collect()
}

pub(crate) async fn every_filter_admits_what_it_says(given: &Given) {
    let tea = about(given, "tea", Author::User, 10).await;
    let milk = about(given, "milk", agent("laptop"), 20).await;
    let jam = about(given, "jam", agent("phone"), 30).await;
    given.with_status(&jam, Status::Archived).await;
    let all = Filter::default();
    assert_eq!(listed(given, &all).await, [jam.id, milk.id, tea.id]);
    let with = |status, whose, from: Option<i64>, to: Option<i64>| Filter {
        status,
        whose,
        from: from.map(Time::from_micros),
        to: to.map(Time::from_micros),
        ..Filter::default()
    };
    for (filter, expected) in [
        (with(Some(Status::Open), Whose::Everybodys, None, None), vec![milk.id, tea.id]),
        (with(Some(Status::Archived), Whose::Everybodys, None, None), vec![jam.id]),
        (with(Some(Status::Completed), Whose::Everybodys, None, None), vec![]),
        (with(None, Whose::Users, None, None), vec![tea.id]),
        (with(None, Whose::Agents, None, None), vec![jam.id, milk.id]),
        (with(None, Whose::Agent("phone".into()), None, None), vec![jam.id]),
        (with(None, Whose::Agent("nobody".into()), None, None), vec![]),
        (with(None, Whose::Everybodys, Some(20), None), vec![jam.id, milk.id]),
        (with(None, Whose::Everybodys, None, Some(20)), vec![tea.id]),
        (with(None, Whose::Everybodys, Some(20), Some(30)), vec![milk.id]),
    ] {
        assert_eq!(listed(given, &filter).await, expected, "{filter:?}");
        for thought in given.store.list_filtered(given.account, &all, None, 10).await.unwrap() {
            assert_eq!(filter.admits(&thought), expected.contains(&thought.id), "{filter:?}");
        }
    }
    let facts = Filter { category: Some(Category::Fact), ..Filter::default() };
    assert_eq!(listed(given, &facts).await, []);
    enrich(given).await;
    assert_eq!(listed(given, &facts).await, [jam.id, milk.id, tea.id]);
    let elsewhere = given.store.list_filtered(given.other_account, &all, None, 10).await.unwrap();
    assert_eq!(elsewhere, []);
}

pub(crate) async fn a_search_looks_among_those_a_filter_admits(given: &Given) {
    // Before all others nobody would find it: it holds more other words, is neither the oldest nor the newest.
    about(given, "Ana drinks tea", Author::User, 20).await;
    let walk = about(given, "Ana drinks tea after a long walk along the harbour", Author::User, 10).await;
    about(given, "Ana drinks tea", Author::User, 20).await;
    enrich(given).await;
    let filter = Filter { to: Some(Time::from_micros(20)), ..Filter::default() };
    let among = given.store.among(given.account, &filter).await.unwrap();
    assert_eq!(among.filter(), &filter);
    let words = LexicalQuery { limit: 1, ..query("tea", AuthorFilter::All, Status::Open) };
    let narrowed = LexicalQuery { among: Some(among.clone()), ..words.clone() };
    assert_ne!(given.store.search(given.account, &words).await.unwrap().hits[0].thought.id, walk.id);
    let by_words = given.store.search(given.account, &narrowed).await.unwrap().hits;
    assert_eq!(by_words.iter().map(|hit| hit.thought.id).collect::<Vec<_>>(), [walk.id]);
    let visible = Visible::open(AuthorFilter::All);
    let mentioning = EntityQuery { keys: vec![person("Ana")], visible, among: Some(among.clone()), limit: 1 };
    let by_entity = given.store.search_entities(given.account, mentioning).await.unwrap();
    assert_eq!(by_entity.iter().map(|hit| hit.thought.id).collect::<Vec<_>>(), [walk.id]);
    let meaning = SemanticQuery {
        model: "test".into(),
        vector: vec![1.0, 0.0],
        tokens: Vec::new(),
        visible,
        among: Some(among),
        limit: 1,
        also: Vec::new(),
        as_of: None,
    };
    let by_meaning = given.store.search_semantic(given.account, meaning).await.unwrap().hits;
    assert_eq!(by_meaning.iter().map(|hit| hit.thought.id).collect::<Vec<_>>(), [walk.id]);
}

pub(crate) async fn filtered_pages_have_no_gaps_and_no_repeats(given: &Given) {
    let mut expected = Vec::new();
    for number in 0..25 {
        let author = if number % 2 == 0 { Author::User } else { agent("laptop") };
        expected.push(about(given, &format!("thought {number}"), author, 5).await.id);
    }
    expected.reverse();
    let (mut pages, mut before) = (Vec::new(), None);
    loop {
        let page = given.store.list_filtered(given.account, &Filter::default(), before, 4).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some(Cursor { created_at: last.created_at, id: Some(last.id) });
        pages.extend(page.into_iter().map(|thought| thought.id));
    }
    assert_eq!(pages, expected);
    let newest = given.store.get(given.account, expected[0]).await.unwrap().unwrap();
    let strictly = Some(Cursor { created_at: newest.created_at, id: None });
    let page = given.store.list_filtered(given.account, &Filter::default(), strictly, 1).await.unwrap();
    assert_eq!(page[0].id, expected[1]);
}

pub(crate) async fn thoughts_are_filtered_by_what_they_mention(given: &Given) {
    let one = given.a_thought("Ana met Rui").await;
    let two = given.a_thought("Rui called").await;
    let three = given.a_thought("nobody at all").await;
    enrich(given).await;
    let of = |name: &str| Filter { entity: Some(person(name)), ..Filter::default() };
    assert_eq!(listed(given, &of("Rui")).await, [two.id, one.id]);
    assert_eq!(listed(given, &of("Ana")).await, [one.id]);
    assert_eq!(listed(given, &of("Eve")).await, []);
    let ids = [one.id, two.id, three.id];
    assert_eq!(given.store.mentioning(given.account, &person("Rui"), &ids).await.unwrap(), [one.id, two.id]);
    assert_eq!(given.store.mentioning(given.other_account, &person("Rui"), &ids).await.unwrap(), []);
}

pub(crate) async fn counts_and_duplicates_follow_every_change(given: &Given) {
    // Whoever has just come counts everything; whoever has counted before must come to the same.
    let settled = async |what: &str| {
        let fresh = given.another_process().await;
        let (census, duplicates) = (fresh.census(given.account).await, fresh.duplicates(given.account, 0, 10).await);
        assert_eq!(given.store.census(given.account).await.unwrap(), census.unwrap(), "{what}");
        let duplicates = duplicates.unwrap();
        assert_eq!(given.store.duplicates(given.account, 0, 10).await.unwrap(), duplicates, "{what}");
        duplicates.total
    };
    assert_eq!(settled("nothing yet").await, 0);
    let tea = about(given, "tea", Author::User, 10).await;
    let milk = about(given, "milk", agent("laptop"), 20).await;
    assert_eq!(settled("two are stored").await, 0);
    let other = given.another_process().await;
    other.insert(given.account, new("tea ", agent("phone"))).await.unwrap();
    assert_eq!(settled("another process stores one").await, 1);
    given.store.update(given.account, milk.id, change(&milk, Some("tea"), None)).await.unwrap();
    assert_eq!(settled("a text becomes the same").await, 1);
    enrich(given).await;
    assert_eq!(settled("kinds are known").await, 1);
    let tea = given.with_status(&tea, Status::Archived).await;
    assert_eq!(settled("one is archived").await, 1);
    given
        .store
        .update(given.account, milk.id, change(&Thought { revision: 1, ..milk }, Some("milk"), None))
        .await
        .unwrap();
    assert_eq!(settled("a text is another again").await, 0);
    given.with_status(&tea, Status::Completed).await;
    assert_eq!(settled("one is taken out again").await, 1);
}

pub(crate) async fn a_census_counts_everything(given: &Given) {
    let tea = about(given, "Ana likes tea", Author::User, -1).await;
    about(given, "milk", agent("laptop"), 5).await;
    about(given, "jam", agent("laptop"), 86_400_000_000).await;
    given.with_status(&tea, Status::Completed).await;
    given.store.insert_note(given.account, tea.id, note("a.txt", "a")).await.unwrap();
    let census = given.store.census(given.account).await.unwrap();
    assert_eq!((census.status, census.users, census.pending), ([2, 1, 0], 1, 3));
    assert_eq!((census.agents.as_slice(), census.notes), (&[("laptop".to_owned(), 2)][..], 1));
    assert_eq!(census.days, [(-1, 1), (0, 1), (1, 1)]);
    assert_eq!(census.categories, [0, 0, 3, 0]);
    enrich(given).await;
    let census = given.store.census(given.account).await.unwrap();
    assert_eq!((census.categories, census.entities, census.pending), ([0, 0, 0, 3], 1, 0));
    assert_eq!(given.store.census(given.other_account).await.unwrap(), Default::default());
}

pub(crate) async fn entities_come_by_how_often_they_occur(given: &Given) {
    for text in ["Ana met Rui", "Rui called", "Rui wrote to Zoe"] {
        given.a_thought(text).await;
    }
    enrich(given).await;
    let listing =
        |part: Option<&str>, skip, limit| EntityListing { part: part.map(str::to_owned), kind: None, skip, limit };
    let names = async |listing: EntityListing| {
        let page = given.store.list_entities(given.account, &listing).await.unwrap();
        (page.entities.into_iter().map(|entity| (entity.name, entity.thoughts)).collect::<Vec<_>>(), page.total)
    };
    let (rui, ana, zoe) = (("Rui".to_owned(), 3), ("Ana".to_owned(), 1), ("Zoe".to_owned(), 1));
    assert_eq!(names(listing(None, 0, 10)).await, (vec![rui.clone(), ana.clone(), zoe.clone()], 3));
    assert_eq!(names(listing(None, 1, 1)).await, (vec![ana.clone()], 3));
    assert_eq!(names(listing(Some("u"), 0, 10)).await, (vec![rui], 1));
    let places = EntityListing { kind: Some(EntityKind::Place), limit: 10, ..EntityListing::default() };
    assert_eq!(names(places).await, (vec![], 0));
    let view = given.store.entity(given.account, &person("Rui")).await.unwrap().unwrap();
    let around: Vec<_> = view.neighbours.iter().map(|(entity, together)| (entity.name.as_str(), *together)).collect();
    assert_eq!((view.entity.thoughts, around), (3, vec![("Ana", 1), ("Zoe", 1)]));
    assert_eq!(given.store.entity(given.account, &person("Eve")).await.unwrap(), None);
    assert_eq!(given.store.entity(given.other_account, &person("Rui")).await.unwrap(), None);
}

pub(crate) async fn a_graph_is_bounded_and_the_same_every_time(given: &Given) {
    for number in 0..30 {
        given.a_thought(&format!("Ana met Friend{number} and Rui")).await;
    }
    let alone = given.a_thought("nobody at all").await;
    let archived = given.a_thought("Ana slept").await;
    enrich(given).await;
    given.with_status(&archived, Status::Archived).await;
    for focus in [Focus::Everything, Focus::Entity(person("Ana"))] {
        let graph = given.store.graph(given.account, &focus, 30).await.unwrap();
        assert!(graph.entities.len() + graph.thoughts.len() <= 30, "{focus:?}");
        assert!(graph.entities.iter().any(|entity| entity.name == "Ana"));
        assert!(graph.of > 30 && graph.thoughts.iter().all(|thought| thought.id != archived.id));
        let thoughts: Vec<_> = graph.thoughts.iter().map(|thought| thought.id).collect();
        assert!(!graph.mentions.is_empty());
        for (thought, entity) in &graph.mentions {
            assert!(thoughts.contains(thought) && graph.entities.iter().any(|known| known.key == *entity));
        }
        assert!(graph.links.iter().all(|(one, other, _)| thoughts.contains(one) && thoughts.contains(other)));
        assert_eq!(given.store.graph(given.account, &focus, 30).await.unwrap(), graph);
        assert_eq!(given.another_process().await.graph(given.account, &focus, 30).await.unwrap(), graph);
    }
    let whole = given.store.graph(given.account, &Focus::Everything, 300).await.unwrap();
    assert_eq!((whole.entities.len(), whole.of), (32, 32 + 31));
    let around = given.store.graph(given.account, &Focus::Thought(alone.id), 300).await.unwrap();
    assert!(around.thoughts[0].id == alone.id && around.thoughts.len() > 1 && !around.links.is_empty());
    let nothing = given.store.graph(given.other_account, &Focus::Thought(alone.id), 300).await.unwrap();
    assert_eq!(nothing, Default::default());
}

pub(crate) async fn the_same_text_is_found_twice(given: &Given) {
    let one = given.a_thought("call Sam").await;
    given.a_thought("call Ana").await;
    let two = given.a_thought(" call Sam\n").await;
    given.a_thought("Call Sam").await;
    let three = given.a_thought("call Sam").await;
    given.with_status(&three, Status::Archived).await;
    for _ in 0..12 {
        given.a_thought("tea").await;
    }
    let found = given.store.duplicates(given.account, 0, 10).await.unwrap();
    assert_eq!(found.total, 2);
    let ids: Vec<_> = found.groups[0].thoughts.iter().map(|thought| thought.id).collect();
    assert_eq!((ids, found.groups[0].more), (vec![one.id, two.id], 0));
    assert_eq!((found.groups[1].thoughts.len(), found.groups[1].more), (10, 2));
    let second = given.store.duplicates(given.account, 1, 1).await.unwrap();
    assert_eq!((second.groups.as_slice(), second.total), (&found.groups[1..], 2));
    assert_eq!(given.store.duplicates(given.other_account, 0, 10).await.unwrap(), Default::default());
}

pub(crate) async fn changes_are_told_once_whoever_made_them(given: &Given) {
    let store = &given.store;
    let quiet = given.a_thought("quiet").await;
    let loud = given.a_thought("loud").await;
    enrich(given).await;
    let other = given.another_process().await;
    let start = other.changes(given.account, None, 10).await.unwrap();
    assert_eq!((start.thoughts.as_slice(), start.more), (&[][..], false));
    let next = async |since: &Changes| other.changes(given.account, Some(since.mark), 10).await.unwrap();
    assert_eq!(next(&start).await, start);
    let fresh = given.a_thought("fresh").await;
    let stored = next(&start).await;
    assert_eq!(stored.thoughts, [fresh.id]);
    given.with_status(&loud, Status::Completed).await;
    let changed = next(&stored).await;
    assert_eq!(changed.thoughts, [loud.id]);
    store.insert_note(given.account, quiet.id, note("a.txt", "a")).await.unwrap();
    let noted = next(&changed).await;
    assert_eq!(noted.thoughts, [quiet.id]);
    enrich(given).await;
    let enriched = next(&noted).await;
    assert_eq!(enriched.thoughts, [fresh.id]);
    assert_eq!(next(&enriched).await.thoughts, []);
    let many = other.changes(given.account, Some(Default::default()), 2).await.unwrap();
    assert_eq!((many.thoughts.len(), many.more), (2, true));
}

pub(crate) async fn work_that_was_given_up_is_tried_again_when_asked(given: &Given) {
    let thought = given.a_thought("Ana met Rui").await;
    let state = async || given.store.enrichment_of(given.account, thought.id).await.unwrap();
    assert_eq!(state().await, Some(Enrichment::Pending));
    let now = SystemClock.now();
    let claim = Claim { now, leased_until: now, limit: 5, text_bytes: 1_000 };
    let ticket = given.store.claim(given.account, claim).await.unwrap()[0].ticket;
    given.store.give_up(given.account, ticket).await.unwrap();
    assert_eq!(state().await, Some(Enrichment::GivenUp));
    assert_eq!(given.store.claim(given.account, claim).await.unwrap().len(), 0);
    given.store.try_again(given.account, thought.id).await.unwrap();
    assert_eq!(state().await, Some(Enrichment::Pending));
    enrich(given).await;
    assert_eq!(state().await, Some(Enrichment::Done));
    given.store.try_again(given.account, thought.id).await.unwrap();
    assert_eq!(state().await, Some(Enrichment::Done));
    let Updated::Done(_) =
        given.store.update(given.account, thought.id, change(&thought, Some("Zoe slept"), None)).await.unwrap()
    else {
        panic!("nobody else changes it")
    };
    assert_eq!(state().await, Some(Enrichment::Pending));
    assert_eq!(given.store.enrichment_of(given.other_account, thought.id).await.unwrap(), None);
}
