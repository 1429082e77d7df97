"""The inputs of a run: what the caller names, as two passes over documents of one format."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from neardup.documents import paths as naming
from neardup.documents.base import Batch, Fields, Format, OnError, Rows, Writer
from neardup.documents.encodings import find_encoding, named_encoding
from neardup.documents.folder import FolderFiles, FolderWriter, Member
from neardup.documents.jsonl import JsonlFile
from neardup.documents.outputs import AtomicFile, ParquetSink
from neardup.documents.parquet import ParquetFile, one_schema, with_reason
from neardup.documents.streams import InputFile, reading
from neardup.documents.tables import REASON, CsvFile
from neardup.documents.text import TextFile
from neardup.errors import InputError, OutputError, UsageError


class Inputs:
    """Documents in files, to be read twice. A context manager.

    Attributes:
        format: `jsonl`, `csv`, `parquet`, `text` or `files`.
        files: The files, in the order in which they are read.
        total_bytes: What they hold, as stored.
        encodings: The encoding of each text file.
    """

    def __init__(self, members: list[Member], format: str, encoding: str | None) -> None:
        self.format = format
        self.files = [member.file.name for member in members]
        self.total_bytes = sum(member.file.size for member in members)
        self.encodings: dict[str, str] = {}
        self._members = members
        self._encoding = encoding
        self._formats: list[Any] | None = None

    def __enter__(self) -> Inputs:
        return self

    def __exit__(self, *_: object) -> None:
        for member in self._members:
            member.file.close()

    def _open(self) -> list[Any]:
        """The files in their format; opened at first use, so that options are checked before."""
        if self._formats is None:
            self._formats = list(self._opened())
            if self.format == "parquet":
                one_schema(self._formats, self.files)
            if self.format == "csv":
                _one_header(self._formats, self.files)
        return self._formats

    def _opened(self) -> Iterator[Format]:
        if self.format == "files":
            yield FolderFiles(self._members, self._encoding, self.encodings)
            return
        for member in self._members:
            file = member.file
            if self.format == "parquet":
                yield ParquetFile(file)
                continue
            encoding = find_encoding(file, self._encoding)
            self.encodings[file.name] = encoding.name
            kinds: dict[str, Any] = {"jsonl": JsonlFile, "csv": CsvFile, "text": TextFile}
            yield kinds[self.format](file, encoding)

    def documents(self, fields: Fields, on_error: OnError) -> Iterator[Batch]:
        """The first pass.

        Raises:
            UsageError: If a field is named and the format has none.
            BadRowError: At the first row that is no document, unless bad rows are skipped.
            InputError: If a file can't be read.
        """
        if self.format in ("text", "files") and fields != Fields():
            named = [*fields.text, fields.id, fields.value]
            name = next(name for name in named if name is not None and name != "text")
            raise UsageError(f"the format {self.format} has no fields, so none called {name!r}")
        before = 0
        for place, file in enumerate(self._open()):
            for batch in file.documents(fields, on_error):
                batch.bytes_read += before
                yield batch
            if self.format != "files":
                before += self._members[place].file.size

    def rows(self) -> Iterator[Rows]:
        """The second pass: the same rows in the same order, without the bad ones."""
        for file in self._open():
            yield from file.rows()

    def writer(self, path: str, *, removed: bool = False) -> Writer:
        """A file in the format of the input; removed texts and files are written as JSONL.

        Raises:
            UsageError: If the path's suffix says another format.
            OutputError: If it can't be written.
        """
        format = self._output_format(path, removed=removed)
        if format == "files":
            return FolderWriter(path)
        if format == "parquet":
            first: ParquetFile = self._open()[0]
            schema = with_reason(first.schema) if removed else first.schema
            return ParquetSink(path, schema, first.compression)
        file = AtomicFile(path)
        if format == "csv":
            table: CsvFile = self._open()[0]
            header = table.header
            if removed:
                header = [*(name for name in header if name != REASON), REASON]
            if table.header:
                file.write(table.write([header]))
        return file

    def _output_format(self, path: str, *, removed: bool) -> str:
        if self.format == "files" and not removed:
            return "files"
        format = "jsonl" if removed and self.format in ("text", "files") else self.format
        suffix = naming.format_of(path)
        if suffix not in (None, format):
            raise UsageError(
                f"{path}: the suffix says {suffix}, but the output has the format of the input, "
                f"{format}"
            )
        return format

    def check_writer(self, path: str, *, removed: bool = False) -> None:
        """What `writer` would say of the path, before any work.

        Raises:
            UsageError: If the path's suffix says another format.
        """
        self._output_format(path, removed=removed)

    def check_output(self, path: str) -> None:
        """Refuses a path that is an input, or that can't be written; nothing is made yet.

        Raises:
            UsageError: If it is an input, by whatever name.
            OutputError: If it, or its folder, may not be written, or the folder is missing.
        """
        if path == "-":
            return
        for member in self._members:
            name = member.file.name
            if name != "-" and os.path.exists(path) and os.path.samefile(path, name):
                raise UsageError(f"{path} is an input; an output needs another name")
        folder = os.path.dirname(os.path.realpath(path))
        if not os.path.isdir(folder):
            raise OutputError(f"{path}: the folder {folder} does not exist")
        if os.path.isfile(path) and not os.access(path, os.W_OK):
            raise OutputError(f"{path}: can't be written: Permission denied")
        if os.path.isdir(path) and self.format != "files":
            raise OutputError(f"{path}: can't be written: it is a folder")
        if not os.access(folder, os.W_OK) and not os.path.exists(path):
            raise OutputError(f"{path}: the folder {folder} may not be written")


def open_inputs(
    paths: Iterable[str | os.PathLike[str]], format: str = "auto", encoding: str | None = None
) -> Inputs:
    """Finds the files and tells their format.

    Args:
        paths: Files, folders, globs, `-` for standard input.
        format: One of the formats, or `auto` to tell it by suffix.
        encoding: The encoding of text files, or None to tell it.

    Raises:
        UsageError: If the format can't be told, or the files have several.
        InputError: If a file is missing or can't be read.
    """
    if format not in ("auto", *naming.FORMATS):
        raise UsageError(
            f"unknown format {format!r}; the formats are auto, {', '.join(naming.FORMATS)}"
        )
    encoding = None if encoding is None else named_encoding(encoding)
    names = naming.expand(paths)
    members: list[tuple[str, str]] = []  # path, name within the output folder
    separate = format == "files"
    for name in names:
        if name != "-" and os.path.isdir(name):
            with reading(name):
                shards = None if separate else naming.shards_in(name)
                if shards is None and format not in ("auto", "files"):
                    shards = [os.path.join(name, inner) for inner in naming.files_in(name)]
                if shards is None:
                    separate = True
                    members += [(os.path.join(name, file), file) for file in naming.files_in(name)]
                else:
                    members += [(shard, shard) for shard in shards]
        else:
            members.append((name, os.path.basename(name)))
    if separate and len({inner for _, inner in members}) < len(members):
        members = [(path, path.lstrip("/")) for path, _ in members]
    opened: list[Member] = []
    try:
        for path, inner in members:
            opened.append(Member(InputFile.open_path(path), inner))
        naming.refuse_twice([member.file.name for member in opened])
        if format == "auto":
            format = "files" if separate else _tell(opened)
    except BaseException:
        for member in opened:
            member.file.close()
        raise
    return Inputs(opened, format, encoding)


def _tell(members: Sequence[Member]) -> str:
    named = [member.file.name for member in members if naming.format_of(member.file.name)]
    streams = [
        member
        for member in members
        if member.file.spool is not None and not naming.format_of(member.file.name)
    ]
    if named or not streams:
        rest = [member.file.name for member in members if member not in streams]
        return naming.one_format(rest)
    with streams[0].file.open() as stream:
        beginning = bytes(stream.read(1024)).removeprefix(b"\xef\xbb\xbf").lstrip()
    if beginning.startswith(b"PAR1"):
        return "parquet"
    return "jsonl" if beginning.startswith(b"{") else "text"


def _one_header(files: list[CsvFile], names: list[str]) -> None:
    headers = [(file.header, name) for file, name in zip(files, names, strict=True) if file.header]
    for header, name in headers[1:]:
        if header != headers[0][0]:
            raise InputError(
                f"{name}: its columns are not those of {headers[0][1]}; the files of one run "
                "must have one header"
            )
