//! What a query prefers without requiring it: whose turns, which times, and texts that tell what it asks for.

use annotate::{Asked, Meant, Moments, Tense};
use model::{Category, Thought, Time};

/// What the query says about the thoughts it is after, beside words and meaning.
#[derive(Debug, Clone, Default)]
pub(super) struct Preferences<'a> {
    /// Whose turns are meant.
    pub(super) meant: Option<&'a Meant>,
    /// The times that are meant; empty for any.
    pub(super) moments: &'a [Moments],
    /// Whether nothing else is meant.
    pub(super) is_of_time_alone: bool,
    /// Whether the latest state of things is meant or an earlier one, if the query says so.
    pub(super) tense: Option<Tense>,
    /// The kind of thoughts that is meant, if it is named.
    pub(super) kind: Option<Category>,
    /// What the query asks for, and that thoughts which only ask are worth less; `None` if that is not looked at.
    pub(super) answers: Option<Answers>,
}

/// What an answer looks like.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Answers {
    /// What it tells, if the query says so.
    pub(super) tell: Option<Asked>,
}

/// What is taken off a turn of somebody the query does not mean.
const OTHER_SPEAKER: f64 = 0.35;

/// What a thought gains that tells a time, a number or a name where the query asks for one.
const TELLING_WEIGHT: f64 = 0.15;

/// What is taken off a thought that ends in a question: it is rarely the answer to another one.
const ASKING: f64 = 0.05;

/// What a thought of the time the query names gains.
const TIME_WEIGHT: f64 = 0.4;

/// The same where the query asks for nothing else: what the rest of it means is beside the point.
const TIME_ALONE_WEIGHT: f64 = 1.0;

/// What it says that a thought tells of that time, beside being of that time.
const TELLING_OF_TIME: f64 = 0.75;

/// What a thought of the kind gains that the query names.
const KIND_WEIGHT: f64 = 0.4;

/// What the newest of the candidates gains where the latest state is meant, and the oldest where an earlier one is; the other gains
/// nothing.
const AGE_WEIGHT: f64 = 0.15;

/// What candidates gain by their age, where the query says which state it means.
pub(super) struct Age {
    oldest: Time,
    newest: Time,
    meant: Tense,
}

impl Age {
    pub(super) fn of<'a>(candidates: impl Iterator<Item = &'a Thought> + Clone, tense: Option<Tense>) -> Option<Self> {
        let meant = tense?;
        let times = candidates.map(|thought| thought.captured_at);
        Some(Self { oldest: times.clone().min()?, newest: times.max()?, meant })
    }

    pub(super) fn fit(&self, thought: &Thought) -> f64 {
        let between = |from: Time, to: Time| (to.as_micros() - from.as_micros()) as f64;
        let away = match self.meant {
            Tense::Now => between(self.oldest, thought.captured_at),
            Tense::Before => between(thought.captured_at, self.newest),
        };
        AGE_WEIGHT * away / between(self.oldest, self.newest).max(1.0)
    }
}

/// What speaks for or against a thought beside what it says.
pub(super) fn fit(thought: &Thought, preferences: &Preferences<'_>, is_spoken: bool) -> f64 {
    let text = thought.raw_text.as_str();
    let about = if is_about(thought, preferences.moments) { TELLING_OF_TIME } else { 0.0 };
    let weight = if preferences.is_of_time_alone { TIME_ALONE_WEIGHT } else { TIME_WEIGHT };
    let mut fit = weight * nearness(thought.captured_at, preferences.moments).max(about);
    fit += KIND_WEIGHT * f64::from(u8::from(preferences.kind == Some(thought.category)));
    if let Some(Answers { tell }) = preferences.answers {
        fit += TELLING_WEIGHT * f64::from(u8::from(tell.is_some_and(|asked| asked.is_told_in(text))));
        fit -= ASKING * f64::from(u8::from(annotate::is_question(text)));
    }
    let is_other = |speaker: String| preferences.meant.is_some_and(|meant| !meant.names(&speaker));
    if is_spoken && annotate::speaker(text).is_some_and(is_other) {
        fit -= OTHER_SPEAKER;
    }
    fit
}

/// Whether a thought tells of one of the times.
fn is_about(thought: &Thought, moments: &[Moments]) -> bool {
    if moments.is_empty() {
        return false;
    }
    let told = annotate::moments_told(thought.raw_text.as_str(), thought.captured_at);
    // A whole year tells little apart.
    let is_short = |moments: &&Moments| moments.end.as_micros() - moments.start.as_micros() < MONTH_MICROS;
    let overlap = |told: &Moments, asked: &Moments| told.start < asked.end && asked.start < told.end;
    told.iter().filter(is_short).any(|told| moments.iter().filter(is_short).any(|asked| overlap(told, asked)))
}

/// A month or a little more.
const MONTH_MICROS: i64 = 32 * 86_400_000_000;

/// How near a moment is to one of the times: 1 within it, less and less after it, since what happened is told later.
fn nearness(at: Time, moments: &[Moments]) -> f64 {
    const DAY: f64 = 86_400_000_000.0;
    let near = |moments: &Moments| {
        let length = (moments.end.as_micros() - moments.start.as_micros()) as f64 / DAY;
        let early = (moments.start.as_micros().saturating_sub(at.as_micros())) as f64 / DAY;
        let late = (at.as_micros().saturating_sub(moments.end.as_micros())) as f64 / DAY;
        // A day either way is a time zone.
        if early > 1.0 {
            return 0.0;
        }
        // A whole year tells little apart.
        let weight = if length > 100.0 { 0.5 } else { 1.0 };
        weight * (-late.max(0.0) / (7.0 + length.min(60.0) / 2.0)).exp()
    };
    moments.iter().map(near).fold(0.0, f64::max)
}
