//! Understands a query: its words, the names and times in it, whom it means, what it quotes, and what of it to compare by
//! meaning.

#[cfg(test)]
mod fuzz;

use std::collections::HashMap;
use std::ops::Range;

use annotate::entities::{EntityKey, EntityKind, entities, known_key};
use annotate::{Asked, Meant, Moments, Tense};
use model::{AccountId, Category, Time};
use store::backend::LogEnd;
use store::{KnownName, KnownNames, Store, StoreError};
use text::{QueryTerm, TermKind};

/// How much of a query is looked through for names; a whole text pasted as a query names too much to mean any of it.
const QUERY_BYTES_MAX: usize = 2_000;

/// A person whom more than this share of the account mentions tells nothing apart: their name pulls the query towards
/// everything they are in, away from what it asks.
const COMMON_SHARE: f64 = 0.1;

/// In an account of few thoughts, a person in fewer than this is not common.
const COMMON_MIN: u64 = 20;

/// A query as far as it can be understood without looking at thoughts.
#[derive(Debug, Clone)]
pub(super) struct Understood {
    /// What it asks, without what only tells which earlier state it means.
    pub(super) question: String,
    /// The words to look for.
    pub(super) terms: Vec<QueryTerm>,
    /// What to compare by meaning; `None` for a bare identifier, which means nothing but itself.
    pub(super) meaning: Option<String>,
    /// What it mentions.
    pub(super) entities: Vec<EntityKey>,
    /// The times it names.
    pub(super) moments: Vec<Moments>,
    /// Whether it asks for nothing else.
    pub(super) is_of_time_alone: bool,
    /// Whose turns it means.
    pub(super) meant: Meant,
    /// What kind of thing it asks for.
    pub(super) asked: Option<Asked>,
    /// Whether it asks how things are by now, or were before.
    pub(super) tense: Option<Tense>,
    /// The kind of thoughts it names as such.
    pub(super) kind: Option<Category>,
    /// What it quotes: a hit holds all of it.
    pub(super) phrases: Vec<String>,
}

/// Understands the query with the names the account knows; how far that had come then.
pub(super) async fn understand(
    store: &dyn Store,
    account: AccountId,
    query: &str,
    now: Time,
) -> Result<(Understood, LogEnd), StoreError> {
    let mut words: Vec<String> = known_key(start_of(query)).split(' ').map(str::to_owned).collect();
    words.sort_unstable();
    words.dedup();
    let KnownNames { names, as_of } = store.known_names(account, words).await?;
    Ok((understood(query, &names, now), as_of))
}

fn start_of(query: &str) -> &str {
    &query[..query.floor_char_boundary(QUERY_BYTES_MAX)]
}

fn understood(query: &str, names: &[KnownName], now: Time) -> Understood {
    let tense = Tense::of_query(query);
    let question = annotate::what_came_after(query).map_or_else(|| query.to_owned(), |after| without(query, &[after]));
    let start = start_of(&question);
    // Names come with those of most thoughts first; of two things of one name the query means that one.
    let mut known = HashMap::new();
    for name in names {
        known.entry(name.folded.clone()).or_insert((name.name.clone(), name.kind));
    }
    let mentions = entities(start, &known);
    let owner = owner(&question);
    let (impersonal, named) = match owner.is_empty() {
        true => (question.clone(), mentions.clone()),
        false => {
            let impersonal = without(&question, &owner);
            let named = entities(start_of(&impersonal), &known);
            (impersonal, named)
        }
    };
    let terms = text::query_terms(&impersonal);
    let common: Vec<_> = named
        .iter()
        .filter(|mention| mention.kind == EntityKind::Person && is_common(&mention.name, names))
        .map(|mention| mention.span.clone())
        .collect();
    let meaning = if is_identifier(&terms) { None } else { Some(without(&impersonal, &common)) };
    Understood {
        meaning,
        entities: mentions.iter().map(EntityKey::of).collect(),
        moments: annotate::moments(start, now),
        is_of_time_alone: annotate::asks_for_a_time_alone(start),
        meant: Meant::of_query(start),
        asked: Asked::in_query(start),
        tense,
        kind: annotate::kind_named(start),
        phrases: annotate::quoted(start),
        terms,
        question,
    }
}

/// Where a query speaks of the one whose memory it is: assistants ask what `the user` likes, and everything stored is theirs.
fn owner(query: &str) -> Vec<Range<usize>> {
    const OWNER: [&str; 3] = ["the user", "user's", "l'utilisateur"];
    let lower = query.to_ascii_lowercase();
    let mut found: Vec<Range<usize>> = Vec::new();
    for name in OWNER {
        for (at, _) in lower.match_indices(name) {
            let (before, after) = (&lower[..at], &lower[at + name.len()..]);
            let is_word = !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
            if is_word && found.iter().all(|known| known.end <= at || at + name.len() <= known.start) {
                found.push(at..at + name.len());
            }
        }
    }
    found.sort_by_key(|range| range.start);
    found
}

