"""What a builder knows besides its piece: the printer's gaps, its walls and the grid."""

from __future__ import annotations

from dataclasses import dataclass, replace

from falldamage_forge.lengths import GRID, Grid


@dataclass(frozen=True, slots=True)
class Fit:
    """Gaps, walls and the click of a printer, in mm.

    `fit_mm` is the gap per side between a stone's head and what stands round it or enters its
    keyholes; `seam_mm` the gap between neighbours; `wall_mm` how thick shells are; `click_mm` how
    far a block's bead is drawn in over the head on its way down; `cap_skin_mm` how thick the plates
    of water, lava and starts are.
    """

    fit_mm: float = 0.15
    seam_mm: float = 0.20
    wall_mm: float = 0.84
    click_mm: float = 0.25
    grid: Grid = GRID
    cap_skin_mm: float = 0.72

    @property
    def side_mm(self) -> float:
        """How far a piece stays inside its tiles on each side, so that neighbours never touch."""
        return self.seam_mm / 2

    def on(self, grid: Grid) -> Fit:
        """The same gaps for pieces of a size."""
        return self if self.grid == grid else replace(self, grid=grid)
