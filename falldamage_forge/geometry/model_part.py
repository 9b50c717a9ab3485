"""Model part: a solid of others on a ring for each of its tiles, printed upright.

Its walls carry a model that is massive where the rings' cavities lie; every other model stands on
a plinth that holds them. A top with a stud is a column with the paving stone of a block.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connector_standard import STANDARD, heads
from falldamage_forge.geometry.csg import (
    Solid,
    force_evaluation,
    fresh_copy,
    from_mesh,
    load_library,
    subtract,
    translate,
    union,
)
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import Cell, Cells, outline, square
from falldamage_forge.geometry.legs import ring_foot, seat_room, tongue_slits
from falldamage_forge.geometry.loft import extrude, loft_profile
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.relief.elements import RISE
from falldamage_forge.geometry.seam_tie import seam_pockets
from falldamage_forge.geometry.stud import BELOW_MM, all_edges, engrave_top, keyholes, tops
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import refuse
from falldamage_forge.models.placed_model import ModelPose, PlacedModel, placed_model
from falldamage_forge.pieces.model_keys import (
    Section,
    parts_of,
    section_number,
    section_ties,
    sections,
)
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

SLAB_MM = 1.2
"""Thickness of the plate that joins the rings of several tiles."""
PLATE_MM = 1.2
"""Thickness of a plinth over the cavities of its rings."""
SUNK_MM = 0.4
"""Depth by which a model sinks into its plinth."""
MASSIVE = 0.9
"""Share of the walls round the cavities that a model fills, from which it needs no plinth."""
WHOLE = 0.9999
"""The same share, from which they are whole."""
PILLAR_IN_MM = 4.0
"""Distance from a tile's outline of the pillar that carries a stud."""
SCRAP = 0.02
"""Share of a part below which a loose body is left out."""
EAST, WEST = 1, 3
"""Numbers of sides, clockwise from 0 for the north."""
Ties = tuple[tuple[Cell, int], ...]
"""Edges of tiles that ties cross: tile and side."""
FINEST_MM = 0.02
"""Edges shorter than this are merged: no slicer prints them."""


@dataclass(frozen=True, slots=True, eq=False)
class ModelPart:
    """A part, what it is made of, the height of its plinth in mm or 0, and it without its joint."""

    solid: Solid
    placed: PlacedModel
    plinth_mm: float
    full: Solid


def model_part(piece: Piece, fit: DesignParameters, finish: SurfaceFinish) -> Solid:
    """Return a model on its joint.

    Args:
        piece: Piece with the parameters of `builds.model_pieces`.
        fit: Design parameters of the printer and grid, in mm.
        finish: Unused; a model brings its own relief.
    """
    path = Path(str(piece["file"]))
    stands = tuple(map(int, str(piece["tops"]).split(",")))
    pose = pose_of(piece, fit)
    own = stands if piece["studs"] else ()
    number = section_number(piece)
    return joined_model(path, path.name, pose, own, fit, parts_of(piece), number).solid


def pose_of(piece: Piece, fit: DesignParameters) -> ModelPose:
    """Return how a piece's model lies on its tiles.

    Args:
        piece: Piece with the parameters of `builds.model_pieces`.
        fit: Design parameters of the printer and grid, in mm.
    """
    return ModelPose(
        int(piece["cols"]),
        int(piece["rows"]),
        str(piece["scale"]),
        str(piece["unit"]),
        int(piece["turn"]),
        bool(piece["flip"]),
        bool(piece["mirrored"]),
        gap_mm(fit),
        fit.grid.pitch_mm,
    )


def gap_mm(fit: DesignParameters) -> float:
    """Return the width of the gap at both sides of a footprint together."""
    return round(fit.grid.pitch_mm - 2 * heads(fit).outline_mm, 4)


