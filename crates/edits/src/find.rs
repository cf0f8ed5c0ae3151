//! Finds the place of a text that a description means: by label, by kind of value, by noun.

use std::ops::Range;

use super::{
    page::{Label, Page, key, keys},
    phrase::Phrase,
    refusal::Refusal,
    value::{self, Kind, Value},
    vocabulary,
    words::Word,
};

/// A change of some places: what stands there afterwards.
pub(super) type Edits = Vec<(Range<usize>, String)>;

/// What a description asks for.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    /// The keys of words that have to be found.
    pub(super) keys: Vec<String>,
    /// The keys of nouns that only name a kind of value.
    pub(super) nouns: Vec<String>,
    pub(super) kinds: Vec<Kind>,
    /// Keys of words that may tell which end of a range is meant.
    pub(super) hints: Vec<String>,
    /// The keys of nouns that name a kind of value and a certain one of it: `rent`, `deadline`.
    pub(super) soft: Vec<String>,
    /// Whether it is told and not asked for, so that words which are no value need more certainty.
    pub(super) told: bool,
    /// The words as they were written, for messages.
    pub(super) said: String,
}

const KINDS: &[(&str, &[Kind])] = &[
    ("kind.time", &[Kind::Time]),
    ("kind.date", &[Kind::Weekday, Kind::Date, Kind::Relative, Kind::Month]),
    ("kind.month", &[Kind::Month]),
    ("kind.money", &[Kind::Money, Kind::Number]),
    ("kind.number", &[Kind::Number, Kind::Money, Kind::Percent]),
    ("kind.percent", &[Kind::Percent]),
    ("kind.email", &[Kind::Email]),
    ("kind.link", &[Kind::Link, Kind::Address]),
    ("kind.phone", &[Kind::Phone]),
    ("kind.address", &[Kind::Address, Kind::Link]),
    ("kind.code", &[Kind::Code, Kind::Number]),
];

/// What the words of a description ask for.
pub(super) fn wanted(phrase: Phrase<'_, '_>) -> Wanted {
    let mut out = Wanted { said: phrase.raw().to_owned(), ..Wanted::default() };
    for word in phrase.words {
        if word.quoted {
            out.keys.extend(keys(word.raw));
            continue;
        }
        let bare = word.folded.strip_suffix("'s").unwrap_or(&word.folded);
        if is_empty_word(bare) || !bare.contains(char::is_alphanumeric) {
            continue;
        }
        out.hints.push(key(word.raw));
        if matches!(bare, "start" | "end" | "upper" | "lower" | "opening" | "closing" | "starting" | "ending" | "limit")
            && phrase.words.len() > 1
        {
            continue;
        }
        let kinds = KINDS.iter().filter(|(class, _)| vocabulary::is(bare, class));
        let before = out.kinds.len();
        out.kinds.extend(kinds.flat_map(|(_, kinds)| kinds.iter().copied()));
        match out.kinds.len() > before {
            true => {
                if !vocabulary::is(bare, "plain") {
                    out.soft.push(key(word.raw));
                }
                out.nouns.push(key(word.raw));
            }
            false => out.keys.push(key(word.raw)),
        }
    }
    out
}

/// Whether a word tells no place from another.
pub(super) fn is_empty_word(word: &str) -> bool {
    ["article", "generic", "pronoun", "now"].iter().any(|class| vocabulary::is(word, class))
        || matches!(
            word,
            "o" | "a"
                | "e"
                | "i"
                | "os"
                | "of"
                | "in"
                | "on"
                | "at"
                | "for"
                | "to"
                | "from"
                | "by"
                | "with"
                | "per"
                | "and"
                | "or"
                | "is"
                | "are"
                | "user"
                | "user's"
                | "as"
                | "von"
                | "des"
                | "du"
                | "della"
                | "dell"
                | "do"
                | "da"
                | "van"
                | "del"
                | "dei"
                | "it's"
                | "that's"
                | "there's"
                | "they're"
                | "he's"
                | "she's"
                | "we're"
                | "they'll"
                | "being"
        )
}

/// New words for a place.
#[derive(Clone, Debug)]
pub(super) struct New {
    pub(super) text: String,
    pub(super) quoted: bool,
    /// The values it consists of, if it is nothing else.
    pub(super) values: Vec<Value>,
}

impl New {
    pub(super) fn of(phrase: Phrase<'_, '_>) -> Option<Self> {
        let phrase = phrase.unmarked();
        if let [only] = phrase.words
            && only.quoted
        {
            return Some(Self { text: only.raw.to_owned(), quoted: true, values: Vec::new() });
        }
        let mut words = phrase;
        // `on 21 May` is the day; the text has its own `on`.
        while words.words.len() > 1
            && words.words[0].is_any("on|at|to|around|about|by|for|um|am|le|les|el|las|il|alle|op")
            && !only_values(words.from(1).raw()).is_empty()
        {
            words = words.from(1);
        }
        let text = words.raw().to_owned();
        let first = words.words.first().map_or(0, |word| word.start);
        let hour = value::is_hour(words.request, first..first + text.len());
        (!text.is_empty()).then(|| {
            let mut new = Self::plain(text);
            if let ([only], true) = (new.values.as_mut_slice(), hour) {
                only.kind = Kind::Time;
            }
            new
        })
    }

    pub(super) fn plain(text: String) -> Self {
        let values = only_values(&text);
        Self { text, quoted: false, values }
    }

    /// What stands before a bracket at the end, if that is values: `1:44:58 (Valencia, 2024)`.
    fn bracketed(&self) -> Option<(&str, &str)> {
        let at = self.text.find(" (").filter(|_| self.text.ends_with(')'))?;
        (!only_values(&self.text[..at]).is_empty() || self.is_name()).then(|| self.text.split_at(at))
    }

