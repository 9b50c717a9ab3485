"""Layer ranges: thicker layers in the plain walls of a part, between its joints.

Joints are drawn in layers of one height, walls are not, and neither are the slopes and ribs of
joints, which a process may count as plain. A range begins and ends at multiples of the
*stride*, the least height that both kinds of layers fill (1.68 mm is seven of 0.24 and six of
0.28), so that the layers of joints lie where they lie without ranges. Strides count from the bed:
parts of a plate have the same layers wherever both are plain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from falldamage_forge.pieces.family_roles import role_of
from falldamage_forge.printing.estimate_model import LayerRange, PartFeatures

if TYPE_CHECKING:
    from falldamage_forge.pieces.piece import Piece
    from falldamage_forge.printing.printer import Printer
    from falldamage_forge.printing.process import PrintMode, Process

LEAST_SAVED = 3
"""A range that saves fewer layers is not worth it."""
_STEPS = 1000
"""Heights are counted in steps of a micrometre."""
_TINY_MM = 1e-6


def layer_ranges(piece: Piece, height_mm: float, process: Process) -> tuple[LayerRange, ...]:
    """Return the ranges of a piece with thicker layers, at most one.

    Args:
        piece: The piece.
        height_mm: Its height as it lies on the bed.
        process: Gives the layers, of which the first must be like the others.
    """
    mode = process.way(piece.group)
    joints_mm, plain_mm = _joints_mm(piece, mode), mode.plain_layer_mm
    if plain_mm is None or joints_mm is None or process.first_layer_mm != mode.layer_mm:
        return ()
    stride_mm = math.lcm(round(mode.layer_mm * _STEPS), round(plain_mm * _STEPS)) / _STEPS
    low, high = joints_mm
    first = math.ceil(low / stride_mm - _TINY_MM)
    last = math.floor((height_mm - high) / stride_mm + _TINY_MM)
    saved = (last - first) * stride_mm * (1 / mode.layer_mm - 1 / plain_mm)
    if saved < LEAST_SAVED - _TINY_MM:
        return ()
    return (LayerRange(round(first * stride_mm, 4), round(last * stride_mm, 4), plain_mm),)


def _joints_mm(piece: Piece, mode: PrintMode) -> tuple[float, float] | None:
    """Return the heights at a piece's ends that have the layers of joints.

    Pockets of magnets lie in its slopes and ribs, and are as high as they are drawn.
    """
    role = role_of(piece.family)
    slopes = mode.plain_slopes and not piece.magnets
    return role.core_mm or role.joints_mm if slopes else role.joints_mm


def with_ranges(features: PartFeatures, piece: Piece, printer: Printer) -> PartFeatures:
    """Return the features of a piece with its ranges of layers.

    Args:
        features: Its bands.
        piece: The piece.
        printer: Printer with its process.
    """
    ranges = layer_ranges(piece, features.height_mm, printer.process)
    return replace(features, ranges=ranges)


@lru_cache(maxsize=512)
def layer_tops(
    height_mm: float, first_mm: float, layer_mm: float, ranges: tuple[LayerRange, ...] = ()
) -> tuple[float, ...]:
    """Return the top of each layer of a part, from the bed up, in mm.

    As in a slicer, a last layer is laid if the part reaches beyond its middle; one is always.

    Args:
        height_mm: Height of the part.
        first_mm: Height of the first layer.
        layer_mm: Height of the others outside of ranges.
        ranges: Stretches with other layers, from below.
    """
    tops = [first_mm]
    while True:
        thick_mm = layer_at(tops[-1] + _TINY_MM, layer_mm, ranges)
        if tops[-1] + thick_mm / 2 >= height_mm - _TINY_MM:
            return tuple(tops)
        tops.append(round(tops[-1] + thick_mm, 4))


def layer_at(z_mm: float, layer_mm: float, ranges: Sequence[LayerRange]) -> float:
    """Return the height of the layers at a height of a part.

    Args:
        z_mm: Height above the bed, within a layer.
        layer_mm: Height of layers outside of ranges.
        ranges: Stretches with other layers.
    """
    return next((r.layer_mm for r in ranges if r.bottom_mm <= z_mm < r.top_mm), layer_mm)
