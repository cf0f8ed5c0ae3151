//! Answers no language model should give: each is read or is none.

use fuzz::Target;

use super::answer::{Answer, read};

#[test]
fn any_answer_of_a_model_is_read_or_is_none() {
    Target::new("adviser-answers", &["answers", "mcp"])
        .words(&["{\"text\":\"", "\"refusal\":", "</think>", "```"])
        .try_text(|reply| match read(reply) {
            Ok(Answer::Change { text, status }) => format!("{} {status:?}", text.is_some()),
            Ok(Answer::Refusal(reason)) => format!("{}", reason.is_empty()),
            Err(reason) => reason.to_owned(),
        });
}
