//! Looks at a changed text as a reader would: what nobody would write is not to be stored.

use super::super::{page::key, phrase::Phrase, small_words, vocabulary, words};

/// Whether a change put words of the request itself into the text, or left its seams doubled.
pub(super) fn is_garbled(before: &str, after: &str) -> bool {
    let (removed, inserted, rest) = difference(before, after);
    if inserted.is_empty() || inserted.len() > LONGEST_LOOKED_AT {
        return false;
    }
    let spoken = |text: &str| {
        let words = words::words(text);
        (0..words.len()).filter(|&at| vocabulary::length(&words[at..], "spoken") > 0).count()
    };
    let last = inserted.split_whitespace().next_back().map(key).unwrap_or_default();
    let next = rest.strip_prefix(' ').and_then(|rest| rest.split_whitespace().next()).map(key).unwrap_or_default();
    let doubled = hunks(before, after).iter().any(|hunk| {
        let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let next = hunk.after.first().map(|word| bare(word)).unwrap_or_default();
        let digits = hunk.inserted.first().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        digits && hunk.inserted.len() > 2 && next.len() > 2 && hunk.inserted.iter().any(|word| bare(word) == next)
    });
    if doubled {
        return true;
    }
    let adds = inserted.starts_with(removed.trim_end_matches('.'));
    !adds && (spoken(inserted) > spoken(removed) || last.len() > 2 && last == next)
        || unbalanced(after) != unbalanced(before)
        || ["€€", "$$", "££", ",,", ";;", ": :"].iter().any(|twice| after.contains(twice) && !before.contains(twice))
}

/// How often a number stands in a text by itself.
fn times_said(text: &str, number: &str) -> usize {
    let is_digit = |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)).is_some_and(u8::is_ascii_digit);
    let is_whole = |at: usize| !is_digit(at.checked_sub(1)) && !is_digit(Some(at + number.len()));
    text.match_indices(number).filter(|(at, _)| is_whole(*at)).count()
}

/// How many ranges have a third end: `14–17–12`.
fn ranges_thrice(text: &str) -> usize {
    let ends = |word: &str| {
        let parts: Vec<&str> = word.split(['–', '-']).collect();
        parts.len() == 3
            && parts.iter().all(|part| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | ';' | '/'))
        .filter(|word| word.contains('–') && ends(word))
        .count()
}

/// Whether a line of a table lost or gained a cell, a line without cells stands among them, or its head was changed for a value.
fn breaks_table(whole: Phrase<'_, '_>, before: &str, after: &str) -> bool {
    let head = |text: &str| {
        let rule = text.lines().position(|line| line.contains("--") && line.chars().all(|c| "|-: +".contains(c)))?;
        text.lines().nth(rule.checked_sub(1)?).map(str::to_owned)
    };
    let named = whole.words.iter().any(|word| word.is_any("column|header|heading|columns|title|label|rename|headers"));
    if let (Some(old), Some(new)) = (head(before), head(after))
        && old != new
        && !named
    {
        return true;
    }
    let cells = |line: &str| line.matches('|').count();
    let rows: Vec<usize> = before.lines().map(cells).filter(|cells| *cells > 0).collect();
    let old: Vec<&str> = before.lines().collect();
    rows.len() > 1
        && old.last().is_some_and(|last| cells(last) > 0)
        && after.lines().filter(|line| !old.contains(line)).any(|line| !rows.contains(&cells(line)))
}

/// How many brackets have no other half; those of `1) …` need none.
fn unbalanced(text: &str) -> usize {
    let (mut open, mut alone) = (0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open > 0 => open -= 1,
            ')' => alone += usize::from(!text[..at].ends_with(|c: char| c.is_ascii_digit())),
            _ => {}
        }
    }
    open + alone
}

/// Whatever is longer was given as it is.
const LONGEST_LOOKED_AT: usize = 200;

