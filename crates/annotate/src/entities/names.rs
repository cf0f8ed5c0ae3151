//! Spots people, organisations, places, products and works by their writing, the lists and the words around them.
//!
//! - Names come in the order of the text and do not overlap.
//! - A capital that the sentence, the heading or German spelling explains is no evidence.
//! - Names the account knows win over the lists, and are found in lower case as well.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::context::Context;
use super::cues::Cue;
use super::evidence::{Evidence, LISTED};
use super::gazetteer::MOST_KNOWN_WORDS;
use super::kind::EntityKind;
use super::lists::{Given, Listed, ends_like_a_word, given, is_ordinary, listed, longest_from};
use super::own_words::add_own;
use super::scene::Scene;
use super::tokens::{Gap, Shape, Token};
use super::zones::Zone;

/// A name among the tokens of a text.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) tokens: Range<usize>,
    pub(super) kind: EntityKind,
    /// The spelling to show, where it is not that of the text.
    pub(super) spelling: Option<String>,
    /// A number after it belongs to the name.
    pub(super) numbered: bool,
}

/// The names of a scene.
pub(super) fn names(scene: &Scene<'_, '_>) -> Vec<Name> {
    let spotter = Spotter { scene, tokens: scene.tokens, is_german: scene.is_german };
    let mut found: Vec<Name> = Vec::new();
    let mut at = 0;
    while at < scene.tokens.len() {
        match spotter.name_at(at, found.last()) {
            Some(name) => {
                at = name.tokens.end;
                found.push(name);
            }
            None => at += 1,
        }
    }
    spotter.repeated(found)
}

struct Spotter<'r, 't> {
    scene: &'r Scene<'r, 't>,
    tokens: &'r [Token<'t>],
    is_german: bool,
}

/// A name from the lists or the account that begins at a token.
struct Phrase {
    end: usize,
    listed: &'static [Listed],
    known: Option<(String, EntityKind)>,
}

impl Spotter<'_, '_> {
    fn name_at(&self, at: usize, last: Option<&Name>) -> Option<Name> {
        if !self.scene.is_free(at) {
            return None;
        }
        let token = &self.tokens[at];
        let phrase = self.phrase_at(at);
        if self.scene.is_loose_article(at) && phrase.as_ref().is_none_or(|phrase| phrase.end == at + 1) {
            return None;
        }
        if self.scene.is_title_before_name(at) && phrase.as_ref().is_none_or(|phrase| phrase.end == at + 1) {
            return None;
        }
        let run = if token.is_capital() { self.scene.run_end(at) } else { at };
        if run > at + 1
            && phrase.as_ref().is_none_or(|phrase| phrase.end < run)
            && let Some(name) = self.run_name(at..run, phrase.as_ref(), last)
        {
            return Some(name);
        }
        if let Some(phrase) = phrase
            && let Some(name) = self.phrase_name(at, phrase, last)
        {
            return Some(name);
        }
        let end = run.max(at + 1);
        let first = given(&token.folded);
        if token.is_capital() && (end == at + 1 || first != Given::No) || first == Given::Yes {
            return self.lone_name(at, last);
        }
        None
    }

    /// The longest phrase of the account or the lists at `at`.
    fn phrase_at(&self, at: usize) -> Option<Phrase> {
        let mut best = None;
        let mut folded = String::new();
        let longest_listed = longest_from(&self.tokens[at].folded);
        for end in at + 1..=(at + longest_listed.max(MOST_KNOWN_WORDS)).min(self.tokens.len()) {
            let token = &self.tokens[end - 1];
            if end > at + 1 {
                if !matches!(token.gap, Gap::Space | Gap::Tight | Gap::Comma) || !self.scene.is_free(end - 1) {
                    break;
                }
                if !(token.gap == Gap::Tight && token.shape == Shape::Unspaced) {
                    folded.push(' ');
                }
            }
            folded.push_str(&token.folded);
            let known = if end - at <= MOST_KNOWN_WORDS { self.scene.known.known(&folded) } else { None };
            let listed = if end - at <= longest_listed { listed(&folded) } else { &[] };
            if known.is_some() || !listed.is_empty() {
                best = Some(Phrase { end, listed, known });
            }
        }
        best
    }

