//! Joins the variants of one name across the thoughts of an account.
//!
//! - An entity is one name of one kind: case, accents and listed spellings (`Postgres`, `PostgreSQL`) do not part it.
//! - Nothing is ever merged. A short name points at the full one it stands for (`stands_for`), and loses the pointer
//!   when a second full name makes it doubtful. `Dana` stands for `Dana Whitfield` until `Dana Cole` is met.
//! - The table of entities is a function of the set of names mentioned: the order of the thoughts does not matter, and
//!   resolving a thought twice changes nothing.
//!
//! A short name is the beginning of the full one, in whole words, and every longer name that begins with it must lie
//! on one line (`Dana`, `Dana Maria`, `Dana Maria Cole`). People join that way always; organisations only where the
//! full name adds a place or a word such as `GmbH` (`ETH`, `ETH Zurich`), since `Google` is not `Google DeepMind`.
//! Surnames alone stay apart: families share them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use text::fold;

use super::cues::Cue;
use super::gazetteer::known_key;
use super::kind::EntityKind;
use super::lists::listed;
use super::mention::Mention;

/// What makes an entity the same in every thought.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityKey {
    /// What it is.
    pub kind: EntityKind,
    /// Its name, folded; listed spellings brought to the main one.
    pub folded: String,
}

/// An entity of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity {
    /// Its identity.
    pub key: EntityKey,
    /// The best spelling seen: with its accents and capitals.
    pub name: String,
    /// The full name this one is short for, if there is exactly one in the account.
    pub stands_for: Option<EntityKey>,
}

/// Entities that may stand for each other: what has to be known of an account before a name of them can be placed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameGroup {
    /// Those of that kind whose folded name begins with the word.
    Beginning(EntityKind, String),
    /// The one of that key.
    Alone(EntityKey),
}

impl NameGroup {
    /// The group a name belongs to.
    #[must_use]
    pub fn of(key: &EntityKey) -> Self {
        match has_short_names(key.kind) {
            true => Self::Beginning(key.kind, key.first_word().to_owned()),
            false => Self::Alone(key.clone()),
        }
    }

    /// The groups that have to be known before the mentions can be resolved.
    #[must_use]
    pub fn all_of(mentions: &[Mention]) -> BTreeSet<Self> {
        mentions.iter().map(|mention| Self::of(&EntityKey::of(mention))).collect()
    }
}

/// What a thought's mentions mean for the account.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resolved {
    /// The entity of each mention, in the order of the mentions.
    pub keys: Vec<EntityKey>,
    /// The entities to insert or update, by key: those of this thought, and short names that gained or lost their full one.
    pub changed: Vec<Entity>,
}

/// Ties `mentions` to the entities of an account, of which it knows those of [`NameGroup::all_of`] the mentions.
///
/// Whatever is in `changed` must be stored together, before the next thought of the account is resolved.
#[must_use]
pub fn resolve(mentions: &[Mention], known: &[Entity]) -> Resolved {
    let mut groups: BTreeMap<NameGroup, Group> = BTreeMap::new();
    for entity in known {
        let group = groups.entry(NameGroup::of(&entity.key)).or_default();
        group.before.push(entity.clone());
        group.entities.push(entity.clone());
    }
    let mut keys = Vec::with_capacity(mentions.len());
    for mention in mentions {
        let key = EntityKey::of(mention);
        groups.entry(NameGroup::of(&key)).or_default().mention(&key, &mention.name);
        keys.push(key);
    }
    let mut changed: Vec<Entity> = groups.into_values().flat_map(Group::changed).collect();
    changed.sort_by(|left, right| left.key.cmp(&right.key));
    Resolved { keys, changed }
}

/// The entities of a group whose `stands_for` is out of date, for instance after one of them was removed.
#[must_use]
pub fn regroup(group: Vec<Entity>) -> Vec<Entity> {
    Group { before: group.clone(), entities: group }.changed()
}

/// Of names that may stand for each other, those that are one with `key`, itself included.
#[must_use]
pub fn one_with<'a>(key: &EntityKey, names: &'a [EntityKey]) -> Vec<&'a EntityKey> {
    let full = full_name(key, names).unwrap_or(key);
    let stands_for_it =
        |name: &&EntityKey| *name == full || is_short_for(name, full) && full_name(name, names) == Some(full);
    names.iter().filter(stands_for_it).collect()
}

impl EntityKey {
    /// The key of what `mention` mentions.
    #[must_use]
    pub fn of(mention: &Mention) -> Self {
        let folded = match mention.kind {
            // The path of a link may tell capitals apart.
            EntityKind::Url => mention.name.trim_end_matches('/').to_owned(),
            kind if joins_spellings(kind) => {
                let folded = known_key(&mention.name);
                main_spelling(kind, &folded).map_or(folded, known_key)
            }
            _ => fold(&mention.name),
        };
        Self { kind: mention.kind, folded }
    }

