"""Batches of boards as arrays: the same answers as the single-map engine, thousands a second.

Boards are packed into arrays of small numbers, all of one size; numba compiles the loops at the
first call and keeps them on the disk. What two words of bits cannot hold is told by `fits`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import Board, Feature, Ground
from falldamage_forge.extras import missing
from falldamage_forge.games.fall_damage.game import FallDamage
from falldamage_forge.games.fall_damage.moves import Profile
from falldamage_forge.games.fall_damage.options import Options

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from falldamage_forge.search.canvas import Canvas

    Ints = NDArray[np.signedinteger[Any]]

MAX_LADDERS, MAX_CHESTS, MAX_STARTS, MAX_DECKS = 12, 8, 8, 4
MAX_MOVE = 5
GROUNDS = {Ground.GROUND: 0, Ground.WATER: 1, Ground.LAVA: 2}
FEATURES = {None: 0, Feature.TREE: 1, Feature.SPIRE: 2}


@dataclass(frozen=True)
class Batch:
    """Boards of one size. Tiles are numbered row by row; what is not there is -1.

    Shapes: `level`, `ground`, `feature` (n, tiles) int8; `decks` (n, tiles, 4) levels, ascending;
    `ladders` (n, 12, 4) foot, its level, top, its level; `starts` (n, 2, 8, 2) and `chests`
    (n, 8, 2) tile and level.
    """

    rows: int
    cols: int
    level: Ints
    ground: Ints
    feature: Ints
    decks: Ints
    ladders: Ints
    starts: Ints
    chests: Ints

    def __len__(self) -> int:
        return len(self.level)


@dataclass(frozen=True)
class Answers:
    """What a batch is like. Arrays have a row a board; a second axis of 2 is by proof Jump.

    `surfaces` is -1 where a board was too large to be answered; `playable` says that the sides and
    all chests are joined for every proof Jump; `islands` and `traps` count surfaces; `cut_off` is a
    bit mask of classes that do not get from start to start. `turns` (n, classes, 2, 128) holds
    least activations from a side's start, 127 for never; `places` (n, 128, 2) each surface's tile
    and level. Both are empty if they were not asked for.
    """

    surfaces: Ints
    playable: Ints
    joined: Ints
    chests: Ints
    islands: Ints
    traps: Ints
    cut_off: Ints
    turns: Ints
    places: Ints


@dataclass(frozen=True)
class Measured:
    """Figures of a batch, a row a board; `figures` has the columns of `loops.gauges`.

    Sides are in the order of their names; a contact of -1 never comes; `cut_off` as in `Answers`.
    """

    surfaces: Ints
    playable: Ints
    islands: Ints
    traps: Ints
    cut_off: Ints
    figures: Ints


def kernel() -> tuple[Any, Any]:
    """The compiled loops and the numbers they share; ForgeError (FDF503) without numba."""
    try:
        from falldamage_forge.search.loops import batch, sets
    except ImportError:
        raise missing("search", "searching for maps") from None
    return batch, sets


def fits(board: Board) -> bool:
    """Whether a board's things fit into the arrays at all."""
    return (
        len(board.ladders) <= MAX_LADDERS
        and len(board.treasures) <= MAX_CHESTS
        and len(board.starts) <= 2
        and all(len(zone.surfaces) <= MAX_STARTS for zone in board.starts)
        and all(len(levels) <= MAX_DECKS for levels in board.deck_levels.values())
    )


def blank(count: int, rows: int, cols: int) -> Batch:
    """So many bare boards without starts."""
    import numpy as np

    size = rows * cols
    return Batch(
        rows,
        cols,
        np.zeros((count, size), np.int8),
        np.zeros((count, size), np.int8),
        np.zeros((count, size), np.int8),
        np.full((count, size, MAX_DECKS), -1, np.int8),
        np.full((count, MAX_LADDERS, 4), -1, np.int16),
        np.full((count, 2, MAX_STARTS, 2), -1, np.int16),
        np.full((count, MAX_CHESTS, 2), -1, np.int16),
    )


