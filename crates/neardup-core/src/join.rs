//! All pairs of fingerprints within a Hamming distance, none missed, each once.
//!
//! The way to find them is behind [`find_pairs`], the only entry: equal fingerprints are collapsed,
//! then the pairs among the distinct ones come either from a linear scan or from blocks (Manku, Jain and
//! Das Sarma, WWW 2007): the bits are cut into m blocks; k differing bits leave at least m - k
//! blocks untouched, so two fingerprints within the distance agree on all bits of some choice of
//! m - k blocks. Every choice is a table; fingerprints with the same key in it are compared.
//! Worst case, when all fingerprints share their keys: O(tables * n²) time. Memory: 16 bytes a
//! fingerprint and thread, and the pairs.

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::hamming::distance;
use crate::profile::MAX_BITS;
use crate::progress::{Progress, with_threads};

/// The pairs of a set of fingerprints; indices are rows of the input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// For every row the first row with the same fingerprint (itself, if it is the first or not
    /// valid).
    pub representative: Vec<u32>,
    /// Pairs of representatives at a distance of at least 1, `left < right`, in order.
    pub left: Vec<u32>,
    /// The other ends.
    pub right: Vec<u32>,
    /// Their distances.
    pub distance: Vec<u16>,
}

/// What is asked of [`find_pairs`].
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// `ceil(bits / 64)` words a fingerprint, the most significant first.
    pub words: &'a [u64],
    /// Width of the fingerprints.
    pub bits: usize,
    /// Rows that have a fingerprint; `None` for all.
    pub valid: Option<&'a [bool]>,
    /// The largest distance of a pair.
    pub max_distance: u32,
    /// The largest number of pairs that may be held in memory.
    pub limit: usize,
}

/// Finds all pairs within a distance. The answer doesn't depend on the number of threads.
///
/// # Errors
/// If the arrays don't fit together, there are more pairs than the limit, or the work was
/// cancelled.
pub fn find_pairs(query: &Query<'_>, threads: usize, progress: &Progress) -> Result<Pairs> {
    let Query {
        words, bits, valid, ..
    } = *query;
    if !(1..=MAX_BITS).contains(&bits) {
        return Err(Error::argument(format!(
            "bits must be from 1 to {MAX_BITS}, found {bits}"
        )));
    }
    let width = bits.div_ceil(64);
    let rows = words.len() / width;
    if words.len() % width != 0 || valid.is_some_and(|valid| valid.len() != rows) {
        return Err(Error::argument(format!(
            "expected {width} words and one mark a fingerprint"
        )));
    }
    if u32::try_from(rows).is_err() {
        return Err(Error::argument(format!(
            "at most 2^32 - 1 fingerprints, found {rows}"
        )));
    }
    with_threads(threads, || match width {
        1 => find::<1>(query, progress),
        2 => find::<2>(query, progress),
        3 => find::<3>(query, progress),
        _ => find::<4>(query, progress),
    })
}

fn find<const W: usize>(query: &Query<'_>, progress: &Progress) -> Result<Pairs> {
    let rows = query.words.as_chunks::<W>().0;
    let (representative, distinct) = collapse(rows, query.valid);
    progress.check()?;
    let fingerprints: Vec<[u64; W]> = distinct.iter().map(|&row| rows[row as usize]).collect();
    let mut found = if query.max_distance == 0 {
        Vec::new()
    } else {
        among_distinct(&fingerprints, query, progress)?
    };
    found.par_sort_unstable();
    let mut pairs = Pairs {
        representative,
        ..Pairs::default()
    };
    for (left, right, distance) in found {
        pairs.left.push(distinct[left as usize]);
        pairs.right.push(distinct[right as usize]);
        pairs.distance.push(distance);
    }
    Ok(pairs)
}

/// For every row the first equal one; and the rows that are the first of their fingerprint.
fn collapse<const W: usize>(rows: &[[u64; W]], valid: Option<&[bool]>) -> (Vec<u32>, Vec<u32>) {
    let mut representative: Vec<u32> = (0..rows.len() as u32).collect();
    let mut order: Vec<u32> = match valid {
        Some(valid) => (0..rows.len() as u32)
            .filter(|&row| valid[row as usize])
            .collect(),
        None => representative.clone(),
    };
    order.par_sort_unstable_by_key(|&row| (rows[row as usize], row));
    let mut distinct = Vec::new();
    for equal in order.chunk_by(|&a, &b| rows[a as usize] == rows[b as usize]) {
        distinct.push(equal[0]);
        for &row in equal {
            representative[row as usize] = equal[0];
        }
    }
    distinct.sort_unstable();
    (representative, distinct)
}

type Pair = (u32, u32, u16);

