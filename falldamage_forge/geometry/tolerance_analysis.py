"""Tolerance analysis: Monte Carlo of printed deviations over all joints of a map.

A table is printed on one printer from one roll: all outsides share one deviation, all insides
another, and each dimension has its own in addition. A printer's spread bounds 95 % of dimensions,
so its half is the standard deviation; the shared part has 0.8 of it, the own part 0.6. Outsides too
large and insides too small make joints tight; the opposite makes them loose. Snap fits and blades
are those of printed layers. `fdforge prove` reports the share of good tables, and the share of ends
of bridges that lie on another layer of their keyholes than drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.bridges import (
    BLADE,
    FOOT_BLADE,
    HOOK_BLADE,
    bulb_ends_mm,
    hook_blade,
)
from falldamage_forge.geometry.connector_standard import (
    BULB,
    CORNER_MM,
    LAYER_MM,
    NECK,
    STANDARD,
    heads,
    places,
)
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.joint_check import accepted_connectors, inserted_connectors
from falldamage_forge.geometry.ladders import foot_bed_mm, hook_bed_mm
from falldamage_forge.geometry.layered_profile import depths, half_of
from falldamage_forge.geometry.snap_fit import (
    GRAM_N,
    LEAST_GF,
    MOST_STRAIN,
    Spring,
    click_of,
    grip,
    standing_mm,
)
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.piece import Placement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Draws = NDArray[np.float64]
    Hits = NDArray[np.bool_]
    Off = Callable[[Draws], Draws]

TABLES = 4000
SPREADS_MM = (0.05, 0.10, 0.15, 0.20)
SHARED, OWN = 0.8, 0.6
SHARED_AFTER_COUPON = 0.3
"""The same when gaps follow the coupon, whose steps and own deviation remain."""
PRESS_MM = 0.06
"""Interference that a hand can still press together."""
HARDEST_N = 40.0
"""Maximum force that a hand can pull."""
BLADES, HOOK, FOOT = "bridge's blades in keyholes", "ladder's hook", "ladder's foot"
BY_WAY = {"hook": HOOK, "foot": FOOT}
"""Names of ladder joints by connector."""
KINDS = {BLADES: BLADE, HOOK: HOOK_BLADE, FOOT: FOOT_BLADE}
BEDS_MM = {HOOK: hook_bed_mm, FOOT: foot_bed_mm}
"""Beds of blades that lie on their side: layers lie along them, and have no deviation."""


@dataclass(frozen=True, slots=True)
class JointKind:
    """One kind of joint: its count on a table, walls, beads, overlap, grip and height.

    The height is 0 for caps, which lie in the groove and cannot tip.
    """

    name: str
    count: int
    spring: Spring = Spring(0.0, 0.0)
    beads: int = 0
    click_mm: float = 0.0
    grip: float = 0.0
    height_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class ToleranceResult:
    """Result of a simulation at one spread: the share of tables that can be built and stand.

    `first` is the kind of joint that fails most often and the failure, empty if none does;
    `failures` maps each to its share of tables. `uneven` is the share of ends of bridges that lie a
    layer too high or too low; they go together and hold all the same.
    """

    spread_mm: float
    share: float
    first: str
    failures: Mapping[str, float]
    uneven: float = 0.0


def kinds_of(placements: Iterable[Placement], fit: DesignParameters) -> tuple[JointKind, ...]:
    """Return the joints of a map's parts, by kind.

    Args:
        placements: Parts of a map on the board.
        fit: Design parameters of the printer and grid, in mm.
    """
    counts: Counter[tuple[str, Spring, int, float, float, float]] = Counter()
    loose = (Spring(0.0, 0.0), 0, 0.0, 0.0, 0.0)
    for placement in placements:
        piece = placement.piece
        click = click_of(piece, fit)
        if click is not None:
            (connector,) = inserted_connectors(piece)
            block = connector == "skirt" and bool(accepted_connectors(piece))
            name = "block on a tile" if block else f"{piece.key}'s {connector}"
            height = 0.0 if piece.builder == "cap" else standing_mm(piece)
            beads = len(click.places_mm)
            counts[name, click.spring, beads, click.click_mm, grip(click, fit), height] += 1
        elif piece.builder in ("plank-bridge", "arch-bridge"):
            counts[BLADES, *loose] += 2
        elif ways := set(inserted_connectors(piece)) & set(BY_WAY):
            for connector in ways:
                counts[BY_WAY[connector], *loose] += 1
        elif piece.builder == "tie":
            counts["tie in its pockets", *loose] += 2
    return tuple(JointKind(k[0], count, *k[1:]) for k, count in sorted(counts.items()))


def tolerance(
    kinds: Iterable[JointKind],
    fit: DesignParameters,
    spread_mm: float,
    tables: int = TABLES,
    seed: int = 1,
    shared: float = SHARED,
) -> ToleranceResult:
    """Return the share of tables whose joints all fit and hold.

    Args:
        kinds: Joints of the map.
        fit: Gaps of the printer.
        spread_mm: Half width of the interval that contains 95 % of deviations.
        tables: Number of tables to simulate.
        seed: Seed of the random numbers.
        shared: Part of the deviation that all parts share, in standard deviations.
    """
    import numpy as np

    chance = np.random.default_rng(seed)
    sigma = spread_mm / 2
    outside, inside = (chance.normal(0, shared * sigma, (tables, 1)) for _ in range(2))
    good = np.ones(tables, dtype=bool)
    failing: dict[str, Hits] = {}
    uneven = 0.0
    for kind in kinds:
        size = (tables, kind.count)

        def off(shared: Draws, size: tuple[int, int] = size) -> Draws:
            drawn: Draws = shared + chance.normal(0, OWN * sigma, size)
            return drawn

        if kind.name == BLADES:
            uneven = float(_uneven(fit, off(inside) - off(outside)).mean())
        for why, bad in _faults(kind, fit, off, outside, inside).items():
            tables_hit = bad.any(axis=1)
            name = f"{kind.name}: {why}"
            failing[name] = failing.get(name, np.zeros_like(tables_hit)) | tables_hit
            good &= ~tables_hit
    worst = sorted(((float(hits.mean()), name) for name, hits in failing.items()), reverse=True)
    failures = {name: share for share, name in worst if share > 0}
    return ToleranceResult(
        spread_mm, float(good.mean()), next(iter(failures), ""), failures, uneven
    )


def _faults(
    kind: JointKind, fit: DesignParameters, off: Off, outside: Draws, inside: Draws
) -> dict[str, Hits]:
    """Return by failure an array of shape (tables, joints): true if the joint fails.

    Deviations are of half sizes.
    """
    import numpy as np

    if kind.beads:
        return _click_faults(kind, fit, off, outside, inside)
    if kind.name.startswith("tie"):
        from falldamage_forge.geometry.baseplate import tie_gap_mm

        gap = tie_gap_mm(fit) + off(inside) - off(outside)
        return {
            "too tight": gap - CORNER_MM < -PRESS_MM,
            "falls out": STANDARD.tie_lip_mm - gap < 0.0,
        }
    room, lies = blade_room(kind.name, fit), kind.name in BEDS_MM
    gaps = [
        gap - CORNER_MM * lies + off(inside) - off(outside) for gap in (room.side_mm, room.stem_mm)
    ]
    gaps.append(room.along_mm + off(inside) - (0.0 if lies else off(outside)))
    failures = {"too tight": np.logical_or.reduce([gap < -PRESS_MM / 2 for gap in gaps])}
    if room.catch_mm is not None:
        failures["slips out"] = room.catch_mm + off(outside) - off(inside) < -0.02
    return failures


def _uneven(fit: DesignParameters, wider: Draws) -> Hits:
    """Return true for each bridge's end whose keyholes are so much wider that it lies uneven."""
    lowest, ledge = rest_mm(fit)
    return (wider < -lowest - PRESS_MM / 2) | (wider > ledge)


