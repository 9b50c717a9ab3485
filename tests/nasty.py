"""Nasty maps that are legal: things beside, under, over and onto each other wherever `check` lets.

A board grows by one thing at a time out of a shuffled heap, and keeps each that legality allows;
nothing here knows why a thing is refused.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from falldamage_forge import presets
from falldamage_forge.board import (
    DIRECTION_NAMES,
    DIRECTIONS,
    Battlement,
    Board,
    Chest,
    Column,
    Deck,
    Feature,
    Fitting,
    Ground,
    HalfStep,
    Ladder,
    StartZone,
    Tile,
    make_board,
)
from falldamage_forge.elements.legality import check_legality
from falldamage_forge.elements.railing import PRINTED_UM
from falldamage_forge.issues import has_errors
from falldamage_forge.maps.checks import build_limits
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.setup_check import check_setup

Parts = dict[str, list[Any]]
"""The lists of a board that grows, by `make_board`'s own words."""
TOPS: tuple[tuple[Ground, Feature | None], ...] = (
    (Ground.WATER, None),
    (Ground.LAVA, None),
    (Ground.GROUND, Feature.TREE),
    (Ground.GROUND, Feature.SPIRE),
)
STARTS = 8
HEAP = {"deck": 90, "ladder": 40, "battlement": 14, "step": 8, "treasure": 6, "top": 16, "rail": 6}
"""How many of each are tried on every hundred tiles."""


@dataclass(frozen=True)
class Nasty:
    """A legal map: its board, its text, and what rules it is for."""

    board: Board
    rules: str
    options: tuple[tuple[str, int], ...] = ()

    @property
    def text(self) -> str:
        """The map as somebody might have written it, a thing a line."""
        return "\n".join(_lines(self)) + "\n"


RULES: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = (
    *[("fall-damage", ())] * 5,
    ("fall-damage", (("headroom", 1),)),
    ("fall-damage", (("headroom", 1), ("tree_height", 1), ("spire_height", 1))),
    *[("gang-skirmish", ())] * 2,
)
"""Rules by which things may come nearer to one another, or others are known."""


@cache
def nasty(seed: int) -> Nasty:
    """The same map for the same seed."""
    dice = random.Random(seed)
    rules, options = dice.choice(RULES)
    rows, cols = dice.choice(((5, 5), (5, 10), (10, 5), (10, 10), (10, 15)))
    game = presets.load_rules(rules).with_options((name, value, None) for name, value in options)
    levels = dice.choice(((0, 1, 2), (0, 2, 2, 3), (0, 0, 2, 4), (0, 1, 3, 5), (0, 2, 7, 12)))
    columns = [Column(dice.choice(levels)) for _ in range(rows * cols)]
    board = make_board(rows, cols, columns)
    catalogue = presets.load_catalogue()

    def legal(candidate: Board) -> bool:
        position = Position(candidate, game)
        found = check_legality(candidate, build_limits(catalogue, position))
        players = 2 if len(candidate.starts) == 2 else 0
        set_up = check_setup(position, players) if players or candidate.treasures else ()
        wrong = (i for i in set_up if i.code not in ("FDF150", "FDF151"))
        return not has_errors((*found, *wrong))

    for kind in _heap(dice, rows * cols):
        if kind == "rail" and "railing" not in game.fittings:
            continue
        candidate = PUT[kind](dice, board)
        if candidate is not None and legal(candidate):
            board = candidate
    started = _with_starts(dice, board)
    return Nasty(started if legal(started) else board, rules, options)


