//! What people ask, through the endpoint, with the model that ships: one scene for each kind of question.

use serde_json::{Value, json};

use model::{NewNote, NoteText};
use service::enrich::{Round, Worker};

use crate::service::Service;

/// Thoughts that have nothing to do with the questions, so that finding is choosing.
const OTHERS: [&str; 14] = [
    "The invoice for the office chairs was paid twice",
    "Knee hurts when going downstairs",
    "Chess club meets at the library on Tuesdays",
    "The wifi password is on the fridge",
    "New tyres for the bicycle, the wide ones",
    "Grandmother likes the blue curtains best",
    "Add a pinch of salt to the caramel",
    "The museum is closed on public holidays",
    "Revenue grew faster than costs last quarter",
    "Rent out the attic to students",
    "Glaciers in the valley lost a third of their ice",
    "The importer drops the last line if it has no newline",
    "Their second album is louder than the first",
    "Parliament voted on the housing bill",
];

struct Scene(Service);

impl Scene {
    fn with(texts: &[&str]) -> Self {
        let service = Service::start();
        let capture = |text: &str| {
            let times = json!({"raw": text, "as_user": true, "captured_at": "2025-06-02T08:00:00Z"});
            service.tool("capture_thought", &times);
        };
        // What is asked for stands apart, so that nothing is found by what stands beside it.
        OTHERS[..7].iter().copied().for_each(capture);
        texts.iter().copied().for_each(|text| drop(service.capture(text)));
        OTHERS[7..].iter().copied().for_each(capture);
        let scene = Self(service);
        scene.enrich();
        scene
    }

    fn enrich(&self) {
        let worker = Worker::start(self.0.app.enrichment.clone()).unwrap();
        self.0.runtime.block_on(async { while let Round::Worked(_) = worker.round(&|| false).await.unwrap() {} });
    }

    fn ask(&self, query: &str) -> Vec<Value> {
        let output = self.0.tool("retrieve_thoughts", &json!({"query": query, "detail": "full"}));
        output["thoughts"].as_array().unwrap().clone()
    }

    #[track_caller]
    fn finds_first(&self, query: &str, text: &str, signal: &str) {
        let hits = self.ask(query);
        let first = hits.first().unwrap_or_else(|| panic!("nothing found for {query}"));
        assert_eq!(first["raw_text"], text, "{query}: {hits:#?}");
        assert!(first["matched_by"].as_array().unwrap().contains(&json!(signal)), "{query}: {first:#}");
    }
}

#[test]
fn a_question_finds_its_answer_without_a_word_in_common() {
    let scene = Scene::with(&["Ana keeps two cats and a parrot"]);
    scene.finds_first("which pets does she own?", "Ana keeps two cats and a parrot", "semantic");
}

#[test]
fn what_is_linked_with_the_answer_comes_along() {
    let texts = [
        "The Zephyr launch is planned for autumn",
        "Project Zephyr depends on Marisol Quintero",
        "Marisol Quintero's desk is by the lift",
    ];
    let scene = Scene::with(&texts);
    let hits = scene.ask("who does the Zephyr launch depend on, and where do they sit?");
    let linked = hits.iter().find(|hit| hit["raw_text"] == texts[2]).expect("two steps from the question");
    assert!(linked["matched_by"].as_array().unwrap().contains(&json!("graph")), "{linked:#}");
}

#[test]
fn a_question_whose_words_are_spread_over_turns_finds_the_one_that_answers() {
    let answer = "Ana: In Porto, the first weekend of March.";
    let turns = [
        "Ana: I finally booked the pottery workshop.",
        "Rui: Lovely, tell me more.",
        answer,
        "Rui: My brother moved there.",
    ];
    let scene = Scene::with(&turns);
    let ranks = |mode: &str| {
        let asked = json!({"query": "Where is the pottery workshop Ana booked?", "mode": mode, "detail": "full"});
        let output = scene.0.tool("retrieve_thoughts", &asked);
        output["thoughts"].as_array().unwrap().iter().position(|hit| hit["raw_text"] == answer)
    };
    assert_eq!((ranks("full"), ranks("fast")), (Some(1), Some(1)));
}

#[test]
fn a_note_finds_its_thought() {
    let scene = Scene::with(&[]);
    let id = scene.0.capture("Lease of the flat");
    let account = scene.0.runtime.block_on(scene.0.app.keyring.account(&"default".parse().unwrap())).unwrap().id;
    let text = NoteText::from_bytes(b"Notice has to be given ninety days ahead, in writing".to_vec()).unwrap();
    let note = NewNote { name: "lease.txt".into(), text };
    let attached = scene.0.app.memory.attach_note(account, id.parse().unwrap(), note);
    scene.0.runtime.block_on(attached).unwrap().unwrap();
    scene.enrich();
    scene.finds_first("notice given in writing ninety days", "Lease of the flat", "note");
}

