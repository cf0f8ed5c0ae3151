//! The vectors of a text's tokens as bytes, four bits a component, and how much of each token of a query they hold.
//!
//! Only directions are kept: a token's vector has length 1, so that its bytes need no scale.

use super::kernel::{InstructionSet, Kernel, Task};

/// Components of a token's vector.
pub const TOKEN_DIMENSIONS: usize = 128;

/// The vector of one token, of length 1.
pub type TokenVector = [f32; TOKEN_DIMENSIONS];

/// A token of a query with what it says of it, more than 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightedToken {
    /// Its vector.
    pub vector: TokenVector,
    /// How much of the query it is, in any unit.
    pub weight: f32,
}

/// Bytes of a token: two components each.
const TOKEN_BYTES: usize = TOKEN_DIMENSIONS / 2;

/// The largest of a token's components becomes this.
const LARGEST: f32 = 7.0;

/// What four bits are counted from.
const ZERO: u8 = 8;

/// Appends the tokens of each part of a text: their number in two bytes, then four bits a component.
pub fn pack_tokens(parts: &[Vec<TokenVector>], into: &mut Vec<u8>) {
    for part in parts {
        let part = &part[..part.len().min(usize::from(u16::MAX))];
        into.extend_from_slice(&(part.len() as u16).to_le_bytes());
        for token in part {
            let largest = token.iter().fold(f32::MIN_POSITIVE, |largest, value| largest.max(value.abs()));
            // What is no number becomes nothing.
            let level = |value: f32| (value / largest * LARGEST).round().clamp(-LARGEST, LARGEST) as i8;
            let bits = |value: f32| level(value).wrapping_add(ZERO.cast_signed()).cast_unsigned();
            into.extend(token.as_chunks::<2>().0.iter().map(|[low, high]| bits(*low) | bits(*high) << 4));
        }
    }
}

/// How much of each token of the query the packed ones hold: as much as the most similar one of a part, the part that holds
/// most of the query. From about 0 for a text on something else to 1 for one with the same word in the same sense; `None` if
/// either side has no tokens.
pub fn held(kernel: Kernel, query: &[WeightedToken], packed: &[u8]) -> Option<Vec<f32>> {
    let mut most: Option<(f32, Vec<f32>)> = None;
    let mut rest = packed;
    while let Some((count, tail)) = rest.split_first_chunk::<2>() {
        let bytes = usize::from(u16::from_le_bytes(*count)) * TOKEN_BYTES;
        let (tokens, later) = tail.split_at_checked(bytes)?;
        rest = later;
        if bytes == 0 || query.is_empty() {
            continue;
        }
        let held = kernel.run(Held { query, tokens });
        let likeness = likeness(query, &held);
        if most.as_ref().is_none_or(|(most, _)| likeness > *most) {
            most = Some((likeness, held));
        }
    }
    most.map(|(_, held)| held)
}

/// How much of a query a text holds, by how much of each of its tokens it does.
pub fn likeness(query: &[WeightedToken], held: &[f32]) -> f32 {
    let whole: f32 = query.iter().map(|token| token.weight).sum();
    let held: f32 = query.iter().zip(held).map(|(token, held)| token.weight * held).sum();
    if whole > 0.0 { held / whole } else { 0.0 }
}

/// What the tokens of one part hold of a query.
struct Held<'a> {
    query: &'a [WeightedToken],
    tokens: &'a [u8],
}

impl Task for Held<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) -> Vec<f32> {
        let wanted: Vec<Levels> = self.query.iter().map(|token| fine_levels(&token.vector)).collect();
        let mut best = vec![-1.0_f32; wanted.len()];
        for token in self.tokens.as_chunks::<TOKEN_BYTES>().0 {
            let (token, scale) = unpack(token);
            for (best, wanted) in best.iter_mut().zip(&wanted) {
                let similarity = product(wanted, &token) as f32 * scale;
                *best = if similarity > *best { similarity } else { *best };
            }
        }
        best
    }
}

/// Components as whole numbers: products of them are summed up several times as fast as floats, and exactly.
type Levels = [i16; TOKEN_DIMENSIONS];

/// The component 1 of a query's token. Times the largest of a stored one, a sum of all components fits 32 bits.
const FINE: f32 = 4_096.0;

