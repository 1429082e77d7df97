//! Normalisation of text: the steps of docs/algorithm.md, "Normalise", in their fixed order.
//!
//! Most characters stand for themselves or for one other character, whatever surrounds them. A
//! table over the basic plane says which, and they are copied without looking further. Only runs
//! with other characters (combining marks, conjoining jamo, expansions) go through the general
//! algorithms, together with the character before them, which they may compose with.

use std::borrow::Cow;

use icu_casemap::CaseMapperBorrowed;
use icu_normalizer::ComposingNormalizerBorrowed;
use icu_normalizer::properties::{
    CanonicalCombiningClassMapBorrowed, CanonicalDecompositionBorrowed, Decomposed,
};
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, WhiteSpace};
use icu_properties::{CodePointMapData, CodePointSetData};

use crate::buffer::{Buffer, three_bytes};
use crate::error::{Error, Result};
use crate::html;

/// The names of the steps, in the order in which they run.
const NAMES: [&str; 6] = [
    "html",
    "ignorable",
    "nfkc",
    "casefold",
    "digits",
    "whitespace",
];
/// What is done unless the caller chooses.
const DEFAULT: [&str; 4] = ["ignorable", "nfkc", "casefold", "whitespace"];

/// The chosen steps.
#[allow(clippy::struct_excessive_bools)] // six independent switches
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Steps {
    html: bool,
    ignorable: bool,
    nfkc: bool,
    casefold: bool,
    digits: bool,
    whitespace: bool,
}

impl Steps {
    fn from_names<S: AsRef<str>>(names: &[S]) -> Result<Self> {
        if let Some(unknown) = names.iter().find(|name| !NAMES.contains(&name.as_ref())) {
            return Err(Error::profile(format!(
                "unknown normalisation step {:?}; the steps are {}",
                unknown.as_ref(),
                NAMES.join(", ")
            )));
        }
        let chosen = |name: &str| names.iter().any(|other| other.as_ref() == name);
        Ok(Self {
            html: chosen("html"),
            ignorable: chosen("ignorable"),
            nfkc: chosen("nfkc"),
            casefold: chosen("casefold"),
            digits: chosen("digits"),
            whitespace: chosen("whitespace"),
        })
    }

    fn names(self) -> Vec<&'static str> {
        let flags = [
            self.html,
            self.ignorable,
            self.nfkc,
            self.casefold,
            self.digits,
            self.whitespace,
        ];
        NAMES
            .into_iter()
            .zip(flags)
            .filter_map(|(name, chosen)| chosen.then_some(name))
            .collect()
    }

    /// The steps that depend on neighbours (`nfkc`) or change characters one by one, on any string.
    fn transform(self, text: &str) -> String {
        let mut text = if self.ignorable {
            let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
            text.chars().filter(|&c| !ignorable.contains(c)).collect()
        } else {
            text.to_owned()
        };
        if self.nfkc {
            compose(&mut text);
        }
        if self.casefold {
            if let Cow::Owned(folded) = CaseMapperBorrowed::new().fold_string(&text) {
                text = folded;
            }
            if self.nfkc {
                compose(&mut text);
            }
        }
        text
    }

    /// With the step `whitespace`, the blank that a White_Space character becomes.
    fn blank(self, c: char) -> char {
        if self.whitespace && CodePointSetData::new::<WhiteSpace>().contains(c) {
            ' '
        } else {
            c
        }
    }
}

fn compose(text: &mut String) {
    if let Cow::Owned(composed) = ComposingNormalizerBorrowed::new_nfkc().normalize(text) {
        *text = composed;
    }
}

/// In the table: what the character becomes depends on its neighbours, or is not one character.
const COMPLEX: u16 = 0;

/// The normalisation of one profile.
#[derive(Clone, Debug)]
pub(crate) struct Normalizer {
    steps: Steps,
    /// For every character of the basic plane: what it becomes, or `COMPLEX`.
    table: Box<[u16]>,
    /// The same for ASCII characters that become ASCII characters; 0 for others.
    ascii: [u8; 128],
}

impl Normalizer {
    /// # Errors
    /// If a name is not that of a step.
    pub(crate) fn new<S: AsRef<str>>(names: Option<&[S]>) -> Result<Self> {
        let steps = match names {
            Some(names) => Steps::from_names(names)?,
            None => Steps::from_names(&DEFAULT)?,
        };
        let table = table(steps);
        let ascii = std::array::from_fn(|c| u8::try_from(table[c]).unwrap_or(0));
        Ok(Self {
            steps,
            table,
            ascii,
        })
    }

