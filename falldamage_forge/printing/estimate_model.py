"""Constants of the print estimate, one set per printer and print mode."""

from __future__ import annotations

from collections.abc import Mapping

from falldamage_forge.infra.lazy_dataclass import FrozenDict, dataclass


@dataclass(frozen=True, slots=True)
class PartFeatures:
    """Features of a part that the estimate uses.

    `area_mm2` is its whole surface, `flat_mm2` that of level faces, `crease_mm` the total rise of
    its creases.
    """

    volume_mm3: float
    area_mm2: float
    flat_mm2: float
    height_mm: float
    builder: str = ""
    crease_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class BuilderFactor:
    """Factors by which a builder's parts differ from the model."""

    grams: float = 1.0
    time: float = 1.0


_ONE = BuilderFactor()


@dataclass(frozen=True, slots=True)
class EstimateModel:
    """Constants of one print mode, with units in their names; layers are those of the process.

    A layer below `least_s_per_layer` is slowed by a factor of at most `slowed`. First layers are
    slow: they take as long as `first_layer_walls` further layers of walls.
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
    builders: Mapping[str, BuilderFactor] = FrozenDict()

    def layers(self, height_mm: float) -> float:
        """Return the number of layers up to a height; a fraction for the last one."""
        if height_mm <= self.first_layer_mm:
            return height_mm / self.first_layer_mm
        return 1 + (height_mm - self.first_layer_mm) / self.layer_mm

    def factor(self, shape: PartFeatures) -> BuilderFactor:
        """Return the factor of a shape's builder."""
        return self.builders.get(shape.builder, _ONE)
