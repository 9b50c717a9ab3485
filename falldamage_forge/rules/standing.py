"""Where one stands who is said to stand on a surface: in its middle, beside it, or over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from falldamage_forge.board.surfaces import Surface
    from falldamage_forge.rules.model import Place


def standing_of(
    places: Sequence[Place], index: Mapping[Surface, int]
) -> dict[Surface, tuple[int, ...]]:
    """By surface the numbers of the places in which one stands there; `index` are the middles.

    The middle; without room there those nearest to it; and for wide units that can only cover a
    surface, such as on the rim, those whose middle is the nearest.
    """
    if all(len(place.covers) == 1 and place.shift == (0, 0) for place in places):
        return {surface: (number,) for surface, number in index.items()}
    ranked: dict[Surface, dict[tuple[bool, Fraction], list[int]]] = {}
    for number, place in enumerate(places):
        if not place.spot or place.shift != (0, 0):
            for surface in place.covers:
                rank = (surface != place.anchor, _distance(place, surface))
                ranked.setdefault(surface, {}).setdefault(rank, []).append(number)
    return {surface: tuple(ranks[min(ranks)]) for surface, ranks in ranked.items()}


def _distance(place: Place, surface: Surface) -> Fraction:
    """How far the middle of what a place covers lies from a surface it covers; a measure to rank.

    On its own surface it is how far it stands from the middle.
    """
    if surface == place.anchor:
        return Fraction(place.shift[0] ** 2 + place.shift[1] ** 2)
    count = len(place.covers)
    row = sum(at.tile.row for at in place.covers) - count * surface.tile.row
    col = sum(at.tile.col for at in place.covers) - count * surface.tile.col
    return Fraction(row * row + col * col, count * count)
