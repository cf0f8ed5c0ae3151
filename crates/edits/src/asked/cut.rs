//! Cuts a request into its pieces: commands, statements and reasons, each with the way it is joined to what stands before it.

use super::super::{phrase::Phrase, vocabulary, words::Word};

/// How a piece is joined to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Joint {
    Start,
    /// A new sentence or line.
    Stop,
    Semicolon,
    Dash,
    Comma,
    And,
    But,
    So,
    /// What announces ends with a colon before it.
    Colon,
    /// A word that opens a reason, which is none of the piece.
    Because,
    Paren,
}

impl Joint {
    /// Whether a statement joined so to a command only explains it.
    pub(in super::super) fn explains(self) -> bool {
        matches!(self, Self::Semicolon | Self::Dash | Self::Comma | Self::Because | Self::Paren)
    }
}

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Piece<'a, 'r> {
    pub(in super::super) phrase: Phrase<'a, 'r>,
    pub(in super::super) joint: Joint,
}

/// The pieces of a request, in order; none is empty.
pub(in super::super) fn cut<'a, 'r>(phrase: Phrase<'a, 'r>) -> Vec<Piece<'a, 'r>> {
    let words = phrase.words;
    let mut out = Vec::new();
    let (mut start, mut joint) = (0, Joint::Start);
    let mut push = |from: usize, to: usize, joint: Joint| {
        let piece = phrase.to(to).from(from).unmarked_start();
        if !piece.unmarked().is_empty() {
            out.push(Piece { phrase: piece, joint });
        }
    };
    let mut at = 0;
    // `According to the letter, …`
    let placed = vocabulary::length(words, "where") > 0 && words.iter().take(8).any(|word| word.is(","));
    if (vocabulary::length(words, "because") > 0 || vocabulary::length(words, "lead") > 0 || placed)
        && (!words.iter().any(|word| vocabulary::length(std::slice::from_ref(word), "add") > 0)
            || placed && words.iter().take(6).any(|word| word.is_any("line|row|section|entry|field")))
        && let Some(comma) = words.iter().position(|word| word.is_any(",|:"))
        && comma + 1 < words.len()
        && !words[comma + 1].is_any("and|but")
    {
        push(0, comma, Joint::Because);
        (start, at) = (comma + 1, comma + 1);
    }
    while at < words.len() {
        // What is announced with a colon is taken to the letter.
        if words[at].is(":") && takes_all(phrase.to(at).from(start)) {
            // Words in quotation marks end where the marks do.
            let quoted = words.get(at + 1).is_some_and(|word| word.quoted);
            if quoted && at + 3 < words.len() && words[at + 2].raw.starts_with(char::is_uppercase) {
                push(start, at + 2, joint);
                (start, joint, at) = (at + 2, Joint::Stop, at + 2);
                continue;
            }
            break;
        }
        let Some((end, next, joined)) = boundary(phrase, start, at) else {
            at += 1;
            continue;
        };
        push(start, end, joint);
        if joined == Joint::Paren {
            push(at + 1, next - 1, Joint::Paren);
            start = next;
            joint = if next < words.len() { joint_after(&words[next]) } else { Joint::Stop };
            at = next;
            continue;
        }
        (start, joint, at) = (next, joined, next.max(at + 1));
    }
    let end = if words.last().is_some_and(|last| last.is(")")) && start > 0 && words[start - 1].is("(") {
        words.len() - 1
    } else {
        words.len()
    };
    push(start, end, joint);
    out
}

fn joint_after(word: &Word<'_>) -> Joint {
    if word.is_any("and|then") { Joint::And } else { Joint::Comma }
}