    /// The first word of the name.
    #[must_use]
    pub fn first_word(&self) -> &str {
        self.words().next().unwrap_or_default()
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.folded.split(' ')
    }
}

/// Kinds whose names are words, so that lists and word bounds apply.
fn joins_spellings(kind: EntityKind) -> bool {
    matches!(
        kind,
        EntityKind::Person | EntityKind::Organisation | EntityKind::Place | EntityKind::Product | EntityKind::Work
    )
}

fn has_short_names(kind: EntityKind) -> bool {
    matches!(kind, EntityKind::Person | EntityKind::Organisation)
}

fn main_spelling(kind: EntityKind, folded: &str) -> Option<&'static str> {
    listed(folded).iter().find(|entry| entry.kind == kind).map(|entry| entry.main)
}

/// The entities of a group, before and after a thought.
#[derive(Default)]
struct Group {
    before: Vec<Entity>,
    entities: Vec<Entity>,
}

impl Group {
    fn mention(&mut self, key: &EntityKey, written: &str) {
        let main = if joins_spellings(key.kind) { main_spelling(key.kind, &key.folded) } else { None };
        let name = main.unwrap_or(written);
        match self.entities.iter_mut().find(|entity| entity.key == *key) {
            Some(entity) if rank(name) > rank(&entity.name) => name.clone_into(&mut entity.name),
            Some(_) => {}
            None => self.entities.push(Entity { key: key.clone(), name: name.to_owned(), stands_for: None }),
        }
    }

    /// The entities that differ from before.
    fn changed(mut self) -> Vec<Entity> {
        let keys: Vec<EntityKey> = self.entities.iter().map(|entity| entity.key.clone()).collect();
        let full = keys.iter().map(|key| full_name(key, &keys).cloned());
        for (entity, full) in self.entities.iter_mut().zip(full) {
            entity.stands_for = full;
        }
        self.entities.retain(|entity| !self.before.contains(entity));
        self.entities
    }
}

/// The one name among these that `short` is short for.
fn full_name<'a>(short: &EntityKey, names: &'a [EntityKey]) -> Option<&'a EntityKey> {
    let longer = names.iter().filter(|key| is_short_for(short, key));
    let longest = longer.clone().max_by_key(|key| (key.words().count(), Reverse(&key.folded)))?;
    longer.clone().all(|key| key == longest || begins(key, longest)).then_some(longest)
}

fn is_short_for(short: &EntityKey, full: &EntityKey) -> bool {
    if short.kind != full.kind || !begins(short, full) {
        return false;
    }
    let mut added = full.words().skip(short.words().count());
    match short.kind {
        EntityKind::Person => true,
        EntityKind::Organisation => added.all(|word| {
            Cue::OrganisationEnd.has(word) || listed(word).iter().any(|entry| entry.kind == EntityKind::Place)
        }),
        _ => false,
    }
}

/// Whether the words of `short` are the first of the words of `full`, which has more.
fn begins(short: &EntityKey, full: &EntityKey) -> bool {
    full.folded.strip_prefix(short.folded.as_str()).is_some_and(|rest| rest.starts_with(' '))
}

