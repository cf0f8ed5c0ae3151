//! The searches, in process, where the present moment can be set: as they ship, with signals left out, and the plain baselines.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use afterthought::stores::Location;
use model::{AccountId, AuthorFilter, Clock, Mode, SystemClock};
use serde_json::{Value, json};
use service::embed::BuiltIn;
use service::search::{QueryEmbedder, Search, Signals, search};
use store::{Store, Visible};

use crate::metrics::{APART, Row, Tally};
use crate::scores::Scores;
use crate::set::{Group, Query, Set, UNANSWERABLE};

/// The names of the modes in the tables.
pub(crate) const FULL: &str = "full";
pub(crate) const FAST: &str = "fast";

/// The ways of searching, and what each goes by.
const WAYS: [(&str, Signals); 9] = [
    ("words alone (BM25)", Signals { words: true, ..Signals::NONE }),
    ("vectors alone", Signals { meaning: true, ..Signals::NONE }),
    ("words and vectors", Signals { words: true, meaning: true, ..Signals::NONE }),
    ("without graph", Signals { graph: false, ..Signals::ALL }),
    ("without context", Signals { context: false, ..Signals::ALL }),
    ("without time", Signals { time: false, ..Signals::ALL }),
    ("without speech", Signals { speech: false, ..Signals::ALL }),
    ("without answers", Signals { answers: false, ..Signals::ALL }),
    ("without judge", Signals { judge: false, ..Signals::ALL }),
];

/// The name of the fusion of the first two by ranks.
const RANK_FUSION: &str = "rank fusion (k = 60)";

/// How much of each list is fused by ranks.
const FUSED: usize = 100;

/// How many questions of another set are asked.
const FOREIGN: usize = 200;

/// A set that has been stored, to be searched.
pub(crate) struct Stored<'a> {
    set: &'a Set,
    store: Arc<dyn Store>,
    embedder: QueryEmbedder,
    accounts: HashMap<&'a str, AccountId>,
}

/// What a search found: the ids of the documents with their scores, best first.
type Found = Vec<(String, f64)>;

impl<'a> Stored<'a> {
    pub(crate) async fn open(set: &'a Set, folder: &Path) -> Self {
        let built_in = Arc::new(BuiltIn::default());
        let location = Location::Embedded(folder.to_owned());
        let store = afterthought::stores::open(&location, Arc::new(SystemClock)).await.unwrap();
        let known = store.list_accounts().await.unwrap();
        let id = |name: &str| known.iter().find(|account| account.name.to_string() == name).unwrap().id;
        let accounts = set.groups.keys().map(|name| (name.as_str(), id(name))).collect();
        Self { set, store, embedder: QueryEmbedder::new(built_in.clone(), built_in), accounts }
    }

    /// Asks every query as the service does, in both modes, and adds what was found to `answers`; then the questions of `foreign`,
    /// which the set does not answer.
    pub(crate) async fn ask(&self, foreign: Option<&Set>, answers: &mut Vec<Value>) -> (Vec<Row>, Scores) {
        let mut scores = Scores::of(&self.set.name);
        let (mut full, mut fast) = (Tally::default(), Tally::default());
        for (name, group, query) in self.queries() {
            let (found, took) = self.timed(name, group, query, Mode::Full).await;
            full.add(name, query, &ids(&found), took);
            scores.add(query, &found, query.category == APART, query.category == UNANSWERABLE);
            let (found_fast, took) = self.timed(name, group, query, Mode::Fast).await;
            fast.add(name, query, &ids(&found_fast), took);
            let asked = json!({ "query": query.text, "category": query.category, "group": name });
            let wanted = json!({ "answers": query.answers, "older": query.older });
            answers.push(json!({ "asked": asked, "wanted": wanted, FULL: found, FAST: found_fast }));
        }
        let queries = foreign.into_iter().flat_map(|set| set.groups.values().flat_map(|group| &group.queries));
        // Spread over the whole set.
        let step = foreign.map_or(1, |set| set.queries().div_ceil(FOREIGN));
        for (query, (name, group)) in queries.step_by(step).zip(self.set.groups.iter().cycle()) {
            let (found, _) = self.timed(name, group, query, Mode::Full).await;
            scores.best_of_foreign.push(found.first().map_or(0.0, |(_, score)| *score));
        }
        (vec![full.row(&self.set.name, FULL), fast.row(&self.set.name, FAST)], scores)
    }

    /// Asks every query with signals left out.
    pub(crate) async fn ask_in_part(&self) -> Vec<Row> {
        let mut tallies: Vec<Tally> = WAYS.iter().map(|_| Tally::default()).collect();
        let mut by_rank = Tally::default();
        for (name, group, query) in self.queries() {
            for (tally, (_, signals)) in tallies.iter_mut().zip(WAYS) {
                let begun = Instant::now();
                let found = self.found(name, group, query, (Mode::Full, signals, 10)).await;
                tally.add(name, query, &ids(&found), begun.elapsed());
            }
            let words = self.found(name, group, query, (Mode::Full, WAYS[0].1, FUSED)).await;
            let vectors = self.found(name, group, query, (Mode::Full, WAYS[1].1, FUSED)).await;
            by_rank.add(name, query, &rank_fusion(&[ids(&words), ids(&vectors)]), Duration::ZERO);
        }
        let rows = tallies.into_iter().zip(WAYS).map(|(tally, (way, _))| tally.row(&self.set.name, way));
        rows.chain([by_rank.row(&self.set.name, RANK_FUSION)]).collect()
    }

    fn queries(&self) -> impl Iterator<Item = (&str, &Group, &Query)> {
        self.set
            .groups
            .iter()
            .flat_map(|(name, group)| group.queries.iter().map(move |query| (name.as_str(), group, query)))
    }

    async fn timed(&self, name: &str, group: &Group, query: &Query, mode: Mode) -> (Found, Duration) {
        let begun = Instant::now();
        let found = self.found(name, group, query, (mode, Signals::ALL, 10)).await;
        (found, begun.elapsed())
    }

    async fn found(
        &self,
        name: &str,
        group: &Group,
        query: &Query,
        (mode, signals, limit): (Mode, Signals, usize),
    ) -> Found {
        let asked = Search {
            text: &query.text,
            visible: Visible::open(AuthorFilter::All),
            looking: None,
            mode,
            limit,
            threshold: 0.0,
            now: query.asked_at.unwrap_or_else(|| SystemClock.now()),
            signals,
        };
        let hits = search(self.store.as_ref(), &self.embedder, self.accounts[name], &asked).await.unwrap();
        // A thought is known by its text; of two with the same text either is right.
        let id =
            |text: &str| group.documents.iter().find(|document| document.text == text).map(|found| found.id.clone());
        hits.iter().filter_map(|hit| Some((id(hit.thought.raw_text.as_str())?, hit.score))).collect()
    }
}

fn ids(found: &Found) -> Vec<String> {
    found.iter().map(|(id, _)| id.clone()).collect()
}

/// The fusion everybody starts with: the sum of 1 / (60 + rank).
fn rank_fusion(lists: &[Vec<String>]) -> Vec<String> {
    let mut scores: HashMap<&str, f64> = HashMap::new();
    for list in lists {
        for (rank, id) in list.iter().enumerate() {
            *scores.entry(id).or_default() += 1.0 / (61.0 + rank as f64);
        }
    }
    let mut fused: Vec<(&str, f64)> = scores.into_iter().collect();
    fused.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    fused.into_iter().take(10).map(|(id, _)| id.to_owned()).collect()
}
