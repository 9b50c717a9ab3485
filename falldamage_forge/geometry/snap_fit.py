"""Snap-fit retention: force to pull a piece off, and to tip it, from the stiffness of its walls.

A bead rides over a stud's face: where it overlaps the stud, its wall is bent outward by the overlap
and pushes back with its stiffness. The pull follows from the flanks' slope and friction. In a lift
all beads pass at once; in a tilt about an edge of the seat each is lifted by its distance from that
edge. Weight is added. Walls are plates, fixed under the stud and free at the skirt, coupled at the
corners (Ritz's method: sines along, polynomials up); flanges of legs are cantilevers. Beads and
studs are profiles of printed layers (`laid`).

Results are estimates: PLA with a modulus of 2,600 N/mm² and friction 0.3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.baseplate import (
    LIP_FLAT_MM,
    LIP_HALF_MM,
    POCKET_MM,
    tie_gap_mm,
)
from falldamage_forge.geometry.battlements import BEND_TOP_MM, TONGUE_MM, height_mm, sides_of
from falldamage_forge.geometry.blocks import bead_profile, bead_seats
from falldamage_forge.geometry.connector_standard import (
    LAYER_MM,
    STANDARD,
    heads,
    places,
)
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import SIDES
from falldamage_forge.geometry.joint_check import connectors_of, top_of_mm
from falldamage_forge.geometry.layered_profile import Profile, half_at, laid
from falldamage_forge.geometry.legs import CORNERS, ring_bead_mm, tongue_half_mm
from falldamage_forge.geometry.stud import head_profile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import Issue
from falldamage_forge.pieces.piece import Piece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

YOUNG_N_MM2, POISSON, FRICTION = 2600.0, 0.35, 0.3
GRAM_N = 9.81e-3
DENSITY_G_MM3 = 1.24e-3
MOST_STRAIN = 0.015
"""Strain that printed PLA bears again and again; it breaks from 2 % on."""
LEAST_GF = 30.0
"""Minimum sideways pull at the top, about the touch of a sleeve."""
PRINTED = 0.85
"""Approximate share of a shell's volume that is printed: lines have round edges."""
STEP_MM, MOST_MM = 0.02, 1.6
BENT_ROOT_MM, BENT_ARM_MM = 9.5, 4.5
"""Length of the root along which a cap's corner bends, and its lever arm."""


@dataclass(frozen=True, slots=True, order=True)
class Spring:
    """A wall or flange with a bead: its force, and its greatest strain, for each mm bent."""

    stiffness_n_mm: float
    strain_per_mm: float


@dataclass(frozen=True, slots=True)
class SnapFit:
    """The beads of a piece.

    `places_mm` are (x, y) in its own frame; `reach_mm` is the half size at their crests; `click_mm`
    is their overlap with a stud's face, both as printed.
    """

    places_mm: tuple[tuple[float, float], ...]
    reach_mm: float
    spring: Spring
    click_mm: float

    @property
    def strain(self) -> float:
        """Greatest strain of the wall when its bead passes a stud's face."""
        return self.spring.strain_per_mm * self.click_mm


@dataclass(frozen=True, slots=True)
class RetentionResult:
    """Retention of a standing piece or stack.

    `lift_n` pulls it straight off; `tip_gf` is a sideways pull at its top, in grams of force;
    `knock_mj` is the work until it has tipped out of its snap fit; `strain` is the greatest strain
    of its walls on the way.
    """

    name: str
    height_mm: float
    grams: float
    lift_n: float
    tip_gf: float
    knock_mj: float
    strain: float

    def issues(self) -> Iterator[Issue]:
        """Yield an issue if the piece tips too easily, or bends its walls too far."""
        if self.tip_gf < LEAST_GF:
            message = f"{self.name} tips at {self.tip_gf:.0f} gf sideways at its top"
            yield Issue("FDF436", "error", message)
        if self.strain > MOST_STRAIN:
            message = f"{self.name} strains its walls by {self.strain:.1%}; {MOST_STRAIN:.1%} hold"
            yield Issue("FDF439", "error", message)


