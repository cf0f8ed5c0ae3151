//! Finds the thoughts a query is about: gather ranked candidates, fuse them, say why each is there.
//!
//! A back end ranks by one signal at a time; only here do signals meet. The answer depends on the query and on what is
//! stored, never on timing: ties are broken by id.

mod explain;
mod fuse;
mod graph;
mod meaning;
mod phrases;
mod understand;

use annotate::Moments;
use model::{AccountId, Mode, Thought, ThoughtId, Time};
use store::{CapturedQuery, LexicalHits, LexicalQuery, SittingsQuery, Store, StoreError, Terms, Visible};

pub use explain::{NoteMatch, opening};
pub use fuse::Signal;
pub use meaning::QueryEmbedder;

use fuse::{Answers, Lists, Wish, fuse};
use meaning::Meaning;
use understand::{Understood, understand};

/// What to look for, and among which thoughts.
#[derive(Debug, Clone)]
pub struct Search<'a> {
    /// The query, as typed.
    pub text: &'a str,
    /// Which thoughts may be seen.
    pub visible: Visible,
    /// Which signals to use.
    pub mode: Mode,
    /// How many hits at most.
    pub limit: usize,
    /// The lowest score a hit may have.
    pub threshold: f64,
    /// The present moment, from which the query counts.
    pub now: Time,
    /// What to go by.
    pub signals: Signals,
}

/// A thought the query is about.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The thought.
    pub thought: Thought,
    /// How well it answers the query: 0 to 1, comparable between queries.
    pub score: f64,
    /// The signals that brought it in.
    pub matched_by: Vec<Signal>,
    /// The notes that matched, best first.
    pub notes: Vec<NoteMatch>,
    /// The best place of the text.
    pub snippet: String,
}

/// Which signals a search uses. A service uses all of them; an evaluation turns them off one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signals {
    /// Words in texts and notes.
    pub words: bool,
    /// Meaning.
    pub meaning: bool,
    /// Entities and links.
    pub graph: bool,
    /// What was said just before and after.
    pub context: bool,
    /// The times the query names.
    pub time: bool,
    /// Whose turn it is.
    pub speech: bool,
    /// Whether it tells what is asked for, or only asks.
    pub answers: bool,
}

impl Signals {
    /// All of them.
    pub const ALL: Self = Self::every(true);
    /// None of them.
    pub const NONE: Self = Self::every(false);

    const fn every(on: bool) -> Self {
        Self { words: on, meaning: on, graph: on, context: on, time: on, speech: on, answers: on }
    }
}

/// How many candidates each signal names: more than are shown, since what one signal ranks low another may rank high.
const CANDIDATES: usize = 60;

/// The same for a fast search, which reads no more than it needs.
const FAST_CANDIDATES: usize = 30;

/// The same where hits must hold a phrase, which is looked for among those that hold its words.
const PHRASE_CANDIDATES: usize = 1_000;

/// Where more hits than this are wanted, each signal names as many as may be wanted at most.
const FEW_HITS: usize = 30;
const MANY_CANDIDATES: usize = 100;

/// The neighbours of how many of the best are looked at, and of a fast search.
const IN_CONTEXT: usize = 24;
const FAST_IN_CONTEXT: usize = 8;

/// How many steps before and after count as beside.
const STEPS: u8 = 2;

/// The best hits for the query, best first.
pub async fn search(
    store: &dyn Store,
    embedder: &QueryEmbedder,
    account: AccountId,
    search: &Search<'_>,
) -> Result<Vec<Hit>, StoreError> {
    let understood = understand(store, account, search.text, search.now).await?;
    let candidates = match search.mode {
        _ if !understood.phrases.is_empty() => PHRASE_CANDIDATES,
        _ if search.limit > FEW_HITS => MANY_CANDIDATES,
        Mode::Fast => FAST_CANDIDATES,
        Mode::Full => CANDIDATES,
    };
    let searching = Searching { store, embedder, account, search, understood: &understood, candidates };
    let (mut lists, terms) = searching.gather().await?;
    phrases::retain(store, account, &mut lists, &understood.phrases).await?;
    let wish = searching.wish();
    if search.mode == Mode::Full && search.signals.graph {
        let linked = graph::linked(store, account, search, &fuse(&lists, &wish)).await?;
        lists.graph.extend(linked);
        phrases::retain(store, account, &mut lists, &understood.phrases).await?;
    }
    let mut ranked = fuse(&lists, &wish);
    ranked.retain(|hit| hit.score >= search.threshold);
    ranked.truncate(search.limit);
    explain::explain(store, account, ranked, &terms.resolved).await
}

