"""How parts are printed, as data: layers, walls, and which slicer settings say so.

A process is one choice for a whole table. It has two ways of printing, one for terrain and one for
figures. Heights hold everywhere: the estimate counts these layers, the proof cuts them, the files
for slicers are written with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from falldamage_forge.values import FrozenDict

SHARED = "+"
"""Between the names of groups that share a plate; they are printed in one way."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way of printing; a printer's constants of the estimate go by its name.

    `settings` name files of presets/slicer that PrusaSlicer loads one after another; `studio` are
    the keys beyond layers that Bambu Studio and OrcaSlicer want, as they write them.
    """

    name: str
    layer_mm: float
    settings: tuple[str, ...]
    studio: Mapping[str, str] = FrozenDict()


@dataclass(frozen=True, slots=True)
class Process:
    """A table's process: walls in the mesh are `wall_mm` thick, every plate's first layer alike.

    Lines of the first layer are laid at `first_layer_mm_s`, its skins by the settings' own share.

    Caps (water, lava, starts) have skins of `cap_skin_mm`. Parts of `figure_groups` are printed as
    figures, all others as terrain.
    """

    name: str = "standard"
    title: str = "Standard"
    wall_mm: float = 0.84
    cap_skin_mm: float = 0.72
    first_layer_mm: float = 0.24
    first_layer_mm_s: float = 50.0
    terrain: Way = Way("terrain", 0.24, ("terrain",))
    figures: Way = Way("figures", 0.24, ("terrain", "trees"))
    figure_groups: tuple[str, ...] = ("tree",)

    def __post_init__(self) -> None:
        """ValueError for walls that no nozzle of 0.4 mm draws, and for skins that do not close."""
        if not 0.4 <= self.wall_mm <= 2.0:
            raise ValueError("`wall-mm` should be from 0.4 to 2 mm")
        if not 5 <= self.first_layer_mm_s <= 500:
            raise ValueError("`first-layer-mm-s` should be from 5 to 500 mm/s")
        if not 0.48 <= self.cap_skin_mm <= 0.72:
            raise ValueError("`cap-skin-mm` should be from 0.48 to 0.72 mm")

    def way(self, group: str) -> Way:
        """How a plate of a group is printed."""
        first = group.partition(SHARED)[0]
        return self.figures if first in self.figure_groups else self.terrain

    def ways(self) -> tuple[Way, Way]:
        """Both."""
        return self.terrain, self.figures


STANDARD_PROCESS = Process()
