//! Shingles of characters, the fastest features: all substrings of N characters.

use crate::buffer::three_bytes;
use crate::characters::{LETTERS_OR_DIGITS, MARKS, is_letter_or_digit, is_word_character};

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
    #[inline(always)] // so that what `emit` does with a few bytes stands in the loop
    pub(crate) fn of(&mut self, text: &[u8], n: usize, mut emit: impl FnMut(&[u8])) {
        if !self.read(text) {
            return;
        }
        let n = n.min(self.characters);
        let starts = &self.starts[..=self.characters];
        for (&start, &end) in starts.iter().zip(&starts[n..]) {
            emit(&self.bytes[start as usize..end as usize]);
        }
    }

    /// Whether there is a letter or digit.
    fn read(&mut self, from: &[u8]) -> bool {
        let (letters_or_digits, marks) = (&*LETTERS_OR_DIGITS, &*MARKS);
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
            {
                // A letter or a digit, or a gap like any ASCII character of no word; marks, which are
                // rare, are left to the general way.
                let code = three_bytes(a, b, c);
                let word = letters_or_digits.contains(code);
                if word || !marks.contains(code) {
                    let stays = u32::from(word).wrapping_neg();
                    let written = (u32::from_le_bytes([a, b, c, d]) & stays) | (0x20 & !stays);
                    bytes[end..end + 4].copy_from_slice(&written.to_le_bytes());
                    let step = usize::from(word | !after_blank);
                    end += step + (stays & 2) as usize;
                    characters += step;
                    after_blank = !word;
                    any |= word;
                    place += 3;
                    continue;
                }
            }
            let Some(c) = first_character(&from[place..]) else {
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

/// The character that valid UTF-8 begins with.
fn first_character(bytes: &[u8]) -> Option<char> {
    let length = match bytes.first()? {
        0..0x80 => 1,
        0x80..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    };
    std::str::from_utf8(bytes.get(..length)?)
        .ok()?
        .chars()
        .next()
}
