"""Any-angle movement: straight legs between tiles, swept by a round base.

All lengths are integers in micrometres (um), so that tiles, inches, feet and half bases are exact.
A path bends only at base placements (`base_placement.py`). The length of a leg is rounded up to the
next micrometre.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from functools import cache
from math import gcd, isqrt

from falldamage_forge.board import Tile
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.rules.argument_types import Um

TILE_UM = 30_000
"""Default width of a tile and height of a level."""
INCH_UM = 25_400


def check_sizes(tile_mm: float, rise_mm: float = 30) -> None:
    """Check the size of a tile and of a level.

    Args:
        tile_mm: Width of a tile in mm, 10 to 60.
        rise_mm: Height of a level in mm, 10 to 60.

    Raises:
        ValueError: If a size is out of range.
    """
    for name, size_mm in (("tile_mm", tile_mm), ("rise_mm", rise_mm)):
        if not 10 <= size_mm <= 60:
            raise ValueError(f"`{name}` is from 10 to 60")


def length_um(rows: int, cols: int, tile_um: Um = TILE_UM) -> int:
    """Return the length of an offset in tiles, in um, rounded up.

    Rounding up is exact for comparisons with an integer budget.

    Args:
        rows: Offset in rows.
        cols: Offset in columns.
        tile_um: Width of a tile in um.
    """
    return root_up((rows * rows + cols * cols) * tile_um * tile_um)


def root_up(square: int) -> int:
    """Return the square root, rounded up to an integer."""
    root = isqrt(square)
    return root if root * root == square else root + 1


@dataclass(frozen=True, slots=True)
class SweptCorridor:
    """One straight leg.

    Attributes:
        offset: Rows and columns to its end.
        swept: Tiles swept by the base.
        line: Tiles crossed by the base's centre, in order.
        cost_um: Length of the leg.
        box: First and last row, first and last column of all these tiles.
    """

    offset: tuple[int, int]
    swept: tuple[tuple[int, int], ...]
    line: tuple[tuple[int, int], ...]
    cost_um: int
    box: tuple[int, int, int, int]


Point = tuple[int, int]
"""um south and east of a tile's north-west corner."""


def crosses_tile(start: Point, way: Point, tile: tuple[int, int], tile_um: Um = TILE_UM) -> bool:
    """True if a line crosses the inside of a tile, or a point is in it.

    Args:
        start: Start of the line, relative to the corner of tile (0, 0), in um.
        way: Vector to its end in um; (0, 0) for a point.
        tile: Row and column.
        tile_um: Width of a tile.
    """
    y0, x0 = tile[0] * tile_um, tile[1] * tile_um
    y1, x1 = y0 + tile_um, x0 + tile_um
    (py, px), (vy, vx) = start, way
    qy, qx = py + vy, px + vx
    if not (min(py, qy) < y1 and max(py, qy) > y0 and min(px, qx) < x1 and max(px, qx) > x0):
        return False
    sides = [vy * (x - px) - vx * (y - py) for y in (y0, y1) for x in (x0, x1)]
    return not (min(sides) >= 0 or max(sides) <= 0) or way == (0, 0)


def sweeps_tile(
    start: Point, way: Point, tile: tuple[int, int], radius_um: int, tile_um: Um = TILE_UM
) -> bool:
    """True if a round base on a line overlaps a tile; touching is not overlapping.

    Args:
        start: Start of the base's centre, relative to the corner of tile (0, 0), in um.
        way: Vector to its end in um; (0, 0) for a standing base.
        tile: Row and column.
        radius_um: Radius of the base.
        tile_um: Width of a tile.
    """
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
    return crosses_tile(start, way, tile, tile_um)


@cache
def corridor(
    rows: int, cols: int, radius_um: int, size: int = 1, tile_um: Um = TILE_UM
) -> SweptCorridor:
    """Return the leg of an offset for a base in the middle of `size` x `size` tiles.

    `swept` and `line` are relative to the tile, or the north-west tile, at which the leg starts.

    Args:
        rows: Offset in rows.
        cols: Offset in columns.
        radius_um: Radius of the base in um.
        size: Width of its footprint in tiles.
        tile_um: Width of a tile in um.
    """
    middle, way = size * tile_um // 2, (rows * tile_um, cols * tile_um)
    return line_leg((rows, cols), (middle, middle), way, radius_um, tile_um)