def joined_model(
    path: Path,
    name: str,
    pose: ModelPose,
    stands: tuple[int, ...],
    fit: DesignParameters,
    parts: tuple[int, int] = (1, 1),
    number: int = 0,
) -> ModelPart:
    """Return the model of a file on its rings.

    One that is cut always stands on a plinth, which holds the pockets of its ties.

    Args:
        path: The file.
        name: Its name in messages.
        pose: How it lies on its tiles.
        stands: Level of the stud of each tile, row by row; 0 or less for none. Empty for none.
        fit: Design parameters of the printer and grid, in mm.
        parts: Columns and rows of parts that it is cut into.
        number: Number of the part wanted, from 1, which lies at its own tiles; 0 for all of them,
            at their places.

    Raises:
        ForgeError: See `placed_model`.
    """
    import numpy as np

    load_library()
    placed = placed_model(path, name, pose)
    mesh = Mesh(placed.points.astype(np.float32), placed.faces.astype(np.int32))
    body = from_mesh(mesh).simplify(FINEST_MM)
    cells = tuple((row, col) for row in range(pose.rows) for col in range(pose.cols))
    plan = outline(cells, fit)
    plinth = 0.0
    filled = _filled(body, cells, fit)
    cut = sections(pose.cols, pose.rows, parts, mirrored=pose.mirrored)
    if filled < MASSIVE or len(cut) > 1:
        plinth = round(_roof_mm(fit) + PLATE_MM, 4)
        body = translate(body, 0, 0, plinth - SUNK_MM)
    elif filled < WHOLE:
        # Else a cavity would be open where the model is lower than its ceiling.
        walls = union([_at(_roof(fit, PLATE_MM), cell, fit) for cell in cells])
        body = union([body, walls ^ extrude(plan, 0.0, _roof_mm(fit) + PLATE_MM)])
    body = union([body, extrude(plan, 0.0, max(plinth, SLAB_MM))])
    for cell, level in zip(cells, stands, strict=False):
        if level > 0:
            body = _with_stud(body, cell, fit.grid.height_mm(level), fit)
    wanted = cut[number - 1 : number] if number else cut
    joined = [_on_rings(body, own, pose, fit, name) for own in wanted]
    part = joined[0] if len(joined) == 1 else union(joined)
    if number:
        own = wanted[0]
        part = translate(part, -own.col * fit.grid.pitch_mm, own.row * fit.grid.pitch_mm)
    return ModelPart(part, placed, plinth, body)


def _on_rings(
    body: Solid, own: Section, pose: ModelPose, fit: DesignParameters, name: str
) -> Solid:
    """Return a section of a model with its rings, and with the pockets of its ties."""
    ties = section_ties(own, pose.rows, pose.cols)
    if (own.rows, own.cols) != (pose.rows, pose.cols):
        high = float(body.bounding_box()[5])
        body = body ^ extrude(outline(own.cells, fit), -1.0, high + 1.0)
    body = subtract(body, [_at(_roof(fit), cell, fit) for cell in own.cells])
    rooms = [_at(fresh_copy(seat_room(fit)), cell, fit) for cell in own.cells]
    beaded = {cell: _sides(cell, own, ties) for cell in own.cells}
    rings = [_at(fresh_copy(ring_foot(fit, SLAB_MM, beaded[c])), c, fit) for c in own.cells]
    body = union([subtract(body, rooms), *rings])
    cuts = [_at(fresh_copy(tongue_slits(fit, on)), cell, fit) for cell, on in beaded.items() if on]
    if ties:
        cuts.append(seam_pockets(ties, fit))
    return _in_one(force_evaluation(subtract(body, cuts) if cuts else body), name)


def _sides(cell: Cell, own: Section, ties: Ties) -> tuple[int, ...]:
    """Return the sides of a tile with a bead: the part's outer ones to the west and east.

    A tie has the place of a bead.
    """
    ends = ((-1, own.col, WEST), (1, own.col + own.cols - 1, EAST))
    return tuple(way for way, last, side in ends if cell[1] == last and (cell, side) not in ties)


def _at(solid: Solid, cell: Cell, fit: DesignParameters) -> Solid:
    return translate(solid, *fit.grid.centre_mm(*cell))


