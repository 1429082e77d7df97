"""From pairs to clusters, and to the documents that stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neardup import _core
from neardup.errors import UsageError
from neardup.matching import Pairs
from neardup.types import Linkage

__all__ = ["Cluster", "Clusters", "cluster"]


class Cluster(NamedTuple):
    """A connected component of the pairs: the rows of its members, and of those that stay."""

    number: int
    members: list[int]
    kept: list[int]


@dataclass(frozen=True, eq=False)
class Clusters:
    """What became of every document. Iterating gives the clusters of two and more.

    Attributes:
        cluster: uint32, the number of each row's cluster, by the order of first members, from 0;
            a document without pairs is a cluster of its own.
        kept: uint32, the row that each row was removed for, or itself if it stays.
    """

    cluster: NDArray[np.uint32]
    kept: NDArray[np.uint32]

    @property
    def is_kept(self) -> NDArray[np.bool_]:
        """Which rows stay."""
        kept: NDArray[np.bool_] = self.kept == np.arange(len(self.kept), dtype=np.uint32)
        return kept

    def __iter__(self) -> Iterator[Cluster]:
        order = np.argsort(self.cluster, kind="stable")
        numbers = self.cluster[order]
        starts = np.flatnonzero(np.diff(numbers.astype(np.int64), prepend=-1))
        kept = self.is_kept
        for members in np.split(order, starts[1:]):
            if len(members) > 1:
                number = int(self.cluster[members[0]])
                yield Cluster(number, members.tolist(), members[kept[members]].tolist())


def cluster(
    pairs: Pairs | Iterable[tuple[int, int] | tuple[int, int, int]],
    *,
    count: int | None = None,
    priority: Sequence[int] | NDArray[Any] | None = None,
    linkage: Linkage = "star",
) -> Clusters:
    """Clusters documents by their pairs, and chooses those that stay.

    Args:
        pairs: The result of `find_pairs`; or rows (left, right) or (left, right, distance), with
            `count`.
        count: The number of documents, where `pairs` doesn't tell.
        priority: A number for each document; the smallest stays first, earlier rows win ties.
            Default: the earlier row.
        linkage: `star`: every removed document is paired with one that stays. `single`: one
            document of each cluster stays.

    Raises:
        UsageError: If rows or priorities don't fit the count.

    >>> cluster([(0, 1), (1, 2)], count=4).kept.tolist()
    [0, 0, 2, 3]
    >>> cluster([(0, 1), (1, 2)], count=4, linkage="single").kept.tolist()
    [0, 0, 0, 3]
    """
    if linkage not in ("star", "single"):
        raise UsageError(f"linkage must be star or single, found {linkage!r}")
    if isinstance(pairs, Pairs):
        group, left, right, distance = (
            pairs.representative,
            pairs.left,
            pairs.right,
            pairs.distance,
        )
    else:
        group, left, right, distance = _explicit(pairs, count)
    if priority is None:
        ranks = np.arange(len(group), dtype=np.uint32)
    else:
        keys = np.asarray(priority)
        if keys.shape != group.shape:
            raise UsageError(f"expected {len(group)} priorities, found {keys.shape}")
        ranks = rank(keys)
    return Clusters(*_core.cluster(group, left, right, distance, ranks, single=linkage == "single"))


def rank(keys: NDArray[Any]) -> NDArray[np.uint32]:
    """The place of every row when rows are sorted by their keys, ties by position."""
    order = np.argsort(keys, kind="stable")
    ranks = np.empty(len(keys), np.uint32)
    ranks[order] = np.arange(len(keys), dtype=np.uint32)
    return ranks


def _explicit(
    pairs: Iterable[tuple[int, ...]], count: int | None
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint16]]:
    if count is None:
        raise UsageError("count= is needed with a list of pairs: the number of documents")
    rows = []
    for pair in pairs:
        left, right, *rest = pair
        if not (0 <= left < count and 0 <= right < count):
            raise UsageError(f"the pair {pair!r} names a row outside 0 to {count - 1}")
        if left != right:
            rows.append((min(left, right), max(left, right), rest[0] if rest else 0))
    table = np.array(sorted(rows), np.int64).reshape(-1, 3)
    return (
        np.arange(count, dtype=np.uint32),
        table[:, 0].astype(np.uint32),
        table[:, 1].astype(np.uint32),
        table[:, 2].astype(np.uint16),
    )
