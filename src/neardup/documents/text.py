"""Plain text: a document a line; empty lines are empty documents."""

from __future__ import annotations

from typing import Any

import orjson

from neardup.documents.base import Document, Fields, UnreadableError, reason_json
from neardup.documents.encodings import decode, invalid
from neardup.documents.lines import LineFile, LineRows


class TextFile(LineFile):
    """One file of texts."""

    def _rows(self, lines: list[bytes]) -> LineRows:
        return TextRows(lines)

    def _read(self, number: int, line: bytes, fields: Fields) -> Document:  # noqa: ARG002
        try:
            return Document(decode(line, self._encoding).removesuffix("\r"), None)
        except UnicodeDecodeError as error:
            raise UnreadableError(invalid(error, self._encoding)) from error


class TextRows(LineRows):
    """Texts."""

    def _with_reason(self, line: bytes, reason: dict[str, Any]) -> bytes:
        text = orjson.dumps(line.decode().removesuffix("\r"))
        return b'{"text":%b,"_neardup":%b}\n' % (text, reason_json(reason).encode())
