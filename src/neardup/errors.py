"""Every error neardup raises, in one tree.

    NeardupError
    ├── UsageError        a wrong argument or option (also a ValueError)
    │   └── ProfileError  a profile that can't be made, or two profiles that don't go together
    ├── InputError        input that can't be read as documents; names file, line and reason
    │   └── BadRowError   one bad row
    └── OutputError       output that can't be written

Each message says what was expected, what was found and, where it helps, what to do.
"""

from __future__ import annotations


class NeardupError(Exception):
    """The parent of all errors that neardup raises on purpose."""


class UsageError(NeardupError, ValueError):
    """A wrong argument: its value or its combination with others makes no sense."""


class ProfileError(UsageError):
    """A profile that can't be made, or fingerprints of different profiles brought together."""


class InputError(NeardupError):
    """Input that can't be read: missing, vanished, in another encoding or another format."""


class BadRowError(InputError):
    """One row that is not a document: broken syntax, no text field, text that isn't text.

    Attributes:
        file: Name of the file as the caller gave it.
        line: Line (or row) number, from 1.
        reason: What was expected and what was found.
    """

    def __init__(self, file: str, line: int, reason: str) -> None:
        super().__init__(f"{file}:{line}: {reason}")
        self.file = file
        self.line = line
        self.reason = reason


class OutputError(NeardupError):
    """Output that can't be written: no room, no permission, or it would overwrite an input."""
