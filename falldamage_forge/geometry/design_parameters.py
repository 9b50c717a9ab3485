"""Design parameters of a builder: the printer's gaps, wall thicknesses and the grid."""

from __future__ import annotations

from dataclasses import replace

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.lengths import GRID, PrintGrid
from falldamage_forge.printing.printer import USUAL_CLICK_MM
from falldamage_forge.printing.process import USUAL_TIP_MM, USUAL_WALL_MM


@dataclass(frozen=True, slots=True)
class DesignParameters:
    """Gaps, walls and snap fit of a printer, in mm.

    `fit_mm` is the gap per side between a stud and the skirt or blades that mate with it. `seam_mm`
    is the gap between neighbours. `wall_mm` is the thickness of shells. `click_mm` is the overlap
    of a block's bead with the stud on its way down. `cap_skin_mm` is the thickness of the plates of
    water, lava and start tiles. `blade_mm` and `tie_mm` are the gaps round blades and ties; None if
    they follow the fit. `line_mm` is the width of the lines along outlines, by which thin parts are
    drawn, `tip_mm` the least width of stone between strokes of a top.
    """

    fit_mm: float = 0.22
    seam_mm: float = 0.20
    wall_mm: float = USUAL_WALL_MM
    click_mm: float = USUAL_CLICK_MM
    grid: PrintGrid = GRID
    cap_skin_mm: float = 0.72
    blade_mm: float | None = None
    tie_mm: float | None = None
    line_mm: float = 0.42
    tip_mm: float = USUAL_TIP_MM

    @property
    def one_line(self) -> bool:
        """Return True if shells have walls of one line, which is wide."""
        return self.wall_mm <= self.line_mm

    @property
    def side_mm(self) -> float:
        """Distance of a piece from the edges of its tiles, so that neighbours never touch."""
        return self.seam_mm / 2

    def on(self, grid: PrintGrid) -> DesignParameters:
        """Return the same parameters for another grid."""
        return self if self.grid == grid else replace(self, grid=grid)
