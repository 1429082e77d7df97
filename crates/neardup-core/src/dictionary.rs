//! Cuts Han text into words: the cut of largest probability by jieba's dictionary, in integers
//! (docs/algorithm.md, "Cut Han text by the dictionary").
//!
//! The same rule as `jieba.cut(text, HMM=False)`; the dictionary is a double-array trie, so that a
//! run of n characters costs O(n * longest word) steps and one byte a character of memory.

use std::sync::LazyLock;

use crawdad::Trie;

use crate::characters::is_han;
use crate::error::{Error, Result};
use crate::filter::{FILTER_BYTES, bucket};

include!(concat!(env!("OUT_DIR"), "/dictionary.rs"));

/// The longest word of a user's dictionary, in characters: costs are kept for so many positions.
const LONGEST: usize = 63;
/// The level of a word that the level table does not hold.
pub(crate) const UNKNOWN_LEVEL: u8 = 3;

static BUILT_IN: LazyLock<Trie> = LazyLock::new(|| {
    Trie::deserialize_from_slice(include_bytes!(concat!(env!("OUT_DIR"), "/dictionary.trie"))).0
});

/// For every bucket of two characters whether a word may begin with them: a Bloom filter of one
/// hash. Most pairs of neighbours begin no word, and this says so from a faster cache than the
/// trie's.
static BEGINNINGS: &[u8; FILTER_BYTES] =
    include_bytes!(concat!(env!("OUT_DIR"), "/beginnings.bits"));

/// The values of the words of one character, by their places in the main block.
static SINGLES: LazyLock<Box<[u32]>> = LazyLock::new(|| {
    MAIN_BLOCK
        .map(|c| BUILT_IN.exact_match([c]).unwrap_or(NO_WORD))
        .collect()
});

/// In place of a value; larger than any.
const NO_WORD: u32 = u32::MAX;
const MAIN_BLOCK: std::ops::Range<char> = '\u{4E00}'..'\u{A000}';

/// jieba's dictionary, and a user's words beside it.
#[derive(Default)]
pub(crate) struct Dictionary {
    user: Option<UserWords>,
}

struct UserWords {
    /// From a word to its place in `costs`.
    trie: Trie,
    costs: Vec<u64>,
}

impl Dictionary {
    /// jieba's dictionary with `words`, which are sorted and distinct, beside it.
    ///
    /// # Errors
    /// If a word has other characters than Han, or more than 63 of them.
    pub(crate) fn with_words<S: AsRef<str>>(words: &[S]) -> Result<Self> {
        let mut costs = Vec::with_capacity(words.len());
        for word in words.iter().map(AsRef::as_ref) {
            if word.is_empty() || !word.chars().all(is_han) || word.chars().count() > LONGEST {
                return Err(Error::profile(format!(
                    "a word of the dictionary must be 1 to {LONGEST} Han characters, found \
                     {word:?}; words of other scripts are cut at Unicode word boundaries"
                )));
            }
            costs.push(Self::default().cheapest_cut(word, &mut Vec::new()) - 1);
        }
        if words.is_empty() {
            return Ok(Self::default());
        }
        let trie = Trie::from_keys(words)
            .map_err(|error| Error::profile(format!("the dictionary can't be built: {error}")))?;
        Ok(Self {
            user: Some(UserWords { trie, costs }),
        })
    }

    /// The level (1 to 5) of a word by its inverse document frequency.
    pub(crate) fn level(word: &str) -> u8 {
        match BUILT_IN.exact_match(word.chars()) {
            Some(value) if value & 7 != 0 => (value & 7) as u8,
            _ => UNKNOWN_LEVEL,
        }
    }

    /// Passes the words of `run`, which has Han characters only, to `emit`.
    pub(crate) fn cut(&self, run: &str, lengths: &mut Vec<u8>, mut emit: impl FnMut(&str)) {
        self.cheapest_cut(run, lengths);
        let mut rest = run;
        let mut places = lengths.iter().rev();
        while let Some(&length) = places.next() {
            let (word, tail) = rest.split_at(usize::from(length));
            emit(word);
            rest = tail;
            let inside = word.chars().count() - 1;
            if inside > 0 {
                places.nth(inside - 1);
            }
        }
    }

