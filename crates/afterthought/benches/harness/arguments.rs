//! What follows `--` on the command line of a benchmark.

/// Whether the flag is given.
pub(crate) fn is_given(flag: &str) -> bool {
    std::env::args().any(|argument| argument == flag)
}

/// The number after the flag, if both are given.
pub(crate) fn number_after(flag: &str) -> Option<usize> {
    std::env::args().skip_while(|argument| argument != flag).nth(1)?.parse().ok()
}
