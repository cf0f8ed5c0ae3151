//! Finds the place of a new value by evidence, where no rule knows the words around it: `Omar had to postpone and will now record on
//! 2 June` means the date beside Omar.
//!
//! Whoever words a request may use any verb there is, so the words that the text does not have are no reason to refuse as long as those
//! that it has point to one value of the right kind, and to no other.

use std::ops::Range;

use super::super::{
    counting::number,
    find::{self, New, is_empty_word},
    page::{Page, TextWord, key, keys},
    phrase::Phrase,
    value::{Kind, Value},
    vocabulary,
    words::Word,
};

/// The text with the new values of `said` in place of the ones they replace; `None` unless all of them have one place.
pub(super) fn placed(page: &Page, said: Phrase<'_, '_>, told: Option<Phrase<'_, '_>>, sure: bool) -> Option<String> {
    if said.words.len() > LONGEST {
        return None;
    }
    let (said, old) = contrasted(page, said.unmarked());
    if said.words.iter().any(|word| word.quoted || word.is_any(UNCERTAIN)) {
        return None;
    }
    let mut news = super::fact::new_values(page, said);
    // `the Riesling deserves 18 points`, which the text says of another one.
    let known = news.is_empty() && counts(page, said, &news).is_empty();
    let sure = sure || known;
    if known {
        news = super::fact::all_values(said);
    }
    let counts = counts(page, said, &news);
    let mut spans: Vec<(Range<usize>, Fresh)> = Vec::new();
    for span in news {
        let new = New::of(said.to(span.end).from(span.start)).filter(New::is_value)?;
        spans.push((span, Fresh::Values(new)));
    }
    spans.extend(counts.into_iter().map(|(span, count)| (span, Fresh::Count(count))));
    let names = new_names(page, said, &spans);
    spans.extend(names.into_iter().map(|(span, name)| (span, Fresh::Name(name))));
    // `to 1,210 euros starting next month`: since when, and not what.
    let is_when = |fresh: &Fresh<'_>| matches!(fresh, Fresh::Values(new) if new.values.iter().all(|value| value.kind == Kind::Relative));
    if spans.iter().any(|(_, fresh)| !is_when(fresh)) {
        spans.retain(|(_, fresh)| !is_when(fresh));
    }
    spans.sort_by_key(|(span, _)| span.start);
    if spans.is_empty() || spans.len() > MOST_VALUES || !is_free(said, &spans) {
        return None;
    }
    // `change day two to day one` names what it takes for the old value.
    let changes = ["change", "replace"].iter().any(|class| vocabulary::length(said.words, class) > 0);
    let into = said.words.iter().rposition(|word| word.is_any("to|with|into|->|→"));
    if changes && spans.iter().any(|(span, _)| into.is_some_and(|into| span.end <= into)) {
        return None;
    }
    let mut edits = find::Edits::new();
    for (at, (span, fresh)) in spans.iter().enumerate() {
        let from = at.checked_sub(1).map_or(0, |before| joint(said, spans[before].0.end..span.start));
        let to = spans.get(at + 1).map_or(said.words.len(), |next| joint(said, span.end..next.0.start));
        // Whatever is told after a value has to be known: it could be news as well.
        let last = at + 1 == spans.len();
        if last && !is_tail(page, said.from(span.end)) {
            return None;
        }
        let mut context = Context::of(page, said, from..to, span, told);
        context.old.extend(old.iter().cloned());
        context.is_chained = spans.len() > 1;
        match fresh {
            Fresh::Values(new) => edits.extend(places_of(page, &context, new, sure)?),
            Fresh::Count(count) => edits.push(place_of_count(page, &context, count, sure)?),
            Fresh::Name(name) => edits.push((place_of_name(page, &context)?, (*name).to_owned())),
        }
    }
    edits.sort_by_key(|(place, _)| place.start);
    if known && edits.iter().any(|(place, new)| keys(page.at(place)) == keys(new)) {
        return None;
    }
    let apart = edits.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start);
    let new = find::applied(&page.text, &edits);
    (apart && new != page.text).then_some(new)
}

