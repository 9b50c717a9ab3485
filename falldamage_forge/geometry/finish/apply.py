"""Finishes laid on the bodies of pieces: walls between two heights, tops tile by tile."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.finish.carve import walled
from falldamage_forge.geometry.finish.engrave import engraved
from falldamage_forge.geometry.finish.model import Keep
from falldamage_forge.geometry.finish.tops import tile_pattern
from falldamage_forge.geometry.finish.walls import run_of, wall_pattern
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.solids import Solid, made, moved, union
from falldamage_forge.geometry.standard import BULB, LAYER_MM, STANDARD, heads, places
from falldamage_forge.lengths import Grid

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

CLEAR_MM = 0.26
"""Strokes end so far from the bevel of a head."""


def keep_of(fit: Fit, skin_mm: float = STANDARD.skin_mm, *, bold: bool = False) -> Keep:
    """Where strokes may lie on a head with such a skin; `bold` ones are as broad on a thin one."""
    return Keep(
        half_mm=heads(fit).top_mm - CLEAR_MM,
        slit_at_mm=places(fit).key_at_mm,
        slit_in_mm=places(fit).bulb_from_mm,
        slit_half_mm=BULB[0][1],
        step_mm=LAYER_MM,
        thin=skin_mm <= 2 * LAYER_MM and not bold,
        tile_mm=fit.grid.pitch_mm,
    )


def paving(
    cells: Sequence[tuple[int, int]],
    fit: Fit,
    name: str,
    variant: int,
    skin_mm: float,
    *,
    bold: bool = False,
) -> tuple[Solid, Solid]:
    """(ribs to add, what to cut) for the tops of cells, in a piece's own frame, z = 0 the top."""
    ribs, cuts = [], []
    for row, col in cells:
        rib, tool = _tile(name, variant, row, col, fit, skin_mm, bold)
        x, y = fit.grid.centre_mm(row, col)
        ribs.append(moved(rib, x, y))
        cuts.append(moved(tool, x, y))
    return union(ribs), union(cuts)


@cache
def _tile(
    name: str, variant: int, row: int, col: int, fit: Fit, skin_mm: float, bold: bool
) -> tuple[Solid, Solid]:
    keep = keep_of(fit, skin_mm, bold=bold)
    rib, tool = engraved(tile_pattern(name, variant, row, col, keep), skin_mm)
    return made(rib), made(tool)


def faced(
    shape: BaseGeometry,
    name: str,
    variant: int,
    grid: Grid,
    low_mm: float,
    high_mm: float,
    wall_mm: float,
) -> tuple[Solid, Solid]:
    """(a filled column, its cavity) over an outline between two heights, in a wall's pattern."""
    wall = wall_pattern(name, variant, run_of(shape, grid), low_mm, high_mm)
    return walled(wall), walled(wall, wall_mm)
