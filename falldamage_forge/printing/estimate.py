"""Grams and minutes before slicing: a small model fitted to a slicer's figures.

Filament: a part is printed as solid walls and skins where it is thin, and as a shell with sparse
infill where it is thick; both follow from its volume and its surface. Time: level skins take what
their surface takes; walls, and the creases in them at which a nozzle slows down, are spread over
all layers of a part, and a layer of all parts on a plate takes at least what the slicer lets it, so
that it can cool, but is slowed down only so far. What shapes of one builder have in common beyond
that is a factor of the builder. The constants are data of a printer, one set for each way of
printing; benchmarks/fit_estimate.py fits them. They are estimates and named so wherever they are
shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from falldamage_forge.printing.rates import Rates, Shape

if TYPE_CHECKING:
    from falldamage_forge.printing.plates import Plate
    from falldamage_forge.printing.printer import Printer


@dataclass(frozen=True, slots=True)
class Figures:
    """What printing takes."""

    grams: float
    minutes: float


RATES = Rates()
"""For printers that bring no constants."""


def rates_of(printer: Printer, group: str = "") -> Rates:
    """The constants of a printer for how its process prints a group, with that process's layers."""
    process, way = printer.process, printer.process.way(group)
    known = printer.estimate.get(way.name, RATES)
    return replace(known, layer_mm=way.layer_mm, first_layer_mm=process.first_layer_mm)


def grams(shape: Shape, rates: Rates = RATES) -> float:
    """Filament of one part in grams."""
    shell_mm3 = min(shape.area_mm2 / 2 * rates.shell_mm, shape.volume_mm3)
    core_mm3 = shape.volume_mm3 - shell_mm3
    printed_mm3 = rates.solid_fraction * shell_mm3 + rates.infill_fraction * core_mm3
    return rates.factor(shape).grams * printed_mm3 * rates.density_g_cm3 / 1000


def skin_seconds(shape: Shape, rates: Rates = RATES) -> float:
    """What a part's level skins take, all in a few layers."""
    return rates.factor(shape).time * rates.s_per_flat_mm2 * shape.flat_mm2


def wall_seconds(shape: Shape, rates: Rates = RATES) -> float:
    """What a part's walls take in each of its layers."""
    layers = rates.layers(shape.height_mm)
    surface_s = rates.s_per_wall_mm2 * (shape.area_mm2 - shape.flat_mm2)
    wall_s = (surface_s + rates.s_per_crease_mm * shape.crease_mm) / layers
    return rates.factor(shape).time * (wall_s + rates.s_per_part_layer)


def part_seconds(shape: Shape, rates: Rates = RATES) -> float:
    """What one part adds to the time of a well filled plate."""
    layers = rates.layers(shape.height_mm) + rates.first_layer_walls
    return skin_seconds(shape, rates) + layers * wall_seconds(shape, rates)


def estimate(
    counts: Mapping[str, int], shapes: Mapping[str, Shape], rates: Rates = RATES
) -> Figures:
    """Filament and time of so many parts printed together."""
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
    return Figures(weight_g, seconds / 60)


def estimate_plate(plate: Plate, shapes: Mapping[str, Shape], printer: Printer) -> Figures:
    """The estimate of a plate as it is recommended to be printed."""
    found = estimate(plate.counts(), shapes, rates_of(printer, plate.group))
    return Figures(found.grams, found.minutes * printer.time_factor)


def split_figures(
    plates: Iterable[Plate],
    figures: Sequence[Figures],
    shapes: Mapping[str, Shape],
    printer: Printer,
) -> dict[str, Figures]:
    """Figures by piece over all plates: each plate's split by what its parts take by the rates.

    The shares add up to the plates' totals, wherever those come from.
    """
    total: dict[str, Figures] = {}
    for plate, whole in zip(plates, figures, strict=True):
        counts, rates = plate.counts(), rates_of(printer, plate.group)
        weight_g = {key: grams(shapes[key], rates) * n for key, n in counts.items()}
        time_s = {key: part_seconds(shapes[key], rates) * n for key, n in counts.items()}
        for key in counts:
            before = total.get(key, Figures(0.0, 0.0))
            total[key] = Figures(
                before.grams + whole.grams * weight_g[key] / sum(weight_g.values()),
                before.minutes + whole.minutes * time_s[key] / sum(time_s.values()),
            )
    return total
