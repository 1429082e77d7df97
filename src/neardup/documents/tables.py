"""CSV and TSV: a header, then a document a record."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Any

from neardup.documents.base import (
    BATCH_BYTES,
    BATCH_ROWS,
    Batch,
    Collector,
    Fields,
    OnError,
    UnreadableError,
    document_of,
    reason_json,
)
from neardup.documents.encodings import Encoding, lines_of
from neardup.documents.streams import InputFile
from neardup.errors import InputError

_DELIMITERS = ",;\t|"
REASON = "_neardup"

# The limit (131,072 characters a field) is the process's, not a reader's: documents are longer.
csv.field_size_limit(min(sys.maxsize, 2**31 - 1))


class CsvFile:
    """One file of records."""

    def __init__(self, file: InputFile, encoding: Encoding) -> None:
        self._file = file
        self._encoding = encoding
        self._bad: set[int] = set()
        first = next((line for line in self._text() if line.strip()), "")
        self.delimiter = "\t" if ".tsv" in file.name.lower() else _delimiter(first)
        #: Names of the columns; empty for an empty file.
        self.header: list[str] = []
        for _, record in self._records():
            self.header = record if isinstance(record, list) else []
            break
        twice = sorted({name for name in self.header if self.header.count(name) > 1})
        if twice:
            raise InputError(f"{file.name}:1: the header has a name twice: {', '.join(twice)}")

    def documents(self, fields: Fields, on_error: OnError) -> Iterator[Batch]:
        """The first pass."""
        needed = [*fields.text, fields.id, fields.value]
        missing = [name for name in needed if name is not None and name not in self.header]
        if self.header and missing:
            raise InputError(
                f'{self._file.name}:1: no column "{missing[0]}"; the header has: '
                f"{', '.join(self.header[:8])}"
            )
        collector = Collector(self._file.name, fields, on_error, self._bad)
        size = 0
        for line, record in self._body():
            try:
                collector.add(line, document_of(self._row(record, fields), fields))
            except UnreadableError as error:
                shown = record if isinstance(record, str) else self.write([record]).decode()
                collector.refuse(line, str(error), shown)
            size += sum(map(len, record))
            if size >= BATCH_BYTES or len(collector.batch.texts) >= BATCH_ROWS:
                yield collector.take(self._file.read)
                size = 0
        yield collector.take(self._file.read)

    def rows(self) -> Iterator[CsvRows]:
        """The second pass."""
        records: list[list[str]] = []
        for line, record in self._body():
            if line not in self._bad and isinstance(record, list):
                records.append(record)
            if len(records) >= BATCH_ROWS:
                yield CsvRows(self, records)
                records = []
        yield CsvRows(self, records)

    def write(self, records: Sequence[Sequence[str]]) -> bytes:
        """Records as UTF-8 in this file's dialect."""
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=self.delimiter, lineterminator="\n").writerows(records)
        return text.getvalue().encode("utf-8", "backslashreplace")

    def _row(self, record: list[str] | str, fields: Fields) -> dict[str, Any]:
        if isinstance(record, str):
            raise UnreadableError(record)
        if len(record) != len(self.header):
            raise UnreadableError(f"expected {len(self.header)} columns, found {len(record)}")
        if any("\udc80" <= c <= "\udcff" for field in record if not field.isascii() for c in field):
            raise UnreadableError(f"invalid {self._encoding.name.upper()} in the record")
        row: dict[str, Any] = dict(zip(self.header, record, strict=True))
        if fields.id is None and row.get("id") == "":
            row["id"] = None
        if fields.value is not None:
            row[fields.value] = _number_or_text(row[fields.value])
        return row

    def _text(self) -> Iterator[str]:
        """The lines; bytes that are not in the encoding come as lone surrogates."""
        name = "utf-8" if self._encoding.is_wide else self._encoding.name
        for lines in lines_of(self._file, self._encoding):
            for line in lines:
                yield line.decode(name, "surrogateescape") + "\n"

    def _records(self) -> Iterator[tuple[int, list[str] | str]]:
        """The records with the lines they begin on; a string says what is wrong with one."""
        # Strict, or an open quote would silently swallow the rest of the file.
        reader = csv.reader(self._text(), delimiter=self.delimiter, strict=True)
        while True:
            line = reader.line_num + 1
            try:
                record = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield line, f"not valid CSV: {error}"
                continue
            if record:
                yield line, record

    def _body(self) -> Iterator[tuple[int, list[str] | str]]:
        records = self._records()
        next(records, None)
        return records


class CsvRows:
    """Records."""

    def __init__(self, file: CsvFile, records: list[list[str]]) -> None:
        self._file = file
        self._records = records

    def __len__(self) -> int:
        return len(self._records)

    def kept(self, mask: Sequence[bool]) -> bytes:
        """The records whose mask is true."""
        return self._file.write(list(compress(self._records, mask)))

    def removed(self, indices: Sequence[int], reasons: Sequence[dict[str, Any]]) -> bytes:
        """These records with the column `_neardup`, which holds JSON."""
        place = self._file.header.index(REASON) if REASON in self._file.header else None
        records = []
        for index, reason in zip(indices, reasons, strict=True):
            record = list(self._records[index])
            if place is not None:
                del record[place]
            records.append([*record, reason_json(reason)])
        return self._file.write(records)


def _delimiter(header: str) -> str:
    """The most frequent candidate in the header; a comma if there is none."""
    return max(_DELIMITERS, key=lambda delimiter: (header.count(delimiter), delimiter == ","))


def _number_or_text(cell: str) -> int | float | str | None:
    if cell == "":
        return None
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            continue
    return cell
