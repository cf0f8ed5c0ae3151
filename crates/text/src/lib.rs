//! Analysis of text: its lexical form, which is what keyword recall compares, the terms of a query, snippets, passages,
//! differences, slips of the pen, and the names of the calendar. It knows languages and nothing of thoughts: it uses no other crate
//! of the project.
//!
//! - One analyser serves both sides: what a stored text is cut into, a query is cut into as well.
//! - Query text is never syntax: every character is either part of a word or nothing.
//! - Pure functions of their arguments, in time linear in the text, without panics on any text.
//!
//! A text is normalised ([`fold()`]), cut into chunks at white space and punctuation, each chunk into its whole and its
//! parts, and each word into its stems. Scripts without spaces are cut into characters and pairs of neighbours.

mod bounds;
pub mod calendar;
mod chunks;
mod compounds;
mod detection;
mod difference;
mod fold;
mod form;
mod function_words;
#[cfg(test)]
mod fuzz;
mod inflections;
mod language;
mod passages;
mod piece;
#[cfg(test)]
mod properties;
mod query;
mod recent_stems;
mod script;
mod slips;
mod snippet;
mod spots;
mod stems;
mod typo;
mod words;

pub use detection::{is_in_english, may_be_in_english};
pub use difference::{Difference, differences, excerpt};
pub use fold::{fold, plain};
pub use form::{LexicalForm, lexical_form};
pub use function_words::languages_of;
pub use inflections::inflections;
pub use language::{Language, Languages};
pub use passages::passages;
pub use query::{QueryTerm, TermKind, query_terms};
pub use script::is_unspaced;
pub use slips::{Slip, slips};
pub use snippet::snippet;
pub use spots::Wanted;
pub use stems::{after_tag, language_tag};
pub use typo::one_typo_variants;
pub use words::{is_among, plain_words};

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn finds(query: &str, text: &str) {
        let form = lexical_form(text);
        let is_stored = |token: &String| form.text.split(' ').any(|stored| stored == token);
        // A part, such as the scheme of an address, may be missing where the whole is found.
        for term in query_terms(query).iter().filter(|term| term.kind != TermKind::Part) {
            assert!(term.tokens.iter().any(is_stored), "`{}` of `{query}` is not in `{text}`", term.surface);
        }
    }

    #[test]
    fn inflections_are_found_in_many_languages() {
        finds("visit", "She visited her brother and was visiting friends");
        finds("haus verkauf", "Wir haben die Häuser im Dorf nicht verkaufen wollen");
        finds("réunion", "Nous avons eu des réunions avec les clients");
        finds("canción", "Me gustan las canciones que ella canta en la radio");
        finds("livro", "Eu comprei os livros que você pediu para mim");
        finds("ragazza", "Le ragazze sono andate al mare con il treno");
        finds("boek", "Ik heb de boeken van mijn broer niet gelezen");
        finds("bil", "Jag har köpt bilar av honom och de är bra");
        finds("встреча", "Мы говорили о встречах с ними");
        finds("talo", "Minä olen nyt talossa ja hän on siellä");
    }

    #[test]
    fn accents_may_be_left_out_and_put_in() {
        finds("reunion", "On a une réunion demain");
        finds("Zürich", "a train to Zurich");
        finds("Mueller", "Frau Müller ist da");
        finds("Müller", "Mr. Mueller called");
        finds("елка", "новая ёлка");
    }

    #[test]
    fn identifiers_are_found_in_each_spelling() {
        finds("getUserName", "call get_user_name first");
        finds("getusername", "call getUserName first");
        finds("user", "call getUserName first");
        finds("email", "send an e-mail");
        finds("e-mails", "send an email and e-mails");
        finds("nodejs", "written for Node.js");
        finds("USA", "from the U.S.A.");
        finds("2.3.1", "released v2.3.1");
        finds("store/main.rs", "see src/store/Main.rs:12");
        finds("example.com", "ask dana@mail.example.com");
        finds("http://example.com/a/", "bookmark: example.com/a");
        finds("+41791234567", "call +41 79 123 45 67");
        finds("079 123 45 67", "call 079 123 45 67 today");
        finds("obrien", "Pat O’Brien");
        finds("bob", "Bob’s bike");
        finds("c++", "C++, C# and .NET");
        finds("#c++ @dana", "#c++ says @dana");
    }

    #[test]
    fn mixed_scripts_are_found_by_either() {
        finds("iphone", "iPhone用ケースを買った");
        finds("ケース", "iPhone用ケースを買った");
        finds("ｹｰｽ", "iPhone用ケースを買った");
        finds("회의", "오늘회의는 3시");
        finds("ประชุม", "นัดประชุมวันจันทร์");
    }

    #[test]
    fn emoji_are_found() {
        finds("🎉", "we won 🎉🎉");
        finds("❤", "with ❤️");
    }
}
