"""Paved tops of stone, brick and boards: strokes that lead into the slits at a tile's edges."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from falldamage_forge.geometry.relief.elements import Point
from falldamage_forge.geometry.relief.top_drawing import Line, TopDrawing, crack, rotate_point

OUTER_BOARD_MM, NAIL_MM = 10.2, 9.0
"""Distance of the outermost joint and of nails from the middle of a bridge's tile."""
STRAIGHT_MM = 2.2
"""Length over which a joint runs straight inwards from a slit."""


def _straight(door: Point, by_mm: float) -> Point:
    """Return the point straight inwards from a slit."""
    x, y = (c - math.copysign(by_mm, c) if abs(c) == max(map(abs, door)) else c for c in door)
    return x, y


def bent_joint(sketch: TopDrawing, door: Point, knee: Point) -> Line:
    """Return a line from a slit straight inwards, then towards a knee.

    Args:
        sketch: Drawing of the top.
        door: Point (x, y) of the slit, in mm.
        knee: Point towards which the line bends, in mm.
    """
    return [door, *sketch.jag(_straight(door, STRAIGHT_MM), knee, 0.25, 1)]


def _rows(sketch: TopDrawing, joints: Sequence[float], turn: int) -> None:
    """Draw three courses from slit to slit; `joints` divide the middle one."""
    at, door = sketch.keep.slit_at_mm, sketch.door_mm
    lines: list[Line] = []
    for y in (-at, at):
        lines.append(_across(sketch, y))
        for x in (-at, at):
            end = (x + sketch.near(0.8), y)
            lines.append(bent_joint(sketch, (x, math.copysign(door, y)), end))
    lines += [sketch.jag((x, -at), (x + sketch.near(0.8), at), 0.3, 2) for x in joints]
    sketch.deep += [[rotate_point(point, turn) for point in line] for line in lines]


def _across(sketch: TopDrawing, y: float) -> Line:
    """Return a joint from slit to slit across the tile."""
    inner = sketch.door_mm - STRAIGHT_MM
    return [(-sketch.door_mm, y), *sketch.jag((-inner, y), (inner, y), 0.5, 3), (sketch.door_mm, y)]


def corner_stones(sketch: TopDrawing, quarters: Sequence[int] = range(4)) -> None:
    """Draw corner stones: each joint leads from a slit to the next one round a corner.

    Args:
        sketch: Drawing of the tile.
        quarters: Corners to draw, 0 in the north-east, then clockwise.
    """
    for quarter in quarters:
        door, next_door = (sketch.doors[(2 * quarter + k) % 8] for k in (1, 2))
        inner, next_inner = (_straight(at, STRAIGHT_MM * 0.65) for at in (door, next_door))
        sketch.deep.append([door, *sketch.jag(inner, next_inner, 0.4, 1), next_door])


def _broad(sketch: TopDrawing) -> None:
    """Draw a slab between four corner stones, or two slabs: few, long joints print fast."""
    if sketch.variant % 4 == 0:
        corner_stones(sketch)
        return
    at, door, turn = sketch.keep.slit_at_mm, sketch.door_mm, sketch.variant % 4
    lines = [_across(sketch, at)]
    lines += [[(x, door), (x + sketch.near(0.4), at)] for x in (-at, at)]
    sketch.deep += [[rotate_point(point, turn) for point in line] for line in lines]
    corner_stones(sketch, (turn + 1, turn + 2))


