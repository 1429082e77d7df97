"""Find and remove near-duplicate texts, in any language.

>>> import neardup
>>> neardup.dedup(["near duplicate texts", "Near duplicate  texts!", "other"]).kept
['near duplicate texts', 'other']
"""

from neardup.clustering import Cluster, Clusters, cluster
from neardup.deduplication import DedupResult, Removed, Targets, dedup, dedup_files
from neardup.errors import (
    BadRowError,
    InputError,
    NeardupError,
    OutputError,
    ProfileError,
    UsageError,
)
from neardup.explain import Comparison, Explanation, compare, explain
from neardup.fingerprint import (
    Fingerprints,
    distance,
    distance_many,
    fingerprint,
    fingerprint_features,
    fingerprint_many,
)
from neardup.matching import Pairs, find_pairs
from neardup.profile import DEFAULT_PROFILE, Profile
from neardup.types import Feature, Fingerprint, Pair

__all__ = [
    "DEFAULT_PROFILE",
    "BadRowError",
    "Cluster",
    "Clusters",
    "Comparison",
    "DedupResult",
    "Explanation",
    "Feature",
    "Fingerprint",
    "Fingerprints",
    "InputError",
    "NeardupError",
    "OutputError",
    "Pair",
    "Pairs",
    "Profile",
    "ProfileError",
    "Removed",
    "Targets",
    "UsageError",
    "cluster",
    "compare",
    "dedup",
    "dedup_files",
    "distance",
    "distance_many",
    "explain",
    "find_pairs",
    "fingerprint",
    "fingerprint_features",
    "fingerprint_many",
]
