"""Deduplication, end to end: read, fingerprint, match, cluster, choose, write.

collect   first pass: texts in, a few dozen bytes a document out
choose    pairs, clusters, the documents that stay
outputs   second pass, and the files of a run
summary   what was done, in numbers
run       the two use cases, over memory and over files
"""

from neardup.deduplication.choose import Keep
from neardup.deduplication.run import DedupResult, Removed, Targets, dedup, dedup_files

__all__ = ["DedupResult", "Keep", "Removed", "Targets", "dedup", "dedup_files"]