def _roof_mm(fit: DesignParameters) -> float:
    """Return the height of the cavity over a stud."""
    return round((heads(fit).skirt_mm - STANDARD.bridge_mm / 2) * RISE, 4)


@cache
def _roof(fit: DesignParameters, wall_mm: float = 0.0) -> Solid:
    """Return the cavity over a stud, whose flat middle the printer bridges; or its walls' outside.

    Args:
        fit: Design parameters of the printer and grid, in mm.
        wall_mm: Thickness of the walls that enclose it; 0 for the cavity itself.
    """
    skirt = heads(fit).skirt_mm
    inset = round(skirt - STANDARD.bridge_mm / 2, 4)
    low = -STANDARD.skirt_mm if not wall_mm else 0.0
    profile = [(low, 0.0), (0.0, 0.0), (_roof_mm(fit), inset)]
    if wall_mm:
        profile = [
            (0.0, -wall_mm),
            (_roof_mm(fit), inset - wall_mm),
            (_roof_mm(fit) + wall_mm, inset),
        ]
    return force_evaluation(loft_profile(square(skirt), profile))


def _filled(body: Solid, cells: Cells, fit: DesignParameters) -> float:
    """Return the share of the walls round the cavities that a body fills."""
    wall = subtract(_roof(fit, PLATE_MM), [_roof(fit)])
    walls = union([_at(wall, cell, fit) for cell in cells]) ^ extrude(
        outline(cells, fit), 0.0, 99.0
    )
    return float((walls ^ body).volume() / walls.volume())


def _with_stud(body: Solid, cell: Cell, top_mm: float, fit: DesignParameters) -> Solid:
    """Return a body with a column up to a height on one tile, and a stud on it."""
    plan: BaseGeometry = outline((cell,), fit)
    column = _at(_pillar(round(top_mm - BELOW_MM, 4), fit), cell, fit)
    stone = translate(tops((cell,), fit), 0, 0, top_mm)
    bosses, cuts = (translate(each, 0, 0, top_mm) for each in keyholes(all_edges((cell,)), fit))
    x, y = fit.grid.centre_mm(*cell)
    import shapely

    half = fit.grid.pitch_mm / 2
    tile = shapely.box(x - half, y - half, x + half, y + half)
    cleared = subtract(body, [extrude(tile, top_mm - BELOW_MM, top_mm + 1000.0)])
    room = extrude(plan, 0.0, top_mm + 1.0)
    return engrave_top(union([cleared, column, stone ^ room]), bosses ^ room, cuts)


@cache
def _pillar(top_mm: float, fit: DesignParameters) -> Solid:
    """Return what carries a stud inside a model: narrow, so that the model's own walls are seen."""
    half, slope = heads(fit).outline_mm, PILLAR_IN_MM * RISE
    foot = max(top_mm - slope, 0.0)
    narrow = round(PILLAR_IN_MM * min(1.0, top_mm / slope), 4)
    profile = [(0.0, narrow), (top_mm, 0.0), (top_mm + SUNK_MM, 0.0)]
    if foot:
        profile = [(0.0, narrow), *((foot, narrow), *profile[1:])]
    return force_evaluation(loft_profile(square(half), profile))


def _in_one(part: Solid, name: str) -> Solid:
    """Return a part without scraps in the air; refuse one with more than scraps there (FDF515)."""
    bodies = sorted(part.decompose(), key=lambda body: -float(body.volume()))
    if len(bodies) == 1:
        return part
    loose = bodies[1]
    if loose.volume() > SCRAP * bodies[0].volume():
        x, y, z, *_ = loose.bounding_box()
        where = f"at x {x:.1f}, y {y:.1f}, z {z:.1f} mm of the part"
        hint = "join it to the rest in the model's program, or take it away"
        raise refuse("FDF515", f"a body of `{name}` hangs in the air {where}", hint)
    return force_evaluation(bodies[0])
