//! The vectors of one model in memory: search with filters inside it.

use rustc_hash::FxHashMap;

use vectors::{Hit, Packed, dot};

use super::sample::{Sample, sampled_before};
use super::space::Space;
use crate::backend::Row;
use crate::contract::Among;
use crate::facet::Facet;

/// The vectors of one model.
pub(crate) struct Set {
    space: Space,
    centre: Vec<f32>,
    /// The row of the thought at each place.
    thoughts: Vec<u32>,
    /// The place of each thought's opening, by row.
    openings: Vec<u32>,
    /// The places of the later parts of long texts, by row.
    later_parts: FxHashMap<u32, Vec<u32>>,
    free: Vec<u32>,
    /// What filters look at, by row of the thought.
    facets: Vec<u8>,
    /// Which places have which facet, a bit each.
    places_of_facet: [Vec<u64>; Facet::OF_THOUGHTS.len()],
    sample: Sample,
    living: u64,
    /// The first number of the log of vectors that has not been seen.
    pub(super) next_vector: u64,
    /// The first entry whose facet has not been seen.
    pub(super) next_entry: u64,
}

/// A thought close to a vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Close {
    /// Its row.
    pub(crate) thought: Row,
    /// How close.
    pub(crate) cosine: f32,
}

/// No place, and no facet.
const NOWHERE: u32 = u32::MAX;
const UNKNOWN: u8 = u8::MAX;

/// How much the centre of the model weighs beside the average of the account, in vectors.
const PRIOR_VECTORS: f32 = 32.0;

/// What is taken off the closeness of a part that is not the opening: of many parts one is close to anything by chance, and
/// what a text is about, its opening tells. On long chats by turns this found 2 points more than the closest part alone.
const LATER_PART: f32 = 0.02;

impl Set {
    /// How much it takes in memory, by estimate: ten bits for each number of a vector, and what is known of its thought.
    pub(crate) fn bytes(&self) -> u64 {
        const OF_THOUGHT: usize = 16;
        (self.thoughts.len() * (self.centre.len() * 10 / 8 + OF_THOUGHT)) as u64
    }

    pub(super) fn new(centre: Vec<f32>) -> Self {
        Self {
            space: Space::new(&centre),
            sample: Sample::new(centre.len()),
            centre,
            thoughts: Vec::new(),
            openings: Vec::new(),
            later_parts: FxHashMap::default(),
            free: Vec::new(),
            facets: Vec::new(),
            places_of_facet: Default::default(),
            living: 0,
            next_vector: 0,
            next_entry: 0,
        }
    }

    /// The `limit` thoughts with one of the facets, and among those that are wanted, that are closest to a vector, by their
    /// closest part; equals in the order of their rows.
    pub(crate) fn search(&self, vector: &[f32], limit: usize, facets: &[Facet], among: Option<&Among>) -> Vec<Close> {
        let admitted = self.places_of(facets, among);
        let search = |asked: usize| self.space.search(vector, asked, &admitted, &self.thoughts);
        self.complete(search(limit), limit, search)
    }

    /// For each vector, the `limit` thoughts at rows before the one given that are closest to it, whatever their facet, and the
    /// cosine a text before that row which has nothing to do with it typically has.
    pub(crate) fn closest_before(&self, vectors: &[(&[f32], Row)], limit: usize) -> Vec<(Vec<Close>, f32)> {
        let all = self.places_of(&Facet::OF_THOUGHTS, None);
        let search = |queries: &[(&[f32], Row)], asked| self.space.search_before(queries, asked, &all, &self.thoughts);
        let found = search(vectors, limit).into_iter().zip(vectors);
        let closest = |(hits, query): (Vec<Hit>, &(&[f32], Row))| {
            let again = |asked| search(&[*query], asked).pop().unwrap_or_default();
            (self.complete(hits, limit, again), self.typical_cosine_before(query.0, query.1))
        };
        found.map(closest).collect()
    }

