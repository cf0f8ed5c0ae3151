//! Reads what is said about spelling: `fix the typo`, `it's spelled X`.

use super::{
    changing,
    command::{Command, Which},
    phrase::Phrase,
    statement,
};

/// `fix the typo`, `it's spelled X`.
pub(super) fn spelling(phrase: Phrase<'_, '_>) -> Option<Vec<Command>> {
    const TYPO: &str = "the typos|the typo|a typo|typos|typo|the spelling mistakes|the spelling mistake|the spelling errors|\
         the spelling error|the spelling|spelling|the misspelling|the misspellings|spelling mistakes|my typo|\
         my typos|any typos|all typos|all the typos|the misspelled word|my spelling|the obvious typo|obvious typos";
    let told = phrase.strip("fix|correct|there is|there's|repair");
    if let Some(rest) = told.and_then(|rest| rest.strip(TYPO)) {
        let rest = rest
            .strip_end("in the text|in this thought|in it|in the thought|in there|in this|in the note")
            .unwrap_or(rest);
        if rest.unmarked().is_empty() {
            return Some(vec![Command::FixTypos { word: None }]);
        }
        let rest = rest.strip("in|of|for|:|,|on").unwrap_or(rest);
        if let Some(commands) = statement::commands(rest).or_else(|| {
            changing::change(rest, "to|into|->|→|=>|with", "change").filter(|commands| *commands != [Command::Vague])
        }) {
            return Some(commands.into_iter().map(everywhere).collect());
        }
        // The word as it stands, or as it should: `fix the spelling of keyboard`.
        return rest
            .operand()
            .map(|word| vec![Command::FixTypos { word: Some(word.clone()) }, Command::Spell { right: word }]);
    }
    let spelled = "it's spelled|it is spelled|its spelled|it's spelt|it is spelt|spelled|spelt|the correct spelling is|\
         correct spelling is|correct spelling|the right spelling is|the spelling is|it's written|spell it as|spell it|should be spelled|\
         it should be spelled";
    let rest = phrase.strip(spelled)?;
    let right = rest.strip(":").unwrap_or(rest);
    let right = right
        .find("with a|with an|with the|with one|with two|without")
        .filter(|at| *at > 0)
        .map_or(right, |at| right.to(at));
    if right.find("not").is_some() {
        return statement::commands(right).map(|commands| commands.into_iter().map(everywhere).collect());
    }
    right.operand().map(|right| vec![Command::Spell { right }])
}

/// A misspelling is wrong wherever it stands.
fn everywhere(command: Command) -> Command {
    match command {
        Command::Change { old, new, which: Which::Only } => Command::Change { old, new, which: Which::Every },
        Command::Replace { old, new, which: Which::Only } => Command::Replace { old, new, which: Which::Every },
        other => other,
    }
}
