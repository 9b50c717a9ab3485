"""Fit coupon: frames, blocks, blades and ties in steps of their gaps, for one stud and one pocket.

The builders of the pieces make it: the stud is that of every top, the blocks are half-level steps
with the beads of every block, blades, ties and pocket are those of bridges and the baseplate. Only
one number differs from part to part. The number on a part is the answer if it is the smallest that
goes together: the middle one on a printer without any deviation. `fdforge coupon` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from falldamage_forge.geometry.baseplate import SIGN_DEPTH_MM, pockets, tie_gap_mm, tie_solid
from falldamage_forge.geometry.blocks import shell
from falldamage_forge.geometry.bridges import BLADE, blades, lip
from falldamage_forge.geometry.connector_standard import CORNER_MM, STANDARD, heads, places
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

FIT_STEPS_MM = (0.10, 0.16, 0.22, 0.28, 0.34)
CLICK_STEPS_MM = (0.22, 0.28, 0.34, 0.40, 0.46)
BLADE_STEPS_MM = (0.12, 0.18, 0.24, 0.30, 0.36)
TIE_STEPS_MM = (0.15, 0.21, 0.27, 0.33, 0.39)
"""Answers for each number of a printer; those in the middle are the standard's."""
TOUCH_MM = 0.03
"""Gap, or overlap of a bead, of the part with the middle answer: half a step."""
LABEL_MM, TIE_LABEL_MM, TIE_STROKE_MM = 4.2, 2.8, 0.6
"""Heights of the engraved numbers, and the strokes of those on ties; others are 0.7 mm wide."""
CELLS = ((0, 0),)
FRAME_MM = 2.4
"""Height of a frame above the stud."""
BAR_MM = 8.0
TIE_SIGN_MM, BLADE_SIGN_MM = 4.2, 22.2
"""Distance of a number from the middle of its tie, or of the stud that its blades enter."""


def coupon(fit: DesignParameters) -> Mapping[str, Mesh]:
    """Return the coupon's parts by name, in print pose, resting on z = 0."""
    solids = {"coupon-stone": _stone(fit)}
    for kind, steps, make in (
        ("fit", FIT_STEPS_MM, _frame),
        ("click", CLICK_STEPS_MM, _clicking),
        ("blades", BLADE_STEPS_MM, _blade_handle),
    ):
        for step in steps:
            solids[f"coupon-{kind}-{label(step)}"] = make(fit, step)
    solids["coupon-pocket"] = _pocket(fit)
    meshes = {name: to_mesh(_upside_down(solid)) for name, solid in solids.items()}
    ties = {f"coupon-tie-{label(step)}": to_mesh(_tie(fit, step)) for step in TIE_STEPS_MM}
    return {**meshes, **ties}


def tried_mm(answer_mm: float, answers_mm: Sequence[float]) -> float:
    """Return the gap or overlap of the part that carries an answer.

    It is far smaller than the answer, so that the part shows the printer's deviation.

    Args:
        answer_mm: Deviation that the part stands for.
        answers_mm: Deviations of all parts of the row.
    """
    return round(answer_mm - answers_mm[len(answers_mm) // 2] + TOUCH_MM, 4)


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


def _frame(fit: DesignParameters, answer_mm: float) -> Solid:
    """Return a skirt without beads that tries a fit, under a bar with its label."""
    import shapely

    inner = heads(fit).face_mm + tried_mm(answer_mm, FIT_STEPS_MM)
    ring = wall_ring(square(inner + 1.26), 1.26)
    bar = shapely.box(-inner - 0.5, -BAR_MM / 2, inner + 0.5, BAR_MM / 2)
    top = FRAME_MM
    parts = [
        extrude(ring, -STANDARD.skirt_mm, top),
        extrude(bar, top - STANDARD.skin_mm - SIGN_DEPTH_MM, top),
    ]
    body = union(parts) ^ prism(square(inner + 1.26), -STANDARD.skirt_mm, top, high=RELIEF)
    return subtract(body, [_sign(label(answer_mm), top)])


def _sign(word: str, top_mm: float) -> Solid:
    return extrude(text(word, LABEL_MM), top_mm - SIGN_DEPTH_MM, top_mm + 1.0)


def _clicking(fit: DesignParameters, answer_mm: float) -> Solid:
    """Return a half-level block whose beads try a click, labelled on its top.

    The stud is the printer's, so only the beads differ from one block to the next.
    """
    inner = heads(fit).face_mm - tried_mm(answer_mm, CLICK_STEPS_MM)
    top = places(fit).step_mm
    whole = shell(CELLS, fit, top, SurfaceFinish(), inner)
    x, y = fit.grid.centre_mm(0, 0)
    under = extrude(square(8.0), top - 1.44, top - 0.5)
    sign = _sign(label(answer_mm), top)
    return subtract(union([whole, translate(under, x, y)]), [translate(sign, x, y)])


def _tie(fit: DesignParameters, answer_mm: float) -> Solid:
    """Return a tie that tries a gap in the coupon's pocket, labelled on its underside."""
    from shapely import affinity

    # On the thick end between waist and lip, seen from below.
    drawing = text(label(answer_mm), TIE_LABEL_MM, TIE_STROKE_MM)
    sign = affinity.scale(drawing, -1.0, 1.0, origin=(0, 0))
    cut = extrude(affinity.translate(sign, 0.0, -TIE_SIGN_MM), -1.0, SIGN_DEPTH_MM)
    gap = tried_mm(answer_mm, TIE_STEPS_MM) + CORNER_MM
    return subtract(tie_solid(fit, tie_gap_mm(fit) - gap), [cut])


def _blade_handle(fit: DesignParameters, answer_mm: float) -> Solid:
    """Return a bridge's end that tries a gap, labelled, in the frame of the stud that it enters."""
    import shapely

    pitch, wide = fit.grid.pitch_mm / 2, places(fit).side_half_mm + 2
    plate = shapely.box(-wide, pitch + 1.2, wide, 28.0)
    tried = replace(fit, blade_mm=tried_mm(answer_mm, BLADE_STEPS_MM))
    # One gap at all layers: the lowest has to go in as well.
    kind = replace(BLADE, tighter_mm=0.0)
    parts = [blades(tried, kind, to_mm=pitch + 0.2), lip(fit, pitch + 1.6)]
    body = union([*parts, prism(plate, -STANDARD.skirt_mm, 0.0, high=RELIEF)])
    return subtract(body, [translate(_sign(label(answer_mm), 0.0), y_mm=BLADE_SIGN_MM)])


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
