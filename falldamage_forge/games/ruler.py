"""Walking by the ruler: straight lines at any angle between places, as corridors of a round base.

All lengths are whole micrometres (um), so that tiles, inches, feet and half bases are exact. A way
bends only where a base may stand (see `spots.py`); a line's length is rounded up to the next
micrometre.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cache
from math import gcd, isqrt
from typing import Annotated

from falldamage_forge.board import Tile

Um = Annotated[int, "um"]
"""A length in micrometres, where a question is asked about one."""
Way = Annotated[tuple[int, int], "way"]
"""An offset that is asked for as a direction."""
TILE_UM = 30_000
"""A tile, and a level, of a table that says nothing else."""
INCH_UM = 25_400


def check_sizes(tile_mm: float, rise_mm: float = 30) -> None:
    """ValueError where a tile or a level has no size that a table has."""
    for name, size_mm in (("tile_mm", tile_mm), ("rise_mm", rise_mm)):
        if not 10 <= size_mm <= 60:
            raise ValueError(f"`{name}` is from 10 to 60")


def length_um(rows: int, cols: int, tile_um: Um = TILE_UM) -> int:
    """Length of an offset in tiles, in um, rounded up: exact for comparing with a whole budget."""
    return root_up((rows * rows + cols * cols) * tile_um * tile_um)


def root_up(square: int) -> int:
    """The square root, rounded up."""
    root = isqrt(square)
    return root if root * root == square else root + 1


@dataclass(frozen=True, slots=True)
class Corridor:
    """One straight leg: tiles swept by the base, tiles crossed by its middle in order, cost.

    `box` is the first and last row and the first and last column of all these tiles.
    """

    offset: tuple[int, int]
    swept: tuple[tuple[int, int], ...]
    line: tuple[tuple[int, int], ...]
    cost_um: int
    box: tuple[int, int, int, int]


Point = tuple[int, int]
"""um south and east of a tile's north-west corner."""


def crosses(start: Point, way: Point, tile: tuple[int, int], tile_um: Um = TILE_UM) -> bool:
    """Whether a line runs through the inside of a tile; one that is a point, whether it is in it.

    `start` is relative to the corner of tile (0, 0), `way` how far the line goes, both in um.
    """
    y0, x0 = tile[0] * tile_um, tile[1] * tile_um
    y1, x1 = y0 + tile_um, x0 + tile_um
    (py, px), (vy, vx) = start, way
    qy, qx = py + vy, px + vx
    if not (min(py, qy) < y1 and max(py, qy) > y0 and min(px, qx) < x1 and max(px, qx) > x0):
        return False
    sides = [vy * (x - px) - vx * (y - py) for y in (y0, y1) for x in (x0, x1)]
    return not (min(sides) >= 0 or max(sides) <= 0) or way == (0, 0)


def sweeps(
    start: Point, way: Point, tile: tuple[int, int], radius_um: int, tile_um: Um = TILE_UM
) -> bool:
    """Whether a round base on a line comes nearer to a tile than touching it."""
    y0, x0 = tile[0] * tile_um, tile[1] * tile_um
    y1, x1 = y0 + tile_um, x0 + tile_um
    (py, px), (vy, vx) = start, way
    for y, x in ((py, px), (py + vy, px + vx)):
        dy, dx = max(y0 - y, 0, y - y1), max(x0 - x, 0, x - x1)
        if dy * dy + dx * dx < radius_um * radius_um:
            return True
    square = vy * vy + vx * vx
    for y in (y0, y1):
        for x in (x0, x1):
            along = vy * (y - py) + vx * (x - px)
            across = vy * (x - px) - vx * (y - py)
            if 0 <= along <= square and across * across < radius_um * radius_um * square:
                return True
    return crosses(start, way, tile, tile_um)


@cache
def corridor(
    rows: int, cols: int, radius_um: int, size: int = 1, tile_um: Um = TILE_UM
) -> Corridor:
    """The leg of an offset for a base over `size` x `size` tiles; `swept` and `line` are relative.

    They are relative to the tile, or the north-west tile, from which the leg starts.
    """
    middle, way = size * tile_um // 2, (rows * tile_um, cols * tile_um)
    return line_leg((rows, cols), (middle, middle), way, radius_um, tile_um)


