//! What is done with a store, and how long it takes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ::service::embed::{BuiltIn, Embedder};
use ::service::memory::{Attribution, Capture, Retrieve};
use afterthought::app::App;
use model::{AuthorFilter, Caller, Detail, Mode, Order, ThoughtText, TopK};
use store::{SemanticQuery, Visible};

use super::corpus::Corpus;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Doing {
    Capture,
    Browse,
    Fast,
    Full,
    /// What the app's page counts.
    Counts,
    Duplicates,
    /// What `status` and `/metrics` count over all accounts.
    Status,
}

impl Doing {
    /// Does it once; how long it took, without making up the words for it.
    pub(crate) async fn once(self, app: &App, caller: &Caller, corpus: &mut Corpus) -> Duration {
        let words = match self {
            Self::Capture => corpus.text(),
            Self::Fast | Self::Full => corpus.question(),
            Self::Browse | Self::Counts | Self::Duplicates | Self::Status => String::new(),
        };
        let begun = Instant::now();
        match self {
            Self::Capture => {
                let raw_text = ThoughtText::new(words).unwrap();
                let capture = Capture { raw_text, captured_at: None, attribution: Attribution::User };
                drop(app.memory.capture(caller, capture).await.unwrap());
            }
            Self::Counts => drop(app.memory.census(caller).await.unwrap()),
            Self::Duplicates => drop(app.memory.duplicates(caller, 0, 20).await.unwrap()),
            Self::Status => drop(app.store.stats().await.unwrap()),
            Self::Browse => retrieve(app, caller, None, Mode::Fast).await,
            Self::Fast => retrieve(app, caller, Some(words), Mode::Fast).await,
            Self::Full => retrieve(app, caller, Some(words), Mode::Full).await,
        }
        begun.elapsed()
    }

    /// Does it once in every account, so that what it needs of them is in memory.
    pub(crate) async fn everywhere(self, app: &App, accounts: &[Caller]) {
        let (mut corpus, model) = (Corpus::new(5), BuiltIn::default());
        for caller in accounts {
            if matches!(self, Self::Full) {
                read_vectors(app, caller, &model).await;
            }
            self.once(app, caller, &mut corpus).await;
        }
    }
}

/// Waits until the vectors are in memory: a question waits a second for them, and is answered by words then.
async fn read_vectors(app: &App, caller: &Caller, model: &BuiltIn) {
    let query = SemanticQuery {
        model: model.model_id().to_owned(),
        vector: model.centre().unwrap().to_vec(),
        tokens: Vec::new(),
        visible: Visible::open(AuthorFilter::All),
        among: None,
        limit: 1,
        also: Vec::new(),
        as_of: None,
    };
    drop(app.store.search_semantic(caller.account, query).await.unwrap());
}

async fn retrieve(app: &App, caller: &Caller, query: Option<String>, mode: Mode) {
    let order = if query.is_some() { Order::Relevance } else { Order::CreatedAt };
    let retrieve = Retrieve {
        query,
        order,
        top_k: TopK::new(10.0).unwrap(),
        threshold: None,
        mode,
        detail: Detail::Snippet,
        author: AuthorFilter::All,
        cursor: None,
    };
    drop(app.memory.retrieve(caller, retrieve).await.unwrap());
}

/// How many a second, and how long they took.
pub(crate) struct Measured {
    times: Vec<Duration>,
    /// All together, if others were under way at the same time.
    within: Option<Duration>,
}

impl Measured {
    pub(crate) fn of(times: Vec<Duration>, within: Option<Duration>) -> Self {
        Self { times, within }
    }

    pub(crate) fn joined(turns: Vec<Self>) -> Self {
        let within = turns.iter().map(|turn| turn.within).sum();
        Self { times: turns.into_iter().flat_map(|turn| turn.times).collect(), within }
    }
}

/// Does something for a while, by so many callers at a time, each with the next of the accounts.
pub(crate) async fn measured(doing: Doing, app: &App, accounts: &[Caller], callers: usize, time: Duration) -> Measured {
    let accounts: Arc<[Caller]> = accounts.into();
    let begun = Instant::now();
    let callers = (0..callers).map(|number| {
        let (app, accounts) = (app.clone(), accounts.clone());
        tokio::spawn(async move {
            let (mut corpus, mut times) = (Corpus::new(number as u64 + 17), Vec::new());
            while begun.elapsed() < time {
                let caller = &accounts[corpus.below(accounts.len())];
                times.push(doing.once(&app, caller, &mut corpus).await);
            }
            times
        })
    });
    let callers: Vec<_> = callers.collect();
    let mut times = Vec::new();
    for caller in callers {
        times.extend(caller.await.unwrap());
    }
    Measured::of(times, Some(begun.elapsed()))
}

pub(crate) fn show(what: &str, of: &str, Measured { mut times, within }: Measured) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize].as_secs_f64() * 1e3;
    let rate = within.map_or_else(String::new, |within| format!("{:.0}/s", times.len() as f64 / within.as_secs_f64()));
    println!("{what:<46} {of:<11} p50 {:>9.3} ms   p99 {:>9.3} ms   {rate:>9}", at(0.5), at(0.99));
}
