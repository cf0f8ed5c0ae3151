//! The words for what the rules refuse, with the names of the tools and their arguments.
//!
//! Every sentence says what is wrong and what is allowed, so that a model can correct itself without asking its user.

use model::ThoughtText;
use service::memory::Refusal;

/// The sentence for a refusal.
pub(super) fn sentence(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NoSuchThought(id) => {
            format!("no thought `{id}`: use an id that capture_thought or retrieve_thoughts returned")
        }
        Refusal::KeyPrefixTooShort { chars_min } => format!(
            "`author` is the beginning of a key, at least {chars_min} characters of it; leave it out to use your own key"
        ),
        Refusal::KeyPrefixAmbiguous { prefix, chars_max } => {
            format!("`author` `{prefix}` fits several keys of this account: give more characters, up to {chars_max}")
        }
        Refusal::KeyPrefixUnknown { prefix } => {
            format!("`author` `{prefix}` fits no active key of this account: leave it out to use your own key")
        }
        Refusal::QueryTooLong { bytes_max } => {
            format!("`query` has at most {bytes_max} bytes: ask a shorter question")
        }
        Refusal::CursorWithSearch => {
            "`cursor_created_at` and `cursor_id` page through browsing, not through a search: leave them out and raise \
             `top_k`, or leave out `query`"
                .to_owned()
        }
        Refusal::NothingToChange => {
            "give `edit_request` (for example \"mark as done\") or `raw_text` (the whole new text)".to_owned()
        }
        Refusal::RequestTooLong { bytes_max } => format!("`edit_request` has at most {bytes_max} bytes"),
        Refusal::TextChangedTwice => {
            "`edit_request` would change the text that `raw_text` replaces: give only one of them".to_owned()
        }
        Refusal::RequestRefused { by_rules, by_adviser: None, text } => format!("{by_rules}; {}", otherwise(text)),
        Refusal::RequestRefused { by_rules, by_adviser: Some(advice), text } => {
            format!("{by_rules}; {advice}; {}", otherwise(text))
        }
        Refusal::NothingToUndo => "there is nothing to undo: no change of this thought is left to take back".to_owned(),
        Refusal::NothingToRedo => "there is nothing to redo: the last change was not an undo".to_owned(),
        Refusal::Contended => "the thought is being changed by others at the same time: try again".to_owned(),
        Refusal::Invalid(invalid) => invalid.to_string(),
    }
}

/// The way that always works, with the text that the whole new one is made from.
fn otherwise(text: &ThoughtText) -> String {
    let text = text.as_str();
    let end = text.char_indices().nth(SHOWN_CHARS_MAX).map_or(text.len(), |(at, _)| at);
    // On one line, whatever lines the text has.
    let shown = serde_json::Value::from(&text[..end]);
    match end < text.len() {
        false => format!("or send `raw_text` with the whole new text; the text now is {shown}"),
        true => format!(
            "or send `raw_text` with the whole new text; the text now begins {shown} and is cut here: do not make \
             `raw_text` from this, but from what retrieve_thoughts returns with `detail` full"
        ),
    }
}

/// More of a text is not worth the tokens.
const SHOWN_CHARS_MAX: usize = 2_000;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use service::adviser::AdviceError;

    use super::*;
    use crate::mcp::{Tool, definitions};

    fn every_refusal() -> Vec<Refusal> {
        let unclear = edits::Refusal::Unclear;
        let text = ThoughtText::new("Call Sam\nand Ana".to_owned()).unwrap();
        vec![
            Refusal::NoSuchThought("0197c1a2-7b3c-7def-8123-456789abcdef".parse().unwrap()),
            Refusal::KeyPrefixTooShort { chars_min: 8 },
            Refusal::KeyPrefixAmbiguous { prefix: "aft_3kT9".into(), chars_max: 10 },
            Refusal::KeyPrefixUnknown { prefix: "aft_3kT9".into() },
            Refusal::QueryTooLong { bytes_max: 65_536 },
            Refusal::CursorWithSearch,
            Refusal::NothingToChange,
            Refusal::RequestTooLong { bytes_max: 69_632 },
            Refusal::TextChangedTwice,
            Refusal::RequestRefused { by_rules: unclear.clone(), by_adviser: None, text: text.clone() },
            Refusal::RequestRefused {
                text,
                by_rules: unclear,
                by_adviser: Some(AdviceError::Unusable("it would change nothing")),
            },
            Refusal::NothingToUndo,
            Refusal::NothingToRedo,
            Refusal::Contended,
            Refusal::Invalid(model::Invalid::new("the text is empty: give at least one character")),
        ]
    }

    #[test]
    fn every_refusal_is_one_lowercase_sentence() {
        for refusal in every_refusal() {
            let sentence = sentence(&refusal);
            assert!(sentence.starts_with(|c: char| c.is_lowercase() || c == '`'), "{sentence}");
            assert!(!sentence.ends_with('.') && !sentence.contains('\n') && !sentence.contains("  "), "{sentence}");
        }
    }

    #[test]
    fn a_refused_request_is_told_the_text_or_that_it_is_cut() {
        let refused = |text: String| {
            let text = ThoughtText::new(text).unwrap();
            sentence(&Refusal::RequestRefused { by_rules: edits::Refusal::Unclear, by_adviser: None, text })
        };
        assert!(refused("Call Sam".into()).ends_with("the text now is \"Call Sam\""));
        assert!(!refused("é".repeat(2_000)).contains("is cut"));
        let long = refused("é".repeat(2_001));
        assert!(long.contains("is cut here") && long.len() < 4_500, "{long}");
    }

    #[test]
    fn a_refusal_names_only_tools_and_arguments_there_are() {
        let arguments = definitions().iter().filter_map(|tool| tool.input_schema.get("properties")?.as_object());
        let mut known: BTreeSet<&str> =
            arguments.flat_map(|properties| properties.keys()).map(String::as_str).collect();
        known.extend(Tool::ALL.map(Tool::name));
        for refusal in every_refusal() {
            let sentence = sentence(&refusal);
            let words = sentence.split(|c: char| !c.is_ascii_lowercase() && c != '_').filter(|word| word.contains('_'));
            // The beginning of a key.
            for word in words.filter(|word| *word != "aft_") {
                assert!(known.contains(word), "{word} in {sentence}");
            }
        }
    }
}