@cache
def wall_spring(height_mm: float, wall_mm: float, width_mm: float) -> Spring:
    """Return the spring of a wall that a bead in its middle bends outward.

    Args:
        height_mm: Height of the wall above the level it stands on.
        wall_mm: Thickness above the seat.
        width_mm: Distance between the adjoining walls.

    Source: Ritz's method for Kirchhoff plates.
    """
    import numpy as np

    low = -STANDARD.skirt_mm
    span = height_mm - low
    depth = (-STANDARD.under_depth_mm - low) / span
    nodes, weights = np.polynomial.legendre.leggauss(48)
    s = (nodes + 1) / 2
    z = low + s * span
    seat = STANDARD.seat_mm + 0.84
    thick = np.where(
        (z > 0) & (z < STANDARD.seat_rise_mm),
        seat - (seat - wall_mm) * z / STANDARD.seat_rise_mm,
        np.where(z <= 0, 0.84, wall_mm),
    )
    stiff = YOUNG_N_MM2 * thick**3 / 12 / (1 - POISSON**2) * weights / 2 * span
    rows, first, second = _upright(s, span)
    at, _, _ = _upright(np.array([depth]), span)
    half = STANDARD.bead_half_mm
    waves, turned, load = [], np.zeros((len(at[0]),) * 2), np.zeros(len(at[0]))
    for n in range(1, 42, 2):
        k = n * math.pi / width_mm
        # Sines along the wall are orthogonal: each wave is a beam of its own up the wall.
        flat = rows * k**2 - second
        mixed = (rows.T @ (stiff[:, None] * second) + second.T @ (stiff[:, None] * rows)) / 2
        shear = first.T @ (stiff[:, None] * first)
        matrix = flat.T @ (stiff[:, None] * flat) + 2 * (1 - POISSON) * k**2 * (mixed + shear)
        inverse = np.linalg.inv(matrix * width_mm / 2)
        push = math.sin(n * math.pi / 2) * math.sin(k * half) / (k * half) * at[0]
        waves.append((n, k, inverse, push))
        turned += 2 * n**2 * inverse
        load += n * inverse @ push
    # The two walls beside turn with it at the corners, which makes it stiffer than hinges would.
    held, soft = np.linalg.solve(turned, load), 0.0
    upward, along = np.zeros(len(z)), np.zeros(len(z))
    for n, k, inverse, push in waves:
        shape = inverse @ (push - n * held)
        soft += float(push @ shape)
        middle = math.sin(n * math.pi / 2)
        upward += middle * second @ shape
        along += middle * k**2 * rows @ shape
    strain = thick / 2 * np.maximum(abs(upward), abs(along))
    return Spring(1.0 / soft, float(strain.max()) / soft)


def _upright(s: NDArray[np.float64], span: float) -> tuple[NDArray[np.float64], ...]:
    """Return shapes up the wall and their first and second derivatives by mm; fixed at s = 1."""
    import numpy as np

    shapes = [
        np.polynomial.Polynomial([1.0, -1.0]) ** 2 * np.polynomial.Polynomial([-1.0, 2.0]) ** m
        for m in range(9)
    ]
    values = [
        np.array([shape.deriv(d)(s) if d else shape(s) for shape in shapes]).T for d in range(3)
    ]
    return values[0], values[1] / span, values[2] / span**2


def flange_spring(width_mm: float, length_mm: float, thick_mm: float = 0.84) -> Spring:
    """Return the spring of a cantilever that is bent at its end.

    Args:
        width_mm: Width of the cantilever.
        length_mm: Its length from root to load.
        thick_mm: Its thickness.
    """
    stiffness = YOUNG_N_MM2 * width_mm * thick_mm**3 / (4 * length_mm**3)
    return Spring(stiffness, 1.5 * thick_mm / length_mm**2)


def cap_spring(skin_mm: float = STANDARD.skin_mm) -> Spring:
    """Return the spring of a cap's leg: the corner of its skin bends as a strip."""
    plate = YOUNG_N_MM2 * skin_mm**3 / 12 / (1 - POISSON**2)
    arm = STANDARD.cap_mm - skin_mm / 2 + STANDARD.under_depth_mm
    stiffness = plate * BENT_ROOT_MM / (arm**2 * BENT_ARM_MM)
    return Spring(stiffness, skin_mm / (2 * arm * BENT_ARM_MM))


def click_of(piece: Piece, fit: DesignParameters) -> SnapFit | None:
    """Return the beads of a piece; None if it has none.

    Args:
        piece: Piece of the catalogue.
        fit: Design parameters of the printer and grid, in mm.
    """
    fit = fit.on(piece.grid)
    sizes = heads(fit)
    if connectors_of(piece).enters == "skirt":
        reach = ring_bead_mm(fit) if _is_ringed(piece) else sizes.bead_mm
        places = []
        for cell, side in bead_seats(piece.footprint):
            x, y = fit.grid.centre_mm(*cell)
            row, col = SIDES[side]
            places.append((x + col * reach, y - row * reach))
        return SnapFit(tuple(places), reach, _skirt_spring(piece, fit), click_mm(reach, fit))
    return _leg_click(piece, fit)


def _is_ringed(piece: Piece) -> bool:
    """True for a skirt whose walls with beads are slit: that of pieces that carry nothing."""
    return not connectors_of(piece).takes


