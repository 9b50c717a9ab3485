"""Field: a counter with a field around it."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.board import Fitting
from falldamage_forge.elements.element import INCH_UM, TILE_UM, Element, Tool
from falldamage_forge.elements.solids import Ink, circle


def symbol(field: Fitting) -> Iterator[Ink]:
    """Yield a counter, and the reach of its field."""
    rim = circle(field.length_um / TILE_UM, 72)
    yield Ink(rim, "field", opacity=0.10)
    yield Ink(rim, "field", 1.8, 0.9, closed=True, dash=6.0)
    for radius in (0.2, 0.12):
        yield Ink(circle(radius, 20), "field", 2.2, closed=True)
    yield Ink(circle(0.05, 12), "field")


ELEMENT = Element(
    word="field",
    means="a counter on each tile with a field around it (default radius: 2.5in); gang-skirmish",
    named="field",
    names=("heavy-g",),
    length="radius",
    usual_um=5 * INCH_UM // 2,
    most_um=12 * INCH_UM,
    sign="*",
    shown="Heavy-G field",
    synonyms=("force", "aura"),
    symbol=symbol,
    tools=(
        Tool(
            "field",
            "things",
            "h",
            15,
            "field heavy-g {tiles}",
            {"en": "Heavy-G", "de": "Heavy-G"},
            line="M12 4.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15zM12 8v8M9 13.2l3 2.8 3-2.8",
        ),
    ),
)
