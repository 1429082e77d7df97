"""The five steps, shown: why a fingerprint is what it is, and how two texts compare."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from neardup.fingerprint import (
    Features,
    distance,
    fingerprint,
    hash_features,
    merge,
    reduce_sums,
    weigh,
)
from neardup.profile import DEFAULT_PROFILE, Profile
from neardup.types import Fingerprint

__all__ = ["Comparison", "ExplainedFeature", "Explanation", "compare", "explain"]


@dataclass(frozen=True, slots=True)
class ExplainedFeature:
    """One row of the table: the feature, its hash as an integer, its weight."""

    text: str
    hash: int
    weight: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """The steps from a text, or from features, to a fingerprint.

    Attributes:
        bits: Width of the fingerprint.
        features: Features in the order of first occurrence; empty if low-information.
        sums: Per bit, most significant first, the sum of + weight for a 1 and - weight for a 0.
        fingerprint: None if there are no features.
        profile: The recipe; None where hashes were given by hand.
        normalized: The text after normalisation; None where features were given.
    """

    bits: int
    features: list[ExplainedFeature]
    sums: list[int]
    fingerprint: Fingerprint | None
    profile: Profile | None
    normalized: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it; hashes are strings of `bits` binary digits."""
        fingerprint = self.fingerprint
        return {
            "profile": self.profile and self.profile.text,
            "profile_id": self.profile and self.profile.id,
            "normalized": self.normalized,
            "features": [
                {"text": f.text, "hash": format(f.hash, f"0{self.bits}b"), "weight": f.weight}
                for f in self.features
            ],
            "sums": self.sums,
            "fingerprint": fingerprint
            and {"bits": fingerprint.binary, "hex": fingerprint.hex, "width": self.bits},
            "low_information": fingerprint is None,
        }


def explain(
    text: str | None = None,
    *,
    features: Features | None = None,
    profile: Profile = DEFAULT_PROFILE,
    bits: int | None = None,
    hashes: Mapping[str, int] | None = None,
    hash_function: Callable[[str], int] | None = None,
) -> Explanation:
    """Shows the five steps for a text, or for features as `fingerprint_features` takes them.

    Raises:
        UsageError: If a feature, weight or hash makes no sense.

    >>> explain(features={"a": 2, "b": 1}, bits=3, hashes={"a": 0b110, "b": 0b011}).sums
    [1, 3, -1]
    """
    if text is not None:
        weighted = {feature.text: feature.weight for feature in profile.features(text)}
        normalized: str | None = profile.normalize(text)
        shown: Profile | None = profile
    else:
        weighted = weigh(features or ())
        normalized = None
        own = hashes is not None or hash_function is not None
        given = Profile("given", bits=profile.bits if bits is None else bits)
        shown, profile = (None if own else given), given
    width = profile.bits
    hashed = hash_features(weighted, width, hashes, hash_function)
    rows = [
        ExplainedFeature(feature, value, weight)
        for (feature, weight), value in zip(weighted.items(), hashed, strict=True)
    ]
    sums = merge(hashed, weighted.values(), width)
    made = Fingerprint(reduce_sums(sums), width, shown.id if shown else None) if rows else None
    return Explanation(width, rows, sums, made, shown, normalized)


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two texts compare under a profile.

    Attributes:
        profile: The recipe.
        fingerprints: Those of the two texts; None for a low-information one.
        distance: Differing bits; None if a fingerprint is missing.
        cosine: The cosine of the weight vectors that the distance estimates, cos(pi d / f).
        interval: Its 95 % interval (Wilson's, for the share of differing bits).
        exact: Whether the normalised texts are equal and not empty.
        weighted_jaccard: Sum of smaller weights over sum of larger weights of the features.
        set_jaccard: Features in both over features in either.
        max_distance: The distance up to which texts count as near.
    """

    profile: Profile
    fingerprints: tuple[Fingerprint | None, Fingerprint | None]
    distance: int | None
    cosine: float | None
    interval: tuple[float, float] | None
    exact: bool
    weighted_jaccard: float
    set_jaccard: float
    max_distance: int

    @property
    def verdict(self) -> Literal["exact", "near", "different"]:
        """`exact`: equal normalised texts. `near`: fingerprints within the distance."""
        if self.exact:
            return "exact"
        near = self.distance is not None and self.distance <= self.max_distance
        return "near" if near else "different"

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "profile": self.profile.text,
            "profile_id": self.profile.id,
            "fingerprints": [fp and fp.hex for fp in self.fingerprints],
            "low_information": [fp is None for fp in self.fingerprints],
            "bits": self.profile.bits,
            "distance": self.distance,
            "max_distance": self.max_distance,
            "estimated_cosine": self.cosine,
            "estimated_cosine_interval": self.interval and list(self.interval),
            "exact": self.exact,
            "weights": self.profile.weights,
            "weighted_jaccard": self.weighted_jaccard,
            "set_jaccard": self.set_jaccard,
            "verdict": self.verdict,
        }


def compare(
    a: str, b: str, *, profile: Profile = DEFAULT_PROFILE, max_distance: int = 3
) -> Comparison:
    """Compares two texts: fingerprints, distance, estimated cosine, exact Jaccard similarities.

    >>> compare("红 红 红 蓝", "蓝 红").weighted_jaccard
    0.5
    """
    pair = (fingerprint(a, profile), fingerprint(b, profile))
    bits = None if None in pair else distance(*pair)  # type: ignore[arg-type]
    weights_a, weights_b = (
        {feature.text: feature.weight for feature in profile.features(text)} for text in (a, b)
    )
    union = weights_a.keys() | weights_b.keys()
    lower = sum(min(weights_a.get(f, 0), weights_b.get(f, 0)) for f in union)
    upper = sum(max(weights_a.get(f, 0), weights_b.get(f, 0)) for f in union)
    normalized = profile.normalize(a)
    return Comparison(
        profile=profile,
        fingerprints=pair,
        distance=bits,
        cosine=None if bits is None else _cosine(bits / profile.bits),
        interval=None if bits is None else _interval(bits, profile.bits),
        exact=normalized != "" and normalized == profile.normalize(b),
        weighted_jaccard=lower / upper if upper else 0.0,
        set_jaccard=len(weights_a.keys() & weights_b.keys()) / len(union) if union else 0.0,
        max_distance=max_distance,
    )


def _cosine(share: float) -> float:
    """A bit differs with probability angle / pi (Charikar 2002)."""
    return math.cos(math.pi * share)


def _interval(differing: int, bits: int) -> tuple[float, float]:
    """The cosines at the ends of Wilson's 95 % interval of the share of differing bits."""
    z = 1.959964
    share = differing / bits
    centre = (share + z * z / (2 * bits)) / (1 + z * z / bits)
    half = z / (1 + z * z / bits) * math.sqrt(share * (1 - share) / bits + (z / (2 * bits)) ** 2)
    return _cosine(min(centre + half, 1.0)), _cosine(max(centre - half, 0.0))
