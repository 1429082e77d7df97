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
}

impl Normalizer {
    /// # Errors
    /// If a name is not that of a step.
    pub(crate) fn new<S: AsRef<str>>(names: Option<&[S]>) -> Result<Self> {
        let steps = match names {
            Some(names) => Steps::from_names(names)?,
            None => Steps::from_names(&DEFAULT)?,
        };
        Ok(Self {
            steps,
            table: table(steps),
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

    /// Appends the normalised text to `out`.
    pub(crate) fn append(&self, text: &str, out: &mut String) {
        out.reserve(text.len());
        let text = if self.steps.html {
            Cow::Owned(html::readable(text))
        } else {
            Cow::Borrowed(text)
        };
        let mut sink = Sink {
            start: out.len(),
            out,
            collapse: self.steps.whitespace,
            space: false,
        };
        self.copy(&text, &mut sink);
        if self.steps.digits {
            let start = sink.start;
            mask_digits(out, start);
        }
    }

    /// The normalised text.
    pub(crate) fn normalize(&self, text: &str) -> String {
        let mut out = String::new();
        self.append(text, &mut out);
        out
    }

    /// All steps but `html` and `digits`.
    fn copy(&self, text: &str, sink: &mut Sink<'_>) {
        let mut rest = text.chars();
        // The simple character just passed, and the text from it on: a complex one may compose
        // with it.
        let mut previous = None;
        loop {
            let here = rest.as_str();
            let Some(c) = rest.next() else { return };
            if let Some(mapped) = self.simple(c) {
                sink.push(mapped);
                previous = Some((mapped, here));
                continue;
            }
            let run = here
                .find(|c| self.simple(c).is_some())
                .unwrap_or(here.len());
            let mut segment = &here[..run];
            if let Some((mapped, from)) = previous.take() {
                sink.take_back(mapped);
                segment = &from[..from.len() - here.len() + run];
            }
            for c in self.steps.transform(segment).chars() {
                sink.push(self.steps.blank(c));
            }
            rest = here[run..].chars();
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

/// Where the characters go; with `collapse`, runs of blanks become one and the outer ones vanish.
struct Sink<'a> {
    out: &'a mut String,
    start: usize,
    collapse: bool,
    /// A blank is due before the next character.
    space: bool,
}

impl Sink<'_> {
    #[inline]
    fn push(&mut self, c: char) {
        if self.collapse {
            if c == ' ' {
                self.space = self.out.len() > self.start;
                return;
            }
            if self.space {
                self.out.push(' ');
                self.space = false;
            }
        }
        self.out.push(c);
    }

    /// Undoes the last `push`, which was of `c`. (A blank that is only due may stay due.)
    fn take_back(&mut self, c: char) {
        if !(self.collapse && c == ' ') {
            self.out.pop();
        }
    }
}

/// Replaces every run of decimal digits from `start` on by one 0.
fn mask_digits(text: &mut String, start: usize) {
    let categories = CodePointMapData::<GeneralCategory>::new();
    let tail = text.split_off(start);
    let mut inside = false;
    for c in tail.chars() {
        let digit = categories.get(c) == GeneralCategory::DecimalNumber;
        if !digit {
            text.push(c);
        } else if !inside {
            text.push('0');
        }
        inside = digit;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, step by step on the whole text.
    fn slow(steps: Steps, text: &str) -> String {
        let mut text = steps.transform(text);
        if steps.digits {
            mask_digits(&mut text, 0);
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
