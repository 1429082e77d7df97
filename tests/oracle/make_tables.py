"""Make `unicode17.txt`, the oracle's table of Unicode 17 properties.

Needs `regex==2026.5.9` and `unicodedata2==17.0.1` from PyPI, both of which carry the data of
Unicode 17.0.0. The oracle reads only the text file, so neither is needed to run it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

TABLE = Path(__file__).parent / "unicode17.txt"
CODE_POINTS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
WORD_BREAK = [
    "ALetter",
    "CR",
    "Double_Quote",
    "Extend",
    "ExtendNumLet",
    "Format",
    "Hebrew_Letter",
    "Katakana",
    "LF",
    "MidLetter",
    "MidNum",
    "MidNumLet",
    "Newline",
    "Numeric",
    "Regional_Indicator",
    "Single_Quote",
    "WSegSpace",
    "ZWJ",
]
HEADER = """\
# Properties of Unicode 17.0.0 that the oracle needs: code points and ranges in hexadecimal.
# Made by make_tables.py from the copies of the Unicode Character Database in the packages regex
# 2026.5.9 (Word_Break, Default_Ignorable_Code_Point, Extended_Pictographic, White_Space, full case
# folding, status C and F) and unicodedata2 17.0.1 (General_Category).
# "new" are the code points that were assigned after Unicode 14.
#
# Copyright (c) 1991-2025 Unicode, Inc. Unicode and the Unicode Logo are registered trademarks of
# Unicode, Inc. in the U.S. and other countries. Distributed under the Unicode License v3,
# https://www.unicode.org/license.txt (SPDX: Unicode-3.0).
"""


def ranges(holds: Callable[[str], bool]) -> str:
    """The code points for which `holds` is true, as `41-5A 61` and so on."""
    found: list[list[int]] = []
    for code in CODE_POINTS:
        if holds(chr(code)):
            if found and found[-1][1] == code - 1:
                found[-1][1] = code
            else:
                found.append([code, code])
    return " ".join(f"{a:X}" if a == b else f"{a:X}-{b:X}" for a, b in found)


def matches(prop: str) -> Callable[[str], bool]:
    r"""A test for `\p{prop}`."""
    import regex

    pattern = regex.compile(rf"\p{{{prop}}}", regex.VERSION1)
    return lambda char: pattern.match(char) is not None


def full_folding(char: str) -> str:
    """The full case folding of a character; regex folds I and i with dots as Turkish text may."""
    import regex
    from regex import _regex

    if char in "I\u0130":
        return char.casefold()
    folded = _regex.fold_case(regex.FULLCASE | regex.IGNORECASE | regex.UNICODE, char)
    if unicodedata.category(char) != "Cn" and folded != char.casefold():
        raise ValueError(f"U+{ord(char):04X}: folding differs from Python's")
    return str(folded)


def main() -> None:
    """Write the table."""
    import regex
    import unicodedata2

    if unicodedata2.unidata_version != "17.0.0" or regex.__version__ != "2026.5.9":
        raise SystemExit("needs unicodedata2 17.0.1 and regex 2026.5.9")
    category = unicodedata2.category
    lines = [f"wb={name} {ranges(matches('WB=' + name))}" for name in WORD_BREAK]
    lines += [
        f"pictographic {ranges(matches('Extended_Pictographic'))}",
        f"ignorable {ranges(matches('Default_Ignorable_Code_Point'))}",
        f"whitespace {ranges(matches('White_Space'))}",
        f"letter {ranges(lambda c: category(c)[0] == 'L')}",
        f"mark {ranges(lambda c: category(c)[0] == 'M')}",
        f"number {ranges(lambda c: category(c)[0] == 'N')}",
        f"digit {ranges(lambda c: category(c) == 'Nd')}",
        f"new {ranges(lambda c: category(c) != 'Cn' and unicodedata.category(c) == 'Cn')}",
    ]
    folds = [
        f"{code:X}>{'+'.join(f'{ord(c):X}' for c in folded)}"
        for code in CODE_POINTS
        if (folded := full_folding(chr(code))) != chr(code)
    ]
    lines.append(f"fold {' '.join(folds)}")
    TABLE.write_text(HEADER + "\n".join(lines) + "\n", "ascii")


if __name__ == "__main__":
    main()
