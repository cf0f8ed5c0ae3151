//! Carries out what a request states rather than asks: `The meeting moved to Thursday`, `Lessons cost 40 GBP now`.

use std::ops::Range;

use super::super::{
    find::{self, New, content, is_empty_word, wanted},
    locate::{Reach, locate},
    page::{Page, key},
    phrase::Phrase,
    refusal::Refusal,
    replace,
    value::Kind,
    vocabulary,
    words::Word,
};

use super::{person, told};

/// A rule for statements: what it takes them to mean, with one that it carries out and one that is not for it.
struct Rule {
    run: fn(&Page, Phrase<'_, '_>) -> Result<String, Refusal>,
    #[cfg_attr(not(test), expect(dead_code, reason = "says what the rule is for, and is run as its test"))]
    means: &'static str,
    /// A text, a statement, and what the text becomes.
    #[cfg_attr(not(test), expect(dead_code, reason = "run as a test"))]
    example: [&'static str; 3],
    /// A text and a statement that this rule leaves alone.
    #[cfg_attr(not(test), expect(dead_code, reason = "run as a test"))]
    counter_example: [&'static str; 2],
}

const RULES: &[Rule] = &[
    Rule {
        run: respelt,
        means: "one spelling for another",
        example: ["We use Kubernets.", "'Kubernets' is misspelled, it should be 'Kubernetes'", "We use Kubernetes."],
        counter_example: ["We use Kubernets.", "it should be 'Kubernetes'"],
    },
    Rule {
        run: person::renamed,
        means: "another name for the same",
        example: [
            "Sasha likes running. Sasha's size is 38.",
            "Sasha goes by Alex",
            "Alex likes running. Alex's size is 38.",
        ],
        counter_example: ["Sasha likes running.", "Tom goes by bus"],
    },
    Rule {
        run: labelled,
        means: "a label and its value",
        example: ["Tier: Silver\nOwner: Ana", "Tier: Gold", "Tier: Gold\nOwner: Ana"],
        counter_example: ["Tier: Silver", "another idea: a picnic"],
    },
    Rule {
        run: in_state,
        means: "the state of one of several things",
        example: [
            "Onboarding: laptop ordered, badge pending, accounts created.",
            "his badge is ready",
            "Onboarding: laptop ordered, badge ready, accounts created.",
        ],
        counter_example: ["Onboarding: laptop ordered, badge pending.", "his phone is ready"],
    },
    Rule {
        run: handed_over,
        means: "somebody for somebody in one line",
        example: ["- vacuum (Leo)\n- bins (Leo)", "Nora takes over the bins from Leo", "- vacuum (Leo)\n- bins (Nora)"],
        counter_example: ["- vacuum (Leo)\n- bins (Leo)", "Nora takes over the dishes from Leo"],
    },
    Rule {
        run: counted,
        means: "how many of what a label counts",
        example: ["Venue: Seehaus\nGuests: 60", "we expect 72 guests", "Venue: Seehaus\nGuests: 72"],
        counter_example: ["Venue: Seehaus\nGuests: Ana", "we expect 72 guests"],
    },
    Rule {
        run: next_of_kind,
        means: "which one in a row",
        example: ["Elif studies law, second year.", "Elif is in her third year", "Elif studies law, third year."],
        counter_example: ["Elif studies law, second year.", "Elif is on her third coffee"],
    },
    Rule {
        run: recurring,
        means: "which day of the month",
        example: [
            "Games: first Friday of each month.",
            "it is on the second Saturday now",
            "Games: second Saturday of each month.",
        ],
        counter_example: ["Games: every Friday.", "it is on the second Saturday now"],
    },
    Rule {
        run: given,
        means: "what somebody gets",
        example: ["- Dad: socks\n- Elif: headphones", "Elif gets a backpack", "- Dad: socks\n- Elif: backpack"],
        counter_example: ["- Dad: socks\n- Elif: headphones", "Noah gets a backpack"],
    },
    Rule {
        run: planned,
        means: "what there is on a day",
        example: ["Mon: soup\nTue: pasta", "on Tuesday we'll have risotto", "Mon: soup\nTue: risotto"],
        counter_example: ["Mon: soup\nTue: pasta", "on Friday we'll have risotto"],
    },
    Rule {
        run: contrasted,
        means: "one thing and not the other",
        example: ["Meet on Monday at noon.", "it is Tuesday instead of Monday", "Meet on Tuesday at noon."],
        counter_example: ["Meet on Monday, pay on Monday.", "it is Tuesday instead of Monday"],
    },
    Rule {
        run: moved_from_to,
        means: "from one thing to another",
        example: ["Runs on Saturday.", "he switched from Saturday to Sunday", "Runs on Sunday."],
        counter_example: ["Runs on Saturday.", "he switched from Friday to Sunday"],
    },
    Rule {
        run: taken_over,
        means: "somebody for somebody",
        example: ["Contact: Ben", "Ana took over from Ben", "Contact: Ana"],
        counter_example: ["Contact: Ben", "Ana took over from Carl"],
    },
    Rule {
        run: moved_house,
        means: "where somebody lives",
        example: ["Sam lives in Leiden.", "Sam moved to Utrecht", "Sam lives in Utrecht."],
        counter_example: ["Sam likes Leiden.", "Sam moved to Utrecht"],
    },
    Rule {
        run: gone,
        means: "an item that is no more",
        example: ["Team: Ana, Ben, Carl.", "Ben left", "Team: Ana, Carl."],
        counter_example: ["Team: Ana, Ben, Carl.", "Ben left, Dora is new"],
    },
    Rule {
        run: became,
        means: "what something is by now",
        example: ["The fee is 35 EUR.", "the fee is 40 EUR", "The fee is 40 EUR."],
        counter_example: ["The fee is 35 EUR, the other fee is 20 EUR.", "the fee is 40 EUR"],
    },
    Rule {
        run: told::negated,
        means: "that something is so, or is not",
        example: ["Lunch is provided.", "lunch is not provided any more", "Lunch is not provided."],
        counter_example: ["Lunch is provided.", "dinner is not provided"],
    },
    Rule {
        run: told::renumbered,
        means: "another one of a kind",
        example: ["The exam is in hall C.", "the exam moved to hall A", "The exam is in hall A."],
        counter_example: ["The exam is at noon.", "the exam moved to hall A"],
    },
    Rule {
        run: named_last,
        means: "who is what",
        example: ["The manager is Ana.", "Ben is the manager", "The manager is Ben."],
        counter_example: ["The manager is Ana.", "Ben is tired"],
    },
    Rule {
        run: aligned,
        means: "the same words with another end",
        example: ["Anne handles billing.", "Anne handles compliance", "Anne handles compliance."],
        counter_example: ["Anne handles billing.", "Bob handles compliance"],
    },
    Rule {
        run: inside,
        means: "the same words with others in between",
        example: ["She sits on the third floor.", "she sits on the fifth floor", "She sits on the fifth floor."],
        counter_example: ["She sits on the third floor.", "he works in the fifth office"],
    },
    Rule {
        run: person::in_company,
        means: "a name in the company of the same words",
        example: ["Fiona proofreads.", "Oskar proofreads", "Oskar proofreads."],
        counter_example: ["Fiona proofreads.", "Oskar sings"],
    },
    Rule {
        run: valued,
        means: "new values beside words of the text",
        example: ["The box has 8 GB RAM and 2 cores.", "it has 16 GB RAM", "The box has 16 GB RAM and 2 cores."],
        counter_example: ["The box has 8 GB RAM.", "the fee went up by 10 GB"],
    },
];

/// `text` as it has to be for the statement to be true; an error if no place of it can be meant, or more than one.
pub(in super::super) fn run(page: &Page, phrase: Phrase<'_, '_>) -> Result<String, Refusal> {
    let text = page.text.as_str();
    let said = told(phrase.unmarked());
    if let Some(new) = at_present(page, said) {
        return Ok(new);
    }
    let said = without_lead(page, without_now(said));
    if said.is_empty() {
        return Err(Refusal::Unclear);
    }
    let wishes = |at: usize| said.words.get(at + 1).is_some_and(|word| word.is_any("like|rather|prefer|love"));
    if said.words.iter().enumerate().any(|(at, word)| {
        let allows = word.is("may") && said.words.get(at + 1).is_some_and(|word| word.is_any("now|be"));
        !(allows || word.is("would") && wishes(at))
            && word.is_any("apparently|supposedly|seemingly|might|maybe|perhaps|probably|possibly|could|would|may")
            && word.raw.starts_with(char::is_lowercase)
    }) {
        return Err(Refusal::Partly);
    }
    let by = |at: usize| {
        said.words[at].is("by")
            && said.words.get(at + 1).is_some_and(|word| {
                word.raw.starts_with(|c: char| c.is_ascii_digit()) || super::super::counting::number(word.raw).is_some()
            })
    };
    if (1..said.words.len()).any(|at| by(at) && find::only_values(said.from(at + 1).to(2).raw()).iter().all(|value| matches!(value.kind, Kind::Number | Kind::Money | Kind::Percent))) && said.words.iter().any(|word| word.is_any("cheaper|dearer|less|more|grew|shrank|rose|fell|down|up|longer|shorter|later|earlier|slipped|increased|decreased|dropped|higher|lower|smaller|bigger")) {
        return Err(Refusal::Unclear);
    }
    // By how much something changed does not say what it is.
    if said.find("up by|down by|increased by|decreased by|raised by|reduced by|rose by|fell by|dropped by|cut by|lowered by|extended by|postponed by|delayed by|shortened by|grew by").is_some() {
        return Err(Refusal::Unclear);
    }
    let mut refusal = Refusal::Unclear;
    let mut outcomes: Vec<String> = Vec::new();
    for rule in RULES {
        match (rule.run)(page, said) {
            Ok(changed) if changed == text => return Err(Refusal::Prohibition),
            Ok(changed) if outcomes.contains(&changed) => {}
            Ok(changed) => outcomes.push(changed),
            Err(found @ (Refusal::Ambiguous { .. } | Refusal::Prohibition)) if outcomes.is_empty() => {
                return Err(found);
            }
            Err(Refusal::Unclear) => {}
            Err(found) => refusal = found,
        }
    }
    if outcomes.len() > 1 {
        outcomes.retain(|changed| !super::is_garbled(text, changed));
    }
    // The reading that accounts for more of what is said; two that account for as much are a refusal.
    let brought = |changed: &String| {
        said.words.iter().filter(|word| !text.contains(word.raw) && changed.contains(word.raw)).count()
    };
    let most = outcomes.iter().map(brought).max();
    outcomes.retain(|changed| Some(brought(changed)) == most);
    match outcomes.pop() {
        None => Err(refusal),
        Some(only) if outcomes.is_empty() => Ok(only),
        Some(_) => Err(Refusal::Readings),
    }
}

/// `the fund is currently at 6,650 EUR`, where the text says `currently` of one of its sums.
fn at_present(page: &Page, said: Phrase<'_, '_>) -> Option<String> {
    said.find("currently")?;
    let span = all_values(said).pop().filter(|span| is_tail(page, said.from(span.end)))?;
    let new = New::of(said.to(span.end).from(span.start)).filter(|new| new.values.len() == 1)?;
    let present = |old: &&super::super::value::Value| {
        let mut before = page.text[..old.start].split_whitespace().rev().take(2);
        find::alike(&page.text, old, &new.text, &new.values[0])
            && before.any(|word| word.trim_matches(',').eq_ignore_ascii_case("currently"))
    };
    let places: Vec<_> = page.values().iter().filter(present).collect();
    let [only] = places.as_slice() else { return None };
    Some(find::applied(&page.text, &vec![find::put_value(&page.text, only, &new.text, &new.values[0])]))
}

/// What [`respelt`] makes of a whole request.
pub(in super::super) fn respelled(page: &Page, phrase: Phrase<'_, '_>) -> Result<String, Refusal> {
    respelt(page, phrase)
}

/// `it should be X` after words that name what it is: `the password is wrong; it should be X`.
pub(super) fn said_of(page: &Page, told: Phrase<'_, '_>, phrase: Phrase<'_, '_>) -> Option<Result<String, Refusal>> {
    let rest = phrase.unmarked().strip(
        "it should be|it should read|it should say|it's now|it is now|it's|it is|it was|that should be|this should be|should be|make it|it has to be|it must be",
    )?;
    let verb = told.words.iter().position(|word| super::cut::is_verb(&word.folded)).unwrap_or(told.words.len());
    let verb = if verb == 0 || super::is_command(told) { told.words.len() } else { verb };
    let (new, tail) = new_and_tail(without_now(rest))?;
    let new = New::of(new)?;
    let mut described = wanted(told.to(verb));
    described.keys.retain(|key| page.has(key));
    let named = !described.keys.is_empty() || !described.nouns.is_empty();
    if !named || !is_tail(page, tail) || phrase.find("not|instead of|rather than").is_some() {
        return None;
    }
    let done = find::set(page, &described, &new).map(|edits| find::applied(&page.text, &edits));
    done.is_ok().then_some(done)
}

/// The text with a name spelt right wherever it stands, if a statement says so of one that the text has in several places.
pub(super) fn respelled_name(page: &Page, phrase: Phrase<'_, '_>) -> Option<String> {
    let phrase = phrase.unmarked();
    let at = phrase.find("not|instead of|rather than").filter(|at| *at > 0)?;
    let old = phrase.from(at).strip("not|instead of|rather than")?.unmarked();
    let [old] = old.words else { return None };
    let new = phrase.to(at).unmarked().words.last()?;
    let places = locate(&page.text, old.raw, Reach::Words).places;
    (places.len() > 1 && old.raw.starts_with(char::is_uppercase) && is_misspelling(old.raw, new.raw))
        .then(|| find::applied(&page.text, &places.into_iter().map(|place| (place, new.raw.to_owned())).collect()))
}

/// `A rather than B` in a statement.
pub(super) fn contrast(page: &Page, phrase: Phrase<'_, '_>) -> Result<String, Refusal> {
    contrasted(page, without_lead(page, without_now(told(phrase.unmarked()))))
}

/// What is told, without who tells it.
pub(in super::super) fn told<'a, 'r>(phrase: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
    let mut rest = phrase;
    loop {
        let taken = vocabulary::length(rest.words, "told").max(telling(rest));
        if taken == 0 || taken >= rest.words.len() {
            return rest;
        }
        rest = rest.from(taken).unmarked_start();
    }
}

/// How many words only say who tells what follows: `the letter the user forwarded today shows that …`.
fn telling(phrase: Phrase<'_, '_>) -> usize {
    let tells = |word: &Word<'_>| vocabulary::is(&word.folded, "tells");
    let Some(verb) = phrase.words.iter().take(10).position(tells).filter(|at| *at > 0) else { return 0 };
    let that = phrase.words.iter().skip(verb + 1).take(3).position(|word| word.is("that")).map(|at| verb + at + 2);
    // `he said aisle, not window`
    let contrast = phrase.words[0].is_any("he|she|they|i|we|it")
        && verb == 1
        && phrase.find("not|instead of|rather than").is_some();
    if contrast {
        return verb + 1;
    }
    // `she told me she'd like …`
    let whom = usize::from(phrase.words.get(verb + 1).is_some_and(|word| word.is_any("me|us|him|her|them")));
    let verb = if phrase.words.len() > verb + 2 { verb + whom } else { verb };
    let rest = phrase.from(verb + 1);
    let clause = !rest.is_empty()
        && (vocabulary::is(&rest.words[0].folded, "article")
            || vocabulary::is(rest.words[0].folded.split('\'').next().unwrap_or_default(), "pronoun"))
        && super::is_statement(rest);
    that.unwrap_or(if clause { verb + 1 } else { 0 })
}

/// A statement without what it opens with and only says when: `After last night's maintenance orca is …`.
fn without_lead<'a, 'r>(page: &Page, said: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
    let opens = said
        .words
        .first()
        .is_some_and(|word| word.is_any("after|since|during|following|starting|from|with|due|on|in|at|for|per|as"));
    let known = |word: &Word<'_>| page.has(&key(word.raw)) && !is_empty_word(&word.folded);
    if !opens {
        return said;
    }
    // `On Wednesdays Sam is replaced by Omar`
    let day = said.words[0].is("on")
        && said.words.get(1).is_some_and(|word| super::super::page::is_weekday(word.raw.trim_end_matches('s')));
    if day && said.find("replaced by").is_some_and(|at| at > 2) {
        return said.from(2).unmarked_start();
    }
    let acts = |at: &usize| known(&said.words[*at]) && said.words.get(at + 1).is_some_and(super::cut::is_finite);
    if let Some(at) = (1..said.words.len()).find(acts).filter(|_| said.words[0].is_any("at|during|after|in")) {
        return said.from(at);
    }
    match said.words.iter().position(known) {
        Some(at) if !said.words[0].is_any("on|in|at|for") => said.from(at),
        _ => said,
    }
}

/// `Tier: Gold`, `new deadline: 15 May`.
fn labelled(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let at = said
        .words
        .iter()
        .position(|word| word.is(":") || word.is_arrow())
        .filter(|at| (1..=7).contains(at))
        .ok_or(Refusal::Unclear)?;
    let desc = said.to(at);
    let owned = desc.words.iter().position(|word| word.is_any("has|have|is|are"));
    // `Paulina has a new phone number: …`
    let desc_words: Vec<Word<'_>> =
        desc.words.iter().enumerate().filter(|(at, _)| owned != Some(*at)).map(|(_, word)| word.clone()).collect();
    let desc = Phrase { request: said.request, words: &desc_words };
    let new = New::of(said.from(at + 1)).ok_or(Refusal::Unclear)?;
    let described = wanted(desc);
    let adds = desc.words.iter().any(|word| word.is_any("another|additional|extra|entry|idea|item"));
    // `the club picked a different next book: …`
    let named: Vec<_> = page
        .labels()
        .iter()
        .filter(|label| {
            !label.keys.is_empty() && label.keys.iter().all(|key| described.hints.contains(key) || is_empty_word(key))
        })
        .collect();
    if let ([label], true, false) =
        (named.as_slice(), desc.words.iter().any(|word| word.is_any("new|different|other")), adds)
        && !new.is_value()
        && label.keys.len() > 1
    {
        return Ok(find::applied(&page.text, &vec![(label.value.clone(), new.text.trim_end_matches('.').to_owned())]));
    }
    if described.keys.is_empty() && described.kinds.is_empty() || adds {
        return Err(Refusal::Unclear);
    }
    // Words that are no value need a label, or a noun that has a value.
    find::set(page, &described, &new).map(|edits| find::applied(&page.text, &edits))
}

/// `the badge is ready`, where the text says `badge pending` among other things.
fn in_state(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let verb = said
        .words
        .iter()
        .position(|word| word.is_any("is|are"))
        .filter(|at| (1..=4).contains(at))
        .ok_or(Refusal::Unclear)?;
    let [state] = said.from(verb + 1).unmarked().words else { return Err(Refusal::Unclear) };
    let subject = content(said.to(verb).words);
    let plain = state.raw.chars().all(char::is_lowercase) && !page.has(&key(state.raw));
    if subject.is_empty() || !plain || state.is_any("done|gone|over|fine|wrong|right|correct|true|false") {
        return Err(Refusal::Unclear);
    }
    let parts: Vec<&Range<usize>> = page
        .segments()
        .iter()
        .filter(|part| {
            let words = page.words_in(part);
            words.len() == subject.len() + 1 && words.iter().zip(&subject).all(|(word, key)| word.key == *key)
        })
        .collect();
    let [part] = parts.as_slice() else { return Err(Refusal::Unclear) };
    let old = page.words_in(part).last().map(|word| word.place.clone()).ok_or(Refusal::Unclear)?;
    let state_word = page.at(&old).chars().all(char::is_lowercase);
    match state_word && page.segments().len() > 1 {
        true => Ok(find::applied(&page.text, &vec![(old, state.raw.to_owned())])),
        false => Err(Refusal::Unclear),
    }
}

/// `Nora takes over the bins from Leo`: in the line about the bins.
fn handed_over(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    const TAKES: &str = "takes over|took over|is taking over|will take over|has taken over|takes|will do|does";
    let verb = said.find(TAKES).filter(|at| (1..=3).contains(at)).ok_or(Refusal::Unclear)?;
    let rest = said.from(verb).strip(TAKES).ok_or(Refusal::Unclear)?.unmarked();
    let from = rest.words.iter().rposition(|word| word.is("from")).filter(|at| *at > 0).ok_or(Refusal::Unclear)?;
    let (new, topic, old) = (said.to(verb), content(rest.to(from).words), rest.from(from + 1).unmarked().raw());
    let names = |phrase: Phrase<'_, '_>| phrase.words.iter().all(|word| word.raw.starts_with(char::is_uppercase));
    if topic.is_empty() || !names(new) || !names(rest.from(from + 1).unmarked()) {
        return Err(Refusal::Unclear);
    }
    let about = |place: &Range<usize>| {
        let start = page.text[..place.start].rfind(['\n', ',', ';', '.']).map_or(0, |at| at + 1);
        let end = page.text[place.end..].find(['\n', ',', ';', '.']).map_or(page.text.len(), |at| place.end + at);
        page.says_all(&(start..end), &topic)
    };
    let places: Vec<Range<usize>> = locate(&page.text, old, Reach::Words).places.into_iter().filter(about).collect();
    match places.as_slice() {
        [place] => Ok(find::applied(&page.text, &vec![(place.clone(), new.raw().to_owned())])),
        _ => Err(Refusal::Unclear),
    }
}

/// `we expect 72 guests`, where the text has `Guests: 60`.
fn counted(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let rest = said
        .strip("that makes|that's|that is|which makes|this makes|we expect|we're expecting|we are expecting|we have|we need|there are|there will be|there'll be|it's|they expect|i expect|we've got|they need|it has|it needs")
        .ok_or(Refusal::Unclear)?;
    let [count, noun] = rest.unmarked().words else { return Err(Refusal::Unclear) };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let labels: Vec<_> = page.labels().iter().filter(|label| label.keys == [key(noun.raw)]).collect();
    match labels.as_slice() {
        [label] if is_number(count.raw) && is_number(page.at(&label.value)) => {
            Ok(find::applied(&page.text, &vec![(label.value.clone(), count.raw.to_owned())]))
        }
        _ => Err(Refusal::Unclear),
    }
}

/// `in her third year`, where the text says `second year`.
fn next_of_kind(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let count = |word: &str| super::super::counting::ordinal(&word.to_lowercase()).is_some();
    let at = (0..said.words.len().saturating_sub(1))
        .find(|&at| count(said.words[at].raw) && said.words[at + 1].raw.chars().all(char::is_lowercase))
        .ok_or(Refusal::Unclear)?;
    let noun = key(said.words[at + 1].raw);
    let places: Vec<Range<usize>> = page
        .words()
        .windows(2)
        .filter(|pair| count(page.at(&pair[0].place)) && pair[1].key == noun)
        .map(|pair| pair[0].place.clone())
        .collect();
    let alone =
        said.from(at + 2).is_empty() && new_values(page, said).is_empty() && !page.has(&key(said.words[at].raw));
    let named = |word: &Word<'_>| {
        word.raw.starts_with(char::is_uppercase) && !is_empty_word(&word.folded) && !page.has(&key(word.raw))
    };
    let alone = alone && !said.words.iter().any(named);
    let part = ["part.sentence", "part.line", "part.item"]
        .iter()
        .any(|class| vocabulary::is(&said.words[at + 1].folded, class));
    match places.as_slice() {
        [place] if alone && !part => {
            Ok(find::applied(&page.text, &vec![(place.clone(), said.words[at].raw.to_owned())]))
        }
        _ => Err(Refusal::Unclear),
    }
}

/// `on the second Saturday`, where the text says `first Friday`.
fn recurring(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let is_count =
        |word: &str| matches!(word.to_lowercase().as_str(), "first" | "second" | "third" | "fourth" | "last");
    let is_day = |word: &str| super::super::page::is_weekday(word);
    let at = (0..said.words.len().saturating_sub(1))
        .find(|&at| is_count(said.words[at].raw) && is_day(said.words[at + 1].raw))
        .ok_or(Refusal::Unclear)?;
    let places: Vec<Range<usize>> = page
        .words()
        .windows(2)
        .filter(|pair| is_count(page.at(&pair[0].place)) && is_day(page.at(&pair[1].place)))
        .map(|pair| pair[0].place.start..pair[1].place.end)
        .collect();
    let known = |phrase: Phrase<'_, '_>| content(phrase.words).iter().all(|key| page.has(key));
    let told = known(said.from(at + 2)) && new_values(page, said.from(at + 2)).is_empty();
    match places.as_slice() {
        [place] if told => {
            let new = replace::styled(page.at(place), said.to(at + 2).from(at).raw());
            Ok(find::applied(&page.text, &vec![(place.clone(), new)]))
        }
        _ => Err(Refusal::Unclear),
    }
}

/// `Elif gets a backpack`, where the text has a label for her.
fn given(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let verb = said.find("gets|will get|is getting|takes|will have|is having|has").filter(|at| (1..=2).contains(at));
    let verb = verb.ok_or(Refusal::Unclear)?;
    let rest =
        said.from(verb).strip("gets|will get|is getting|takes|will have|is having|has").ok_or(Refusal::Unclear)?;
    let rest = rest.unmarked();
    let rest = rest.strip_end("instead|now").unwrap_or(rest);
    let keys: Vec<String> = said.to(verb).words.iter().map(|word| key(word.raw)).collect();
    let labels = page.labels().iter().filter(|label| label.keys == keys).count();
    let new = New::of(rest).filter(|new| !new.is_value() && rest.words.len() <= 4).ok_or(Refusal::Unclear)?;
    if labels != 1 || page.labels().len() < 2 {
        return Err(Refusal::Unclear);
    }
    find::set(page, &wanted(said.to(verb)), &new).map(|edits| find::applied(&page.text, &edits))
}

/// `on Tuesday we'll have risotto`, where the text has a label for the day.
fn planned(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let rest = said.strip("on|for").ok_or(Refusal::Unclear)?;
    let who = rest
        .find(
            "we'll|we will|we're|we are|it's|it is|it'll be|it will be|there's|there is|there will be|i'll|i'm|they'll",
        )
        .filter(|at| (1..=3).contains(at))
        .ok_or(Refusal::Unclear)?;
    let verbs = "we'll|we|will|we're|are|it's|it|is|it'll|be|there's|there|i'll|i'm|they'll|have|having|do|doing|eat|eating|make|making|cook|cooking|get|getting|going|to";
    let length = rest.from(who).words.iter().take_while(|word| word.is_any(verbs)).count();
    let new = New::of(rest.from(who + length)).ok_or(Refusal::Unclear)?;
    let described = wanted(rest.to(who));
    let keys: Vec<String> = rest.to(who).unmarked().words.iter().map(|word| key(word.raw)).collect();
    let labels: Vec<_> = page.labels().iter().filter(|label| label.keys == keys).collect();
    match labels.as_slice() {
        [label] if !described.said.is_empty() => Ok(find::applied(&page.text, &vec![(label.value.clone(), new.text)])),
        _ => Err(Refusal::Unclear),
    }
}

/// `Sam moved to Utrecht`, where the text says that Sam lives in Leiden.
fn moved_house(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let at = said.find("moved to|has moved to|relocated to|has relocated to|lives in|is based in|is living in|now lives in|has moved from").filter(|at| *at > 0).ok_or(Refusal::Unclear)?;
    let to = at + said.from(at).words.iter().position(|word| word.is_any("to|in")).ok_or(Refusal::Unclear)?;
    let subject = content(without_now(said.to(at)).words);
    let rest = said.from(to + 1);
    let is_name = |word: &Word<'_>| word.raw.starts_with(char::is_uppercase);
    let count = rest.words.iter().take_while(|word| is_name(word)).count();
    let bracket = rest.words.get(count).is_some_and(|word| word.is("("));
    let end = if bracket {
        count + rest.from(count).words.iter().position(|word| word.is(")")).map_or(0, |at| at + 1)
    } else {
        count
    };
    let pronoun = said.words[0].is_any("they|he|she|i|we|user");
    if count == 0
        || subject.is_empty() && !pronoun
        || !subject.iter().all(|key| page.has(key))
        || !is_tail(page, rest.from(end))
    {
        return Err(Refusal::Unclear);
    }
    let homes = [
        "lives in ",
        "live in ",
        "living in ",
        "based in ",
        "resides in ",
        "located in ",
        "remotely from ",
        "home is in ",
        "moved to ",
    ];
    let places: Vec<Range<usize>> = homes
        .iter()
        .flat_map(|home| page.text.match_indices(home).map(|(at, _)| at + home.len()))
        .filter_map(|from| {
            let name = page.text[from..].split([',', '.', ';', '(', '\n']).next()?;
            let words =
                name.split(' ').take_while(|word| word.starts_with(char::is_uppercase)).collect::<Vec<_>>().join(" ");
            let mut end = from + words.len();
            if bracket && page.text[end..].starts_with(" (") {
                end += page.text[end..].find(')')? + 1;
            }
            (!words.is_empty()).then_some(from..end)
        })
        .collect();
    match places.as_slice() {
        [only] => Ok(find::applied(&page.text, &vec![(only.clone(), rest.to(end).raw().to_owned())])),
        [] => Err(Refusal::Unclear),
        _ => Err(Refusal::ambiguous(said.raw())),
    }
}

/// New values for old ones of their kinds, told by the words around them: `they get up at 5:45`, `16 GB RAM, 4 vCPU`.
fn valued(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let news = new_values(page, said);
    if news.is_empty() || news.len() > MOST_VALUES {
        return Err(Refusal::Unclear);
    }
    let mut edits = find::Edits::new();
    let mut from = 0;
    for (at, span) in news.iter().enumerate() {
        let next = news.get(at + 1).map_or(said.words.len(), |next| next.start);
        edits.extend(one_value(page, said, from, span, next)?);
        from = span.end;
    }
    edits.sort_by_key(|(place, _)| place.start);
    match edits.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start) {
        true => Ok(find::applied(&page.text, &edits)),
        false => Err(Refusal::ambiguous(said.raw())),
    }
}

