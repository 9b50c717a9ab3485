"""Plans, covers and ladders, as text: see `tests/snapshot.py`."""

import random
from collections.abc import Iterator
from functools import partial
from unittest.mock import patch

import pytest

import falldamage_forge as ff
from falldamage_forge.board import Column, Deck, Ladder, Tile, make_board
from falldamage_forge.pieces.block_candidates import count_spots, orientations
from falldamage_forge.pieces.column_components import islands
from falldamage_forge.pieces.exact_cover import missing_parts, seams, solve_cover
from falldamage_forge.pieces.greedy_cover import greedy_cover
from falldamage_forge.pieces.piece import Placement
from falldamage_forge.pieces.plan import nominal_costs, parapets, plan_with
from falldamage_forge.presets import load_catalogue
from tests import snapshot
from tests.snapshot import Snapshots, small, text

AREA = "pieces"
CATALOGUE = load_catalogue()
BLOCKS = [piece for piece in CATALOGUE.pieces.values() if piece.builder == "block"]
MAPS = ("duel", "gantries", "causeway", "twin-camps")


def placed(part: Placement) -> str:
    """A part's place, its turns and how much it is raised."""
    raised = f", raised {part.raised_mm:g} mm" if part.raised_mm else ""
    return f"{part.tile}@{part.level} turned {part.quarter_turns}{raised}"


def planned(map_: ff.Map) -> Iterator[str]:
    """How many parts of each piece a map takes, and where each goes, in building order."""
    made = ff.plan(map_)
    yield from (f"{key}: {count} parts" for key, count in made.counts().items())
    if made.cover:
        yield f"cost {made.cover.cost:.6g}, bound {made.cover.bound:.6g}, {made.cover.method}"
    yield from (f"{part.piece.key} on {placed(part)}" for part in made.placements)


def field(seed: int) -> dict[Tile, int]:
    """Levels of the tiles of a board of 4 x 5 that are above the ground."""
    dice = random.Random(seed)
    levels = {Tile(r, c): dice.choice((0, 0, 1, 2, 3)) for r in range(4) for c in range(5)}
    return {tile: level for tile, level in levels.items() if level}


def covered() -> Iterator[str]:
    """Boards of noise: their spots, islands, greedy cover, and least costs with stock."""
    owned = {BLOCKS[0].key: 2, BLOCKS[-1].key: 1}
    for seed in range(5):
        levels = field(seed)
        name = f"board {seed}"
        yield f"{name}: {text([f'{tile}@{level}' for tile, level in levels.items()])}"
        parts = [str(len(one)) for one in islands(levels)]
        yield f"{name}: {count_spots(levels, BLOCKS)} spots, islands of {' '.join(parts)} tiles"
        for stock, have in (("nothing", {}), ("some", owned)):
            laid = greedy_cover(levels, BLOCKS, have)
            bought = dict(missing_parts([laid], have))
            yield f"{name}, {stock} owned, greedy: {seams(levels, laid)} seams, prints {bought}"
            best = solve_cover([levels], BLOCKS, nominal_costs(BLOCKS), have, bond=seed % 3)
            yield (
                f"{name}, {stock} owned: cost {best.cost:.6g}, greedy {best.greedy_cost:.6g}, "
                f"{'least' if best.proved else 'not proved'}"
            )
        with patch("falldamage_forge.pieces.exact_cover.is_here", lambda: False):
            own = solve_cover([{t: n for t, n in levels.items() if t.row < 3}], BLOCKS)
        yield f"{name}, rows 1 to 3 without a solver: cost {own.cost:.6g}, {own.method}"
        yield from (f"{name}, greedy: {part.piece.key} on {placed(part)}" for part in laid)


def leaning() -> Iterator[str]:
    """Ladders of every height, from the ground and from a deck."""
    for rise in range(1, 14):
        for deck in (False, True):
            low = 3 * deck
            board = make_board(
                1, 3, [Column(low + rise), Column(0), Column(3)],
                decks=[Deck.between(Tile(0, 0), Tile(0, 2), 3)] if deck else [],
                ladders=[Ladder(Tile(0, 1), low, Tile(0, 0), low + rise)],
            )  # fmt: skip
            parts = plan_with(board, CATALOGUE, ()).placements
            ladders = [f"{p.piece.key} on {placed(p)}" for p in parts if "ladder" in p.piece.key]
            start = "a deck" if deck else "the ground"
            yield f"a rise of {rise} from {start}: {'; '.join(ladders)}"


def costed() -> Iterator[str]:
    """Nominal cost and turns of each block; parts of a parapet by its sides."""
    costs = nominal_costs(BLOCKS)
    for piece in BLOCKS:
        yield f"{piece.key}: cost {costs[piece.key]:.6g}, {len(orientations(piece.footprint))} ways"
    for mask in range(1, 16):
        sides = tuple(n for n in range(4) if mask >> n & 1)
        for name in ("battlement", "railing"):
            yield f"{name} on sides {text(sides)}: {text(parapets(sides, name))}"


SNAPSHOTS: Snapshots = {
    **{f"plan-{name}": partial(planned, ff.load(name)) for name in MAPS},
    **{f"plan-{name}": partial(planned, small(name)) for name in ("crag", "yard")},
    "covers": covered,
    "ladders": leaning,
    "costs": costed,
}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_plan_is_that_of_the_snapshot(name: str) -> None:
    snapshot.check(f"{AREA}/{name}", SNAPSHOTS[name]())