/// Orders spellings of one name: capitals and accents tell more than their absence, shouting less; the alphabet breaks
/// ties, so that the order of the thoughts does not.
fn rank(name: &str) -> (bool, usize, Reverse<&str>) {
    let is_mixed = name.contains(char::is_uppercase) && name.contains(char::is_lowercase);
    (is_mixed, name.chars().filter(|char| !char.is_ascii()).count(), Reverse(name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[derive(Default, Debug, PartialEq, Eq, Clone)]
    struct Account(BTreeMap<EntityKey, Entity>);

    impl Account {
        fn meet(&mut self, names: &[(&str, EntityKind)]) {
            let mentions: Vec<Mention> = names
                .iter()
                .map(|(name, kind)| Mention { name: (*name).to_owned(), kind: *kind, span: 0..0 })
                .collect();
            for entity in resolve(&mentions, &self.known(&mentions)).changed {
                self.0.insert(entity.key.clone(), entity);
            }
        }

        /// What a store would have read before it resolves the mentions.
        fn known(&self, mentions: &[Mention]) -> Vec<Entity> {
            let groups = NameGroup::all_of(mentions);
            self.0.values().filter(|entity| groups.contains(&NameGroup::of(&entity.key))).cloned().collect()
        }

        fn full_name_of(&self, kind: EntityKind, folded: &str) -> Option<&str> {
            self.0[&EntityKey { kind, folded: folded.to_owned() }].stands_for.as_ref().map(|key| key.folded.as_str())
        }
    }

    #[test]
    fn a_bare_name_stands_for_the_only_full_one() {
        let mut account = Account::default();
        account.meet(&[("Dana", EntityKind::Person)]);
        account.meet(&[("Dana Whitfield", EntityKind::Person)]);
        assert_eq!(account.full_name_of(EntityKind::Person, "dana"), Some("dana whitfield"));
    }

    #[test]
    fn a_second_full_name_sets_the_bare_one_free() {
        let mut account = Account::default();
        account.meet(&[("Dana Whitfield", EntityKind::Person), ("Dana", EntityKind::Person)]);
        account.meet(&[("Dana Cole", EntityKind::Person)]);
        assert_eq!(account.full_name_of(EntityKind::Person, "dana"), None);
    }

    #[test]
    fn removing_the_second_full_name_joins_again() {
        let mut account = Account::default();
        account.meet(&[
            ("Dana Whitfield", EntityKind::Person),
            ("Dana Cole", EntityKind::Person),
            ("Dana", EntityKind::Person),
        ]);
        account.0.retain(|key, _| key.folded != "dana cole");
        let changed = regroup(account.0.into_values().collect());
        assert_eq!(changed.len(), 1);
        assert_eq!(changed[0].stands_for.as_ref().unwrap().folded, "dana whitfield");
    }

    #[test]
    fn names_that_are_one_are_told_among_those_that_are_known() {
        let names = ["Dana", "Dana Maria", "Dana Maria Cole", "Dana Whitfield"];
        let key =
            |name: &&str| EntityKey::of(&Mention { name: (*name).to_owned(), kind: EntityKind::Person, span: 0..0 });
        let keys: Vec<EntityKey> = names.iter().map(key).collect();
        let one = |known: &[EntityKey], name: usize| {
            one_with(&keys[name], known).iter().map(|key| key.folded.clone()).collect::<Vec<_>>()
        };
        assert_eq!(one(&keys[..3], 0), ["dana", "dana maria", "dana maria cole"]);
        assert_eq!(one(&keys[..3], 2), ["dana", "dana maria", "dana maria cole"]);
        assert_eq!(
            (one(&keys, 0), one(&keys, 1)),
            (vec!["dana".into()], vec!["dana maria".into(), "dana maria cole".into()])
        );
    }

    #[test]
    fn an_institution_is_known_by_its_short_name_and_a_subsidiary_is_not() {
        let mut account = Account::default();
        let kind = EntityKind::Organisation;
        account.meet(&[("ETH", kind), ("ETH Zürich", kind), ("Google", kind), ("Google Brain", kind)]);
        assert_eq!(account.full_name_of(kind, "eth"), Some("eth zurich"));
        assert_eq!(account.full_name_of(kind, "google"), None);
    }

    #[test]
    fn spellings_of_one_name_are_one_entity() {
        let mut account = Account::default();
        account.meet(&[("jose alvarez", EntityKind::Person), ("José Álvarez", EntityKind::Person)]);
        account.meet(&[("postgres", EntityKind::Product), ("PostgreSQL", EntityKind::Product)]);
        let names: Vec<&str> = account.0.values().map(|entity| entity.name.as_str()).collect();
        assert_eq!(names, ["José Álvarez", "PostgreSQL"]);
    }

    #[test]
    fn kinds_part_what_names_join() {
        let mut account = Account::default();
        account.meet(&[("Jordan", EntityKind::Person), ("Jordan", EntityKind::Place)]);
        assert_eq!(account.0.len(), 2);
    }

    fn any_name() -> impl Strategy<Value = (&'static str, EntityKind)> {
        const PEOPLE: &[&str] = &["Dana", "dana", "DANA", "Dana Whitfield", "Dana Cole", "Dana Whitfield Cole", "Dána"];
        const ORGANISATIONS: &[&str] = &["ETH", "ETH Zurich", "ETH Lausanne", "ETH Zürich", "Acme", "Acme GmbH"];
        prop_oneof![
            proptest::sample::select(PEOPLE).prop_map(|name| (name, EntityKind::Person)),
            proptest::sample::select(ORGANISATIONS).prop_map(|name| (name, EntityKind::Organisation)),
        ]
    }

    proptest! {
        #[test]
        fn the_order_of_thoughts_does_not_matter(
            thoughts in proptest::collection::vec(proptest::collection::vec(any_name(), 0..4), 0..8),
            seed in any::<u64>(),
        ) {
            let mut order: Vec<usize> = (0..thoughts.len()).collect();
            order.sort_by_key(|place| (seed.rotate_left(*place as u32 * 7)) ^ (*place as u64));
            let (mut one, mut other) = (Account::default(), Account::default());
            for thought in &thoughts {
                one.meet(thought);
            }
            for place in order {
                other.meet(&thoughts[place]);
            }
            prop_assert_eq!(&one, &other);
            let before = one.clone();
            for thought in &thoughts {
                one.meet(thought);
            }
            prop_assert_eq!(one, before);
        }
    }
}