/// Whether a statement says that something came to have a value which the text has not.
pub(super) fn brings_values(page: &Page, said: Phrase<'_, '_>) -> bool {
    let becomes = |at: usize| becoming(&said.words[at..]) > 1 || vocabulary::is(&said.words[at].folded, "altered");
    let when = |span: &Range<usize>| {
        let dates = find::only_values(said.to(span.end).from(span.start).raw())
            .iter()
            .all(|value| matches!(value.kind, Kind::Date | Kind::Weekday | Kind::Relative | Kind::Month));
        let before = said.words[..span.start].last();
        before.is_some_and(|word| word.is_any("on|since|in|at"))
            || dates
                && !before.into_iter().chain(&said.words[span.start..=span.start]).any(|word| word.is_any("to|until"))
    };
    (1..said.words.len()).any(becomes) && new_values(page, said).iter().any(|span| !when(span))
}

/// How many words say that something came to be what follows: `is now`, `has been pushed back to`.
fn becoming(words: &[Word<'_>]) -> usize {
    let listed = vocabulary::length(words, "becomes");
    let helps = |word: &Word<'_>| {
        vocabulary::is(&word.folded, "be")
            || vocabulary::is(&word.folded, "have")
            || word.is_any("got|gets|just|now|recently|will|should|must|to")
    };
    let auxiliary = words.iter().take_while(|word| helps(word)).count();
    let altered = words.get(auxiliary).is_some_and(|word| {
        vocabulary::is(&word.folded, "altered")
            || auxiliary > 0 && vocabulary::is(&word.folded, "altering")
            || word.is_any("come|came|gone|went|passed|down|up")
    });
    let mut at = auxiliary + 1;
    while altered && words.get(at).is_some_and(|word| word.is_any("back|forward|up|down|out|over|ahead|on")) {
        at += 1;
    }
    let formed = words.get(at).is_some_and(|word| altered && word.is_any("to|until|till|for|at"));
    listed.max(if formed { at + 1 } else { 0 })
}

