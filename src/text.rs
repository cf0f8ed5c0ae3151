//! Pure functions on text. (placeholder while the analyser is being written)

/// tokens
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LexicalForm {
    pub text: String,
    pub words: u32,
}
pub fn lexical_form(text: &str) -> LexicalForm {
    let words: Vec<String> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(|w| w.to_lowercase()).collect();
    LexicalForm { words: words.len() as u32, text: words.join(" ") }
}
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryTerm {
    pub surface: String,
    pub tokens: Vec<String>,
    pub kind: TermKind,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermKind {
    Word,
    FunctionWord,
    Part,
    Whole,
    Gram,
}
pub fn query_terms(query: &str) -> Vec<QueryTerm> {
    lexical_form(query)
        .text
        .split(' ')
        .filter(|w| !w.is_empty())
        .map(|w| QueryTerm { surface: w.into(), tokens: vec![w.into()], kind: TermKind::Word })
        .collect()
}
pub fn one_typo_variants(_term: &QueryTerm) -> Vec<String> {
    vec![]
}
pub struct Wanted<'a> {
    pub tokens: &'a [String],
    pub weight: f32,
}
pub fn snippet(text: &str, _wanted: &[Wanted<'_>], max_chars: usize) -> String {
    text.chars().take(max_chars).collect()
}