/// Whether whatever follows a colon after `lead` are words to be written down.
fn takes_all(lead: Phrase<'_, '_>) -> bool {
    let lead = without_courtesy(lead);
    if vocabulary::length(lead.words, "rewrites") == lead.words.len() {
        return true;
    }
    // `after the first sentence, insert: …`
    let verb = (0..lead.words.len()).find(|&at| at == 0 || lead.words[at - 1].is(","));
    let adds = |at: usize| {
        let rest = &lead.words[at..];
        vocabulary::length(rest, "add") > 0 || vocabulary::length(rest, "rewrite") > 0
    };
    let placed = lead
        .words
        .iter()
        .enumerate()
        .any(|(at, word)| at > 0 && lead.words[at - 1].is(",") && !word.quoted && adds(at));
    let replaced = lead.words.iter().any(|word| word.is_any("with|to|say|says|saying|read"))
        && ["replace", "change", "other.replace", "other.change"]
            .iter()
            .any(|class| vocabulary::length(lead.words, class) > 0);
    verb.is_some_and(adds) || placed || replaced
}

/// Whether a piece from `start` on ends at `at`: where, where the next one starts, and how it is joined.
fn boundary(phrase: Phrase<'_, '_>, start: usize, at: usize) -> Option<(usize, usize, Joint)> {
    let words = phrase.words;
    let word = &words[at];
    // `… with "It was the switch." We found out today.`
    let ended = at > start
        && words[at - 1].quoted
        && words[at - 1].raw.ends_with(['.', '!', '?'])
        && word.raw.starts_with(char::is_uppercase)
        && !word.quoted;
    if ended {
        return Some((at, at, Joint::Stop));
    }
    if word.quoted || at == start && !word.is("(") {
        return None;
    }
    let rest = |from: usize| phrase.from(from);
    let broken = at > start && phrase.request[words[at - 1].end..word.start].contains('\n');
    if broken {
        return Some((at, at, Joint::Stop));
    }
    if word.is_any(".|!|?|…") {
        // `2. …` counts what follows.
        let counts = at == start + 1 && words[start].raw.bytes().all(|byte| byte.is_ascii_digit());
        let abbreviates =
            word.is(".") && at > 0 && (counts || is_abbreviation(words[at - 1].raw)) && at + 1 < words.len();
        // `vitamin D. Please strike it`
        let asks = at > 0 && words[at - 1].raw.chars().count() == 1 && at + 2 < words.len() && is_command(rest(at + 1));
        let abbreviates = abbreviates && (counts || !asks);
        // `im 6. Semester`, `am 10. April`
        let ordinal = at > 1
            && at + 1 < words.len()
            && words[at - 1].raw.len() <= 2
            && words[at - 1].raw.bytes().all(|byte| byte.is_ascii_digit())
            && words[at - 2].is_any("am|im|der|den|dem|vom|zum|bis|ab|das|die");
        let dated = at > 0
            && at + 1 < words.len()
            && words[at - 1].raw.len() <= 2
            && words[at - 1].raw.bytes().all(|byte| byte.is_ascii_digit())
            && super::super::value::is_month(words[at + 1].raw);
        let abbreviates = abbreviates || ordinal || dated;
        return (!abbreviates).then_some((at + 1, at + 1, Joint::Stop));
    }
    if word.is(";") {
        return Some((at, at + 1, Joint::Semicolon));
    }
    if word.is_any("-|–|—|--") {
        return Some((at, at + 1, Joint::Dash));
    }
    if word.is("(") {
        let close = (at..words.len()).find(|&end| words[end].is(")"))?;
        let inner = phrase.to(close).from(at + 1);
        if is_command(inner) && inner.words.iter().take(1).any(|word| word.is("and")) {
            return Some((at, at + 1, Joint::And));
        }
        let remark = is_statement(inner) || vocabulary::length(inner.words, "remark") == inner.words.len();
        return remark.then_some((at, close + 1, Joint::Paren));
    }
    if word.is(",") {
        // `not Maria, it's Marta`: what is denied goes with what is right.
        if vocabulary::length(&words[start..], "denial") > 0 && vocabulary::length(&words[at + 1..], "rather") > 0
            || phrase.from(start).starts("where it says")
            || rest(at + 1).starts("not") && end_of_clause(&words[at + 1..]) <= 3
        {
            return None;
        }
        let joints = words[at + 1..]
            .iter()
            .take_while(|word| word.is_any("and|then|also|but|so|please|plus|und|et|y|e|en"))
            .count();
        let but = words[at + 1..at + 1 + joints].iter().any(|word| word.is("but"));
        let so = words[at + 1..at + 1 + joints].iter().any(|word| word.is("so"));
        let and = words[at + 1..at + 1 + joints].iter().any(|word| word.is_any("and|then|also|plus|und|et|y|e|en"));
        // `after the first sentence, insert …` says where.
        let placed = words[start].is_any("after|before|between|behind|under|below|above|at")
            && vocabulary::length(rest(at + 1 + joints).words, "add") > 0;
        if placed {
            return None;
        }
        let joint = if so {
            Joint::So
        } else if but {
            Joint::But
        } else if and {
            Joint::And
        } else {
            Joint::Comma
        };
        let adds = vocabulary::length(without_courtesy(phrase.from(start)).words, "add") > 0;
        if adds && words.get(at + 1).is_some_and(|next| next.is_any("which|who|where|whose")) {
            return None;
        }
        if let Some((next, Joint::Because)) = opens_reason(phrase, start, at + 1) {
            return Some((at, next, Joint::Because));
        }
        // `…, il ne peut pas venir`
        let foreign = ["other.remove", "other.add", "other.change", "other.replace"]
            .iter()
            .any(|class| vocabulary::length(without_courtesy(phrase.from(start)).words, class) > 0);
        let told = words.get(at + 1).is_some_and(|word| {
            word.is_any("il|elle|ils|elles|on|je|nous|er|sie|es|wir|ich|das|ya|porque|ella|ellos|lui|lei|hij|zij|we")
        });
        let denied = words.get(at + 1).is_some_and(|word| word.is_any("no|ne|non"))
            && words.get(at + 2).is_some_and(|word| {
                word.is_any("lo|la|le|los|las|se|va|voy|tiene|hace|es|necesita|quiere|puede|serve|li|ne")
            });
        if foreign && (told || denied) && at + 3 < words.len() {
            return Some((at, at + 1, Joint::Comma));
        }
        let clause = rest(at + 1 + joints);
        let clause =
            clause.to(clause.words.iter().position(|word| word.is_any(",|.|;|!")).unwrap_or(clause.words.len()));
        if !clause.is_empty() && vocabulary::length(clause.words, "remark") == clause.words.len() {
            return Some((at, at + 1 + joints, Joint::Comma));
        }
        if !clause.is_empty() && vocabulary::length(clause.words, "retract") == clause.words.len() {
            return Some((at, at + 1 + joints, Joint::And));
        }
        if !clause.is_empty() && vocabulary::length(clause.words, "state") == clause.words.len() {
            return Some((at, at + 1 + joints, Joint::And));
        }
        let named = so && words.get(at + 1 + joints).is_some_and(|next| next.raw.starts_with(char::is_uppercase));
        return (named || starts_piece(rest(at + 1 + joints))).then_some((at, at + 1 + joints, joint));
    }
    if word.is_any("and|then|plus|und|et|y|e|en|&|but|+|/") {
        let clause = rest(at + 1);
        if vocabulary::length(clause.unmarked().words, "state") == clause.unmarked().words.len()
            && !clause.unmarked().is_empty()
        {
            return Some((at, at + 1, Joint::And));
        }
        if word.is("/") {
            return None;
        }
        if phrase.from(at).starts("as well as") {
            return None;
        }
        // `items 2 and 4`
        let is_number = |word: Option<&Word<'_>>| {
            word.is_some_and(|word| word.raw.len() <= 2 && word.raw.bytes().all(|byte| byte.is_ascii_digit()))
        };
        if is_number(words.get(at + 1)) && is_number(at.checked_sub(1).map(|before| &words[before])) {
            return None;
        }
        if vocabulary::length(clause.unmarked().words, "remark") == clause.unmarked().words.len()
            && !clause.unmarked().is_empty()
        {
            return Some((at, at + 1, Joint::Comma));
        }
        // `add that … and that …`
        if words.get(at + 1).is_some_and(|next| next.is("that")) {
            return None;
        }
        // `Benoit and Dara have traded shifts`
        let lead = phrase.to(at).from(start);
        // `add a note that it takes a week and a parent has to stay` brings both.
        let asked = without_courtesy(lead);
        let notes =
            vocabulary::length(asked.words, "add") > 0 && asked.words.iter().take(6).any(|word| word.is("that"));
        if notes && word.is_any("and|but") && !is_command(rest(at + 1)) {
            return None;
        }
        if word.is_any("and|und|et|y|e|en|&") && !is_clause(lead) && !is_command(rest(at + 1)) {
            return None;
        }
        let joints =
            words[at..].iter().take_while(|word| word.is_any("and|then|also|plus|please|but|so")).count().max(1);
        let joint = if word.is("but") { Joint::But } else { Joint::And };
        return starts_piece(rest(at + joints)).then_some((at, at + joints, joint));
    }
    let purpose = words.get(at + 1).is_some_and(|next| next.is("that")) && opens_reason(phrase, start, at).is_some();
    if word.is("so") && at > start + 1 && !purpose {
        let named = words.get(at + 1).is_some_and(|next| next.raw.starts_with(char::is_uppercase));
        return (named || starts_piece(rest(at + 1))).then_some((at, at + 1, Joint::So));
    }
    if word.is(":") {
        let lead = phrase.to(at).from(start);
        let after = rest(at + 1);
        let short = without_courtesy(lead).words.first().is_some_and(|word| word.is_any("it's|that's|they've|it"));
        // `strip out the last sentence: the review is done` is a whole command, and its reason.
        let done = ["remove", "states", "tick"]
            .iter()
            .any(|class| vocabulary::length(without_courtesy(lead).words, class) > 0);
        if done && lead.words.len() > 1 && is_statement(after) {
            return Some((at, at + 1, Joint::Dash));
        }
        // `budget up to 80: change 60 to 80`
        let announces = is_statement(lead) || is_announcement(lead) || is_exchange(after);
        return (announces && (starts_piece(after) || short)).then_some((at, at + 1, Joint::Colon));
    }
    // `add Kim's rate, which is …` brings words of its own.
    let adds = vocabulary::length(without_courtesy(phrase.from(start)).words, "add") > 0;
    if adds && word.is_any("which|who|where|whose") {
        return None;
    }
    opens_reason(phrase, start, at).filter(|_| at > start).map(|(next, joint)| (at, next, joint))
}

