"""Estimates of grams and minutes before slicing: a small model fitted to PrusaSlicer's results.

A nozzle follows the outlines of each layer and fills its skins; corners cost it time, and so do the
ways between lines. All parts of a plate share its layers: a layer below the slicer's least time is
slowed down. Plastic follows from the areas of walls and skins. The constants belong to a printer
and a print mode; `benchmarks/fit_estimate.py` fits them. Lists and reports name the results as
estimates.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from falldamage_forge.printing.estimate_model import (
    BRIDGE_MM_S,
    FIRST_LINES,
    LEAST_LAYER_S,
    LEAST_MM_S,
    LINES,
    SKINS,
    SLOW,
    Band,
    EstimateModel,
    PartFeatures,
    PrintStatistics,
)
from falldamage_forge.printing.layer_ranges import layer_at, layer_tops

if TYPE_CHECKING:
    from falldamage_forge.printing.plates import Plate
    from falldamage_forge.printing.printer import Printer

ROUNDED = (1 - math.pi / 4) / 2
"""Plastic that the round edge of a line lacks, as a share of the square of its height."""
NARROW = 0.75
"""Lines to an outline from which walls are two lines thick, which are narrower."""
PLAIN, EVEN = 1.05, 1.5
"""Lines to an outline: up to 1.05 none is an inner one; with 1.5 more, inner ones are not short."""


RATES = EstimateModel()
"""Constants for printers without their own."""


def rates_of(printer: Printer, group: str = "") -> EstimateModel:
    """Return the constants of a printer for a group, with the layers of its process.

    Args:
        printer: Printer with its process.
        group: Group of a plate; empty for terrain.
    """
    process, mode = printer.process, printer.process.way(group)
    known = printer.estimate.get(mode.name, RATES)
    return replace(known, layer_mm=mode.layer_mm, first_layer_mm=process.first_layer_mm)


def grams(shape: PartFeatures, rates: EstimateModel = RATES) -> float:
    """Return the filament of one part in grams.

    Args:
        shape: Areas (mm²) and outlines (mm) of the part by bands of height.
        rates: Rates of the printer, the process and the filament.
    """
    printed_mm3 = bottom_mm = 0.0
    for band in shape.bands:
        layer_mm = layer_at((bottom_mm + band.top_mm) / 2, rates.layer_mm, shape.ranges)
        skin_mm2 = band.solid_mm2 + _infill_mm2(band, rates)
        wall_mm2 = max(band.wall_mm2 - ROUNDED * layer_mm * band.outline_mm, 0.0)
        filled_mm2 = rates.wall_fill * wall_mm2 + rates.skin_fill * skin_mm2
        printed_mm3 += filled_mm2 * (band.top_mm - bottom_mm)
        printed_mm3 += rates.bridge_fill * band.bridged_mm2 * rates.layer_mm
        bottom_mm = band.top_mm
    return printed_mm3 * rates.density_g_cm3 / 1000


def _infill_mm2(band: Band, rates: EstimateModel) -> float:
    """Return the area of a layer's infill: its lines, and the pieces of outline that join them.

    Full infill has no gaps to join.
    """
    joined_mm2 = rates.joined * (1 - rates.infill) * band.sparse_mm * rates.line_mm
    return rates.infill * band.sparse_mm2 + min(joined_mm2, (1 - rates.infill) * band.sparse_mm2)


class _Layer(NamedTuple):
    """A layer to a nozzle: lengths in mm, seconds, and seconds that corners cost it.

    `lost_s` and `slow_lost_s` are those of lines, `skin_s` all of skins, `ways_s` the ways between.
    `lines_s` are the lines at full speed without corners: the flow limits them in a thicker layer.
    """

    line_mm: float
    lost_s: float
    slow_lost_s: float
    skin_mm: float
    skin_s: float
    bridge_mm: float
    ways_s: float
    lines_s: float


def _layer(
    band: Band, rates: EstimateModel, skins_mm: float, thick_mm: float, bridged_mm2: float = 0.0
) -> _Layer:
    """Return one of a band's layers of a height, whose level skins have lines of a length."""
    lines = band.wall_mm2 / rates.line_mm / band.outline_mm if band.outline_mm else 0.0
    if NARROW < lines < 1:
        lines = 1.0
    line_mm = lines * band.outline_mm
    inner = max(lines - PLAIN, 0.0)
    # Walls that are neither two lines thick nor four are filled by short lines.
    odd = inner * max(1 - inner / EVEN, 0.0)
    corners = rates.corners * (lines + rates.inner_corners * odd)
    skin_mm = skins_mm + _infill_mm2(band, rates) / rates.line_mm
    bridge_mm = bridged_mm2 / rates.line_mm
    paths = band.loops + rates.paths_per_stroke * band.strokes * skin_mm
    return _Layer(
        line_mm,
        corners * band.lost_s,
        corners * band.slow_lost_s,
        max(skin_mm - bridge_mm, 0.0),
        rates.skin * band.stroke_s * max(skin_mm - bridge_mm, 0.0),
        bridge_mm,
        rates.s_per_path * paths + rates.s_per_inner_mm * odd * band.outline_mm,
        rates.lines * line_mm * max(thick_mm / rates.layer_mm, 1.0) / LINES.speed,
    )


