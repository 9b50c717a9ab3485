"""What has to hold on every board, whatever it looks like."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from falldamage_forge.board import Board, Chest, Column, Ground, Tile, make_board
from falldamage_forge.board.surfaces import Surface, SurfaceGraph, Terrain, surface_graph
from falldamage_forge.board.symmetry import OPERATORS, transform_board
from falldamage_forge.games.fall_damage.engine.empty_state import copy_of, ground_state
from falldamage_forge.games.fall_damage.engine.line_of_sight import crossed_offsets
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.push_result import push_unit
from falldamage_forge.games.fall_damage.sight_line import (
    has_line_of_sight,
    seen_one_by_one,
    visible_sets,
)
from falldamage_forge.games.fall_damage.unit_cards import UNLIMITED, MovementProfile, Push
from falldamage_forge.games.fall_damage.visibility_matrix import visibility_matrix
from falldamage_forge.metrics import terrain_metrics
from falldamage_forge.metrics.min_vertex_cut import articulation_points, min_vertex_cut
from falldamage_forge.rules.earliest_arrival import least_moves
from falldamage_forge.rules.movement_graph import MovementGraph
from tests.rules.asking import moves_of, one_turn, position
from tests.rules.asking import reached as safe_reach
from tests.rules.randomboards import random_board

BOARDS = st.builds(random_board, st.integers(0, 10_000_000))
PROFILES = st.builds(MovementProfile, st.integers(1, 5), st.sampled_from((0, 1, 2, 3, UNLIMITED)))
RULES = FallDamageOptions()


def reached(moves: MovementGraph) -> dict[Surface, set[Surface]]:
    names = [place.anchor for place in moves.places]
    return {names[at]: {names[n] for n in safe_reach(moves, (at,))} for at in range(len(names))}


def graph_of(board: Board) -> SurfaceGraph:
    return surface_graph(board, RULES.terrain)


@given(BOARDS, PROFILES, st.sampled_from(("move", "jump")))
def test_more_move_or_jump_never_reaches_less(
    board: Board, profile: MovementProfile, what: str
) -> None:
    graph = graph_of(board)
    more = replace(profile, **{what: getattr(profile, what) + 1})
    for at in range(len(graph.surfaces)):
        less, now = (moves_of(graph, p, RULES) for p in (profile, more))
        assert safe_reach(less, (at,)) <= safe_reach(now, (at,))
        turns, quicker = least_moves(less, (at,)), least_moves(now, (at,))
        assert all(quicker[place] <= turn for place, turn in turns.items())


@given(BOARDS, PROFILES, st.sampled_from(sorted(OPERATORS)))
def test_a_turned_board_is_reached_alike(
    board: Board, profile: MovementProfile, operator: str
) -> None:
    def to(spot: Surface) -> Surface:
        row, col = OPERATORS[operator](*spot.tile, board.rows, board.cols)
        return Surface(Tile(row, col), spot.level)

    here = reached(moves_of(graph_of(board), profile, RULES))
    there = reached(moves_of(graph_of(transform_board(board, operator)), profile, RULES))
    assert {to(a): {to(b) for b in found} for a, found in here.items()} == there


@given(BOARDS, st.sampled_from(("open", "closed")), st.sampled_from(("ignore_support", "strict")))
def test_sight_is_symmetric(board: Board, corner: str, own: str) -> None:
    rules = replace(RULES, los_corner=corner, los_own=own)
    graph = graph_of(board)
    spots = graph.surfaces[::3]
    for a in spots:
        for b in spots:
            one, other = (
                has_line_of_sight(graph.terrain, *ends, rules) for ends in ((a, b), (b, a))
            )
            assert one.visible == other.visible
    masks = visible_sets(graph.board, rules)
    for n, mask in enumerate(masks):
        assert all(masks[m] >> n & 1 == mask >> m & 1 for m in range(len(masks)))


SIGHT = st.builds(
    FallDamageOptions,
    los_corner=st.sampled_from(("open", "closed")),
    los_own=st.sampled_from(("ignore_support", "strict")),
    los_eye=st.sampled_from((0.5, 0.8, 1.0)),
    deck_thickness=st.sampled_from((0.2, 0.55, 1.0)),
    headroom=st.integers(1, 3),
    tree_height=st.integers(1, 4),
    spire_height=st.integers(1, 4),
)
"""Every option that changes sight."""


@example(random_board(2912), RULES)  # no surface at all
@given(BOARDS, SIGHT)
def test_sight_of_whole_offsets_is_sight_line_by_line(
    board: Board, rules: FallDamageOptions
) -> None:
    s = copy_of(ground_state(board, rules))
    assert visibility_matrix(s) == seen_one_by_one(s)


@given(BOARDS, PROFILES)
def test_two_bridges_at_one_level_are_one(board: Board, profile: MovementProfile) -> None:
    """`check` refuses them; questions about the board and a search answer all the same."""
    twice = replace(board, decks=(*board.decks, *board.decks))
    one, other = (moves_of(graph_of(each), profile, RULES) for each in (board, twice))
    assert one == other
    assert visible_sets(twice, RULES) == visible_sets(board, RULES)


@given(BOARDS, PROFILES)
def test_a_ladder_taken_away_adds_no_way(board: Board, profile: MovementProfile) -> None:
    before = reached(moves_of(graph_of(board), profile, RULES))
    for ladder in board.ladders:
        left = tuple(other for other in board.ladders if other is not ladder)
        after = reached(moves_of(graph_of(replace(board, ladders=left)), profile, RULES))
        assert after.keys() == before.keys()
        assert all(after[spot] <= before[spot] for spot in after)


@given(BOARDS, PROFILES)
def test_a_bridge_taken_away_adds_ways_only_through_its_own_air(
    board: Board, profile: MovementProfile
) -> None:
    def ways(graph: SurfaceGraph) -> set[tuple[Surface, Surface]]:
        moves = moves_of(graph, profile, RULES)
        return {
            (graph.surfaces[at], graph.surfaces[edge.to])
            for at, out in enumerate(moves.edges)
            for edge in out
        }

    was = ways(graph_of(board))
    for deck in board.decks:
        left = tuple(other for other in board.decks if other is not deck)
        for here, there in ways(graph_of(replace(board, decks=left))) - was:
            rows = {(here.tile.row + there.tile.row) // 2, here.tile.row, there.tile.row}
            cols = {(here.tile.col + there.tile.col) // 2, here.tile.col, there.tile.col}
            assert {Tile(row, col) for row in rows for col in cols} & set(deck.tiles)


@given(BOARDS, st.sampled_from("BRL"), st.integers(0, 4), st.randoms(use_true_random=False))
def test_the_damage_of_a_push_is_the_levels_lost(
    board: Board, letter: str, count: int, dice: random.Random
) -> None:
    terrain = Terrain(board, RULES.terrain)
    spots = surface_graph(board, RULES.terrain).surfaces
    if len(spots) < 2:
        return
    attacker, target = dice.sample(spots, 2)
    result = push_unit(terrain, attacker, target, Push(letter, count), RULES)  # type: ignore[arg-type]
    if result.end is None:
        return
    lost = gained = wet = 0
    at = target
    for spot in result.path:
        drop = at.level - spot.level
        column = board.column(spot.tile)
        into_water = column.ground is Ground.WATER and spot.level == column.level
        lost += max(drop, 0)
        gained += max(-drop, 0)
        wet += max(drop, 0) if into_water else 0
        at = spot
    assert result.damage == lost - wet
    assert result.end.level == target.level - lost + gained


@given(BOARDS, PROFILES)
@settings(max_examples=60)
def test_a_path_takes_the_least_turns_and_every_step_is_a_move(
    board: Board, profile: MovementProfile
) -> None:
    p = position(board)
    unit = p.unit(profile.name)
    moves = p.model(profile.name)
    for start in range(0, len(p.graph.surfaces), 5):
        turns = least_moves(moves, (start,))
        for goal in range(0, len(p.graph.surfaces), 3):
            way = unit.path(p.graph.surfaces[start], p.graph.surfaces[goal])
            assert way.found == (goal in turns)
            if not way.found:
                continue
            assert way.turns == turns[goal]
            at, spent = start, {}
            for step in way.steps:
                to = p.graph.index[step.surface]
                edges = {(e.to, e.kind, e.cost, e.harm) for e in moves.edges[at]}
                assert (to, step.kind, step.cost, step.harm) in edges
                assert step.harm == 0
                spent[step.turn] = spent.get(step.turn, 0) + step.cost
                at = to
            assert at == goal
            assert all(cost <= profile.move for cost in spent.values())


@given(BOARDS, PROFILES)
@settings(max_examples=60)
def test_a_path_that_hurts_is_at_most_as_bad_as_one_activation(
    board: Board, profile: MovementProfile
) -> None:
    p = position(board)
    moves = p.model(profile.name)
    for start in range(0, len(p.graph.surfaces), 4):
        here = p.graph.surfaces[start]
        for goal, labels in one_turn(moves, start).items():
            way = p.path(profile.name, here, p.graph.surfaces[goal], any_damage=True)
            assert way.found
            assert way.harm <= min(damage for _, damage in labels)


@given(BOARDS, PROFILES)
@settings(max_examples=40)
def test_of_the_quickest_ways_a_path_takes_the_cheapest(
    board: Board, profile: MovementProfile
) -> None:
    """Against a search that tries every end of every activation."""
    p = position(board)
    moves = p.model(profile.name)
    spots = range(len(p.graph.surfaces))
    ends = {at: [(b, c) for b, ways in one_turn(moves, at).items() for c, d in ways if not d]
            for at in spots}  # fmt: skip
    best = {0: (0, 0)} if spots else {}
    frontier = list(best)
    while frontier:
        here = frontier.pop()
        for there, cost in ends[here]:
            label = (best[here][0] + 1, best[here][1] + cost)
            if there != here and label < best.get(there, (99, 0)):
                best[there] = label
                frontier.append(there)
    for goal, (turns, cost) in best.items():
        way = p.path(profile.name, p.graph.surfaces[0], p.graph.surfaces[goal])
        assert (way.turns, way.cost) == (turns, cost)


@pytest.mark.parametrize(("trigger", "opened"), [("stop", "D G"), ("pass", "C D G")])
def test_chests_are_opened_by_stopping_or_passing(trigger: str, opened: str) -> None:
    chests = [Chest(Tile(0, col), 0) for col in (2, 3, 6)]
    board = make_board(1, 7, [Column(0)] * 7, treasures=chests)
    way = position(board, {"treasure_trigger": trigger}).path("M3 J1", "A1", "G1")
    assert [step.turn for step in way.steps] == [1, 1, 1, 2, 2, 2]
    assert [str(surface.tile) for surface in way.treasure] == [f"{x}1" for x in opened.split()]


LINKS = st.integers(2, 8).flatmap(
    lambda n: st.lists(st.sets(st.integers(0, n - 1)), min_size=n, max_size=n)
)


def parts(links: list[set[int]], without: frozenset[int]) -> int:
    """Weakly connected parts of what is left."""
    left = set(range(len(links))) - without
    count = 0
    while left:
        count += 1
        queue = [left.pop()]
        while queue:
            at = queue.pop()
            near = {n for n in left if n in links[at] or at in links[n]}
            left -= near
            queue += near
    return count


@given(LINKS)
def test_articulation_points_are_those_whose_loss_adds_parts(links: list[set[int]]) -> None:
    whole = parts(links, frozenset())
    alone = {n for n in range(len(links)) if parts(links, frozenset({n})) > whole}
    assert set(articulation_points(links)) == alone


@given(LINKS, st.data())
def test_a_least_cut_parts_and_no_smaller_one_does(
    links: list[set[int]], data: st.DataObject
) -> None:
    numbers = range(len(links))
    first, second = (data.draw(st.sets(st.sampled_from(numbers), min_size=1)) for _ in "ab")

    def joined(cut: set[int]) -> bool:
        seen = first - cut
        queue = list(seen)
        while queue:
            fresh = links[queue.pop()] - cut - seen
            seen |= fresh
            queue += fresh
        return bool(seen & second)

    masks = [sum(1 << n for n in side) for side in (first, second)]
    cut = set(min_vertex_cut([sorted(out) for out in links], *masks))
    assert not joined(cut)
    for fewer in range(len(cut)):
        assert all(joined(set(other)) for other in combinations(numbers, fewer))


@pytest.mark.parametrize("operator", sorted(OPERATORS))
def test_an_image_differs_where_the_board_is_lopsided(operator: str) -> None:
    flat = make_board(3, 3, [Column(0)] * 9)
    assert transform_board(flat, operator) == flat
    lopsided = make_board(3, 3, [Column(n) for n in range(9)])
    assert transform_board(lopsided, operator) != lopsided


@given(st.integers(-40, 40), st.integers(-40, 40), st.booleans())
def test_a_line_crosses_the_tiles_that_clipping_finds(rows: int, cols: int, closed: bool) -> None:
    """Each tile of the box between the ends, clipped by its four sides, in exact fractions."""
    parts, tiles = crossed_offsets(rows, cols, closed)
    found = {(r, c): (Fraction(a, parts), Fraction(b, parts)) for r, c, a, b in tiles}
    wanted = {}
    for row in range(min(rows, 0), max(rows, 0) + 1):
        for col in range(min(cols, 0), max(cols, 0) + 1):
            enter, leave = Fraction(0), Fraction(1)
            for delta, cell in ((rows, row), (cols, col)):
                if delta == 0:
                    continue
                ends = [(cell + side - Fraction(1, 2)) / delta for side in (0, 1)]
                enter, leave = max(enter, min(ends)), min(leave, max(ends))
            if enter < leave or (closed and enter == leave):
                wanted[row, col] = (enter, leave)
    assert found == wanted


@pytest.mark.parametrize("seed", range(4))
def test_survives_nearby_removal_agrees_with_the_whole_board(seed: int) -> None:
    p = position(random_board(seed, 6, 40))
    if terrain_metrics.breaks_connection(p, p):
        return
    for _, _, after in p.game.destruction_results(p.board):
        assert not (
            terrain_metrics.survives_nearby_removal(p, after)
            and terrain_metrics.breaks_connection(p, p.on(after))
        )
