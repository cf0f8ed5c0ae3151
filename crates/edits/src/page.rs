//! A text, read once: its words, sentences and segments, the values it names, its `LABEL: value` pairs and its lists.
//!
//! Nothing here knows of requests; what a request names is looked up in a [`Page`] by `find`.

mod label;
mod row;
mod word;

use std::{borrow::Cow, cell::OnceCell, hash::BuildHasher, ops::Range};

use rustc_hash::{FxBuildHasher, FxHashMap};

pub(super) use label::Label;
pub(super) use row::{Row, RowKind, marker, split_conjunction, uncounted, without_line};
pub(super) use word::{TextWord, is_weekday, key, keys};

use super::{
    sentence,
    value::{self, Value},
};

/// A text and what it is made of. All ranges are in bytes of the text.
///
/// Each part is read when it is first asked for: most requests need few of them, and a long text takes a while.
#[derive(Clone, Default)]
pub(super) struct Page {
    pub(super) text: String,
    words: OnceCell<Vec<TextWord>>,
    sentences: OnceCell<Vec<Range<usize>>>,
    segments: OnceCell<Vec<Range<usize>>>,
    values: OnceCell<Vec<Value>>,
    labels: OnceCell<Vec<Label>>,
    rows: OnceCell<Vec<Row>>,
    /// Where words stand, by the hash of their keys.
    index: OnceCell<FxHashMap<u64, Vec<usize>>>,
}

impl Page {
    pub(super) fn read(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    pub(super) fn words(&self) -> &[TextWord] {
        self.words.get_or_init(|| word::words(&self.text))
    }

    pub(super) fn sentences(&self) -> &[Range<usize>] {
        self.sentences.get_or_init(|| sentence::sentences(&self.text))
    }

    /// The stretches between commas, brackets, dashes and joining words.
    pub(super) fn segments(&self) -> &[Range<usize>] {
        let segments = |sentence| word::segments(&self.text, sentence);
        self.segments.get_or_init(|| self.sentences().iter().flat_map(segments).collect())
    }

    pub(super) fn values(&self) -> &[Value] {
        self.values.get_or_init(|| value::values(&self.text))
    }

    pub(super) fn labels(&self) -> &[Label] {
        self.labels.get_or_init(|| label::labels(&self.text, self.sentences()))
    }

    pub(super) fn rows(&self) -> &[Row] {
        self.rows.get_or_init(|| {
            let inline = self.sentences().iter().flat_map(|sentence| row::inline(&self.text, sentence));
            row::bulleted(&self.text).into_iter().chain(inline).collect()
        })
    }

    fn index(&self) -> &FxHashMap<u64, Vec<usize>> {
        self.index.get_or_init(|| {
            let mut index: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
            for (at, word) in self.words().iter().enumerate() {
                index.entry(FxBuildHasher.hash_one(word.key.as_str())).or_default().push(at);
            }
            index
        })
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
        holder(self.sentences(), place).unwrap_or(0..self.text.len())
    }

    /// The segment that a place begins in.
    pub(super) fn segment_of(&self, place: &Range<usize>) -> Range<usize> {
        holder(self.segments(), place).unwrap_or_else(|| place.clone())
    }

    /// The words of a stretch, in order.
    pub(super) fn words_in(&self, stretch: &Range<usize>) -> &[TextWord] {
        let from = self.words().partition_point(|word| word.place.start < stretch.start);
        let to = self.words().partition_point(|word| word.place.end <= stretch.end);
        &self.words()[from.min(to)..to]
    }

    /// Whether a stretch says a word with this key.
    pub(super) fn says(&self, stretch: &Range<usize>, key: &str) -> bool {
        self.words_in(stretch).iter().any(|word| word.key == key)
    }

    /// Whether a stretch says words with all these keys.
    pub(super) fn says_all(&self, stretch: &Range<usize>, keys: &[String]) -> bool {
        keys.iter().all(|key| self.says(stretch, key))
    }

    /// Where a word with this key stands.
    pub(super) fn places_of<'p>(&'p self, key: &'p str) -> impl Iterator<Item = &'p TextWord> {
        let places = self.index().get(&FxBuildHasher.hash_one(key)).map_or(&[][..], Vec::as_slice);
        places.iter().map(|at| &self.words()[*at]).filter(move |word| word.key == key)
    }

    /// Where a word with this key stands written as two: the first of them.
    pub(super) fn apart<'p>(&'p self, key: &'p str) -> impl Iterator<Item = &'p TextWord> {
        let cuts = key.char_indices().map(|(at, _)| at).skip(1).filter(|_| key.len() > 4);
        cuts.flat_map(move |cut| {
            let (first, second) = key.split_at(cut);
            let places = self.index().get(&FxBuildHasher.hash_one(first)).map_or(&[][..], Vec::as_slice);
            let follows = move |at: &&usize| self.words().get(*at + 1).is_some_and(|next| next.key == second);
            places.iter().filter(follows).map(|at| &self.words()[*at]).filter(move |word| word.key == first)
        })
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
