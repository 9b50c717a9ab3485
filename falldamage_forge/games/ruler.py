"""Walking by the ruler: straight lines at any angle between places, as corridors of a round base.

All lengths are whole micrometres (um), so that tiles, inches, feet and half bases are exact. A way
bends only where a base may stand (see `spots.py`); a line's length is rounded up to the next
micrometre.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
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


class Field:
    """Where a base may walk on one level: tiles its body may pass, and floor for its middle.

    `beyond` says whether the body may hang over the edge of the board. Whole rectangles of free
    floor are known by sums, so that open ground costs no look at each tile.
    """

    def __init__(
        self, rows: int, cols: int, body: Set[Tile], floor: Set[Tile], *, beyond: bool
    ) -> None:
        self.rows, self.cols, self.body, self.floor, self.beyond = rows, cols, body, floor, beyond
        good = body & floor
        sums = [[0] * (cols + 1)]
        for row in range(rows):
            line = [0]
            for col in range(cols):
                line.append(line[-1] + ((row, col) not in good) + sums[-1][col + 1] - sums[-1][col])
            sums.append(line)
        self._sums = sums

    def _open(self, tile: Tile, box: tuple[int, int, int, int]) -> bool:
        """Whether every tile of a rectangle is free floor."""
        top, bottom = tile.row + box[0], tile.row + box[1] + 1
        left, right = tile.col + box[2], tile.col + box[3] + 1
        if top < 0 or left < 0 or bottom > self.rows or right > self.cols:
            return False
        low, high = self._sums[bottom], self._sums[top]
        return low[right] - low[left] - high[right] + high[left] == 0

    def _passes(self, tile: Tile) -> bool:
        if 0 <= tile.row < self.rows and 0 <= tile.col < self.cols:
            return tile in self.body
        return self.beyond

    def clear(self, tile: Tile, leg: Corridor) -> bool:
        """Whether on a leg the base hits nothing and its middle stays on the floor."""
        if self._open(tile, leg.box):
            return True
        row, col = tile
        return all((row + r, col + c) in self.floor for r, c in leg.line) and all(
            self._passes(Tile(row + r, col + c)) for r, c in leg.swept
        )


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
        goal = Tile(row + rows, col + cols)
        if goal in field.floor:
            leg = corridor(rows, cols, radius_um, size, tile_um)
            if field.clear(tile, leg):
                yield goal, leg
