"""What happens to units: harm, healing, death, falls, pushes, coming to rest.

Each function takes the state it changes; what may have to wait for a decision is owed as a task.
"""

from __future__ import annotations

from collections.abc import Iterable

from falldamage_forge.board import DIRECTIONS
from falldamage_forge.board import Ground as Kind
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage import push as pushing
from falldamage_forge.games.fall_damage.play.ground import Ground
from falldamage_forge.games.fall_damage.play.spots import (
    NOWHERE,
    apart,
    spot_of,
    surface_of,
    tile_of,
)
from falldamage_forge.games.fall_damage.play.state import Body, State
from falldamage_forge.games.fall_damage.play.stats import fixed, ground_of, has
from falldamage_forge.games.fall_damage.play.tasks import task


def harm(state: State, index: int, amount: int, cause: str, by: int = -1) -> None:
    """Take health away; whoever is down to nothing falls at the next `reap`.

    Song and Promo end with any loss of health, whatever took it.
    """
    unit = state.units[index]
    if amount <= 0 or unit.spot == NOWHERE:
        return
    unit.health -= amount
    state.note("harm", index, amount, cause, by, unit.spot)
    if has(state, unit, "song"):
        unit.song_off = True
    if has(state, unit, "promo"):
        end_promo(state, index)


def heal(state: State, index: int, amount: int) -> None:
    """Give health back, up to the maximum."""
    unit = state.units[index]
    if unit.spot != NOWHERE:
        unit.health = max(unit.health, min(unit.health + amount, unit.max_health))


def end_promo(state: State, index: int) -> None:
    """This unit's Promo holds nobody any more."""
    for unit in state.units:
        if index in unit.promo_by:
            unit.promo_by = tuple(by for by in unit.promo_by if by != index)


def reap(state: State) -> None:
    """Remove everybody without health."""
    for index, unit in enumerate(state.units):
        if unit.spot != NOWHERE and unit.health <= 0:
            kill(state, index, "harm")


def kill(state: State, index: int, cause: str, by: int = -1) -> None:
    """Remove one unit: a body stays where it stood, its items are lost, what it carried lies."""
    unit = state.units[index]
    if unit.spot == NOWHERE:
        return
    spot = unit.spot
    state.note("die", index, spot, cause, by)
    if unit.carries:
        unit.carries, state.prize = False, spot
    state.put(index, NOWHERE)
    unit.health, unit.items = 0, ()
    state.bodies = (*state.bodies, Body(index, spot))
    end_promo(state, index)


# -- falls -----------------------------------------------------------------------------------------


def fall_number(state: State, index: int, drop: int, wet: bool, mage: bool) -> int:
    """Damage of an involuntary fall: a level each, 2 more by a Mage, none into water."""
    if drop <= 0 or wet or has(state, state.units[index], "no-fall"):
        return 0
    return drop + (pushing.MAGE_BONUS if mage else 0)


def rest_spot(state: State, tile: int, level: int) -> int | None:
    """Where one comes down when the floor went and the place below is taken; None: nowhere."""
    free = (
        spot for spot in ground_of(state).spots if spot & 15 <= level and spot not in state.occupied
    )
    return min(free, key=lambda s: (apart(s, tile << 4), -(s & 15), s >> 4), default=None)


@task("drop_unit")
def drop_unit(state: State, index: int, mage: bool, by: int) -> None:
    """A unit that hangs in the air falls, and what lies where it comes down happens."""
    if fall(state, index, mage, by):
        state.owe(("rest", index, False))


def fall(state: State, index: int, mage: bool, by: int) -> bool:
    """A unit whose floor went falls to the next top below, or to the nearest place that is free.

    Gives whether it lives, and still has to come to rest there.
    """
    unit = state.units[index]
    if unit.spot == NOWHERE:
        return False
    ground, tile, level = ground_of(state), unit.spot >> 4, unit.spot & 15
    below = ground.terrain.highest_below(tile_of(tile), level)
    end = tile << 4 | below if below is not None else NOWHERE
    if end in ground.lava and not unit.discorporate:
        kill(state, index, "lava", by)
        return False
    stands = end in ground.stand or end in ground.lava
    if not stands or (end != unit.spot and end in state.occupied):
        found = rest_spot(state, tile, level)
        if found is None:
            kill(state, index, "fall", by)
            return False
        end = found
    damage = fall_number(state, index, level - (end & 15), end in ground.wet, mage)
    state.put(index, end)
    harm(state, index, damage, "fall", by)
    reap(state)
    return state.units[index].spot != NOWHERE


def drop_things(state: State, spots: Iterable[int]) -> None:
    """Chests and the Icon or Bomb come down with the floor that went; on lava they are lost."""
    ground = ground_of(state)
    for spot in spots:
        below = ground.terrain.highest_below(tile_of(spot >> 4), spot & 15)
        end = spot >> 4 << 4 | below if below is not None else NOWHERE
        lost = end == NOWHERE or end in ground.lava
        if spot in state.chests:
            kept = list(state.chests)
            kept.remove(spot)
            state.chests = tuple(sorted(kept if lost else [*kept, end]))
        if spot == state.prize and not lost:
            state.prize = end


