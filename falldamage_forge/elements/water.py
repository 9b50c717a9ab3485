"""Water: ground that slows."""

from __future__ import annotations

from falldamage_forge.elements.element import Element, Tool

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
