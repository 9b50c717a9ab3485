"""Processes as data: layers, walls, and the slicer settings of each print mode.

A process is chosen for a whole table. It has a print mode for terrain, one for figures, and one for
solid parts such as dice. The estimate, the printability check and the slicer profiles all use these
layer heights.
"""

from __future__ import annotations

from collections.abc import Mapping

from falldamage_forge.infra.lazy_dataclass import FrozenDict, dataclass
from falldamage_forge.printing.colour_groups import GROUPS

SHARED = "+"
"""Separator between the names of groups that share a plate; they have one print mode."""
MAX_FILAMENTS = 16
"""Slots of four AMS units, the most that a printer takes."""


@dataclass(frozen=True, slots=True)
class PrintMode:
    """One print mode; the estimate's constants are stored by its name.

    `settings` names files of `presets/slicer` that PrusaSlicer loads in order; `studio` holds the
    keys besides layers for Bambu Studio and OrcaSlicer, in their format. `plain_layer_mm` is the
    height of layers in plain walls between joints; None for that of all others. `plain_slopes` is
    true if they may lie in slopes and ribs of joints as well.
    """

    name: str
    layer_mm: float
    settings: tuple[str, ...]
    studio: Mapping[str, str] = FrozenDict()
    plain_layer_mm: float | None = None
    plain_slopes: bool = False


SOLID = PrintMode(
    "solid",
    0.24,
    ("terrain", "solid"),
    FrozenDict(sparse_infill_density="100%", sparse_infill_pattern="alignedrectilinear"),
)
"""Infill of 100 %, in a pattern that all slicers lay so densely."""


USUAL_WALL_MM = 0.735
"""Thickness of two lines of 0.42 mm, as far apart as slicers lay them in layers of 0.24."""

USUAL_TIP_MM, LONE_TIP = 0.6, 1.2
"""Least width of a stone's tip: a line of the first layer, and how many where no second line goes
round stones. Slicers leave out lone lines that are shorter than half their width, and lay narrower
tips from the second layer on, in the air.
"""


@dataclass(frozen=True, slots=True)
class Process:
    """A table's process: `wall_mm` is the thickness of walls in meshes.

    It is for nozzles from the first of `nozzles_mm` to the second, whose lines along outlines are
    about `line_mm` wide.
    The first layer of every plate is `first_layer_mm` high; its lines are printed at
    `first_layer_mm_s`, its skins at the settings' share of speed. Caps (water, lava, start tiles)
    have skins of `cap_skin_mm`. Parts of `figure_groups` are printed as figures, those of
    `solid_groups` without hollow places, all others as terrain. Designs that a pattern of
    `left_out` matches are refused.
    """

    name: str = "standard"
    title: str = "Standard"
    nozzles_mm: tuple[float, float] = (0.2, 0.42)
    line_mm: float = 0.42
    wall_mm: float = USUAL_WALL_MM
    cap_skin_mm: float = 0.72
    first_layer_mm: float = 0.24
    first_layer_mm_s: float = 50.0
    terrain: PrintMode = PrintMode("terrain", 0.24, ("terrain",), plain_layer_mm=0.28)
    figures: PrintMode = PrintMode("figures", 0.24, ("terrain", "trees"), plain_layer_mm=0.28)
    figure_groups: tuple[str, ...] = tuple(name for name, x in GROUPS.items() if x.upright)
    solid: PrintMode = SOLID
    solid_groups: tuple[str, ...] = tuple(name for name, x in GROUPS.items() if x.solid)
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError for walls, skins or speeds out of range."""
        if not 0.4 <= self.wall_mm <= 2.0:
            raise ValueError("`wall-mm` should be from 0.4 to 2 mm")
        if not 5 <= self.first_layer_mm_s <= 500:
            raise ValueError("`first-layer-mm-s` should be from 5 to 500 mm/s")
        if not 0.48 <= self.cap_skin_mm <= 0.72:
            raise ValueError("`cap-skin-mm` should be from 0.48 to 0.72 mm")

    def way(self, group: str) -> PrintMode:
        """Return the print mode of a group's plates."""
        first = group.partition(SHARED)[0]
        if first in self.solid_groups:
            return self.solid
        return self.figures if first in self.figure_groups else self.terrain

    @property
    def tip_mm(self) -> float:
        """Return the least width of stone between strokes that terrain's first layer keeps."""
        line_mm = float(self.terrain.studio.get("initial_layer_line_width", USUAL_TIP_MM))
        return line_mm * (LONE_TIP if self.terrain.studio.get("wall_loops") == "1" else 1.0)

    @property
    def own_mode_groups(self) -> tuple[str, ...]:
        """Groups that are not printed as terrain: they share no plate with it."""
        return (*self.figure_groups, *self.solid_groups)

    def ways(self) -> tuple[PrintMode, PrintMode, PrintMode]:
        """Return all print modes, terrain first."""
        return self.terrain, self.figures, self.solid


STANDARD_PROCESS = Process()