/// A statement without the value that it says is replaced, and that value: `50 minutes rather than 45`.
fn contrasted<'a, 'r>(page: &Page, said: Phrase<'a, 'r>) -> (Phrase<'a, 'r>, Option<String>) {
    const CONTRAST: &str = "rather than|instead of|not|statt|au lieu de|en lugar de|en vez de";
    let at = (1..said.words.len()).rev().find(|at| said.from(*at).strip(CONTRAST).is_some());
    let Some((at, old)) = at.and_then(|at| said.from(at).strip(CONTRAST).map(|old| (at, old.unmarked()))) else {
        return (said, None);
    };
    let old = New::of(old).map_or(old.raw().to_owned(), |old| old.text).to_lowercase();
    let known =
        page.text.to_lowercase().contains(&old) && !old.is_empty() && old.contains(|c: char| c.is_ascii_digit());
    if known { (said.to(at).unmarked(), Some(old)) } else { (said, None) }
}

/// Whether what follows a value only says when or why, or is known.
fn is_tail(page: &Page, tail: Phrase<'_, '_>) -> bool {
    let tail = tail.unmarked();
    let unknown = Context::around(page, &tail.words.iter().collect::<Vec<_>>()).unknown;
    let when = tail.words.first().is_some_and(|word| {
        word.is_any(
            "at|after|since|from|until|during|following|because|next|last|this|starting|as|for|when|due|gross|net|each",
        )
    });
    let plain = |word: &Word<'_>| word.raw.bytes().all(|byte| byte.is_ascii_lowercase()) && !word.is_any("and|but|or");
    unknown == 0
        || unknown == 1 && tail.words.iter().all(plain)
        || when && unknown <= 2 && !tail.words.iter().any(|word| word.is_any(",|and|;"))
}

/// Where the words between two values part: those before it belong to the first.
fn joint(said: Phrase<'_, '_>, between: Range<usize>) -> usize {
    let parts = |at: &usize| said.words[*at].is_any("and|,|;|und|et|y");
    between.clone().rev().find(parts).unwrap_or(between.start)
}

/// Nobody says more of one value, in words.
const LONGEST: usize = 40;

/// Nobody tells more values at once.
const MOST_VALUES: usize = 4;

/// Words that leave open whether or what is to be changed.
const UNCERTAIN: &str = "warmer|colder|hotter|cooler|apparently|supposedly|seems|sometimes|occasionally|seemingly|also|swap|or|either|maybe|perhaps|might|could|possibly|probably|if|unless|whether|not|never|no|nobody|nothing|than|\
     isn't|aren't|wasn't|don't|doesn't|didn't|won't|can't|cannot|which|what|who|why|how|?|called|phoned|emailed|\
     texted|messaged|wrote|spoke|talked|ago|between|except|unlike|used";

/// What a statement brings.
enum Fresh<'r> {
    Values(New),
    Count(Count<'r>),
    Name(&'r str),
}

/// A number in words, and what it counts: `three nights`.
struct Count<'r> {
    number: usize,
    written: &'r str,
    /// What it counts, as it is written and as it is compared, if the text has that.
    noun: Option<&'r str>,
    unit: Option<String>,
}

/// The numbers in words that the text has no such count of.
fn counts<'r>(page: &Page, said: Phrase<'_, 'r>, values: &[Range<usize>]) -> Vec<(Range<usize>, Count<'r>)> {
    let mut out = Vec::new();
    for (at, word) in said.words.iter().enumerate() {
        let Some(number) = number(word.raw) else { continue };
        if values.iter().any(|span| span.contains(&at)) || at + 1 < said.words.len() && said.words[at + 1].is("of") {
            continue;
        }
        let unit = said.words.get(at + 1).filter(|next| !next.is_mark() && !is_empty_word(&next.folded));
        // `one` alone is a pronoun.
        if number == 1 && unit.is_none() {
            continue;
        }
        let noun = unit.map(|unit| unit.raw);
        let unit = unit.map(|unit| key(unit.raw)).filter(|unit| page.has(unit));
        out.push((at..at + 1, Count { number, written: word.raw, noun, unit }));
    }
    out
}

