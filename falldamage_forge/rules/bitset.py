"""Turns from many starts at once, with sets of (surface, start) pairs as bits of one whole number.

The semantics are those of `movement.least_turns`, without any library. Every surface has a block
with a bit for each start, and surfaces lie in the order of a grid, so that the same step from all
surfaces is one shift and one mask: a few hundred operations on whole numbers answer for a board.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from falldamage_forge.rules.movement import MoveGraph, least_turns

BYTE = 8


def bits(mask: int) -> Iterator[int]:
    """Numbers of the bits that are set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(numbers: Iterable[int]) -> int:
    """The set of some surface numbers."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


@dataclass(frozen=True, slots=True)
class Waves:
    """`layers[t]` are the pairs first joined in turn t; `places` the position of each surface."""

    places: tuple[int, ...]
    width: int
    layers: tuple[int, ...]

    def turns(self, start: int) -> dict[int, int]:
        """Least turns from a start to each surface that it reaches."""
        number_at = {place: number for number, place in enumerate(self.places)}
        column = _column(self.width, max(self.places, default=0) + 1) << start
        return {
            number_at[bit // self.width]: turn
            for turn, layer in enumerate(self.layers)
            for bit in bits(layer & column)
        }

    def sets(self, start: int) -> list[int]:
        """Sets of surfaces first reached from a start in turn 0, 1, 2, …"""
        found: list[int] = []
        for number, turn in self.turns(start).items():
            found += [0] * (turn + 1 - len(found))
            found[turn] |= 1 << number
        return found


Shifts = tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
"""By rising cost: pairs of a shift to the left (negative: right) and a mask of blocks to shift."""


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A move graph made ready for a number of starts; `barred` are blocks one may not stop on."""

    moves: MoveGraph
    places: tuple[int, ...]
    width: int
    shifts: Shifts
    barred: int

    def run(self, starts: Sequence[Iterable[int]]) -> Waves:
        """Turns from each start, a set of surface numbers, to every surface."""
        width, places = self.width, self.places
        first = sum(1 << places[at] * width + n for n, start in enumerate(starts) for at in start)
        layers = [first]
        done = fresh = first
        while fresh:
            here = _one_turn(fresh, done, self.shifts, self.moves.profile.move)
            fresh = here ^ (here & self.barred)
            done |= fresh
            layers.append(fresh)
        return Waves(places, width, tuple(layers[:-1]))


def relaxation(moves: MoveGraph, starts: int) -> Relaxation:
    """The moves without damage as shifts, for so many starts.

    Raises ValueError for a Jump that is a budget of the turn (`jump_scope`, `fall_allowance`).
    """
    if not _by_steps(moves):
        raise ValueError("a Jump that is a budget of the turn needs least_turns")
    places = _places(moves)
    width = _width(starts)
    barred = _blocks([places[at] for at in moves.occupancy.taken], width)
    return Relaxation(moves, places, width, _shifts(moves, places, width), barred)


def turn_waves(moves: MoveGraph, starts: Sequence[Iterable[int]]) -> Waves:
    """Turns from each of several starts, which are sets of surface numbers, to every surface."""
    if _by_steps(moves):
        return relaxation(moves, len(starts)).run(starts)
    places = _places(moves)
    return Waves(places, _width(len(starts)), _searched(moves, starts, places))


def all_turns(moves: MoveGraph) -> Waves:
    """Turns between all pairs of surfaces; start n is surface n."""
    return turn_waves(moves, [(number,) for number in range(len(moves.edges))])


def _by_steps(moves: MoveGraph) -> bool:
    return moves.options.jump_scope == "step" and moves.options.fall_allowance == "per_drop"


def _width(starts: int) -> int:
    return (starts + BYTE - 1) // BYTE * BYTE


def _one_turn(fresh: int, done: int, shifts: Shifts, move: int) -> int:
    """Pairs newly joined within one activation of those that were fresh at its start."""
    exact = [fresh]
    here = 0
    for spent in range(1, move + 1):
        found = 0
        for cost, ways in shifts:
            if cost > spent:
                break
            before = exact[spent - cost]
            if before:
                for shift, mask in ways:
                    moved = before & mask
                    if moved:
                        found |= moved << shift if shift > 0 else moved >> -shift
        found ^= found & (done | here)
        exact.append(found)
        here |= found
    return here


def _places(moves: MoveGraph) -> tuple[int, ...]:
    """A position for each surface: its tile's, on a grid for each of its tile's surfaces."""
    board = moves.graph.board
    above: dict[int, int] = defaultdict(int)
    places = []
    for tile, _ in moves.graph.surfaces:
        cell = tile.row * board.cols + tile.col
        places.append(above[cell] * board.rows * board.cols + cell)
        above[cell] += 1
    return tuple(places)


def _shifts(moves: MoveGraph, places: tuple[int, ...], width: int) -> Shifts:
    """The moves without damage, gathered by cost and by how far they lie apart."""
    gathered: dict[tuple[int, int], list[int]] = {}
    for place, edges in zip(places, moves.edges, strict=True):
        for to, cost, damage, *_ in edges:
            if not damage:
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
    """All bits of the blocks at some positions."""
    size = width // BYTE
    row = bytearray(size * (max(places, default=-1) + 1))
    full = b"\xff" * size
    for place in places:
        row[place * size : (place + 1) * size] = full
    return int.from_bytes(row, "little")


def _column(width: int, count: int) -> int:
    """The first bit of each of `count` blocks."""
    return int.from_bytes((1).to_bytes(width // BYTE, "little") * count, "little")


def _searched(
    moves: MoveGraph, starts: Sequence[Iterable[int]], places: tuple[int, ...]
) -> tuple[int, ...]:
    """Layers where every start is searched by itself."""
    width = _width(len(starts))
    layers: list[int] = []
    for number, start in enumerate(starts):
        for at, turn in least_turns(moves, tuple(start)).items():
            layers += [0] * (turn + 1 - len(layers))
            layers[turn] |= 1 << places[at] * width + number
    return tuple(layers)
