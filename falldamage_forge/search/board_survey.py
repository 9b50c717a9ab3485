"""Positions of many boards of one size, with steps, sight and pushes computed ahead.

The engine's functions compute them, compiled where `load_kernel` was called. Everything else about
a position follows as for any map.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from itertools import pairwise, repeat
from sys import byteorder
from threading import local
from typing import Any, NamedTuple

from falldamage_forge.board import DIRECTIONS, Board
from falldamage_forge.games.fall_damage import map_metrics, movement
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.empty_state import ground_state, own_copy, show_lines
from falldamage_forge.games.fall_damage.engine.jit import Compiled, Entry
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.ruleset import FallDamage
from falldamage_forge.games.fall_damage.unit_cards import MovementProfile
from falldamage_forge.infra.optional_libraries import missing
from falldamage_forge.rules.bitset_bfs import mask_of
from falldamage_forge.rules.movement_graph import Edge
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.turn_structure import SURE
from falldamage_forge.rules.unit_values import Profile
from falldamage_forge.search.board_kernel import (
    GROUND,
    LINKS,
    PUSHES,
    SIGHT,
    STEPS,
    Findings,
    look,
)
from falldamage_forge.search.mutable_board import MutableBoard, canvas_of, table

Links = tuple[int, ...]
"""Surfaces by the surface from which they are reached or seen, as bit sets."""
_COMPILED: list[Entry] = []


class _OfThread(local):
    """The surveys of a thread; each writes its boards into one state."""

    def __init__(self) -> None:
        self.surveys: dict[object, BoardSurvey] = {}


_KEPT = _OfThread()


def load_kernel() -> None:
    """Compile `look`, or take it from numba's cache; surveys of this process then use it.

    Raises:
        ForgeError (FDF503): If numba is missing.
    """
    if not _COMPILED:
        try:
            _COMPILED.append(Compiled(look, StateColumns, Findings).call())
        except ImportError:
            raise missing("search", "searching for maps") from None


def survey_of(rows: int, cols: int, options: FallDamageOptions) -> BoardSurvey:
    """Return this thread's survey of boards of a size; all its callers share it.

    Args:
        rows: Rows of the board.
        cols: Columns of the board.
        options: Rules of movement and attack.
    """
    do = _COMPILED[0] if _COMPILED else None
    key = (rows, cols, options, do)
    if key not in _KEPT.surveys:
        _KEPT.surveys[key] = BoardSurvey(rows, cols, options, do)
    return _KEPT.surveys[key]


class Surveyed(NamedTuple):
    """A position, and the links of units by name or profile."""

    position: Position
    links: Mapping[Profile, Links]


class BoardSurvey:
    """The state of one board after another, without units."""

    def __init__(
        self, rows: int, cols: int, options: FallDamageOptions, compiled: Entry | None = None
    ) -> None:
        """Prepare the state.

        Args:
            rows: Rows of the boards.
            cols: Columns of the boards.
            options: Options of the ruleset.
            compiled: `look` compiled; None: interpreted.
        """
        self.options, self.do = options, compiled or look
        s = own_copy(
            ground_state(MutableBoard.empty(table(rows, cols, "rotate-180")).board(), options)
        )
        s.link = [0] * (len(s.occupant) * C.LINKS)
        self.state: Any = s
        self.found: Any = Findings(Findings.sized(rows))
        if compiled:
            show_lines(s, max(rows, cols))
            self.state, self.found = s.record(), self.found.record()

    def place(self, canvas: MutableBoard) -> bool:
        """Write a board and number its surfaces; false if it exceeds the engine's capacity."""
        s, cols, decks = self.state, canvas.table.cols, canvas.over()
        for row in range(canvas.table.rows):
            here, there = slice(row * cols, (row + 1) * cols), slice(row << 6, (row << 6) + cols)
            s.level[there], s.kind[there] = canvas.level[here], canvas.ground[here]
            s.feature[there], s.decks[there] = canvas.feature[here], decks[here]
        count = len(canvas.ladders)
        if count > C.MOST_LADDERS:
            return False
        s.n_ladders, s.ladder_alive[:count] = count, [1] * count
        s.foot_tile[:count] = [tile_of(x.foot, cols) for x in canvas.ladders]
        s.head_tile[:count] = [tile_of(x.top, cols) for x in canvas.ladders]
        s.foot_level[:count] = [x.foot_level for x in canvas.ladders]
        s.head_level[:count] = [x.top_level for x in canvas.ladders]
        return not self.do(s, self.found, GROUND)

    def spots(self) -> list[int]:
        """Return the surfaces as the engine's surface indices, in their order."""
        return listed(self.state.surfaces[: self.state.n_surfaces])

    def links(self, profile: MovementProfile) -> Links:
        """Return the surfaces that a unit reaches by one step, without damage, from each."""
        self._walk_as(profile)
        return self._sets(LINKS)

    def _walk_as(self, profile: MovementProfile) -> None:
        b = self.found
        b.move, b.jump = profile.move, profile.jump
        b.counts, b.light = int(profile.vertical_counts), int(profile.no_fall)

    def position(self, board: Board, game: FallDamage, units: Iterable[Profile]) -> Surveyed:
        """Return a position that knows the plain unit's steps, lines of sight and falls.

        A board that exceeds the capacity of the engine is left to the ruleset.

        Args:
            board: A board of this size.
            game: A ruleset with these options.
            units: Names or profiles of the units whose links are wanted.
        """
        position = Position(board, game)
        if board.obstructions_um or board.pits or not self.place(canvas_of(board)):
            ahead = {unit: position.model(unit).successors for unit in units}
            return Surveyed(position, {unit: tuple(map(mask_of, ahead[unit])) for unit in ahead})
        plain = game.profile(position.plain)
        movement.remember(
            position.graph, plain, self.options, tuple(self.spots()), self._edges(plain)
        )
        map_metrics.remember_falls(position.graph, self.options, self._falls())
        position.memo.seen = self._sets(SIGHT)
        return Surveyed(position, {unit: self.links(game.profile(unit)) for unit in units})

    def _sets(self, what: int) -> Links:
        """Return a set of surfaces for each surface, as bits."""
        s, b = self.state, self.found
        self.do(s, b, what)
        sets, width = array("I", listed(b.sets[: s.n_surfaces * b.words])).tobytes(), 4 * b.words
        return tuple(
            int.from_bytes(sets[at : at + width], byteorder) for at in range(0, len(sets), width)
        )

    def _edges(self, profile: MovementProfile) -> tuple[tuple[Edge, ...], ...]:
        s, b = self.state, self.found
        self._walk_as(profile)
        self.do(s, b, STEPS)
        to, cost, harm, climb, fall, link = (
            listed(column[: b.n_steps])
            for column in (b.to, b.cost, b.harm, b.climb, b.fall, b.link)
        )
        kinds = map(movement.kind_of, link)
        edges = tuple(map(Edge, to, kinds, cost, harm, repeat(SURE), climb, fall))
        first = [*listed(b.first[: s.n_surfaces]), b.n_steps]
        return tuple(edges[begin:end] for begin, end in pairwise(first))

    def _falls(self) -> dict[tuple[int, int], list[map_metrics.FallResult]]:
        s, b = self.state, self.found
        self.do(s, b, PUSHES)
        damage, ends = (listed(column[: 4 * s.n_surfaces]) for column in (b.damage, b.end))
        results = [(fall, end != C.SURVIVES) for fall, end in zip(damage, ends, strict=True)]
        return {way: results[number::4] for number, way in enumerate(DIRECTIONS)}


def tile_of(number: int, cols: int) -> int:
    """Return the engine's number of a tile that is counted row by row.

    Args:
        number: Tile counted row by row from 0.
        cols: Columns of the board.
    """
    row, col = divmod(number, cols)
    return row << 6 | col


def listed(column: Any) -> list[int]:
    """Return a column as a list, from a list or a numpy array."""
    return column if isinstance(column, list) else column.tolist()
