"""From fingerprints to the documents that stay, and the reason for each that goes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neardup.clustering import Clusters, cluster, rank
from neardup.deduplication.collect import Collected
from neardup.errors import InputError, UsageError
from neardup.fingerprint import distance_many
from neardup.matching import Pairs, find_pairs
from neardup.types import Linkage

_KEEP_RULES = ("first", "last", "longest", "shortest")


@dataclass(frozen=True)
class Keep:
    """Which document of a cluster stays first: a rule, and for max and min the field it reads."""

    rule: str
    field: str | None = None

    @classmethod
    def parse(cls, text: str) -> Keep:
        """Reads `first`, `last`, `longest`, `shortest`, `max:FIELD` or `min:FIELD`."""
        rule, colon, field = text.partition(":")
        if text in _KEEP_RULES:
            return cls(text)
        if rule in ("max", "min") and colon and field:
            return cls(rule, field)
        raise UsageError(
            f"keep must be {', '.join(_KEEP_RULES)}, max:FIELD or min:FIELD, found {text!r}"
        )

    def __str__(self) -> str:
        return self.rule if self.field is None else f"{self.rule}:{self.field}"

    def priority(self, collected: Collected) -> NDArray[np.uint32]:
        """The rank of every document, 0 stays first; ties go to the earlier one."""
        count = len(collected)
        if self.rule == "last":
            return np.arange(count, dtype=np.uint32)[::-1].copy()
        if self.rule in ("longest", "shortest") and collected.lengths is not None:
            return rank(collected.lengths if self.rule == "shortest" else -collected.lengths)
        if self.field is not None and collected.values is not None:
            return self._by_value(collected.values)
        return np.arange(count, dtype=np.uint32)

    def _by_value(self, values: list[Any]) -> NDArray[np.uint32]:
        """Documents without a value stay last."""
        present = [row for row, value in enumerate(values) if not _missing(value)]
        kinds = {isinstance(values[row], str) for row in present}
        if len(kinds) > 1:
            raise InputError(
                f"the field {self.field!r} holds both text and numbers, which have no common order"
            )
        # Python's order of numbers is exact, NumPy's goes through float64.
        # A reversed sort, too, leaves equal values in their order.
        present.sort(key=lambda row: values[row], reverse=self.rule == "max")
        absent = [row for row, value in enumerate(values) if _missing(value)]
        ranks = np.empty(len(values), np.uint32)
        ranks[np.array(present + absent, np.int64)] = np.arange(len(values), dtype=np.uint32)
        return ranks


def _missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


@dataclass(frozen=True)
class Decision:
    """What becomes of every document.

    Attributes:
        pairs: All pairs within the distance; low-information documents pair by equal text.
        clusters: The clusters, and the row that each row was removed for.
        distance: uint16, from every row to the one it was removed for; 0 for kept rows.
        exact: Whether its normalised text equals that of the row it was removed for.
    """

    pairs: Pairs
    clusters: Clusters
    distance: NDArray[np.uint16]
    exact: NDArray[np.bool_]

    @property
    def is_kept(self) -> NDArray[np.bool_]:
        """Which rows stay."""
        return self.clusters.is_kept


def choose(
    collected: Collected,
    *,
    max_distance: int,
    keep: Keep,
    linkage: Linkage,
    threads: int,
    progress: Callable[[int, int], object] | None = None,
) -> Decision:
    """Finds the pairs, clusters them and chooses the documents that stay."""
    pairs = match(collected, max_distance=max_distance, threads=threads, progress=progress)
    clusters = cluster(pairs, priority=keep.priority(collected), linkage=linkage)
    words, digests = collected.fingerprints.words, collected.fingerprints.digests
    return Decision(
        pairs=pairs,
        clusters=clusters,
        distance=distance_many(words, words[clusters.kept]),
        exact=(digests[:, 0] == digests[clusters.kept, 0])
        & (digests[:, 1] == digests[clusters.kept, 1]),
    )


def match(
    collected: Collected,
    *,
    max_distance: int,
    threads: int,
    progress: Callable[[int, int], object] | None = None,
) -> Pairs:
    """All pairs: by fingerprint, and for low-information documents by equal normalised text.

    Documents whose normalised text is empty have no pairs.
    """
    fingerprints = collected.fingerprints
    pairs = find_pairs(fingerprints, max_distance, threads=threads, progress=progress)
    rows = np.flatnonzero(~fingerprints.valid & fingerprints.digests.any(axis=1))
    if len(rows) == 0:
        return pairs
    _, first, group = np.unique(
        fingerprints.digests[rows], axis=0, return_index=True, return_inverse=True
    )
    representative = pairs.representative.copy()
    representative[rows] = rows[first][group.reshape(-1)]
    return replace(pairs, representative=representative)


def widest(decision: Decision, collected: Collected, most: int = 1024) -> tuple[int, int] | None:
    """The cluster of three and more with the largest diameter, as (number, diameter).

    Of a cluster with more than `most` distinct fingerprints, the largest distance from its first
    one is taken, which is at least half of the diameter.
    """
    best: tuple[int, int] | None = None
    words = collected.fingerprints.words
    for found in decision.clusters:
        if len(found.members) < 3:
            continue
        distinct = np.unique(words[found.members], axis=0)
        centres = distinct if len(distinct) <= most else distinct[:1]
        diameter = max(int(distance_many(row[None], distinct).max()) for row in centres)
        if best is None or diameter > best[1]:
            best = (found.number, diameter)
    return best
