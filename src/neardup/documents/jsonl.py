"""JSONL: one JSON object a line. Kept lines go out byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Any

import orjson

from neardup.documents.base import (
    BATCH_BYTES,
    BATCH_ROWS,
    Batch,
    Collector,
    Fields,
    OnError,
    UnreadableError,
    document_of,
    kind_of,
    reason_json,
)
from neardup.documents.encodings import Encoding, invalid, lines_of, to_utf8
from neardup.documents.streams import InputFile
from neardup.errors import InputError

#: Levels of a line that orjson refuses; Python's own limit differs from version to version.
_DEEPEST = 500
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"')


class JsonlFile:
    """One file of JSON lines."""

    def __init__(self, file: InputFile, encoding: Encoding) -> None:
        self._file = file
        self._encoding = encoding
        self._bad: set[int] = set()

    def documents(self, fields: Fields, on_error: OnError) -> Iterator[Batch]:
        """The first pass."""
        collector = Collector(self._file.name, fields, on_error, self._bad)
        size = 0
        for number, line in self._lines():
            if number == 1 and line.lstrip().startswith(b"["):
                self._refuse_array()
            try:
                collector.add(number, document_of(self._parse(line, fields), fields))
            except UnreadableError as error:
                collector.refuse(number, str(error), line)
            size += len(line)
            if size >= BATCH_BYTES or len(collector.batch.texts) >= BATCH_ROWS:
                yield collector.take(self._file.read)
                size = 0
        yield collector.take(self._file.read)

    def rows(self) -> Iterator[JsonlRows]:
        """The second pass."""
        lines: list[bytes] = []
        size = 0
        for number, line in self._lines():
            if number not in self._bad:
                lines.append(to_utf8(line, self._encoding))
                size += len(line)
            if size >= BATCH_BYTES or len(lines) >= BATCH_ROWS:
                yield JsonlRows(lines)
                lines, size = [], 0
        yield JsonlRows(lines)

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines that are not blank, with their numbers."""
        number = 0
        for lines in lines_of(self._file, self._encoding):
            for line in lines:
                number += 1
                if line and not line.isspace():
                    yield number, line

    def _parse(self, line: bytes, fields: Fields) -> dict[str, Any]:
        try:
            line = to_utf8(line, self._encoding)
        except UnicodeDecodeError as error:
            raise UnreadableError(invalid(error, self._encoding)) from error
        try:
            row: Any = orjson.loads(line)
        except orjson.JSONDecodeError:
            row = _parse_leniently(line, self._encoding)
        if not isinstance(row, dict):
            raise UnreadableError(f"expected a JSON object, found {kind_of(row)}")
        if isinstance(row.get(fields.id or "id"), float):
            # orjson reads integers beyond 64 bits as floats; an id must be exact.
            exact: dict[str, Any] = _parse_leniently(line, self._encoding)
            return exact
        return row

    def _refuse_array(self) -> None:
        """A whole file that is one array is a common mistake, worth its own message."""
        raise InputError(
            f"{self._file.name}: expected a JSON object a line, found a JSON array; "
            f"jq -c '.[]' {self._file.name} makes lines of it"
        )


def _parse_leniently(line: bytes, encoding: Encoding) -> Any:
    """What orjson refuses and Python reads: lone surrogates, NaN, integers of any size."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise UnreadableError(invalid(error, encoding)) from error
    if _depth(text) > _DEEPEST:
        raise UnreadableError("not valid JSON: nested too deeply")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise UnreadableError(f"not valid JSON: {error.msg} at column {error.colno}") from error
    except ValueError as error:  # an integer of more digits than Python converts
        raise UnreadableError(f"not valid JSON: {error}") from error


def _depth(text: str) -> int:
    depth = deepest = 0
    for c in _STRINGS.sub("", text):
        if c in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif c in "]}":
            depth -= 1
    return deepest


class JsonlRows:
    """Lines, as UTF-8 without their line feeds."""

    def __init__(self, lines: list[bytes]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def kept(self, mask: Sequence[bool]) -> bytes:
        """The lines whose mask is true."""
        lines = self._lines if all(mask) else list(compress(self._lines, mask))
        return b"\n".join([*lines, b""])

    def removed(self, indices: Sequence[int], reasons: Sequence[dict[str, Any]]) -> bytes:
        """These lines with `_neardup` added."""
        rows = zip(indices, reasons, strict=True)
        return b"".join(_with_reason(self._lines[index], reason) for index, reason in rows)


def _with_reason(line: bytes, reason: dict[str, Any]) -> bytes:
    member = f'"_neardup":{reason_json(reason)}'.encode()
    body = line.rstrip()
    if b'"_neardup"' in body:
        row = json.loads(body)
        if row.pop("_neardup", None) is not None:
            body = json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace")
    inside = body[:-1].rstrip()
    comma = b"" if inside.endswith(b"{") and len(inside.strip()) == 1 else b","
    return inside + comma + member + b"}\n"
