"""The fingerprint of `docs/algorithm.md` in slow, plain Python.

It follows the page section by section, shares no code with the product, and is here to be compared
with it. It needs the package `xxhash`; `html5lib` for the step `html`; and, for characters newer
than Unicode 14, `unicodedata2` 17.
"""

from __future__ import annotations

import gzip
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import xxhash
from unicode_tables import DIGIT, FOLDING, IGNORABLE, LETTER, MARK, NUMBER, WHITE_SPACE, nfkc
from word_breaks import segments

Weight = int | float | Fraction
Items = TypeVar("Items", str, list[str])
DICTIONARY_FILE = Path(__file__).parents[2] / "crates" / "neardup-core" / "data" / "jieba.tsv.gz"
STEPS = ("html", "ignorable", "nfkc", "casefold", "digits", "whitespace")
BUILT_IN_DICTIONARY = "jieba-0.42.1"
NO_LEVEL = 3

# ------------------------------------------------------------------------------------ Profile


@dataclass(frozen=True)
class Profile:
    """A recipe: the fields of the text form, and the user's tables that it names by digest."""

    text: str
    steps: tuple[str, ...]
    kind: str
    size: int
    weights: str
    bits: int
    user_words: frozenset[str]
    user_levels: Mapping[str, int] | None

    @property
    def id(self) -> str:
        """XXH3-64 of the text form."""
        return digest(self.text)


_TEXT_FORM = re.compile(
    r"neardup/1 (?:unicode=17 normalize=(?P<steps>[a-z,]+) )?"
    r"features=(?P<kind>words|chars|tokens|given)(?::(?P<size>[1-9][0-9]?))?"
    r"(?: dictionary=(?P<dictionary>jieba-0\.42\.1)(?:\+(?P<words>[0-9a-f]{16}))?)?"
    r" weights=(?P<weights>count|binary|sqrt|log|levels|given)(?::(?P<levels>[0-9a-f]{16}))?"
    r" hash=xxh3 bits=(?P<bits>[1-9][0-9]{0,2})"
)


def digest(text: str) -> str:
    """XXH3-64, seed 0, of the UTF-8 bytes of a text, as 16 hexadecimal digits."""
    return xxhash.xxh3_64_hexdigest(text.encode(), seed=0)


def dictionary_digest(words: Iterable[str]) -> str:
    """The digest of a user's dictionary whose words are normalised already."""
    return digest("".join(f"{word}\n" for word in sorted(set(words))))


def levels_digest(levels: Mapping[str, int]) -> str:
    """The digest of a user's level table whose words are normalised already."""
    return digest("".join(sorted(f"{word}\t{level}\n" for word, level in levels.items())))


def parse_profile(
    text: str,
    dictionary: Iterable[str] | None = None,
    levels: Mapping[str, int] | None = None,
) -> Profile:
    """Read a profile's text form, and check the user's tables against the digests in it."""
    match = _TEXT_FORM.fullmatch(text)
    if match is None:
        raise ValueError(f"no text form of a profile: {text}")
    field = match.groupdict()
    kind, weights, bits = field["kind"], field["weights"], int(field["bits"])
    size = int(field["size"] or 0)
    steps = () if field["steps"] in {None, "none"} else tuple(field["steps"].split(","))
    words = frozenset(normalize(word, steps) for word in dictionary or ())
    table = None
    if levels is not None:
        table = {normalize(word, steps): level for word, level in levels.items()}
        if len(table) < len(levels):
            raise ValueError("two words of the level table are normalised to one")
    checks = {
        "normalisation is for texts, not for given features": (field["steps"] is None)
        == (kind == "given"),
        "the steps stand in their order, each once": list(steps)
        == [step for step in STEPS if step in steps],
        "N from 1 to 64 goes with chars and tokens": (1 <= size <= 64)
        if kind in {"chars", "tokens"}
        else field["size"] is None,
        "the dictionary goes with words": (field["dictionary"] is not None) == (kind == "words"),
        "weights `given` go with features `given`": weights != "given" or kind == "given",
        "the built-in levels go with words": weights != "levels"
        or kind == "words"
        or field["levels"] is not None,
        "only levels have a table": field["levels"] is None or weights == "levels",
        "bits from 1 to 256": 1 <= bits <= 256,
        "a user's word is Han characters": all(word and all(map(is_han, word)) for word in words),
        "a user's level is from 1 to 5": table is None or all(1 <= v <= 5 for v in table.values()),
        "the digest is of this dictionary": field["words"]
        == (None if dictionary is None else dictionary_digest(words)),
        "the digest is of these levels": field["levels"]
        == (None if table is None else levels_digest(table)),
    }
    for rule, holds in checks.items():
        if not holds:
            raise ValueError(f"{rule}: {text}")
    return Profile(text, steps, kind, size, weights, bits, words, table)


# ------------------------------------------------------------------------- 1. Segment: normalise

INLINE = frozenset(
    ["a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
     "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time",
     "tt", "u", "var", "wbr"]
)  # fmt: skip
DROPPED = frozenset({"script", "style", "template", "noscript"})


