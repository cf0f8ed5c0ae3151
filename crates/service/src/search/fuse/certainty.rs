//! How sure it is that the best hit answers the query: a logistic regression over what tells a near miss from an answer.
//!
//! Closeness alone does not tell: a question on what was never stored is as close to its near misses as another is to its
//! answer. What does: how far the best is ahead, whether some words of the query are held by nothing like them in it, and
//! whether other thoughts hold words it lacks, as where one knows the person and another knows what is asked. Reading the best beside
//! the query tells most.

use std::collections::BTreeMap;

use model::ThoughtId;

use super::candidate::{Candidate, weighed};
use crate::search::lists::Lists;
use crate::search::meaning::Compared;

/// The weights of a regression over the 4,380 questions of thirty people's memories, for whether anything answers, scaled to how often
/// the best hit is right.
const LEAD_WEIGHT: f64 = 1.75;
const LACKING_WEIGHT: f64 = -1.95;
const WORST_WEIGHT: f64 = 4.7;
const CONSTANT: f64 = -2.25;

/// What that says beside what comes of reading the best hits, by a regression over the 1,032 questions of persona-dev, of those held back
/// and of three memories written blind, likewise scaled.
const TOLD_WEIGHT: f64 = 0.12;
const READ_WEIGHT: f64 = 0.3;
const READ_CONSTANT: f64 = 0.42;

/// The evidence for the best hit that a query on something else altogether stays below, and over how much it fades.
const EVIDENCE_MIN: f64 = 0.35;
const EVIDENCE_FADE: f64 = 0.05;

/// What a text without tokens is taken to lack, and to hold of the words it holds least of: what most do.
const LACKING_TYPICAL: f64 = 0.1;
const WORST_TYPICAL: f64 = 0.4;

/// How many hits after the best tell how far it is ahead.
const FOLLOWING: usize = 5;

/// Among how many of the best is the one that holds the query: the first may have taken the place of what it replaces.
const HOLDING: usize = 3;

/// The chance that the best of the candidates by their sums answers the query.
pub(super) fn certainty(
    candidates: &BTreeMap<ThoughtId, Candidate<'_>>,
    sums: &BTreeMap<ThoughtId, f64>,
    lists: &Lists,
) -> f64 {
    let evidence = evidence(candidates);
    let mut ranked: Vec<(f64, &Candidate<'_>)> =
        sums.iter().filter_map(|(id, sum)| Some((*sum, candidates.get(id)?))).collect();
    ranked.sort_by(|(a, first), (b, second)| b.total_cmp(a).then_with(|| first.thought.id.cmp(&second.thought.id)));
    let (Some((highest, best)), Some(compared)) = (ranked.first(), lists.compared.as_ref()) else { return evidence };
    // What has no vector is told by its words alone.
    if best.meaning.is_none() {
        return evidence;
    }
    let own = |candidate: &Candidate<'_>| weighed(candidate.own_words(), candidate.own_meaning());
    let holding = ranked.iter().take(HOLDING).map(|(_, candidate)| *candidate);
    let holding = holding.max_by(|a, b| own(a).total_cmp(&own(b))).unwrap_or(best);
    let following: f64 = ranked.iter().skip(1).take(FOLLOWING).map(|(sum, _)| sum).sum();
    let lead = 1.0 - following / FOLLOWING as f64 / highest.max(f64::MIN_POSITIVE);
    let (lacking, worst) = Holding::of(holding.thought.id, candidates, compared)
        .map_or((LACKING_TYPICAL, WORST_TYPICAL), |holding| (holding.lacking(), holding.worst()));
    let told = LEAD_WEIGHT * lead + LACKING_WEIGHT * lacking + WORST_WEIGHT * worst + CONSTANT;
    let decided = logistic(match lists.judged.highest(best.thought.id) {
        Some(read) => TOLD_WEIGHT * told + READ_WEIGHT * read + READ_CONSTANT,
        None => told,
    });
    let related = logistic((evidence - EVIDENCE_MIN) / EVIDENCE_FADE);
    // Notes have no vectors: what one holds is told by its words alone.
    (decided * related).max(best.note_certainty())
}

/// The chance that some signal is right about some candidate, were they right as often as they are sure.
pub(super) fn evidence(candidates: &BTreeMap<ThoughtId, Candidate<'_>>) -> f64 {
    candidates.values().map(Candidate::certainty).fold(0.0, f64::max)
}

fn logistic(logits: f64) -> f64 {
    1.0 / (1.0 + (-logits).exp())
}

/// What a thought holds of each token of the query, and what any candidate holds of it.
struct Holding<'a> {
    weights: &'a [f64],
    held: &'a [f32],
    by_any: Vec<f32>,
}

