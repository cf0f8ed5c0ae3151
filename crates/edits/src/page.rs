//! A text, read once: its words, sentences and segments, the values it names, its `LABEL: value` pairs and its lists.
//!
//! Nothing here knows of requests; what a request names is looked up in a [`Page`] by `find`.

mod label;
mod row;
mod word;

use std::{borrow::Cow, hash::BuildHasher, ops::Range};

use rustc_hash::{FxBuildHasher, FxHashMap};

pub(super) use label::Label;
pub(super) use row::{Row, RowKind, marker, split_conjunction, uncounted, without_line};
pub(super) use word::{TextWord, is_weekday, key, keys};

use super::{
    sentence,
    value::{self, Value},
};

/// A text and what it is made of. All ranges are in bytes of the text.
#[derive(Clone)]
pub(super) struct Page {
    pub(super) text: String,
    pub(super) words: Vec<TextWord>,
    pub(super) sentences: Vec<Range<usize>>,
    /// The stretches between commas, brackets, dashes and joining words.
    pub(super) segments: Vec<Range<usize>>,
    pub(super) values: Vec<Value>,
    pub(super) labels: Vec<Label>,
    pub(super) rows: Vec<Row>,
    /// Where words stand, by the hash of their keys.
    index: FxHashMap<u64, Vec<usize>>,
}

impl Page {
    pub(super) fn read(text: &str) -> Self {
        let sentences = sentence::sentences(text);
        let segments = sentences.iter().flat_map(|sentence| word::segments(text, sentence)).collect();
        let labels = label::labels(text, &sentences);
        let mut rows = row::bulleted(text);
        rows.extend(sentences.iter().flat_map(|sentence| row::inline(text, sentence)));
        let words = word::words(text);
        let mut index: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for (at, word) in words.iter().enumerate() {
            index.entry(FxBuildHasher.hash_one(word.key.as_str())).or_default().push(at);
        }
        Self { text: text.to_owned(), index, words, values: value::values(text), sentences, segments, labels, rows }
    }

    /// The text after one change after the other, each made to what the one before it left.
    pub(super) fn after_all<Step, E>(
        &self,
        steps: impl IntoIterator<Item = Step>,
        change: impl Fn(&Self, Step) -> Result<String, E>,
    ) -> Result<String, E> {
        let mut now = Cow::Borrowed(self);
        // A text is read anew only for another step.
        let mut changed: Option<String> = None;
        for step in steps {
            if let Some(text) = changed.take() {
                now = Cow::Owned(Self::read(&text));
            }
            let text = change(&now, step)?;
            changed = (text != now.text).then_some(text);
        }
        Ok(changed.unwrap_or_else(|| now.into_owned().text))
    }

    pub(super) fn at(&self, range: &Range<usize>) -> &str {
        &self.text[range.clone()]
    }

    /// The sentence that a place stands in.
    pub(super) fn sentence_of(&self, place: &Range<usize>) -> Range<usize> {
        holder(&self.sentences, place).unwrap_or(0..self.text.len())
    }

    /// The segment that a place begins in.
    pub(super) fn segment_of(&self, place: &Range<usize>) -> Range<usize> {
        holder(&self.segments, place).unwrap_or_else(|| place.clone())
    }

    /// The words of a stretch, in order.
    pub(super) fn words_in(&self, stretch: &Range<usize>) -> &[TextWord] {
        let from = self.words.partition_point(|word| word.place.start < stretch.start);
        let to = self.words.partition_point(|word| word.place.end <= stretch.end);
        &self.words[from.min(to)..to]
    }

    /// Where a word with this key stands.
    pub(super) fn places_of<'p>(&'p self, key: &'p str) -> impl Iterator<Item = &'p TextWord> {
        let places = self.index.get(&FxBuildHasher.hash_one(key)).map_or(&[][..], Vec::as_slice);
        places.iter().map(|at| &self.words[*at]).filter(move |word| word.key == key)
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.places_of(key).next().is_some()
    }
}

/// The range of `ranges`, which are in order, that `place` starts in.
fn holder(ranges: &[Range<usize>], place: &Range<usize>) -> Option<Range<usize>> {
    let after = ranges.partition_point(|range| range.start <= place.start);
    ranges[..after].last().filter(|range| place.start < range.end).cloned()
}
