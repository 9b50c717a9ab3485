"""Legal means buildable: nasty maps that `check` lets pass are put together as they are printed."""

import pytest

from falldamage_forge import presets
from falldamage_forge.builds.pipeline import BuildOptions, planned
from falldamage_forge.geometry.assembly_check import check_assembly
from falldamage_forge.geometry.piece_mesh import build, fit_of
from falldamage_forge.geometry.tolerance_analysis import SHARED_AFTER_COUPON, kinds_of, tolerance
from falldamage_forge.library.forge import Forge
from tests.amount import some
from tests.nasty import nasty

MAPS = range(500)
FORGE = Forge()
PRINTER, STYLE = presets.load_printer("a1-mini"), presets.load_style("plain")
WORST = (75, 191)
"""The seeds of least tolerance among 200: at 0.10 mm, and at 0.15 mm with and without a coupon."""


@pytest.mark.parametrize("seed", some(MAPS, 2))
def test_nasty_map_passes_assembly_check(seed: int) -> None:
    map_ = FORGE.loads(nasty(seed).text)
    plan = planned(map_.layout, FORGE.catalogue(map_), PRINTER, BuildOptions(variants=4))
    meshes = {key: build(piece, PRINTER, STYLE) for key, piece in plan.pieces().items()}
    found = check_assembly(plan.placements, meshes, PRINTER)
    assert not [issue.message for issue in found.issues()]
    assert found.pairs >= len(plan.placements) - 1


@pytest.mark.parametrize("seed", sorted({*WORST, *some(MAPS[:200], 2)}))
def test_nasty_map_tolerates_what_is_told(seed: int) -> None:
    """By geometry alone, and with a coupon; `docs/pieces.md` has the shares of the worst of 200.

    Each has some 30 hooks of ladders and 26 ends of bridges, more than any preset map has.
    """
    map_ = FORGE.loads(nasty(seed).text)
    plan = planned(map_.layout, FORGE.catalogue(map_), PRINTER, BuildOptions())
    fit = fit_of(PRINTER, plan.placements[0].piece.grid)
    kinds = kinds_of(plan.placements, fit)
    assert tolerance(kinds, fit, 0.10).share >= 0.96
    assert tolerance(kinds, fit, 0.15).share >= 0.65
    assert tolerance(kinds, fit, 0.15, shared=SHARED_AFTER_COUPON).share >= 0.93


@pytest.mark.parametrize("seed", some(MAPS, 50))
def test_nasty_maps_are_legal(seed: int) -> None:
    """Its text says its board, and nothing stands against building it."""
    made = nasty(seed)
    map_ = FORGE.loads(made.text)
    assert map_.board == made.board
    assert not [issue for issue in FORGE.legal(map_) if issue.severity == "error"]


def test_nasty_maps_crowd_features() -> None:
    """Ladders under, on and beside bridges, and everything else, in a good share of them."""
    boards = [nasty(seed).board for seed in some(MAPS, 50)]
    kinds = {
        "ladder under a bridge": lambda b: any(
            level > x.top_level for x in b.ladders for level in b.deck_levels.get(x.foot, ())
        ),
        "ladder on a bridge": lambda b: any(
            x.foot_level in b.deck_levels.get(x.foot, ()) for x in b.ladders
        ),
        "ladder up to a bridge": lambda b: any(
            x.top_level in b.deck_levels.get(x.top, ()) for x in b.ladders
        ),
        "bridge over bridge": lambda b: any(len(over) > 1 for over in b.deck_levels.values()),
        "bridge from bridge": lambda b: any(
            d.level in b.deck_levels.get(end, ()) for d in b.decks for end in (d.a, d.b)
        ),
        "start on a crowned top": lambda b: any(
            crown.tile == tile and level == b.column(tile).level
            for crown in b.battlements
            for zone in b.starts
            for tile, level in zone.surfaces
        ),
        "arch": lambda b: any(deck.arch for deck in b.decks),
        "step": lambda b: bool(b.steps),
        "railing": lambda b: bool(b.fittings),
        "odd level": lambda b: any(column.level % 2 for column in b.columns),
    }
    counts = {name: sum(map(holds, boards)) for name, holds in kinds.items()}
    assert min(counts.values()) >= 2, counts