/// Nobody tells more values at once.
const MOST_VALUES: usize = 4;

/// The place of one new value, told by the words from `from` to the next one.
fn one_value(
    page: &Page,
    said: Phrase<'_, '_>,
    from: usize,
    span: &Range<usize>,
    next: usize,
) -> Result<find::Edits, Refusal> {
    let new = New::of(said.to(span.end).from(span.start)).filter(New::is_value).ok_or(Refusal::Unclear)?;
    // `they renewed it yesterday` tells when, and not until when.
    if new.values.iter().all(|value| value.kind == Kind::Relative) {
        return Err(Refusal::Unclear);
    }
    let desc = said.to(span.start).from(from);
    // `went up by 10 euros` does not say to what.
    if desc.words.last().is_some_and(|word| word.is_any("by|another|extra|additional|further")) {
        return Err(Refusal::Unclear);
    }
    let tail = said.to(next).from(span.end);
    let tail_keys: Vec<String> = content(tail.words).into_iter().filter(|key| page.has(key)).collect();
    if next == said.words.len() && !is_tail(page, tail) && !strangers(page, tail, &wanted(tail)).is_empty() {
        return Err(Refusal::Unclear);
    }
    let mut described = wanted(desc);
    described.hints.extend(desc.words.iter().map(|word| key(word.raw)));
    let strange = strangers(page, desc, &described);
    let candidates = page.values().iter().filter(|old| find::alike(&page.text, old, &new.text, &new.values[0])).count();
    described.keys.retain(|key| page.has(key) || find::is_related(page, key).is_some());
    let anchored = !described.keys.is_empty() || !described.kinds.is_empty();
    let distinct = candidates == 1 || !described.nouns.is_empty();
    let sure = match strange.as_slice() {
        [] => true,
        [only] => {
            let named = only.raw.contains(char::is_uppercase) && only.start != said.words[0].start;
            !named && anchored && distinct
        }
        _ => false,
    };
    if !sure {
        return Err(strange.first().map_or(Refusal::Unclear, |word| Refusal::not_in_text(word.raw)));
    }
    described.keys.extend(tail_keys);
    let counted = new.values.len() == 1 && new.values[0].unit_end > new.values[0].end;
    if described.keys.is_empty() && described.kinds.is_empty() && !(counted && candidates == 1) {
        return Err(Refusal::Unclear);
    }
    find::set(page, &described, &new)
}

