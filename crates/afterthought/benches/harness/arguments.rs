//! What follows `--` on the command line of a benchmark.

/// Whether the flag is given.
pub(crate) fn is_given(flag: &str) -> bool {
    std::env::args().any(|argument| argument == flag)
}

/// What stands after the flag, if both are given.
pub(crate) fn after(flag: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != flag).nth(1)
}

/// The same as a number.
pub(crate) fn number_after(flag: &str) -> Option<usize> {
    after(flag)?.parse().ok()
}
