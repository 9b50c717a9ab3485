"""Columns to blocks at the least cost: exact covers found by an integer program (HiGHS).

Where there is no HiGHS our own search does it, see `frontier`.

Every use of a block that fits into the columns is a yes/no variable, every voxel is filled exactly
once. A block then stands on base or blocks everywhere, because what lies below it is filled too.
Boards are covered together when they share something: a kit built one map at a time, or parts that
are owned. Else each island of columns is solved alone, and equal islands only once.

The solver stops after a number of nodes, so that the same input gives the same answer on any
machine; the cap on its seconds is far above what the nodes take, and is told when it strikes. The
answer is never worse than the greedy one, and the bound says how far from the best it can be.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from falldamage_forge.board.grid import EAST, SOUTH
from falldamage_forge.pieces.decompose import greedy_cover
from falldamage_forge.pieces.frontier import fill
from falldamage_forge.pieces.islands import Form, islands, normal_form
from falldamage_forge.pieces.model import Piece, Placement
from falldamage_forge.pieces.program import Answer, Program, is_here, solve
from falldamage_forge.pieces.spots import Heights, Spots, check_cover, count_spots, find_spots

Costs = Mapping[str, float]
"""What one printed part of a piece costs, by key: grams, minutes, or 1 for counting parts."""
Blocks = tuple[Placement, ...]
Method = Literal["exact", "exact, stopped early", "greedy"]
STOPPED: Method = "exact, stopped early"

UNIT = 0.1
"""Costs count in tenths: estimates are no finer, and whole numbers can be proved least."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to search. Nodes decide; seconds are a safety net.

    `max_spots` is the largest program that is tried at all; beyond it the greedy cover stands.
    """

    nodes: int = 4000
    seconds: float = 60.0
    max_spots: int = 40_000


THOROUGH = Effort()
"""Where the answer matters more than a minute: owned parts, kits."""
QUICK = Effort(nodes=60, seconds=30.0, max_spots=5_000)
"""For builds: a tenth of a second on maps that people play, greedy where it would take long."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Blocks of each board, what they cost, and what no cover can go below.

    The cost is that of the parts to print, in tenths, and of every seam that a wish was against.
    `bound` is 0 when nothing is known. `greedy_cost` is the greedy cover's, for comparison.
    """

    boards: tuple[Blocks, ...]
    cost: float
    bound: float
    greedy_cost: float
    method: Method

    @property
    def gap(self) -> float:
        """How much of the cost might be saved at most, as a share of it; 0 when proved least."""
        return max(0.0, (self.cost - self.bound) / self.cost) if self.cost > 0 else 0.0

    @property
    def proved(self) -> bool:
        """Whether no cover is cheaper."""
        return self.method == "exact"


def to_print(
    boards: Iterable[Iterable[Placement]], owned: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Parts missing to build each of the boards, one at a time, by key, sorted."""
    most: Counter[str] = Counter()
    for blocks in boards:
        most |= Counter(block.piece.key for block in blocks)
    missing = most - Counter(owned or {})
    return dict(sorted(missing.items()))


def seams(heights: Heights, laid: Iterable[Placement]) -> int:
    """Seams between two columns that run on through the next level."""
    at = {
        (tile, level): number
        for number, placement in enumerate(laid)
        for tile in placement.tiles()
        for level in range(placement.level, placement.level + placement.piece.levels)
    }
    return sum(
        at[tile, level] != at[near, level] and at[tile, level + 1] != at[near, level + 1]
        for tile in heights
        for near in (tile.step((0, 1)), tile.step((1, 0)))
        for level in range(min(heights[tile], heights.get(near, 0)) - 1)
    )


