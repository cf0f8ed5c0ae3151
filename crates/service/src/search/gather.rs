//! Gathers what each signal finds.

use annotate::Moments;
use model::{AccountId, AuthorFilter, Mode, Thought, ThoughtId};
use store::backend::LogEnd;
use store::{CapturedQuery, Filter, LexicalHits, LexicalQuery, SittingsQuery, Store, StoreError, Terms, Whose};

use super::fuse::fuse;
use super::graph;
use super::lists::Lists;
use super::meaning::{self, Compared, Meaning, QueryEmbedder};
use super::phrases;
use super::preferences::{Answers, Preferences};
use super::related::{with_inflections, with_related};
use super::request::Search;
use super::signals::Signals;
use super::spelling::mended;
use super::understand::Understood;

/// The neighbours of how many of the best are looked at, and of a fast search.
const IN_CONTEXT: usize = 24;
const FAST_IN_CONTEXT: usize = 8;

/// How many steps before and after count as beside.
const STEPS: u8 = 2;

/// A search under way.
pub(super) struct Searching<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) embedder: &'a QueryEmbedder,
    pub(super) account: AccountId,
    pub(super) search: &'a Search<'a>,
    pub(super) understood: &'a Understood,
    /// How far the account had come when the search began: what was stored before is seen.
    pub(super) as_of: LogEnd,
    pub(super) candidates: usize,
}