/// Where a statement has values.
pub(super) fn all_values(said: Phrase<'_, '_>) -> Vec<Range<usize>> {
    values_in(said, |_| true)
}

/// Where a statement has values that the text has not, without those that only tell when it came to be so.
pub(super) fn new_values(page: &Page, said: Phrase<'_, '_>) -> Vec<Range<usize>> {
    let mut out = values_in(said, |raw| {
        let to_day = page.has(&key(raw)) && raw.chars().all(char::is_alphabetic);
        !page.text.contains(raw) && !to_day
    });
    let when = |span: &Range<usize>| {
        let before = span.start.checked_sub(1).map(|at| &said.words[at]);
        let dates = find::only_values(said.to(span.end).from(span.start).raw())
            .iter()
            .all(|value| matches!(value.kind, Kind::Date | Kind::Weekday | Kind::Relative | Kind::Month));
        dates
            && before.is_none_or(|word| word.is_any("on|since|from|after|of|effective|by|in|last|this|next|following"))
    };
    let dated = |span: &Range<usize>| {
        find::only_values(said.to(span.end).from(span.start).raw())
            .iter()
            .all(|value| matches!(value.kind, Kind::Date | Kind::Weekday | Kind::Relative | Kind::Month))
    };
    if out.iter().any(|span| !when(span)) {
        out.retain(|span| !when(span));
    }
    // `to 88 mcg on the basis of the March labs`
    if let Some(first) = out.iter().position(|span| !dated(span)) {
        let end = out[first].end;
        let far =
            |span: &Range<usize>| span.start > end + 1 && !said.words[end..span.start].iter().any(|word| word.is(","));
        out.retain(|span| !dated(span) || !far(span));
    }
    out
}

/// The values of a statement that count, by where they stand.
fn values_in(said: Phrase<'_, '_>, counts: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < said.words.len() {
        let starts = said.words[at].raw.contains(|c: char| c.is_ascii_digit() || c.is_uppercase())
            || at > 0 && said.words[at].raw.chars().all(char::is_alphabetic);
        let is_value = |to: &usize| {
            let new = New::of(said.to(*to).from(at));
            !said.words[*to - 1].is_mark() && new.is_some_and(|new| new.is_value() && new.values[0].start == 0)
        };
        let longest = (at + 1..=said.words.len().min(at + 8)).rev().find(is_value).filter(|_| starts);
        match longest {
            Some(to) => {
                let raw = said.to(to).from(at).raw();
                let raw = New::of(said.to(to).from(at)).map_or(raw, |new| &raw[raw.len() - new.text.len()..]);
                // `Klara and the Sun` is no day.
                let titled =
                    raw.len() <= 3 && at > 0 && said.words[at - 1].is("the") && raw.chars().all(char::is_alphabetic);
                if counts(raw) && !titled {
                    out.push(at..to);
                }
                at = to;
            }
            None => at += 1,
        }
    }
    out
}

/// The words of a description that the text knows nothing of.
fn strangers<'a, 'r>(page: &Page, desc: Phrase<'a, 'r>, described: &find::Wanted) -> Vec<&'a Word<'r>> {
    let foreign = desc.words.iter().any(|word| vocabulary::is(&word.folded, "foreign"))
        && !desc.words.iter().any(|word| word.is_any("the|and|of|with|was|has"));
    let free = |word: &Word<'_>| {
        super::cut::is_verb(&word.folded)
            || vocabulary::is(&word.folded, "becomes")
            || vocabulary::is(&word.folded, "filler")
            || is_empty_word(word.folded.strip_suffix("'s").unwrap_or(&word.folded))
            || word.folded.ends_with("ly")
            || foreign && (word.raw.chars().count() <= 3 || vocabulary::is(&word.folded, "foreign"))
    };
    let known = |word: &Word<'_>| {
        page.has(&key(word.raw))
            || described.nouns.contains(&key(word.raw))
            || find::is_related(page, &key(word.raw)).is_some()
    };
    // Whoever raised or moved it need not be known.
    let altered = desc.words.iter().position(|word| vocabulary::is(&word.folded, "altered"));
    let object = altered.filter(|at| desc.words[*at..].iter().any(|word| known(word) && !free(word))).unwrap_or(0);
    let mut strange: Vec<&Word<'_>> = desc
        .words
        .iter()
        .skip(object)
        .filter(|word| !word.quoted && word.raw.contains(char::is_alphanumeric) && !free(word) && !known(word))
        .collect();
    if foreign {
        strange.retain(|word| word.raw.starts_with(char::is_uppercase) && word.start != desc.words[0].start);
    }
    strange
}

