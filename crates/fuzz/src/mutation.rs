//! Changes inputs into others: a few random steps, most of which leave what is UTF-8 so.

use super::random::Random;

/// Most inputs are no longer: short ones go fast, and what breaks a reader is hardly ever long.
pub(crate) const SHORT: usize = 2048;

/// One input in so many is long, to see how the time grows.
const LONG_ONCE_IN: usize = 1000;

/// Characters and numbers at which readers fail.
const WORDS: &[&str] = &[
    "\0",
    "\n",
    "\r",
    "\t",
    " ",
    "\u{a0}",
    "\u{ad}",
    "\u{200b}",
    "\u{200d}",
    "\u{200f}",
    "\u{202e}",
    "\u{2028}",
    "\u{2066}",
    "\u{301}",
    "\u{fe0f}",
    "\u{feff}",
    "\u{fffd}",
    "\u{ffff}",
    "\u{10ffff}",
    "İ",
    "ı",
    "ß",
    "ẞ",
    "ſ",
    "ﬁ",
    "Σ",
    "ς",
    "ǅ",
    "ŉ",
    "ΐ",
    "½",
    "²",
    "٣",
    "Ⅷ",
    "ﷺ",
    "漢",
    "ｱ",
    "ﾞ",
    "각",
    "ᄀ",
    "ก็",
    "न्",
    "ש",
    "👩‍👩‍👧",
    "🇨",
    "\"",
    "'",
    "’",
    "“",
    "”",
    "«",
    "»",
    "「",
    "`",
    "\\",
    "\\u0000",
    "\\ud800",
    "\\udfff\\ud800",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ":",
    ";",
    ",",
    ".",
    "…",
    "-",
    "–",
    "/",
    "@",
    "#",
    "&",
    "=",
    "?",
    "%",
    "+",
    "*",
    "<",
    ">",
    "null",
    "true",
    "{}",
    "[]",
    "0",
    "-0",
    "1e999",
    "-1e-999",
    "NaN",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551616",
    "4294967296",
    "65536",
    "256",
    "0.1",
    "00",
    "9999-12-31",
    "0000-00-00",
    "31",
    "24:60:60",
];

/// Makes inputs.
pub(crate) struct Mutator {
    random: Random,
    words: &'static [&'static str],
    longest: usize,
}

impl Mutator {
    pub(crate) fn new(name: &str, words: &'static [&'static str], longest: usize) -> Self {
        Self { random: Random::of(name), words, longest }
    }

    /// An input made from one of these.
    pub(crate) fn change(&mut self, inputs: &[Vec<u8>]) -> Vec<u8> {
        let is_long = self.random.once_in(LONG_ONCE_IN);
        let longest = if is_long { self.longest } else { SHORT.min(self.longest) };
        let source = self.random.below(inputs.len());
        let mut input = self.stretch(&inputs[source], longest).to_vec();
        for _ in 0..1 << self.random.below(4) {
            self.step(&mut input, inputs);
        }
        if is_long && !input.is_empty() {
            let unit = self.stretch(&input, 64).to_vec();
            let at = self.place(&input);
            input.splice(at..at, unit.repeat(longest / unit.len().max(1)));
        }
        input.truncate(longest);
        input
    }

    fn step(&mut self, input: &mut Vec<u8>, inputs: &[Vec<u8>]) {
        let at = self.place(input);
        match self.random.below(10) {
            0 if at < input.len() => input[at] ^= 1 << self.random.below(8),
            1 if at < input.len() => input[at] = self.random.byte(),
            2 => drop(input.drain(at..(at + self.stretch(&input[at..], 16).len()).min(input.len()))),
            3 => {
                let copied = self.stretch(input, 64).to_vec();
                input.splice(at..at, copied);
            }
            4 => {
                let repeated = self.stretch(input, 8).repeat(1 + self.random.below(64));
                input.splice(at..at, repeated);
            }
            5 => {
                let other = self.random.below(inputs.len());
                let other = self.stretch(&inputs[other], 256);
                input.splice(at..at, other.iter().copied());
            }
            6 => input.truncate(at),
            7 => {
                let moved = input.split_off(at);
                input.splice(0..0, moved);
            }
            _ => {
                let of_target = !self.words.is_empty() && self.random.once_in(2);
                let word = *self.random.pick(if of_target { self.words } else { WORDS });
                let end = if self.random.once_in(2) { at } else { (at + word.len()).min(input.len()) };
                input.splice(at..end, word.bytes());
            }
        }
    }

    /// Up to so many bytes of an input.
    fn stretch<'a>(&mut self, input: &'a [u8], longest: usize) -> &'a [u8] {
        if input.len() <= longest {
            return input;
        }
        let start = self.place(&input[..input.len() - longest]);
        let length = 1 + self.random.below(longest);
        &input[start..start + length]
    }

    /// A place in an input, seldom within a character.
    fn place(&mut self, input: &[u8]) -> usize {
        let mut at = self.random.below(input.len() + 1);
        if !self.random.once_in(16) {
            while at > 0 && input.get(at).is_some_and(|byte| byte & 0xc0 == 0x80) {
                at -= 1;
            }
        }
        at
    }
}
