//! Cuts a request into plain words and the marks between them.
//!
//! Words come out folded: lower case, no accents, contractions spelt out (`isn't` and `isnt` are `is not`), signs that
//! stand for a word replaced by it (`✅` is `done`). What is left of case, quotes and markdown no longer matters.

use unicode_normalization::UnicodeNormalization;

/// A word or a mark of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A folded word, and whether it stood in quotation marks.
    Word { word: String, quoted: bool },
    /// A mark that ends a clause: `,`, `.`, `?` and the like.
    Mark(char),
    /// A colon, an equals sign or an arrow, which sets something to something.
    Sets,
}

/// Words of a request, in order.
pub(super) fn tokens(request: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut word = String::new();
    let mut quote: Option<char> = None;
    let folded: Vec<char> = fold(request).chars().collect();
    for (at, &c) in folded.iter().enumerate() {
        let before = at.checked_sub(1).map(|index| folded[index]);
        let after = folded.get(at + 1).copied();
        let inside = before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric);
        if c.is_alphanumeric() || (c == '\'' && inside && quote != Some('\'')) || c == '%' {
            word.push(c);
            continue;
        }
        // A hyphen only glues prefixes: `re-open` is one word, `to-do` two.
        if c == '-' && inside {
            if !matches!(word.as_str(), "re" | "un" | "de") {
                finish(&mut out, &mut word, quote.is_some());
            }
            continue;
        }
        finish(&mut out, &mut word, quote.is_some());
        match c {
            '"' | '\'' | '`' if quote == Some(c) => quote = None,
            '"' | '\'' | '`' if quote.is_none() && !inside => quote = Some(c),
            ',' | '.' | '!' | '?' | ';' | '(' | ')' | '\n' | '…' | '、' | '。' => out.push(Token::Mark(c)),
            '-' | '–' | '—' if after == Some('>') => {}
            '-' | '–' | '—' => out.push(Token::Mark('-')),
            '>' if matches!(before, Some('-' | '–' | '=')) => out.push(Token::Sets),
            '=' if after == Some('>') => {}
            ':' | '=' | '→' | '⇒' => out.push(Token::Sets),
            _ => out.extend(sign(c).map(|word| Token::Word { word: word.to_owned(), quoted: false })),
        }
    }
    finish(&mut out, &mut word, quote.is_some());
    checkbox(out, request)
}

/// Lower case, without accents, with one kind of apostrophe and quotation mark.
///
/// Not [`text::fold`]: that leaves quotation marks apart, at which requests are cut, and makes more letters one, such as ø and o,
/// by which words that are no commands would become some.
pub(super) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(text.len());
    // Only the accents of European scripts go: dropping every mark would turn the Japanese `だ` into `た`.
    let bare = text.nfkd().filter(|c| !matches!(c, '\u{300}'..='\u{36f}' | '\u{fe0f}' | '\u{200d}'));
    for c in bare.nfc().flat_map(char::to_lowercase) {
        match c {
            'ß' => out.push_str("ss"),
            '’' | '‘' | '´' | 'ʼ' => out.push('\''),
            '“' | '”' | '„' | '«' | '»' | '「' | '」' => out.push('"'),
            _ => out.push(c),
        }
    }
    out
}

/// The word a sign stands for; `None` for decoration.
fn sign(c: char) -> Option<&'static str> {
    match c {
        '✅' | '☑' | '✔' | '✓' => Some("done"),
        '🗑' => Some("archive"),
        '↩' | '↶' | '⎌' => Some("undo"),
        '↪' | '↷' => Some("redo"),
        '❌' | '✗' | '✘' | '❎' => Some("❌"),
        _ => None,
    }
}

/// A request that is a markdown checkbox says only whether the box is ticked.
fn checkbox(tokens: Vec<Token>, request: &str) -> Vec<Token> {
    let word = match request.trim().trim_start_matches(['-', '*', ' ']) {
        "[x]" | "[X]" => "done",
        "[ ]" | "[]" => "reopen",
        _ => return tokens,
    };
    vec![Token::Word { word: word.to_owned(), quoted: false }]
}

