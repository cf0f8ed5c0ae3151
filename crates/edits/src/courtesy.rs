//! Takes the courtesies off a request and sees whether it asks for something at all.

use super::{grammar, phrase::Phrase, words::Word};

pub(super) struct Asked<'a, 'r> {
    pub(super) phrase: Phrase<'a, 'r>,
    pub(super) polite: bool,
    pub(super) ends_with_question: bool,
}

/// The request without its courtesies; `None` if it asks, forbids, doubts or sets conditions.
pub(super) fn courtesy<'a, 'r>(phrase: Phrase<'a, 'r>) -> Option<Asked<'a, 'r>> {
    const LEAD: &str = "please|pls|plz|hey|hi|hello|ok|okay|oh|oops|whoops|sorry|actually|also|then|and|just|kindly|well|so|now|\
         no|wait|yes|i want to|i want you to|i'd like to|i'd like you to|i would like to|i would like you to|\
         i need to|i need you to|let's|lets|let us|you can|you should|we need to|we should|you need to|\
         go ahead and|feel free to|the user wants to|the user wants you to|user wants to|the user asked to|\
         the user would like to|the user wants|correction|edit|quick fix|typo|small correction|minor correction|:|\
         ,|!|.|-|–|—|hmm|ah|my bad|small fix|it needs to|simply|once more|again|quick edit|one more thing|thanks|\
         fix|only|after that|before that|next|finally|in the text|in this text|in the thought|in this thought|\
         in this note|in the note|in this memory|in this one";
    const POLITE: &str = "would you mind|can you|could you|would you|will you|can we|could we|can u|could i get you to|\
         may i ask you to";
    const REMARKS: &str = "please and thank you|and nothing else|nothing else|nothing more|leave the rest|leave the rest alone|leave the rest as is|\
         leave the rest as it is|leave the rest unchanged|leave everything else|leave everything else alone|leave everything else as is|\
         leave everything else as it is|leave everything else unchanged|keep the rest|keep the rest as is|keep the rest as it is|\
         keep the rest the same|keep the rest unchanged|keep everything else|keep everything else as is|keep everything else the same|\
         keep everything else as it is|keep everything else unchanged|everything else stays|everything else stays the same|\
         the rest stays|the rest stays the same|the rest stays as it is|the rest is fine|the rest is correct|the rest is ok|\
         otherwise unchanged|otherwise it's fine|don't change anything else|do not change anything else|don't touch the rest|\
         don't touch anything else|do not touch anything else|sorry about that|sorry for that|sorry for the confusion|sorry|\
         my mistake|my bad|it was a typo|that was a typo|typo|(typo)|(sorry)|(my mistake)|(oops)|asap|instead|🙏|🙂|😊|👍|😅|danke|bitte|merci|svp|gracias|por favor|grazie|obrigado|obrigada|bedankt|tack";
    const TRAIL: &str = "please|thanks|thank you|thx|pls|ok|okay|cheers|thank you very much|thanks a lot|many thanks|for me|\
         thank you so much|thanks so much|will you|would you|could you|can you";
    let mut rest = phrase;
    let mut polite = false;
    loop {
        let stripped = rest.strip(POLITE);
        polite |= stripped.is_some();
        // `edit: …` and `fix: …` announce; `edit …` and `fix …` ask.
        let lead = rest
            .strip(LEAD)
            .filter(|after| !matches!(rest.head(), "edit" | "fix" | "typo" | "correction") || after.starts(":"));
        // `update this memory: replace …`
        let announced = rest
            .words
            .iter()
            .take(4)
            .position(|word| word.is(":"))
            .filter(|at| *at > 1 && rest.words[0].is_any("update|edit|modify|change|fix|correct"));
        let announced = announced.map(|at| rest.from(at + 1)).filter(|after| {
            after.words.first().is_some_and(|word| word.is_any(grammar::VERBS)) && after.words.len() > 2
        });
        // `we also tell sales: change "support" to "support and sales"`
        let explained = rest.words.iter().position(|word| word.is(":")).filter(|_| !takes_any_words(rest));
        let explained = explained.map(|at| rest.from(at + 1)).filter(|after| {
            after.words.first().is_some_and(|word| word.is_any("change|replace|rename|swap"))
                && after.find("to|with|by|for").is_some_and(|at| at > 1)
        });
        match stripped.or(lead).or(announced).or(explained) {
            Some(next) => rest = next,
            None => break,
        }
    }
    let ends_with_question = rest.words.last().is_some_and(|word| word.is("?"));
    loop {
        let body = rest.words.iter().rposition(|word| !word.is_any("?|!|.|)|(")).map_or(0, |at| at + 1);
        let ended = rest.to(body);
        let remark = ended.strip_end(REMARKS).filter(|before| before.words.len() > 2 && !takes_any_words(*before));
        if let Some(before) = remark {
            let joint = |word: &Word<'_>| word.is_mark() || word.is_any("and|but|-|–|—|(|so");
            rest = before.to(before.words.iter().rposition(|word| !joint(word)).map_or(0, |at| at + 1));
            continue;
        }
        match ended.strip_end(TRAIL).filter(|before| !before.unmarked().is_empty()) {
            Some(before) if !before.words.last().is_some_and(|word| word.is(":")) => {
                polite |= ["please", "ok", "will", "would", "could", "can", "thanks"]
                    .iter()
                    .any(|word| ended.words[before.words.len()..].iter().any(|end| end.is(word)));
                rest = before.to(before.words.iter().rposition(|word| !word.is_mark()).map_or(0, |at| at + 1));
            }
            _ => break,
        }
    }
    if ends_with_question && rest.words.last().is_some_and(|word| word.is("?")) && polite {
        rest = rest.to(rest.words.len() - 1);
    }
    let refuses: &str = "don't|dont|do|never|stop|if|when|once|unless|until|after|before|as soon|maybe|perhaps|probably|possibly|\
         i think|i guess|i believe|i might|might|what|why|how|who|which|where|whose|is|are|was|were|did|does|\
         should i|should we|should it|shall|has|have you|have i|have we|had|may|can|could|would|will|should this|\
         should the|shouldn't|isn't|wasn't|aren't|didn't|doesn't|won't|tomorrow|next week|later";
    // `after Friday add …` is a place, not a time.
    let places = rest.starts("after") || rest.starts("before");
    let adds = rest.words.iter().skip(2).take(8).any(|word| word.is_any("add|insert|put|write"));
    let counts =
        rest.strip("once").is_some_and(|after| after.strip("a|an|daily|weekly|monthly|per|every|each").is_some());
    let arrow = rest.words.iter().take(4).any(|word| word.is_arrow());
    // What is unsure of itself is no request.
    let doubted = rest.strip_end("maybe|perhaps|possibly|i think|i guess|probably|or so").is_some()
        && !takes_any_words(rest)
        && rest.words.first().is_some_and(|word| word.is_any(grammar::VERBS));
    if doubted {
        return None;
    }
    let asks_still = arrow || counts || places && adds || rest.starts("where it says");
    let refused = !asks_still && rest.strip(refuses).is_some();
    (!refused && !rest.is_empty()).then_some(Asked { phrase: rest, polite, ends_with_question })
}

/// Whether a command takes whatever words follow it.
pub(super) fn takes_any_words(phrase: Phrase<'_, '_>) -> bool {
    matches!(phrase.head(), "append" | "prepend" | "reword" | "rephrase" | "rewrite" | "add" | "insert" | "new")
        || phrase.find("say|read|text|everything").is_some()
}
