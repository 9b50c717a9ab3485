"""How a printer prints, in numbers for the estimate: data, a set for each way of printing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Shape:
    """What the model needs of a part: volume, surface (all, and level), height, and its builder."""

    volume_mm3: float
    area_mm2: float
    flat_mm2: float
    height_mm: float
    builder: str = ""


@dataclass(frozen=True, slots=True)
class Factor:
    """How much more than the model says the shapes of a builder take."""

    grams: float = 1.0
    time: float = 1.0


_ONE = Factor()


@dataclass(frozen=True, slots=True)
class Model:
    """Constants of one way of printing, units in the names."""

    density_g_cm3: float = 1.26
    solid_fraction: float = 0.9
    shell_mm: float = 0.8
    infill_fraction: float = 0.2
    s_per_flat_mm2: float = 0.15
    s_per_wall_mm2: float = 0.025
    s_per_part_layer: float = 0.4
    s_per_layer: float = 0.3
    least_s_per_layer: float = 6.0
    layer_mm: float = 0.2
    builders: Mapping[str, Factor] = field(default_factory=dict, hash=False)

    def factor(self, shape: Shape) -> Factor:
        """The factor of a shape's builder."""
        return self.builders.get(shape.builder, _ONE)
