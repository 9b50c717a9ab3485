"""Tree: two levels high, fills its tile."""

from __future__ import annotations

from falldamage_forge.elements.element import Element, Tool

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