/// Ends the word that was being read, spelling out its contractions.
fn finish(out: &mut Vec<Token>, word: &mut String, quoted: bool) {
    let word = std::mem::take(word);
    let word = word.trim_matches('\'');
    if word.is_empty() {
        return;
    }
    let mut push = |word: &str| out.push(Token::Word { word: word.to_owned(), quoted });
    if let Some((_, spelt)) = SPELT_OUT.iter().find(|(short, _)| *short == word) {
        return spelt.split(' ').for_each(push);
    }
    for (ending, spelt) in ENDINGS {
        if let Some(stem) = word.strip_suffix(ending) {
            push(stem);
            return push(spelt);
        }
    }
    // French drops a vowel before another: `c'est`, `n'est`, `d'actualite`.
    match word.split_once('\'') {
        Some((stem, rest)) if stem.len() <= 2 => {
            push(stem);
            push(rest);
        }
        _ => push(word.strip_suffix("'s").unwrap_or(word)),
    }
}

/// Contractions whose stem changes, and those written without their apostrophe.
const SPELT_OUT: &[(&str, &str)] = &[
    ("won't", "will not"),
    ("wont", "will not"),
    ("can't", "can not"),
    ("cant", "can not"),
    ("cannot", "can not"),
    ("shan't", "will not"),
    ("isnt", "is not"),
    ("arent", "are not"),
    ("wasnt", "was not"),
    ("werent", "were not"),
    ("dont", "do not"),
    ("doesnt", "does not"),
    ("didnt", "did not"),
    ("havent", "have not"),
    ("hasnt", "has not"),
    ("hadnt", "had not"),
    ("shouldnt", "should not"),
    ("couldnt", "could not"),
    ("wouldnt", "would not"),
    ("ain't", "is not"),
    ("aint", "is not"),
    ("its", "it is"),
    ("thats", "that is"),
    ("ive", "i have"),
    ("im", "i am"),
    ("weve", "we have"),
    ("theyve", "they have"),
    ("let's", "let us"),
    ("lets", "let us"),
    ("gonna", "going to"),
    ("wanna", "want to"),
    ("gotta", "have to"),
    ("pls", "please"),
    ("plz", "please"),
    ("thx", "thanks"),
    ("ty", "thanks"),
    ("what's", "what is"),
    ("it's", "it is"),
    ("that's", "that is"),
    ("this's", "this is"),
    ("there's", "there is"),
    ("he's", "he is"),
    ("she's", "she is"),
    ("everything's", "everything is"),
    ("all's", "all is"),
    ("y'all", "you"),
];

/// Endings that are words of their own.
const ENDINGS: &[(&str, &str)] =
    &[("n't", "not"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'d", "would"), ("'m", "am")];

#[cfg(test)]
mod tests {
    use super::*;

    fn words(request: &str) -> String {
        let text = tokens(request).into_iter().map(|token| match token {
            Token::Word { word, .. } => word,
            Token::Mark(mark) => mark.to_string(),
            Token::Sets => "=".to_owned(),
        });
        text.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn contractions_are_spelt_out_with_any_apostrophe_or_none() {
        assert_eq!(words("Isn’t isn't ISNT"), "is not is not is not");
        assert_eq!(words("I've we’ll they're"), "i have we will they are");
    }

    #[test]
    fn accents_and_case_do_not_matter() {
        assert_eq!(words("Rückgängig TERMINÉ não"), "ruckgangig termine nao");
    }

    #[test]
    fn signs_become_words() {
        assert_eq!(words("✅"), "done");
        assert_eq!(words("status -> done"), "status = done");
        assert_eq!(words("- [x]"), "done");
    }

    #[test]
    fn quotes_are_dropped_but_remembered() {
        assert_eq!(tokens("'done'"), [Token::Word { word: "done".to_owned(), quoted: true }]);
    }

    #[test]
    fn japanese_keeps_its_voicing_marks() {
        assert_eq!(words("まだ"), "まだ");
    }
}
