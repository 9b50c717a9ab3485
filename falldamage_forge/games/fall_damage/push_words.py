"""A push as cards write it, and what of its victim matters."""

from __future__ import annotations

from typing import Literal

from falldamage_forge.values import dataclass

Direction = Literal["B", "R", "L", "F"]


@dataclass(frozen=True, slots=True)
class Victim:
    """What of the pushed unit matters: `no_fall` the Wrestler's, `no_push` the Shield Bearer's,
    `no_lava` who is discorporate's.
    """

    no_fall: bool = False
    no_push: bool = False
    no_lava: bool = False


ANYBODY = Victim()
"""Somebody without anything special."""


@dataclass(frozen=True, slots=True)
class Push:
    """A push as cards write it: `B2`. `mage` adds 2 to the damage of falls."""

    direction: Direction
    tiles: int
    mage: bool = False

    @classmethod
    def parse(cls, text: str, *, mage: bool = False) -> Push:
        """From `B2`, `L1`, `F1`; a bare number is a push back. ValueError otherwise."""
        letter, digits = (text[:1], text[1:]) if text[:1].isalpha() else ("B", text)
        letter = letter.upper()
        number = digits.isascii() and digits.isdigit() and len(digits) <= 2
        if letter not in "BRLF" or not number:
            raise ValueError(f"`{text}` is not a push; write B, R, L or F and a count, such as B2")
        return cls(letter, int(digits), mage)  # type: ignore[arg-type]
