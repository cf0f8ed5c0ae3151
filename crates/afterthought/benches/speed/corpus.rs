//! Texts as long and as varied as people's: words by Zipf's law, the same on every machine.

/// The most common words of English are what they are in every text; the rest of the vocabulary is made up.
const FUNCTION_WORDS: [&str; 40] = [
    "the", "of", "and", "to", "a", "in", "is", "that", "for", "it", "was", "on", "with", "as", "I", "at", "be", "we",
    "this", "have", "from", "my", "by", "not", "are", "but", "or", "had", "they", "she", "an", "you", "were", "his",
    "her", "which", "one", "all", "there", "been",
];

/// Words in the vocabulary.
const WORDS: usize = 60_000;

/// How many of the most common words with a meaning count as common in a query: each stands in 2 to 4 % of the texts.
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
        let words: Vec<String> = (0..length).map(|_| self.any_word()).collect();
        words.join(" ")
    }

    /// A question: a few function words around a few words with a meaning, as the corpus has them.
    pub(crate) fn question(&mut self) -> String {
        format!("what was the {} of the {} that we have with {}", self.word(), self.word(), self.word())
    }

    /// A word with a meaning, common ones more often.
    pub(crate) fn word(&mut self) -> String {
        loop {
            let rank = self.rank();
            if rank >= FUNCTION_WORDS.len() {
                return spell(rank);
            }
        }
    }

    /// A word with a meaning that stands in thousands of the texts.
    pub(crate) fn common_word(&mut self) -> String {
        let rank = FUNCTION_WORDS.len() + self.below(COMMON);
        spell(rank)
    }

    /// A function word: it stands in up to nine of ten texts.
    pub(crate) fn function_word(&mut self) -> String {
        spell(self.below(FUNCTION_WORDS.len()))
    }

    /// One of some thousand names, common ones more often.
    pub(crate) fn person(&mut self) -> String {
        let word = self.word();
        word[..1].to_uppercase() + &word[1..]
    }

    fn any_word(&mut self) -> String {
        let rank = self.rank();
        spell(rank)
    }

    /// Rank r comes with a chance that falls as 1/r: the inverse of the sum of the chances, which grows as a logarithm.
    fn rank(&mut self) -> usize {
        ((WORDS as f64).powf(self.fraction()) - 1.0) as usize
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.fraction() * bound as f64) as usize
    }

    /// Evenly distributed in 0 to 1.
    pub(crate) fn fraction(&mut self) -> f64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The word of that rank: made up of syllables that no stemmer takes for an ending.
fn spell(rank: usize) -> String {
    const HEADS: [&str; 16] = ["b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "t", "v", "w", "z", "br"];
    const TAILS: [&str; 8] = ["ak", "ol", "um", "ip", "orn", "ant", "ilk", "ub"];
    if let Some(word) = FUNCTION_WORDS.get(rank) {
        return (*word).to_owned();
    }
    let mut word = String::new();
    let mut rest = rank + 1;
    while rest > 0 {
        word += HEADS[rest % 16];
        word += TAILS[rest / 16 % 8];
        rest /= 128;
    }
    word
}
