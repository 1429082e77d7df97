"""`neardup explain`."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from neardup.cli import options
from neardup.cli.terminal import handled, print_json
from neardup.errors import UsageError
from neardup.explain import Explanation
from neardup.explain import explain as explain_steps

#: The weighted row of a wide fingerprint would fill the screen.
_WIDE = 32


@handled
def explain(
    text: Annotated[str | None, typer.Option(metavar="TEXT", help="The text.")] = None,
    feature: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FEATURE[:WEIGHT[:HASH]]",
            help="A feature in place of a text; HASH in binary digits.",
        ),
    ] = None,
    features: options.Features = "words",
    weights: options.Weights = "count",
    bits: options.Bits = 64,
    normalize: options.Normalize = None,
    dictionary: options.Dictionary = None,
    config: options.Config = None,
    json_output: options.Json = False,
) -> None:
    """Show the five steps: features, hashes, weights, sums, fingerprint.

    [bold]Examples[/]

    neardup explain --text 腾讯在上海设立分公司

    neardup explain --feature 腾讯:4:100101 --feature 上海分公司:5:101011
    """
    if (text is None) == (not feature):
        raise UsageError("expected --text TEXT, or --feature at least once")
    if text is not None:
        profile = options.make_profile(features, weights, bits, normalize, dictionary)
        explanation = explain_steps(text, profile=profile)
    else:
        explanation = _explain_features([_parse(word) for word in feature or []], bits)
    if json_output:
        print_json(explanation.to_dict())
    else:
        _show(explanation)


def _parse(word: str) -> tuple[str, float, str | None]:
    """Reads `FEATURE:WEIGHT:HASH` from its end, as a feature may have colons."""
    name, *rest = word.rsplit(":", 2)
    if len(rest) == 2 and _is_number(rest[0]):
        if rest[1] and set(rest[1]) <= {"0", "1"}:
            return name, _number(rest[0]), rest[1]
        rest = []
    else:
        name, *rest = word.rsplit(":", 1)
        if not rest:
            return word, 1, None
    if rest and _is_number(rest[-1]):
        return name, _number(rest[-1]), None
    raise UsageError(
        f"--feature {word}: expected FEATURE:WEIGHT or FEATURE:WEIGHT:HASH with a number as "
        "weight and binary digits as hash"
    )


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _number(word: str) -> float:
    return int(word) if word.isdecimal() else float(word)


def _explain_features(parsed: list[tuple[str, float, str | None]], bits: int) -> Explanation:
    weighted = [(name, weight) for name, weight, _ in parsed]
    digits = {name: hashed for name, _, hashed in parsed if hashed is not None}
    if not digits:
        return explain_steps(features=weighted, bits=bits)
    widths = {len(hashed) for hashed in digits.values()}
    if len(widths) > 1 or len(digits) < len({name for name, _ in weighted}):
        raise UsageError("give the hash of every feature, all in one width, or of none")
    hashes = {name: int(hashed, 2) for name, hashed in digits.items()}
    return explain_steps(features=weighted, bits=widths.pop(), hashes=hashes)


def _show(explanation: Explanation) -> None:
    console = Console(highlight=False, emoji=False)
    found = explanation.to_dict()
    if explanation.normalized is not None:
        console.print(f"normalised: {escape(explanation.normalized)}", soft_wrap=True)
    narrow = explanation.bits <= _WIDE
    table = Table()
    for name in ("feature", "hash", "weight"):
        table.add_column(name, overflow="fold")
    if narrow:
        table.add_column("weighted")
    for row in found["features"]:
        cells = [escape(row["text"]), row["hash"], str(row["weight"])]
        if narrow:
            signs = ("" if bit == "1" else "-" for bit in row["hash"])
            cells.append(" ".join(f"{sign}{row['weight']}" for sign in signs))
        table.add_row(*cells)
    console.print(table)
    if explanation.fingerprint is None:
        console.print("low-information: no features, so no fingerprint")
        return
    console.print(f"sums: {' '.join(map(str, explanation.sums))}", soft_wrap=True)
    console.print(
        f"fingerprint: [bold]{explanation.fingerprint.binary}[/] = {explanation.fingerprint.hex}",
        soft_wrap=True,
    )
    if explanation.normalized is not None:
        console.print("The order of features plays no part in a fingerprint.")
    if explanation.profile is not None:
        console.print(f"profile: {explanation.profile.text}", soft_wrap=True)
