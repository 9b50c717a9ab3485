"""Walls that are framed: half-timber with plaster between, and the panels of a dwarf hall."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

from falldamage_forge.geometry.finish import courses as lay
from falldamage_forge.geometry.finish.courses import Span, Zone
from falldamage_forge.geometry.finish.model import Outline, Run, Stone

BEAM_MM, JOINT_MM = 2.7, 0.4
HALL_MM = 0.42
"""How deep the panels of a hall are, and its joints."""
POST_MM = 3.3
"""Half a corner's post, and so the part of it on one side."""


def timber(
    run: Run, zone: Zone, chance: random.Random, holes: tuple[Stone, ...]
) -> Iterator[Stone]:
    """Posts at corners and at every tile's line, sills, rails, braces; plaster lies between."""
    low, high = zone.low_mm, zone.high_mm
    for side, length in enumerate(run.lengths_mm):
        for u in ((0.0, POST_MM), (length - POST_MM, length)):
            yield Stone(side, lay.box(u, (low, high)), 0.0)
        tiles = run.tiles(length)
        studs = [length * place / tiles for place in range(1, tiles)]
        inner = (POST_MM + JOINT_MM, length - POST_MM - JOINT_MM)
        for v in ((low, low + BEAM_MM), (high - BEAM_MM, high)):
            for part in _about(inner, v, [hole for hole in holes if hole.side == side]):
                yield _beam(side, lay.box(part, v), chance)
        middle = (low + BEAM_MM + JOINT_MM, high - BEAM_MM - JOINT_MM)
        for at in studs:
            yield _beam(side, lay.box((at - BEAM_MM / 2, at + BEAM_MM / 2), middle), chance)
        bounds = [inner[0] - JOINT_MM, *studs, inner[1] + JOINT_MM]
        for place, (left, right) in enumerate(pairwise(bounds)):
            edge = BEAM_MM / 2 + JOINT_MM
            bay = (
                left + (JOINT_MM if place == 0 else edge),
                right - (JOINT_MM if place == len(bounds) - 2 else edge),
            )
            taken = [hole for hole in holes if hole.side == side and _in(hole, bay)]
            yield from _bay(side, bay, middle, taken, chance)


def _about(u: Span, v: Span, holes: Sequence[Stone]) -> list[Span]:
    """A beam's length without the openings that it meets."""
    parts = [u]
    for hole in holes:
        across, up = zip(*hole.outline, strict=True)
        if max(up) > v[0] and min(up) < v[1]:
            last = parts.pop()
            parts += [(last[0], min(across) - JOINT_MM), (max(across) + JOINT_MM, last[1])]
    return parts


def _in(stone: Stone, u: Span) -> bool:
    return u[0] < stone.outline[0][0] < u[1]


def _beam(side: int, outline: Outline, chance: random.Random) -> Stone:
    return Stone(side, outline, chance.uniform(0.0, 0.1))


def _bay(
    side: int, u: Span, v: Span, holes: Sequence[Stone], chance: random.Random
) -> Iterator[Stone]:
    """What fills a field of half-timber: a cross of braces, a rail with braces, or boards."""
    if holes:
        left = min(point[0] for hole in holes for point in hole.outline)
        right = max(point[0] for hole in holes for point in hole.outline)
        for room in ((u[0], left - JOINT_MM), (right + JOINT_MM, u[1])):
            if room[1] - room[0] > 5.0:
                yield from _braced(side, room, v, chance, room[0] == u[0])
        return
    form = chance.choice(("rail", "cross", "braces"))
    if form == "rail":
        at = (v[0] + v[1]) / 2 + chance.uniform(-0.6, 0.6)
        rail = (at - BEAM_MM / 2, at + BEAM_MM / 2)
        yield _beam(side, lay.box(u, rail), chance)
        middle = (u[0] + u[1]) / 2
        below = (v[0], rail[0] - JOINT_MM)
        above = (rail[1] + JOINT_MM, v[1])
        yield _beam(side, lay.box((middle - 1.2, middle + 1.2), above), chance)
        yield _brace(side, (u[0], middle - 0.4), below, chance, True)
        yield _brace(side, (middle + 0.4, u[1]), below, chance, False)
    elif form == "cross":
        yield from _cross(side, u, v, chance)
    else:
        middle = (u[0] + u[1]) / 2
        yield _beam(side, lay.box((middle - 1.3, middle + 1.3), v), chance)
        yield from _braced(side, (u[0], middle - 1.3 - JOINT_MM), v, chance, True)
        yield from _braced(side, (middle + 1.3 + JOINT_MM, u[1]), v, chance, False)


def _braced(side: int, u: Span, v: Span, chance: random.Random, rising: bool) -> Iterator[Stone]:
    yield _brace(side, u, v, chance, rising)


