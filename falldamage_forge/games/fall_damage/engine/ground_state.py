"""A state of a board under readings, with nobody on it: what questions are asked on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from falldamage_forge.board import Board
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.crossings import crossings
from falldamage_forge.games.fall_damage.engine.match_context import (
    fill_pieces,
    fill_rules,
    fill_tiles,
    fill_ways,
    list_crossings,
    pieces_of,
)
from falldamage_forge.games.fall_damage.engine.terrain_state import survey
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.land import land_of
from falldamage_forge.games.fall_damage.play.options import Readings
from falldamage_forge.games.fall_damage.play.spots import spot_of

LINES = 6
"""How many rows and columns lines of sight are listed for, unless more are asked for."""
WAYS = ("way_first", "way_count", "way_parts", "way_tile", "way_low", "way_high")
SHARED = frozenset(
    name
    for name in State.lengths
    if name.startswith(("way_", "label_", "ways", "dive_", "exit_", "drop_"))
    or name in ("link", "buckets", "heap", "best", "cost", "seen", "surface_of", "surfaces")
)
"""Columns that no question changes, and those that hold nothing between two searches."""


@lru_cache(maxsize=8)
def ground_state(board: Board, rules: Options) -> State:
    """A board with nobody on it, where no cards are asked for. To be changed on a copy only."""
    s, land = State(_lengths(board)), land_of(board)
    s.rows, s.cols = board.rows, board.cols
    s.phase, s.round, s.active, s.prize, s.ends_of = C.ACTIVATION, 1, -1, -1, -1
    s.tell = 1
    fill_rules(s, rules, Readings())
    s.empty_actions = 1  # what may be done, whether or not it does anything
    show_lines(s, LINES)
    s.occupant = [-1] * len(s.occupant)
    fill_pieces(s, land, ["", *(word for word, _, _ in pieces_of(land))])
    fill_tiles(s, land, board, C.GROUND)
    for tile in land.tiles():
        survey(s, C.GROUND, tile)
        if s.feature[tile]:
            s.feature_tiles[s.n_features] = tile
            s.n_features += 1
    found = [tile << 4 | z for tile in land.tiles() for z in range(16) if s.stand[tile] >> z & 1]
    s.n_surfaces = len(found)
    s.surfaces[: len(found)] = found
    for chest in board.treasures:
        s.chests[s.n_chests] = spot_of(Surface(chest.tile, chest.level))
        s.n_chests += 1
    return s


@lru_cache(maxsize=8)
def rules_state(rules: Options) -> State:
    """The readings alone, for what asks no board."""
    s = State(dict.fromkeys(State.lengths, 0) | {"heights": 3})
    s.round = 1
    fill_rules(s, rules, Readings())
    return s


@lru_cache(maxsize=8)
def open_state(board: Board, rules: Options) -> State:
    """A board of its own for who puts somebody on it and takes them off again."""
    return copy_of(ground_state(board, rules))


@contextmanager
def crowd(s: State, places: Iterable[Surface]) -> Iterator[None]:
    """Somebody unknown on some places, for as long as something is asked; off the board nobody."""
    spots = [
        spot_of(at) for at in places if 0 <= at.tile.row < s.rows and 0 <= at.tile.col < s.cols
    ]
    for spot in spots:
        s.occupant[spot] = 0
    try:
        yield
    finally:
        for spot in spots:
            s.occupant[spot] = -1


def show_line(s: State, rows: int, cols: int) -> None:
    """List one line of sight only."""
    parts, tiles = crossings(rows, cols, s.los_corner == 1)
    s.lines_high, s.lines_wide = -rows, -cols
    s.way_first, s.way_count, s.way_parts = [0], [len(tiles)], [parts]
    s.way_tile, s.way_low, s.way_high = [], [], []  # the old lists are other states', too
    list_crossings(s, tiles)


def _lengths(board: Board) -> dict[str, int]:
    """How long each column is for a board: its tiles' are as its rows, whatever compiled ones hold.

    Lines of sight are listed as far as they are asked for.
    """
    room = {
        name: length // C.TILES * (board.rows << 6) if length % C.TILES == 0 else length
        for name, length in State.lengths.items()
    } | dict.fromkeys((*WAYS, "link"), 1)
    more = max(1, -(-len(board.decks) // C.MOST_DECKS), -(-len(board.ladders) // C.MOST_LADDERS))
    pieces = ("deck_", "foot_", "head_", "ladder_")
    for name in room:
        if name.startswith(pieces) and State.lengths[name] % C.TILES:
            room[name] *= more
    room["chests"] = max(room["chests"], len(board.treasures))
    return room


def show_lines(s: State, lines: int) -> None:
    """List the lines of sight of so many rows and columns."""
    high, wide = min(lines, s.rows - 1), min(lines, s.cols - 1)
    for name in WAYS:
        setattr(s, name, [0] * ((2 * high + 1) * (2 * wide + 1)))
    fill_ways(s, high, wide)


def copy_of(s: State) -> State:
    """The same state, to be changed."""
    made = State.__new__(State)
    for name, length in State.lengths.items():
        value = getattr(s, name)
        setattr(made, name, value[:] if length and name not in SHARED else value)
    return made
