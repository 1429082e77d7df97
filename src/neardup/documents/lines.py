"""What formats have in common in which a line is a row."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Any

from neardup.documents.base import (
    BATCH_BYTES,
    BATCH_ROWS,
    Batch,
    Collector,
    Document,
    Fields,
    OnError,
    UnreadableError,
)
from neardup.documents.encodings import Encoding, lines_of, to_utf8
from neardup.documents.streams import InputFile


class LineFile(ABC):
    """One file of lines; it remembers which of them were bad."""

    def __init__(self, file: InputFile, encoding: Encoding) -> None:
        self._file = file
        self._encoding = encoding
        self._bad: set[int] = set()

    @abstractmethod
    def _read(self, number: int, line: bytes, fields: Fields) -> Document:
        """The document of a line, as it is stored.

        Raises:
            UnreadableError: If it is none.
        """

    @abstractmethod
    def _rows(self, lines: list[bytes]) -> LineRows:
        """Rows of UTF-8 lines."""

    def _is_row(self, line: bytes) -> bool:  # noqa: ARG002 (formats may leave lines out)
        """Whether a line counts; one that doesn't is left out silently."""
        return True

    def documents(self, fields: Fields, on_error: OnError) -> Iterator[Batch]:
        """The first pass."""
        collector = Collector(self._file.name, fields, on_error, self._bad)
        size = 0
        for number, line in self._lines():
            try:
                collector.add(number, self._read(number, line, fields))
            except UnreadableError as error:
                collector.refuse(number, str(error), line)
            size += len(line)
            if size >= BATCH_BYTES or len(collector.batch.texts) >= BATCH_ROWS:
                yield collector.take(self._file.read)
                size = 0
        yield collector.take(self._file.read)

    def rows(self) -> Iterator[LineRows]:
        """The second pass."""
        lines: list[bytes] = []
        size = 0
        for number, line in self._lines():
            if number not in self._bad:
                lines.append(to_utf8(line, self._encoding))
                size += len(line)
            if size >= BATCH_BYTES or len(lines) >= BATCH_ROWS:
                yield self._rows(lines)
                lines, size = [], 0
        yield self._rows(lines)

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines that count, with their numbers."""
        number = 0
        for lines in lines_of(self._file, self._encoding):
            for line in lines:
                number += 1
                if self._is_row(line):
                    yield number, line


class LineRows(ABC):
    """Lines, as UTF-8 without their line feeds."""

    def __init__(self, lines: list[bytes]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def kept(self, mask: Sequence[bool]) -> bytes:
        """The lines whose mask is true."""
        return b"\n".join([*compress(self._lines, mask), b""])

    def removed(self, indices: Sequence[int], reasons: Sequence[dict[str, Any]]) -> bytes:
        """These lines with `_neardup` added, as JSONL."""
        rows = zip(indices, reasons, strict=True)
        return b"".join(self._with_reason(self._lines[index], reason) for index, reason in rows)

    @abstractmethod
    def _with_reason(self, line: bytes, reason: dict[str, Any]) -> bytes:
        """A line with `_neardup` added."""
