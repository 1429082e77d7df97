"""The small values that the rest of the package hands around."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

Linkage: TypeAlias = Literal["star", "single"]
Relation: TypeAlias = Literal["exact", "near"]
#: Called with the phase ("read", "match", "write"), the steps done and the steps to do.
ProgressCallback: TypeAlias = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The SimHash of one document.

    Attributes:
        value: The fingerprint as an integer of `bits` bits.
        bits: Its width, 1 to 256.
        profile_id: The id of the profile that made it; None where the caller gave the hashes.
    """

    value: int
    bits: int
    profile_id: str | None = None

    @property
    def hex(self) -> str:
        """The value as ceil(bits / 4) hexadecimal digits."""
        return format(self.value, f"0{-(-self.bits // 4)}x")

    @property
    def binary(self) -> str:
        """The value as `bits` binary digits, most significant first."""
        return format(self.value, f"0{self.bits}b")

    def __str__(self) -> str:
        return self.hex


class Pair(NamedTuple):
    """Two documents, by their positions in the input, `left` before `right`."""

    left: int
    right: int
    distance: int


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature of a text: how often it occurs and what it weighs."""

    text: str
    count: int
    weight: int
