"""Boards as values: canonical order, images, crops, edges and the names of tiles."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.board import (
    DIRECTIONS,
    Battlement,
    Board,
    Chest,
    Column,
    Deck,
    Fitting,
    Ground,
    HalfStep,
    Ladder,
    StartZone,
    Tile,
    make_board,
)
from falldamage_forge.board.coordinates import parse_place, transform_tile
from falldamage_forge.board.crop import crop_board, crop_box_around
from falldamage_forge.board.surfaces import Terrain, TerrainOptions, surface_graph
from falldamage_forge.board.symmetry import OPERATORS, asymmetric_tiles, transform_board
from falldamage_forge.elements import FITTINGS
from falldamage_forge.issues import ForgeError
from tests.rules.randomboards import random_board

LISTS = [each.name for each in fields(Board)][3:]
"""The fields of a board that list elements."""


def furnished(seed: int) -> Board:
    """A random board with elements of every kind, wherever they fall."""
    dice = random.Random(seed)
    board = random_board(seed)
    tiles = list(board.tiles())

    def some() -> list[Tile]:
        return dice.sample(tiles, min(3, len(tiles)))

    def sides() -> tuple[tuple[int, int], ...]:
        return tuple(side for side in DIRECTIONS if dice.random() < 0.6) or DIRECTIONS[:1]

    return remade(
        board,
        treasures=[Chest(tile, board.column(tile).level) for tile in some()],
        battlements=[Battlement(tile, sides()) for tile in some()],
        steps=[HalfStep(tile) for tile in some()],
        fittings=[
            Fitting(kind, tile, board.column(tile).level, sides() if of.edged else (), "", 9000)
            for kind, of in FITTINGS.items()
            for tile in some()
        ],
    )


def remade(board: Board, **parts: Any) -> Board:
    """The board with other lists of elements, through `make_board`."""
    lists = {name: parts.get(name, getattr(board, name)) for name in LISTS}
    return make_board(board.rows, board.cols, board.columns, **lists)


BOARDS = st.builds(furnished, st.integers(0, 10_000_000))
SEEDS = st.integers(0, 2**32)


@settings(max_examples=30)
@given(BOARDS, SEEDS)
def test_order_of_elements_does_not_matter(board: Board, seed: int) -> None:
    dice = random.Random(seed)
    mixed = {
        name: dice.sample(list(own), len(own)) for name in LISTS if (own := getattr(board, name))
    }
    assert remade(board, **mixed) == board


@settings(max_examples=30)
@given(BOARDS, st.sampled_from(sorted(OPERATORS)))
def test_image_of_every_element_turned_back_is_the_element(board: Board, operator: str) -> None:
    back = {"rotate-90": "rotate-270", "rotate-270": "rotate-90"}.get(operator, operator)
    assert transform_board(transform_board(board, operator), back) == board


@settings(max_examples=30)
@given(BOARDS, st.sampled_from(sorted(OPERATORS)))
def test_sides_of_an_element_turn_with_the_board(board: Board, operator: str) -> None:
    """An edge lies between two tiles: its image between their images."""
    to = transform_tile(operator, board.rows, board.cols)
    image = transform_board(board, operator)
    for name in ("battlements", "fittings"):
        wanted = Counter(edge for x in getattr(board, name) for edge in edges(x, to))
        assert Counter(edge for x in getattr(image, name) for edge in edges(x)) == wanted


def edges(
    element: Battlement | Fitting, to: Callable[[Tile], Tile] = lambda tile: tile
) -> list[tuple[Tile, Tile | None]]:
    """Tile and further tile of each side; None for an element without sides."""
    ends = [to(element.tile.step(side)) for side in element.sides] or [None]
    return [(to(element.tile), end) for end in ends]


FLAT = make_board(5, 5, [Column(1)] * 25)
E1 = Tile(0, 4)


@pytest.mark.parametrize(
    ("name", "element"),
    [
        ("decks", Deck(E1, Tile(3, 4), 1)),
        ("decks", Deck(E1, Tile(3, 4), 1, arch=True)),
        ("ladders", Ladder(E1, 0, Tile(1, 4), 1)),
        ("treasures", Chest(E1, 1)),
        ("battlements", Battlement(E1)),
        ("steps", HalfStep(E1)),
        ("fittings", Fitting("railing", E1, 1, DIRECTIONS[:1])),
        ("fittings", Fitting("gate", E1, 1)),
        ("fittings", Fitting("base", E1, 1, name="red")),
        ("starts", StartZone("red", ((E1, 1),))),
    ],
)
def test_element_without_an_image_makes_its_tile_and_the_image_asymmetric(
    name: str, element: object
) -> None:
    one = remade(FLAT, **{name: [element]})
    image = getattr(transform_board(one, "mirror-x"), name)
    assert asymmetric_tiles(FLAT, "mirror-x") == ()
    assert asymmetric_tiles(one, "mirror-x") == (Tile(0, 0), E1)
    two = [element, *(replace(each, side="blue") if name == "starts" else each for each in image)]
    assert asymmetric_tiles(remade(FLAT, **{name: two}), "mirror-x") == ()


def test_image_of_another_size_differs_on_every_tile() -> None:
    board = make_board(5, 10, [Column()] * 50)
    assert asymmetric_tiles(board, "rotate-90") == tuple(board.tiles())


# -- crops ---------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(BOARDS, SEEDS, st.integers(0, 2))
def test_crop_box_holds_its_tiles_and_cuts_no_deck_or_ladder(
    board: Board, seed: int, margin: int
) -> None:
    tiles = random.Random(seed).sample(list(board.tiles()), 2)
    box = crop_box_around(board, tiles, margin)
    near = [
        tile for tile in board.tiles()
        if min(t.row for t in tiles) - margin <= tile.row <= max(t.row for t in tiles) + margin
        and min(t.col for t in tiles) - margin <= tile.col <= max(t.col for t in tiles) + margin
    ]  # fmt: skip
    inside = [tile for tile in board.tiles() if tile in box]
    assert set(near) <= set(inside)
    assert len(inside) == (box.bottom - box.top) * (box.right - box.left), "it stays on the board"
    things = [{x.a, x.b, *x.tiles} for x in board.decks]
    things += [{x.foot, x.top} for x in board.ladders]
    assert all(len(thing & set(inside)) in (0, len(thing)) for thing in things)
    if all(len(thing & set(near)) in (0, len(thing)) for thing in things):
        assert inside == near


@settings(max_examples=40)
@given(BOARDS, SEEDS)
def test_crop_keeps_columns_and_elements_inside_the_box(board: Board, seed: int) -> None:
    box = crop_box_around(board, random.Random(seed).sample(list(board.tiles()), 2), 0)
    part = crop_board(board, box)
    inside = [tile for tile in board.tiles() if tile in box]
    assert list(part.columns) == [board.column(tile) for tile in inside]
    assert (part.treasures, part.starts) == ((), ())
    for name in ("decks", "ladders", "battlements", "steps", "fittings"):
        kept = [x for x in getattr(board, name) if first_tile(x) in inside]
        assert shapes(kept, box.top, box.left) == shapes(getattr(part, name), 0, 0), name


def first_tile(element: Any) -> Tile:
    return next(value for value in values(element) if isinstance(value, Tile))


def values(element: Any) -> list[object]:
    return [getattr(element, each.name) for each in fields(element) if each.name != "source"]


def shapes(elements: Any, top: int, left: int) -> Counter[str]:
    """Elements as texts, their tiles counted from a corner."""
    return Counter(
        repr([
            (value.row - top, value.col - left) if isinstance(value, Tile) else value
            for value in values(element)
        ])
        for element in elements
    )  # fmt: skip


# -- edges ---------------------------------------------------------------------------------------


@given(BOARDS)
def test_every_deck_and_ladder_ends_on_two_edges(board: Board) -> None:
    ends = [(edge, thing) for edge, things in board.edge_ends.items() for thing in things]
    assert len(ends) == 2 * len(board.decks) + 2 * len(board.ladders)
    for (tile, level, side), thing in ends:
        beyond = tile.step(side)
        if isinstance(thing, Deck):
            assert tile in (thing.a, thing.b)
            assert (level, beyond in thing.tiles) == (thing.level, True)
        else:
            surfaces = [(thing.foot, thing.foot_level), (thing.top, thing.top_level)]
            assert (tile, level) in surfaces
            assert beyond in (thing.foot, thing.top)


@given(BOARDS)
def test_railing_between_level_tiles_belongs_to_both(board: Board) -> None:
    own = {
        (x.tile, board.column(x.tile).level, side) for x in board.battlements for side in x.sides
    }
    own |= {(x.tile, x.level, side) for x in board.fitted("railing") for side in x.sides}
    shared = {
        (tile.step(side), level, (-side[0], -side[1]))
        for tile, level, side in own
        if tile.step(side) in board and level in board.tops(tile.step(side))
    }
    assert set(board.rails) == own | shared
    assert all(rail.kind == "railing" for rail in board.rails.values())


# -- surfaces ------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(BOARDS, st.integers(1, 3))
def test_terrain_is_solid_cell_by_cell(board: Board, headroom: int) -> None:
    """Of thin decks only the plane is solid, of others the cell below it."""
    terrain = Terrain(board, TerrainOptions(headroom))
    for tile in board.tiles():
        decks, top = terrain.decks(tile), terrain.top(tile)
        solid = {*range(top), *(deck - 1 for deck in decks if headroom > 1)}
        planes = {deck for deck in decks if headroom == 1}
        for low in range(board.highest + 3):
            assert terrain.highest_below(tile, low) == max(
                (level for level in (top, *decks) if level <= low), default=None
            )
            for high in range(low + 1, board.highest + 4):
                cells, between = range(low, high), range(low + 1, high)
                free = solid.isdisjoint(cells) and planes.isdisjoint(between)
                assert terrain.free(tile, low, high) == free
        lava = board.column(tile).ground is Ground.LAVA or (tile, top) in board.pits
        floors = {board.column(tile).level, *decks} - (
            {board.column(tile).level} if lava else set()
        )
        assert set(terrain.standable(tile)) >= {
            level for level in floors
            if level >= top and not any(level < deck < level + 4 for deck in decks)
        }  # fmt: skip
        assert set(terrain.standable(tile)) <= {*floors, *decks}


@settings(max_examples=30)
@given(BOARDS)
def test_surface_is_found_by_its_name_and_a_top_by_its_tile(board: Board) -> None:
    graph = surface_graph(board)
    for surface in graph.surfaces:
        assert graph.find(str(surface)) == surface
    for tile in board.tiles():
        levels = graph.terrain.standable(tile)
        if levels:
            top = board.column(tile).level
            assert graph.find(str(tile)) == (tile, top if top in levels else min(levels))


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("B9", "B9 is not on the board", "the board is 5x5"),
        ("A1@3", "there is no surface A1@3", "surfaces there: A1@0, A1@2"),
        ("C1@0", "there is no surface C1@0", "no unit can stand on that tile"),
        ("C1", "there is no surface C1", "no unit can stand on that tile"),
        ("x", "`x` is not a surface; write E5, or E5@2 for level 2", None),
    ],
)
def test_text_that_names_no_surface_is_refused(text: str, message: str, hint: str | None) -> None:
    columns = [Column(0), Column(0), Column(0, Ground.LAVA), *[Column(0)] * 22]
    board = make_board(5, 5, columns, decks=[Deck(Tile(-1, 0), Tile(1, 0), 2)])
    with pytest.raises(ForgeError) as refused:
        surface_graph(board).find(text)
    (issue,) = refused.value.issues
    assert (issue.code, issue.message, issue.hint) == ("FDF340", message, hint)


@pytest.mark.parametrize(("um", "levels"), [(12_700, 0), (12_701, 1), (30_000, 1), (30_001, 2)])
def test_obstruction_fills_every_level_that_it_reaches_into(um: int, levels: int) -> None:
    board = remade(FLAT, fittings=[Fitting("obstruction", E1, 1, length_um=um)])
    assert Terrain(board, TerrainOptions()).top(E1) == 1 + levels


# -- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("tile", [Tile(0, 0), Tile(9, 25), Tile(49, 26), Tile(98, 52)])
def test_place_is_a_tile_with_or_without_a_level(tile: Tile) -> None:
    assert parse_place(f" {tile} ") == (tile, None)
    assert parse_place(f"{tile}@0") == (tile, 0)
    assert parse_place(f"{tile}@12".lower()) == (tile, 12)


@pytest.mark.parametrize("text", ["", "5", "E0", "EEE5", "E5555", "E5@", "E5@123", "E5@x"])
def test_other_text_is_no_place_and_gets_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="write E5, or E5@2 for level 2") as refused:
        parse_place(text)
    assert str(refused.value).startswith(f"`{text}` is not a surface")
