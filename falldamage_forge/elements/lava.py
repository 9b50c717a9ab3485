"""Lava: ground that no unit stands on."""

from __future__ import annotations

from falldamage_forge.elements.element import Element, Tool

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