    /// The steps as a profile's text form lists them.
    pub(crate) fn text_form(&self) -> String {
        let names = self.steps.names();
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(",")
        }
    }

    /// Writes the normalised text to `out`, whose old content is dropped.
    pub(crate) fn normalize_into(&self, text: &str, out: &mut Buffer) {
        let text = if self.steps.html {
            Cow::Owned(html::readable(text))
        } else {
            Cow::Borrowed(text)
        };
        out.clear();
        self.copy(&text, out);
        if self.steps.digits {
            let masked = mask_digits(out.as_str());
            out.clear();
            out.push_str(&masked);
        }
    }

    /// The normalised text.
    pub(crate) fn normalize(&self, text: &str) -> String {
        let mut out = Buffer::default();
        self.normalize_into(text, &mut out);
        out.as_str().to_owned()
    }

    /// All steps but `html` and `digits`.
    fn copy(&self, text: &str, out: &mut Buffer) {
        let bytes = text.as_bytes();
        out.reserve(room(bytes.len()));
        let mut place = 0;
        // Where the last run of complex characters ended: what comes before can't be composed with.
        let mut settled = 0;
        loop {
            place = self.copy_frequent(bytes, place, out);
            if place == bytes.len() {
                break;
            }
            let rest = &text[place..];
            let Some(c) = rest.chars().next() else { break };
            if let Some(mapped) = self.simple(c) {
                self.push(mapped, out);
                place += c.len_utf8();
                continue;
            }
            let mut start = place;
            if let Some(previous) = text[settled..place].chars().next_back() {
                start -= previous.len_utf8();
                let pushed = self
                    .simple(previous)
                    .filter(|&c| !(self.steps.whitespace && c == ' '));
                if pushed.is_some() {
                    out.pop();
                }
            }
            place += rest
                .find(|c| self.simple(c).is_some())
                .unwrap_or(rest.len());
            settled = place;
            let segment = self.steps.transform(&text[start..place]);
            out.reserve(room(segment.len() + bytes.len() - place));
            for c in segment.chars() {
                self.push(self.steps.blank(c), out);
            }
        }
        if self.steps.whitespace && out.as_bytes().last() == Some(&b' ') {
            out.pop();
        }
    }

    /// Copies from `place` on while characters are of the two most frequent kinds: ASCII that
    /// stays ASCII, and characters of three bytes that stay as they are. Returns where it stopped.
    fn copy_frequent(&self, bytes: &[u8], mut place: usize, out: &mut Buffer) -> usize {
        let collapse = self.steps.whitespace;
        let mut after_blank = out.as_bytes().last().is_none_or(|&last| last == b' ');
        let (room, mut length) = out.room();
        while let Some(&lead) = bytes.get(place) {
            if lead < 0x80 {
                let mapped = self.ascii[usize::from(lead)];
                if mapped == 0 {
                    break;
                }
                // Without a branch, since blanks come too irregularly to be predicted.
                let blank = mapped == b' ';
                room[length] = mapped;
                length += usize::from(!(blank & after_blank & collapse));
                after_blank = blank;
                place += 1;
            } else if lead & 0xF0 == 0xE0
                && let Some(&[a, b, c, d]) = bytes.get(place..place + 4)
            {
                let code = three_bytes(a, b, c);
                // The ideographs of the main block always stay: asking the table for each of them
                // would be a walk through all of its memory.
                let han = (0x4E00..0xA000).contains(&code);
                let mapped = if han {
                    code
                } else {
                    self.table[usize::from(code)]
                };
                // It stays, or it becomes ASCII, as full-width punctuation does; again without a
                // branch between the two. Blanks are left to the general way.
                let ascii = (0x21..0x80).contains(&mapped);
                if !(ascii | (mapped == code)) {
                    break;
                }
                let stays = u32::from(!ascii).wrapping_neg();
                let bytes = u32::from_le_bytes([a, b, c, d]);
                let written = (bytes & stays) | (u32::from(mapped) & !stays);
                room[length..length + 4].copy_from_slice(&written.to_le_bytes());
                length += 1 + (stays & 2) as usize;
                after_blank = false;
                place += 3;
            } else {
                break;
            }
        }
        out.set_length(length);
        place
    }

    fn push(&self, c: char, out: &mut Buffer) {
        if c.is_ascii() {
            out.push_byte(c as u8, self.steps.whitespace);
        } else {
            let mut bytes = [0; 4];
            let length = c.encode_utf8(&mut bytes).len();
            out.push_bytes(bytes, length);
        }
    }

    /// What the character becomes, if that depends on nothing else.
    #[inline]
    fn simple(&self, c: char) -> Option<char> {
        match u16::try_from(u32::from(c)) {
            Ok(unit) => match self.table[usize::from(unit)] {
                COMPLEX => None,
                mapped => char::from_u32(u32::from(mapped)),
            },
            // Ideographs without decomposition, and pictographs.
            Err(_) => matches!(c,
                '\u{20000}'..='\u{2F7FF}' | '\u{30000}'..='\u{3FFFD}' | '\u{1F300}'..='\u{1FAFF}')
            .then_some(c),
        }
    }
}

