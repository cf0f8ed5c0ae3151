//! Reads what is asked of the last change: to take it back, or to make it again.
//!
//! `undo that` and `bring back what you just undid` are made of a few dozen words. A clause is understood if it has no
//! others, since any other word may name a part of the text: `bring back the part about the dog`.

use super::{
    asked::{Joint, cut, is_statement, ready},
    page::{Page, key},
    phrase::Phrase,
    reading::Goal,
    words::{self, Word},
};

/// What `request` asks of the last change of a text; `None` if it is not about that alone.
pub(super) fn goal(page: &Page, request: &str) -> Option<Goal> {
    if request.len() > LONGEST {
        return None;
    }
    let words = words::words(request);
    let mut goal = None;
    for piece in cut(Phrase { request, words: &words }) {
        let reason = piece.joint == Joint::Because;
        let piece = piece.phrase;
        // `Revert that, the plumber comes on Thursday instead`: a change that is wanted as well.
        if !reason && piece.words.iter().any(|word| word.is_any("instead|should")) {
            return None;
        }
        match (clause(page, piece), goal) {
            (Some(own), None) => goal = Some(own),
            (Some(own), Some(other)) if own == other => {}
            (None, _) if reason || is_statement(ready(piece)) || piece.is_only(ASIDES) => {}
            _ => return None,
        }
    }
    goal
}

/// Nobody needs more to say that.
const LONGEST: usize = 200;

/// What may stand beside it.
const ASIDES: &str = "oops|whoops|hm|hmm|oh|ah|no|nope|sorry|wait|ok|okay|thanks|please|actually|never|mind|nevermind|i.e.|again|back|\
     i|was|wrong|my|mistake|bad|step|once|one|forget|that|it";

/// Verbs that say it by themselves.
const UNDO: &str = "undo|revert|reverse|rollback|unsend";
const REDO: &str = "redo|reapply|re-apply";

/// Verbs that say it with what they bring back.
const BRING: &str = "restore|reinstate|bring|put|give|get|take|roll|return|reset|go|set|apply|do|make|change|switch|turn|scratch|discard";

/// How something is called that was taken back.
const UNDONE: &str = "undid|undone|undo|reverted|revert|reversed|reverse|took|taken|take|rolled";

/// What is changed.
const CHANGE: &str = "change|edit|modification|update|correction|revision|amendment|alteration";

/// A form of the text that was there before.
const FORM: &str = "version|wording|text|state|form|phrasing";

const BEFORE: &str = "previous|prior|old|earlier|former|before|was|were|preceding";

/// All that may stand beside these.
const SMALL: &str = "the|that|this|it|its|your|my|our|last|latest|most|recent|made|did|from|of|to|in|on|with|is|had|has|have|been|you|i|\
     we|me|us|a|an|what|which|how|way|as|like|note|thought|entry|memory|record|one|thing|here|just|now|ago|moment|minute|second|few|\
     minutes|while|again|once|more|back|please|away|said|looked|read|so|right|after|all|part|be|can|should|could|may|i.e.|for|changed|edited";

