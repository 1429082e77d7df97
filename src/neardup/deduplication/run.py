"""The use case: documents in memory or in files, deduplicated."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from neardup.clustering import Cluster
from neardup.deduplication.choose import Decision, Keep, choose
from neardup.deduplication.collect import Collected, collect
from neardup.deduplication.outputs import (
    BAD_SCHEMA,
    CLUSTER_SCHEMA,
    PAIR_SCHEMA,
    Outputs,
    bad_rows_table,
    removal_reasons,
    write_clusters,
    write_documents,
    write_pairs,
)
from neardup.deduplication.record import run_record
from neardup.deduplication.sources import batches_in_memory
from neardup.deduplication.summary import summarize
from neardup.documents import AtomicFile, BadRow, Batch, Fields, Inputs, open_inputs
from neardup.errors import UsageError
from neardup.fingerprint import thread_count
from neardup.matching import Pairs
from neardup.profile import DEFAULT_PROFILE, Profile
from neardup.types import Linkage, ProgressCallback, Relation

OnError = Literal["stop", "skip"]


@dataclass(frozen=True, slots=True)
class Removed:
    """A document that went, and the one it went for.

    Attributes:
        id: Its id.
        cluster: The number of its cluster.
        kept_id: The id of the document that stays in its place.
        distance: Differing bits of the two fingerprints.
        relation: `exact` if the normalised texts are equal, otherwise `near`.
        document: The document as it was passed; None where it was read from a file.
    """

    id: str | int
    cluster: int
    kept_id: str | int
    distance: int
    relation: Relation
    document: Any = None


class DedupResult:
    """What became of the documents.

    Attributes:
        summary: The numbers of the run, as `neardup dedup --json` prints them.
        pairs: All pairs within the distance, as rows of the input.
    """

    def __init__(
        self,
        collected: Collected,
        decision: Decision,
        summary: dict[str, Any],
        documents: Sequence[Any] | None,
    ) -> None:
        self.summary = summary
        self.pairs: Pairs = decision.pairs
        self._collected = collected
        self._decision = decision
        self._documents = documents

    @cached_property
    def ids(self) -> list[str | int]:
        """The ids of all documents, in order."""
        return [json.loads(text) for text in self._collected.ids.to_pylist()]

    @cached_property
    def kept(self) -> list[Any]:
        """The documents that stay, as they were passed; for files, their ids."""
        source: Sequence[Any] = self.ids if self._documents is None else self._documents
        return [source[row] for row in np.flatnonzero(self._decision.is_kept).tolist()]

    @cached_property
    def removed(self) -> list[Removed]:
        """The documents that went, each with its reason."""
        rows = np.flatnonzero(~self._decision.is_kept)
        reasons = removal_reasons(self._collected, self._decision, rows)
        return [
            Removed(
                id=json.loads(self._collected.ids[row].as_py()),
                document=None if self._documents is None else self._documents[row],
                **{**reason, "kept_id": json.loads(reason["kept_id"])},
            )
            for row, reason in zip(rows.tolist(), reasons, strict=True)
        ]

    @cached_property
    def clusters(self) -> list[Cluster]:
        """The clusters of two and more documents; members are rows of the input."""
        return list(self._decision.clusters)

    def __repr__(self) -> str:
        return (
            f"<DedupResult: {self.summary['documents']} documents, {self.summary['kept']} kept, "
            f"{self.summary['removed']} removed>"
        )


@dataclass(frozen=True)
class Targets:
    """The files that a run writes; None for those it doesn't.

    Attributes:
        kept: The documents that stay, as they came.
        removed: The others, each with its reason in `_neardup`.
        clusters: One row a document: cluster, id, kept, kept_id, distance, relation.
        pairs: The pairs: id_a, id_b, distance, relation.
        run: The run record: everything needed to do the run again.
        bad: The bad rows, with `on_error="skip"`.
    """

    kept: str | None = None
    removed: str | None = None
    clusters: str | None = None
    pairs: str | None = None
    run: str | None = None
    bad: str | None = None

    def paths(self) -> Iterator[str]:
        """Those that are given."""
        for path in (self.kept, self.removed, self.clusters, self.pairs, self.run, self.bad):
            if path is not None:
                yield path

    def check(self, inputs: Inputs) -> None:
        """Refuses targets that are inputs, that can't be written, or that are one file twice."""
        for path, removed in ((self.kept, False), (self.removed, True)):
            if path is not None:
                inputs.check_writer(path, removed=removed)
        seen: set[str] = set()
        for path in self.paths():
            inputs.check_output(path)
            real = path if path == "-" else os.path.realpath(path)
            if real in seen:
                raise UsageError(f"two outputs have the same name: {path}")
            seen.add(real)


