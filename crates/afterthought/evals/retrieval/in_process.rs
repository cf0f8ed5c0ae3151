//! The same searches in process: the plain baselines, and ours with signals left out.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use afterthought::stores::Location;
use model::{AccountId, AuthorFilter, Clock, Mode, SystemClock};
use service::embed::BuiltIn;
use service::search::{QueryEmbedder, Search, Signals, search};
use store::{Store, Visible};

use crate::metrics::{Row, Tally};
use crate::set::{Group, Query, Set};

/// The ways of searching, and what each goes by.
pub(crate) const WAYS: [(&str, Signals); 9] = [
    ("words alone (BM25)", Signals { words: true, ..Signals::NONE }),
    ("vectors alone", Signals { meaning: true, ..Signals::NONE }),
    ("words and vectors", Signals { words: true, meaning: true, ..Signals::NONE }),
    ("all", Signals::ALL),
    ("without graph", Signals { graph: false, ..Signals::ALL }),
    ("without context", Signals { context: false, ..Signals::ALL }),
    ("without time", Signals { time: false, ..Signals::ALL }),
    ("without speech", Signals { speech: false, ..Signals::ALL }),
    ("without answers", Signals { answers: false, ..Signals::ALL }),
];

/// The name of the fusion of the first two by ranks.
pub(crate) const RANK_FUSION: &str = "rank fusion (k = 60)";

/// How much of each list is fused by ranks.
const FUSED: usize = 100;

struct Searcher {
    store: Arc<dyn Store>,
    embedder: QueryEmbedder,
}

/// Asks every query in every way.
pub(crate) async fn ask(set: &Set, folder: &Path) -> Vec<Row> {
    let built_in = Arc::new(BuiltIn::default());
    let store =
        afterthought::stores::open(&Location::Embedded(folder.to_owned()), Arc::new(SystemClock)).await.unwrap();
    let searcher = Searcher { store, embedder: QueryEmbedder::new(built_in.clone(), built_in) };
    let accounts = searcher.store.list_accounts().await.unwrap();
    let mut tallies: Vec<Tally> = WAYS.iter().map(|_| Tally::default()).collect();
    let mut by_rank = Tally::default();
    for (name, group) in &set.groups {
        let account = accounts.iter().find(|account| account.name.to_string() == *name).unwrap().id;
        for query in &group.queries {
            for (tally, (_, signals)) in tallies.iter_mut().zip(WAYS) {
                let begun = Instant::now();
                let found = searcher.found(account, group, query, signals, 10).await;
                tally.add(query, &found, begun.elapsed());
            }
            let words = searcher.found(account, group, query, WAYS[0].1, FUSED).await;
            let vectors = searcher.found(account, group, query, WAYS[1].1, FUSED).await;
            by_rank.add(query, &rank_fusion(&[words, vectors]), Duration::ZERO);
        }
    }
    let rows = tallies.into_iter().zip(WAYS).map(|(tally, (way, _))| tally.row(&set.name, way));
    rows.chain([by_rank.row(&set.name, RANK_FUSION)]).collect()
}

impl Searcher {
    /// The ids of the documents found, best first.
    async fn found(
        &self,
        account: AccountId,
        group: &Group,
        query: &Query,
        signals: Signals,
        limit: usize,
    ) -> Vec<String> {
        let asked = Search {
            text: &query.text,
            visible: Visible::open(AuthorFilter::All),
            mode: Mode::Full,
            limit,
            threshold: 0.0,
            now: SystemClock.now(),
            signals,
        };
        let hits = search(self.store.as_ref(), &self.embedder, account, &asked).await.unwrap();
        let ids: HashMap<&str, &str> =
            group.documents.iter().map(|document| (document.text.as_str(), document.id.as_str())).collect();
        hits.iter().filter_map(|hit| ids.get(hit.thought.raw_text.as_str())).map(|id| (*id).to_owned()).collect()
    }
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
