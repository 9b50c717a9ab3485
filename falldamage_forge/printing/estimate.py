"""Grams and minutes before slicing: a small model fitted to a slicer's figures.

Filament: a part is printed as solid walls and skins where it is thin, and as a shell with sparse
infill where it is thick; both follow from its volume and its surface. Time: what a part's level
skins, its walls and its layers take, plus a share for every layer of its plate, never less than the
slicer's least time a layer. The constants are data of a printer, one set for each way of printing
(`terrain` and `figures`, named like the slicer's settings we ship); benchmarks/fit_estimate.py fits
them. They are estimates and named so wherever they are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from falldamage_forge.printing.plates import Plate
    from falldamage_forge.printing.printer import Printer

TERRAIN, FIGURES = "terrain", "figures"
FIGURE_GROUPS = frozenset({"tree", "marker"})
"""Plates of these groups are printed as figures: finer layers, some infill."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What the model needs of a part: volume, surface (all, and level), height of its mesh."""

    volume_mm3: float
    area_mm2: float
    flat_mm2: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class Figures:
    """What printing takes."""

    grams: float
    minutes: float


@dataclass(frozen=True, slots=True)
class Model:
    """Constants of one way of printing, units in the names."""

    density_g_cm3: float = 1.26
    solid_fraction: float = 0.965
    shell_mm: float = 0.64
    infill_fraction: float = 0.25
    s_per_flat_mm2: float = 0.171
    s_per_wall_mm2: float = 0.0128
    s_per_part_layer: float = 1.07
    s_per_layer: float = 4.14
    least_s_per_layer: float = 6.0
    layer_mm: float = 0.2


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
    shell_mm3 = min(shape.area_mm2 * model.shell_mm, shape.volume_mm3)
    core_mm3 = shape.volume_mm3 - shell_mm3
    printed_mm3 = model.solid_fraction * shell_mm3 + model.infill_fraction * core_mm3
    return printed_mm3 * model.density_g_cm3 / 1000


def part_seconds(shape: Shape, model: Model = MODEL) -> float:
    """What one part adds to its plate's time."""
    return (
        model.s_per_flat_mm2 * shape.flat_mm2
        + model.s_per_wall_mm2 * (shape.area_mm2 - shape.flat_mm2)
        + model.s_per_part_layer * shape.height_mm / model.layer_mm
    )


def estimate(
    counts: Mapping[str, int], shapes: Mapping[str, Shape], model: Model = MODEL
) -> Figures:
    """Filament and time of so many parts printed together."""
    weight_g = sum(grams(shapes[key], model) * count for key, count in counts.items())
    parts_s = sum(part_seconds(shapes[key], model) * count for key, count in counts.items())
    layers = max((shapes[key].height_mm for key in counts), default=0.0) / model.layer_mm
    seconds = max(parts_s + model.s_per_layer * layers, model.least_s_per_layer * layers)
    return Figures(weight_g, seconds / 60)


def estimate_plate(plate: Plate, shapes: Mapping[str, Shape], printer: Printer) -> Figures:
    """The estimate of a plate as it is recommended to be printed."""
    return estimate(plate.counts(), shapes, model_of(printer, process_of(plate.group)))


def split_figures(
    plates: Iterable[Plate], figures: Sequence[Figures], shapes: Mapping[str, Shape]
) -> dict[str, Figures]:
    """Figures by piece over all plates: each plate's split by what its parts take by the model.

    The shares add up to the plates' totals, wherever those come from.
    """
    total: dict[str, Figures] = {}
    for plate, whole in zip(plates, figures, strict=True):
        counts = plate.counts()
        weight_g = {key: grams(shapes[key]) * count for key, count in counts.items()}
        time_s = {key: part_seconds(shapes[key]) * count for key, count in counts.items()}
        for key in counts:
            before = total.get(key, Figures(0.0, 0.0))
            total[key] = Figures(
                before.grams + whole.grams * weight_g[key] / sum(weight_g.values()),
                before.minutes + whole.minutes * time_s[key] / sum(time_s.values()),
            )
    return total