/// A statement without the words at its ends that only say that it holds by now.
fn without_now<'a, 'r>(phrase: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
    let mut rest = phrase.unmarked();
    loop {
        let end = vocabulary::length_at_end(rest.words, "now");
        let start = vocabulary::length(rest.words, "now");
        let next = match (end, start) {
            (0, 0) => return rest,
            (0, start) => rest.from(start),
            (end, _) => rest.to(rest.words.len() - end),
        };
        if next.unmarked().is_empty() {
            return rest;
        }
        rest = next.unmarked();
    }
}

/// `X is A instead of B`, `A, not B`.
fn contrasted(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let joint = (1..said.words.len()).find(|&at| {
        let length = vocabulary::length(&said.words[at..], "contrast");
        let negates = said.words[at].is("not") && !said.words[at - 1].is_any(",|and|but|-|–|—");
        let denies = said.words[at].is("no") && !said.words[at - 1].is(",");
        length > 0 && !negates && !denies
    });
    let at = joint.ok_or(Refusal::Unclear)?;
    let lead = said.to(at).unmarked();
    let old = said.from(at + vocabulary::length(&said.words[at..], "contrast"));
    let mut old = without_tail(page, old.unmarked());
    // A preposition or an article before both stays as it is.
    while old.words.len() > 1
        && old.words[0].is_any("by|on|at|in|the|a|an|op|am|um|to|for|with")
        && lead.words.iter().any(|word| word.folded == old.words[0].folded)
    {
        old = old.from(1);
    }
    // `it's every other Saturday, not every Saturday`
    let all = lead.strip("it's|it is|that's|it should be|should be").unwrap_or(lead);
    let places = locate(&page.text, old.raw(), Reach::Words).places;
    if let ([place], Some(last), Some(end)) = (places.as_slice(), all.words.last(), old.words.last())
        && last.folded == end.folded
        && old.words.len() > 1
        && all.words.len() > old.words.len()
        && all.words.len() <= 5
        && all.words[0].folded == old.words[0].folded
    {
        return Ok(find::applied(&page.text, &vec![(place.clone(), all.raw().to_owned())]));
    }
    // `dans la salle Diderot et non dans la salle Voltaire`
    let shared = (0..lead.words.len())
        .map(|at| lead.words[at..].iter().zip(old.words).take_while(|(one, other)| one.folded == other.folded).count())
        .max()
        .unwrap_or(0);
    if shared > 1 && shared < old.words.len() {
        old = old.from(shared);
    }
    let places = match places_of(page, old) {
        Err(refusal @ Refusal::Ambiguous { .. }) => several_places(page, lead, old).ok_or(refusal)?,
        places => places?,
    };
    let old_text = page.at(&places[0]);
    let (desc, new) = new_like(page, lead, old, old_text)?;
    accounted(page, desc)?;
    let new_text = bare_like(new, old_text);
    if let [place] = places.as_slice()
        && let Some(edit) = counted_like(page, place, &new_text)
    {
        return Ok(find::applied(&page.text, &vec![edit]));
    }
    Ok(replace::put(&page.text, &places, |place| replace::styled(&page.text[place], &new_text), true))
}

/// Whether two names differ in a letter or two only.
fn is_misspelling(one: &str, other: &str) -> bool {
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let (one, other): (Vec<char>, Vec<char>) =
        (one.to_lowercase().chars().collect(), other.to_lowercase().chars().collect());
    let same = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let tail = one[same..].iter().rev().zip(other[same..].iter().rev()).take_while(|(one, other)| one == other).count();
    let longest = one.len().max(other.len());
    capital(&one.iter().collect::<String>().to_uppercase()) && longest > 3 && longest - same - tail <= 2
}

/// Where the old words stand, if they do so more than once: everywhere for `both`, or in the one sentence that says the rest as well.
fn several_places(page: &Page, lead: Phrase<'_, '_>, old: Phrase<'_, '_>) -> Option<Vec<Range<usize>>> {
    let places = locate(&page.text, old.strip("the|a|an|at|in|on").unwrap_or(old).raw(), Reach::Words).places;
    let all = lead.words.first().is_some_and(|word| word.is_any("both|all|every|each"));
    // `it's Katarina, not Katrina`: one name, misspelt wherever it stands.
    let spelt = lead.unmarked().words.last().is_some_and(|new| {
        let old = old.unmarked().words;
        old.len() == 1 && is_misspelling(old[0].raw, new.raw)
    });
    if all || spelt {
        return Some(places).filter(|places| places.len() > 1);
    }
    let keys: Vec<String> = content(lead.words).into_iter().filter(|key| page.has(key)).collect();
    let says = |place: &Range<usize>| {
        let words = page.words_in(&page.sentence_of(place));
        !keys.is_empty() && keys.iter().all(|key| words.iter().any(|word| word.key == *key))
    };
    let found: Vec<Range<usize>> = places.into_iter().filter(says).collect();
    (found.len() == 1).then_some(found)
}

/// `18 eggs` for the `12` of `eggs (12)`, `1 tablet a day` for the `2` of `2 tablets of it a day`.
fn counted_like(page: &Page, place: &Range<usize>, new: &str) -> Option<(Range<usize>, String)> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut words = new.split(' ');
    let (number, unit) = (words.next()?, words.next()?);
    if !is_number(number) || !is_number(page.at(place)) || !words.all(|word| page.has(&key(word))) {
        return None;
    }
    let next = page.words().iter().find(|word| word.place.start >= place.end)?;
    let same = next.key == key(unit) && page.text[place.end..next.place.start] == *" ";
    match same {
        true => Some((place.start..next.place.end, format!("{number} {unit}"))),
        false => page.has(&key(unit)).then(|| (place.clone(), number.to_owned())),
    }
}

/// `new` without an article or a preposition that the old words go without.
fn bare_like(new: Phrase<'_, '_>, old: &str) -> String {
    let old_first = old.split_whitespace().next().unwrap_or_default().to_lowercase();
    let mut rest = new;
    // `by transfer` for `in cash`: each with its own.
    let leads = |word: &str| super::super::small_words::is_preposition(word);
    if leads(&old_first) && new.words.first().is_some_and(|word| leads(word.raw)) {
        return new.raw().to_owned();
    }
    while rest.words.len() > 1
        && !rest.words[0].quoted
        && (vocabulary::is(&rest.words[0].folded, "article")
            || vocabulary::is(&rest.words[0].folded, "now")
            || rest.words[0].is_any("spelled|spelt|written|called|named|at|on|in|op|am|um|by|to|for|with"))
        && rest.words[0].folded != old_first
    {
        rest = rest.from(1);
    }
    match rest.words {
        [only] if only.quoted => only.raw.to_owned(),
        _ => rest.raw().to_owned(),
    }
}

/// Where the old words stand; all places if they are told by name.
fn places_of(page: &Page, old: Phrase<'_, '_>) -> Result<Vec<Range<usize>>, Refusal> {
    let mut rest = old;
    loop {
        let raw = match rest.words {
            [] => return Err(Refusal::not_in_text(old.raw())),
            [only] if only.quoted => only.raw,
            _ => rest.raw(),
        };
        let found = locate(&page.text, raw, Reach::Words).places;
        match found.len() {
            0 => {
                let skips = rest.words[0]
                    .is_any("the|a|an|on|at|in|op|her|his|my|our|their|le|la|el|der|die|das|de|het|il|o|os|as")
                    && rest.words.len() > 1;
                if !skips {
                    return Err(Refusal::not_in_text(old.raw()));
                }
                rest = rest.from(1);
            }
            1 => return Ok(found),
            _ => return Err(Refusal::ambiguous(raw)),
        }
    }
}

