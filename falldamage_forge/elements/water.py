"""Water: ground that slows."""

from __future__ import annotations

import math
from collections.abc import Iterator

from falldamage_forge.board import Fitting
from falldamage_forge.elements.element import Element, Tool
from falldamage_forge.elements.solids import Ink


def symbol(pool: Fitting) -> Iterator[Ink]:
    """Yield three waves."""
    for row, start, length in ((0.42, 0.12, 0.5), (0.64, 0.34, 0.54), (0.86, 0.14, 0.5)):
        bends = (0.035 * math.sin(step * math.pi / 3) for step in range(13))
        points = ((row + bend, start + length * n / 12) for n, bend in enumerate(bends))
        yield Ink(tuple(points), "wave", 1.8, 0.9)


ELEMENT = Element(
    word="water",
    means="tops of water",
    kind="ground",
    field="columns",
    levelled=False,
    glyph="~",
    depth=7,
    usage="",
    synonyms=("river", "pond", "lake", "pool"),
    symbol=symbol,
    paint="water",
    families=("water",),
    tools=(
        Tool(
            "water",
            "terrain",
            "w",
            12,
            "water {tiles}",
            {"en": "water", "de": "Wasser"},
            fill="M3 13c2.2-2.4 4.5-2.4 6.7 0s4.5 2.4 6.7 0 3.3-2 4.6-1.3V20H3z",
            outlined=False,
            line="M3 8c2.2-2.4 4.5-2.4 6.7 0s4.5 2.4 6.7 0S19.7 6 21 6.7M3 13c2.2-2.4"
            " 4.5-2.4 6.7 0s4.5 2.4 6.7 0 3.3-2 4.6-1.3M3 18c2.2-2.4 4.5-2.4 6.7"
            " 0s4.5 2.4 6.7 0 3.3-2 4.6-1.3",
        ),
    ),
)
