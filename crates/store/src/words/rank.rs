//! Ranking by BM25: adds up, block by block, what each term of the query says for each entry.
//!
//! The ranking is exact: no entry is left out because a word is common. Filters are part of the collecting, so a search
//! finds as many hits as there are.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use rustc_hash::FxHashMap;

use text::{QueryTerm, TermKind};

use super::block::{BLOCK_SLOTS, Block, LOOK_UP, Slot};
use super::bm25::said;
use super::index::{Index, NOWHERE};
use super::postings::{Posting, Postings};
use crate::backend::Row;
use crate::contract::{Among, ResolvedTerm, Terms};
use crate::facet::Facet;

/// What a part of a compound says beside the whole it is part of.
const PART_WEIGHT: f32 = 0.5;

/// What a word says that was found only by forgiving a typo.
const TYPO_WEIGHT: f32 = 0.6;

/// What a word says that only means something like one of the query's.
const RELATED_WEIGHT: f32 = 0.4;

/// How many words a mistyped one may have been meant to be.
const TYPO_CANDIDATES_MAX: usize = 4;

/// A language counts as one of the account's where texts taken for it make up this share: of texts in another, one in a hundred may be
/// taken for it by mistake.
const LANGUAGE_SHARE: f32 = 0.05;

/// A misspelt word stands in so few entries that it can be seen whether they may be found at all.
const LOOKED_AT: u32 = 16;

/// How many entries are passed over at once where none of them is good enough.
const STRETCH: usize = 64;

/// Which entries may be found.
#[derive(Debug, Clone)]
pub(crate) struct Filter {
    facets: [bool; Facet::COUNT],
    among: Option<Among>,
}

impl Filter {
    /// Thoughts with one of these facets, and among those that are wanted, and their notes.
    pub(crate) fn new(facets: &[Facet], among: Option<Among>) -> Self {
        let mut admitted = [false; Facet::COUNT];
        facets.iter().for_each(|facet| admitted[usize::from(facet.number())] = true);
        Self { facets: admitted, among }
    }

    fn admits(&self, facet: Facet, thought: Row) -> bool {
        self.facets[usize::from(facet.number())] && self.among.as_ref().is_none_or(|among| among.contains(thought))
    }
}

/// A thought that was found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ranked {
    /// Its row.
    pub(crate) thought: Row,
    /// How much of the query its text holds, if any.
    pub(crate) text_score: Option<f32>,
    /// The rows of its notes that hold some of it, best first.
    pub(crate) notes: Vec<(Row, f32)>,
}

impl Ranked {
    fn best(&self) -> f32 {
        let note = self.notes.first().map_or(0.0, |(_, score)| *score);
        self.text_score.unwrap_or_default().max(note)
    }
}

/// An entry with its score; the order makes a heap's top the worst of the kept.
#[derive(PartialEq)]
struct Scored {
    score: f32,
    thought: u32,
    note: u32,
}

