"""What a text file is encoded in, and its lines as UTF-8."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from charset_normalizer import from_bytes

from neardup.documents.streams import InputFile, split_lines
from neardup.errors import InputError, UsageError

#: Bytes of a file that are looked at to tell its encoding.
_SAMPLE = 1 << 20

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: Asked for by name or told by charset-normalizer, and read by the superset that writers mean.
_SUPERSETS = {"gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "big5": "big5hkscs"}


@dataclass(frozen=True)
class Encoding:
    """An encoding, and the bytes of the mark that the file begins with."""

    name: str
    mark: bytes = b""

    @property
    def is_utf8(self) -> bool:
        """Whether lines need no conversion."""
        return self.name == "utf-8"

    @property
    def is_wide(self) -> bool:
        """Whether a line feed is more than one byte, so that lines can't be cut before decoding."""
        return self.name.startswith(("utf-16", "utf-32"))


def named_encoding(name: str) -> str:
    """The canonical name of an encoding.

    Raises:
        UsageError: If Python knows none of that name.
    """
    try:
        canonical = codecs.lookup(name).name
        "".encode(canonical)
    except (LookupError, TypeError) as error:
        raise UsageError(
            f"unknown encoding {name!r}; known are, for example, utf-8, gb18030, big5, utf-16"
        ) from error
    canonical = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(
        canonical, canonical
    )
    return _SUPERSETS.get(canonical, canonical)


def find_encoding(file: InputFile, asked: str | None) -> Encoding:
    """The encoding of a file: its mark's, the one asked for, or what its beginning looks like.

    Raises:
        InputError: If the beginning fits no encoding that can be told apart.
    """
    with file.open() as stream:
        sample = stream.read(_SAMPLE)
    for mark, name in _MARKS:
        if sample.startswith(mark) and (
            asked is None or asked.split("-")[:2] == name.split("-")[:2]
        ):
            return Encoding(name, mark)
    if asked is not None:
        return Encoding(asked)
    # A sample may end inside a character.
    complete = sample if len(sample) < _SAMPLE else sample[: sample.rfind(b"\n") + 1] or sample[:-4]
    wide = _wide_without_mark(complete)
    if wide is not None:
        return Encoding(wide)
    bad = _first_invalid(complete)
    if bad is None or _mostly_utf8(complete):
        return Encoding("utf-8")
    guess = from_bytes(
        _non_ascii_lines(complete), cp_isolation=["gb18030", "big5", "big5hkscs"]
    ).best()
    candidates = [guess.encoding] if guess else []
    for candidate in (*candidates, "gb18030"):
        name = _SUPERSETS.get(candidate, candidate)
        if _decodes(complete, name):
            return Encoding(name)
    line = complete.count(b"\n", 0, bad) + 1
    raise InputError(
        f"{file.name}:{line}: not UTF-8 (byte {bad} of the file), and no other encoding fits; "
        "--encoding names it, as in --encoding gb18030"
    )


def lines_of(file: InputFile, encoding: Encoding) -> Iterator[list[bytes]]:
    """The lines as they are stored, without the mark; of wide encodings, as UTF-8."""
    blocks = file.blocks()
    first = next(blocks, b"")
    blocks = chain([first[len(encoding.mark) :]], blocks)
    if encoding.is_wide:
        blocks = _narrowed(file, encoding, blocks)
    return split_lines(blocks)


def decode(data: bytes, encoding: Encoding) -> str:
    """A line, or a whole text, as a string.

    Raises:
        UnicodeDecodeError: If it is not in that encoding.
    """
    return data.decode("utf-8" if encoding.is_wide else encoding.name)


def to_utf8(line: bytes, encoding: Encoding) -> bytes:
    """A line of `lines_of` as UTF-8; a UTF-8 line is not checked.

    Raises:
        UnicodeDecodeError: If it is not in that encoding.
    """
    if encoding.is_utf8 or encoding.is_wide or line.isascii():
        return line
    return line.decode(encoding.name).encode()


def invalid(error: UnicodeDecodeError, encoding: Encoding) -> str:
    """Says where a line is not in its encoding."""
    return f"invalid {encoding.name.upper()} at byte {error.start} of the line"


def _narrowed(file: InputFile, encoding: Encoding, blocks: Iterator[bytes]) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding.name)()
    done = 0
    try:
        for block in blocks:
            yield decoder.decode(block).encode()
            done += len(block)
        yield decoder.decode(b"", final=True).encode()
    except UnicodeError as error:
        raise InputError(
            f"{file.name}: invalid {encoding.name.upper()} after byte {done}: {error}"
        ) from error


def _first_invalid(data: bytes) -> int | None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


def _non_ascii_lines(data: bytes) -> bytes:
    return b"\n".join(line for line in data.split(b"\n") if not line.isascii())[: 1 << 16]


def _mostly_utf8(data: bytes) -> bool:
    lines = [line for line in data.split(b"\n") if not line.isascii()]
    valid = sum(_first_invalid(line) is None for line in lines)
    return 2 * valid > len(lines)


def _decodes(data: bytes, name: str) -> bool:
    try:
        data.decode(name)
    except UnicodeDecodeError:
        return False
    return True


def _wide_without_mark(data: bytes) -> str | None:
    """UTF-16 of mostly ASCII or of line feeds shows as zero bytes on one side."""
    if len(data) < 4 or len(data) % 2:
        return None
    even, odd = data[::2].count(0), data[1::2].count(0)
    for name, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if zeros > len(data) // 8 and others * 8 < zeros and _decodes(data, name):
            return name
    return None
