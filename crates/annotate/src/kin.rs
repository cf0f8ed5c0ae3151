//! Who is meant by `my wife` or `our dog`: a query names a relation, and some text tells the name that others go by.
//!
//! Signs on the surface, in a few languages; whoever searches decides what a name is worth.

use text::calendar::{months_named, weekdays_named};
use text::{Language, fold, is_among, languages_of};

use crate::entities::is_given_name;

/// Only so much of a text is looked at.
const TEXT_BYTES_MAX: usize = 1_000;

/// The most names one text gives to those of a relation.
const NAMES_MAX: usize = 3;

/// What people call a relation, and what texts say that tell a name.
struct Relation {
    /// In a query.
    asked: &'static str,
    /// In a text, beside those.
    told: &'static str,
}

const fn relation(asked: &'static str, told: &'static str) -> Relation {
    Relation { asked, told }
}

const RELATIONS: [Relation; 25] = [
    relation(
        "wife husband spouse partner fiance fiancee girlfriend boyfriend frau mann ehefrau ehemann mari femme epouse epoux",
        "married verheiratet marie mariee",
    ),
    relation("mother mum mom mama mutter mere maman", "parents eltern"),
    relation("father dad papa vater pere", "parents eltern"),
    relation("parents eltern", "mother mum mom father dad mutter vater mere pere"),
    relation("son sohn fils", "sons boy children kids twins kinder enfants"),
    relation("daughter tochter fille", "daughters girl children kids twins kinder enfants"),
    relation(
        "child children kid kids kinder enfants",
        "child son daughter sons daughters twins sohn tochter fils fille",
    ),
    relation("sister schwester soeur", "sisters siblings"),
    relation("brother bruder frere", "brothers siblings"),
    relation("grandson enkel", "grandsons grandchild grandchildren"),
    relation("granddaughter enkelin", "granddaughters grandchild grandchildren"),
    relation("grandmother grandma granny gran nan oma", "grandparents"),
    relation("grandfather grandpa grandad opa", "grandparents"),
    relation("niece nichte niece", "nieces"),
    relation("nephew neffe neveu", "nephews"),
    relation("aunt auntie tante", ""),
    relation("uncle onkel oncle", ""),
    relation("cousin cousine", "cousins"),
    relation("boss manager supervisor chef chefin vorgesetzter vorgesetzte", "reports"),
    relation("pet pets haustier", "dog cat puppy kitten rabbit tortoise hamster parrot horse hund katze chien chat"),
    relation("dog puppy hund chien", ""),
    relation("cat kitten katze kater", ""),
    relation("friend freund freundin ami amie", "friends"),
    relation("neighbour neighbor nachbar nachbarin voisin voisine", "neighbours neighbors"),
    relation("roommate flatmate housemate mitbewohner mitbewohnerin", "roommates flatmates"),
];

/// Who says whose relation it is.
const OWN: &str = "my our user his her their mein meine meinem meiner meinen unser unsere mon ma mes notre nos";

/// What may stand between that and the relation.
const BETWEEN: &str = "best oldest old older elder eldest younger youngest new late dear big little other";

/// A relation that a query names.
#[derive(Clone, Copy)]
pub struct Kin {
    relation: &'static Relation,
    /// Where the word ends in the query.
    pub end: usize,
}

impl std::fmt::Debug for Kin {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Kin").field("asked", &self.relation.asked).field("end", &self.end).finish()
    }
}

/// A name that a text gives to somebody of a relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The name.
    pub name: String,
    /// Another name, if either may be meant: of `Ana is married to Rui` the one whose memory it is not.
    pub or: Option<String>,
    /// Whose relation it is, if the text names them: the `Ana` of `Ana's sister`.
    pub of: Option<String>,
}

impl Kin {
    /// The first relation that a query names as somebody's own; `None` where a name follows it anyway.
    pub fn in_query(query: &str) -> Option<Self> {
        let words = words(&query[..query.floor_char_boundary(TEXT_BYTES_MAX)]);
        let is_own = |word: Option<&Word<'_>>| word.is_some_and(|word| is_among(OWN, &word.folded));
        let is_between = |word: Option<&Word<'_>>| word.is_some_and(|word| is_among(BETWEEN, &word.folded));
        let before = |place: usize, steps: usize| place.checked_sub(steps).and_then(|place| words.get(place));
        for (place, word) in words.iter().enumerate() {
            let owned = is_own(before(place, 1)) || is_between(before(place, 1)) && is_own(before(place, 2));
            // `mother-in-law` is another one.
            let ends = !word.is_joined && !words.get(place + 1).is_some_and(|next| next.is_name());
            let relation = RELATIONS.iter().find(|relation| is_among(relation.asked, &word.folded));
            if let Some(relation) = relation.filter(|_| owned && ends) {
                return Some(Self { relation, end: word.start + word.name().len() });
            }
        }
        None
    }

