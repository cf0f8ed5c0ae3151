//! What kind of thing a question asks for, and which texts tell such a thing.
//!
//! - `When` asks for a time, `how many` for a number, `who` and `where` for a name: a text that tells none can hardly be
//!   the answer, however close its words are.
//! - Signs on the surface, in several languages; whoever ranks decides what they are worth.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use model::Category;
use text::calendar::{months_named, weekdays_named};
use text::{fold, is_among, languages_of, plain_words};

use crate::entities::{is_of_calendar, is_year};

/// What a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// When something was or will be.
    Time,
    /// How many, how much, how long.
    Number,
    /// Who, where, which.
    Name,
}

/// A question says within so many words what it asks for: further on, `when` and `who` join clauses.
const OPENING_WORDS: usize = 3;

/// Only so much of a text is looked at.
const TEXT_BYTES_MAX: usize = 2_000;

impl Asked {
    /// Reads a query.
    pub fn in_query(query: &str) -> Option<Self> {
        let folded = fold(&query[..query.floor_char_boundary(TEXT_BYTES_MAX)]);
        let words: Vec<&str> = plain_words(&folded).collect();
        let opening = || words.iter().take(OPENING_WORDS);
        let is_pair = |firsts: &str, seconds: &str| {
            words.windows(2).any(|pair| is_among(firsts, pair[0]) && is_among(seconds, pair[1]))
        };
        if opening().any(|word| is_among(WHEN, word)) || is_pair(WHAT, TIMES) {
            Some(Self::Time)
        } else if opening().any(|word| is_among(HOW_MANY, word)) || is_pair("how wie", MUCH) {
            Some(Self::Number)
        } else if opening().any(|word| is_among(WHO, word)) {
            Some(Self::Name)
        } else {
            None
        }
    }

    /// Whether a text tells such a thing.
    pub fn is_told_in(self, text: &str) -> bool {
        let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
        match self {
            Self::Time => {
                plain_words(&fold(text)).any(|word| is_year(word) || is_of_calendar(word) || self.is_told_by(word))
            }
            Self::Number => {
                text.contains(char::is_numeric) || plain_words(&fold(text)).any(|word| self.is_told_by(word))
            }
            Self::Name => has_name(text),
        }
    }

    fn is_told_by(self, folded: &str) -> bool {
        TELLING.get(folded) == Some(&self)
    }
}

/// The kind of thoughts a query names as such: `my open to-dos`, `all ideas`. Their texts rarely say what they are.
pub fn kind_named(query: &str) -> Option<Category> {
    let folded = fold(&query[..query.floor_char_boundary(TEXT_BYTES_MAX)]);
    let words: Vec<&str> = plain_words(&folded).collect();
    let is_to_do = |these: &[&str]| match these {
        ["to", "dos", ..] | ["to", "do", "list" | "lists" | "item" | "items", ..] => true,
        [before, "to", "do", ..] | [before, "to", "be", "done", ..] => is_among(LEFT_OVER, before),
        _ => false,
    };
    let places = || (0..words.len()).map(|place| &words[place..]);
    if words.iter().any(|word| is_among(TASKS, word)) || places().any(is_to_do) {
        return Some(Category::Task);
    }
    words.iter().any(|word| is_among(IDEAS, word)).then_some(Category::Idea)
}

/// Whether a query that names a time asks for nothing but what was or will be then: `what happened on the second Sunday of June`.
pub fn asks_for_a_time_alone(query: &str) -> bool {
    let folded = fold(&query[..query.floor_char_boundary(TEXT_BYTES_MAX)]);
    let says_nothing = |word: &str| {
        !languages_of(word).is_empty()
            || word.starts_with(|char: char| char.is_ascii_digit())
            || !weekdays_named(word).is_empty()
            || !months_named(word).is_empty()
            || is_among(OF_TIME, word)
    };
    plain_words(&folded).all(says_nothing)
}

/// Whether a text ends in a question.
pub fn is_question(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？', '؟'])
}

/// Whether a word within a sentence is written with a capital: `in Lisbon`, not `I` and not `The`.
fn has_name(text: &str) -> bool {
    let mut is_opening = true;
    for word in text.split_whitespace() {
        let letters = word.trim_start_matches(|char: char| !char.is_alphanumeric());
        let mut chars = letters.chars();
        let is_capital = chars.next().is_some_and(char::is_uppercase) && chars.next().is_some_and(char::is_lowercase);
        if is_capital && !is_opening {
            return true;
        }
        is_opening = word.ends_with(['.', '!', '?', ':', '…']) || (is_opening && letters.is_empty());
    }
    false
}

const OF_TIME: &str = "happen happened happening happens going done noted notes note wrote written write recorded diary calendar \
    agenda plan plans planned scheduled schedule event events date dates day days week weeks weekend month months year remember keep \
    mind coming upcoming next last past early late mid beginning middle end start half first second third fourth around about \
    appointments appointment passiert geplant termine termin passe prevu rendez vous echeances";

const TASKS: &str = "task tasks todo todos aufgaben taches tareas tarefas compiti taken uppgifter zadania задачи";
const LEFT_OVER: &str = "still left have need open";
const IDEAS: &str = "ideas ideen idees";

const WHEN: &str = "when wann quand cuando quando wanneer nar hvornar koska mikor kiedy когда";
const WHAT: &str = "what which welches welchem welcher quelle que qual quale welk";
const TIMES: &str =
    "time date day month year season datum tag monat jahr heure annee ano dia mes anno giorno mese jaar";
