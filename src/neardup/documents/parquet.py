"""Parquet, through pyarrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from neardup.documents.base import (
    Batch,
    Collector,
    Document,
    Fields,
    OnError,
    json_text,
    plain_text,
)
from neardup.documents.streams import InputFile, reading
from neardup.errors import InputError

#: Rows of a batch: each may be a long text.
_ROWS = 4096

REASON_TYPE = pa.struct(
    [
        pa.field("cluster", pa.int64()),
        pa.field("kept_id", pa.string()),
        pa.field("distance", pa.int32()),
        pa.field("relation", pa.string()),
    ]
)


class ParquetFile:
    """One Parquet file."""

    def __init__(self, file: InputFile) -> None:
        self._file = file
        with file.raw() as raw, reading(file.name):
            parquet = pq.ParquetFile(raw)
            self.schema: pa.Schema = parquet.schema_arrow
            groups = parquet.metadata
            compressed = groups.num_row_groups and groups.num_columns
            codec = groups.row_group(0).column(0).compression if compressed else "ZSTD"
            #: Compression of the first column, which the output gets, too.
            self.compression = {"UNCOMPRESSED": "none"}.get(codec, codec.lower())

    def documents(self, fields: Fields, on_error: OnError) -> Iterator[Batch]:
        """The first pass: only the columns that are needed."""
        texts = [self._path(name) for name in fields.text]
        for name, path in zip(fields.text, texts, strict=True):
            _expect(self._file.name, name, _type_at(self.schema, path), _is_text, "text")
        identifier = self._identifier(fields)
        value = self._path(fields.value) if fields.value is not None else None
        columns = {path[0] for path in [*texts, identifier, value] if path}
        collector = Collector(self._file.name, fields, on_error, set())
        row = 0
        for batch in self._batches(sorted(columns)):
            text = [_at(batch, path).to_pylist() for path in texts]
            ids = _at(batch, identifier).to_pylist() if identifier else [None] * batch.num_rows
            values = _at(batch, value).to_pylist() if value else [None] * batch.num_rows
            for cells in zip(zip(*text, strict=True), ids, values, strict=True):
                row += 1
                collector.add(row, self._document(row, fields, *cells))
            yield collector.take(self._file.read)

    def rows(self) -> Iterator[ParquetRows]:
        """The second pass."""
        for batch in self._batches(None):
            yield ParquetRows(batch)

    def _document(
        self, row: int, fields: Fields, texts: tuple[str | None, ...], identifier: Any, value: Any
    ) -> Document:
        if identifier is None and fields.id is not None:
            raise InputError(f'{self._file.name}:{row}: the id column "{fields.id}" is null')
        if not isinstance(value, (str, int, float, type(None))):
            value = str(value)  # a date or a time: its ISO form sorts as it should
        empty = all(text is None for text in texts)
        text = texts[0] if len(texts) == 1 or empty else "\n".join(t or "" for t in texts)
        return Document(text, None if identifier is None else json_text(identifier), value)

    def _identifier(self, fields: Fields) -> list[str] | None:
        if fields.id is None and "id" not in self.schema.names:
            return None
        path = self._path(fields.id or "id")
        kind = _type_at(self.schema, path)
        _expect(
            self._file.name,
            fields.id or "id",
            kind,
            lambda kind: _is_text(kind) or pa.types.is_integer(kind),
            "text or whole numbers",
        )
        return path

    def _path(self, name: str) -> list[str]:
        """The column, or for `a.b` the way into a struct."""
        if name in self.schema.names:
            return [name]
        path = name.split(".")
        if _type_at(self.schema, path) is None:
            raise InputError(
                f'{self._file.name}: no column "{name}"; the file has: '
                f"{', '.join(self.schema.names[:8])}"
            )
        return path

    def _batches(self, columns: list[str] | None) -> Iterator[pa.RecordBatch]:
        with self._file.raw() as raw, reading(self._file.name):
            parquet = pq.ParquetFile(raw)
            for batch in parquet.iter_batches(_ROWS, columns=columns):
                self._file.read = min(raw.tell(), self._file.size)
                yield batch
            self._file.read = self._file.size


class ParquetRows:
    """A record batch."""

    def __init__(self, batch: pa.RecordBatch) -> None:
        self._batch = batch

    def __len__(self) -> int:
        return int(self._batch.num_rows)

    def kept(self, mask: Sequence[bool]) -> list[pa.RecordBatch]:
        """The rows whose mask is true."""
        return [self._batch if all(mask) else self._batch.filter(pa.array(mask, pa.bool_()))]

    def removed(
        self, indices: Sequence[int], reasons: Sequence[dict[str, Any]]
    ) -> list[pa.RecordBatch]:
        """These rows with the column `_neardup`."""
        rows = self._batch.take(pa.array(np.array(indices, np.int64)))
        cells = [{**reason, "kept_id": plain_text(reason["kept_id"])} for reason in reasons]
        schema = with_reason(rows.schema)
        columns = [rows.column(name) for name in schema.names[:-1]]
        return [pa.record_batch([*columns, pa.array(cells, REASON_TYPE)], schema=schema)]


def with_reason(schema: pa.Schema) -> pa.Schema:
    """The schema of removed rows."""
    place = schema.get_field_index("_neardup")
    if place >= 0:
        schema = schema.remove(place)
    return schema.append(pa.field("_neardup", REASON_TYPE))


def _type_at(schema: pa.Schema, path: list[str]) -> pa.DataType | None:
    place = schema.get_field_index(path[0])
    if place < 0:
        return None
    kind = schema.field(place).type
    for name in path[1:]:
        if not pa.types.is_struct(kind) or kind.get_field_index(name) < 0:
            return None
        kind = kind.field(name).type
    return kind


def _at(batch: pa.RecordBatch, path: list[str]) -> Any:
    column = batch.column(path[0])
    for name in path[1:]:
        column = pc.struct_field(column, name)
    return column


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    types = pa.types
    return bool(
        types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_string_view(kind)
        or types.is_null(kind)
    )


def _expect(file: str, name: str, kind: Any, check: Any, expected: str) -> None:
    if not check(kind):
        raise InputError(f'{file}: column "{name}" is {kind}, expected {expected}')


def one_schema(files: list[ParquetFile], names: list[str]) -> None:
    """Refuses shards with different columns.

    Raises:
        InputError: If the schema of one is not that of the first.
    """
    for file, name in zip(files[1:], names[1:], strict=True):
        if not file.schema.equals(files[0].schema):
            raise InputError(
                f"{name}: its columns are not those of {names[0]}; the files of one run must "
                "have one schema"
            )