def rest_mm(fit: DesignParameters) -> tuple[float, float]:
    """Return the gap of a deck's blades at their lowest layer, and the ledge below it, in mm."""
    depth, *halves = BLADE.steps(fit)[-1]
    rooms = [
        (half_of(key, depth - LAYER_MM / 2) - half, half - half_of(key, depth + LAYER_MM / 2))
        for key, half in zip((BLADE.bulb, BLADE.neck), halves, strict=True)
    ]
    gaps, ledges = zip(*rooms, strict=True)
    return min(gaps), max(ledges)


@dataclass(frozen=True, slots=True)
class BladeRoom:
    """Clearance of a printed blade in its printed keyhole, in mm, at the tightest of their layers.

    `side_mm` is beside its bulb, `stem_mm` beside its stem, `along_mm` along the blade. `catch_mm`
    is the reach of the bulb's half width behind the keyhole's neck; None for a foot, which has the
    wall behind it. The layer that a deck lies on has its own gap (`rest_mm`).
    """

    side_mm: float
    stem_mm: float
    along_mm: float
    catch_mm: float | None


def blade_room(name: str, fit: DesignParameters) -> BladeRoom:
    """Return the clearance of the blades of a kind of joint, cut at the middles of layers.

    Feet stand in the shallow keyholes of the baseplate and in the deep ones of other tops.

    Args:
        name: Name of the kind of joint.
        fit: Design parameters of the printer and grid, in mm.
    """
    kind, foot = hook_blade(fit) if name == HOOK else KINDS[name], name == FOOT
    steps = kind.steps(fit)
    cuts = [
        (
            *(
                min(half_of(key, z) for key in keys)
                for keys in ((kind.bulb, BULB), (kind.neck, NECK))
            ),
            *(half_of(steps, z, which) for which in (1, 2)),
        )
        for z in depths(steps[:-1] if kind.tighter_mm else steps)
    ]
    at, bed = places(fit), BEDS_MM[name](fit) if name in BEDS_MM else None
    low, high = bulb_ends_mm(fit, bed)
    along = at.bulb_to_mm - high if foot else min(at.bulb_to_mm - high, low - at.bulb_from_mm)
    return BladeRoom(
        min(key - blade for key, _, blade, _ in cuts),
        min(key - blade for _, key, _, blade in cuts),
        along,
        None if foot else max(blade - key for _, key, blade, _ in cuts),
    )


