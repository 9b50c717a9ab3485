"""Natural tops: turf, trodden earth, broken paving, bare rock, sand and snow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from falldamage_forge.geometry.relief.elements import Point, between
from falldamage_forge.geometry.relief.top_drawing import Line, TopDrawing, crack, rotate_point

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

STROKE_MM = 0.9
"""Distance between two strokes, less the stone that is left between them: that of a stroke and of
what smoothing takes."""
PEBBLE_REACH, PEBBLE_TRIES = 1.6, 400
"""How far the outline of a pebble reaches, in radii."""
PEBBLE_RADII_MM = 0.8, 1.3
"""Radii of pebbles; of smaller ones no stone is left inside, and the outline falls apart."""
MOUTH_MM = 2.0
"""Distance from a slit at which joints meet."""


def turf(sketch: TopDrawing) -> None:
    """Draw tufts of three blades in drifts and at the slits, and some pebbles."""
    taken: list[Point] = []
    chance = sketch.chance
    for door in sketch.doors:
        _rooted(sketch, door)
    drifts = [(sketch.near(7.5), sketch.near(7.5)) for _ in range(3)]
    for _ in range(90):
        if len(taken) == 5:
            break
        x0, y0 = chance.choice(drifts)
        x, y = x0 + chance.gauss(0, 3.6), y0 + chance.gauss(0, 3.6)
        if abs(x) > 9.2 or not -11.4 < y < 8.6 or _near_slit(sketch, (x, y + 1.5), 5.4):
            continue
        if any(abs(x - u) < 6.4 and abs(y - v) < 4.6 for u, v in taken):
            continue
        taken.append((x, y))
        _tuft(sketch, (x, y))
    _pebbles(sketch, most=3, tries=30)


def _inwards(door: Point) -> tuple[Point, Point]:
    """Return the directions from a slit inwards, and along its edge."""
    x, y = door
    inner = (-math.copysign(1.0, x), 0.0) if abs(x) > abs(y) else (0.0, -math.copysign(1.0, y))
    return inner, (-inner[1], inner[0])


def _rooted(sketch: TopDrawing, door: Point) -> None:
    """Draw a tuft of two blades, one of which grows out of a slit."""
    (dx, dy), (ex, ey) = _inwards(door)

    def at(deep: float, along: float) -> Point:
        return door[0] + deep * dx + along * ex, door[1] + deep * dy + along * ey

    lean = sketch.near(1.1)
    tall = sketch.chance.uniform(3.0, 4.2)
    sketch.deep.append([door, at(tall * 0.55, lean * 0.35), at(tall, lean)])
    root = sketch.chance.choice((-1, 1)) * sketch.chance.uniform(2.0, 2.6)
    high = tall * sketch.chance.uniform(0.45, 0.75)
    sketch.fine.append([at(-0.4, root), at(high * 0.6, root * 1.15), at(high, root * 1.3 + lean)])


def _rill(sketch: TopDrawing, door: Point, to: Point) -> Line:
    """Draw a fissure that wanders from a slit to a point; return it."""
    (dx, dy), _ = _inwards(door)
    inner = (door[0] + 2.0 * dx, door[1] + 2.0 * dy)
    line = [door, *sketch.jag(inner, to, 0.9, 2)]
    sketch.deep.append(line)
    return line


def _near_slit(sketch: TopDrawing, point: Point, least_mm: float) -> bool:
    import shapely

    return bool(sketch.keep.slits().distance(shapely.Point(point)) < least_mm)


def _apart_mm(sketch: TopDrawing) -> float:
    """Return the distance of strokes with stone between them, as drawn."""
    return sketch.keep.squeeze * (STROKE_MM + sketch.keep.tip_mm)


def _tuft(sketch: TopDrawing, at: Point) -> None:
    """Draw three blades, bent by the same wind.

    Their roots are apart: a shared root would be wide enough to need supports.
    """
    tall, wind = sketch.chance.uniform(2.4, 3.4), sketch.near(0.5)
    roots = _apart_mm(sketch)
    for side, share in ((-1, 0.8), (0, 1.1), (1, 0.75)):
        reach = side * sketch.chance.uniform(0.95, 1.2) + wind
        high = tall * share * sketch.chance.uniform(0.85, 1.1)
        x, y = at[0] + side * roots, at[1]
        sketch.fine.append([(x, y), (x + reach * 0.35, y + high * 0.6), (x + reach, y + high)])


def _pebble(sketch: TopDrawing, at: Point, radius_mm: float) -> None:
    """Draw the outline of a stone."""
    count, phase = 7, sketch.chance.uniform(0, 6)
    ring = []
    for index in range(count + 1):
        angle = phase + 2 * math.pi * (index % count) / count
        reach = radius_mm * (1.25 + 0.2 * math.sin(3 * angle))
        ring.append((at[0] + reach * 1.15 * math.cos(angle), at[1] + reach * math.sin(angle)))
    sketch.fine.append(ring)


def _pebbles(sketch: TopDrawing, most: int, tries: int = PEBBLE_TRIES) -> None:
    """Draw stones where there is room between what is drawn, and slits."""
    import shapely

    drawn = _all_drawn(sketch)
    clear = _apart_mm(sketch)
    taken: list[tuple[Point, float]] = []
    for _ in range(tries):
        point = sketch.near(11.2), sketch.near(11.2)
        radius = sketch.chance.uniform(*PEBBLE_RADII_MM)
        least = PEBBLE_REACH * radius + clear
        if _near_slit(sketch, point, least) or drawn.distance(shapely.Point(point)) < least:
            continue
        if any(math.dist(point, at) < least + PEBBLE_REACH * other for at, other in taken):
            continue
        taken.append((point, radius))
        _pebble(sketch, point, radius)
        if len(taken) == most:
            break


def gravel(sketch: TopDrawing) -> None:
    """Draw trodden earth: ruts from slit to slit, fissures from the others, pebbles between."""
    at, door, chance = sketch.keep.slit_at_mm, sketch.door_mm, sketch.chance
    turn = sketch.variant % 4
    for x in (-at, at):
        rut = [(x, door), (x + sketch.near(0.8), 5.0), (x + sketch.near(1.0), -4.0), (x, -door)]
        sketch.deep.append([rotate_point(point, turn) for point in rut])
    for x, y in ((door, at), (door, -at), (-door, at), (-door, -at)):
        reach = math.copysign(chance.uniform(7.4, 9.0), x)
        end = (reach, y + sketch.near(1.2))
        _rill(sketch, rotate_point((x, y), turn), rotate_point(end, turn))
    _pebbles(sketch, most=9)


def crazy(sketch: TopDrawing) -> None:
    """Draw broken paving: polygons of every size, cracks, and weeds in the gaps."""
    seeds = scattered(sketch, 5, 7.6)
    sketch.deep += plates(sketch, seeds)
    for _ in range(2):
        crack(sketch, sketch.chance.choice(seeds), 2)


def plates(sketch: TopDrawing, seeds: Sequence[Point]) -> list[Line]:
    """Return the joints between plates about points, one of them into every slit.

    Joints meet before a slit, not in its mouth: a wide pit there would need supports.

    Args:
        sketch: Drawing of the top.
        seeds: Points (x, y) in mm, one for each plate.
    """
    import shapely

    box = shapely.box(*(-sketch.door_mm,) * 2, *(sketch.door_mm,) * 2)
    cells = shapely.voronoi_polygons(shapely.MultiPoint(seeds), extend_to=box, only_edges=True)
    edges = shapely.line_merge(shapely.intersection(cells, box))
    ways = []
    for door in sketch.doors:
        (dx, dy), _ = _inwards(door)
        ways.append((door, (door[0] + MOUTH_MM * dx, door[1] + MOUTH_MM * dy)))

    def out_of_mouth(point: Point) -> Point:
        return next((knee for door, knee in ways if math.dist(point, door) < MOUTH_MM), point)

    joints: list[Line] = [
        [out_of_mouth((x, y)) for x, y in line.coords] for line in shapely.get_parts(edges)
    ]
    joints = [line for line in joints if line[0] != line[-1]]
    inner = shapely.MultiLineString(joints)
    for door, knee in ways:
        x, y = shapely.shortest_line(shapely.Point(knee), inner).coords[1]
        joints.append([door, knee, (x, y)])
    return joints


def scattered(sketch: TopDrawing, count: int, apart_mm: float) -> list[Point]:
    """Return scattered points; each slit lies half-way between two, so that a joint meets it.

    The stone between two slits and those in the corners are equally far from a slit.

    Args:
        sketch: Drawing of the top.
        count: Number of points beside those of the slits.
        apart_mm: Least distance of two points.
    """
    at, door, half = sketch.keep.slit_at_mm, sketch.door_mm - 0.1, sketch.keep.half_mm + 1.5
    points = []
    for turn in range(4):
        middle = (sketch.near(0.35), door - 0.9 + sketch.near(0.3))
        reach = math.dist(middle, (at, door))
        corner = (at + door) / 2 + math.sqrt(max(reach**2 / 2 - ((door - at) / 2) ** 2, 0.0))
        points += [rotate_point(middle, turn), rotate_point((corner, corner), turn)]
    for _ in range(400):
        point = (sketch.near(half - 5.5), sketch.near(half - 5.5))
        if all(math.dist(point, other) > apart_mm for other in points):
            points.append(point)
        if len(points) >= 8 + count:
            break
    return points


def cracks(sketch: TopDrawing) -> None:
    """Draw bare rock: fractures from every second slit to a heart, the others run into them."""
    chance = sketch.chance
    first = sketch.variant % 2
    heart = (sketch.near(2.5), sketch.near(2.5))
    fractures = [_rill(sketch, door, heart) for door in sketch.doors[first::2]]
    for index, door in enumerate(sketch.doors[1 - first :: 2]):
        beside = fractures[(index + chance.randrange(2) * (1 - 2 * first)) % 4]
        _rill(sketch, door, between(beside[1], beside[2], chance.uniform(0.2, 0.8)))
    for line in fractures[::2]:
        crack(sketch, line[2], 3, 2.4)


def sand(sketch: TopDrawing) -> None:
    """Draw ripples of wind from slit to slit, and short ones between them."""
    at, door, chance = sketch.keep.slit_at_mm, sketch.door_mm, sketch.chance
    turn = sketch.variant // 2 % 2
    shift = chance.uniform(0.0, 2 * math.pi)

    def ripple(y: float, low: float, high: float) -> Line:
        count = max(2, round((high - low) / 1.5))
        line = []
        for step in range(count + 1):
            x = low + (high - low) * step / count
            calm = min(1.0, (door - abs(x)) / 3.0)
            line.append((x, y + 0.9 * calm * math.sin(0.42 * x + shift + y / 4)))
        return [rotate_point(point, turn) for point in line]

    sketch.deep += [ripple(y, -door, door) for y in (-at, at)]
    for y in (-9.6, -3.0, 0.2, 3.2, 9.6):
        half = chance.uniform(3.0, 4.6) if abs(y) > at else chance.uniform(5.0, 8.6)
        middle = 0.0 if abs(y) > at else sketch.near(8.8 - half)
        sketch.fine.append(ripple(y, middle - half, middle + half))
    for x in (-at, at):
        for way in (-1, 1):
            end = (x + sketch.near(1.4), way * (at + 1.6))
            _rill(sketch, rotate_point((x, way * door), turn), rotate_point(end, turn))


DRIFT_MM, TRACK_MM, STRIDE_MM = 1.7, 2.4, 3.3
"""Least distance between things on snow, the width of a track, and a step."""


def snow(sketch: TopDrawing) -> None:
    """Draw drifts: a ridge from west to east, tails that end beside it; a track, or a stone."""
    at, door, chance = sketch.keep.slit_at_mm, sketch.door_mm, sketch.chance
    west, east = ((at, at), (at, -at), (-at, -at), (-at, at))[sketch.variant % 4]
    swell = chance.uniform(0.8, 1.5) * math.copysign(1.0, -west)

    def ridge(share: float) -> Point:
        along = share * share * (3 - 2 * share)
        level = math.sin(math.pi * share) ** 2
        return door * (2 * share - 1), west + (east - west) * along + swell * level

    sketch.deep.append([ridge(step / 16) for step in range(17)])
    if west == east and sketch.variant // 4 % 2:
        _track(sketch, -0.15 * west)
    else:
        low = chance.uniform(0.15, 0.3)
        lee = math.copysign(2.4, east - west if east != west else -west)
        face = [ridge(low + step / 24) for step in range(round(chance.uniform(0.34, 0.46) * 24))]
        sketch.fine.append([(x, y + lee) for x, y in face])
    tails = [(x, y) for x in (-at, at) for y in (door, -door)]
    for end in ((-door, -west), (door, -east), *tails):
        _tail(sketch, end)
    for _ in range(60):
        point, radius = (sketch.near(9.0), sketch.near(9.0)), chance.uniform(1.0, 1.5)
        if sketch.variant % 3 == 0 and _clear(sketch, [point], 1.5 * radius + DRIFT_MM):
            _pebble(sketch, point, radius)
            break


def _clear(sketch: TopDrawing, line: Line, apart_mm: float) -> bool:
    """True if points lie inside and apart from all that is drawn."""
    import shapely

    inside = max(abs(part) for point in line for part in point) < sketch.door_mm - 0.6
    return inside and bool(_all_drawn(sketch).distance(shapely.MultiPoint(list(line))) > apart_mm)


def _all_drawn(sketch: TopDrawing) -> BaseGeometry:
    import shapely

    return shapely.MultiLineString([list(line) for line in (*sketch.deep, *sketch.fine)])


def _tail(sketch: TopDrawing, door: Point) -> None:
    """Draw the tail of a drift: from a slit inwards, bent to the east, and thin at last.

    It is as long as what is drawn allows.
    """
    (dx, dy), _ = _inwards(door)
    ex, ey = abs(dy), -sketch.near(0.25) * abs(dx)
    deep, along = sketch.chance.uniform(6.0, 8.5), sketch.chance.uniform(6.0, 11.0)
    for share in (1.0, 0.85, 0.7, 0.55, 0.42, 0.3):
        line = []
        for step in range(11):
            turn = math.pi / 2 * step / 10
            inwards, beside = deep * share * math.sin(turn), along * share * (1 - math.cos(turn))
            x, y = door[0] + inwards * dx, door[1] + inwards * dy
            line.append((x + beside * ex, y + beside * (ey if ey else 0.0)))
        if _clear(sketch, line[3:], DRIFT_MM):
            break
    sketch.deep.append(line[:7])
    sketch.fine.append(line[6:])


def _track(sketch: TopDrawing, y_mm: float) -> None:
    """Draw prints of boots, left and right in turn, across a tile at a height."""
    lean = sketch.near(0.12)
    for step in range(-3, 4):
        x, y = step * STRIDE_MM, y_mm + step * STRIDE_MM * lean + (step % 2 - 0.5) * TRACK_MM
        sketch.fine.append([(x - 0.85, y - 0.85 * lean), (x + 0.85, y + 0.85 * lean)])