    /// The words by which a text can be found that tells a name.
    pub fn words(&self) -> String {
        format!("{} {}", self.relation.asked, self.relation.told)
    }

    fn is_told_by(&self, word: &str) -> bool {
        is_among(self.relation.asked, word) || is_among(self.relation.told, word)
    }

    /// The names that a text gives to those of this relation.
    pub fn names_in(&self, text: &str) -> Vec<Told> {
        let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
        let mut told: Vec<Told> = Vec::new();
        for sentence in sentences(text) {
            let words = words(sentence);
            for place in 0..words.len() {
                if words[place].is_possessive || !self.is_told_by(&words[place].folded) {
                    continue;
                }
                let of = possessor(&words, place);
                let (mut names, explained) = (after(&words, place), before(&words, place));
                let or = explained.clone().filter(|_| names.len() == 1);
                names.extend(explained.filter(|_| or.is_none()));
                for name in names {
                    if told.iter().all(|known| known.name != name) {
                        told.push(Told { name, or: or.clone(), of: of.clone() });
                    }
                }
            }
        }
        told.truncate(NAMES_MAX);
        told
    }
}

/// The name that the relation at that place is said to be of.
fn possessor(words: &[Word<'_>], place: usize) -> Option<String> {
    let before = words[..place].iter().rev().take(2).find(|word| word.is_possessive && word.is_name())?;
    Some(before.name().to_owned())
}

/// The names right after a relation: `sister Rachel`, `boss is Marek Nowak`, `children: Maisie, born 2016, and Theo`.
fn after(words: &[Word<'_>], place: usize) -> Vec<String> {
    const LEADING: &str = "is are was named called to heisst ist s'appelle est";
    let lead = words[place + 1..].iter().take_while(|word| is_among(LEADING, &word.folded)).count();
    let first = place + 1 + lead;
    if !words.get(first).is_some_and(|word| word.is_name() && !word.is_possessive) {
        return Vec::new();
    }
    let is_plural =
        ["s", "children", "kinder", "eltern", "enfants"].iter().any(|end| words[place].folded.ends_with(end));
    let mut names = vec![full_name(words, first)];
    if is_plural {
        let others = (first + 1..words.len()).filter(|place| {
            let (word, before) = (&words[*place], &words[place - 1]);
            word.is_name() && !before.is_name() && is_among("and und et", &before.folded)
        });
        names.extend(others.map(|place| words[place].name().to_owned()));
    }
    names
}

/// The name right before a relation that explains it: `Henri, her husband`, `Pickle the cat`, `Marek is my new boss`.
fn before(words: &[Word<'_>], place: usize) -> Option<String> {
    const EXPLAINING: &str =
        "is the a an my our her his their der die das mein meine unser unsere le la mon ma notre ist est";
    const STEPS: usize = 4;
    let between = words[..place].iter().rev().take(STEPS).take_while(|word| !word.is_name() && !word.is_possessive);
    let between: Vec<&Word<'_>> = between.collect();
    let name = place.checked_sub(between.len() + 1)?;
    let explains = between.last().is_some_and(|first| is_among(EXPLAINING, &first.folded));
    // `Agata, married to Tomek`.
    let is_apart = between.is_empty() && words[name].is_ended;
    let word = &words[name];
    if !word.is_name() || word.is_possessive || !explains && !is_apart {
        return None;
    }
    let start = if name > 0 && words[name - 1].is_name() && !words[name - 1].is_ended { name - 1 } else { name };
    Some(full_name(words, start))
}

/// The name that begins at that place, of two words at most.
fn full_name(words: &[Word<'_>], place: usize) -> String {
    let next = words.get(place + 1).filter(|next| next.is_name() && !words[place].is_ended && !next.is_possessive);
    next.map_or_else(|| words[place].name().to_owned(), |next| format!("{} {}", words[place].name(), next.name()))
}

/// A word as it stands.
struct Word<'a> {
    text: &'a str,
    folded: String,
    start: usize,
    /// Whether `'s` follows.
    is_possessive: bool,
    /// Whether a hyphen follows.
    is_joined: bool,
    /// Whether another sign than a space follows.
    is_ended: bool,
}

impl Word<'_> {
    fn name(&self) -> &str {
        named(self.text)
    }

    /// Whether it is written like a name, and is none of the words that open sentences.
    fn is_name(&self) -> bool {
        let mut chars = self.text.chars();
        let is_capital = chars.next().is_some_and(char::is_uppercase) && chars.next().is_some_and(char::is_lowercase);
        let folded = self.folded.as_str();
        // `Dan` and `Will` are function words somewhere; those of the languages read here open sentences.
        let opens = [Language::English, Language::German, Language::French];
        is_capital
            && !opens.into_iter().any(|language| languages_of(folded).contains(language))
            && (is_given_name(folded) || months_named(folded).is_empty() && weekdays_named(folded).is_empty())
            && !is_among(OPENING, folded)
            && !RELATIONS.iter().any(|kin| is_among(kin.asked, folded) || is_among(kin.told, folded))
    }
}

/// Words that open notes with a capital and are no names.
const OPENING: &str = "one two three four five both new old best user project family decision idea note todo task call ask ring buy \
    book visit meet met talked remember birthday dinner lunch meeting";

/// The word without the `'s` of whoever has something.
fn named(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

/// The words of a sentence.
fn words(sentence: &str) -> Vec<Word<'_>> {
    let is_inner = |char: char| char.is_alphanumeric() || matches!(char, '\'' | '’');
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(start) = sentence[at..].find(char::is_alphanumeric).map(|start| at + start) {
        let end = sentence[start..].find(|char| !is_inner(char)).map_or(sentence.len(), |end| start + end);
        let text = sentence[start..end].trim_end_matches(['\'', '’']);
        let after = sentence[start + text.len()..].chars().next();
        let name = named(text);
        words.push(Word {
            text,
            folded: fold(name),
            start,
            is_possessive: name.len() < text.len(),
            is_joined: after == Some('-'),
            is_ended: after.is_some_and(|char| !char.is_whitespace()),
        });
        at = end;
    }
    words
}

/// The sentences of a text; a dot within a number or a short title ends none.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['!', '?', ';', '\n']).flat_map(|part| part.split(". "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(query: &str, text: &str) -> Vec<Told> {
        Kin::in_query(query).unwrap().names_in(text)
    }

    #[track_caller]
    fn tells(query: &str, text: &str, names: &[&str]) {
        let told: Vec<String> = told(query, text).into_iter().map(|told| told.name).collect();
        assert_eq!(told, names, "{query}: {text}");
    }

    #[test]
    fn a_text_tells_the_name_of_a_relation() {
        tells("What does my wife do?", "My wife Sofie is a nurse", &["Sofie"]);
        tells("where does my husband work", "Ana is married to Dan, an electrician", &["Dan"]);
        tells("my husband's job", "Henri, her husband, a cabinetmaker, died in 2021", &["Henri"]);
        tells("What does our pet get?", "Pickle the cat is eleven", &["Pickle"]);
        tells(
            "Who is my son's teacher?",
            "Two children: Maisie, born 14 June 2016, and Theo, born 2019",
            &["Maisie", "Theo"],
        );
        tells("my child", "Camille, the elder child, lives in Montréal", &["Camille"]);
        tells("What does my boss want?", "Her ward manager is Colette Marsh. Leave goes to her", &["Colette Marsh"]);
        tells("What does my boss want?", "Imran Sheikh is my new boss", &["Imran Sheikh"]);
        tells("my brother", "Her brother Yves lives in Perpignan", &["Yves"]);
        tells("What does my husband do?", "My husband Jan is a carpenter", &["Jan"]);
        tells("Wo arbeitet meine Schwester?", "Meine Schwester Ines arbeitet in Bern", &["Ines"]);
        tells("le métier de mon mari", "Mon mari Henri est menuisier", &["Henri"]);
    }

    #[test]
    fn whose_it_is_is_told_apart() {
        let of = |text| told("my mother", text).remove(0).of;
        assert_eq!(of("Dan's mum Sheila keeps bees").as_deref(), Some("Dan"));
        assert_eq!(of("Mum Sheila keeps bees"), None);
    }

    #[test]
    fn of_two_who_are_married_either_may_be_meant() {
        let either = told("What does my wife do?", "Agata, married to Tomek since 2020, illustrates books");
        assert_eq!(either, [Told { name: "Tomek".to_owned(), or: Some("Agata".to_owned()), of: None }]);
    }

    #[test]
    fn what_gives_no_name_tells_none() {
        for text in
            ["My wife is a nurse", "The dog walks on Mondays", "Married in May", "Children eat in the kitchen", ""]
        {
            tells("my wife and my dog", text, &[]);
        }
    }

    #[test]
    fn only_somebodys_own_is_meant() {
        for query in ["What does Ana's wife do?", "wife", "my wife Sofie", "my mother-in-law", "dog food", ""] {
            assert!(Kin::in_query(query).is_none(), "{query}");
        }
        let query = "What is the user's oldest friend called?";
        assert_eq!(&query[..Kin::in_query(query).unwrap().end], "What is the user's oldest friend");
    }
}
