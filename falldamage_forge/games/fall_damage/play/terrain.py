"""Terrain that changes in play: what is shot away, laid, raised, flooded, burnt; and who falls."""

from __future__ import annotations

from dataclasses import replace

from falldamage_forge.board import DIRECTIONS, MAX_LEVEL, Column
from falldamage_forge.board import Ground as Kind
from falldamage_forge.games.fall_damage.play.effects import drop_things, fall, harm, reap
from falldamage_forge.games.fall_damage.play.land import Land
from falldamage_forge.games.fall_damage.play.spots import (
    STEPS,
    parse_tile,
    tile_of,
)
from falldamage_forge.games.fall_damage.play.state import State, Task
from falldamage_forge.games.fall_damage.play.stats import ground_of
from falldamage_forge.games.fall_damage.play.tasks import task

TOUGHNESS = {"tree": 6, "deck": 5, "ladder": 5}
"""Source: trees "Remove after being dealt 6 damage", bridges and ladders after 5."""
BRICK_ROUNDS = 2
"""Source: "crumble with Brick Mage action or after 2 round starts"."""


def change_land(state: State, land: Land, mage: bool = False, by: int = -1) -> list[Task]:
    """Take on another land: whoever lost the floor falls, by index.

    Gives what those who live meet where they came to rest, for the caller to owe.
    """
    state.land = land
    terrain, stand = ground_of(state).terrain, ground_of(state).stand

    def floorless(spot: int) -> bool:
        if spot in stand:
            return False
        return terrain.highest_below(tile_of(spot >> 4), spot & 15) != spot & 15

    things = [spot for spot in (*state.chests, state.prize) if spot >= 0 and floorless(spot)]
    drop_things(state, sorted(set(things), reverse=True))
    falling = [i for i, unit in enumerate(state.units) if unit.alive and floorless(unit.spot)]
    return [("rest", index, False) for index in falling if fall(state, index, mage, by)]


@task("wear")
def _wear(state: State, kind: str, name: str, number: int, mage: bool, by: int) -> None:
    """Damage on a piece of terrain adds up until it is gone."""
    key = f"{kind} {name}"
    scars = dict(state.scars)
    scars[key] = scars.get(key, 0) + number
    if scars[key] < TOUGHNESS[kind]:
        if number:
            state.scars = tuple(sorted(scars.items()))
        return
    del scars[key]
    state.scars = tuple(sorted(scars.items()))
    state.note("destroyed", key, by)
    if kind == "tree":
        land = _without_feature(state.land, parse_tile(name))
    elif kind == "deck":
        land = state.land.without_deck(int(name))
    else:
        land = state.land.without_ladder(int(name))
    state.owe(*change_land(state, land, mage, by))


def _without_feature(land: Land, tile: int) -> Land:
    old = land.column(tile)
    return land.with_column(tile, Column(old.level, old.ground))


@task("push_spire")
def _push_spire(state: State, tile: int, way: int, tiles: int, by: int) -> None:
    """A spire goes tile by tile until something stops it, or comes down on who is below."""
    if way < 0:
        return
    ground, rules = ground_of(state), state.arena.rules
    level = state.land.column(tile).level
    at, moved, hit = tile, 0, -1
    for _ in range(tiles):
        near = at + STEPS[way]
        where = tile_of(at).step(DIRECTIONS[way])
        if where not in ground.terrain.board:
            moved += rules.edge == "void"
            break
        if not ground.terrain.free(where, level, level + 1):
            break
        if near << 4 | level in state.occupied:
            if state.arena.rules.spire_level == "hit":
                moved, hit = moved + 1, near << 4 | level
            break
        at, moved = near, moved + 1
        below = ground.terrain.highest_below(where, level)
        if below is not None and below < level:
            hit = near << 4 | below
            break
    if not moved:
        return
    state.note("spire", tile, at, by)
    rests = change_land(state, _without_feature(state.land, tile))
    struck = state.occupied.get(hit, -1)
    if struck >= 0:
        harm(state, struck, state.arena.rules.spire_damage, "other", by)
        reap(state)
    state.owe(*rests)


