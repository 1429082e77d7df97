"""The second pass, and the files of a run. All appear together at the end, or none does."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from neardup.clustering import Clusters
from neardup.deduplication.choose import Decision
from neardup.deduplication.collect import Collected
from neardup.documents import BadRow, Inputs, TableWriter
from neardup.matching import Pairs

#: A fingerprint with more documents than this is written as pairs with its first document only:
#: 100,000 identical pages would make five billion rows.
EXPANDED_GROUP = 100
_ROWS = 16_384

#: Marks a column of JSON text (see TableWriter).
JSON_TEXT = {b"neardup": b"json"}
CLUSTER_SCHEMA = pa.schema(
    [
        pa.field("cluster", pa.int64()),
        pa.field("id", pa.large_string(), metadata=JSON_TEXT),
        pa.field("kept", pa.bool_()),
        pa.field("kept_id", pa.large_string(), metadata=JSON_TEXT),
        pa.field("distance", pa.int32()),
        pa.field("relation", pa.string()),
    ]
)
PAIR_SCHEMA = pa.schema(
    [
        pa.field("id_a", pa.large_string(), metadata=JSON_TEXT),
        pa.field("id_b", pa.large_string(), metadata=JSON_TEXT),
        pa.field("distance", pa.int32()),
        pa.field("relation", pa.string()),
    ]
)
BAD_SCHEMA = pa.schema(
    [
        pa.field("file", pa.string()),
        pa.field("line", pa.int64()),
        pa.field("reason", pa.string()),
        pa.field("row", pa.large_string()),
    ]
)


class Output(Protocol):
    """A file that is written aside and appears at once."""

    def finish(self) -> None:
        """Writes all that is left; the target is as it was."""

    def commit(self) -> None:
        """Puts the file in its place."""

    def discard(self) -> None:
        """Deletes it."""


class Outputs:
    """The files of a run: discarded if anything fails, committed together if nothing does."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._files: list[Output] = []

    def __enter__(self) -> Outputs:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        with self._stack:
            if kind is None:
                for file in self._files:
                    file.finish()
                with _uninterrupted():
                    for file in self._files:
                        file.commit()

    def add(self, file: Any) -> Any:
        """Takes charge of a file; returns it. Discarding a committed file does nothing."""
        self._stack.callback(file.discard)
        self._files.append(file)
        return file

    def table(self, path: str, schema: pa.Schema) -> TableWriter:
        """A table file whose format is that of its suffix."""
        writer: TableWriter = self.add(TableWriter(path, schema))
        return writer


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Lets Ctrl-C and SIGTERM wait, so that a run's files appear all or not at all."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def write_documents(
    inputs: Inputs,
    outputs: Outputs,
    collected: Collected,
    decision: Decision,
    *,
    kept_path: str | None,
    removed_path: str | None,
    on_rows: Callable[[int], None] | None = None,
) -> None:
    """Writes the kept rows as they came and the removed ones with their reasons."""
    kept_file = outputs.add(inputs.writer(kept_path)) if kept_path else None
    removed_file = outputs.add(inputs.writer(removed_path, removed=True)) if removed_path else None
    if kept_file is None and removed_file is None:
        return
    is_kept = decision.is_kept
    start = 0
    for rows in inputs.rows():
        end = start + len(rows)
        mask = is_kept[start:end]
        if kept_file is not None:
            kept_file.write(rows.kept(mask.tolist()))
        if removed_file is not None:
            gone = np.flatnonzero(~mask)
            if len(gone):
                reasons = list(removal_reasons(collected, decision, gone + start))
                removed_file.write(rows.removed(gone.tolist(), reasons))
        start = end
        if on_rows is not None:
            on_rows(start)


def removal_reasons(
    collected: Collected, decision: Decision, rows: NDArray[np.int64]
) -> Iterator[dict[str, Any]]:
    """Why each of the rows went: cluster, kept_id (JSON text), distance, relation."""
    kept = decision.clusters.kept[rows]
    columns = (
        decision.clusters.cluster[rows].tolist(),
        collected.ids.take(pa.array(kept)).to_pylist(),
        decision.distance[rows].tolist(),
        _relations(decision.exact[rows]),
    )
    for values in zip(*columns, strict=True):
        yield dict(zip(("cluster", "kept_id", "distance", "relation"), values, strict=True))


def write_clusters(file: TableWriter, collected: Collected, decision: Decision) -> None:
    """Writes one row a document, in the order of the input."""
    clusters: Clusters = decision.clusters
    for start in range(0, len(collected), _ROWS):
        rows = slice(start, start + _ROWS)
        kept = clusters.kept[rows]
        is_kept = pa.array(decision.is_kept[rows])
        null = pa.scalar(None)
        file.write(
            pa.table(
                [
                    pa.array(clusters.cluster[rows].astype(np.int64)),
                    collected.ids.slice(start, len(kept)),
                    is_kept,
                    collected.ids.take(pa.array(kept)),
                    pc.if_else(is_kept, null, pa.array(decision.distance[rows].astype(np.int32))),
                    pc.if_else(
                        is_kept, null, pa.array(_relations(decision.exact[rows]), pa.string())
                    ),
                ],
                schema=CLUSTER_SCHEMA,
            )
        )


def write_pairs(file: TableWriter, collected: Collected, pairs: Pairs) -> int:
    """Writes the pairs in order, and returns how many rows that made.

    A fingerprint with more than `EXPANDED_GROUP` documents stands in the file by its first
    document: the others are each paired with that one alone.
    """
    digests = collected.fingerprints.digests
    written = 0
    for left, right, distance in pairs.blocks(EXPANDED_GROUP):
        exact = (digests[left] == digests[right]).all(axis=1)
        columns = [
            collected.ids.take(pa.array(left)),
            collected.ids.take(pa.array(right)),
            pa.array(distance.astype(np.int32)),
            pa.array(_relations(exact), pa.string()),
        ]
        file.write(pa.table(columns, schema=PAIR_SCHEMA))
        written += len(left)
    return written


def bad_rows_table(bad: list[BadRow]) -> pa.Table:
    """Bad rows as they are written aside."""
    return pa.Table.from_pylist(
        [{"file": b.file, "line": b.line, "reason": b.reason, "row": b.row} for b in bad],
        schema=BAD_SCHEMA,
    )


def _relations(exact: NDArray[np.bool_]) -> list[str]:
    return ["exact" if equal else "near" for equal in exact.tolist()]
