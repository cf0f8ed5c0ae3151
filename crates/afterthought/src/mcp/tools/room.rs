//! How much of what was found fits into one answer.

use service::memory::Found;

/// The largest answer that is given, less what is left for everything but whole texts and what they mention.
const BYTES_MAX: usize = 2 * 1024 * 1024 - 256 * 1024;

/// What has been taken of an answer.
#[derive(Debug, Default)]
pub(super) struct Room {
    taken: usize,
}

impl Room {
    /// Takes the room for the whole of a thought; `false` if there is not enough left.
    pub(super) fn take(&mut self, found: &Found) -> bool {
        let connections = found.connections.iter();
        let names = connections.flat_map(|connections| &connections.entities).map(|(name, _)| bytes(name) + NAME_BYTES);
        let needed = self.taken + bytes(found.thought.raw_text.as_str()) + names.sum::<usize>();
        let fits = needed <= BYTES_MAX;
        if fits {
            self.taken = needed;
        }
        fits
    }
}

/// What stands around each name, in both places.
const NAME_BYTES: usize = 80;

/// How many bytes a text takes in an answer, where it stands twice: once in JSON, and once in JSON that is text in JSON.
fn bytes(text: &str) -> usize {
    let of_char = |char: char| match char {
        '"' | '\\' => 2 + 4,
        '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2 + 3,
        '\0'..='\u{1f}' => 6 + 7,
        other => 2 * other.len_utf8(),
    };
    text.chars().map(of_char).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_text_takes_as_much_as_it_was_given_room_for(text in any::<String>()) {
            let once = serde_json::to_string(&text).unwrap();
            let twice = serde_json::to_string(&once).unwrap();
            // Without the quotation marks around each of them.
            prop_assert_eq!(bytes(&text), once.len() - 2 + twice.len() - 6);
        }
    }
}