/// The names that the text does not have, beside the values. Whoever does it need not be known: `Coach Delphine wants …`.
fn new_names<'r>(
    page: &Page,
    said: Phrase<'_, 'r>,
    taken: &[(Range<usize>, Fresh<'_>)],
) -> Vec<(Range<usize>, &'r str)> {
    let is_new = |at: usize| {
        let word = &said.words[at];
        word.raw.starts_with(char::is_uppercase)
            && !is_empty_word(&word.folded)
            && !word.raw.split('-').any(|part| page.has(&key(part)))
            && !taken.iter().any(|(span, _)| span.contains(&at))
    };
    let mut out = Vec::new();
    let verb = said.words.iter().position(|word| super::cut::is_finite(word)).unwrap_or(0);
    let mut at = verb + 1;
    while at < said.words.len() {
        let count = (at..said.words.len()).take_while(|at| is_new(*at)).count();
        if count > 0 {
            out.push((at..at + count, said.from(at).to(count).raw()));
        }
        at += count.max(1);
    }
    out
}

/// Whether the new values are said to be what something is, and not by how much it changed.
fn is_free(said: Phrase<'_, '_>, spans: &[(Range<usize>, Fresh<'_>)]) -> bool {
    spans.iter().all(|(span, _)| {
        let before = span.start.checked_sub(1).map(|at| &said.words[at]);
        let after = said.words.get(span.end);
        let after_unit = said.words.get(span.end + 1);
        let differs = |word: &Word<'_>| {
            word.is_any(
                "more|less|fewer|extra|longer|earlier|later|higher|lower|sooner|additional|ahead|behind|apart|off",
            )
        };
        let counted = find::only_values(said.to(span.end).from(span.start + 1).raw())
            .iter()
            .all(|value| matches!(value.kind, Kind::Number | Kind::Money | Kind::Percent));
        let by_how_much = said.words[span.start].is("by") && counted;
        !by_how_much
            && !before.is_some_and(|word| {
                word.is_any("by|from|another|extra|additional|further|plus|+|under|over|every|other|since")
            })
            && !after.is_some_and(differs)
            && !after_unit.is_some_and(differs)
    })
}

/// What is known of where a new value belongs.
struct Context<'p> {
    /// The words around the new value that the text has.
    keys: Vec<&'p str>,
    /// How many words that tell something the text does not have.
    unknown: usize,
    /// The text of values that are said to be replaced.
    old: Vec<String>,
    /// The key of the word right before the new value.
    before: Option<String>,
    /// Whether another sentence told the words, which says less.
    is_told: bool,
    /// Whether one of several new things is looked for.
    is_chained: bool,
}

impl<'p> Context<'p> {
    fn of(
        page: &'p Page,
        said: Phrase<'_, '_>,
        around: Range<usize>,
        span: &Range<usize>,
        told: Option<Phrase<'_, '_>>,
    ) -> Self {
        let outside = |at: &usize| !span.contains(at);
        let words: Vec<&Word<'_>> = around.clone().filter(outside).map(|at| &said.words[at]).collect();
        let mut out = Self::around(page, &words);
        // `Oskar's interview is in room C03 and starts at 4:30`: what is said later is said of the same.
        if out.keys.is_empty() && around.start > 0 {
            let subject: Vec<&Word<'_>> = said.words[..around.start].iter().collect();
            out.keys = Self::around(page, &subject).keys;
        }
        if out.keys.is_empty()
            && let Some(told) = told
        {
            let words: Vec<&Word<'_>> = told.words.iter().collect();
            out.keys = Self::around(page, &words).keys;
            out.is_told = true;
        }
        out.before = (0..span.start).rev().find(|at| !said.words[*at].is_mark()).map(|at| key(said.words[at].raw));
        out
    }

    fn around(page: &'p Page, words: &[&Word<'_>]) -> Self {
        let mut out =
            Self { keys: Vec::new(), unknown: 0, old: Vec::new(), before: None, is_told: false, is_chained: false };
        // Whoever did it need not be known: `Coach Delphine wants …`.
        let verb = words.iter().position(|word| super::cut::is_finite(word) && !vocabulary::is(&word.folded, "be"));
        let owned = words.iter().take(4).any(|word| word.folded.ends_with("'s"));
        let acts = |at: usize| verb.is_some_and(|verb| at < verb && verb <= 4) && !owned;
        for (at, word) in words.iter().enumerate().filter(|(_, word)| word.raw.contains(char::is_alphanumeric)) {
            let bare = word.folded.strip_suffix("'s").unwrap_or(&word.folded);
            let wanted = key(word.raw);
            let found = page.words().iter().find(|other| other.key == wanted || is_kin(&other.key, &wanted));
            match found {
                Some(_) if is_small(bare) => {}
                Some(other) => {
                    // `week 4` names a place by its number, `from 4` what stands there.
                    let said = at.checked_sub(1).is_none_or(|before| {
                        words[before].is_any("from|of|than|not|was|were|statt") || is_small(&words[before].folded)
                    });
                    let inside = |value: &Value| value.start <= other.place.start && other.place.end <= value.end;
                    if said && page.values().iter().any(inside) {
                        out.old.push(word.raw.to_lowercase());
                    }
                    out.keys.push(&other.key);
                }
                None if acts(at) => {}
                None if is_telling(word, bare) => {
                    out.unknown += if word.raw.starts_with(char::is_uppercase) { 3 } else { 1 };
                }
                None => {}
            }
        }
        out
    }
}

