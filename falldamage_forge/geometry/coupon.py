"""The fit coupon: pegs and seam pockets in a ladder of gaps, made by the connectors' own code.

What is tried on the coupon is what is printed later: the socket is that of every tile's top, the
pegs are those of every block, the pockets those of every quadrant. Only the gap differs, and each
part says which one it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from falldamage_forge.geometry.connectors import STANDARD, seam_knob
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.glyphs import text
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.solids import Solid, cut, to_mesh, union
from falldamage_forge.geometry.style import Surface
from falldamage_forge.geometry.terrain import ribbed
from falldamage_forge.geometry.tiles import (
    beams,
    edge_cuts,
    edge_tubs,
    outline,
    peg,
    split_edges,
    square,
    wall_ring,
)
from falldamage_forge.geometry.tokens import SIGN_DEPTH_MM, SKIN_MM

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

FIT_STEPS_MM = (0.05, 0.10, 0.15, 0.20, 0.25, 0.30)
SEAM_STEPS_MM = (0.10, 0.15, 0.20, 0.25, 0.30, 0.40)
LABEL_MM = 4.2
"""Height of the engraved numbers; their strokes are 0.7 mm wide."""
HANDLE_MM = 18.0
"""Side of a peg's plate: wider than its socket, so that it can be pulled out again."""
POCKET_PITCH_MM, LADDER_MM = 20.0, 17.0


def coupon(fit: Fit, steps_mm: Sequence[float] = FIT_STEPS_MM) -> Mapping[str, Mesh]:
    """The coupon's parts by name, in print pose (upside down), resting on z = 0.

    One socket, a peg for each step, one knob, and a bar with a pocket for each seam step. The
    gaps of `fit` only move the outline of the tile that holds the socket.
    """
    solids = {"coupon-socket": _socket_tile(fit)}
    for step in steps_mm:
        solids[f"coupon-peg-{label(step)}"] = _peg_handle(step)
    solids["coupon-knob"] = _knob_handle()
    solids["coupon-seams"] = _seam_ladder(SEAM_STEPS_MM)
    return {name: to_mesh(_upside_down(solid)) for name, solid in solids.items()}


def label(gap_mm: float) -> str:
    """A gap as it is engraved: hundredths of a millimetre behind the point, `0.15`."""
    return f"{gap_mm:.2f}"


def _upside_down(solid: Solid) -> Solid:
    top = solid.bounding_box()[5]
    return solid.translate((0, 0, -top)).rotate((180, 0, 0))


def _socket_tile(fit: Fit) -> Solid:
    """A tile's top with its socket and keyholes, as in a deck."""
    cells = ((0, 0),)
    rim, inner = split_edges(cells)
    body = outline(cells, fit)
    ribs = beams(rim, fit)
    plate = ribbed(cells, body, ribs, inner, STANDARD.deck_mm, fit, Surface())
    return cut(union([plate, edge_tubs(rim, body, fit)]), edge_cuts(rim, fit))


def _peg_handle(gap_mm: float) -> Solid:
    """A peg below a plate that says its gap."""
    plate = prism(square(HANDLE_MM / 2), 0.0, STANDARD.topper_mm, high=RELIEF)
    top = STANDARD.topper_mm
    sign = extrude(text(label(gap_mm), LABEL_MM), top - SIGN_DEPTH_MM, top + 1.0)
    return cut(union([plate, peg(Fit(gap_mm), STANDARD.peg_length_mm, 0.4)]), [sign])


def _knob_handle() -> Solid:
    """A quadrant's knob on a short piece of its edge; the knob is the same at every gap."""
    import shapely

    half = POCKET_PITCH_MM / 2 - 0.5
    shape = shapely.union(seam_knob(), shapely.box(-half, -12.0, half, 0.0))
    from shapely import affinity

    word = affinity.translate(text("SEAM", 4.2), 0.0, -7.0)
    return _hollow_plate(shape, word)


def _seam_ladder(steps_mm: Sequence[float]) -> Solid:
    """A bar with a quadrant's pocket for each gap, and the gap above it."""
    import shapely
    from shapely import affinity

    length = POCKET_PITCH_MM * len(steps_mm)
    shape: BaseGeometry = shapely.box(0.0, -LADDER_MM, length, 0.0)
    signs = []
    for index, step in enumerate(steps_mm):
        x = (index + 0.5) * POCKET_PITCH_MM
        pocket = affinity.rotate(seam_knob(step), 180, origin=(0, 0))
        shape = shapely.difference(shape, affinity.translate(pocket, x, 0.0))
        signs.append(affinity.translate(text(label(step), 3.6), x, -LADDER_MM + 4.0))
    return _hollow_plate(shape, shapely.union_all(signs))


def _hollow_plate(shape: BaseGeometry, signs: BaseGeometry) -> Solid:
    """A skin over a rim as thick as the base's, with its relief, its top at z = 0."""
    bottom = -STANDARD.base_mm
    ring = wall_ring(shape, STANDARD.rim_mm)
    body = union([extrude(shape, -SKIN_MM, 0.0), extrude(ring, bottom, 0.0)])
    relieved = body ^ prism(shape, bottom, 0.0, high=RELIEF)
    return cut(relieved, [extrude(signs, -SIGN_DEPTH_MM, 1.0)])