    pub(super) fn is_value(&self) -> bool {
        !self.values.is_empty()
    }

    fn is_name(&self) -> bool {
        self.text.starts_with(char::is_uppercase) && !self.is_value()
    }
}

/// The values that `text` is, units included; none if it is anything else.
pub(super) fn only_values(text: &str) -> Vec<Value> {
    if text.len() > 80 {
        return Vec::new();
    }
    let values = value::values(text);
    let mut end = 0;
    for value in &values {
        if value.start < end || !is_between(&text[end..value.start]) {
            return Vec::new();
        }
        end = value.unit_end.max(value.end);
    }
    // Values and nothing after them.
    if values.is_empty() || text[end..].contains(|c: char| c.is_alphanumeric()) {
        return Vec::new();
    }
    values
}

fn is_between(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).all(|word| {
        matches!(
            word.to_lowercase().as_str(),
            "" | "on"
                | "at"
                | "by"
                | "the"
                | "next"
                | "this"
                | "from"
                | "in"
                | "of"
                | "before"
                | "until"
                | "to"
                | "and"
                | "um"
                | "às"
                | "las"
                | "a"
                | "alle"
                | "le"
                | "à"
        )
    })
}

/// The changes that set what `wanted` describes to `new`.
pub(super) fn set(page: &Page, wanted: &Wanted, new: &New) -> Result<Edits, Refusal> {
    let mut refusal = Refusal::not_in_text(&wanted.said);
    // `109 EUR per night`, where the text says `per night` already.
    if !new.is_value()
        && !new.quoted
        && let Some(at) = [" per ", " a ", " an ", " each"].iter().filter_map(|word| new.text.find(word)).min()
        && !only_values(&new.text[..at]).is_empty()
        && (page.text.contains(&new.text[at..])
            || new.text[at..].split_whitespace().last().is_some_and(|noun| page.has(&key(noun))))
    {
        return set(page, wanted, &New::plain(new.text[..at].to_owned()));
    }
    // A bracket that follows the old value goes with it.
    if let Some((value, bracket)) = new.bracketed()
        && let Ok(mut edits) = by_value(page, wanted, &New::plain(value.to_owned()))
        && let Some((place, put)) = edits.last_mut()
        && page.text[place.end..].starts_with(" (")
        && let Some(close) = page.text[place.end..].find(')')
    {
        place.end += close + 1;
        put.push_str(bracket);
        return Ok(edits);
    }
    // `the interest rate` of a text that has one rate.
    let unknown = wanted.keys.iter().filter(|key| !page.has(key) && is_related(page, key).is_none()).count();
    let worth = new.values.iter().all(|value| matches!(value.kind, Kind::Percent | Kind::Money));
    if new.is_value() && unknown == 1 && !wanted.kinds.is_empty() && worth {
        let same = page.values().iter().filter(|old| alike(&page.text, old, &new.text, &new.values[0])).count();
        if same == 1 {
            let mut known = wanted.clone();
            known.keys.retain(|key| page.has(key));
            return set(page, &known, new);
        }
    }
    // `1,195 (from July on)`: what is added to a value only explains it.
    if let Some((value, _)) = new.bracketed()
        && !only_values(value).is_empty()
    {
        return set(page, wanted, &New::plain(value.to_owned()));
    }
    if let Some(edit) = year(page, wanted, new) {
        return Ok(vec![edit]);
    }
    for way in [beside_value, by_label, by_value, by_quotation, by_predicate] {
        match way(page, wanted, new) {
            Ok(edits) if is_same(page, &edits) => refusal = Refusal::Prohibition,
            Ok(edits) => return Ok(edits),
            Err(found @ (Refusal::Ambiguous { .. } | Refusal::Several | Refusal::Prohibition)) => return Err(found),
            Err(found) => refusal = found,
        }
    }
    Err(refusal)
}

/// The year of the only date that has one, where a year is what is asked for.
fn year(page: &Page, wanted: &Wanted, new: &New) -> Option<(Range<usize>, String)> {
    let is_year = |text: &str| {
        text.len() == 4
            && text.bytes().all(|byte| byte.is_ascii_digit())
            && (text.starts_with("19") || text.starts_with("20"))
    };
    let asked = wanted.nouns.iter().any(|noun| noun == "year") && wanted.keys.iter().all(|key| page.has(key));
    let mut years = page.words().iter().filter(|word| is_year(page.at(&word.place)));
    let only = years.next().filter(|_| asked && is_year(&new.text) && years.next().is_none())?;
    Some((only.place.clone(), new.text.clone()))
}

fn is_same(page: &Page, edits: &Edits) -> bool {
    edits.iter().all(|(place, new)| page.at(place) == new)
}

/// How far from `place` the words of `wanted` stand, all in all; `None` if one is nowhere.
fn distance(page: &Page, wanted: &[String], place: &Range<usize>, others: &[Range<usize>]) -> Option<usize> {
    let mut sum = 0;
    for key in wanted {
        let apart = page.apart(key).map(|word| level(page, &word.place, place, others));
        sum += page
            .places_of(key)
            .map(|word| level(page, &word.place, place, others))
            .chain(apart)
            .chain(related(page, key, place, others))
            .min()?;
    }
    Some(sum)
}

/// A word of the text that means much the same as `key`.
pub(super) fn is_related<'p>(page: &'p Page, key: &str) -> Option<&'p super::page::TextWord> {
    let family = RELATED.iter().find(|family| family.split(' ').any(|other| other == key))?;
    page.words().iter().find(|word| family.split(' ').any(|other| other == word.key))
}

