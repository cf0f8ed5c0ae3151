//! Adds the name to a relation a query names: what is stored of `my wife` mostly goes by her name.

use std::collections::BTreeMap;

use annotate::entities::known_key;
use annotate::{Kin, Told};
use model::AccountId;
use store::{LexicalQuery, Store, StoreError};

use super::request::Search;

/// How many texts that speak of the relation are looked through for a name.
const LOOKED_THROUGH: usize = 30;

/// The most names that are added: `my children` may be several.
const NAMES_MAX: usize = 3;

/// The query with the names that the account's thoughts give to the relation it names; `None` if it names none or none is told.
pub(super) async fn with_names(
    store: &dyn Store,
    account: AccountId,
    search: &Search<'_>,
) -> Result<Option<String>, StoreError> {
    let Some(kin) = Kin::in_query(search.text).filter(|_| search.signals.words) else { return Ok(None) };
    let terms = text::query_terms(&kin.words());
    let query = LexicalQuery { terms, visible: search.visible, among: None, limit: LOOKED_THROUGH, as_of: None };
    let found = store.search(account, &query).await?;
    let told: Vec<Told> = found.hits.iter().flat_map(|hit| kin.names_in(hit.thought.raw_text.as_str())).collect();
    if told.is_empty() {
        return Ok(None);
    }
    let mentions = mentions(store, account, &told).await?;
    let names = chosen(told, |name| mentions.get(&known_key(name)).copied().unwrap_or_default());
    let (before, after) = search.text.split_at(kin.end);
    Ok(Some(format!("{before} {}{after}", names.join(" "))))
}

/// In how many thoughts each of the names is.
async fn mentions(store: &dyn Store, account: AccountId, told: &[Told]) -> Result<BTreeMap<String, u64>, StoreError> {
    let names = told.iter().flat_map(|told| [Some(&told.name), told.or.as_ref(), told.of.as_ref()]).flatten();
    let mut words: Vec<String> =
        names.flat_map(|name| known_key(name).split(' ').map(str::to_owned).collect::<Vec<_>>()).collect();
    words.sort_unstable();
    words.dedup();
    let mut mentions = BTreeMap::new();
    for known in store.known_names(account, words).await?.names {
        // Whoever is called by the first name is known by the full one.
        let first = known.folded.split(' ').next().unwrap_or_default().to_owned();
        for name in [known.folded, first] {
            let thoughts: &mut u64 = mentions.entry(name).or_default();
            *thoughts = known.thoughts.max(*thoughts);
        }
    }
    Ok(mentions)
}

/// The names that are meant, in the order in which they are told.
///
/// Whose memory it is, is mentioned most: of two who are married the other one is meant, and of `Ana's sister` and `Rui's sister`
/// the one of whoever is mentioned more, unless somebody's sister is told of without saying whose.
fn chosen(told: Vec<Told>, mentions: impl Fn(&str) -> u64) -> Vec<String> {
    let rank = |told: &Told| told.of.as_deref().map_or(u64::MAX, &mentions);
    let most = told.iter().map(rank).max().unwrap_or_default();
    let mut names: Vec<String> = Vec::new();
    for told in told.into_iter().filter(|told| rank(told) == most) {
        let name = match told.or {
            Some(or) if mentions(&or) < mentions(&told.name) => or,
            _ => told.name,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.truncate(NAMES_MAX);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, or: Option<&str>, of: Option<&str>) -> Told {
        Told { name: name.to_owned(), or: or.map(str::to_owned), of: of.map(str::to_owned) }
    }

    fn mentions(name: &str) -> u64 {
        match name {
            "Tomek" => 20,
            "Agata" => 7,
            _ => 1,
        }
    }

    #[test]
    fn of_two_who_are_married_the_other_one_is_meant() {
        for (name, or) in [("Tomek", "Agata"), ("Agata", "Tomek")] {
            assert_eq!(chosen(vec![told(name, Some(or), None)], mentions), ["Agata"]);
        }
    }

    #[test]
    fn the_sister_of_whose_memory_it_is_comes_before_another_sister() {
        let (own, other, plain) =
            (told("Ewa", None, Some("Tomek")), told("Ola", None, Some("Agata")), told("Iza", None, None));
        assert_eq!(chosen(vec![other.clone(), own.clone()], mentions), ["Ewa"]);
        assert_eq!(chosen(vec![other, own, plain], mentions), ["Iza"]);
    }

    #[test]
    fn several_may_be_meant_each_once() {
        let all = ["Maisie", "Theo", "Maisie", "Ada", "Ben"].map(|name| told(name, None, None)).to_vec();
        assert_eq!(chosen(all, mentions), ["Maisie", "Theo", "Ada"]);
    }
}
