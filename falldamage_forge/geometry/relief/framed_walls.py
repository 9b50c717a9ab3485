"""Framed walls: half-timber with plaster between, and the panels of a dwarf hall."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from falldamage_forge.geometry.csg import rings_of
from falldamage_forge.geometry.relief import wall_zones as lay
from falldamage_forge.geometry.relief.bays import Bay, Bays, holding
from falldamage_forge.geometry.relief.elements import Outline, Point, ReliefElement, WallPath
from falldamage_forge.geometry.relief.wall_zones import Span, WallZone

BEAM_MM, RAIL_MM, JOINT_MM = 2.7, 1.9, 0.4
HALL_MM, PANEL_MM, DEVICE_MM = 0.42, 2.0, 1.35
"""Insets of a hall's joints, of its panels and of the devices on these."""
POST_MM = 3.3
"""Width of a corner post on one side."""
PLASTER_MM, BRACE_MM, FRAME_MM = 2.0, 0.1, 2.0
"""Insets of plaster and of the beams round it; width of these beams."""
EDGE_MM = 1.5
"""Distance of panels from the edge of their field."""
PANEL_HALF_MM = 1.2
"""Half the least width of a panel."""
BEAM_LIFT_MM = 0.3
"""A field's bump in the cavity may reach so far behind the rail over it."""


def timber(
    run: WallPath, zone: WallZone, chance: random.Random, holes: tuple[ReliefElement, ...]
) -> Iterator[ReliefElement]:
    """Yield posts at corners and tile lines, sills, rails and braces; plaster lies between.

    Args:
        run: Path of the wall, side by side.
        zone: Heights between which the wall is drawn, in mm.
        chance: Random numbers.
        holes: Windows and doors, which keep their places.
    """
    low, high = zone.low_mm, zone.high_mm
    for side, length in enumerate(run.lengths_mm):
        for u in ((0.0, POST_MM), (length - POST_MM, length)):
            yield ReliefElement(side, lay.box(u, (low, high)), 0.0)
        tiles = run.tiles(length)
        studs = [length * place / tiles for place in range(1, tiles)]
        inner = (POST_MM + JOINT_MM, length - POST_MM - JOINT_MM)
        own = [hole for hole in holes if hole.side == side]
        for v in ((low, low + BEAM_MM), (high - RAIL_MM, high)):
            for part in _about(inner, v, own):
                yield _beam(side, lay.box(part, v), chance)
        between = (low + BEAM_MM + JOINT_MM, high - RAIL_MM - JOINT_MM)
        for at in studs:
            yield _beam(side, lay.box((at - BEAM_MM / 2, at + BEAM_MM / 2), between), chance)
        yield from FIELDS.on(run, side, (between[0], between[1] + BEAM_LIFT_MM), own, chance)
        for hole in own:
            yield from _beside(hole, [POST_MM, *studs, length - POST_MM], between, chance)


def _about(u: Span, v: Span, holes: Sequence[ReliefElement]) -> list[Span]:
    """Return a beam's spans between the openings that it meets."""
    parts = [u]
    for hole in holes:
        across, up = zip(*hole.outline, strict=True)
        if max(up) > v[0] and min(up) < v[1]:
            last = parts.pop()
            parts += [(last[0], min(across) - JOINT_MM), (max(across) + JOINT_MM, last[1])]
    return parts


def _beam(side: int, outline: Outline, chance: random.Random) -> ReliefElement:
    return ReliefElement(side, outline, chance.uniform(0.0, 0.1))


def _beside(
    hole: ReliefElement, posts: Sequence[float], v: Span, chance: random.Random
) -> Iterator[ReliefElement]:
    """Yield the braces on either side of an opening."""
    across = [u for u, _ in hole.outline]
    left = max(post for post in posts if post < min(across))
    right = min(post for post in posts if post > max(across))
    for room in ((left, min(across)), (max(across), right)):
        u = (room[0] + BEAM_MM / 2 + JOINT_MM, room[1] - BEAM_MM / 2 - JOINT_MM)
        if u[1] - u[0] > 5.0:
            yield _brace(hole.side, u, v, chance, room[0] == left)


def _framed(bay: Bay, chance: random.Random) -> ReliefElement:
    """Return a field of beams, all in one plane, between which the plaster lies deeper."""
    import shapely

    lines = chance.choice(FRAMES)
    turned = chance.random() < 0.5
    left, right = bay.u[0] + EDGE_MM, bay.u[1] - EDGE_MM
    low, high = bay.v[0] + EDGE_MM, bay.v[1] - EDGE_MM
    beams = [
        shapely.LineString(
            (left + (right - left) * (1.0 - x if turned else x), low + (high - low) * y)
            for x, y in line
        )
        for line in lines
    ]
    wood = shapely.buffer(beams, FRAME_MM / 2, cap_style="square", join_style="mitre")
    field = shapely.box(left, low, right, high)
    clear = shapely.buffer(shapely.difference(field, shapely.union_all(wood)), -PANEL_HALF_MM)
    grown = shapely.buffer(clear, PANEL_HALF_MM, join_style="mitre")
    rest = shapely.simplify(shapely.intersection(grown, field), JOINT_MM)
    panels = [
        ReliefElement(bay.side, tuple(next(iter(rings_of(panel)))), PLASTER_MM)
        for panel in shapely.get_parts(shapely.orient_polygons(rest))
        if not panel.is_empty
    ]
    frame = ReliefElement(bay.side, lay.box(bay.u, bay.v), BRACE_MM)
    return holding(frame, bay.edge_mm, panels, soft=True)


