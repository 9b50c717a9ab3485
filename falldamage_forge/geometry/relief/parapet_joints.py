"""Joints on the outside of parapets, by the wall pattern of the style.

A joint is a segment on the face of one side: u along the side from its middle, v up from the tile.
Segments may run past the face; the parapet's solid clips them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from falldamage_forge.geometry.relief.elements import Point

Joint = tuple[Point, Point]
Drawing = Callable[[random.Random, float, float], list[Joint]]
"""Joints of one side from a random source, the side's half length and its height, in mm."""


def parapet_joints(name: str, seed: str, half_mm: float, high_mm: float) -> tuple[Joint, ...]:
    """Return the joints of one side of a parapet; none for a plain wall.

    Args:
        name: Wall pattern of the style.
        seed: Seed of the drawing; equal arguments give equal joints.
        half_mm: Half length of the side.
        high_mm: Height of the parapet.
    """
    draw = PARAPETS.get(name)
    chance = random.Random(f"parapet {name} {seed}")
    return tuple(draw(chance, half_mm, high_mm)) if draw else ()


def _courses(levels: Sequence[float], stone_mm: float, vary_mm: float) -> Drawing:
    """Return stones in courses between levels (shares of the height), in running bond."""

    def draw(chance: random.Random, half: float, high: float) -> list[Joint]:
        joints = [((-half, high * level), (half, high * level)) for level in levels]
        for index, (low, top) in enumerate(pairwise((0.0, *levels, 1.0))):
            at = -half + stone_mm * (0.5 + index % 2 / 2)
            while at < half - stone_mm / 3:
                u = at + chance.uniform(-vary_mm, vary_mm)
                joints.append(((u, high * low), (u, high * top)))
                at += stone_mm
        return joints

    return draw


def _boards(chance: random.Random, half: float, high: float) -> list[Joint]:
    """Draw upright boards of uneven widths."""
    joints, at = [], -half + 2.6
    while at < half - 1.6:
        joints.append(((at, 0.0), (at, high)))
        at += chance.uniform(2.3, 3.3)
    return joints


def _fractures(chance: random.Random, half: float, high: float) -> list[Joint]:
    """Draw leaning fractures that fork from the ground up."""
    joints, at = [], -half + chance.uniform(2.5, 4.5)
    while at < half - 2.0:
        lean, fork = chance.uniform(-1.0, 1.0), chance.uniform(0.3, 0.5) * high
        knee = (at + lean * 0.5, fork)
        joints += [((at, 0.0), knee), (knee, (at + lean * 2, high))]
        joints.append((knee, (knee[0] + chance.choice((-1.2, 1.2)), high * 0.7)))
        at += chance.uniform(4.5, 6.5)
    return joints


def _panels(chance: random.Random, half: float, high: float) -> list[Joint]:
    """Draw two lines about the middle and one before each corner: cut stone without mortar."""
    joints = []
    for u in (half * 0.16, half * 0.6, half * 0.72):
        joints += [((side * u, 0.0), (side * u, high)) for side in (-1, 1)]
    return joints


PARAPETS: Mapping[str, Drawing] = {
    "ashlar": _courses((0.76,), 6.4, 0.9),
    "brick": _courses((0.2, 0.36, 0.53, 0.69), 4.2, 0.1),
    "ruin": _courses((0.22, 0.76), 5.2, 1.4),
    "timber": _boards,
    "rock": _fractures,
    "bank": _fractures,
    "hall": _panels,
}
"""Drawings by the names of wall patterns."""
