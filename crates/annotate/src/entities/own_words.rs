//! Weighs what the words of a name say about its kind; the words around it are weighed in `context`.

use super::context::Context;
use super::cues::Cue;
use super::evidence::{Evidence, LISTED};
use super::kind::EntityKind;
use super::lists::{Given, Listed, given, is_ordinary};
use super::tokens::{Shape, Token};

/// Adds what the words of the name itself say.
pub(super) fn add_own(evidence: &mut Evidence, name: &[Token<'_>], listed: &[Listed], context: &Context<'_, '_>) {
    let (Some(first), Some(last)) = (name.first(), name.last()) else { return };
    let opens = first.opens_sentence() && name.len() == 1;
    let is_lower = !name.iter().any(Token::is_capital) && first.shape != Shape::Unspaced;
    for entry in listed {
        let weight = match (entry.doubtful, opens) {
            (false, _) => LISTED,
            (true, _) if is_lower => 0,
            (true, false) if entry.kind == EntityKind::Work => 1,
            (true, false) => 2,
            (true, true) if context.is_subject() => 3,
            (true, true) => 1,
        };
        evidence.add(entry.kind, weight);
    }
    // `Harry Potter` is listed as a whole, whoever Harry is.
    if name.len() > 1 && !listed.is_empty() {
        return;
    }
    match given(&first.folded) {
        Given::Yes => evidence.add(EntityKind::Person, LISTED),
        Given::Doubtful if is_lower => {}
        Given::Doubtful => evidence.add(EntityKind::Person, if opens { 1 } else { 2 }),
        Given::No => {}
    }
    if first.shape == Shape::Capital && name.len() == 1 && ends_in_place(&first.folded) {
        evidence.add(EntityKind::Place, 3);
    }
    if name.len() > 1 {
        add_compound(evidence, name, first, last);
    }
    if first.shape == Shape::Mixed && name.len() == 1 {
        evidence.add(EntityKind::Product, 1);
        evidence.add(EntityKind::Person, -2);
    }
    if first.shape == Shape::Caps && name.len() == 1 {
        evidence.add(EntityKind::Person, -3);
        evidence.add(EntityKind::Place, -1);
    }
}

fn add_compound(evidence: &mut Evidence, name: &[Token<'_>], first: &Token<'_>, last: &Token<'_>) {
    if Cue::OrganisationEnd.has(&last.folded)
        || Cue::OrganisationStart.has(&first.folded) && name.iter().any(|token| token.shape == Shape::Lower)
    {
        evidence.add(EntityKind::Organisation, 7);
    }
    if Cue::PlaceEnd.has(&last.folded) || Cue::PlaceStart.has(&first.folded) && !is_given(first) {
        evidence.add(EntityKind::Place, 6);
    }
    if first.folded == "project" {
        evidence.add(EntityKind::Product, 7);
    }
    let like_person = name.iter().all(|token| token.shape == Shape::Capital || Cue::Particle.has(&token.folded))
        && name.len() <= 4
        && !name
            .iter()
            .any(|token| is_ordinary(&token.folded) && !Cue::Particle.has(&token.folded) && !token.is_initial());
    if like_person {
        evidence.add(EntityKind::Person, 2);
    }
}

/// `Vondelpark`, `Bahnhofstrasse`
fn ends_in_place(folded: &str) -> bool {
    [
        "park", "strasse", "platz", "gasse", "brucke", "allee", "plein", "straat", "gatan", "burg", "ville", "stadt",
        "shire",
    ]
    .iter()
    .any(|ending| folded.len() > ending.len() + 2 && folded.ends_with(ending))
}

fn is_given(token: &Token<'_>) -> bool {
    given(&token.folded) != Given::No
}