def _spans(shape: PartFeatures, rates: EstimateModel) -> Iterator[tuple[int, int, _Layer]]:
    """Yield the first layer, the one after the last, and one of them, of layers that are alike."""
    start, tops = 0, _tops(shape, rates)
    middles = [(low + top) / 2 for low, top in pairwise((0.0, *tops))]
    for band, above in zip(shape.bands, (*shape.bands[1:], None), strict=True):
        end = bisect_left(middles, band.top_mm)
        skins_mm = band.solid_mm2 / rates.line_mm
        thick_mm = layer_at(middles[min(start, len(middles) - 1)], rates.layer_mm, shape.ranges)
        # The first layer, one with bridges, and one with tops are like no other.
        if start < end and (start == 0 or band.bridged_mm2):
            wide_mm = rates.line_mm if start else rates.first_line_mm
            skin_mm = band.solid_mm2 / wide_mm
            yield start, start + 1, _layer(band, rates, skin_mm, thick_mm, band.bridged_mm2)
            start += 1
        tops_mm2 = max(band.solid_mm2 - (above.solid_mm2 if above else 0.0), 0.0)
        last = end - 1 if tops_mm2 else end
        if start < last:
            yield start, last, _layer(band, rates, skins_mm, thick_mm)
            start = last
        if start < end:
            fewer_mm = tops_mm2 / rates.line_mm - tops_mm2 / rates.top_line_mm
            yield start, end, _layer(band, rates, skins_mm - fewer_mm, thick_mm)
            start = end


def _tops(shape: PartFeatures, rates: EstimateModel) -> tuple[float, ...]:
    """Return the top of each layer of a part."""
    height_mm, first_mm = shape.height_mm, rates.first_layer_mm
    return layer_tops(height_mm, first_mm, rates.layer_mm, shape.ranges)


def _first_s(layer: _Layer, rates: EstimateModel) -> float:
    """Return the time of the first layer."""
    lines_s = rates.first_lines * layer.line_mm / FIRST_LINES.speed
    lines_s += rates.first_corners * layer.lost_s
    skins_s = rates.first_skin / rates.skin * layer.skin_s
    return lines_s + skins_s + rates.first_paths * layer.ways_s


def _full_s(layer: _Layer, rates: EstimateModel) -> float:
    """Return the time of a layer at full speed."""
    lines_s = layer.lines_s + layer.lost_s
    return lines_s + layer.skin_s + _bridge_s(layer, rates) + layer.ways_s


def _bridge_s(layer: _Layer, rates: EstimateModel) -> float:
    """Return the time of a layer's bridges."""
    return rates.bridges * layer.bridge_mm / BRIDGE_MM_S