/// Bytes that so many bytes of simple characters can become: two bytes may become three.
const fn room(bytes: usize) -> usize {
    bytes + bytes / 2 + 4
}

fn table(steps: Steps) -> Box<[u16]> {
    let starters = Starters::new();
    (0..=u16::MAX)
        .map(|unit| {
            let Some(c) = char::from_u32(u32::from(unit)) else {
                return COMPLEX;
            };
            let text = steps.transform(c.encode_utf8(&mut [0; 4]));
            let mut mapped = text.chars();
            match (mapped.next(), mapped.next()) {
                (Some(only), None) if !steps.nfkc || (starters.has(c) && starters.has(only)) => {
                    u16::try_from(u32::from(steps.blank(only))).unwrap_or(COMPLEX)
                }
                _ => COMPLEX,
            }
        })
        .collect()
}

/// Which characters begin a new unit of normalisation, never composing with what comes before.
struct Starters {
    classes: CanonicalCombiningClassMapBorrowed<'static>,
    decomposition: CanonicalDecompositionBorrowed<'static>,
    /// Characters that are the second half of a composition, sorted.
    seconds: Vec<char>,
}

impl Starters {
    fn new() -> Self {
        let decomposition = CanonicalDecompositionBorrowed::new();
        let mut seconds: Vec<char> = ('\0'..=char::MAX)
            .filter_map(|c| match decomposition.decompose(c) {
                Decomposed::Expansion(_, second) => Some(second),
                _ => None,
            })
            .collect();
        seconds.sort_unstable();
        seconds.dedup();
        Self {
            classes: CanonicalCombiningClassMapBorrowed::new(),
            decomposition,
            seconds,
        }
    }

    fn has(&self, c: char) -> bool {
        let mut first = c;
        loop {
            match self.decomposition.decompose(first) {
                Decomposed::Default => break,
                Decomposed::Singleton(only) => first = only,
                Decomposed::Expansion(start, _) => first = start,
            }
        }
        self.classes.get_u8(first) == 0 && self.seconds.binary_search(&first).is_err()
    }
}

/// Replaces every run of decimal digits by one 0.
fn mask_digits(text: &str) -> String {
    let categories = CodePointMapData::<GeneralCategory>::new();
    let mut masked = String::with_capacity(text.len());
    let mut inside = false;
    for c in text.chars() {
        let digit = categories.get(c) == GeneralCategory::DecimalNumber;
        if !digit {
            masked.push(c);
        } else if !inside {
            masked.push('0');
        }
        inside = digit;
    }
    masked
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, step by step on the whole text.
    fn slow(steps: Steps, text: &str) -> String {
        let mut text = steps.transform(text);
        if steps.digits {
            text = mask_digits(&text);
        }
        if steps.whitespace {
            let blank = CodePointSetData::new::<WhiteSpace>();
            let words = text
                .split(|c| blank.contains(c))
                .filter(|word| !word.is_empty());
            text = words.collect::<Vec<_>>().join(" ");
        }
        text
    }

    fn check(text: &str) {
        for names in [
            &DEFAULT[..],
            &["nfkc"],
            &["casefold", "whitespace"],
            &["digits"],
            &NAMES[1..],
            &[],
        ] {
            let normalizer = Normalizer::new(Some(names)).expect("known steps");
            assert_eq!(
                normalizer.normalize(text),
                slow(normalizer.steps, text),
                "{names:?}"
            );
        }
    }

    /// Every character alone, after a letter that composes, after a blank, and before marks.
    #[test]
    fn every_character_is_normalised_as_the_definition_says() {
        let normalizer = Normalizer::new::<&str>(None).expect("known steps");
        for c in '\0'..=char::MAX {
            for text in [
                format!("{c}"),
                format!("e{c}\u{301}x"),
                format!(" {c}\u{308}\u{323}{c}"),
            ] {
                assert_eq!(
                    normalizer.normalize(&text),
                    slow(normalizer.steps, &text),
                    "{text:?}"
                );
            }
        }
    }

    #[test]
    fn unknown_steps_are_refused() {
        let error = Normalizer::new(Some(&["nfkc", "lower"])).expect_err("no such step");
        assert!(error.to_string().contains("\"lower\""));
    }

    proptest! {
        #[test]
        fn any_text_is_normalised_as_the_definition_says(text in "\\PC{0,40}") {
            check(&text);
        }

        #[test]
        fn awkward_runs_too(text in "[ a\u{301}\u{308}\u{323}\u{1100}-\u{1112}\u{1161}-\u{1175}\u{11A8}\u{AC00}\u{200B}\u{3000}\u{FF76}\u{FF9E}ﬁ0-9٣]{0,12}") {
            check(&text);
        }
    }
}
