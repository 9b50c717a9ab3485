"""Builders of what stands on a surface: spire, tree, chest, battlement, and the dowel below."""

from __future__ import annotations

from collections.abc import Sequence

from falldamage_forge.geometry.connectors import STANDARD, side_gap_mm, socket
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.loft import RELIEF, extrude, prism, profiled
from falldamage_forge.geometry.relief import course_heights
from falldamage_forge.geometry.solids import (
    Solid,
    cut,
    moved,
    revolve,
    rings_of,
    rise_for_mm,
    swept,
    union,
)
from falldamage_forge.geometry.spans import toes
from falldamage_forge.geometry.style import Surface
from falldamage_forge.geometry.tiles import plug, square
from falldamage_forge.pieces.model import Piece

Profile = Sequence[tuple[float, float]]
CHEST_MM = 12.0
PARAPET_MM, MERLON_MM = 3.2, 8.0
"""Heights of a battlement's wall and of its merlons."""


def at_tile(solid: Solid, fit: Fit) -> Solid:
    """A solid round (0, 0) moved to the middle of its tile."""
    x, y = fit.grid.centre_mm(0, 0)
    return moved(solid, x, y)


def shell(profile: Profile, segments: int) -> Solid:
    """A hollow body of revolution that stands on its rim, with a dowel's socket in its foot.

    `profile` are (radius, height) points from the rim at z = 0 to the tip; the hollow follows it
    a wall inside, ends a little below the tip and is open below. Four ribs hold the socket.
    """
    import shapely

    standard = STANDARD
    wall = standard.wall_mm + 0.06
    foot, top = profile[0][0] + RELIEF[0], profile[-1][1]
    right = [(0.0, 0.0), *profile, (0.0, top)]
    whole = shapely.union(
        shapely.Polygon(right), shapely.Polygon([(-radius, z) for radius, z in right])
    )
    inside = shapely.buffer(whole, -wall, join_style="mitre")
    mouth = shapely.box(0.0, -1.0, foot - 3.0, 2 * wall)
    half = shapely.intersection(inside, shapely.box(0.0, 0.0, 100.0, top - 3.0))
    hollow = shapely.union(half, mouth)
    (ring,) = rings_of(hollow)
    body = revolve([(0.0, 0.0), *profile, (0.0, top)], segments)
    ribs = shapely.union(
        shapely.box(-foot, -standard.wall_mm / 2, foot, standard.wall_mm / 2),
        shapely.box(-standard.wall_mm / 2, -foot, standard.wall_mm / 2, foot),
    )
    tub = square(standard.socket_mm / 2 + standard.wall_mm)
    inner = union(
        [
            extrude(tub, 0.0, standard.socket_depth_mm + standard.skin_mm),
            extrude(ribs, 0.0, standard.socket_depth_mm),
        ]
    )
    mouth_chamfer = (-standard.mouth_mm, standard.mouth_mm)
    hole = prism(socket(), -standard.socket_depth_mm, 0.0, high=mouth_chamfer, beyond_mm=1.0)
    walls = union([cut(body, [revolve(ring, segments)]), inner ^ body])
    return cut(walls, [hole.rotate((180, 0, 0))])


def _footed(radius: float) -> list[tuple[float, float]]:
    """The first points of a profile: a rim with relief against elephant's foot."""
    return [(radius - RELIEF[0], 0.0), (radius, RELIEF[1])]


