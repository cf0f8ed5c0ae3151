//! Tells words that describe what a text should become from the words it should become.
//!
//! `reword to sound friendlier` and `append a summary` ask for words that nobody has given. In quotation marks or after a colon
//! the same words are meant to the letter.

use super::phrase::Phrase;

/// Whether new words only describe themselves.
pub(super) fn is_description(new: Phrase<'_, '_>) -> bool {
    let announced = new.words.first().is_some_and(|word| word.is(":"));
    let new = new.unmarked();
    if announced || new.words.iter().any(|word| word.quoted) {
        return false;
    }
    if new.strip(OPEN).is_some() || new.is_only(QUALITIES) && !new.is_empty() {
        return true;
    }
    let Some(thing) = new.strip("a|an|the|my|its|his|her|their|our|some|another|today's|todays|tomorrow's") else {
        return new.strip("bullet points|bullets|emoji|emojis").is_some_and(|rest| rest.is_empty());
    };
    let qualities = thing.words.iter().take_while(|word| word.is_any(QUALITIES)).count();
    let thing = thing.from(qualities);
    let Some(rest) = thing.strip(MADE) else {
        // `a better one`, `its synonym`.
        return qualities > 0 && thing.is_only("one|thing");
    };
    // `a sentence that she is off` brings its words.
    let told = rest.strip("that|which").is_some() && !thing.starts("sentence");
    rest.is_empty() || told || rest.strip("about|for|of it|of this|like|instead|in|with|and").is_some()
}

/// Beginnings of words that leave open what is meant.
const OPEN: &str = "something|anything|whatever|whichever|what i|what we|what you|what he|what she|sound|be more|be less|be a bit|\
     look|include|reflect|match|make sense|make it|use|avoid|say the same|say it|the same but|the same in|the same thing but|\
     fewer words|more words|proper english|plain english|correct english";

/// Words that say how a text should be.
const QUALITIES: &str = "more|less|much|very|bit|a|little|slightly|better|nicer|shorter|longer|clearer|simpler|friendlier|cleaner|tighter|\
     punchier|softer|stronger|warmer|funnier|catchier|easier|briefer|politer|formal|informal|casual|concise|polite|\
     professional|friendly|neutral|positive|negative|readable|brief|specific|detailed|catchy|funny|polished|right|correct|\
     proper|appropriate|suitable|different|other|new|good|nice|short|long|quick|final|one-line|one-sentence";

/// Things that somebody would have to think of.
const MADE: &str = "title|heading|headline|header|summary|synopsis|conclusion|introduction|intro|synonym|antonym|version|wording|\
     phrasing|word|words|phrase|term|sentence|paragraph|question|poem|haiku|limerick|song|joke|tweet|slogan|story|letter|list|\
     table|checklist|bullet list|bullet points|abbreviation|acronym|translation|spelling|equivalent|alternative|explanation|\
     description|reason|signature|greeting|emoji|emojis|date|time|timestamp|day|month|year|current date|current time|name|tone";
