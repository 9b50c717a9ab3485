"""Tables printed a little wrong: how often every joint still goes together and holds.

A table is printed on one printer from one roll: all outsides are off by one amount and all insides
by another, and on top of it each dimension by one of its own. A printer's spread is what nineteen
of twenty dimensions stay within, so both are drawn with half of it as standard deviation, the
table's with 0.8 and the dimension's own with 0.6 of that. Outsides that are too large and insides
that are too small make joints tight; the other way round they do not hold. Clicks and blades are
those of the printed layers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from falldamage_forge.geometry.decks import (
    BLADE_STEPS,
    FOOT_STEPS,
    blade_slack_mm,
    bulb_ends_mm,
)
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.hold import GRAM_N, LEAST_GF, click_of, standing_mm
from falldamage_forge.geometry.joints import entered_by
from falldamage_forge.geometry.ladders import foot_bed_mm, hook_bed_mm
from falldamage_forge.geometry.laid import depths, half_of
from falldamage_forge.geometry.standard import (
    BULB,
    NECK,
    SHALLOW_BULB,
    SHALLOW_NECK,
    STANDARD,
    heads,
    places,
)
from falldamage_forge.pieces.model import Placement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Draws = NDArray[np.float64]
    Hits = NDArray[np.bool_]
    Off = Callable[[Draws], Draws]

TABLES = 4000
SPREADS_MM = (0.05, 0.10, 0.15, 0.20)
SHARED, OWN = 0.8, 0.6
PRESS_MM = 0.06
"""A hand still presses together what is too tight by so much: edges give."""
HARDEST_N = 40.0
"""More than this no hand pulls off."""
BLADES, HOOK, FOOT = "bridge's blades in keyholes", "ladder's hook", "ladder's foot"
BY_WAY = {"hook": HOOK, "foot": FOOT}
"""Joints with keyholes by name, those of ladders by how they enter."""
BREAKS_MM = 0.50
"""A wall that is bent farther than this breaks or stays bent."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of joint: how many a table has, and of what stiffness, beads, click and height.

    Height is 0 for caps, which lie in the groove and cannot tip.
    """

    name: str
    count: int
    stiffness_n_mm: float = 0.0
    beads: int = 0
    click_mm: float = 0.0
    height_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What became of the tables at one spread: the share that can be built and stands.

    `first` is the kind of joint that fails most often and how, empty when none does.
    """

    spread_mm: float
    share: float
    first: str
    failures: Mapping[str, float]


def kinds_of(placements: Iterable[Placement], fit: Fit) -> tuple[Kind, ...]:
    """The joints of a map's parts, by kind."""
    found: Counter[tuple[str, float, int, float, float]] = Counter()
    for placement in placements:
        piece = placement.piece
        click = click_of(piece, fit)
        if click is not None:
            name = (
                "block on a tile" if piece.builder in ("block", "step") else f"{piece.key}'s legs"
            )
            height = 0.0 if piece.builder == "cap" else standing_mm(piece)
            beads = len(click.places_mm)
            found[name, click.stiffness_n_mm, beads, click.click_mm, height] += 1
        elif piece.builder in ("plank-bridge", "arch-bridge"):
            found[BLADES, 0.0, 0, 0.0, 0.0] += 2
        elif piece.builder == "ladder":
            for way in set(entered_by(piece)) & set(BY_WAY):
                found[BY_WAY[way], 0.0, 0, 0.0, 0.0] += 1
        elif piece.builder == "tie":
            found["tie in its pockets", 0.0, 0, 0.0, 0.0] += 2
    return tuple(Kind(k[0], count, *k[1:]) for k, count in sorted(found.items()))


def tolerance(
    kinds: Iterable[Kind], fit: Fit, spread_mm: float, tables: int = TABLES, seed: int = 1
) -> Tolerance:
    """Thousands of tables with every dimension off by a printer's spread."""
    import numpy as np

    chance = np.random.default_rng(seed)
    sigma = spread_mm / 2
    outside, inside = (chance.normal(0, SHARED * sigma, (tables, 1)) for _ in range(2))
    good = np.ones(tables, dtype=bool)
    failing: dict[str, Hits] = {}
    for kind in kinds:
        size = (tables, kind.count)

        def off(shared: Draws, size: tuple[int, int] = size) -> Draws:
            drawn: Draws = shared + chance.normal(0, OWN * sigma, size)
            return drawn

        for why, bad in _faults(kind, fit, off, outside, inside).items():
            tables_hit = bad.any(axis=1)
            name = f"{kind.name}: {why}"
            failing[name] = failing.get(name, np.zeros_like(tables_hit)) | tables_hit
            good &= ~tables_hit
    worst = sorted(((float(hit.mean()), name) for name, hit in failing.items()), reverse=True)
    found = {name: share for share, name in worst if share > 0}
    return Tolerance(spread_mm, float(good.mean()), next(iter(found), ""), found)


