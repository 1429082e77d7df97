"""Default word boundaries, UAX #29 of Unicode 17, rule by rule."""

from __future__ import annotations

from unicode_tables import PICTOGRAPHIC, WORD_BREAK

NEWLINES = {"Newline", "CR", "LF"}
ATTACHED = {"Extend", "Format", "ZWJ"}
AH_LETTER = {"ALetter", "Hebrew_Letter"}
MID_NUM_LET_Q = {"MidNumLet", "Single_Quote"}


def segments(text: str) -> list[str]:
    """Cut a text at its default word boundaries (WB1 and WB2 are its two ends)."""
    props = [WORD_BREAK.get(char, "Other") for char in text]
    found: list[str] = []
    start = 0
    for position in range(1, len(text) + 1):
        if position == len(text) or _is_boundary(text, props, position):
            found.append(text[start:position])
            start = position
    return found


def _is_boundary(text: str, props: list[str], position: int) -> bool:
    """Is there a boundary before the character at `position`, which is neither end of the text?"""
    left, right = props[position - 1], props[position]
    if left == "CR" and right == "LF":  # WB3
        return False
    if left in NEWLINES or right in NEWLINES:  # WB3a, WB3b
        return True
    if left == "ZWJ" and text[position] in PICTOGRAPHIC:  # WB3c
        return False
    if left == right == "WSegSpace":  # WB3d
        return False
    if right in ATTACHED:  # WB4
        return False
    # WB4: from here on, X (Extend | Format | ZWJ)* is as X.
    before = _base_before(props, position - 1)
    left = props[before]
    left2 = _property_before(props, before)
    right2 = _property_after(props, position)
    return not (
        # WB5
        (left in AH_LETTER and right in AH_LETTER)
        # WB6
        or (left in AH_LETTER and right in MID_NUM_LET_Q | {"MidLetter"} and right2 in AH_LETTER)
        # WB7
        or (left2 in AH_LETTER and left in MID_NUM_LET_Q | {"MidLetter"} and right in AH_LETTER)
        # WB7a, WB7b, WB7c
        or (left == "Hebrew_Letter" and right == "Single_Quote")
        or (left == right2 == "Hebrew_Letter" and right == "Double_Quote")
        or (left2 == right == "Hebrew_Letter" and left == "Double_Quote")
        # WB8, WB9, WB10
        or (left == right == "Numeric")
        or (left in AH_LETTER and right == "Numeric")
        or (left == "Numeric" and right in AH_LETTER)
        # WB11, WB12
        or (left2 == right == "Numeric" and left in MID_NUM_LET_Q | {"MidNum"})
        or (left == right2 == "Numeric" and right in MID_NUM_LET_Q | {"MidNum"})
        # WB13, WB13a, WB13b
        or (left == right == "Katakana")
        or (left in AH_LETTER | {"Numeric", "Katakana", "ExtendNumLet"} and right == "ExtendNumLet")
        or (left == "ExtendNumLet" and right in AH_LETTER | {"Numeric", "Katakana"})
        # WB15, WB16
        or (left == right == "Regional_Indicator" and _indicators_up_to(props, before) % 2 == 1)
    )  # WB999: otherwise there is a boundary


def _base_before(props: list[str], position: int) -> int:
    """Where the X of an X (Extend | Format | ZWJ)* that ends at `position` stands.

    What follows a newline, or the start of the text, cannot attach to it: there the first of the
    attached characters is an X by itself.
    """
    while props[position] in ATTACHED and position > 0 and props[position - 1] not in NEWLINES:
        position -= 1
    return position


def _property_before(props: list[str], position: int) -> str | None:
    """The property of the X before the X at `position`."""
    return props[_base_before(props, position - 1)] if position > 0 else None


def _property_after(props: list[str], position: int) -> str | None:
    """The property of the first character after the X at `position` and what is attached to it."""
    for following in range(position + 1, len(props)):
        if props[following] not in ATTACHED:
            return props[following]
    return None


def _indicators_up_to(props: list[str], position: int) -> int:
    """How many regional indicators in a row end with the one at `position`."""
    count = 0
    while props[position] == "Regional_Indicator":
        count += 1
        if position == 0:
            break
        position = _base_before(props, position - 1)
    return count
