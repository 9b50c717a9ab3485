"""Fit coupon: frames in steps of fit and blocks in steps of click, for one stud.

The builders of the pieces make it: the stud is that of every top, the blocks are half-level steps
with the beads of every block, blades, tie and pocket are those of bridges and the baseplate. Only
one number differs from part to part, and each part is engraved with its number. `fdforge coupon`
writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from falldamage_forge.geometry.baseplate import SIGN_DEPTH_MM, pockets, tie_solid
from falldamage_forge.geometry.blocks import shell
from falldamage_forge.geometry.bridges import blades, lip
from falldamage_forge.geometry.connector_standard import STANDARD, heads, places
from falldamage_forge.geometry.csg import Solid, subtract, to_mesh, translate, union
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.engraved_text import text
from falldamage_forge.geometry.footprint import square, wall_ring
from falldamage_forge.geometry.loft import RELIEF, extrude, prism
from falldamage_forge.geometry.mesh import Mesh
from falldamage_forge.geometry.piece_style import SurfaceFinish
from falldamage_forge.geometry.stud import all_edges, engrave_top, keyholes, stud_cavities, tops

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

FIT_STEPS_MM = (0.05, 0.10, 0.15, 0.20, 0.25)
CLICK_STEPS_MM = (0.10, 0.15, 0.20, 0.25)
LABEL_MM = 4.2
"""Height of the engraved numbers; their strokes are 0.7 mm wide."""
CELLS = ((0, 0),)
FRAME_MM = 2.4
"""Height of a frame above the stud."""
BAR_MM = 8.0


def coupon(fit: DesignParameters) -> Mapping[str, Mesh]:
    """Return the coupon's parts by name, in print pose, resting on z = 0."""
    solids = {"coupon-stone": _stone(fit)}
    for step in FIT_STEPS_MM:
        solids[f"coupon-fit-{label(step)}"] = _frame(fit, step)
    for step in CLICK_STEPS_MM:
        solids[f"coupon-click-{label(step)}"] = _clicking(fit, step)
    solids["coupon-blades"] = _blade_handle(fit)
    solids["coupon-pocket"] = _pocket(fit)
    meshes = {name: to_mesh(_upside_down(solid)) for name, solid in solids.items()}
    tie = tie_solid(fit)
    return {**meshes, "coupon-tie": to_mesh(translate(tie, z_mm=-tie.bounding_box()[2]))}


def label(gap_mm: float) -> str:
    """Return a gap as engraved: millimetres with two decimals, `0.15`."""
    return f"{gap_mm:.2f}"


def _upside_down(solid: Solid) -> Solid:
    top = solid.bounding_box()[5]
    return solid.translate((0, 0, -top)).rotate((180, 0, 0))


def _stone(fit: DesignParameters) -> Solid:
    """Return a tile's stud on a frame as deep as a deck, with its keyholes."""
    low = -STANDARD.deck_mm
    body = tops(CELLS, fit) ^ extrude(square(40.0), low, 1.0)
    body = subtract(body, [stud_cavities(CELLS, fit, STANDARD.skin_mm, STANDARD.deck_mm + 1.0)])
    bosses, cuts = keyholes(all_edges(CELLS), fit)
    return engrave_top(body, bosses, cuts)


def _frame(fit: DesignParameters, gap_mm: float) -> Solid:
    """Return a skirt without beads and with a given gap to the stud, under a bar with its label."""
    import shapely

    inner = heads(fit).face_mm + gap_mm
    ring = wall_ring(square(inner + 1.26), 1.26)
    bar = shapely.box(-inner - 0.5, -BAR_MM / 2, inner + 0.5, BAR_MM / 2)
    top = FRAME_MM
    parts = [
        extrude(ring, -STANDARD.skirt_mm, top),
        extrude(bar, top - STANDARD.skin_mm - SIGN_DEPTH_MM, top),
    ]
    body = union(parts) ^ prism(square(inner + 1.26), -STANDARD.skirt_mm, top, high=RELIEF)
    return subtract(body, [_sign(label(gap_mm), top)])


def _sign(word: str, top_mm: float) -> Solid:
    return extrude(text(word, LABEL_MM), top_mm - SIGN_DEPTH_MM, top_mm + 1.0)


def _clicking(fit: DesignParameters, click_mm: float) -> Solid:
    """Return a half-level block whose beads overlap the stud by `click_mm`, labelled on its top.

    The stud is the printer's, so only the beads differ from one block to the next.
    """
    inner = heads(fit).face_mm - click_mm
    top = places(fit).step_mm
    whole = shell(CELLS, fit, top, SurfaceFinish(), inner)
    x, y = fit.grid.centre_mm(0, 0)
    under = extrude(square(8.0), top - 1.44, top - 0.5)
    sign = _sign(label(click_mm), top)
    return subtract(union([whole, translate(under, x, y)]), [translate(sign, x, y)])


def _blade_handle(fit: DesignParameters) -> Solid:
    """Return a bridge's end on a short plate, in the frame of the stud that it enters."""
    import shapely

    pitch, wide = fit.grid.pitch_mm / 2, places(fit).side_half_mm + 2
    plate = shapely.box(-wide, pitch + 1.2, wide, 28.0)
    parts = [blades(fit, to_mm=pitch + 0.2), lip(fit, pitch + 1.6)]
    return union([*parts, prism(plate, -STANDARD.skirt_mm, 0.0, high=RELIEF)])


def _pocket(fit: DesignParameters) -> Solid:
    """Return one edge of the baseplate with the pocket of a tie."""
    import shapely

    side, low = fit.side_mm, -STANDARD.base_mm
    shape: BaseGeometry = shapely.box(side, -12.0, fit.grid.pitch_mm - side, -side)
    walls, cuts = pockets([1, 0, 0, 0], shape, fit)
    parts = [
        extrude(shape, -STANDARD.skin_mm, 0.0),
        extrude(wall_ring(shape, 1.26), low, 0.0),
        walls,
    ]
    return subtract(union(parts) ^ prism(shape, low, 0.0, high=RELIEF), [cuts])