def pack(boards: Sequence[Board]) -> Batch:
    """Boards of one size as arrays; ValueError for sizes that differ or things that do not fit."""
    rows, cols = (boards[0].rows, boards[0].cols) if boards else (10, 10)
    batch = blank(len(boards), rows, cols)
    for n, board in enumerate(boards):
        if (board.rows, board.cols) != (rows, cols) or not fits(board):
            raise ValueError("a batch is of boards of one size with few things each")
        batch.level[n] = [column.level for column in board.columns]
        batch.ground[n] = [GROUNDS[column.ground] for column in board.columns]
        batch.feature[n] = [FEATURES[column.feature] for column in board.columns]
        for tile, levels in board.deck_levels.items():
            batch.decks[n, tile.row * cols + tile.col, : len(levels)] = levels
        for k, ladder in enumerate(board.ladders):
            foot = ladder.foot.row * cols + ladder.foot.col
            top = ladder.top.row * cols + ladder.top.col
            batch.ladders[n, k] = foot, ladder.foot_level, top, ladder.top_level
        for side, zone in enumerate(board.starts):
            for k, (tile, level) in enumerate(zone.surfaces):
                batch.starts[n, side, k] = tile.row * cols + tile.col, level
        for k, chest in enumerate(board.treasures):
            batch.chests[n, k] = chest.tile.row * cols + chest.tile.col, chest.level
    return batch


def pack_canvases(canvases: Sequence[Canvas]) -> Batch:
    """Canvases of one size, without making boards of them; their chests may be there or not."""
    import numpy as np

    table = canvases[0].table
    batch = blank(len(canvases), table.rows, table.cols)
    batch.level[:] = [canvas.level for canvas in canvases]
    batch.ground[:] = [canvas.ground for canvas in canvases]
    batch.feature[:] = [canvas.feature for canvas in canvases]
    batch.starts[:, :, :, 0] = np.array(table.starts[::-1])
    batch.starts[:, :, :, 1] = 0
    for n, canvas in enumerate(canvases):
        for tile, levels in canvas.over().items():
            batch.decks[n, tile, : len(levels)] = levels
        for k, rungs in enumerate(canvas.ladders[:MAX_LADDERS]):
            batch.ladders[n, k] = rungs
        for k, chest in enumerate(canvas.chests[:MAX_CHESTS]):
            batch.chests[n, k] = chest
    return batch


Family = tuple[int, bool, bool]
"""Jump, whether levels count, whether falls do no damage."""


def family_of(profile: Profile) -> Family:
    """What of a profile decides which moves it has, but for how far."""
    return profile.jump, profile.vertical_counts, profile.no_fall