def line_leg(
    offset: tuple[int, int], start: Point, way: Point, radius_um: int, tile_um: Um = TILE_UM
) -> Corridor:
    """The leg from a point of one tile to another point, which lies an offset on."""
    ends = (start, (start[0] + way[0], start[1] + way[1]))
    low, high = ([limit(end[n] for end in ends) for n in (0, 1)] for limit in (min, max))
    near = [
        (row, col)
        for row in range((low[0] - radius_um) // tile_um, (high[0] + radius_um) // tile_um + 1)
        for col in range((low[1] - radius_um) // tile_um, (high[1] + radius_um) // tile_um + 1)
    ]
    line = [tile for tile in near if crosses(start, way, tile, tile_um)]
    line.sort(key=lambda tile: (tile[0] * way[0] + tile[1] * way[1], tile))
    swept = tuple(tile for tile in near if sweeps(start, way, tile, radius_um, tile_um))
    touched = {*swept, *line}
    box = (
        min(row for row, _ in touched),
        max(row for row, _ in touched),
        min(col for _, col in touched),
        max(col for _, col in touched),
    )
    cost_um = root_up(way[0] * way[0] + way[1] * way[1])
    return Corridor(offset, swept, tuple(line), cost_um, box)


@cache
def straight_offsets(budget_um: int, tile_um: Um = TILE_UM) -> tuple[tuple[int, int], ...]:
    """Offsets within a budget that no shorter straight leg repeats, nearest first."""
    most = budget_um // tile_um
    around = range(-most, most + 1)
    found = [
        (row, col)
        for row in around
        for col in around
        if gcd(row, col) == 1 and length_um(row, col, tile_um) <= budget_um
    ]
    return tuple(sorted(found, key=lambda offset: (length_um(*offset), offset)))


def neighbour_offsets() -> tuple[tuple[int, int], ...]:
    """The eight neighbours."""
    return tuple(sorted((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)))


def metric_offsets(
    metric: str, budget_um: int, tile_um: Um = TILE_UM
) -> tuple[tuple[int, int], ...]:
    """Legs of a metric: `ruler` any angle, `octile` and `chebyshev` the eight neighbours."""
    return straight_offsets(budget_um, tile_um) if metric == "ruler" else neighbour_offsets()


def metric_cost_um(metric: str, leg: Corridor, tile_um: Um = TILE_UM) -> int:
    """What a leg costs: its length, or one tile for `chebyshev` where it leads to another."""
    return tile_um if metric == "chebyshev" and leg.offset != (0, 0) else leg.cost_um


PAD = 12
"""Tiles around a board that a base may hang over: more than the radius of any."""


class Field:
    """Where a base may walk on one level: tiles its body may pass, and floor for its middle.

    `beyond` says whether the body may hang over the edge of the board. What is shut is kept as bits
    of one whole number, row by row with `PAD` tiles around, so that a leg is one look.
    """

    def __init__(
        self, rows: int, cols: int, body: Set[Tile], floor: Set[Tile], *, beyond: bool
    ) -> None:
        self.body, self.floor = body, floor
        self._size, self._width = (rows, cols), cols + 2 * PAD
        board = {(row, col) for row in range(rows) for col in range(cols)}
        outside = 0 if beyond else self.bits(self._around()) ^ self.bits(board)
        self._body = self.bits(board - body) | outside
        self._floor = self.bits(self._around()) ^ self.bits(floor)
        self._legs: dict[int, tuple[Corridor, int, int, int]] = {}

    def _around(self) -> Iterator[tuple[int, int]]:
        rows, cols = self._size
        return ((r, c) for r in range(-PAD, rows + PAD) for c in range(-PAD, cols + PAD))

    def bits(self, tiles: Iterable[tuple[int, int]]) -> int:
        """Tiles as bits, for `meets`."""
        made = bytearray(((self._size[0] + 2 * PAD) * self._width + 7) // 8)
        for row, col in tiles:
            at = (row + PAD) * self._width + col + PAD
            made[at >> 3] |= 1 << (at & 7)
        return int.from_bytes(made, "little")

    def meets(self, bits: int, tile: Tile, leg: Corridor) -> bool:
        """Whether a base on a leg comes over any of some tiles."""
        _, at, swept, _ = self._legs.get(id(leg)) or self._bits(leg)
        return bool(bits >> at + tile[0] * self._width + tile[1] & swept)

    def _bits(self, leg: Corridor) -> tuple[Corridor, int, int, int]:
        """A leg, how far its box lies from a tile, its swept tiles and its line as bits."""
        top, _, left, _ = leg.box
        swept = sum(1 << (r - top) * self._width + c - left for r, c in leg.swept)
        line = sum(1 << (r - top) * self._width + c - left for r, c in leg.line)
        at = (top + PAD) * self._width + left + PAD
        self._legs[id(leg)] = (leg, at, swept, line)
        return self._legs[id(leg)]

    def clear(self, tile: Tile, leg: Corridor) -> bool:
        """Whether on a leg to the floor the base hits nothing and its middle stays on the floor."""
        _, at, swept, line = self._legs.get(id(leg)) or self._bits(leg)
        at += tile[0] * self._width + tile[1]
        return not (self._body >> at & swept or self._floor >> at & line)


def legs(
    tile: Tile,
    offsets: tuple[tuple[int, int], ...],
    radius_um: int,
    size: int,
    field: Field,
    tile_um: Um = TILE_UM,
) -> Iterator[tuple[Tile, Corridor]]:
    """Legs from a tile, the north-west one of a wide base, that are clear and end on floor."""
    row, col = tile
    for rows, cols in offsets:
        if (row + rows, col + cols) in field.floor:
            leg = corridor(rows, cols, radius_um, size, tile_um)
            if field.clear(tile, leg):
                yield Tile(row + rows, col + cols), leg
