//! Laws of entity spotting that hold for every text.

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

#[test]
fn a_long_text_takes_time_in_proportion() {
    let sentence = "Met Dana Whitfield at ETH Zurich on 5 May, then flew to 'Lisbon' with @ada about PROJ-12. ";
    let text = sentence.repeat(65_536 / sentence.len());
    let each = entities(sentence, &NothingKnown).len();
    assert_eq!(entities(&text, &NothingKnown).len(), each * (65_536 / sentence.len()));
}

#[test]
fn odd_texts_cost_no_more() {
    for piece in [
        "'A ", "A", "A ", "Xyz ", "Dana ", "a-", "A'", "\"Ab ", "5 ", "of A ", "Q & ", ". A", "*", "@a", "\n#", "v1.",
        "東",
    ] {
        assert_lawful(&piece.repeat(65_536 / piece.len()));
    }
}
