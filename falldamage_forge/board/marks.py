"""The signs of a tile in maps, flat views and terminals: written here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping

from falldamage_forge.board.model import Feature, Ground

BARE = "."
"""A tile of level 0 with nothing on it."""
SIGNS: Mapping[Ground | Feature, str] = {
    Feature.TREE: "T",
    Feature.SPIRE: "^",
    Ground.LAVA: "!",
    Ground.WATER: "~",
}
TREASURE = "$"


def signs(ground: Ground, feature: Feature | None) -> str:
    """The signs of what a column's top is and carries; empty for plain ground."""
    return "".join(sign for kind, sign in SIGNS.items() if kind in (ground, feature))
