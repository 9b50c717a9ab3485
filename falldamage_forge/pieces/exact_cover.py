"""Exact cover of columns by blocks at the least cost: an integer program, solved by HiGHS.

Each candidate is a binary variable; each voxel is filled exactly once. A block then rests on the
base or on blocks, because all voxels below it are filled too. Boards share one program if they
share parts (a kit built one map at a time, or owned parts). Otherwise each component of columns is
solved alone, and equal components only once.

The solver stops after a number of nodes, so that the same input gives the same answer on any
machine. The limit in seconds is far above that and is reported if it is reached. The cover never
costs more than the greedy one; its lower bound says how far from optimal it can be. Without HiGHS
`beam_cover` answers; it counts no parts, so that owned ones get prices from search to search.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from falldamage_forge.board.coordinates import EAST, SOUTH
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.pieces.beam_cover import beam_search_cover
from falldamage_forge.pieces.block_candidates import (
    BlockCandidates,
    Heights,
    check_cover,
    count_spots,
    find_spots,
)
from falldamage_forge.pieces.column_components import Form, islands, normal_form
from falldamage_forge.pieces.greedy_cover import greedy_cover
from falldamage_forge.pieces.integer_program import IntegerProgram, Solution, is_here, solve
from falldamage_forge.pieces.piece import Piece, Placement

Costs = Mapping[str, float]
"""Cost of one printed part by key: grams, minutes, or 1 to count parts."""
Blocks = tuple[Placement, ...]
Method = Literal["exact", "exact, stopped early", "greedy"]
STOPPED: Method = "exact, stopped early"

UNIT = 0.1
"""Costs are rounded to tenths: estimates are no finer, and integers can be proved optimal."""


@dataclass(frozen=True, slots=True)
class SolverEffort:
    """Limits of a search: `nodes` of the solver decide, `seconds` are a safety net.

    The greedy cover is used if a program has more than `max_spots` candidates.
    """

    nodes: int = 4000
    seconds: float = 60.0
    max_spots: int = 40_000


THOROUGH = SolverEffort()
"""Default where owned parts or kits make a better answer worth a minute."""
QUICK = SolverEffort(nodes=60, seconds=30.0, max_spots=5_000)
"""Default of builds: about 0.1 s on typical maps; greedy on maps that would take long."""


MOST_SEARCHES, NODES_A_SEARCH = 12, 20
"""Searches for owned parts without HiGHS: greatest number, and nodes of an effort for each."""
PRICE_STEP = 0.5
"""First change of a price, as a share of the part's cost; later ones shrink."""


@dataclass(frozen=True, slots=True)
class BlockCover:
    """Blocks of each board, their cost, and a lower bound on the cost of any cover.

    `cost` sums the parts to print and every seam that a bond penalty applies to, in the unit of the
    costs. `bound` is 0 if unknown. `greedy_cost` is the cost of the greedy cover, for comparison.
    """

    boards: tuple[Blocks, ...]
    cost: float
    bound: float
    greedy_cost: float
    method: Method

    @property
    def gap(self) -> float:
        """Largest possible saving as a share of the cost; 0 if the cover is optimal."""
        return max(0.0, (self.cost - self.bound) / self.cost) if self.cost > 0 else 0.0

    @property
    def proved(self) -> bool:
        """True if no cover is cheaper."""
        return self.method == "exact"