def spire(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A castle's turret with a pointed roof, as tall as its levels, upright on a wide foot."""
    import shapely

    top = fit.grid.height_mm(piece.levels)
    flare = rise_for_mm(2.8, STANDARD.slope_deg)
    low, high, drum = 2.4 + flare, 22.0, 11.2
    profile = [*_footed(14.0), (14.0, 2.4), (drum, low)]
    for height in course_heights(surface, high):
        if low + 1 < height < high - 1:
            reach = 0.15 + rise_for_mm(surface.depth_mm, STANDARD.slope_deg)
            inner = drum - surface.depth_mm
            profile += [(drum, height - reach), (inner, height - 0.15)]
            profile += [(inner, height + 0.15), (drum, height + reach)]
    profile += [(drum, high), (14.0, high + flare), (14.0, high + flare + 1.2)]
    profile += [(1.6, top - 3.0), (1.6, top)]
    solid = shell(profile, 24)
    rise = rise_for_mm(2.0, STANDARD.slope_deg)
    arch = shapely.Polygon([(-2, 10), (2, 10), (2, 15.5), (0, 15.5 + rise), (-2, 15.5)])
    slot = extrude(arch, -20.0, 20.0)
    return at_tile(cut(solid, [swept(slot, "y"), swept(slot, "x")]), fit)


def tree(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A fir of three tiers on a mound of roots; each tier's underside keeps the allowed slope."""
    top = fit.grid.height_mm(piece.levels)

    def rise(run: float) -> float:
        return rise_for_mm(run, STANDARD.slope_deg)

    profile = [*_footed(12.0), (12.0, 2.0), (10.2, 5.0), (4.8, 5.0 + rise(5.4))]
    for outer, after, fall in ((13.4, 7.2, 10.4), (10.2, 4.8, 9.0), (7.2, 0.0, 0.0)):
        radius, height = profile[-1]
        profile.append((outer, height + rise(outer - radius)))
        if fall:
            profile.append((after, profile[-1][1] + fall))
    profile.append((0.9, top))
    return at_tile(shell(profile, 10), fit)


def chest(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A treasure chest with two straps and a short peg, printed lid down."""
    import shapely

    length, width, body = 10.0, 7.2, 7.6
    slope = (CHEST_MM - body) / rise_for_mm(1.0, STANDARD.slope_deg)
    notch = rise_for_mm(0.6, STANDARD.slope_deg)
    side = [
        (width, 0.0),
        (width, body - 0.4 - notch),
        (width - 0.6, body - 0.4),
        (width, body - 0.4 + notch),
        (width, body + notch),
        (width - slope + 0.8, CHEST_MM),
    ]
    cross = shapely.Polygon([*side, *((-y, z) for y, z in reversed(side))])
    plain = shapely.Polygon(
        [
            (width, 0),
            (width, body + notch),
            side[-1],
            (-side[-1][0], CHEST_MM),
            (-width, body + notch),
            (-width, 0),
        ]
    )
    strap = shapely.intersection(
        shapely.buffer(plain, 0.6, join_style="mitre"), shapely.box(-20, 0, 20, CHEST_MM)
    )
    low = (RELIEF[0], RELIEF[1])
    solids = [
        swept(prism(cross, -length, length, low=low, high=low), "x"),
        *(swept(extrude(strap, x - 1.2, x + 1.2), "x") for x in (-6.0, 6.0)),
    ]
    foot = shapely.box(-length - 1, -width - 2, length + 1, width + 2)
    lid = shapely.box(-length, 0.6 - width, length, width - 0.6)
    envelope = union(
        [extrude(foot, -0.5, CHEST_MM - RELIEF[1]), prism(lid, 0.0, CHEST_MM, high=RELIEF)]
    )
    return at_tile(union([union(solids) ^ envelope, plug(fit, STANDARD.short_peg_mm, 0.4)]), fit)


def battlement(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A ring of merlons on a tile's rim; a 25 mm base stands inside it, on the tile itself.

    Eight toes hold it in the tile's keyholes, so it leaves a tile where no bridge or ladder ends.
    """
    import shapely
    from shapely import affinity

    half = fit.grid.pitch_mm / 2 - side_gap_mm(fit.seam_mm)
    ring = shapely.difference(square(half), square(12.8))
    gap = 2.9
    gaps = [shapely.box(x - gap, -20, x + gap, 20) for x in (-half / 2 + 0.55, half / 2 - 0.55)]
    notches = shapely.union_all([*gaps, *(affinity.rotate(one, 90, origin=(0, 0)) for one in gaps)])
    merlons = shapely.difference(ring, notches)
    low = 0.2 - STANDARD.keyhole_depth_mm
    x, y = fit.grid.centre_mm(0, 0)
    inner = affinity.translate(toes(fit, side_gap_mm(fit.seam_mm) + fit.fit_mm), -x, -y)
    narrow = shapely.intersection(inner, shapely.box(-half, half - 2.2, half, half - fit.fit_mm))
    feet = [affinity.rotate(narrow, 90 * turn, origin=(0, 0)) for turn in range(4)]
    parts = [
        extrude(ring, 0.0, PARAPET_MM),
        prism(merlons, PARAPET_MM - 0.2, MERLON_MM, high=RELIEF),
        extrude(shapely.union_all(feet), low, 0.2),
    ]
    return at_tile(union(parts), fit)


def dowel(piece: Piece, fit: Fit, surface: Surface) -> Solid:
    """A double-ended peg round z = 0: half in the tile below, half in the foot above."""
    standard = STANDARD
    tip, half = standard.tip_mm, standard.dowel_mm / 2
    rise = rise_for_mm(tip, standard.slope_deg)
    profile = [(-half, tip), (rise - half, 0.0), (half - rise, 0.0), (half, tip)]
    return at_tile(profiled(square(standard.socket_mm / 2 - fit.fit_mm), profile), fit)
