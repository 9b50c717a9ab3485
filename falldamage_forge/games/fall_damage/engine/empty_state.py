"""States of a board without units, on which queries place theirs; cached by board and options."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache

from falldamage_forge.board import Board
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import match_context
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.line_of_sight import crossed_offsets
from falldamage_forge.games.fall_damage.engine.terrain_state import survey
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.play_options import PlayOptions
from falldamage_forge.games.fall_damage.play.state_value import terrain_state
from falldamage_forge.games.fall_damage.play.surface_number import spot_of, tile_number

LINES = 6
"""Rows and columns for which lines of sight are listed by default."""
WAYS = ("way_first", "way_count", "way_parts", "way_tile", "way_low", "way_high")
SHARED = frozenset(
    name
    for name in StateColumns.lengths
    if name.startswith(("way_", "label_", "ways", "dive_", "exit_", "drop_"))
    or name in ("link", "buckets", "heap", "best", "cost", "seen", "surface_of", "surfaces")
)
"""Columns that no query changes, and work arrays that are empty between two searches."""
SCRATCH = tuple(
    name
    for name in StateColumns.lengths
    if name in ("ways", "heap", "buckets") or name[:6] == "label_"
)
"""The longest work arrays: all states of queries share one of each."""


@lru_cache(maxsize=8)
def ground_state(board: Board, rules: FallDamageOptions) -> StateColumns:
    """Return the cached state of a board without units and cards.

    Callers that change it take a copy (`copy_of`).

    Args:
        board: The board.
        rules: Rules of movement and attack; they fill the option columns.
    """
    s, land = match_context.blank(board, _lengths(board)), terrain_state(board)
    for name, column in _scratch().items():
        setattr(s, name, column)
    s.phase, s.round, s.active, s.prize, s.ends_of = C.ACTIVATION, 1, -1, -1, -1
    s.tell = 1
    match_context.fill_rules(s, rules, PlayOptions())
    s.empty_actions = 1  # actions without effect are legal in queries
    match_context.fill_pieces(
        s, land, ["", *(word for word, _, _ in match_context.pieces_of(land))]
    )
    match_context.fill_tiles(s, land, board, C.GROUND)
    for tile in land.tiles():
        survey(s, C.GROUND, tile)
        if land.target_feature(tile):
            s.feature_tiles[s.n_features] = tile
            s.n_features += 1
    _fit_out(s, Terrain(board, rules.terrain))
    found = [tile << 4 | z for tile in land.tiles() for z in range(16) if s.stand[tile] >> z & 1]
    s.n_surfaces = len(found)
    s.surfaces[: len(found)] = found
    for chest in board.treasures:
        s.chests[s.n_chests] = spot_of(Surface(chest.tile, chest.level))
        s.n_chests += 1
    return s


def _fit_out(s: StateColumns, terrain: Terrain) -> None:
    """Add obstructions and pits, which only maps of other games have."""
    for tile in {*terrain.board.obstructions_um, *(tile for tile, _ in terrain.board.pits)}:
        at = tile_number(tile)
        s.top[at] = terrain.top(tile)
        s.stand[at] = sum(1 << level for level in terrain.standable(tile))


@lru_cache(maxsize=8)
def sighted_state(board: Board, rules: FallDamageOptions) -> StateColumns:
    """Return the cached state with lines of sight; callers that change it take a copy.

    Args:
        board: The board.
        rules: Rules of movement and attack; `los_corner` sets which tiles a line crosses.
    """
    s = copy_of(ground_state(board, rules))
    show_lines(s, LINES)
    return s


@cache
def _scratch() -> dict[str, list[int]]:
    return {name: [0] * StateColumns.lengths[name] for name in SCRATCH}


@lru_cache(maxsize=8)
def rules_state(rules: FallDamageOptions) -> StateColumns:
    """Return a state that holds the options only, for rules without a board."""
    s = StateColumns(dict.fromkeys(StateColumns.lengths, 0) | {"heights": 3})
    s.round = 1
    match_context.fill_rules(s, rules, PlayOptions())
    return s


@lru_cache(maxsize=8)
def open_state(board: Board, rules: FallDamageOptions) -> StateColumns:
    """Return a state that callers may change, if they restore it (`crowd`).

    Args:
        board: The board.
        rules: Rules of movement and attack.
    """
    return copy_of(ground_state(board, rules))


@contextmanager
def crowd(s: StateColumns, places: Iterable[Surface], who: int = 0) -> Iterator[None]:
    """Place a unit on surfaces while the context lasts.

    Args:
        s: State of the game; changed.
        places: Surfaces; those off the board are ignored.
        who: Index of the unit.
    """
    spots = [
        spot_of(at) for at in places if 0 <= at.tile.row < s.rows and 0 <= at.tile.col < s.cols
    ]
    for spot in spots:
        s.occupant[spot] = who
    try:
        yield
    finally:
        for spot in spots:
            s.occupant[spot] = -1


def show_line(s: StateColumns, rows: int, cols: int) -> None:
    """List a single line of sight, `rows` down and `cols` across.

    Args:
        s: State of the game; changed.
        rows: Rows from the first surface to the second, at least 0.
        cols: Columns from the first surface to the second, negative to the west.
    """
    parts, tiles = crossed_offsets(rows, cols, s.los_corner == 1)
    s.lines_apart, s.lines_middle = 0, -cols
    s.way_first, s.way_count, s.way_parts = [0], [len(tiles)], [parts]
    s.way_tile, s.way_low, s.way_high = [], [], []  # other states share the old lists
    match_context.list_crossings(s, tiles)


def _lengths(board: Board) -> dict[str, int]:
    """Return the length of each column for a board; lines of sight are listed on demand."""
    room = StateColumns.sized(board.rows) | dict.fromkeys((*WAYS, *SCRATCH, "link"), 1)
    more = max(1, -(-len(board.decks) // C.MOST_DECKS), -(-len(board.ladders) // C.MOST_LADDERS))
    pieces = ("deck_", "foot_", "head_", "ladder_")
    for name in room:
        if name.startswith(pieces) and name not in StateColumns.by_rows:
            room[name] *= more
    room["chests"] = max(room["chests"], len(board.treasures))
    return room


def show_lines(s: StateColumns, lines: int) -> None:
    """List the lines of sight of up to `lines` rows and columns.

    Args:
        s: State of the game; changed.
        lines: Most rows and columns of a line; at most the board's size counts.
    """
    high, wide = min(lines, s.rows - 1), min(lines, s.cols - 1)
    for name in WAYS:
        setattr(s, name, [0] * ((high + 1) * (2 * wide + 1)))
    match_context.fill_ways(s, high, wide)


def copy_of(s: StateColumns) -> StateColumns:
    """Return a copy of a state in which callers may change all but the `SHARED` columns."""
    return _copied(s, SHARED)


def own_copy(s: StateColumns) -> StateColumns:
    """Return a copy that has no column in common with a state, for callers that change boards."""
    return _copied(s, frozenset())


def _copied(s: StateColumns, shared: Collection[str]) -> StateColumns:
    made = StateColumns.__new__(StateColumns)
    for name, length in StateColumns.lengths.items():
        value = getattr(s, name)
        setattr(made, name, value[:] if length and name not in shared else value)
    return made
