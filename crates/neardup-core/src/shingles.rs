//! Shingles of characters, the fastest features: all substrings of N characters.

use crate::buffer::three_bytes;
use crate::characters::{LETTERS_OR_DIGITS, is_letter_or_digit, is_word_character};

/// A text in which every run of other than word characters is one blank, and where its
/// characters begin.
#[derive(Debug, Default)]
pub(crate) struct Shingles {
    bytes: Vec<u8>,
    /// One place for each character, and the end.
    starts: Vec<u32>,
    characters: usize,
}

impl Shingles {
    /// Passes all substrings of `n` characters to `emit`, or the text itself if it has no more
    /// than that. A text without letters and digits has none.
    #[inline]
    pub(crate) fn of(&mut self, text: &str, n: usize, mut emit: impl FnMut(&[u8])) {
        if !self.read(text) {
            return;
        }
        let starts = &self.starts[..=self.characters];
        if self.characters <= n {
            emit(&self.bytes[..starts[self.characters] as usize]);
            return;
        }
        for (&start, &end) in starts.iter().zip(&starts[n..]) {
            emit(&self.bytes[start as usize..end as usize]);
        }
    }

    /// Whether there is a letter or digit.
    fn read(&mut self, text: &str) -> bool {
        let letters_or_digits = &*LETTERS_OR_DIGITS;
        let from = text.as_bytes();
        // Four bytes are written at a time, and one entry more than there are characters.
        if self.bytes.len() < from.len() + 4 {
            self.bytes.resize(from.len() + 4, 0);
            self.starts.resize(from.len() + 4, 0);
        }
        let bytes = &mut self.bytes[..from.len() + 4];
        let starts = &mut self.starts[..from.len() + 4];
        let (mut place, mut end, mut characters) = (0, 0, 0);
        let mut any = false;
        let mut after_blank = true;
        while let Some(&lead) = from.get(place) {
            starts[characters] = end as u32;
            if lead < 0x80 {
                let word = lead.is_ascii_alphanumeric();
                bytes[end] = if word { lead } else { b' ' };
                // Without a branch, since words end too irregularly to be predicted.
                let step = usize::from(word | !after_blank);
                end += step;
                characters += step;
                after_blank = !word;
                any |= word;
                place += 1;
                continue;
            }
            if lead & 0xF0 == 0xE0
                && let Some(&[a, b, c, d]) = from.get(place..place + 4)
                && letters_or_digits.contains(three_bytes(a, b, c))
            {
                bytes[end..end + 4].copy_from_slice(&[a, b, c, d]);
                end += 3;
                characters += 1;
                after_blank = false;
                any = true;
                place += 3;
                continue;
            }
            let Some(c) = text[place..].chars().next() else {
                break;
            };
            if is_word_character(c) {
                end += c.encode_utf8(&mut bytes[end..]).len();
                characters += 1;
                after_blank = false;
                any |= is_letter_or_digit(c);
            } else if !after_blank {
                bytes[end] = b' ';
                end += 1;
                characters += 1;
                after_blank = true;
            }
            place += c.len_utf8();
        }
        if after_blank && characters > 0 {
            end -= 1;
            characters -= 1;
        }
        starts[characters] = end as u32;
        self.characters = characters;
        any
    }
}
