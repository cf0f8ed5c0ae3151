//! tantivy, fed with our tokens through a tokenizer that cuts at spaces.

use std::path::Path;

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::document::Value;
use tantivy::schema::{Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::WhitespaceTokenizer;
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument, Term, doc};

use super::{HITS, Side, terms};

/// The memory for texts not yet committed, in bytes, while many come in and while single ones do.
const BUILD_BYTES: usize = 200_000_000;
const CAPTURE_BYTES: usize = 50_000_000;

const TOKENIZER: &str = "spaces";

pub struct Theirs {
    index: Index,
    reader: IndexReader,
    writer: Option<IndexWriter>,
    text: Field,
    tokens: Field,
}

fn schema() -> Schema {
    let mut schema = Schema::builder();
    schema.add_text_field("text", STORED);
    let indexing = TextFieldIndexing::default().set_tokenizer(TOKENIZER).set_index_option(IndexRecordOption::WithFreqs);
    schema.add_text_field("tokens", TextOptions::default().set_indexing_options(indexing));
    schema.build()
}

impl Theirs {
    fn new(index: Index) -> Self {
        index.tokenizers().register(TOKENIZER, WhitespaceTokenizer::default());
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().unwrap();
        let field = |name| index.schema().get_field(name).unwrap();
        let (text, tokens) = (field("text"), field("tokens"));
        Self { index, reader, writer: None, text, tokens }
    }

    fn document(&self, text: &str) -> TantivyDocument {
        doc!(self.text => text, self.tokens => text::lexical_form(text).text)
    }

    pub fn segments(&self) -> usize {
        self.reader.searcher().segment_readers().len()
    }

    /// How many texts hold the word.
    pub fn texts_with(&self, word: &str) -> u64 {
        let count =
            |token: &String| self.reader.searcher().doc_freq(&Term::from_field_text(self.tokens, token)).unwrap();
        terms(word).iter().flat_map(|term| &term.tokens).map(count).sum()
    }
}

impl Side for Theirs {
    const NAME: &'static str = "tantivy";

    fn build(folder: &Path, texts: impl Iterator<Item = String>) {
        let theirs = Self::new(Index::create_in_dir(folder, schema()).unwrap());
        let mut writer = theirs.index.writer_with_num_threads(1, BUILD_BYTES).unwrap();
        for text in texts {
            writer.add_document(theirs.document(&text)).unwrap();
        }
        writer.commit().unwrap();
        writer.wait_merging_threads().unwrap();
    }

    fn open(folder: &Path) -> Self {
        Self::new(Index::open_in_dir(folder).unwrap())
    }

    fn search(&self, query: &str) -> Vec<String> {
        let term = |token: &String| -> (Occur, Box<dyn Query>) {
            let term = Term::from_field_text(self.tokens, token);
            (Occur::Should, Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)))
        };
        let terms = terms(query);
        let query = BooleanQuery::new(terms.iter().flat_map(|words| &words.tokens).map(term).collect());
        let searcher = self.reader.searcher();
        let hits = searcher.search(&query, &TopDocs::with_limit(HITS).order_by_score()).unwrap();
        let text = |(_, at)| {
            let document: TantivyDocument = searcher.doc(at).unwrap();
            document.get_first(self.text).and_then(|text| text.as_str()).unwrap().to_owned()
        };
        hits.into_iter().map(text).collect()
    }

    fn capture(&mut self, text: &str) {
        let document = self.document(text);
        let index = &self.index;
        let writer = self.writer.get_or_insert_with(|| index.writer_with_num_threads(1, CAPTURE_BYTES).unwrap());
        writer.add_document(document).unwrap();
        writer.commit().unwrap();
        self.reader.reload().unwrap();
    }
}
