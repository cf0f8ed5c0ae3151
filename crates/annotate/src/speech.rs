//! Who speaks in a text that is a turn of a conversation, whom a query means, and which words it quotes.
//!
//! - A turn opens with the name of its speaker and a colon: `Ana: I moved`, `User: remind me`.
//! - A query means the speakers it names; `I` and `my` mean the human, `you` the assistant.

use text::{fold, is_among, is_unspaced, plain_words};

/// The longest name of a speaker, in bytes.
const SPEAKER_BYTES_MAX: usize = 40;

/// The most words such a name has.
const SPEAKER_WORDS_MAX: usize = 3;

/// What logs call the human, and what they call the assistant.
const HUMAN: [&str; 4] = ["user", "human", "me", "i"];
const ASSISTANT: [&str; 5] = ["assistant", "ai", "bot", "agent", "model"];

/// Words by which a human asks about themselves, and by which they ask about the one they ask.
const FIRST_PERSON: &str = "i my me mine myself we our us ich mein meine meinen mir mich wir unser je mon ma mes moi nous \
    notre yo mi mis nosotros io mio mia eu meu minha ik mijn";
const SECOND_PERSON: &str = "you your yours du dein deine dir dich tu vous votre ton ta usted tus je jouw voce seu";

/// How somebody is asked to do something, or whether they know it.
const POLITE: &str = "please hey hi ok so bitte";
const ASKING: &str = "can could would will kannst konntest wurdest weisst peux pourrais pouvez pourriez kan kun";
const ASKING_WHETHER: &str = "do";
const KNOWING: &str = "know remember recall have";

/// The folded name of whoever speaks, if the text is a turn of a conversation.
pub fn speaker(text: &str) -> Option<String> {
    let head = &text[..text.floor_char_boundary(SPEAKER_BYTES_MAX)];
    let (name, rest) = head.split_once(':')?;
    let is_name = |word: &str| word.starts_with(char::is_uppercase) && !word.contains(['/', '.', '@', '#']);
    let words = || name.split(' ');
    let is_turn = rest.starts_with([' ', '\n']) && words().count() <= SPEAKER_WORDS_MAX && words().all(is_name);
    is_turn.then(|| plain(name)).filter(|name| !name.is_empty())
}

/// The phrases between double quotes, folded to words with one space between; unbalanced quotes are signs like others.
pub fn quoted(query: &str) -> Vec<String> {
    // A sign within or right after a word is none that opens: `a 24" screen`, `צה"ל`.
    let is_spaced = |char: char| char.is_alphanumeric() && !is_unspaced(char);
    let mut phrases = Vec::new();
    let mut opened = None;
    for (at, sign) in query.match_indices(['"', '“', '”', '„', '«', '»', '「', '」']) {
        let end = at + sign.len();
        match opened {
            None if !query[..at].ends_with(is_spaced) => opened = Some(end),
            Some(start) if !query[end..].starts_with(is_spaced) => {
                phrases.push(plain(&query[start..at]));
                opened = None;
            }
            _ => {}
        }
    }
    phrases.retain(|phrase| !phrase.is_empty());
    phrases.sort_unstable();
    phrases.dedup();
    phrases
}

/// Whether the text holds each of these phrases from [`quoted`], the words of one after the other.
pub fn holds_phrases(text: &str, phrases: &[String]) -> bool {
    let text = plain(text);
    phrases.iter().all(|phrase| holds_phrase(&text, phrase))
}

fn holds_phrase(text: &str, phrase: &str) -> bool {
    // Scripts without spaces have no bounds to look for.
    let is_bound = |outer: Option<char>, inner: Option<char>| match (outer, inner) {
        (Some(outer), Some(inner)) => outer == ' ' || is_unspaced(outer) || is_unspaced(inner),
        _ => true,
    };
    let mut from = 0;
    while let Some(at) = text[from..].find(phrase).map(|at| from + at) {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        if is_bound(before.chars().next_back(), phrase.chars().next())
            && is_bound(after.chars().next(), phrase.chars().next_back())
        {
            return true;
        }
        // One that begins within it may have bounds.
        from = at + text[at..].chars().next().map_or(1, char::len_utf8);
    }
    false
}

/// The words alone, folded.
fn plain(text: &str) -> String {
    plain_words(&fold(text)).collect::<Vec<_>>().join(" ")
}

/// The speakers a query means.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meant {
    words: Vec<String>,
    human: bool,
    assistant: bool,
}

impl Meant {
    /// Reads a query.
    pub fn of_query(query: &str) -> Self {
        let words: Vec<String> = plain(query).split(' ').map(str::to_owned).collect();
        let says = |list: &str, words: &[String]| words.iter().any(|word| is_among(list, word));
        let human = says(FIRST_PERSON, &words);
        let assistant = says(SECOND_PERSON, without_request(&words));
        Self { human, assistant, words }
    }

