"""Limits of tile and level sizes that can be printed, with the reason of each.

Each limit is an inequality from the connector standard; its message names the least or greatest
size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from falldamage_forge.geometry.blocks import FACED_FROM_MM
from falldamage_forge.geometry.connector_standard import BULB, STANDARD, places_on
from falldamage_forge.geometry.dial import RADIUS_MM
from falldamage_forge.geometry.ladders import RAIL_MM, TONGUE_HALF_MM
from falldamage_forge.geometry.relief.elements import FOOT_MM
from falldamage_forge.geometry.stud import LINES_MM
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.lengths import GRID, PrintGrid
from falldamage_forge.pieces.piece import Piece

MOST_MM, HIGHEST_MM = 40.0, 40.08
"""Larger tiles and levels are not checked: skins would span more between their fins."""
DRAWING_MM = 5.04
"""Minimum height of a wall between a block's seat and its stud."""
BODY_MM = 12.0
"""Minimum height of a spire or a tree above its legs, on tiles of the default size."""


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """A limit in mm on a size, and its reason; `most` is true for an upper limit."""

    what: str
    limit_mm: float
    why: str
    most: bool = False

    def holds(self, size_mm: float) -> bool:
        """True if a size respects the limit."""
        return size_mm <= self.limit_mm if self.most else size_mm >= self.limit_mm

    def told(self, size_mm: float) -> str:
        """Return the message about a size that breaks the limit."""
        side = "greatest" if self.most else "least"
        problem = f"a {self.what} of {size_mm:g} mm cannot be printed: {self.why}"
        return f"{problem}; the {side} is {self.limit_mm:g} mm"


def bounds() -> tuple[SizeLimit, ...]:
    """Return the limits of every tile and every level."""
    standard = STANDARD
    corners = standard.leg_from_mm + standard.leg_apart_mm + standard.key_side_mm
    key = BULB[0][1] + LINES_MM
    rails = TONGUE_HALF_MM + LINES_MM - RAIL_MM / 2
    level = standard.fin_mm + FACED_FROM_MM + DRAWING_MM
    return (
        _least("tile", 2 * (corners + key), "two keyholes lie between the corners of an edge"),
        _least("tile", 2 * (corners + rails), "a ladder's rails hold the joint between them"),
        _least("tile", 2 * RADIUS_MM, "a unit's stand lies on it"),
        SizeLimit("tile", MOST_MM, "skins span it between their fins", most=True),
        _least("level", level, "a block is a seat, a wall and a head"),
        SizeLimit("level", HIGHEST_MM, "walls are proved so high for each level", most=True),
    )


def _least(what: str, limit_mm: float, why: str) -> SizeLimit:
    return SizeLimit(what, math.ceil(round(limit_mm * 100, 6)) / 100, why)


def grid_problems(grid: PrintGrid) -> Iterator[str]:
    """Yield the strictest broken limit of tiles and of levels; nothing if the grid is printable."""
    if grid == GRID:
        return
    for what, size_mm in (("tile", grid.pitch_mm), ("level", grid.rise_mm)):
        broken = [b for b in bounds() if b.what == what and not b.holds(size_mm)]
        if broken:
            yield max(broken, key=lambda bound: bound.limit_mm).told(size_mm)


def size_problem(builder: str, levels: int, grid: PrintGrid) -> str | None:
    """Return the reason why a piece does not fit on a grid; None if it fits.

    Args:
        builder: Builder of the piece.
        levels: Levels of the piece.
        grid: Pitch and rise in mm.
    """
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


def require_printable(pieces: Iterable[Piece]) -> None:
    """Raise an error unless every piece fits on its grid.

    Raises:
        ForgeError: (FDF438) Lists every piece that does not fit.
    """
    checked = ((piece, size_problem(piece.builder, piece.levels, piece.grid)) for piece in pieces)
    issues = [
        Issue("FDF438", "error", f"no `{piece.key}` can be printed: {why}")
        for piece, why in checked
        if why is not None
    ]
    if issues:
        raise ForgeError(issues)
