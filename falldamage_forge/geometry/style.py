"""How surfaces look, as data: grooves on walls and on tops that print without supports.

A style names registered patterns for each material group of pieces. It never changes an outline,
a height or a connector, so pieces of different styles mate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from falldamage_forge.tables import read_table

WallPattern = Literal["none", "courses", "boards", "strata"]
TopPattern = Literal["none", "flags", "boards", "blades"]


@dataclass(frozen=True, slots=True)
class Magnets:
    """Round magnets in sockets and pegs, in mm; three ribs narrow a pocket by `crush_mm`."""

    diameter_mm: float = 5.0
    height_mm: float = 2.0
    crush_mm: float = 0.2

    def __post_init__(self) -> None:
        if not 3.0 <= self.diameter_mm <= 8.0 or not 1.0 <= self.height_mm <= 2.4:
            raise ValueError("magnets are 3 to 8 mm wide and 1 to 2.4 mm high")
        if not 0.0 <= self.crush_mm <= 0.5:
            raise ValueError("`crush-mm` should be at most 0.5 mm")


@dataclass(frozen=True, slots=True)
class Surface:
    """Patterns of one material group; lengths in mm.

    Walls: `row_mm` is the height of a course and divides a level; `length_mm` that of a brick and
    divides a tile. Grooves are `groove_mm` wide and `depth_mm` deep. Tops: lines lie `step_mm`
    apart, `line_mm` wide and `top_depth_mm` deep; wider ones would need support.
    """

    wall: WallPattern = "none"
    row_mm: float = 6.0
    length_mm: float = 10.0
    top: TopPattern = "none"
    step_mm: float = 10.0
    groove_mm: float = 0.8
    depth_mm: float = 0.5
    line_mm: float = 0.8
    top_depth_mm: float = 0.4
    magnets: Magnets | None = None

    def __post_init__(self) -> None:
        if not 3.0 <= self.row_mm <= 30.0 or round(30.0 % self.row_mm, 6) not in (0.0, self.row_mm):
            raise ValueError("`row-mm` should divide 30 mm and be at least 3 mm")
        if not 6.0 <= self.length_mm <= 30.0:
            raise ValueError("`length-mm` should be from 6 to 30 mm")
        if not 4.0 <= self.step_mm <= 30.0:
            raise ValueError("`step-mm` should be from 4 to 30 mm")
        if not 0.6 <= self.groove_mm <= 1.2:
            raise ValueError("`groove-mm` should be from 0.6 to 1.2 mm")
        if not 0.6 <= self.line_mm <= 1.0:
            raise ValueError("`line-mm` should be from 0.6 to 1 mm")
        if not 0.3 <= self.depth_mm <= 0.8:
            raise ValueError("`depth-mm` should be from 0.3 to 0.8 mm")
        if not 0.4 <= self.top_depth_mm <= 0.6:
            raise ValueError("`top-depth-mm` should be from 0.4 to 0.6 mm")


@dataclass(frozen=True, slots=True)
class Style:
    """A style: a surface for each group of pieces, and one for all others."""

    name: str = "plain"
    title: str = "Plain"
    surfaces: tuple[tuple[str, Surface], ...] = ()
    other: Surface = field(default_factory=Surface)

    def surface(self, group: str) -> Surface:
        """The surface of a material group."""
        return dict(self.surfaces).get(group, self.other)


PLAIN = Style()


@dataclass(frozen=True, slots=True)
class _StyleTable:
    title: str
    other: Surface = field(default_factory=Surface)
    groups: Mapping[str, Surface] = field(default_factory=dict)
    magnets: Magnets | None = None


def style_from_table(table: Mapping[str, Any], name: str) -> Style:
    """A style from its TOML table; ForgeError (FDF291) names every unknown or bad key."""
    read = read_table(_StyleTable, table, f"style {name}")
    groups = {**read.groups}
    if read.magnets:
        groups = {group: replace(one, magnets=read.magnets) for group, one in groups.items()}
    other = replace(read.other, magnets=read.magnets or read.other.magnets)
    return Style(name, read.title, tuple(sorted(groups.items())), other)
