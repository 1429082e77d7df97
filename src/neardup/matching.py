"""All pairs of fingerprints within a Hamming distance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neardup import _core
from neardup.errors import ProfileError, UsageError
from neardup.fingerprint import Fingerprints, as_words, thread_count
from neardup.types import Fingerprint, Pair

__all__ = ["Pairs", "find_pairs"]

#: Pairs that may be held in memory unless the caller says otherwise: about 3 GB.
PAIR_LIMIT = 1 << 28


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs of a set of fingerprints, equal ones collapsed.

    A million equal fingerprints are one group, not half a trillion pairs. Iterating gives all
    pairs, lazily, in order; their number is `count`.

    Attributes:
        representative: For every row the first row with the same fingerprint.
        left: Rows that are representatives, uint32.
        right: The representatives they are paired with, `left < right`.
        distance: Their distances (at least 1), uint16.
        valid: Rows that have a fingerprint.
        max_distance: The distance that was asked for.
    """

    representative: NDArray[np.uint32]
    left: NDArray[np.uint32]
    right: NDArray[np.uint32]
    distance: NDArray[np.uint16]
    valid: NDArray[np.bool_]
    max_distance: int

    @cached_property
    def _sizes(self) -> NDArray[np.uint32]:
        """How many rows each representative stands for."""
        counts = np.bincount(self.representative, minlength=len(self.representative))
        return counts.astype(np.uint32)

    @property
    def count(self) -> int:
        """The number of all pairs, those of equal fingerprints included."""
        sizes = self._sizes
        equal = sum(int(size) * (int(size) - 1) // 2 for size in sizes[sizes > 1])
        if len(self.left) == 0:
            return equal
        return equal + int((sizes[self.left].astype(np.int64) * sizes[self.right]).sum())

    @property
    def distinct(self) -> int:
        """The number of distinct fingerprints."""
        rows = np.arange(len(self.representative))
        return int(((self.representative == rows) & self.valid).sum())

    def groups(self) -> Iterator[NDArray[np.int64]]:
        """The rows of every fingerprint that occurs more than once, by their first rows."""
        order = np.argsort(self.representative, kind="stable")
        starts = np.flatnonzero(np.diff(self.representative[order], prepend=-1))
        for group in np.split(order, starts[1:]):
            if len(group) > 1:
                yield group

    def __iter__(self) -> Iterator[Pair]:
        for block in self.blocks():
            yield from map(Pair._make, zip(*(column.tolist() for column in block), strict=True))

    def blocks(
        self, largest_group: int | None = None
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
        """All pairs in order, as arrays of left rows, right rows and distances.

        Args:
            largest_group: A fingerprint with more rows than this stands for itself by its first
                row: its other rows are only paired with that one.
        """
        expansion = _Expansion(self, largest_group)
        for start in range(0, len(self.representative), _BLOCK_ROWS):
            rows = np.arange(start, min(start + _BLOCK_ROWS, len(self.representative)))
            yield from expansion.blocks(rows)


#: Rows that are expanded together, and pairs that one block may have (but for a single row's).
_BLOCK_ROWS = 1 << 16
_BLOCK_PAIRS = 1 << 15


class _Expansion:
    """From pairs of representatives to pairs of rows, a block at a time."""

    def __init__(self, pairs: Pairs, largest_group: int | None) -> None:
        self.group = pairs.representative
        self.sizes = pairs._sizes
        self.members = np.argsort(self.group, kind="stable").astype(np.uint32)
        self.sorted = self.group[self.members]
        self.large = self.sizes > (largest_group or len(self.group))
        #: Members of a group that appear as partners of others.
        self.shown = np.where(self.large, np.uint32(1), self.sizes)
        ends = np.concatenate([pairs.left, pairs.right])
        others = np.concatenate([pairs.right, pairs.left])
        order = np.argsort(ends, kind="stable")
        self.ends, self.others = ends[order], others[order]
        self.distance = np.concatenate([pairs.distance, pairs.distance])[order]

    def blocks(
        self, rows: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
        """The pairs whose left rows these are."""
        group = self.group[rows]
        alone = (self.sizes[group] == 1) | (self.large[group] & (group != rows))
        own = np.where(alone, 0, self.sizes[group]).astype(np.int64)
        first = np.searchsorted(self.ends, group, "left")
        count = np.searchsorted(self.ends, group, "right") - first
        count[self.large[group] & (group != rows)] = 0
        near = _ranges(first, count)
        near_rows = np.repeat(rows, count)
        partners = np.concatenate([group[own > 0], self.others[near]])
        lefts = np.concatenate([rows[own > 0], near_rows])
        distances = np.concatenate([np.zeros(int((own > 0).sum()), np.int64), self.distance[near]])
        shown = np.concatenate([own[own > 0], self.shown[self.others[near]].astype(np.int64)])
        order = np.argsort(lefts, kind="stable")
        lefts, partners, distances, shown = (
            column[order] for column in (lefts, partners, distances, shown)
        )
        totals = np.cumsum(shown)
        start = 0
        while start < len(lefts):
            before = totals[start - 1] if start else 0
            end = int(np.searchsorted(totals, before + _BLOCK_PAIRS, "right"))
            # Whole rows, or the order of a row's pairs would break.
            last = lefts[min(max(end, start + 1), len(lefts)) - 1]
            end = int(np.searchsorted(lefts, last, "right"))
            part = slice(start, end)
            yield self._expanded(lefts[part], partners[part], distances[part], shown[part])
            start = end

    def _expanded(
        self,
        lefts: NDArray[np.int64],
        partners: NDArray[np.uint32],
        distances: NDArray[np.int64],
        shown: NDArray[np.int64],
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        places = _ranges(np.searchsorted(self.sorted, partners, "left"), shown)
        right = self.members[places].astype(np.int64)
        left, distance = np.repeat(lefts, shown), np.repeat(distances, shown)
        later = right > left
        left, right, distance = left[later], right[later], distance[later]
        order = np.lexsort((right, left))
        return left[order], right[order], distance[order]


def _ranges(starts: NDArray[Any], counts: NDArray[Any]) -> NDArray[np.int64]:
    """start, start + 1, … (count of them), one such range after the other."""
    counts = counts.astype(np.int64)
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    shifts: NDArray[np.int64] = np.repeat(starts.astype(np.int64) - (ends - counts), counts)
    return np.add(shifts, np.arange(total), dtype=np.int64)


def find_pairs(
    fingerprints: Fingerprints | NDArray[Any] | Sequence[Fingerprint | int | None],
    max_distance: int = 3,
    *,
    bits: int | None = None,
    threads: int | None = None,
    limit: int = PAIR_LIMIT,
    progress: Callable[[int, int], object] | None = None,
) -> Pairs:
    """Finds all pairs of fingerprints within a distance; none is missed at any width or distance.

    Args:
        fingerprints: The result of `fingerprint_many`; or a uint64 array of shape (n,) or
            (n, words); or a sequence of fingerprints or integers. None has no pairs.
        max_distance: The largest distance of a pair (inclusive).
        bits: The width, where integers or an array are given; default 64 a word.
        threads: Number of threads; the answer doesn't depend on it.
        limit: The largest number of pairs of distinct fingerprints to hold; more is an error.
        progress: Called now and then with the steps done and the steps to do.

    Raises:
        UsageError: If an argument makes no sense, or there are more pairs than `limit`.
        ProfileError: If the fingerprints are of different profiles.

    >>> list(find_pairs([0b0000, 0b0111, None, 0b1111, 0b0000], 3))[:2]
    [Pair(left=0, right=1, distance=3), Pair(left=0, right=4, distance=0)]
    """
    if isinstance(max_distance, bool) or not isinstance(max_distance, int) or max_distance < 0:
        raise UsageError(f"max_distance must be a whole number, found {max_distance!r}")
    words, valid, width = _matrix(fingerprints, bits)
    found = _core.find_pairs(
        words,
        width,
        valid,
        min(max_distance, width),
        limit=limit,
        threads=thread_count(threads),
        progress=progress,
    )
    return Pairs(*found, valid=valid, max_distance=max_distance)


def _matrix(
    fingerprints: Any, bits: int | None
) -> tuple[NDArray[np.uint64], NDArray[np.bool_], int]:
    """The words, which rows are valid, and the width."""
    if isinstance(fingerprints, Fingerprints):
        return as_words(fingerprints), fingerprints.valid, fingerprints.profile.bits
    if isinstance(fingerprints, np.ndarray):
        words = as_words(fingerprints)
        width = 64 * words.shape[1] if bits is None else bits
        if words.shape[1] != -(-width // 64):
            raise UsageError(f"{width} bits don't make {words.shape[1]} words")
        return words, np.ones(len(words), np.bool_), width
    profiles = {
        (item.bits, item.profile_id) for item in fingerprints if isinstance(item, Fingerprint)
    }
    if len(profiles) > 1:
        raise ProfileError("only fingerprints of one profile can be compared")
    width = next(iter(profiles))[0] if profiles else bits or 64
    values = [item.value if isinstance(item, Fingerprint) else item for item in fingerprints]
    for row, value in enumerate(values):
        if value is not None and (
            not isinstance(value, (int, np.integer)) or not 0 <= value < 1 << width
        ):
            raise UsageError(f"row {row} must be an integer of {width} bits, found {value!r}")
    size = -(-width // 64)
    data = b"".join(int(value or 0).to_bytes(8 * size, "big") for value in values)
    words = np.frombuffer(data, ">u8").astype(np.uint64).reshape(len(values), size)
    return words, np.array([value is not None for value in values], np.bool_), width