const HOW_MANY: &str = "combien cuanto cuanta cuantos cuantas quanto quanta quanti quante quantos quantas hoeveel \
    wieviel wieviele сколько";
const MUCH: &str = "many much long old often far tall big heavy large viel viele lange alt oft weit gross schwer";
const WHO: &str = "who whom whose where which wo wer wen wem wohin woher welche welcher welches ou qui quel quelle donde \
    quien quienes cual dove chi quale onde quem qual waar welke где кто";

/// What a word tells, apart from days, months and feasts.
static TELLING: LazyLock<FxHashMap<&'static str, Asked>> = LazyLock::new(|| {
    let told = |asked, list: &'static str| list.split_ascii_whitespace().map(move |word| (word, asked));
    told(Asked::Time, TIME_WORDS).chain(told(Asked::Number, NUMBER_WORDS)).collect()
});

const TIME_WORDS: &str = "yesterday today tomorrow tonight ago last next week weeks weekend month months year years \
    morning afternoon evening noon midnight recently since soon spring summer autumn winter gestern heute morgen abend \
    letzte letzten letzter nachste nachsten nachster woche wochen wochenende monat monate jahr jahre jahren seit bald \
    kurzlich hier aujourd demain semaine semaines mois annee annees ans matin soir dernier derniere prochain prochaine \
    depuis recemment ayer hoy manana semana semanas meses ano anos pasado pasada proximo proxima hace desde ieri \
    oggi domani settimana settimane mese mesi anno anni scorso scorsa prossimo prossima ontem hoje amanha passado \
    passada gisteren vandaag weken maand maanden jaar vorige volgende geleden sinds вчера сегодня завтра неделя год";

const NUMBER_WORDS: &str = "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred \
    thousand million dozen couple few several once twice half both double eins zwei drei vier funf sechs sieben acht \
    neun zehn zwanzig hundert tausend dutzend paar einige mehrere einmal zweimal halb beide deux trois quatre cinq sept \
    huit neuf dix vingt cent mille plusieurs quelques dos tres cuatro cinco seis siete ocho nueve diez veinte cien mil \
    varios algunos due tre quattro cinque sei sette otto nove dieci venti cento dois duas quatro oito dez vinte cem twee \
    drie vijf zes zeven negen tien twintig honderd duizend";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_question_says_what_it_asks_for() {
        for (query, asked) in [
            ("When did Ana move?", Some(Asked::Time)),
            ("since when do we use Rust", Some(Asked::Time)),
            ("In what year was the merger?", Some(Asked::Time)),
            ("Wann ist der Umzug?", Some(Asked::Time)),
            ("¿Cuándo es la cita?", Some(Asked::Time)),
            ("What did I eat when I was in Rome?", None),
            ("How many turtles does Rui have?", Some(Asked::Number)),
            ("For how long has Rui had them?", Some(Asked::Number)),
            ("Combien coûte le loyer ?", Some(Asked::Number)),
            ("How does Ana feel?", None),
            ("Where does Ana live?", Some(Asked::Name)),
            ("wer hat den Schlüssel", Some(Asked::Name)),
            ("green tea", None),
            ("", None),
        ] {
            assert_eq!(Asked::in_query(query), asked, "{query}");
        }
    }

    #[test]
    fn a_query_may_name_a_kind_of_thoughts() {
        for query in
            ["my open to-dos", "Which tasks are left?", "what do I still have to do", "todo list", "offene Aufgaben"]
        {
            assert_eq!(kind_named(query), Some(Category::Task), "{query}");
        }
        assert_eq!(kind_named("all my ideas for presents"), Some(Category::Idea));
        for query in ["what did Ana do", "what to do in Lisbon", "I do not know", "the idea of a garden", ""] {
            assert_eq!(kind_named(query), None, "{query}");
        }
    }

    #[test]
    fn a_text_tells_times_numbers_and_names() {
        for (asked, text) in [
            (Asked::Time, "Ana: I moved last week!"),
            (Asked::Time, "Der Umzug ist am Freitag."),
            (Asked::Time, "Founded in 1998"),
            (Asked::Number, "I've had them for 3 years"),
            (Asked::Number, "two of them, in fact"),
            (Asked::Name, "We went to Lisbon."),
            (Asked::Name, "it was \"Heidi\" again"),
        ] {
            assert!(asked.is_told_in(text), "{text}");
        }
        for (asked, text) in [
            (Asked::Time, "I moved to a new flat"),
            (Asked::Number, "They bring me joy"),
            (Asked::Name, "Ana: Wow! That sounds great. I'm so happy, and I agree"),
            (Asked::Name, ""),
        ] {
            assert!(!asked.is_told_in(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,80}") {
            Asked::in_query(&text);
            for asked in [Asked::Time, Asked::Number, Asked::Name] {
                asked.is_told_in(&text);
            }
        }
    }

    #[test]
    fn a_query_of_nothing_but_a_time_is_told_from_one_that_asks_for_more() {
        for query in [
            "What happened on the second Sunday of June?",
            "what is in the diary for November",
            "dates to remember in December",
            "What did I do last August?",
            "Was passiert im Mai?",
        ] {
            assert!(asks_for_a_time_alone(query), "{query}");
        }
        for query in
            ["What did Bernard do in July?", "database notes from early May", "Where was Ana around 21 October?"]
        {
            assert!(!asks_for_a_time_alone(query), "{query}");
        }
    }
}
