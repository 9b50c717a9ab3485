"""Placements of a round base on a tile: in the middle, or off-centre beside an obstacle.

A base stands on the tile that holds its centre. Where the middle has no clearance, the base stands
at the nearest of a few candidate offsets, which are symmetric in all directions: the middle, flush
with a wall along the tile's border, and for bases wider than two tiles the border. For bases up to
two tiles wide this is complete: if any position with its centre in the tile is free, a candidate
is. Equally near candidates are all placements. All lengths are integers in micrometres.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.any_angle import BaseClearance, SweptCorridor, line_leg, sweeps_tile
from falldamage_forge.rules.argument_types import Um
from falldamage_forge.rules.movement_graph import GraphNode

Shift = tuple[int, int]
"""Offset from the middle of a tile, in um south and east."""
MIDDLE: Shift = (0, 0)
Spots = Mapping[Tile, tuple[Shift, ...]]
"""Placements by tile: the nearest to the middle first, then those for passing only."""
AROUND = tuple((row, col) for row in (-1, 0, 1) for col in (-1, 0, 1))


@cache
def candidate_offsets(radius_um: Um, tile_um: Um) -> tuple[tuple[Shift, ...], ...]:
    """Return the candidate offsets of a base, grouped by distance from the middle.

    Args:
        radius_um: Radius of the base.
        tile_um: Width of a tile.
    """
    steps = {0}
    if 2 * radius_um > tile_um:
        flush = (radius_um - tile_um // 2) % tile_um
        steps |= {min(flush, tile_um - flush), -min(flush, tile_um - flush)}
    if radius_um > tile_um:
        steps |= {tile_um // 2, -tile_um // 2}
    groups: dict[int, list[Shift]] = {}
    for south in sorted(steps):
        for east in sorted(steps):
            groups.setdefault(_far((south, east)), []).append((south, east))
    return tuple(tuple(group) for _, group in sorted(groups.items()))


@cache
def covered_tiles(shift: Shift, radius_um: Um, tile_um: Um) -> tuple[tuple[int, int], ...]:
    """Return the tiles under a base at an offset, relative to its own.

    Args:
        shift: Offset from the middle of the tile.
        radius_um: Radius of the base.
        tile_um: Width of a tile.
    """
    over = radius_um // tile_um + 1
    around = range(-over, over + 1)
    at = (tile_um // 2 + shift[0], tile_um // 2 + shift[1])
    near = ((row, col) for row in around for col in around)
    return tuple(tile for tile in near if sweeps_tile(at, (0, 0), tile, radius_um, tile_um))


def nearest(radius_um: Um, tile_um: Um, free: Callable[[Shift], bool]) -> tuple[Shift, ...]:
    """Return the free candidate offsets nearest to the middle; empty without clearance.

    Args:
        radius_um: Radius of the base.
        tile_um: Width of a tile.
        free: Predicate of an offset.
    """
    for group in candidate_offsets(radius_um, tile_um):
        found = tuple(shift for shift in group if free(shift))
        if found:
            return found
    return ()


def spots_of(
    tiles: Iterable[Tile], radius_um: Um, tile_um: Um, free: Callable[[Tile, Shift], bool]
) -> dict[Tile, tuple[Shift, ...]]:
    """Return the placements on tiles: the nearest to the middle, and those that pass a neighbour's.

    A base that walks along a wall keeps its distance for a tile beyond the wall's end.

    Args:
        tiles: Tiles with floor.
        radius_um: Radius of the base.
        tile_um: Width of a tile.
        free: Predicate of a tile and an offset.
    """
    listed = tuple(tiles)
    if len(candidate_offsets(radius_um, tile_um)) == 1:
        return {tile: (MIDDLE,) for tile in listed if free(tile, MIDDLE)}
    found = {tile: nearest(radius_um, tile_um, partial(free, tile)) for tile in listed}
    own = {tile: spots for tile, spots in found.items() if spots}
    passing: dict[Tile, set[Shift]] = {}
    for tile, spots in own.items():
        if spots != (MIDDLE,):
            for row, col in AROUND:
                passing.setdefault(Tile(tile.row + row, tile.col + col), set()).update(spots)
    more = {
        tile: sorted(shift for shift in wanted.difference(own[tile]) if free(tile, shift))
        for tile, wanted in passing.items()
        if tile in own
    }
    return {tile: (*spots, *more.get(tile, ())) for tile, spots in own.items()}


def nearest_offsets(spots: tuple[Shift, ...]) -> tuple[Shift, ...]:
    """Return the placements nearest to the middle, on which a unit may stop.

    Args:
        spots: Placements on a tile, the nearest first.
    """
    return tuple(spot for spot in spots if _far(spot) == _far(spots[0]))


def passing_places(places: Sequence[GraphNode]) -> frozenset[int]:
    """Return the nodes on which a move may not end: those not nearest to the middle.

    Nodes with other positions, such as lips, are ends.
    """
    if all(place.shift == MIDDLE for place in places):
        return frozenset()
    nearest: dict[Surface, int] = {}
    for place in places:
        if not place.spot or place.shift != MIDDLE:
            far = _far(place.shift)
            nearest[place.anchor] = min(far, nearest.get(place.anchor, far))
    return frozenset(
        n for n, place in enumerate(places) if _far(place.shift) > nearest.get(place.anchor, 0)
    )


def _far(shift: Shift) -> int:
    """Return the squared distance from the middle."""
    return shift[0] * shift[0] + shift[1] * shift[1]


@cache
def leg_between(
    offset: tuple[int, int], start: Shift, goal: Shift, radius_um: Um, tile_um: Um
) -> SweptCorridor:
    """Return the straight leg from a placement on a tile to one on another tile.

    Args:
        offset: Rows and columns between the tiles.
        start: Offset of the first placement.
        goal: Offset of the second placement.
        radius_um: Radius of the base.
        tile_um: Width of a tile.
    """
    at = (tile_um // 2 + start[0], tile_um // 2 + start[1])
    way = (
        offset[0] * tile_um + goal[0] - start[0],
        offset[1] * tile_um + goal[1] - start[1],
    )
    return line_leg(offset, at, way, radius_um, tile_um)


def legs_between(
    tile: Tile,
    start: Shift,
    spots: Spots,
    offsets: tuple[tuple[int, int], ...],
    radius_um: Um,
    tile_um: Um,
    field: BaseClearance,
) -> Iterator[tuple[Tile, Shift, SweptCorridor]]:
    """Yield the clear legs from a placement.

    Far legs lead to the same offset of other tiles, legs to neighbours to any offset.

    Args:
        tile: Tile of the placement.
        start: Offset of the placement.
        spots: Placements by tile.
        offsets: Offsets of far legs.
        radius_um: Radius of the base.
        tile_um: Width of a tile.
        field: Clearance of the level.
    """
    row, col = tile
    for rows, cols in offsets:
        if start in spots.get((row + rows, col + cols), ()):  # type: ignore[call-overload]
            leg = leg_between((rows, cols), start, start, radius_um, tile_um)
            if field.clear(tile, leg):
                yield Tile(row + rows, col + cols), start, leg
    for rows, cols in AROUND:
        goal = Tile(row + rows, col + cols)
        for shift in spots.get(goal, ()):
            if shift != start:
                leg = leg_between((rows, cols), start, shift, radius_um, tile_um)
                if field.clear(tile, leg):
                    yield goal, shift, leg


def spot_text(shift: Shift) -> str:
    """Return an offset in words such as `10.4 mm north, 10.4 mm west`; empty for the middle."""
    south, east = shift
    parts = [
        (abs(south), "south" if south > 0 else "north"),
        (abs(east), "east" if east > 0 else "west"),
    ]
    return ", ".join(f"{um / 1000:g} mm {way}" for um, way in parts if um)