/// Whether two keys are of one family of words: `currently` and `current`, `ext` and `extension`.
fn is_kin(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.len() >= 5 && long.len() > short.len() + 2 && long.ends_with(short) && !long.is_ascii()
        || short.len() >= 5 && long.len() > short.len() + 3 && long.ends_with(short)
        || short.len() >= 3
            && long.starts_with(short)
            && (short.len() >= 5 && long.len() - short.len() <= 3
                || matches!((short, long), ("ext", "extens" | "extension")))
}

/// Whether a word is too small to point anywhere.
fn is_small(word: &str) -> bool {
    ["article", "pronoun", "now"].iter().any(|class| vocabulary::is(word, class))
        || super::super::small_words::is_small(word)
        || matches!(word, "new" | "old" | "user" | "is" | "are" | "be")
}

/// Whether a word that the text does not have could name a thing, and so another place.
fn is_telling(word: &Word<'_>, bare: &str) -> bool {
    let verb = super::cut::is_finite(word)
        || super::cut::is_verb(bare)
        || ["filler", "becomes", "altered", "tells", "henceforth"].iter().any(|class| vocabulary::is(bare, class))
        || bare.ends_with("ly")
        || bare.ends_with("ing");
    !verb && !is_small(bare) && !is_empty_word(bare) && !word.folded.contains('\'')
}

/// The values of the text that those of `new` replace, all of them in one sentence.
fn places_of(page: &Page, context: &Context<'_>, new: &New, sure: bool) -> Option<find::Edits> {
    let dated = new.values.iter().any(|value| value.kind == Kind::Date);
    let edits: find::Edits =
        new.values.iter().map(|value| place_of(page, context, new, value, dated, sure)).collect::<Option<_>>()?;
    let sentence = page.sentence_of(&edits.first()?.0);
    edits.iter().all(|(place, _)| page.sentence_of(place) == sentence).then_some(edits)
}