/// Whether words are more than a noun: a command, a statement, or something with a value of its own.
fn is_clause(lead: Phrase<'_, '_>) -> bool {
    let lead = without_courtesy(lead);
    let tells = |word: &Word<'_>| word.is_any(":|->|→|,") || word.raw.contains(|c: char| c.is_ascii_digit());
    is_command(lead)
        || is_statement(lead)
        || lead.words.iter().any(tells)
        || lead.words.len() > 4
        || vocabulary::length(lead.words, "state") == lead.words.len()
        || vocabulary::length(lead.words, "remark") == lead.words.len()
}

/// Whether a reason opens at `at`, and where it starts.
fn opens_reason(phrase: Phrase<'_, '_>, start: usize, at: usize) -> Option<(usize, Joint)> {
    let words = &phrase.words[at..];
    // `DUE` is a label.
    let shouts = |word: &Word<'_>| word.raw.len() > 1 && word.raw.chars().all(char::is_uppercase);
    if words.first().is_some_and(shouts) {
        return None;
    }
    let plain = vocabulary::length(words, "because");
    // `the following: …`
    let noun = words.first().is_some_and(|word| word.is("following")) && at > 0 && phrase.words[at - 1].is("the");
    if noun {
        return None;
    }
    // `so that bit can go` is no reason; `set due to 18 May` neither.
    let determines = words.len() > 2
        && words[0].is("so")
        && (vocabulary::is(&words[2].folded, "part.any")
            || vocabulary::is(&words[2].folded, "part.item")
            || vocabulary::is(&words[2].folded, "part.sentence")
            || vocabulary::is(&words[2].folded, "part.line")
            || words[2].is_any("can|should|must|one|can't"));
    let set = words.first().is_some_and(|word| word.is("due"))
        && at > start
        && vocabulary::length(&phrase.words[at - 1..at], "change") > 0;
    if determines || set {
        return None;
    }
    // `right after 'plumber'` is a place.
    if words.get(1).is_some_and(|word| word.quoted) && words[0].is_any("after|before") {
        return None;
    }
    if plain > 0 {
        return Some((at + plain, Joint::Because));
    }
    let opening = vocabulary::length(words, "reason");
    if opening == 0 || words.len() < 2 || words[1].is_any("well|of|a|an|item|step|soon|not") && words[0].is("as") {
        return None;
    }
    // `mark it as done`, `leave it as it is`
    let marks = phrase.words[..at].iter().any(|word| word.is_any("mark|flag|set|tag|treat|list|leave|keep"))
        && !phrase.words[..at].iter().any(|word| word.is("as"));
    let is_so = words.len() > 2 && words[1].is_any("it|they|this") && vocabulary::is(&words[2].folded, "be");
    if words[0].is("as") && marks && (is_so || words[1].is_any("done|completed|complete|finished|archived|open|no|not|resolved|closed|obsolete|irrelevant|outdated|read|cancelled|paid")) {
        return None;
    }
    let clause = phrase.from(at + opening).to(end_of_clause(&words[opening..]));
    if phrase.from(at).starts("after all") {
        return None;
    }
    is_statement(clause).then_some((at + opening, Joint::Because))
}