/// The new words at the end of `lead` that are most like the old ones, and what stands before them.
fn new_like<'a, 'r>(
    page: &Page,
    lead: Phrase<'a, 'r>,
    old: Phrase<'_, '_>,
    old_text: &str,
) -> Result<(Phrase<'a, 'r>, Phrase<'a, 'r>), Refusal> {
    let lead = without_now(lead);
    let lead = lead.strip("it's|it is|that's|that is|i meant|he's|she's|its|they're|we're|it should be|it should say|should be|i mean|meant").unwrap_or(lead);
    let lead = without_now(lead);
    let lead = lead.strip("i|we|he|she|they").filter(|rest| rest.words.len() == 1).unwrap_or(lead);
    let old_values = find::only_values(old_text);
    // A value for a value, with its unit or without.
    if !old_values.is_empty() {
        for from in 0..lead.words.len() {
            let new = lead.from(from);
            let values = find::only_values(new.raw());
            if values.first().is_some_and(|value| value.start == 0) {
                return Ok((lead.to(from), new));
            }
        }
        // `op woensdag vrij`: the value stands before words that the text has as well.
        for from in 0..lead.words.len() {
            for to in (from + 1..lead.words.len()).rev() {
                let new = lead.to(to).from(from);
                let after = lead.from(to);
                if !find::only_values(new.raw()).is_empty() && content(after.words).iter().all(|key| page.has(key)) {
                    return Ok((lead.to(from), new));
                }
            }
        }
        return Err(Refusal::Unclear);
    }
    let copula = (0..lead.words.len()).rev().find(|&at| {
        vocabulary::is(&lead.words[at].folded, "be") || lead.words[at].is_any("be|read|say|has|have|becomes|become|:")
    });
    // `Klara with a K`
    let lead = match lead.find("with a|with an|with two|with one").filter(|at| *at > 0) {
        Some(at) => lead.to(at),
        None => lead,
    };
    // A name for a name, whatever stands before it.
    let capital = |word: &Word<'_>| word.raw.starts_with(char::is_uppercase);
    if old.words.iter().all(capital) && !old.is_empty() {
        let count = lead.words.iter().rev().take_while(|word| capital(word)).count();
        if count > 0 && count < lead.words.len() {
            return Ok((lead.to(0), lead.from(lead.words.len() - count)));
        }
        // `Selma presents the demo instead of Hugo`
        let new = |word: &Word<'_>| capital(word) && !page.has(&key(word.raw)) && !is_empty_word(&word.folded);
        let first = lead
            .words
            .iter()
            .enumerate()
            .find(|(at, word)| new(word) && (*at > 0 || !super::super::small_words::is_preposition(word.raw)));
        if let Some((first, _)) = first {
            let count = lead.words[first..].iter().take_while(|word| new(word)).count();
            let only = !lead.words[first + count..].iter().any(new);
            return if only { Ok((lead.to(0), lead.from(first).to(count))) } else { Err(Refusal::Unclear) };
        }
    }
    if let Some(at) = copula
        && at + 1 < lead.words.len()
    {
        let new = lead.from(at + 1);
        return Ok((
            lead.to(at),
            new.strip("now|be|actually|really|held|located|scheduled").filter(|rest| !rest.is_empty()).unwrap_or(new),
        ));
    }
    // `decided on medicine instead of law`: what stands last, for what it is told from.
    let is_lead = |word: &Word<'_>| {
        super::super::small_words::is_preposition(word.raw)
            || super::cut::is_finite(word)
            || vocabulary::is(&word.folded, "article")
            || word.folded.ends_with('s') && word.raw.chars().all(char::is_lowercase) && word.raw.len() > 3
    };
    if let Some(at) = lead.words.iter().rposition(is_lead).filter(|at| (1..=3).contains(&(lead.words.len() - at - 1))) {
        // `with oat milk` for `black`: a preposition that the text has not.
        let leads = super::super::small_words::is_preposition(lead.words[at].raw);
        let place = locate(&page.text, old_text, Reach::Words).places.first().map_or(0, |place| place.start);
        let led = page.text[..place].split_whitespace().next_back().map(str::to_lowercase);
        let kept = leads
            && !led.is_some_and(|word| super::super::small_words::is_preposition(&word) || super::cut::is_verb(&word));
        let new = lead.from(if kept && lead.words[at].is("with") { at } else { at + 1 });
        let small = |word: &Word<'_>| word.raw.chars().all(|c| c.is_lowercase() || c == '-');
        if new.words.iter().all(small)
            && old.words.iter().all(small)
            && !new.words.iter().all(|word| page.has(&key(word.raw)))
        {
            return Ok((lead.to(0), new));
        }
    }
    // After the preposition that leads to the old words in the text.
    let start = locate(&page.text, old_text, Reach::Words).places.first().map_or(0, |place| place.start);
    let before: Vec<String> = page.text[..start].split_whitespace().rev().take(2).map(str::to_lowercase).collect();
    let preposition = (0..lead.words.len())
        .rev()
        .find(|&at| before.iter().any(|word| lead.words[at].folded == *word) && at + 1 < lead.words.len());
    if let Some(at) = preposition {
        return Ok((lead.to(at), lead.from(at + 1)));
    }
    if lead.words.len() == old.words.len() && lead.words.len() > 1 {
        return Ok((lead.to(0), lead));
    }
    // `Kei should review, not Ken`: a name for a name.
    let is_name = |word: &str| word.starts_with(char::is_uppercase);
    if is_name(old_text) && lead.words.first().is_some_and(|word| is_name(word.raw)) {
        let count = lead.words.iter().take_while(|word| is_name(word.raw)).count();
        accounted(page, lead.from(count))?;
        return Ok((lead.to(0), lead.to(count)));
    }
    // Nothing but the new words.
    let count = old.words.len().max(1);
    if lead.words.len() <= count + 2 {
        return Ok((lead.to(0), lead));
    }
    Err(Refusal::Unclear)
}

/// `X switched from A to B`.
fn moved_from_to(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    // `he switched Saturday to Sunday`
    let exchanged = |word: &Word<'_>| word.is_any("switched|swapped|changed|exchanged|replaced|renamed|traded");
    let from = said
        .words
        .iter()
        .position(|word| word.is("from"))
        .or_else(|| said.words.iter().position(exchanged).filter(|at| *at > 0))
        .ok_or(Refusal::Unclear)?;
    let joint = if exchanged(&said.words[from]) { "to|for|with" } else { "to" };
    let to = from + said.from(from).words.iter().position(|word| word.is_any(joint)).ok_or(Refusal::Unclear)?;
    let old = said.to(to).from(from + 1);
    let places = places_of(page, old)?;
    let new = without_tail(page, said.from(to + 1).unmarked());
    let new = new.to(new.find("at the|in the|on the|last|this").filter(|at| *at > 0).unwrap_or(new.words.len()));
    let new = New::of(new).ok_or(Refusal::Unclear)?;
    Ok(replace::put(&page.text, &places, |place| replace::styled(&page.text[place], &new.text), true))
}

/// `A took over from B`, `B handed it over to A`.
fn taken_over(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let names = |phrase: Phrase<'_, '_>| -> Option<String> {
        let words: Vec<&Word<'_>> = phrase
            .words
            .iter()
            .skip_while(|word| !word.raw.starts_with(char::is_uppercase))
            .take_while(|word| word.raw.starts_with(char::is_uppercase) || word.is("."))
            .collect();
        let (first, last) = (words.first()?, words.last()?);
        Some(phrase.request[first.start..last.end].trim_end_matches('.').to_owned())
    };
    let over = |words: &str| said.find(words);
    let (old, new) = if let Some(at) = over("replaced by|replaced with|succeeded by") {
        (names(said.to(at)), names(said.from(at + 2)))
    } else if let Some(at) = over(
        "took over from|takes over from|has taken over from|replaced|replaces|has replaced|succeeded|succeeds|taking over from",
    ) {
        let length = if said.words[at].is_any("replaced|replaces|succeeded|succeeds") {
            1
        } else if said.words[at].is("has") && said.words[at + 1].is("replaced") {
            2
        } else {
            said.from(at).words.iter().position(|word| word.is("from")).map_or(1, |from| from + 1)
        };
        (names(said.from(at + length)), names(said.to(at)))
    } else if let Some(at) = over("handed") {
        let to = at + said.from(at).words.iter().rposition(|word| word.is("to")).ok_or(Refusal::Unclear)?;
        (names(said.to(at)), names(said.from(to + 1)))
    } else {
        return Err(Refusal::Unclear);
    };
    let (Some(old), Some(new)) = (old, new) else { return Err(Refusal::Unclear) };
    let places = locate(&page.text, &old, Reach::Words).places;
    match places.as_slice() {
        [] => Err(Refusal::not_in_text(&old)),
        [only] => put_with_value(page, said, only, &new),
        _ => Err(Refusal::ambiguous(&old)),
    }
}

/// `new` in place of a name, with the value that goes with each: `Rosuvastatin 10 mg` for `Atorvastatin 20 mg`.
fn put_with_value(page: &Page, said: Phrase<'_, '_>, place: &Range<usize>, new: &str) -> Result<String, Refusal> {
    let old = page.values().iter().find(|value| {
        value.start == place.end + 1
            && page.text[place.end..].starts_with(' ')
            && matches!(value.kind, Kind::Number | Kind::Code)
    });
    let Some(old) = old else { return Ok(find::applied(&page.text, &vec![(place.clone(), new.to_owned())])) };
    let after = said.raw().rfind(new).map_or("", |at| said.raw()[at + new.len()..].trim().trim_end_matches('.'));
    match find::only_values(after).as_slice() {
        [value] if find::alike(&page.text, old, after, value) => {
            let edits = vec![(place.clone(), new.to_owned()), find::put_value(&page.text, old, after, value)];
            Ok(find::applied(&page.text, &edits))
        }
        _ => Err(Refusal::Unclear),
    }
}

/// `X is no longer on the team`, `X left the team`: an item of a list goes.
fn gone(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let at = said.find("is no longer|are no longer|no longer|left|has left|stepped down|has stepped down|dropped out|quit|was removed|have left|resigned|has resigned|retired|has been dropped|was dropped").filter(|at| *at > 0).ok_or(Refusal::Unclear)?;
    let subject = said.to(at).unmarked();
    let rest = said.from(at);
    // `no longer works at A, now at B` gives something new.
    if rest.words.iter().any(|word| word.is_any(",|now|but|instead|and")) {
        return Err(Refusal::Unclear);
    }
    let denied = rest.words.iter().skip_while(|word| word.is_any("is|are|no|longer|left|has|stepped|down|dropped|out|not|isn't|quit|was|removed|have|resigned|retired")).filter(|word| !is_empty_word(&word.folded) && !word.is_any("part|member|involved|available|coming|attending|participating|included|listed|working|works|here|today|anymore"));
    if !denied.clone().all(|word| page.has(&key(word.raw))) {
        return Err(Refusal::Unclear);
    }
    let keys = content(subject.words);
    if keys.is_empty() {
        return Err(Refusal::Unclear);
    }
    let mut found = Vec::new();
    for row in page.rows() {
        for (at, item) in row.items.iter().enumerate() {
            let words = page.words_in(item);
            if keys.iter().all(|key| words.iter().any(|word| word.key == *key)) && words.len() <= keys.len() + 1 {
                found.push((row, at));
            }
        }
    }
    match found.as_slice() {
        [(row, at)] => row.without(&page.text, &[*at]).ok_or(Refusal::Emptied),
        [] => Err(Refusal::Unclear),
        _ => Err(Refusal::ambiguous(subject.raw())),
    }
}