impl<'a> Holding<'a> {
    fn of(id: ThoughtId, candidates: &BTreeMap<ThoughtId, Candidate<'_>>, compared: &'a Compared) -> Option<Self> {
        let held = compared.held.get(&id)?;
        let mut by_any = held.clone();
        for other in candidates.keys().filter_map(|id| compared.held.get(id)) {
            by_any.iter_mut().zip(other).for_each(|(most, held)| *most = most.max(*held));
        }
        Some(Self { weights: &compared.weights, held, by_any })
    }

    /// How much more of each token some candidate holds, by weight.
    fn lacking(&self) -> f64 {
        let whole: f64 = self.weights.iter().sum();
        let more = self.by_any.iter().zip(self.held).map(|(any, held)| f64::from(any - held));
        more.zip(self.weights).map(|(more, weight)| more * weight).sum::<f64>() / whole.max(f64::MIN_POSITIVE)
    }

    /// How much it holds of the half of the tokens that it holds least of.
    fn worst(&self) -> f64 {
        let mut held: Vec<f64> = self.held.iter().copied().map(f64::from).collect();
        held.sort_by(f64::total_cmp);
        held.truncate((held.len() / 2).max(1));
        held.iter().sum::<f64>() / held.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fuse::tests::thought;
    use crate::search::judged::Judged;

    /// How sure the first of thoughts is that are so close to the query and hold so much of each of its tokens.
    fn sure(thoughts: &[(f64, &[f32])]) -> f64 {
        sure_by(thoughts, Judged::default())
    }

    /// The same, after reading them.
    fn sure_by(thoughts: &[(f64, &[f32])], judged: Judged) -> f64 {
        let ids: Vec<_> = (1..).map(thought).take(thoughts.len()).collect();
        let mut compared = Compared { weights: vec![1.0; 2], ..Compared::default() };
        let (mut candidates, mut sums) = (BTreeMap::new(), BTreeMap::new());
        for (thought, (closeness, held)) in ids.iter().zip(thoughts) {
            let candidate = Candidate { meaning: Some(*closeness), ..Candidate::of(thought) };
            candidates.insert(thought.id, candidate);
            sums.insert(thought.id, *closeness);
            if !held.is_empty() {
                compared.held.insert(thought.id, held.to_vec());
            }
        }
        certainty(&candidates, &sums, &Lists { compared: Some(compared), judged, ..Lists::default() })
    }

    /// The same of one before five others.
    fn before_others(first: &[f32], others: &[f32]) -> f64 {
        let mut thoughts = vec![(0.6, first)];
        thoughts.extend([(0.5, others); 5]);
        sure(&thoughts)
    }

    #[test]
    fn who_is_ahead_of_the_others_is_surer_than_who_is_one_of_many() {
        let ahead = sure(&[(0.6, &[0.8, 0.6]), (0.2, &[0.3, 0.3]), (0.2, &[0.3, 0.3])]);
        let one_of_many = sure(&[(0.6, [0.8, 0.6].as_slice()); 8]);
        assert!(ahead > 0.8 && one_of_many < 0.65, "{ahead} {one_of_many}");
    }

    #[test]
    fn a_word_that_only_others_hold_speaks_against_the_best() {
        let (nobody, another) = (before_others(&[0.9, 0.3], &[0.3, 0.3]), before_others(&[0.9, 0.3], &[0.3, 0.9]));
        assert!(another < 0.7 * nobody, "{another} {nobody}");
    }

    #[test]
    fn a_word_that_is_held_by_nothing_like_it_speaks_against_the_best() {
        let (whole, half) = (before_others(&[0.9, 0.9], &[0.1, 0.1]), before_others(&[0.9, 0.1], &[0.1, 0.1]));
        assert!(half < 0.5 * whole, "{half} {whole}");
    }

    #[test]
    fn what_has_nothing_to_do_with_the_query_is_not_sure_however_far_ahead() {
        assert!(sure(&[(0.15, &[0.6, 0.6])]) < 0.05);
    }

    #[test]
    fn reading_the_best_tells_most() {
        let near: &[(f64, &[f32])] = &[(0.6, &[0.8, 0.6]), (0.5, &[0.7, 0.6])];
        let read = |odds: f64| sure_by(near, Judged::with([(thought(1).id, odds)]));
        assert!(
            read(4.0) > 0.75 && read(-4.0) < 0.5 && read(-8.0) < 0.2,
            "{} {} {}",
            read(4.0),
            read(-4.0),
            read(-8.0)
        );
    }

    #[test]
    fn a_text_without_tokens_is_told_by_its_lead() {
        let (ahead, level) = (sure(&[(0.6, &[]), (0.2, &[])]), sure(&[(0.6, [].as_slice()); 8]));
        assert!(ahead > 0.7 && level < 0.4, "{ahead} {level}");
    }

    #[test]
    fn the_whole_query_in_one_text_alone_is_as_sure_as_can_be() {
        assert!(sure(&[(1.0, &[1.0, 1.0]), (0.3, &[0.4, 0.4])]) > 0.9);
    }
}
