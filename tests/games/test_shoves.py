"""Shoves begin where the base stands: turned boards shove alike, and no base ends in a wall."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.board import DIRECTIONS, Board, Tile, make_board
from falldamage_forge.board.coordinates import transform_tile, transformed_size
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.gang_skirmish import cover_and_fields, fall_outcomes
from falldamage_forge.games.gang_skirmish.base_clearance import has_clearance, standing_offsets
from falldamage_forge.games.gang_skirmish.fall_outcomes import knockback_outcomes
from falldamage_forge.games.gang_skirmish.knockback_result import shove
from falldamage_forge.games.gang_skirmish.options import Fighter, GangSkirmishOptions
from falldamage_forge.presets import load_rules
from falldamage_forge.rules.position import Position
from tests.games.cases import surface
from tests.games.test_spots import TURNS, boards
from tests.rules.cases import board_of

WIDE = st.sampled_from([25.0, 32.0, 40.0, 50.0, 60.0])


def fighters() -> st.SearchStrategy[Fighter]:
    return st.builds(Fighter, base_mm=WIDE, strength=st.just(2))


def table(board: Board) -> Position:
    return Position(board, load_rules("gang-skirmish"))


def begun(position: Position, fighter: Fighter, data: st.DataObject) -> Surface | None:
    """A surface on which a fighter has room."""
    terrain = position.graph.terrain
    found = [
        at
        for at in position.graph.surfaces
        if standing_offsets(terrain, at, fighter, GangSkirmishOptions())
    ]
    return data.draw(st.sampled_from(found)) if found else None


@given(boards(), fighters(), st.sampled_from(TURNS), st.integers(2, 5), st.data())
def test_rotated_board_gives_rotated_knockback(
    board: Board, fighter: Fighter, way: str, force: int, data: st.DataObject
) -> None:
    move = transform_tile(way, board.rows, board.cols)
    rows, cols = transformed_size(way, board.rows, board.cols)
    back = {move(tile): tile for tile in board.tiles()}
    tiles = (Tile(row, col) for row in range(rows) for col in range(cols))
    image = table(make_board(rows, cols, [board.column(back[tile]) for tile in tiles]))
    position = table(board)
    start = begun(position, fighter, data)
    if start is None:
        return
    side = data.draw(st.sampled_from(DIRECTIONS))
    taken = frozenset(data.draw(st.lists(st.sampled_from(position.graph.surfaces), max_size=2)))

    def moved(at: Surface) -> Surface:
        return at._replace(tile=move(at.tile))

    one, two = move(Tile(1, 1)), move(Tile(1 + side[0], 1 + side[1]))
    turned_side = (two.row - one.row, two.col - one.col)
    args = (force, fighter, GangSkirmishOptions())
    mine = knockback_outcomes(position.graph.terrain, start, side, *args, taken - {start})
    theirs = knockback_outcomes(
        image.graph.terrain,
        moved(start),
        turned_side,
        *args,
        frozenset(moved(at) for at in taken - {start}),
    )
    told = [f._replace(end=f.end and moved(f.end), hurt=tuple(map(moved, f.hurt))) for f in mine]
    assert set(told) == set(theirs)
    assert sum(fate.chance for fate in theirs) == 1


@given(boards(), fighters(), st.sampled_from(DIRECTIONS), st.integers(1, 6), st.data())
def test_no_base_is_shoved_into_a_wall_and_it_stops_only_at_one(
    board: Board, fighter: Fighter, side: tuple[int, int], inches: int, data: st.DataObject
) -> None:
    position, options = table(board), GangSkirmishOptions()
    terrain, start = position.graph.terrain, begun(position, fighter, data)
    if start is None:
        return
    shift = data.draw(st.sampled_from(standing_offsets(terrain, start, fighter, options)))
    end = shove(terrain, start, side, inches, fighter, options, shift=shift)
    assert 0 <= end.travelled_um <= inches * 25_400
    fell = end.fall_levels is not None
    assert (end.wall is None) == (fell or end.travelled_um == inches * 25_400)
    if fell:
        return

    def clear(um: int) -> bool:
        """Whether a base has room after so much of the shove."""
        south, east = cover_and_fields.middle_um(start.tile, options, shift)
        south, east = south + side[0] * um, east + side[1] * um
        last = board.rows - 1, board.cols - 1
        tile = Tile(min(last[0], south // options.tile_um), min(last[1], east // options.tile_um))
        middle = cover_and_fields.middle_um(tile, options)
        at = Surface(tile, start.level)
        spot = (south - middle[0], east - middle[1])
        inside = 0 <= south <= board.rows * options.tile_um
        inside &= 0 <= east <= board.cols * options.tile_um
        return inside and has_clearance(terrain, at, fighter, options, spot)

    # The last micrometre is the rounding of a root; the board's own edge is a wall to the rim.
    assert clear(max(0, end.travelled_um - 1))


def test_a_brute_beside_a_wall_is_shoved_from_where_it_stands() -> None:
    """40 mm flush with the western wall stands 5 mm east: 10 mm to the lip, not 15."""
    position = table(board_of({"heights": [[4, 1, 0], [4, 1, 0], [4, 1, 0]]}))
    terrain, here = position.graph.terrain, surface([1, 1, 1])
    brute = Fighter(base_mm=40.0)
    (shift,) = standing_offsets(terrain, here, brute, GangSkirmishOptions())
    assert shift == (0, 5_000)
    small = GangSkirmishOptions(off_edge="whole_base")
    assert shove(terrain, here, (0, 1), 1, brute, small, shift=shift).fall_levels is None
    assert shove(terrain, here, (0, 1), 2, brute, small, shift=shift).fall_levels == 1
    assert (
        shove(terrain, here, (0, 1), 1, brute, GangSkirmishOptions(), shift=shift).fall_levels == 1
    )
    assert shove(terrain, here, (0, -1), 1, brute, GangSkirmishOptions(), shift=shift).wall == 1
    assert (
        shove(terrain, here, (0, -1), 1, brute, GangSkirmishOptions(), shift=shift).travelled_um
        == 0
    )


def test_a_wide_base_scrapes_along_what_is_beside_its_row() -> None:
    """40 mm in the middle of a row: 5 mm over its border, so it stops before a tree's corner."""
    board = board_of({"heights": [[0, 0, 0, 3], [0, 0, 0, 0], [0, 0, 0, 0]]})
    position = table(board)
    brute = Fighter(base_mm=40.0)
    end = shove(position.graph.terrain, surface([1, 1, 0]), (0, 1), 4, brute, GangSkirmishOptions())
    # 45 mm to the corner's column, less the root of 20^2 - 15^2.
    assert end.travelled_um == 45_000 - 13_229 + 0
    assert end.wall == 4


