"""The worked examples of the two source texts, digit for digit."""

from __future__ import annotations

import json

import pytest
from helpers import run

import neardup

FIRST = [("腾讯", 4, "100101"), ("上海分公司", 5, "101011")]
HOME = [
    ("你", 3, "001000"),
    ("妈妈", 3, "010100"),
    ("喊", 2, "001000"),
    ("你", 3, "001000"),
    ("回家", 4, "100001"),
    ("吃饭", 4, "101001"),
    ("哦", 2, "101000"),
    ("回家罗", 3, "100110"),
    ("回家罗", 3, "100110"),
]
CALLED = [
    {"喊": ("叫", 2, "000011"), "哦": ("啦", 2, "100010")}.get(feature[0], feature)
    for feature in HOME
]

EXAMPLES = [
    (FIRST, [9, -9, 1, -1, 1, 9], "101011"),
    (HOME, [5, -21, 1, -9, -15, -11], "101000"),
    (CALLED, [5, -21, -7, -9, -7, -7], "100000"),
]


@pytest.mark.parametrize(("rows", "sums", "bits"), EXAMPLES)
def test_the_five_steps(rows, sums, bits) -> None:
    """Through the library."""
    features = [(feature, weight) for feature, weight, _ in rows]
    hashes = {feature: int(hashed, 2) for feature, _, hashed in rows}
    explained = neardup.explain(features=features, bits=6, hashes=hashes)
    assert explained.sums == sums
    assert explained.fingerprint.binary == bits
    made = neardup.fingerprint_features(features, bits=6, hashes=hashes)
    assert made.binary == bits


@pytest.mark.parametrize(("rows", "sums", "bits"), EXAMPLES)
def test_explain_on_the_command_line(rows, sums, bits) -> None:
    """`--json` holds features, sums and fingerprint; the table shows them."""
    arguments = [
        word
        for feature, weight, hashed in rows
        for word in ("--feature", f"{feature}:{weight}:{hashed}")
    ]
    found = json.loads(run("explain", *arguments, "--json").stdout)
    assert found["sums"] == sums
    assert found["fingerprint"]["bits"] == bits
    assert found["fingerprint"]["hex"] == format(int(bits, 2), "02x")
    by_name = {row["text"]: row for row in found["features"]}
    assert {name: row["hash"] for name, row in by_name.items()} == {r[0]: r[2] for r in rows}
    shown = run("explain", *arguments).stdout.decode()
    assert " ".join(map(str, sums)) in shown
    assert bits in shown


def test_weighted_rows_are_shown() -> None:
    """Step 3: 100101 * 4 = 4 -4 -4 4 -4 4."""
    shown = run("explain", "--feature", "腾讯:4:100101", "--feature", "上海分公司:5:101011").stdout
    assert "4 -4 -4 4 -4 4" in shown.decode()
    assert "5 -5 5 -5 5 5" in shown.decode()


def test_distances() -> None:
    """101000 and 100000 differ in one bit, 10101 and 00110 in three."""
    assert neardup.distance(0b101000, 0b100000) == 1
    assert neardup.distance(0b10101, 0b00110) == 3


def test_levels_are_importance_from_1_to_5() -> None:
    """Words of a text get a level; the user's own table decides where it has the word."""
    own = neardup.Profile(weights="levels", levels={"腾讯": 4, "上海分公司": 5, "的": 1})
    weights = {f.text: f.weight for f in own.features("腾讯上海分公司三楼食堂的快餐")}
    assert weights["腾讯"] == 4
    assert weights["的"] == 1
    assert weights["食堂"] == 3
    built_in = neardup.Profile(weights="levels").features("腾讯上海分公司三楼食堂的快餐")
    assert all(1 <= feature.weight <= 5 for feature in built_in)
    assert len({feature.weight for feature in built_in}) > 1


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("a:x:", "expected FEATURE:WEIGHT"),
        ("a:1:102", "expected FEATURE:WEIGHT"),
        ("a:nan", "finite"),
        ("a:-1", "at least 0"),
    ],
)
def test_features_on_the_command_line_are_checked(word, message) -> None:
    """And shown as they were typed: nothing in them is taken for markup or an emoji."""
    shown = run("explain", "--feature", word, code=2).stderr.decode()
    assert message in shown
    assert "❌" not in shown


def test_features_may_have_colons() -> None:
    """They are read from their ends."""
    found = json.loads(run("explain", "--feature", "http://a:b:2:01", "--json").stdout)
    assert found["features"] == [{"text": "http://a:b", "hash": "01", "weight": 2}]