/// The nearest word that means much the same as `key`.
fn related<'p>(
    page: &'p Page,
    key: &'p str,
    place: &'p Range<usize>,
    others: &'p [Range<usize>],
) -> impl Iterator<Item = usize> + 'p {
    let family = RELATED.iter().filter(move |family| family.split(' ').any(|other| other == key));
    family.flat_map(move |family| {
        family
            .split(' ')
            .flat_map(move |other| page.places_of(other).map(move |word| level(page, &word.place, place, others)))
    })
}

/// Keys of words that stand for each other.
const RELATED: &[&str] = &[
    "departur depart leav",
    "arrival arriv",
    "start begin",
    "end finish",
    "clos close",
    "open opening",
    "owner own owned",
    "get wak",
    "lead leader",
    "meet meeting",
    "pickup pick",
    "teach teacher",
    "work job",
    "liv home",
    "bak bake baking",
    "valid validity",
    "rehears rehearsal",
    "lesson class",
    "class lesson",
    "deliver delivery",
    "expir expiry expiration",
    "renew renewal",
    "timeout wait",
    "renewal renew",
    "attend attendee",
    "birthday born",
    "sync meeting",
    "color colour",
    "colour paint",
    "cent center",
    "ext extens",
    "hour time",
    "train training practic",
    "practic train",
];

/// How closely a word at `word` belongs to a value at `place`.
pub(super) fn level(page: &Page, word: &Range<usize>, place: &Range<usize>, others: &[Range<usize>]) -> usize {
    let segment = page.segment_of(place);
    if segment.start <= word.start && word.end <= segment.end {
        return 0;
    }
    let sentence = page.sentence_of(place);
    if word.start < sentence.start || word.end > sentence.end {
        return 4;
    }
    let own = page.segment_of(word);
    let has_own = others.iter().any(|other| other != place && own.start <= other.start && other.end <= own.end);
    let bare = !page.words_in(&(segment.start..place.start)).iter().any(|word| !is_empty_word(&word.key));
    if has_own {
        // What opens a sentence holds for each of its values, unless they have words of their own.
        let inside = |other: &&Range<usize>| own.start <= other.start && other.end <= own.end;
        let opens = place.start > word.start && others.iter().filter(inside).all(|other| other.start > word.start);
        return if opens && bare { 0 } else { 3 };
    }
    let between = |other: &&Range<usize>| {
        let (low, high) = (word.start.min(place.start), word.start.max(place.start));
        other.start > low && other.start < high && **other != *place
    };
    let divided = others.iter().find(between).is_some();
    match word.start < place.start {
        true if !divided => 0,
        true => usize::from(!bare),
        false if divided => 3,
        false => 1,
    }
}

fn by_label(page: &Page, wanted: &Wanted, new: &New) -> Result<Edits, Refusal> {
    let all: Vec<String> = wanted.keys.iter().chain(&wanted.nouns).cloned().collect();
    let matched = |label: &Label| label.keys.iter().filter(|key| all.contains(key)).count();
    let mut best: Vec<(&Label, (usize, usize))> = Vec::new();
    let others: Vec<Range<usize>> = page.labels().iter().map(|label| label.value.clone()).collect();
    for label in page.labels() {
        let count = matched(label);
        let content = label.keys.iter().filter(|key| !is_empty_word(key)).count();
        if count == 0 || content == 0 {
            continue;
        }
        // What the label does not say has to stand near it.
        let rest: Vec<String> = wanted.keys.iter().filter(|key| !label.keys.contains(key)).cloned().collect();
        let place = label.name.start..label.name.end;
        let Some(distance) = distance(page, &rest, &place, &others) else { continue };
        let unsaid = label.keys.len() - count;
        let name: Vec<&str> = page.at(&label.name).split_whitespace().collect();
        let before = name
            .iter()
            .position(|word| {
                matches!(*word, "for" | "of" | "in" | "at" | "with" | "to" | "on" | "from" | "so" | "this")
            })
            .unwrap_or(name.len());
        let head = name[..before].last().is_some_and(|last| all.contains(&key(last))) || unsaid == 0;
        // `the guest wifi password` is another label's, which has it in short.
        let other = wanted.keys.iter().chain(&wanted.nouns).any(|noun| {
            !label.keys.contains(noun)
                && page.labels().iter().any(|other| {
                    other.keys.iter().any(|key| key.len() > 3 && noun.starts_with(key.as_str()) && noun != key)
                })
        });
        if !head || other {
            continue;
        }
        best.push((label, (distance, unsaid)));
    }
    // `the guest network password` of `Guest network: Pine, password abc` is a part of what the label says.
    best.retain(|(label, _)| {
        let rest = wanted.keys.iter().filter(|key| !label.keys.contains(key));
        let said = page.words_in(&label.value);
        new.is_value() || rest.clone().all(|key| !said.iter().any(|word| word.key == *key))
    });
    let least = best.iter().map(|(_, score)| *score).min().ok_or_else(|| Refusal::not_in_text(&wanted.said))?;
    let mut nearest: Vec<&Label> = best.iter().filter(|(_, score)| *score == least).map(|(label, _)| *label).collect();
    // `the Wi-Fi password` is the password.
    if nearest.len() > 1
        && let Some(noun) = wanted.keys.last()
        && nearest.iter().filter(|label| label.keys.contains(noun)).count() == 1
    {
        nearest.retain(|label| label.keys.contains(noun));
    }
    let [label] = nearest.as_slice() else { return Err(Refusal::ambiguous(&wanted.said)) };
    in_label(page, label, new, wanted)
}

