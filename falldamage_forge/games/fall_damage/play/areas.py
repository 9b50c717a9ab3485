"""Areas: who is in one, and what happens to all of them at once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from falldamage_forge.board import DIRECTIONS
from falldamage_forge.games.fall_damage.attack import UPWARD_LEVELS, within
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.effects import harm, reap, way_between
from falldamage_forge.games.fall_damage.play.ground import Ground
from falldamage_forge.games.fall_damage.play.state import State, Task
from falldamage_forge.games.fall_damage.play.stats import ground_of
from falldamage_forge.games.fall_damage.play.targets import first_of_each
from falldamage_forge.games.fall_damage.play.tasks import task


@lru_cache(maxsize=50_000)
def circle(tile: int, radius: int, options: Options) -> frozenset[int]:
    """Tiles of an area of effect around a tile, itself included; some may lie off the board."""
    around = range(-radius, radius + 1)
    return frozenset(
        tile + (row << 6) + col
        for row in around
        for col in around
        if within(row, col, radius, options) and 0 <= (tile & 63) + col < 64
    )


def square(ground: Ground, tile: int) -> frozenset[int]:
    """The 3x3 around a tile, as far as the board goes."""
    return frozenset(
        row << 6 | col
        for row in range((tile >> 6) - 1, (tile >> 6) + 2)
        for col in range((tile & 63) - 1, (tile & 63) + 2)
        if 0 <= row < ground.land.rows and 0 <= col < ground.land.cols
    )


def cone(state: State, spot: int, way: int) -> frozenset[int]:
    """Poison Mist: the tile in front and the rows behind it that widen."""
    ground, tile, reading = ground_of(state), spot >> 4, state.arena.rules.cone
    rows, cols = DIRECTIONS[way]
    depth = {"one": 1, "four": 2, "nine": 3}[reading]
    found = set()
    for ahead in range(1, depth + 1):
        for aside in range(1 - ahead, ahead):
            row = (tile >> 6) + rows * ahead + cols * aside
            col = (tile & 63) + cols * ahead + rows * aside
            if 0 <= row < ground.land.rows and 0 <= col < ground.land.cols:
                found.add(row << 6 | col)
    return frozenset(found)


def inside(state: State, tiles: frozenset[int], level: int) -> list[int]:
    """Units on the tiles of an area whose middle has a level, by index."""
    near = state.arena.rules.area_levels == "melee1"
    found = []
    for spot, index in state.occupied.items():
        if spot >> 4 in tiles:
            rise = (spot & 15) - level
            if rise <= UPWARD_LEVELS and (not near or abs(rise) <= 1):
                found.append(index)
    return sorted(found)


def members(state: State, aim: int, radius: int) -> list[int]:
    """Everybody in an area of effect around an aim: the doer's own side too."""
    return inside(state, circle(aim >> 4, radius, state.arena.rules), aim & 15)


def crowded(state: State, radius: int) -> frozenset[int]:
    """Tiles from which an area would hold somebody, heights left aside."""
    found: set[int] = set()
    for spot in state.occupied:
        found |= circle(spot >> 4, radius, state.arena.rules)
    return frozenset(found)


def burst(
    state: State, doer: int, aim: int, radius: int, damage: int, tiles: int, mage: bool
) -> None:
    """An area attack: all damage together, deaths, then pushes from the outside in."""
    unit = state.units[doer]
    level, origin = unit.spot & 15, unit.spot
    hit = members(state, aim, radius)
    state.note("area", doer, aim, tuple(hit))
    for index in hit:
        harm(state, index, damage, "attack", doer)
    reap(state)
    owed: list[Task] = []
    if state.arena.readings.area_terrain == "yes" and damage > 0:
        owed.append(("wear_area", doer, aim, radius, damage, mage))
    if tiles > 0:
        standing = [index for index in hit if state.units[index].alive]
        standing.sort(key=lambda index: (-_apart2(state.units[index].spot, aim), index))
        for index in standing:
            spot = state.units[index].spot
            way = _area_way(state, origin, aim, spot)
            owed.append(("push", index, way, tiles, level, mage, spot, doer))
    state.owe(*owed)


def _area_way(state: State, origin: int, aim: int, spot: int) -> int:
    reading = state.arena.rules.area_push
    if reading == "from_attacker":
        return way_between(state, origin, spot, "B")
    if spot == aim:
        return way_between(state, origin, aim, "B") if reading == "outward_and_back" else -1
    return way_between(state, aim, spot, "B")


def _apart2(one: int, other: int) -> int:
    rows, cols = (one >> 10) - (other >> 10), (one >> 4 & 63) - (other >> 4 & 63)
    return rows * rows + cols * cols


@task("wear_area")
def _wear_area(state: State, doer: int, aim: int, radius: int, damage: int, mage: bool) -> None:
    """Terrain in an area suffers too (option `area_terrain`)."""
    from falldamage_forge.games.fall_damage.play.targets import _all_pieces

    tiles = circle(aim >> 4, radius, state.arena.rules)
    pieces = (p for p in _all_pieces(ground_of(state), aim & 15) if p.spot >> 4 in tiles)
    owed: Iterable[Task] = (
        ("wear", *piece.word.split(), damage, mage, doer)
        for piece in first_of_each(pieces, aim)
        if piece.kind != "spire"
    )
    state.owe(*owed)
