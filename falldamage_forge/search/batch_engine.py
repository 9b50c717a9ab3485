"""Batch engine: metrics of thousands of boards per second, equal to the single-map engine's.

Boards of one size are packed into integer arrays; numba compiles the kernels at the first call and
caches them on disk. `fits_arrays` is true for boards that the arrays can hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import lcm
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import Board, Feature, Ground
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.ruleset import FallDamage
from falldamage_forge.games.fall_damage.unit_cards import MovementProfile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.optional_libraries import missing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.signedinteger[Any]]

MAX_LADDERS, MAX_CHESTS, MAX_STARTS, MAX_DECKS = 12, 8, 8, 4
MAX_MOVE = 5
GROUNDS = {Ground.GROUND: 0, Ground.WATER: 1, Ground.LAVA: 2}
FEATURES = {None: 0, Feature.TREE: 1, Feature.SPIRE: 2}


@dataclass(frozen=True)
class BoardBatch:
    """Boards of one size as arrays. Tiles are numbered row by row; missing entries are -1.

    Attributes:
        level: Shape (n, tiles), int8; `ground` and `feature` likewise.
        decks: Levels of decks, ascending, shape (n, tiles, 4).
        ladders: Foot, its level, top, its level; shape (n, 12, 4).
        starts: Tile and level of start surfaces by side; shape (n, 2, 8, 2).
        chests: Tile and level; shape (n, 8, 2).
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
class BatchProofs:
    """Playability of a batch: one row per board; a second axis of 2 is by proof Jump.

    Attributes:
        surfaces: Number of surfaces; -1 if the board is too large.
        playable: 1 if sides and all chests are connected for every proof Jump.
        joined: 1 if the sides are connected.
        chests: 1 if all chests are reachable.
        islands: Number of unreachable surfaces.
        traps: Number of surfaces without a way back.
        cut_off: Bit mask of the classes without a path between the starts.
        turns: Fewest activations from a side's start, 127 for never; shape (n, classes, 2, 128), or
            empty.
        places: Tile and level of each surface; shape (n, 128, 2), or empty.
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
class BatchMetrics:
    """Metrics of a batch, one row per board.

    `figures` has the columns of `metric_kernels.board_metrics`; sides are in the order of their
    names, a contact of -1 means never. The other arrays are those of `BatchProofs`.
    """

    surfaces: Ints
    playable: Ints
    islands: Ints
    traps: Ints
    cut_off: Ints
    figures: Ints


def load_kernels() -> tuple[Any, Any]:
    """Return the compiled kernels and their constants.

    Raises:
        ForgeError (FDF503): If numba is missing.
    """
    try:
        from falldamage_forge.search.kernels import batch_kernel, bitsets
    except ImportError:
        raise missing("search", "searching for maps") from None
    return batch_kernel, bitsets


def fits_arrays(board: Board) -> bool:
    """True if a board's ladders, chests, starts and decks fit into the arrays."""
    return (
        len(board.ladders) <= MAX_LADDERS
        and len(board.treasures) <= MAX_CHESTS
        and len(board.starts) <= 2
        and all(len(zone.surfaces) <= MAX_STARTS for zone in board.starts)
        and all(len(levels) <= MAX_DECKS for levels in board.deck_levels.values())
    )


def pack(boards: Sequence[Board]) -> BoardBatch:
    """Return boards as arrays.

    Args:
        boards: Boards of one size.

    Raises:
        ValueError: If sizes differ or a board does not fit.
    """
    import numpy as np

    rows, cols = (boards[0].rows, boards[0].cols) if boards else (10, 10)
    count = len(boards)
    size = (count, rows * cols)
    batch = BoardBatch(
        rows,
        cols,
        np.zeros(size, np.int8),
        np.zeros(size, np.int8),
        np.zeros(size, np.int8),
        np.full((*size, MAX_DECKS), -1, np.int8),
        np.full((count, MAX_LADDERS, 4), -1, np.int16),
        np.full((count, 2, MAX_STARTS, 2), -1, np.int16),
        np.full((count, MAX_CHESTS, 2), -1, np.int16),
    )
    for n, board in enumerate(boards):
        if (board.rows, board.cols) != (rows, cols) or not fits_arrays(board):
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


Family = tuple[int, bool, bool]
"""Jump in levels; true if levels cost Move; true if falls do no damage."""


def movement_family(profile: MovementProfile) -> Family:
    """Return the step rules of a profile: everything but its Move."""
    return profile.jump, profile.vertical_counts, profile.no_fall