def normalize(text: str, steps: Sequence[str]) -> str:
    """Apply the chosen steps, each to the whole text."""
    if "html" in steps:
        text = text_of_html(text)
    if "ignorable" in steps:
        text = "".join(char for char in text if char not in IGNORABLE)
    if "nfkc" in steps:
        text = nfkc(text)
    if "casefold" in steps:
        text = "".join(FOLDING.get(char, char) for char in text)
        if "nfkc" in steps:
            text = nfkc(text)
    if "digits" in steps:
        text = _each_run(text, DIGIT, "0")
    if "whitespace" in steps:
        text = _each_run(text, WHITE_SPACE, " ").strip(" ")
    return text


def _each_run(text: str, chars: frozenset[str], replacement: str) -> str:
    """Replace every maximal run of some characters."""
    return "".join(
        replacement if inside else "".join(run) for inside, run in groupby(text, chars.__contains__)
    )


def text_of_html(html: str) -> str:
    """The character tokens of HTML, with line feeds for tags that are not inline."""
    types = import_module("html5lib.constants").tokenTypes
    tokenizer = import_module("html5lib._tokenizer").HTMLTokenizer(html)
    states = dict.fromkeys(("style", "xmp", "iframe", "noembed", "noframes"), "rawtextState")
    states |= {"script": "scriptDataState", "plaintext": "plaintextState"}
    states |= dict.fromkeys(("textarea", "title"), "rcdataState")
    parts: list[str] = []
    inside: list[str] = []
    for token in tokenizer:
        kind = token["type"]
        if kind in {types["Characters"], types["SpaceCharacters"]}:
            if not inside:
                parts.append(token["data"])
        elif kind in {types["StartTag"], types["EndTag"]}:
            name = token["name"].lower()
            if name not in INLINE:
                parts.append("\n")
            if kind == types["StartTag"]:
                if name in states:
                    tokenizer.state = getattr(tokenizer, states[name])
                if name in DROPPED:
                    inside.append(name)
            elif inside and inside[-1] == name:
                inside.pop()
    return "".join(parts)


# ------------------------------------------------------------------------------ 1. Segment: cut

