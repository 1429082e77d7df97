"""`neardup dedup`."""

from __future__ import annotations

from typing import Annotated

import typer

from neardup.cli import options
from neardup.cli.terminal import handled, print_json, progress_bars, say, show_summary
from neardup.deduplication import Targets, dedup_files
from neardup.errors import UsageError


def _file(name: str, help: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        name, metavar="FILE", help=help, rich_help_panel="Output"
    )
    return option


@handled
def dedup(
    context: typer.Context,
    inputs: options.InputPaths,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="Where the kept documents go; - for standard output.",
            rich_help_panel="Output",
        ),
    ] = None,
    removed: Annotated[
        str | None, _file("--removed", "The removed rows, each with its reason in _neardup.")
    ] = None,
    clusters: Annotated[
        str | None, _file("--clusters", "Cluster and kept id of every document.")
    ] = None,
    pairs: Annotated[str | None, _file("--pairs", "All pairs within the distance.")] = None,
    run: Annotated[
        str | None, _file("--run", "The record of the run, to repeat it (--config).")
    ] = None,
    bad: Annotated[
        str | None,
        _file("--bad", "The bad rows, with --on-error skip. (default: OUT.bad.jsonl)"),
    ] = None,
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
        typer.Option(
            help="star: every removed document is within the distance of a kept one; "
            "single: one document of each cluster stays.",
            envvar="NEARDUP_LINKAGE",
            show_envvar=False,
        ),
    ] = options.LinkageName.star,
    features: options.Features = "words",
    weights: options.Weights = "count",
    bits: options.Bits = 64,
    normalize: options.Normalize = None,
    dictionary: options.Dictionary = None,
    threads: options.Threads = None,
    config: options.Config = None,
    json_output: options.Json = False,
) -> None:
    """Remove near-duplicates: kept documents go to OUT as they came.

    [bold]Examples[/]

    neardup dedup corpus.jsonl -o kept.jsonl --removed removed.jsonl

    neardup dedup 'shards/*.parquet' -o kept.parquet --text title --text body --keep longest

    zcat pages.jsonl.gz | neardup dedup - -o - --bits 128 --distance 12 > kept.jsonl

    neardup dedup pages/ -o unique-pages/ --normalize html,ignorable,nfkc,casefold,whitespace
    """
    if json_output and "-" in (output, removed, clusters, pairs, run, bad):
        raise UsageError("--json prints on standard output, where - writes rows: choose one")
    profile = options.make_profile(features, weights, bits, normalize, dictionary)
    options.check_record(context, profile)
    if on_error.value == "skip" and bad is None and output not in (None, "-"):
        bad = f"{output}.bad.jsonl"
    targets = Targets(output, removed, clusters, pairs, run, bad)
    recorded = options.recorded(context)
    with progress_bars() as progress:
        result = dedup_files(
            inputs,
            targets,
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
            options=recorded,
            progress=progress,
        )
    names = ("kept", "removed", "clusters", "pairs", "run", "bad")
    written = [(name, getattr(targets, name)) for name in names if getattr(targets, name)]
    if bad and not result.summary["bad_rows"]:
        written = [pair for pair in written if pair[0] != "bad"]
    show_summary(result.summary, written)
    if not written:
        say("nothing was written: -o OUT names a file for the kept documents")
    if json_output:
        print_json({**result.summary, "options": recorded})
