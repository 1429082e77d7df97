"""Documents in memory, in the batches that the first pass takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from neardup.documents import Batch, Fields
from neardup.errors import BadRowError, UsageError

_ROWS = 8192


def batches_in_memory(documents: Sequence[Any], fields: Fields) -> Iterator[Batch]:
    """Batches of texts, or of records (mappings); the id of a text is its position.

    Raises:
        BadRowError: If an item has no such field, or its text is not a text.
    """
    for start in range(0, len(documents), _ROWS):
        batch = Batch(
            texts=[], ids=[], values=[] if fields.value else None, bad=[], repaired=0, bytes_read=0
        )
        for row, document in enumerate(documents[start : start + _ROWS], start):
            _add(batch, row, document, fields)
        yield batch


def _add(batch: Batch, row: int, document: Any, fields: Fields) -> None:
    identifier: Any = row
    value: Any = None
    if document is None or isinstance(document, str):
        text: str | None = document
    elif isinstance(document, dict):
        text = _text(row, document, fields.text)
        own = document.get(fields.id or "id")
        if own is None and fields.id is not None:
            raise BadRowError("documents", row, f"no field {fields.id!r}")
        identifier = row if own is None else own
        value = document.get(fields.value) if fields.value else None
    else:
        raise UsageError(
            f"documents must be texts or dictionaries, found {type(document).__name__} at {row}"
        )
    if isinstance(identifier, bool) or not isinstance(identifier, (str, int)):
        raise BadRowError(
            "documents", row, f"the id must be text or a whole number: {identifier!r}"
        )
    if text is not None and not text.isascii():
        clean = text.encode("utf-8", "replace").decode() if _lone(text) else text
        batch.repaired += clean is not text
        text = clean
    batch.texts.append(text)
    batch.ids.append(
        str(identifier) if isinstance(identifier, int) else orjson.dumps(identifier).decode()
    )
    if batch.values is not None:
        batch.values.append(value)


def _lone(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _text(row: int, record: dict[str, Any], names: tuple[str, ...]) -> str | None:
    texts = []
    for name in names:
        if name not in record:
            found = ", ".join(map(str, list(record)[:8]))
            raise BadRowError("documents", row, f"no field {name!r}; the record has: {found}")
        if record[name] is not None and not isinstance(record[name], str):
            kind = type(record[name]).__name__
            raise BadRowError("documents", row, f"field {name!r} is {kind}, expected a str")
        texts.append(record[name])
    if all(text is None for text in texts):
        return None
    return "\n".join(text or "" for text in texts)