# -- bricks ----------------------------------------------------------------------------------------


def lay(state: State, owner: int, tiles: tuple[int, ...], levels: int) -> None:
    """Bricks rise under whoever stands there, chests too."""
    before = state.land
    state.land = replace(before, bricks=(*before.bricks, (owner, levels, tiles, BRICK_ROUNDS)))
    state.note("bricks", owner, tiles, levels)
    state.owe(*_lift(state, before, tiles, levels))


def _lift(state: State, before: Land, tiles: tuple[int, ...], levels: int) -> list[Task]:
    """Move what lies on the ground of some tiles up with it; who was lifted comes to rest."""
    lifted = []
    for tile in tiles:
        spot = tile << 4 | before.column(tile).level + before.bricks_on(tile)
        index = state.occupied.get(spot, -1)
        if index >= 0:
            state.put(index, spot + levels)
            lifted.append(index)
        state.chests = tuple(sorted(c + levels if c == spot else c for c in state.chests))
        if state.prize == spot:
            state.prize += levels
    return [("rest", index, False) for index in sorted(lifted)]


def crumble(state: State, owner: int) -> None:
    """All bricks of a unit go, and who stands on them falls, 2 further by the Mage's doing."""
    left = tuple(brick for brick in state.land.bricks if brick[0] != owner)
    if left != state.land.bricks:
        state.owe(*change_land(state, replace(state.land, bricks=left), True, owner))


@task("bricks")
def _count_down(state: State) -> None:
    """A round starts: bricks have one round start less, and crumble at the second."""
    counted = [(owner, n, tiles, left - 1) for owner, n, tiles, left in state.land.bricks]
    kept = tuple(brick for brick in counted if brick[3] > 0)
    if counted:
        owners = [brick[0] for brick in counted if brick[3] <= 0]
        by = owners[0] if owners else -1
        state.owe(*change_land(state, replace(state.land, bricks=kept), True, by))


# -- Gaia's Gifts ----------------------------------------------------------------------------------


def burn(state: State, tile: int) -> None:
    """Eruption: the ground of a tile becomes lava."""
    level = state.land.column(tile).level
    state.land = state.land.with_column(tile, Column(level, Kind.LAVA))


def burnable(state: State, tile: int) -> bool:
    """No unit, chest, feature, ladder's foot, bricks or lava there."""
    taken = {spot >> 4 for spot in state.occupied} | {spot >> 4 for spot in state.chests}
    if state.prize >= 0:
        taken.add(state.prize >> 4)
    return state.land.plain(tile) and not state.land.ladder_foot(tile) and tile not in taken


def flood(state: State, tile: int, way: int, length: int) -> None:
    """Dam Break: plain ground along a line becomes water."""
    for count in range(length):
        at = tile + STEPS[way] * count
        column = state.land.column(at)
        if state.land.plain(at) and column.ground is Kind.GROUND:
            state.land = state.land.with_column(at, Column(column.level, Kind.WATER))


def run_length(land: Land, tile: int, way: int, most: int) -> int:
    """Tiles from one on in a direction, itself included, as far as the board goes."""
    row, col = tile >> 6, tile & 63
    room = (row + 1, land.cols - col, land.rows - row, col + 1)[way]
    return min(room, most)


def shift(state: State, tile: int, levels: int) -> None:
    """Tectonic Shift: a tile rises with what stands on it, or sinks and it falls."""
    before = state.land
    old = before.column(tile)
    land = before.with_column(tile, Column(old.level + levels, old.ground))
    if levels > 0:
        state.land = land
        state.owe(*_lift(state, before, (tile,), levels))
    else:
        state.owe(*change_land(state, land))


def may_shift(state: State, tile: int, levels: int) -> bool:
    """Whether a tile may rise or sink by so many levels."""
    return state.land.shifts(tile) and 0 <= state.land.column(tile).level + levels <= MAX_LEVEL
