"""Plain text: a document a line; empty lines are empty documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Any

import orjson

from neardup.documents.base import (
    BATCH_BYTES,
    BATCH_ROWS,
    Batch,
    Collector,
    Document,
    Fields,
    OnError,
    reason_json,
)
from neardup.documents.encodings import Encoding, decode, invalid, lines_of, to_utf8
from neardup.documents.streams import InputFile


class TextFile:
    """One file of lines."""

    def __init__(self, file: InputFile, encoding: Encoding) -> None:
        self._file = file
        self._encoding = encoding
        self._bad: set[int] = set()

    def documents(self, fields: Fields, on_error: OnError) -> Iterator[Batch]:
        """The first pass."""
        collector = Collector(self._file.name, fields, on_error, self._bad)
        size = 0
        for number, line in self._lines():
            try:
                text = decode(line, self._encoding).removesuffix("\r")
                collector.add(number, Document(text, None))
            except UnicodeDecodeError as error:
                collector.refuse(number, invalid(error, self._encoding), line)
            size += len(line)
            if size >= BATCH_BYTES or len(collector.batch.texts) >= BATCH_ROWS:
                yield collector.take(self._file.read)
                size = 0
        yield collector.take(self._file.read)

    def rows(self) -> Iterator[TextRows]:
        """The second pass."""
        lines: list[bytes] = []
        size = 0
        for number, line in self._lines():
            if number not in self._bad:
                lines.append(to_utf8(line, self._encoding))
                size += len(line)
            if size >= BATCH_BYTES or len(lines) >= BATCH_ROWS:
                yield TextRows(lines)
                lines, size = [], 0
        yield TextRows(lines)

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        number = 0
        for lines in lines_of(self._file, self._encoding):
            for line in lines:
                number += 1
                yield number, line


class TextRows:
    """Lines, as UTF-8 without their line feeds."""

    def __init__(self, lines: list[bytes]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def kept(self, mask: Sequence[bool]) -> bytes:
        """The lines whose mask is true."""
        return b"\n".join([*compress(self._lines, mask), b""])

    def removed(self, indices: Sequence[int], reasons: Sequence[dict[str, Any]]) -> bytes:
        """These lines as JSONL: text and `_neardup`."""
        rows = zip(indices, reasons, strict=True)
        return b"".join(
            b'{"text":%b,"_neardup":%b}\n'
            % (
                orjson.dumps(self._lines[index].decode().removesuffix("\r")),
                reason_json(reason).encode(),
            )
            for index, reason in rows
        )