/// `the price is 40 EUR`, `the review moved to Thursday at 4pm`.
fn became(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let mut refusal = Refusal::Unclear;
    for at in 1..said.words.len().min(20) {
        let length = becoming(&said.words[at..]);
        if length == 0 || at + length >= said.words.len() {
            continue;
        }
        let desc = without_now(said.to(at));
        let rest = said.from(at + length);
        let rest = without_now(rest);
        let Some((new, tail)) = new_and_tail(rest) else { continue };
        if !is_tail(page, tail) || super::change::is_vague(new) {
            refusal = Refusal::Unclear;
            continue;
        }
        let Some(words) = New::of(new) else { continue };
        let says = words.quoted
            || words.is_value()
            || words.text.contains(|c: char| c.is_ascii_digit())
            || said.find("should").is_some();
        if let Some(done) = super::items::set(page, desc, &words).filter(|_| says) {
            return done;
        }
        // Without a value, only a noun that has one is certain.
        let mut described = wanted(desc.unmarked());
        described.told = true;
        described.hints.extend(said.to(at + length).from(at).words.iter().map(|word| key(word.raw)));
        if described.keys.is_empty() && described.kinds.is_empty() && !words.is_value() {
            continue;
        }
        let plain =
            |phrase: Phrase<'_, '_>| phrase.words.len() == 1 && phrase.words[0].raw.chars().all(char::is_lowercase);
        if said.words[at].is("should") && plain(desc) && plain(new) {
            continue;
        }
        if words.text.starts_with("not ") || words.text.starts_with("no ") {
            continue;
        }
        // `has to be swapped out` tells what is to be done, and not what it is.
        let asks = said
            .to(at + length)
            .from(at)
            .find("has to be|have to be|needs to be|need to be|must be|should be")
            .is_some();
        let first = words.text.split(' ').next().unwrap_or_default();
        if asks && (first.ends_with("ed") || vocabulary::is(first, "altered")) {
            continue;
        }
        match find::set(page, &described, &words) {
            Ok(mut edits) => {
                edits.extend(by_another(page, &edits, tail));
                return Ok(find::applied(&page.text, &edits));
            }
            Err(found) => refusal = found,
        }
    }
    Err(refusal)
}

/// `by Kerstin` after the new value, where the text has `by Olaf` after the old.
fn by_another(page: &Page, edits: &find::Edits, tail: Phrase<'_, '_>) -> Option<(Range<usize>, String)> {
    let [by, name @ ..] = tail.unmarked().words else { return None };
    let (place, _) = edits.last()?;
    let after = &page.text[place.end..];
    let start = after.strip_prefix(' ')?.strip_prefix(by.raw)?.strip_prefix(' ')?;
    let from = page.text.len() - start.len();
    let length = start.find([',', '.', ';', '\n', '(']).unwrap_or(start.len());
    let is_name = |word: &str| word.starts_with(char::is_uppercase);
    let old = start[..length].trim_end();
    let new = tail.unmarked().from(1).raw();
    (!name.is_empty() && old.split_whitespace().all(is_name) && name.iter().all(|word| is_name(word.raw)))
        .then(|| (from..from + old.len(), new.to_owned()))
}

/// The new value that words begin with, and what follows it.
fn new_and_tail<'a, 'r>(rest: Phrase<'a, 'r>) -> Option<(Phrase<'a, 'r>, Phrase<'a, 'r>)> {
    let rest = rest.unmarked();
    if rest.is_empty() {
        return None;
    }
    // The longest start that is values and nothing else.
    for to in (1..=rest.words.len()).rev() {
        if New::of(rest.to(to)).is_some_and(|new| new.is_value()) {
            let tail = rest.from(to);
            // `1:44:58 (Valencia, 2024)`
            let closes = tail.words.iter().position(|word| word.is(")")).filter(|_| tail.words[0].is("("));
            let to = closes.map_or(to, |at| to + at + 1);
            return Some((rest.to(to), rest.from(to)));
        }
    }
    let tail = (1..rest.words.len()).find(|&at| {
        rest.words[at].is_any("after|since|because|until|according|starting|effective|following")
            || rest.from(at).starts("with two")
            || rest.from(at).starts("with one")
            || rest.from(at).starts("with a double")
            || rest.words[at].is("as") && rest.words.get(at + 1).is_some_and(|word| word.is("of"))
    });
    let at = tail.unwrap_or(rest.words.len());
    Some((without_now(rest.to(at)), rest.from(at)))
}

/// Whether words after a new value only tell when, why or by whom, or stand in the text already.
pub(super) fn is_tail(page: &Page, tail: Phrase<'_, '_>) -> bool {
    let tail = tail.unmarked();
    let again = tail.words.first().is_some_and(|word| word.is_any("until|from|to|for|at|on"))
        && !find::only_values(tail.from(1).raw()).is_empty();
    if again {
        return false;
    }
    tail.is_empty() || vocabulary::length(tail.words, "tail") > 0 || content(tail.words).iter().all(|key| page.has(key))
}

fn without_tail<'a, 'r>(page: &Page, phrase: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
    for at in 1..phrase.words.len() {
        if phrase.words[at].is_any("until|since|because|after|as|for|starting|from")
            && locate(&page.text, phrase.raw(), Reach::Words).places.is_empty()
        {
            return phrase.to(at);
        }
    }
    phrase
}

/// Whether each word that tells something stands in the text.
fn accounted(page: &Page, desc: Phrase<'_, '_>) -> Result<(), Refusal> {
    let asked = wanted(desc);
    let free = |word: &str| vocabulary::is(word, "becomes") || super::cut::is_verb(word);
    let known = |word: &Word<'_>| {
        word.quoted
            || is_empty_word(word.folded.strip_suffix("'s").unwrap_or(&word.folded))
            || free(&word.folded)
            || page.has(&key(word.raw))
            || asked.nouns.contains(&key(word.raw))
            || !word.raw.contains(char::is_alphanumeric)
            || page.words().iter().any(|other| {
                other.key.len() > 3 && other.key.starts_with(&key(word.raw))
                    || other.key.len() > 2
                        && key(word.raw).starts_with(&other.key)
                        && key(word.raw).len() <= other.key.len() + 5
            })
    };
    match desc.words.iter().find(|word| !known(word)) {
        Some(word) => Err(Refusal::not_in_text(word.raw)),
        None => Ok(()),
    }
}

/// `Tobias Grant is User's manager now`: the name comes first.
fn named_last(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let at = said
        .words
        .iter()
        .position(|word| word.is_any("is|are|becomes|will"))
        .filter(|at| *at > 0)
        .ok_or(Refusal::Unclear)?;
    let (name, desc) = (said.to(at), said.from(at + 1));
    let is_name =
        name.words.iter().all(|word| word.raw.starts_with(char::is_uppercase) || word.is(".")) && name.words.len() <= 4;
    let desc = without_now(desc.strip("be|the|our|my|their|a").unwrap_or(desc));
    // `the owner of this project`
    let whole = desc.find("of this|for this|of the|on this|in this").filter(|at| *at > 0);
    let desc = whole
        .filter(|at| page.labels().iter().any(|label| label.keys == content(desc.to(*at).words)))
        .map_or(desc, |at| desc.to(at));
    let is_value = !find::only_values(name.raw()).is_empty();
    if !is_name || is_value || page.has(&key(name.words[0].raw)) || desc.is_empty() {
        return Err(Refusal::Unclear);
    }
    let described = wanted(desc);
    if described.keys.is_empty() {
        return Err(Refusal::Unclear);
    }
    let new = New::plain(name.raw().to_owned());
    find::set(page, &described, &new).map(|edits| find::applied(&page.text, &edits))
}

/// A statement that repeats a clause of the text with other words at its end: `Anne handles compliance`.
fn aligned(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let words: Vec<&Word<'_>> = said
        .words
        .iter()
        .filter(|word| !vocabulary::is(&word.folded, "now") && word.raw.contains(char::is_alphanumeric))
        .filter(|word| !word.is("will"))
        .skip_while(|word| word.is_any("the|our|my"))
        .collect();
    if words.len() < 3 || words.iter().any(|word| word.quoted) {
        return Err(Refusal::Unclear);
    }
    // `she teaches physics` of `Samir's sister … teaches chemistry`
    if words[0].is_any("he|she|they")
        && words.len() <= 4
        && words[1].folded.ends_with('s')
        && !super::cut::is_verb(&words[1].folded)
        && let [verb] = page.places_of(&key(words[1].raw)).collect::<Vec<_>>().as_slice()
        && let Some(next) = page.words().iter().find(|word| word.place.start > verb.place.end)
        && page.text[verb.place.end..next.place.start] == *" "
        && let Some(place) = like(page, next.place.start, page.sentence_of(&verb.place).end, &words[2..])
    {
        let new = &said.request[words[2].start..words[words.len() - 1].end];
        return Ok(find::applied(&page.text, &vec![(place, new.to_owned())]));
    }
    let keys: Vec<String> = words.iter().map(|word| key(word.raw)).collect();
    let mut outcomes: Vec<String> = Vec::new();
    for sentence in page.sentences() {
        let text = page.words_in(sentence);
        for start in 0..text.len() {
            if text[start].key != keys[0] {
                continue;
            }
            // Words in the same order, with at most a few of the text between the first two.
            let mut at = start;
            let mut matched = 1;
            let mut skipped = false;
            while matched < keys.len() {
                let skip = if skipped { 0 } else { 3 };
                let next = (at + 1..text.len().min(at + 2 + skip)).find(|&next| text[next].key == keys[matched]);
                let Some(next) = next else { break };
                // `Anne Schmidt handles`, but not `Anne's cake is`.
                let names = (at + 1..next).all(|between| page.at(&text[between].place).starts_with(char::is_uppercase));
                let owns = page.text[text[at].place.clone()].ends_with("'s")
                    || page.text[text[at].place.clone()].ends_with("’s");
                if next > at + 1 && (!names || owns) {
                    break;
                }
                skipped |= next > at + 1;
                at = next;
                matched += 1;
            }
            let joined = words[..matched].iter().any(|word| {
                super::cut::is_verb(&word.folded) || word.is_any("in|at|on|bei|chez|en|a|in|op|uit|with|to")
            });
            if matched < 2 || matched == keys.len() || at + 1 >= text.len() || !joined && matched < 3 {
                continue;
            }
            // Something other than a name has to be the same: `Jonas is`, `Anne handles`.
            let new_start = words[matched].start;
            let new_words = &words[matched..];
            let new_end = new_words.last().map_or(new_start, |word| word.end);
            let new = &said.request[new_start..new_end];
            let from = text[at + 1].place.start;
            if page.text[text[at].place.end..from].contains([',', ';', '(', '.', '\n']) {
                continue;
            }
            let Some(place) = like(page, from, sentence.end, new_words) else { continue };
            outcomes.push(find::applied(&page.text, &vec![(place, new.to_owned())]));
        }
    }
    outcomes.dedup();
    match outcomes.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(Refusal::Unclear),
        _ => Err(Refusal::ambiguous(said.raw())),
    }
}