#[test]
fn a_date_prefers_what_was_said_then() {
    let scene = Scene::with(&[]);
    for (text, at) in [
        ("Dinner with Rui at the harbour", "2024-12-25T19:00:00Z"),
        ("Dinner with Rui at the castle", "2024-11-02T19:00:00Z"),
    ] {
        scene.0.tool("capture_thought", &json!({"raw": text, "as_user": true, "captured_at": at}));
    }
    scene.enrich();
    scene.finds_first("where was dinner with Rui on Christmas day 2024?", "Dinner with Rui at the harbour", "lexical");
    scene.finds_first("where was dinner with Rui in November 2024?", "Dinner with Rui at the castle", "lexical");
    assert!(
        scene
            .ask("what happened on Christmas day 2024?")
            .iter()
            .any(|hit| hit["raw_text"] == "Dinner with Rui at the harbour")
    );
}

#[test]
fn a_name_finds_whom_it_names() {
    let scene = Scene::with(&["Oluwaseun Adeyemi repairs clocks", "Repairs of the clock take a week"]);
    scene.finds_first("Oluwaseun", "Oluwaseun Adeyemi repairs clocks", "lexical");
}

#[test]
fn a_typo_is_forgiven() {
    let scene = Scene::with(&["The dentist appointment is moved to Friday"]);
    scene.finds_first("dentst appointmnt", "The dentist appointment is moved to Friday", "lexical");
}

#[test]
fn a_bare_identifier_finds_its_bearer_first() {
    let scene = Scene::with(&[
        "Ticket PROJ-1235: login fails",
        "Ticket PROJ-1234: the logout button is missing",
        "PROJ planning",
    ]);
    scene.finds_first("PROJ-1234", "Ticket PROJ-1234: the logout button is missing", "lexical");
}

#[test]
fn a_quoted_phrase_must_match() {
    let scene = Scene::with(&["We drank green tea", "Tea from the green mountain", "Green apples"]);
    let hits = scene.ask("\"green tea\"");
    assert_eq!(hits.iter().map(|hit| &hit["raw_text"]).collect::<Vec<_>>(), ["We drank green tea"]);
}

#[test]
fn what_holds_every_word_comes_before_what_stands_beside_it() {
    let whole = "Falcon launch date is 3 May";
    let scene = Scene::with(&["Project Falcon kickoff", whole, "Launch checklist", "Falcon budget", "Launch party"]);
    for query in ["falcon launch", "when is the falcon launch?"] {
        let hits = scene.0.tool("retrieve_thoughts", &json!({"query": query, "mode": "fast"}));
        assert_eq!(hits["thoughts"][0]["snippet"], whole, "{query}: {hits:#}");
    }
}

#[test]
fn one_word_of_a_long_note_is_an_answer() {
    let note =
        format!("Minutes. {}The axolotl tank needs a new pump.", "We went over the usual points again. ".repeat(150));
    let scene = Scene::with(&[&note]);
    let hits = scene.ask("axolotl");
    assert!(hits[0]["raw_text"].as_str().unwrap().contains("axolotl"), "{hits:#?}");
    assert!(hits[0]["score"].as_f64().unwrap() > 0.6, "{}", hits[0]["score"]);
}

#[test]
fn a_name_that_looks_like_a_small_word_counts() {
    let scene = Scene::with(&["visa card lost", "Applied for the US visa", "Applied for the UK visa"]);
    scene.finds_first("US visa", "Applied for the US visa", "lexical");
}

#[test]
fn another_language_is_found_by_its_words() {
    let scene = Scene::with(&["Die Schlüssel liegen unter der Fußmatte", "会議は来週の火曜日です"]);
    scene.finds_first("wo ist der Schlüssel?", "Die Schlüssel liegen unter der Fußmatte", "lexical");
    scene.finds_first("会議はいつ", "会議は来週の火曜日です", "lexical");
}

#[test]
fn nonsense_scores_low_and_a_clear_answer_high() {
    let scene = Scene::with(&["The spare key hangs behind the boiler"]);
    let score = |query: &str| scene.ask(query).first().map_or(0.0, |hit| hit["score"].as_f64().unwrap());
    assert!(score("qwxz blorfel vintrap") < 0.35, "{}", score("qwxz blorfel vintrap"));
    assert!(score("where does the spare key hang?") > 0.7, "{}", score("where does the spare key hang?"));
}

#[test]
fn words_that_hold_a_sentence_together_find_nothing_by_themselves() {
    let scene = Scene::with(&[]);
    let hits = scene.ask("what is the qwxzblorf of the vintrapple?");
    assert!(hits.iter().all(|hit| !hit["matched_by"].as_array().unwrap().contains(&json!("lexical"))), "{hits:#?}");
}

#[test]
fn a_fast_search_finds_whatever_words_find() {
    let scene = Scene::with(&["The spare key hangs behind the boiler"]);
    let query = json!({"query": "boiler key", "mode": "fast"});
    let hits = scene.0.tool("retrieve_thoughts", &query);
    assert_eq!(hits["thoughts"][0]["snippet"], "The spare key hangs behind the boiler");
}

#[test]
fn the_answer_is_the_same_every_time() {
    let scene =
        Scene::with(&["Ana: the train leaves at nine", "Rui: the train was late again", "Ana: trains are slow"]);
    let first = scene.ask("what did Ana say about the train?");
    for _ in 0..3 {
        assert_eq!(scene.ask("what did Ana say about the train?"), first);
    }
}
