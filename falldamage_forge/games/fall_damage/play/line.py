"""Lines of sight in whole numbers: what `sight.sees` says, many times faster.

Heights are counted in parts of a level so small that the eye, the deck's thickness and every
crossing of a tile's border are whole. `sees` stays the judge: a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import lcm
from operator import itemgetter
from typing import NamedTuple

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Terrain
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.spots import TOP_LEVEL
from falldamage_forge.games.fall_damage.sight import crossings

Closers = tuple[int, ...]
"""Spots that close a line of sight when taken."""


class _Scale(NamedTuple):
    """Parts of a level: in all, up to the eye, and of a deck's slab."""

    level: int
    eye: int
    deck: int


@lru_cache(maxsize=64)
def _scale(options: Options) -> _Scale:
    eye, deck = options.los_eye_exact, options.deck_thickness_exact
    level = lcm(eye.denominator, deck.denominator)
    return _Scale(level, int(eye * level), int(deck * level))


def line_of(terrain: Terrain, one: int, other: int, options: Options) -> Closers | None:
    """What closes the line between two surfaces when taken; None where terrain does."""
    way = _way(one >> 4, other >> 4, options.los_corner == "closed")
    scale, strict = _scale(options), options.los_own == "strict"
    parts, a, b = way.parts, one & 15, other & 15
    unit = scale.level * parts
    start, rise = a * unit + scale.eye * parts, (b - a) * scale.level
    closers = []
    for tile, enter, leave in way.tiles:
        low, high = start + rise * enter, start + rise * leave
        if low > high:
            low, high = high, low
        where = Tile(tile >> 6, tile & 63)
        # The support right under an end's feet is looked through, and nothing else.
        support = -1
        if not strict and tile in (one >> 4, other >> 4):
            both = one >> 4 == other >> 4 and a != b
            support = -1 if both else (a if tile == one >> 4 else b)
        top = terrain.top(where)
        if low < top * unit and top != support:
            return None
        for deck in terrain.decks(where):
            if deck == support:
                continue
            if low < deck * unit and high > deck * unit - scale.deck * parts:
                return None
        # A unit fills level to level + 1 and closes the line where they share more than a point.
        for level in range(max(low // unit, 0), min(high // unit, TOP_LEVEL) + 1):
            spot = tile << 4 | level
            if low < (level + 1) * unit and high > level * unit and spot not in (one, other):
                closers.append(spot)
    return tuple(closers)


class _Way(NamedTuple):
    """The tiles between two tiles: parts the way is counted in, each with where it is crossed."""

    parts: int
    tiles: tuple[tuple[int, int, int], ...]
    touched: frozenset[int]


@lru_cache(maxsize=50_000)
def _way(one: int, other: int, closed: bool) -> _Way:
    rows, cols = (other >> 6) - (one >> 6), (other & 63) - (one & 63)
    parts, tiles = crossings(rows, cols, closed)
    found = tuple((one + (row << 6) + col, enter, leave) for row, col, enter, leave in tiles)
    _, all_tiles = crossings(rows, cols, True)
    touched = frozenset(one + (row << 6) + col for row, col, _, _ in all_tiles)
    return _Way(parts, found, touched)


def tiles_between(one: int, other: int) -> frozenset[int]:
    """Tiles that a line between two tiles meets, corners counted."""
    return _way(one, other, False).touched


def tiles_inside(one: int, other: int) -> frozenset[int]:
    """Tiles whose inside a line between two tiles meets, the ends included."""
    return frozenset(tile for tile, _, _ in _way(one, other, False).tiles)


@lru_cache(maxsize=50_000)
def shapes_between(one: int, other: int) -> Callable[[dict[int, int]], object]:
    """Reads the shapes of the tiles that a line between two tiles meets."""
    return itemgetter(*tiles_between(one, other))