fn in_label(page: &Page, label: &Label, new: &New, wanted: &Wanted) -> Result<Edits, Refusal> {
    // `4 per 100 bees` for `3 per 100 bees`
    let shape = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "0");
    if new.values.len() > 1 && shape(&new.text) == shape(page.at(&label.value)) {
        return Ok(vec![(label.value.clone(), new.text.clone())]);
    }
    // `Henrik Moe, email h@x.example` is more than one value.
    if wanted.told && new.text.contains(", ") && new.text.contains('@') && !page.at(&label.value).contains('@') {
        return Err(Refusal::ambiguous(&wanted.said));
    }
    // `the Rats-Apotheke` for `Löwen-Apotheke`
    if let Some(name) = new.text.strip_prefix("the ").filter(|name| name.starts_with(char::is_uppercase))
        && !new.quoted
        && !page.at(&label.value).to_lowercase().starts_with("the ")
    {
        return in_label(page, label, &New::plain(name.to_owned()), wanted);
    }
    // `a microscope` for `Lego crane`
    let article = |text: &str| ["a ", "an "].iter().find_map(|article| text.strip_prefix(article).map(str::to_owned));
    if let Some(bare) = article(&new.text)
        && !new.quoted
        && !bare.contains(' ')
        && article(&page.at(&label.value).to_lowercase()).is_none()
        && page.at(&label.value).split_whitespace().count() <= 3
    {
        return in_label(page, label, &New::plain(bare), wanted);
    }
    let inside = |value: &&Value| label.value.start <= value.start && value.end <= label.value.end;
    let old: Vec<Value> = page.values().iter().filter(inside).copied().collect();
    let text = page.at(&label.value);
    let words = text.split_whitespace().count();
    if new.is_value() && words > new.text.split_whitespace().count() {
        let mut edits = Edits::new();
        for value in &new.values {
            let same: Vec<&Value> = old.iter().filter(|other| alike(&page.text, other, &new.text, value)).collect();
            match same.as_slice() {
                [only] => edits.push(put_value(&page.text, only, &new.text, value)),
                [] => {}
                several => {
                    let keys: Vec<String> =
                        wanted.keys.iter().filter(|key| !label.keys.contains(key)).cloned().collect();
                    let [only] = closest(page, &keys, several.to_vec())[..] else {
                        return Err(Refusal::ambiguous(&wanted.said));
                    };
                    edits.push(put_value(&page.text, only, &new.text, value));
                }
            }
        }
        if edits.len() == new.values.len() {
            return Ok(edits);
        }
    }
    // `my brother Omar, 0170 555` for `my sister Leila, 0160 444`: part by part.
    let shape = |text: &str| -> Vec<bool> {
        text.split(", ").map(|part| part.contains(|c: char| c.is_ascii_digit())).collect()
    };
    let whole = label.keys.iter().all(|key| {
        wanted.keys.contains(key) || wanted.nouns.contains(key) || is_empty_word(key) || page.labels().len() == 1
    });
    if wanted.told
        && !new.quoted
        && shape(text).len() > 1
        && shape(text) == shape(&new.text)
        && shape(text).contains(&true)
        && whole
    {
        return Ok(vec![(label.value.clone(), new.text.clone())]);
    }
    if wanted.told
        && !new.is_value()
        && !new.quoted
        && (text.contains(", ")
            || words > 6
            || page.labels().len() < 2
                && words > 3
                && !label
                    .keys
                    .iter()
                    .all(|key| wanted.keys.contains(key) || wanted.nouns.contains(key) || is_empty_word(key)))
    {
        return Err(Refusal::ambiguous(&wanted.said));
    }
    // `date open, room 3.12` is more than the day that is told.
    if new.is_value()
        && text.contains(", ")
        && !old.iter().any(|old| new.values.iter().any(|value| alike(&page.text, old, &new.text, value)))
    {
        return Err(Refusal::ambiguous(&wanted.said));
    }
    let other_kind = new.is_value()
        && !old.is_empty()
        && !only_values(text).is_empty()
        && !old.iter().any(|old| new.values.iter().any(|value| alike(&page.text, old, &new.text, value)));
    if other_kind {
        return Err(Refusal::not_in_text(&wanted.said));
    }
    if words > LONGEST_VALUE && !new.quoted {
        return Err(Refusal::ambiguous(&wanted.said));
    }
    // The name of something that more is said of: `Aspen, 3rd floor`.
    let parts: Vec<&str> = text.split([',', ';']).map(str::trim).collect();
    let is_name = |part: &&str| part.starts_with(char::is_uppercase);
    if new.is_name() && !new.text.contains(',') && parts.len() > 1 && is_name(&parts[0]) && !parts.iter().all(is_name) {
        return Ok(vec![(label.value.start..label.value.start + parts[0].len(), new.text.clone())]);
    }
    // What is added in brackets stays, unless the new words bring their own.
    let bracket = text.find(" (").filter(|at| *at > 0 && text.ends_with(')') && !new.text.contains('('));
    let place = label.value.start..bracket.map_or(label.value.end, |at| label.value.start + at);
    let space = if page.text[..place.start].ends_with(':') { " " } else { "" };
    Ok(vec![(place, format!("{space}{}", new.text))])
}

/// More words than this are no value that is set as a whole.
const LONGEST_VALUE: usize = 9;

