//! Laws of entity spotting that hold for every text.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

fn assert_lawful(text: &str) {
    let mentions = entities(text, &NothingKnown);
    let mut end = 0;
    for mention in &mentions {
        assert!(mention.span.start >= end, "{mentions:?} overlap in {text:?}");
        assert!(text.get(mention.span.clone()).is_some(), "{mention:?} cuts a character of {text:?}");
        assert!(!mention.name.is_empty());
        end = mention.span.end;
    }
}

#[test]
fn a_version_behind_a_title_is_no_person_as_well() {
    let text = "Project« Dr. 1.0.219PROJ-1@\"'next";
    assert_lawful(text);
    let found: Vec<_> = entities(text, &NothingKnown).into_iter().map(|mention| mention.kind).collect();
    assert_eq!(found, [EntityKind::Version]);
}

proptest! {
    #[test]
    fn any_text_gives_ordered_spans(text in any::<String>()) {
        assert_lawful(&text);
    }

    #[test]
    fn texts_made_of_pieces_give_ordered_spans(pieces in proptest::collection::vec(piece(), 0..24)) {
        assert_lawful(&pieces.concat());
    }
}

fn piece() -> impl Strategy<Value = &'static str> {
    const PIECES: &[&str] = &[
        "Dana",
        " ",
        " ",
        " ",
        "'s",
        "’",
        "Dr. ",
        "of",
        "the",
        "'",
        "\"",
        "«",
        "*",
        "#",
        "@",
        "-",
        ".",
        ",",
        ":",
        "/",
        "\n",
        "```",
        "Museum",
        "Lake",
        "Project",
        "van",
        "der",
        "5",
        "May",
        "2024",
        "next",
        "Friday",
        "v2",
        "PROJ-1",
        "iPhone",
        "15",
        "1.0.219",
        "watched",
        "by",
        "ETH",
        "Zurich",
        "東京",
        "é",
        "İ",
        "ß",
        "&",
        "C++",
        "New",
        "York",
        "Christmas",
        "\u{301}",
        "a@b.co",
        "x.com",
    ];
    proptest::sample::select(PIECES)
}

/// How often `piece` fits into a text of `bytes`.
fn repeated(piece: &str, bytes: usize) -> String {
    piece.repeat(bytes / piece.len())
}

/// The least of a few times it takes to find the entities of a text, as nothing but the text makes it longer.
fn time_for(text: &str) -> Duration {
    let one = || {
        let begun = Instant::now();
        assert_lawful(text);
        begun.elapsed()
    };
    (0..2).map(|_| one()).min().unwrap_or_default()
}

#[test]
fn a_text_takes_time_in_proportion_to_its_length() {
    for piece in [
        "Met Dana Whitfield at ETH Zurich on 5 May, then flew to 'Lisbon' with @ada about PROJ-12. ",
        "'A ",
        "A",
        "A ",
        "Xyz ",
        "Dana ",
        "a-",
        "A'",
        "\"Ab ",
        "5 ",
        "of A ",
        "Q & ",
        ". A",
        "*",
        "@a",
        "\n#",
        "v1.",
        "東",
    ] {
        let short = time_for(&repeated(piece, 4_096)).max(Duration::from_millis(1));
        let long = time_for(&repeated(piece, 32_768));
        // Eight times as much; 64 times if each byte cost as much as all before it.
        assert!(long < short * 24, "{piece:?}: {short:?} and {long:?}");
    }
}

#[test]
fn all_of_a_long_text_is_found() {
    let sentence = "Met Dana Whitfield at ETH Zurich on 5 May, then flew to 'Lisbon' with @ada about PROJ-12. ";
    let each = entities(sentence, &NothingKnown).len();
    assert!(each >= 4);
    assert_eq!(entities(&repeated(sentence, 65_536), &NothingKnown).len(), each * (65_536 / sentence.len()));
}
