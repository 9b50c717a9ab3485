"""Printers as data: bed, nozzle and the gaps of joints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from falldamage_forge.infra.lazy_dataclass import FrozenDict, dataclass
from falldamage_forge.infra.toml_loader import read_table
from falldamage_forge.issues import ForgeError, Issue
from falldamage_forge.lengths import GAPS_MM
from falldamage_forge.printing.estimate_model import EstimateModel
from falldamage_forge.printing.process import STANDARD_PROCESS, Process

USUAL_NOZZLE_MM = 0.4
USUAL_CLICK_MM = 0.34


@dataclass(frozen=True, slots=True)
class BambuPresets:
    """Names of the system presets of Bambu Studio and OrcaSlicer for a printer.

    `says` holds the process preset's values of keys that the forge also sets: equal ones are no
    difference.
    """

    printer: str
    process: str
    filament: str
    filament_id: str = "GFA00"
    bed: str = "Textured PEI Plate"
    says: Mapping[str, str] = FrozenDict()


@dataclass(frozen=True, slots=True)
class OtherNozzle:
    """Differences with another nozzle: the presets of Bambu Studio and OrcaSlicer."""

    studio: BambuPresets | None = None


@dataclass(frozen=True, slots=True)
class Printer:
    """A printer with its settings; lengths in mm.

    `fit_mm` is the gap per side of skirts, `seam_mm` that between neighbours, `click_mm` the
    overlap of a block's beads with the stud, `blade_mm` and `tie_mm` the gaps of blades and ties,
    which follow the fit unless they were measured. `margin_mm` stays free at the bed's edge,
    `spacing_mm` between parts on a plate. `estimate` holds the constants of time and filament by
    print mode; `time_factor` is this printer's time relative to the one they were fitted on;
    `start_minutes` is the time per plate for heating, levelling, purging and cooling. `settings`
    names its machine file in `presets/slicer`, `studio` its presets in Bambu Studio. `nozzles` are
    others that it can be fitted with, by their width as text: `0.6`.
    """

    name: str
    title: str
    bed_mm: tuple[float, float]
    height_mm: float
    nozzle_mm: float = USUAL_NOZZLE_MM
    fit_mm: float = 0.22
    seam_mm: float = 0.20
    click_mm: float = USUAL_CLICK_MM
    blade_mm: float | None = None
    tie_mm: float | None = None
    margin_mm: float = 2.0
    spacing_mm: float = 3.0
    settings: str = ""
    time_factor: float = 1.0
    start_minutes: float = 5.0
    estimate: Mapping[str, EstimateModel] = field(default=FrozenDict(), repr=False)
    studio: BambuPresets | None = None
    nozzles: Mapping[str, OtherNozzle] = FrozenDict()
    process: Process = STANDARD_PROCESS

    @property
    def layer_mm(self) -> float:
        """Layer height of terrain."""
        return self.process.terrain.layer_mm

    @property
    def label(self) -> str:
        """Return the title, with a nozzle other than `USUAL_NOZZLE_MM`."""
        usual = self.nozzle_mm == USUAL_NOZZLE_MM
        return self.title if usual else f"{self.title} ({self.nozzle_mm:g} mm)"

    def widths_mm(self) -> tuple[float, ...]:
        """Return the nozzles that it can be fitted with, its own first."""
        return (self.nozzle_mm, *map(float, self.nozzles))

    def set_up(self, process: Process) -> Printer | None:
        """Return the printer with a process and its first nozzle for it; None if it has none.

        Args:
            process: Layers, walls and the nozzles that lay them.
        """
        low, high = process.nozzles_mm
        if low <= self.nozzle_mm <= high:
            return replace(self, process=process)
        for width, other in self.nozzles.items():
            if low <= float(width) <= high:
                return replace(self, nozzle_mm=float(width), studio=other.studio, process=process)
        return None


RANGES: Mapping[str, tuple[float, float]] = {
    "height_mm": (50, 2000),
    "nozzle_mm": (0.2, 0.62),
    **GAPS_MM,
    "margin_mm": (0, 50),
    "spacing_mm": (0.5, 50),
    "time_factor": (0.1, 20),
    "start_minutes": (0, 60),
}
"""Allowed ranges of a printer's fields."""
_LESS_FLOW = ": lower the filament's flow, and print the coupon again"
TOO_WIDE = {
    "fit_mm": f"wider joints rattle, and their bridges lie a layer too low{_LESS_FLOW}",
    "nozzle_mm": "walls, skirts and beads are drawn for lines of up to 0.84 mm; a wider nozzle "
    "leaves thin walls out. Print with a nozzle of 0.4 or 0.6 mm",
    "blade_mm": f"with wider gaps bridges lie a layer too low{_LESS_FLOW}",
}
"""Remedies by field for values above its range."""
BED_MM = (50, 2000)


def printer_from_table(table: Mapping[str, Any], name: str, where: str) -> Printer:
    """Return a printer from its TOML table.

    Args:
        table: Parsed table.
        name: Name of the printer.
        where: File name for messages.

    Raises:
        ForgeError: (FDF291) Lists every unknown or invalid key.
    """
    printer = read_table(Printer, {"name": name, **table}, where)
    if issues := tuple(_faults(printer, where)):
        raise ForgeError(issues)
    return printer


def _faults(printer: Printer, where: str) -> Iterator[Issue]:
    for key, (low, high) in RANGES.items():
        value = getattr(printer, key)
        if value is not None and not low <= value <= high:
            unit = " mm" if key.endswith("_mm") else " min" if key.endswith("_minutes") else ""
            message = f"{where}: `{key}` should be from {low:g} to {high:g}{unit}"
            yield Issue(
                "FDF291", "error", message, hint=TOO_WIDE.get(key) if value > high else None
            )
    for width in printer.nozzles:
        if not _is_width(width):
            message = f'{where}: `nozzles` should name widths in mm, like "0.6"'
            yield Issue("FDF291", "error", message)
    if not all(BED_MM[0] <= side <= BED_MM[1] for side in printer.bed_mm):
        message = f"{where}: `bed_mm` should be two sides from {BED_MM[0]} to {BED_MM[1]} mm"
        yield Issue("FDF291", "error", message)


def _is_width(word: str) -> bool:
    low, high = RANGES["nozzle_mm"]
    try:
        return low <= float(word) <= high
    except ValueError:
        return False
