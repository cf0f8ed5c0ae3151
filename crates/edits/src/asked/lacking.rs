//! Holds a result against its request: a number or a name that was given and is nowhere, a sentence that changed nothing.

use std::cell::LazyCell;

use rustc_hash::FxHashSet;

use super::super::{
    find,
    page::{Page, key},
    phrase::Phrase,
    value::Kind,
    vocabulary, words,
};
use super::cut::{self, Joint, Piece};
use super::role::{Role, ready};
use super::work::is_valueless;

/// A sentence after the last thing that was asked for, which says that something is to be otherwise and changed nothing.
pub(super) fn ignored<'a, 'r>(
    page: &Page,
    pieces: &[Piece<'a, 'r>],
    roles: &[Role],
    done: &[bool],
) -> Option<Phrase<'a, 'r>> {
    let mut start = 0;
    while start < pieces.len() {
        let end = (start + 1..pieces.len()).find(|at| pieces[*at].joint == Joint::Stop).unwrap_or(pieces.len());
        let settled = (start..end).any(|at| done[at] || roles[at] == Role::State);
        let asked = |at: usize| {
            roles[at] == Role::State || roles[at] == Role::Command && !is_valueless(ready(pieces[at].phrase))
        };
        let followed = (end..pieces.len()).any(|at| done[at] && roles[at] != Role::Statement || asked(at));
        let superseded = (end..pieces.len()).any(|at| done[at]);
        let claims = (start..end)
            .filter(|at| roles[*at] == Role::Statement && pieces[*at].joint != Joint::Because)
            .map(|at| ready(pieces[at].phrase))
            .find(|phrase| demands(page, *phrase));
        let denied = |phrase: &Phrase<'_, '_>| {
            phrase.find("no longer|not|isn't|left").is_some() && superseded && phrase.find(", not").is_none()
        };
        if let Some(phrase) = claims.filter(|phrase| !settled && !followed && !denied(phrase)) {
            return Some(phrase);
        }
        // `…, which should now read 539`, `…, which means that it can go`
        let related = (start..end)
            .filter(|at| matches!(roles[*at], Role::Reason | Role::Statement))
            .map(|at| ready(pieces[at].phrase))
            .find(|phrase| {
                phrase
                    .find("which should|which must|which now|which is now|which means|which can|which needs to")
                    .is_some()
            });
        if let Some(phrase) = related {
            return Some(phrase);
        }
        start = end;
    }
    None
}

/// A designation that is given for a noun of the text, which has it with another one still: `row 9` of `row 7`.
pub(super) fn undesignated<'r>(page: &Page, now: &Page, whole: Phrase<'_, 'r>) -> Option<&'r str> {
    let designates = |raw: &str| {
        raw.len() <= 4
            && (raw.bytes().all(|byte| byte.is_ascii_digit())
                || raw.len() == 1 && raw.bytes().all(|byte| byte.is_ascii_uppercase()))
    };
    let has = |page: &Page, noun: &str, said: Option<&str>| {
        page.words().windows(2).any(|pair| {
            pair[0].key == noun
                && page.text[pair[0].place.end..pair[1].place.start] == *" "
                && match said {
                    Some(said) => page.at(&pair[1].place) == said,
                    None => designates(page.at(&pair[1].place)),
                }
        })
    };
    let contrasts = |at: usize| at > 0 && whole.words[at - 1].is_any("not|of|than|from|old|was");
    whole.words.windows(2).enumerate().find_map(|(at, pair)| {
        let [noun, said] = pair else { return None };
        let key = key(noun.raw);
        let is_noun = !noun.quoted && key.len() > 2 && noun.raw.chars().all(char::is_alphabetic);
        let lost = is_noun
            && !said.quoted
            && designates(said.raw)
            && !contrasts(at)
            && has(page, &key, None)
            && !has(page, &key, Some(said.raw))
            && has(now, &key, None)
            && !has(now, &key, Some(said.raw));
        lost.then_some(said.raw)
    })
}