    /// The thoughts of the hits, after a look at more where several parts of one text took the places of others.
    fn complete(&self, mut hits: Vec<Hit>, limit: usize, search: impl Fn(usize) -> Vec<Hit>) -> Vec<Close> {
        let mut asked = limit;
        loop {
            let (exhausted, last) = (hits.len() < asked, hits.last().map_or(f32::MIN, |hit| hit.score));
            let mut close = Vec::with_capacity(limit);
            self.add(&mut close, hits);
            // Whatever has not been found is no closer than the last.
            let is_settled = limit == 0 || close.get(limit - 1).is_some_and(|close: &Close| close.cosine >= last);
            if is_settled || exhausted {
                close.truncate(limit);
                return close;
            }
            asked *= 4;
            hits = search(asked);
        }
    }

    /// How close the thoughts at these rows are, by their closest part; those without vectors are left out.
    pub(crate) fn compare(&self, vector: &[f32], rows: &[Row]) -> Vec<Close> {
        let places: Vec<u32> = rows.iter().flat_map(|row| self.places_of_thought(*row)).collect();
        let mut close = Vec::with_capacity(places.len());
        self.add(&mut close, self.space.compare(vector, &places));
        close
    }

    /// Adds the thoughts of hits, the closest part of each, and puts all in order.
    fn add(&self, close: &mut Vec<Close>, hits: Vec<Hit>) {
        for hit in hits {
            let thought = self.thoughts[hit.index as usize];
            let is_opening = self.openings[thought as usize] == hit.index;
            let cosine = if is_opening { hit.score } else { hit.score - LATER_PART };
            match close.iter_mut().find(|found| found.thought == thought) {
                Some(found) => found.cosine = found.cosine.max(cosine),
                None => close.push(Close { thought, cosine }),
            }
        }
        close.sort_by(|a, b| b.cosine.total_cmp(&a.cosine).then(a.thought.cmp(&b.thought)));
    }

    /// The cosine a text that has nothing to do with the vector's typically has.
    pub(crate) fn typical_cosine(&self, vector: &[f32]) -> f32 {
        let of_model = dot(&self.centre, vector);
        let living = self.living as f32;
        match self.sample.dot_mean(vector) {
            Some(of_account) => (of_account * living + of_model * PRIOR_VECTORS) / (living + PRIOR_VECTORS),
            None => of_model,
        }
    }

    /// The same by the thoughts before a row alone, so that it is the same whatever has come after them.
    fn typical_cosine_before(&self, vector: &[f32], before: Row) -> f32 {
        let before = before.min(self.next_thought());
        let opening = |row: Row| self.openings.get(row as usize).copied().filter(|place| *place != NOWHERE);
        let places: Vec<u32> = sampled_before(before).filter_map(opening).collect();
        let of_model = f64::from(dot(&self.centre, vector));
        if places.is_empty() {
            return of_model as f32;
        }
        // In the order of their closeness, which is the same wherever they lie.
        let sum: f64 = self.space.compare(vector, &places).iter().map(|hit| f64::from(hit.score)).sum();
        let (mean, stored, prior) = (sum / places.len() as f64, f64::from(before - 1), f64::from(PRIOR_VECTORS));
        ((mean * stored + of_model * prior) / (stored + prior)) as f32
    }

    /// How many components a vector has.
    pub(super) fn dimensions(&self) -> usize {
        self.centre.len()
    }

