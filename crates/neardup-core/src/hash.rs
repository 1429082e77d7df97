//! The one feature hash: XXH3, whose output is a published, frozen format.

use xxhash_rust::xxh3::{xxh3_64, xxh3_128, xxh3_128_with_seed};

/// Hash of a feature: `W` 64-bit words, the most significant first.
///
/// One word is XXH3-64, two are XXH3-128, four are XXH3-128 with seeds 0 and 1
/// (docs/algorithm.md, section 2).
#[inline(always)] // short features take less time than a call
pub(crate) fn feature_hash<const W: usize>(feature: &[u8]) -> [u64; W] {
    let mut words = [0; W];
    if W == 1 {
        words[0] = xxh3_64(feature);
    } else {
        split(xxh3_128(feature), &mut words[..2]);
        if W == 4 {
            split(xxh3_128_with_seed(feature, 1), &mut words[2..]);
        }
    }
    words
}

/// Digest of a whole text, to tell equal texts from near ones.
pub(crate) fn text_digest(text: &[u8]) -> [u64; 2] {
    let mut words = [0; 2];
    split(xxh3_128(text), &mut words);
    words
}

/// Digest of a table or a profile, as it stands in text forms.
pub(crate) fn digest_hex(bytes: &[u8]) -> String {
    format!("{:016x}", xxh3_64(bytes))
}

fn split(hash: u128, words: &mut [u64]) {
    words[0] = (hash >> 64) as u64;
    words[1] = hash as u64;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the reference implementation (xxHash 0.8, `xxhsum -H3` and `-H2`).
    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(feature_hash::<1>(b""), [0x2d06_8005_38d3_94c2]);
        assert_eq!(feature_hash::<1>(b"abc"), [0x78af_5f94_892f_3950]);
        assert_eq!(
            feature_hash::<2>(b""),
            [0x99aa_06d3_0147_98d8, 0x6001_c324_468d_497f]
        );
        assert_eq!(
            feature_hash::<2>(b"abc"),
            [0x06b0_5ab6_733a_6185, 0x78af_5f94_892f_3950]
        );
        assert_eq!(feature_hash::<4>(b"abc")[..2], feature_hash::<2>(b"abc"));
    }
}