def _brace(
    side: int, u: Span, v: Span, chance: random.Random, rising: bool, thick: float = 2.5
) -> Stone:
    """A slanting beam from corner to corner of a field."""
    run, rise = u[1] - u[0], v[1] - v[0]
    wide = thick * math.hypot(run, rise) / rise
    wide = min(wide, run * 0.6)
    a, b = (u[0], u[1] - wide) if rising else (u[1] - wide, u[0])
    return _beam(side, ((a, v[0]), (a + wide, v[0]), (b + wide, v[1]), (b, v[1])), chance)


def _cross(side: int, u: Span, v: Span, chance: random.Random) -> Iterator[Stone]:
    """A saltire: one brace whole, the other in two halves that meet it."""
    whole = _brace(side, u, v, chance, True)
    (a, low), (a_end, _), (_, high), _ = whole.outline
    wide = a_end - a
    yield whole
    share = 0.5 - (wide / 2 + JOINT_MM) / (u[1] - u[0] - wide) / 2 - 0.06
    rise = high - low
    start, end = u[1] - wide, u[0]
    for v0, v1 in ((0.0, share), (1.0 - share, 1.0)):
        u0, u1 = start + (end - start) * v0, start + (end - start) * v1
        yield _beam(
            side,
            (
                (u0, low + rise * v0),
                (u0 + wide, low + rise * v0),
                (u1 + wide, low + rise * v1),
                (u1, low + rise * v1),
            ),
            chance,
        )


def hall(run: Run, zone: Zone, chance: random.Random, holes: tuple[Stone, ...]) -> Iterator[Stone]:
    """Cut stone without mortar: pilasters at corners, a panel with a device to each tile."""
    low, high = zone.low_mm, zone.high_mm
    third = (high - low) / 3
    for side, length in enumerate(run.lengths_mm):
        tiles = run.tiles(length)
        for part in range(3):
            v = (low + third * part, low + third * (part + 1) - lay.GAP_MM)
            v = v if part < 2 else (v[0], high)
            wide = 5.2 if part != 1 else 4.0
            for u in ((0.0, wide), (length - wide, length)):
                yield Stone(side, lay.box(u, v), 0.0)
        lines = [length * tile / tiles for tile in range(1, tiles)]
        for at in lines:
            yield Stone(side, _cut(lay.box((at - 2.6, at + 2.6), (low, high)), 1.0), 0.1)
        starts = [5.2, *(at + 2.6 for at in lines)]
        ends = [*(at - 2.6 for at in lines), length - 5.2]
        for start, end in zip(starts, ends, strict=True):
            u = (start + JOINT_MM, end - JOINT_MM)
            yield _panel(side, u, (low, high), chance.randrange(4))


def _cut(outline: Outline, size_mm: float) -> Outline:
    """A rectangle with its corners cut off."""
    (u0, v0), (u1, _), (_, v1), _ = outline
    c = size_mm
    return (
        (u0 + c, v0),
        (u1 - c, v0),
        (u1, v0 + c),
        (u1, v1 - c),
        (u1 - c, v1),
        (u0 + c, v1),
        (u0, v1 - c),
        (u0, v0 + c),
    )


DEVICE_CLEAR_MM = 1.6
"""Devices stay so far from the edge of their ground."""
_DEVICES: list[list[Outline]] = [
    [((0.0, -1.0), (0.8, 0.0), (0.0, 1.0), (-0.8, 0.0))],
    [
        ((0.0, at - 0.3), (0.8, at), (0.8, at + 0.3), (0.0, at), (-0.8, at + 0.3), (-0.8, at))
        for at in (-0.7, 0.0, 0.7)
    ],
    [
        ((-0.8, 0.2), (0.8, 0.2), (0.8, 0.75), (0.6, 1.0), (-0.6, 1.0), (-0.8, 0.75)),
        ((-0.26, -1.0), (0.26, -1.0), (0.26, 0.1), (-0.26, 0.1)),
    ],
    [
        ((u - 0.4, v - 0.42), (u + 0.4, v - 0.42), (u + 0.4, v + 0.42), (u - 0.4, v + 0.42))
        for u in (-0.5, 0.5)
        for v in (-0.5, 0.5)
    ],
]
"""A lozenge, chevrons, a hammer, coffers; in shares of a panel's half width and height."""


def _panel(side: int, u: Span, v: Span, form: int) -> Stone:
    """A frame, a sunken ground and on it a device."""
    ground = (u[0] + 2.0, u[1] - 2.0), (v[0] + 2.2, v[1] - 1.9)
    (a, b), (low, high) = ground
    x, y = (a + b) / 2, (low + high) / 2
    tall, wide = (high - low) / 2 - DEVICE_CLEAR_MM, (b - a) / 2 - DEVICE_CLEAR_MM
    stones_at: list[Outline] = _DEVICES[form % len(_DEVICES)]
    devices = [tuple((x + wide * u, y + tall * v) for u, v in device) for device in stones_at]
    stones = tuple(Stone(side, device, 0.06) for device in devices)
    opening = Stone(side, _cut(lay.box(*ground), 1.6), HALL_MM, on=stones)
    return Stone(side, _cut(lay.box(u, v), 0.9), 0.0, on=(opening,))