impl Searching<'_> {
    /// What the query prefers, as far as that is to be gone by.
    pub(super) fn preferences(&self) -> Preferences<'_> {
        let Signals { time, speech, answers, .. } = self.search.signals;
        let Understood { meant, moments, is_of_time_alone, asked, tense, kind, .. } = self.understood;
        Preferences {
            meant: speech.then_some(meant),
            moments: if time { moments } else { &[] },
            is_of_time_alone: *is_of_time_alone,
            tense: tense.filter(|_| time),
            kind: kind.filter(|_| answers),
            answers: answers.then_some(Answers { tell: *asked }),
        }
    }

    /// What each signal finds, and how the words were taken.
    pub(super) async fn gather(&self) -> Result<(Lists, Terms), StoreError> {
        let Self { store, account, search, understood, candidates, .. } = *self;
        let (mentioned, population) = (&understood.entities, self.as_of.row.into());
        let mentioning = graph::mentioning(store, account, search, mentioned, population, candidates);
        let (found, graph, captured, of_kind) =
            tokio::join!(self.words_and_meaning(), mentioning, self.captured(), self.of_kind());
        let (found, meaning) = found?;
        let captured = captured?.into_iter().chain(of_kind?).collect();
        let mut lists = Lists { lexical: found.hits, graph: graph?, captured, ..Lists::default() };
        if let Some(meaning) = &meaning {
            // What other signals found is compared too: without its meaning it would count as if it had no vector.
            let also = lists.lexical.iter().map(|hit| hit.thought.id);
            let also = also.chain(lists.graph.iter().map(|(thought, _)| thought.id));
            let also = also.chain(lists.captured.iter().map(|thought| thought.id)).collect();
            lists.compared = meaning::compare(store, account, search, self.as_of, meaning, also, candidates).await?;
        }
        // Where hits must hold a phrase, neighbours have other words.
        if search.signals.context && understood.phrases.is_empty() {
            self.add_context(&mut lists, meaning.as_ref(), &found.terms).await?;
        }
        Ok((lists, found.terms))
    }

    /// Adds what the links of the best lead to.
    pub(super) async fn follow_links(&self, lists: &mut Lists) -> Result<(), StoreError> {
        let ranked = fuse(lists, &self.preferences());
        let mut links = graph::linked(self.store, self.account, self.search, &ranked).await?;
        phrases::retain_linked(&mut links, &lists.lexical, &self.understood.phrases);
        lists.graph.extend(links.belonging);
        (lists.replaced, lists.alike) = (links.replaced, links.alike);
        Ok(())
    }

    /// What words find, and the meaning of the query; once more where what was found tells that a word of it is misspelt.
    async fn words_and_meaning(&self) -> Result<(LexicalHits, Option<Meaning>), StoreError> {
        let Search { mode, signals, .. } = *self.search;
        let is_compared = mode == Mode::Full && signals.meaning;
        let Some(text) = self.understood.meaning.as_deref().filter(|_| is_compared) else {
            return Ok((self.by_words().await?, None));
        };
        let (found, meaning) = tokio::join!(self.by_words(), self.meaning(text));
        let found = found?;
        let mended = mended(text, &self.understood.terms, &found.hits);
        let meaning = if mended == text { meaning? } else { self.meaning(&mended).await? };
        Ok((found, meaning))
    }

    async fn by_words(&self) -> Result<LexicalHits, StoreError> {
        let Search { visible, signals, .. } = *self.search;
        if !signals.words {
            return Ok(LexicalHits::default());
        }
        let among = self.search.among().cloned();
        let terms = with_inflections(self.understood.terms.clone(), &self.understood.entities);
        // Where meanings are compared, they tell more: words beside them would blur a conversation.
        let terms = match self.search.mode {
            Mode::Fast => with_related(terms, &self.understood.entities),
            Mode::Full => terms,
        };
        let query = LexicalQuery { terms, visible, among, limit: self.candidates, as_of: Some(self.as_of) };
        self.store.search(self.account, &query).await
    }

    async fn meaning(&self, text: &str) -> Result<Option<Meaning>, StoreError> {
        meaning::of_query(self.store, self.embedder, self.account, text).await
    }

    /// The thoughts of the times the query names, where these are short enough to say something by themselves.
    async fn captured(&self) -> Result<Vec<Thought>, StoreError> {
        const MONTH_MICROS: i64 = 31 * 86_400_000_000;
        const OF_EACH_TIME: usize = 30;
        let signals = self.search.signals;
        // Of those captured then, a filter may admit few.
        let limit = if self.search.among().is_some() { self.candidates } else { OF_EACH_TIME };
        let mut captured = Vec::new();
        for Moments { start, end } in self.understood.moments.iter().copied() {
            if signals.time && end.as_micros() - start.as_micros() <= MONTH_MICROS {
                let query = CapturedQuery { start, end, visible: self.search.visible, limit };
                captured.extend(self.store.captured_within(self.account, query).await?);
            }
        }
        Ok(captured)
    }

    /// The newest thoughts of the kind the query names.
    async fn of_kind(&self) -> Result<Vec<Thought>, StoreError> {
        const NEWEST: usize = 30;
        let visible = self.search.visible;
        let Some(category) = self.understood.kind.filter(|_| self.search.signals.answers) else {
            return Ok(Vec::new());
        };
        let whose = match visible.author {
            AuthorFilter::All => Whose::Everybodys,
            AuthorFilter::User => Whose::Users,
            AuthorFilter::Agent => Whose::Agents,
        };
        let seen = || Filter { whose, ..Filter::default() };
        let wanted = self.search.among().map_or_else(seen, |among| among.filter().clone());
        if wanted.category.is_some_and(|wanted| wanted != category) {
            return Ok(Vec::new());
        }
        let filter = Filter { status: Some(visible.status), category: Some(category), ..wanted };
        let mut newest = self.store.list_filtered(self.account, &filter, None, NEWEST).await?;
        newest.retain(|thought| visible.admits(thought));
        Ok(newest)
    }

    /// Adds what was said just before and after the best so far.
    async fn add_context(&self, lists: &mut Lists, meaning: Option<&Meaning>, terms: &Terms) -> Result<(), StoreError> {
        let mode = self.search.mode;
        let best = if mode == Mode::Fast { FAST_IN_CONTEXT } else { IN_CONTEXT };
        let ids: Vec<ThoughtId> =
            fuse(lists, &self.preferences()).iter().take(best).map(|hit| hit.thought.id).collect();
        let (visible, terms) = (self.search.visible, terms.clone());
        let around = SittingsQuery { ids: ids.clone(), steps: STEPS, visible, terms, as_of: Some(self.as_of) };
        lists.sittings = self.store.sittings(self.account, around).await?;
        lists.in_context = ids;
        let (Some(meaning), Some(known)) = (meaning, &mut lists.compared) else { return Ok(()) };
        let others = lists.sittings.thoughts.iter().map(|thought| thought.id);
        let others = others.filter(|id| !known.closeness.contains_key(id)).collect();
        let compared = meaning::compare(self.store, self.account, self.search, self.as_of, meaning, others, 0).await?;
        let Compared { closeness, held, .. } = compared.unwrap_or_default();
        known.closeness.extend(closeness);
        known.held.extend(held);
        Ok(())
    }
}
