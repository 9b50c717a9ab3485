"""Tree: two levels high, fills its tile."""

from __future__ import annotations

from falldamage_forge.elements.element import Element, Tool
from falldamage_forge.infra.lazy_dataclass import FrozenDict

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
    tools=(
        Tool(
            name="tree",
            group="things",
            key="t",
            order=10,
            words="tree {tiles}",
            icon=(
                '<path fill="currentColor" fill-opacity=".18" d="M12 2.5l5.5 8h-2.2l3.7 '
                '6H5l3.7-6H6.5z"/>'
                '<path d="M12 16.5v5"/>'
            ),
            label="tree",
            labels=FrozenDict({"de": "Baum"}),
        ),
    ),
)
