"""Constants of the print estimate, one set per print mode, and the features of parts it reads."""

from __future__ import annotations

from typing import NamedTuple

from falldamage_forge.infra.lazy_dataclass import dataclass


class Motion(NamedTuple):
    """Speed in mm/s and acceleration in mm/s² of a nozzle."""

    speed: float
    slope: float


LINES, SKINS = Motion(200.0, 5000.0), Motion(230.0, 6000.0)
"""Motion of lines and of skins, as in `presets/slicer`."""
FIRST_LINES, FIRST_SKINS = Motion(50.0, 2000.0), Motion(103.5, 2000.0)
"""Their motion in the first layer, as in the processes and in `presets/slicer`."""
SLOW = Motion(40.0, LINES.slope)
"""A nozzle that the least time of a layer slows down, about."""
JERK_MM_S = 9.0
"""Change of a nozzle's speed that takes no time."""
BRIDGE_MM_S = 50.0
LEAST_LAYER_S, LEAST_MM_S = 6.0, 20.0
"""A shorter layer is slowed down to this time, but not below this speed."""


class Band(NamedTuple):
    """Layers of a part that are much alike; all but `top_mm` is said of each of its layers.

    Attributes:
        top_mm: Height of the upper end; the lower one is the top of the band before.
        wall_mm2: Area of the section that is laid in lines along its outlines.
        outline_mm: Length of the outlines.
        loops: Number of outlines.
        lost_s: What the corners of the outlines cost a nozzle at its full speed.
        slow_lost_s: The same of a nozzle that is slowed down.
        solid_mm2: Area of level skins.
        sparse_mm2: Area of infill.
        stroke_s: Time of a millimetre of the lines that fill skins, by the strokes' lengths.
        strokes: Number of strokes in a millimetre of such lines.
        bridged_mm2: Area of the lowest layer's skins that is laid as a bridge.
        sparse_mm: Length of the outline of infill.
    """

    top_mm: float
    wall_mm2: float
    outline_mm: float
    loops: int
    lost_s: float
    slow_lost_s: float
    solid_mm2: float = 0.0
    sparse_mm2: float = 0.0
    stroke_s: float = 0.0
    strokes: float = 0.0
    bridged_mm2: float = 0.0
    sparse_mm: float = 0.0


class LayerRange(NamedTuple):
    """A stretch of a part's height, in mm on the bed, whose layers have a height of their own."""

    bottom_mm: float
    top_mm: float
    layer_mm: float


@dataclass(frozen=True, slots=True)
class PartFeatures:
    """Features of a part that the estimate uses: its bands from below; the first is one layer.

    `ranges` are the stretches whose layers are not those of its print mode, from below.
    """

    bands: tuple[Band, ...]
    ranges: tuple[LayerRange, ...] = ()

    @property
    def height_mm(self) -> float:
        """Height of the part."""
        return self.bands[-1].top_mm


@dataclass(frozen=True, slots=True)
class EstimateModel:
    """Constants of one print mode; the layers are those of the process.

    Attributes:
        density_g_cm3: Density of the filament.
        layer_mm: Height of layers.
        first_layer_mm: Height of the first layer.
        line_mm: Width of lines.
        first_line_mm: Width of the lines of the first layer's skins.
        top_line_mm: The same of skins with nothing above them.
        infill: Share of an area that infill fills.
        joined: Share of the outline of infill along which a line joins the ends of its lines.
        wall_fill: Plastic in walls, as a share of their volume.
        skin_fill: The same of skins and infill.
        bridge_fill: What bridges take beyond it.
        corners: Share of what corners cost, as the nozzle cuts them.
        inner_corners: What corners cost inner lines, which are short in walls of odd thickness.
        s_per_inner_mm: Time to find the way to a millimetre of such lines.
        s_per_path: Time to find the way to a line.
        paths_per_stroke: Such ways that a stroke of a skin adds.
        skin: Time of skins relative to that of their strokes.
        still: Share of the ways that the slicer counts when it slows a layer down.
        first_corners: What corners cost in the first layer, relative to others.
        first_paths: Time to find the ways of the first layer, relative to others.
        first_skin: Time of the first layer's skins relative to that of their strokes.
        lines: Time of lines relative to that at the speed of `LINES`.
        first_lines: Time of the first layer's lines relative to that at the speed of `FIRST_LINES`.
        bridges: Time of bridges relative to that at `BRIDGE_MM_S`.
    """

    density_g_cm3: float = 1.26
    layer_mm: float = 0.24
    first_layer_mm: float = 0.24
    line_mm: float = 0.42
    first_line_mm: float = 0.5
    top_line_mm: float = 0.42
    infill: float = 0.15
    joined: float = 0.25
    wall_fill: float = 0.98
    skin_fill: float = 0.98
    bridge_fill: float = 0.25
    corners: float = 0.8
    inner_corners: float = 2.4
    s_per_inner_mm: float = 0.015
    s_per_path: float = 0.27
    paths_per_stroke: float = 0.07
    skin: float = 1.0
    still: float = 0.5
    first_corners: float = 1.4
    first_paths: float = 1.0
    first_skin: float = 1.0
    lines: float = 1.0
    first_lines: float = 1.0
    bridges: float = 1.0


@dataclass(frozen=True, slots=True)
class PrintStatistics:
    """Filament in grams and time in minutes of a print."""

    grams: float
    minutes: float
