//! Ties numbers to the products they belong to: versions (`PostgreSQL 15`) and models (`iPhone 15`).
//!
//! - A version is named with its product where one stands before it, so that `15` alone is never an entity.
//! - The span of a version is that of its number; it overlaps no other mention.

use super::kind::EntityKind;
use super::mention::Mention;
use super::tokens::{Gap, Shape, Token};

/// The mentions of `names` and of the versions of a text, in the order of the text. Each name comes with the token
/// after it and with whether a number there belongs to it.
pub(super) fn with_versions(
    text: &str,
    tokens: &[Token<'_>],
    taken: &mut [bool],
    names: impl Iterator<Item = (Mention, usize, bool)>,
) -> Vec<Mention> {
    let mut found = Vec::new();
    for (mut mention, after, numbered) in names {
        let next = tokens.get(after).filter(|next| next.gap == Gap::Space && !taken[after]);
        if numbered && let Some(model) = next.filter(|next| is_model(next)) {
            mention.name = format!("{} {}", mention.name, model.text);
            mention.span.end = model.span.end;
            taken[after] = true;
            found.push(mention);
            continue;
        }
        let version = (mention.kind == EntityKind::Product).then(|| version_after(tokens, taken, after)).flatten();
        if let Some(place) = version {
            taken[place] = true;
            let name = format!("{} {}", mention.name, tokens[place].text);
            found.push(mention);
            found.push(Mention { name, kind: EntityKind::Version, span: tokens[place].span.clone() });
        } else {
            found.push(mention);
        }
    }
    for (place, token) in tokens.iter().enumerate() {
        if !taken[place] && is_lone_version(text, tokens, place) {
            found.push(Mention { name: token.text.to_owned(), kind: EntityKind::Version, span: token.span.clone() });
        }
    }
    found
}

/// `15`, `S24`, `8a`.
fn is_model(token: &Token<'_>) -> bool {
    token.text.len() <= 4
        && matches!(token.shape, Shape::Number | Shape::Mixed)
        && token.text.contains(|char: char| char.is_ascii_digit())
}

/// The token that gives the version of the product before token `after`: `Python 3.12`, `serde to 1.0.219`.
fn version_after(tokens: &[Token<'_>], taken: &[bool], after: usize) -> Option<usize> {
    let next = tokens.get(after).filter(|next| next.gap == Gap::Space)?;
    if matches!(next.folded.as_str(), "to" | "version") {
        let number = tokens.get(after + 1).filter(|number| number.gap == Gap::Space)?;
        return (is_dotted(number) && !taken[after + 1]).then_some(after + 1);
    }
    if taken[after] || !(is_dotted(next) || is_whole(next)) {
        return None;
    }
    // `Docker 20 containers` counts something.
    let counts = tokens.get(after + 1).is_some_and(|noun| {
        noun.gap == Gap::Space
            && noun.shape == Shape::Lower
            && noun.text.len() > 3
            && noun.text.ends_with('s')
            && !is_dotted(next)
    });
    (!counts).then_some(after)
}

fn is_whole(token: &Token<'_>) -> bool {
    token.text.len() <= 3 && token.text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `3.12`, `1.0.219`, `2.0-rc1`.
fn is_dotted(token: &Token<'_>) -> bool {
    let parts = token.text.split('.').count();
    (2..=4).contains(&parts)
        && token.text.starts_with(|char: char| char.is_ascii_digit())
        && token.text.split('.').all(|part| part.starts_with(|char: char| char.is_ascii_digit() || char == 'x'))
}

/// `version 4.2`, and numbers in three parts wherever they stand.
fn is_lone_version(text: &str, tokens: &[Token<'_>], place: usize) -> bool {
    let token = &tokens[place];
    if !is_dotted(token) {
        return false;
    }
    let said = place > 0
        && matches!(token.gap, Gap::Space)
        && matches!(tokens[place - 1].folded.as_str(), "version" | "release" | "rev" | "tag" | "patch");
    let next = text[token.span.end..].chars().next();
    said || token.text.split('.').count() == 3 && !matches!(next, Some('%' | '/' | ':'))
}

#[cfg(test)]
mod tests {
    use super::super::{NothingKnown, entities};
    use super::*;

    fn found(text: &str) -> Vec<(String, EntityKind)> {
        entities(text, &NothingKnown).into_iter().map(|mention| (mention.name, mention.kind)).collect()
    }

    #[test]
    fn a_version_is_named_with_its_product() {
        assert_eq!(
            found("we run PostgreSQL 15"),
            [("PostgreSQL".to_owned(), EntityKind::Product), ("PostgreSQL 15".to_owned(), EntityKind::Version)]
        );
    }

    #[test]
    fn a_model_number_is_part_of_the_name() {
        assert_eq!(found("bought an iPhone 15"), [("iPhone 15".to_owned(), EntityKind::Product)]);
    }

    #[test]
    fn a_count_is_no_version() {
        assert_eq!(found("Kubernetes 20 containers"), [("Kubernetes".to_owned(), EntityKind::Product)]);
    }
}
