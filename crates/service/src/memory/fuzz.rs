//! Edit requests nobody would write: each is carried out or refused.

use std::time::Duration;

use edits::{Change, interpret};
use fuzz::Target;
use model::Status;

/// Words that the rules look for.
const WORDS: &[&str] = &[
    "\n\n",
    " replace ",
    " with ",
    " change ",
    " to ",
    " delete ",
    "remove ",
    " add ",
    " at the end",
    "append ",
    "mark as done",
    "archive",
    "reopen",
    "undo",
    "redo",
    " and ",
    ", then ",
    " the ",
    " last ",
    " first ",
    " word ",
    " sentence",
    "every ",
    " all ",
    " not ",
    "don't ",
    " after ",
    " before ",
    "insert ",
    "it is ",
    " instead of ",
    "capitalise ",
    "spell ",
    "list",
    "please ",
    "'a'",
    "\"b\"",
];

/// The rules take time that grows faster than a request, so that only short ones are tried, and given more time.
const REQUEST_BYTES: usize = 128;
const TIME_PER_BYTE: Duration = Duration::from_millis(5);

/// The text of a thought and a request, parted by an empty line.
#[test]
fn any_edit_request_is_carried_out_or_refused() {
    Target::new("edits", &["edits"]).words(WORDS).up_to(REQUEST_BYTES).allowing(TIME_PER_BYTE).try_text(|input| {
        let (text, request) = input.split_once("\n\n").unwrap_or((input, input));
        match interpret(text, Status::Open, request) {
            Ok(Change::Edit { text, status }) => {
                assert!(text.is_some() || status.is_some());
                format!("{} {status:?}", text.is_some())
            }
            Ok(change) => format!("{change:?}"),
            Err(refusal) => format!("{:?}", std::mem::discriminant(&refusal)),
        }
    });
}
