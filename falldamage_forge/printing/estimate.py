"""Grams and minutes before slicing: a small model fitted to a slicer's figures.

Filament: a part is printed as solid walls and skins where it is thin, and as a shell with sparse
infill where it is thick; both follow from its volume and its surface. Time: level skins take what
their surface takes; walls are spread over all layers of a part, and a layer of all parts on a plate
takes at least what the slicer lets it, so that it can cool. What shapes of one builder have in
common beyond that is a factor of the builder. The constants are data of a printer, one set for each
way of printing (`terrain` and `figures`, named like the slicer's settings we ship);
benchmarks/fit_estimate.py fits them. They are estimates and named so wherever they are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from falldamage_forge.printing.process import Model, Shape

if TYPE_CHECKING:
    from falldamage_forge.printing.plates import Plate
    from falldamage_forge.printing.printer import Printer

TERRAIN, FIGURES = "terrain", "figures"
FIGURE_GROUPS = frozenset({"tree", "marker"})
"""Plates of these groups are printed as figures: finer layers, some infill."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What printing takes."""

    grams: float
    minutes: float


MODEL = Model()
"""For printers that bring no constants."""


def process_of(group: str) -> str:
    """The way a plate of a group is printed."""
    return FIGURES if group in FIGURE_GROUPS else TERRAIN


def model_of(printer: Printer, process: str) -> Model:
    """The constants of a printer for a way of printing."""
    return printer.estimate.get(process, MODEL)


def grams(shape: Shape, model: Model = MODEL) -> float:
    """Filament of one part in grams."""
    shell_mm3 = min(shape.area_mm2 / 2 * model.shell_mm, shape.volume_mm3)
    core_mm3 = shape.volume_mm3 - shell_mm3
    printed_mm3 = model.solid_fraction * shell_mm3 + model.infill_fraction * core_mm3
    return model.factor(shape).grams * printed_mm3 * model.density_g_cm3 / 1000


def skin_seconds(shape: Shape, model: Model = MODEL) -> float:
    """What a part's level skins take, all in a few layers."""
    return model.factor(shape).time * model.s_per_flat_mm2 * shape.flat_mm2


def wall_seconds(shape: Shape, model: Model = MODEL) -> float:
    """What a part's walls take in each of its layers."""
    layers = shape.height_mm / model.layer_mm
    wall_s = model.s_per_wall_mm2 * (shape.area_mm2 - shape.flat_mm2) / layers
    return model.factor(shape).time * (wall_s + model.s_per_part_layer)


def part_seconds(shape: Shape, model: Model = MODEL) -> float:
    """What one part adds to the time of a well filled plate."""
    layers = shape.height_mm / model.layer_mm
    return skin_seconds(shape, model) + layers * wall_seconds(shape, model)


def estimate(
    counts: Mapping[str, int], shapes: Mapping[str, Shape], model: Model = MODEL
) -> Figures:
    """Filament and time of so many parts printed together."""
    weight_g = sum(grams(shapes[key], model) * count for key, count in counts.items())
    seconds = sum(skin_seconds(shapes[key], model) * count for key, count in counts.items())
    # From the bed up: between two parts' heights the same parts are printed in every layer.
    bottom_mm = 0.0
    for top_mm in sorted({shapes[key].height_mm for key in counts}):
        layer_s = model.s_per_layer + sum(
            wall_seconds(shapes[key], model) * count
            for key, count in counts.items()
            if shapes[key].height_mm >= top_mm
        )
        layers = (top_mm - bottom_mm) / model.layer_mm
        seconds += layers * max(layer_s, model.least_s_per_layer)
        bottom_mm = top_mm
    return Figures(weight_g, seconds / 60)


def estimate_plate(plate: Plate, shapes: Mapping[str, Shape], printer: Printer) -> Figures:
    """The estimate of a plate as it is recommended to be printed."""
    found = estimate(plate.counts(), shapes, model_of(printer, process_of(plate.group)))
    return Figures(found.grams, found.minutes * printer.time_factor)


def split_figures(
    plates: Iterable[Plate],
    figures: Sequence[Figures],
    shapes: Mapping[str, Shape],
    printer: Printer,
) -> dict[str, Figures]:
    """Figures by piece over all plates: each plate's split by what its parts take by the model.

    The shares add up to the plates' totals, wherever those come from.
    """
    total: dict[str, Figures] = {}
    for plate, whole in zip(plates, figures, strict=True):
        counts, model = plate.counts(), model_of(printer, process_of(plate.group))
        weight_g = {key: grams(shapes[key], model) * n for key, n in counts.items()}
        time_s = {key: part_seconds(shapes[key], model) * n for key, n in counts.items()}
        for key in counts:
            before = total.get(key, Figures(0.0, 0.0))
            total[key] = Figures(
                before.grams + whole.grams * weight_g[key] / sum(weight_g.values()),
                before.minutes + whole.minutes * time_s[key] / sum(time_s.values()),
            )
    return total
