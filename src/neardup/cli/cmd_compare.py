"""`neardup compare`."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from neardup.cli import options
from neardup.cli.terminal import handled, print_json
from neardup.documents import Fields, open_inputs
from neardup.errors import InputError, UsageError
from neardup.explain import Comparison
from neardup.explain import compare as compare_texts

_VERDICTS = {
    "exact": "exact: the normalised texts are equal",
    "near": "near: within the distance",
    "different": "different: beyond the distance",
}


@handled
def compare(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE FILE", help="Two files, a text each.")
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Option("--text", metavar="TEXT", help="A text; give it twice, in place of files."),
    ] = None,
    encoding: options.EncodingName = None,
    distance: options.Distance = 3,
    features: options.Features = "words",
    weights: options.Weights = "count",
    bits: options.Bits = 64,
    normalize: options.Normalize = None,
    dictionary: options.Dictionary = None,
    config: options.Config = None,
    json_output: options.Json = False,
) -> None:
    """Compare two texts: fingerprints, distance, estimated cosine, exact similarities, verdict.

    [bold]Examples[/]

    neardup compare --text 你妈妈喊你回家吃饭哦 --text 你妈妈叫你回家吃饭啦

    neardup compare old.txt new.txt --features chars:3 --json
    """
    texts = list(text or [])
    if len(texts) + len(files or []) != 2:
        raise UsageError("expected two texts: two files, or --text twice")
    texts += [_read(file, encoding) for file in files or []]
    profile = options.make_profile(features, weights, bits, normalize, dictionary)
    comparison = compare_texts(texts[0], texts[1], profile=profile, max_distance=distance)
    if json_output:
        print_json(comparison.to_dict())
    else:
        _show(comparison)


def _read(file: str, encoding: str | None) -> str:
    with open_inputs([file], "files", encoding) as inputs:
        for batch in inputs.documents(Fields(), "stop"):
            if batch.texts and batch.texts[0] is not None:
                return batch.texts[0]
    raise InputError(f"{file}: no text")


def _show(comparison: Comparison) -> None:
    found = comparison.to_dict()
    table = Table(show_header=False, box=None)
    for name, value in zip("AB", found["fingerprints"], strict=True):
        table.add_row(f"fingerprint {name}", value or "none: low-information")
    if comparison.distance is not None and comparison.interval is not None:
        low, high = comparison.interval
        table.add_row("distance", f"{comparison.distance} of {found['bits']} bits")
        table.add_row(
            "estimated cosine", f"{comparison.cosine:.3f} (95 % interval {low:.3f} to {high:.3f})"
        )
    table.add_row(
        "weighted Jaccard", f"{found['weighted_jaccard']:.3f} (weights: {found['weights']})"
    )
    table.add_row("set Jaccard", f"{found['set_jaccard']:.3f}")
    table.add_row("verdict", f"[bold]{_VERDICTS[found['verdict']]}[/]")
    table.add_row("profile", f"{found['profile_id']}")
    Console(highlight=False, soft_wrap=True, emoji=False).print(table)
