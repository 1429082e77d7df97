"""`neardup pairs` and `neardup clusters`."""

from __future__ import annotations

from typing import Annotated

import typer

from neardup.cli import options
from neardup.cli.terminal import handled, progress_bars, say, warn
from neardup.deduplication import Targets, dedup_files

_Output = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="A .jsonl, .csv or .parquet file; - for JSONL on standard output.",
    ),
]


@handled
def pairs(
    inputs: options.InputPaths,
    output: _Output = "-",
    format: options.InputFormat = options.Format.auto,
    text: options.TextFields = ["text"],  # noqa: B006 (typer copies it)
    id: options.IdField = None,
    encoding: options.EncodingName = None,
    on_error: options.OnErrorOption = options.OnErrorName.stop,
    distance: options.Distance = 3,
    features: options.Features = "words",
    weights: options.Weights = "count",
    bits: options.Bits = 64,
    normalize: options.Normalize = None,
    dictionary: options.Dictionary = None,
    threads: options.Threads = None,
    config: options.Config = None,
) -> None:
    """Write all pairs within the distance: id_a, id_b, distance, and exact or near.

    A fingerprint that more than 100 documents share stands for them by its first document: the
    others are each paired with that one only.

    [bold]Examples[/]

    neardup pairs corpus.jsonl -o pairs.csv --distance 6

    neardup pairs corpus.jsonl --features chars:3 | head
    """
    profile = options.make_profile(features, weights, bits, normalize, dictionary)
    with progress_bars() as progress:
        result = dedup_files(
            inputs,
            Targets(pairs=output),
            text=text,
            id=id,
            format=format.value,
            encoding=encoding,
            profile=profile,
            max_distance=distance,
            threads=threads,
            on_error=on_error.value,
            progress=progress,
        )
    summary = result.summary
    say(
        f"{summary['documents']:,} documents, {summary['pairs']:,} pairs within "
        f"{distance} of {bits} bits; profile {profile.id}"
    )
    if summary["pairs_written"] != summary["pairs"]:
        say(f"{summary['pairs_written']:,} rows: large groups of equals by their first documents")
    for warning in summary["warnings"]:
        warn(warning)


@handled
def clusters(
    inputs: options.InputPaths,
    output: _Output = "-",
    format: options.InputFormat = options.Format.auto,
    text: options.TextFields = ["text"],  # noqa: B006 (typer copies it)
    id: options.IdField = None,
    encoding: options.EncodingName = None,
    on_error: options.OnErrorOption = options.OnErrorName.stop,
    distance: options.Distance = 3,
    keep: Annotated[
        str,
        typer.Option(
            metavar="first|last|longest|shortest|max:FIELD|min:FIELD",
            help="Which document of a cluster stays.",
            envvar="NEARDUP_KEEP",
            show_envvar=False,
        ),
    ] = "first",
    linkage: Annotated[
        options.LinkageName,
        typer.Option(help="As in dedup.", envvar="NEARDUP_LINKAGE", show_envvar=False),
    ] = options.LinkageName.star,
    features: options.Features = "words",
    weights: options.Weights = "count",
    bits: options.Bits = 64,
    normalize: options.Normalize = None,
    dictionary: options.Dictionary = None,
    threads: options.Threads = None,
    config: options.Config = None,
) -> None:
    """Write the cluster of every document: cluster, id, kept, kept_id, distance, relation.

    [bold]Examples[/]

    neardup clusters corpus.jsonl -o clusters.parquet

    neardup clusters corpus.csv --linkage single --keep max:date
    """
    profile = options.make_profile(features, weights, bits, normalize, dictionary)
    with progress_bars() as progress:
        result = dedup_files(
            inputs,
            Targets(clusters=output),
            text=text,
            id=id,
            format=format.value,
            encoding=encoding,
            profile=profile,
            max_distance=distance,
            keep=keep,
            linkage=linkage.value,
            threads=threads,
            on_error=on_error.value,
            progress=progress,
        )
    summary = result.summary
    say(
        f"{summary['documents']:,} documents, {summary['clusters']:,} clusters of two and more, "
        f"the largest of {summary['largest_cluster']:,}; profile {profile.id}"
    )
    for warning in summary["warnings"]:
        warn(warning)
