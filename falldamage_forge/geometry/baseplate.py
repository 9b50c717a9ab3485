"""Baseplate: one closed quadrant, the bow ties that join quadrants, and the rim strips.

A tie is pressed from below into pockets of two neighbours, in the middle of their corner tiles, or
of those beside them on small tiles. All four edges of a quadrant are alike, and its top shows only
grooves.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connector_standard import LAYER_MM, STANDARD
from falldamage_forge.geometry.csg import Solid, force_evaluation, hull, subtract, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.engraved_text import text
from falldamage_forge.geometry.footprint import (
    CROSS_MM,
    LONG_CROSS_MM,
    SIDES,
    Cells,
    cross,
    offset_polygon,
    outline,
    rotate_polygon,
    split_edges,
    wall_ring,
)
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.lying_magnet import base_magnets
from falldamage_forge.geometry.magnet_pocket import (
    block_magnet_of,
    magnet_base_mm,
    magnet_of,
    magnet_pockets,
)
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.relief.apply_relief import paving
from falldamage_forge.geometry.stud import BELOW_MM, all_edges, keyholes, stud_cavities, tops
from falldamage_forge.lengths import MagnetSize
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

RIM_WIDTH_MM = 12.0
SIGN_DEPTH_MM = 0.48
EDGE_WALL_MM = 1.9
"""Length of the neck at a pocket's mouth, which holds the tie's waist."""
FIN_GAP_MM, FIN_LOW_MM = 9.0, -2.88
"""Maximum half length and height of the gaps in the fins between cells."""
FIN_MM = 6.0
"""Minimum length of a fin on either side of a crossing."""
POCKET_MM = STANDARD.tie_mm + LAYER_MM
"""Depth of a tie's pocket."""
MOUTH_MM = STANDARD.tie_neck_height_mm + LAYER_MM
"""Height of its mouth. It is printed upwards, so no strand hangs from its roof."""
LIP_HALF_MM, LIP_RISE, LIP_FLAT_MM = 3.0, 1.12, 2 * LAYER_MM