def flags(sketch: TopDrawing) -> None:
    """Draw flagstones, some chipped: broad ones, or three courses across the tile."""
    at, chance = sketch.keep.slit_at_mm, sketch.chance
    if sketch.variant % 8 == 6:
        _rows(sketch, (sketch.near(4.0),), sketch.variant // 8)
    else:
        _broad(sketch)
    if chance.random() < 0.5:
        corner = (chance.choice((-at, at)), at)
        sketch.chip(corner, (sketch.near(9.0), sketch.near(9.0)), chance.uniform(0.9, 1.3))


def slabs(sketch: TopDrawing) -> None:
    """Draw slabs for light bases, most between four corner stones, some of them cracked."""
    if sketch.variant % 4 == 1:
        _broad(sketch)
    else:
        corner_stones(sketch)
    if sketch.chance.random() < 0.2:
        crack(sketch, sketch.chance.choice(sketch.doors), 3)


def cobbles(sketch: TopDrawing) -> None:
    """Draw rows of cobbles with different rhythms; rows and ends meet the slits."""
    at, half, chance = sketch.keep.slit_at_mm, sketch.keep.half_mm + 1.0, sketch.chance
    rows = (-half, -at, 0.0, at, half)
    turn = sketch.variant % 2
    for y in rows[1:-1]:
        wavy = [
            (x, y + (sketch.near(0.35) if abs(x) < 11 else 0.0)) for x in _steps(-half, half, 4.4)
        ]
        sketch.deep.append([rotate_point(point, turn) for point in wavy])
    for index, (low, high) in enumerate(pairwise(rows)):
        rim = index in (0, len(rows) - 2)
        places = [-at, at, sketch.near(0.8)] if rim else []
        if rim:
            places += [side * (at + 3.6 + sketch.near(0.3)) for side in (-1, 1)]
        else:
            # None ends beside a keyhole: a slicer supports a wide place from the keyhole's mouth.
            start = chance.uniform(-8.4, -5.7)
            places = [start + k * 4.7 + sketch.near(0.5) for k in range(4)]
        for x in places:
            lean = 0.0 if rim else sketch.near(0.4)
            line = [(x, low), (x + lean, high)]
            sketch.deep.append([rotate_point(point, turn) for point in line])


def _steps(low: float, high: float, stride: float) -> list[float]:
    count = max(1, round((high - low) / stride))
    return [low + (high - low) * index / count for index in range(count + 1)]


def bricks(sketch: TopDrawing) -> None:
    """Draw bricks on edge: running bond, basket weave, or two soldier courses, on a 6 mm grid."""
    at, half = sketch.keep.slit_at_mm, sketch.keep.half_mm + 1.0
    form, turn = sketch.variant % 4, (sketch.variant // 4) % 2
    lines: list[Line] = []
    if form in (0, 2):
        for y in (-at, 0.0, at):
            lines.append([(-half, y), (half, y)])
        # The outer courses have their joints at the slits.
        starts = (-at, 0.0, at / 2, -at) if form == 0 else (-at, -at / 2, 0.0, -at)
        for low, start in zip((-half, -at, 0.0, at), starts, strict=True):
            high = {-half: -at, -at: 0.0, 0.0: at, at: half}[low]
            lines += [[(x, low), (x, high)] for x in (start - 12, start, start + 12) if abs(x) < 12]
    elif form == 1:
        lines += [[(0.0, -half), (0.0, half)], [(-half, 0.0), (half, 0.0)]]
        for sx, sy in ((-1, 1), (1, -1)):
            lines.append([(sx * at, 0.0), (sx * at, sy * half)])
        for sx, sy in ((1, 1), (-1, -1)):
            lines.append([(0.0, sy * at), (sx * half, sy * at)])
        lines.append([(-at, -at), (-at, -half)])
        lines.append([(at, at), (at, half)])
        lines.append([(-half, at), (-at, at)])
        lines.append([(at, -at), (half, -at)])
    else:
        lines += [[(-half, at), (half, at)], [(-half, -at), (half, -at)]]
        lines += [[(x, y), (x, -y)] for x in (-8.0, -4.0, 0.0, 4.0, 8.0) for y in (at,)]
        lines += [[(x, s * at), (x, s * half)] for x in (-at, at) for s in (-1, 1)]
    for first, last in lines:
        sketch.deep.append(
            [rotate_point(point, turn) for point in sketch.jag(first, last, 0.12, 2)]
        )
    for _ in range(2):
        corner = (sketch.chance.choice((-at, 0.0, at)), sketch.chance.choice((-at, 0.0, at)))
        sketch.chip(corner, (sketch.near(9.0), sketch.near(9.0)), 1.0)


def planks(sketch: TopDrawing) -> None:
    """Draw four boards with butt joints, nails and some grain."""
    at, half, chance = sketch.keep.slit_at_mm, sketch.keep.half_mm + 1.0, sketch.chance
    turn = sketch.variant % 2
    lines: list[Line] = []
    for x in (-at, 0.0, at):
        lines.append(
            [(x, y) if abs(y) > 10 else (x + sketch.near(0.14), y) for y in _steps(-half, half, 6)]
        )
    ends = []
    for side in (-1, 1):
        ends += [(side * at, side * half, y) for y in (-at, at)]
    ends += [(-at, 0.0, chance.choice((-8.5, -3.5, 3.0, 8.0)))]
    ends += [(0.0, at, chance.choice((-9.0, -2.5, 4.0, 7.5)))]
    for x0, x1, y in ends:
        lines.append([(x0, y), (x1, y)])
        for step in (-1.5, 1.5):
            middle = (max(x0, -12.6) + min(x1, 12.6)) / 2 if abs(x1) <= half else 0.0
            for x in (middle - 1.4, middle + 1.4):
                _nail(sketch, rotate_point((x, y + step), turn))
    for _ in range(3):
        x, y = chance.choice((-9.4, -3.0, 3.0, 9.4)), sketch.near(9.0)
        if all(abs(y - end) > 4.0 for *_, end in ends):
            grain = [(x + sketch.near(0.3), y - 2.2), (x, y), (x + sketch.near(0.4), y + 2.4)]
            sketch.fine.append([rotate_point(point, turn) for point in grain])
    sketch.deep += [[rotate_point(point, turn) for point in line] for line in lines]


def gangway(sketch: TopDrawing) -> None:
    """Draw the boards of a bridge: narrow ones across the way, a broad one from tile to tile."""
    at, half = sketch.keep.slit_at_mm, sketch.keep.half_mm + 1.0
    for x in (-OUTER_BOARD_MM, -at, -at / 3, at / 3, at, OUTER_BOARD_MM):
        line = [
            (x, y) if abs(y) > 10 else (x + sketch.near(0.14), y) for y in _steps(-half, half, 6)
        ]
        sketch.deep.append(line)
    for x, y in ((-1, -at), (-1, at), (1, -at), (1, at)):
        sketch.deep.append([(x * half, y), (x * OUTER_BOARD_MM, y)])
    for x in (-at * 2 / 3, 0.0, at * 2 / 3):
        for y in (-NAIL_MM, NAIL_MM):
            _nail(sketch, (x, y + sketch.near(0.4)))


def _nail(sketch: TopDrawing, at: Point) -> None:
    import shapely

    sketch.chips.append(shapely.Point(at).buffer(0.55, quad_segs=2))


def inlay(sketch: TopDrawing) -> None:
    """Draw cut stone of a dwarf hall: bands from slit to slit about a device in the middle."""
    at, door = sketch.keep.slit_at_mm, sketch.door_mm
    form = sketch.variant % 4
    corner = at + 2.4
    for turn in range(4):
        for x in (-at, at):
            sketch.deep.append([rotate_point((x, door), turn), rotate_point((x, corner), turn)])
        sketch.deep.append([rotate_point((-at, corner), turn), rotate_point((at, corner), turn)])
        sketch.deep.append([rotate_point((at, corner), turn), rotate_point((corner, at), turn)])
    _DEVICES[form](sketch)


def _diamond(sketch: TopDrawing) -> None:
    for reach in (6.2, 3.2):
        ring = [rotate_point((0.0, reach), turn) for turn in range(4)]
        sketch.deep.append([*ring, ring[0]])


def _star(sketch: TopDrawing) -> None:
    ring = []
    for index in range(16):
        reach = 6.0 if index % 2 == 0 else 3.4
        angle = math.pi * index / 8
        ring.append((reach * math.sin(angle), reach * math.cos(angle)))
    sketch.deep.append([*ring, ring[0]])


def _squares(sketch: TopDrawing) -> None:
    for lean in (0.0, math.pi / 4):
        ring = [
            (6.9 * math.sin(lean + math.pi * k / 2), 6.9 * math.cos(lean + math.pi * k / 2))
            for k in range(4)
        ]
        sketch.deep.append([*ring, ring[0]])


def _hammer(sketch: TopDrawing) -> None:
    head = [(-4.6, 1.2), (-4.6, 4.6), (4.6, 4.6), (4.6, 2.6), (2.4, 1.2)]
    sketch.deep.append([*head, head[0]])
    sketch.deep.append([(-1.0, 1.2), (-1.0, -5.8), (1.0, -5.8), (1.0, 1.2)])


_DEVICES: tuple[Callable[[TopDrawing], None], ...] = (_diamond, _star, _squares, _hammer)