/// Whether one value can stand in for the other.
pub(super) fn alike(text: &str, old: &Value, new_text: &str, new: &Value) -> bool {
    let (unit, wanted) = (old.unit(text), new.unit(new_text));
    let counted = |kind: Kind, unit: &str| kind == Kind::Number && !unit.is_empty();
    let family = old.kind.family() == new.kind.family()
        && !(old.kind == Kind::Money && counted(new.kind, &wanted)
            || new.kind == Kind::Money && counted(old.kind, &unit));
    let number = old.kind == Kind::Number && new.kind == Kind::Number;
    // A year is no sum.
    let plain = &new_text[new.start..new.end];
    let is_year = plain.len() == 4 && (plain.starts_with("19") || plain.starts_with("20")) && wanted.is_empty();
    if old.kind == Kind::Money && new.kind == Kind::Number && is_year {
        return false;
    }
    // A day is named in the language of the text.
    let english = |text: &str, value: &Value| super::page::is_weekday(&text[value.start..value.end]);
    if old.kind == Kind::Weekday && new.kind == Kind::Weekday && english(text, old) != english(new_text, new) {
        return false;
    }
    // `Wednesdays` are no day of a month.
    let recurs = |text: &str, value: &Value| value.kind == Kind::Weekday && text[value.start..value.end].ends_with('s');
    if recurs(text, old) && new.kind == Kind::Date {
        return false;
    }
    family
        && (!number
            || wanted.is_empty()
            || unit == wanted
            || unit.trim_end_matches('s') == wanted.trim_end_matches('s'))
        || matches!((old.kind, new.kind), (Kind::Date, Kind::Month) | (Kind::Month, Kind::Date))
}

/// The change that puts one value in the place of another.
pub(super) fn put_value(text: &str, old: &Value, new_text: &str, new: &Value) -> (Range<usize>, String) {
    // A cell of a table has its unit in the head.
    let cell = text[..old.start].ends_with("| ") && text[old.end..].starts_with(" |") && old.unit_end == old.end;
    let has_unit = new.unit_end > new.end && !cell;
    let place = old.start..if has_unit { old.unit_end } else { old.end };
    let end = if cell { new.end } else { new.unit_end.max(new.end) };
    let put = &new_text[new.start..end];
    let named = matches!(new.kind, Kind::Weekday | Kind::Month | Kind::Date);
    let mut put = if named { super::replace::styled(&text[place.clone()], put) } else { put.to_owned() };
    // `every second Thursday` becomes `every second Friday`, whoever says `Fridays`.
    let counted = ["every", "each", "second", "other", "third", "fourth", "last", "first", "next", "this", "a"];
    let led = text[..place.start].trim_end().rsplit(' ').next().is_some_and(|word| counted.contains(&word));
    if old.kind == Kind::Weekday && new.kind == Kind::Weekday && led && !text[place.clone()].ends_with('s') {
        put.truncate(put.trim_end_matches('s').len());
    }
    // `on Friday` becomes `tomorrow`.
    let mut place = place;
    if new.kind == Kind::Relative && text[..place.start].ends_with(" on ") {
        place.start -= 3;
    }
    // A bare sum keeps the currency of the text.
    if old.kind == Kind::Money && new.kind == Kind::Number && !has_unit {
        let old_text = &text[old.start..old.end];
        let digits = |c: char| c.is_ascii_digit();
        let (from, to) =
            (old_text.find(digits).unwrap_or(0), old_text.rfind(digits).map_or(old_text.len(), |at| at + 1));
        let rest = old_text[to..].strip_prefix('k').filter(|_| put.ends_with('k')).unwrap_or(&old_text[to..]);
        put = format!("{}{put}{rest}", &old_text[..from]);
    }
    // `10.99/month` stays so much a month.
    if let Some(slash) = text[place.clone()].find('/').filter(|_| !put.contains('/')) {
        let rate = &text[place.clone()][slash..];
        if rate.len() > 2 && rate[1..].bytes().all(|byte| byte.is_ascii_lowercase()) {
            put.push_str(rate);
        }
    }
    // `3:45` for `3:15 pm`, a host for a host with its port.
    let old_text = &text[place.clone()];
    let hour = put.split(':').next().and_then(|hour| hour.parse::<u8>().ok());
    if old.kind == Kind::Time && !put.contains(char::is_alphabetic) && hour.is_some_and(|hour| (1..=12).contains(&hour))
    {
        let digits = old_text.trim_end_matches(|c: char| c.is_alphabetic() || c == '.' || c == ' ').len();
        put.push_str(&old_text[digits..]);
    }
    if old.kind == Kind::Address
        && !put.contains(':')
        && let Some(at) = old_text.rfind(':').filter(|at| old_text[at + 1..].bytes().all(|byte| byte.is_ascii_digit()))
    {
        put.push_str(&old_text[at..]);
    }
    (place, put)
}

/// What [`by_value`] finds where all that is asked for stands right beside the value.
fn beside_value(page: &Page, wanted: &Wanted, new: &New) -> Result<Edits, Refusal> {
    let missing = || Refusal::not_in_text(&wanted.said);
    let is_setting = page.labels().iter().any(|label| label.is_setting && label.keys == wanted.keys);
    if !new.is_value() || wanted.keys.is_empty() || is_setting {
        return Err(missing());
    }
    let edits = by_value(page, wanted, new).map_err(|_| missing())?;
    let beside = |(place, _): &(Range<usize>, String)| {
        let segment = page.segment_of(place);
        page.says_all(&segment, &wanted.keys)
    };
    if edits.iter().all(beside) { Ok(edits) } else { Err(missing()) }
}

