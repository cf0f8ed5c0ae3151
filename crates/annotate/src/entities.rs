//! Entity spotting: the people, organisations, places, products, works, addresses, tickets, versions and dates that a
//! text mentions, by rules and lists alone.
//!
//! - Mentions come in the order of the text and do not overlap; their spans lie on character bounds.
//! - The same text and the same known names give the same mentions.
//! - Time is linear in the text; no text panics.
//!
//! Signs are read first, then dates, quoted titles, and names among the words that are left. A name of
//! one thing in several spellings is joined by [`resolve()`], which sees the account.

mod context;
mod cues;
mod date_words;
mod dates;
mod evidence;
mod gazetteer;
mod kind;
mod lists;
mod marks;
mod mention;
mod names;
mod own_words;
#[cfg(test)]
mod properties;
mod resolve;
mod scene;
mod tokens;
mod versions;
mod works;
mod zones;

use std::ops::Range;

pub(crate) use date_words::{is_of_calendar, is_year};
pub use gazetteer::{Gazetteer, NothingKnown, known_key};
pub use kind::EntityKind;
pub(crate) use lists::is_given_name;
pub use lists::is_ordinary;
pub use mention::Mention;
pub use resolve::{Entity, EntityKey, NameGroup, Resolved, one_with, regroup, resolve};
pub(crate) use tokens::is_abbreviation;

use names::Name;
use scene::Scene;
use tokens::Token;

/// The entities `text` mentions, in the order of the text.
#[must_use]
pub fn entities(text: &str, known: &dyn Gazetteer) -> Vec<Mention> {
    let tokens = tokens::tokens(text);
    let mut mentions: Vec<Mention> = Vec::new();
    let mut taken = vec![false; tokens.len()];
    for mark in marks::marks(text) {
        take(&tokens, &mut taken, &mark.span);
        mentions.push(Mention { name: text[mark.span.clone()].to_owned(), kind: mark.kind, span: mark.span });
    }
    for date in dates::dates(text, &tokens) {
        if taken[date.clone()].contains(&true) {
            continue;
        }
        taken[date.clone()].fill(true);
        let span = tokens[date.start].span.start..tokens[date.end - 1].span.end;
        mentions.push(Mention { name: one_line(&text[span.clone()]), kind: EntityKind::Date, span });
    }
    for span in works::quoted_works(text, &tokens) {
        if take(&tokens, &mut taken, &span) {
            mentions.push(Mention { name: text[span.clone()].to_owned(), kind: EntityKind::Work, span });
        }
    }
    let is_german = lists::is_german(&tokens);
    let zones = zones::zones(text, &tokens, is_german);
    let opens_with_colon = tokens.first().is_some_and(|first| text[first.span.end..].starts_with(": "));
    let scene = Scene { tokens: &tokens, taken: &taken, zones: &zones, is_german, opens_with_colon, known };
    let names = names::names(&scene);
    let named =
        versions::with_versions(text, &tokens, &mut taken, names.into_iter().map(|name| named(text, &tokens, name)));
    mentions.extend(named);
    without_overlaps(mentions)
}

/// The mentions in the order of the text. Of two that overlap the first counts, and what is a version is nothing else.
fn without_overlaps(mut mentions: Vec<Mention>) -> Vec<Mention> {
    mentions.sort_by_key(|mention| (mention.span.start, mention.kind != EntityKind::Version, mention.span.end));
    let mut end = 0;
    mentions.retain(|mention| {
        let is_free = mention.span.start >= end;
        if is_free {
            end = mention.span.end;
        }
        is_free
    });
    mentions
}

/// Marks the tokens that `span` touches as taken; `false` if one of them already was.
fn take(tokens: &[Token<'_>], taken: &mut [bool], span: &Range<usize>) -> bool {
    let first = tokens.partition_point(|token| token.span.end <= span.start);
    let last = tokens.partition_point(|token| token.span.start < span.end);
    let Some(touched) = taken.get_mut(first..last) else { return false };
    let was_free = !touched.contains(&true);
    touched.fill(true);
    was_free
}

/// The mention of a name, and the token after it where a number may follow.
fn named(text: &str, tokens: &[Token<'_>], name: Name) -> (Mention, usize, bool) {
    let span = tokens[name.tokens.start].span.start..tokens[name.tokens.end - 1].span.end;
    let shown = name.spelling.unwrap_or_else(|| one_line(&text[span.clone()]));
    (Mention { name: shown, kind: name.kind, span }, name.tokens.end, name.numbered)
}

/// The text with every stretch of white space as one space.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn found(text: &str) -> Vec<String> {
        found_knowing(text, &[])
    }

    fn found_knowing(text: &str, known: &[(&str, EntityKind)]) -> Vec<String> {
        let known: HashMap<String, (String, EntityKind)> =
            known.iter().map(|(name, kind)| (known_key(name), ((*name).to_owned(), *kind))).collect();
        let mentions = entities(text, &known);
        mentions.into_iter().map(|mention| format!("{} {}", mention.kind.as_str(), mention.name)).collect()
    }

    #[test]
    fn capitals_owed_to_the_sentence_are_no_names() {
        for text in [
            "Thanks for the flowers!",
            "Need To Buy Milk And Bread Before The Weekend",
            "SERVER DOWN, CALL SOMEONE NOW",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn names_stand_without_titles_and_possessives() {
        assert_eq!(found("Dr. Okafor met Dana's brother"), ["person Okafor", "person Dana"]);
    }

    #[test]
    fn the_words_around_a_name_decide_its_kind() {
        assert_eq!(found("Jordan flew to Jordan."), ["person Jordan", "place Jordan"]);
        assert_eq!(found("The release of Nimbus slipped"), ["product Nimbus"]);
        assert_eq!(found("interview at Quillon today"), ["organisation Quillon"]);
    }

    #[test]
    fn listed_names_are_found_in_lower_case_in_their_usual_spelling() {
        assert_eq!(found("moved from new york to são paulo"), ["place New York", "place São Paulo"]);
        assert_eq!(found("go to the shop, get rust remover"), Vec::<String>::new());
    }

    #[test]
    fn names_of_the_account_are_found_in_lower_case() {
        let known = [("Whitfield", EntityKind::Person), ("Kestrel", EntityKind::Product), ("Mark", EntityKind::Person)];
        assert_eq!(found_knowing("ask whitfield about kestrel", &known), ["person Whitfield", "product Kestrel"]);
        assert_eq!(found_knowing("I will mark the exams", &known), Vec::<String>::new());
    }

    #[test]
    fn names_of_the_account_are_found_in_scripts_without_spaces() {
        assert_eq!(found_knowing("田中さんと東京で", &[("田中", EntityKind::Person)]), ["person 田中", "place 東京"]);
    }

    #[test]
    fn german_nouns_are_no_names() {
        assert_eq!(found("Der Server braucht ein Update und mehr Speicher."), Vec::<String>::new());
        assert_eq!(found("Die Mappe für Herrn Brandt liegt in Leipzig"), ["person Brandt", "place Leipzig"]);
    }

    #[test]
    fn a_name_once_told_is_known_for_the_rest_of_the_text() {
        assert_eq!(found("Dana Whitfield called. Whitfield paid."), ["person Dana Whitfield", "person Whitfield"]);
    }

    #[test]
    fn headings_keep_only_names_known_by_themselves() {
        assert_eq!(found("Notes From The Planning Meeting With Dana Whitfield"), ["person Dana Whitfield"]);
    }
}
