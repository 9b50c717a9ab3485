"""The abilities that use an Action: for each, the moves there are and what one of them does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import combinations
from typing import NamedTuple

from falldamage_forge.games.fall_damage.play import terrain
from falldamage_forge.games.fall_damage.play.areas import (
    burst,
    cone,
    crowded,
    held,
    inside,
    members,
)
from falldamage_forge.games.fall_damage.play.effects import harm, heal, reap
from falldamage_forge.games.fall_damage.play.hidden import place_trap, trap_moves
from falldamage_forge.games.fall_damage.play.kept import Row
from falldamage_forge.games.fall_damage.play.kit import SKELETON
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.raising import raise_bodies, raise_moves
from falldamage_forge.games.fall_damage.play.spots import STEPS, surface_of
from falldamage_forge.games.fall_damage.play.state import State, Unit
from falldamage_forge.games.fall_damage.play.stats import (
    attack_number,
    card_of,
    ground_of,
    in_area_reach,
    is_mage,
    lender,
    push_of,
    reach_of,
    table_of,
)
from falldamage_forge.games.fall_damage.play.targets import aims, reaches


class Ability(NamedTuple):
    """The moves an ability gives a unit, and what one of them does."""

    moves: Callable[[State, int], Iterator[Move]]
    do: Callable[[State, int, Move], None]


@lru_cache(maxsize=50_000)
def act(name: str, **fields: object) -> Move:
    """An action's move; its name is the ability's with spaces."""
    return Move("act", name.replace("-", " "), **fields)  # type: ignore[arg-type]


@lru_cache(maxsize=100)
def _at(name: str) -> Row[Move]:
    """The moves of an ability that is aimed at a surface, by spot."""
    return Row(lambda spot: act(name, spots=(spot,)))


def _area_moves(state: State, index: int, name: str, side: int | None = None) -> Iterator[Move]:
    """Aims of an area ability; areas with nobody (of a side) in them only under `empty_actions`."""
    unit = state.units[index]
    radius, reach = table_of(state, name).radius, reach_of(state, unit, name)
    empty = state.arena.readings.empty_actions == "yes"
    near, aimed = None if empty else crowded(state, radius), _at(name)
    for spot in aims(state, unit, reach, name, near):
        if empty or held(state, spot, radius, side):
            yield aimed[spot]


# -- areas -----------------------------------------------------------------------------------------


def _bomb(state: State, index: int, move: Move) -> None:
    table = table_of(state, "bomb")
    burst(state, index, move.spots[0], table.radius, table.amount, 0, False)


def _splash(state: State, index: int, move: Move) -> None:
    unit = state.units[index]
    own = lender(state, unit, "splash")
    tiles = push_of(state, unit)[1] if own.name == unit.card else own.push + unit.push_plus
    number = max(attack_number(state, index, False), 0)
    radius = table_of(state, "splash").radius
    burst(state, index, move.spots[0], radius, number, tiles, is_mage(state, unit))


def _vines(state: State, index: int, move: Move) -> None:
    side = state.units[index].side
    for other in members(state, move.spots[0], table_of(state, "vines").radius):
        if state.units[other].side != side:
            state.units[other].vines = True


def _promo_moves(state: State, index: int) -> Iterator[Move]:
    if _promoted(state, index) or state.arena.readings.empty_actions == "yes":
        yield act("promo")


def _promoted(state: State, index: int) -> list[int]:
    unit = state.units[index]
    reach = reach_of(state, unit, "promo")
    return [
        other
        for other, foe in enumerate(state.units)
        if foe.alive and foe.side != unit.side and in_area_reach(state, unit, foe.spot, reach)
    ]


def _promo(state: State, index: int, move: Move) -> None:
    for other in _promoted(state, index):
        foe = state.units[other]
        foe.promo_by = tuple(sorted({*foe.promo_by, index}))


def _mist_moves(state: State, index: int) -> Iterator[Move]:
    empty = state.arena.readings.empty_actions == "yes"
    for way in range(4):
        if empty or any(not state.units[other].mist for other in _misted(state, index, way)):
            yield act("poison-mist", way=way)


def _misted(state: State, index: int, way: int) -> list[int]:
    spot = state.units[index].spot
    return inside(state, cone(state, spot, way), spot & 15)


def _mist(state: State, index: int, move: Move) -> None:
    for other in _misted(state, index, move.way):
        state.units[other].mist = 1


# -- one other unit --------------------------------------------------------------------------------


def _potion_moves(state: State, index: int) -> Iterator[Move]:
    unit, readings = state.units[index], state.arena.readings
    reach = reach_of(state, unit, "throw-potion")
    for other, target in enumerate(state.units):
        if not target.alive:
            continue
        skeleton = target.card == SKELETON
        if skeleton and (target.side != unit.side or readings.potion_skeletons == "any"):
            wanted = True
        else:
            wanted = target.side == unit.side and not skeleton and _heals(state, index, other)
        if wanted and (other == index or reaches(state, unit, target.spot, reach, "throw-potion")):
            yield act("throw-potion", units=(other,))


def _heals(state: State, index: int, other: int) -> bool:
    """Whether a unit may be healed by another: it lacks health, and is not the healer itself."""
    target, readings = state.units[other], state.arena.readings
    if other == index and readings.heal_self == "no":
        return False
    return target.health < target.max_health or readings.empty_actions == "yes"


def _potion(state: State, index: int, move: Move) -> None:
    target, amount = state.units[move.units[0]], table_of(state, "throw-potion").amount
    if target.card == SKELETON:
        harm(state, move.units[0], amount, "other", index)
        reap(state)
    else:
        heal(state, move.units[0], amount)


def _bandage_moves(state: State, index: int) -> Iterator[Move]:
    unit = state.units[index]
    reach = reach_of(state, unit, "bandage")
    for other, target in enumerate(state.units):
        if not target.alive or target.side != unit.side or not _heals(state, index, other):
            continue
        if other == index or reaches(state, unit, target.spot, reach, "bandage"):
            yield act("bandage", units=(other,))


def _bandage(state: State, index: int, move: Move) -> None:
    heal(state, move.units[0], table_of(state, "bandage").amount)


def _syringe_moves(state: State, index: int) -> Iterator[Move]:
    unit, empty = state.units[index], state.arena.readings.empty_actions == "yes"
    reach = reach_of(state, unit, "syringe")
    for other, target in enumerate(state.units):
        near = target.alive and reaches(state, unit, target.spot, reach, "syringe")
        if near and target.side != unit.side and (empty or not target.syringe):
            yield act("syringe", units=(other,))


def _syringe(state: State, index: int, move: Move) -> None:
    state.units[move.units[0]].syringe = True


def _werewolf(state: State, index: int, move: Move) -> None:
    unit = state.units[index]
    unit.card = table_of(state, "werewolf").becomes
    unit.stats = tuple(pair for pair in unit.stats if pair[0] not in ("A", "R"))


# -- the Space Mage --------------------------------------------------------------------------------


def _swap_moves(state: State, index: int) -> Iterator[Move]:
    unit = state.units[index]
    reach = reach_of(state, unit, "swap")
    near = [
        other
        for other, target in enumerate(state.units)
        if target.alive and other != index and reaches(state, unit, target.spot, reach, "swap")
    ]
    if state.arena.readings.swap_self == "yes":
        near = sorted([*near, index])
    for pair in combinations(near, 2):
        yield act("swap", units=pair)


def _swap(state: State, index: int, move: Move) -> None:
    one, other = move.units
    state.exchange(one, other)
    state.owe(("rest", one, False), ("rest", other, False))


def _catch_moves(state: State, index: int) -> Iterator[Move]:
    unit = state.units[index]
    reach = reach_of(state, unit, "catch")
    for other, foe in enumerate(state.units):
        if not foe.alive or foe.side == unit.side:
            continue
        if _behind(state, unit, foe) is not None and reaches(state, unit, foe.spot, reach, "catch"):
            yield act("catch", units=(other,))


def _behind(state: State, mage: Unit, foe: Unit) -> int | None:
    """Where an enemy lands behind the mage: the tile as far off on the other side."""
    ground, reading = ground_of(state), state.arena.rules.catch_level
    row = 2 * (mage.spot >> 10) - (foe.spot >> 10)
    col = 2 * (mage.spot >> 4 & 63) - (foe.spot >> 4 & 63)
    if not (0 <= row < ground.land.rows and 0 <= col < ground.land.cols):
        return None
    tile = row << 6 | col
    if reading == "fall":
        air = tile << 4 | foe.spot & 15
        where = surface_of(air)
        open_air = ground.terrain.free(where.tile, where.level, where.level + 1)
        return air if open_air and air not in state.occupied else None
    free = [
        spot for level in ground.levels[tile] if (spot := tile << 4 | level) not in state.occupied
    ]
    if reading == "nearest":
        return min(free, key=lambda s: (abs((s & 15) - (foe.spot & 15)), -(s & 15)), default=None)
    return max(free, default=None)


def _catch(state: State, index: int, move: Move) -> None:
    other = move.units[0]
    end = _behind(state, state.units[index], state.units[other])
    if end is None:
        return
    state.put(other, end)
    if state.arena.rules.catch_level == "fall":
        state.owe(("drop_unit", other, is_mage(state, state.units[index]), index))
    else:
        state.owe(("rest", other, False))


# -- the Brick Mage --------------------------------------------------------------------------------


def _brick_tiles(state: State, index: int, name: str) -> Iterable[int]:
    unit = state.units[index]
    return aims(state, unit, reach_of(state, unit, name), name, state.land.brickable)


def _scaffold_moves(state: State, index: int) -> Iterator[Move]:
    return map(_at("scaffold").__getitem__, _brick_tiles(state, index, "scaffold"))


def _scaffold(state: State, index: int, move: Move) -> None:
    terrain.lay(state, index, (move.spots[0] >> 4,), table_of(state, "scaffold").amount)


def _partition_moves(state: State, index: int) -> Iterator[Move]:
    count, memo = table_of(state, "partition").tiles, ground_of(state).memo
    if "partition" not in memo:
        memo["partition"] = Row(partial(_partitions, state.land.brickable, count))
    moves: Row[list[Move]] = memo["partition"]  # type: ignore[assignment]
    for spot in _brick_tiles(state, index, "partition"):
        yield from moves[spot]


def _partitions(brickable: frozenset[int], count: int, spot: int) -> list[Move]:
    """Partitions that begin at a surface."""
    return [
        act("partition", spots=(spot,), way=way)
        for way, tiles in _runs(spot >> 4, count)
        if brickable.issuperset(tiles)
    ]


@lru_cache(maxsize=50_000)
def _runs(tile: int, count: int) -> list[tuple[int, list[int]]]:
    """The ways from a tile, each with so many tiles along it; north and south may leave a board."""
    runs = [(way, [tile + step * n for n in range(count)]) for way, step in enumerate(STEPS)]
    return [(way, tiles) for way, tiles in runs if way in (0, 2) or tiles[-1] >> 6 == tile >> 6]


def _partition(state: State, index: int, move: Move) -> None:
    table = table_of(state, "partition")
    first, step = move.spots[0] >> 4, STEPS[move.way]
    tiles = tuple(first + step * count for count in range(table.tiles))
    terrain.lay(state, index, tiles, table.amount)


def _spring_moves(state: State, index: int) -> Iterator[Move]:
    for move in trap_moves(state, index, reach_of(state, state.units[index], "spring-trap")):
        yield move._replace(kind="act", name="spring trap")


def _spring(state: State, index: int, move: Move) -> None:
    place_trap(state, index, "spring", move)


def _areas(name: str) -> Callable[[State, int], Iterator[Move]]:
    return lambda state, index: _area_moves(state, index, name)


def _vines_moves(state: State, index: int) -> Iterator[Move]:
    return _area_moves(state, index, "vines", 1 - state.units[index].side)


def _werewolf_moves(state: State, index: int) -> Iterator[Move]:
    yield act("werewolf")


ABILITIES: dict[str, Ability] = {
    "bomb": Ability(_areas("bomb"), _bomb),
    "spring-trap": Ability(_spring_moves, _spring),
    "splash": Ability(_areas("splash"), _splash),
    "swap": Ability(_swap_moves, _swap),
    "catch": Ability(_catch_moves, _catch),
    "scaffold": Ability(_scaffold_moves, _scaffold),
    "partition": Ability(_partition_moves, _partition),
    "vines": Ability(_vines_moves, _vines),
    "werewolf": Ability(_werewolf_moves, _werewolf),
    "raise": Ability(raise_moves, raise_bodies),
    "promo": Ability(_promo_moves, _promo),
    "throw-potion": Ability(_potion_moves, _potion),
    "bandage": Ability(_bandage_moves, _bandage),
    "poison-mist": Ability(_mist_moves, _mist),
    "syringe": Ability(_syringe_moves, _syringe),
}


def abilities_of(state: State, unit: Unit) -> tuple[str, ...]:
    """The abilities with moves that a unit has, in their order here."""
    extra = unit.extra_ability
    return _with_moves(card_of(state, unit).abilities, extra[0] if extra else "")


@lru_cache(maxsize=5_000)
def _with_moves(abilities: tuple[str, ...], extra: str) -> tuple[str, ...]:
    return tuple(name for name in ABILITIES if name in abilities or name == extra)