def _skirt_spring(piece: Piece, fit: DesignParameters) -> Spring:
    """Return the spring at a bead: a block's whole wall, or a slit tongue."""
    if _is_ringed(piece):
        length = STANDARD.leg_free_mm + STANDARD.under_depth_mm
        return flange_spring(2 * tongue_half_mm(fit), length)
    bay = 2 * (heads(fit).outline_mm - 0.42)
    return wall_spring(standing_mm(piece) - 3.0, fit.wall_mm, bay)


def _leg_click(piece: Piece, fit: DesignParameters) -> SnapFit | None:
    standard, sizes = STANDARD, heads(fit)
    below = standard.under_depth_mm
    springs = {
        "cap": cap_spring(fit.cap_skin_mm),
        "battlement": flange_spring(TONGUE_MM, BEND_TOP_MM + below),
    }
    if piece.builder not in springs:
        return None
    cap = piece.builder == "cap"
    drawn = standard.cap_click_mm if cap else standard.parapet_click * fit.click_mm
    reach = sizes.face_mm - drawn
    run = sum(places(fit).leg_bead_mm) / 2
    x, y = fit.grid.centre_mm(0, 0)
    corners = _corners(piece)
    beads = tuple((x + a * reach, y + b * run) for a, b in corners)
    return SnapFit(beads, reach, springs[piece.builder], click_mm(reach, fit))


def _corners(piece: Piece) -> tuple[tuple[int, int], ...]:
    if piece.builder != "battlement":
        return CORNERS[::2] if piece.builder == "cap" else CORNERS
    sides = set(sides_of(str(piece["sides"])))
    return tuple(CORNERS[k] for k in range(4) if {k, (k + 1) % 4} & sides)


def tie_bend() -> tuple[float, float]:
    """Return the way in mm and the strain of a pocket's end wall that a tie's last end passes.

    The first end lies under its lip, at its wall. Gaps of a printer undo its deviations, so those
    of the standard are what is printed.
    """
    length = POCKET_MM - LIP_FLAT_MM
    way = max(STANDARD.tie_lip_mm - 2 * tie_gap_mm(DesignParameters()), 0.0)
    return way, way * flange_spring(2 * LIP_HALF_MM, length).strain_per_mm


@cache
def head_laid(fit: DesignParameters) -> Profile:
    """Return the profile of a stud's bevel, face and throat as printed."""
    return laid(head_profile(fit), 0.0, -STANDARD.throat_depth_mm)


@cache
def bead_laid(reach_mm: float, fit: DesignParameters) -> Profile:
    """Return the profile of a bead as printed; the skirt's last line is round below.

    Args:
        reach_mm: Reach of the bead, as drawn.
        fit: Design parameters of the printer and grid, in mm.
    """
    profile = tuple((z, half) for half, z in bead_profile(fit, reach_mm)[1:-1])
    lines = laid(profile, profile[0][0], profile[-1][0])
    return (*lines, (profile[-1][0], lines[-1][1] + LAYER_MM / 2))


def click_mm(reach_mm: float, fit: DesignParameters) -> float:
    """Return the overlap of a bead with a stud's face, both as printed.

    Args:
        reach_mm: Half size at the bead's crest.
        fit: Gaps of the printer.
    """
    widest = max(half for _, half in head_laid(fit))
    return widest - min(half for _, half in bead_laid(reach_mm, fit))


def deflection_mm(reach_mm: float, lift_mm: float, fit: DesignParameters) -> float:
    """Return the distance that the stud pushes out a lifted bead; 0 if they do not touch.

    Args:
        reach_mm: Reach of the bead, as drawn.
        lift_mm: Height by which it is lifted off its seat.
        fit: Design parameters of the printer and grid, in mm.
    """
    head, bead = head_laid(fit), bead_laid(reach_mm, fit)
    worst = 0.0
    for z, half in bead:
        worst = max(worst, half_at(head, z + lift_mm) - half)
    for z, half in head:
        worst = max(worst, half - half_at(bead, z - lift_mm, 99.0))
    return worst


@cache
def _curve(reach_mm: float, fit: DesignParameters) -> tuple[tuple[float, float], ...]:
    """Return (deflection, force per N/mm of stiffness) of a bead at every step of its lift."""
    steps = [index * STEP_MM for index in range(round(MOST_MM / STEP_MM) + 1)]
    bent = [deflection_mm(reach_mm, lift, fit) for lift in steps]
    points = []
    for index, deflection in enumerate(bent):
        after = bent[min(index + 1, len(bent) - 1)]
        slope = (after - deflection) / STEP_MM
        # On the way up the flanks' slope resists, beyond the face it helps.
        pull = (slope + FRICTION) / max(1 - FRICTION * slope, 0.1)
        points.append((deflection, deflection * pull))
    return tuple(points)


