"""Where wide bases stand: nothing with room is missed, mirrored boards give mirrored answers."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.board import Board, Column, Feature, Ground, Tile, make_board
from falldamage_forge.board.coordinates import transform_tile, transformed_size
from falldamage_forge.games.any_angle import TILE_UM
from falldamage_forge.games.base_placement import (
    candidate_offsets,
    covered_tiles,
    nearest,
    nearest_offsets,
    spots_of,
)
from falldamage_forge.rules.position import Position

TURNS = ("rotate-90", "rotate-180", "rotate-270", "mirror-x", "mirror-y")
AROUND = tuple(product((-1, 0, 1), repeat=2))
solid_around = st.frozensets(st.sampled_from([at for at in AROUND if at != (0, 0)]))
radii = st.integers(TILE_UM // 2 + 1, TILE_UM)


def free(shift: tuple[int, int], radius: int, solid: frozenset[tuple[int, int]]) -> bool:
    return solid.isdisjoint(covered_tiles(shift, radius, TILE_UM))


def apart(y: Fraction, x: Fraction, tile: tuple[int, int]) -> Fraction:
    """From a point to a tile, squared, by the nearest point of it; tile (0, 0) begins at 0."""
    low = (tile[0] * TILE_UM, tile[1] * TILE_UM)
    dy = max(low[0] - y, 0, y - low[0] - TILE_UM)
    dx = max(low[1] - x, 0, x - low[1] - TILE_UM)
    return Fraction(dy * dy + dx * dx)


@given(radii, solid_around, st.data())
def test_for_two_tiles_no_place_with_room_is_missed(
    radius: int, solid: frozenset[tuple[int, int]], data: st.DataObject
) -> None:
    """Any position of the base in the tile that touches nothing proves that a spot is free."""
    y, x = (Fraction(data.draw(st.integers(0, 24))) * TILE_UM / 24 for _ in range(2))
    if all(apart(y, x, tile) >= radius * radius for tile in solid):
        assert nearest(radius, TILE_UM, lambda shift: free(shift, radius, solid))


@given(st.integers(1_000, 90_000), st.integers(5_000, 30_000).map(lambda half: 2 * half))
def test_spots_lie_alike_in_all_directions(radius: int, tile_um: int) -> None:
    for group in candidate_offsets(radius, tile_um):
        assert {(-y, x) for y, x in group} == set(group) == {(x, y) for y, x in group}
        assert all(2 * abs(y) <= tile_um and 2 * abs(x) <= tile_um for y, x in group)
    assert (candidate_offsets(radius, tile_um) == (((0, 0),),)) == (2 * radius <= tile_um)


def test_a_base_in_an_alley_of_two_tiles_stands_flush_with_each_wall() -> None:
    floor = {Tile(row, col) for row in range(4) for col in (1, 2)}

    def room(tile: Tile, shift: tuple[int, int]) -> bool:
        over = {Tile(tile.row + r, tile.col + c) for r, c in covered_tiles(shift, 20_000, TILE_UM)}
        return over <= floor

    found = spots_of(floor, 20_000, TILE_UM, room)
    assert {nearest_offsets(found[Tile(1, 1)]), nearest_offsets(found[Tile(2, 1)])} == {
        ((0, 5_000),)
    }
    assert nearest_offsets(found[Tile(1, 2)]) == ((0, -5_000),)
    assert nearest_offsets(found[Tile(0, 1)]) == ((5_000, 5_000),)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    rows, cols = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    cell = st.sampled_from(["0", "0", "0", "1", "2", "~", "!", "T"])
    kinds = {
        "~": (Ground.WATER, None),
        "!": (Ground.LAVA, None),
        "T": (Ground.GROUND, Feature.TREE),
    }
    columns = []
    for _ in range(rows * cols):
        sign = draw(cell)
        level = int(sign) if sign.isdigit() else 0
        columns.append(Column(level, *kinds.get(sign, (Ground.GROUND, None))))
    return make_board(rows, cols, columns)


WIDE = [
    ("gang-skirmish", {"base_mm": 40.0, "move_in": 4}),
    ("gang-skirmish", {"base_mm": 50.0, "move_in": 3}),
    ("falchion", {"base_mm": 50.8, "move_ft": 15}),
    ("falchion", {"base_mm": 76.2, "move_ft": 15}),
]


@pytest.mark.parametrize(("name", "changes"), WIDE)
@given(boards(), st.sampled_from(TURNS), st.data())
def test_rotated_board_gives_rotated_answers(
    name: str, changes: dict[str, float], board: Board, way: str, data: st.DataObject
) -> None:
    move = transform_tile(way, board.rows, board.cols)
    rows, cols = transformed_size(way, board.rows, board.cols)
    back = {move(tile): tile for tile in board.tiles()}
    tiles = (Tile(row, col) for row in range(rows) for col in range(cols))
    image = make_board(rows, cols, [board.column(back[tile]) for tile in tiles])
    game = presets.load_rules(name)
    one, other = (
        Position(table, game).unit(game.proof_units[0], **changes) for table in (board, image)
    )
    standing = one.position.model(one.profile).standing
    turned_places = {moved(at, move) for at in standing}
    assert turned_places == set(other.position.model(other.profile).standing)
    if not standing:
        return
    start = data.draw(st.sampled_from(sorted(standing)))
    mine = {moved(row.surface, move): told(row) for row in one.reach(start).surfaces}
    theirs = {row.surface: told(row) for row in other.reach(moved(start, move)).surfaces}
    assert mine == theirs


def moved(surface, move):  # type: ignore[no-untyped-def]
    return surface._replace(tile=move(surface.tile))


def told(row):  # type: ignore[no-untyped-def]
    return row._replace(surface=None)
