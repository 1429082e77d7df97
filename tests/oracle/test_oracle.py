"""The oracle itself: it still makes the vectors, and agrees with other people's programs."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import jieba
import simhash_reference as oracle


def test_vectors_are_reproduced() -> None:
    """Every tenth of the shorter vectors."""
    lines = (HERE.parent / "vectors" / "fingerprints.jsonl").read_text("utf-8").split("\n")
    rows = [json.loads(line) for line in lines if line]
    rows = [row for row in rows if "text" in row and "repeat" not in row][::10]
    assert len(rows) > 30
    for row in rows:
        profile = oracle.Profile(
            row["profile"], tuple(row.get("dictionary", ())), row.get("levels", {})
        )
        weighted = oracle.features(row["text"], profile)
        sums = oracle.merge(weighted, profile.bits)
        assert (oracle.reduce_sums(sums) if weighted else None) == row["fingerprint"]


def test_han_text_is_cut_as_jieba_cuts_it() -> None:
    """On poems of the sample, run by run; jieba's costs are floats, ours integers."""
    jieba.setLogLevel("WARNING")
    sample = HERE.parents[1] / "examples" / "poems.jsonl"
    texts = [json.loads(line)["text"] for line in sample.read_text("utf-8").split("\n") if line]
    runs = [
        run
        for text in texts[::40]
        for han, run in oracle.runs(text, oracle.is_han)
        if han and all(ord(c) < 0xA000 for c in run)
    ]
    assert len(runs) > 100
    assert [oracle.cut_han(run, {})[1] for run in runs] == [
        list(jieba.cut(run, HMM=False)) for run in runs
    ]


def test_the_dictionary_is_jiebas() -> None:
    """Words, frequencies and total are those of the package that the profile names."""
    with gzip.open(oracle.TABLE, "rt", encoding="utf-8") as table:
        rows = [line.split("\t")[:2] for line in table]
    jieba.setLogLevel("WARNING")
    jieba.initialize()
    assert int(rows[0][1]) == jieba.dt.total
    assert all(jieba.dt.FREQ[word] == int(frequency) for word, frequency in rows[1:])
