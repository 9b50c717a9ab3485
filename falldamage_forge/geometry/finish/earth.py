"""Tops that nobody laid: turf, trodden earth, broken paving and bare rock."""

from __future__ import annotations

import math

from falldamage_forge.geometry.finish.model import Point
from falldamage_forge.geometry.finish.sketch import Sketch, crack, turned

ROOTS_MM = 1.25
"""How far the roots of a tuft's blades are apart."""


def _between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def turf(sketch: Sketch) -> None:
    """Tufts of three blades in drifts, and a pebble here and there."""
    taken: list[Point] = []
    chance = sketch.chance
    drifts = [(sketch.near(7.5), sketch.near(7.5)) for _ in range(3)]
    for _ in range(90):
        if len(taken) == 8:
            break
        x0, y0 = chance.choice(drifts)
        x, y = x0 + chance.gauss(0, 3.6), y0 + chance.gauss(0, 3.6)
        if abs(x) > 9.2 or not -11.4 < y < 8.6 or _near_slit(sketch, (x, y + 1.5), 4.2):
            continue
        if any(abs(x - u) < 6.4 and abs(y - v) < 4.6 for u, v in taken):
            continue
        taken.append((x, y))
        _tuft(sketch, (x, y))
    for _ in range(20):
        x, y = sketch.near(11.0), sketch.near(11.0)
        clear = all(math.dist((x, y), (u, v + 1.2)) > 5.0 for u, v in taken)
        if len(taken) < 12 and clear and not _near_slit(sketch, (x, y), 2.8):
            taken.append((x, y))
            _pebble(sketch, (x, y), chance.uniform(0.7, 1.3))


def _near_slit(sketch: Sketch, point: Point, least_mm: float) -> bool:
    import shapely

    return bool(sketch.keep.slits().distance(shapely.Point(point)) < least_mm)


def _tuft(sketch: Sketch, at: Point) -> None:
    """Three blades, all bent by the same wind.

    They stand apart, since a root that they share is so wide that it asks for supports.
    """
    tall, wind = sketch.chance.uniform(2.4, 3.4), sketch.near(0.5)
    for side, share in ((-1, 0.8), (0.1, 1.1), (1, 0.75)):
        reach = side * sketch.chance.uniform(0.95, 1.2) + wind
        high = tall * share * sketch.chance.uniform(0.85, 1.1)
        x, y = at[0] + side * ROOTS_MM, at[1]
        sketch.fine.append([(x, y), (x + reach * 0.35, y + high * 0.6), (x + reach, y + high)])


def _pebble(sketch: Sketch, at: Point, radius_mm: float) -> None:
    """The outline of a stone that lies about."""
    count, phase = 7, sketch.chance.uniform(0, 6)
    ring = []
    for index in range(count + 1):
        angle = phase + 2 * math.pi * (index % count) / count
        reach = radius_mm * (1.25 + 0.2 * math.sin(3 * angle))
        ring.append((at[0] + reach * 1.15 * math.cos(angle), at[1] + reach * math.sin(angle)))
    sketch.fine.append(ring)


def gravel(sketch: Sketch) -> None:
    """Trodden earth with pebbles, and a rut that runs from slit to slit."""
    at, door, chance = sketch.keep.slit_at_mm, sketch.door_mm, sketch.chance
    turn = sketch.variant % 4
    for x in (-at, at) if sketch.variant % 2 else (-at,):
        rut = [(x, door), (x + sketch.near(0.8), 5.0), (x + sketch.near(1.0), -4.0), (x, -door)]
        sketch.deep.append([turned(point, turn) for point in rut])
    taken: list[Point] = []
    for _ in range(200):
        point = (sketch.near(11.2), sketch.near(11.2))
        turned_at = turned(point, turn)
        if abs(abs(point[0]) - at) < 2.6 or _near_slit(sketch, turned_at, 2.4):
            continue
        if any(math.dist(turned_at, other) < 4.1 for other in taken):
            continue
        taken.append(turned_at)
        _pebble(sketch, turned_at, chance.uniform(0.7, 1.45))
        if len(taken) == 11:
            break


def crazy(sketch: Sketch) -> None:
    """Broken paving: polygons of every size, cracks, and weeds in the gaps."""
    import shapely

    chance, half = sketch.chance, sketch.keep.half_mm + 1.5
    seeds = _scattered(sketch, 11, 6.3, half)
    cells = shapely.voronoi_polygons(
        shapely.MultiPoint(seeds), extend_to=shapely.box(-half, -half, half, half), only_edges=True
    )
    inner = shapely.intersection(cells, shapely.box(-half, -half, half, half))
    joints = [list(line.coords) for line in shapely.get_parts(shapely.line_merge(inner))]
    sketch.deep += [line for line in joints if len(line) > 1]
    for _ in range(2):
        crack(sketch, chance.choice(seeds), 2)


def _scattered(sketch: Sketch, count: int, apart_mm: float, half: float) -> list[Point]:
    """Points apart from each other; each slit lies half-way between two, so a joint meets it.

    The stone between two slits and those in the corners are as far from a slit as each other.
    """
    at, door = sketch.keep.slit_at_mm, sketch.keep.slit_in_mm
    points = []
    for turn in range(4):
        middle = (sketch.near(0.35), door - 0.9 + sketch.near(0.3))
        reach = math.dist(middle, (at, door))
        corner = (at + door) / 2 + math.sqrt(max(reach**2 / 2 - ((door - at) / 2) ** 2, 0.0))
        points += [turned(middle, turn), turned((corner, corner), turn)]
    for _ in range(400):
        point = (sketch.near(half - 5.5), sketch.near(half - 5.5))
        if all(math.dist(point, other) > apart_mm for other in points):
            points.append(point)
        if len(points) >= 8 + count:
            break
    return points


def cracks(sketch: Sketch) -> None:
    """Bare rock: fractures that run from slit to slit and branch."""
    at, door, chance = sketch.keep.slit_at_mm, sketch.door_mm, sketch.chance
    turn = sketch.variant % 4
    doors = [(-at, door), (door, at), (at, -door), (-door, -at)]
    if sketch.variant // 2 % 2:
        doors = [(at, door), (door, -at), (-at, -door), (-door, at)]
    heart = (sketch.near(2.5), sketch.near(2.5))
    for index, start in enumerate(doors):
        inward = (
            start[0] * 0.86 if abs(start[0]) > 8 else start[0],
            start[1] * 0.86 if abs(start[1]) > 8 else start[1],
        )
        target = heart if index != 3 or chance.random() < 0.5 else _between(heart, doors[0], 0.4)
        line = [start, *sketch.jag(inward, target, 1.1, 3)]
        sketch.deep.append([turned(point, turn) for point in line])
        knee = turned(line[3], turn)
        crack(sketch, knee, 3, 2.4)
