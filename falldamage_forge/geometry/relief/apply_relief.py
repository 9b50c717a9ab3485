"""Relief on the bodies of pieces: walls between two heights, tops tile by tile."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connector_standard import BULB, LAYER_MM, STANDARD, heads, places
from falldamage_forge.geometry.csg import Solid, force_evaluation, translate, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.relief.elements import Outline, PatternArea
from falldamage_forge.geometry.relief.groove_solids import groove_solids
from falldamage_forge.geometry.relief.top_patterns import tile_pattern
from falldamage_forge.geometry.relief.wall_patterns import run_of, wall_pattern
from falldamage_forge.geometry.relief.wall_solid import wall_column
from falldamage_forge.lengths import PrintGrid

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

CLEAR = 0.9
"""Distance of strokes from the bevel of a stud, relative to the least width of stone: the bevel
adds the rest."""


def keep_of(fit: DesignParameters, skin_mm: float = STANDARD.skin_mm) -> PatternArea:
    """Return the area of strokes on a stud whose skin has a thickness.

    Args:
        fit: Design parameters of the printer and grid, in mm.
        skin_mm: Thickness of the top's skin.
    """
    return PatternArea(
        half_mm=heads(fit).top_mm - CLEAR * fit.tip_mm,
        slit_at_mm=places(fit).key_at_mm,
        slit_in_mm=places(fit).bulb_from_mm,
        slit_half_mm=BULB[0][1],
        step_mm=LAYER_MM,
        thin=skin_mm <= 2 * LAYER_MM,
        tile_mm=fit.grid.pitch_mm,
        tip_mm=fit.tip_mm,
    )


def paving(
    cells: Sequence[tuple[int, int]],
    fit: DesignParameters,
    name: str,
    variant: int,
    skin_mm: float,
) -> tuple[Solid, Solid]:
    """Return (ribs to add, solids to cut) for the tops of cells, in a piece's frame, z = 0 the top.

    Args:
        cells: (row, col) of the tiles.
        fit: Gaps of the printer.
        name: Pattern in `TOPS`.
        variant: Number of the pattern's variant.
        skin_mm: Thickness of the skin.
    """
    ribs, cuts = [], []
    for row, col in cells:
        rib, tool = _tile(name, variant, row, col, fit, skin_mm)
        x, y = fit.grid.centre_mm(row, col)
        ribs.append(translate(rib, x, y))
        cuts.append(translate(tool, x, y))
    return union(ribs), union(cuts)


@cache
def _tile(
    name: str, variant: int, row: int, col: int, fit: DesignParameters, skin_mm: float
) -> tuple[Solid, Solid]:
    keep = keep_of(fit, skin_mm)
    rib, tool = groove_solids(tile_pattern(name, variant, row, col, keep), skin_mm, fit.one_line)
    return force_evaluation(rib), force_evaluation(tool)


def wall_with_relief(
    shape: BaseGeometry,
    name: str,
    variant: int,
    grid: PrintGrid,
    low_mm: float,
    high_mm: float,
    wall_mm: float,
    inset_mm: float = 0.0,
    broken: Outline = (),
) -> tuple[Solid, Solid]:
    """Return (a filled column, its cavity) over an outline between two heights.

    Args:
        shape: Outline of the column.
        name: Pattern in `WALLS`.
        variant: Number of the pattern's variant.
        grid: Tiles and levels in mm.
        low_mm: Lower height.
        high_mm: Upper height.
        wall_mm: Thickness of the wall.
        inset_mm: Distance of the column's faces behind the wall's.
        broken: Points (x, y) over which the top has fallen away.
    """
    wall = wall_pattern(name, variant, run_of(shape, grid, broken), low_mm, high_mm)
    return wall_column(wall, inset_mm), wall_column(wall, wall_mm)