    /// A name of several words, taken as a whole.
    fn run_name(&self, run: Range<usize>, phrase: Option<&Phrase>, last: Option<&Name>) -> Option<Name> {
        let name = &self.tokens[run.clone()];
        let is_heading = self.scene.zones[run.start] == Zone::Heading;
        let is_generic = is_heading && name.iter().all(|token| is_ordinary(&token.folded));
        if is_generic || name.iter().all(Token::is_initial) {
            return None;
        }
        let context = Context::new(self.tokens, run.clone());
        let mut evidence = context.evidence();
        add_own(&mut evidence, name, &[], &context);
        self.add_neighbour(&mut evidence, run.start, last);
        let first_is_person = given(&name[0].folded) != Given::No
            || phrase.and_then(|phrase| phrase.known.as_ref()).is_some_and(|(_, kind)| *kind == EntityKind::Person);
        if first_is_person && !self.scene.ends_compound(run.end - 1) {
            evidence.add(EntityKind::Person, 2);
        } else if phrase.is_some_and(|phrase| self.is_team(&run, phrase)) {
            return Some(self.plain(run, EntityKind::Organisation));
        } else if let Some(phrase) = phrase
            && !self.scene.ends_compound(run.end - 1)
            && !phrase.listed.is_empty()
        {
            // `Berlin Marathonausrüstung`: the listed name is what is known.
            return None;
        }
        let least = if self.is_german || is_heading { LISTED } else { 2 };
        let (kind, score) = evidence.best();
        let is_weak = kind == EntityKind::Person && !first_is_person && score < 4;
        (score >= least && !is_weak).then(|| self.plain(run, kind))
    }

    /// Whether the run is a team called by its place: `Minnesota Wolves`.
    fn is_team(&self, run: &Range<usize>, phrase: &Phrase) -> bool {
        let last = &self.tokens[run.end - 1];
        phrase.listed.iter().any(|entry| entry.kind == EntityKind::Place)
            && phrase.end + 1 == run.end
            && last.shape == Shape::Capital
            && last.folded.len() > 4
            && last.folded.ends_with('s')
            && !self.scene.ends_compound(run.end - 1)
    }

    /// A name of the lists or the account.
    fn phrase_name(&self, at: usize, phrase: Phrase, last: Option<&Name>) -> Option<Name> {
        let range = at..phrase.end;
        let name = &self.tokens[range.clone()];
        let context = Context::new(self.tokens, range.clone());
        let mut evidence = context.evidence();
        self.add_neighbour(&mut evidence, at, last);
        let is_lower = !name.iter().any(Token::is_capital) && name[0].shape != Shape::Unspaced;
        if let Some((spelling, kind)) = phrase.known {
            let is_word =
                name.len() == 1 && (is_ordinary(&name[0].folded) || given(&name[0].folded) == Given::Doubtful);
            let is_plain = !is_word || name[0].is_capital() && !name[0].opens_sentence();
            if is_plain || evidence.of(kind) >= 2 {
                let spelling = is_lower.then_some(spelling);
                return Some(Name { tokens: range, kind, spelling, numbered: false });
            }
            return None;
        }
        let entry = phrase.listed.first()?;
        // `Who` is no health organisation and `arm` no company.
        let is_acronym = entry.name.len() <= 4 && !entry.name.contains(|char: char| char.is_lowercase());
        if is_acronym
            && name.iter().any(|token| {
                token.shape != Shape::Caps && token.shape != Shape::Mixed && token.shape != Shape::Unspaced
            })
        {
            return None;
        }
        add_own(&mut evidence, name, phrase.listed, &context);
        let (mut kind, score) = evidence.best();
        if !phrase.listed.iter().any(|entry| entry.kind == kind)
            && (kind != EntityKind::Person || given(&name[0].folded) == Given::No)
        {
            kind = entry.kind;
        }
        let is_sure = phrase.listed.iter().any(|entry| !entry.doubtful);
        // `Reading Room`: more than the lists know.
        let goes_on = self.tokens.get(range.end).is_some_and(|next| {
            next.gap == Gap::Space && next.shape == Shape::Capital && self.scene.is_free(range.end)
        });
        if !is_sure && goes_on && name.len() == 1 {
            return None;
        }
        let least =
            match (is_lower, name[0].opens_sentence() || self.is_german || self.scene.zones[at] == Zone::Heading) {
                (true, _) if kind == EntityKind::Work || !is_sure => return None,
                (true, _) => LISTED,
                (false, true) => 3,
                (false, false) => 2,
            };
        // `the office moved` is no series.
        let is_small = |token: &Token<'_>| token.shape == Shape::Lower && token.folded.len() > 3;
        if score < least || kind == EntityKind::Work && name.iter().any(is_small) {
            return None;
        }
        let entry = phrase.listed.iter().find(|entry| entry.kind == kind).unwrap_or(entry);
        let spelling = is_lower.then(|| entry.name.to_owned());
        let numbered = entry.numbered && kind == entry.kind;
        Some(Name { tokens: range, kind, spelling, numbered })
    }

