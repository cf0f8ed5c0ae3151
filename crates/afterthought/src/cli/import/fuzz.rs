//! Lines no export has: each is taken in or refused.

use fuzz::Target;
use store::Piece;

use super::own::check_header;
use crate::transfer::Record;

const WORDS: &[&str] = &[
    "\"type\":\"thought\",",
    "\"type\":\"key\",",
    "\"type\":\"account\",",
    "\"type\":\"end\",",
    "\"revisions\":[",
    "\"notes\":[",
    "\"number\":",
    "\"sha256\":\"",
    "\"captured_at\":\"",
    "\"kind\":\"undo\"",
    "\"author\":\"user\"",
    "\"agent_name\":null",
    "9999-12-31T00:00:00Z",
];

#[test]
fn any_line_is_taken_in_or_refused() {
    Target::new("import-lines", &["import"]).words(WORDS).try_bytes(|line| {
        let header = check_header(line).map_err(|error| error.to_string().len()).is_ok();
        let read = match serde_json::from_slice::<Record>(line) {
            Ok(Record::Account(record)) => record.into_account().map(|_| "account".to_owned()),
            Ok(Record::Key(record)) => record.into_key().map(|_| "key".to_owned()),
            Ok(Record::Thought(record)) => record.into_pieces().map(|(_, pieces)| {
                for piece in &pieces {
                    let Piece::Thought(thought) = piece else { continue };
                    for time in [thought.created_at, thought.captured_at, thought.updated_at] {
                        assert_eq!(time.to_string().parse(), Ok(time), "what is taken in can be shown");
                    }
                }
                format!("thought {}", pieces.len())
            }),
            Ok(Record::Revision(record)) => record.into_piece().map(|_| "revision".to_owned()),
            Ok(Record::Note(record)) => record.into_piece().map(|_| "note".to_owned()),
            Ok(Record::End(counts)) => Ok(format!("end {}", counts.keys % 8)),
            Err(error) => return (header, error.to_string().chars().take(24).collect()),
        };
        (header, read.unwrap_or_else(|invalid| invalid.to_string().chars().take(40).collect()))
    });
}