/// What was taken out of a text, what was put in for it, and what follows; in whole words.
fn difference<'t>(before: &'t str, after: &'t str) -> (&'t str, &'t str, &'t str) {
    let same = before.char_indices().zip(after.chars()).take_while(|((_, one), other)| one == other);
    let start = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
    let start = before[..start].trim_end_matches(|c: char| !c.is_whitespace()).len();
    let tail = before[start..].chars().rev().zip(after[start..].chars().rev()).take_while(|(one, other)| one == other);
    let length: usize = tail.map(|(c, _)| c.len_utf8()).sum();
    let (old_end, new_end) = (before.len() - length, after.len() - length);
    // Whole words.
    let grown = after[new_end..].find(char::is_whitespace).unwrap_or(after.len() - new_end);
    let (old_end, new_end) = (old_end + grown, new_end + grown);
    (&before[start..old_end.min(before.len())], &after[start..new_end], &after[new_end..])
}

/// Some words of a text that others took the place of.
struct Hunk<'t> {
    removed: Vec<&'t str>,
    inserted: Vec<&'t str>,
    /// The words right before them, nearest first, and those after.
    before: Vec<&'t str>,
    after: Vec<&'t str>,
}

/// What was changed where, in whole words.
fn hunks<'t>(before: &'t str, after: &'t str) -> Vec<Hunk<'t>> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split_whitespace().collect(), after.split_whitespace().collect());
    let start = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(one, other)| one == other).count();
    let (old_middle, new_middle) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    if old_middle.len().max(new_middle.len()) > LONGEST_COMPARED {
        return Vec::new();
    }
    // The longest run of words that both have in the same order.
    let width = new_middle.len() + 1;
    let mut lengths = vec![0_u16; (old_middle.len() + 1) * width];
    for one in (0..old_middle.len()).rev() {
        for other in (0..new_middle.len()).rev() {
            lengths[one * width + other] = match old_middle[one] == new_middle[other] {
                true => lengths[(one + 1) * width + other + 1] + 1,
                false => lengths[(one + 1) * width + other].max(lengths[one * width + other + 1]),
            };
        }
    }
    let mut out: Vec<Hunk<'t>> = Vec::new();
    let (mut one, mut other) = (0, 0);
    let mut open = false;
    while one < old_middle.len() || other < new_middle.len() {
        if one < old_middle.len() && other < new_middle.len() && old_middle[one] == new_middle[other] {
            if let Some(hunk) = out.last_mut().filter(|_| open) {
                hunk.after = old[start + one..].iter().take(2).copied().collect();
            }
            (one, other, open) = (one + 1, other + 1, false);
            continue;
        }
        if !open {
            let before = new[..start + other].iter().rev().take(2).copied().collect();
            out.push(Hunk { removed: Vec::new(), inserted: Vec::new(), before, after: Vec::new() });
            open = true;
        }
        let Some(hunk) = out.last_mut() else { break };
        let drops = one < old_middle.len()
            && (other == new_middle.len() || lengths[(one + 1) * width + other] >= lengths[one * width + other + 1]);
        if drops {
            hunk.removed.push(old_middle[one]);
            one += 1;
        } else {
            hunk.inserted.push(new_middle[other]);
            other += 1;
        }
    }
    if let Some(hunk) = out.last_mut().filter(|_| open) {
        hunk.after = old[old.len() - end..].iter().take(2).copied().collect();
    }
    out
}

/// More words than these were given as they are.
const LONGEST_COMPARED: usize = 120;