/// The one value of the text that a value of `new` replaces.
fn place_of(
    page: &Page,
    context: &Context<'_>,
    new: &New,
    value: &Value,
    dates: bool,
    sure: bool,
) -> Option<(Range<usize>, String)> {
    if value.kind == Kind::Relative {
        return None;
    }
    let twins = new.values.iter().filter(|other| other.kind.family() == value.kind.family()).count() > 1;
    let fits = |old: &&Value| {
        find::alike(&page.text, old, &new.text, value)
            && (!twins || old.kind == value.kind)
            && !super::super::list::is_marker(&page.text, &old.place())
    };
    // `until 31 December` is no other `from 1 April`.
    const STARTS: &str = "from|since|ab|seit|desde|depuis|starting|starts";
    const ENDS: &str = "until|till|to|by|bis|hasta|jusqu|through|ends";
    let is_one = |list: &str, word: &str| list.split('|').any(|known| known == word);
    let opposed = |old: &&Value| {
        let at = page.words().partition_point(|word| word.place.end <= old.start);
        let before = at.checked_sub(1).map_or("", |at| page.words()[at].key.as_str());
        let said = context.before.as_deref().unwrap_or_default();
        is_one(STARTS, before) && is_one("until|till|bis|hasta|through", said)
            || is_one(ENDS, before) && is_one("since|from|ab|seit", said)
    };
    let candidates: Vec<&Value> = page.values().iter().filter(fits).filter(|old| !opposed(old)).collect();
    let places: Vec<Range<usize>> = candidates.iter().map(|old| old.place()).collect();
    let at = best(page, context, &places, sure)?;
    // A day of the week and the date beside it go together.
    let old = candidates[at];
    if old.kind == Kind::Weekday && !dates && find::dated(page, old) {
        return None;
    }
    Some(find::put_value(&page.text, old, &new.text, value))
}

/// The one number of the text, in words or digits, that a count replaces.
fn place_of_count(page: &Page, context: &Context<'_>, count: &Count<'_>, sure: bool) -> Option<(Range<usize>, String)> {
    let mut places = Vec::new();
    for (at, word) in page.words().iter().enumerate() {
        let written = page.at(&word.place);
        let digits = written.len() <= 3 && written.bytes().all(|byte| byte.is_ascii_digit());
        if number(written).is_none() && !digits {
            continue;
        }
        let next = page.words().get(at + 1).filter(|next| page.text[word.place.end..next.place.start] == *" ");
        let period = |key: &str| matches!(key, "day" | "week" | "month" | "year" | "hour" | "minut" | "night");
        let lasts = count.noun.is_some_and(|noun| period(&key(noun)));
        let same = match &count.unit {
            Some(unit) => next.is_some_and(|next| next.key == *unit),
            None if lasts => next.is_some_and(|next| period(&next.key)),
            None => number(written).is_some(),
        };
        if same {
            places.push(word.place.clone());
        }
    }
    let at = best(page, context, &places, sure)?;
    let old = page.at(&places[at]);
    let new = match number(old) {
        None => count.number.to_string(),
        Some(_) if old.starts_with(char::is_uppercase) => super::super::locate::capitalized(count.written),
        Some(_) => count.written.to_lowercase(),
    };
    // One thing and several are not written alike.
    let next = page.words().iter().find(|word| word.place.start > places[at].end);
    if let (Some(next), Some(unit)) = (next, count.noun)
        && (count.unit.as_deref() == Some(next.key.as_str())
            && (old == "1" || number(old) == Some(1)) != (count.number == 1)
            || count.unit.is_none()
                && matches!(next.key.as_str(), "day" | "week" | "month" | "year" | "hour" | "minut" | "night"))
    {
        return Some((places[at].start..next.place.end, format!("{new} {unit}")));
    }
    Some((places[at].clone(), new))
}

/// The one name of the text that stands as the new one does: after the same word, and near the words that are said of it.
fn place_of_name(page: &Page, context: &Context<'_>) -> Option<Range<usize>> {
    let before = context.before.as_deref()?;
    let is_value =
        |place: &Range<usize>| page.values().iter().any(|value| value.start < place.end && place.start < value.end);
    let led = |words: &Range<usize>| {
        words.start.checked_sub(1).map(|at| &page.words()[at]).is_some_and(|word| {
            word.key == before
                && page.text[word.place.end..page.words()[words.start].place.start].trim_start_matches('.') == " "
        })
    };
    let places: Vec<Range<usize>> = super::person::names(page)
        .into_iter()
        .filter(|(place, words)| !is_value(place) && led(words))
        .map(|(place, _)| place)
        .collect();
    match places.as_slice() {
        [only] if context.unknown <= 1 => Some(only.clone()),
        [_] => None,
        _ => best(page, context, &places, false).map(|at| places[at].clone()),
    }
}

