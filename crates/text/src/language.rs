//! The languages that words are stemmed in.

/// A language with a stemmer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each says its name")]
pub enum Language {
    English,
    German,
    French,
    Spanish,
    Portuguese,
    Italian,
    Dutch,
    Swedish,
    Danish,
    Norwegian,
    Finnish,
    Hungarian,
    Romanian,
    Turkish,
    Russian,
    Greek,
    Arabic,
    Tamil,
}

impl Language {
    /// The languages written in Latin letters.
    pub(super) const LATIN: [Self; 14] = [
        Self::English,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Portuguese,
        Self::Italian,
        Self::Dutch,
        Self::Swedish,
        Self::Danish,
        Self::Norwegian,
        Self::Finnish,
        Self::Hungarian,
        Self::Romanian,
        Self::Turkish,
    ];
}

/// A set of languages.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Languages(u32);

impl Languages {
    /// Adds a language.
    pub fn insert(&mut self, language: Language) {
        self.0 |= 1 << language as u32;
    }

    /// Whether the language is among them.
    pub fn contains(self, language: Language) -> bool {
        self.0 & (1 << language as u32) != 0
    }

    /// Whether any language is in both.
    pub fn shares_any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether it is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn len(self) -> u32 {
        self.0.count_ones()
    }
}