def missing_parts(
    boards: Iterable[Iterable[Placement]], owned: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Return the parts that are missing to build each board, one board at a time.

    Args:
        boards: Blocks of each board.
        owned: Parts at hand by key; None for none.

    Returns:
        Counts above 0 by key, sorted.
    """
    most: Counter[str] = Counter()
    for blocks in boards:
        most |= Counter(block.piece.key for block in blocks)
    missing = most - Counter(owned or {})
    return dict(sorted(missing.items()))


def seams(heights: Heights, laid: Iterable[Placement]) -> int:
    """Return the number of seams between two columns that continue through the next level.

    Args:
        heights: Levels by tile.
        laid: Blocks at their places.
    """
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
class CoverProblem:
    """A cover to find.

    `units` is the cost of each block by key in `UNIT`s, `owned` counts parts at hand, `bond` is the
    penalty in `UNIT`s of a seam through two levels.
    """

    boards: tuple[Heights, ...]
    blocks: tuple[Piece, ...]
    units: Mapping[str, int]
    owned: Mapping[str, int]
    bond: int

    def single_board(self, heights: Heights) -> CoverProblem:
        """Return the problem of one board."""
        return replace(self, boards=(heights,))

    def cost(self, laid: Sequence[Iterable[Placement]]) -> int:
        """Return the cost in `UNIT`s of the parts to print and of continuing seams."""
        laid = [tuple(blocks) for blocks in laid]
        parts = missing_parts(laid, self.owned)
        total = sum(self.units[key] * count for key, count in parts.items())
        if self.bond:
            total += self.bond * sum(map(seams, self.boards, laid))
        return total

    def greedy(self) -> tuple[Blocks, ...]:
        """Return the greedy cover of each board."""
        return tuple(greedy_cover(heights, self.blocks, self.owned) for heights in self.boards)


def solve_cover(
    boards: Iterable[Heights],
    blocks: Iterable[Piece],
    costs: Costs | None = None,
    owned: Mapping[str, int] | None = None,
    *,
    bond: float = 0.0,
    effort: SolverEffort = THOROUGH,
) -> BlockCover:
    """Return the cheapest blocks from which each board can be built, one board at a time.

    Every answer is checked voxel by voxel.

    Args:
        boards: Levels to fill by tile, for each board.
        blocks: Pieces to use.
        costs: Cost of a printed part by key; None counts each part as 1.
        owned: Parts at hand by key; they cost nothing.
        bond: Extra cost of a seam that continues through two levels, in the unit of `costs`.
        effort: Limits of the search.

    Raises:
        ValueError: If no blocks can fill the columns.
    """
    blocks = tuple(blocks)
    units = {b.key: round((costs[b.key] if costs else 1.0) / UNIT) for b in blocks}
    stock = {key: count for key, count in (owned or {}).items() if key in units and count > 0}
    task = CoverProblem(tuple(boards), blocks, units, stock, round(bond / UNIT))
    greedy = task.greedy()
    candidate = _search(task, effort)
    best = _judged(task, candidate, greedy)
    for heights, laid in zip(task.boards, best.boards, strict=True):
        check_cover(heights, laid)
    return best


@dataclass(frozen=True, slots=True)
class CoverCandidate:
    """A cover found by a search; `bound` is a lower bound in `UNIT`s."""

    laid: tuple[Blocks, ...]
    bound: int
    proved: bool


def _judged(
    task: CoverProblem, found: CoverCandidate | None, greedy: tuple[Blocks, ...]
) -> BlockCover:
    """Return the better of the search's cover and the greedy one, with its method and bound."""
    plain = task.cost(greedy)
    if found is None:
        return BlockCover(greedy, plain * UNIT, 0.0, plain * UNIT, "greedy")
    cost = task.cost(found.laid)
    if cost > plain:
        return BlockCover(greedy, plain * UNIT, found.bound * UNIT, plain * UNIT, "greedy")
    method: Method = "exact" if found.proved else STOPPED
    return BlockCover(found.laid, cost * UNIT, found.bound * UNIT, plain * UNIT, method)


def _search(task: CoverProblem, effort: SolverEffort) -> CoverCandidate | None:
    if len(task.boards) == 1 and not task.owned:
        return _by_islands(task, effort)
    if len(task.boards) == 1 and not task.bond and not is_here():
        return _by_prices(task, effort)
    return _together(task, effort)


def _by_prices(task: CoverProblem, effort: SolverEffort) -> CoverCandidate | None:
    """Solve one board with owned parts by searches that count none, the first at plain costs.

    A part gets dearer while more are used than owned, and cheaper while fewer are: subgradient
    steps of the Lagrangian dual, whose limits are the part's cost and 0.
    """
    prices = dict(task.units)
    found: list[tuple[Blocks, ...]] = []
    for step in range(1, 1 + max(1, min(MOST_SEARCHES, effort.nodes // NODES_A_SEARCH))):
        priced = _by_islands(replace(task, units=prices, owned={}), effort)
        if priced is None:
            return None
        found.append(priced.laid)
        if task.cost(priced.laid) == 0:
            break
        used = Counter(block.piece.key for block in priced.laid[0])
        for key, count in task.owned.items():
            most = task.units[key]
            lean = (used[key] - count) / max(used[key], count)
            price = prices[key] + PRICE_STEP * most * lean / math.sqrt(step)
            prices[key] = round(min(max(price, 0), most))
    laid = min(found, key=task.cost)
    return CoverCandidate(laid, 0, task.cost(laid) == 0)


def _by_islands(task: CoverProblem, effort: SolverEffort) -> CoverCandidate | None:
    """Solve each component of columns alone; components that are turned copies share one answer."""
    known: dict[Form, CoverCandidate | None] = {}
    laid: list[Placement] = []
    bound, proved = 0, True
    for island in islands(task.boards[0]):
        form, turn = normal_form(island)
        if form not in known:
            known[form] = _together(task.single_board(dict(form)), effort)
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
    return CoverCandidate((tuple(laid),), bound, proved)


def _together(task: CoverProblem, effort: SolverEffort) -> CoverCandidate | None:
    """Solve one program for all boards; None if it would be too large or finds nothing."""
    if sum(count_spots(heights, task.blocks) for heights in task.boards) > effort.max_spots:
        return None
    spots = [find_spots(heights, task.blocks) for heights in task.boards]
    if not any(each.laid for each in spots):
        return CoverCandidate(tuple(() for _ in spots), 0, True)
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
    return CoverCandidate(laid, max(bound, 0), answer.proved or bound >= cost)


def _without_solver(task: CoverProblem, spots: Sequence[BlockCandidates]) -> CoverCandidate | None:
    """Solve by beam search; it covers one board without owned parts or a bond penalty."""
    if len(spots) > 1 or task.owned or task.bond:
        return None
    (each,) = spots
    scale = len(each.numbers) + 1  # of equally dear covers the one with fewer blocks, as above
    weights = [task.units[placement.piece.key] * scale + 1 for placement in each.laid]
    filled = beam_search_cover(each, weights)
    if filled is None:
        return None
    laid = (tuple(each.laid[number] for number in filled.taken),)
    cost = task.cost(laid)
    bound = cost if filled.proved else math.ceil((filled.bound - scale) / scale - 1e-6)
    return CoverCandidate(laid, max(bound, 0), filled.proved or bound >= cost)


def _chosen(spots: Sequence[BlockCandidates], answer: Solution) -> tuple[Blocks, ...]:
    """Return the candidates taken; they are the program's first variables, board by board."""
    laid: list[Blocks] = []
    start = 0
    for each in spots:
        chosen = answer.values[start : start + len(each.laid)]
        laid.append(tuple(p for p, yes in zip(each.laid, chosen, strict=True) if yes > 0.5))
        start += len(each.laid)
    return tuple(laid)


def _program(task: CoverProblem, spots: Sequence[BlockCandidates], tie: float) -> IntegerProgram:
    """Return the program: candidates of every board, then missing parts by piece, then seams."""
    program = IntegerProgram()
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
    program: IntegerProgram,
    first: int,
    spots: BlockCandidates,
    missing: Mapping[str, int],
    owned: Mapping[str, int],
) -> None:
    """Constrain the missing parts of a piece to its uses on this board less those owned."""
    uses: dict[str, list[int]] = {}
    for number, placement in enumerate(spots.laid, start=first):
        uses.setdefault(placement.piece.key, []).append(number)
    for key, numbers in sorted(uses.items()):
        weights = [1.0] * len(numbers)
        program.row([missing[key], *numbers], [-1.0, *weights], None, float(owned.get(key, 0)))


def _wish_bond(
    program: IntegerProgram, spots: BlockCandidates, covering: Sequence[Sequence[int]], bond: int
) -> None:
    """Penalise each seam between two columns that continues through the next level."""
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