def _brace(
    side: int, u: Span, v: Span, chance: random.Random, rising: bool, thick: float = 3.0
) -> ReliefElement:
    """Return a slanting beam from corner to corner of a field."""
    run, rise = u[1] - u[0], v[1] - v[0]
    wide = thick * math.hypot(run, rise) / rise
    wide = min(wide, run * 0.6)
    a, b = (u[0], u[1] - wide) if rising else (u[1] - wide, u[0])
    return _beam(side, ((a, v[0]), (a + wide, v[0]), (b + wide, v[1]), (b, v[1])), chance)


FRAMES: Sequence[Sequence[Sequence[Point]]] = (
    (((0.0, 0.0), (1.0, 1.0)), ((0.0, 1.0), (1.0, 0.0))),
    (((0.5, 0.0), (0.5, 1.0)), ((0.0, 0.15), (0.5, 0.95), (1.0, 0.15))),
    (
        ((0.0, 0.62), (1.0, 0.62)),
        ((0.5, 0.62), (0.5, 1.0)),
        ((0.0, 0.0), (0.34, 0.62), (0.66, 0.0)),
    ),
    (((0.0, 0.5), (0.5, 1.0), (1.0, 0.5), (0.5, 0.0), (0.0, 0.5)),),
    (((0.33, 0.0), (0.33, 1.0)), ((0.67, 0.0), (0.67, 1.0)), ((0.33, 0.5), (0.67, 0.5))),
    (((0.5, 0.0), (0.5, 1.0)), ((0.0, 0.3), (0.2, 0.8), (0.5, 1.0), (0.8, 0.8), (1.0, 0.3))),
    (((0.0, 0.05), (1.0, 0.85)), ((0.5, 0.45), (0.5, 1.0))),
)
"""Middle lines of a field's beams in shares of its width and height: a saltire, braces to a post,
a rail over a chevron, a lozenge, studs, arched braces, one long brace."""
FIELDS = Bays(POST_MM + JOINT_MM, BEAM_MM + 2 * JOINT_MM, 0.5, PLASTER_MM, _framed)


def hall(
    run: WallPath, zone: WallZone, chance: random.Random, holes: tuple[ReliefElement, ...]
) -> Iterator[ReliefElement]:
    """Yield cut stone without mortar: pilasters at corners, a panel with a device on each tile.

    Args:
        run: Path of the wall, side by side.
        zone: Heights between which the wall is drawn, in mm.
        chance: Random numbers.
        holes: Windows and doors, which keep their places.
    """
    low, high = zone.low_mm, zone.high_mm
    third = (high - low) / 3
    for side, length in enumerate(run.lengths_mm):
        tiles = run.tiles(length)
        for part in range(3):
            v = (low + third * part, low + third * (part + 1) - lay.GAP_MM)
            v = v if part < 2 else (v[0], high)
            wide = 5.2 if part != 1 else 4.0
            for u in ((0.0, wide), (length - wide, length)):
                yield ReliefElement(side, lay.box(u, v), 0.0)
        lines = [length * tile / tiles for tile in range(1, tiles)]
        for at in lines:
            yield ReliefElement(side, _cut(lay.box((at - 2.6, at + 2.6), (low, high)), 1.0), 0.1)
        starts = [5.2, *(at + 2.6 for at in lines)]
        ends = [*(at - 2.6 for at in lines), length - 5.2]
        for start, end in zip(starts, ends, strict=True):
            u = (start + JOINT_MM, end - JOINT_MM)
            yield _panel(side, u, (low, high), chance.randrange(4))


def _cut(outline: Outline, size_mm: float) -> Outline:
    """Return a rectangle with its corners cut off."""
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


DEVICE_CLEAR_MM = 0.3
"""Distance of devices from the edge of their ground."""
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


def _panel(side: int, u: Span, v: Span, form: int) -> ReliefElement:
    """Return a frame, a sunken ground and a device on it."""
    panel = Bay(side, (u[0] + 2.0, u[1] - 2.0), (v[0] + 1.2, v[1] - 3.0), 0.0, PANEL_MM)
    (a, b), (low, high) = panel.field
    x, y = (a + b) / 2, (low + high) / 2
    tall, wide = (high - low) / 2 - DEVICE_CLEAR_MM, (b - a) / 2 - DEVICE_CLEAR_MM
    stones_at: list[Outline] = _DEVICES[form % len(_DEVICES)]
    devices = [tuple((x + wide * u, y + tall * v) for u, v in device) for device in stones_at]
    stones = [ReliefElement(side, device, DEVICE_MM) for device in devices]
    opening = holding(panel.element(_cut(lay.box(panel.u, panel.v), 1.6)), 0.0, stones)
    return ReliefElement(side, _cut(lay.box(u, v), 0.9), 0.0, on=(opening,))
