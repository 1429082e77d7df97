"""The first pass: texts in, a few dozen bytes a document out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from neardup.documents import BadRow, Batch
from neardup.fingerprint import Fingerprints, fingerprint_many
from neardup.profile import Profile

#: Batches that may wait for their fingerprints while the next one is read.
_AHEAD = 1


@dataclass
class Counts:
    """What was met on the way."""

    null_texts: int = 0
    empty_texts: int = 0
    bad_rows: int = 0
    repaired_texts: int = 0
    mojibake_texts: int = 0
    markup_texts: int = 0
    duplicate_ids: int = 0


@dataclass(frozen=True)
class Collected:
    """What is known of every document after the first pass.

    Attributes:
        fingerprints: One row a document.
        ids: The ids as JSON text.
        lengths: Characters of each text, where asked for.
        values: The extra column, where asked for.
        counts: What was met on the way.
    """

    fingerprints: Fingerprints
    ids: pa.LargeStringArray
    lengths: NDArray[np.int64] | None
    values: list[Any] | None
    counts: Counts

    def __len__(self) -> int:
        return len(self.fingerprints)


@dataclass
class _Columns:
    fingerprints: list[Fingerprints] = field(default_factory=list)
    ids: list[pa.Array] = field(default_factory=list)
    id_hashes: list[NDArray[np.int64]] = field(default_factory=list)
    lengths: list[NDArray[np.int64]] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)


def collect(
    batches: Iterable[Batch],
    profile: Profile,
    *,
    threads: int,
    with_lengths: bool = False,
    on_bad: Callable[[list[BadRow]], None] | None = None,
    on_batch: Callable[[Batch], None] | None = None,
) -> Collected:
    """Fingerprints all batches while the next ones are read.

    Args:
        batches: The documents.
        profile: The recipe.
        threads: Threads of the fingerprinting.
        with_lengths: Whether to note the texts' lengths.
        on_bad: Gets the bad rows of each batch.
        on_batch: Called with each batch, for progress.
    """
    counts = Counts()
    columns = _Columns()
    for batch, fingerprints in fingerprinted(batches, profile, threads=threads):
        _count(counts, batch, html="html" in profile.text.split()[2])
        columns.fingerprints.append(fingerprints)
        columns.ids.append(pa.array(batch.ids, pa.large_string()))
        columns.id_hashes.append(np.array([hash(text) for text in batch.ids], np.int64))
        if with_lengths:
            columns.lengths.append(np.array([len(text or "") for text in batch.texts], np.int64))
        if batch.values is not None:
            columns.values.extend(batch.values)
        if on_bad is not None and batch.bad:
            on_bad(batch.bad)
        if on_batch is not None:
            on_batch(batch)
    ids = pa.chunked_array(columns.ids, pa.large_string()).combine_chunks()
    columns.ids.clear()
    counts.duplicate_ids = _duplicate_ids(ids, columns.id_hashes)
    # What Arrow holds for later would stand beside all that the choice needs.
    pa.default_memory_pool().release_unused()
    return Collected(
        fingerprints=_concatenate(columns.fingerprints, profile),
        ids=ids,
        lengths=np.concatenate(columns.lengths) if columns.lengths else None,
        values=columns.values or None,
        counts=counts,
    )


def fingerprinted(
    batches: Iterable[Batch], profile: Profile, *, threads: int
) -> Iterator[tuple[Batch, Fingerprints]]:
    """Each batch with its fingerprints, in order; batches are read ahead meanwhile."""
    with ThreadPoolExecutor(1) as worker:
        waiting: list[tuple[Batch, Future[Fingerprints]]] = []
        try:
            for batch in batches:
                work = worker.submit(fingerprint_many, batch.texts, profile, threads=threads)
                waiting.append((batch, work))
                if len(waiting) > _AHEAD:
                    first, work = waiting.pop(0)
                    yield first, work.result()
            for batch, work in waiting:
                yield batch, work.result()
        finally:
            for _, work in waiting:
                work.cancel()


def _concatenate(parts: list[Fingerprints], profile: Profile) -> Fingerprints:
    if not parts:
        return fingerprint_many([], profile, threads=1)
    words = np.concatenate([part.words for part in parts])
    valid = np.concatenate([part.valid for part in parts])
    digests = np.concatenate([part.digests for part in parts])
    parts.clear()
    return Fingerprints(words, valid, digests, profile)


def _duplicate_ids(ids: pa.LargeStringArray, hashes: list[NDArray[np.int64]]) -> int:
    """How many ids an earlier document has, too.

    Equal hashes only say where to look: a table of all ids would take more memory than the run.
    """
    joined = np.concatenate([np.zeros(0, np.int64), *hashes])
    hashes.clear()
    if len(joined) == 0:
        return 0
    order = np.argsort(joined, kind="stable").astype(np.uint32)
    same = np.diff(joined[order]) == 0
    suspects = order[np.append(same, False) | np.append(False, same)]
    found = ids.take(pa.array(suspects)).to_pylist()
    return len(found) - len(set(found))


def _count(counts: Counts, batch: Batch, *, html: bool) -> None:
    counts.bad_rows += len(batch.bad)
    counts.repaired_texts += batch.repaired
    for text in batch.texts:
        if text is None:
            counts.null_texts += 1
        elif not text:
            counts.empty_texts += 1
        else:
            counts.mojibake_texts += not text.isascii() and _is_mojibake(text)
            counts.markup_texts += not html and _is_markup(text)


def _is_mojibake(text: str) -> bool:
    """UTF-8 that was read as Latin-1 or Windows-1252: read back it is valid UTF-8."""
    for codec in ("latin-1", "cp1252"):
        try:
            text.encode(codec).decode("utf-8")
        except UnicodeError:
            continue
        return True
    return False


def _is_markup(text: str) -> bool:
    """More than half of the text is between angle brackets."""
    start = text.lstrip()[:1]
    if start != "<":
        return False
    tags = sum(len(piece.partition(">")[0]) + 2 for piece in text.split("<")[1:])
    return 2 * tags > len(text)
