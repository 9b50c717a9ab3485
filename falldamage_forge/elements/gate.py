"""Gate: the squares of Gatefall's Gate."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import Fitting
from falldamage_forge.elements.element import Element, Tool
from falldamage_forge.elements.solids import Ink, square


def symbol(gate: Fitting) -> Iterator[Ink]:
    """Yield bars across the tile."""
    yield Ink(square(0.44), "gold", opacity=0.35)
    for number in range(5):
        col = 0.14 + 0.18 * number
        yield Ink(((0.12, col), (0.88, col)), "edge", 1.8, 0.85)
    yield Ink(square(0.44), "edge", 1.6, closed=True)


ELEMENT = Element(
    word="gate",
    means="the squares of the Gate, in one row or one column; gatefall",
    sign=":",
    shown="the Gate",
    symbol=symbol,
    tools=(
        Tool(
            "gate",
            "things",
            "k",
            17,
            "gate {tiles}",
            {"en": "Gate", "de": "Tor"},
            line="M4 21V10a8 8 0 0 1 16 0v11M8 21v-8M12 21V10M16 21v-8M4 16h16",
        ),
    ),
)