def _faults(kind: Kind, fit: Fit, off: Off, outside: Draws, inside: Draws) -> dict[str, Hits]:
    """By what is wrong, for each table and joint, whether it is. Deviations are of half sizes."""
    import numpy as np

    if kind.beads:
        return _click_faults(kind, fit, off, outside, inside)
    if kind.name.startswith("tie"):
        from falldamage_forge.geometry.base import tie_gap_mm

        gap = tie_gap_mm(fit) + off(inside) - off(outside)
        return {
            "too tight": gap < -PRESS_MM,
            "falls out": STANDARD.tie_lip_mm - gap < 0.0,
        }
    room = blade_room(kind.name, fit)
    too_tight = [
        gap + off(inside) - off(outside) < -PRESS_MM / 2
        for gap in (room.side_mm, room.stem_mm, room.along_mm)
    ]
    found = {"too tight": np.logical_or.reduce(too_tight)}
    if room.catch_mm is not None:
        found["slips out"] = room.catch_mm + off(outside) - off(inside) < -0.02
    return found


@dataclass(frozen=True, slots=True)
class BladeRoom:
    """What a printed blade has in its printed keyhole, in mm, at the tightest of their layers.

    Lines bulge at corners, which by G-code takes up to 0.05 mm more on each side; that is left out.

    Beside its bulb, beside its stem, along the blade; and how far the bulb's half width reaches
    behind the keyhole's neck, None for a foot, behind whose neck there is the wall.
    """

    side_mm: float
    stem_mm: float
    along_mm: float
    catch_mm: float | None


def blade_room(name: str, fit: Fit) -> BladeRoom:
    """The room of the blades of a kind of joint, cut at the middles of layers."""
    foot = name == FOOT
    bulb, neck = (SHALLOW_BULB, SHALLOW_NECK) if foot else (BULB, NECK)
    steps, slack = FOOT_STEPS if foot else BLADE_STEPS, blade_slack_mm(fit)
    cuts = [
        (
            half_of(bulb, z),
            half_of(neck, z),
            half_of(steps, z) - slack,
            half_of(steps, z, 2) - slack,
        )
        for z in depths(steps)
    ]
    at, bed = places(fit), {FOOT: foot_bed_mm(fit), HOOK: hook_bed_mm(fit)}.get(name)
    low, high = bulb_ends_mm(fit, bed)
    along = at.bulb_to_mm - high if foot else min(at.bulb_to_mm - high, low - at.bulb_from_mm)
    return BladeRoom(
        min(key - blade for key, _, blade, _ in cuts),
        min(key - blade for _, key, _, blade in cuts),
        along,
        None if foot else max(blade - key for _, key, blade, _ in cuts),
    )


def _click_faults(kind: Kind, fit: Fit, off: Off, outside: Draws, inside: Draws) -> dict[str, Hits]:
    sizes = heads(fit)
    face = off(outside)
    gap = fit.fit_mm + off(inside) - face
    bent = kind.click_mm + face - off(inside)
    pull = 1.86 * kind.beads * kind.stiffness_n_mm * bent.clip(0.0)
    need = _needed_n(kind.height_mm, sizes.top_mm)
    return {
        "does not go on": gap < -PRESS_MM,
        "cannot be pulled off": (pull > HARDEST_N) | (bent > BREAKS_MM),
        "tips too easily": pull < need,
    }


@cache
def _needed_n(height_mm: float, lever_mm: float) -> float:
    """What all beads must bear together so that a sleeve's touch does not tip it."""
    return LEAST_GF * GRAM_N * height_mm / lever_mm


def shares(
    placements: Sequence[Placement], fits: Iterable[Fit], spread_mm: float
) -> Iterator[tuple[Fit, Tolerance]]:
    """The same map with other fits: by this the defaults were chosen."""
    for fit in fits:
        yield fit, tolerance(kinds_of(placements, fit), fit, spread_mm)