fn by_value(page: &Page, wanted: &Wanted, new: &New) -> Result<Edits, Refusal> {
    if !new.is_value() {
        return Err(Refusal::not_in_text(&wanted.said));
    }
    // `change the time to Tuesday`: a day is no time.
    let fits = |value: &Value| {
        wanted.kinds.iter().any(|kind| {
            kind.family() == value.kind.family()
                || matches!((kind, value.kind), (Kind::Number, Kind::Code | Kind::Time) | (Kind::Money, Kind::Code))
        })
    };
    if !wanted.kinds.is_empty() && wanted.keys.is_empty() && !new.values.iter().any(fits) {
        return Err(Refusal::ambiguous(&wanted.said));
    }
    // `the budget` of a text that names none is not just any sum.
    if wanted.keys.is_empty() && !wanted.soft.is_empty() && !wanted.soft.iter().any(|key| page.has(key)) {
        return Err(Refusal::not_in_text(&wanted.said));
    }
    if let [one, other] = new.values.as_slice()
        && is_range(&new.text, one, other)
    {
        let pairs: Vec<(&Value, &Value)> = page
            .values()
            .windows(2)
            .map(|pair| (&pair[0], &pair[1]))
            .filter(|(first, second)| {
                first.kind.family() == one.kind.family()
                    && second.kind.family() == other.kind.family()
                    && is_range(&page.text, first, second)
            })
            .collect();
        let others: Vec<Range<usize>> = pairs.iter().map(|(first, _)| first.place()).collect();
        let known: Vec<String> =
            wanted.keys.iter().chain(wanted.soft.iter().filter(|key| page.has(key))).cloned().collect();
        let found: Vec<(usize, &(&Value, &Value))> = pairs
            .iter()
            .filter_map(|pair| distance(page, &known, &pair.0.place(), &others).map(|distance| (distance, pair)))
            .collect();
        let least = found.iter().map(|(distance, _)| *distance).min();
        let nearest: Vec<_> = found.iter().filter(|(distance, _)| Some(*distance) == least).collect();
        if let [(_, (first, second))] = nearest.as_slice() {
            return Ok(vec![
                put_value(&page.text, first, &new.text, one),
                put_value(&page.text, second, &new.text, other),
            ]);
        }
    }
    let mut edits = Edits::new();
    let mut sentence: Option<Range<usize>> = None;
    for value in &new.values {
        // `Mon 17 Nov` is a day for the day and a date for the date.
        let twins = new.values.iter().filter(|other| other.kind.family() == value.kind.family()).count() > 1;
        let fits = |old: &&Value| {
            alike(&page.text, old, &new.text, value)
                && (!twins || old.kind == value.kind)
                && sentence.as_ref().is_none_or(|sentence| sentence.start <= old.start && old.end <= sentence.end)
                && !super::list::is_marker(&page.text, &old.place())
        };
        let mut same: Vec<&Value> = page.values().iter().filter(fits).collect();
        // A day of a month is meant before a month.
        if value.kind == Kind::Date && same.iter().any(|old| old.kind == Kind::Date) {
            same.retain(|old| old.kind != Kind::Month);
        }
        // Sums are meant before bare numbers.
        if value.kind == Kind::Money && same.iter().any(|old| old.kind == value.kind) {
            same.retain(|old| old.kind == value.kind);
        }
        // A number with another unit is meant where no number has the same.
        if same.is_empty() {
            let number = |old: &&Value| old.kind.family() == value.kind.family() && value.kind == Kind::Number;
            let numbers: Vec<&Value> = page.values().iter().filter(number).collect();
            if !wanted.keys.is_empty() || numbers.len() == 1 {
                same = numbers;
            }
        }
        let others: Vec<Range<usize>> = same.iter().map(|value| value.place()).collect();
        let near: Vec<String> =
            wanted.keys.iter().chain(wanted.soft.iter().filter(|key| page.has(key))).cloned().collect();
        let found: Vec<(usize, &Value)> = same
            .iter()
            .filter_map(|old| distance(page, &near, &old.place(), &others).map(|distance| (distance, *old)))
            .collect();
        let least = found.iter().map(|(distance, _)| *distance).min();
        let Some(least) = least else { return Err(Refusal::not_in_text(&wanted.said)) };
        let nearest: Vec<&Value> =
            found.iter().filter(|(distance, _)| *distance == least).map(|(_, value)| *value).collect();
        let nearest = beside_noun(page, wanted, end_of_range(page, wanted, nearest));
        let nearest = if least == 0 { closest(page, &near, nearest) } else { nearest };
        let [only] = nearest.as_slice() else { return Err(Refusal::ambiguous(&wanted.said)) };
        // What stands in another sentence belongs to it only if there is no other.
        if least >= 4 && same.len() > 1 {
            return Err(Refusal::ambiguous(&wanted.said));
        }
        // A day of the week and the date beside it go together.
        let day_alone = only.kind == Kind::Weekday && !new.values.iter().any(|value| value.kind == Kind::Date);
        if day_alone && dated(page, only) {
            return Err(Refusal::ambiguous(&wanted.said));
        }
        sentence = Some(page.sentence_of(&only.place()));
        edits.push(put_value(&page.text, only, &new.text, value));
    }
    edits.sort_by_key(|(place, _)| place.start);
    edits
        .windows(2)
        .all(|pair| pair[0].0.end <= pair[1].0.start)
        .then_some(edits)
        .ok_or_else(|| Refusal::ambiguous(&wanted.said))
}

/// Whether a date follows a day of the week.
pub(super) fn dated(page: &Page, day: &Value) -> bool {
    page.values().iter().any(|other| {
        other.kind == Kind::Date
            && other.start > day.end
            && page.text[day.end..other.start].trim_matches([',', ' ']).is_empty()
    })
}

