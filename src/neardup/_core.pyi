"""The compiled module: the binding of the Rust core (crates/neardup-py)."""

from collections.abc import Callable
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Profile",
    "cluster",
    "distance_many",
    "find_pairs",
    "fingerprint_weighted",
    "hash_feature",
]

@final
class Profile:
    def __new__(
        cls,
        *,
        normalize: list[str] | None,
        features: str,
        weights: str,
        bits: int,
        dictionary: list[str] | None,
        levels: list[tuple[str, int]] | None,
    ) -> Profile: ...
    @property
    def text(self) -> str: ...
    @property
    def id(self) -> str: ...
    def normalize(self, text: str) -> str: ...
    def cut(self, text: str) -> list[str]: ...
    def features(self, text: str) -> list[tuple[str, int, int]]: ...
    def fingerprint_texts(
        self, texts: list[str], threads: int
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint64]]: ...
    def fingerprint_utf8(
        self, data: NDArray[np.uint8], offsets: NDArray[np.int64], threads: int
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint64]]: ...

def hash_feature(feature: str, bits: int) -> list[int]: ...
def fingerprint_weighted(hashes: NDArray[np.uint64], weights: NDArray[np.uint64]) -> list[int]: ...
def distance_many(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> NDArray[np.uint16]: ...
def find_pairs(
    words: NDArray[np.uint64],
    bits: int,
    valid: NDArray[np.bool_] | None,
    max_distance: int,
    *,
    limit: int,
    threads: int,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint16]]: ...
def cluster(
    group: NDArray[np.uint32],
    left: NDArray[np.uint32],
    right: NDArray[np.uint32],
    distance: NDArray[np.uint16],
    priority: NDArray[np.uint32],
    *,
    single: bool,
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]: ...
