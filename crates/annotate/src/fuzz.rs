//! Texts and queries nobody would write: nothing here may panic, or take more time than their length allows.

use fuzz::Target;
use model::Time;

use super::category::category;
use super::entities::{NothingKnown, entities};
use super::{Asked, Kin, Meant, asks_for_a_time_alone, holds_phrases, is_question, moments, quoted, speaker};

/// Words that the rules look for.
const WORDS: &[&str] = &[
    " Dr. ",
    " of ",
    " the ",
    "Lake ",
    "Museum",
    " by ",
    " van ",
    "May ",
    " 5 ",
    "2024",
    "next ",
    "Friday",
    " ago",
    " last ",
    " weeks",
    "v2",
    "PROJ-1",
    "watched ",
    "Christmas",
    "1.0.219",
    "a@b.co",
    "x.com",
    "https://",
    " said: ",
    "“",
    " am ",
    "UTC+2",
    "Q3 ",
    "said",
    " years ",
    " in ",
    "between ",
    " and ",
    "since ",
    " I ",
    " you ",
    "who ",
    "when ",
    "?",
];

#[test]
fn any_text_has_its_entities_and_its_category() {
    Target::new("entities", &["texts"]).words(WORDS).try_text(|text| {
        let mentions = entities(text, &NothingKnown);
        let mut end = 0;
        for mention in &mentions {
            assert!(mention.span.start >= end && text.get(mention.span.clone()).is_some(), "{mention:?}");
            end = mention.span.end;
        }
        let kinds: Vec<&str> = mentions.iter().take(3).map(|mention| mention.kind.as_str()).collect();
        (kinds, mentions.len().min(32), category(text).0.as_str(), speaker(text).is_some())
    });
}

#[test]
fn any_query_names_its_times_speakers_and_phrases() {
    let now = "2026-03-01".parse::<Time>().unwrap();
    Target::new("query-meaning", &["queries", "texts"]).words(WORDS).try_text(|query| {
        let mut shown = Vec::new();
        for now in [now, Time::FIRST, Time::LAST, Time::from_micros(i64::MAX)] {
            let moments = moments(query, now);
            assert!(moments.iter().all(|moments| moments.start <= moments.end), "{moments:?}");
            shown.push(moments.len());
        }
        let phrases = quoted(query);
        let held = holds_phrases(query, &phrases);
        let meant = Meant::of_query(query);
        (shown, phrases.len(), held, meant.names("Ana"), format!("{:?}", Asked::in_query(query)), is_question(query))
    });
}

#[test]
fn any_query_may_name_a_relation_and_any_text_tell_a_name() {
    let words =
        &["my wife", "our dog ", "’s ", "Ana", "Émile, ", "her husband", "children: ", " and ", "İs", "married to "];
    let kin = Kin::in_query("my wife and my children").unwrap();
    Target::new("relations", &["queries", "texts"]).words(words).try_text(|text| {
        let asked = Kin::in_query(text);
        assert!(asked.is_none_or(|kin| text.is_char_boundary(kin.end)), "{asked:?}");
        let told = kin.names_in(text);
        (asked.is_some(), told.len(), told.iter().any(|told| told.of.is_some()), asks_for_a_time_alone(text))
    });
}
