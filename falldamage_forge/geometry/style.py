"""How pieces look, as data: which patterns lie on walls and tops, which trees and spires stand.

A style names patterns for each material group of pieces. It never changes an outline, a height or a
connector, so pieces of different styles mate.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from falldamage_forge.geometry.finish.spires import SPIRES
from falldamage_forge.geometry.finish.tops import TOPS
from falldamage_forge.geometry.finish.trees import TREES
from falldamage_forge.geometry.finish.walls import WALLS
from falldamage_forge.issues import did_you_mean
from falldamage_forge.tables import read_table


@dataclass(frozen=True, slots=True)
class Finish:
    """Patterns of one material group, by the names of WALLS, TOPS, TREES and SPIRES.

    Of `trees` and `spires` each variant of a piece takes the next one.
    """

    wall: str = "plain"
    top: str = "bare"
    trees: tuple[str, ...] = ("fir", "oak", "dead")
    spires: tuple[str, ...] = ("slate", "round", "broken")

    def __post_init__(self) -> None:
        _known("wall", self.wall, WALLS)
        _known("top", self.top, TOPS)
        for name in self.trees:
            _known("trees", name, TREES)
        for name in self.spires:
            _known("spires", name, SPIRES)
        if not self.trees or not self.spires:
            raise ValueError("`trees` and `spires` should name at least one each")


def _known(key: str, name: str, names: Collection[str]) -> None:
    if name not in names:
        hint = did_you_mean(name, names) or f"known: {', '.join(names)}"
        raise ValueError(f"`{key}` knows no `{name}`; {hint}")


@dataclass(frozen=True, slots=True)
class Style:
    """A style: a finish for each group of pieces, and one for all others."""

    name: str = "plain"
    title: str = "Plain"
    finishes: tuple[tuple[str, Finish], ...] = ()
    other: Finish = field(default_factory=Finish)

    def finish(self, group: str) -> Finish:
        """The finish of a material group."""
        return dict(self.finishes).get(group, self.other)


PLAIN = Style()


@dataclass(frozen=True, slots=True)
class _StyleTable:
    title: str
    other: Finish = field(default_factory=Finish)
    groups: Mapping[str, Finish] = field(default_factory=dict)


def style_from_table(table: Mapping[str, Any], name: str) -> Style:
    """A style from its TOML table; ForgeError (FDF291) names every unknown or bad key."""
    read = read_table(_StyleTable, table, f"style {name}")
    return Style(name, read.title, tuple(sorted(read.groups.items())), read.other)
