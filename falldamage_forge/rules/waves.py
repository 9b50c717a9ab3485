"""Turns from many starts at once, with sets of (surface, start) pairs as bits of one whole number.

The semantics are those of `earliest.least_moves` for models that are plain, without any library.
Every place has a block with a bit for each start, and places lie in the order of a grid, so that
the same step from all places is one shift and one mask: a few hundred operations on whole numbers
answer for a board. Models that are not plain are searched, each start by itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from falldamage_forge.rules.earliest import least_moves
from falldamage_forge.rules.model import Model
from falldamage_forge.values import dataclass

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
    """`layers[t]` are the pairs first joined in move t; `places` the position of each surface."""

    places: tuple[int, ...]
    width: int
    layers: tuple[int, ...]

    def moves(self, start: int) -> dict[int, int]:
        """Least moves from a start to each surface that it reaches."""
        number_at = {place: number for number, place in enumerate(self.places)}
        column = _column(self.width, max(self.places, default=0) + 1) << start
        return {
            number_at[bit // self.width]: turn
            for turn, layer in enumerate(self.layers)
            for bit in bits(layer & column)
        }

    def sets(self, start: int) -> list[int]:
        """Sets of surfaces first reached from a start in move 0, 1, 2, …"""
        found: list[int] = []
        for number, turn in self.moves(start).items():
            found += [0] * (turn + 1 - len(found))
            found[turn] |= 1 << number
        return found


Shifts = tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
"""By rising cost: pairs of a shift to the left (negative: right) and a mask of blocks to shift."""


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A plain model made ready for a number of starts; `barred` are blocks one may not stop on."""

    move: int
    places: tuple[int, ...]
    width: int
    shifts: Shifts
    barred: int

    def run(self, starts: Sequence[Iterable[int]]) -> Waves:
        """Moves from each start, a set of place numbers, to every place."""
        width, places = self.width, self.places
        first = sum(1 << places[at] * width + n for n, start in enumerate(starts) for at in start)
        layers = [first]
        done = fresh = first
        while fresh:
            here = _one_move(fresh, done, self.shifts, self.move)
            fresh = here ^ (here & self.barred)
            done |= fresh
            layers.append(fresh)
        return Waves(places, width, tuple(layers[:-1]))


def relaxation(model: Model, starts: int) -> Relaxation:
    """The harmless moves as shifts, for so many starts. Raises ValueError unless it is plain."""
    if not model.plain:
        raise ValueError(f"{model.unit}'s moves need a search")
    places = _grid(model)
    width = _width(starts)
    barred = _blocks([places[at] for at in model.no_stop], width)
    return Relaxation(model.move, places, width, _shifts(model, places, width), barred)


def move_waves(model: Model, starts: Sequence[Iterable[int]]) -> Waves:
    """Least moves from each of several starts, which are sets of places, to every place."""
    if model.plain:
        return relaxation(model, len(starts)).run(starts)
    places = _grid(model)
    return Waves(places, _width(len(starts)), _searched(model, starts, places))


def all_moves(model: Model) -> Waves:
    """Moves between all pairs of places; start n is place n."""
    return move_waves(model, [(number,) for number in range(len(model.edges))])


def _width(starts: int) -> int:
    return (starts + BYTE - 1) // BYTE * BYTE


def _one_move(fresh: int, done: int, shifts: Shifts, move: int) -> int:
    """Pairs newly joined within one move of those that were fresh at its start."""
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


def _grid(model: Model) -> tuple[int, ...]:
    """A position for each place: its tile's, on a grid for each of its tile's places."""
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


def _shifts(model: Model, places: tuple[int, ...], width: int) -> Shifts:
    """The harmless moves, gathered by cost and by how far they lie apart."""
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
    model: Model, starts: Sequence[Iterable[int]], places: tuple[int, ...]
) -> tuple[int, ...]:
    """Layers where every start is searched by itself."""
    width = _width(len(starts))
    layers: list[int] = []
    for number, start in enumerate(starts):
        for at, moves in least_moves(model, start).items():
            layers += [0] * (moves + 1 - len(layers))
            layers[moves] |= 1 << places[at] * width + number
    return tuple(layers)
