"""Joints, seats, clicks, holds, tolerances and reliefs, as text: see `tests/snapshot.py`."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import cycle
from statistics import fmean

import pytest
import shapely

import falldamage_forge as ff
from falldamage_forge.board import Tile
from falldamage_forge.geometry.connector_standard import STANDARD
from falldamage_forge.geometry.csg import section
from falldamage_forge.geometry.design_parameters import DesignParameters
from falldamage_forge.geometry.footprint import outline
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
from falldamage_forge.geometry.relief.apply_relief import keep_of
from falldamage_forge.geometry.relief.elements import FigureEnvelope, ReliefElement
from falldamage_forge.geometry.relief.spires import SPIRES, spire_body
from falldamage_forge.geometry.relief.top_patterns import TOPS, top_pattern
from falldamage_forge.geometry.relief.trees import TREES, tree_body
from falldamage_forge.geometry.relief.wall_patterns import WALLS, run_of, wall_pattern
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


RETAINED = (
    "block-l-1", "battlement-3", "railing-3", "railing-tall-3", "tree", "start-red",
    "block-1x1x1", "block-3x1x1", "block-3x3x1",
)  # fmt: skip
"""Pieces whose retention is written down, one of each kind of joint and some footprints."""


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
    few = [piece for piece in pieces if piece.key.partition("@")[0] in RETAINED]
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


def standing_on(element: ReliefElement) -> Iterator[ReliefElement]:
    """An element and all that stands on it."""
    yield element
    for one in element.on:
        yield from standing_on(one)


def spans(elements: Iterable[ReliefElement]) -> str:
    """How many outlines, their area, and how far back they lie, those on them too."""
    every = [each for one in elements for each in standing_on(one)]
    area = sum(shapely.Polygon(one.outline).area for one in every)
    depth = sum(one.inset_mm + one.lean_mm for one in every) / max(len(every), 1)
    deepest = max((one.deepest_mm for one in every), default=0.0)
    return f"{len(every)} of {area:.4g} mm2, {depth:.3g} mm back, {deepest:.3g} at most"


def drawn_walls() -> Iterator[str]:
    """The elements of each pattern's walls by side, or the depths of a crag."""
    for name in WALLS:
        for variant, cells, levels in ((0, [(0, 0)], 1), (3, [(0, 0), (1, 0), (1, 1)], 2)):
            run = run_of(outline(tuple(cells), DesignParameters()))
            wall = wall_pattern(name, variant, run, 2.64, 30.0 * levels - 4.8)
            for side in range(len(run.corners) if wall.stones else 0):
                own = spans(one for one in wall.stones if one.side == side)
                yield f"{name} {variant} side {side}: {own}"
            for side, rows in enumerate(wall.crag):
                depths = [point[2] for row in rows for point in row]
                told = f"{fmean(depths):.4g} mm deep, {max(depths):.4g} at most"
                yield f"{name} {variant} side {side}: {len(depths)} points, {told}"


def drawn_tops() -> Iterator[str]:
    """The strokes of each pattern on a block and on a base."""
    block = keep_of(DesignParameters())
    base = keep_of(DesignParameters(), STANDARD.base_skin_mm)
    for name in TOPS:
        for variant, on, keep in ((3, "block", block), (0, "base", base)):
            strokes = (
                f"{one.outline.area:.4g} mm2 {one.depth_mm:.3g} mm deep"
                for one in top_pattern(name, variant, keep)
            )
            yield f"{name} {variant} on a {on}: {', '.join(strokes) or 'nothing'}"


def drawn_figures() -> Iterator[str]:
    """Volumes and sections of each tree and spire, every second one on a wide tile."""
    rooms = (FigureEnvelope(14.9, 60.0, 0.84), FigureEnvelope(19.9, 60.0, 0.84, 4 / 3, 19.06))
    for kind, room in zip((*TREES, *SPIRES), cycle(rooms)):
        body, hollow = (tree_body if kind in TREES else spire_body)(kind, room)
        cuts = " ".join(f"{section(body, z).area:.3g}" for z in (4.0, 25.0, 46.0))
        yield (
            f"{kind} {room.wide:.3g} wide: {body.volume():.4g} mm3, "
            f"hollow {hollow.volume():.4g} mm3, sections {cuts} mm2"
        )


SNAPSHOTS: Snapshots = {
    "drawn-walls": drawn_walls,
    "drawn-tops": drawn_tops,
    "drawn-figures": drawn_figures,
    "joints": jointed,
    "seats": seated,
    **{f"clicks-{name}": partial(clicked, fit, GRID) for name, fit in FITS.items()},
    **{
        f"clicks-tiles-{name}": partial(clicked, DesignParameters(), grid)
        for name, grid in SIZES.items()
    },
    **{f"tolerance-{name}": partial(spread, name) for name in ("duel", "ashkeep")},
}
SMOKE = ("drawn-walls", "drawn-figures")
"""Those whose code no quicker test runs."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.smoke) if name in SMOKE else name for name in SNAPSHOTS],
)
def test_fit_is_that_of_the_snapshot(name: str) -> None:
    snapshot.check(f"{AREA}/{name}", SNAPSHOTS[name]())