def test_landing_on_another_pins_both_and_moves_one_aside() -> None:
    board = board_of({"heights": [[2, 0, 0], [2, 0, 0], [2, 0, 0]]})
    terrain, below = table(board).graph.terrain, surface([1, 1, 0])
    args = (Fighter(), GangSkirmishOptions(), frozenset({below}))
    ends = fall_outcomes.fall_over_edge(terrain, surface([1, 0, 2]), (0, 1), *args)
    assert {str(fate.end): fate.chance for fate in ends} == dict.fromkeys(
        ("B1@0", "C2@0", "B3@0"), Fraction(1, 3)
    )
    assert all(fate.hurt == (below,) and fate.falls == (3,) for fate in ends)
    ask = table(board).ask("lying", start="A2", cause="failed-check", enemies="B2").value
    assert {fate.hurt for fate in ask} == {(below,)}


@pytest.mark.parametrize(("enemy", "engaged"), [("F1", "F1@0"), ("G1", None)])
def test_knockback_within_an_inch_of_an_enemy_ends_in_contact(
    enemy: str, engaged: str | None
) -> None:
    """3'' from B1: 81.2 mm on, 48.8 mm and 78.8 mm short of an enemy's middle on E1 and F1."""
    position = table(board_of({"heights": [[0] * 8]}))
    given_ = {"attacker": "A1", "start": "B1", "force": 6, "enemies": enemy}
    rows = position.ask("knockback", **given_).value
    (row,) = (row for row in rows if row.inches == 3)
    assert row.engaged == engaged


def test_knockback_stops_at_another_fighter() -> None:
    position = table(board_of({"heights": [[0] * 8]}))
    rows = position.ask("knockback", attacker="A1", start="B1", force=6, enemies="D1").value
    assert {row.travelled_um for row in rows if row.inches >= 2} == {35_000}
    assert {row.engaged for row in rows if row.inches >= 2} == {"D1@0"}


@pytest.mark.parametrize("reading", ["wall", "out", "reinforcements"])
def test_knockback_off_the_battlefield_depends_on_the_option(reading: str) -> None:
    board = board_of({"heights": [[0, 0, 0]]})
    position = Position(
        board, load_rules("gang-skirmish").with_options([("battlefield_edge", reading, None)])
    )
    rows = position.ask("knockback", attacker="A1", start="C1", force=6).value
    (far,) = (row for row in rows if row.inches == 5)
    if reading == "wall":
        assert (far.hit, far.ends) == (5, "Pinned on C1@0")
    else:
        assert (far.hit, far.ends) == (None, "off the battlefield")
        assert position.ask("fall-chances", start="C1", direction="east", force=6).value[-2] > 0
        lying = position.ask("lying", start="B1").value
        assert {fate.left for fate in lying} == {False, True}
    assert bool(position.game.hazards(position.graph, "ganger")) == (reading != "wall")
