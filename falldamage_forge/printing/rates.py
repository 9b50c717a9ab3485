"""How fast and how much a printer prints, for the estimate: a set for each way of printing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from falldamage_forge.values import FrozenDict


@dataclass(frozen=True, slots=True)
class Shape:
    """What the model needs of a part: volume, surface (all, and level), height, builder, and how
    far its creases rise."""

    volume_mm3: float
    area_mm2: float
    flat_mm2: float
    height_mm: float
    builder: str = ""
    crease_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Factor:
    """How much more than the model says the shapes of a builder take."""

    grams: float = 1.0
    time: float = 1.0


_ONE = Factor()


@dataclass(frozen=True, slots=True)
class Rates:
    """Constants of one way of printing, units in the names; layers are those of the process.

    A layer that would be done too soon takes up to `slowed` times as long. Lines of the first layer
    are slow: they take as long as so many layers' walls more (`first_layer_walls`).
    """

    density_g_cm3: float = 1.26
    solid_fraction: float = 0.9
    shell_mm: float = 0.8
    infill_fraction: float = 0.2
    s_per_flat_mm2: float = 0.15
    s_per_wall_mm2: float = 0.025
    s_per_crease_mm: float = 0.08
    s_per_part_layer: float = 0.4
    s_per_layer: float = 0.3
    least_s_per_layer: float = 6.0
    slowed: float = 2.0
    first_layer_walls: float = 0.0
    layer_mm: float = 0.24
    first_layer_mm: float = 0.24
    builders: Mapping[str, Factor] = FrozenDict()

    def layers(self, height_mm: float) -> float:
        """Layers up to a height, the first one counted; a part of one is the part above it."""
        if height_mm <= self.first_layer_mm:
            return height_mm / self.first_layer_mm
        return 1 + (height_mm - self.first_layer_mm) / self.layer_mm

    def factor(self, shape: Shape) -> Factor:
        """The factor of a shape's builder."""
        return self.builders.get(shape.builder, _ONE)