def bead_force_n(click: SnapFit, lift_mm: float, fit: DesignParameters) -> float:
    """Return the resistance of one bead at a lift.

    Args:
        click: Beads of a piece.
        lift_mm: Height by which it is lifted off its seat.
        fit: Design parameters of the printer and grid, in mm.
    """
    curve = _curve(click.reach_mm, fit)
    index = min(round(lift_mm / STEP_MM), len(curve) - 1)
    return click.spring.stiffness_n_mm * curve[index][1] if lift_mm < MOST_MM else 0.0


def grip(click: SnapFit, fit: DesignParameters) -> float:
    """Return the pull that lifts a bead off, for each newton that its bent wall presses with.

    Args:
        click: Beads of a piece.
        fit: Design parameters of the printer and grid, in mm.
    """
    return _most(click, fit) / click.click_mm


def pull_off_force_n(click: SnapFit, fit: DesignParameters) -> float:
    """Return the greatest resistance of all beads when the piece is pulled straight off.

    Args:
        click: Beads of a piece.
        fit: Design parameters of the printer and grid, in mm.
    """
    return len(click.places_mm) * click.spring.stiffness_n_mm * _most(click, fit)


def _most(click: SnapFit, fit: DesignParameters) -> float:
    return max(force for _, force in _curve(click.reach_mm, fit))


def snap_fit_retention(
    name: str,
    click: SnapFit,
    cells: Iterable[tuple[int, int]],
    height_mm: float,
    grams: float,
    fit: DesignParameters,
) -> RetentionResult:
    """Return the retention of a piece or stack, tilted about each edge of its seat.

    Args:
        name: Name for messages.
        click: Beads of the lowest piece.
        cells: (row, col) of the tiles it stands on.
        height_mm: Height of the whole.
        grams: Mass of the whole.
        fit: Gaps of the printer.
    """
    weight = grams * GRAM_N
    tips = [_tilt(click, pivot, weight, fit) for pivot in _pivots(tuple(cells), fit)]
    moment, work = min(tips)
    return RetentionResult(
        name,
        height_mm,
        grams,
        pull_off_force_n(click, fit) + weight,
        moment / height_mm / GRAM_N,
        work,
        click.strain,
    )


Arms = Callable[[float, float], float]


def _pivots(
    cells: tuple[tuple[int, int], ...], fit: DesignParameters
) -> Iterator[tuple[Arms, float]]:
    """Yield for each side the function from a place to its lever arm, and that of the middle."""
    top = heads(fit).top_mm
    centres = [fit.grid.centre_mm(*cell) for cell in cells]
    xs, ys = [x for x, _ in centres], [y for _, y in centres]
    east, west, north, south = max(xs) + top, min(xs) - top, max(ys) + top, min(ys) - top
    yield lambda x, y: east - x, (east - west) / 2
    yield lambda x, y: x - west, (east - west) / 2
    yield lambda x, y: north - y, (north - south) / 2
    yield lambda x, y: y - south, (north - south) / 2


def _tilt(
    click: SnapFit, pivot: tuple[Arms, float], weight_n: float, fit: DesignParameters
) -> tuple[float, float]:
    """Return the greatest moment in N mm during a tilt, and the total work in mJ."""
    arm, middle = pivot
    arms = [max(arm(x, y), 0.0) for x, y in click.places_mm]
    longest = max(arms)
    moments = []
    step = STEP_MM / longest
    for index in range(round(MOST_MM / STEP_MM)):
        angle = index * step
        beads = sum(bead_force_n(click, angle * each, fit) * each for each in arms)
        moments.append(max(beads, 0.0) + weight_n * middle)
    return max(moments), sum(moments) * step


def grams_of(volume_mm3: float) -> float:
    """Return the approximate mass of a printed shell."""
    return volume_mm3 * DENSITY_G_MM3 * PRINTED


def check_retention(
    pieces: Iterable[Piece], fit: DesignParameters, volumes: Callable[[Piece], float]
) -> Iterator[RetentionResult]:
    """Yield the retention of pieces with a snap fit, and of towers of up to four single blocks.

    Args:
        pieces: Pieces to check.
        fit: Gaps of the printer.
        volumes: Function from a piece to its volume in mm³.
    """
    for piece in pieces:
        click = click_of(piece, fit)
        if click is None:
            continue
        own, height, grams = fit.on(piece.grid), standing_mm(piece), grams_of(volumes(piece))
        yield snap_fit_retention(piece.key, click, piece.footprint, height, grams, own)
        if piece.name == "block-1x1x1":
            for count in (2, 3, 4):
                name = f"{count} of {piece.key}"
                yield snap_fit_retention(
                    name, click, piece.footprint, count * height, count * grams, own
                )


def standing_mm(piece: Piece) -> float:
    """Return the height of a piece above the surface it stands on."""
    if piece.builder == "battlement":
        return height_mm(piece)
    return top_of_mm(piece) or piece.grid.height_mm(piece.levels)
