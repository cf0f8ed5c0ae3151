//! The vectors of a text as bytes: of each part a scale, then each component's difference from the centre in 8 bits.
//!
//! Vectors of one model share a large part. Without it, 8 bits resolve what differs three times finer.

/// The bytes of the parts of one text.
pub(super) struct StoredVectors(Vec<u8>);

impl StoredVectors {
    /// Rounds the vectors; each difference's largest component becomes 127.
    pub(super) fn of(parts: &[Vec<f32>], centre: &[f32]) -> Self {
        let mut bytes = Vec::with_capacity(parts.len() * (4 + centre.len()));
        for part in parts {
            let differences = || part.iter().zip(centre).map(|(value, centre)| finite(*value) - centre);
            let largest = differences().fold(0.0_f32, |largest, value| largest.max(value.abs()));
            let scale = if largest > 0.0 { largest / 127.0 } else { 1.0 };
            bytes.extend_from_slice(&scale.to_le_bytes());
            bytes.extend(differences().map(|value| ((value / scale).round() as i8).cast_unsigned()));
        }
        Self(bytes)
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The vectors again, to within rounding.
    pub(super) fn read(bytes: &[u8], centre: &[f32]) -> impl Iterator<Item = Vec<f32>> {
        bytes.chunks_exact(4 + centre.len()).map(move |part| {
            let (scale, differences) = part.split_at(4);
            let scale = f32::from_le_bytes(scale.try_into().expect("four bytes"));
            let value = |(byte, centre): (&u8, &f32)| centre + f32::from(byte.cast_signed()) * scale;
            differences.iter().zip(centre).map(value).collect()
        })
    }
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
            parts in prop::collection::vec(prop::collection::vec(-1.0..1.0_f32, 8), 0..4),
            centre in prop::collection::vec(-0.2..0.2_f32, 8),
        ) {
            let stored = StoredVectors::of(&parts, &centre);
            let read: Vec<Vec<f32>> = StoredVectors::read(stored.as_bytes(), &centre).collect();
            prop_assert_eq!(read.len(), parts.len());
            for (read, part) in read.iter().zip(&parts) {
                prop_assert!(read.iter().zip(part).all(|(a, b)| (a - b).abs() < 0.006), "{:?} {:?}", read, part);
            }
        }

        #[test]
        fn storing_again_what_was_read_changes_nothing(part in prop::collection::vec(-1.0..1.0_f32, 8)) {
            let centre = [0.1; 8];
            let once = StoredVectors::of(&[part], &centre);
            let read: Vec<Vec<f32>> = StoredVectors::read(once.as_bytes(), &centre).collect();
            let again = StoredVectors::of(&read, &centre);
            prop_assert_eq!(&again.as_bytes()[4..], &once.as_bytes()[4..]);
        }

        #[test]
        fn damaged_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            StoredVectors::read(&bytes, &[0.0; 8]).for_each(drop);
        }
    }
}
