"""Make crates/neardup-core/data/jieba.tsv.gz from the tables of the PyPI package jieba 0.42.1.

Run once, in an environment that has jieba 0.42.1; the result is committed. Changing one byte of it
changes the dictionary id in every profile that cuts words, so it is only ever replaced, never fixed.

The rows are `word<TAB>frequency<TAB>level`, sorted by code points, for the words that consist of Han
characters only; the first row is `<TAB>total<TAB>0` with the sum of *all* frequencies of the source,
which is what jieba divides by. Levels are the inverse document frequencies of jieba's `idf.txt`, cut at
3, 5, 7 and 9 (natural logarithm); 0 says that the table has no value.
"""

from __future__ import annotations

import bisect
import gzip
import hashlib
import re
import sys
from pathlib import Path

import jieba

HAN = re.compile(
    r"[\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]+"
)
CUTS = (3.0, 5.0, 7.0, 9.0)


def main(target: str) -> None:
    source = Path(jieba.__file__).parent
    frequencies: dict[str, int] = {}
    total = 0
    for line in (source / "dict.txt").read_text(encoding="utf-8").splitlines():
        word, frequency, *_ = line.split(" ")
        total += int(frequency)
        frequencies[word] = int(frequency)  # a word listed twice: the last one counts, as in jieba
    levels: dict[str, int] = {}
    for line in (source / "analyse" / "idf.txt").read_text(encoding="utf-8").splitlines():
        word, idf = line.split(" ")
        levels[word] = 1 + bisect.bisect_right(CUTS, float(idf))
    rows = [f"\t{total}\t0\n"]
    rows += [
        f"{word}\t{frequencies[word]}\t{levels.get(word, 0)}\n"
        for word in sorted(frequencies)
        if HAN.fullmatch(word)
    ]
    raw = "".join(rows).encode()
    Path(target).write_bytes(gzip.compress(raw, compresslevel=9, mtime=0))
    print(len(rows) - 1, "words", len(raw), "bytes", hashlib.sha256(raw).hexdigest())


if __name__ == "__main__":
    main(sys.argv[1])
