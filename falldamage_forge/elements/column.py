"""Column: a stack of levels, on which all else stands."""

from __future__ import annotations

from falldamage_forge.elements.element import Element

ELEMENT = Element(
    word="stack",
    means="columns of N levels, or of a length in height: half a level is a step",
    form="column",
    kind="level",
    field="columns",
    levelled=False,
    families=("block",),
    rank=3,
    depth=None,
    synonyms=(
        "wall",
        "block",
        "column",
        "tower",
        "hill",
        "pillar",
        "rock",
        "platform",
        "terrain",
        "height",
        "level",
        "raise",
    ),
)