_HAN_RANGES = (
    (0x3005, 0x3005),
    (0x3007, 0x3007),
    (0x3021, 0x3029),
    (0x3038, 0x303B),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
LETTER_OR_DIGIT = LETTER | NUMBER
WORD_CHARACTER = LETTER_OR_DIGIT | MARK


def is_han(char: str) -> bool:
    """Is this a Han character as the page defines it?"""
    return any(first <= ord(char) <= last for first, last in _HAN_RANGES)


def runs(text: str) -> Iterator[tuple[bool, str]]:
    """The maximal runs of Han (true) and of other characters (false)."""
    for han, run in groupby(text, is_han):
        yield han, "".join(run)


def words_of_run(run: str) -> list[str]:
    """The words of a run without Han characters."""
    return [word for word in segments(run) if not LETTER_OR_DIGIT.isdisjoint(word)]


def cut(text: str, profile: Profile) -> list[str]:
    """The features of a normalised text, as often as they occur."""
    if profile.kind == "words":
        words: list[str] = []
        for han, run in runs(text):
            words += cut_han(run, profile.user_words) if han else words_of_run(run)
        return words
    if profile.kind == "tokens":
        tokens: list[str] = []
        for han, run in runs(text):
            tokens += list(run) if han else words_of_run(run)
        return [" ".join(window) for window in windows(tokens, profile.size)]
    if profile.kind == "chars":
        if LETTER_OR_DIGIT.isdisjoint(text):
            return []
        blank = "".join(
            "".join(run) if word else " "
            for word, run in groupby(text, WORD_CHARACTER.__contains__)
        ).strip(" ")
        return windows(blank, profile.size)
    raise ValueError("given features are not cut")


def windows(items: Items, size: int) -> list[Items]:
    """All sequences of `size` consecutive items; all items if they are fewer, but not none."""
    if not items:
        return []
    return [items[i : i + size] for i in range(max(len(items) - size, 0) + 1)]


# ---------------------------------------------------------------- Cut Han text by the dictionary


def log2_fixed(n: int, p: int) -> int:
    """About log2(n) * 2^p, by integers alone."""
    e = n.bit_length() - 1
    m = n << (63 - e) if e <= 63 else n >> (e - 63)
    result = e
    for _ in range(p):
        m = m * m >> 63
        result <<= 1
        if m >= 1 << 64:
            result |= 1
            m >>= 1
    return result


@dataclass(frozen=True)
class Table:
    """The built-in table: the costs and the levels of words."""

    total_cost: int
    costs: dict[str, int]
    levels: dict[str, int]
    longest: int


@cache
def built_in() -> Table:
    """Read the built-in table: lines of word, frequency and level, the first with the total."""
    costs: dict[str, int] = {}
    levels: dict[str, int] = {}
    total_cost = 0
    with gzip.open(DICTIONARY_FILE, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            word, frequency, level = line.rstrip("\n").split("\t")
            if not word:
                total_cost = log2_fixed(int(frequency), 23)
                continue
            costs[word] = total_cost - log2_fixed(int(frequency), 23)
            if level != "0":
                levels[word] = int(level)
    return Table(total_cost, costs, levels, max(map(len, costs)))


@cache
def user_costs(user_words: frozenset[str]) -> dict[str, int]:
    """The costs of a user's words."""
    costs = {}
    for word in user_words:
        costs[word] = _best_cut(word, {})[0] - 1
        if word in built_in().costs:
            costs[word] = min(costs[word], built_in().costs[word])
    return costs


def cut_han(run: str, user_words: frozenset[str] = frozenset()) -> list[str]:
    """Cut a run of Han characters into the most probable words."""
    return _best_cut(run, user_costs(user_words))[1]


def _best_cut(run: str, extra: Mapping[str, int]) -> tuple[int, list[str]]:
    """The smallest cost of a run, and its words."""
    table = built_in()
    longest = max([table.longest, *map(len, extra)])
    best = [0] * (len(run) + 1)
    length = [0] * len(run)
    for i in range(len(run) - 1, -1, -1):
        choices = []
        for n in range(1, min(longest, len(run) - i) + 1):
            word = run[i : i + n]
            cost = extra.get(word, table.costs.get(word))
            if cost is not None:
                choices.append((cost + best[i + n], -n))
        cost, minus_n = min(choices, default=(table.total_cost + best[i + 1], -1))
        best[i], length[i] = cost, -minus_n
    words = []
    i = 0
    while i < len(run):
        words.append(run[i : i + length[i]])
        i += length[i]
    return best[0], words


# -------------------------------------------------------------------------------------- 2. Hash


def stream(feature: str, bits: int) -> tuple[int, int]:
    """The stream S of a feature as an integer, and its length in bits."""
    data = feature.encode()
    if bits <= 64:
        return xxhash.xxh3_64_intdigest(data, seed=0), 64
    first = xxhash.xxh3_128_intdigest(data, seed=0)
    if bits <= 128:
        return first, 128
    return first << 128 | xxhash.xxh3_128_intdigest(data, seed=1), 256


def hash_of(feature: str, bits: int) -> int:
    """The hash of a feature: the first bits of its stream."""
    value, length = stream(feature, bits)
    return value >> (length - bits)


# -------------------------------------------------------------------------------------- 3. Weigh


def weight_of(feature: str, count: int, profile: Profile) -> int:
    """The weight of a feature that occurs `count` times."""
    if profile.weights == "count":
        return count
    if profile.weights == "binary":
        return 1
    if profile.weights == "sqrt":
        return math.isqrt(65536 * count)
    if profile.weights == "log":
        return 256 + log2_fixed(count, 8)
    levels = built_in().levels if profile.user_levels is None else profile.user_levels
    return count * levels.get(feature, NO_LEVEL)


def features(text: str, profile: Profile) -> list[tuple[str, int]]:
    """The features of a text with their weights, in the order of first occurrence."""
    names: dict[int, str] = {}
    counts: dict[int, int] = {}
    for feature in cut(normalize(text, profile.steps), profile):
        key = stream(feature, profile.bits)[0]
        names.setdefault(key, feature)
        counts[key] = counts.get(key, 0) + 1
    return [(name, weight_of(name, counts[key], profile)) for key, name in names.items()]


def given_weights(given: Iterable[tuple[str, Weight]]) -> list[tuple[str, int]]:
    """The caller's features with weights made integers by their least common denominator."""
    exact = []
    for feature, weight in given:
        if not math.isfinite(weight) or weight < 0:
            raise ValueError(f"not a positive, finite weight: {feature}, {weight}")
        if weight:
            exact.append((feature, Fraction(weight)))
    denominator = math.lcm(*(weight.denominator for _, weight in exact))
    return [(feature, int(weight * denominator)) for feature, weight in exact]


# --------------------------------------------------------------------- 4. Merge, and 5. Reduce


def sums(
    weighted: Iterable[tuple[str, int]], bits: int, hashes: Mapping[str, int] | None = None
) -> list[int]:
    """The sum of every bit, most significant first."""
    totals = [0] * bits
    for feature, weight in weighted:
        value = hash_of(feature, bits) if hashes is None else hashes[feature]
        for position in range(bits):
            one = value >> (bits - 1 - position) & 1
            totals[position] += weight if one else -weight
    return totals


def reduce(totals: Sequence[int]) -> str:
    """The hexadecimal fingerprint of the sums."""
    value = 0
    for total in totals:
        value = value << 1 | (total > 0)
    return f"{value:0{-(-len(totals) // 4)}x}"


def fingerprint(text: str, profile: Profile) -> str | None:
    """The fingerprint of a text in hexadecimal, or None if the text is low-information."""
    weighted = features(text, profile)
    return reduce(sums(weighted, profile.bits)) if weighted else None


def fingerprint_given(
    given: Iterable[tuple[str, Weight]], bits: int, hashes: Mapping[str, int] | None = None
) -> str | None:
    """The fingerprint of the caller's own features, with the caller's hashes or without."""
    weighted = given_weights(given)
    return reduce(sums(weighted, bits, hashes)) if weighted else None
