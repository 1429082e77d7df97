"""The oracle reproduces the vectors, and its parts agree with peers."""

from __future__ import annotations

import importlib.util
import json
import logging
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import simhash_reference as oracle
import unicode_tables
import xxhash
from word_breaks import segments

VECTORS = Path(__file__).parents[1] / "vectors" / "fingerprints.jsonl"
ROWS = [json.loads(line) for line in VECTORS.read_text("utf-8").split("\n") if line]
TEXTS = [row for row in ROWS if "text" in row and "repeat" not in row]
GIVEN = [row for row in ROWS if "given" in row]
HAVE_HTML5LIB = importlib.util.find_spec("html5lib") is not None


@pytest.mark.parametrize("row", TEXTS[::4], ids=lambda row: row["profile"][10:])
def test_texts(row: dict[str, Any]) -> None:
    """Id, normalised text, features, sums and fingerprint are those of the row."""
    profile = oracle.parse_profile(row["profile"], row.get("dictionary"), row.get("levels"))
    if "html" in profile.steps and not HAVE_HTML5LIB:
        pytest.skip("html5lib is not installed")
    assert profile.id == row["profile_id"]
    if "normalized" in row:
        assert oracle.normalize(row["text"], profile.steps) == row["normalized"]
    features = oracle.features(row["text"], profile)
    assert [list(feature) for feature in features] == row.get("features", list(map(list, features)))
    if "sums" in row:
        assert oracle.sums(features, profile.bits) == row["sums"]
    assert oracle.fingerprint(row["text"], profile) == row["fingerprint"]


@pytest.mark.parametrize("row", GIVEN, ids=lambda row: row["profile"][10:])
def test_given_features(row: dict[str, Any]) -> None:
    """The caller's features, weights and hashes."""
    bits = int(row["profile"].rpartition("=")[2])
    given = [(feature, weight) for feature, weight in row["given"]]
    assert oracle.fingerprint_given(given, bits, row.get("hashes")) == row["fingerprint"]


@pytest.mark.parametrize(
    ("verb", "end", "sums", "fingerprint"),
    [("001000", "101000", [5, -21, 1, -9, -15, -11], "28"),
     ("000011", "100010", [5, -21, -7, -9, -7, -7], "20")],
)  # fmt: skip
def test_worked_example(verb: str, end: str, sums: list[int], fingerprint: str) -> None:
    """The two sentences of the best known description, with its hashes, sums and bits."""
    hashes = {"你": 0b001000, "妈妈": 0b010100, "回家": 0b100001, "吃饭": 0b101001,
              "回家罗": 0b100110, "verb": int(verb, 2), "end": int(end, 2)}  # fmt: skip
    given = [("你", 3), ("妈妈", 3), ("verb", 2), ("你", 3), ("回家", 4), ("吃饭", 4), ("end", 2),
             ("回家罗", 3), ("回家罗", 3)]  # fmt: skip
    assert oracle.sums(oracle.given_weights(given), 6, hashes) == sums
    assert oracle.fingerprint_given(given, 6, hashes) == fingerprint


def test_log2_fixed() -> None:
    """Powers of two are exact; other logarithms lie within one unit below the true value."""
    assert [oracle.log2_fixed(1 << e, 8) for e in (0, 1, 2, 63)] == [0, 256, 512, 63 * 256]
    assert oracle.log2_fixed(3, 8) == 405
    assert oracle.log2_fixed(60_101_967, 23) == 216_769_254


def test_dictionary_cut_against_jieba() -> None:
    """Han runs are cut as by jieba without its hidden Markov model, but for ties and rounding.

    Where the cuts differ, jieba's has to be as probable within the rounding of the logarithms.
    """
    jieba = pytest.importorskip("jieba")
    jieba.setLogLevel(logging.WARNING)
    runs = {
        run
        for row in TEXTS
        for han, run in oracle.runs(row["text"])
        if han and all("\u4e00" <= char <= "\u9fa5" for char in run)
    }
    chars = "".join(sorted({char for run in runs for char in run}))
    runs |= {
        "".join(chars[xxhash.xxh3_64_intdigest(f"{n}:{i}".encode()) % len(chars)] for i in range(9))
        for n in range(500)
    }
    table = oracle.built_in()

    def cost(words: list[str]) -> int:
        return sum(table.costs.get(word, table.total_cost) for word in words)

    differences = []
    for run in sorted(runs):
        ours, theirs = oracle.cut_han(run), jieba.lcut(run, HMM=False)
        if ours != theirs:
            differences.append((ours, theirs))
            assert 0 <= cost(theirs) - cost(ours) <= 2 * len(run), (ours, theirs)
    assert len(differences) <= len(runs) // 50, differences


def test_word_breaks_against_uniseg() -> None:
    """Word boundaries are those of uniseg, for characters that both know alike."""
    wordbreak = pytest.importorskip("uniseg.wordbreak")

    def alike(char: str) -> bool:
        ours = unicode_tables.WORD_BREAK.get(char, "Other")
        return str(wordbreak.word_break(char).value) == ours

    for text in sorted({row["text"] for row in TEXTS}):
        common = "".join(filter(alike, text))
        assert segments(common) == list(wordbreak.words(common)), common


def test_tables() -> None:
    """The tables say of old characters what Python says of them."""
    old = [chr(code) for code in range(0x30000) if unicodedata.category(chr(code)) not in "CnCs"]
    for char in old:
        assert unicode_tables.FOLDING.get(char, char) == char.casefold()
        assert (char in unicode_tables.DIGIT) == (unicodedata.category(char) == "Nd")
        assert (char in oracle.WORD_CHARACTER) == (unicodedata.category(char)[0] in "LMN")
    assert "".join(sorted(unicode_tables.WHITE_SPACE)) == "".join(
        char for char in old if char.isspace() and char not in "\x1c\x1d\x1e\x1f"
    )
