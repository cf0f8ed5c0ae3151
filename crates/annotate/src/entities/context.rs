//! Weighs what the words around a name say about its kind.
//!
//! - A fixed number of words to each side is read, so the cost per name is constant.
//! - Nothing is read across the end of a clause, but for an apposition: `our accountant, Pieter`.

use std::ops::Range;

use super::cues::Cue;
use super::evidence::Evidence;
use super::kind::EntityKind;
use super::lists::{Given, given};
use super::tokens::{Gap, Token};

/// The words around a name.
pub(super) struct Context<'r, 't> {
    tokens: &'r [Token<'t>],
    name: Range<usize>,
    /// The word before the name and its article.
    before: &'r str,
    /// The word before that.
    second_before: &'r str,
    after: &'r str,
    has_article: bool,
    has_title: bool,
}

impl<'r, 't> Context<'r, 't> {
    pub(super) fn new(tokens: &'r [Token<'t>], name: Range<usize>) -> Self {
        let tied = |place: usize| place > 0 && matches!(tokens[place].gap, Gap::Space | Gap::Tight);
        let mut place = name.start;
        // `our accountant, Pieter` ties, `I called, Pieter came` does not.
        let is_apposition =
            place > 0 && tokens[place].gap == Gap::Comma && Cue::Relation.has(&tokens[place - 1].folded);
        let mut step_back = || -> &'r str {
            let reaches = tied(place) || is_apposition && place == name.start;
            if !reaches {
                return "";
            }
            place -= 1;
            &tokens[place].folded
        };
        let mut before = step_back();
        let has_article = is_article(before) || is_possessive_pronoun(before);
        if is_article(before) {
            before = step_back();
        }
        let mut second_before = if before.is_empty() { "" } else { step_back() };
        if is_article(second_before) {
            second_before = step_back();
        }
        let after = match tokens.get(name.end) {
            Some(next) if matches!(next.gap, Gap::Space | Gap::Tight) => &next.folded,
            _ => "",
        };
        Self {
            tokens,
            has_title: Cue::Title.has(before) && !has_article,
            before,
            second_before,
            after,
            has_article,
            name,
        }
    }

    /// What the words around the name say, whatever the name.
    pub(super) fn evidence(&self) -> Evidence {
        let mut evidence = Evidence::default();
        self.person(&mut evidence);
        self.organisation(&mut evidence);
        self.place(&mut evidence);
        self.product(&mut evidence);
        self.work(&mut evidence);
        evidence
    }

    fn person(&self, evidence: &mut Evidence) {
        let kind = EntityKind::Person;
        if self.has_title {
            evidence.add(kind, 5);
        }
        if Cue::Relation.has(self.before) {
            evidence.add(kind, 3);
        }
        if self.has_article {
            evidence.add(kind, -3);
        } else if Cue::BeforePerson.has(self.before) {
            evidence.add(kind, 2);
        }
        let spoken = matches!(
            (self.before, self.second_before),
            (
                "to",
                "talk"
                    | "talked"
                    | "talking"
                    | "spoke"
                    | "speak"
                    | "write"
                    | "wrote"
                    | "it"
                    | "reply"
                    | "said"
                    | "assigned"
                    | "introduced"
                    | "listen"
            ) | ("from", "message" | "letter" | "email" | "call" | "heard" | "note" | "news" | "text" | "gift")
                | ("for", "present" | "gift" | "cake" | "party" | "babysit")
        );
        if spoken {
            evidence.add(kind, 3);
        }
        if self.is_addressed() || self.is_before_person() {
            evidence.add(kind, 3);
        }
        let last = &self.tokens[self.name.end - 1];
        if Cue::PersonVerb.has(self.after) && !last.possessive {
            evidence.add(kind, if Cue::OnlyPersonVerb.has(self.after) { 3 } else { 2 });
        }
        if last.possessive {
            evidence.add(kind, if Cue::Relation.has(self.after) { 3 } else { 1 });
        }
    }

    /// `Luna and Oliver`
    fn is_before_person(&self) -> bool {
        let person = self.tokens.get(self.name.end + 1);
        matches!(self.after, "and" | "und" | "et" | "y")
            && person.is_some_and(|person| {
                person.is_capital() && person.gap == Gap::Space && given(&person.folded) == Given::Yes
            })
    }

    /// `Thanks, Nate!`
    fn is_addressed(&self) -> bool {
        let Some(first) = self.tokens.get(self.name.start) else { return false };
        let pauses = |gap: Gap| matches!(gap, Gap::Comma | Gap::Sentence | Gap::Line);
        let stops = self.tokens.get(self.name.end).is_none_or(|next| pauses(next.gap));
        let greets = self.name.start > 0
            && first.gap == Gap::Comma
            && Cue::Greeting.has(&self.tokens[self.name.start - 1].folded);
        stops && greets
    }

    fn organisation(&self, evidence: &mut Evidence) {
        let kind = EntityKind::Organisation;
        if Cue::BeforeOrganisation.has(self.before) {
            evidence.add(kind, if Cue::Job.has(self.second_before) { 4 } else { 2 });
        } else if matches!(self.before, "for" | "with" | "from" | "by" | "of") && Cue::Job.has(self.second_before) {
            evidence.add(kind, 3);
        }
        if Cue::AfterOrganisation.has(self.after) {
            evidence.add(kind, 2);
        }
    }

    fn place(&self, evidence: &mut Evidence) {
        let kind = EntityKind::Place;
        if Cue::BeforePlace.has(self.before) {
            evidence.add(kind, if matches!(self.before, "in" | "near") { 3 } else { 2 });
        }
        let moves = matches!(self.before, "to" | "from" | "for" | "through");
        if moves && Cue::Travel.has(self.second_before) {
            evidence.add(kind, 3);
        } else if matches!(self.before, "to" | "from") && self.second_before.is_empty() {
            evidence.add(kind, 1);
        }
        if self.before == "from" && self.after == "to" {
            evidence.add(kind, 2);
        }
        if matches!(self.before, "visited" | "visit" | "left" | "toured") {
            evidence.add(kind, 2);
        }
        if matches!(self.after, "trip" | "airport" | "flight" | "weather" | "rainforest" | "marathon") {
            evidence.add(kind, 1);
        }
    }

    fn product(&self, evidence: &mut Evidence) {
        let kind = EntityKind::Product;
        if Cue::BeforeProduct.has(self.before) {
            evidence.add(kind, 2);
        }
        if matches!(self.before, "of" | "to" | "in" | "with" | "for" | "on" | "from")
            && Cue::Software.has(self.second_before)
        {
            evidence.add(kind, 3);
        }
        if Cue::AfterProduct.has(self.after) {
            evidence.add(kind, 3);
        }
        let is_defined = matches!(self.after, "is" | "was")
            && self.tokens[self.name.end..].iter().skip(1).take(4).any(|token| Cue::AfterProduct.has(&token.folded));
        if is_defined {
            evidence.add(kind, 3);
        }
    }

    fn work(&self, evidence: &mut Evidence) {
        let kind = EntityKind::Work;
        if Cue::WorkNoun.has(self.before) && !self.has_article {
            evidence.add(kind, 5);
        }
        if Cue::WorkVerb.has(self.before)
            || self.before == "to" && matches!(self.second_before, "listened" | "listening" | "listen")
        {
            evidence.add(kind, 2);
            if self.after == "by" {
                evidence.add(kind, 3);
            }
        }
    }

    /// Whether a title stands before the name.
    pub(super) fn has_title(&self) -> bool {
        self.has_title
    }

    /// Whether a work is expected here, so that small words may be part of the name.
    pub(super) fn expects_work(&self) -> bool {
        Cue::WorkNoun.has(self.before) && !self.has_article || Cue::WorkVerb.has(self.before)
    }

    /// Whether the name is the subject of a verb, as nouns without an article seldom are.
    pub(super) fn is_subject(&self) -> bool {
        matches!(
            self.after,
            "is" | "was"
                | "has"
                | "had"
                | "does"
                | "did"
                | "will"
                | "can"
                | "announced"
                | "released"
                | "delivers"
                | "offers"
                | "uses"
                | "launched"
                | "crashed"
                | "supports"
                | "needs"
                | "keeps"
        )
    }
}