/// Where the clause that `words` begin with ends.
fn end_of_clause(words: &[Word<'_>]) -> usize {
    let ends = |at: &usize| {
        words[*at].is_any("!|?|;|-|–|—") || words[*at].is(".") && !(*at > 0 && is_abbreviation(words[*at - 1].raw))
    };
    (0..words.len()).find(ends).unwrap_or(words.len())
}

/// Whether words begin a command or a statement of their own.
fn starts_piece(whole: Phrase<'_, '_>) -> bool {
    let rest = without_courtesy(whole);
    if rest.is_empty() {
        return false;
    }
    let end = |rest: Phrase<'_, '_>| {
        let ends = |at: &usize| {
            let abbreviates = rest.words[*at].is(".") && *at > 0 && is_abbreviation(rest.words[*at - 1].raw);
            rest.words[*at].is_any(".|!|?|;|-|–|—|,") && !abbreviates
        };
        (0..rest.words.len()).find(ends).unwrap_or(rest.words.len())
    };
    is_command(rest) || is_statement(rest.to(end(rest))) || is_statement(whole.to(end(whole)))
}

/// Whether words give both what is to be changed and into what.
pub(super) fn is_exchange(phrase: Phrase<'_, '_>) -> bool {
    let words = without_courtesy(phrase).words;
    let classes = ["change", "replace", "other.change", "other.replace"];
    let verb = classes.iter().map(|class| vocabulary::length(words, class)).max().unwrap_or(0);
    let joint = |at: usize| {
        ["to", "with", "other.with"].iter().any(|class| vocabulary::length(&words[at..], class) > 0)
            && !words[at].is("for")
    };
    verb > 0 && (verb + 1..words.len().min(verb + 8)).any(joint)
}

/// Whether a piece only says that something is to be told.
pub(super) fn is_announcement(lead: Phrase<'_, '_>) -> bool {
    let lead = without_courtesy(lead);
    let first = lead.words.first();
    let announces = lead.words.iter().any(|word| {
        word.is_any("memory|note|thought|entry|record|correction|information|update|fyi|change|changes|preferences|details|edit|edits|this|follows|following|facts|typo|fix")
    });
    let listed =
        lead.words.iter().any(|word| word.is_any("edits|changes|updates|corrections|points|correction|things"))
            && !is_statement(lead)
            && !is_command(lead);
    listed && lead.words.len() <= 8 || announces
        && lead.words.len() <= 8
        && first.is_some_and(|word| word.is_any("update|edit|change|modify|correct|fix|revise|amend|new|correction|fyi|typo|small|minor|quick|please|additional|the|make|apply|some|two|three|a"))
}

/// Whether words begin with a verb that asks for a change, in the form that asks.
pub(in super::super) fn is_command(phrase: Phrase<'_, '_>) -> bool {
    let words = without_courtesy(phrase).words;
    let classes =
        ["change", "other.change", "replace", "other.replace", "add", "remove", "make", "use", "assign", "rewrite"];
    let verb = classes.iter().map(|class| vocabulary::length(words, class)).max().unwrap_or(0);
    let state = words.first().is_some_and(|word| {
        word.is_any("mark|archive|close|complete|reopen|restore|dismiss|unarchive|tick|check|uncheck|untick|double|halve|cross|undo|revert|redo|swap|rename|capitalize|capitalise|fill|keep|leave|take|strip|prepend|put|bring|delete|reorder|sort|translate|summarize|summarise|merge|search|remind|markiere|marque|marca|archiviere|archive|erledige|uppercase|lowercase|trim|apply|split|shorten|expand|explain|convert|give|push|prefix|reverse|invert|alphabetize|alphabetise|arrange")
    });
    if verb == 0 && !state {
        return false;
    }
    // `note that …` asks; `notes are …`, `the change is …` do not; neither does `move` in `moves on`.
    let next = words.get(verb.max(1));
    let changes_word = words.get(verb.max(1) + 1).is_some_and(|word| word.is_any("to|with") || word.is_arrow());
    let foreign = vocabulary::is(&words[0].folded, "particled");
    let verbal = !changes_word
        && !foreign
        && next.is_some_and(|word| vocabulary::is(&word.folded, "be") || word.is_any("has|have|had|will|of|'s"));
    !verbal
}

/// Whether words state how something is: a subject and a finite verb.
pub(in super::super) fn is_statement(phrase: Phrase<'_, '_>) -> bool {
    let phrase = phrase.unmarked();
    let words = phrase.words;
    let Some(first) = words.first() else { return false };
    let contracted = |word: &Word<'_>| {
        !word.quoted
            && ["'s", "'re", "'ve", "'ll", "n't", "'d", "'m"].iter().any(|end| word.folded.ends_with(end))
            && (word.folded.ends_with("n't")
                || vocabulary::is(word.folded.split('\'').next().unwrap_or_default(), "pronoun"))
    };
    if contracted(first) {
        return words.len() > 1;
    }
    if first.is_any("i|we|he|she|they|you|it") && words.len() > 1 && !words[1].is_any("and|or|,|to|:|as|is not") {
        return true;
    }
    if is_command(phrase)
        || is_preposition(first)
        || is_verb(&first.folded) && !first.raw.starts_with(char::is_uppercase) && !first.is("cost")
    {
        return false;
    }
    words.iter().enumerate().skip(1).take(9).any(|(at, word)| {
        // `Selma presents the demo`, `the line no longer exists`
        let third = word.folded.len() > 3
            && word.folded.ends_with('s')
            && word.raw.bytes().all(|byte| byte.is_ascii_lowercase())
            && (words[at - 1].is_any("longer|also|now|only|still|always|usually|already|he|she|it")
                || at == 1
                    && words[0].raw.starts_with(char::is_uppercase)
                    && !words[0].is_any("the|a|an|my|our|all|some|both|new|two|three|no"));
        let finite = is_finite(word) || contracted(word) || third;
        // `by Monday` before a verb tells of no subject.
        finite && !words[..at].iter().any(|word| word.is_any(",|:"))
    })
}