class BatchEngine:
    """Batch evaluation for a game and a number of profiles, under all options."""

    def __init__(self, game: FallDamage, profiles: Iterable[MovementProfile]) -> None:
        """Prepare the tables of the kernels.

        Raises:
            ValueError: If a profile's Move exceeds `MAX_MOVE`, or the rules have more than two
                proof units.
        """
        import numpy as np

        self.loops, self.sets = load_kernels()
        self.game = game
        self.profiles = tuple(profiles)
        proved = [game.profile(unit) for unit in game.proof_units]
        if any(p.move > MAX_MOVE for p in (*self.profiles, *proved)):
            raise ValueError(f"the batch engine supports a Move of at most {MAX_MOVE}")
        if len(proved) > 2:
            raise ValueError("the batch engine supports at most two proof units")
        families = list(dict.fromkeys(map(movement_family, (*proved, *self.profiles))))
        self.readings = self.sets.OptionFlags(*option_numbers(game.options))
        allowed = [self._allowed(family) for family in families]
        plain = [n for n, (_, vertical, _) in enumerate(families) if not vertical]
        takers = [tuple(n for n in plain if allowed[n][key]) for key in range(len(allowed[0]))]
        patterns = [each for each in dict.fromkeys(takers) if each]
        upright = [n for n in range(len(families)) if n not in plain]
        numbers = range(len(families))
        proofs = [(families.index(movement_family(p)), p.move) for p in proved]
        nested = False
        if len(proved) == 2 and not any(p.vertical_counts for p in proved):
            quick = proved[0].move <= proved[1].move
            weak, strong = (allowed[n] for n, _ in proofs)
            nested = quick and all(a <= b for a, b in zip(weak, strong, strict=True))

        def table(rows: Sequence[Any], *width: int) -> Ints:
            return np.array(rows, np.int64).reshape(-1, *width)

        self.units = self.sets.UnitTables(
            table(families, 3),
            table(upright),
            np.array(allowed, np.bool_),
            table([patterns.index(t) if t else -1 for t in takers]),
            table([sum(1 << p for p, t in enumerate(patterns) if n in t) for n in numbers]),
            max(len(patterns), 1),
            table([(families.index(movement_family(p)), p.move) for p in self.profiles], 2),
            table(proofs, 2),
            nested,
        )

    def _allowed(self, family: Family) -> list[bool]:
        """Return the links that a family takes without damage, by water below and by rise."""
        jump, _, no_fall = family
        far = self.sets.HEIGHTS
        return [
            rise <= jump and (-rise <= jump or wet or no_fall)
            for wet in (False, True)
            for rise in range(-far, far)
        ]

    def run(self, batch: BoardBatch, *, turns: bool = True) -> BatchProofs:
        """Return the playability of each board.

        Args:
            batch: The boards.
            turns: True to compute the turns of every class from both sides.
        """
        answers, out, places, _ = self._answered(batch, turns, figures=False)
        joined, chests, islands, traps = (self._proofs(answers, k) for k in range(4))
        return BatchProofs(
            answers[:, 0], answers[:, 1], joined, chests, islands, traps, answers[:, -1],
            out, places,
        )  # fmt: skip

    def measure(self, batch: BoardBatch) -> BatchMetrics:
        """Return the playability and the metrics of each board, for a plain unit of the rules."""
        answers, _, _, figures = self._answered(batch, False, figures=True)
        _, _, islands, traps = (self._proofs(answers, k) for k in range(4))
        return BatchMetrics(answers[:, 0], answers[:, 1], islands, traps, answers[:, -1], figures)

    def _answered(self, batch: BoardBatch, turns: bool, *, figures: bool) -> tuple[Any, ...]:
        """Return the kernels' answers, turns, places and metrics."""
        import numpy as np

        from falldamage_forge.search.kernels import metric_kernels

        count, most = len(batch), self.sets.MOST
        answers = np.zeros((count, self.sets.COLUMNS), np.int64)
        rows = count if turns else 0
        out = np.full((rows, len(self.profiles), 2, most), self.sets.NEVER, np.int8)
        places = np.full((rows, most, 2), -1, np.int16)
        measured = np.zeros((count if figures else 0, metric_kernels.COLUMNS), np.int64)
        boards = self.sets.BoardArrays(
            batch.cols, batch.level, batch.ground, batch.feature, batch.decks, batch.ladders,
            batch.starts, batch.chests,
        )  # fmt: skip
        options = self.game.options
        crossed, offsets = crossings_of(batch.rows, batch.cols, options.los_corner == "closed")
        sights = self.sets.SightTables(*sight_parameters(options), crossed, offsets)
        self.loops.evaluate_batch(
            boards, self.readings, self.units, sights, answers, out, places, measured
        )
        return answers, out, places, measured

    def _proofs(self, answers: Ints, k: int) -> Ints:
        """Return one value of all proofs."""
        return answers[:, 2 + k : 2 + 4 * len(self.units.proofs) : 4]


def sight_parameters(options: FallDamageOptions) -> tuple[int, int, int, bool]:
    """Return scale, eye height and deck thickness as integers, and true for option `strict`."""
    eye, thickness = options.los_eye_exact, options.deck_thickness_exact
    scale = lcm(eye.denominator, thickness.denominator)
    return scale, int(eye * scale), int(thickness * scale), options.los_own == "strict"


@cache
def crossings_of(rows: int, cols: int, closed: bool) -> tuple[Any, Any]:
    """Return the tiles that lines cross as rows (row, col, enter, leave), and each line's index.

    Lines are numbered `down * (2 * cols - 1) + right + cols - 1`; the first row of each holds the
    number of parts into which the line is divided.
    """
    import numpy as np

    from falldamage_forge.games.fall_damage.engine.line_of_sight import crossed_offsets

    found: list[tuple[int, int, int, int]] = []
    begin = []
    for down in range(rows):
        for right in range(-cols + 1, cols):
            begin.append(len(found))
            parts, tiles = crossed_offsets(down, right, closed)
            found += [(parts, 0, 0, 0), *tiles]
    begin.append(len(found))
    return np.array(found, np.int64), np.array(begin, np.int64)


def option_numbers(options: FallDamageOptions) -> tuple[int, ...]:
    """Return the options of moves and pushes, in the order of `bitsets.OptionFlags`."""
    return (
        options.headroom,
        options.tree_height,
        options.spire_height,
        int(options.headroom > 1),
        {"jump": 0, "none_up": 1, "level": 2}[options.leap_vertical],
        options.water_cost == "enter",
        options.bridge_cost == "inherit",
        options.gap == "any_clear",
        options.ladder_cost == "height",
        options.beast_down == "free",
        options.jump_scope == "turn",
        options.fall_allowance == "per_turn",
        options.leap_over == "empty",
        options.edge == "void",
        options.slide_cost == "counts",
        options.melee_down == "unlimited",
    )
