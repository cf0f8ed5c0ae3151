//! How a vector becomes bytes, in memory and on disk: its difference from a centre in 8 bits a component and one more for
//! a second, finer look.
//!
//! Vectors of one model share a large part. Without it, 8 bits resolve what differs three times finer. What the vector has
//! in common with the centre is kept as it is: rounding it as well would lose a third of what is gained.

use super::dot::dot;

/// A vector as bytes, of any number of components.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Packed<'a> {
    /// A component of the vector minus the centre is about its byte times this.
    pub(super) scale: f32,
    /// The dot product of the vector with the centre.
    pub(super) base: f32,
    /// The components, two's complement.
    pub(super) bytes: &'a [u8],
    /// A bit a component, from the lowest: whether it lies above its byte.
    pub(super) above: &'a [u8],
}

/// How far a component lies from its byte on average, as its bit says on which side.
pub(super) const QUARTER: f32 = 0.25;

/// Where the components begin.
const HEAD_BYTES: usize = 8;

/// Appends the bytes of `vector`; its largest difference from `centre` becomes 127 or -127.
///
/// A component that is not finite counts as 0.
pub fn pack(vector: &[f32], centre: &[f32], into: &mut Vec<u8>) {
    let vector: Vec<f32> = vector.iter().map(|value| finite(*value)).collect();
    let pairs = || vector.iter().zip(centre);
    let largest = pairs().fold(0.0_f32, |largest, (value, centre)| largest.max((value - centre).abs()));
    let base = dot(&vector, centre);
    let scale = if largest > 0.0 { largest / 127.0 } else { 1.0 };
    into.extend_from_slice(&scale.to_le_bytes());
    into.extend_from_slice(&base.to_le_bytes());
    let mut above = vec![0; centre.len().div_ceil(8)];
    for (place, (value, centre)) in pairs().enumerate() {
        let exact = (value - centre) / scale;
        let rounded = exact.round_ties_even().clamp(-127.0, 127.0);
        into.push((rounded as i8).cast_unsigned());
        above[place / 8] |= u8::from(exact > rounded) << (place % 8);
    }
    into.extend_from_slice(&above);
}

/// The vectors that [`pack`] has put one after the other, each with as many components as `dimensions`.
pub fn unpack(bytes: &[u8], dimensions: usize) -> impl Iterator<Item = Packed<'_>> {
    bytes.chunks_exact(HEAD_BYTES + dimensions + dimensions.div_ceil(8)).map(move |vector| {
        let (head, rest) = vector.split_at(HEAD_BYTES);
        let (scale, base) = head.split_at(4);
        let (bytes, above) = rest.split_at(dimensions);
        let number = |bytes: &[u8]| finite(f32::from_le_bytes(bytes.try_into().expect("half of the head")));
        Packed { scale: number(scale), base: number(base), bytes, above }
    })
}

impl Packed<'_> {
    /// The vector again, to within a quarter of its scale in each component.
    pub fn to_vector(&self, centre: &[f32]) -> Vec<f32> {
        let component = |(place, (byte, centre)): (usize, (&u8, &f32))| {
            centre + (f32::from(byte.cast_signed()) + side(self.above, place)) * self.scale
        };
        self.bytes.iter().zip(centre).enumerate().map(component).collect()
    }
}

/// What the bit of a component adds to its byte.
#[inline(always)]
fn side(above: &[u8], place: usize) -> f32 {
    if above[place / 8] >> (place % 8) & 1 == 1 { QUARTER } else { -QUARTER }
}

/// A component that is no number says nothing.
fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn vectors_are_read_back_to_within_rounding(
            vectors in prop::collection::vec(prop::collection::vec(-1.0..1.0_f32, 11), 0..4),
            centre in prop::collection::vec(-0.2..0.2_f32, 11),
        ) {
            let mut bytes = Vec::new();
            vectors.iter().for_each(|vector| pack(vector, &centre, &mut bytes));
            let read: Vec<Packed> = unpack(&bytes, 11).collect();
            prop_assert_eq!(read.len(), vectors.len());
            for (read, vector) in read.iter().zip(&vectors) {
                let close = |(read, value): (f32, &f32)| (read - value).abs() <= 0.2501 * 1.2 / 127.0;
                prop_assert!(read.to_vector(&centre).into_iter().zip(vector).all(close), "{:?}", vector);
                prop_assert_eq!(read.base, dot(vector, &centre));
            }
        }

        #[test]
        fn any_floats_can_be_packed(vector in prop::collection::vec(any::<f32>(), 11)) {
            let mut bytes = Vec::new();
            pack(&vector, &[0.1; 11], &mut bytes);
            for packed in unpack(&bytes, 11) {
                prop_assert!(packed.bytes.iter().all(|byte| byte.cast_signed() > i8::MIN));
                prop_assert!(packed.to_vector(&[0.1; 11]).iter().all(|value| !value.is_nan()));
            }
        }

        #[test]
        fn damaged_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            unpack(&bytes, 8).for_each(|packed| drop(packed.to_vector(&[0.0; 8])));
        }
    }
}