def _seconds(layer: _Layer, rates: EstimateModel) -> float:
    """Return the time of a layer, which the slicer slows down to the least time of a layer.

    It counts no corners, so a slowed layer takes longer by what they cost at the lower speed.
    """
    bridge_s = _bridge_s(layer, rates)
    still_s = bridge_s + rates.still * layer.ways_s
    full_s = _full_s(layer, rates)
    if layer.lines_s + layer.skin_mm / SKINS.speed + still_s >= LEAST_LAYER_S:
        return full_s
    laid_mm = layer.line_mm + layer.skin_mm
    speed = min(max(laid_mm / max(LEAST_LAYER_S - still_s, 1e-3), LEAST_MM_S), LINES.speed)
    near = min(max((speed - SLOW.speed) / (LINES.speed - SLOW.speed), 0.0), 1.0)
    lost = layer.slow_lost_s / SLOW.speed * (1 - near) + layer.lost_s / LINES.speed * near
    lost += max(layer.skin_s - layer.skin_mm / SKINS.speed, 0.0) / SKINS.speed
    return max(full_s, laid_mm / speed + lost * speed + bridge_s + layer.ways_s)


def part_seconds(shape: PartFeatures, rates: EstimateModel = RATES) -> float:
    """Return the time that one part adds to a well filled plate.

    Args:
        shape: Areas (mm²) and outlines (mm) of the part by bands of height.
        rates: Rates of the printer, the process and the filament.
    """
    return sum(
        (end - start) * _full_s(layer, rates) if start else _first_s(layer, rates)
        for start, end, layer in _spans(shape, rates)
    )


def estimate(
    counts: Mapping[str, int], shapes: Mapping[str, PartFeatures], rates: EstimateModel = RATES
) -> PrintStatistics:
    """Return filament and time of parts printed together on one plate.

    Args:
        counts: Number of parts by key.
        shapes: Features of each part by key.
        rates: Constants of the printer and print mode.
    """
    weight_g = sum(grams(shapes[key], rates) * count for key, count in counts.items())
    spans = {key: list(_spans(shapes[key], rates)) for key in counts}
    laid: dict[float, list[tuple[str, int]]] = {}
    for key, own in spans.items():
        tops = _tops(shapes[key], rates)
        for number, (start, end, _) in enumerate(own):
            for top_mm in tops[start:end]:
                laid.setdefault(top_mm, []).append((key, number))
    seconds = 0.0
    # Most layers are of the same parts as the one below, at the same height of their walls.
    for is_first, many in groupby(sorted(laid), lambda top_mm: top_mm == rates.first_layer_mm):
        for parts, alike in Counter(tuple(laid[top_mm]) for top_mm in many).items():
            each = ([counts[key] * x for x in spans[key][number][2]] for key, number in parts)
            plate = _Layer(*map(sum, zip(*each, strict=True)))
            seconds += alike * (_first_s if is_first else _seconds)(plate, rates)
    return PrintStatistics(weight_g, seconds / 60)


def estimate_plate(
    plate: Plate, shapes: Mapping[str, PartFeatures], printer: Printer
) -> PrintStatistics:
    """Return the estimate of a plate with the printer's time factor.

    Args:
        plate: Parts on the plate and their group.
        shapes: Features of each part by key.
        printer: Its constants and time factor.
    """
    statistics = estimate(plate.counts(), shapes, rates_of(printer, plate.group))
    return PrintStatistics(statistics.grams, statistics.minutes * printer.time_factor)


def split_figures(
    plates: Iterable[Plate],
    figures: Sequence[PrintStatistics],
    shapes: Mapping[str, PartFeatures],
    printer: Printer,
) -> dict[str, PrintStatistics]:
    """Return print statistics by piece: each plate's are divided in proportion to the estimates.

    Args:
        plates: Plates of the job.
        figures: Statistics of each plate, estimated or sliced.
        shapes: Features of each part by key.
        printer: Printer whose constants weigh the parts.

    Returns:
        Statistics by piece key; they add up to the plates' totals.
    """
    total: dict[str, PrintStatistics] = {}
    for plate, whole in zip(plates, figures, strict=True):
        counts, rates = plate.counts(), rates_of(printer, plate.group)
        weight_g = {key: grams(shapes[key], rates) * n for key, n in counts.items()}
        time_s = {key: part_seconds(shapes[key], rates) * n for key, n in counts.items()}
        for key in counts:
            before = total.get(key, PrintStatistics(0.0, 0.0))
            total[key] = PrintStatistics(
                before.grams + whole.grams * weight_g[key] / sum(weight_g.values()),
                before.minutes + whole.minutes * time_s[key] / sum(time_s.values()),
            )
    return total
