"""The bulk engine against the single-map engine, under every option that changes moves.

By default a thousand boards; `FORGE_EXHAUSTIVE=1` asks for a hundred thousand.
"""

from collections.abc import Mapping
from typing import get_args, get_type_hints

import pytest

from falldamage_forge.board import Board, Chest, StartZone, Tile, make_board
from falldamage_forge.board.surfaces import Surface, surface_graph
from falldamage_forge.games.fall_damage.map_metrics import push_exposure
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.ruleset import FallDamage
from falldamage_forge.games.fall_damage.unit_cards import MovementProfile
from falldamage_forge.metrics.fairness import control
from falldamage_forge.metrics.reachability import contact
from falldamage_forge.metrics.terrain_metrics import choke_points
from falldamage_forge.rules.bitset_bfs import bits
from falldamage_forge.rules.position import Position
from falldamage_forge.search import adapter
from falldamage_forge.search.batch_engine import BatchEngine, BatchProofs, fits_arrays, pack
from falldamage_forge.search.map_generator import repair_map
from tests.amount import EXHAUSTIVE
from tests.rules.randomboards import random_board
from tests.search.drafts import STYLES, unwalked

pytest.importorskip("numba")
gauges = pytest.importorskip("falldamage_forge.search.kernels.metric_kernels")

PROFILES = [adapter.game().profile(group.profile) for group in adapter.game().classes()]
OPTIONS = [
    {},
    {"headroom": 1},
    {"headroom": 3, "tree_height": 1, "spire_height": 4},
    {"jump_scope": "turn"},
    {"fall_allowance": "per_turn"},
    {"jump_scope": "turn", "fall_allowance": "per_turn", "water_cost": "leave"},
    {"voluntary_fall": "threshold"},
    {"leap_vertical": "none_up"},
    {"leap_vertical": "level"},
    {"gap": "any_clear"},
    {"leap_over": "empty"},
    {"leap_over": "clear", "tree_height": 1},
    {"water_cost": "leave"},
    {"bridge_cost": "inherit"},
    {"bridge_cost": "inherit", "water_cost": "leave"},
    {"ladder_cost": "height"},
    {"beast_down": "free"},
    {"ladder_cost": "height", "beast_down": "free", "gap": "any_clear"},
]
EACH = 5_600 if EXHAUSTIVE else 56
"""Boards under each reading; eighteen readings make 10^5, and 1,000 by default."""
LARGE = 40
"""One board in so many is of the usual size, the others small and crowded."""


def rules(options: Mapping[str, str | int | float]) -> FallDamage:
    return adapter.game().with_options((name, value, None) for name, value in options.items())


def crowded(seed: int) -> Board:
    """A random board of one of two sizes, with starts on its edges and chests on it."""
    board = random_board(seed, 10, 10) if seed % LARGE == 0 else random_board(seed, 5, 6)
    graph = surface_graph(board)
    red = [tuple(s) for s in graph.surfaces if s.tile.row == 0][:5]
    blue = [tuple(s) for s in graph.surfaces if s.tile.row == board.rows - 1][-5:]
    chests = [Chest(s.tile, s.level) for s in graph.surfaces[:: 17 + seed % 5]][:4]
    zones = [StartZone("red", tuple(red)), StartZone("blue", tuple(blue))]  # type: ignore[arg-type]
    return make_board(
        board.rows,
        board.cols,
        board.columns,
        decks=board.decks,
        ladders=board.ladders,
        treasures=chests,
        starts=zones,
    )


def compare(board: Board, n: int, found: BatchProofs, game: FallDamage) -> None:
    """Every figure of one board against the graphs of the rules."""
    position = Position(board, game)
    surfaces = position.graph.surfaces
    count = len(surfaces)
    assert found.surfaces[n] == count
    places = [
        Surface(Tile(*divmod(int(tile), board.cols)), int(level))
        for tile, level in found.places[n, :count]
    ]
    assert places == list(surfaces)
    chests = {
        position.graph.index[at]
        for chest in board.treasures
        if (at := Surface(chest.tile, chest.level)) in position.graph.index
    }
    good = True
    for k, unit in enumerate(game.proof_units):
        zones = list(position.zones(unit).values())
        reach = [position.flood(unit, zone) for zone in zones]
        joined = all(
            position.flood(unit, (start,)) >= set(other)
            for one, other in (zones, zones[::-1])
            for start in one
        )
        taken = all(chests <= own for own in reach)
        everywhere = reach[0] | reach[1]
        home = position.flood(unit, zones[0] + zones[1], back=True)
        assert bool(found.joined[n, k]) == joined
        assert bool(found.chests[n, k]) == taken
        assert found.islands[n, k] == count - len(everywhere)
        assert found.traps[n, k] == len(everywhere - home)
        good = good and joined and taken
    assert bool(found.playable[n]) == good
    cut = 0
    for c, profile in enumerate(PROFILES):
        zones = list(position.zones(profile).values())
        layers = position.layers(profile)
        for side, name in enumerate(position.sides):
            turns = [127] * count
            for turn, mask in enumerate(layers[name]):
                for at in bits(mask):
                    turns[at] = turn
            assert turns == found.turns[n, c, side, :count].tolist()
            if not position.flood(profile, zones[side]) >= set(zones[1 - side]):
                cut |= 1 << c
    options = game.options
    if options.jump_scope == "step" and options.fall_allowance == "per_drop":
        assert found.cut_off[n] == cut


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: ",".join(o) or "default")
def test_batch_answers_equal_the_single_map_engine(options: dict[str, str | int]) -> None:
    game = rules(options)
    bulk = BatchEngine(game, PROFILES)
    first = 10_000 * OPTIONS.index(options)
    boards = [board for seed in range(first, first + EACH) if fits_arrays(board := crowded(seed))]
    assert len(boards) > 0.9 * EACH
    for rows in (5, 10):
        same = [board for board in boards if board.rows == rows]
        found = bulk.run(pack(same))
        quick = bulk.run(pack(same), turns=False)
        assert (found.playable == quick.playable).all()
        for n, board in enumerate(same):
            compare(board, n, found, game)


