"""Surveyed boards against the position that the rules work out, under every option.

By default two boards for each option; `FORGE_EXHAUSTIVE=1` asks for two hundred.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from threading import Thread
from typing import get_args, get_type_hints

import pytest

from falldamage_forge.board import Board, Chest, Column, Ladder, StartZone, Tile, make_board
from falldamage_forge.board.surfaces import Surface, surface_graph
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.empty_state import ground_state
from falldamage_forge.games.fall_damage.map_metrics import falls_of, push_exposure
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.ruleset import FallDamage
from falldamage_forge.metrics.fairness import control
from falldamage_forge.metrics.reachability import connection, contact
from falldamage_forge.metrics.terrain_metrics import choke_points
from falldamage_forge.rules.bitset_bfs import mask_of
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.side_connection import all_meet, proof_of
from falldamage_forge.search import adapter
from falldamage_forge.search.board_survey import BoardSurvey, Surveyed, load_kernel, survey_of
from falldamage_forge.search.evaluate import NEVER, behavior_descriptor, is_connected
from falldamage_forge.search.map_generator import repair_map
from falldamage_forge.search.mutable_board import MutableBoard, canvas_of, table
from tests.amount import EXHAUSTIVE
from tests.rules.randomboards import random_board
from tests.search.drafts import STYLES, unwalked

pytest.importorskip("numba")

EVERY = [
    {name: value}
    for name, kind in get_type_hints(FallDamageOptions).items()
    for value in (get_args(kind)[1:] or {int: (1, 4), float: (0.0, 0.9)}[kind])
]
"""Each option alone, with every value that is not the default."""
TOGETHER: list[dict[str, str | int | float]] = [
    {},
    {"headroom": 3, "tree_height": 1, "spire_height": 4, "push_fall": "hover"},
    {"jump_scope": "turn", "fall_allowance": "per_turn", "beast_down": "free"},
    {"bridge_cost": "inherit", "water_cost": "leave", "ladder_cost": "height"},
    {"slide_cost": "counts", "edge": "void", "climb_judged": "tile"},
    {"headroom": 1, "gap": "any_clear", "leap_over": "clear", "los_own": "strict"},
]
BOARDS = 200 if EXHAUSTIVE else 2
LARGE = 9
"""One board in so many is of the usual size, the others small and crowded."""


@pytest.fixture(autouse=True, scope="module")
def _compiled() -> None:
    load_kernel()


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
    return replace(board, treasures=tuple(chests), starts=tuple(zones))


def surveyed(board: Board, game: FallDamage) -> Surveyed:
    units = (*game.proof_units, *(group.profile for group in game.classes()))
    return survey_of(board.rows, board.cols, game.options).position(board, game, units)


def compare(found: Surveyed, game: FallDamage) -> None:
    """Steps, sight, falls and connections of a board, and the metrics made of them."""
    position = Position(found.position.board, game)
    for unit, links in found.links.items():
        assert links == tuple(map(mask_of, position.model(unit).successors)), unit
    assert found.position.model(position.plain) == position.model(position.plain)
    assert found.position.seen == position.seen
    assert falls_of(found.position.graph, game.options) == falls_of(position.graph, game.options)
    assert is_connected(found) == joined(position, game)
    if all(position.zones(position.plain).values()):
        compare_figures(found.position, position, game)


def joined(position: Position, game: FallDamage) -> bool:
    """Starts and chests for the proof units, starts for every class, by the rules."""
    proofs = [proof_of(position, unit, unit) for unit in game.proof_units]
    chests = {Surface(chest.tile, chest.level) for chest in position.board.treasures}
    (metric,) = connection(position)
    return (
        all(all_meet(position, proof) for proof in proofs)
        and all(chests <= proof.surfaces(own) for proof in proofs for own in proof.reach.values())
        and not metric.values["cut_off"]
    )


def compare_figures(found: Position, position: Position, game: FallDamage) -> None:
    """The axes and figures of an evaluation, by the metrics that a user sees."""
    traits, figures = behavior_descriptor(found, game.options)
    surfaces = position.graph.surfaces
    count = len(surfaces)
    pairs = sum(seen.bit_count() for seen in position.seen or ())
    assert traits["openness"] == round(pairs / max(count * (count - 1), 1), 6)
    assert traits["verticality"] == round(sum(at.level for at in surfaces) / count, 6)
    (cut,), (falls,) = choke_points(position), push_exposure(position, game)
    (fair,), (meet,) = control(position), contact(position)
    assert traits["ways"] == figures["ways"] == cut.values["cut"]
    assert figures["falls"] == falls.values["fall 1 or more"] / count
    assert figures["reach"] == sum(fair.values["reach after 3"].values()) / (2 * count)
    assert figures["contact"] == min(NEVER if n is None else n for n in meet.values.values())
    assert figures["high"] == sum(at.level >= 2 for at in surfaces) / count


@pytest.mark.parametrize("options", [*TOGETHER, *EVERY], ids=str)
def test_surveyed_board_is_the_position_of_the_rules(options: dict[str, str | int | float]) -> None:
    game = rules(options)
    first = 1_000 * [*TOGETHER, *EVERY].index(options)
    for seed in range(first, first + BOARDS):
        found = surveyed(crowded(seed), game)
        assert found.position.memo.seen is not None, "it was not surveyed"
        compare(found, game)


def test_repaired_sketches_are_connected() -> None:
    for style in STYLES:
        mended = repair_map(unwalked(style, 3))
        if mended is not None:
            found = surveyed(mended[0].canvas.board(), adapter.game())
            assert is_connected(found)
            compare(found, adapter.game())


def test_board_that_the_engine_cannot_hold_is_left_to_the_rules() -> None:
    rows, cols = 12, 24
    columns = [Column(2 * (n // cols % 2)) for n in range(rows * cols)]
    feet = [Tile(row, col) for row in range(0, rows, 2) for col in range(cols)]
    ladders = [Ladder(foot, 0, Tile(foot.row + 1, foot.col), 2) for foot in feet]
    assert len(ladders) > C.MOST_LADDERS
    game = adapter.game()
    for count, held in ((C.MOST_LADDERS, True), (len(ladders), False)):
        board = make_board(rows, cols, columns, ladders=ladders[:count], starts=())
        found = surveyed(board, game)
        assert (found.position.memo.seen is not None) == held
        plain = found.position.plain
        assert found.links[plain] == tuple(
            map(mask_of, Position(board, game).model(plain).successors)
        )


def test_two_bridges_at_one_level_are_one_for_the_rules() -> None:
    """`check` refuses them, but a search judges such variants before it checks them."""
    game = adapter.game()
    for board in map(crowded, range(40)):
        twice = replace(board, decks=(*board.decks, *board.decks))
        assert twice.deck_levels == board.deck_levels
        (once, links), (found, doubled) = surveyed(board, game), surveyed(twice, game)
        assert doubled == links
        assert found.seen == once.seen
        assert Position(twice, game).model("M3 J1") == Position(board, game).model("M3 J1")


@pytest.mark.parametrize("compiled", [True, False])
def test_surveys_leave_the_cached_ground_as_it_was(compiled: bool) -> None:
    """The empty board has a cached state, in which surveys once numbered their surfaces."""
    options = FallDamageOptions(headroom=3)
    ground = ground_state(MutableBoard.empty(table(5, 6, "rotate-180")).board(), options)
    before = {name: deepcopy(getattr(ground, name)) for name in StateColumns.lengths}
    survey = BoardSurvey(5, 6, options, survey_of(5, 6, options).do if compiled else None)
    assert survey.place(canvas_of(crowded(3)))
    survey.links(next(group.profile for group in rules({}).classes()))
    changed = [name for name in before if before[name] != getattr(ground, name)]
    assert changed == []


def test_each_thread_writes_its_boards_into_a_state_of_its_own() -> None:
    def survey() -> None:
        kept.append(survey_of(5, 6, adapter.game().options))

    kept: list[object] = []
    survey()
    other = Thread(target=survey)
    other.start()
    other.join()
    survey()
    here, there, again = kept
    assert here is again
    assert here is not there
