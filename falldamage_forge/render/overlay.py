"""What can be laid over a picture: marks on surfaces, and a legend."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from falldamage_forge.board import Tile
from falldamage_forge.render.palette import Palette
from falldamage_forge.render.scene import Pen, Point
from falldamage_forge.render.strokes import text_width


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
    Texts of an overlay with `pins` stand on badges that nothing on the board hides, and its legend
    has one entry a line.
    """

    key: str
    title: str
    marks: tuple[Mark, ...]
    legend: tuple[tuple[int, str], ...] = ()
    scale: Literal["heat", "marks"] = "heat"
    pins: bool = False

    def colour(self, palette: Palette, tint: int) -> str:
        """The colour of a tint; tints beyond the scale take its last colour."""
        colours = palette.heat if self.scale == "heat" else palette.marks
        return colours[min(tint, len(colours) - 1)]

    def at(self) -> dict[tuple[Tile, int], Mark]:
        """Marks by tile and level."""
        return {(mark.tile, mark.level): mark for mark in self.marks}


def badge(pen: Pen, middle: Point, radius: float, text: str, colour: str) -> None:
    """White words on a round of a colour with a white rim; longer words make it wider."""
    size = radius * 0.92
    spare = max(0.0, text_width(text, size) / 2 - 0.62 * radius)
    ring = []
    for number in range(32):
        angle = 2 * math.pi * (number + 0.5) / 32
        side = spare if math.cos(angle) > 0 else -spare
        ring.append((math.cos(angle) * radius + side, math.sin(angle) * radius))
    x, y = middle
    pen.fill([(x + a * 1.22, y + b * 1.22) for a, b in ring], "#ffffff")
    pen.fill([(x + a, y + b) for a, b in ring], colour)
    pen.text(text, (x, y + size / 2), size, "#ffffff", anchor=0.5, weight=0.18)
