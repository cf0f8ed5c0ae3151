//! What the spotter of names reads: the words of a text, where they may not be names, and where runs of capitals end.
//!
//! - A run never crosses a comma, a taken word or the end of a sentence.
//! - Small words hold a run together only where a name is known to have them: `Museum of …`, `Ludwig van …`.

use super::context::Context;
use super::cues::Cue;
use super::gazetteer::Gazetteer;
use super::lists::{Given, given, is_ordinary, listed};
use super::tokens::{Gap, Shape, Token};
use super::zones::Zone;

/// What the spotter reads.
pub(super) struct Scene<'r, 't> {
    pub(super) tokens: &'r [Token<'t>],
    /// Tokens that are part of a date, an address or a quoted title.
    pub(super) taken: &'r [bool],
    pub(super) zones: &'r [Zone],
    /// German writes every noun with a capital.
    pub(super) is_german: bool,
    /// Whether a colon follows the first word.
    pub(super) opens_with_colon: bool,
    pub(super) known: &'r dyn Gazetteer,
}

/// Words a run of capitals has at most, so that a text in capitals costs no more than another.
const MOST_RUN: usize = 12;

impl Scene<'_, '_> {
    /// Whether a title stands at `at`, which is no part of the name after it.
    pub(super) fn is_title_before_name(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let before_name = self.tokens.get(at + 1).is_some_and(|next| next.gap == Gap::Space && next.is_capital());
        before_name && token.shape == Shape::Capital && Cue::Title.has(&token.folded)
    }

    /// Whether `The` stands at `at` before a name that is no work's: `The Blue Lagoon`.
    pub(super) fn is_loose_article(&self, at: usize) -> bool {
        self.tokens[at].folded == "the" && !Context::new(self.tokens, at..at + 1).expects_work()
    }

    /// Whether the text opens with `Nate:`, as logs of talks do.
    pub(super) fn is_speaker(&self, at: usize) -> bool {
        at == 0 && self.tokens.len() > 2 && self.tokens[1].gap == Gap::Sentence && self.opens_with_colon
    }

    /// Whether token `at` may be part of a name.
    pub(super) fn is_free(&self, at: usize) -> bool {
        !self.taken[at] && self.zones[at] != Zone::Mute
    }

    /// Where the capitals that begin at `at` end.
    pub(super) fn run_end(&self, at: usize) -> usize {
        let first = &self.tokens[at];
        let context = Context::new(self.tokens, at..at + 1);
        let is_title = context.expects_work() && given(&first.folded) != Given::Yes && self.zones[at] == Zone::Prose;
        if first.opens_sentence() && is_ordinary(&first.folded) && !self.opens_compound(at) {
            return at + 1;
        }
        let mut end = at + 1;
        while let Some(next) = self.tokens.get(end) {
            if end - at >= MOST_RUN || !self.is_free(end) || self.tokens[end - 1].possessive && !self.ends_compound(end)
            {
                break;
            }
            if next.is_capital() && next.gap == Gap::Space {
                let goes_on = self.ends_compound(end)
                    || self.tokens.get(end + 1).is_some_and(|after| after.gap == Gap::Space)
                        && self.ends_compound(end + 1);
                let breaks = is_ordinary(&next.folded) && !next.is_initial() && !goes_on;
                if breaks && !is_title {
                    break;
                }
                end += 1;
                continue;
            }
            let Some(after) = self.connected(at, end, is_title) else { break };
            end = after;
        }
        end
    }

    /// Whether the word at `at` opens a compound name: `Museum of …`, `Lake …`, `Project …`.
    fn opens_compound(&self, at: usize) -> bool {
        let folded = self.tokens[at].folded.as_str();
        let Some(next) = self.tokens.get(at + 1).filter(|next| next.gap == Gap::Space) else { return false };
        match folded {
            "project" | "lake" | "mount" | "central" | "north" | "south" | "saint" | "st" => next.is_capital(),
            // Korean and Chinese family names come first.
            "park" | "song" | "long" => next.text.contains('-') && given(&next.folded) != Given::No,
            _ => Cue::OrganisationStart.has(folded) && next.folded == "of" || self.ends_compound(at + 1),
        }
    }

    pub(super) fn ends_compound(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        token.is_capital() && (Cue::OrganisationEnd.has(&token.folded) || Cue::PlaceEnd.has(&token.folded))
    }

    /// Past the small words at `end` and the capital after them, if they hold the name together.
    fn connected(&self, start: usize, end: usize, is_title: bool) -> Option<usize> {
        let word = |place: usize| self.tokens.get(place).filter(|token| token.gap == Gap::Space && self.is_free(place));
        let small = word(end)?.folded.as_str();
        let after = if word(end + 1)?.is_capital() { end + 1 } else { end + 2 };
        let next = word(after).filter(|next| next.is_capital())?;
        let second = (after == end + 2).then(|| self.tokens[end + 1].folded.as_str());
        let holds = match (small, second) {
            ("of" | "for", None | Some("the")) | ("de" | "des" | "du" | "fur", None) => {
                let head = (start..end).any(|place| Cue::OrganisationStart.has(&self.tokens[place].folded));
                head || is_title || small == "de" && self.is_particle_between(start, next)
            }
            // `Ravi & Sunita` are two.
            ("&", None) => self.tokens[end - 1].is_capital() && given(&next.folded) != Given::Yes,
            ("of" | "the" | "and" | "in" | "a" | "to" | "on" | "is", None | Some("the" | "a" | "of")) => is_title,
            (particle, None) if Cue::Particle.has(particle) => self.is_particle_between(start, next),
            ("van" | "von" | "de", Some("der" | "den" | "la" | "los")) => self.is_particle_between(start, next),
            _ => false,
        };
        holds.then_some(after + 1)
    }

    /// Whether a particle after the name that begins at `start` and before `next` belongs to a person's name.
    fn is_particle_between(&self, start: usize, next: &Token<'_>) -> bool {
        given(&self.tokens[start].folded) != Given::No && listed(&next.folded).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::super::{NothingKnown, zones};
    use super::*;

    fn run(text: &str, word: &str) -> String {
        let tokens = tokens(text);
        let taken = vec![false; tokens.len()];
        let zones = zones::zones(text, &tokens, false);
        let scene = Scene {
            tokens: &tokens,
            taken: &taken,
            zones: &zones,
            is_german: false,
            opens_with_colon: false,
            known: &NothingKnown,
        };
        let start = tokens.iter().position(|token| token.text == word).unwrap();
        let end = scene.run_end(start);
        text[tokens[start].span.start..tokens[end - 1].span.end].to_owned()
    }

    #[test]
    fn particles_and_prepositions_hold_names_together() {
        assert_eq!(run("met Ludwig van Beethoven there", "Ludwig"), "Ludwig van Beethoven");
        assert_eq!(run("at the University of Tokyo", "University"), "University of Tokyo");
        assert_eq!(run("camped in Yosemite National Park today", "Yosemite"), "Yosemite National Park");
    }

    #[test]
    fn ordinary_words_end_a_run() {
        assert_eq!(run("the Berlin Trip", "Berlin"), "Berlin");
        assert_eq!(run("we met Ravi & Sunita", "Ravi"), "Ravi");
    }

    #[test]
    fn the_verb_that_opens_a_sentence_opens_no_run() {
        assert_eq!(run("Call Dana", "Call"), "Call");
    }
}
