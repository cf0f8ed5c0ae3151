//! Recognises that the deed a thought calls for was done: `paid it` of `Pay the parking fine`.

use super::token::{self, Token};

/// The verbs that `text` asks for, which stand at its start or after `to`.
pub(super) fn asked_of(text: &str) -> Vec<String> {
    let words: Vec<String> = token::tokens(&text[..text.floor_char_boundary(LONGEST_START)])
        .into_iter()
        .filter_map(|token| match token {
            Token::Word { word, .. } => Some(word),
            _ => None,
        })
        .collect();
    let asked = words.iter().enumerate().filter(|(at, _)| *at == 0 || words[at - 1] == "to");
    asked.map(|(_, verb)| verb.clone()).collect()
}

/// Whether `word` is the past of a verb that is asked for.
pub(super) fn is_deed(word: &str, asked: &[String]) -> bool {
    asked.iter().any(|verb| verb != word && is_past_of(word, verb))
}

/// Whether `word` is the deed itself: the `reading` of `finished reading it`.
pub(super) fn is_deed_itself(word: &str, text: &str) -> bool {
    let asked = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    let Some(stem) = word.strip_suffix("ing").filter(|stem| stem.len() > 1) else { return false };
    let doubled = stem.strip_suffix(|last: char| asked.ends_with(last)) == Some(asked.as_str());
    stem == asked || asked.strip_suffix('e') == Some(stem) || doubled
}

/// The same for a verb whose past looks like its present, which only its subject tells: `I read it`.
pub(super) fn is_same_deed(word: &str, text: &str) -> bool {
    let asked = text.split_whitespace().next().unwrap_or_default();
    matches!(word, "read" | "put" | "cut" | "set" | "shut" | "quit" | "let" | "hit") && asked.eq_ignore_ascii_case(word)
}

/// A verb that far into a text is not what the thought is about.
const LONGEST_START: usize = 400;

/// Whether `word` looks like the past of some verb.
pub(super) fn is_past(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ed") || IRREGULAR.iter().any(|(_, past)| past.split(' ').any(|form| form == word))
}

fn is_past_of(word: &str, verb: &str) -> bool {
    if let Some((_, past)) = IRREGULAR.iter().find(|(present, _)| *present == verb) {
        return past.split(' ').any(|form| form == word);
    }
    let Some(stem) = word.strip_suffix("ed").filter(|stem| stem.len() > 1) else {
        return false;
    };
    let doubled = stem.len() > 2
        && stem.ends_with(verb.chars().last().unwrap_or_default())
        && stem.get(..stem.len() - 1) == Some(verb);
    stem == verb
        || verb.strip_suffix('e') == Some(stem)
        || doubled
        || verb.strip_suffix('y').is_some_and(|root| stem.strip_suffix('i') == Some(root))
}

const IRREGULAR: &[(&str, &str)] = &[
    ("pay", "paid"),
    ("buy", "bought"),
    ("send", "sent"),
    ("make", "made"),
    ("write", "wrote written"),
    ("take", "took taken"),
    ("get", "got gotten"),
    ("go", "went gone"),
    ("meet", "met"),
    ("tell", "told"),
    ("give", "gave given"),
    ("find", "found"),
    ("bring", "brought"),
    ("speak", "spoke spoken"),
    ("see", "saw seen"),
    ("choose", "chose chosen"),
    ("run", "ran"),
    ("build", "built"),
    ("sell", "sold"),
    ("teach", "taught"),
    ("hold", "held"),
    ("leave", "left"),
    ("drive", "drove driven"),
    ("fly", "flew flown"),
    ("draw", "drew drawn"),
    ("begin", "began begun"),
    ("eat", "ate eaten"),
    ("drink", "drank drunk"),
    ("catch", "caught"),
    ("feed", "fed"),
    ("hang", "hung"),
    ("keep", "kept"),
    ("lend", "lent"),
    ("ring", "rang rung"),
    ("ship", "shipped"),
    ("sweep", "swept"),
    ("win", "won"),
    ("wake", "woke woken"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_past_of_what_a_thought_asks_for_is_a_deed() {
        for (word, text) in [
            ("paid", "Pay the parking fine"),
            ("booked", "Book a table"),
            ("renewed", "Remember to renew the lease"),
            ("planned", "Plan the trip"),
            ("tidied", "tidy up"),
        ] {
            assert!(is_deed(word, &asked_of(text)), "{word}");
        }
    }

    #[test]
    fn other_verbs_are_not() {
        for (word, text) in [("called", "Pay the parking fine"), ("moved", "Choir moved to Room 4"), ("ed", "e")] {
            assert!(!is_deed(word, &asked_of(text)), "{word}");
        }
    }
}