/// What the text has in quotation marks, for new words in quotation marks.
fn by_quotation(page: &Page, wanted: &Wanted, new: &New) -> Result<Edits, Refusal> {
    let missing = || Refusal::not_in_text(&wanted.said);
    let known: Vec<&String> = wanted.keys.iter().filter(|key| page.has(key)).collect();
    if !new.quoted || known.is_empty() {
        return Err(missing());
    }
    let mut places = Vec::new();
    for quote in ['`', '"', '\''] {
        let mut rest = 0;
        while let Some(open) = page.text[rest..].find(quote).map(|at| rest + at) {
            let Some(close) = page.text[open + 1..].find(quote).map(|at| open + 1 + at) else { break };
            let opens = page.text[..open].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
            let closes = page.text[close + 1..].chars().next().is_none_or(|c| !c.is_alphanumeric());
            if opens && closes {
                places.push(open + 1..close);
            }
            rest = close + 1;
        }
    }
    let near = |place: &Range<usize>| {
        let sentence = page.sentence_of(place);
        known.iter().all(|key| page.words_in(&sentence).iter().any(|word| word.key == **key))
    };
    places.retain(near);
    let unknown = wanted.keys.iter().filter(|key| !page.has(key)).count();
    match places.as_slice() {
        [only] if unknown <= 1 => Ok(vec![(only.clone(), new.text.clone())]),
        _ => Err(missing()),
    }
}

/// Of several values the one that a noun follows which it is wanted by: the `3 months` of `24 months with 3 months' notice`.
fn closest<'v>(page: &Page, keys: &[String], values: Vec<&'v Value>) -> Vec<&'v Value> {
    if values.len() < 2 {
        return values;
    }
    let followed = |value: &Value| {
        let end = value.unit_end.max(value.end);
        let at = page.words().partition_point(|word| word.place.start < end);
        let next = page
            .words()
            .get(at)
            .filter(|next| page.text[end..next.place.start].trim_matches(['\'', '’', ' ']).is_empty());
        next.is_some_and(|next| keys.contains(&next.key))
    };
    let near: Vec<&Value> = values.iter().filter(|value| followed(value)).copied().collect();
    if near.len() == 1 { near } else { values }
}

/// Of several values those that stand right after the noun they are wanted by: the `8443` of `port 8443`.
fn beside_noun<'v>(page: &Page, wanted: &Wanted, values: Vec<&'v Value>) -> Vec<&'v Value> {
    if values.len() < 2 {
        return values;
    }
    let all: Vec<&String> = wanted.keys.iter().chain(&wanted.nouns).collect();
    let before = |value: &&&Value| {
        let at = page.words().partition_point(|word| word.place.end <= value.start);
        at.checked_sub(1).is_some_and(|at| all.contains(&&page.words()[at].key))
    };
    let beside: Vec<&Value> = values.iter().filter(before).copied().collect();
    if beside.len() == 1 { beside } else { values }
}

/// Whether two values are the ends of a range.
fn is_range(text: &str, one: &Value, other: &Value) -> bool {
    one.end <= other.start
        && matches!(
            text[one.unit_end.max(one.end).min(other.start)..other.start].trim(),
            "–" | "-" | "—" | "to" | "bis" | "until"
        )
}

/// Of two values that span a range the one that is told of: the `17:00` of `09:00–17:00` for `closes`.
fn end_of_range<'v>(page: &Page, wanted: &Wanted, values: Vec<&'v Value>) -> Vec<&'v Value> {
    let [one, other] = values.as_slice() else { return values };
    let between = page.text[one.unit_end.max(one.end)..other.start].trim();
    if !matches!(between, "–" | "-" | "—" | "to" | "until" | "till" | "bis" | "à" | "a" | "tot" | "al") {
        return values;
    }
    let says = |words: &[&str]| wanted.hints.iter().any(|hint| words.contains(&hint.as_str()));
    match (
        says(&["start", "begin", "open", "from", "lower", "minimum", "opening", "starting"]),
        says(&["end", "clos", "until", "till", "upper", "maximum", "finish", "closing", "ending", "close"]),
    ) {
        (true, false) => vec![one],
        (false, true) => vec![other],
        _ => values,
    }
}