    /// Takes in the parts of a thought's text, which replace those it had.
    pub(super) fn put<'a>(&mut self, thought: u32, parts: impl Iterator<Item = Packed<'a>>) {
        self.remove(thought);
        let mut opening = None;
        for part in parts {
            let place = self.space.insert(&part, self.free.pop());
            self.place(place, thought, opening.is_none());
            self.living += 1;
            opening.get_or_insert(part);
        }
        let Self { sample, centre, .. } = self;
        sample.put(thought, || opening.map(|opening| opening.to_vector(centre)));
    }

    /// Ends a series of changes.
    pub(super) fn settle(&mut self) {
        self.sample.average();
    }

    /// Gives back the room kept for more.
    pub(super) fn shrink(&mut self) {
        self.space.shrink();
        self.thoughts.shrink_to_fit();
        self.openings.shrink_to_fit();
        self.facets.shrink_to_fit();
        self.places_of_facet.iter_mut().for_each(Vec::shrink_to_fit);
    }

    /// A row after every thought whose facet is known.
    pub(super) fn next_thought(&self) -> Row {
        Row::try_from(self.facets.len()).expect("rows are 32 bits")
    }

    /// Takes in the facet of a thought.
    pub(super) fn set_facet(&mut self, thought: Row, facet: Facet) {
        let facet = facet.number();
        grow(&mut self.facets, thought, UNKNOWN);
        let before = std::mem::replace(&mut self.facets[thought as usize], facet);
        for place in self.places_of_thought(thought) {
            self.mark(place, before, false);
            self.mark(place, facet, true);
        }
    }

    fn place(&mut self, place: u32, thought: u32, is_opening: bool) {
        grow(&mut self.thoughts, place, 0);
        self.thoughts[place as usize] = thought;
        if is_opening {
            grow(&mut self.openings, thought, NOWHERE);
            self.openings[thought as usize] = place;
        } else {
            self.later_parts.entry(thought).or_default().push(place);
        }
        self.mark(place, self.facet(thought), true);
    }

    fn remove(&mut self, thought: u32) {
        for place in self.places_of_thought(thought) {
            self.space.remove(place);
            self.mark(place, self.facet(thought), false);
            self.free.push(place);
            self.living -= 1;
        }
        if let Some(opening) = self.openings.get_mut(thought as usize) {
            *opening = NOWHERE;
        }
        self.later_parts.remove(&thought);
    }

    fn facet(&self, thought: u32) -> u8 {
        self.facets.get(thought as usize).copied().unwrap_or(UNKNOWN)
    }

    fn places_of_thought(&self, thought: u32) -> Vec<u32> {
        let opening = self.openings.get(thought as usize).copied().filter(|place| *place != NOWHERE);
        let later = self.later_parts.get(&thought).into_iter().flatten().copied();
        opening.into_iter().chain(later).collect()
    }

    fn mark(&mut self, place: u32, facet: u8, has: bool) {
        let Some(bits) = self.places_of_facet.get_mut(usize::from(facet)) else { return };
        grow(bits, place / 64, 0);
        let bit = 1 << (place % 64);
        let word = &mut bits[place as usize / 64];
        *word = if has { *word | bit } else { *word & !bit };
    }

    fn places_of(&self, facets: &[Facet], among: Option<&Among>) -> Vec<u64> {
        let mut places = vec![0; self.thoughts.len().div_ceil(64)];
        for bits in facets.iter().filter_map(|facet| self.places_of_facet.get(usize::from(facet.number()))) {
            places.iter_mut().zip(bits).for_each(|(places, bits)| *places |= bits);
        }
        if let Some(among) = among {
            for (place, thought) in self.thoughts.iter().enumerate() {
                if !among.contains(*thought) {
                    places[place / 64] &= !(1 << (place % 64));
                }
            }
        }
        places
    }
}