/// A count of something that the text still counts otherwise: `only five hens left` of `seven hens`.
pub(super) fn uncounted<'r>(page: &Page, now: &Page, phrase: Phrase<'_, 'r>) -> Option<&'r str> {
    let number = |word: &str| {
        super::super::counting::number(word).or_else(|| word.parse().ok()).filter(|count: &usize| *count > 0)
    };
    let counts = |page: &Page, noun: &str| -> Vec<usize> {
        let pairs = page.words().windows(2).filter(|pair| pair[1].key == noun);
        pairs.filter_map(|pair| number(page.at(&pair[0].place))).collect()
    };
    phrase.find("only|now|left|there are")?;
    phrase.words.windows(2).find_map(|pair| {
        let new = number(pair[0].raw).filter(|_| !pair[0].quoted)?;
        let noun = key(pair[1].raw);
        // `one thing` is a way to speak, `only one suitcase` a count.
        if new == 1 && phrase.find("only").is_none() {
            return None;
        }
        let (before, after) = (counts(page, &noun), counts(now, &noun));
        (!before.is_empty() && before == after && !before.contains(&new)).then_some(pair[0].raw)
    })
}

/// A day of the week that a statement gives, and that is neither in the text it was made of nor in what it became.
pub(super) fn undated<'r>(page: &Page, now: &Page, phrase: Phrase<'_, 'r>) -> Option<&'r str> {
    let text = now.text.to_lowercase();
    phrase.words.iter().enumerate().find_map(|(at, word)| {
        let values = find::only_values(word.raw);
        let day = !word.quoted && values.len() == 1 && values[0].kind == Kind::Weekday && word.raw.len() > 4;
        let part = word.is_any("weekends|weekdays|holidays");
        if part && !page.has(&key(word.raw)) && !now.has(&key(word.raw)) {
            return Some(word.raw);
        }
        let when =
            at > 0 && phrase.words[at - 1].is_any("on|last|since|this|next|from|not|of|than|after|until|by|until");
        let short: String = word.folded.chars().take(4).collect();
        (day && !when && !page.has(&key(word.raw)) && !text.contains(&short) && !now.has(&key(word.raw)))
            .then_some(word.raw)
    })
}

/// How often something is, given for what the text has otherwise and still has: `every Friday` of `every second Friday`.
pub(super) fn infrequent<'r>(page: &Page, now: &Page, whole: Phrase<'_, 'r>) -> Option<&'r str> {
    let at = whole.find("every")?;
    let day = key(whole.words.get(at + 1)?.raw);
    let every_other = |page: &Page| {
        page.words().windows(3).any(|three| {
            three[0].key == "every"
                && matches!(three[1].key.as_str(), "second" | "other" | "third")
                && three[2].key == day
        })
    };
    let said = whole.from(at).to(2).raw();
    (every_other(page) && every_other(now) && !now.text.contains(said)).then_some(said)
}

/// Somebody whom another one is given in place of, and who is still there: `Hilde drives instead of Benno`.
pub(super) fn staying<'r>(page: &Page, now: &Page, phrase: Phrase<'_, 'r>) -> Option<&'r str> {
    let at = phrase.find("instead of|rather than")?;
    let old = phrase.from(at + 2).unmarked();
    let names = old.words.iter().take_while(|word| word.raw.starts_with(char::is_uppercase)).count();
    let name = old.to(names).raw();
    let count =
        |page: &Page| super::super::locate::locate(&page.text, name, super::super::locate::Reach::Words).places.len();
    if names > 0 && old.words.len() == names && count(page) > 0 && count(now) == count(page) {
        return Some(name);
    }
    // `fed at 17 instead of 18`
    let number = old.words.first().filter(|word| word.raw.bytes().all(|byte| byte.is_ascii_digit()))?;
    if phrase.words.iter().filter(|word| word.raw == number.raw).count() > 1 {
        return None;
    }
    let count = |page: &Page| page.places_of(number.raw).count();
    (count(page) > 0 && count(now) >= count(page)).then_some(number.raw)
}

/// A name of several that are given together, with one that was put in, and that was lost: `Miso, Nori and Tofu`.
pub(super) fn dropped<'r>(page: &Page, now: &Page, whole: Phrase<'_, 'r>) -> Option<&'r str> {
    let is_name = |at: usize| {
        let word = &whole.words[at];
        !word.quoted && word.raw.starts_with(char::is_uppercase) && !find::is_empty_word(&word.folded)
    };
    let mut at = 0;
    while at < whole.words.len() {
        let mut names = Vec::new();
        let mut end = at;
        while end < whole.words.len() && (is_name(end) || !names.is_empty() && whole.words[end].is_any(",|and|&")) {
            if is_name(end) {
                names.push(&whole.words[end]);
            }
            end += 1;
        }
        let new = |word: &&&words::Word<'r>| !page.has(&key(word.raw)) && now.has(&key(word.raw));
        if names.len() > 2
            && whole.words[at..end].iter().any(|word| word.is_any("and|&"))
            && names.iter().any(|word| new(&word))
            && let Some(lost) =
                names.iter().find(|word| now.places_of(&key(word.raw)).count() < page.places_of(&key(word.raw)).count())
        {
            return Some(lost.raw);
        }
        at = end.max(at + 1);
    }
    None
}