/// What the text says something is, after `is` or right beside its noun.
fn by_predicate(page: &Page, wanted: &Wanted, new: &New) -> Result<Edits, Refusal> {
    let missing = || Refusal::not_in_text(&wanted.said);
    let all: Vec<&String> = wanted.keys.iter().chain(wanted.nouns.iter().filter(|key| page.has(key))).collect();
    if all.is_empty() {
        return Err(missing());
    }
    let mut places: Vec<Range<usize>> = Vec::new();
    for sentence in page.sentences() {
        let words = page.words_in(sentence);
        let has_all = all.iter().all(|key| words.iter().any(|word| word.key == **key) || page.has(key));
        let Some(at) = words.iter().rposition(|word| all.contains(&&word.key)) else { continue };
        if !has_all || !all.iter().any(|key| words.iter().any(|word| word.key == **key)) {
            continue;
        }
        // `its colour is red`
        let copula =
            words.iter().enumerate().skip(at + 1).take(3).find(|(_, word)| vocabulary::is(&fold(page, word), "be"));
        let is_subject = |word: &super::page::TextWord| all.contains(&&word.key) || is_empty_word(&word.key);
        let segment = page.segment_of(&words[at].place);
        let strict = copula.is_some_and(|(copula, _)| {
            page.words_in(&(segment.start..words[copula].place.start)).iter().all(is_subject)
                || copula > 0 && all.contains(&&words[copula - 1].key) && !wanted.keys.is_empty() && !wanted.told
        });
        if copula.is_some() && !strict {
            continue;
        }
        if let Some((copula, word)) = copula {
            let from = words.get(copula + 1).map_or(word.place.end, |next| next.place.start);
            let mut place = from..complement_end(page, from, sentence.end);
            // A name for a name: what is said after it stays.
            let is_name = |word: &str| word.starts_with(char::is_uppercase);
            if new.is_name() && new.text.split_whitespace().all(is_name) && is_name(page.at(&place)) {
                let run: Vec<&str> = page.at(&place).split(' ').take_while(|word| is_name(word)).collect();
                place.end = place.start + run.join(" ").len();
            }
            // `in grade 4` for `in grade 3 at Maple School`: as far as they go together.
            if let Some(end) = aligned_end(page.at(&place), &new.text) {
                place.end = place.start + end;
            }
            let count = page.at(&place).split_whitespace().count();
            if (1..=6).contains(&count) && !new.is_value() {
                places.push(place);
            }
            continue;
        }
        // `room Aalto`, `host batch-04`
        if let Some(next) = words.get(at + 1) {
            let gap = &page.text[words[at].place.end..next.place.start];
            let level = vocabulary::is(&new.text.to_lowercase(), "level");
            let is_name = |word: &str| {
                if level {
                    vocabulary::is(&word.to_lowercase(), "level")
                } else {
                    word.starts_with(char::is_uppercase) || word.contains(|c: char| c.is_ascii_digit())
                }
            };
            // The `Olu` of `Name: Olu Bakare` is no noun.
            let inside = page.labels().iter().any(|label| {
                label.value.start <= words[at].place.start && next.place.end <= label.value.end && !label.is_setting
            });
            let named = inside && wanted.told && page.at(&words[at].place).starts_with(char::is_uppercase);
            if !named && gap.trim_matches(['\'', '"', '‘', '“', '`', ' ']).is_empty() && is_name(page.at(&next.place))
            {
                let mut end = next.place.end;
                for word in &words[at + 2..] {
                    if page.text[end..word.place.start].trim_matches('.') != " " || !is_name(page.at(&word.place)) {
                        break;
                    }
                    end = word.place.end;
                }
                places.push(next.place.start..end);
            }
        }
    }
    // A sentence with all that is asked for comes before those with some of it.
    let whole = |place: &Range<usize>| {
        let sentence = page.sentence_of(place);
        all.iter().all(|key| page.words_in(&sentence).iter().any(|word| word.key == **key))
    };
    if places.len() > 1 && places.iter().filter(|place| whole(place)).count() == 1 {
        places.retain(whole);
    }
    let [place] = places.as_slice() else {
        return Err(if places.is_empty() { missing() } else { Refusal::ambiguous(&wanted.said) });
    };
    let old = page.at(place);
    if wanted.told && new.text.contains(", ") && !new.quoted {
        return Err(Refusal::ambiguous(&wanted.said));
    }
    // What is said of when and how much does not go with a part of it.
    let families = |text: &str| value::values(text).iter().map(|value| value.kind.family()).collect::<Vec<_>>();
    let kept = families(&new.text);
    if !families(old).iter().all(|family| kept.contains(family) || *family == 8) && !new.quoted {
        return Err(Refusal::ambiguous(&wanted.said));
    }
    let named = old.starts_with(|c: char| c.is_uppercase()) == new.is_name() || new.quoted;
    let digits = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    match (named || new.quoted) && (digits(old) == digits(&new.text) || !digits(old))
        || digits(old) && digits(&new.text)
    {
        true => Ok(vec![(place.clone(), new.text.clone())]),
        false => Err(Refusal::ambiguous(&wanted.said)),
    }
}

/// Where the part of `old` ends that `new` says with other values: the `in grade 3` of `in grade 3 at Maple School`.
fn aligned_end(old: &str, new: &str) -> Option<usize> {
    let digits = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    let mut end = 0;
    let mut rest = old.split(' ');
    for word in new.split(' ') {
        let other = rest.next()?;
        if other != word && !(digits(other) && digits(word)) {
            return None;
        }
        end += other.len() + 1;
    }
    (end > 1 && end < old.len()).then_some(end - 1)
}

fn fold(page: &Page, word: &super::page::TextWord) -> String {
    super::token::fold(page.at(&word.place))
}

/// Where what is said of something ends: at a mark, a joining word, or the sentence's end.
pub(super) fn complement_end(page: &Page, from: usize, sentence_end: usize) -> usize {
    let body = &page.text[from..sentence_end];
    let mark = body.find([',', ';', '(', '\n', '|']).unwrap_or(body.len());
    let joint = [
        " and ",
        " but ",
        " or ",
        " – ",
        " — ",
        " - ",
        " und ",
        " et ",
        " y ",
        " e ",
        " en ",
        " because ",
        " since ",
        " which ",
        " who ",
    ];
    let joint = joint.iter().filter_map(|word| body.find(word)).min().unwrap_or(body.len());
    from + body[..mark.min(joint)].trim_end().trim_end_matches(['.', '!', '?', ':']).len()
}

/// `text` after changes that are in order; as it was if two of them are about the same words.
pub(super) fn applied(text: &str, edits: &Edits) -> String {
    if edits.windows(2).any(|pair| pair[0].0.end > pair[1].0.start) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (place, new) in edits {
        out += &text[at..place.start];
        out += new;
        at = place.end;
    }
    out + &text[at..]
}

/// The keys of the words in `words` that tell something.
pub(super) fn content(words: &[Word<'_>]) -> Vec<String> {
    let tells =
        |word: &&Word<'_>| !word.quoted && word.raw.contains(char::is_alphanumeric) && !is_empty_word(&word.folded);
    words.iter().filter(tells).map(|word| key(word.raw)).collect()
}
