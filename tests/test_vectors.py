"""The golden vectors, which a second implementation made: a profile's fingerprints never change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import neardup

VECTORS = Path(__file__).parent / "vectors" / "fingerprints.jsonl"
ROWS = [json.loads(line) for line in VECTORS.read_text("utf-8").split("\n") if line]
TEXTS = [row for row in ROWS if "text" in row]
GIVEN = [row for row in ROWS if "given" in row]


def _name(row: dict[str, Any]) -> str:
    fields = row["profile"].split()
    return " ".join(field for field in fields if field.startswith(("features", "weights", "bits")))


def test_there_are_vectors() -> None:
    """An empty file would pass every test below."""
    assert len(TEXTS) > 400
    assert len(GIVEN) >= 12


@pytest.mark.parametrize("row", TEXTS, ids=_name)
def test_texts(row: dict[str, Any]) -> None:
    """Profile, features, sums and fingerprint are those of the oracle."""
    profile = neardup.Profile.from_text(
        row["profile"], dictionary=row.get("dictionary"), levels=row.get("levels")
    )
    assert profile.id == row["profile_id"]
    text = row["text"] * row.get("repeat", 1)
    made = neardup.fingerprint(text, profile)
    assert (made and made.hex) == row["fingerprint"]
    if "normalized" in row:
        assert profile.normalize(text) == row["normalized"]
    if "features" in row:
        explained = neardup.explain(text, profile=profile)
        assert [[f.text, f.weight] for f in explained.features] == row["features"]
        assert explained.fingerprint == made
        assert explained.sums == row.get("sums", explained.sums)


@pytest.mark.parametrize("row", GIVEN, ids=lambda row: str(row["given"]))
def test_given_features(row: dict[str, Any]) -> None:
    """The caller's own features, and hashes by hand."""
    features = [(feature, weight) for feature, weight in row["given"]]
    bits = int(row["profile"].rpartition("=")[2])
    made = neardup.fingerprint_features(features, bits=bits, hashes=row.get("hashes"))
    assert (made and made.hex) == row["fingerprint"]
    assert (made and made.profile_id) == (row["profile_id"] if made else None)