/// Whether a change put in what nobody would write there, or lost what the request says: `March – be Pachinko`.
pub(super) fn is_odd(whole: Phrase<'_, '_>, before: &str, after: &str) -> bool {
    // `goal 2 has changed: it should say '…'` is about one of several.
    let counted = whole
        .words
        .iter()
        .any(|word| !word.quoted && word.raw.len() <= 2 && word.raw.bytes().all(|byte| byte.is_ascii_digit()));
    if counted
        && before.trim().lines().count() > 1
        && whole.words.iter().any(|word| word.quoted && word.raw == after.trim())
    {
        return true;
    }
    // Whoever gives all of it means all of it.
    if whole.request.contains(after.trim().trim_end_matches('.')) && !after.trim().is_empty() {
        return false;
    }
    if [",,", ", ,", "..,", ";;"].iter().any(|twice| after.contains(twice) && !before.contains(twice)) {
        return true;
    }
    // `his email is …`: what is left begins in the middle.
    let begins = |text: &str| text.trim_start().chars().next();
    let beheaded = begins(before).is_some_and(char::is_uppercase)
        && begins(after).is_some_and(char::is_lowercase)
        && !whole.words.iter().any(|word| word.quoted || word.is_any("lowercase|small|lower"))
        && before.trim_end().ends_with(after.trim());
    // `out budget is 200`
    let small = |text: &str| {
        let starts = text.match_indices(". ").filter(|(at, _)| {
            let word = text[..*at].rsplit(' ').next().unwrap_or_default();
            text[at + 2..].starts_with(char::is_lowercase)
                && word.len() > 3
                && word.ends_with(|c: char| c.is_lowercase())
        });
        starts.count()
    };
    beheaded
        || after.len() < before.len() && small(after) > small(before)
        || contradicts(whole, before, after)
        || changes_several(whole, before, after)
        || renames_label(whole, before, after)
        || leaves_time(before, after)
        || breaks_table(whole, before, after)
        || ranges_thrice(after) > ranges_thrice(before)
        || hunks(before, after).iter().any(|hunk| is_odd_hunk(whole, before, hunk))
}

/// Whether what a request speaks against came into the text: `118 instead of 181`, where that is how it was.
fn contradicts(whole: Phrase<'_, '_>, before: &str, after: &str) -> bool {
    let number = |word: &words::Word<'_>| word.raw.len() > 1 && word.raw.bytes().all(|byte| byte.is_ascii_digit());
    (2..whole.words.len()).any(|at| {
        let word = &whole.words[at];
        let against = whole.words[at - 1].is("not")
            || whole.words[at - 1].is_any("of|than") && whole.words[at - 2].is_any("instead|rather");
        against && number(word) && times_said(before, word.raw) == 0 && times_said(after, word.raw) > 0
    })
}

/// Whether a number was changed in several places where one was spoken of: `350 €, not 300 €`.
fn changes_several(whole: Phrase<'_, '_>, before: &str, after: &str) -> bool {
    let all = whole
        .words
        .iter()
        .any(|word| word.is_any("both|all|every|each|everywhere|always|two|three|places|times") || word.quoted);
    !all && (1..whole.words.len()).any(|at| {
        let word = &whole.words[at];
        let number = word.raw.len() > 1 && word.raw.bytes().all(|byte| byte.is_ascii_digit());
        number && whole.words[at - 1].is("not") && times_said(before, word.raw) > 1 && times_said(after, word.raw) == 0
    })
}

/// Whether the name of a `LABEL: value` was changed for what its value was to become.
fn renames_label(whole: Phrase<'_, '_>, before: &str, after: &str) -> bool {
    let request = whole.request.to_lowercase();
    let about = |word: &words::Word<'_>| {
        word.quoted || word.is_any("rename|renamed|label|heading|title|key|field|header|call|called|name|spelling")
    };
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let last = |name: &'_ str| name.rsplit(". ").next().unwrap_or_default().to_lowercase();
    let changed = |(old, new): (&&str, &&str)| match (old.rsplit_once(": "), new.rsplit_once(": ")) {
        (Some((name, value)), Some((other, kept))) if name != other => {
            let grown = old.find(':').zip(new.find(':')).is_some_and(|(old_end, new_end)| {
                new_end > old_end && old_end > 0 && new.starts_with(&old[..old_end]) && new[old_end..].starts_with(' ')
            });
            // `the provider changed to Naturstrom`
            let named = value == kept && request.contains(&format!("the {} to ", last(name)));
            named || grown && before.contains('\n')
        }
        _ => false,
    };
    old.len() == new.len() && !whole.words.iter().any(about) && old.iter().zip(&new).any(changed)
}

/// Whether all that is left of a line is when it was to be: `13:30` of `13:30 nap`.
fn leaves_time(before: &str, after: &str) -> bool {
    let bare = |line: &str| {
        let line = line.trim();
        line.contains(':') && !line.is_empty() && line.chars().all(|c| c.is_ascii_digit() || c == ':')
    };
    after.lines().any(|line| bare(line) && !before.lines().any(|other| other == line))
}

/// Whether a request asks for one thing to be replaced with another.
fn asks(whole: Phrase<'_, '_>) -> bool {
    ["change", "replace", "rewrite"]
        .iter()
        .any(|class| vocabulary::length(super::cut::without_courtesy(whole).words, class) > 0)
}

