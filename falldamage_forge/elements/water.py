"""Water: ground that slows."""

from __future__ import annotations

from falldamage_forge.elements.element import Element

ELEMENT = Element(
    word="water",
    means="tops of water",
    kind="ground",
    field="columns",
    levelled=False,
    glyph="~",
    depth=7,
    usage="",
    synonyms=(
        "river",
        "pond",
        "lake",
        "pool",
    ),
)