def quadrant(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return the quadrant of the baseplate: all four edges alike, closed above, open below.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    edges, below = magnet_of(piece), block_magnet_of(piece)
    return _quadrant(piece.footprint, fit, finish.top, piece.variant, edges, below)


@cache
def _quadrant(
    cells: Cells,
    fit: DesignParameters,
    pattern: str = "bare",
    variant: int = 0,
    magnet: MagnetSize | None = None,
    below: MagnetSize | None = None,
) -> Solid:
    """Return a quadrant; `magnet` are those of its edges, `below` those under its studs."""
    standard = STANDARD
    shape, count = outline(cells, fit), max(col for _, col in cells) + 1
    low = -base_mm(magnet)
    stones = _stones(cells, fit, shape, low)
    body = subtract(stones, [stud_cavities(cells, fit, standard.base_skin_mm, 1.0 - low)])
    walls, room = _joints([count] * 4, shape, fit, magnet)
    bosses, holes = keyholes(all_edges(cells), fit, shallow=True)
    fins = extrude(_gaps(cells, fit), low - 1.0, FIN_LOW_MM)
    ribs, strokes = paving(cells, fit, pattern, variant, standard.base_skin_mm)
    works = union([subtract(body, [fins]), *_under(cells, fit, stones, walls, low), bosses])
    whole = subtract(works, [room]) + ribs
    tools = [holes, strokes]
    if below is not None:
        rings, rooms = base_magnets(cells, below, fit, low)
        whole, tools = whole + rings, [*tools, rooms]
    return force_evaluation(subtract(whole, tools))


def base_mm(magnet: MagnetSize | None) -> float:
    """Return the height of the base, which magnets on their rims make higher."""
    return STANDARD.base_mm if magnet is None else magnet_base_mm(magnet)


def _joints(
    counts: list[int], shape: BaseGeometry, fit: DesignParameters, magnet: MagnetSize | None
) -> tuple[Solid, Solid]:
    """Return walls and volumes of the pockets in a body's edges, for ties or magnets."""
    if magnet is None:
        return pockets(counts, shape, fit)
    return magnet_pockets(counts, magnet, fit)


def _stones(cells: Cells, fit: DesignParameters, shape: BaseGeometry, low: float) -> Solid:
    """Return the studs of a base, solid down to its foot."""
    stones = tops(cells, fit)
    if low < -BELOW_MM:
        stones += extrude(shape, low, 1.0 - BELOW_MM)
    return stones ^ extrude(offset_polygon(shape, 1.0), low, 1.0)


def _under(
    cells: Cells, fit: DesignParameters, stones: Solid, walls: Solid, low: float
) -> list[Solid]:
    return [extrude(_crosses(cells, fit), low, -0.3), walls ^ stones]


def _gaps(cells: Cells, fit: DesignParameters) -> BaseGeometry:
    """Return the middles of the fins between cells: the base stands on their crossings and rim."""
    import shapely

    _, inner = split_edges(cells)
    pitch = fit.grid.pitch_mm / 2
    along, across = min(FIN_GAP_MM, round(pitch - FIN_MM, 4)), fit.wall_mm
    boxes = []
    for cell, side in inner:
        if side in (1, 2):
            row, col = SIDES[side]
            x, y = fit.grid.centre_mm(*cell)
            x, y = x + col * pitch, y - row * pitch
            wide, deep = (across, along) if col else (along, across)
            boxes.append(shapely.box(x - wide, y - deep, x + wide, y + deep))
    return shapely.union_all(boxes)


def _crosses(cells: Cells, fit: DesignParameters) -> BaseGeometry:
    """Return a cross under the middle of every cell, which stiffens the thin skin."""
    import shapely
    from shapely import affinity

    post = cross(fit.wall_mm, LONG_CROSS_MM if fit.one_line else CROSS_MM)
    return shapely.union_all(
        [affinity.translate(post, *fit.grid.centre_mm(*cell)) for cell in cells]
    )


def tie_gap_mm(fit: DesignParameters) -> float:
    """Return the gap round a tie in its pocket."""
    return fit.fit_mm + STANDARD.tie_looser_mm if fit.tie_mm is None else fit.tie_mm


def tie_half(fit: DesignParameters, grow_mm: float = 0.0, longer_mm: float = 0.0) -> BaseGeometry:
    """Return half a bow tie, from the seam at y = 0 towards -y, and slightly beyond it.

    Args:
        fit: Gaps of the printer.
        grow_mm: Offset of the outline, outwards.
        longer_mm: Extra reach.
    """
    import shapely

    standard = STANDARD
    neck, wide = standard.tie_neck_mm + grow_mm, standard.tie_wide_mm + grow_mm
    reach = standard.tie_reach_mm + grow_mm + longer_mm
    half = [(neck, 0.5), (neck, -1.6), (wide, -3.4), (wide, -reach)]
    return shapely.Polygon([*half, *((-x, y) for x, y in reversed(half))])


def tie_places(count: int, fit: DesignParameters) -> tuple[float, ...]:
    """Return the positions of ties along an edge of `count` tiles, in mm from its start.

    They are symmetric, so that every edge mates with every other.

    Args:
        count: Number of tiles along the edge.
        fit: Design parameters of the printer and grid, in mm.
    """
    if not count:
        return ()
    length = count * fit.grid.pitch_mm
    tile = min(fit.grid.tie_tile, (count - 1) // 2)
    middle = (tile + 0.5) * fit.grid.pitch_mm
    return tuple(sorted({middle, length - middle}))


def pockets(counts: list[int], shape: BaseGeometry, fit: DesignParameters) -> tuple[Solid, Solid]:
    """Return the walls of tie pockets, and the volume they remove.

    The body lies below and right of (0, 0), its sides as long as the north and the east edge.

    Args:
        counts: Tiles of the edges north, east, south, west; 0 for an edge without joints.
        shape: Outline of the body.
        fit: Gaps of the printer.
    """
    import shapely
    from shapely import affinity

    standard, gap = STANDARD, tie_gap_mm(fit)
    width, depth = counts[0] * fit.grid.pitch_mm, counts[1] * fit.grid.pitch_mm
    middle = (width / 2, -(depth or width) / 2)
    places = [(side, s) for side, count in enumerate(counts) for s in tie_places(count, fit)]

    def placed(part: BaseGeometry) -> BaseGeometry:
        return shapely.union_all(
            [
                affinity.rotate(affinity.translate(part, s, 0.0), -90 * side, origin=middle)
                for side, s in places
            ]
        )

    low = -standard.base_mm
    pocket = placed(tie_half(fit, gap))
    within = shapely.intersection(pocket, offset_polygon(shape, -EDGE_WALL_MM))
    walls = shapely.intersection(
        placed(tie_half(fit, gap + fit.wall_mm)), offset_polygon(shape, -0.4)
    )
    cuts = union(
        [
            extrude(pocket, low - 1.0, low + MOUTH_MM),
            extrude(within, low - 1.0, low + POCKET_MM),
        ]
    )
    x, y = middle
    lip = _lip(gap).translate((0.0, 0.0, low))
    lips = [
        lip.translate((s - x, -y, 0.0)).rotate((0, 0, -90 * side)).translate((x, y, 0.0))
        for side, s in places
    ]
    return extrude(walls, low, -0.3), subtract(cuts, lips)


def _lip(gap_mm: float) -> Solid:
    """Return the wedge at a pocket's end that a tie snaps over; printed from above."""
    reach = STANDARD.tie_reach_mm
    wall, catch = -reach - gap_mm - 0.2, STANDARD.tie_lip_mm - gap_mm - reach
    flat, foot = LIP_FLAT_MM, LIP_FLAT_MM + (STANDARD.tie_lip_mm + 0.2) * LIP_RISE
    section = [(wall, 0.0), (catch, 0.0), (catch, flat), (wall, foot)]
    return hull([(x, y, z) for y, z in section for x in (-LIP_HALF_MM, LIP_HALF_MM)])


def tie(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a bow tie: thick ends, a thin waist under the groove, ends that snap over a lip.

    It lies across the north edge of its tile, its underside level with that of the baseplate.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    x, _ = fit.grid.centre_mm(0, 0)
    return tie_solid(fit).translate((x, 0.0, -STANDARD.base_mm))


def tie_solid(fit: DesignParameters, grow_mm: float = 0.0) -> Solid:
    """Return the tie about (0, 0), its underside at z = 0.

    Args:
        fit: Gaps of the printer.
        grow_mm: Offset of its outline, outwards.
    """
    import shapely

    standard = STANDARD
    half = tie_half(fit, grow_mm)
    whole = shapely.union(
        shapely.intersection(half, shapely.box(-9, -12, 9, 0)),
        shapely.intersection(rotate_polygon(half, 2), shapely.box(-9, 0, 9, 12)),
    )
    reach, lip = standard.tie_reach_mm + grow_mm, standard.tie_lip_mm
    waist = fit.side_mm + EDGE_WALL_MM + tie_gap_mm(fit)
    ends = shapely.difference(whole, shapely.box(-9, -waist, 9, waist))
    short = shapely.intersection(whole, shapely.box(-9, lip - reach, 9, reach - lip))
    low = standard.tie_neck_height_mm
    # The ends are shorter below: there the pocket's lips catch. They grow in two layers.
    half_way = shapely.box(-9, lip / 2 - reach, 9, reach - lip / 2)
    return union(
        [
            prism(short, 0.0, low, low=RELIEF),
            extrude(shapely.intersection(ends, half_way), low, low + LAYER_MM),
            extrude(ends, low + LAYER_MM, standard.tie_mm),
        ]
    )


def rim_strip(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a strip for the rim of the baseplate with the coordinates of five tiles.

    It lies north of a quadrant and takes the same ties. Letters read from the south. Numbers
    (`turned`) read upright when the strip lies west of the baseplate, a quarter turn to the left.

    Args:
        piece: Piece to draw, with its grid and parameters.
        fit: Design parameters of the printer and grid, in mm.
        finish: Looks of its sides and top.
    """
    import shapely
    from shapely import affinity

    standard = STANDARD
    words = str(piece["text"]).split(" ")
    count = len(words)
    length = count * fit.grid.pitch_mm
    gap = fit.side_mm
    shape = shapely.box(gap, gap, length - gap, RIM_WIDTH_MM)
    signs = []
    for index, word in enumerate(reversed(words) if piece["turned"] else words):
        drawing = text(word, 6.0, 0.9)
        if piece["turned"]:
            drawing = affinity.rotate(drawing, -90, origin=(0, 0))
        middle = (index + 0.5) * fit.grid.pitch_mm
        signs.append(affinity.translate(drawing, middle, RIM_WIDTH_MM / 2 + 0.4))
    magnet = magnet_of(piece)
    low = -base_mm(magnet)
    skin = standard.base_skin_mm + SIGN_DEPTH_MM
    parts = [extrude(shape, -skin, 0.0), extrude(wall_ring(shape, 1.26), low, 0.0)]
    # The strip's south edge is a quadrant's north edge turned round: its pockets reach to +y.
    walls, cuts = _south_pockets(count, shape, fit, magnet)
    engraving = extrude(shapely.union_all(signs), -SIGN_DEPTH_MM, 1.0)
    body = union([*parts, walls]) ^ prism(shape, low, 0.0, high=RELIEF)
    return subtract(body, [cuts, engraving])


def _south_pockets(
    count: int, shape: BaseGeometry, fit: DesignParameters, magnet: MagnetSize | None
) -> tuple[Solid, Solid]:
    """Return the pockets of an edge at y = 0 with its body to the north."""
    from shapely import affinity

    length = count * fit.grid.pitch_mm
    below = affinity.rotate(shape, 180, origin=(length / 2, 0.0))
    walls, cuts = _joints([count, 0, 0, 0], below, fit, magnet)
    shift = (length, 0.0, 0.0)
    return walls.rotate((0, 0, 180)).translate(shift), cuts.rotate((0, 0, 180)).translate(shift)
