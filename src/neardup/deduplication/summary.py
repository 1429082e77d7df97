"""What a run did, in numbers, and what a person should look at."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from neardup.deduplication.choose import Decision, Keep, widest
from neardup.deduplication.collect import Collected
from neardup.types import Linkage

#: A kept document that stands for more than this share of the input, and for at least so many
#: documents, is pointed out: boilerplate or a template often looks like that.
_SUSPICIOUS_SHARE = 0.2
_SUSPICIOUS_COUNT = 50


def summarize(
    collected: Collected, decision: Decision, *, max_distance: int, keep: Keep, linkage: Linkage
) -> dict[str, Any]:
    """The summary of a run, as `--json` prints it, but for the seconds."""
    fingerprints, counts = collected.fingerprints, collected.counts
    documents = len(collected)
    valid = int(fingerprints.valid.sum())
    is_kept = decision.is_kept
    removed = documents - int(is_kept.sum())
    exact = int((decision.exact & ~is_kept).sum())
    sizes = np.bincount(decision.clusters.cluster) if documents else np.zeros(0, np.int64)
    summary: dict[str, Any] = {
        "documents": documents,
        "kept": documents - removed,
        "removed": removed,
        "removed_exact": exact,
        "removed_near": removed - exact,
        "clusters": int((sizes > 1).sum()),
        "largest_cluster": int(sizes.max(initial=0)),
        "pairs": decision.pairs.count,
        "low_information": documents - valid,
        "null_texts": counts.null_texts,
        "empty_texts": counts.empty_texts,
        "equal_fingerprints": valid - decision.pairs.distinct,
        "bad_rows": counts.bad_rows,
        "repaired_texts": counts.repaired_texts,
        "mojibake_texts": counts.mojibake_texts,
        "markup_texts": counts.markup_texts,
        "duplicate_ids": counts.duplicate_ids,
        "bits": fingerprints.profile.bits,
        "distance": max_distance,
        "keep": str(keep),
        "linkage": linkage,
        "profile": fingerprints.profile.text,
        "profile_id": fingerprints.profile.id,
    }
    if linkage == "single" and (found := widest(decision, collected)):
        summary["widest_cluster"] = {"cluster": found[0], "diameter": found[1]}
    summary["warnings"] = list(_warnings(summary, collected, decision))
    return summary


def _warnings(summary: dict[str, Any], collected: Collected, decision: Decision) -> Any:
    documents = summary["documents"]
    if documents == 0:
        yield "the input has no documents"
        return
    for_one = Counter(decision.clusters.kept[~decision.is_kept].tolist()).most_common(1)
    if for_one:
        row, count = for_one[0]
        if count >= _SUSPICIOUS_COUNT and count > _SUSPICIOUS_SHARE * documents:
            yield (
                f"{count:,} of {documents:,} documents were removed for one kept document "
                f"(id {collected.ids[row].as_py()}): look at a few of them"
            )
    if 2 * summary["low_information"] > documents:
        yield (
            f"{summary['low_information']:,} of {documents:,} documents are low-information and "
            "were compared by equal text only: is this the right text field?"
        )
    wide = summary.get("widest_cluster")
    if wide and wide["diameter"] > summary["distance"]:
        yield (
            f"single linkage joined documents up to {wide['diameter']} bits apart (cluster "
            f"{wide['cluster']}); linkage star keeps every removed document within "
            f"{summary['distance']}"
        )
    if summary["duplicate_ids"]:
        yield f"{summary['duplicate_ids']:,} documents have an id that an earlier one has, too"
    if summary["mojibake_texts"]:
        yield (
            f"{summary['mojibake_texts']:,} texts look like UTF-8 that was read in another "
            "encoding before it was written here"
        )
    if 2 * summary["markup_texts"] > documents:
        yield (
            f"{summary['markup_texts']:,} texts are mostly HTML tags, which take part in the "
            "fingerprint; the normalisation step html reads the text only"
        )
    if summary["repaired_texts"]:
        yield f"{summary['repaired_texts']:,} texts had lone surrogates, read as U+FFFD"