/// A statement beside one that was carried out, which says how something of the text has to be and changed nothing.
pub(super) fn unmet<'a, 'r>(
    page: &Page,
    pieces: &[Piece<'a, 'r>],
    roles: &[Role],
    done: &[bool],
) -> Option<Phrase<'a, 'r>> {
    (0..pieces.len())
        .filter(|at| {
            // `orders should be checked earlier, so move item 4 to position 2`
            let led = pieces
                .get(at + 1)
                .is_some_and(|next| next.joint == Joint::So && done[at + 1] && roles[at + 1] == Role::Command);
            roles[*at] == Role::Statement
                && !done[*at]
                && !led
                && (matches!(pieces[*at].joint, Joint::And | Joint::But | Joint::Stop | Joint::Start | Joint::Colon)
                    || pieces[*at].joint == Joint::So && pieces[*at].phrase.find("instead").is_some()
                    || pieces[*at].phrase.find("in his place|in her place|in their place|in its place").is_some())
        })
        .map(|at| ready(pieces[at].phrase))
        .find(|phrase| {
            let verb = phrase.words.iter().position(cut::is_finite).unwrap_or(0);
            let known = find::content(phrase.to(verb).words).iter().any(|key| page.has(key));
            let must = phrase.words[verb..].iter().take(2).any(|word| word.is_any("must|should|needs|has"))
                && phrase.find("must be|should be|needs to be|has to be|must|should").is_some();
            let asks = phrase
                .find("asked us to|asked me to|asked to|wants us to|wants me to|told us to|wants to have|asks to")
                .is_some()
                && find::content(phrase.words).iter().any(|key| page.has(key));
            let swaps = phrase.strip_end("instead|in his place|in her place|in their place|in its place").is_some();
            // `and Tuesday will be gnocchi`
            let becomes = verb > 0
                && phrase.from(verb).strip("will be").is_some()
                && super::work::has_only_known_subject(page, *phrase);
            phrase.find("no longer|not|any more|anymore").is_none() && (known && must || asks || swaps || becomes)
        })
}

/// One of two statements that are told together, about something of the text, of which only the other was carried out.
pub(super) fn forgotten<'a, 'r>(
    page: &Page,
    now: &Page,
    pieces: &[Piece<'a, 'r>],
    roles: &[Role],
    done: &[bool],
) -> Option<Phrase<'a, 'r>> {
    let told = |at: usize| roles[at] == Role::Statement;
    let beside = |at: usize| {
        let before = at.checked_sub(1).filter(|_| pieces[at].joint == Joint::And);
        let after = Some(at + 1).filter(|next| pieces.get(*next).is_some_and(|next| next.joint == Joint::And));
        // `intervals are 8x400 m, the tempo run is 6 km, and …`
        let listed = pieces[at].joint != Joint::Comma || at > 0 && done[at - 1] && told(at - 1);
        let after = after.filter(|_| listed);
        let also = |other: usize| roles[other] == Role::Command && pieces[at].phrase.find("also").is_some();
        before.into_iter().chain(after).any(|other| done[other] && (told(other) || also(other)))
    };
    // `AX-104 was pulled and AX-112 came in instead`: the other one took its place.
    let replaced =
        |phrase: &Phrase<'_, '_>| find::content(phrase.words).iter().any(|key| page.has(key) && !now.has(key));
    (0..pieces.len())
        .filter(|at| told(*at) && !done[*at] && beside(*at))
        .map(|at| ready(pieces[at].phrase))
        .filter(|phrase| !replaced(phrase))
        .find(|phrase| {
            let known = super::work::has_known_subject(page, *phrase) || phrase.find("also").is_some();
            known && !super::work::meets(now, *phrase)
        })
}

