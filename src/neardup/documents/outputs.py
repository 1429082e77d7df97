"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from neardup.documents.base import plain_text
from neardup.documents.paths import format_of
from neardup.errors import OutputError

_CODECS = {".gz": "gzip", ".zst": "zstd"}

#: Rows of a Parquet row group.
GROUP_ROWS = 65_536


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Turns errors of the system into an OutputError that names the file."""
    try:
        yield
    except BrokenPipeError:
        raise  # whoever reads has enough: not an error of ours
    except OSError as error:
        raise OutputError(f"{path}: can't be written: {error.strerror or error}") from error


class AtomicFile:
    """A file that is written beside its target and takes its place in `commit`.

    A target that is no regular file (`-` for standard output, a pipe, a device) is written
    straight through. A path that ends in .gz or .zst is compressed.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._temporary: str | None = None
        with writing(path):
            raw = self._open(path)
        self._raw: IO[bytes] = raw
        codec = _CODECS.get(os.path.splitext(path)[1].lower())
        self._compressor = (
            pa.CompressedOutputStream(pa.PythonFile(_Unclosed(raw), "w"), codec) if codec else None
        )

    def _open(self, path: str) -> IO[bytes]:
        if path == "-":
            return sys.stdout.buffer
        self._target = os.path.realpath(path)
        mode = None
        if os.path.exists(self._target):
            status = os.stat(self._target)
            if stat.S_ISDIR(status.st_mode):
                raise IsADirectoryError(21, "it is a folder")
            if not stat.S_ISREG(status.st_mode):
                return open(self._target, "wb")
            if not os.access(self._target, os.W_OK):
                raise PermissionError(13, "Permission denied")
            mode = stat.S_IMODE(status.st_mode)
        folder, name = os.path.split(self._target)
        descriptor, self._temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
        # mkstemp's files are private; this one shall be as if it had been made by open().
        os.chmod(self._temporary, _default_mode() if mode is None else mode)
        return os.fdopen(descriptor, "wb")

    def write(self, data: bytes) -> None:
        """Appends bytes.

        Raises:
            OutputError: If there is no room, or the like.
        """
        with writing(self.path):
            (self._compressor or self._raw).write(data)

    def finish(self) -> None:
        """Writes all that is left; the target is as it was."""
        with writing(self.path):
            if self._compressor is not None and not self._compressor.closed:
                self._compressor.close()
            if not self._raw.closed:
                self._raw.flush()
                if self.path != "-":
                    self._raw.close()

    def commit(self) -> None:
        """Puts the file in its place."""
        if self._temporary is not None:
            with writing(self.path):
                os.replace(self._temporary, self._target)
            self._temporary = None

    def discard(self) -> None:
        """Deletes it, unless it was committed."""
        if self.path != "-":
            with contextlib.suppress(OSError):
                self._raw.close()
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)
            self._temporary = None


class _Unclosed(io.RawIOBase):
    """Passes bytes on; closing it leaves the file open."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return self._raw.write(data)


def _default_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


class ParquetSink:
    """Parquet written in row groups of a sensible size."""

    def __init__(self, path: str, schema: pa.Schema, compression: str = "zstd") -> None:
        self.file = AtomicFile(path)
        self._sink = pa.PythonFile(_AtomicSink(self.file), "w")
        self._writer = pq.ParquetWriter(self._sink, schema, compression=compression)
        self._schema = schema
        self._waiting: list[pa.RecordBatch] = []
        self._rows = 0
        self._bytes = 0

    def write(self, batches: list[pa.RecordBatch]) -> None:
        """Appends record batches."""
        for batch in batches:
            self._waiting.append(batch)
            self._rows += batch.num_rows
            self._bytes += batch.nbytes
        if self._rows >= GROUP_ROWS or self._bytes >= 32 << 20:
            self._flush()

    def _flush(self) -> None:
        table = pa.Table.from_batches(self._waiting, self._schema)
        with writing(self.file.path):
            self._writer.write_table(table)
        self._waiting, self._rows, self._bytes = [], 0, 0

    def finish(self) -> None:
        """Writes all that is left; the target is as it was."""
        if self._rows:
            self._flush()
        with writing(self.file.path):
            self._writer.close()
        self.file.finish()

    def commit(self) -> None:
        """Puts the file in its place."""
        self.file.commit()

    def discard(self) -> None:
        """Deletes it, unless it was committed."""
        with contextlib.suppress(Exception):
            self._writer.close()
        self.file.discard()


class _AtomicSink(io.RawIOBase):
    def __init__(self, file: AtomicFile) -> None:
        self._file = file
        self._place = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def write(self, data: Any) -> int:
        self._file.write(bytes(data))
        self._place += len(data)
        return len(data)


class TableWriter:
    """A table as a side output: Parquet, CSV or JSONL by its suffix.

    A field of the schema with the metadata `neardup: json` holds JSON text (of ids), which is
    written as the value that it is.
    """

    def __init__(self, path: str, schema: pa.Schema) -> None:
        self._json = [(field.metadata or {}).get(b"neardup") == b"json" for field in schema]
        self._names = schema.names
        self._schema = pa.schema([pa.field(field.name, field.type) for field in schema])
        self._format = format_of(path) or "jsonl"
        self._file: Any
        if self._format == "parquet":
            self._file = ParquetSink(path, self._schema)
        else:
            self._file = AtomicFile(path)
        if self._format == "csv":
            self._delimiter = "\t" if ".tsv" in path.lower() else ","
            self._file.write(self._csv([self._names]))

    def write(self, table: pa.Table) -> None:
        """Appends rows."""
        if self._format == "parquet":
            columns = [
                pa.array(_plain(column), field.type) if is_json else column
                for is_json, field, column in zip(
                    self._json, self._schema, table.columns, strict=True
                )
            ]
            self._file.write(pa.table(columns, schema=self._schema).to_batches())
            return
        columns = [column.to_pylist() for column in table.columns]
        if self._format == "csv":
            shown = [
                _plain(column) if is_json else column
                for is_json, column in zip(self._json, columns, strict=True)
            ]
            self._file.write(self._csv(zip(*shown, strict=True)))
        else:
            self._file.write(self._json_lines(columns))

    def _csv(self, rows: Any) -> bytes:
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=self._delimiter, lineterminator="\n").writerows(rows)
        return text.getvalue().encode()

    def _json_lines(self, columns: list[list[Any]]) -> bytes:
        cells = [
            column if is_json else [orjson.dumps(value).decode() for value in column]
            for is_json, column in zip(self._json, columns, strict=True)
        ]
        heads = [f'"{name}":' for name in self._names]
        lines = (
            "{" + ",".join(map(str.__add__, heads, row)) + "}\n" for row in zip(*cells, strict=True)
        )
        return "".join(lines).encode()

    def finish(self) -> None:
        """Writes all that is left; the target is as it was."""
        self._file.finish()

    def commit(self) -> None:
        """Puts the file in its place."""
        self._file.commit()

    def discard(self) -> None:
        """Deletes it, unless it was committed."""
        self._file.discard()


def _plain(column: Any) -> list[str]:
    values = column.to_pylist() if hasattr(column, "to_pylist") else column
    return [plain_text(value) for value in values]
