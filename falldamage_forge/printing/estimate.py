"""Grams and minutes before slicing: a small model fitted to a slicer's figures.

Filament: a part is printed as solid walls and skins where it is thin, and as a shell with sparse
infill where it is thick; both follow from its volume and its surface. Time: what a part's level
skins, its walls and its layers take, plus a share for every layer of its plate, never less than the
slicer's least time a layer. The constants were fitted to PrusaSlicer 2.5 over all pieces and the
plates of the preset maps; they are estimates and named so wherever they are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """What the model needs of a part: volume, surface (all, and level), height of its mesh."""

    volume_mm3: float
    area_mm2: float
    flat_mm2: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class Model:
    """Constants of the model, SI-like units in the names."""

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


def plate_minutes(
    counts: Mapping[str, int], shapes: Mapping[str, Shape], model: Model = MODEL
) -> float:
    """Printing time of a plate in minutes."""
    parts_s = sum(part_seconds(shapes[key], model) * count for key, count in counts.items())
    layers = max((shapes[key].height_mm for key in counts), default=0.0) / model.layer_mm
    return max(parts_s + model.s_per_layer * layers, model.least_s_per_layer * layers) / 60


def shares(
    plates: Iterable[Mapping[str, int]], shapes: Mapping[str, Shape], model: Model = MODEL
) -> dict[str, float]:
    """Minutes by piece over all plates: each plate's time split by what its parts take.

    The shares add up to the plates' total.
    """
    total: dict[str, float] = {}
    for counts in plates:
        minutes = plate_minutes(counts, shapes, model)
        weights = {key: part_seconds(shapes[key], model) * n for key, n in counts.items()}
        whole = sum(weights.values())
        for key, weight in weights.items():
            part = weight / whole if whole else 1 / len(weights)
            total[key] = total.get(key, 0.0) + minutes * part
    return total
