"""Areas: who is in one, and what happens to all of them at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from falldamage_forge.board import DIRECTIONS
from falldamage_forge.games.fall_damage.attack import UPWARD_LEVELS
from falldamage_forge.games.fall_damage.play.effects import harm, reap, way_between
from falldamage_forge.games.fall_damage.play.ground import Ground
from falldamage_forge.games.fall_damage.play.state import State, Task
from falldamage_forge.games.fall_damage.play.stats import ground_of
from falldamage_forge.games.fall_damage.play.targets import all_pieces, by_piece
from falldamage_forge.games.fall_damage.play.tasks import task


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
    return sorted(_inside(state, tiles, level))


def _inside(state: State, tiles: frozenset[int], level: int) -> Iterator[int]:
    near = state.arena.rules.area_levels == "melee1"
    for spot, index in state.occupied.items():
        if spot >> 4 in tiles:
            rise = (spot & 15) - level
            if rise <= UPWARD_LEVELS and (not near or abs(rise) <= 1):
                yield index


def members(state: State, aim: int, radius: int) -> list[int]:
    """Everybody in an area of effect around an aim: the doer's own side too."""
    return inside(state, state.arena.circle(aim >> 4, radius), aim & 15)


def held(state: State, aim: int, radius: int, side: int | None = None) -> bool:
    """Whether an area around an aim holds anybody, or anybody of a side."""
    for index in _inside(state, state.arena.circle(aim >> 4, radius), aim & 15):
        if side is None or state.units[index].side == side:
            return True
    return False


def crowded(state: State, radius: int) -> frozenset[int]:
    """Tiles from which an area would hold somebody, heights left aside."""
    return frozenset().union(*(state.arena.circle(spot >> 4, radius) for spot in state.occupied))


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
    tiles = state.arena.circle(aim >> 4, radius)
    found = (p for p in all_pieces(ground_of(state), aim & 15) if p.spot >> 4 in tiles)
    owed: Iterable[Task] = (
        ("wear", *piece.word.split(), damage, mage, doer)
        for piece, *_ in by_piece(found, aim)
        if piece.kind != "spire"
    )
    state.owe(*owed)
