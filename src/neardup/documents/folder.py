"""A folder: a document a file. Kept files are copied byte for byte into a new folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
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
    json_text,
    reason_json,
)
from neardup.documents.encodings import decode, find_encoding
from neardup.documents.outputs import writing
from neardup.documents.streams import InputFile
from neardup.errors import InputError, OutputError, UsageError


@dataclass(frozen=True)
class Member:
    """A file, and its name within the output folder."""

    file: InputFile
    name: str


@dataclass
class FolderFiles:
    """All files of a run; each is a document whose id is its name."""

    members: list[Member]
    encoding: str | None
    encodings: dict[str, str]
    _bad: set[str] = field(default_factory=set)

    def documents(self, fields: Fields, on_error: OnError) -> Iterator[Batch]:
        """The first pass."""
        collector = Collector("", fields, on_error, set())
        size = done = 0
        for member in self.members:
            collector.file = member.file.name
            try:
                text = self._read(member)
                size += len(text)
                collector.add(1, Document(text, json_text(member.name)))
            except InputError as error:
                if on_error == "stop" or not isinstance(error, _NotTextError):
                    raise
                collector.refuse(1, str(error), b"")
                self._bad.add(member.name)
            done += member.file.size
            if size >= BATCH_BYTES or len(collector.batch.texts) >= BATCH_ROWS:
                yield collector.take(done)
                size = 0
        yield collector.take(done)

    def rows(self) -> Iterator[FolderRows]:
        """The second pass."""
        good = [member for member in self.members if member.name not in self._bad]
        for start in range(0, len(good), BATCH_ROWS):
            yield FolderRows(self, good[start : start + BATCH_ROWS])

    def _read(self, member: Member) -> str:
        try:
            encoding = find_encoding(member.file, self.encoding)
            self.encodings[member.file.name] = encoding.name
            data = b"".join(member.file.blocks())[len(encoding.mark) :]
            return data.decode(encoding.name) if encoding.is_wide else decode(data, encoding)
        except UnicodeDecodeError as error:
            raise _NotTextError(
                f"{member.file.name}: invalid {error.encoding.upper()} at byte {error.start}"
            ) from error


class _NotTextError(InputError):
    """A file that is in no encoding."""


class FolderRows:
    """Files."""

    def __init__(self, files: FolderFiles, members: list[Member]) -> None:
        self._files = files
        self._members = members

    def __len__(self) -> int:
        return len(self._members)

    def kept(self, mask: Sequence[bool]) -> list[Member]:
        """The files whose mask is true."""
        return list(compress(self._members, mask))

    def removed(self, indices: Sequence[int], reasons: Sequence[dict[str, Any]]) -> bytes:
        """These files as JSONL: file, text and `_neardup`."""
        return b"".join(
            b'{"file":%b,"text":%b,"_neardup":%b}\n'
            % (
                orjson.dumps(self._members[index].name),
                orjson.dumps(self._files._read(self._members[index])),
                reason_json(reason).encode(),
            )
            for index, reason in zip(indices, reasons, strict=True)
        )


class FolderWriter:
    """A new folder, made beside its place and moved there in `commit`."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._temporary: str | None = None
        with writing(path):
            if os.path.lexists(path) and not os.path.isdir(path):
                raise UsageError(f"{path}: the output for separate files must be a folder")
            if os.path.isdir(path) and os.listdir(path):
                raise OutputError(f"{path}: the folder is not empty; name a new one")
            target = os.path.realpath(path)
            self._target = target
            self._temporary = tempfile.mkdtemp(
                prefix=f".{os.path.basename(target)}.", dir=os.path.dirname(target)
            )
            os.chmod(self._temporary, 0o777 & ~_umask())

    def write(self, members: list[Member]) -> None:
        """Copies files."""
        for member in members:
            if self._temporary is None:
                return
            place = os.path.join(self._temporary, member.name)
            with member.file.raw() as source, writing(self._path):
                os.makedirs(os.path.dirname(place), exist_ok=True)
                with open(place, "wb") as target:
                    shutil.copyfileobj(source, target)

    def finish(self) -> None:
        """All is written already."""

    def commit(self) -> None:
        """Puts the folder in its place."""
        if self._temporary is not None:
            with writing(self._path):
                if os.path.isdir(self._target):
                    os.rmdir(self._target)
                os.rename(self._temporary, self._target)
            self._temporary = None

    def discard(self) -> None:
        """Deletes it, unless it was committed."""
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                shutil.rmtree(self._temporary)
            self._temporary = None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