def line_leg(
    offset: tuple[int, int], start: Point, way: Point, radius_um: int, tile_um: Um = TILE_UM
) -> SweptCorridor:
    """Return the leg from a point of a tile to another point, one offset away.

    Args:
        offset: Offset of the other tile as (rows, columns).
        start: Point from the middle of the first tile, in um.
        way: Vector to the other point, in um.
        radius_um: Radius of the base in um.
        tile_um: Width of a tile in um.
    """
    ends = (start, (start[0] + way[0], start[1] + way[1]))
    low, high = ([limit(end[n] for end in ends) for n in (0, 1)] for limit in (min, max))
    near = [
        (row, col)
        for row in range((low[0] - radius_um) // tile_um, (high[0] + radius_um) // tile_um + 1)
        for col in range((low[1] - radius_um) // tile_um, (high[1] + radius_um) // tile_um + 1)
    ]
    line = [tile for tile in near if crosses_tile(start, way, tile, tile_um)]
    line.sort(key=lambda tile: (tile[0] * way[0] + tile[1] * way[1], tile))
    swept = tuple(tile for tile in near if sweeps_tile(start, way, tile, radius_um, tile_um))
    touched = {*swept, *line}
    box = (
        min(row for row, _ in touched),
        max(row for row, _ in touched),
        min(col for _, col in touched),
        max(col for _, col in touched),
    )
    cost_um = root_up(way[0] * way[0] + way[1] * way[1])
    return SweptCorridor(offset, swept, tuple(line), cost_um, box)


@cache
def straight_offsets(budget_um: int, tile_um: Um = TILE_UM) -> tuple[tuple[int, int], ...]:
    """Return the offsets within a budget that are not multiples of others, nearest first.

    Args:
        budget_um: Greatest length in um.
        tile_um: Width of a tile in um.
    """
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
    """Return the offsets of the eight neighbours."""
    return tuple(sorted((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)))


def metric_offsets(
    metric: str, budget_um: int, tile_um: Um = TILE_UM
) -> tuple[tuple[int, int], ...]:
    """Return the offsets of the legs of a metric.

    Args:
        metric: `ruler` for any angle; `octile` and `chebyshev` for the eight neighbours.
        budget_um: Greatest length of a leg.
        tile_um: Width of a tile.
    """
    return straight_offsets(budget_um, tile_um) if metric == "ruler" else neighbour_offsets()


def metric_cost_um(metric: str, leg: SweptCorridor, tile_um: Um = TILE_UM) -> int:
    """Return the cost of a leg in um: its length, or one tile per leg for `chebyshev`.

    Args:
        metric: `ruler`, `octile` or `chebyshev`.
        leg: The leg.
        tile_um: Width of a tile.
    """
    return tile_um if metric == "chebyshev" and leg.offset != (0, 0) else leg.cost_um


PAD = 12
"""Margin in tiles around a board: more than the radius of any base."""


class BaseClearance:
    """Tiles that a base's body may pass, and tiles that carry its centre, on one level.

    Blocked tiles are the bits of one integer, row by row with `PAD` tiles around, so that a leg is
    tested by one shift and one mask.
    """

    def __init__(
        self, rows: int, cols: int, body: Set[Tile], floor: Set[Tile], *, beyond: bool
    ) -> None:
        """Build the bit sets of a level.

        Args:
            rows: Rows of the board.
            cols: Columns of the board.
            body: Tiles that the body may pass.
            floor: Tiles that carry the centre.
            beyond: True if the body may extend beyond the board's edge.
        """
        self.body, self.floor = body, floor
        self._size, self._width = (rows, cols), cols + 2 * PAD
        board = {(row, col) for row in range(rows) for col in range(cols)}
        outside = 0 if beyond else self.bits(self._around()) ^ self.bits(board)
        self._body = self.bits(board - body) | outside
        self._floor = self.bits(self._around()) ^ self.bits(floor)
        self._legs: dict[int, tuple[SweptCorridor, int, int, int]] = {}

    def _around(self) -> Iterator[tuple[int, int]]:
        rows, cols = self._size
        return ((r, c) for r in range(-PAD, rows + PAD) for c in range(-PAD, cols + PAD))

    def bits(self, tiles: Iterable[tuple[int, int]]) -> int:
        """Return tiles as a bit set, for `meets`."""
        made = bytearray(((self._size[0] + 2 * PAD) * self._width + 7) // 8)
        for row, col in tiles:
            at = (row + PAD) * self._width + col + PAD
            made[at >> 3] |= 1 << (at & 7)
        return int.from_bytes(made, "little")

    def meets(self, bits: int, tile: Tile, leg: SweptCorridor) -> bool:
        """True if a base on a leg passes over a tile of a bit set.

        Args:
            bits: Bit set of `bits`.
            tile: Start of the leg.
            leg: The leg.
        """
        _, at, swept, _ = self._legs.get(id(leg)) or self._bits(leg)
        return bool(bits >> at + tile[0] * self._width + tile[1] & swept)

    def _bits(self, leg: SweptCorridor) -> tuple[SweptCorridor, int, int, int]:
        """Return a leg's offset from its tile, swept tiles and line as bits; cached."""
        top, _, left, _ = leg.box
        swept = sum(1 << (r - top) * self._width + c - left for r, c in leg.swept)
        line = sum(1 << (r - top) * self._width + c - left for r, c in leg.line)
        at = (top + PAD) * self._width + left + PAD
        self._legs[id(leg)] = (leg, at, swept, line)
        return self._legs[id(leg)]

    def clear(self, tile: Tile, leg: SweptCorridor) -> bool:
        """True if a base on a leg overlaps no blocked tile and its centre stays on the floor.

        Args:
            tile: Start of the leg.
            leg: The leg.
        """
        _, at, swept, line = self._legs.get(id(leg)) or self._bits(leg)
        at += tile[0] * self._width + tile[1]
        return not (self._body >> at & swept or self._floor >> at & line)


def legs(
    tile: Tile,
    offsets: tuple[tuple[int, int], ...],
    radius_um: int,
    size: int,
    field: BaseClearance,
    tile_um: Um = TILE_UM,
) -> Iterator[tuple[Tile, SweptCorridor]]:
    """Yield the clear legs from a tile that end on floor.

    Args:
        tile: Start; for a wide base its north-west tile.
        offsets: Offsets of the legs.
        radius_um: Radius of the base.
        size: Width of the base in tiles.
        field: Clearance of the level.
        tile_um: Width of a tile.
    """
    row, col = tile
    for rows, cols in offsets:
        if (row + rows, col + cols) in field.floor:
            leg = corridor(rows, cols, radius_um, size, tile_um)
            if field.clear(tile, leg):
                yield Tile(row + rows, col + cols), leg
