//! The names known from earlier thoughts, while a stretch of thoughts is read in the order of storing.
//!
//! What is known to a thought is what those before it mention, whether they were read in the same stretch or in another: the names
//! met first, so many for each word they begin with, and of one name for two things the one met first.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use annotate::entities::{EntityKey, EntityKind, Mention, entities};
use store::{MetName, NAMES_PER_WORD_MAX};

/// The names met so far.
#[derive(Debug, Default)]
pub(super) struct Met {
    known: HashMap<String, (String, EntityKind)>,
    /// By the word they begin with.
    counted: BTreeMap<String, BTreeSet<EntityKey>>,
}

impl Met {
    /// Those that were met before the first thought of the stretch.
    pub(super) fn of(names: Vec<MetName>) -> Self {
        let mut met = Self::default();
        for MetName { folded, name, kind } in names {
            met.add(EntityKey { kind, folded }, &name);
        }
        met
    }

    /// What the next text mentions, which those after it know.
    pub(super) fn read(&mut self, text: &str) -> Vec<Mention> {
        let mentions = entities(text, &self.known);
        let named: BTreeMap<(String, &str), &Mention> = mentions
            .iter()
            .filter(|mention| is_known(mention.kind))
            .map(|mention| {
                let EntityKey { kind, folded } = EntityKey::of(mention);
                ((folded, kind.as_str()), mention)
            })
            .collect();
        for ((folded, _), mention) in named {
            self.add(EntityKey { kind: mention.kind, folded }, &mention.name);
        }
        mentions
    }

    fn add(&mut self, key: EntityKey, name: &str) {
        let of_word = self.counted.entry(key.first_word().to_owned()).or_default();
        if of_word.len() < NAMES_PER_WORD_MAX && of_word.insert(key.clone()) {
            self.known.entry(key.folded).or_insert_with(|| (name.to_owned(), key.kind));
        }
    }
}

/// The kinds whose names are known from one thought to another.
fn is_known(kind: EntityKind) -> bool {
    use EntityKind::{Organisation, Person, Place, Product, Work};
    matches!(kind, Person | Organisation | Place | Product | Work)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn people(mentions: &[Mention]) -> Vec<&str> {
        mentions.iter().map(|mention| mention.name.as_str()).collect()
    }

    #[test]
    fn what_one_thought_mentions_the_next_knows() {
        let mut met = Met::default();
        assert_eq!(people(&met.read("ask whitfield about it")), Vec::<&str>::new());
        assert_eq!(people(&met.read("Dr. Whitfield called")), ["Whitfield"]);
        assert_eq!(people(&met.read("ask whitfield about it")), ["Whitfield"]);
    }

    #[test]
    fn a_stretch_read_in_two_is_read_alike() {
        let texts = ["Dr. Whitfield called", "Project Kestrel starts", "ask whitfield about kestrel", "kestrel again"];
        let mut whole = Met::default();
        let expected: Vec<Vec<Mention>> = texts.iter().map(|text| whole.read(text)).collect();
        let mut first = Met::default();
        let mut found: Vec<Vec<Mention>> = texts[..2].iter().map(|text| first.read(text)).collect();
        let stored = found.iter().flatten().map(|mention| {
            let EntityKey { kind, folded } = EntityKey::of(mention);
            MetName { folded, name: mention.name.clone(), kind }
        });
        let mut second = Met::of(stored.collect());
        found.extend(texts[2..].iter().map(|text| second.read(text)));
        assert_eq!(found, expected);
    }

    #[test]
    fn names_that_begin_alike_are_bounded() {
        let name = |number: usize| MetName {
            folded: format!("ana {number}"),
            name: format!("Ana {number}"),
            kind: EntityKind::Person,
        };
        assert_eq!(Met::of((0..100).map(name).collect()).known.len(), NAMES_PER_WORD_MAX);
    }
}
