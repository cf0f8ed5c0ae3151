//! Texts as long and as varied as people's: words by Zipf's law, the same on every machine.

/// Made-up words in the vocabulary.
const WORDS: usize = 60_000;

/// How many of the most common words count as common in a query.
const COMMON: usize = 20;

pub(crate) struct Corpus {
    state: u64,
}

impl Corpus {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d }
    }

    /// A text of 6 to 35 words.
    pub(crate) fn text(&mut self) -> String {
        let length = 6 + self.below(30);
        let words: Vec<String> = (0..length).map(|_| self.word()).collect();
        words.join(" ")
    }

    /// A word, common ones more often.
    pub(crate) fn word(&mut self) -> String {
        let share = self.fraction();
        // The inverse of the sum of 1/rank: rank r comes with a chance that falls as 1/r.
        let rank = ((WORDS as f64).powf(share) - 1.0) as usize;
        spell(rank)
    }

    /// A word that stands in a large part of the texts.
    pub(crate) fn common_word(&mut self) -> String {
        spell(self.below(COMMON))
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.fraction() * bound as f64) as usize
    }

    /// Evenly distributed in 0 to 1.
    fn fraction(&mut self) -> f64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The word of that rank: syllables that no stemmer takes for an ending.
fn spell(rank: usize) -> String {
    const HEADS: [&str; 16] = ["b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "t", "v", "w", "z", "br"];
    const TAILS: [&str; 8] = ["ak", "ol", "um", "ip", "orn", "ant", "ilk", "ub"];
    let mut word = String::new();
    let mut rest = rank + 1;
    while rest > 0 {
        word += HEADS[rest % 16];
        word += TAILS[rest / 16 % 8];
        rest /= 128;
    }
    word
}