def dedup(
    documents: Sequence[Any],
    *,
    text: str | Sequence[str] = "text",
    id: str | None = None,
    profile: Profile = DEFAULT_PROFILE,
    max_distance: int = 3,
    keep: str = "first",
    linkage: Linkage = "star",
    threads: int | None = None,
    progress: ProgressCallback | None = None,
) -> DedupResult:
    """Finds the near-duplicates among texts or records in memory, and says which to keep.

    Args:
        documents: Texts, or dictionaries with a text field. None and null texts are kept.
        text: The field with the text; several are joined by line feeds.
        id: The field with the id; default `id` where a record has it, else the position.
        profile: The recipe of the fingerprints.
        max_distance: Differing bits up to which two fingerprints are a pair.
        keep: `first`, `last`, `longest`, `shortest`, `max:FIELD` or `min:FIELD`.
        linkage: `star` or `single`, see `cluster`.
        threads: Number of threads; the answer doesn't depend on it.
        progress: Called with the phase, the steps done and the steps to do.

    Raises:
        UsageError: If an argument makes no sense.
        BadRowError: If a record has no text.

    >>> result = dedup(["今晚八点开会，请准时", "tea", "今晚八点开会,请准时！"])
    >>> result.kept
    ['今晚八点开会，请准时', 'tea']
    >>> result.removed[0].kept_id, result.removed[0].relation
    (0, 'near')
    """
    if isinstance(documents, (str, bytes, os.PathLike)):
        raise UsageError("expected a list of texts or records; dedup_files() reads files")
    rule = Keep.parse(keep)
    started = time.perf_counter()
    documents = list(documents)
    collected = collect(
        batches_in_memory(documents, Fields(_names(text), id, rule.field)),
        profile,
        threads=thread_count(threads),
        with_lengths=rule.rule in ("longest", "shortest"),
        on_batch=_Reading(progress, len(documents), rows=True),
    )
    decision, summary = _decide(
        collected, max_distance, rule, linkage, thread_count(threads), progress
    )
    summary["seconds"] = round(time.perf_counter() - started, 3)
    return DedupResult(collected, decision, summary, documents)


