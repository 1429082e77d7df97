"""The properties of Unicode 17 that the oracle needs, read from `unicode17.txt`."""

from __future__ import annotations

import unicodedata as python_unicodedata
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


def _code_points(ranges: list[str]) -> frozenset[str]:
    """The characters of ranges such as `41-5A` and `61`."""
    chars: set[str] = set()
    for item in ranges:
        first, _, last = item.partition("-")
        chars.update(map(chr, range(int(first, 16), int(last or first, 16) + 1)))
    return frozenset(chars)


def _load() -> tuple[dict[str, frozenset[str]], dict[str, str]]:
    """The sets of characters by name, and the full case folding of a character."""
    sets: dict[str, frozenset[str]] = {}
    folding: dict[str, str] = {}
    for line in (Path(__file__).parent / "unicode17.txt").read_text("ascii").splitlines():
        if line.startswith("#"):
            continue
        name, *items = line.split(" ")
        if name == "fold":
            for item in items:
                code, _, folded = item.partition(">")
                folding[chr(int(code, 16))] = "".join(
                    chr(int(part, 16)) for part in folded.split("+")
                )
        else:
            sets[name] = _code_points(items)
    return sets, folding


_SETS, FOLDING = _load()
LETTER = _SETS["letter"]
MARK = _SETS["mark"]
NUMBER = _SETS["number"]
DIGIT = _SETS["digit"]
IGNORABLE = _SETS["ignorable"]
WHITE_SPACE = _SETS["whitespace"]
PICTOGRAPHIC = _SETS["pictographic"]
NEW = _SETS["new"]
WORD_BREAK = {
    char: name.removeprefix("wb=")
    for name, chars in _SETS.items()
    if name.startswith("wb=")
    for char in chars
}


@cache
def _normaliser() -> Any:
    """`unicodedata2` of Unicode 17 if it is installed, else the module of Python itself."""
    try:
        module = import_module("unicodedata2")
    except ImportError:
        return python_unicodedata
    return module if module.unidata_version == "17.0.0" else python_unicodedata


def nfkc(text: str) -> str:
    """Normalisation Form KC of Unicode 17.

    An older module gives the same result for characters that it knows, by the stability policy of
    Unicode; for the others this function refuses.
    """
    module = _normaliser()
    if module is python_unicodedata and not NEW.isdisjoint(text):
        raise ValueError("the text has characters that are newer than Unicode 14")
    return str(module.normalize("NFKC", text))