/// What one clause asks for.
fn clause(page: &Page, piece: Phrase<'_, '_>) -> Option<Goal> {
    let asked = ready(piece).unmarked();
    let asked = asked.strip_end("please|thanks|for me").unwrap_or(asked).unmarked();
    let words = asked.words;
    let known = |word: &Word<'_>| {
        !word.quoted && [UNDO, REDO, BRING, UNDONE, CHANGE, FORM, BEFORE, SMALL].iter().any(|list| word.is_any(list))
    };
    let [verb, rest @ ..] = words else { return None };
    if !words.iter().all(known) {
        return None;
    }
    let has = |list: &str| rest.iter().any(|word| word.is_any(list));
    let is_back = has("back") || verb.is_any("restore|reinstate|return|reset|scratch|discard");
    // `the change I undid`, `what was just undone`, `before the undo`.
    let undone = rest.iter().enumerate().find(|(_, word)| word.is_any(UNDONE)).is_some_and(|(at, word)| {
        let said = rest[..at].iter().any(|word| word.is_any("i|you|we|was|is|been|that|just|had|what|which|before"))
            || rest.get(at + 1).is_some_and(|next| next.is_any(CHANGE));
        said && (!word.is_any("took|taken|take|rolled") || rest[at..].iter().any(|word| word.is_any("back|away")))
    });
    if verb.is_any(REDO) {
        // `redo the undo` may mean either.
        return (undone || !has(UNDONE)).then_some(Goal::Redo);
    }
    if verb.is_any(UNDO) {
        // `the edit before the last one`, `my second edit`
        let is_another = has("before") || has("second") && !has("ago");
        return (!has(UNDONE) && !has(REDO) && !is_another).then_some(Goal::Undo);
    }
    if !verb.is_any(BRING) {
        return None;
    }
    if undone {
        return (is_back || verb.is_any("apply|do|make") && has("again|once")).then_some(Goal::Redo);
    }
    if has(UNDONE) || has(REDO) || has("again") {
        return None;
    }
    let takes_back = verb.is_any("take|roll|scratch|discard") && has(CHANGE) && is_back;
    // `switch back to the old version`, of a text on versions.
    let tells_of_forms = || rest.iter().any(|word| word.is_any(FORM) && page.has(&key(word.raw)));
    if tells_of_forms() && !has("note|thought|entry|memory|record|edit|change|changed|edited") {
        return None;
    }
    (takes_back || is_back && has(BEFORE) && (has(FORM) || has(CHANGE) || has("how|way|what|like|as")))
        .then_some(Goal::Undo)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        Page::read("The roof is quoted at 8,000, the dog walker comes on Tuesdays.")
    }

    #[test]
    fn what_was_taken_back_is_made_again() {
        for request in [
            "Redo the change you just reverted.",
            "Redo what you just undid.",
            "Please redo the change I reverted just now.",
            "Put the last thing back that I undid a moment ago.",
            "Bring back the edit I just took away.",
            "Bring back the version I had before the undo.",
            "Reapply the change I had you undo.",
            "Hm, restore what I just undid.",
            "Do the last reverted edit again.",
            "Apply the edit again that I had you take back.",
            "Restore what you just undid, please – the new date was right after all.",
            "Kindly reapply the change you have just undone, I was wrong to have it taken back.",
        ] {
            assert_eq!(goal(&page(), request), Some(Goal::Redo), "{request}");
        }
    }

    #[test]
    fn the_last_change_is_taken_back() {
        for request in [
            "Undo that.",
            "Never mind, bring the old version of this note back.",
            "Put back what the note said before you changed it a moment ago.",
            "Whoops, can you take back that edit from just now?",
            "Actually scratch my last edit.",
            "Take back the edit you made a minute ago.",
            "Restore the version from before your last change.",
            "Please take back the last modification made to this thought; it was based on a misunderstanding.",
            "Forget that, put it back the way it was before my last change.",
        ] {
            assert_eq!(goal(&page(), request), Some(Goal::Undo), "{request}");
        }
    }

    #[test]
    fn what_names_anything_else_is_not_about_the_last_change() {
        for request in [
            "Bring back the part about the dog.",
            "Undo the last two changes.",
            "Undo the edit before the last one.",
            "Undo my second edit.",
            "Revert that, the plumber comes on Thursday instead.",
            "Redo the roof quote.",
            "Redo the undo.",
            "Put it back.",
            "Reinstate it.",
            "Set it back to open.",
            "Undo that and add milk.",
            "Take the second one back to the shop.",
            "Restore \"the old version\".",
        ] {
            assert_eq!(goal(&page(), request), None, "{request}");
        }
    }

    #[test]
    fn forms_that_the_text_tells_of_are_not_those_of_the_text() {
        let page = Page::read("The site runs version 3.2; the old version is kept on the staging server.");
        assert_eq!(goal(&page, "Customers complained, so switch back to the old version."), None);
        assert_eq!(goal(&page, "Bring back the old version of this note."), Some(Goal::Undo));
        assert_eq!(goal(&page, "Undo that."), Some(Goal::Undo));
    }
}
