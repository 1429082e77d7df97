"""Bytes of an input: opened twice, decompressed, cut into lines, every error named."""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any

import pyarrow as pa

from neardup.errors import InputError

#: Bytes read at a time.
BLOCK = 1 << 20

_MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turns errors of the system and of decompression into an InputError that names the file."""
    try:
        yield
    except FileNotFoundError as error:
        raise InputError(f"{name}: no such file") from error
    except (OSError, pa.ArrowException) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{name}: can't be read: {reason}") from error


@dataclass
class InputFile:
    """One input. What can't be read twice (a pipe) is copied to an unnamed file first.

    Attributes:
        name: As the caller gave it.
        spool: The copy, if one was made.
        read: Bytes read in this pass, as they are stored.
    """

    name: str
    spool: IO[bytes] | None = None
    read: int = 0
    _stamp: tuple[int, int] | None = field(default=None)

    @classmethod
    def open_path(cls, name: str) -> InputFile:
        """An input at a path, or `-` for standard input."""
        if name == "-":
            return cls("-", _spooled(sys.stdin.buffer))
        with reading(name):
            status = os.stat(name)
            if os.path.isfile(name):
                with open(name, "rb"):
                    pass  # to find out now if it may not be read
                return cls(name, None, 0, (status.st_size, status.st_mtime_ns))
            with open(name, "rb") as stream:
                return cls(name, _spooled(stream))

    @property
    def size(self) -> int:
        """Bytes, as they are stored."""
        if self.spool is not None:
            return os.fstat(self.spool.fileno()).st_size
        return self._stamp[0] if self._stamp else 0

    def close(self) -> None:
        """Forgets the copy."""
        if self.spool is not None:
            self.spool.close()

    @contextmanager
    def raw(self) -> Iterator[IO[bytes]]:
        """The bytes as they are stored.

        Raises:
            InputError: If the file has changed since it was opened first.
        """
        with reading(self.name):
            if self.spool is not None:
                self.spool.seek(0)
                yield self.spool
                return
            with open(self.name, "rb") as stream:
                status = os.fstat(stream.fileno())
                if (status.st_size, status.st_mtime_ns) != self._stamp:
                    raise InputError(f"{self.name}: changed while it was being read")
                yield stream

    @contextmanager
    def open(self) -> Iterator[Any]:
        """The bytes, decompressed."""
        with self.raw() as raw:
            magic = raw.read(4)
            raw.seek(0)
            codec = _MAGIC.get(magic[:2]) or _MAGIC.get(magic)
            counted = _Counting(raw, self)
            with reading(self.name):
                if codec is None:
                    yield counted
                else:
                    stream = pa.CompressedInputStream(pa.PythonFile(counted, "r"), codec)
                    yield stream

    def blocks(self) -> Iterator[bytes]:
        """The bytes, decompressed, a block at a time."""
        with self.open() as stream:
            while block := stream.read(BLOCK):
                yield block


class _Counting(io.RawIOBase):
    """Notes how much was read; of a compressed stream the position is ahead of the text."""

    def __init__(self, raw: IO[bytes], file: InputFile) -> None:
        self._raw = raw
        self._file = file
        file.read = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._raw.read(size)
        self._file.read += len(data)
        return data

    def close(self) -> None:
        """The file is closed by who opened it."""


def _spooled(stream: IO[bytes]) -> IO[bytes]:
    copy: IO[bytes] = tempfile.TemporaryFile(prefix="neardup-")  # noqa: SIM115 (kept open)
    try:
        shutil.copyfileobj(stream, copy, BLOCK)
        copy.flush()
    except OSError as error:
        copy.close()
        raise InputError(
            f"the input can't be copied to {tempfile.gettempdir()}, as two passes need: "
            f"{error.strerror}; TMPDIR names another folder"
        ) from error
    return copy


def split_lines(blocks: Iterator[bytes]) -> Iterator[list[bytes]]:
    """Lists of lines without their line feeds; only a line feed ends a line."""
    pending: list[bytes] = []
    for block in blocks:
        lines = block.split(b"\n")
        # A line may be longer than many blocks: its parts are joined once, at its end.
        pending.append(lines[0])
        if len(lines) > 1:
            lines[0] = b"".join(pending)
            pending = [lines.pop()]
            yield lines
    last = b"".join(pending)
    if last:
        yield [last]
