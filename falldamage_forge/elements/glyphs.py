"""Glyphs of tiles in maps, flat views and terminals."""

from __future__ import annotations

from collections.abc import Mapping

from falldamage_forge.board import Column
from falldamage_forge.elements import ELEMENTS

BARE = "."
"""Glyph of a tile of level 0 with nothing on it."""
SIGNS: Mapping[str, str] = {
    word: element.glyph for word, element in ELEMENTS.items() if element.valued
}
"""Glyph of each ground and feature."""


def tile_glyphs(column: Column) -> str:
    """Return the glyphs of a column's ground and feature; empty for plain ground."""
    return "".join(sign for word, sign in SIGNS.items() if word in (column.ground, column.feature))