/// A statement that repeats a clause of the text with other words inside it: `she sits on the fifth floor`.
fn inside(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let words: Vec<&Word<'_>> = said
        .words
        .iter()
        .filter(|word| !vocabulary::is(&word.folded, "now") && word.raw.contains(char::is_alphanumeric))
        .collect();
    if words.iter().any(|word| word.quoted) || words.len() < 4 {
        return Err(Refusal::Unclear);
    }
    // Whoever it is about, the text may tell by a pronoun.
    let first = words[0];
    let told = page.has(&key(first.raw)) || vocabulary::is(&first.folded, "pronoun");
    let from = words
        .iter()
        .position(|word| {
            super::cut::is_verb(&word.folded) || word.raw.ends_with('s') && word.raw.chars().all(char::is_lowercase)
        })
        .filter(|at| (1..=3).contains(at))
        .ok_or(Refusal::Unclear)?;
    let keys: Vec<String> = words[from..].iter().map(|word| key(word.raw)).collect();
    let mut outcomes: Vec<String> = Vec::new();
    for sentence in page.sentences() {
        let text = page.words_in(sentence);
        for start in 0..text.len() {
            let before = (0..)
                .take_while(|&at| at < keys.len() && start + at < text.len() && text[start + at].key == keys[at])
                .count();
            if before < 2 {
                continue;
            }
            for old in 1..=2 {
                for new in 1..=2 {
                    let (after_old, after_new) = (start + before + old, before + new);
                    let rest = keys.len().saturating_sub(after_new);
                    if rest == 0
                        || after_old + rest > text.len()
                        || (0..rest).any(|at| text[after_old + at].key != keys[after_new + at])
                    {
                        continue;
                    }
                    let place = text[start + before].place.start..text[after_old - 1].place.end;
                    let joins = words[from + before..from + after_new].iter().any(|word| word.is_any("and|or|but"));
                    if joins || page.at(&place).contains([',', ';', '(']) {
                        continue;
                    }
                    let put = &said.request[words[from + before].start..words[from + after_new - 1].end];
                    outcomes.push(find::applied(&page.text, &vec![(place, put.to_owned())]));
                }
            }
        }
    }
    outcomes.dedup();
    match outcomes.as_slice() {
        [only] if told => Ok(only.clone()),
        [] | [_] => Err(Refusal::Unclear),
        _ => Err(Refusal::ambiguous(said.raw())),
    }
}

/// `'Kubernets' is misspelled, it should be 'Kubernetes'`: one quotation that the text has, and one for it.
fn respelt(page: &Page, said: Phrase<'_, '_>) -> Result<String, Refusal> {
    let quoted: Vec<&Word<'_>> = said.words.iter().filter(|word| word.quoted).collect();
    let [old, new] = quoted.as_slice() else { return Err(Refusal::Unclear) };
    // `the price of "Latte" should be the same as "Cappuccino"` gives no spelling.
    let is_given =
        |at: usize| said.to(at).strip_end("should be|should read|should say|it's|is|spelled|spelt").is_some();
    let spelt =
        said.words.iter().any(|word| word.is_any("misspelled|misspelt|typo|spelled|spelling|apostrophe|missing|wrong"))
            && said.words.iter().rposition(|word| word.quoted).is_some_and(is_given);
    let places = locate(&page.text, old.raw, Reach::Words).places;
    match spelt && !places.is_empty() {
        true => Ok(find::applied(&page.text, &places.into_iter().map(|place| (place, new.raw.to_owned())).collect())),
        false => Err(Refusal::Unclear),
    }
}

/// The words of the text from `from` on that `new` can take the place of.
fn like(page: &Page, from: usize, sentence_end: usize, new: &[&Word<'_>]) -> Option<Range<usize>> {
    let end = find::complement_end(page, from, sentence_end);
    let old = &page.text[from..end];
    let count = old.split_whitespace().count();
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let name = new.iter().all(|word| capital(word.raw));
    if name && old.split_whitespace().next().is_some_and(capital) {
        let taken = old.split_whitespace().take_while(|word| capital(word)).count();
        let dated = page.values().windows(2).any(|pair| {
            pair[0].start == from
                && pair[0].kind == Kind::Weekday
                && pair[1].kind == Kind::Date
                && page.text[pair[0].end..pair[1].start].trim_matches([',', ' ']).is_empty()
        });
        if dated {
            return None;
        }
        let length: usize = old.split_whitespace().take(taken).map(str::len).sum::<usize>() + taken.saturating_sub(1);
        return Some(from..from + length);
    }
    // One thing for one thing, and nothing else said of it.
    let followed = page.text[end..sentence_end].trim_start();
    let joined = ["and ", "und ", "et ", "y ", "e ", "en "].iter().any(|word| followed.starts_with(word));
    (!name && count == new.len() && count <= 3 && !joined && !old.split_whitespace().next().is_some_and(capital))
        .then_some(from..end)
}

/// `text` with the statement at its end, if it tells something else of what the text is about.
pub(in super::super) fn added(page: &Page, phrase: Phrase<'_, '_>) -> Option<String> {
    let said = told(phrase.unmarked());
    let verb = said.words.iter().position(|word| super::cut::is_verb(&word.folded)).filter(|at| *at > 0)?;
    let subject = content(said.to(verb).words);
    let known = subject.iter().any(|key| page.has(key));
    let first = said.words.first()?;
    let named = first.raw.starts_with(char::is_uppercase)
        && !first.is_any("this|that|it|there|these|those|they|he|she|we|i|you");
    let sure = !said
        .words
        .iter()
        .any(|word| word.is_any("apparently|supposedly|seemingly|might|maybe|perhaps|probably|could|would|may|if|when|?|reminds|think|wonder"));
    let cue = |key: &String| matches!(key.as_str(), "well" | "too" | "also" | "addit" | "as");
    let news = content(said.from(verb + 1).words).iter().any(|key| !page.has(key) && !cue(key));
    let contrasts =
        said.find("rather than|instead of|no longer|has changed|have changed|changed too|is different").is_some();
    (known && named && sure && news && !contrasts && said.words.len() > verb + 1)
        .then(|| super::add::with_sentence(page, said.raw()))
}

/// The same for a statement that names somebody of the text and tells something that the text is silent about.
pub(in super::super) fn news(page: &Page, phrase: Phrase<'_, '_>) -> Option<String> {
    let said = told(phrase.unmarked());
    let verb = said
        .words
        .iter()
        .position(|word| word.is_any("is|has|are|have|likes|prefers|was|owns|speaks|plays|loves|hates|avoids"))
        .filter(|at| (1..=3).contains(at))?;
    let subject = said.to(verb);
    let is_name = |word: &Word<'_>| word.raw.starts_with(char::is_uppercase) || word.is(".");
    let known = |word: &Word<'_>| word.is(".") || page.has(&key(word.raw));
    let changes = said.words.iter().any(|word| word.is_any("now|no|not|longer|instead|anymore|never|again|already|done|finished|wrong|right|correct|outdated|misspelled|than|only|still|new|old")) || said.words.iter().any(|word| word.raw.contains(|c: char| c.is_ascii_digit()));
    let predicate = content(said.from(verb + 1).words);
    let silent = predicate.len() >= 2 && predicate.iter().all(|key| !page.has(key));
    let fits = subject.words.iter().all(|word| is_name(word) && known(word)) && !changes && silent;
    fits.then(|| super::add::with_sentence(page, said.raw()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    fn said_of(rule: &Rule, text: &str, statement: &str) -> Result<String, Refusal> {
        let words = words::words(statement);
        (rule.run)(&Page::read(text), without_now(told(Phrase { request: statement, words: &words })))
    }

    #[test]
    fn every_rule_carries_out_its_example_and_leaves_its_counter_example_alone() {
        for rule in RULES {
            let [text, statement, result] = rule.example;
            assert_eq!(said_of(rule, text, statement), Ok(result.to_owned()), "{}: {statement}", rule.means);
            let [text, statement] = rule.counter_example;
            let left = said_of(rule, text, statement);
            assert!(left.is_err(), "{}: {statement} gives {left:?}", rule.means);
        }
    }
}
