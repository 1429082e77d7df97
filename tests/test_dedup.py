"""Deduplication end to end: the same answer however it is asked for, nothing lost, nothing half."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pcsv
import pyarrow.parquet as pq
import pytest
from helpers import EXAMPLES, read_jsonl, run, write_jsonl

import neardup

POEMS = EXAMPLES / "poems.jsonl"


def test_the_sample(tmp_path) -> None:
    """Kept and removed rows are the input, each once, and every reason holds."""
    kept, gone = tmp_path / "kept.jsonl", tmp_path / "gone.jsonl"
    found = json.loads(run("dedup", POEMS, "-o", kept, "--removed", gone, "--json").stdout)
    assert found["kept"] + found["removed"] == found["documents"] == 1436
    assert found["removed"] > 50
    lines = POEMS.read_bytes().splitlines()
    assert set(kept.read_bytes().splitlines()) <= set(lines)
    kept_texts = {row["id"]: row["text"] for row in read_jsonl(kept)}
    removed = read_jsonl(gone)
    assert len(kept_texts) == found["kept"]
    assert len(removed) == found["removed"]
    for row in removed:
        reason = row["_neardup"]
        distance = neardup.distance(
            neardup.fingerprint(row["text"]), neardup.fingerprint(kept_texts[reason["kept_id"]])
        )
        assert distance == reason["distance"] <= 3


def test_summary_has_what_the_documentation_promises() -> None:
    """At least these members, on standard output, as one object."""
    found = json.loads(run("dedup", POEMS, "--json").stdout)
    assert {
        "documents",
        "kept",
        "removed",
        "clusters",
        "pairs",
        "low_information",
        "equal_fingerprints",
        "bad_rows",
        "bits",
        "distance",
        "profile",
        "profile_id",
        "seconds",
    } <= found.keys()


def outputs(folder: Path, *arguments) -> dict[str, bytes]:
    """The contents of all outputs of a run."""
    folder.mkdir()
    names = ("removed", "clusters", "pairs")
    options = [word for name in names for word in (f"--{name}", folder / f"{name}.jsonl")]
    run("dedup", *arguments, "-o", folder / "kept.jsonl", *options, "--distance", "6")
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_threads_and_shards_change_nothing(tmp_path) -> None:
    """One or two threads; one file or three."""
    whole = outputs(tmp_path / "one", POEMS, "--threads", "1")
    assert whole == outputs(tmp_path / "two", POEMS, "--threads", "2")
    lines = POEMS.read_bytes().splitlines(keepends=True)
    for number, start in enumerate(range(0, len(lines), 500)):
        (tmp_path / f"shard-{number}.jsonl").write_bytes(b"".join(lines[start : start + 500]))
    assert whole == outputs(tmp_path / "shards", tmp_path / "shard-*.jsonl")


def test_formats_change_nothing(tmp_path, poems) -> None:
    """JSONL, CSV and Parquet of the same rows: the same ids stay."""
    table = pa.table({name: [row[name] for row in poems] for name in ("id", "text")})
    pq.write_table(table, tmp_path / "in.parquet")
    pcsv.write_csv(table, tmp_path / "in.csv")
    expected = [row["id"] for row in neardup.dedup(poems).kept]
    for name in ("in.parquet", "in.csv"):
        result = neardup.dedup_files([tmp_path / name], tmp_path / f"out-{name}")
        assert result.kept == expected
    assert pq.read_table(tmp_path / "out-in.parquet")["id"].to_pylist() == expected
    assert [row["id"] for row in read_jsonl(POEMS) if row["id"] in set(expected)] == expected


def test_standard_streams(tmp_path) -> None:
    """From a pipe into a pipe; what people read stays off standard output."""
    done = run("dedup", "-", "-o", "-", input=POEMS.read_bytes())
    run("dedup", POEMS, "-o", tmp_path / "kept.jsonl")
    assert done.stdout == (tmp_path / "kept.jsonl").read_bytes()
    assert b"kept" in done.stderr


def test_a_hundred_thousand_equal_documents(tmp_path) -> None:
    """Are one group: five billion pairs are counted, not made."""
    file = write_jsonl(tmp_path / "in.jsonl", [{"text": "同一篇文章 the same page"}] * 100_000)
    found = json.loads(run("dedup", file, "--pairs", tmp_path / "pairs.jsonl", "--json").stdout)
    assert found["pairs"] == 100_000 * 99_999 // 2
    assert found["kept"] == 1
    assert found["pairs_written"] == 99_999
    assert any("removed for one kept document" in warning for warning in found["warnings"])


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        ("first", 0),
        ("last", 3),
        ("longest", 2),
        ("shortest", 0),
        ("max:score", 1),
        ("min:score", 3),
        ("max:date", 2),
        ("min:date", 0),
    ],
)
def test_keep(keep, expected) -> None:
    """Every rule; missing values stay last, large integers are compared exactly."""
    rows = [
        {"id": 0, "text": "the same text", "score": 2**53, "date": "2024-01-09"},
        {"id": 1, "text": "The same text!", "score": 2**53 + 1, "date": None},
        {"id": 2, "text": "the  same text ...", "score": None, "date": "2024-10-01"},
        {"id": 3, "text": "The same text?", "score": 1.5, "date": "2024-02-01"},
    ]
    for linkage in ("star", "single"):
        assert [row["id"] for row in neardup.dedup(rows, keep=keep, linkage=linkage).kept] == [
            expected
        ]


def test_keep_is_checked() -> None:
    """Rules that don't exist, and values without a common order."""
    for keep in ("best", "max", "max:", "first:x"):
        with pytest.raises(neardup.UsageError, match="keep must be"):
            neardup.dedup(["a"], keep=keep)
    with pytest.raises(neardup.InputError, match="no common order"):
        neardup.dedup([{"text": "a", "x": 1}, {"text": "b", "x": "1"}], keep="max:x")


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="the system has no /dev/full")
def test_a_full_disk(tmp_path) -> None:
    """One line, exit code 4, and no other output either."""
    arguments = ["dedup", POEMS, "-o", tmp_path / "kept.jsonl", "--removed", FULL]
    failed = run(*arguments, code=4)
    assert b"/dev/full: can't be written: No space left" in failed.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["in.jsonl", "-o", "in.jsonl"], 2, "is an input"),
        (["in.jsonl", "-o", "out.jsonl", "--removed", "out.jsonl"], 2, "same name"),
        (["in.jsonl", "-o", "absent/out.jsonl"], 4, "does not exist"),
        (["in.jsonl", "-o", "folder"], 4, "it is a folder"),
        (["in.jsonl", "-o", "out.csv"], 2, "the format of the input, jsonl"),
        (["absent.jsonl", "-o", "out.jsonl"], 3, "no such file"),
        (["broken.jsonl", "-o", "out.jsonl"], 3, "broken.jsonl:2: not valid JSON"),
        (["in.jsonl", "--text", "body", "-o", "out.jsonl"], 3, 'in.jsonl:1: no field "body"'),
        (["lines.txt", "--keep", "max:score"], 2, "format text has no fields"),
        (["in.jsonl", "--bits", "0"], 2, "--bits"),
        (["in.jsonl", "--features", "letters"], 2, "unknown features"),
        (["in.jsonl", "--features", "chars:0"], 2, "from 1 to 64"),
        (["in.jsonl", "--weights", "tfidf"], 2, "unknown weights"),
        (["in.jsonl", "--weights", "levels:absent.txt"], 3, "can't be read"),
        (["in.jsonl", "--normalize", "lower"], 2, "unknown step"),
        (["in.jsonl", "--keep", "best"], 2, "keep must be"),
        (["in.jsonl", "--distance", "-1"], 2, "--distance"),
        (["in.jsonl", "--distnce", "1"], 2, "--distance"),
        (["in.jsonl", "-o", "-", "--json"], 2, "standard output"),
        ([], 2, "INPUT"),
    ],
)
def test_wrong_use_and_bad_input(tmp_path, arguments, code, message) -> None:
    """One clear message, the right exit code, no output, and the old one as it was."""
    write_jsonl(tmp_path / "in.jsonl", [{"text": "a"}])
    (tmp_path / "broken.jsonl").write_text('{"text":"a"}\n{"text"\n')
    (tmp_path / "out.jsonl").write_text("old")
    (tmp_path / "lines.txt").write_text("a line")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    failed = run("dedup", *arguments, cwd=tmp_path, code=code)
    shown = " ".join(failed.stderr.decode().replace("│", " ").split())
    assert message in shown
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "out.jsonl").read_text() == "old"