impl Eq for Scored {}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // Among equals the older thought wins, whatever block it stands in.
        let by_age = || (other.thought, other.note).cmp(&(self.thought, self.note));
        self.score.total_cmp(&other.score).then_with(by_age)
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Index {
    /// The best `limit` thoughts for the terms, by their texts or their notes, and what each term was taken to be.
    pub(crate) fn search(&self, terms: &[QueryTerm], filter: &Filter, limit: usize) -> (Vec<Ranked>, Terms) {
        let terms = Terms { resolved: self.resolve(terms, filter), typical_words: self.texts.mean_words() };
        let (texts, notes) = self.collect(&terms.resolved, filter, limit);
        let mut found: Vec<Ranked> = Vec::new();
        let mut places = FxHashMap::default();
        for scored in texts.into_iter().chain(notes) {
            let place = *places.entry(scored.thought).or_insert_with(|| {
                found.push(Ranked { thought: scored.thought, text_score: None, notes: Vec::new() });
                found.len() - 1
            });
            match scored.note {
                0 => found[place].text_score = Some(scored.score),
                note => found[place].notes.push((note, scored.score)),
            }
        }
        found.sort_by(|a, b| b.best().total_cmp(&a.best()).then(a.thought.cmp(&b.thought)));
        found.truncate(limit);
        (found, terms)
    }

    /// Decides what each term is looked up as and how much of the query it is: a text that holds all of them once has 1.
    fn resolve(&self, terms: &[QueryTerm], filter: &Filter) -> Vec<ResolvedTerm> {
        let population = (self.texts.count + self.note_texts.count) as f32;
        let rarity = |count: u32| {
            let count = (count as f32).min(population);
            (1.0 + (population - count + 0.5) / (count + 0.5)).ln()
        };
        // Question words and the like only speak where the query says nothing else: a text that shares no more than them with
        // it has nothing to do with it.
        let is_content = |term: &QueryTerm| term.kind != TermKind::FunctionWord;
        let says_something = terms.iter().any(is_content);
        let mut speaking = Vec::new();
        for term in terms.iter().filter(|term| is_content(term) || !says_something) {
            let mut count = self.count(&term.tokens);
            let mut tokens: Vec<String> = term.tokens.iter().filter(|token| self.knows(token)).cloned().collect();
            let mut weight = if term.kind == TermKind::Part { PART_WEIGHT } else { 1.0 };
            // What the query says in vain counts as well: a text that holds one of five words is no clear answer.
            let said = weight * rarity(count);
            if let Some(like) = self.related(term, rarity(count), &rarity) {
                speaking.push((0.0, like));
            }
            if term.kind == TermKind::Word && !self.is_visible(&term.tokens, count, filter) {
                tokens = self.forgive(term);
                count = self.count(&tokens);
                weight *= TYPO_WEIGHT;
            }
            speaking.push((said, ResolvedTerm { tokens, weight: weight * rarity(count) }));
        }
        let whole: f32 = speaking.iter().map(|(said, _)| said).sum();
        let share = |(_, term): (f32, ResolvedTerm)| ResolvedTerm { weight: term.weight / whole, ..term };
        speaking.into_iter().filter(|(_, term)| !term.tokens.is_empty()).map(share).collect()
    }

    /// The words that mean something like a term, as far as the account knows them: together no more telling than the term.
    fn related(&self, term: &QueryTerm, rarity: f32, rarity_of: &impl Fn(u32) -> f32) -> Option<ResolvedTerm> {
        let is_other = |token: &&String| !term.tokens.contains(token) && self.knows(token);
        let tokens: Vec<String> = term.related.iter().filter(is_other).cloned().collect();
        let weight = RELATED_WEIGHT * rarity.min(rarity_of(self.count(&tokens)));
        (!tokens.is_empty()).then_some(ResolvedTerm { tokens, weight })
    }

    /// How many living entries hold one of the tokens; one that holds two of them is counted twice, which is rare.
    fn count(&self, tokens: &[String]) -> u32 {
        tokens.iter().map(|token| self.blocks.iter().map(|block| block.count(token)).sum::<u32>()).sum()
    }

    /// Whether the filter admits any of the `count` entries that hold one of the tokens; of many, some are sure to be.
    fn is_visible(&self, tokens: &[String], count: u32, filter: &Filter) -> bool {
        if count == 0 || count > LOOKED_AT {
            return count > 0;
        }
        let mut visible = false;
        for block in &self.blocks {
            for postings in tokens.iter().filter_map(|token| block.get(token)) {
                postings.for_each(|posting| {
                    let slot = block.slots().get(usize::from(posting.slot));
                    visible |= slot.is_some_and(|slot| filter.admits(self.facet(slot), slot.thought));
                });
            }
        }
        visible
    }

    fn knows(&self, token: &str) -> bool {
        self.blocks.iter().any(|block| block.get(token).is_some())
    }

    /// The tokens of the most common words one typo away from a word that is nowhere.
    ///
    /// They are looked for in the languages the account is written in, and in others some text was taken for where those have none:
    /// putting hundreds of spellings into one form for each language is most of the cost.
    fn forgive(&self, term: &QueryTerm) -> Vec<String> {
        let all = self.blocks.iter().map(Block::list_bytes).sum::<usize>() as f32;
        let share = |tag: &str| self.blocks.iter().map(|block| block.list_bytes_of(tag)).sum::<usize>() as f32 / all;
        let mut known = self.most_common(text::one_typo_variants(term, |tag| share(tag) >= LANGUAGE_SHARE));
        if known.is_empty() {
            known = self.most_common(text::one_typo_variants(term, |tag| share(tag) > 0.0));
        }
        let mut tokens: Vec<String> = Vec::new();
        for (token, word) in known {
            // Some of the texts that hold the word may have been taken for another language.
            let forms = text::query_terms(&word).into_iter().flat_map(|term| term.tokens);
            let forms = [token].into_iter().chain(forms.filter(|form| self.knows(form)));
            forms.for_each(|form| {
                if !tokens.contains(&form) {
                    tokens.push(form)
                }
            });
        }
        tokens
    }

    /// The few of these tokens that stand in most entries, each with what is kept beside it.
    fn most_common(&self, tokens: BTreeMap<String, String>) -> Vec<(String, String)> {
        let (tokens, words): (Vec<String>, Vec<String>) = tokens.into_iter().unzip();
        let mut counts = vec![0; tokens.len()];
        self.blocks.iter().for_each(|block| block.add_counts(&tokens, &mut counts));
        let found = counts.into_iter().zip(tokens.into_iter().zip(words));
        let mut known: Vec<(u32, (String, String))> = found.filter(|(count, _)| *count > 0).collect();
        known.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        known.truncate(TYPO_CANDIDATES_MAX);
        known.into_iter().map(|(_, found)| found).collect()
    }

    /// The best texts and the best notes, best first.
    fn collect(&self, resolved: &[ResolvedTerm], filter: &Filter, limit: usize) -> (Vec<Scored>, Vec<Scored>) {
        let (mut texts, mut notes) = (Best::new(limit), Best::new(limit));
        let mut scores = vec![0.0_f32; BLOCK_SLOTS];
        let mut scratch = Merge::default();
        let lengths = Lengths::new(self.texts.mean_words(), self.note_texts.mean_words());
        for block in &self.blocks {
            if !score(block, resolved, &lengths, &mut scores, &mut scratch) {
                continue;
            }
            for (slots, scores) in block.slots().chunks(STRETCH).zip(scores.chunks_mut(STRETCH)) {
                let lowest = if block.holds_notes() { texts.lowest.min(notes.lowest) } else { texts.lowest };
                let highest = scores.iter().copied().fold(0.0, f32::max);
                let stretch = if highest >= lowest { slots } else { &[] };
                for (slot, score) in stretch.iter().zip(&*scores).filter(|(_, score)| **score > 0.0) {
                    let best = if slot.note == 0 { &mut texts } else { &mut notes };
                    if *score >= best.lowest && filter.admits(self.facet(slot), slot.thought) {
                        best.take(Scored { score: *score, thought: slot.thought, note: slot.note });
                    }
                }
                scores.fill(0.0);
            }
        }
        (texts.into_sorted(), notes.into_sorted())
    }

    /// A note is as visible as its thought.
    fn facet(&self, slot: &Slot) -> Facet {
        if slot.facet != Facet::NOTE {
            return slot.facet;
        }
        let place = self.thoughts.get(slot.thought as usize).copied().filter(|place| *place != NOWHERE);
        place.map_or(Facet::DEAD, |place| self.facet_at(place))
    }
}

