//! The dot product of two vectors of floats.

/// The dot product of `left` and `right`: of vectors of length 1, the cosine of the angle between them.
///
/// It is summed from the first component to the last, so every machine gives the same bits; what only the longer one has is left
/// out.
#[must_use]
pub fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_length_one_are_as_close_as_their_angle_says() {
        assert_eq!(dot(&[0.6, 0.8], &[0.6, 0.8]), 1.0);
        assert_eq!(dot(&[0.6, 0.8], &[-0.8, 0.6]), 0.0);
        assert_eq!(dot(&[0.6, 0.8], &[-0.6, -0.8]), -1.0);
    }

    #[test]
    fn what_only_one_has_is_left_out() {
        assert_eq!(dot(&[1.0, 2.0, 3.0], &[1.0, 2.0]), 5.0);
        assert_eq!(dot(&[], &[1.0]), 0.0);
    }
}
