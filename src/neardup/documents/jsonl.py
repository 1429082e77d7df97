"""JSONL: one JSON object a line. Kept lines go out byte for byte."""

from __future__ import annotations

import json
import re
from typing import Any

import orjson

from neardup.documents.base import (
    Document,
    Fields,
    UnreadableError,
    document_of,
    kind_of,
    reason_json,
)
from neardup.documents.encodings import Encoding, invalid, to_utf8
from neardup.documents.lines import LineFile, LineRows
from neardup.errors import InputError

#: Levels of a line that orjson refuses; Python's own limit differs from version to version.
_DEEPEST = 500
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"')


class JsonlFile(LineFile):
    """One file of JSON lines; blank lines are left out."""

    def _is_row(self, line: bytes) -> bool:
        return bool(line) and not line.isspace()

    def _rows(self, lines: list[bytes]) -> LineRows:
        return JsonlRows(lines)

    def _read(self, number: int, line: bytes, fields: Fields) -> Document:
        if number == 1 and line.lstrip().startswith(b"["):
            self._refuse_array()
        return document_of(self._parse(line, fields), fields)

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


class JsonlRows(LineRows):
    """JSON lines."""

    def _with_reason(self, line: bytes, reason: dict[str, Any]) -> bytes:
        member = f'"_neardup":{reason_json(reason)}'.encode()
        body = line.rstrip()
        if b'"_neardup"' in body:
            row = json.loads(body)
            if row.pop("_neardup", None) is not None:
                body = json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace")
        inside = body[:-1].rstrip()
        comma = b"" if inside.endswith(b"{") and len(inside.strip()) == 1 else b","
        return inside + comma + member + b"}\n"