/// Adds what each term says to the scores of a block; whether anything was added.
fn score(block: &Block, resolved: &[ResolvedTerm], lengths: &Lengths, scores: &mut [f32], scratch: &mut Merge) -> bool {
    let (words, slots) = (block.words(), block.slots());
    let mut touched = false;
    for term in resolved {
        let add = |Posting { slot, times }: Posting| {
            let index = usize::from(slot);
            let Some(words) = words.get(index) else { return };
            let said = match (times, *words) {
                (1, few) if few != LOOK_UP => lengths.said_once[usize::from(few)],
                _ => said(f32::from(times), lengths.of(&slots[index])),
            };
            scores[index] += term.weight * said;
        };
        let lists: Vec<_> = term.tokens.iter().filter_map(|token| block.get(token)).collect();
        touched |= !lists.is_empty();
        match lists.as_slice() {
            [] => {}
            [only] => only.for_each(add),
            several => scratch.merge(several, add),
        }
    }
    touched
}

/// How long texts and notes are beside typical ones.
struct Lengths {
    text_share: f32,
    note_share: f32,
    /// What it says that a text of so many words holds a word once, as nearly all do: saves a division for each.
    said_once: [f32; 256],
}

impl Lengths {
    fn new(mean_text: f32, mean_note: f32) -> Self {
        let (text_share, note_share) = (1.0 / mean_text, 1.0 / mean_note);
        let said_once = std::array::from_fn(|words| said(1.0, words as f32 * text_share));
        Self { text_share, note_share, said_once }
    }

    fn of(&self, slot: &Slot) -> f32 {
        slot.words as f32 * if slot.note == 0 { self.text_share } else { self.note_share }
    }
}

/// Merges the lists of a term's tokens: a text that holds two forms of one word holds the word once, as often as the more
/// frequent form.
#[derive(Default)]
struct Merge {
    /// How often each slot holds the word; all zero between merges.
    times: Vec<u8>,
    slots: Vec<u16>,
}

impl Merge {
    fn merge(&mut self, lists: &[Postings<'_>], mut each: impl FnMut(Posting)) {
        self.times.resize(BLOCK_SLOTS, 0);
        // One form is mostly far more frequent than the others together: it is read straight through.
        let Some(most) = (0..lists.len()).max_by_key(|list| lists[*list].count) else { return };
        for (_, list) in lists.iter().enumerate().filter(|(list, _)| *list != most) {
            list.for_each(|Posting { slot, times }| {
                let known = &mut self.times[usize::from(slot)];
                if *known == 0 {
                    self.slots.push(slot);
                }
                *known = times.max(*known);
            });
        }
        lists[most].for_each(|Posting { slot, times }| {
            let other = std::mem::take(&mut self.times[usize::from(slot)]);
            each(Posting { slot, times: times.max(other) });
        });
        for slot in self.slots.drain(..) {
            let times = std::mem::take(&mut self.times[usize::from(slot)]);
            if times > 0 {
                each(Posting { slot, times });
            }
        }
    }
}

/// The best few of many.
struct Best {
    limit: usize,
    heap: BinaryHeap<Reverse<Scored>>,
    /// The lowest score an entry must have to be among the best so far.
    lowest: f32,
}

impl Best {
    fn new(limit: usize) -> Self {
        let lowest = if limit == 0 { f32::MAX } else { 0.0 };
        Self { limit, heap: BinaryHeap::with_capacity(limit + 1), lowest }
    }

    fn take(&mut self, scored: Scored) {
        self.heap.push(Reverse(scored));
        if self.heap.len() > self.limit {
            self.heap.pop();
        }
        if self.heap.len() == self.limit {
            self.lowest = self.heap.peek().map_or(f32::MAX, |Reverse(worst)| worst.score);
        }
    }

    fn into_sorted(self) -> Vec<Scored> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(scored)| scored).collect()
    }
}
