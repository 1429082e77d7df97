"""`neardup fingerprint`."""

from __future__ import annotations

from typing import Annotated

import pyarrow as pa
import typer

from neardup.cli import options
from neardup.cli.terminal import handled, progress_bars, say
from neardup.deduplication.collect import fingerprinted
from neardup.deduplication.outputs import JSON_TEXT, Outputs
from neardup.documents import Fields, open_inputs
from neardup.fingerprint import thread_count

_SCHEMA = pa.schema(
    [
        pa.field("id", pa.large_string(), metadata=JSON_TEXT),
        pa.field("fingerprint", pa.string()),
        pa.field("profile_id", pa.string()),
    ]
)


@handled
def fingerprint(
    inputs: options.InputPaths,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="A .jsonl, .csv or .parquet file; - for JSONL on standard output.",
        ),
    ] = "-",
    format: options.InputFormat = options.Format.auto,
    text: options.TextFields = ["text"],  # noqa: B006 (typer copies it)
    id: options.IdField = None,
    encoding: options.EncodingName = None,
    on_error: options.OnErrorOption = options.OnErrorName.stop,
    features: options.Features = "words",
    weights: options.Weights = "count",
    bits: options.Bits = 64,
    normalize: options.Normalize = None,
    dictionary: options.Dictionary = None,
    threads: options.Threads = None,
    config: options.Config = None,
) -> None:
    """Write the fingerprint of every document, as fixed-width hexadecimal digits.

    A document without features is low-information: its fingerprint is null.

    [bold]Examples[/]

    neardup fingerprint corpus.jsonl -o fingerprints.parquet --bits 128

    echo 今晚八点开会 | neardup fingerprint -
    """
    profile = options.make_profile(features, weights, bits, normalize, dictionary)
    documents = low = bad = 0
    with (
        open_inputs(inputs, format.value, encoding) as opened,
        Outputs() as outputs,
        progress_bars() as progress,
    ):
        opened.check_output(output)
        file = outputs.table(output, _SCHEMA)
        batches = opened.documents(Fields(tuple(text), id), on_error.value)
        for batch, made in fingerprinted(batches, profile, threads=thread_count(threads)):
            hexes = made.hex()
            rows = [batch.ids, hexes, [profile.id] * len(hexes)]
            file.write(
                pa.table(
                    [pa.array(r, f.type) for r, f in zip(rows, _SCHEMA, strict=True)],
                    schema=_SCHEMA,
                )
            )
            documents += len(hexes)
            low += hexes.count(None)
            bad += len(batch.bad)
            if progress is not None:
                progress("read", batch.bytes_read, opened.total_bytes)
    note = f", {bad:,} bad rows left out" if bad else ""
    say(f"{documents:,} documents, {low:,} of them low-information{note}; profile {profile.id}")
