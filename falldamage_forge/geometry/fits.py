"""What a builder knows besides its piece: the printer's gaps and the style of its surfaces."""

from __future__ import annotations

from dataclasses import dataclass

from falldamage_forge.lengths import GRID, Grid


@dataclass(frozen=True, slots=True)
class Fit:
    """Gaps in mm: `fit_mm` per side of pegs and knobs, `seam_mm` between quadrants."""

    fit_mm: float = 0.15
    seam_mm: float = 0.20
    grid: Grid = GRID
