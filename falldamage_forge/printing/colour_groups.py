"""Groups of pieces by material and colour: words, colours, ways to print and to merge."""

from __future__ import annotations

from collections.abc import Mapping

from falldamage_forge.infra.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ColourGroup:
    """A group of pieces.

    Attributes:
        words: Its name for people.
        colour: Its colour on screens, `#rrggbb`.
        upright: True if its pieces are printed as figures.
        solid: True if its pieces are printed without hollow places.
    """

    words: str
    colour: str
    upright: bool = False
    solid: bool = False


GROUPS: Mapping[str, ColourGroup] = {
    "base": ColourGroup("base", "#87926a"),
    "stone": ColourGroup("walls", "#9c9386"),
    "wood": ColourGroup("woodwork", "#8f6238"),
    "water": ColourGroup("water", "#4a8bb0"),
    "lava": ColourGroup("lava", "#dc4a20"),
    "tree": ColourGroup("trees", "#4c7a46", upright=True),
    "marker": ColourGroup("markers", "#d6a634"),
    "die": ColourGroup("solid dice", "#e8e0cc", solid=True),
    "red": ColourGroup("red side", "#a3262c"),
    "blue": ColourGroup("blue side", "#2b5c98"),
}
"""Groups by the name that catalogue tables use; other groups have their own name as words."""
FIRST = ("base", "stone", "wood")
"""Groups that come first in printing and in lists; others follow by name."""
KIN = (
    ("die", "marker"),
    ("base", "stone"),
    ("blue", "water"),
    ("red", "lava"),
    ("marker", "wood"),
    ("tree", "wood"),
    ("lava", "wood"),
    ("water", "stone"),
    ("wood", "stone"),
)
"""Merges of groups, the least visible first: the first group takes the filament of the second.

Water joins stone and lava joins wood, so that two filaments still tell the sides apart.
"""


def words_of(group: str) -> str:
    """Return the name of a group for people.

    Args:
        group: Name of the group in catalogue tables.
    """
    return GROUPS[group].words if group in GROUPS else group
