"""Tree: two levels high, fills its tile."""

from __future__ import annotations

import math
from collections.abc import Iterator

from falldamage_forge.board import Fitting
from falldamage_forge.elements.element import Element, Tool
from falldamage_forge.elements.solids import Drum, Ink, Point


def solids(tree: Fitting) -> Iterator[Drum]:
    """Yield a fir of two levels: its trunk and three crowns."""
    yield Drum(((0.0, 0.10), (0.5, 0.08)), 8, "wood_dark", free=True)
    crowns = ((0.36, 0.42, 1.15), (0.85, 0.34, 1.6), (1.3, 0.25, 2.0))
    for number, (low, wide, high) in enumerate(crowns):
        paint, shade = "leaf" if number else "leaf_dark", 0.94 + 0.06 * number
        yield Drum(((low, wide), (high, 0.012)), 9, paint, shade, number * 0.4, 0.05, free=True)


def symbol(tree: Fitting) -> Iterator[Ink]:
    """Yield a crown from above with its branches."""
    middle, angles = 0.53, [number * math.pi / 24 for number in range(48)]

    def at(angle: float, reach: float) -> Point:
        return middle + reach * math.sin(angle), middle + reach * math.cos(angle)

    reaches = [0.30 + 0.035 * math.cos(8 * angle) for angle in angles]
    crown = tuple(map(at, angles, reaches))
    yield Ink(tuple((row + 0.04, col + 0.05) for row, col in crown), "shade", opacity=0.22)
    yield Ink(crown, "leaf")
    yield Ink(crown, "edge", 1.4, 0.85, closed=True)
    for angle in angles[::6]:
        yield Ink(((middle, middle), at(angle, 0.22)), "leaf_dark", 1.7)


ELEMENT = Element(
    word="tree",
    means="a tree, two levels high",
    kind="feature",
    field="columns",
    levelled=False,
    glyph="T",
    depth=4,
    usage="tree AREA (spire, lava, water, step and treasure likewise)",
    synonyms=("forest", "wood", "bush"),
    solids=solids,
    symbol=symbol,
    contact=0.30,
    paint="leaf",
    families=("tree",),
    tools=(
        Tool(
            "tree",
            "things",
            "t",
            10,
            "tree {tiles}",
            {"en": "tree", "de": "Baum"},
            fill="M12 2.5l5.5 8h-2.2l3.7 6H5l3.7-6H6.5z",
            line="M12 16.5v5",
        ),
    ),
)