def _click_faults(
    kind: JointKind, fit: DesignParameters, off: Off, outside: Draws, inside: Draws
) -> dict[str, Hits]:
    sizes = heads(fit)
    face = off(outside)
    gap = fit.fit_mm + off(inside) - face
    bent = kind.click_mm + face - off(inside)
    pull = kind.grip * kind.beads * kind.spring.stiffness_n_mm * bent.clip(0.0)
    need = _needed_n(kind.height_mm, sizes.top_mm)
    return {
        "does not go on": gap < -PRESS_MM,
        "cannot be pulled off": pull > HARDEST_N,
        "bends too far": bent * kind.spring.strain_per_mm > MOST_STRAIN,
        "tips too easily": pull < need,
    }


@cache
def _needed_n(height_mm: float, lever_mm: float) -> float:
    """Return the total force on beads below which a sleeve's touch tips the piece."""
    return LEAST_GF * GRAM_N * height_mm / lever_mm


def tolerance_by_fit(
    placements: Sequence[Placement], fits: Iterable[DesignParameters], spread_mm: float
) -> Iterator[tuple[DesignParameters, ToleranceResult]]:
    """Yield the result of the same map with other fits; the defaults were chosen by it.

    Args:
        placements: Parts of a map on the board.
        fits: Design parameters to compare, in mm.
        spread_mm: Spread of a printer's deviations.
    """
    for fit in fits:
        yield fit, tolerance(kinds_of(placements, fit), fit, spread_mm)