fn is_common(name: &str, names: &[KnownName]) -> bool {
    let folded = known_key(name);
    let known = names.iter().find(|known| known.folded == folded && known.kind == EntityKind::Person);
    known.is_some_and(|known| {
        known.thoughts >= COMMON_MIN && known.thoughts as f64 > COMMON_SHARE * known.population as f64
    })
}

/// The query without the bytes of these names; as it is if nothing that means something would be left.
fn without(query: &str, names: &[Range<usize>]) -> String {
    let mut left = String::with_capacity(query.len());
    let mut at = 0;
    for name in names {
        left += &query[at..name.start];
        let rest = &query[name.end..];
        let possessive = ["'s", "’s"].into_iter().find(|ending| rest.starts_with(ending)).map_or(0, str::len);
        at = name.end + possessive;
    }
    left += &query[at..];
    let says_something = text::query_terms(&left).iter().any(|term| term.kind != TermKind::FunctionWord);
    if says_something { left.split_whitespace().collect::<Vec<_>>().join(" ") } else { query.to_owned() }
}

/// Whether the query is one identifier, address or number and nothing else.
fn is_identifier(terms: &[QueryTerm]) -> bool {
    let wholes = terms.iter().filter(|term| term.kind == TermKind::Whole).count();
    let others = terms.iter().filter(|term| !matches!(term.kind, TermKind::Whole | TermKind::Part)).count();
    let has_digit = |term: &QueryTerm| term.surface.contains(|char: char| char.is_ascii_digit());
    let number = others == 1 && wholes == 0 && terms.iter().any(has_digit);
    others == 0 && wholes == 1 && terms.iter().any(|term| term.kind == TermKind::Whole && is_sign(&term.surface))
        || number
}

/// Whether a compound is a name for one thing rather than words with a hyphen.
fn is_sign(surface: &str) -> bool {
    surface.contains(|char: char| char.is_ascii_digit() || matches!(char, '_' | '/' | '.' | '@' | ':' | '#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(folded: &str, thoughts: u64) -> KnownName {
        KnownName { folded: folded.into(), name: folded.into(), kind: EntityKind::Person, thoughts, population: 1000 }
    }

    fn read(query: &str, names: &[KnownName]) -> Understood {
        understood(query, names, Time::from_micros(0))
    }

    #[test]
    fn a_person_half_the_account_mentions_does_not_drown_the_meaning() {
        let meaning =
            |names: &[KnownName]| read("When did Caroline's sister visit the harbour?", names).meaning.unwrap();
        assert_eq!(meaning(&[known("caroline", 500)]), "When did sister visit the harbour?");
        assert_eq!(meaning(&[known("caroline", 30)]), "When did Caroline's sister visit the harbour?");
    }

    #[test]
    fn the_one_whose_memory_it_is_says_nothing_about_what_is_asked() {
        for (query, meaning) in [
            ("What is the user's hourly rate?", "What is hourly rate?"),
            ("Where does the user live?", "Where does live?"),
            ("user's favourite tea", "favourite tea"),
            ("How many users does Kestrel have?", "How many users does Kestrel have?"),
            ("the username of the server", "the username of the server"),
            ("Who is the user?", "Who is the user?"),
        ] {
            let read = read(query, &[]);
            assert_eq!(read.meaning.as_deref(), Some(meaning), "{query}");
        }
        assert!(read("Where does the user live?", &[]).terms.iter().all(|term| term.surface != "user"));
    }

    #[test]
    fn what_only_tells_which_earlier_state_is_meant_is_not_looked_for() {
        let read = read("Which car did Ana have before the Subaru?", &[]);
        assert_eq!((read.question.as_str(), read.tense), ("Which car did Ana have ?", Some(Tense::Before)));
        assert!(read.terms.iter().all(|term| term.surface != "subaru"));
    }

    #[test]
    fn a_query_of_a_common_name_alone_keeps_it() {
        assert_eq!(read("Who is Caroline?", &[known("caroline", 500)]).meaning.unwrap(), "Who is Caroline?");
    }

    #[test]
    fn a_bare_identifier_means_only_itself() {
        for query in ["PROJ-1234", "src/store/main.rs", "dana@example.com", "4711", "v2.3.1"] {
            assert_eq!(read(query, &[]).meaning, None, "{query}");
        }
        for query in ["well-known", "tea", "PROJ-1234 deadline", "who owns PROJ-1234?"] {
            assert!(read(query, &[]).meaning.is_some(), "{query}");
        }
    }
}
