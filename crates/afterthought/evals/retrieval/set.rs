//! A folder of documents, queries and answers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use model::Time;
use serde_json::Value;

pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) groups: BTreeMap<String, Group>,
}

#[derive(Default)]
pub(crate) struct Group {
    pub(crate) documents: Vec<Document>,
    pub(crate) queries: Vec<Query>,
}

pub(crate) struct Document {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) timestamp: Option<String>,
}

pub(crate) struct Query {
    pub(crate) text: String,
    pub(crate) category: String,
    /// When it is asked; the present moment if the set does not say.
    pub(crate) asked_at: Option<Time>,
    /// The ids of the documents that answer it; none if nothing does.
    pub(crate) answers: BTreeSet<String>,
    /// The ids of documents that an answer has replaced: none of them may stand above it.
    pub(crate) older: BTreeSet<String>,
}

/// The category of questions that nothing in the set answers.
pub(crate) const UNANSWERABLE: &str = "unanswerable";

impl Set {
    /// Reads a folder; its name is the set's.
    pub(crate) fn read(folder: &Path) -> Self {
        let lines = |name: &str| -> Vec<String> {
            let text = std::fs::read_to_string(folder.join(name)).unwrap();
            text.lines().map(str::to_owned).collect()
        };
        let mut answers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for line in lines("qrels.tsv") {
            let mut fields = line.split('\t');
            let (query, document) = (fields.next().unwrap(), fields.next().unwrap());
            answers.entry(query.to_owned()).or_default().insert(document.to_owned());
        }
        let mut groups: BTreeMap<String, Group> = BTreeMap::new();
        for line in lines("corpus.jsonl") {
            let value: Value = serde_json::from_str(&line).unwrap();
            let text = |field: &str| value[field].as_str().map(str::to_owned);
            let (id, timestamp) = (text("id").unwrap(), text("timestamp"));
            let group = groups.entry(text("group").unwrap()).or_default();
            let text = text("text").unwrap();
            // What has no text is no thought; where it is an answer, it counts as missed.
            if !text.trim().is_empty() {
                group.documents.push(Document { id, text, timestamp });
            }
        }
        for line in lines("queries.jsonl") {
            let value: Value = serde_json::from_str(&line).unwrap();
            let text = |field: &str| value[field].as_str().unwrap().to_owned();
            let (category, answers) = (text("category"), answers.remove(&text("id")).unwrap_or_default());
            // A set may leave a question open by mistake; only what it says has no answer is one without.
            if answers.is_empty() && category != UNANSWERABLE {
                continue;
            }
            let asked_at = value["asked_at"].as_str().map(|time| time.parse().unwrap());
            let older = value["older"].as_array().into_iter().flatten();
            let older = older.map(|id| id.as_str().unwrap().to_owned()).collect();
            let group = groups.entry(text("group")).or_default();
            group.queries.push(Query { text: text("text"), category, asked_at, answers, older });
        }
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        Self { name, groups }
    }

    /// The same documents in no order and with no times, as if each had been stored on its own.
    pub(crate) fn shuffled(mut self) -> Self {
        for group in self.groups.values_mut() {
            group.documents.sort_by_cached_key(|document| scattered(&document.id));
            group.documents.iter_mut().for_each(|document| document.timestamp = None);
        }
        self.name += "-shuffled";
        self
    }

    pub(crate) fn queries(&self) -> usize {
        self.groups.values().map(|group| group.queries.len()).sum()
    }

    pub(crate) fn documents(&self) -> usize {
        self.groups.values().map(|group| group.documents.len()).sum()
    }
}

/// A number that has nothing to do with the order of ids, the same on every machine. Every byte is mixed into all bits: with
/// less, ids that differ in their last character would stay beside each other.
fn scattered(id: &str) -> u64 {
    let mixed = |number: u64| {
        let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    };
    id.bytes().fold(0x9e37_79b9_7f4a_7c15, |hash, byte| mixed(hash ^ u64::from(byte)))
}