    /// Whether the query means this speaker, as [`speaker`] names them; `Ana` means `Ana Silva` as well.
    pub fn names(&self, speaker: &str) -> bool {
        if HUMAN.contains(&speaker) {
            return self.human;
        }
        if ASSISTANT.contains(&speaker) {
            return self.assistant;
        }
        speaker.split(' ').any(|name| self.words.iter().any(|word| word == name))
    }
}

/// The words after `can you` or `do you know`, which speak to the assistant and not about it.
fn without_request(words: &[String]) -> &[String] {
    let [first, second, rest @ ..] = words else { return words };
    if is_among(POLITE, first) {
        return without_request(&words[1..]);
    }
    let is_known = is_among(ASKING_WHETHER, first) && rest.first().is_some_and(|word| is_among(KNOWING, word));
    let is_request = is_among(SECOND_PERSON, second) && (is_among(ASKING, first) || is_known);
    if is_request { rest } else { words }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_turn_opens_with_its_speaker() {
        assert_eq!(speaker("Ana: I moved").as_deref(), Some("ana"));
        assert_eq!(speaker("Ana Silva: I moved").as_deref(), Some("ana silva"));
        assert_eq!(speaker("O’Brien: I moved").as_deref(), Some("o brien"));
        for text in ["I moved", "see https://example.com", "Meet at 12:30", "remember: tea", "Ana:", "A B C D: e"] {
            assert_eq!(speaker(text), None, "{text}");
        }
    }

    #[test]
    fn a_query_means_the_speakers_it_names() {
        let meant = Meant::of_query("What is Ana's hobby?");
        assert!(Meant::of_query("Where does O'Brien live?").names("o brien"));
        assert!(meant.names("ana") && meant.names("ana silva") && !meant.names("rui"));
        assert!(Meant::of_query("when is my exam?").names("user"));
        assert!(!Meant::of_query("when is my exam?").names("assistant"));
        assert!(Meant::of_query("what did you suggest?").names("assistant"));
    }

    #[test]
    fn a_request_does_not_mean_the_one_who_is_asked() {
        for query in
            ["Can you list what I tried?", "please could you remind me of my exam", "Kannst du sagen, was ich mag?"]
        {
            let meant = Meant::of_query(query);
            assert!(meant.names("user") && !meant.names("assistant"), "{query}");
        }
        assert!(Meant::of_query("Can you repeat what you suggested?").names("assistant"));
        assert!(Meant::of_query("Would that be what you meant?").names("assistant"));
    }

    fn holds(text: &str, phrase: &str) -> bool {
        holds_phrases(text, &[phrase.to_owned()])
    }

    #[test]
    fn a_sign_after_a_word_opens_no_phrase() {
        assert_eq!(quoted("24\" or 27\" screen"), [""; 0]);
        assert_eq!(quoted("הסכם ארה\"ב צה\"ל"), [""; 0]);
        assert_eq!(quoted("a 24\" \"flat screen\""), ["flat screen"]);
        assert_eq!(quoted("我喜欢“乌龙茶”吗"), ["乌龙茶"]);
    }

    #[test]
    fn a_phrase_without_spaces_is_found_among_others() {
        assert!(holds("我们在北京大学开会", "北京"));
        assert!(holds("東京都庁で会議がある", "会議"));
        assert!(holds("내일 회의가 있습니다", "회의"));
        assert!(!holds("green teapots", "green tea") && !holds("evergreen tea", "green tea"));
    }

    #[test]
    fn only_closed_quotes_hold_phrases() {
        assert_eq!(quoted("who said \"green tea\" and “no sugar”?"), ["green tea", "no sugar"]);
        assert_eq!(quoted("a 5\" screen"), Vec::<String>::new());
        assert_eq!(quoted("\"\" tea"), Vec::<String>::new());
    }

    #[test]
    fn a_phrase_is_whole_words_in_order() {
        assert!(holds("We had Green  tea.", "green tea"));
        assert!(!holds("evergreen tea", "green tea"));
        assert!(!holds("tea, green", "green tea"));
        assert!(holds("Ana na na", "na na"), "where it begins within another word");
    }

    #[test]
    fn all_phrases_have_to_be_held() {
        let phrases = quoted("\"green tea\", \"no sugar\" or \"Green tea\"");
        assert_eq!(phrases, ["green tea", "no sugar"], "each once");
        assert!(holds_phrases("Green tea with no sugar", &phrases));
        assert!(!holds_phrases("Green tea with sugar", &phrases));
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,80}") {
            if let Some(speaker) = speaker(&text) {
                prop_assert!(Meant::of_query(&speaker).names(&speaker) || HUMAN.contains(&speaker.as_str()) || ASSISTANT.contains(&speaker.as_str()));
            }
            prop_assert!(holds_phrases(&text, &quoted(&text)));
        }
    }
}