/// A setting that is named beside one that was changed, and that is what it was: `set replicas to 5 and log_level to debug`.
pub(super) fn unset<'p>(page: &'p Page, now: &Page, pieces: &[Piece<'_, '_>]) -> Option<&'p str> {
    let request = pieces.first()?.phrase.request.to_lowercase();
    let keeps = pieces.iter().any(|piece| {
        piece
            .phrase
            .find("same|unchanged|keep|keeps|leave|stays|stay|remains|as is|after|before|below|above|untouched")
            .is_some()
    });
    let settings = page.labels().iter().filter(|label| label.is_setting && page.at(&label.name).len() > 2);
    let value = |page: &Page, name: &str| {
        page.labels().iter().find(|label| page.at(&label.name) == name).map(|label| page.at(&label.value).to_owned())
    };
    let named = |name: &str| {
        let spaced = name.replace('_', " ").to_lowercase();
        [name.to_lowercase(), spaced].iter().any(|name| {
            super::super::locate::locate(&request, name, super::super::locate::Reach::Words).places.len() == 1
        })
    };
    let settings: Vec<&str> = settings.map(|label| page.at(&label.name)).filter(|name| named(name)).collect();
    let changed = |name: &&&str| value(page, name) != value(now, name);
    if keeps || settings.len() < 2 || !settings.iter().any(|name| changed(&name)) {
        return None;
    }
    settings.into_iter().find(|name| value(page, name) == value(now, name))
}

/// Somebody of whom everything is to go, and who is still there.
pub(super) fn remaining<'r>(now: &Page, pieces: &[Piece<'_, 'r>]) -> Option<&'r str> {
    let asked = |piece: &Piece<'_, '_>| {
        piece
            .phrase
            .find("remove everything about|delete everything about|everything about him|everything about her")
            .is_some()
    };
    let mut words = pieces.iter().filter(|_| pieces.iter().any(asked)).flat_map(|piece| piece.phrase.words);
    let named = words.find(|word| {
        word.raw.starts_with(char::is_uppercase) && !find::is_empty_word(&word.folded) && now.has(&key(word.raw))
    });
    named.map(|word| word.raw)
}

/// A name that a statement gives which changed the text, and that is nowhere in it.
pub(super) fn unnamed<'r>(
    page: &Page,
    now: &Page,
    pieces: &[Piece<'_, 'r>],
    roles: &[Role],
    done: &[bool],
) -> Option<&'r str> {
    let told = (0..pieces.len()).filter(|at| done[*at] && roles[*at] == Role::Statement);
    told.map(|at| ready(pieces[at].phrase)).find_map(|phrase| {
        // `Hanna takes over as assignee and the due date slips`
        if let Some(first) = phrase.words.first()
            && phrase.from(1).strip("takes over|will take over|takes|joins|steps in|is taking over").is_some()
            && first.raw.starts_with(char::is_uppercase)
            && !find::is_empty_word(&first.folded)
            && !page.has(&key(first.raw))
            && !now.has(&key(first.raw))
        {
            return Some(first.raw);
        }
        let end = phrase
            .find("as of|since|after|because|according to|at the|says|said|per|by|starting|from|in|until")
            .unwrap_or(phrase.words.len());
        // Where every noun has a capital, a capital tells nothing.
        if phrase.words.iter().any(|word| vocabulary::is(&word.folded, "foreign")) {
            return None;
        }
        let verb = phrase.words.iter().position(cut::is_finite).unwrap_or(0);
        // `the next visit is the electrician on Thu`
        let copula = phrase.words.iter().position(|word| word.is_any("is|are")).unwrap_or(phrase.words.len());
        if let [_, article, noun, ..] = phrase.from(copula).words
            && article.is_any("the|a|an")
            && noun.raw.len() > 3
            && noun.raw.chars().all(char::is_lowercase)
            && !find::is_empty_word(&noun.folded)
            && find::only_values(noun.raw).is_empty()
            && phrase.words.iter().any(|word| word.raw.contains(|c: char| c.is_ascii_digit()))
            && !page.has(&key(noun.raw))
            && !now.has(&key(noun.raw))
        {
            return Some(noun.raw);
        }
        let named = phrase.to(end).words.iter().skip(verb + 1).find(|word| {
            let key = key(word.raw);
            word.raw.starts_with(char::is_uppercase)
                && word.raw.chars().count() > 2
                && find::only_values(word.raw).is_empty()
                && !find::is_empty_word(&word.folded)
                && !page.has(&key)
                && !now.has(&key)
                && !now.text.contains(word.raw)
        });
        named.map(|word| word.raw)
    })
}

