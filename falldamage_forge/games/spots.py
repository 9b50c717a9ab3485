"""Where a wide base stands that has no room in the middle of a tile: beside it, off-centre.

A base stands on the tile in which its middle is. Where the middle of the tile has no room for it,
as beside a wall, it stands as near to there as it can: on one of a few spots that lie alike in all
four directions, so that a board turned or mirrored has the same spots turned or mirrored. They are
the middle, what is flush with a wall along a tile's border, and for bases of more than two tiles
the tile's border. For bases of up to two tiles that misses nothing: wherever some position of the
base with its middle in the tile touches nothing solid, one of these does. Of several that are
equally near each is a spot.

All lengths are whole micrometres.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.ruler import Corridor, Field, Um, line_leg, sweeps
from falldamage_forge.rules.model import Place

Shift = tuple[int, int]
"""um south and east of the middle of a tile."""
MIDDLE: Shift = (0, 0)
Spots = Mapping[Tile, tuple[Shift, ...]]
"""Where a base may stand on each tile: first as near to the middle as it can, then for passing."""
AROUND = tuple((row, col) for row in (-1, 0, 1) for col in (-1, 0, 1))


@cache
def shifts(radius_um: Um, tile_um: Um) -> tuple[tuple[Shift, ...], ...]:
    """The spots of a tile for a base, those that are equally far from the middle together."""
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
def covered(shift: Shift, radius_um: Um, tile_um: Um) -> tuple[tuple[int, int], ...]:
    """Tiles that a base on a spot is over, relative to its own."""
    over = radius_um // tile_um + 1
    around = range(-over, over + 1)
    at = (tile_um // 2 + shift[0], tile_um // 2 + shift[1])
    near = ((row, col) for row in around for col in around)
    return tuple(tile for tile in near if sweeps(at, (0, 0), tile, radius_um, tile_um))


def nearest(radius_um: Um, tile_um: Um, free: Callable[[Shift], bool]) -> tuple[Shift, ...]:
    """The free spots of a tile that are nearest to its middle; none where a base has no room."""
    for group in shifts(radius_um, tile_um):
        found = tuple(shift for shift in group if free(shift))
        if found:
            return found
    return ()


def spots_of(
    tiles: Iterable[Tile], radius_um: Um, tile_um: Um, free: Callable[[Tile, Shift], bool]
) -> dict[Tile, tuple[Shift, ...]]:
    """The spots of some tiles: the nearest to the middle, and those that lead past a neighbour's.

    A base that walks along a wall keeps its distance to it a tile further than the wall goes.
    """
    listed = tuple(tiles)
    if len(shifts(radius_um, tile_um)) == 1:
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


def resting(spots: tuple[Shift, ...]) -> tuple[Shift, ...]:
    """Of a tile's spots those nearest to its middle: where one stands who stands on the tile."""
    return tuple(spot for spot in spots if _far(spot) == _far(spots[0]))


def passing_places(places: Sequence[Place]) -> frozenset[int]:
    """Numbers of the places on which no way ends: those that are not nearest to the middle.

    Lips and the like, which are no shifts, are places to end on.
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
    """How far from the middle, squared."""
    return shift[0] * shift[0] + shift[1] * shift[1]


@cache
def leg_between(
    offset: tuple[int, int], start: Shift, goal: Shift, radius_um: Um, tile_um: Um
) -> Corridor:
    """The straight leg from a spot of a tile to a spot of one that lies an offset on."""
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
    field: Field,
) -> Iterator[tuple[Tile, Shift, Corridor]]:
    """Clear legs from a spot: far ones to the same spot of other tiles, near ones to any."""
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
    """A spot in words, empty for the middle: `5 mm east`, `10.4 mm north, 10.4 mm west`."""
    south, east = shift
    parts = [
        (abs(south), "south" if south > 0 else "north"),
        (abs(east), "east" if east > 0 else "west"),
    ]
    return ", ".join(f"{um / 1000:g} mm {way}" for um, way in parts if um)