def test_repaired_sketches_are_connected() -> None:
    boards = [
        mended[0].canvas.board()
        for style in STYLES
        if (mended := repair_map(unwalked(style, 3))) is not None
    ]
    found = BatchEngine(adapter.game(), PROFILES).run(pack(boards))
    assert (found.islands == 0).all()
    assert (found.cut_off == 0).all()
    for n, board in enumerate(boards):
        compare(board, n, found, adapter.game())


def test_board_above_the_limit_is_refused() -> None:
    board = make_board(15, 15, random_board(1, 15, 15).columns, starts=())
    found = BatchEngine(adapter.game(), PROFILES).run(pack([board]))
    assert found.surfaces[0] == -1
    with pytest.raises(ValueError, match="of one size"):
        pack([board, random_board(2, 5, 5)])


def test_unit_above_the_movement_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="a Move of at most 5"):
        BatchEngine(adapter.game(), [MovementProfile(9, 1)])


# -- figures --------------------------------------------------------------------------------------

READINGS: list[dict[str, str | int]] = [
    {},
    {"edge": "void", "melee_down": "unlimited"},
    {"los_own": "strict"},
    {"los_corner": "closed"},
    {"headroom": 1, "gap": "any_clear", "water_cost": "leave"},
    {"tree_height": 1, "spire_height": 4, "push_fall": "hover"},
    {"slide_cost": "counts", "edge": "void", "climb_judged": "tile"},
    {"jump_scope": "turn"},
    {"jump_scope": "turn", "fall_allowance": "per_turn", "beast_down": "free"},
]
MEASURED = 600 if EXHAUSTIVE else 25


@pytest.mark.parametrize("options", READINGS, ids=lambda o: ",".join(o) or "default")
def test_batch_figures_equal_the_metrics(options: dict[str, str | int]) -> None:
    game = rules(options)
    bulk = BatchEngine(game, ())
    first = 70_000 + 1_000 * READINGS.index(options)
    boards = [
        board
        for seed in range(first, first + MEASURED)
        if fits_arrays(board := crowded(seed)) and all(zone.surfaces for zone in board.starts)
    ]
    for rows in (5, 10):
        same = [board for board in boards if board.rows == rows]
        found = bulk.measure(pack(same))
        for n, board in enumerate(same):
            compare_figures(board, found.figures[n].tolist(), game)


EVERY = [
    (name, value)
    for name, kind in get_type_hints(FallDamageOptions).items()
    for value in (get_args(kind)[1:] or {int: (1, 4), float: (0.0, 0.9)}[kind])
]
"""Every reading there is, with every value that is not the default."""


@pytest.mark.parametrize(("name", "value"), EVERY, ids=str)
def test_batch_answers_hold_under_every_option(name: str, value: str | int | float) -> None:
    """Turns, proofs and figures under each reading alone."""
    game = rules({name: value})
    bulk = BatchEngine(game, PROFILES)
    first = 500_000 + 1_000 * EVERY.index((name, value))
    boards = [
        board
        for seed in range(first + 1, first + (200 if EXHAUSTIVE else 3))
        if fits_arrays(board := crowded(seed)) and all(zone.surfaces for zone in board.starts)
    ]
    for rows in {board.rows for board in boards}:
        same = [board for board in boards if board.rows == rows]
        found, measured = bulk.run(pack(same)), bulk.measure(pack(same))
        for n, board in enumerate(same):
            compare(board, n, found, game)
            compare_figures(board, measured.figures[n].tolist(), game)


def compare_figures(board: Board, figures: list[int], game: FallDamage) -> None:
    position = Position(board, game)
    surfaces = position.graph.surfaces
    assert figures[gauges.SEEN] == sum(seen.bit_count() for seen in position.seen or ())
    (cut,) = choke_points(position)
    assert figures[gauges.CUT] == cut.values["cut"]
    (falls,) = push_exposure(position, game)
    assert figures[gauges.FALLS] == falls.values["fall 1 or more"]
    assert figures[gauges.DEEP] == falls.values["fall 3 or more"]
    assert figures[gauges.DEAD] == falls.values["into lava or off"]
    (fair,) = control(position)
    (meet,) = contact(position)
    for side, name in enumerate(position.sides):
        reach = [figures[gauges.REACH + 3 * side + n] for n in range(3)]
        assert reach == [fair.values[f"reach after {n}"][name] for n in (1, 2, 3)]
        assert figures[gauges.FIRST + side] == fair.values["reached first"][name]
        soonest = meet.values[name]
        assert figures[gauges.CONTACT + side] == (-1 if soonest is None else soonest)
    assert figures[gauges.LEVELS] == sum(surface.level for surface in surfaces)
    assert figures[gauges.HIGH] == sum(surface.level >= 2 for surface in surfaces)