fn is_odd_hunk(whole: Phrase<'_, '_>, text: &str, hunk: &Hunk<'_>) -> bool {
    let (Some(first), Some(last)) = (hunk.inserted.first(), hunk.inserted.last()) else { return false };
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let (first, old_first) = (bare(first), hunk.removed.first().map(|word| bare(word)).unwrap_or_default());
    let replaces = !hunk.removed.is_empty();
    let brings = whole.words.iter().any(|word| word.is(":"));
    let inserted = hunk.inserted.join(" ");
    let verbal = |word: &str| {
        matches!(
            word,
            "be" | "is" | "are" | "was" | "were" | "will" | "should" | "must" | "now" | "also" | "been" | "being"
        )
    };
    let quoted = |text: &str| whole.words.iter().any(|word| word.quoted && word.raw.contains(text));
    // `METER: 77 as the last line`, `"Bleed the radiators" at the end of the list`
    let words = words::words(&inserted);
    let placing = (0..words.len())
        .any(|at| ["end", "line", "start"].iter().any(|class| vocabulary::length(&words[at..], class) > 1));
    let placing = placing
        || words.windows(2).any(|pair| {
            pair[0].is("as") && pair[1].is("number")
                || pair[0].is("to") && pair[1].is_any("these|this") && hunk.removed.is_empty()
                || pair[0].is_any("right|just") && pair[1].is_any("after|before")
        });
    if placing && !words.iter().all(|word| quoted(word.raw) || word.is_mark()) {
        return true;
    }
    // `a new unchecked item called Proofread`
    let bears = (1..words.len()).any(|at| {
        words[at].is_any("called|named|titled|labelled|labeled|saying")
            && (vocabulary::is(&words[at - 1].folded, "bearer") || vocabulary::is(&words[at - 1].folded, "part.item"))
    });
    if bears || words.windows(3).any(|three| three[0].is("as") && three[1].is("a") && three[2].is("new")) {
        return true;
    }
    if hunk.inserted.iter().any(|word| matches!(bare(word).as_str(), "something" | "maybe" | "perhaps"))
        && !brings
        && !whole.words.iter().any(|word| word.quoted)
    {
        return true;
    }
    let marks = |text: &str| text.matches(['"', '“', '”']).count();
    if marks(&inserted) > 1
        && !hunk.removed.iter().any(|word| marks(word) > 0)
        && whole
            .words
            .iter()
            .any(|word| word.quoted && inserted.contains(word.raw) && inserted.len() > word.raw.len() + 4)
    {
        return true;
    }
    let digits = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    let given = brings || quoted(&inserted);
    // `229 € this year`, `20 mg at today's visit`: since when, and not what.
    let dated = |word: &&str| matches!(bare(word).as_str(), "this" | "same" | "today's" | "yesterday's");
    if replaces
        && !given
        && digits(hunk.inserted[0])
        && hunk.inserted[1..].iter().any(dated)
        && !hunk.removed.iter().any(dated)
    {
        return true;
    }
    let said = |word: &str| hunk.inserted.iter().any(|other| bare(other) == word);
    let had = |word: &str| hunk.removed.iter().any(|other| bare(other) == word);
    // `- it`, `24 June it.`
    let others = &hunk.inserted[..hunk.inserted.len() - 1];
    let kept = |word: &&str| had(&bare(word)) || bare(word).is_empty();
    if last.trim_end_matches('.') == "it" && !had("it") && others.iter().all(kept) && !quoted(&inserted) {
        return true;
    }
    // `350 € now`, `Hafen 7 raised 210 €`, `4. Joon's`
    let altered = |word: &&str| vocabulary::is(&bare(word), "altered");
    if replaces
        && !given
        && hunk.inserted.len() <= 4
        && (said("now") && !had("now")
            || hunk.inserted.iter().any(altered)
                && !hunk.removed.iter().any(altered)
                && hunk.inserted.iter().any(|word| digits(word))
            || last.ends_with("'s") && hunk.removed.len() > 1 && hunk.inserted.len() == 1)
    {
        return true;
    }
    // `Assigned to Florian medium.` for `Assigned to Wei. Priority medium.`, `interface: in`
    let ends = |word: &&str| word.ends_with('.') && word.len() > 3;
    let ended = |words: &[&str]| words.split_last().is_some_and(|(_, before)| before.iter().any(ends));
    let swallowed = hunk.removed.len() > hunk.inserted.len()
        && first != old_first
        && ended(&hunk.removed)
        && !ended(&hunk.inserted)
        && !hunk.inserted.is_empty();
    if !given
        && (swallowed
            || hunk.inserted.len() == 1
                && matches!(first.as_str(), "in" | "on" | "at" | "out" | "up")
                && replaces
                && whole.words.len() > 5
                && old_first != "off"
                && old_first != "on")
    {
        return true;
    }
    // `room number 16` for `room 15`
    if let ([old], [noun, new]) = (hunk.removed.as_slice(), hunk.inserted.as_slice())
        && digits(old)
        && digits(new)
        && bare(noun) == "number"
    {
        return true;
    }
    // `week sets the table` for `Finn sets the table`
    if let ([old], [new]) = (hunk.removed.as_slice(), hunk.inserted.as_slice())
        && !given
        && old.starts_with(char::is_uppercase)
        && !old.contains(|c: char| c.is_ascii_digit())
        && new.chars().all(|c| c.is_lowercase() || !c.is_alphanumeric())
        && whole.words.windows(2).any(|pair| bare(pair[1].raw) == bare(new) && pair[0].is_any("this|next|last|that"))
    {
        return true;
    }
    // `520, and savings 250`
    if replaces
        && !given
        && digits(hunk.inserted[0])
        && hunk.inserted.windows(2).any(|pair| pair[0].ends_with(',') && pair[1] == "and")
        && !hunk.removed.iter().any(|word| word.ends_with(','))
    {
        return true;
    }
    // `…, nicht Frau Pohl`
    if !given
        && hunk
            .inserted
            .windows(2)
            .any(|pair| pair[0].ends_with(',') && matches!(pair[1], "not" | "nicht" | "pas" | "sino"))
    {
        return true;
    }
    // `| who arrives Sat 10:00 |`, `weather changes, She.`
    let pronoun = matches!(first.as_str(), "she" | "he" | "they" | "we" | "i");
    if hunk.removed.len() <= 1
        && !given
        && (hunk.inserted.iter().any(|word| matches!(*word, "who" | "whose" | "There's"))
            && !hunk.inserted[0].contains("There's")
            || pronoun && hunk.inserted.len() == 1 && hunk.removed.is_empty())
    {
        return true;
    }
    // `weather changes, She.`
    let told = whole.words.len() > 6 && last.starts_with(char::is_uppercase);
    if !given
        && told
        && matches!(bare(last).as_str(), "she" | "he" | "they" | "we")
        && hunk.inserted.len() <= hunk.removed.len() + 1
    {
        return true;
    }
    // `use American spelling`, where the request says `I use American spelling`
    if replaces
        && !given
        && hunk.inserted[0].starts_with(char::is_lowercase)
        && hunk.inserted.len() > 1
        && whole.words.windows(2).any(|pair| bare(pair[1].raw) == first && pair[0].is_any("i|we|they|you"))
        && first != old_first
    {
        return true;
    }
    // `Monday take` for `Monday Ana`
    if let ([old], [new]) = (hunk.removed.as_slice(), hunk.inserted.as_slice())
        && !given
        && old.starts_with(char::is_uppercase)
        && new.starts_with(char::is_lowercase)
        && whole
            .words
            .windows(2)
            .any(|pair| bare(pair[1].raw) == bare(new) && pair[0].is_any("will|can|would|should|she'll|he'll|they'll"))
    {
        return true;
    }
    // `pages 90` for `pages 40-75`
    let range = |word: &str| {
        let mut ends = word.trim_matches(|c: char| !c.is_alphanumeric()).split(['-', '–']);
        let number =
            |end: Option<&str>| end.is_some_and(|end| !end.is_empty() && end.bytes().all(|b| b.is_ascii_digit()));
        number(ends.next()) && number(ends.next()) && ends.next().is_none()
    };
    if let ([old], [new]) = (hunk.removed.as_slice(), hunk.inserted.as_slice())
        && range(old)
        && !range(new)
        && bare(new).bytes().all(|byte| byte.is_ascii_digit())
        && whole.words.iter().any(|word| word.is_any("until|up|till|extended|further"))
    {
        return true;
    }
    // `10.99/month` stays so much a month.
    if let ([old], [new]) = (hunk.removed.as_slice(), hunk.inserted.as_slice())
        && old.find('/').is_some_and(|at| old[at + 1..].starts_with(char::is_alphabetic))
        && !new.contains('/')
        && digits(old)
        && digits(new)
    {
        return true;
    }
    let content = |word: &str| word.len() > 3 && !small_words::is_small(word);
    // `Ugo and Sabine him`, `vegetarian, that`
    let ends_so = matches!(bare(last).as_str(), "him" | "her" | "them" | "that" | "this");
    let added = whole
        .words
        .windows(2)
        .any(|pair| vocabulary::length(&pair[..1], "add") > 0 && pair[1].is_any("him|her|them|that|this|it"));
    let pure = hunk.removed.is_empty() && !matches!(bare(last).as_str(), "that" | "this");
    if ends_so && (added || pure) && hunk.inserted.len() <= hunk.removed.len() + 6 && !brings && !quoted(&inserted) {
        return true;
    }
    // `her to the attendees`
    if hunk.removed.is_empty()
        && added
        && !brings
        && matches!(first.as_str(), "him" | "her" | "them" | "it")
        && whole.words.windows(2).any(|pair| vocabulary::length(&pair[..1], "add") > 0 && *pair[1].folded == *first)
        && hunk.inserted.len() <= 6
        && !quoted(&inserted)
    {
        return true;
    }
    // `… the opening hours and.`
    if matches!(bare(last).as_str(), "and" | "or" | "but") && hunk.after.is_empty() && !quoted(&inserted) {
        return true;
    }
    // `it Moodboard`
    if matches!(inserted.trim(), "it" | "this" | "that" | "them" | "him" | "her") && !brings && !quoted(&inserted) {
        return true;
    }
    let spoken = ["in brackets", "in parentheses", "in quotes"];
    if spoken.iter().any(|said| inserted.contains(said)) && !quoted(&inserted) {
        return true;
    }
    // `Board 3: ½-½` for `Board 3: Wójcik – Tanaka 1-0`
    let letters = |words: &[&str]| words.iter().filter(|word| word.starts_with(char::is_uppercase)).count();
    let ends = hunk.inserted.len() == 1 && first == old_first;
    if letters(&hunk.removed) > 1 && !inserted.contains(char::is_alphabetic) && !ends {
        return true;
    }
    // `in bank transfer`, where the request says `by bank transfer`; `coffee oat milk`, where it says `with oat milk`.
    let led = whole.words.windows(2).find(|pair| bare(pair[1].raw) == first).map(|pair| pair[0].folded.as_ref());
    let before = hunk.before.first().map(|word| bare(word)).unwrap_or_default();
    if replaces
        && led.is_some_and(|word| matches!(word, "by" | "with" | "via") && word != before)
        && !hunk.inserted.is_empty()
        && (matches!(before.as_str(), "in" | "on" | "at")
            || hunk.removed.len() == 1
                && hunk.removed[0].starts_with(char::is_lowercase)
                && content(&before)
                && !digits(hunk.inserted[0]))
        && !asks(whole)
    {
        return true;
    }
    // Whoever names the old words knows what takes their place.
    let same = |one: &str, other: &str| {
        one.trim_matches(|c: char| !c.is_alphanumeric()) == other.trim_matches(|c: char| !c.is_alphanumeric())
    };
    let named = |word: &&str| whole.words.iter().any(|said| same(said.raw, word) || said.quoted);
    if replaces && hunk.removed.iter().all(named) && !verbal(&first) {
        return false;
    }
    // `Presents the demo presents`, `spare batteries (4 spare)`
    let follows =
        1 + usize::from(hunk.after.first().is_some_and(|word| matches!(*word, "is" | "are" | "was" | "were")));
    let near = hunk.before.iter().chain(hunk.after.iter().take(follows));
    let beside: Vec<String> = near.map(|word| bare(word)).filter(|word| content(word)).collect();
    if replaces
        && hunk.inserted.len() > 1
        && !brings
        && hunk.inserted.iter().any(|word| beside.contains(&bare(word)))
        && !hunk.removed.iter().any(|word| beside.contains(&bare(word)))
    {
        return true;
    }
    // `be Pachinko`, `now couscous`, `They'd also like to`
    if replaces && !brings && verbal(&first) && !verbal(&old_first) && !quoted(&inserted) && hunk.inserted.len() > 1 {
        return true;
    }
    // `240 to compensate`
    if replaces
        && hunk.removed.iter().all(|word| digits(word))
        && digits(hunk.inserted[0])
        && let Some(at) = hunk.inserted.iter().position(|word| matches!(*word, "to" | "so" | "because" | "since"))
        && hunk.inserted.get(at + 1).is_some_and(|word| word.starts_with(char::is_lowercase))
    {
        return true;
    }
    // `Riverside house` for `Riverside Club`: half of a name.
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    if hunk.removed.first().is_some_and(|word| capital(word))
        && hunk.before.first().is_some_and(|word| capital(word) && !word.ends_with([':', '.', ',', ';', '!', '?']))
        && hunk.inserted[0].starts_with(char::is_lowercase)
        && first != old_first
        && !small_words::is_preposition(hunk.inserted[0])
        && !quoted(&inserted)
    {
        return true;
    }
    // `Trevor Nash Pike`: half of a name is replaced by a whole one.
    if let ([old], Some(next)) = (hunk.removed.as_slice(), hunk.after.first())
        && capital(old)
        && capital(next)
        && !old.ends_with([':', '.', ',', ';', '!', '?'])
        && text.contains(&format!("{old} {next}"))
        && hunk.inserted.len() > 1
        && hunk.inserted.iter().take(2).all(|word| capital(word))
        && !quoted(&inserted)
    {
        return true;
    }
    // `is home` for `is in the drawer`, where the request says `at home`.
    if small_words::is_preposition(&old_first) && !small_words::is_preposition(&first) && hunk.removed.len() > 1 {
        let dropped = whole.words.windows(2).any(|pair| {
            bare(pair[1].raw) == first
                && small_words::is_preposition(pair[0].raw)
                && !pair[0].is_any("to|with|as|by|into")
                && pair[0].folded != old_first
        });
        if dropped {
            return true;
        }
    }
    // A word that goes with another one is left without it.
    let leads =
        |word: &str| matches!(word, "of" | "with" | "for" | "at" | "by" | "from" | "in" | "the" | "a" | "an" | "to");
    replaces
        && !brings
        && last.starts_with(char::is_lowercase)
        && leads(&bare(last))
        && !hunk.removed.last().is_some_and(|word| leads(&bare(word)))
}

