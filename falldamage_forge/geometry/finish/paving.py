"""Tops of stone, brick and boards, as strokes that lead into the slits at a tile's edges."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from falldamage_forge.geometry.finish.model import Point
from falldamage_forge.geometry.finish.sketch import Line, Sketch, crack, turned


def _ways(sketch: Sketch) -> tuple[Line, ...]:
    """For each corner of the middle stone: itself, the slit north or south of it, and the other."""
    at, door = sketch.keep.slit_at_mm, sketch.door_mm
    ways = []
    for quarter in range(4):
        knee = (at + sketch.near(1.3), at + sketch.near(1.3))
        ways.append([turned(point, quarter) for point in (knee, (at, door), (door, at))])
    return tuple(ways)


def _slabs(sketch: Sketch, drops: Sequence[int], middle: int, cracks: int) -> None:
    """A ring of stones about a middle one. `drops` names per corner the joint that is left out."""
    ways = _ways(sketch)
    knees = [way[0] for way in ways]
    for (knee, *doors), drop in zip(ways, drops, strict=True):
        for index, door in enumerate(doors, start=1):
            if index != drop:
                sketch.deep.append(_bent(sketch, door, knee))
    for index, knee in enumerate(knees):
        sketch.deep.append(sketch.jag(knee, knees[index - 1], 0.35, 2))
    if middle:
        first, second = ((0, 1), (2, 3)) if middle == 1 else ((1, 2), (3, 0))
        share = sketch.chance.uniform(0.36, 0.64)
        a = _between(knees[first[0]], knees[first[1]], share)
        b = _between(knees[second[1]], knees[second[0]], sketch.chance.uniform(0.36, 0.64))
        sketch.deep.append(sketch.jag(a, b, 0.35, 2))
    for knee in sketch.chance.sample(knees, 2):
        sketch.chip(knee, (sketch.near(9.0), sketch.near(9.0)), sketch.chance.uniform(0.9, 1.3))
    for _ in range(cracks):
        crack(sketch, sketch.chance.choice(knees), 3)


def _bent(sketch: Sketch, door: Point, knee: Point) -> Line:
    """From a slit straight inwards, then towards a knee."""
    horizontal = abs(door[0]) > abs(door[1])
    inner = 0.9
    start = (
        (door[0] * (1 - inner / abs(door[0])), door[1])
        if horizontal
        else (
            door[0],
            door[1] * (1 - inner / abs(door[1])),
        )
    )
    return [door, *sketch.jag(start, knee, 0.25, 1)]


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def flags(sketch: Sketch) -> None:
    """Flagstones: a middle stone with long ones about it, or three that lie across the tile."""
    chance = sketch.chance
    if sketch.variant // 2 % 2:
        _across(sketch)
        return
    drops = [chance.choice((1, 2)) for _ in range(4)]
    _slabs(sketch, drops, (0, 1, 2)[sketch.variant % 3], chance.choice((0, 1)))


def _across(sketch: Sketch) -> None:
    """One joint from edge to edge, and one that parts the broader half."""
    at, door = sketch.keep.slit_at_mm, sketch.door_mm
    turn = sketch.variant % 4
    share = sketch.chance.choice((-at, at))
    for start, end in (((-door, at), (door, at)), ((share, at), (share, -door))):
        sketch.deep.append(sketch.jag(turned(start, turn), turned(end, turn), 0.35, 3))
    if sketch.chance.random() < 0.5:
        crack(sketch, turned((share, at), turn), 3)


def slabs(sketch: Sketch) -> None:
    """Broad slabs, three to a tile, for bases that are to be light."""
    at, door, chance = sketch.keep.slit_at_mm, sketch.door_mm, sketch.chance
    turn = sketch.variant % 4
    lines: list[Line] = []
    form = (sketch.variant // 4 + sketch.variant) % 4
    if form == 0:
        lines = [[(-door, at), (door, at)], [(at, at), (at, -door)]]
    elif form == 1:
        lines = [[(-at, door), (-at, -door)], [(-at, -at), (door, -at)]]
    elif form == 2:
        lines = [[(at, door), (at, -at)], [(-door, -at), (door, -at)]]
    else:
        lines = [[(-door, -at), (at, -at)], [(at, -door), (at, door)]]
    for start, end in lines:
        sketch.fine.append(sketch.jag(turned(start, turn), turned(end, turn), 0.3, 3))
    if chance.random() < 0.4:
        crack(sketch, turned(lines[0][1], turn), 3)


def cobbles(sketch: Sketch) -> None:
    """Rows of cobbles, each row of its own rhythm; rows and ends meet the slits."""
    at, half, chance = sketch.keep.slit_at_mm, sketch.keep.half_mm + 1.0, sketch.chance
    rows = (-half, -at, 0.0, at, half)
    turn = sketch.variant % 2
    for y in rows[1:-1]:
        wavy = [
            (x, y + (sketch.near(0.35) if abs(x) < 11 else 0.0)) for x in _steps(-half, half, 4.4)
        ]
        sketch.deep.append([turned(point, turn) for point in wavy])
    for index, (low, high) in enumerate(pairwise(rows)):
        rim = index in (0, len(rows) - 2)
        places = [-at, at, sketch.near(0.8)] if rim else []
        if rim:
            places += [side * (at + 3.6 + sketch.near(0.3)) for side in (-1, 1)]
        else:
            start = chance.uniform(-9.6, -7.6)
            places = [start + k * 4.7 + sketch.near(0.5) for k in range(5)]
            places = [place for place in places if abs(place) < 11.4]
        for x in places:
            lean = 0.0 if rim else sketch.near(0.4)
            line = [(x, low), (x + lean, high)]
            sketch.deep.append([turned(point, turn) for point in line])


def _steps(low: float, high: float, stride: float) -> list[float]:
    count = max(1, round((high - low) / stride))
    return [low + (high - low) * index / count for index in range(count + 1)]


def bricks(sketch: Sketch) -> None:
    """Bricks on edge: running bond, basket weave, or two soldier courses, all on a 6 mm grid."""
    at, half = sketch.keep.slit_at_mm, sketch.keep.half_mm + 1.0
    form, turn = sketch.variant % 4, (sketch.variant // 4) % 2
    lines: list[Line] = []
    if form in (0, 2):
        for y in (-at, 0.0, at):
            lines.append([(-half, y), (half, y)])
        starts = (-at, 0.0, -at, 0.0) if form == 0 else (0.0, -at, 0.0, -at)
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
        sketch.deep.append([turned(point, turn) for point in sketch.jag(first, last, 0.12, 2)])
    for _ in range(2):
        corner = (sketch.chance.choice((-at, 0.0, at)), sketch.chance.choice((-at, 0.0, at)))
        sketch.chip(corner, (sketch.near(9.0), sketch.near(9.0)), 1.0)


def planks(sketch: Sketch) -> None:
    """Four boards with butt joints, nails and a little grain."""
    at, half, chance = sketch.keep.slit_at_mm, sketch.keep.half_mm + 1.0, sketch.chance
    turn = sketch.variant % 2
    lines: list[Line] = []
    for x in (-at, 0.0, at):
        lines.append(
            [(x, y) if abs(y) > 10 else (x + sketch.near(0.14), y) for y in _steps(-half, half, 6)]
        )
    ends = []
    for side in (-1, 1):
        ends += [(side * at, side * half, y) for y in (-at, at) if chance.random() < 0.6]
    ends += [(-at, 0.0, chance.choice((-8.5, -3.5, 3.0, 8.0)))]
    ends += [(0.0, at, chance.choice((-9.0, -2.5, 4.0, 7.5)))]
    for x0, x1, y in ends:
        lines.append([(x0, y), (x1, y)])
        for step in (-1.5, 1.5):
            middle = (max(x0, -12.6) + min(x1, 12.6)) / 2 if abs(x1) <= half else 0.0
            for x in (middle - 1.4, middle + 1.4):
                _nail(sketch, turned((x, y + step), turn))
    for _ in range(3):
        x, y = chance.choice((-9.4, -3.0, 3.0, 9.4)), sketch.near(9.0)
        if all(abs(y - end) > 4.0 for *_, end in ends):
            grain = [(x + sketch.near(0.3), y - 2.2), (x, y), (x + sketch.near(0.4), y + 2.4)]
            sketch.fine.append([turned(point, turn) for point in grain])
    sketch.deep += [[turned(point, turn) for point in line] for line in lines]


def _nail(sketch: Sketch, at: Point) -> None:
    import shapely

    sketch.chips.append(shapely.Point(at).buffer(0.55, quad_segs=2))


def inlay(sketch: Sketch) -> None:
    """Cut stone of a dwarf hall: straight bands from slit to slit about a device in the middle."""
    at, door = sketch.keep.slit_at_mm, sketch.door_mm
    form = sketch.variant % 4
    corner = at + 2.4
    for turn in range(4):
        for x in (-at, at):
            sketch.deep.append([turned((x, door), turn), turned((x, corner), turn)])
        sketch.deep.append([turned((-at, corner), turn), turned((at, corner), turn)])
        sketch.deep.append([turned((at, corner), turn), turned((corner, at), turn)])
    _DEVICES[form](sketch)


def _diamond(sketch: Sketch) -> None:
    for reach in (6.2, 3.2):
        ring = [turned((0.0, reach), turn) for turn in range(4)]
        sketch.deep.append([*ring, ring[0]])


def _star(sketch: Sketch) -> None:
    ring = []
    for index in range(16):
        reach = 6.0 if index % 2 == 0 else 3.4
        angle = math.pi * index / 8
        ring.append((reach * math.sin(angle), reach * math.cos(angle)))
    sketch.deep.append([*ring, ring[0]])


def _squares(sketch: Sketch) -> None:
    for lean in (0.0, math.pi / 4):
        ring = [
            (6.2 * math.sin(lean + math.pi * k / 2), 6.2 * math.cos(lean + math.pi * k / 2))
            for k in range(4)
        ]
        sketch.deep.append([*ring, ring[0]])


def _hammer(sketch: Sketch) -> None:
    head = [(-4.6, 1.2), (-4.6, 4.6), (4.6, 4.6), (4.6, 2.6), (2.4, 1.2)]
    sketch.deep.append([*head, head[0]])
    sketch.deep.append([(-1.0, 1.2), (-1.0, -5.8), (1.0, -5.8), (1.0, 1.2)])


_DEVICES: tuple[Callable[[Sketch], None], ...] = (_diamond, _star, _squares, _hammer)