fn is_preposition(word: &Word<'_>) -> bool {
    word.is_any("of|to|with|by|from|into|onto|than")
}

/// Whether a word is a verb in the form that goes with a subject.
pub(in super::super) fn is_finite(word: &Word<'_>) -> bool {
    if word.quoted {
        return false;
    }
    let folded = word.folded.as_ref();
    let classes = ["be", "have", "modal", "verb", "altered"];
    // May is a month.
    if word.raw == "May" {
        return false;
    }
    classes.iter().any(|class| vocabulary::is(folded, class))
        || folded.len() > 4
            && folded.ends_with("ed")
            && folded.bytes().all(|byte| byte.is_ascii_lowercase())
            && !word.raw.starts_with(char::is_uppercase)
}

/// A phrase without the courtesies it opens with.
pub(in super::super) fn without_courtesy<'a, 'r>(phrase: Phrase<'a, 'r>) -> Phrase<'a, 'r> {
    let mut rest = phrase.unmarked_start();
    loop {
        // `1) …`, `2. …`
        if rest.words.len() > 2 && rest.words[0].raw.chars().all(|c| c.is_ascii_digit()) && rest.words[1].is_any(")|.")
        {
            rest = rest.from(2);
            continue;
        }
        let steps = rest.words.len() > 3 && rest.words[0].is("step") && rest.words[2].is(":");
        if steps && rest.words[1].raw.bytes().all(|byte| byte.is_ascii_digit()) {
            rest = rest.from(3);
        }
        // `only change …`; `first should be second` is about the word.
        if rest.words.len() > 2 && rest.words[0].is("no") && rest.words[1].is(",") {
            rest = rest.from(2);
        }
        let limits = rest.words.first().is_some_and(|word| word.is("only"));
        if limits && is_command(rest.from(1)) {
            rest = rest.from(1);
        }
        let counts = rest.words.first().is_some_and(|word| word.is_any("first|second"));
        if counts && rest.words.get(1).is_some_and(|next| next.is_any("should|to|with|is") || next.is_arrow()) {
            return rest;
        }
        let taken = vocabulary::length(rest.words, "courtesy");
        // `so` and `now` alone say nothing; all of the phrase says something.
        if taken == 0 || taken >= rest.words.len() {
            return rest;
        }
        rest = rest.from(taken).unmarked_start();
    }
}

/// Words that end with a full stop and go on after it.
fn is_abbreviation(word: &str) -> bool {
    let lower = word.to_lowercase();
    matches!(
        lower.as_str(),
        "dr" | "mr"
            | "mrs"
            | "ms"
            | "prof"
            | "st"
            | "no"
            | "nr"
            | "vs"
            | "etc"
            | "e.g"
            | "i.e"
            | "approx"
            | "ext"
            | "tel"
            | "str"
            | "ca"
            | "z.b"
            | "bzw"
            | "inc"
            | "ltd"
            | "co"
            | "sr"
            | "sra"
            | "mme"
            | "ul"
            | "jr"
    ) || word.chars().count() == 1 && word.chars().all(char::is_alphabetic) && word.chars().all(char::is_uppercase)
}

/// Whether a word, in small letters, is a verb in the form that goes with a subject.
pub(super) fn is_verb(folded: &str) -> bool {
    ["be", "have", "modal", "verb"].iter().any(|class| vocabulary::is(folded, class))
        || folded.len() > 4 && folded.ends_with("ed") && folded.bytes().all(|byte| byte.is_ascii_lowercase())
}
