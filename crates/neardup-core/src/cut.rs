//! Cuts normalised text into features (docs/algorithm.md, "Cut").

use std::collections::VecDeque;
use std::fmt;

use unicode_segmentation::UnicodeSegmentation;

use crate::buffer::Buffer;
use crate::characters::{is_han, is_letter_or_digit};
use crate::dictionary::Dictionary;
use crate::error::{Error, Result};
use crate::shingles::Shingles;

/// The largest N of `chars:N` and `tokens:N`.
const LARGEST_SHINGLE: usize = 64;

/// The kinds of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Features {
    Words,
    Chars(usize),
    Tokens(usize),
}

impl Features {
    pub(crate) fn parse(name: &str) -> Result<Self> {
        let number = |digits: &str| {
            let canonical = !digits.starts_with(['0', '+']);
            let number = digits
                .parse()
                .ok()
                .filter(|n| canonical && (1..=LARGEST_SHINGLE).contains(n));
            number.ok_or_else(|| {
                Error::profile(format!(
                    "features {name:?}: N must be a whole number from 1 to {LARGEST_SHINGLE}"
                ))
            })
        };
        match name.split_once(':') {
            None if name == "words" => Ok(Self::Words),
            Some(("chars", n)) => number(n).map(Self::Chars),
            Some(("tokens", n)) => number(n).map(Self::Tokens),
            _ => Err(Error::profile(format!(
                "unknown features {name:?}; expected words, chars:N or tokens:N, as in chars:3"
            ))),
        }
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words => f.write_str("words"),
            Self::Chars(n) => write!(f, "chars:{n}"),
            Self::Tokens(n) => write!(f, "tokens:{n}"),
        }
    }
}

/// Work space of a cut, to be used again for the next text.
#[derive(Default)]
pub(crate) struct Scratch {
    lengths: Vec<u8>,
    shingle: String,
    pub(crate) shingles: Shingles,
}

impl Features {
    /// Passes the bytes of every occurrence of every feature of the normalised `text` to `emit`, in
    /// order.
    #[inline]
    pub(crate) fn cut(
        self,
        text: &Buffer,
        dictionary: &Dictionary,
        scratch: &mut Scratch,
        mut emit: impl FnMut(&[u8]),
    ) {
        match self {
            Self::Words => {
                let text = text.as_str();
                let Scratch { lengths, .. } = scratch;
                for (han, run) in Runs(text) {
                    if han {
                        dictionary.cut(run, lengths, |word| emit(word.as_bytes()));
                    } else {
                        words(run, |word| emit(word.as_bytes()));
                    }
                }
            }
            Self::Tokens(n) => {
                let text = text.as_str();
                let mut window = Window::new(n, &mut scratch.shingle);
                for (han, run) in Runs(text) {
                    if han {
                        for (start, c) in run.char_indices() {
                            window.push(&run[start..start + c.len_utf8()], &mut emit);
                        }
                    } else {
                        words(run, |word| window.push(word, &mut emit));
                    }
                }
                window.finish(emit);
            }
            Self::Chars(n) => scratch.shingles.of(text.as_bytes(), n, emit),
        }
    }
}

/// Maximal runs of Han characters (true) and of others (false).
struct Runs<'t>(&'t str);

impl<'t> Iterator for Runs<'t> {
    type Item = (bool, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        let han = is_han(self.0.chars().next()?);
        let end = self.0.find(|c| is_han(c) != han).unwrap_or(self.0.len());
        let (run, rest) = self.0.split_at(end);
        self.0 = rest;
        Some((han, run))
    }
}

/// The segments of UAX #29 that hold a letter or digit, in a text without Han characters.
fn words<'t>(text: &'t str, mut emit: impl FnMut(&'t str)) {
    let mut rest = text;
    while !rest.is_empty() {
        // There is a boundary on both sides of a blank before an ASCII character, and one between
        // any two ASCII characters of which one can't be inside a word. So most text need not go
        // through the general rules.
        let end = chunk_end(rest.as_bytes());
        let (chunk, tail) = rest.split_at(end);
        rest = tail.strip_prefix(' ').unwrap_or(tail);
        if !chunk.is_ascii() {
            segments(chunk, &mut emit);
            continue;
        }
        let core = chunk.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        if core.bytes().all(|b| b.is_ascii_alphanumeric()) {
            if !core.is_empty() {
                emit(core);
            }
        } else {
            segments(core, &mut emit);
        }
    }
}

/// The place of the first blank that an ASCII character follows, or the end.
fn chunk_end(text: &[u8]) -> usize {
    let mut from = 0;
    while let Some(place) = text[from..].iter().position(|&b| b == b' ') {
        let place = from + place;
        if text.get(place + 1).is_none_or(u8::is_ascii) {
            return place;
        }
        from = place + 1;
    }
    text.len()
}

fn segments<'t>(text: &'t str, emit: &mut impl FnMut(&'t str)) {
    for segment in text.split_word_bounds() {
        if segment.contains(is_letter_or_digit) {
            emit(segment);
        }
    }
}

/// The last N tokens, which make the next shingle.
struct Window<'t, 's> {
    n: usize,
    tokens: VecDeque<&'t str>,
    shingle: &'s mut String,
    whole: bool,
}

impl<'t, 's> Window<'t, 's> {
    fn new(n: usize, shingle: &'s mut String) -> Self {
        Self {
            n,
            tokens: VecDeque::with_capacity(n),
            shingle,
            whole: false,
        }
    }

    fn push(&mut self, token: &'t str, emit: impl FnMut(&[u8])) {
        if self.tokens.len() == self.n {
            self.tokens.pop_front();
        }
        self.tokens.push_back(token);
        if self.tokens.len() == self.n {
            self.whole = true;
            self.emit(emit);
        }
    }

    /// Fewer than N tokens make one shingle.
    fn finish(mut self, emit: impl FnMut(&[u8])) {
        if !self.whole && !self.tokens.is_empty() {
            self.emit(emit);
        }
    }

    fn emit(&mut self, mut emit: impl FnMut(&[u8])) {
        if let [token] = self.tokens.make_contiguous() {
            return emit(token.as_bytes());
        }
        self.shingle.clear();
        for (place, token) in self.tokens.iter().enumerate() {
            if place > 0 {
                self.shingle.push(' ');
            }
            self.shingle.push_str(token);
        }
        emit(self.shingle.as_bytes());
    }
}
