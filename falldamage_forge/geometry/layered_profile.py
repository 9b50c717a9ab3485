"""Profiles as printed: a slicer cuts each layer at its middle.

A slope becomes steps, and a feature that ends between the middles of two layers is printed as a
whole layer or not at all. Lines have round sides: over the middle half of its layer a line is as
wide as it was cut (within 0.016 mm); between lines the side is taken as straight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from falldamage_forge.geometry.connector_standard import LAYER_MM

Profile = tuple[tuple[float, float], ...]
"""(z, half size) in mm, from above; z = 0 is a tile's top, where layers begin."""


def middle_mm(index: int) -> float:
    """Return the z in mm at which the layer of an index below a tile's top is cut."""
    return -(index + 0.5) * LAYER_MM


def half_at(profile: Sequence[tuple[float, float]], z_mm: float, beyond: float = 0.0) -> float:
    """Return the half size of a profile at a height; `beyond` above and below it.

    Args:
        profile: Points (height, half size) in mm, from above or below.
        z_mm: Height that is asked for.
        beyond: Answer outside the profile.
    """
    for (z0, a), (z1, b) in pairwise(profile):
        if min(z0, z1) - 1e-9 <= z_mm <= max(z0, z1) + 1e-9:
            return max(a, b) if z1 == z0 else a + (b - a) * (z_mm - z0) / (z1 - z0)
    return beyond


def cut(profile: Profile, high_mm: float, low_mm: float) -> Iterator[tuple[float, float]]:
    """Yield (middle, half size) of each layer whose middle lies between two heights.

    Args:
        profile: Points (height, half size) in mm.
        high_mm: Upper height.
        low_mm: Lower height.
    """
    index = 0
    while (z := middle_mm(index)) > low_mm - 1e-9:
        if z <= high_mm + 1e-9:
            yield z, half_at(profile, z)
        index += 1


def laid(profile: Profile, high_mm: float, low_mm: float) -> Profile:
    """Return the profile that printed lines have between two heights.

    Args:
        profile: Points (height, half size) in mm, as drawn.
        high_mm: Upper height.
        low_mm: Lower height.
    """
    quarter = LAYER_MM / 4
    lines = cut(profile, high_mm, low_mm)
    return tuple((z + way * quarter, half) for z, half in lines for way in (1, -1))


def half_of(steps: Sequence[tuple[float, ...]], depth_mm: float, which: int = 1) -> float:
    """Return a half width at a depth.

    Args:
        steps: (depth, half width, ...) from the mouth down, in mm.
        depth_mm: Depth below the mouth.
        which: Column of `steps` to return.
    """
    return next((step[which] for step in steps if depth_mm < step[0]), 0.0)


def depths(steps: Sequence[tuple[float, ...]]) -> Iterator[float]:
    """Yield the depths at which the layers of a stepped recess are cut."""
    index = 0
    while (depth := -middle_mm(index)) < steps[-1][0]:
        yield depth
        index += 1