    /// The cost of the cheapest cut; `lengths` gets, from the last character to the first, the
    /// bytes of the word that the cheapest cut from there on begins with.
    fn cheapest_cut(&self, run: &str, lengths: &mut Vec<u8>) -> u64 {
        lengths.clear();
        // The costs from the next positions on; entry `place % (LONGEST + 1)`, places counted
        // from the end of the run.
        let mut costs = [0_u64; LONGEST + 1];
        let mut cost = 0;
        let mut next = None;
        for (place, (start, character)) in run.char_indices().rev().enumerate() {
            let place = place + 1;
            let rest = &run[start..];
            let mut best = (u64::MAX, 0);
            let at = |length: usize| costs[(place - length) % (LONGEST + 1)];
            if next.is_some_and(|next| may_begin(character, next)) {
                for (value, length) in BUILT_IN.common_prefix_search(rest.chars()) {
                    best = cheaper(best, (u64::from(value >> 3) + at(length), length));
                }
            } else if let Some(value) = single(character) {
                best = (u64::from(value >> 3) + at(1), 1);
            }
            next = Some(character);
            if let Some(user) = &self.user {
                for (index, length) in user.trie.common_prefix_search(rest.chars()) {
                    best = cheaper(best, (user.costs[index as usize] + at(length), length));
                }
            }
            let (best, length) = if best.1 == 0 {
                (u64::from(UNKNOWN_COST) + at(1), 1)
            } else {
                best
            };
            cost = best;
            costs[place % (LONGEST + 1)] = cost;
            let bytes = match length {
                1 => character.len_utf8(),
                _ => rest
                    .char_indices()
                    .nth(length)
                    .map_or(rest.len(), |(end, _)| end),
            };
            lengths.push(bytes as u8);
        }
        cost
    }
}

/// Whether a word of the built-in dictionary may begin with two characters; if not, none does.
fn may_begin(first: char, second: char) -> bool {
    let (byte, bit) = bucket(first, second);
    BEGINNINGS[byte] & bit != 0
}

/// The value of a word of one character.
fn single(c: char) -> Option<u32> {
    match SINGLES.get((u32::from(c) as usize).wrapping_sub(MAIN_BLOCK.start as usize)) {
        Some(&value) => (value != NO_WORD).then_some(value),
        None => BUILT_IN.exact_match([c]),
    }
}

/// The cheaper of two words to begin with, as (cost of the rest with it, length); of equal ones
/// the longer.
fn cheaper(a: (u64, usize), b: (u64, usize)) -> (u64, usize) {
    if b.0 < a.0 || (b.0 == a.0 && b.1 > a.1) {
        b
    } else {
        a
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(dictionary: &Dictionary, run: &str) -> Vec<String> {
        let mut words = Vec::new();
        dictionary.cut(run, &mut Vec::new(), |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn words_are_those_of_jieba() {
        let jieba = jieba_rs::Jieba::new();
        for run in [
            "",
            "的",
            "我来到北京清华大学",
            "小明硕士毕业于中国科学院计算所",
            "南京市长江大桥",
            "㐀㐁龘",
        ] {
            assert_eq!(
                cut(&Dictionary::default(), run),
                jieba
                    .cut(run, false)
                    .into_iter()
                    .map(|token| token.word)
                    .collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn a_users_word_is_preferred() {
        let run = "我们重构了云原生底座项目";
        let dictionary = Dictionary::with_words(&["云原生底座"]).expect("a Han word");
        assert!(!cut(&Dictionary::default(), run).contains(&"云原生底座".to_owned()));
        assert!(cut(&dictionary, run).contains(&"云原生底座".to_owned()));
        let long = "云".repeat(63);
        assert_eq!(
            cut(&Dictionary::with_words(&[&long]).expect("63"), &long),
            std::slice::from_ref(&long)
        );
        for word in ["", "SK二", &"云".repeat(64)] {
            assert!(Dictionary::with_words(&[word]).is_err());
        }
    }

    #[test]
    fn levels_come_from_the_table() {
        assert_eq!(Dictionary::level("没有的词"), UNKNOWN_LEVEL);
        assert!(Dictionary::level("的") <= Dictionary::level("清华大学"));
    }

    /// The dictionary is part of the profile `jieba-0.42.1`: another table would be another name.
    #[test]
    fn the_table_never_changes() {
        assert_eq!(TABLE_DIGEST, 0x8c53_f705_1592_4334);
    }
}
