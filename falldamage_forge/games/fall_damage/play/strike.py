"""The plain Attack, step by step, and every other single-target attack that follows its order.

Numbers and directions are fixed before anybody is hurt: a Counter may move people, and the push
that was meant must not turn with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from falldamage_forge.games.fall_damage.play.effects import (
    end_promo,
    fronts,
    harm,
    kill,
    reap,
    way_between,
)
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.spots import STEPS
from falldamage_forge.games.fall_damage.play.state import State, Task, Unit
from falldamage_forge.games.fall_damage.play.stats import (
    attack_number,
    beside,
    fixed,
    has,
    height_number,
    is_mage,
    is_melee,
    lender,
    may_attack,
    printed,
    push_of,
    table_of,
)
from falldamage_forge.games.fall_damage.play.targets import Piece, pieces, strikes, struck
from falldamage_forge.games.fall_damage.play.tasks import question, task

__all__ = ["attack_moves", "begin_attack", "blow"]


def attack_moves(state: State, index: int) -> list[Move]:
    """Every plain Attack of the active unit."""
    unit = state.units[index]
    if not may_attack(state, unit):
        return []
    names = ["attack"]
    if has(state, unit, "rooted") and not unit.moved and state.active == index:
        names.append("attack rooted")
    friends = state.arena.readings.attack_friends == "yes"
    found = []
    spots = [
        spot
        for spot, other in state.occupied.items()
        if other != index and (friends or state.units[other].side != unit.side)
    ]
    for spot in struck(state, unit, spots):
        for front in _fronts_to_choose(state, unit, spot):
            found += [_attack(name, state.occupied[spot], front) for name in names]
    for piece in pieces(state, unit):
        found += [_siege(name, piece) for name in names]
    return found


@lru_cache(maxsize=5_000)
def _attack(name: str, other: int, front: int) -> Move:
    return Move("act", name, (other,), way=front)


@lru_cache(maxsize=50_000)
def _siege(name: str, piece: Piece) -> Move:
    return Move("act", name, spots=(piece.spot,), word=piece.word)


def _fronts_to_choose(state: State, unit: Unit, spot: int) -> tuple[int, ...]:
    if state.arena.rules.push_diag != "attacker_chooses" or push_of(state, unit)[0] in ("", "F"):
        return (-1,)
    ways = fronts(state, unit.spot, spot)
    return ways if len(ways) > 1 else (-1,)


def begin_attack(
    state: State, index: int, target: int, *, rooted: bool = False, front: int = -1,
    counter: bool = False,
) -> None:  # fmt: skip
    """Steps 1 and 2 of a plain Attack on a unit: number and direction are fixed; then the blow."""
    unit, other = state.units[index], state.units[target]
    melee = is_melee(state, unit, other.spot)
    letter, tiles = push_of(state, unit)
    if counter:
        card = lender(state, unit, "counter")
        if card.name != unit.card:
            letter, tiles, melee = card.letter, card.push + unit.push_plus, True
    number = attack_number(state, index, melee, rooted)
    number += height_number(state, unit.spot, other.spot, melee)
    state.note("attack", index, target)
    way = (
        way_between(state, unit.spot, other.spot, letter, front)
        if letter in "BRL" and letter
        else -1
    )
    shove = has(state, unit, "shove")
    blow(state, Blow(index, target, max(number, 0), melee, letter, way, tiles, counter, shove))


@dataclass(frozen=True, slots=True)
class Blow:
    """A single-target attack with all its numbers fixed."""

    attacker: int
    target: int
    damage: int
    melee: bool
    letter: str = ""
    way: int = -1
    tiles: int = 0
    counter: bool = False
    shove: bool = False


def blow(state: State, hit: Blow) -> None:
    """Steps 3 to 5 at once; Counter and push are owed."""
    unit, other = state.units[hit.attacker], state.units[hit.target]
    stood, from_spot = other.spot, unit.spot
    harm(state, hit.target, hit.damage, "attack", hit.attacker)
    if hit.melee and other.thorns:
        amount = state.arena.kit.called("armor-of-thorns").amount
        harm(state, hit.attacker, amount, "other", hit.target)
    reap(state)
    owed: list[Task] = []
    chain = state.arena.readings.counter_chain == "yes"
    if hit.melee and hit.damage > 0 and (chain or not hit.counter):
        owed.append(("counter", hit.target, hit.attacker))
    after: list[Task] = []
    if hit.letter == "F":
        after.append(("swap_tiles", hit.attacker, hit.target, from_spot, stood))
    elif hit.shove:
        after.append(("shove", hit.attacker, hit.target, stood, from_spot, hit.way, hit.tiles))
    elif hit.tiles > 0 and hit.letter:
        level = from_spot & 15
        mage = is_mage(state, unit)
        after.append(("push_by", hit.attacker, hit.target, hit.way, hit.tiles, level, mage, stood))
    if after and state.arena.readings.push_optional == "yes":
        after = [("may_push", hit.attacker, tuple(after[0]))]
    before = state.arena.readings.counter_when == "before_push"
    state.owe(*owed, *after) if before else state.owe(*after, *owed)


@task("counter")
def _counter(state: State, index: int, attacker: int) -> None:
    """Samurai: "gets a free, immediate Attack when receiving melee Damage"."""
    unit, other = state.units[index], state.units[attacker]
    if not (unit.alive and other.alive and has(state, unit, "counter")):
        return
    borrowed = "counter" not in state.arena.card(unit.card).abilities
    near = beside(unit.spot, other.spot) if borrowed else strikes(state, unit, other.spot)
    if near and unit.spot != other.spot:
        state.note("counter", index, attacker)
        begin_attack(state, index, attacker, counter=True)


@task("push_by")
def _push_by(
    state: State,
    attacker: int,
    target: int,
    way: int,
    tiles: int,
    level: int,
    mage: bool,
    stood: int,
) -> None:
    """Step 7: a push needs its pusher."""
    if state.units[attacker].alive or state.arena.readings.dead_pushers == "yes":
        state.owe(("push", target, way, tiles, level, mage, stood, attacker))


@task("swap_tiles")
def _swap_tiles(state: State, attacker: int, target: int, from_spot: int, stood: int) -> None:
    """Assassin: "Attacker & Target swap tiles", if both still stand where they stood."""
    one, other = state.units[attacker], state.units[target]
    if one.spot != from_spot or other.spot != stood or fixed(state, other):
        return
    if not (one.alive and other.alive):
        return
    state.exchange(attacker, target)
    state.owe(*(("rest", index, False) for index in sorted((attacker, target))))


@task("shove")
def _shove(
    state: State, attacker: int, target: int, stood: int, from_spot: int, way: int, tiles: int
) -> None:
    """Shield Bearer: every enemy beside it goes back 1, clockwise from the north."""
    unit = state.units[attacker]
    if not unit.alive and state.arena.readings.dead_pushers == "no":
        return
    spot, level = unit.spot if unit.alive else from_spot, from_spot & 15
    mage = is_mage(state, unit)
    back = table_of(state, "shove").push
    owed: list[Task] = []
    for side, step in enumerate(STEPS):
        for index, other in enumerate(state.units):
            if not other.alive or other.side == unit.side or index == target:
                continue
            if other.spot >> 4 == (spot >> 4) + step and beside(spot, other.spot):
                owed.append(("push", index, side, back, level, mage, other.spot, attacker))
    if target >= 0 and state.units[target].spot == stood and state.units[target].alive:
        first = ("push", target, way, max(tiles, back), level, mage, stood, attacker)
        before = [side for side, step in enumerate(STEPS) if stood >> 4 == (spot >> 4) + step]
        order = before[0] if before else 4
        at = sum(1 for entry in owed if entry[2] < order)
        owed.insert(at, first)
    state.owe(*owed)


# -- a push that may be left out -------------------------------------------------------------------


def _may_push_moves(state: State, attacker: int, owed: Task) -> list[Move]:
    return [Move("choice", "push"), Move("choice", "no push")]


def _may_push(state: State, move: Move, attacker: int, owed: Task) -> None:
    if move.name == "push":
        state.owe(tuple(owed))


question("may_push", _may_push_moves, _may_push, lambda state, a, _: state.units[a].side)

# -- terrain ---------------------------------------------------------------------------------------


def attack_terrain(state: State, index: int, move: Move, rooted: bool) -> None:
    """A plain Attack on a tree, a spire, a bridge or a ladder."""
    unit = state.units[index]
    spot = move.spots[0]
    melee = is_melee(state, unit, spot)
    number = attack_number(state, index, melee, rooted)
    number = max(number + height_number(state, unit.spot, spot, melee), 0)
    kind, name = move.word.split()
    state.note("attack_terrain", index, move.word)
    letter, tiles = push_of(state, unit)
    owed: list[Task] = []
    if kind == "spire":
        way = way_between(state, unit.spot, spot, letter)
        owed.append(("push_spire", spot >> 4, way, tiles, index))
    else:
        owed.append(("wear", kind, name, number, is_mage(state, unit), index))
    if has(state, unit, "shove"):
        owed.append(("shove", index, -1, -1, unit.spot, -1, 0))
    state.owe(*owed)


def value(state: State, unit: Unit) -> int:
    """Attack as printed with what treasure added: what Satiate hands on."""
    return printed(state, unit, "A") + unit.attack_plus


def remove_friend(state: State, index: int) -> None:
    """Take a unit off the board without an attack."""
    end_promo(state, index)
    kill(state, index, "sacrifice")
