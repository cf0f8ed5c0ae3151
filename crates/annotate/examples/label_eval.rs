//! Prints how well the labelled sentences of `evals` are spotted and categorised: the half for tuning, the half
//! held back, and the fresh sentences written after the rules were done.
//!
//! `cargo run --release --example label_eval [errors]` prints the errors of the half for tuning as well; those of the
//! others are never shown.
#![expect(clippy::print_stdout, reason = "a program for measuring prints, and stops at the first surprise")]

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use serde_json::Value;

use afterthought_annotate::category::{category, combine, form_scores, meaning_scores};
use afterthought_annotate::entities::{EntityKind, entities, known_key};
use encoder::Encoder;

fn main() {
    let shows_errors = std::env::args().any(|argument| argument == "errors");
    for half in ["tune", "held", "fresh"] {
        entity_table(half, shows_errors && half == "tune");
    }
    let encoder = Encoder::load();
    for half in ["tune", "held", "fresh"] {
        category_table(&encoder, half, shows_errors && half == "tune");
    }
    timing();
}

fn labels(file: &str, half: &str) -> Vec<Value> {
    let name = if half == "fresh" { format!("{file}-fresh") } else { file.to_owned() };
    let path = format!("{}/evals/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read `{path}`: {error}"));
    let all = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("labels are JSON Lines"));
    all.filter(|label| label["split"] == half).collect()
}

fn kind(word: &Value) -> EntityKind {
    EntityKind::ALL.into_iter().find(|kind| word == kind.as_str()).unwrap_or_else(|| panic!("no kind {word}"))
}

fn named(list: &Value) -> Vec<(String, EntityKind)> {
    let entries = list.as_array().into_iter().flatten();
    entries.map(|entry| (entry["name"].as_str().unwrap_or_default().to_owned(), kind(&entry["kind"]))).collect()
}

#[derive(Default)]
struct Count {
    wanted: usize,
    found: usize,
    hit: usize,
}

impl Count {
    fn line(&self) -> String {
        let share = |of: usize| if of == 0 { 1.0 } else { self.hit as f64 / of as f64 };
        format!(
            "{:6} {:6} {:6} {:9.3} {:9.3}",
            self.wanted,
            self.found,
            self.hit,
            share(self.found),
            share(self.wanted)
        )
    }
}

fn entity_table(half: &str, shows_errors: bool) {
    let mut kinds: BTreeMap<&str, Count> = BTreeMap::new();
    let (mut exact, mut named_only) = (Count::default(), Count::default());
    let labels = labels("entities", half);
    for label in &labels {
        let text = label["text"].as_str().unwrap_or_default();
        let known: HashMap<String, (String, EntityKind)> =
            named(&label["known"]).into_iter().map(|(name, kind)| (known_key(&name), (name, kind))).collect();
        let wanted = named(&label["entities"]);
        let found: Vec<(String, EntityKind)> =
            entities(text, &known).into_iter().map(|mention| (mention.name, mention.kind)).collect();
        let mut left = wanted.clone();
        for entity in &found {
            kinds.entry(entity.1.as_str()).or_default().found += 1;
            if let Some(place) = left.iter().position(|wanted| wanted == entity) {
                left.remove(place);
                kinds.entry(entity.1.as_str()).or_default().hit += 1;
                exact.hit += 1;
            } else if shows_errors {
                println!("  wrong   {} {entity:?}: {text}", label["id"]);
            }
        }
        for entity in &left {
            if shows_errors {
                println!("  missing {} {entity:?}: {text}", label["id"]);
            }
        }
        let mut names: Vec<&str> = wanted.iter().map(|(name, _)| name.as_str()).collect();
        for (name, _) in &found {
            if let Some(place) = names.iter().position(|wanted| wanted == name) {
                names.remove(place);
                named_only.hit += 1;
            }
        }
        for (_, kind) in &wanted {
            kinds.entry(kind.as_str()).or_default().wanted += 1;
        }
        for count in [&mut exact, &mut named_only] {
            count.wanted += wanted.len();
            count.found += found.len();
        }
    }
    println!("\nentities, {half} ({} texts)   wanted  found    hit precision    recall", labels.len());
    for (kind, count) in &kinds {
        println!("{kind:28} {}", count.line());
    }
    println!("{:28} {}", "all, name and kind", exact.line());
    println!("{:28} {}", "all, name alone", named_only.line());
}

fn category_table(encoder: &Encoder, half: &str, shows_errors: bool) {
    let labels = labels("categories", half);
    let mut table: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut styles: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut hits, mut sure, mut sure_hits) = (0, 0, 0);
    let (mut by_form, mut by_meaning) = (0, 0);
    for label in &labels {
        let text = label["text"].as_str().unwrap_or_default();
        let (form, meaning) = (form_scores(text), meaning_scores(&encoder.embed(text)));
        by_form += usize::from(label["category"] == form.best().0.as_str());
        by_meaning += usize::from(label["category"] == meaning.best().0.as_str());
        let (found, confidence) = combine(form, meaning).best();
        let is_hit = label["category"] == found.as_str();
        hits += usize::from(is_hit);
        sure += usize::from(confidence >= 0.6);
        sure_hits += usize::from(confidence >= 0.6 && is_hit);
        let style = styles.entry(label["style"].as_str().unwrap_or_default().to_owned()).or_default();
        style.0 += usize::from(is_hit);
        style.1 += 1;
        *table.entry((label["category"].as_str().unwrap_or_default().to_owned(), found.as_str())).or_default() += 1;
        if shows_errors && !is_hit {
            println!(
                "  {} wanted {} found {} ({confidence:.2}): {text}",
                label["id"],
                label["category"],
                found.as_str()
            );
        }
    }
    println!(
        "\ncategories, {half}: {hits} of {} right, {:.1} %; confidence 0.6 and above: {sure_hits} of {sure}",
        labels.len(),
        100.0 * hits as f64 / labels.len() as f64
    );
    println!("by form alone {by_form}, by meaning alone {by_meaning}");
    let words = ["task", "idea", "observation", "fact"];
    println!("{:>12} {}", "wanted\\found", words.map(|word| format!("{word:>12}")).concat());
    for wanted in words {
        let row = words.map(|found| format!("{:12}", table.get(&(wanted.to_owned(), found)).copied().unwrap_or(0)));
        println!("{wanted:>12} {}", row.concat());
    }
    let styles: Vec<String> = styles.iter().map(|(style, (hits, all))| format!("{style} {hits}/{all}")).collect();
    println!("by style: {}", styles.join(", "));
}

fn timing() {
    let note = "Met Dana Whitfield at ETH Zurich on 5 May to talk about Project Falcon; she wants PostgreSQL 15 before the \
                release next Friday, and asked me to send the notes from the last meeting to priya@example.com and @tomasz as well.";
    let long = note.repeat(65_536 / note.len());
    let known: HashMap<String, (String, EntityKind)> = HashMap::new();
    for (what, text, rounds) in [("40 words", note, 2000_u32), ("64 KiB", long.as_str(), 10)] {
        let _ = (entities(text, &known), category(text));
        let start = Instant::now();
        for _ in 0..rounds {
            std::hint::black_box((entities(std::hint::black_box(text), &known), category(text)));
        }
        println!("\n{what}: {:?} for entities and category", start.elapsed() / rounds);
    }
}
