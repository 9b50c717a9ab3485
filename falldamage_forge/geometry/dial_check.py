"""Dial check: figure, stand and wheel as their layers are printed: at rest, turning, pushed in.

The wheel rests in each of its ten places without touching. Between two places a bump meets the hub,
or the leg in its slot, and its arc bends; on the way in and out the barbs bend the legs. Each
spring's way is the least shift that frees it; strains follow from beams (arc: both ends clamped;
leg: one). `fdforge prove` runs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING

from falldamage_forge.board import Tile
from falldamage_forge.geometry import dial
from falldamage_forge.geometry.connector_standard import LAYER_MM
from falldamage_forge.geometry.csg import Solid, force_evaluation, translate
from falldamage_forge.geometry.joint_check import OVERLAP_MM3, SINK_MM, overlap_mm3
from falldamage_forge.geometry.layered_mesh import printed_standing
from falldamage_forge.geometry.piece_style import PLAIN, PieceStyle
from falldamage_forge.geometry.snap_fit import MOST_STRAIN
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue
from falldamage_forge.pieces.piece import Piece, Placement

if TYPE_CHECKING:
    from falldamage_forge.geometry.design_parameters import DesignParameters
    from falldamage_forge.pieces.catalogue import Catalogue

FREE_MM, HALVINGS = 1.2, 7
"""Most that a spring is shifted, and halvings of the interval that holds its way."""
NEAR_MM = 7.0
"""Figures are cut off at this height over the table."""


@dataclass(frozen=True, slots=True)
class DialReport:
    """Measurements of a figure on a stand and a wheel.

    Volumes are overlaps in mm³: the greatest at rest, that of the figure sunk by `SINK_MM`, the
    least between two places, the greatest while the figure is lifted off. `turn_mm` and `push_mm`
    are the ways of an arc and of a leg, the strains the greatest on them.
    """

    name: str
    overlap_mm3: float
    sunk_mm3: float
    between_mm3: float
    held_mm3: float
    turn_mm: float
    push_mm: float
    turn_strain: float
    push_strain: float

    def issues(self) -> Iterator[Issue]:
        """Yield an issue for each requirement that the dial fails."""
        if self.overlap_mm3 >= OVERLAP_MM3:
            message = f"{self.name}: at rest the parts overlap by {self.overlap_mm3:.3f} mm³"
            yield Issue("FDF430", "error", message)
        if self.sunk_mm3 < OVERLAP_MM3:
            yield Issue("FDF431", "error", f"{self.name}: the stand does not carry the figure")
        if self.held_mm3 < OVERLAP_MM3:
            yield Issue("FDF432", "error", f"{self.name}: lifted, the figure leaves the wheel")
        if self.between_mm3 < OVERLAP_MM3:
            yield Issue("FDF435", "error", f"{self.name}: the wheel turns without a click")
        for part, strain in (("wheel", self.turn_strain), ("figure", self.push_strain)):
            if strain > MOST_STRAIN:
                message = f"{self.name} strains its {part} by {strain:.1%}; {MOST_STRAIN:.1%} hold"
                yield Issue("FDF439", "error", message)


def dials(catalogue: Catalogue, wanted: Iterable[Piece]) -> Iterator[tuple[Piece, Piece, Piece]]:
    """Yield figure, stand and wheel of each dial that some pieces need for their proof.

    A figure stands on the first stand, a stand under the first figure.

    Args:
        catalogue: Catalogue with figures, stands and wheels.
        wanted: Pieces to prove.
    """
    keys = {piece.key for piece in wanted}
    units, stands, wheels = (catalogue.family(name) for name in ("unit", "stand", "wheel"))
    for unit, stand, wheel in product(units, stands, wheels):
        first = unit is units[0], stand is stands[0]
        asked = unit.key in keys, stand.key in keys or (first[0] and wheel.key in keys)
        if (asked[0] and first[1]) or (asked[1] and first[0] and (first[1] or stand.key in keys)):
            yield unit, stand, wheel


def check_dial(
    unit: Piece, stand: Piece, wheel: Piece, fit: DesignParameters, style: PieceStyle = PLAIN
) -> DialReport:
    """Return the overlaps and strains of a dial.

    Args:
        unit: Figure.
        stand: Stand of any side and class.
        wheel: Health wheel.
        fit: Gaps of the printer.
        style: Relief of all parts.
    """
    x, y = fit.on(unit.grid).grid.centre_mm(0, 0)
    half = dial.RADIUS_MM + 2
    near = (x - half, y - half, -1.0, x + half, y + half, NEAR_MM)
    # Each part about the z axis, so that it is turned by a number.
    figure, base, disc = (
        force_evaluation(
            translate(printed_standing(Placement(part, Tile(0, 0), 0), fit, near, style), -x, -y)
        )
        for part in (unit, stand, wheel)
    )
    step = dial.STEP_DEG
    turns = [place * step for place in range(len(dial.PLACES))]
    whole = force_evaluation(base + figure)
    hub = _within(whole, (-8.0, -8.0, 0.0), (8.0, 8.0, dial.TOP_MM))
    bump = _within(disc, (-3.0, dial.HUB_MM - 1.5, 0.0), (3.0, dial.HUB_MM + 1.0, NEAR_MM))
    between = [force_evaluation(_turned(hub, turn + step / 2)) for turn in turns]
    leg = _within(figure, (2.0, -3.0, 0.0), (9.0, 3.0, dial.TOP_MM - LAYER_MM / 2))
    lifts = [LAYER_MM * index for index in range(1, int(dial.TOP_MM / LAYER_MM))]
    rims = _within(base + disc, (0.0, -4.0, 0.0), (10.0, 4.0, NEAR_MM))
    turn_mm = _way_mm(((bump, part) for part in between), (0.0, 1.0))
    push_mm = _way_mm(((translate(leg, z_mm=lift), rims) for lift in lifts), (-1.0, 0.0))
    return DialReport(
        f"{unit.key} on {stand.key}",
        max(overlap_mm3(figure, base), *(overlap_mm3(disc, _turned(whole, by)) for by in turns)),
        overlap_mm3(translate(figure, z_mm=-SINK_MM), base),
        min(overlap_mm3(bump, part) for part in between),
        max(overlap_mm3(translate(leg, z_mm=lift), disc) for lift in lifts),
        turn_mm,
        push_mm,
        12 * dial.ARC_MM * turn_mm / dial.arc_length_mm(fit) ** 2,
        1.5 * dial.LEG_MM * push_mm / dial.leg_length_mm() ** 2,
    )


def _turned(solid: Solid, angle_deg: float) -> Solid:
    return solid.rotate((0.0, 0.0, angle_deg))


def _within(solid: Solid, low: tuple[float, ...], high: tuple[float, ...]) -> Solid:
    """Return the part of a solid inside a box."""
    from manifold3d import Manifold

    size = tuple(b - a for a, b in zip(low, high, strict=True))
    return force_evaluation(solid ^ Manifold.cube(size).translate(low))


def _way_mm(pairs: Iterable[tuple[Solid, Solid]], along: tuple[float, float]) -> float:
    """Return the least shift of springs at which none overlaps the part that it passes."""

    def meets(spring: Solid, fixed: Solid, by_mm: float) -> bool:
        moved = translate(spring, along[0] * by_mm, along[1] * by_mm)
        return overlap_mm3(moved, fixed) >= OVERLAP_MM3 / 10

    most = 0.0
    for pair in pairs:
        if not meets(*pair, most):
            continue
        low, high = most, FREE_MM
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if meets(*pair, middle) else (low, middle)
        most = high
    return most
