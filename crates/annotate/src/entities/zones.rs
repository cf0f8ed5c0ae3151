//! Tells where capitals carry no meaning: headings in title case, shouting, code.
//!
//! - Every token has one zone. In doubt it is prose.

use super::cues::Cue;
use super::lists::is_ordinary;
use super::tokens::{Gap, Shape, Token};

/// What a capital is worth at a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Zone {
    Prose,
    /// Every word has a capital: only names known by themselves count.
    Heading,
    /// Shouting or code: no names at all.
    Mute,
}

/// The zone of each of `tokens`. Capitals make no heading in German, where nouns have them anyway.
pub(super) fn zones(text: &str, tokens: &[Token<'_>], is_german: bool) -> Vec<Zone> {
    let mut zones = vec![Zone::Prose; tokens.len()];
    let mut in_code = false;
    let mut line_start = 0;
    let mut first = 0;
    for line in text.split_inclusive('\n') {
        let line_end = line_start + line.len();
        let last = first + tokens[first..].iter().take_while(|token| token.span.start < line_end).count();
        let is_fence = line.trim_start().starts_with("```");
        let zone = if is_fence || in_code { Zone::Mute } else { zone(line, &tokens[first..last], is_german) };
        in_code ^= is_fence;
        zones[first..last].fill(zone);
        if zone == Zone::Prose {
            label(line, line_start, &tokens[first..last], &mut zones[first..last]);
        }
        line_start = line_end;
        first = last;
    }
    zones
}

/// Capitals that shout, at least.
const LEAST_SHOUTED: usize = 3;

fn zone(line: &str, tokens: &[Token<'_>], is_german: bool) -> Zone {
    let line = line.trim_start();
    let (mut count, mut capitals, mut caps, mut ordinary) = (0, 0, 0, 0);
    for (place, token) in tokens.iter().enumerate() {
        if token.shape == Shape::Number || token.text.chars().nth(1).is_none() {
            continue;
        }
        // Headings leave the small words small.
        if token.shape == Shape::Lower && token.folded.chars().nth(3).is_none() {
            continue;
        }
        count += 1;
        caps += usize::from(token.shape == Shape::Caps);
        if token.is_capital() {
            capitals += 1;
            let follows = matches!(token.gap, Gap::Space | Gap::Comma) && token.shape == Shape::Capital;
            ordinary += usize::from(follows && is_ordinary(&token.folded) && !is_in_name(&tokens[place..]));
        }
    }
    if caps >= LEAST_SHOUTED && caps * 10 >= count * 6 {
        return Zone::Mute;
    }
    let is_marked = line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
    // A sentence with a title in it has verbs in lower case.
    let is_titled = !is_german && (ordinary >= 3 && capitals * 10 >= count * 7 || ordinary == 2 && capitals == count);
    if is_marked && (ordinary >= 1 || capitals > 1) || is_titled { Zone::Heading } else { Zone::Prose }
}

/// Whether the first of `tokens` has its capital from a name such as `Church Street` or `Dr. Lin`.
fn is_in_name(tokens: &[Token<'_>]) -> bool {
    let ends = |token: &Token<'_>| {
        token.is_capital() && (Cue::PlaceEnd.has(&token.folded) || Cue::OrganisationEnd.has(&token.folded))
    };
    let next_ends = tokens.get(1).is_some_and(|next| next.gap == Gap::Space && ends(next));
    tokens.first().is_some_and(|first| ends(first) || Cue::Title.has(&first.folded)) || next_ends
}

/// A label in bold or before a colon (`**Key Features**:`, `Next Steps: …`) is a heading within its line.
fn label(line: &str, line_start: usize, tokens: &[Token<'_>], zones: &mut [Zone]) {
    let marks =
        |char: char| char.is_whitespace() || matches!(char, '-' | '*' | '•' | '#' | '>' | '.') || char.is_ascii_digit();
    let body = line.trim_start_matches(marks);
    let offset = line_start + line.len() - body.len();
    let is_bold = line[..line.len() - body.len()].contains("**");
    let end = if is_bold {
        body.find("**")
    } else {
        body.find(": ").or_else(|| body.trim_end().strip_suffix(':').map(str::len))
    };
    let Some(end) = end.filter(|end| *end <= 60) else { return };
    let inside = tokens.iter().take_while(|token| token.span.start < offset + end);
    let capitals = inside.clone().filter(|token| token.shape == Shape::Capital).count();
    let ordinary = inside.clone().filter(|token| token.shape == Shape::Capital && is_ordinary(&token.folded)).count();
    let count = inside.count();
    if is_bold || capitals > 1 && ordinary * 2 >= capitals {
        zones[..count].fill(Zone::Heading);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn zone_of(text: &str, word: &str) -> Zone {
        let tokens = tokens(text);
        let place = tokens.iter().position(|token| token.text == word).unwrap();
        zones(text, &tokens, false)[place]
    }

    #[test]
    fn title_case_is_a_heading_and_a_sentence_with_names_is_not() {
        assert_eq!(zone_of("Notes From The Planning Meeting With Dana", "Planning"), Zone::Heading);
        assert_eq!(zone_of("Met Dana Whitfield and Priya Rao at Siemens", "Dana"), Zone::Prose);
    }

    #[test]
    fn a_sentence_with_a_title_in_it_is_no_heading() {
        assert_eq!(zone_of("Lena and I watched Past Lives at the Odeon", "Odeon"), Zone::Prose);
    }

    #[test]
    fn streets_and_titles_make_no_heading() {
        assert_eq!(zone_of("We walked along Oak Street to Hill Road", "Hill"), Zone::Prose);
        assert_eq!(zone_of("My GP is Dr. Lin on Church Street.", "Lin"), Zone::Prose);
    }

    #[test]
    fn shouting_and_code_are_mute() {
        assert_eq!(zone_of("SERVER DOWN, CALL Dana", "Dana"), Zone::Mute);
        assert_eq!(zone_of("see\n```\nlet Dana = 1;\n```\nthen Priya", "Dana"), Zone::Mute);
        assert_eq!(zone_of("see\n```\nlet Dana = 1;\n```\nthen Priya", "Priya"), Zone::Prose);
    }

    #[test]
    fn labels_are_headings_within_their_line() {
        assert_eq!(zone_of("- **Error Handling**: ask Dana", "Handling"), Zone::Heading);
        assert_eq!(zone_of("- **Error Handling**: ask Dana", "Dana"), Zone::Prose);
    }
}
