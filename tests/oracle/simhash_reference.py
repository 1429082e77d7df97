"""The fingerprint a second time: slow, in plain Python, from docs/algorithm.md alone.

It never imports neardup. Its tables of characters are Python's own and those of `uniseg`, whose
Unicode versions are other than 17; it is meant for characters whose properties have long been
stable. Normalisation and case folding of assigned characters never change.
"""

from __future__ import annotations

import gzip
import math
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import xxhash
from uniseg.derived import default_ignorable_code_point
from uniseg.wordbreak import words as word_segments

TABLE = Path(__file__).parents[2] / "crates" / "neardup-core" / "data" / "jieba.tsv.gz"

WHITE_SPACE = set(
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000"
)
HAN = (
    (0x3005, 0x3005),
    (0x3007, 0x3007),
    (0x3021, 0x3029),
    (0x3038, 0x303B),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
COST_BITS = 23


@dataclass(frozen=True)
class Profile:
    """The fields of a profile's text form, and the tables that it names by digest."""

    text: str
    dictionary: tuple[str, ...] = ()
    levels: dict[str, int] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        pairs = (part.split("=", 1) for part in self.text.split(" ")[1:])
        return dict(pairs)[name]

    @property
    def bits(self) -> int:
        """Width of the fingerprint."""
        return int(self["bits"])

    @property
    def id(self) -> str:
        """The XXH3-64 of the text form."""
        return xxhash.xxh3_64_hexdigest(self.text.encode())


def digest(lines: list[str]) -> str:
    """The digest of a table's canonical lines."""
    return xxhash.xxh3_64_hexdigest("".join(f"{line}\n" for line in sorted(lines)).encode())


def normalize(text: str, steps: list[str]) -> str:
    """Section 1, "Normalise"."""
    if "html" in steps:
        text = readable(text)
    if "ignorable" in steps:
        text = "".join(c for c in text if not default_ignorable_code_point(c))
    if "nfkc" in steps:
        text = unicodedata.normalize("NFKC", text)
    if "casefold" in steps:
        text = text.casefold()
        if "nfkc" in steps:
            text = unicodedata.normalize("NFKC", text)
    if "digits" in steps:
        text = "".join(
            "0" if kind == "Nd" else run
            for kind, run in runs(text, lambda c: "Nd" if unicodedata.category(c) == "Nd" else "")
        )
    if "whitespace" in steps:
        pieces = (run for kind, run in runs(text, lambda c: str(c in WHITE_SPACE)))
        text = " ".join(piece for piece in pieces if piece[0] not in WHITE_SPACE)
    return text


class _Readable(HTMLParser):
    """For plain, well-formed pages; the definition asks for the tokens of HTML5."""

    HIDDEN = ("script", "style", "template", "noscript")
    INLINE = [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
    ]

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.hidden += tag in self.HIDDEN
        self.text += "" if tag in self.INLINE else "\n"

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in self.HIDDEN
        self.text += "" if tag in self.INLINE else "\n"

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.text += data


def readable(page: str) -> str:
    """The text that a reader sees."""
    parser = _Readable()
    parser.feed(page)
    parser.close()
    return parser.text


def runs(text: str, kind: object) -> Iterator[tuple[str, str]]:
    """Maximal runs of characters of one kind."""
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or kind(text[end]) != kind(text[start]):  # type: ignore[operator]
            yield kind(text[start]), text[start:end]  # type: ignore[operator]
            start = end


def is_han(c: str) -> bool:
    """Section 1, "Cut"."""
    return any(first <= ord(c) <= last for first, last in HAN)


def is_word_character(c: str) -> bool:
    """General category L, M or N."""
    return unicodedata.category(c)[0] in "LMN"


def is_letter_or_digit(c: str) -> bool:
    """General category L or N."""
    return unicodedata.category(c)[0] in "LN"


def log2_fixed(n: int, p: int) -> int:
    """About log2(n) * 2^p, by the rule of section 1."""
    e = n.bit_length() - 1
    m = n << (63 - e)
    result = e
    for _ in range(p):
        m = m * m >> 63
        if m >= 1 << 64:
            result, m = result * 2 + 1, m >> 1
        else:
            result = result * 2
    return result


@cache
def built_in() -> tuple[int, dict[str, int], dict[str, int]]:
    """The total, the words' frequencies, and their levels."""
    frequencies, levels, total = {}, {}, 0
    with gzip.open(TABLE, "rt", encoding="utf-8") as table:
        for line in table:
            word, frequency, level = line.rstrip("\n").split("\t")
            if not word:
                total = int(frequency)
                continue
            frequencies[word] = int(frequency)
            levels[word] = int(level)
    return total, frequencies, levels


def cost(word: str) -> int | None:
    """The cost of a word of the built-in dictionary."""
    total, frequencies, _ = built_in()
    if word not in frequencies:
        return None
    return log2_fixed(total, COST_BITS) - log2_fixed(frequencies[word], COST_BITS)


def cut_han(run: str, user: dict[str, int]) -> tuple[int, list[str]]:
    """The cheapest cut and its cost."""
    total = built_in()[0]
    longest = max(16, *(len(word) for word in user)) if user else 16
    best: list[tuple[int, int]] = [(0, 0)] * (len(run) + 1)
    for i in reversed(range(len(run))):
        found: tuple[int, int] | None = None
        for j in range(i + 1, min(len(run), i + longest) + 1):
            word = run[i:j]
            costs = [c for c in (cost(word), user.get(word)) if c is not None]
            if not costs:
                continue
            candidate = (min(costs) + best[j][0], j)
            if found is None or candidate[0] <= found[0]:
                found = candidate
        best[i] = found or (log2_fixed(total, COST_BITS) + best[i + 1][0], i + 1)
    pieces, i = [], 0
    while i < len(run):
        pieces.append(run[i : best[i][1]])
        i = best[i][1]
    return best[0][0], pieces


def user_costs(words: tuple[str, ...]) -> dict[str, int]:
    """A user's word costs 1 less than its cheapest cut; or its own cost if that is smaller."""
    costs = {}
    for word in words:
        cheapest = cut_han(word, {})[0] - 1
        own = cost(word)
        costs[word] = cheapest if own is None else min(own, cheapest)
    return costs


def words(run: str) -> list[str]:
    """The word segments of a run without Han characters that hold a letter or digit."""
    return [s for s in word_segments(run) if any(map(is_letter_or_digit, s))]


def cut(text: str, profile: Profile) -> list[str]:
    """Every occurrence of every feature, in order."""
    steps = [] if profile["normalize"] == "none" else profile["normalize"].split(",")
    text = normalize(text, steps)
    kind, _, number = profile["features"].partition(":")
    n = int(number or 0)
    if kind == "chars":
        if not any(map(is_letter_or_digit, text)):
            return []
        pieces = (run for word, run in runs(text, is_word_character) if word)
        text = " ".join(pieces)
        return [text[i : i + n] for i in range(max(1, len(text) - n + 1))]
    user = user_costs(profile.dictionary)
    tokens: list[str] = []
    for han, run in runs(text, is_han):
        if not han:
            tokens += words(run)
        elif kind == "words":
            tokens += cut_han(run, user)[1]
        else:
            tokens += run
    if kind == "words" or not tokens:
        return tokens
    return [" ".join(tokens[i : i + n]) for i in range(max(1, len(tokens) - n + 1))]


def weigh(counts: dict[str, int], profile: Profile) -> dict[str, int]:
    """Section 3, for weights that come from counts."""
    rule = profile["weights"]
    total: dict[str, int] = {}
    for feature, c in counts.items():
        if rule == "count":
            total[feature] = c
        elif rule == "binary":
            total[feature] = 1
        elif rule == "sqrt":
            total[feature] = math.isqrt(65536 * c)
        elif rule == "log":
            total[feature] = 256 + log2_fixed(c, 8)
        elif rule == "levels":
            total[feature] = c * (built_in()[2].get(feature) or 3)
        else:
            total[feature] = c * profile.levels.get(feature, 3)
    return total


def features(text: str, profile: Profile) -> dict[str, int]:
    """The features with their weights, in order of first occurrence."""
    counts: dict[str, int] = {}
    for feature in cut(text, profile):
        counts[feature] = counts.get(feature, 0) + 1
    return weigh(counts, profile)


def given(features: list[tuple[str, float]]) -> dict[str, int]:
    """Section 3, for given weights: exact fractions times their common denominator."""
    totals: dict[str, Fraction] = {}
    for feature, weight in features:
        totals[feature] = totals.get(feature, Fraction(0)) + Fraction(weight)
    scale = math.lcm(*(weight.denominator for weight in totals.values()))
    return {feature: int(weight * scale) for feature, weight in totals.items() if weight > 0}


def hash_feature(feature: str, bits: int) -> int:
    """Section 2."""
    data = feature.encode()
    if bits <= 64:
        stream, size = xxhash.xxh3_64_intdigest(data, seed=0), 64
    elif bits <= 128:
        stream, size = xxhash.xxh3_128_intdigest(data, seed=0), 128
    else:
        high = xxhash.xxh3_128_intdigest(data, seed=0)
        stream, size = high << 128 | xxhash.xxh3_128_intdigest(data, seed=1), 256
    return stream >> (size - bits)


def merge(weighted: dict[str, int], bits: int, hashes: dict[str, int] | None = None) -> list[int]:
    """Section 4: the sums, most significant bit first."""
    sums = [0] * bits
    for feature, weight in weighted.items():
        value = hash_feature(feature, bits) if hashes is None else hashes[feature]
        for position in range(bits):
            one = value >> (bits - 1 - position) & 1
            sums[position] += weight if one else -weight
    return sums


def reduce_sums(sums: list[int]) -> str:
    """Section 5, in hexadecimal."""
    value = 0
    for total in sums:
        value = value * 2 + (total > 0)
    return format(value, f"0{math.ceil(len(sums) / 4)}x")