fn among_distinct<const W: usize>(
    fingerprints: &[[u64; W]],
    query: &Query<'_>,
    progress: &Progress,
) -> Result<Vec<Pair>> {
    let k = query.max_distance;
    let Some(blocks) = Blocks::<W>::plan(fingerprints, query.bits, k) else {
        return blockwise_scan(fingerprints, k, query.limit, progress);
    };
    let tables = blocks.tables();
    progress.expect(tables.len() as u64);
    let found = tables
        .par_iter()
        .map(|&table| {
            let pairs = blocks.join(table, fingerprints, k, query.limit, progress)?;
            progress.advance(1);
            Ok(pairs)
        })
        .collect::<Result<Vec<_>>>()?;
    let total: usize = found.iter().map(Vec::len).sum();
    if total > query.limit {
        return Err(too_many(query.limit));
    }
    Ok(found.concat())
}

fn too_many(limit: usize) -> Error {
    Error::argument(format!(
        "more than {limit} pairs are within the distance, too many to hold in memory; a smaller \
         distance, or longer features, would tell these texts apart"
    ))
}

/// The linear scan by rows, in parallel: for distances at which no table pays.
fn blockwise_scan<const W: usize>(
    fingerprints: &[[u64; W]],
    k: u32,
    limit: usize,
    progress: &Progress,
) -> Result<Vec<Pair>> {
    progress.expect(fingerprints.len() as u64);
    let rows = fingerprints
        .par_iter()
        .enumerate()
        .map(|(left, a)| {
            progress.check()?;
            progress.advance(1);
            let others = fingerprints.iter().enumerate().skip(left + 1);
            Ok(others
                .map(|(right, b)| (left as u32, right as u32, distance(a, b) as u16))
                .filter(|pair| u32::from(pair.2) <= k)
                .collect())
        })
        .collect::<Result<Vec<Vec<Pair>>>>()?;
    if rows.iter().map(Vec::len).sum::<usize>() > limit {
        return Err(too_many(limit));
    }
    Ok(rows.concat())
}

/// A cut of the bits into blocks, of which every choice of `chosen` is a table.
struct Blocks<const W: usize> {
    masks: Vec<[u64; W]>,
    chosen: u32,
}

/// Fingerprints that are looked at to learn how often blocks agree.
const SAMPLE: usize = 2048;
/// More tables than this never pay against the scan.
const MOST_TABLES: f64 = 1024.0;
/// Cost of sorting a fingerprint into a table, in comparisons.
const SORT_COST: f64 = 60.0;

impl<const W: usize> Blocks<W> {
    /// The number of blocks with the smallest expected cost; `None` if that is the scan.
    fn plan(fingerprints: &[[u64; W]], bits: usize, k: u32) -> Option<Self> {
        let n = fingerprints.len() as f64;
        let all_pairs = n * n / 2.0;
        let mut best = (all_pairs, None);
        for count in k as usize + 1..=bits.min(64) {
            let chosen = count as u32 - k;
            let tables = choices(count, chosen as usize);
            if tables > MOST_TABLES {
                break;
            }
            let blocks = Self {
                masks: masks(bits, count),
                chosen,
            };
            let cost =
                tables * n * SORT_COST + all_pairs * blocks.expected_agreements(fingerprints);
            if cost < best.0 {
                best = (cost, Some(blocks));
            }
        }
        best.1
    }

    /// The expected number of tables in which two fingerprints agree, from a sample: the elementary symmetric
    /// polynomial of the blocks' frequencies of agreement, as if blocks were independent.
    fn expected_agreements(&self, fingerprints: &[[u64; W]]) -> f64 {
        let step = fingerprints.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<&[u64; W]> = fingerprints.iter().step_by(step).collect();
        let pairs = sample.len() as f64 * (sample.len() as f64 - 1.0) / 2.0;
        let mut polynomial = vec![0.0; self.chosen as usize + 1];
        polynomial[0] = 1.0;
        for mask in &self.masks {
            let mut keys: Vec<[u64; W]> = sample.iter().map(|row| and(row, mask)).collect();
            keys.sort_unstable();
            let equal: f64 = keys
                .chunk_by(|a, b| a == b)
                .map(|equal| equal.len() as f64 * (equal.len() as f64 - 1.0) / 2.0)
                .sum();
            let width: u32 = mask.iter().map(|word| word.count_ones()).sum();
            let agreement = (equal / pairs.max(1.0)).max(0.5_f64.powi(width.cast_signed()));
            for degree in (1..polynomial.len()).rev() {
                polynomial[degree] += polynomial[degree - 1] * agreement;
            }
        }
        polynomial[self.chosen as usize]
    }

