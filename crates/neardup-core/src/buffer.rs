//! A text under construction, to be used again for the next one without being cleared byte by byte.

/// UTF-8 that grows by whole characters.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    /// Longer than the text: characters are written four bytes at a time.
    bytes: Vec<u8>,
    length: usize,
}

impl Buffer {
    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }

    /// Makes room for so many more bytes, written by `push_bytes` or `push_byte`.
    pub(crate) fn reserve(&mut self, more: usize) {
        if self.bytes.len() < self.length + more {
            self.bytes.resize(self.length + more, 0);
        }
    }

    /// Appends the first `length` of four bytes, which are a character. There must be room for all
    /// four.
    #[inline]
    pub(crate) fn push_bytes(&mut self, bytes: [u8; 4], length: usize) {
        self.bytes[self.length..self.length + 4].copy_from_slice(&bytes);
        self.length += length;
    }

    /// Appends an ASCII character; with `collapse` no blank at the beginning or after a blank.
    #[inline]
    pub(crate) fn push_byte(&mut self, byte: u8, collapse: bool) {
        let after_blank = self.length == 0 || self.bytes[self.length - 1] == b' ';
        self.bytes[self.length] = byte;
        // Without a branch, since blanks come too irregularly to be predicted.
        self.length += usize::from(!(collapse & (byte == b' ') & after_blank));
    }

    /// All bytes, those beyond the text included, and the length of the text: for a loop that
    /// writes faster than `push_bytes` does. It must write whole characters and set the length.
    pub(crate) fn room(&mut self) -> (&mut [u8], usize) {
        (&mut self.bytes, self.length)
    }

    pub(crate) fn set_length(&mut self, length: usize) {
        self.length = length;
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        self.reserve(text.len());
        self.bytes[self.length..self.length + text.len()].copy_from_slice(text.as_bytes());
        self.length += text.len();
    }

    /// Takes the last character back.
    pub(crate) fn pop(&mut self) {
        while self.length > 0 {
            self.length -= 1;
            if !is_continuation(self.bytes[self.length]) {
                break;
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// # Panics
    /// Never: only whole characters are appended.
    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).expect("whole characters")
    }
}

const fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// The character of the basic plane that three bytes of UTF-8 stand for.
#[inline]
pub(crate) const fn three_bytes(a: u8, b: u8, c: u8) -> u16 {
    (a as u16) << 12 | (b as u16 & 0x3F) << 6 | (c as u16 & 0x3F)
}
