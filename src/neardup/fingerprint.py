"""Fingerprints of texts and of features, and their distance."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from neardup import _core
from neardup.errors import ProfileError, UsageError
from neardup.profile import DEFAULT_PROFILE, Profile
from neardup.types import Fingerprint

__all__ = [
    "Fingerprints",
    "distance",
    "distance_many",
    "fingerprint",
    "fingerprint_features",
    "fingerprint_many",
]

Texts: TypeAlias = "Sequence[str | None] | NDArray[Any] | pa.Array | pa.ChunkedArray"
Weight: TypeAlias = "int | float | Fraction"
Features: TypeAlias = "Iterable[str | tuple[str, Weight]] | Mapping[str, Weight]"

#: Hexadecimal digits of the widths in which a string can only mean one thing.
_HEX_WIDTHS = (16, 32, 64)


@dataclass(frozen=True, eq=False)
class Fingerprints:
    """Fingerprints of many texts; row `i` belongs to text `i`.

    Attributes:
        words: uint64 array of shape (n, ceil(bits / 64)), the most significant word first.
        valid: Whether the text has a fingerprint; low-information and null texts have none.
        digests: uint64 array (n, 2), XXH3-128 of the normalised texts; zeros where that is empty.
        profile: The profile that made them.
    """

    words: NDArray[np.uint64]
    valid: NDArray[np.bool_]
    digests: NDArray[np.uint64]
    profile: Profile

    @property
    def values(self) -> NDArray[np.uint64]:
        """The fingerprints as one number each where 64 bits do, otherwise as rows of words."""
        return self.words[:, 0] if self.words.shape[1] == 1 else self.words

    def to_arrow(self) -> pa.Array:
        """uint64 up to 64 bits, otherwise big-endian fixed-size binary; null where not valid."""
        nulls = ~self.valid
        if self.words.shape[1] == 1:
            return pa.array(self.words[:, 0], mask=nulls)
        size = 8 * self.words.shape[1]
        rows = pa.py_buffer(self.words.astype(">u8").tobytes())
        array = pa.Array.from_buffers(pa.binary(size), len(self), [None, rows])
        return pc.if_else(pa.array(self.valid), array, None)

    def hex(self) -> list[str | None]:
        """Fixed-width hexadecimal strings; None where not valid."""
        return [None if fp is None else fp.hex for fp in self]

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, row: int) -> Fingerprint | None:
        if not self.valid[row]:
            return None
        return Fingerprint(_integer(self.words[row].tolist()), self.profile.bits, self.profile.id)

    def __iter__(self) -> Iterator[Fingerprint | None]:
        return (self[row] for row in range(len(self)))


def fingerprint(text: str, profile: Profile = DEFAULT_PROFILE) -> Fingerprint | None:
    """The fingerprint of one text; None if it is low-information (has no features).

    >>> fingerprint("今晚八点开会，请准时") == fingerprint("今晚八点开会,请准时!")
    True
    >>> fingerprint("！！！") is None
    True
    """
    if not isinstance(text, str):
        raise _not_text(text, "the text")
    return fingerprint_many([text], profile, threads=1)[0]


def fingerprint_many(
    texts: Texts, profile: Profile = DEFAULT_PROFILE, *, threads: int | None = None
) -> Fingerprints:
    """Fingerprints of many texts, on all cores unless `threads` says how many.

    Args:
        texts: A sequence of strings, a NumPy array of them, or an Arrow string array. None and
            null have no fingerprint.
        profile: The recipe.
        threads: Number of threads; the answer doesn't depend on it.

    Raises:
        UsageError: If an item is not text.
    """
    threads = thread_count(threads)
    if isinstance(texts, pa.ChunkedArray):
        texts = texts.combine_chunks()
    if isinstance(texts, pa.Array):
        arrays = _fingerprint_arrow(texts, profile, threads)
    else:
        strings = ["" if text is None else text for text in texts]
        for row, text in enumerate(strings):
            if not isinstance(text, str):
                raise _not_text(text, f"text {row}")
        arrays = profile._core.fingerprint_texts(strings, threads)
    words, features, digests = arrays
    return Fingerprints(words, features > 0, digests, profile)


def _fingerprint_arrow(texts: pa.Array, profile: Profile, threads: int) -> Any:
    if pa.types.is_dictionary(texts.type):
        texts = texts.dictionary_decode()
    if not (
        pa.types.is_string(texts.type)
        or pa.types.is_large_string(texts.type)
        or pa.types.is_string_view(texts.type)
        or pa.types.is_null(texts.type)
    ):
        raise UsageError(f"expected an Arrow array of strings, found {texts.type}")
    texts = pc.fill_null(texts.cast(pa.large_string()), "")
    _, offsets, data = texts.buffers()
    starts = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    if len(texts) == 0:
        starts = np.zeros(1, np.int64)
    content = np.zeros(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    return profile._core.fingerprint_utf8(content, starts, threads)


def fingerprint_features(
    features: Features,
    *,
    bits: int = 64,
    hashes: Mapping[str, int] | None = None,
    hash_function: Callable[[str], int] | None = None,
) -> Fingerprint | None:
    """The fingerprint of your own features; None if there are none.

    Args:
        features: Features, or pairs of feature and weight, or a mapping from one to the other. A
            feature without weight weighs 1; weights of the same feature add up. Weights are taken
            exactly, as the integers or fractions they are.
        bits: Width of the fingerprint, 1 to 256.
        hashes: The hash of each feature, of `bits` bits, in place of XXH3.
        hash_function: A function that gives such hashes.

    Raises:
        UsageError: If a weight is negative or not finite, a hash is missing or too wide, or a hash
            function does not fill `bits` bits.

    >>> hashes = {"腾讯": 0b100101, "上海分公司": 0b101011}
    >>> fingerprint_features({"腾讯": 4, "上海分公司": 5}, bits=6, hashes=hashes).binary
    '101011'
    """
    profile = Profile("given", bits=bits)
    weighted = weigh(features)
    hashed = hash_features(weighted, bits, hashes, hash_function)
    if not weighted:
        return None
    own = hashes is not None or hash_function is not None
    weights = list(weighted.values())
    if sum(weights) < 2**63:
        count = 1 if bits <= 64 else 2 if bits <= 128 else 4
        rows = [_words(value, count) for value in hashed]
        words = _core.fingerprint_weighted(np.array(rows, np.uint64), np.array(weights, np.uint64))
        value = _integer(words)
    else:
        value = reduce_sums(merge(hashed, weights, bits))
    return Fingerprint(value, bits, None if own else profile.id)


def weigh(features: Features) -> dict[str, int]:
    """The features with their weights as integers, in order of first occurrence.

    Real weights are taken as the fractions they are and multiplied by their common denominator,
    which changes no sign. Weight 0 is as if the feature were not there.
    """
    totals: dict[str, Fraction] = {}
    items = features.items() if isinstance(features, Mapping) else features
    for item in items:
        feature, weight = (item, 1) if isinstance(item, str) else _pair(item)
        totals[feature] = totals.get(feature, Fraction(0)) + _exact(feature, weight)
    scale = lcm(*(weight.denominator for weight in totals.values()))
    return {feature: int(weight * scale) for feature, weight in totals.items() if weight}


def _pair(item: Any) -> tuple[str, Any]:
    if isinstance(item, (tuple, list)) and len(item) == 2 and isinstance(item[0], str):
        return item[0], item[1]
    raise UsageError(f"expected a feature or a pair of feature and weight, found {item!r}")


def _exact(feature: str, weight: Any) -> Fraction:
    try:
        exact = Fraction(weight)
    except (TypeError, ValueError, OverflowError):
        exact = Fraction(-1)
    if isinstance(weight, (str, bool)) or exact < 0:
        raise UsageError(
            f"the weight of {feature!r} must be a finite number of at least 0, found {weight!r}"
        )
    return exact


def hash_features(
    features: Iterable[str],
    bits: int,
    hashes: Mapping[str, int] | None = None,
    hash_function: Callable[[str], int] | None = None,
) -> list[int]:
    """The hashes of the features as integers of `bits` bits: the given ones, or XXH3."""
    if hashes is not None and hash_function is not None:
        raise UsageError("give hashes or a hash function, not both")
    if hash_function is not None:
        _check_hash_function(hash_function, bits)
    values = []
    for feature in features:
        if hash_function is not None:
            value = hash_function(feature)
        elif hashes is None:
            value = _integer(_core.hash_feature(feature, bits))
        elif feature in hashes:
            value = hashes[feature]
        else:
            raise UsageError(f"no hash given for the feature {feature!r}")
        if not isinstance(value, int) or not 0 <= value < 1 << bits:
            raise UsageError(
                f"the hash of {feature!r} must be an integer of {bits} bits, found {value!r}"
            )
        values.append(value)
    return values


def _check_hash_function(hash_function: Callable[[str], int], bits: int) -> None:
    """A hash too narrow leaves bits constant, which makes unlike texts alike."""
    probes = [hash_function(f"probe {index}") for index in range(512)]
    for bit in range(bits):
        ones = sum(value >> bit & 1 for value in probes)
        if not 0.3 * len(probes) <= ones <= 0.7 * len(probes):
            raise UsageError(
                f"the hash function does not fill {bits} bits: of {len(probes)} probes bit {bit} "
                f"(from the lowest) is 1 in {ones}"
            )


def merge(hashes: Iterable[int], weights: Iterable[int], bits: int) -> list[int]:
    """Per bit, most significant first: + weight where the hash has a 1, - weight where a 0."""
    sums = [0] * bits
    for value, weight in zip(hashes, weights, strict=True):
        for position, digit in enumerate(format(value, f"0{bits}b")):
            sums[position] += weight if digit == "1" else -weight
    return sums


def reduce_sums(sums: Iterable[int]) -> int:
    """A bit is 1 where the sum is greater than 0; a tie is 0."""
    return int("".join("1" if total > 0 else "0" for total in sums), 2)


def distance(
    a: Fingerprint | int | str, b: Fingerprint | int | str, *, bits: int | None = None
) -> int:
    """Hamming distance: the number of differing bits.

    Args:
        a: A fingerprint, an integer, or a string of hexadecimal digits in the full width.
        b: Another of the same kind and, for fingerprints, of the same profile.
        bits: The width of strings that have not 16, 32 or 64 digits.

    Raises:
        ProfileError: If the fingerprints are of different profiles or widths.
        UsageError: If an argument is in another form.

    >>> distance(0b10101, 0b00110)
    3
    """
    if isinstance(a, Fingerprint) and isinstance(b, Fingerprint):
        if (a.bits, a.profile_id) != (b.bits, b.profile_id):
            raise ProfileError(
                f"only fingerprints of one profile can be compared, found {a.bits} bits of "
                f"{a.profile_id} and {b.bits} bits of {b.profile_id}"
            )
        return (a.value ^ b.value).bit_count()
    if isinstance(a, str) and isinstance(b, str):
        if len(a) != len(b):
            raise UsageError(f"widths differ: {a!r} has {len(a)} digits, {b!r} has {len(b)}")
        return (_parse_hex(a, bits) ^ _parse_hex(b, bits)).bit_count()
    return (_plain_integer(a) ^ _plain_integer(b)).bit_count()


def _parse_hex(text: str, bits: int | None) -> int:
    expected = _HEX_WIDTHS if bits is None else (-(-bits // 4),)
    if len(text) not in expected or not all(c in "0123456789abcdefABCDEF" for c in text):
        widths = " or ".join(map(str, expected))
        raise UsageError(
            f"a fingerprint as a string must be {widths} hexadecimal digits, found {text!r}; "
            "for a decimal number pass an int, for another width say bits="
        )
    return int(text, 16)


def _plain_integer(value: object) -> int:
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= 0:
        return int(value)
    raise UsageError(
        "expected two fingerprints, two integers of at least 0, or two hexadecimal strings, "
        f"found {value!r}"
    )


def distance_many(a: Fingerprints | NDArray[Any], b: Fingerprints | NDArray[Any]) -> NDArray[Any]:
    """Distances of fingerprints row by row; a single row is compared with all rows.

    Args:
        a: Fingerprints, or a uint64 array of shape (n,) or (n, words).
        b: The same, with as many rows, or one.

    Returns:
        uint16 array. Rows without a fingerprint are compared as zeros: look at `valid`.
    """
    if isinstance(a, Fingerprints) and isinstance(b, Fingerprints) and a.profile != b.profile:
        raise ProfileError("only fingerprints of one profile can be compared")
    return _core.distance_many(as_words(a), as_words(b))


def as_words(fingerprints: Fingerprints | NDArray[Any]) -> NDArray[np.uint64]:
    """A contiguous uint64 matrix, one row a fingerprint."""
    if isinstance(fingerprints, Fingerprints):
        return np.ascontiguousarray(fingerprints.words)
    array = np.asarray(fingerprints)
    if array.dtype != np.uint64:
        raise UsageError(
            f"expected an array of uint64, found {array.dtype}: other types lose bits of "
            "fingerprints"
        )
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise UsageError(f"expected one or two dimensions, found {array.ndim}")
    return np.ascontiguousarray(array)


def thread_count(threads: int | None) -> int:
    """The number asked for, or as many as this process may use."""
    if threads is None:
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024:
        raise UsageError(f"threads must be from 1 to 1024, found {threads!r}")
    return threads


def _integer(words: Iterable[int]) -> int:
    value = 0
    for word in words:
        value = value << 64 | word
    return value


def _words(value: int, count: int) -> list[int]:
    mask = (1 << 64) - 1
    return [value >> 64 * place & mask for place in reversed(range(count))]


def _not_text(value: object, what: str) -> UsageError:
    hint = "; decode it first, as in data.decode('utf-8')" if isinstance(value, bytes) else ""
    return UsageError(f"{what} must be a str, found {type(value).__name__}{hint}")