    /// A single word that no list of names but that of given names has.
    fn lone_name(&self, at: usize, last: Option<&Name>) -> Option<Name> {
        let token = &self.tokens[at];
        let range = at..at + 1;
        let context = Context::new(self.tokens, range.clone());
        let first = given(&token.folded);
        let is_word = is_ordinary(&token.folded) || ends_like_a_word(&token.folded) || Cue::Title.has(&token.folded);
        let is_lower = token.shape == Shape::Lower;
        if let Some(surname) = self.titled(at, &context) {
            return Some(surname);
        }
        if first == Given::No && (is_word || is_lower || token.is_initial() || is_technical(&token.folded)) {
            return None;
        }
        let mut evidence = context.evidence();
        let around = evidence.of(EntityKind::Person);
        add_own(&mut evidence, &self.tokens[range.clone()], &[], &context);
        self.add_neighbour(&mut evidence, at, last);
        if self.scene.is_speaker(at) {
            evidence.add(EntityKind::Person, 3);
        }
        let (kind, score) = evidence.best();
        let opens = token.opens_sentence();
        let is_heading = self.scene.zones[at] == Zone::Heading;
        let least = match first {
            Given::Yes if is_lower && around < 2 => return None,
            Given::Yes if is_lower => LISTED + 2,
            Given::Yes => LISTED - 2,
            Given::Doubtful if is_lower || is_heading => return None,
            Given::Doubtful if opens => 3,
            Given::Doubtful if around < 0 => return None,
            Given::Doubtful => 2,
            Given::No if is_heading => return None,
            Given::No if self.is_german => 4,
            Given::No if opens => 3,
            Given::No => 2,
        };
        if score < least {
            return None;
        }
        let spelling = is_lower.then(|| capitalised(token.text));
        Some(Name { tokens: range, kind, spelling, numbered: false })
    }

    /// A surname after a title, be it a word as well: `Frau Schneider`.
    fn titled(&self, at: usize, context: &Context<'_, '_>) -> Option<Name> {
        let token = &self.tokens[at];
        let is_surname = context.has_title() && token.shape == Shape::Capital && !Cue::Title.has(&token.folded);
        (is_surname && token.text.chars().nth(2).is_some()).then(|| self.plain(at..at + 1, EntityKind::Person))
    }

    /// A name tied to the one before by `and`, a comma or `to` is likely of its kind.
    fn add_neighbour(&self, evidence: &mut Evidence, at: usize, last: Option<&Name>) {
        let Some(last) = last else { return };
        let between = &self.tokens[last.tokens.end..at];
        let is_listed = between.is_empty() && self.tokens[at].gap == Gap::Comma;
        let is_joined = between.len() == 1
            && matches!(self.tokens[at].gap, Gap::Space)
            && match between[0].folded.as_str() {
                "and" | "or" | "und" | "oder" | "et" | "ou" | "y" | "e" | "&" | "nor" => true,
                "to" => last.kind == EntityKind::Place || last.kind == EntityKind::Product,
                _ => false,
            };
        if is_listed || is_joined {
            evidence.add(last.kind, 2);
        }
    }

    /// Adds the names of the text that stand again where nothing else gives them away.
    fn repeated(&self, found: Vec<Name>) -> Vec<Name> {
        let mut kinds: FxHashMap<&str, EntityKind> = FxHashMap::default();
        for name in &found {
            let words = &self.tokens[name.tokens.clone()];
            let (Some(first), Some(last)) = (words.first(), words.last()) else { continue };
            if name.kind == EntityKind::Person {
                kinds.insert(&last.folded, name.kind);
                kinds.insert(&first.folded, name.kind);
            } else if words.len() == 1 && name.kind != EntityKind::Work {
                kinds.insert(&first.folded, name.kind);
            }
        }
        let mut all = Vec::with_capacity(found.len());
        let mut place = 0;
        let add_free = |until: usize, all: &mut Vec<Name>, from: usize| {
            for at in from..until {
                let token = &self.tokens[at];
                let is_plain =
                    token.shape == Shape::Capital && self.scene.is_free(at) && self.scene.zones[at] == Zone::Prose;
                if !is_plain || is_ordinary(&token.folded) || token.is_initial() || Cue::Particle.has(&token.folded) {
                    continue;
                }
                if let Some(kind) = kinds.get(token.folded.as_str()) {
                    all.push(self.plain(at..at + 1, *kind));
                }
            }
        };
        for name in found {
            add_free(name.tokens.start, &mut all, place);
            place = name.tokens.end;
            all.push(name);
        }
        add_free(self.tokens.len(), &mut all, place);
        all
    }

    fn plain(&self, tokens: Range<usize>, kind: EntityKind) -> Name {
        Name { tokens, kind, spelling: None, numbered: false }
    }
}

/// Whether `folded` is a technical term, with or without a number: `api`, `sha-256`.
fn is_technical(folded: &str) -> bool {
    let bare = folded.trim_end_matches(|char: char| char.is_ascii_digit() || char == '-');
    Cue::TechnicalTerm.has(folded) || Cue::TechnicalTerm.has(bare)
}

/// `dana` as a name is written.
fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