@dataclass(frozen=True, slots=True)
class Task:
    """What to find: the boards, the blocks with their costs in units, what is owned, the wish."""

    boards: tuple[Heights, ...]
    blocks: tuple[Piece, ...]
    units: Mapping[str, int]
    owned: Mapping[str, int]
    bond: int

    def alone(self, heights: Heights) -> Task:
        """The same for one board."""
        return replace(self, boards=(heights,))

    def cost(self, laid: Sequence[Iterable[Placement]]) -> int:
        """Units of the parts to print and of running seams."""
        laid = [tuple(blocks) for blocks in laid]
        parts = to_print(laid, self.owned)
        total = sum(self.units[key] * count for key, count in parts.items())
        if self.bond:
            total += self.bond * sum(map(seams, self.boards, laid))
        return total

    def greedy(self) -> tuple[Blocks, ...]:
        """The quick answer."""
        return tuple(greedy_cover(heights, self.blocks, self.owned) for heights in self.boards)


def cover(
    boards: Iterable[Heights],
    blocks: Iterable[Piece],
    costs: Costs | None = None,
    owned: Mapping[str, int] | None = None,
    *,
    bond: float = 0.0,
    effort: Effort = THOROUGH,
) -> Cover:
    """The cheapest blocks from which each board can be built, one board at a time.

    `costs` are those of parts that must be printed (1 each if None); `owned` parts are free.
    `bond` is what a seam that runs through two levels costs more, in the costs' unit: a wish.
    Every answer is proved again voxel by voxel. ValueError when no blocks can fill the columns.
    """
    blocks = tuple(blocks)
    units = {b.key: round((costs[b.key] if costs else 1.0) / UNIT) for b in blocks}
    stock = {key: count for key, count in (owned or {}).items() if key in units and count > 0}
    task = Task(tuple(boards), blocks, units, stock, round(bond / UNIT))
    greedy = task.greedy()
    found = _search(task, effort)
    best = _judged(task, found, greedy)
    for heights, laid in zip(task.boards, best.boards, strict=True):
        check_cover(heights, laid)
    return best


@dataclass(frozen=True, slots=True)
class Found:
    """An answer in units."""

    laid: tuple[Blocks, ...]
    bound: int
    proved: bool


def _judged(task: Task, found: Found | None, greedy: tuple[Blocks, ...]) -> Cover:
    """The better of the search's answer and the greedy one, with its name and bound."""
    plain = task.cost(greedy)
    if found is None:
        return Cover(greedy, plain * UNIT, 0.0, plain * UNIT, "greedy")
    cost = task.cost(found.laid)
    if cost > plain:
        return Cover(greedy, plain * UNIT, found.bound * UNIT, plain * UNIT, "greedy")
    method: Method = "exact" if found.proved else STOPPED
    return Cover(found.laid, cost * UNIT, found.bound * UNIT, plain * UNIT, method)


def _search(task: Task, effort: Effort) -> Found | None:
    if len(task.boards) == 1 and not task.owned:
        return _by_islands(task, effort)
    return _together(task, effort)


def _by_islands(task: Task, effort: Effort) -> Found | None:
    """Each island of columns alone; islands that are turned copies share one answer."""
    known: dict[Form, Found | None] = {}
    laid: list[Placement] = []
    bound, proved = 0, True
    for island in islands(task.boards[0]):
        form, turn = normal_form(island)
        if form not in known:
            known[form] = _together(task.alone(dict(form)), effort)
        answer = known[form]
        if answer is None:
            # Too large to search: greedy's blocks stand here, and nothing is known of a bound.
            laid += greedy_cover(island, task.blocks, {})
            proved = False
        else:
            laid += map(turn.back, answer.laid[0])
            bound, proved = bound + answer.bound, proved and answer.proved
    if known and all(answer is None for answer in known.values()):
        return None
    return Found((tuple(laid),), bound, proved)


def _together(task: Task, effort: Effort) -> Found | None:
    """One program for all boards; None when it would be too large or finds nothing."""
    if sum(count_spots(heights, task.blocks) for heights in task.boards) > effort.max_spots:
        return None
    spots = [find_spots(heights, task.blocks) for heights in task.boards]
    if not any(each.laid for each in spots):
        return Found(tuple(() for _ in spots), 0, True)
    # Of equally dear covers the one with fewer blocks; all blocks together weigh less than a unit.
    most = sum(len(each.numbers) for each in spots)
    tie = 0.0 if len(spots) > 1 or task.owned else 1.0 / (most + 1)
    if not is_here():
        return _without_solver(task, spots)
    answer = solve(_program(task, spots, tie), effort.nodes, effort.seconds)
    if answer is None:
        return None
    laid = _chosen(spots, answer)
    cost = task.cost(laid)
    bound = cost if answer.proved else min(cost, math.ceil(answer.bound - tie * most - 1e-6))
    return Found(laid, max(bound, 0), answer.proved or bound >= cost)


