//! Weighted feature hashes to bits: the merge and the reduction of SimHash (Charikar 2002;
//! docs/algorithm.md, sections 4 and 5).
//!
//! The sums of all bits are held at once, in binary: plane `i` holds bit `i` of every position's
//! sum. A hash is added to all positions by a carry-save adder (Harley and Seal's, 16 hashes at a
//! time), a weight at the planes of its set bits. In the end all sums are compared with half of the total at
//! once, from the highest plane down. `scalar` is the plain twin that it is tested against.

/// Planes: sums are below 2^64.
const PLANES: usize = 64;
/// Hashes of weight 1 that are added at once.
const BLOCK: usize = 16;

/// The weighted counts of ones at the positions of `W` words.
pub(crate) struct Counter<const W: usize> {
    planes: [[u64; W]; PLANES],
    /// Planes that are not all zero are below this one.
    height: usize,
    block: [[u64; W]; BLOCK],
    filled: usize,
    total: u64,
}

impl<const W: usize> Counter<W> {
    pub(crate) fn new() -> Self {
        Self {
            planes: [[0; W]; PLANES],
            height: 0,
            block: [[0; W]; BLOCK],
            filled: 0,
            total: 0,
        }
    }

    /// Adds a hash of weight 1.
    #[inline]
    pub(crate) fn add(&mut self, hash: [u64; W]) {
        self.block[self.filled] = hash;
        self.filled += 1;
        if self.filled == BLOCK {
            self.add_block();
        }
    }

    /// Adds a hash of any weight. The weights added between two calls of `finish` must sum to
    /// less than 2^64.
    pub(crate) fn add_weighted(&mut self, hash: [u64; W], weight: u64) {
        self.total += weight;
        let mut left = weight;
        while left != 0 {
            self.carry(left.trailing_zeros() as usize, hash);
            left &= left - 1;
        }
    }

    /// The fingerprint: 1 where ones weigh more than zeros. The counter is empty again.
    pub(crate) fn finish(&mut self) -> [u64; W] {
        if self.filled > 0 {
            // Hashes of zeros add nothing to the sums of ones.
            let missing = BLOCK - self.filled;
            self.block[self.filled..].fill([0; W]);
            self.add_block();
            self.total -= missing as u64;
        }
        // Ones weigh more if they weigh more than half of the total, rounded down.
        let half = self.total / 2;
        let mut greater = [0; W];
        // Nothing has reached the planes from `height` on.
        let reached = self.height == PLANES || half >> self.height == 0;
        let mut equal = [if reached { u64::MAX } else { 0 }; W];
        for plane in (0..self.height).rev() {
            let limit = if half >> plane & 1 == 1 { u64::MAX } else { 0 };
            for word in 0..W {
                let bits = self.planes[plane][word];
                greater[word] |= equal[word] & bits & !limit;
                equal[word] &= !(bits ^ limit);
            }
        }
        self.planes[..self.height].fill([0; W]);
        self.height = 0;
        self.total = 0;
        greater
    }

    /// Adds a word at a plane and carries what overflows into the planes above.
    #[inline]
    fn carry(&mut self, plane: usize, mut word: [u64; W]) {
        // Up to the height without asking whether anything is left: a branch that can be
        // predicted.
        let height = self.height.max(plane);
        for sum in &mut self.planes[plane..height] {
            half_add(sum, &mut word);
        }
        if word != [0; W] {
            self.planes[height] = word;
            self.height = height + 1;
        }
    }

    #[inline(never)]
    fn add_block(&mut self) {
        let [ones, twos, fours, eights, ..] = &mut self.planes;
        let block = &self.block;
        let mut sixteens = [0; W];
        for w in 0..W {
            let d = |index: usize| block[index][w];
            let (a, one) = full_add(ones[w], d(0), d(1));
            let (b, one) = full_add(one, d(2), d(3));
            let (e, two) = full_add(twos[w], a, b);
            let (a, one) = full_add(one, d(4), d(5));
            let (b, one) = full_add(one, d(6), d(7));
            let (f, two) = full_add(two, a, b);
            let (i, four) = full_add(fours[w], e, f);
            let (a, one) = full_add(one, d(8), d(9));
            let (b, one) = full_add(one, d(10), d(11));
            let (e, two) = full_add(two, a, b);
            let (a, one) = full_add(one, d(12), d(13));
            let (b, one) = full_add(one, d(14), d(15));
            let (f, two) = full_add(two, a, b);
            let (j, four) = full_add(four, e, f);
            let (sixteen, eight) = full_add(eights[w], i, j);
            (ones[w], twos[w], fours[w], eights[w]) = (one, two, four, eight);
            sixteens[w] = sixteen;
        }
        self.total += BLOCK as u64;
        self.filled = 0;
        self.height = self.height.max(4);
        self.carry(4, sixteens);
    }
}

/// Adds a bit at 64 positions at once; the bit becomes the carry.
#[inline]
fn half_add<const W: usize>(sum: &mut [u64; W], bit: &mut [u64; W]) {
    for (sum, bit) in sum.iter_mut().zip(bit) {
        (*sum, *bit) = (*sum ^ *bit, *sum & *bit);
    }
}

/// Carry and sum of three bits, at 64 positions at once.
#[inline]
const fn full_add(a: u64, b: u64, c: u64) -> (u64, u64) {
    let partial = a ^ b;
    ((a & b) | (partial & c), partial ^ c)
}

/// The fingerprint from sums that are made one addition at a time.
#[cfg(test)]
fn scalar<const W: usize>(features: impl Iterator<Item = ([u64; W], u64)>) -> [u64; W] {
    let mut sums = vec![0_i128; 64 * W];
    for (hash, weight) in features {
        for (position, sum) in sums.iter_mut().enumerate() {
            let one = hash[position / 64] >> (63 - position % 64) & 1 == 1;
            *sum += if one {
                i128::from(weight)
            } else {
                -i128::from(weight)
            };
        }
    }
    let mut bits = [0; W];
    for (position, _) in sums.iter().enumerate().filter(|(_, sum)| **sum > 0) {
        bits[position / 64] |= 1 << (63 - position % 64);
    }
    bits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hash::feature_hash;

    fn check<const W: usize>(weights: &[u64]) {
        let features = || {
            weights
                .iter()
                .zip(0_u64..)
                .map(|(&w, i)| (feature_hash::<W>(&i.to_le_bytes()), w))
        };
        let mut counter = Counter::new();
        for _ in 0..2 {
            for (hash, weight) in features() {
                if weight == 1 {
                    counter.add(hash);
                } else {
                    counter.add_weighted(hash, weight);
                }
            }
            assert_eq!(counter.finish(), scalar(features()));
        }
    }

    proptest! {
        #[test]
        fn planes_and_plain_sums_agree(weights in prop::collection::vec(prop_oneof![3 => Just(1_u64), 1 => 0..1_u64 << 50], 0..100)) {
            check::<1>(&weights);
            check::<2>(&weights);
            check::<4>(&weights);
        }

        #[test]
        fn many_of_weight_one(count in 0_usize..3000) {
            check::<1>(&vec![1; count]);
        }
    }

    #[test]
    fn no_sum_overflows() {
        check::<1>(&[1 << 62, 1, 1 << 61, 255, 256, 65_536, 1 << 32]);
    }
}
