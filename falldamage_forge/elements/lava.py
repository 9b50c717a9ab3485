"""Lava: ground that no unit stands on."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import Fitting
from falldamage_forge.elements.element import Element, Tool
from falldamage_forge.elements.solids import Ink


def symbol(pool: Fitting) -> Iterator[Ink]:
    """Yield three cracks."""
    for row, start, length in ((0.42, 0.12, 0.5), (0.64, 0.34, 0.54), (0.86, 0.14, 0.5)):
        points = ((row + 0.045 * (-1) ** step, start + length * step / 12) for step in range(13))
        yield Ink(tuple(points), "crust", 1.8, 0.9)


ELEMENT = Element(
    word="lava",
    means="tops of lava",
    kind="ground",
    field="columns",
    levelled=False,
    glyph="!",
    depth=7,
    usage="",
    synonyms=("fire", "magma"),
    symbol=symbol,
    paint="lava",
    families=("lava",),
    tools=(
        Tool(
            "lava",
            "terrain",
            "l",
            13,
            "lava {tiles}",
            {"en": "lava", "de": "Lava"},
            fill="M12 21c-3.9 0-6.5-2.6-6.5-6 0-4.5 4-5.5 4.5-12 3.2 1.5 4 4.2 4 6.5.9-.6"
            " 1.3-1.4 1.4-2.5 2 2 3.1 4.8 3.1 8 0 3.4-2.6 6-6.5 6z",
            line="M12 21c-1.7 0-2.7-1.1-2.7-2.7S11 15.7 12 13.5c1 2.2 2.7 3.2 2.7"
            " 4.8S13.7 21 12 21z",
        ),
    ),
)
