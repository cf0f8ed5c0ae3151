//! What the tokenizer does with each character: lower case, no accents, ideographs and punctuation apart.
//!
//! The table was recorded from the reference tokenizer for every code point, so that this one agrees with it whatever
//! Unicode version either was built for.

/// What becomes of a character that is not replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Part of a word.
    Letter,
    /// A word by itself: punctuation, ideographs.
    Alone,
    /// Between words.
    Space,
    /// As if it were not there: control characters, accents.
    Dropped,
}

/// The table, sorted for binary search.
pub(super) struct Characters {
    /// `(first, last, role)`, without overlap; everything else is a letter.
    roles: Vec<(u32, u32, Role)>,
    replacements: Vec<(u32, Replacement)>,
    /// The answers for ASCII, which is most of most texts.
    ascii: [(char, Role); 128],
}

/// At most three characters, then zeros.
type Replacement = [char; 3];

impl Characters {
    pub(super) fn load() -> Self {
        let mut roles = Vec::new();
        let mut replacements = Vec::new();
        // Some 3,600 lines of `kind first last` or `replace character replacement…`, in hexadecimal.
        for line in parameters::CHARACTERS.lines() {
            let mut fields = line.split(' ');
            let kind = fields.next();
            let mut points = fields.map(|field| u32::from_str_radix(field, 16).expect("the table is hexadecimal"));
            let mut point = || points.next();
            match (kind, point(), point()) {
                (Some("drop"), Some(first), Some(last)) => roles.push((first, last, Role::Dropped)),
                (Some("space"), Some(first), Some(last)) => roles.push((first, last, Role::Space)),
                (Some("alone"), Some(first), Some(last)) => roles.push((first, last, Role::Alone)),
                (Some("replace"), Some(from), Some(to)) => {
                    let to = [to, point().unwrap_or(0), point().unwrap_or(0)];
                    replacements.push((from, to.map(|point| char::from_u32(point).expect("the table has characters"))));
                }
                _ => unreachable!("the table has no other lines: {line}"),
            }
        }
        roles.sort_unstable_by_key(|&(first, ..)| first);
        replacements.sort_unstable_by_key(|&(from, _)| from);
        let mut characters = Self { roles, replacements, ascii: [('\0', Role::Dropped); 128] };
        let mut ascii = characters.ascii;
        for (entry, character) in ascii.iter_mut().zip('\0'..) {
            characters.visit_any(character, |character, role| *entry = (character, role));
        }
        characters.ascii = ascii;
        characters
    }

    /// Calls `visit` for each character that `character` stands for, none of them [`Role::Dropped`].
    #[inline]
    pub(super) fn visit(&self, character: char, mut visit: impl FnMut(char, Role)) {
        match self.ascii.get(character as usize) {
            Some((_, Role::Dropped)) => {}
            Some(&(character, role)) => visit(character, role),
            None => self.visit_any(character, visit),
        }
    }

    fn visit_any(&self, character: char, mut visit: impl FnMut(char, Role)) {
        if let Some(parts) = decompose_hangul(character).or_else(|| self.replacement(character)) {
            for part in parts.into_iter().filter(|&part| part != '\0') {
                visit(part, self.role(part));
            }
            return;
        }
        match self.role(character) {
            Role::Dropped => {}
            role => visit(character, role),
        }
    }

    fn replacement(&self, character: char) -> Option<Replacement> {
        let index = self.replacements.binary_search_by_key(&u32::from(character), |&(from, _)| from).ok()?;
        Some(self.replacements[index].1)
    }

    fn role(&self, character: char) -> Role {
        let point = u32::from(character);
        let after = self.roles.partition_point(|&(first, ..)| first <= point);
        match after.checked_sub(1).map(|index| self.roles[index]) {
            Some((_, last, role)) if point <= last => role,
            _ => Role::Letter,
        }
    }
}

/// The letters of a Korean syllable, by the formula of the Unicode standard, chapter 3.12.
fn decompose_hangul(character: char) -> Option<Replacement> {
    const VOWELS: u32 = 21;
    const FINALS: u32 = 28;
    if !('\u{ac00}'..='\u{d7a3}').contains(&character) {
        return None;
    }
    let index = u32::from(character) - 0xac00;
    let last = match index % FINALS {
        0 => 0,
        last => 0x11a7 + last,
    };
    let parts = [0x1100 + index / (VOWELS * FINALS), 0x1161 + index / FINALS % VOWELS, last];
    Some(parts.map(|point| char::from_u32(point).expect("the formula yields letters")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(text: &str) -> Vec<(char, Role)> {
        let characters = Characters::load();
        let mut found = Vec::new();
        text.chars().for_each(|character| characters.visit(character, |c, role| found.push((c, role))));
        found
    }

    fn letters(text: &str) -> String {
        normal(text).into_iter().map(|(character, _)| character).collect()
    }

    #[test]
    fn case_and_accents_are_removed() {
        assert_eq!(letters("ÀÉîöÑ Straße İ"), "aeion straße i");
        assert_eq!(letters("e\u{301}"), "e");
    }

    #[test]
    fn control_characters_are_dropped() {
        assert_eq!(letters("a\u{0}b\u{200d}c\u{fffd}"), "abc");
    }

    #[test]
    fn punctuation_and_ideographs_stand_alone() {
        assert!(normal("!…東$「").iter().all(|&(_, role)| role == Role::Alone));
    }

    #[test]
    fn white_space_separates() {
        assert!(normal(" \t\n\u{a0}\u{3000}").iter().all(|&(_, role)| role == Role::Space));
    }

    #[test]
    fn korean_syllables_fall_into_letters() {
        assert_eq!(letters("한가"), "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1161}");
    }

    #[test]
    fn every_character_has_an_answer() {
        let characters = Characters::load();
        for character in '\0'..=char::MAX {
            characters.visit(character, |_, role| assert_ne!(role, Role::Dropped));
        }
    }
}