/// Whether a statement about something in the text says that it is no longer so, or that it comes to be otherwise.
fn demands(page: &Page, phrase: Phrase<'_, '_>) -> bool {
    let known = find::content(phrase.words).iter().any(|key| page.has(key));
    let cue = (0..phrase.words.len()).any(|at| {
        vocabulary::length(&phrase.words[at..], "goes") > 0
            || phrase.words[at].is_any("also|instead|should|must|now|swapped|switched|traded")
            || at > 0 && phrase.words[at].is("not") && phrase.words[at - 1].is(",")
            || phrase.from(at).starts("no longer")
            || phrase.from(at).starts("replaced by")
            || phrase.from(at).starts("moved to")
    });
    let named = phrase.words.iter().skip(1).any(|word| {
        word.raw.starts_with(char::is_uppercase) && !find::is_empty_word(&word.folded) && !page.has(&key(word.raw))
    });
    let tells = phrase
        .words
        .iter()
        .take(6)
        .any(|word| vocabulary::is(&word.folded, "tells") || word.is_any("asked|found|called"));
    known && cue || named && known && !tells
}

/// A number that a request gives, and that is neither in the text it was made of nor in what it became.
pub(super) fn unsaid<'r>(page: &Page, now: &str, pieces: &[Piece<'_, 'r>], roles: &[Role]) -> Option<&'r str> {
    let told = (0..pieces.len())
        .filter(|at| matches!(roles[*at], Role::Command | Role::Fragment | Role::Statement | Role::Reason))
        .filter(|at| {
            let piece = &pieces[*at];
            // `is insured for 2,800`, `asked for more time and will review it by 25 April`
            let goes_on = piece.phrase.words.len() <= 2 || piece.phrase.find("and will|and now|and is now").is_some();
            piece.joint != Joint::Because || is_relative(piece) || *at == 0 && tells_more(piece) || goes_on
        });
    // `he paid back 20, so he owes 25 now`
    let told = told.filter(|at| {
        let digits = |piece: &Piece<'_, '_>| {
            piece.phrase.words.iter().any(|word| word.raw.contains(|c: char| c.is_ascii_digit()))
        };
        let leads = pieces.get(at + 1).is_some_and(|next| next.joint == Joint::So && digits(next));
        !(leads && roles[*at] == Role::Statement && !super::fact::brings_values(page, ready(pieces[*at].phrase)))
    });
    let numbers = |text| str::split(text, |c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    let known: LazyCell<FxHashSet<&str>, _> = LazyCell::new(|| numbers(now).chain(numbers(&page.text)).collect());
    let is_known = |number: &str| known.contains(number);
    told.map(|at| ready(pieces[at].phrase)).find_map(|phrase| {
        let end = phrase
            .find("as of|since|after|effective|starting|from|per|according to")
            .filter(|at| *at > 0)
            .unwrap_or(phrase.words.len());
        let given = phrase.to(end).words.iter().enumerate().find(|(at, word)| {
            let counts = *at > 0
                && (vocabulary::is(&phrase.words[at - 1].folded, "part.item")
                    || vocabulary::is(&phrase.words[at - 1].folded, "part.line")
                    || phrase.words[at - 1].is_any("number|position|sentence|place|lines|items|steps"));
            let ordinal = ["st", "nd", "rd", "th"].iter().any(|end| word.folded.ends_with(end));
            let address = word.raw.contains('@') && !now.contains(word.raw) && !page.text.contains(word.raw);
            address || !counts && !ordinal && !numbers(word.raw).all(is_known)
        });
        given.map(|(_, word)| word.raw)
    })
}

/// Whether what opens a request and is set off by a comma is a clause of its own: `After the upgrade it runs version 16, and …`.
fn tells_more(piece: &Piece<'_, '_>) -> bool {
    let words = piece.phrase.words;
    // `based on the new table slack water is at 9:40`
    let copula = words.iter().position(|word| word.is_any("is|are"));
    if copula
        .is_some_and(|at| words[at..].iter().take(4).any(|word| word.raw.starts_with(|c: char| c.is_ascii_digit())))
    {
        return true;
    }
    (1..words.len().saturating_sub(1)).any(|at| {
        words[at].is_any("it|they|there|we|he|she") && cut::is_finite(&words[at + 1])
            || words[at].is_any("it|there") && words[at + 1].folded.ends_with('s')
    })
}

/// Whether a piece goes on about what was just named: `…, which departs at 12:45`.
fn is_relative(piece: &Piece<'_, '_>) -> bool {
    let start = piece.phrase.words.first().map_or(0, |word| word.start);
    let before = piece.phrase.request[..start].trim_end();
    ["which", "who", "whose", "where"].iter().any(|word| before.ends_with(word))
}
