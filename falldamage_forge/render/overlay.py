"""Overlays: marks on surfaces over a picture, with a legend."""

from __future__ import annotations

import math
from typing import Literal

from falldamage_forge.board import Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.render.display_list import Pen, Point
from falldamage_forge.render.palette import Palette
from falldamage_forge.render.stroke_font import text_width


@dataclass(frozen=True, slots=True)
class OverlayMark:
    """A tint (an index into the overlay's scale) and a short text on the surface of a tile."""

    tile: Tile
    level: int
    tint: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Overlay:
    """Marks with a legend of (tint, words) lines. `key` is its option's name on the command line.

    The scale `heat` is ordered from near to far; the colours of `marks` mean separate things. Texts
    of an overlay with `pins` stand on badges in front of everything, and its legend has one entry a
    line.
    """

    key: str
    title: str
    marks: tuple[OverlayMark, ...]
    legend: tuple[tuple[int, str], ...] = ()
    scale: Literal["heat", "marks"] = "heat"
    pins: bool = False

    def colour(self, palette: Palette, tint: int) -> str:
        """Return the colour of a tint; tints beyond the scale take its last colour.

        Args:
            palette: Colours of the picture.
            tint: Number of the tint, from 0.
        """
        colours = palette.heat if self.scale == "heat" else palette.marks
        return colours[min(tint, len(colours) - 1)]

    def at(self) -> dict[tuple[Tile, int], OverlayMark]:
        """Return marks by tile and level."""
        return {(mark.tile, mark.level): mark for mark in self.marks}


def badge(pen: Pen, middle: Point, radius: float, text: str, colour: str) -> None:
    """Draw white text on a coloured disc with a white rim; longer text makes it wider.

    Args:
        pen: Pen of the picture.
        middle: Middle (x, y) in pixels.
        radius: Radius of the disc in pixels.
        text: Text on the disc.
        colour: Colour as `#rrggbb`.
    """
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