# -- pushes ----------------------------------------------------------------------------------------


def fronts(state: State, attacker: int, target: int) -> tuple[int, ...]:
    """Ways (0 north to 3 west) a unit on one surface may face another: none, one, or two.

    Two on an exact diagonal that is the attacker's to choose (option `push_diag`); the axis of
    columns comes first and is taken where nobody is asked.
    """
    rows = (target >> 10) - (attacker >> 10)
    cols = (target >> 4 & 63) - (attacker >> 4 & 63)
    across, along = (1 if cols > 0 else 3), (2 if rows > 0 else 0)
    if (rows, cols) == (0, 0):
        return ()
    if abs(rows) == abs(cols):
        open_choice = state.arena.rules.push_diag == "attacker_chooses"
        return (across, along) if open_choice else (across,)
    return (across,) if abs(cols) > abs(rows) else (along,)


def way_between(state: State, attacker: int, target: int, letter: str, front: int = -1) -> int:
    """Direction of a push (0 north to 3 west) from one surface on another; -1: none."""
    if front < 0:
        facing = fronts(state, attacker, target)
        if not facing:
            return -1
        front = facing[0]
    return (front + {"B": 0, "R": 1, "L": 3}[letter]) % 4


@task("push")
def push(
    state: State,
    index: int,
    way: int,
    tiles: int,
    level: int | None,
    mage: bool,
    stood: int,
    by: int,
) -> None:
    """Push a unit that still stands where it stood. Without the attacker's level nobody climbs."""
    unit = state.units[index]
    if unit.spot != stood or unit.spot == NOWHERE or way < 0 or tiles <= 0 or fixed(state, unit):
        return
    ground, rules = ground_of(state), state.arena.rules
    taken = frozenset(surface_of(spot) for spot in state.occupied if spot != stood)
    victim = pushing.Victim(no_fall=has(state, unit, "no-fall"), no_lava=unit.discorporate)
    pushed = pushing.slide_unit(
        ground.terrain, surface_of(stood), DIRECTIONS[way], tiles, rules,
        taken=taken, victim=victim, mage=mage, attacker_level=level,
    )  # fmt: skip
    if pushed.end is None:
        last = pushed.path[-1] if pushed.path else surface_of(stood)
        state.put(index, spot_of(last))
        kill(state, index, _killer(ground, pushed.path, stood, way), by)
        return
    end = spot_of(pushed.end)
    if end == stood:
        return
    state.put(index, end)
    state.note("pushed", index, stood, end, pushed.damage, by)
    harm(state, index, pushed.damage, "fall", by)
    reap(state)
    if state.units[index].spot != NOWHERE:
        state.owe(("rest", index, False))


def _killer(ground: Ground, path: tuple[Surface, ...], stood: int, way: int) -> str:
    """Whether a push that kills ended in lava or off the board."""
    last = path[-1].tile if path else tile_of(stood >> 4)
    near = last.step(DIRECTIONS[way])
    board = ground.terrain.board
    column = board.column(near) if near in board else None
    here = board.column(last) if last in board else None
    lava = any(c is not None and c.ground is Kind.LAVA for c in (column, here))
    return "lava" if lava or near in board else "fall"


# -- coming to rest --------------------------------------------------------------------------------


@task("rest")
def rest(state: State, index: int, own_move: bool) -> None:
    """Lava, then hidden items, then a chest: for whoever has come to rest on a surface."""
    unit = state.units[index]
    if unit.spot == NOWHERE:
        return
    if unit.spot in ground_of(state).lava and not unit.discorporate:
        kill(state, index, "lava")
        return
    if state.arena.readings.enter_by == "move" and not own_move:
        return
    touch(state, index, unit.spot, resting=True)


def touch(state: State, index: int, spot: int, resting: bool) -> None:
    """Set off what lies on a surface; `resting` says the unit still has to be there for it."""
    for item in state.hidden:
        if item.tile == spot >> 4 and item.level in (-1, spot & 15):
            again = ("still", index, spot) if resting else ("touch", index, spot)
            state.hidden = tuple(other for other in state.hidden if other is not item)
            state.note("sprung", index, spot, item.kind)
            if item.kind == "spring":
                state.owe(("land", index, item.side, spot, item.unit), again)
            else:
                amount = state.arena.kit.called("ancestral-aid").amount
                state.owe(("bite", index, amount), again)
            return
    if spot in state.chests:
        kept = list(state.chests)
        kept.remove(spot)
        state.chests = tuple(kept)
        state.note("chest", index, spot)
        state.owe(("open", index))


@task("still")
def _still(state: State, index: int, spot: int) -> None:
    """Who is still there meets what else lies there."""
    if state.units[index].spot == spot:
        touch(state, index, spot, resting=True)


@task("touch")
def _touch(state: State, index: int, spot: int) -> None:
    """What is passed on the way (`treasure_trigger pass`)."""
    if state.units[index].alive:
        touch(state, index, spot, resting=False)


@task("bite")
def bite(state: State, index: int, amount: int) -> None:
    """Plain harm that nobody strikes for: a hidden item, a box."""
    harm(state, index, amount, "other")
    reap(state)
