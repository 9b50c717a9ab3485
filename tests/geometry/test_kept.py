"""Every joint, seat, click and hold of the catalogue, whole: each is as it was kept."""

from collections.abc import Iterator

import pytest
from manifold3d import Manifold

from falldamage_forge.board import Tile
from falldamage_forge.geometry.fits import Fit
from falldamage_forge.geometry.hold import (
    Hold,
    bent_mm,
    click_of,
    holds,
    lift_n,
    pull_n,
    standing_mm,
)
from falldamage_forge.geometry.joints import (
    DEEP,
    Joint,
    JointProof,
    entered_by,
    joints,
    prove_joint,
    seats_of,
    smallest,
    takes_of,
    top_of_mm,
)
from falldamage_forge.geometry.solids import Solid
from falldamage_forge.geometry.style import PLAIN, Style
from falldamage_forge.geometry.tolerance import Kind, kinds_of, tolerance
from falldamage_forge.lengths import Grid
from falldamage_forge.pieces.catalogue import Catalogue
from falldamage_forge.pieces.model import Piece, Placement
from falldamage_forge.pieces.plan import plan_with
from falldamage_forge.presets import load_catalogue
from tests.kept import is_kept, placed
from tests.pieces.maps import board_of


def told(joint: Joint) -> list[object]:
    return [joint.name, placed(joint.a), placed(joint.b), joint.pulls, joint.clicks, joint.rests]


def test_joints_are_as_kept(catalogue: Catalogue) -> None:
    listed = list(joints(catalogue, Fit()))
    assert is_kept("joints", list(map(told, listed)))
    figures = [(0.0, 1.0, 1.0, 1.0), (9.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)]
    faults = [
        [issue.code, issue.severity, issue.message]
        for joint in listed[::9]
        for row in figures
        for issue in JointProof(joint, *row).issues()
    ]
    assert is_kept("faults of joints", faults)


def test_what_is_proved_of_boxes_is_as_kept(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boxes in place of the parts: what is measured of each joint, in a style and at a gap."""

    def box(placement: Placement, fit: Fit, near: object, style: Style = PLAIN) -> Solid:
        upper = placement == joint.b
        size = (9.0 + len(style.name), 9.0 + fit.fit_mm, 30.0)
        return Manifold.cube(size).translate((upper * 1.5, upper * 0.5, upper * fit.wall_mm * 31))

    monkeypatch.setattr("falldamage_forge.geometry.joints.printed_standing", box)
    found = []
    for joint in list(joints(catalogue, Fit()))[::30]:
        for fit in (Fit(), Fit(fit_mm=0.3, wall_mm=0.96)):
            for style in (PLAIN, Style("of bricks")):
                proof = prove_joint(joint, fit, style)
                figures = (proof.overlap_mm3, proof.sunk_mm3, proof.held_mm3, proof.click_mm3)
                found.append([f"{figure:.4g}" for figure in figures])
    assert is_kept("boxes", found)


def test_seats_are_as_kept(catalogue: Catalogue) -> None:
    pieces = list(catalogue.pieces.values())
    seats = [[p.key, entered_by(p), takes_of(p), top_of_mm(p), standing_mm(p)] for p in pieces]
    seats += [[p.key, kind, seats_of(p, kind)] for p in pieces for kind in takes_of(p)]
    seats += [[kind, [p.key for p in smallest([p for p in pieces if kind in takes_of(p)])]]
              for kind in DEEP]  # fmt: skip
    assert is_kept("seats", seats)


@pytest.mark.parametrize(
    "fit", [Fit(), Fit(fit_mm=0.2, click_mm=0.3, wall_mm=1.2)], ids=["own", "wide"]
)
def test_clicks_and_holds_are_as_kept(catalogue: Catalogue, fit: Fit) -> None:
    pieces = list(catalogue.pieces.values())
    found: list[object] = []
    reaches = set()
    for piece in pieces:
        click = click_of(piece, fit)
        if click is None:
            found.append(piece.key)
            continue
        reaches.add(click.reach_mm)
        own = fit.on(piece.grid)
        lifts = [pull_n(click, number / 8, own) for number in range(14)]
        found.append(
            [
                piece.key,
                click.places_mm,
                click.reach_mm,
                click.stiffness_n_mm,
                lift_n(click, own),
                lifts,
            ]
        )
    found += [[bent_mm(reach, number / 8 - 0.2, fit) for number in range(14)] for reach in reaches]
    assert is_kept(f"clicks {fit.fit_mm}", found)
    weak = [Hold("a mast", 30.0, 4.0, 1.0, tip_gf, 0.1) for tip_gf in (0.0, 29.94, 29.99, 30.0)]
    faults = [[i.code, i.severity, i.message] for one in weak for i in one.issues()]
    assert is_kept("faults of holds", faults)
    few = [piece for piece in pieces if piece.levels <= 2][::4]
    assert is_kept(f"holds {fit.fit_mm}", list(_rounded(few, fit)))


def _rounded(pieces: list[Piece], fit: Fit) -> Iterator[list[object]]:
    for one in holds(pieces, fit, lambda piece: 900.0 * max(1, len(piece.footprint))):
        yield [one.name, *(f"{x:.6g}" for x in (one.height_mm, one.grams, one.lift_n, one.tip_gf,
               one.knock_mj)), [issue.message for issue in one.issues()]]  # fmt: skip


@pytest.mark.parametrize("grid", [Grid(25.4, 25.44), Grid(40.0, 30.0)], ids=["inch", "wide"])
def test_clicks_on_other_tiles_are_as_kept(grid: Grid) -> None:
    """Parts of another size click and stand by their own tiles."""
    pieces = list(load_catalogue(grid).pieces.values())
    found = [(piece.key, click_of(piece, Fit())) for piece in pieces]
    few = [piece for piece in pieces if piece.levels <= 2][::8]
    kinds = kinds_of([Placement(piece, Tile(0, 0), 0) for piece in pieces], Fit())
    rough = [[kind.name, kind.count, f"{kind.stiffness_n_mm:.5g}", kind.beads] for kind in kinds]
    told = [[key, [[f"{x:.5g}", f"{y:.5g}"] for x, y in click.places_mm], f"{click.reach_mm:.5g}"]
            for key, click in found if click]  # fmt: skip
    assert is_kept(f"sized {grid.pitch_mm}", [told, list(_rounded(few, Fit())), rough])


@pytest.mark.parametrize("name", ["duel", "ashkeep"])
def test_tables_at_a_spread_are_as_kept(catalogue: Catalogue, name: str) -> None:
    fit = Fit()
    on_top = kinds_of(plan_with(board_of(name), catalogue, ()).placements, fit)
    kinds = (Kind("block on a tile", 20, 8.8, 2, 0.25, 60.0), *on_top)
    single = kinds_of([Placement(one, Tile(0, 0), 0) for one in catalogue.pieces.values()], fit)
    found: list[object] = [
        [
            kind.name,
            kind.count,
            f"{kind.stiffness_n_mm:.6g}",
            kind.beads,
            kind.click_mm,
            kind.height_mm,
        ]
        for kind in (*kinds, *single)
    ]
    for spread in (0.1, 0.2):
        for kind in kinds:
            one = tolerance([kind], fit, spread, 200)
            found.append([one.spread_mm, one.share, one.first, dict(one.failures)])
    assert is_kept(f"tables {name}", found)