fn is_article(folded: &str) -> bool {
    matches!(
        folded,
        "the" | "a" | "an" | "der" | "die" | "das" | "dem" | "den" | "la" | "le" | "les" | "el" | "los" | "las"
    )
}

fn is_possessive_pronoun(folded: &str) -> bool {
    // Not `that` and `her`: `the plan that Diana made`, `I told her Dana called`.
    matches!(folded, "my" | "our" | "your" | "his" | "their" | "every" | "each" | "some")
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn best(text: &str, name: &str) -> (EntityKind, i32) {
        let tokens = tokens(text);
        let start = tokens.iter().position(|token| token.text == name).unwrap();
        Context::new(&tokens, start..start + 1).evidence().best()
    }

    #[test]
    fn cues_tell_kinds_apart() {
        assert_eq!(best("my colleague Xyz is late", "Xyz").0, EntityKind::Person);
        assert_eq!(best("she works at Xyz now", "Xyz").0, EntityKind::Organisation);
        assert_eq!(best("we flew to Xyz", "Xyz").0, EntityKind::Place);
        assert_eq!(best("the release of Xyz slipped", "Xyz").0, EntityKind::Product);
        assert_eq!(best("the movie Xyz was long", "Xyz").0, EntityKind::Work);
    }

    #[test]
    fn a_relative_clause_has_no_article() {
        assert_eq!(best("the plan that Xyz made", "Xyz"), (EntityKind::Person, 2));
        assert!(best("we fed the Xyz at noon", "Xyz").1 <= 0);
    }

    #[test]
    fn nothing_is_read_across_a_clause() {
        assert_eq!(best("as I told. Xyz, then", "Xyz").1, 0);
    }

    #[test]
    fn an_apposition_ties_a_name_to_its_relation() {
        assert_eq!(best("our accountant, Xyz, is away", "Xyz").0, EntityKind::Person);
    }
}