/// Makes room for the entry at `index`. By an eighth at a time: doubling would leave half of a large account unused.
fn grow<T: Clone>(entries: &mut Vec<T>, index: u32, empty: T) {
    let needed = index as usize + 1;
    if entries.len() < needed {
        if entries.capacity() < needed {
            entries.reserve_exact(needed - entries.len() + needed / 8);
        }
        entries.resize(needed, empty);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use vectors::{pack, unpack};

    fn direction(degrees: u16) -> Vec<f32> {
        let (sin, cos) = f32::from(degrees).to_radians().sin_cos();
        vec![cos, sin]
    }

    /// What can happen to one of a few thoughts.
    #[derive(Debug, Clone)]
    enum Change {
        Parts(Vec<u16>),
        Facet(u8),
    }

    fn histories() -> impl Strategy<Value = Vec<(u32, Change)>> {
        let change = prop_oneof![
            prop::collection::vec(0..360_u16, 0..4).prop_map(Change::Parts),
            (0..6_u8).prop_map(Change::Facet),
        ];
        prop::collection::vec((1..12_u32, change), 1..60)
    }

    fn of_number(facet: u8) -> Facet {
        Facet::from_number(facet).unwrap()
    }

    const CENTRE: [f32; 2] = [0.1, -0.1];

    fn packed(directions: &[u16]) -> Vec<u8> {
        let mut bytes = Vec::new();
        directions.iter().for_each(|degrees| pack(&direction(*degrees), &CENTRE, &mut bytes));
        bytes
    }

    fn set_of(history: &[(u32, Change)]) -> Set {
        let mut set = Set::new(CENTRE.to_vec());
        for (thought, change) in history {
            match change {
                Change::Parts(parts) => set.put(*thought, unpack(&packed(parts), 2)),
                Change::Facet(facet) => set.set_facet(*thought, of_number(*facet)),
            }
        }
        set.settle();
        set
    }

    proptest! {
        #[test]
        fn the_closest_with_the_facet_are_found_whatever_happened_before(history in histories(), limit in 1..6_usize) {
            let set = set_of(&history);
            let query = direction(0);
            let mut expected = Vec::new();
            for thought in 1..12 {
                let last = |wanted: fn(&Change) -> bool| {
                    history.iter().rev().find(|(row, change)| *row == thought && wanted(change)).map(|(_, change)| change)
                };
                let parts = last(|change| matches!(change, Change::Parts(_)));
                let facet = last(|change| matches!(change, Change::Facet(_)));
                if let (Some(Change::Parts(parts)), Some(Change::Facet(0 | 3))) = (parts, facet) {
                    let cosine = |(part, degrees): (usize, &u16)| {
                        dot(&direction(*degrees), &query) - if part == 0 { 0.0 } else { LATER_PART }
                    };
                    let best = parts.iter().enumerate().map(cosine).max_by(f32::total_cmp);
                    expected.extend(best.map(|cosine| (thought, cosine)));
                }
            }
            let found = set.search(&query, limit, &[of_number(0), of_number(3)], None);
            prop_assert_eq!(found.len(), expected.len().min(limit));
            expected.sort_by(|a, b| b.1.total_cmp(&a.1));
            for (found, (_, cosine)) in found.iter().zip(&expected) {
                prop_assert!((found.cosine - cosine).abs() < 0.01);
            }
        }
    }

    proptest! {
        #[test]
        fn what_was_closest_before_a_row_stays_whatever_comes_after(
            parts in prop::collection::vec(0..360_u16, 1..400), before in 1..400_u32, order: u64,
        ) {
            let before = before.min(parts.len() as u32);
            let query = direction(0);
            let ask = |set: &Set| set.closest_before(&[(&query, before)], 5).remove(0);
            let put = |(row, degrees): (u32, &u16)| {
                [(row, Change::Parts(vec![*degrees])), (row, Change::Facet((degrees % 6) as u8))]
            };
            let all: Vec<(u32, Change)> = (1..).zip(&parts).flat_map(put).collect();
            let until: Vec<(u32, Change)> = all.iter().filter(|(row, _)| *row < before).cloned().collect();
            // In another order, with everything that came later.
            let mut mixed = all;
            mixed.sort_by_key(|(row, _)| u64::from(*row).wrapping_mul(order | 1) >> 7);
            let (found, later) = (ask(&set_of(&until)), ask(&set_of(&mixed)));
            prop_assert!(found.0.iter().all(|close| close.thought < before));
            prop_assert_eq!(found, later);
        }
    }

    #[test]
    fn a_thought_takes_at_most_503_bytes() {
        const THOUGHTS: u32 = 100_000;
        let mut set = Set::new(vec![0.0; 384]);
        let mut bytes = Vec::new();
        pack(&[0.05; 384], &[0.0; 384], &mut bytes);
        for thought in 1..=THOUGHTS {
            set.put(thought, unpack(&bytes, 384));
            set.set_facet(thought, of_number((thought % 6) as u8));
        }
        set.shrink();
        let bits: usize = set.places_of_facet.iter().map(|bits| bits.capacity() * 8).sum();
        let rows = set.thoughts.capacity() * 4 + set.openings.capacity() * 4 + set.facets.capacity();
        let each = (set.space.bytes() + rows + bits) as f64 / f64::from(THOUGHTS);
        assert!(each <= 503.0, "{each}");
    }
}
