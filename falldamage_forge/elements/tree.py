"""Tree: two levels high, fills its tile."""

from __future__ import annotations

from falldamage_forge.elements.element import Element

ELEMENT = Element(
    word="tree",
    means="a tree, two levels high",
    kind="feature",
    field="columns",
    levelled=False,
    glyph="T",
    depth=4,
    usage="tree AREA (spire, lava, water, step and treasure likewise)",
    synonyms=(
        "forest",
        "wood",
        "bush",
    ),
)
