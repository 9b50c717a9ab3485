"""Joints, seats, clicks, holds and tolerances, as text: see `tests/snapshot.py`."""

from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest

import falldamage_forge as ff
from falldamage_forge.board import Tile
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.joint_check import (
    DEEP,
    Joint,
    accepted_connectors,
    inserted_connectors,
    joints,
    seats_of,
    smallest,
    top_of_mm,
)
from falldamage_forge.geometry.snap_fit import (
    Spring,
    bead_force_n,
    check_retention,
    click_of,
    deflection_mm,
    pull_off_force_n,
    standing_mm,
)
from falldamage_forge.geometry.tolerance_analysis import JointKind, kinds_of, tolerance
from falldamage_forge.lengths import GRID, PrintGrid
from falldamage_forge.pieces.piece import Placement
from falldamage_forge.pieces.plan import plan_with
from falldamage_forge.presets import load_catalogue
from tests import snapshot
from tests.snapshot import Snapshots, text

AREA = "geometry"
FITS = {"own": DesignParameters(), "wide": DesignParameters(fit_mm=0.3, click_mm=0.4, wall_mm=1.2)}
SIZES = {"inch": PrintGrid(25.4, 25.44), "wide": PrintGrid(40.0, 30.0)}


def jointed() -> Iterator[str]:
    """How many joints each two builders have, and of what sort; and some in full."""
    listed = list(joints(load_catalogue(), DesignParameters()))
    kinds: dict[tuple[str, str], list[Joint]] = {}
    for joint in listed:
        kinds.setdefault((joint.b.piece.builder, joint.a.piece.builder), []).append(joint)
    for (upper, lower), those in sorted(kinds.items()):
        keys = len({(one.a.piece.key, one.b.piece.key) for one in those})
        sorts = (f"{name} {sum(map(bool, (getattr(one, name) for one in those)))}"
                 for name in ("clicks", "rests"))  # fmt: skip
        yield f"{upper} and {lower}: {len(those)} joints of {keys} pairs, {', '.join(sorts)}"
    for joint in listed[::13]:
        a, b = joint.a, joint.b
        at = f"{b.tile}@{b.level} turned {b.quarter_turns}, raised {b.raised_mm:g} mm"
        yield f"{joint.name}: {a.piece.key} and {b.piece.key} on {at}, pulls {text(joint.pulls)}"


def seated() -> Iterator[str]:
    """What each piece enters by and takes, how high its top is, and how many seats it has."""
    pieces = list(load_catalogue().pieces.values())
    for piece in pieces:
        takes = " ".join(
            f"{kind} at {len(seats_of(piece, kind))}" for kind in accepted_connectors(piece)
        )
        yield (
            f"{piece.key}: enters by {text(inserted_connectors(piece))}, "
            f"takes {takes or 'nothing'}, "
            f"top {top_of_mm(piece):g} mm, stands {standing_mm(piece):g} mm"
        )
    for kind in DEEP:
        takers = [piece for piece in pieces if kind in accepted_connectors(piece)]
        yield f"smallest that take {kind}: {text([piece.key for piece in smallest(takers)])}"


def clicked(fit: DesignParameters, grid: PrintGrid) -> Iterator[str]:
    """Where each piece clicks, how far the bead reaches, and what holds it."""
    pieces = list(load_catalogue(grid).pieces.values())
    reaches = set()
    for piece in pieces:
        if (click := click_of(piece, fit)) is None:
            continue
        reaches.add(click.reach_mm)
        own = fit.on(piece.grid)
        pulls = " ".join(f"{bead_force_n(click, tenths / 10, own):.4g}" for tenths in (0, 4, 8, 12))
        places = " ".join(f"{x:.4g},{y:.4g}" for x, y in click.places_mm)
        yield (
            f"{piece.key}: clicks at {places} mm, reach {click.reach_mm:.5g} mm, stiffness "
            f"{click.spring.stiffness_n_mm:.4g} N/mm, strain {click.strain:.3g}, "
            f"lift {pull_off_force_n(click, own):.4g} N, "
            f"pulls {pulls} N"
        )
    for reach in sorted(reaches):
        bent = " ".join(
            f"{deflection_mm(reach, tenths / 10, fit.on(grid)):.4g}" for tenths in range(-1, 13, 2)
        )
        yield f"bead of reach {reach:.5g} mm, bent by height: {bent} mm"
    few = [piece for piece in pieces if piece.levels <= 2][::4]
    for one in check_retention(few, fit, lambda piece: 900.0 * max(1, len(piece.footprint))):
        codes = " ".join(sorted(issue.code for issue in one.issues()))
        yield (
            f"{one.name}: {one.height_mm:.5g} mm, {one.grams:.4g} g, lift {one.lift_n:.4g} N, "
            f"tips at {one.tip_gf:.4g} gf, knocked by {one.knock_mj:.4g} mJ {codes}"
        )


def spread(name: str) -> Iterator[str]:
    """Kinds of joints on a map, and what share of tables goes together at a spread."""
    fit, catalogue = DesignParameters(), load_catalogue()
    placements = plan_with(ff.load(name).board, catalogue, ()).placements
    single = [Placement(one, Tile(0, 0), 0) for one in catalogue.pieces.values()]
    kinds = (
        JointKind("block on a tile", 20, Spring(8.8, 0.012), 2, 0.32, 2.1, 60.0),
        *kinds_of(placements, fit),
    )
    for kind in dict.fromkeys((*kinds, *kinds_of(single, fit))):
        yield (
            f"{kind.name}: {kind.count}, {kind.spring.stiffness_n_mm:.4g} N/mm, "
            f"{kind.beads} beads, click {kind.click_mm:.4g} mm, height {kind.height_mm:.4g} mm"
        )
    for spread_mm in (0.1, 0.2):
        for kind in kinds:
            found = tolerance([kind], fit, spread_mm, 200)
            first = Counter(found.failures).most_common(3)
            told = " ".join(f"{why} {count}" for why, count in sorted(first)) or "none"
            yield f"{kind.name} within {spread_mm} mm: {found.share:.3g} of tables, fails {told}"


SNAPSHOTS: Snapshots = {
    "joints": jointed,
    "seats": seated,
    **{f"clicks-{name}": partial(clicked, fit, GRID) for name, fit in FITS.items()},
    **{
        f"clicks-tiles-{name}": partial(clicked, DesignParameters(), grid)
        for name, grid in SIZES.items()
    },
    **{f"tolerance-{name}": partial(spread, name) for name in ("duel", "ashkeep")},
}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_fit_is_that_of_the_snapshot(name: str) -> None:
    snapshot.check(f"{AREA}/{name}", SNAPSHOTS[name]())
