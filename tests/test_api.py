"""The library: arrays in and out, threads, errors, and the public names."""

from __future__ import annotations

import ast
import copy
import pickle
import threading
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import neardup
from neardup import Profile, UsageError

TEXTS = ["今天天气很好", "", "！！", "near duplicate texts", "Ｎｅａｒ duplicate  texts", None]


@pytest.mark.parametrize("bits", [6, 64, 100, 128, 192, 256])
def test_numpy_and_arrow_in_and_out(bits) -> None:
    """Lists, arrays, Arrow of every string type, slices and chunks give the same fingerprints."""
    profile = Profile(bits=bits)
    expected = neardup.fingerprint_many(TEXTS, profile)
    assert expected.valid.tolist() == [True, False, False, True, True, False]
    array = pa.array(TEXTS)
    inputs = [
        np.array(TEXTS, object),
        array,
        array.cast(pa.large_string()),
        array.cast(pa.string_view()),
        array.dictionary_encode(),
        pa.concat_arrays([pa.array(["x", None]), array, array]).slice(2, 6),
        pa.chunked_array([array[:2], array[2:]]),
    ]
    for texts in inputs:
        made = neardup.fingerprint_many(texts, profile)
        assert np.array_equal(made.words, expected.words)
        assert np.array_equal(made.valid, expected.valid)
        assert np.array_equal(made.digests, expected.digests)
    out = expected.to_arrow()
    assert out.null_count == 3
    first = out[0].as_py()
    value = first if bits <= 64 else int.from_bytes(first, "big")
    assert value == expected[0].value == neardup.fingerprint(TEXTS[0], profile).value
    assert len(expected[0].hex) == -(-bits // 4)
    assert len(expected[0].binary) == bits
    assert expected.values.shape == ((6,) if bits <= 64 else (6, -(-bits // 64)))


def test_empty_inputs() -> None:
    """Are empty results."""
    for texts in ([], pa.array([], pa.string()), np.array([], object)):
        made = neardup.fingerprint_many(texts)
        assert len(made) == 0
        assert neardup.find_pairs(made).count == 0
    assert neardup.dedup([]).kept == []
    assert list(neardup.cluster([], count=0)) == []


def test_what_is_no_text_is_refused() -> None:
    """With its place and what was found."""
    for texts in (["a", 5], ["a", b"b"]):
        with pytest.raises(UsageError, match="text 1 must be a str"):
            neardup.fingerprint_many(texts)
    with pytest.raises(UsageError, match="lone surrogate"):
        neardup.fingerprint("a\ud800")
    with pytest.raises(UsageError, match="strings, found int64"):
        neardup.fingerprint_many(pa.array([1]))
    with pytest.raises(UsageError, match="list of texts"):
        neardup.dedup("a text")


def test_profiles_are_values() -> None:
    """Equal by their text form, hashable, pickled, read back from the text form."""
    profile = Profile("words", "levels", 128, normalize=["nfkc", "html"], dictionary=["云原生底座"])
    for other in (pickle.loads(pickle.dumps(profile)), copy.deepcopy(profile)):
        assert other == profile
        assert hash(other) == hash(profile)
        assert neardup.fingerprint("云原生底座", other) == neardup.fingerprint(
            "云原生底座", profile
        )
    assert Profile.from_text(profile.text, dictionary=["云原生底座"]) == profile
    assert Profile(normalize=["whitespace", "nfkc"]) == Profile(normalize=["nfkc", "whitespace"])
    assert Profile.from_text(Profile(normalize=[]).text) == Profile(normalize=[])
    assert Profile.from_text(Profile("given", bits=6).text).bits == 6
    for text in ("", "neardup/2 x", Profile().text + " x=1", Profile().text.replace("64", "0")):
        with pytest.raises(neardup.ProfileError):
            Profile.from_text(text)
    with pytest.raises(neardup.ProfileError, match="expected the profile"):
        Profile.from_text(profile.text)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"features": "word"}, "unknown features"),
        ({"features": "chars:65"}, "from 1 to 64"),
        ({"features": "chars:03"}, "from 1 to 64"),
        ({"weights": "tf"}, "unknown weights"),
        ({"features": "chars:3", "weights": "levels"}, "table is of words"),
        ({"weights": "levels", "levels": {"a": 6}}, "from 1 to 5"),
        ({"weights": "levels", "levels": {"a": 1, "Ａ": 2}}, "two levels"),
        ({"weights": "count", "levels": {"a": 1}}, "goes with the weights"),
        ({"dictionary": ["abc"]}, "Han characters"),
        ({"features": "tokens:2", "dictionary": ["云"]}, "goes with words"),
        ({"normalize": ["lower"]}, "unknown normalisation step"),
        ({"normalize": "nfkc"}, "a list of names"),
        ({"features": "given", "normalize": []}, "takes no normalisation"),
        ({"features": "given", "weights": "count"}, "weights=given"),
    ],
)
def test_recipes_are_checked(arguments, message) -> None:
    """Each error says what was expected."""
    with pytest.raises(neardup.ProfileError, match=message):
        Profile(**arguments)


