"""Tables of other sizes: what has no room on them, with the reason.

Each reason is an inequality, and tells the least (or the greatest) size that it leaves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from falldamage_forge.geometry.blocks import FACED_FROM_MM
from falldamage_forge.geometry.finish.model import FOOT_MM
from falldamage_forge.geometry.head import LINES_MM
from falldamage_forge.geometry.ladders import RAIL_MM, TONGUE_HALF_MM
from falldamage_forge.geometry.standard import BULB, STANDARD, places_on
from falldamage_forge.geometry.tokens import STAND_RADIUS_MM
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.lengths import GRID, Grid
from falldamage_forge.pieces.model import Piece

MOST_MM, HIGHEST_MM = 40.0, 40.08
"""Larger tiles and levels are not proved: skins would span more between their fins."""
DRAWING_MM = 5.04
"""The least height of a wall between a block's seat and its head."""
BODY_MM = 12.0
"""The least height of a spire or a tree above its legs, on tiles of our size."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A size that has to be at least (or at most) so large, and why."""

    what: str
    limit_mm: float
    why: str
    most: bool = False

    def holds(self, size_mm: float) -> bool:
        """Whether a size keeps to it."""
        return size_mm <= self.limit_mm if self.most else size_mm >= self.limit_mm

    def told(self, size_mm: float) -> str:
        """What is wrong with a size."""
        side = "greatest" if self.most else "least"
        said = f"a {self.what} of {size_mm:g} mm cannot be printed: {self.why}"
        return f"{said}; the {side} is {self.limit_mm:g} mm"


def bounds() -> tuple[Bound, ...]:
    """What every tile and every level keeps to."""
    standard = STANDARD
    corners = standard.leg_from_mm + standard.leg_apart_mm + standard.key_side_mm
    key = BULB[0][1] + LINES_MM
    rails = TONGUE_HALF_MM + LINES_MM - RAIL_MM / 2
    stand = STAND_RADIUS_MM + 0.1
    level = standard.fin_mm + FACED_FROM_MM + DRAWING_MM
    return (
        _least("tile", 2 * (corners + key), "two keyholes lie between the corners of an edge"),
        _least("tile", 2 * (corners + rails), "a ladder's rails hold the joint between them"),
        _least("tile", 2 * stand, "a unit's stand lies on it"),
        Bound("tile", MOST_MM, "skins span it between their fins", most=True),
        _least("level", level, "a block is a seat, a wall and a head"),
        Bound("level", HIGHEST_MM, "walls are proved so high for each level", most=True),
    )


def _least(what: str, limit_mm: float, why: str) -> Bound:
    return Bound(what, math.ceil(round(limit_mm * 100, 6)) / 100, why)


def misfits(grid: Grid) -> Iterator[str]:
    """Why no table can be printed on a grid, the strictest reasons; nothing where one can."""
    if grid == GRID:
        return
    for what, size_mm in (("tile", grid.pitch_mm), ("level", grid.rise_mm)):
        broken = [b for b in bounds() if b.what == what and not b.holds(size_mm)]
        if broken:
            yield max(broken, key=lambda bound: bound.limit_mm).told(size_mm)


def unmade(builder: str, levels: int, grid: Grid) -> str | None:
    """Why a builder's piece of so many levels has no room on a grid; None where it has."""
    if grid == GRID:
        return None
    if builder == "step":
        high, least = places_on(grid).step_mm, STANDARD.fin_mm + FACED_FROM_MM + DRAWING_MM
        if high < least:
            return f"half a level is {high:g} mm, and a step's seat and head take {least:g} mm"
    if builder in ("spire", "tree"):
        high = grid.height_mm(levels)
        least = (FOOT_MM + BODY_MM) * grid.pitch_mm / GRID.pitch_mm
        if high < least:
            takes = f"a {builder} on its legs takes {least:.2f} mm"
            return f"{levels} levels are {high:g} mm, and {takes}"
    return None


def refuse_unmade(pieces: Iterable[Piece]) -> None:
    """ForgeError (FDF438) with every piece that has no room at its size."""
    told = ((piece, unmade(piece.builder, piece.levels, piece.grid)) for piece in pieces)
    faults = [
        Issue("FDF438", "error", f"no `{piece.key}` can be printed: {why}")
        for piece, why in told
        if why is not None
    ]
    if faults:
        raise ForgeError(faults)