def dedup_files(
    paths: Sequence[str | os.PathLike[str]],
    targets: Targets | str | os.PathLike[str] | None = None,
    *,
    text: str | Sequence[str] = "text",
    id: str | None = None,
    format: str = "auto",
    encoding: str | None = None,
    profile: Profile = DEFAULT_PROFILE,
    max_distance: int = 3,
    keep: str = "first",
    linkage: Linkage = "star",
    threads: int | None = None,
    on_error: OnError = "stop",
    options: dict[str, Any] | None = None,
    progress: ProgressCallback | None = None,
) -> DedupResult:
    """Deduplicates files, in two passes over them and with a few dozen bytes a document.

    Args:
        paths: Files, folders, globs, or `-` for standard input.
        targets: Where to write what; a single path is that of the kept documents.
        text: The field with the text; several are joined by line feeds.
        id: The field with the id; default `id` where a row has it, else `FILE:LINE`.
        format: `jsonl`, `csv`, `parquet`, `text` (a document a line), `files` (a document a
            file), or `auto`, by suffix.
        encoding: The encoding of text files; default UTF-8, or what is detected.
        profile: The recipe of the fingerprints.
        max_distance: Differing bits up to which two fingerprints are a pair.
        keep: `first`, `last`, `longest`, `shortest`, `max:FIELD` or `min:FIELD`.
        linkage: `star` or `single`, see `cluster`.
        threads: Number of threads; the answer doesn't depend on it.
        on_error: `stop` at a bad row, or `skip` it: counted, and written to `targets.bad`.
        options: The caller's own account of its options, for the run record.
        progress: Called with the phase, the steps done and the steps to do.

    Raises:
        UsageError: If an argument makes no sense, or an output is an input.
        InputError: If an input can't be read.
        OutputError: If an output can't be written. No output has changed then.
    """
    if isinstance(paths, (str, bytes, os.PathLike)):
        raise UsageError("expected a list of paths")
    rule = Keep.parse(keep)
    if not isinstance(targets, Targets):
        targets = Targets(kept=None if targets is None else os.fspath(targets))
    started = time.perf_counter()
    count = thread_count(threads)
    with open_inputs(paths, format, encoding) as inputs, Outputs() as outputs:
        targets.check(inputs)
        bad = _BadRows(outputs, targets.bad)
        collected = collect(
            inputs.documents(Fields(_names(text), id, rule.field), on_error),
            profile,
            threads=count,
            with_lengths=rule.rule in ("longest", "shortest"),
            on_bad=bad.write,
            on_batch=_Reading(progress, inputs.total_bytes),
        )
        decision, summary = _decide(collected, max_distance, rule, linkage, count, progress)
        write_documents(
            inputs,
            outputs,
            collected,
            decision,
            kept_path=targets.kept,
            removed_path=targets.removed,
            on_rows=_writing(progress, len(collected)),
        )
        if targets.clusters:
            write_clusters(outputs.table(targets.clusters, CLUSTER_SCHEMA), collected, decision)
        if targets.pairs:
            file = outputs.table(targets.pairs, PAIR_SCHEMA)
            summary["pairs_written"] = write_pairs(file, collected, decision.pairs)
        summary["seconds"] = round(time.perf_counter() - started, 3)
        if targets.run:
            record = outputs.add(AtomicFile(targets.run))
            record.write(run_record(inputs, summary, options or {}))
    return DedupResult(collected, decision, summary, None)


def _names(text: str | Sequence[str]) -> tuple[str, ...]:
    names = (text,) if isinstance(text, str) else tuple(text)
    if not names:
        raise UsageError("expected at least one text field")
    return names


def _decide(
    collected: Collected,
    max_distance: int,
    keep: Keep,
    linkage: Linkage,
    threads: int,
    progress: ProgressCallback | None,
) -> tuple[Decision, dict[str, Any]]:
    def report(done: int, total: int) -> None:
        if progress is not None:
            progress("match", done, total)

    decision = choose(
        collected,
        max_distance=max_distance,
        keep=keep,
        linkage=linkage,
        threads=threads,
        progress=report if progress is not None else None,
    )
    summary = summarize(collected, decision, max_distance=max_distance, keep=keep, linkage=linkage)
    return decision, summary


@dataclass
class _Reading:
    """Reports the first pass by bytes, or by rows where there are no files."""

    progress: ProgressCallback | None
    total: int
    rows: bool = False
    done: int = 0

    def __call__(self, batch: Batch) -> None:
        self.done = self.done + len(batch.texts) if self.rows else batch.bytes_read
        if self.progress is not None:
            self.progress("read", self.done, self.total)


def _writing(progress: ProgressCallback | None, total: int) -> Any:
    return None if progress is None else lambda done: progress("write", done, total)


@dataclass
class _BadRows:
    """Writes bad rows aside; the file is made when the first one comes."""

    outputs: Outputs
    path: str | None
    file: Any = field(default=None)

    def write(self, bad: list[BadRow]) -> None:
        if self.path is None:
            return
        if self.file is None:
            self.file = self.outputs.table(self.path, BAD_SCHEMA)
        self.file.write(bad_rows_table(bad))
