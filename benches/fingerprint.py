"""Speed of fingerprinting, one thread, texts in memory, with other packages in the same run.

    python benches/fingerprint.py [FOLDER] [--csv FILE]

FOLDER holds the larger corpora (zh-poems.txt.xz, zh-statutes.jsonl.xz, docs.jsonl files); without
it the sample in examples/ is repeated. Every figure is the best of five runs, in MB of UTF-8 a
second. Before anything is timed the answers are checked: fingerprints against the oracle, words
against rjieba's.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import platform
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import chdb.session
import rjieba
import simhash
import tors

import neardup

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "oracle"))

import simhash_reference as oracle  # noqa: E402

RUNS = 5
MEGABYTES = 12


def main() -> None:
    """Checks, measures, prints a table, and writes the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--csv", type=Path)
    arguments = parser.parse_args()
    rows = [row for name, texts in corpora(arguments.folder) for row in measure(name, texts)]
    if arguments.csv:
        with arguments.csv.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["corpus", "program", "megabytes_a_second", "check"])
            writer.writerows(rows)
    packages = ("neardup", "chdb", "rjieba", "simhash", "tors")
    print(", ".join(f"{name} {version(name)}" for name in packages), platform.python_version())


def corpora(folder: Path | None) -> Iterator[tuple[str, list[str]]]:
    """Names and texts, about MEGABYTES each."""
    if folder is None:
        for name in ("poems", "licences"):
            lines = (ROOT / "examples" / f"{name}.jsonl").read_text("utf-8").split("\n")
            yield name, cut([json.loads(line)["text"] for line in lines if line] * 100)
        return
    with lzma.open(folder / "corpora" / "zh-poems.txt.xz", "rt", encoding="utf-8") as file:
        yield "zh-poems", cut(file.read().split("\n"))
    with lzma.open(folder / "corpora" / "zh-statutes.jsonl.xz", "rt", encoding="utf-8") as file:
        yield "zh-statutes", cut([json.loads(line)["text"] for line in file])
    for name in ("en-chapters", "zh-tidb-docs"):
        with (folder / name / "docs.jsonl").open(encoding="utf-8") as file:
            yield name, cut([json.loads(line)["text"] for line in file])


def cut(texts: list[str]) -> list[str]:
    """The first texts, up to MEGABYTES."""
    size = 0
    for number, text in enumerate(texts):
        size += len(text.encode())
        if size > MEGABYTES * 1e6:
            return texts[:number]
    return texts


def measure(corpus: str, texts: list[str]) -> Iterator[tuple[str, str, float, str]]:
    """The figures of one corpus."""
    for program, check, run, used in programs(texts):
        note = check()
        size = sum(len(text.encode()) for text in used) / 1e6
        speed = size / best(run)
        print(f"{corpus:12} {program:34} {speed:8.1f} MB/s  {note}", flush=True)
        yield corpus, program, round(speed, 1), note


def best(run: Callable[[], object]) -> float:
    """Seconds of the fastest of some runs, after one that isn't counted."""
    run()
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def programs(
    texts: list[str],
) -> Iterator[tuple[str, Callable[[], str], Callable[[], object], list[str]]]:
    """Name, check and run of each program, and the texts it runs over."""
    for features in ("chars:3", "words"):
        for bits in (64, 128):
            profile = neardup.Profile(features, bits=bits)
            yield (
                f"neardup {features}, {bits} bits",
                lambda profile=profile: check_fingerprints(texts, profile),
                lambda profile=profile: neardup.fingerprint_many(texts, profile, threads=1),
                texts,
            )
    cut_all = lambda: [rjieba.cut(text, False) for text in texts]  # noqa: E731
    yield "rjieba.cut(hmm=False)", lambda: check_words(texts), cut_all, texts
    with tempfile.TemporaryDirectory() as folder:
        session = clickhouse(texts, folder)
        query = "SELECT sum(ngramSimHashUTF8(text)) FROM texts SETTINGS max_threads = 1"
        ask = lambda: session.query(query)  # noqa: E731
        yield "ClickHouse ngramSimHashUTF8", lambda: distinct(session), ask, texts
    tors_all = lambda: [tors.simhash64(text) for text in texts]  # noqa: E731
    yield "tors.simhash64", str, tors_all, texts
    # Too slow for the whole corpus.
    few = texts[: max(1, len(texts) // 50)]
    yield "simhash.Simhash", str, lambda: [simhash.Simhash(text) for text in few], few


def clickhouse(texts: list[str], folder: str) -> chdb.session.Session:
    """A table of the texts in memory."""
    file = Path(folder) / "texts.jsonl"
    with file.open("w", encoding="utf-8") as out:
        for text in texts:
            out.write(json.dumps({"text": text}, ensure_ascii=False) + "\n")
    session = chdb.session.Session()
    session.query("CREATE TABLE texts (text String) ENGINE = Memory")
    session.query(
        f"INSERT INTO texts SELECT text FROM file('{file}', 'JSONEachRow', 'text String')"
    )
    return session


def distinct(session: chdb.session.Session) -> str:
    """How many different fingerprints there are, and the largest."""
    query = "SELECT uniqExact(h), max(h) FROM (SELECT ngramSimHashUTF8(text) AS h FROM texts)"
    count, largest = str(session.query(query)).strip().split(",")
    return f"{count} distinct, all below 2^{int(largest).bit_length()}"


def check_fingerprints(texts: list[str], profile: neardup.Profile) -> str:
    """Some of the shorter texts against the oracle."""
    made = neardup.fingerprint_many(texts, profile, threads=1)
    rows = [row for row in range(0, len(texts), max(1, len(texts) // 40)) if texts[row]]
    reference = oracle.parse_profile(profile.text)
    for row in rows:
        text = texts[row][:2000]
        expected = oracle.fingerprint(text, reference)
        found = neardup.fingerprint(text, profile)
        if (found and found.hex) != expected:
            raise SystemExit(f"fingerprint of text {row}: {found}, expected {expected}")
    return f"{len(set(made.hex()))} distinct; {len(rows)} checked"


def check_words(texts: list[str]) -> str:
    """Words of Han text are those of rjieba but for ties, which it decides in floats."""
    profile = neardup.Profile(normalize=[])
    runs = [run for text in texts[:2000] for run in re.findall(r"[\u4e00-\u9fa5]+", text[:5000])]
    same = sum(profile.cut(run) == rjieba.cut(run, False) for run in runs)
    return f"{same} of {len(runs)} runs cut alike"


if __name__ == "__main__":
    main()
