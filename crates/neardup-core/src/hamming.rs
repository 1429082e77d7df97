//! Hamming distance, and the linear scan that every matcher is judged by.

use crate::error::{Error, Result};
use crate::profile::MAX_BITS;

/// Number of differing bits of two fingerprints of `W` words.
#[inline]
pub(crate) fn distance<const W: usize>(a: &[u64; W], b: &[u64; W]) -> u32 {
    let mut count = 0;
    for word in 0..W {
        count += (a[word] ^ b[word]).count_ones();
    }
    count
}

/// Distances of the rows of `a` and `b`, which have `width` words each; a single row of either
/// is compared with all rows of the other.
///
/// # Errors
/// If the numbers of rows don't go together.
pub fn distance_many(a: &[u64], b: &[u64], width: usize) -> Result<Vec<u16>> {
    if width == 0 || width > MAX_BITS / 64 {
        return Err(Error::argument(format!(
            "expected 1 to 4 words a fingerprint, found {width}"
        )));
    }
    let (left, right) = (a.len() / width, b.len() / width);
    if left != right && left != 1 && right != 1 {
        return Err(Error::argument(format!(
            "expected as many fingerprints on both sides, or one on either, found {left} and {right}"
        )));
    }
    let rows = if left == 1 { right } else { left };
    let row = |rows: usize, index: usize| {
        let start = if rows == 1 { 0 } else { index * width };
        start..start + width
    };
    Ok((0..rows)
        .map(|index| {
            let pairs = a[row(left, index)].iter().zip(&b[row(right, index)]);
            pairs.map(|(a, b)| (a ^ b).count_ones()).sum::<u32>() as u16
        })
        .collect())
}

/// All pairs `(i, j, distance)` with `i < j` and a distance of at most `max_distance`, in order:
/// O(n²) and evidently right.
#[cfg(test)]
pub(crate) fn scan<const W: usize>(rows: &[[u64; W]], max_distance: u32) -> Vec<(u32, u32, u16)> {
    let mut pairs = Vec::new();
    for (i, a) in rows.iter().enumerate() {
        for (j, b) in rows.iter().enumerate().skip(i + 1) {
            let distance = distance(a, b);
            if distance <= max_distance {
                pairs.push((i as u32, j as u32, distance as u16));
            }
        }
    }
    pairs
}
