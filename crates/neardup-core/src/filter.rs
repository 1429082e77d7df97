//! The Bloom filter of the characters that words begin with. Also part of `build.rs`, which fills it.

/// Bytes of the filter: small enough for the second cache, large enough to be right nine times of ten.
pub(crate) const FILTER_BYTES: usize = 1 << 18;

/// The byte and the bit of two characters.
#[inline]
pub(crate) fn bucket(first: char, second: char) -> (usize, u8) {
    let pair = u64::from(u32::from(first)) << 32 | u64::from(u32::from(second));
    let hash = (pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 43) as usize;
    (hash >> 3, 1 << (hash & 7))
}
