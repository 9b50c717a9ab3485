"""Syntax of elements on tiles: lengths, and the words before and after the tiles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from falldamage_forge.board import DIRECTION_NAMES
from falldamage_forge.elements import ELEMENTS
from falldamage_forge.elements.element import INCH_UM

UNIT_UM = {"mm": 1_000, "cm": 10_000, "in": INCH_UM}
_LENGTH = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,4}|/[1-9][0-9]{0,2})?)(mm|cm|in)")


def length_um(text: str) -> int | None:
    """Return the whole micrometres of `1/2in`, `2.5in` or `12mm`, rounded; None for other texts."""
    match = _LENGTH.fullmatch(text)
    return round(Fraction(match[1]) * UNIT_UM[match[2]]) if match else None


def length_text(um: int) -> str:
    """Return a length as text: quarters of an inch in inches, other lengths in millimetres."""
    inches = Fraction(um, INCH_UM)
    if inches.denominator in (1, 2, 4):
        short = str(inches) if inches < 1 else f"{float(inches):g}"
        return f"{short}in"
    return f"{um / 1000:.3f}".rstrip("0").rstrip(".") + "mm"


def head_of(kind: str, name: str) -> str:
    """Return the words before `at`: `railing`, `field heavy-g`, `base red`.

    Args:
        kind: Kind of the element, a key of `ELEMENTS`.
        name: Name after the kind; left out if the kind takes none.
    """
    return f"{kind} {name}" if ELEMENTS[kind].wants_name else kind


def tail_of(kind: str, name: str, sides: tuple[str, ...], length: int | None) -> str:
    """Return the words after the tiles: ` sides east height 1in cover full`.

    Args:
        kind: Word of the element.
        name: Name of the element.
        sides: Direction names; all four are left out.
        length: Length in micrometres; None to leave it out.
    """
    known = ELEMENTS[kind]
    words = ["sides", *sides] if sides and len(sides) < 4 else []
    if known.length and length is not None:
        words += [known.length, length_text(length)]
    if known.named == "cover" and name:
        words += ["cover", name]
    return "".join(f" {word}" for word in words)


def words_of(
    kind: str, name: str, sides: Iterable[tuple[int, int]], length_um: int
) -> tuple[str, str]:
    """Return head and tail of an element's statement, without default values.

    Args:
        kind: Kind of the element, a key of `ELEMENTS`.
        name: Name after the kind.
        sides: Sides of the tile as (d_row, d_col).
        length_um: Length in µm.
    """
    named = tuple(DIRECTION_NAMES[side] for side in sides)
    length = None if length_um == ELEMENTS[kind].usual_um else length_um
    return head_of(kind, name), tail_of(kind, name, named, length)
