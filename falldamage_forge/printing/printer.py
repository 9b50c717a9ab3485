"""A printer as data: its bed, its nozzle and how tight its joints come out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Printer:
    """One printer. All lengths in mm.

    `fit_mm` is the gap per side of pegs and knobs, `seam_mm` that of the base's seams;
    `margin_mm` is kept free at the bed's rim and `spacing_mm` between parts on a plate.
    """

    name: str
    title: str
    bed_mm: tuple[float, float]
    height_mm: float
    nozzle_mm: float = 0.4
    layer_mm: float = 0.2
    fit_mm: float = 0.15
    seam_mm: float = 0.20
    margin_mm: float = 2.0
    spacing_mm: float = 3.0