    /// All choices of blocks, as sets of bits.
    fn tables(&self) -> Vec<u64> {
        let count = self.masks.len() as u32;
        let mut tables = Vec::new();
        let last = lowest(u64::MAX >> (64 - count), self.chosen) << (count - self.chosen);
        let mut table = lowest(u64::MAX, self.chosen);
        loop {
            tables.push(table);
            if table == last {
                return tables;
            }
            // The next larger number with as many bits (Gosper).
            let low = table & table.wrapping_neg();
            let ripple = table + low;
            table = ripple | (((table ^ ripple) >> 2) / low);
        }
    }

    /// The pairs that this table is the first to find.
    fn join(
        &self,
        table: u64,
        fingerprints: &[[u64; W]],
        k: u32,
        limit: usize,
        progress: &Progress,
    ) -> Result<Vec<Pair>> {
        let mut mask = [0; W];
        for block in (0..self.masks.len()).filter(|block| table >> block & 1 == 1) {
            for (word, bits) in mask.iter_mut().zip(&self.masks[block]) {
                *word |= bits;
            }
        }
        progress.check()?;
        let mut keys: Vec<(u64, u32)> = fingerprints
            .iter()
            .zip(0..)
            .map(|(fingerprint, row)| (mix(&and(fingerprint, &mask)), row))
            .collect();
        keys.par_sort_unstable();
        let mut pairs = Vec::new();
        for bucket in keys.chunk_by(|a, b| a.0 == b.0) {
            for (place, &(_, left)) in bucket.iter().enumerate() {
                if place % 1024 == 1023 {
                    progress.check()?;
                }
                let a = &fingerprints[left as usize];
                for &(_, right) in &bucket[place + 1..] {
                    let b = &fingerprints[right as usize];
                    let distance = distance(a, b);
                    if distance <= k && self.first_table(a, b) == table {
                        pairs.push((left, right, distance as u16));
                    }
                }
                if pairs.len() > limit {
                    return Err(too_many(limit));
                }
            }
        }
        Ok(pairs)
    }

    /// The first table in which two fingerprints within the distance agree: its blocks are the
    /// lowest of all blocks they agree on.
    fn first_table(&self, a: &[u64; W], b: &[u64; W]) -> u64 {
        let mut agreed = 0;
        for (block, mask) in self.masks.iter().enumerate() {
            let equal = (0..W).all(|word| (a[word] ^ b[word]) & mask[word] == 0);
            agreed |= u64::from(equal) << block;
        }
        lowest(agreed, self.chosen)
    }
}

/// The `count` lowest set bits.
fn lowest(mut set: u64, count: u32) -> u64 {
    let all = set;
    for _ in 0..count {
        set &= set.wrapping_sub(1);
    }
    all ^ set
}

fn and<const W: usize>(row: &[u64; W], mask: &[u64; W]) -> [u64; W] {
    std::array::from_fn(|word| row[word] & mask[word])
}