def _without_solver(task: Task, spots: Sequence[Spots]) -> Found | None:
    """The same by our own search; it covers one board of which nothing is owned or wished."""
    if len(spots) > 1 or task.owned or task.bond:
        return None
    (each,) = spots
    scale = len(each.numbers) + 1  # of equally dear covers the one with fewer blocks, as above
    weights = [task.units[placement.piece.key] * scale + 1 for placement in each.laid]
    filled = fill(each, weights)
    if filled is None:
        return None
    laid = (tuple(each.laid[number] for number in filled.taken),)
    cost = task.cost(laid)
    bound = cost if filled.proved else math.ceil((filled.bound - scale) / scale - 1e-6)
    return Found(laid, max(bound, 0), filled.proved or bound >= cost)


def _chosen(spots: Sequence[Spots], answer: Answer) -> tuple[Blocks, ...]:
    """The spots taken; choices are the program's first variables, board by board."""
    laid: list[Blocks] = []
    start = 0
    for each in spots:
        chosen = answer.values[start : start + len(each.laid)]
        laid.append(tuple(p for p, yes in zip(each.laid, chosen, strict=True) if yes > 0.5))
        start += len(each.laid)
    return tuple(laid)


def _program(task: Task, spots: Sequence[Spots], tie: float) -> Program:
    """Variables: every spot of every board, then the missing parts of each piece, then wishes."""
    program = Program()
    shared = len(spots) > 1 or bool(task.owned)
    firsts = []
    for each in spots:
        firsts.append(program.variables)
        for placement in each.laid:
            program.choice(tie + (0 if shared else task.units[placement.piece.key]))
    missing = {key: program.amount(cost) for key, cost in task.units.items()} if shared else {}
    for first, each in zip(firsts, spots, strict=True):
        if shared:
            _count_missing(program, first, each, missing, task.owned)
        covering: list[list[int]] = [[] for _ in each.numbers]
        for number, voxels in enumerate(each.voxels, start=first):
            for voxel in voxels:
                covering[voxel].append(number)
        for users in covering:
            program.row(users, [1.0] * len(users), 1.0, 1.0)
        if task.bond:
            _wish_bond(program, each, covering, task.bond)
    return program


def _count_missing(
    program: Program,
    first: int,
    spots: Spots,
    missing: Mapping[str, int],
    owned: Mapping[str, int],
) -> None:
    """Missing parts of a piece are at least its uses on this board less those owned."""
    uses: dict[str, list[int]] = {}
    for number, placement in enumerate(spots.laid, start=first):
        uses.setdefault(placement.piece.key, []).append(number)
    for key, numbers in sorted(uses.items()):
        weights = [1.0] * len(numbers)
        program.row([missing[key], *numbers], [-1.0, *weights], None, float(owned.get(key, 0)))


def _wish_bond(
    program: Program, spots: Spots, covering: Sequence[Sequence[int]], bond: int
) -> None:
    """A wall holds when a seam between two columns does not run on through the next level."""
    for (tile, level), voxel in spots.numbers.items():
        for offset in (EAST, SOUTH):
            near = tile.step(offset)
            quad = [
                spots.numbers.get(place)
                for place in ((near, level), (tile, level + 1), (near, level + 1))
            ]
            beside, above, across = quad
            if beside is None or above is None or across is None:
                continue
            joining = set(covering[voxel]) & set(covering[beside])
            joining |= set(covering[above]) & set(covering[across])
            seam = program.amount(bond)
            numbers = [seam, *sorted(joining)]
            program.row(numbers, [1.0] * len(numbers), 1.0, None)