/// Whether taking something out left a word with nothing to go with: `phone is and his email`.
pub(super) fn is_broken(before: &str, after: &str) -> bool {
    let dangling = |text: &str| {
        let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
        let open = |word: &str| {
            matches!(
                word,
                "is" | "are"
                    | "was"
                    | "were"
                    | "a"
                    | "an"
                    | "the"
                    | "of"
                    | "with"
                    | "for"
                    | "at"
                    | "by"
                    | "and"
                    | "or"
                    | "to"
                    | "from"
                    | "his"
                    | "her"
                    | "my"
            )
        };
        let closes = |word: &str| {
            matches!(word, "and" | "or" | "in" | "for" | "at" | "by" | "is" | "are" | "but" | "of" | "with" | "on")
        };
        let pairs = words.windows(2).filter(|pair| open(&pair[0]) && closes(&pair[1]));
        let marked =
            words.iter().filter(|word| word.ends_with([',', '.', ';']) && open(word.trim_end_matches([',', '.', ';'])));
        pairs.count() + marked.count()
    };
    let starts = |text: &str| {
        text.split_whitespace()
            .next()
            .is_some_and(|word| matches!(word, "for" | "is" | "are" | "of" | "was" | "and" | "with" | "in" | "at"))
    };
    dangling(after) > dangling(before) || starts(after) && !starts(before)
}
