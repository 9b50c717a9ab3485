"""Estimates of grams and minutes before slicing: a small model fitted to PrusaSlicer's results.

Filament: a thin part is printed as solid walls and skins, a thick one as a shell with sparse
infill; both follow from its volume and surface. Time: level skins are proportional to their
surface. Walls, and the creases in them that slow a nozzle down, are spread over all layers of a
part. A layer of all parts on a plate takes at least the slicer's minimum, up to a limit. Each
builder has a correction factor. The constants belong to a printer and a print mode;
`benchmarks/fit_estimate.py` fits them. Lists and reports name the results as estimates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.printing.estimate_model import EstimateModel, PartFeatures

if TYPE_CHECKING:
    from falldamage_forge.printing.plates import Plate
    from falldamage_forge.printing.printer import Printer


@dataclass(frozen=True, slots=True)
class PrintStatistics:
    """Filament in grams and time in minutes of a print."""

    grams: float
    minutes: float


RATES = EstimateModel()
"""Constants for printers without their own."""


def rates_of(printer: Printer, group: str = "") -> EstimateModel:
    """Return the constants of a printer for a group, with the layers of its process.

    Args:
        printer: Printer with its process.
        group: Group of a plate; empty for terrain.
    """
    process, mode = printer.process, printer.process.way(group)
    known = printer.estimate.get(mode.name, RATES)
    return replace(known, layer_mm=mode.layer_mm, first_layer_mm=process.first_layer_mm)


def grams(shape: PartFeatures, rates: EstimateModel = RATES) -> float:
    """Return the filament of one part in grams."""
    shell_mm3 = min(shape.area_mm2 / 2 * rates.shell_mm, shape.volume_mm3)
    core_mm3 = shape.volume_mm3 - shell_mm3
    printed_mm3 = rates.solid_fraction * shell_mm3 + rates.infill_fraction * core_mm3
    return rates.factor(shape).grams * printed_mm3 * rates.density_g_cm3 / 1000


def skin_seconds(shape: PartFeatures, rates: EstimateModel = RATES) -> float:
    """Return the time of a part's level skins, which lie in a few layers."""
    return rates.factor(shape).time * rates.s_per_flat_mm2 * shape.flat_mm2


def wall_seconds(shape: PartFeatures, rates: EstimateModel = RATES) -> float:
    """Return the time of a part's walls in each of its layers."""
    layers = rates.layers(shape.height_mm)
    surface_s = rates.s_per_wall_mm2 * (shape.area_mm2 - shape.flat_mm2)
    wall_s = (surface_s + rates.s_per_crease_mm * shape.crease_mm) / layers
    return rates.factor(shape).time * (wall_s + rates.s_per_part_layer)


def part_seconds(shape: PartFeatures, rates: EstimateModel = RATES) -> float:
    """Return the time that one part adds to a well filled plate."""
    layers = rates.layers(shape.height_mm) + rates.first_layer_walls
    return skin_seconds(shape, rates) + layers * wall_seconds(shape, rates)


def estimate(
    counts: Mapping[str, int], shapes: Mapping[str, PartFeatures], rates: EstimateModel = RATES
) -> PrintStatistics:
    """Return filament and time of parts printed together on one plate.

    Args:
        counts: Number of parts by key.
        shapes: Features of each part by key.
        rates: Constants of the printer and print mode.
    """
    weight_g = sum(grams(shapes[key], rates) * count for key, count in counts.items())
    seconds = sum(skin_seconds(shapes[key], rates) * count for key, count in counts.items())
    seconds += sum(
        rates.first_layer_walls * wall_seconds(shapes[key], rates) * count
        for key, count in counts.items()
    )
    # From the bed up: between two parts' heights the same parts are printed in every layer.
    bottom_mm = 0.0
    for top_mm in sorted({shapes[key].height_mm for key in counts}):
        layer_s = rates.s_per_layer + sum(
            wall_seconds(shapes[key], rates) * count
            for key, count in counts.items()
            if shapes[key].height_mm >= top_mm
        )
        layers = rates.layers(top_mm) - (rates.layers(bottom_mm) if bottom_mm else 0.0)
        slowed_s = min(rates.least_s_per_layer, rates.slowed * layer_s)
        seconds += layers * max(layer_s, slowed_s)
        bottom_mm = top_mm
    return PrintStatistics(weight_g, seconds / 60)


def estimate_plate(
    plate: Plate, shapes: Mapping[str, PartFeatures], printer: Printer
) -> PrintStatistics:
    """Return the estimate of a plate with the printer's time factor.

    Args:
        plate: Parts on the plate and their group.
        shapes: Features of each part by key.
        printer: Its constants and time factor.
    """
    statistics = estimate(plate.counts(), shapes, rates_of(printer, plate.group))
    return PrintStatistics(statistics.grams, statistics.minutes * printer.time_factor)


def split_figures(
    plates: Iterable[Plate],
    figures: Sequence[PrintStatistics],
    shapes: Mapping[str, PartFeatures],
    printer: Printer,
) -> dict[str, PrintStatistics]:
    """Return print statistics by piece: each plate's are divided in proportion to the estimates.

    Args:
        plates: Plates of the job.
        figures: Statistics of each plate, estimated or sliced.
        shapes: Features of each part by key.
        printer: Printer whose constants weigh the parts.

    Returns:
        Statistics by piece key; they add up to the plates' totals.
    """
    total: dict[str, PrintStatistics] = {}
    for plate, whole in zip(plates, figures, strict=True):
        counts, rates = plate.counts(), rates_of(printer, plate.group)
        weight_g = {key: grams(shapes[key], rates) * n for key, n in counts.items()}
        time_s = {key: part_seconds(shapes[key], rates) * n for key, n in counts.items()}
        for key in counts:
            before = total.get(key, PrintStatistics(0.0, 0.0))
            total[key] = PrintStatistics(
                before.grams + whole.grams * weight_g[key] / sum(weight_g.values()),
                before.minutes + whole.minutes * time_s[key] / sum(time_s.values()),
            )
    return total