def _heap(dice: random.Random, tiles: int) -> list[str]:
    kinds = [kind for kind, share in HEAP.items() for _ in range(-(-share * tiles // 100))]
    dice.shuffle(kinds)
    # What leads from one thing to another comes in a second wave too, when there is more to join.
    again = [kind for kind in kinds if kind in ("deck", "ladder", "battlement")]
    return kinds + again


def _with(board: Board, **more: Any) -> Board:
    names = ("decks", "ladders", "treasures", "starts", "battlements", "steps", "fittings")
    parts = {name: [*getattr(board, name), *more.get(name, ())] for name in names}
    return make_board(board.rows, board.cols, more.get("columns", board.columns), **parts)


def _tile(dice: random.Random, board: Board) -> Tile:
    return Tile(dice.randrange(board.rows), dice.randrange(board.cols))


def _deck(dice: random.Random, board: Board) -> Board | None:
    """From any top to a tile in line; the other end is raised to it where nothing needs its top."""
    a, way, span = _tile(dice, board), dice.choice(((0, 1), (1, 0))), dice.randint(1, 4)
    end = a.step(way, span + 1)
    if end not in board:
        return None
    level = dice.choice(board.tops(a))
    columns = list(board.columns)
    if level not in board.tops(end) and dice.random() < 0.7:
        columns[end.row * board.cols + end.col] = Column(level)
        if _used(board, end):
            return None
    deck = Deck.between(a, end, level, arch=dice.random() < 0.4)
    return _with(board, columns=columns, decks=[deck])


def _used(board: Board, tile: Tile) -> bool:
    """Whether something else counts on a column's height."""
    things: list[Any] = [*board.battlements, *board.steps, *board.treasures, *board.fittings]
    return any(thing.tile == tile for thing in things) or any(
        tile in (ladder.foot, ladder.top) for ladder in board.ladders
    )


def _ladder(dice: random.Random, board: Board) -> Board | None:
    foot = _tile(dice, board)
    top = foot.step(dice.choice(DIRECTIONS))
    if top not in board:
        return None
    low, high = dice.choice(board.tops(foot)), dice.choice(board.tops(top))
    return _with(board, ladders=[Ladder(foot, low, top, high)]) if low < high else None


def _battlement(dice: random.Random, board: Board) -> Board | None:
    tile = _tile(dice, board)
    if any(crown.tile == tile for crown in board.battlements):
        return None
    sides = tuple(side for side in DIRECTIONS if dice.random() < 0.6)
    return _with(board, battlements=[Battlement(tile, sides)]) if sides else None


def _step(dice: random.Random, board: Board) -> Board | None:
    tile = _tile(dice, board)
    return (
        None if any(s.tile == tile for s in board.steps) else _with(board, steps=[HalfStep(tile)])
    )


def _treasure(dice: random.Random, board: Board) -> Board | None:
    tile = _tile(dice, board)
    at = (tile, dice.choice(board.tops(tile)))
    if any((chest.tile, chest.level) == at for chest in board.treasures):
        return None
    return _with(board, treasures=[Chest(*at)])


def _top(dice: random.Random, board: Board) -> Board | None:
    """Water, lava, a tree or a spire on a column."""
    tile = _tile(dice, board)
    ground, feature = dice.choice(TOPS)
    columns = list(board.columns)
    columns[tile.row * board.cols + tile.col] = replace(
        board.column(tile), ground=ground, feature=feature
    )
    return _with(board, columns=columns)


def _rail(dice: random.Random, board: Board) -> Board | None:
    tile = _tile(dice, board)
    sides = tuple(side for side in DIRECTIONS if dice.random() < 0.5)
    if not sides or any(fitting.tile == tile for fitting in board.fittings):
        return None
    level, high_um = dice.choice(board.tops(tile)), dice.choice(PRINTED_UM)
    return _with(board, fittings=[Fitting("railing", tile, level, sides, "", high_um)])


PUT: dict[str, Callable[[random.Random, Board], Board | None]] = {
    "deck": _deck,
    "ladder": _ladder,
    "battlement": _battlement,
    "step": _step,
    "treasure": _treasure,
    "top": _top,
    "rail": _rail,
}


def _with_starts(dice: random.Random, board: Board) -> Board:
    """Two zones on surfaces anywhere that carry a unit, water and decks among them."""
    free = [
        (tile, level)
        for tile in board.tiles()
        for level in board.tops(tile)
        if not (
            level == board.column(tile).level
            and (board.column(tile).feature or board.column(tile).ground is Ground.LAVA)
        )
        and not any(level < deck < level + 2 for deck in board.deck_levels.get(tile, ()))
    ]
    if len(free) < 2 * STARTS:
        return board
    drawn = dice.sample(free, 2 * STARTS)
    zones = [
        StartZone("red", tuple(sorted(drawn[:STARTS]))),
        StartZone("blue", tuple(sorted(drawn[STARTS:]))),
    ]
    return _with(board, starts=zones)


def _lines(nasty: Nasty) -> Iterator[str]:
    board = nasty.board
    options = " ".join(f"{name} {value}" for name, value in nasty.options)
    yield "forge 1"
    yield f"board {board.cols}x{board.rows}"
    yield f"rules {nasty.rules}" + (f" {{ {options} }}" if options else "")
    for tile in board.tiles():
        column = board.column(tile)
        if column.level:
            yield f"stack {tile} height {column.level}"
        if column.ground is not Ground.GROUND:
            yield f"{column.ground} at {tile}"
        if column.feature is not None:
            yield f"{column.feature} at {tile}"
    for deck in board.decks:
        yield f"bridge {deck.a} -> {deck.b} level {deck.level}" + " arch" * deck.arch
    for rung in board.ladders:
        yield f"ladder {rung.foot}@{rung.foot_level} -> {rung.top}@{rung.top_level}"
    for crown in board.battlements:
        yield f"battlement at {crown.tile} sides {_sides(crown.sides)}"
    yield from (f"step at {step.tile}" for step in board.steps)
    yield from (f"treasure at {chest.tile}@{chest.level}" for chest in board.treasures)
    for rail in board.fittings:
        yield (
            f"railing at {rail.tile}@{rail.level} sides {_sides(rail.sides)}"
            f" height {rail.length_um / 25_400:g}in"
        )
    for zone in board.starts:
        places = ", ".join(f"{tile}@{level}" for tile, level in zone.surfaces)
        yield f"start {zone.side} at {places}"


def _sides(sides: tuple[tuple[int, int], ...]) -> str:
    return " ".join(DIRECTION_NAMES[side] for side in sides)
