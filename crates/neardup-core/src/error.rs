//! The one error of the crate: a kind to act on, and a sentence to read.

use std::fmt;

/// What went wrong, for a caller that must act on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A profile that can't be made.
    Profile,
    /// An argument out of range or arrays that don't fit together.
    Argument,
    /// The caller asked to stop.
    Cancelled,
}

/// An error of this crate. Its text says what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    pub(crate) fn profile(message: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Profile,
            message: message.into(),
        }
    }

    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Argument,
            message: message.into(),
        }
    }

    pub(crate) fn cancelled() -> Self {
        Self {
            kind: ErrorKind::Cancelled,
            message: "cancelled by the caller".into(),
        }
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Shorthand for results of this crate.
pub type Result<T> = std::result::Result<T, Error>;