def test_an_empty_input(tmp_path) -> None:
    """Is no error: an empty output, and a warning."""
    (tmp_path / "in.jsonl").touch()
    done = run("dedup", tmp_path / "in.jsonl", "-o", tmp_path / "out.jsonl")
    assert b"no documents" in done.stderr
    assert (tmp_path / "out.jsonl").read_bytes() == b""


@pytest.fixture
def slow_input(tmp_path):
    """Some megabytes with many pairs, so that each phase takes its time."""
    row = POEMS.read_text("utf-8")
    file = tmp_path / "in.jsonl"
    with file.open("w", encoding="utf-8") as out:
        for number in range(60):
            out.write(row.replace('"text": "', f'"text": "{number} '))
    return file


def _has_open(process: subprocess.Popen[bytes], file: Path) -> bool:
    folder = Path(f"/proc/{process.pid}/fd")
    try:
        return any(os.path.realpath(link) == str(file) for link in folder.iterdir())
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks for open files in /proc")
@pytest.mark.parametrize("delay", [0.0, 0.3, 0.6, 1.0])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted(tmp_path, slow_input, delay, number, code) -> None:
    """In whatever phase: no output, no temporary file, no traceback; the old output stays."""
    target = tmp_path / "out.jsonl"
    target.write_text("old")
    command = [sys.executable, "-m", "neardup", "dedup", slow_input, "-o", target]
    command += ["--distance", "10", "--removed", tmp_path / "gone.jsonl"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        while process.poll() is None and not _has_open(process, slow_input):
            time.sleep(0.01)
        time.sleep(delay)
        process.send_signal(number)
        _, messages = process.communicate(timeout=60)
    assert b"Traceback" not in messages
    if process.returncode == 0:
        pytest.skip("the machine was faster than the signal")
    assert process.returncode == code
    names = sorted(path.name for path in tmp_path.iterdir())
    if names == ["gone.jsonl", "in.jsonl", "out.jsonl"]:  # all was done when the signal came
        written = (target, tmp_path / "gone.jsonl")
        rows = sum(path.read_bytes().count(b"\n") for path in written)
        assert rows == slow_input.read_bytes().count(b"\n")
        return
    assert target.read_text() == "old"
    assert names == ["in.jsonl", "out.jsonl"]


def test_a_reader_that_has_enough() -> None:
    """`neardup pairs | head -1` ends silently."""
    if shutil.which("sh") is None:
        pytest.skip("needs a shell")
    command = f"{sys.executable} -m neardup pairs {POEMS} --distance 24 | head -1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=100, check=True)
    assert json.loads(done.stdout)["distance"] <= 24
    assert b"rror" not in done.stderr


def test_help_has_examples() -> None:
    """Of every command."""
    shown = run("--help").stdout.decode()
    for command in ("dedup", "fingerprint", "compare", "explain", "pairs", "clusters"):
        assert command in shown
        assert f"neardup {command} " in run(command, "--help").stdout.decode()
