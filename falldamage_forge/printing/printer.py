"""A printer as data: its bed, its nozzle and how tight its joints come out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.lengths import GAPS_MM
from falldamage_forge.printing.process import STANDARD_PROCESS, Process
from falldamage_forge.printing.rates import Rates
from falldamage_forge.tables import read_table
from falldamage_forge.values import FrozenDict


@dataclass(frozen=True, slots=True)
class Studio:
    """Bambu Studio's and OrcaSlicer's own presets for a printer, by the names they select them by.

    `says` is what the process preset says of keys that ours set: equal ones are no difference.
    """

    printer: str
    process: str
    filament: str
    filament_id: str = "GFA00"
    bed: str = "Textured PEI Plate"
    says: Mapping[str, str] = FrozenDict()


@dataclass(frozen=True, slots=True)
class Printer:
    """One printer as it is set up. All lengths in mm.

    `fit_mm` is the gap per side of skirts and blades, `seam_mm` that between neighbours,
    `click_mm` how far a block's beads are drawn in over what they click under;
    `margin_mm` is kept free at the bed's rim and `spacing_mm` between parts on a plate. `estimate`
    are the constants of time and filament by the way of printing, `time_factor` how many times
    longer the printer takes than the one they were fitted on, `start_minutes` what each plate takes
    before and after it is printed: heating, levelling, purging, cooling. `settings` names its
    machine's file in presets/slicer, `studio` what selects it in Bambu Studio.
    """

    name: str
    title: str
    bed_mm: tuple[float, float]
    height_mm: float
    nozzle_mm: float = 0.4
    fit_mm: float = 0.15
    seam_mm: float = 0.20
    click_mm: float = 0.25
    margin_mm: float = 2.0
    spacing_mm: float = 3.0
    settings: str = ""
    time_factor: float = 1.0
    start_minutes: float = 5.0
    estimate: Mapping[str, Rates] = field(default=FrozenDict(), repr=False)
    studio: Studio | None = None
    process: Process = STANDARD_PROCESS

    @property
    def layer_mm(self) -> float:
        """Layers of the terrain."""
        return self.process.terrain.layer_mm


RANGES: Mapping[str, tuple[float, float]] = {
    "height_mm": (50, 2000),
    "nozzle_mm": (0.2, 0.42),
    **GAPS_MM,
    "margin_mm": (0, 50),
    "spacing_mm": (0.5, 50),
    "time_factor": (0.1, 20),
    "start_minutes": (0, 60),
}
"""What a printer's fields may be, lengths in mm; walls are drawn for a 0.4 mm nozzle."""
BED_MM = (50, 2000)


def printer_from_table(table: Mapping[str, Any], name: str, where: str) -> Printer:
    """A printer from its TOML table; ForgeError (FDF291) names every unknown or bad key."""
    printer = read_table(Printer, {"name": name, **table}, where)
    faults = [Issue("FDF291", "error", f"{where}: {fault}") for fault in _faults(printer)]
    if faults:
        raise ForgeError(faults)
    return printer


def _faults(printer: Printer) -> Iterator[str]:
    for key, (low, high) in RANGES.items():
        if not low <= getattr(printer, key) <= high:
            unit = " mm" if key.endswith("_mm") else " min" if key.endswith("_minutes") else ""
            yield f"`{key}` should be from {low:g} to {high:g}{unit}"
    if not all(BED_MM[0] <= side <= BED_MM[1] for side in printer.bed_mm):
        yield f"`bed_mm` should be two sides from {BED_MM[0]} to {BED_MM[1]} mm"
