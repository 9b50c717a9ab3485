"""Multi-source breadth-first search over bit sets of (node, start) pairs.

Each node has a block with one bit for each start, and blocks lie in the order of a grid. The same
step from all nodes is therefore one shift and one mask of a big integer, and some hundred integer
operations answer for a whole board. The result equals `earliest_arrival.least_moves`. Movement
graphs that are not plain (`MovementGraph.is_plain`) are searched from each start separately.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.rules.earliest_arrival import least_moves
from falldamage_forge.rules.movement_graph import MovementGraph

BYTE = 8
"""Bits of a byte; the width of a block is a multiple of it."""


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the set bits, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(numbers: Iterable[int]) -> int:
    """Return the bit set of some numbers."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


@dataclass(frozen=True, slots=True)
class BfsLayers:
    """Result of a search.

    Attributes:
        places: Position of each node's block.
        width: Bits of a block.
        layers: `layers[t]` is the bit set of the pairs first joined in move t.
    """

    places: tuple[int, ...]
    width: int
    layers: tuple[int, ...]

    def moves(self, start: int) -> dict[int, int]:
        """Return the least moves from start number `start` to each node that it reaches."""
        number_at = {place: number for number, place in enumerate(self.places)}
        column = _column(self.width, max(self.places, default=0) + 1) << start
        return {
            number_at[bit // self.width]: turn
            for turn, layer in enumerate(self.layers)
            for bit in bits(layer & column)
        }

    def sets(self, start: int) -> list[int]:
        """Return by move (0, 1, 2, …) the bit set of nodes first reached from a start."""
        layers: list[int] = []
        for number, turn in self.moves(start).items():
            layers += [0] * (turn + 1 - len(layers))
            layers[turn] |= 1 << number
        return layers


Shifts = tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
"""By ascending cost: pairs of a left shift (negative: right) and the mask of blocks to shift."""


@dataclass(frozen=True, slots=True)
class BitsetGraph:
    """A plain movement graph as shifts, for a fixed number of starts.

    Attributes:
        move: Budget of a move.
        places: Position of each node's block.
        width: Bits of a block.
        shifts: Edges as shifts, by cost.
        barred: Blocks of nodes on which a move may not end.
    """

    move: int
    places: tuple[int, ...]
    width: int
    shifts: Shifts
    barred: int

    def run(self, starts: Sequence[Iterable[int]]) -> BfsLayers:
        """Return the moves from each start, a set of node numbers, to every node."""
        width, places = self.width, self.places
        first = sum(1 << places[at] * width + n for n, start in enumerate(starts) for at in start)
        layers = [first]
        done = fresh = first
        while fresh:
            here = _one_move(fresh, done, self.shifts, self.move)
            fresh = here ^ (here & self.barred)
            done |= fresh
            layers.append(fresh)
        return BfsLayers(places, width, tuple(layers[:-1]))


def to_bitset_graph(model: MovementGraph, starts: int) -> BitsetGraph:
    """Return the edges without damage as shifts.

    Args:
        model: A plain movement graph.
        starts: Number of starts.

    Raises:
        ValueError: If the movement graph is not plain.
    """
    if not model.is_plain:
        raise ValueError(f"{model.unit}'s moves need a search")
    places = _grid(model)
    width = _width(starts)
    barred = _blocks([places[at] for at in model.no_stop], width)
    return BitsetGraph(model.move, places, width, _shifts(model, places, width), barred)


def multi_source_bfs(model: MovementGraph, starts: Sequence[Iterable[int]]) -> BfsLayers:
    """Return the least moves from each of several starts to every node.

    Args:
        model: Any movement graph.
        starts: One set of start nodes for each start.
    """
    if model.is_plain:
        return to_bitset_graph(model, len(starts)).run(starts)
    places = _grid(model)
    return BfsLayers(places, _width(len(starts)), _searched(model, starts, places))


def all_pairs_moves(model: MovementGraph) -> BfsLayers:
    """Return the moves between all pairs of nodes; start n is node n."""
    return multi_source_bfs(model, [(number,) for number in range(len(model.edges))])


def _width(starts: int) -> int:
    return (starts + BYTE - 1) // BYTE * BYTE


def _one_move(fresh: int, done: int, shifts: Shifts, move: int) -> int:
    """Return the pairs newly joined within one move from the pairs `fresh` at its start."""
    exact = [fresh]
    here = 0
    for spent in range(1, move + 1):
        joined = 0
        for cost, ways in shifts:
            if cost > spent:
                break
            before = exact[spent - cost]
            if before:
                for shift, mask in ways:
                    moved = before & mask
                    if moved:
                        joined |= moved << shift if shift > 0 else moved >> -shift
        joined ^= joined & (done | here)
        exact.append(joined)
        here |= joined
    return here


def _grid(model: MovementGraph) -> tuple[int, ...]:
    """Return a block position for each node: its tile's, on one grid for each node of a tile."""
    tiles = [place.anchor.tile for place in model.places]
    rows = max((tile.row for tile in tiles), default=0) + 1
    cols = max((tile.col for tile in tiles), default=0) + 1
    above: dict[int, int] = defaultdict(int)
    places = []
    for tile in tiles:
        cell = tile.row * cols + tile.col
        places.append(above[cell] * rows * cols + cell)
        above[cell] += 1
    return tuple(places)


def _shifts(model: MovementGraph, places: tuple[int, ...], width: int) -> Shifts:
    """Return the edges without damage, grouped by cost and distance of their blocks."""
    gathered: dict[tuple[int, int], list[int]] = {}
    for place, edges in zip(places, model.edges, strict=True):
        for to, _, cost, harm, *_ in edges:
            if not harm and cost <= model.move:
                way = (cost, places[to] - place)
                if way in gathered:
                    gathered[way].append(place)
                else:
                    gathered[way] = [place]
    by_cost: dict[int, list[tuple[int, int]]] = {}
    for (cost, delta), at in sorted(gathered.items()):
        by_cost.setdefault(cost, []).append((delta * width, _blocks(at, width)))
    return tuple((cost, tuple(ways)) for cost, ways in by_cost.items())


def _blocks(places: Sequence[int], width: int) -> int:
    """Return all bits of the blocks at some positions."""
    size = width // BYTE
    row = bytearray(size * (max(places, default=-1) + 1))
    full = b"\xff" * size
    for place in places:
        row[place * size : (place + 1) * size] = full
    return int.from_bytes(row, "little")


def _column(width: int, count: int) -> int:
    """Return the first bit of each of `count` blocks."""
    return int.from_bytes((1).to_bytes(width // BYTE, "little") * count, "little")


def _searched(
    model: MovementGraph, starts: Sequence[Iterable[int]], places: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the layers of a search from each start separately."""
    width = _width(len(starts))
    layers: list[int] = []
    for number, start in enumerate(starts):
        for at, moves in least_moves(model, start).items():
            layers += [0] * (moves + 1 - len(layers))
            layers[moves] |= 1 << places[at] * width + number
    return tuple(layers)
