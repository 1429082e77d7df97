"""What the formats have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

import orjson

from neardup.errors import BadRowError

OnError = Literal["stop", "skip"]

#: A batch ends at this many rows or bytes of input, whichever comes first.
BATCH_ROWS = 8192
BATCH_BYTES = 1 << 20

#: Characters of a bad row that are kept to be looked at.
_SHOWN = 4096


@dataclass(frozen=True)
class Fields:
    """Which fields of a row are read.

    Attributes:
        text: The fields with the text; several are joined by line feeds.
        id: The field with the id; None for `id` where a row has it, else `FILE:LINE`.
        value: A field to read beside, for `keep=max:FIELD`.
    """

    text: tuple[str, ...] = ("text",)
    id: str | None = None
    value: str | None = None


@dataclass(frozen=True)
class BadRow:
    """A row that is no document: where it stands, why, and the row itself (or its beginning)."""

    file: str
    line: int
    reason: str
    row: str


@dataclass
class Batch:
    """Some documents, in order.

    Attributes:
        texts: None where the text is null.
        ids: The ids as JSON text, so that 1 and "1" differ and large integers are exact.
        values: The extra field, where asked for.
        bad: Rows left out.
        repaired: Texts in which lone surrogates were replaced by U+FFFD.
        bytes_read: Bytes of the inputs read so far, as they are stored.
    """

    texts: list[str | None] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    values: list[Any] | None = None
    bad: list[BadRow] = field(default_factory=list)
    repaired: int = 0
    bytes_read: int = 0


class Rows(Protocol):
    """The rows of the second pass, a part at a time."""

    def __len__(self) -> int: ...

    def kept(self, mask: Sequence[bool]) -> Any:
        """What `Writer.write` takes: the rows whose mask is true."""

    def removed(self, indices: Sequence[int], reasons: Sequence[dict[str, Any]]) -> Any:
        """What `Writer.write` takes: these rows with `_neardup` added."""


class Writer(Protocol):
    """A file that is written aside and appears at once."""

    def write(self, chunk: Any) -> None:
        """Takes what a `Rows` made."""

    def finish(self) -> None:
        """Writes all that is left; the target is as it was."""

    def commit(self) -> None:
        """Puts the file in its place."""

    def discard(self) -> None:
        """Deletes it, unless it was committed."""


class UnreadableError(Exception):
    """A row that is no document; the message says what was expected and what was found."""


class Document(NamedTuple):
    """What a format found in a row. The id is JSON text; None where the row has none."""

    text: str | None
    id: str | None
    value: Any = None


class Format(Protocol):
    """One format, over one file, for one run: it remembers which rows were bad."""

    def documents(self, fields: Fields, on_error: OnError) -> Iterator[Batch]:
        """The first pass."""

    def rows(self) -> Iterator[Rows]:
        """The second pass: the same rows, without the bad ones."""


@dataclass
class Collector:
    """Makes batches out of rows, and remembers the bad ones."""

    file: str
    fields: Fields
    on_error: OnError
    bad_lines: set[int]
    batch: Batch = field(init=False)

    def __post_init__(self) -> None:
        self._renew()

    def _renew(self) -> None:
        self.batch = Batch(values=None if self.fields.value is None else [])

    def add(self, line: int, document: Document) -> None:
        """Adds a document; without an id of its own it gets `FILE:LINE`."""
        text = document.text
        if text is not None and not text.isascii():
            text = self._without_surrogates(text)
        batch = self.batch
        batch.texts.append(text)
        batch.ids.append(document.id or json_text(f"{self.file}:{line}"))
        if batch.values is not None:
            batch.values.append(document.value)

    def _without_surrogates(self, text: str) -> str:
        try:
            text.encode()
        except UnicodeEncodeError:
            self.batch.repaired += 1
            return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
        return text

    def refuse(self, line: int, reason: str, row: bytes | str) -> None:
        """Notes a bad row, or stops at it."""
        if self.on_error == "stop":
            raise BadRowError(self.file, line, reason)
        shown = row[:_SHOWN]
        if isinstance(shown, bytes):
            shown = shown.decode("utf-8", "backslashreplace")
        else:
            shown = shown.encode("utf-8", "backslashreplace").decode()
        self.bad_lines.add(line)
        self.batch.bad.append(BadRow(self.file, line, reason, shown))

    def take(self, bytes_read: int) -> Batch:
        """The batch so far; the next one begins."""
        batch = self.batch
        batch.bytes_read = bytes_read
        self._renew()
        return batch


def json_text(value: str | int) -> str:
    """An id as JSON text."""
    return str(value) if isinstance(value, int) else orjson.dumps(value).decode()


def plain_text(json_id: str) -> str:
    """An id as it is written where there is no JSON: without quotes."""
    if not json_id.startswith('"'):
        return json_id
    text: str = orjson.loads(json_id)
    return text


def reason_json(reason: dict[str, Any]) -> str:
    """`_neardup` as JSON text; `kept_id` is JSON text already."""
    members = (
        f'"{name}":{value if name == "kept_id" else orjson.dumps(value).decode()}'
        for name, value in reason.items()
    )
    return "{" + ",".join(members) + "}"


def kind_of(value: object) -> str:
    """What a JSON value is called."""
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string"}
    names |= {list: "a list", dict: "an object", type(None): "null"}
    return names.get(type(value), type(value).__name__)


def find_field(row: dict[str, Any], name: str) -> Any:
    """The value of a field; `a.b` also walks into objects, unless a key is called just so.

    Raises:
        UnreadableError: If there is no such field.
    """
    if name in row:
        return row[name]
    value: Any = row
    for part in name.split("."):
        if not isinstance(value, dict) or part not in value:
            shown = ", ".join(list(row)[:8]) + (", …" if len(row) > 8 else "")
            raise UnreadableError(f'no field "{name}"; the row has: {shown}')
        value = value[part]
    return value


def document_of(row: dict[str, Any], fields: Fields) -> Document:
    """Reads the fields of a row that is a dictionary.

    Raises:
        UnreadableError: If a field is missing or has another type.
    """
    if len(fields.text) == 1:
        text = _text_field(row, fields.text[0])
    else:
        texts = [_text_field(row, name) for name in fields.text]
        empty = all(text is None for text in texts)
        text = None if empty else "\n".join(text or "" for text in texts)
    if fields.id is None:
        identifier = row.get("id")
    else:
        identifier = find_field(row, fields.id)
        if identifier is None:
            raise UnreadableError(f'the id field "{fields.id}" is null')
    value = find_field(row, fields.value) if fields.value is not None else None
    if not isinstance(value, (str, int, float, type(None))):
        raise UnreadableError(
            f'field "{fields.value}" is {kind_of(value)}, expected a number or a string'
        )
    return Document(text, _identifier(identifier, fields.id or "id"), value)


def _text_field(row: dict[str, Any], name: str) -> str | None:
    value = find_field(row, name)
    if value is None or isinstance(value, str):
        return value
    raise UnreadableError(f'field "{name}" is {kind_of(value)}, expected a string')


def _identifier(value: Any, name: str) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise UnreadableError(
            f'the id field "{name}" is {kind_of(value)}, expected a string or a whole number'
        )
    try:
        return json_text(value)
    except orjson.JSONEncodeError as error:  # a lone surrogate
        raise UnreadableError(f'the id field "{name}" is not valid text') from error
