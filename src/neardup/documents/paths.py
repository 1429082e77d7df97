"""From what the caller names to files of one format."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from pathlib import Path

from neardup.errors import InputError, UsageError

FORMATS = ("jsonl", "csv", "parquet", "text", "files")

_SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".txt": "text",
    ".text": "text",
}
_COMPRESSED = (".gz", ".zst")


def format_of(name: str) -> str | None:
    """The format that a name's suffix says, beneath .gz and .zst."""
    stem, suffix = os.path.splitext(name.lower())
    if suffix in _COMPRESSED:
        suffix = os.path.splitext(stem)[1]
    return _SUFFIXES.get(suffix)


def expand(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """The files and folders that are named, globs expanded and sorted.

    Raises:
        InputError: If nothing is there.
        UsageError: If no path is given.
    """
    expanded: list[str] = []
    for named in paths:
        path = os.fspath(named)
        if path == "-" or os.path.lexists(path) or not glob.has_magic(path):
            expanded.append(path)
            continue
        found = sorted(glob.glob(path, recursive=True))
        if not found:
            raise InputError(f"{path}: nothing matches")
        expanded.extend(found)
    if not expanded:
        raise UsageError("expected at least one input: a file, a folder, or - for standard input")
    return expanded


def files_in(folder: str) -> list[str]:
    """The files in a folder and its folders, as sorted paths within it; hidden ones left out."""
    found = []
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [
            Path(path, name).relative_to(folder).as_posix()
            for name in names
            if not name.startswith(".")
        ]
    if not found:
        raise InputError(f"{folder}: the folder has no files")
    return sorted(found)


def shards_in(folder: str) -> list[str] | None:
    """The files of a folder if they all are tables of one format, else None."""
    names = files_in(folder)
    formats = {format_of(name) for name in names}
    if len(formats) == 1 and formats <= {"jsonl", "csv", "parquet"}:
        return [os.path.join(folder, name) for name in names]
    return None


def one_format(names: list[str]) -> str:
    """The format that the suffixes of all files say.

    Raises:
        UsageError: If a suffix says nothing, or two say different things.
    """
    first: dict[str, str] = {}
    for name in names:
        found = format_of(name)
        if found is None:
            raise UsageError(
                f"{name}: the suffix doesn't tell the format; --format names it: "
                f"{', '.join(FORMATS)}"
            )
        first.setdefault(found, name)
    if len(first) > 1:
        shown = " and ".join(f"{name} ({found})" for found, name in list(first.items())[:2])
        raise UsageError(f"the inputs of a run must have one format, found {shown}")
    return next(iter(first))


def refuse_twice(names: list[str]) -> None:
    """Refuses a file that is named twice: its documents would all be duplicates."""
    seen: dict[tuple[int, int], str] = {}
    for name in names:
        if name == "-":
            continue
        status = os.stat(name)
        other = seen.setdefault((status.st_dev, status.st_ino), name)
        if other is not name:
            raise UsageError(f"the same file is given twice: {other} and {name}")
