//! Where vectors of any length are searched: those of the built-in model's length by its kernels, others by a plain scan.

use std::cmp::Ordering;

use vectors::{Hit, Packed, Vectors};

/// The length the kernels are made for.
const KERNEL_DIMENSIONS: usize = 384;

/// Vectors of one length, each at a place of its own.
pub(super) enum Space {
    Kernel(Box<Vectors>),
    Plain(PlainVectors),
}

impl Space {
    pub(super) fn new(centre: &[f32]) -> Self {
        match <&[f32; KERNEL_DIMENSIONS]>::try_from(centre) {
            Ok(centre) => Self::Kernel(Box::new(Vectors::new(centre))),
            Err(_) => Self::Plain(PlainVectors { centre: centre.to_vec(), values: Vec::new() }),
        }
    }

    /// Adds a vector and returns its place: one that is free, or a new one.
    pub(super) fn insert(&mut self, vector: &Packed<'_>, free: Option<u32>) -> u32 {
        match (self, free) {
            (Self::Kernel(vectors), Some(place)) => {
                vectors.replace_packed(place, vector);
                place
            }
            (Self::Kernel(vectors), None) => vectors.push_packed(vector),
            (Self::Plain(vectors), free) => vectors.insert(vector, free),
        }
    }

    /// Takes a vector away; its place is free for another.
    pub(super) fn remove(&mut self, place: u32) {
        match self {
            Self::Kernel(vectors) => vectors.remove(place),
            // What no filter lets in need not be erased.
            Self::Plain(_) => {}
        }
    }

    /// The places of the `limit` vectors with the largest dot products among those whose bit is set in `only`: best first, equals by
    /// rank. `ranks` tells that of each place.
    pub(super) fn search(&self, query: &[f32], limit: usize, only: &[u64], ranks: &[u32]) -> Vec<Hit> {
        match self {
            Self::Kernel(vectors) => vectors.search(&exact(query), limit, Some(only), Some(ranks)),
            Self::Plain(vectors) => vectors.search(query, u32::MAX, limit, only, ranks),
        }
    }

    /// The same for each query among those whose rank is lower than the query's.
    pub(super) fn search_before(
        &self,
        queries: &[(&[f32], u32)],
        limit: usize,
        only: &[u64],
        ranks: &[u32],
    ) -> Vec<Vec<Hit>> {
        match self {
            Self::Kernel(vectors) => {
                let queries: Vec<_> = queries.iter().map(|(query, before)| (exact(query), *before)).collect();
                vectors.search_before(&queries, limit, Some(only), Some(ranks))
            }
            Self::Plain(vectors) => {
                queries.iter().map(|(query, before)| vectors.search(query, *before, limit, only, ranks)).collect()
            }
        }
    }

    /// The dot products of the vectors at these places with the query: best first, equals by place.
    pub(super) fn compare(&self, query: &[f32], places: &[u32]) -> Vec<Hit> {
        match self {
            Self::Kernel(vectors) => vectors.compare(&exact(query), places),
            Self::Plain(vectors) => vectors.compare(query, places),
        }
    }

    /// Gives back the room kept for more vectors.
    pub(super) fn shrink(&mut self) {
        match self {
            Self::Kernel(vectors) => vectors.shrink(),
            Self::Plain(vectors) => vectors.values.shrink_to_fit(),
        }
    }

    /// The bytes of memory in use.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Kernel(vectors) => vectors.bytes(),
            Self::Plain(vectors) => vectors.values.capacity() * size_of::<i16>(),
        }
    }
}

/// A vector of the kernels' length.
fn exact(vector: &[f32]) -> [f32; KERNEL_DIMENSIONS] {
    let mut exact = [0.0; KERNEL_DIMENSIONS];
    exact.iter_mut().zip(vector).for_each(|(to, from)| *to = *from);
    exact
}

/// Vectors of any length, as 16-bit fixed-point numbers.
pub(super) struct PlainVectors {
    centre: Vec<f32>,
    values: Vec<i16>,
}

/// What the component 1 is stored as. Vectors have length 1, so no component is larger.
const ONE: f32 = 32_767.0;

impl PlainVectors {
    fn dimensions(&self) -> usize {
        self.centre.len().max(1)
    }

    fn insert(&mut self, vector: &Packed<'_>, free: Option<u32>) -> u32 {
        let dimensions = self.dimensions();
        let fixed = vector.to_vector(&self.centre).into_iter().map(|value| (value * ONE).round() as i16);
        match free {
            Some(place) => {
                let start = place as usize * dimensions;
                self.values[start..start + dimensions].iter_mut().zip(fixed).for_each(|(to, from)| *to = from);
                place
            }
            None => {
                let place = self.values.len() / dimensions;
                self.values.extend(fixed);
                self.values.resize((place + 1) * dimensions, 0);
                u32::try_from(place).expect("vectors are held in memory")
            }
        }
    }

    fn search(&self, query: &[f32], before: u32, limit: usize, only: &[u64], ranks: &[u32]) -> Vec<Hit> {
        let rank = |place: usize| ranks.get(place).copied().unwrap_or(u32::MAX);
        let is_wanted = |place: usize| {
            only.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1) && rank(place) < before
        };
        let by_rank = |a: &Hit, b: &Hit| {
            let ranks = rank(a.index as usize).cmp(&rank(b.index as usize));
            b.score.total_cmp(&a.score).then(ranks).then(a.index.cmp(&b.index))
        };
        let rows = self.values.chunks_exact(self.dimensions()).enumerate().filter(|(place, _)| is_wanted(*place));
        let mut hits: Vec<Hit> = rows.map(|(place, values)| hit(query, place as u32, values)).collect();
        if hits.len() > limit && limit > 0 {
            hits.select_nth_unstable_by(limit - 1, by_rank);
        }
        hits.truncate(limit);
        hits.sort_by(by_rank);
        hits
    }

    fn compare(&self, query: &[f32], places: &[u32]) -> Vec<Hit> {
        let values = |place: u32| {
            let start = place as usize * self.dimensions();
            &self.values[start..start + self.dimensions()]
        };
        let mut hits: Vec<Hit> = places.iter().map(|place| hit(query, *place, values(*place))).collect();
        hits.sort_by(by_score);
        hits
    }
}

fn hit(query: &[f32], place: u32, values: &[i16]) -> Hit {
    let dot: f32 = values.iter().zip(query).map(|(value, query)| f32::from(*value) * query).sum();
    Hit { index: place, score: dot / ONE }
}

fn by_score(a: &Hit, b: &Hit) -> Ordering {
    b.score.total_cmp(&a.score).then(a.index.cmp(&b.index))
}