/// Which of `places` the words around a new value point to, if that is certain.
fn best(page: &Page, context: &Context<'_>, places: &[Range<usize>], sure: bool) -> Option<usize> {
    let scores: Vec<usize> = places.iter().map(|place| score(page, context, place, places)).collect();
    let most = scores.iter().copied().max()?;
    let mut at_most = (0..places.len()).filter(|&at| scores[at] == most);
    let at = at_most.next()?;
    let sure = sure || context.is_told && places.len() > 1;
    let needed = if places.len() == 1 || context.is_chained { 1 } else { 2 };
    let tolerated = match most {
        0..=2 => 1,
        3..=5 => 2,
        _ => 4,
    };
    // `Call Anna at 10:00 and call Ben at 10:00`: the same of two, and both are near.
    let twin = (0..places.len()).any(|other| {
        other != at && scores[other] > 0 && page.at(&places[other]) == page.at(&places[at]) && scores[other] + 2 >= most
    });
    if twin && (most < 5 || !context.old.is_empty()) {
        return None;
    }
    let rival = scores.iter().copied().filter(|score| *score < most).max().unwrap_or(0);
    (at_most.next().is_none() && (!sure || most >= 3 && rival == 0) && most >= needed && context.unknown <= tolerated)
        .then_some(at)
}

/// Of more values of a kind none has a unit for itself.
const FEW: usize = 16;

/// How much speaks for a place.
fn score(page: &Page, context: &Context<'_>, place: &Range<usize>, others: &[Range<usize>]) -> usize {
    let old = page.at(place).to_lowercase();
    let named = context.old.iter().any(|word| *word == old || old.split(' ').any(|part| part == word));
    let at = page.words().partition_point(|word| word.place.end <= place.start);
    let beside =
        at.checked_sub(1).map(|at| &page.words()[at].key).zip(context.before.as_ref()).is_some_and(|(a, b)| a == b);
    // `5 weeks` where the text counts weeks only once.
    let unit = |value: &Value| value.unit(&page.text);
    let few = others.len() <= FEW;
    let own =
        page.values().iter().find(|value| few && value.start == place.start).map(unit).filter(|unit| unit.len() > 2);
    let alone = own.is_some_and(|own| {
        page.values().iter().filter(|value| unit(value).trim_end_matches('s') == own.trim_end_matches('s')).count() == 1
    });
    let near: usize = usize::from(alone && !context.is_told)
        + context.keys.iter().map(|key| nearness(page, key, place, others)).sum::<usize>();
    let word = context.before.as_deref().unwrap_or_default();
    near + if named { 6 } else { 0 }
        + match beside {
            true if !is_small(word) => 2,
            // `leave on 4 April with Lufthansa`
            true if context.is_chained => 1,
            _ => 0,
        }
}

/// How near a word of the text stands to a place; `others` are in the order of the text.
fn nearness(page: &Page, key: &str, place: &Range<usize>, others: &[Range<usize>]) -> usize {
    let outside = |word: &&TextWord| word.place.start < place.start || place.end < word.place.end;
    let near = |word: &TextWord| {
        let (low, high) = (word.place.start.min(place.start), word.place.start.max(place.start));
        let first = others.partition_point(|other| other.start <= low);
        let divided = others[first..].iter().take_while(|other| other.start < high).any(|other| other != place);
        match (find::level(page, &word.place, place, others), divided) {
            (0, false) => 3,
            (0, true) => 1,
            (1, false) => 2,
            _ => 0,
        }
    };
    // A word that stands everywhere tells a place only by the sentence it stands in.
    match page.places_of(key).nth(EVERYWHERE).is_some() {
        true => {
            let words = page.words_in(&page.sentence_of(place)).iter().filter(|word| word.key == key);
            words.filter(outside).map(near).max().unwrap_or(0)
        }
        false => page.places_of(key).filter(outside).map(near).max().unwrap_or(0),
    }
}

/// A word of more places than these stands everywhere.
const EVERYWHERE: usize = 32;