#[inline(always)]
fn fine_levels(token: &TokenVector) -> Levels {
    token.map(|value| (value * FINE).round() as i16)
}

/// The components as they were rounded, and what makes a product with [`fine_levels`] a cosine.
#[inline(always)]
fn unpack(bytes: &[u8; TOKEN_BYTES]) -> (Levels, f32) {
    let mut token = [0; TOKEN_DIMENSIONS];
    for (pair, byte) in token.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
        *pair = [byte & 15, byte >> 4].map(|bits| i16::from(bits) - i16::from(ZERO));
    }
    let length = (product(&token, &token) as f32).sqrt().max(1.0);
    (token, 1.0 / (length * FINE))
}

#[inline(always)]
fn product(one: &Levels, other: &Levels) -> i32 {
    one.iter().zip(other).map(|(one, other)| i32::from(*one) * i32::from(*other)).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Tokens of different seeds have next to nothing in common.
    fn token(seed: u64) -> TokenVector {
        let little = |place: usize| ((seed * 31 + place as u64 * 17) % 13) as f32 / 13.0 - 0.5;
        let mut token: TokenVector = std::array::from_fn(|place| 0.03 * little(place));
        token[seed as usize] = 1.0;
        let length = token.iter().map(|value| value * value).sum::<f32>().sqrt();
        token.map(|value| value / length)
    }

    fn packed(parts: &[&[u64]]) -> Vec<u8> {
        let parts: Vec<Vec<TokenVector>> = parts.iter().map(|part| part.iter().copied().map(token).collect()).collect();
        let mut bytes = Vec::new();
        pack_tokens(&parts, &mut bytes);
        bytes
    }

    fn query(tokens: &[(u64, f32)]) -> Vec<WeightedToken> {
        tokens.iter().map(|(seed, weight)| WeightedToken { vector: token(*seed), weight: *weight }).collect()
    }

    fn like(tokens: &[(u64, f32)], parts: &[&[u64]]) -> Option<f32> {
        let query = query(tokens);
        held(Kernel::detect(), &query, &packed(parts)).map(|held| likeness(&query, &held))
    }

    #[test]
    fn the_same_tokens_in_any_order_are_as_like_as_can_be() {
        assert!(like(&[(1, 1.0), (2, 1.0)], &[&[3, 2, 1]]).unwrap() > 0.98);
    }

    #[test]
    fn a_missing_token_costs_what_it_weighs() {
        let half = like(&[(1, 1.0), (2, 1.0)], &[&[1]]).unwrap();
        let little = like(&[(1, 9.0), (2, 1.0)], &[&[1]]).unwrap();
        assert!(half < 0.75 && little > 0.88, "{half} {little}");
    }

    #[test]
    fn each_token_is_held_for_itself() {
        let held = held(Kernel::detect(), &query(&[(1, 1.0), (2, 1.0)]), &packed(&[&[3, 1]])).unwrap();
        assert!(held[0] > 0.98 && held[1] < 0.3, "{held:?}");
    }

    #[test]
    fn one_part_has_to_hold_it_all() {
        let together = like(&[(1, 1.0), (2, 1.0)], &[&[5], &[1, 2]]).unwrap();
        let apart = like(&[(1, 1.0), (2, 1.0)], &[&[1], &[2]]).unwrap();
        assert!(together > 0.98 && apart < 0.75, "{together} {apart}");
    }

    #[test]
    fn without_tokens_nothing_is_told() {
        assert_eq!(like(&[(1, 1.0)], &[]), None);
        assert_eq!(like(&[(1, 1.0)], &[&[]]), None);
        assert_eq!(like(&[], &[&[1]]), None);
    }

    #[test]
    fn every_kernel_gives_the_same_bits() {
        let (query, packed) = (query(&[(1, 0.3), (2, 2.0), (3, 1.0)]), packed(&[&[4, 5, 6, 2], &[7, 1]]));
        for kernel in Kernel::available() {
            assert_eq!(held(kernel, &query, &packed), held(Kernel::detect(), &query, &packed));
        }
    }

    proptest! {
        #[test]
        fn damaged_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let held = held(Kernel::detect(), &query(&[(1, 1.0)]), &bytes);
            prop_assert!(held.iter().flatten().all(|held| (-1.01..=1.01).contains(held)), "{held:?}");
        }
    }
}