/// One word for a key. Keys that fall together only cost a comparison: agreement is checked.
fn mix<const W: usize>(key: &[u64; W]) -> u64 {
    if W == 1 {
        return key[0];
    }
    key.iter().fold(0, |hash: u64, word| {
        (hash.rotate_left(29) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

/// Contiguous blocks of nearly equal widths. Bit 0 is the least significant of the last word.
fn masks<const W: usize>(bits: usize, count: usize) -> Vec<[u64; W]> {
    let mut masks = vec![[0; W]; count];
    for bit in 0..bits {
        masks[bit * count / bits][W - 1 - bit / 64] |= 1 << (bit % 64);
    }
    masks
}

fn choices(n: usize, k: usize) -> f64 {
    (0..k.min(n - k)).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hamming::scan;

    /// Rows with many near ones: copies of a few with some bits turned.
    fn rows<const W: usize>(
        seed: u64,
        count: usize,
        bits: usize,
        most_turned: u64,
    ) -> Vec<[u64; W]> {
        let mut state = seed;
        let mut random = move || {
            // SplitMix64.
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        };
        let all = masks::<W>(bits, 1)[0];
        let mut rows: Vec<[u64; W]> = Vec::new();
        for index in 0..count {
            let mut row: [u64; W] = std::array::from_fn(|word| random() & all[word]);
            if index > 0 && !random().is_multiple_of(4) {
                row = rows[random() as usize % index];
                for _ in 0..random() % (most_turned + 1) {
                    let bit = random() as usize % bits;
                    row[W - 1 - bit / 64] ^= 1 << (bit % 64);
                }
            }
            rows.push(row);
        }
        rows
    }

    fn check<const W: usize>(seed: u64, count: usize, bits: usize, k: u32, threads: usize) {
        let rows = rows::<W>(seed, count, bits, u64::from(k) + 2);
        let query = Query {
            words: rows.as_flattened(),
            bits,
            valid: None,
            max_distance: k,
            limit: usize::MAX,
        };
        let pairs = find_pairs(&query, threads, &Progress::default()).expect("an answer");
        let expected: Vec<Pair> = scan(&rows, k)
            .into_iter()
            .filter(|&(left, right, distance)| {
                let first = |row: u32| pairs.representative[row as usize] == row;
                distance > 0 && first(left) && first(right)
            })
            .collect();
        let found: Vec<Pair> = (0..pairs.left.len())
            .map(|i| (pairs.left[i], pairs.right[i], pairs.distance[i]))
            .collect();
        assert_eq!(found, expected, "bits {bits}, k {k}");
        for (row, &first) in pairs.representative.iter().enumerate() {
            assert_eq!(
                rows.iter().position(|other| *other == rows[row]),
                Some(first as usize)
            );
        }
        // Every plan, also those that this count of rows would not choose.
        let (_, distinct) = collapse(&rows, None);
        let fingerprints: Vec<[u64; W]> = distinct.iter().map(|&row| rows[row as usize]).collect();
        for count in k as usize + 1..=bits.min(k as usize + 3).min(64) {
            let blocks = Blocks::<W> {
                masks: masks(bits, count),
                chosen: count as u32 - k,
            };
            let mut all: Vec<Pair> = blocks
                .tables()
                .into_iter()
                .flat_map(|table| {
                    blocks
                        .join(table, &fingerprints, k, usize::MAX, &Progress::default())
                        .expect("an answer")
                })
                .collect();
            all.sort_unstable();
            assert_eq!(
                all,
                scan(&fingerprints, k),
                "bits {bits}, k {k}, {count} blocks"
            );
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn pairs_are_those_of_the_scan(seed: u64, count in 0_usize..120, bits in 1_usize..=256, k in 0_u32..9, threads in 1_usize..4) {
            match bits.div_ceil(64) {
                1 => check::<1>(seed, count, bits, k, threads),
                2 => check::<2>(seed, count, bits, k, threads),
                3 => check::<3>(seed, count, bits, k, threads),
                _ => check::<4>(seed, count, bits, k, threads),
            }
        }
    }

    #[test]
    fn at_the_distance_and_one_beyond() {
        for (bits, k) in [(64, 3), (64, 64), (64, 63), (8, 2), (1, 1)] {
            let turned = |count: u32| {
                if count == 64 {
                    u64::MAX
                } else {
                    (1 << count) - 1
                }
            };
            let words = [0, turned(k), turned((k + 1).min(bits as u32))];
            let query = Query {
                words: &words,
                bits,
                valid: None,
                max_distance: k,
                limit: 9,
            };
            let pairs = find_pairs(&query, 1, &Progress::default()).expect("an answer");
            assert!(
                pairs
                    .left
                    .iter()
                    .zip(&pairs.right)
                    .any(|pair| pair == (&0, &1))
            );
            assert!(
                !pairs
                    .right
                    .iter()
                    .zip(&pairs.left)
                    .any(|pair| pair == (&2, &0))
            );
        }
    }

    #[test]
    fn large_sets_use_tables() {
        let rows = rows::<1>(7, 20_000, 64, 6);
        assert!(Blocks::plan(&rows, 64, 3).is_some());
        check::<1>(7, 3000, 64, 3, 2);
    }

    #[test]
    fn rows_without_fingerprint_meet_nobody() {
        let query = Query {
            words: &[5, 5, 5, 4],
            bits: 64,
            valid: Some(&[true, false, true, false]),
            max_distance: 3,
            limit: 9,
        };
        let pairs = find_pairs(&query, 1, &Progress::default()).expect("an answer");
        assert_eq!(pairs.representative, [0, 1, 0, 3]);
        assert!(pairs.left.is_empty());
    }

    #[test]
    fn too_many_pairs_and_a_wish_to_stop_are_errors() {
        let words: Vec<u64> = (0..64).map(|bit| 1 << bit).collect();
        let query = Query {
            words: &words,
            bits: 64,
            valid: None,
            max_distance: 2,
            limit: 2015,
        };
        assert!(find_pairs(&query, 1, &Progress::default()).is_err());
        assert_eq!(
            find_pairs(
                &Query {
                    limit: 2016,
                    ..query
                },
                1,
                &Progress::default()
            )
            .expect("fits")
            .left
            .len(),
            2016
        );
        let stopped = Progress::default();
        stopped.cancel();
        assert!(find_pairs(&query, 1, &stopped).is_err());
    }
}
