"""Glyphs of tiles in maps, flat views and terminals."""

from __future__ import annotations

from collections.abc import Mapping

from falldamage_forge.board.board_model import Feature, Ground

BARE = "."
"""Glyph of a tile of level 0 with nothing on it."""
SIGNS: Mapping[Ground | Feature, str] = {
    Feature.TREE: "T",
    Feature.SPIRE: "^",
    Ground.LAVA: "!",
    Ground.WATER: "~",
}
TREASURE = "$"


def tile_glyphs(ground: Ground, feature: Feature | None) -> str:
    """Return the glyphs of a column's ground and feature; empty for plain ground."""
    return "".join(sign for kind, sign in SIGNS.items() if kind in (ground, feature))
