"""The profile: the whole recipe that turns a text into a fingerprint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from neardup import _core
from neardup.errors import ProfileError
from neardup.types import Feature

__all__ = ["DEFAULT_PROFILE", "NORMALIZE_STEPS", "Profile"]

#: The steps of normalisation, in the order in which they run.
NORMALIZE_STEPS = ("html", "ignorable", "nfkc", "casefold", "digits", "whitespace")


class Profile:
    """How texts become fingerprints: normalisation, features, weights, hash and width.

    A profile never changes, and neither do its fingerprints (`docs/algorithm.md`). Only
    fingerprints of one profile can be compared.

    Args:
        features: `words`, `chars:N`, `tokens:N`, or `given` if you bring the features yourself.
        weights: `count`, `binary`, `sqrt`, `log` or `levels`; `given` with features `given`.
        bits: Width of the fingerprint, 1 to 256.
        normalize: Names out of `NORMALIZE_STEPS`; default ignorable, nfkc, casefold, whitespace.
        dictionary: Words of your own (of Han characters), beside the built-in dictionary.
        levels: Your own level, 1 to 5, for each word, in place of the built-in table; others are 3.

    Raises:
        ProfileError: If a part is unknown or out of range, or the parts don't go together.

    >>> profile = Profile(features="chars:3", bits=128)
    >>> profile.text.split()[-4:]
    ['features=chars:3', 'weights=count', 'hash=xxh3', 'bits=128']
    """

    __slots__ = ("_arguments", "_core", "bits")

    def __init__(
        self,
        features: str = "words",
        weights: str | None = None,
        bits: int = 64,
        *,
        normalize: Sequence[str] | None = None,
        dictionary: Iterable[str] | None = None,
        levels: Mapping[str, int] | None = None,
    ) -> None:
        if weights is None:
            weights = "given" if features == "given" else "count"
        if isinstance(bits, bool) or not isinstance(bits, int) or not 1 <= bits <= 256:
            raise ProfileError(f"bits must be a whole number from 1 to 256, found {bits!r}")
        if isinstance(normalize, str):
            raise ProfileError(f"normalize takes a list of names, found the string {normalize!r}")
        arguments: dict[str, Any] = {
            "features": features,
            "weights": weights,
            "bits": bits,
            "normalize": None if normalize is None else list(normalize),
            "dictionary": None if dictionary is None else sorted(set(dictionary)),
            "levels": None if levels is None else _level_table(levels),
        }
        self.bits = bits
        self._arguments = arguments
        self._core = _core.Profile(**arguments)

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        dictionary: Iterable[str] | None = None,
        levels: Mapping[str, int] | None = None,
    ) -> Profile:
        """The profile with this text form; tables that it names by digest must be given.

        Raises:
            ProfileError: If the text is no profile's, or the tables are others.
        """
        fields = dict(field.partition("=")[::2] for field in text.split(" ")[1:])
        try:
            profile = cls(
                fields["features"],
                fields["weights"].partition(":")[0],
                int(fields["bits"]),
                normalize=_steps(fields.get("normalize")),
                dictionary=dictionary,
                levels=levels,
            )
        except (KeyError, ValueError) as error:
            raise ProfileError(f"not the text form of a profile: {text!r} ({error})") from error
        if profile.text != text:
            raise ProfileError(
                f"expected the profile {text!r}, but these arguments make {profile.text!r}"
            )
        return profile

    @property
    def text(self) -> str:
        """The canonical text form, one line of ASCII."""
        return self._core.text

    @property
    def id(self) -> str:
        """The XXH3-64 of the text form, 16 hexadecimal digits."""
        return self._core.id

    @property
    def weights(self) -> str:
        """The rule that gives a feature its weight."""
        weights: str = self._arguments["weights"]
        return weights

    def normalize(self, text: str) -> str:
        """The text after normalisation."""
        return self._core.normalize(text)

    def cut(self, text: str) -> list[str]:
        """Every occurrence of every feature of the text, in order.

        >>> Profile().cut("上海分公司 opened ＡＢＣ!")
        ['上海', '分公司', 'opened', 'abc']
        """
        return self._core.cut(text)

    def features(self, text: str) -> list[Feature]:
        """The features with their counts and weights, in the order of first occurrence."""
        return [Feature(*feature) for feature in self._core.features(text)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Profile) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"<Profile {self.id}: {self.text}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self._arguments,)


def _rebuild(arguments: dict[str, Any]) -> Profile:
    levels = arguments["levels"]
    return Profile(**{**arguments, "levels": None if levels is None else dict(levels)})


def _steps(field: str | None) -> list[str] | None:
    if field is None:
        return None
    return [] if field == "none" else field.split(",")


def _level_table(levels: Mapping[str, int]) -> list[tuple[str, int]]:
    for word, level in levels.items():
        if isinstance(level, bool) or not isinstance(level, int) or not 1 <= level <= 5:
            raise ProfileError(f"a level must be from 1 to 5, found {level!r} for {word!r}")
    return sorted(levels.items())


#: Words, their counts, 64 bits: the profile that is used unless the caller chooses.
DEFAULT_PROFILE = Profile()
