//! Classes of characters, from the Unicode tables of this crate's dependencies (never the host's).

use std::sync::LazyLock;

use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

/// Han ideographs and the marks that stand for them (docs/algorithm.md, "Cut").
///
/// The ranges are written out, whole planes included, so that the class never changes.
pub(crate) const fn is_han(c: char) -> bool {
    matches!(c,
        '\u{3005}' | '\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3038}'..='\u{303B}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// A set of characters of the basic plane, small enough to stay in the fastest cache.
#[derive(Clone, Debug)]
pub(crate) struct BasicSet(Box<[u64; 1024]>);

impl BasicSet {
    pub(crate) fn new(has: impl Fn(u16) -> bool) -> Self {
        let word = |index: usize| {
            (0..64).fold(0, |word, bit| {
                word | u64::from(has((index * 64 + bit) as u16)) << bit
            })
        };
        Self(Box::new(std::array::from_fn(word)))
    }

    #[inline]
    pub(crate) fn contains(&self, c: u16) -> bool {
        self.0[usize::from(c >> 6)] >> (c & 63) & 1 == 1
    }
}

/// The letters and digits of the basic plane.
pub(crate) static LETTERS_OR_DIGITS: LazyLock<BasicSet> =
    LazyLock::new(|| BasicSet::new(|c| BASIC_PLANE[usize::from(c)] & LETTER_OR_DIGIT != 0));

/// The marks of the basic plane.
pub(crate) static MARKS: LazyLock<BasicSet> =
    LazyLock::new(|| BasicSet::new(|c| BASIC_PLANE[usize::from(c)] == WORD));

const WORD: u8 = 1;
const LETTER_OR_DIGIT: u8 = 2;

/// A letter, mark or number: general category L, M or N.
pub(crate) fn is_word_character(c: char) -> bool {
    class(c) & WORD != 0
}

/// General category L or N.
pub(crate) fn is_letter_or_digit(c: char) -> bool {
    class(c) & LETTER_OR_DIGIT != 0
}

fn class(c: char) -> u8 {
    match u16::try_from(u32::from(c)) {
        Ok(unit) => BASIC_PLANE[usize::from(unit)],
        Err(_) => look_up(c),
    }
}

/// The basic plane's classes, since a look-up in the general table costs more than hashing a word.
static BASIC_PLANE: LazyLock<Box<[u8]>> = LazyLock::new(|| {
    (0..=u32::from(u16::MAX))
        .map(|code| char::from_u32(code).map_or(0, look_up))
        .collect()
});

fn look_up(c: char) -> u8 {
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    if GeneralCategoryGroup::Letter.contains(category)
        || GeneralCategoryGroup::Number.contains(category)
    {
        WORD | LETTER_OR_DIGIT
    } else if GeneralCategoryGroup::Mark.contains(category) {
        WORD
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// U+088F came with version 17; U+0558 is a letter of version 18.
    #[test]
    fn tables_are_those_of_unicode_17() {
        assert!(is_letter_or_digit('\u{88F}'));
        assert!(!is_letter_or_digit('\u{558}'));
        assert_eq!(unicode_segmentation::UNICODE_VERSION, (17, 0, 0));
    }
}
