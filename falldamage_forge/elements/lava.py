"""Lava: ground that no unit stands on."""

from __future__ import annotations

from falldamage_forge.elements.element import Element

ELEMENT = Element(
    word="lava",
    means="tops of lava",
    kind="ground",
    field="columns",
    levelled=False,
    glyph="!",
    depth=7,
    usage="",
    synonyms=(
        "fire",
        "magma",
    ),
)