@given(
    st.lists(st.integers(0, 2**20 - 1) | st.none(), max_size=40),
    st.integers(0, 21),
    st.integers(1, 3),
)
def test_pairs_are_those_of_the_scan(values, k, threads) -> None:
    """All of them, once, in order, with their count."""
    found = list(neardup.find_pairs(values, k, bits=20, threads=threads))
    expected = [
        (i, j, (a ^ b).bit_count())
        for i, a in enumerate(values)
        for j, b in enumerate(values)
        if i < j and a is not None and b is not None and (a ^ b).bit_count() <= k
    ]
    assert found == expected
    assert neardup.find_pairs(values, k, bits=20).count == len(expected)


def test_pairs_of_wide_fingerprints() -> None:
    """At the distance and one beyond, at the first and last bits of every word."""
    for bits in (65, 100, 128, 192, 256):
        far = (1 << bits) - 1
        found = neardup.find_pairs([0, 0b111 << (bits - 3), 0b1111, far], 3, bits=bits)
        assert list(found) == [(0, 1, 3)]


def test_large_groups_stand_by_their_first_row() -> None:
    """When asked to; near rows are then paired with that one alone."""
    found = neardup.find_pairs([7, 7, 7, 3, 7], 1)
    assert found.count == 10
    (block,) = found.blocks(2)
    listed = list(zip(*(column.tolist() for column in block), strict=True))
    assert listed == [(0, 1, 0), (0, 2, 0), (0, 3, 1), (0, 4, 0)]
    assert [group.tolist() for group in found.groups()] == [[0, 1, 2, 4]]


def test_too_many_pairs_are_an_error() -> None:
    """Before memory runs out."""
    with pytest.raises(UsageError, match="more than 5 pairs"):
        neardup.find_pairs([1 << bit for bit in range(8)], 2, limit=5)


@given(
    st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14), st.integers(0, 3)), max_size=30),
    st.permutations(range(15)),
)
def test_clusters(pairs, priority) -> None:
    """Star: every removed row is paired with a kept one before it. Single: one stays of each."""
    linked = {frozenset(pair[:2]) for pair in pairs}
    star = neardup.cluster(pairs, count=15, priority=priority)
    for row, kept in enumerate(star.kept.tolist()):
        if row != kept:
            assert frozenset((row, kept)) in linked
            assert priority[kept] < priority[row]
            assert star.kept[kept] == kept
    rows = set(star.kept.tolist())
    assert not any(pair <= rows for pair in linked if len(pair) == 2)
    single = neardup.cluster(pairs, count=15, priority=priority, linkage="single")
    assert single.cluster.tolist() == star.cluster.tolist()
    for found in single:
        assert found.kept == [min(found.members, key=lambda row: priority[row])]


def test_progress_and_its_errors() -> None:
    """The callback sees all phases; what it raises ends the work."""
    seen = []
    neardup.dedup(["a b", "c d"] * 5000, progress=lambda *step: seen.append(step))
    assert ("read", 10_000, 10_000) in seen

    def stop(done: int, total: int) -> None:
        raise RuntimeError(f"{done} of {total}")

    rows = np.random.default_rng(0).integers(0, 2**64, 30_000, np.uint64)
    with pytest.raises(RuntimeError, match=" of "):
        neardup.find_pairs(rows, 30, threads=1, progress=stop)


def test_other_threads_run_meanwhile() -> None:
    """The interpreter is free while fingerprints are made."""
    texts = ["今天天气很好，我们去公园散步。" * 200] * 2000
    beats = 0
    done = threading.Event()

    def beat() -> None:
        nonlocal beats
        while not done.wait(0.001):
            beats += 1

    thread = threading.Thread(target=beat)
    thread.start()
    neardup.fingerprint_many(texts, threads=1)
    done.set()
    thread.join()
    assert beats > 5


def test_public_names() -> None:
    """`__all__` is sorted and complete; every compiled name is in the stub."""
    assert all(hasattr(neardup, name) for name in neardup.__all__)
    stub = ast.parse((Path(neardup.__file__).parent / "_core.pyi").read_text())
    named = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    compiled = {name for name in dir(neardup._core) if not name.startswith("_")}
    assert named == compiled


def test_only_four_modules_touch_the_compiled_one() -> None:
    """Everything else goes through them."""
    root = Path(neardup.__file__).parent
    users = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if "import _core" in path.read_text("utf-8")
    }
    assert users == {"profile.py", "fingerprint.py", "matching.py", "clustering.py"}
