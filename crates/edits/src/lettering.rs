//! Reads how letters and spaces are to be written: `make it uppercase`, `trim whitespace`.

use super::{
    command::{Command, Letters, Operand, Space},
    phrase::Phrase,
    words::Word,
};

/// Words for the size of letters, with small words that go with them.
pub(super) fn letters(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    const NAMED: &[(&str, Letters)] = &[
        ("first letter of each word", Letters::Title),
        ("first letter of every word", Letters::Title),
        ("first letters of each word", Letters::Title),
        ("each word", Letters::Title),
        ("every word", Letters::Title),
        ("all words", Letters::Title),
        ("all the words", Letters::Title),
        ("title case", Letters::Title),
        ("titlecase", Letters::Title),
        ("sentence case", Letters::Sentence),
        ("first letter lowercase", Letters::FirstLower),
        ("first letter", Letters::First),
        ("first word", Letters::First),
        ("first character", Letters::First),
        ("a capital letter", Letters::First),
        ("a capital", Letters::First),
        ("uppercase letter", Letters::First),
        ("all caps", Letters::Upper),
        ("all uppercase", Letters::Upper),
        ("uppercase", Letters::Upper),
        ("upper case", Letters::Upper),
        ("upper-case", Letters::Upper),
        ("capital letters", Letters::Upper),
        ("block letters", Letters::Upper),
        ("capitals", Letters::Upper),
        ("caps", Letters::Upper),
        ("lowercase", Letters::Lower),
        ("lower case", Letters::Lower),
        ("lower-case", Letters::Lower),
        ("small letters", Letters::Lower),
        ("capitalize", Letters::First),
        ("capitalise", Letters::First),
        ("capitalized", Letters::First),
        ("capitalised", Letters::First),
    ];
    const AROUND: &str = "make|it|this|that|the|text|thought|everything|whole|to|in|into|convert|change|turn|put|write|letters|\
         letter|case|be|entire|thing|should|note|of|as|all|capitalize|capitalise|uppercase|lowercase|start|begin|\
         with|capitalized|capitalised|use|set|word|words|sentence|a|please|only|first|an|its|needs|fully|full|is|\
         capital|content|set|transform";
    // `Sarah with a capital S`.
    if let Some(at) = phrase.find("with a capital|with capital").filter(|at| *at > 0)
        && phrase.words.len() <= at + 5
        && !phrase.words[0].is_any(AROUND)
    {
        let words = phrase.to(at).operand()?;
        return Some(vec![Command::Write { letters: Letters::First, words: Some(words) }]);
    }
    let (name, kind) = NAMED.iter().find(|(name, _)| phrase.find(name).is_some())?;
    let at = phrase.find(name)?;
    let length = name.split(' ').count();
    let rest: Vec<&Word<'_>> = phrase
        .words
        .iter()
        .enumerate()
        .filter(|(index, word)| (*index < at || *index >= at + length) && !word.is_mark() && !word.is_any(AROUND))
        .map(|(_, word)| word)
        .collect();
    let verb = phrase.words.first().is_some_and(|word| {
        word.is_any(
            "make|convert|change|turn|put|write|capitalize|capitalise|uppercase|lowercase|start|begin|use|set|it|\
             this|title|sentence|upper|lower|all|caps|the|transform|first",
        )
    });
    if !verb {
        return None;
    }
    let lowers = phrase.find("lowercase|lower case").is_some();
    let kind = match kind {
        Letters::First if lowers => Letters::FirstLower,
        // `capitalize everything` asks for more than one letter.
        Letters::First if phrase.find("everything|all|all of it|the whole|the entire").is_some() => Letters::Upper,
        kind => *kind,
    };
    match rest.as_slice() {
        [] => Some(vec![Command::Write { letters: kind, words: None }]),
        words => {
            let contiguous = words.windows(2).all(|pair| phrase.request[pair[0].end..pair[1].start].trim().is_empty());
            let quoted = words.len() == 1 && words[0].quoted;
            let text = if quoted { words[0].raw } else { &phrase.request[words[0].start..words[words.len() - 1].end] };
            let first = *name == "first letter" || *name == "first word" || *name == "first character";
            (contiguous && (!first || words.len() == 1))
                .then(|| vec![Command::Write { letters: kind, words: Some(Operand { text: text.to_owned(), quoted }) }])
        }
    }
}

/// `trim whitespace`, `remove the extra spaces`.
pub(super) fn space(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    const WORDS: &str = "trim|strip|remove|delete|clean|up|fix|collapse|the|extra|double|doubled|trailing|leading|unnecessary|\
         surrounding|superfluous|redundant|white|space|spaces|whitespace|whitespaces|blanks|blank|empty|lines|line|\
         all|any|it|from|at|end|start|beginning|and|around|text|of|this|spacing|in|multiple|thought|normalize";
    let named = phrase.words.iter().any(|word| word.is_any("space|spaces|whitespace|whitespaces|blanks|spacing"));
    let lines = phrase.find("blank lines|empty lines|blank line|empty line").is_some();
    let bare = phrase.head() == "trim" && phrase.is_only("trim|it|this|the|text|thought");
    if !phrase.is_only(WORDS) || !(named || lines || bare) {
        return None;
    }
    let has = |words: &str| phrase.find(words).is_some();
    let (ends, starts) = (has("trailing|at the end|from the end"), has("leading|at the start|at the beginning"));
    Some(vec![Command::Trim(match (lines, ends, starts) {
        (true, false, false) => Space::BlankLines,
        (_, true, false) => Space::AtEnd,
        (_, false, true) => Space::AtStart,
        _ => Space::Everywhere,
    })])
}
