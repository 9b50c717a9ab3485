"""What can be laid over a picture: marks on surfaces, and a legend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from falldamage_forge.board import Tile
from falldamage_forge.render.palette import Palette


@dataclass(frozen=True, slots=True)
class Mark:
    """A tint (a number into the overlay's scale) and a short text on the surface of a tile."""

    tile: Tile
    level: int
    tint: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Overlay:
    """Marks with a legend: (tint, words) lines. `key` is its option's name on the command line.

    The scale `heat` is ordered from near to far; `marks` are colours that mean separate things.
    """

    key: str
    title: str
    marks: tuple[Mark, ...]
    legend: tuple[tuple[int, str], ...] = ()
    scale: Literal["heat", "marks"] = "heat"

    def colour(self, palette: Palette, tint: int) -> str:
        """The colour of a tint; tints beyond the scale take its last colour."""
        colours = palette.heat if self.scale == "heat" else palette.marks
        return colours[min(tint, len(colours) - 1)]

    def at(self) -> dict[tuple[Tile, int], Mark]:
        """Marks by tile and level."""
        return {(mark.tile, mark.level): mark for mark in self.marks}