/// A search under way.
struct Searching<'a> {
    store: &'a dyn Store,
    embedder: &'a QueryEmbedder,
    account: AccountId,
    search: &'a Search<'a>,
    understood: &'a Understood,
    candidates: usize,
}

impl Searching<'_> {
    fn wish(&self) -> Wish<'_> {
        let Signals { time, speech, answers, .. } = self.search.signals;
        let Understood { meant, moments, asked, .. } = self.understood;
        Wish {
            meant: speech.then_some(meant),
            moments: if time { moments } else { &[] },
            answers: answers.then_some(Answers { tell: *asked }),
        }
    }

    /// What each signal finds, and how the words were taken.
    async fn gather(&self) -> Result<(Lists, Terms), StoreError> {
        let Self { store, account, search, understood, candidates, .. } = *self;
        let mentioning = graph::mentioning(store, account, search, &understood.entities, candidates);
        let (found, meaning, graph, captured) =
            tokio::join!(self.by_words(), self.meaning(), mentioning, self.captured());
        let found = found?;
        let mut lists = Lists { lexical: found.hits, graph: graph?, captured: captured?, ..Lists::default() };
        let meaning = meaning?;
        if let Some(meaning) = &meaning {
            // What other signals found is compared too: without its meaning it would count as if it had no vector.
            let also = lists.lexical.iter().map(|hit| hit.thought.id);
            let also = also.chain(lists.graph.iter().map(|(thought, _)| thought.id));
            let also = also.chain(lists.captured.iter().map(|thought| thought.id)).collect();
            lists.compared = meaning::compare(store, account, search, meaning, also, candidates).await?;
        }
        if search.signals.context {
            self.add_context(&mut lists, meaning.as_ref(), &found.terms).await?;
        }
        Ok((lists, found.terms))
    }

    async fn by_words(&self) -> Result<LexicalHits, StoreError> {
        let Search { visible, signals, .. } = *self.search;
        if !signals.words {
            return Ok(LexicalHits::default());
        }
        let query = LexicalQuery { terms: self.understood.terms.clone(), visible, limit: self.candidates };
        self.store.search(self.account, &query).await
    }

    async fn meaning(&self) -> Result<Option<Meaning>, StoreError> {
        match &self.understood.meaning {
            Some(text) if self.search.mode == Mode::Full && self.search.signals.meaning => {
                meaning::of_query(self.store, self.embedder, self.account, text).await
            }
            _ => Ok(None),
        }
    }

    /// The thoughts of the times the query names, where these are short enough to say something by themselves.
    async fn captured(&self) -> Result<Vec<Thought>, StoreError> {
        const MONTH_MICROS: i64 = 31 * 86_400_000_000;
        const OF_EACH_TIME: usize = 30;
        let signals = self.search.signals;
        let mut captured = Vec::new();
        for Moments { start, end } in self.understood.moments.iter().copied() {
            if signals.time && end.as_micros() - start.as_micros() <= MONTH_MICROS {
                let query = CapturedQuery { start, end, visible: self.search.visible, limit: OF_EACH_TIME };
                captured.extend(self.store.captured_within(self.account, query).await?);
            }
        }
        Ok(captured)
    }

    /// Adds what was said just before and after the best so far.
    async fn add_context(&self, lists: &mut Lists, meaning: Option<&Meaning>, terms: &Terms) -> Result<(), StoreError> {
        let mode = self.search.mode;
        let best = if mode == Mode::Fast { FAST_IN_CONTEXT } else { IN_CONTEXT };
        let ids: Vec<ThoughtId> = fuse(lists, &self.wish()).iter().take(best).map(|hit| hit.thought.id).collect();
        let (visible, terms) = (self.search.visible, terms.clone());
        let around = SittingsQuery { ids: ids.clone(), steps: STEPS, visible, terms };
        lists.sittings = self.store.sittings(self.account, around).await?;
        lists.in_context = ids;
        let (Some(meaning), Some(known)) = (meaning, &mut lists.compared) else { return Ok(()) };
        let others = lists.sittings.thoughts.iter().map(|thought| thought.id);
        let others = others.filter(|id| !known.closeness.contains_key(id)).collect();
        let compared = meaning::compare(self.store, self.account, self.search, meaning, others, 0).await?;
        known.closeness.extend(compared.unwrap_or_default().closeness);
        Ok(())
    }
}