class Bulk:
    """The engine for a game and the profiles it is asked about, under all options."""

    def __init__(self, game: FallDamage, profiles: Iterable[Profile]) -> None:
        """ValueError for a profile too quick, or rules of more than two proof units."""
        import numpy as np

        self.loops, self.sets = kernel()
        self.game = game
        self.profiles = tuple(profiles)
        proved = [game.profile(unit) for unit in game.proof_units]
        if any(p.move > MAX_MOVE for p in (*self.profiles, *proved)):
            raise ValueError(f"in bulk, units move {MAX_MOVE} at most")
        if len(proved) > 2:
            raise ValueError("in bulk, a map is proved for two units at most")
        wanted = [family_of(profile) for profile in self.profiles]
        families = list(dict.fromkeys((*map(family_of, proved), *wanted)))
        options = game.options
        slab = int(options.headroom > 1)
        heights = [options.headroom, options.tree_height, options.spire_height, slab]
        self.heights = np.array(heights)
        self.rules = np.array(readings(options))
        self.families = np.array(families, np.int64).reshape(-1, 3)
        allowed = [self._allowed(family) for family in families]
        self.allowed = np.array(allowed, np.bool_)
        plain = [n for n, (_, vertical, _) in enumerate(families) if not vertical]
        takers = [tuple(n for n in plain if allowed[n][key]) for key in range(len(allowed[0]))]
        patterns = [each for each in dict.fromkeys(takers) if each]
        upright = [n for n in range(len(families)) if n not in plain]
        self.upright = np.array(upright, np.int64)
        self.pattern = np.array([patterns.index(t) if t else -1 for t in takers], np.int64)
        self.patterns = max(len(patterns), 1)
        self.members = np.array(
            [
                sum(1 << p for p, each in enumerate(patterns) if n in each)
                for n in range(len(families))
            ],
            np.int64,
        )
        self.numbers = np.array(
            [(families.index(w), p.move) for w, p in zip(wanted, self.profiles, strict=True)],
            np.int64,
        ).reshape(-1, 2)
        self.proofs = np.array(
            [(families.index(family_of(p)), p.move) for p in proved], np.int64
        ).reshape(-1, 2)
        self.nested = False
        if len(proved) == 2 and not any(p.vertical_counts for p in proved):
            quick = proved[0].move <= proved[1].move
            weak, strong = (allowed[n] for n in self.proofs[:, 0])
            self.nested = quick and all(a <= b for a, b in zip(weak, strong, strict=True))

    def _allowed(self, family: Family) -> list[bool]:
        """Whether a family takes a step or leap without damage: without water below, with it."""
        jump, _, no_fall = family
        far = self.sets.HEIGHTS
        return [
            rise <= jump and (-rise <= jump or wet or no_fall)
            for wet in (False, True)
            for rise in range(-far, far)
        ]

    def run(self, batch: Batch, *, turns: bool = True) -> Answers:
        """Playability of each board, and if asked the turns of every class from both sides."""
        answers, out, places, _ = self._answered(batch, turns, figures=False)
        joined, chests, islands, traps = (self._proofs(answers, k) for k in range(4))
        return Answers(
            answers[:, 0], answers[:, 1], joined, chests, islands, traps, answers[:, -1],
            out, places,
        )  # fmt: skip

    def measure(self, batch: Batch) -> Measured:
        """Playability and figures of each board, for a plain unit of the rules."""
        answers, _, _, figures = self._answered(batch, False, figures=True)
        _, _, islands, traps = (self._proofs(answers, k) for k in range(4))
        return Measured(answers[:, 0], answers[:, 1], islands, traps, answers[:, -1], figures)

    def _answered(self, batch: Batch, turns: bool, *, figures: bool) -> tuple[Any, ...]:
        """The loops' answers, turns, places and figures, those that are wanted."""
        import numpy as np

        from falldamage_forge.search.loops import gauges

        count, most = len(batch), self.sets.MOST
        answers = np.zeros((count, self.sets.COLUMNS), np.int64)
        told = count if turns else 0
        out = np.full((told, len(self.profiles), 2, most), self.sets.NEVER, np.int8)
        places = np.full((told, most, 2), -1, np.int16)
        measured = np.zeros((count if figures else 0, gauges.COLUMNS), np.int64)
        options = self.game.options
        slides = options.slide_cost == "counts"
        pushes = np.array([options.edge == "void", slides, self.heights[3]], np.int64)
        crossed, offsets = crossings_of(batch.rows, batch.cols, options.los_corner == "closed")
        self.loops.run(
            *self._boards(batch), *self._rules(), self.numbers, self.proofs, self.nested,
            sights_of(options), crossed, offsets, pushes, options.melee_down == "unlimited",
            answers, out, places, measured,
        )  # fmt: skip
        return answers, out, places, measured

    def _boards(self, batch: Batch) -> tuple[Any, ...]:
        return (
            batch.cols, batch.level, batch.ground, batch.feature, batch.decks, batch.ladders,
            batch.starts, batch.chests,
        )  # fmt: skip

    def _rules(self) -> tuple[Any, ...]:
        return (
            self.heights, self.rules, self.families, self.upright, self.allowed, self.pattern,
            self.members, self.patterns,
        )  # fmt: skip

    def _proofs(self, answers: Ints, k: int) -> Ints:
        """One figure of all proofs."""
        return answers[:, 2 + k : 2 + 4 * len(self.proofs) : 4]


def sights_of(options: Options) -> Any:
    """Scale, eye, thickness of slabs and strictness as whole numbers."""
    from math import lcm

    import numpy as np

    eye, thickness = options.los_eye_exact, options.deck_thickness_exact
    scale = lcm(eye.denominator, thickness.denominator)
    strict = options.los_own == "strict"
    return np.array([scale, int(eye * scale), int(thickness * scale), strict], np.int64)


@cache
def crossings_of(rows: int, cols: int, closed: bool) -> tuple[Any, Any]:
    """Tiles that lines cross, by offset: rows of (row, col, enter, leave) and where each begins.

    Offsets are numbered `down * (2 * cols - 1) + right + cols - 1`; the first row of each holds
    the number of parts its way is divided in.
    """
    import numpy as np

    from falldamage_forge.games.fall_damage.engine.crossings import crossings

    found: list[tuple[int, int, int, int]] = []
    begin = []
    for down in range(rows):
        for right in range(-cols + 1, cols):
            begin.append(len(found))
            parts, tiles = crossings(down, right, closed)
            found += [(parts, 0, 0, 0), *tiles]
    begin.append(len(found))
    return np.array(found, np.int64), np.array(begin, np.int64)


def readings(options: Options) -> list[int]:
    """The options that change moves, as the numbers the loops ask for."""
    return [
        int(options.water_cost == "enter"),
        int(options.bridge_cost == "inherit"),
        int(options.gap == "any_clear"),
        {"jump": 0, "none_up": 1, "level": 2}[options.leap_vertical],
        int(options.ladder_cost == "height"),
        int(options.beast_down == "free"),
        int(options.jump_scope == "turn"),
        int(options.fall_allowance == "per_turn"),
        int(options.leap_over == "empty"),
        int(options.headroom > 1),
    ]
