"""What a move is worth to a bot that looks one step ahead: damage, falls, deaths, ground gained.

Numbers are in health: a point of damage is worth 1, a unit removed `KILL` more. They were set by
playing, not by the rules; `docs/playtest.md` tells how far the bots can be trusted.
"""

from __future__ import annotations

from functools import lru_cache

from falldamage_forge.board import DIRECTIONS
from falldamage_forge.games.fall_damage.play.areas import cone, inside, members
from falldamage_forge.games.fall_damage.play.effects import fronts, way_between
from falldamage_forge.games.fall_damage.play.gait import Gait
from falldamage_forge.games.fall_damage.play.ground import Ground
from falldamage_forge.games.fall_damage.play.kept import Row
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.spots import surface_of
from falldamage_forge.games.fall_damage.play.state import State, Unit
from falldamage_forge.games.fall_damage.play.stats import (
    attack_number,
    fixed,
    gait_of,
    ground_of,
    has,
    height_number,
    is_mage,
    is_melee,
    lender,
    melee_near,
    printed,
    push_of,
    reach_of,
    table_of,
)
from falldamage_forge.games.fall_damage.push import Victim, slide_unit

KILL = 6.0
CHEST = 2.5
FAR = 99
KEPT_WAYS = 100

FLAT = {
    "vines": 1.4, "promo": 0.6, "poison mist": 1.6, "syringe": 4.0, "raise": 5.0, "werewolf": 2.2,
    "spring trap": 0.4, "catch": 0.5, "scaffold": 0.3, "partition": 0.2, "quicksand": 0.3,
}  # fmt: skip
"""Worth of what is no damage at once: for each enemy it holds, or for itself."""


class Costs(dict[int, int]):
    """What it costs to get to surfaces; FAR to those that are not in it."""

    def __missing__(self, spot: int) -> int:
        return FAR


class Lore:
    """What bots remember of one ground: falls by pushes, distances, threatened surfaces."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.falls: dict[tuple[int, int, int, int, bool, bool], tuple[int, bool]] = {}
        self.walks: dict[tuple[Gait, int], Costs] = {}
        self.ways: dict[tuple[Gait, frozenset[int]], Row[int]] = {}
        self.threats: dict[tuple[Gait, int, int, int], frozenset[int]] = {}

    def fall(
        self, spot: int, way: int, tiles: int, level: int, mage: bool, light: bool
    ) -> tuple[int, bool]:
        """Damage of a push on an empty board, and whether it kills outright."""
        key = (spot, way, tiles, level, mage, light)
        if key not in self.falls:
            pushed = slide_unit(
                self.ground.terrain, surface_of(spot), DIRECTIONS[way], tiles,
                self.ground.options, victim=Victim(no_fall=light), mage=mage, attacker_level=level,
            )  # fmt: skip
            self.falls[key] = (pushed.damage, pushed.dead)
        return self.falls[key]

    def walk(self, gait: Gait, start: int) -> Costs:
        """Move it costs to get from a surface to each other, nobody in the way."""
        key = (gait, start)
        if key not in self.walks:
            best = Costs({start: 0})
            buckets: list[list[int]] = [[start]]
            cost = 0
            while cost < len(buckets):
                for spot in buckets[cost]:
                    if best[spot] < cost:
                        continue
                    for step in self.ground.steps_from(spot, gait):
                        further = cost + step.cost + step.damage
                        if further < best[step.to]:
                            best[step.to] = further
                            while len(buckets) <= further:
                                buckets.append([])
                            buckets[further].append(step.to)
                cost += 1
            self.walks[key] = best
        return self.walks[key]

    def nearest(self, gait: Gait, goals: frozenset[int]) -> Row[int]:
        """Move it costs from a surface to the nearest of some others, nobody in the way."""
        key = (gait, goals)
        found = self.ways.get(key)
        if found is None:
            if len(self.ways) >= KEPT_WAYS:
                self.ways.clear()
            found = self.ways[key] = Row(
                lambda spot: min(map(self.walk(gait, spot).__getitem__, goals), default=0)
            )
        return found

    def threat(self, gait: Gait, move: int, reach: int, start: int) -> frozenset[int]:
        """Surfaces that a unit can strike in its next activation, nobody in the way."""
        key = (gait, move, reach, start)
        if key not in self.threats:
            found: set[int] = set()
            for spot, cost in self.walk(gait, start).items():
                if cost <= move:
                    found.update(self.ground.aims(spot, reach))
            self.threats[key] = frozenset(found)
        return self.threats[key]


@lru_cache(maxsize=16)
def _lore(ground: Ground) -> Lore:
    return Lore(ground)


def lore_of(state: State) -> Lore:
    """What is remembered of the map's own ground.

    Bricks and craters are left aside: a bot's guess need not be right, and this one is kept.
    """
    return _lore(state.arena.base)


def hurt(unit: Unit, damage: int) -> float:
    """Worth of some damage to an enemy."""
    if damage <= 0:
        return 0.0
    return damage + KILL if damage >= unit.health else float(damage)


def pushed(
    state: State, foe: Unit, way: int, tiles: int, level: int, mage: bool
) -> tuple[int, bool]:
    """What a push does to a unit where it stands, others left aside."""
    if way < 0 or tiles <= 0 or fixed(state, foe):
        return 0, False
    return lore_of(state).fall(foe.spot, way, tiles, level, mage, has(state, foe, "no-fall"))


def strike(
    state: State, index: int, target: int, spot: int, damage: int, push: tuple[str, int]
) -> float:
    """Worth of a blow on an enemy from a surface: damage, then the fall its push leads to."""
    unit, foe = state.units[index], state.units[target]
    if damage >= foe.health:
        return hurt(foe, damage)
    letter, tiles = push
    fall, dead = 0, False
    if letter in ("B", "L", "R") and letter:
        way = way_between(state, spot, foe.spot, letter)
        fall, dead = pushed(state, foe, way, tiles, spot & 15, is_mage(state, unit))
    if dead:
        return foe.health + KILL
    worth = hurt(foe, damage + fall)
    if has(state, foe, "counter") and damage > 0 and spot_near(state, foe, spot):
        worth -= min(printed(state, foe, "A"), unit.health) * 0.7
    if foe.thorns and spot_near(state, foe, spot):
        worth -= 3
    return worth


def spot_near(state: State, foe: Unit, spot: int) -> bool:
    """Whether a surface is in melee reach of a unit."""
    return melee_near(state, foe.spot, spot)


class Arm:
    """A unit's plain Attack as it would be from any surface; sight is guessed."""

    def __init__(self, state: State, index: int, foes: list[int]) -> None:
        self.state, self.index = state, index
        self.ground = ground_of(state)
        unit, reach = state.units[index], reach_of(state, state.units[index])
        self.reach, self.push = max(reach, 1), push_of(state, unit)
        self.blind = reach <= 1 or has(state, unit, "arrows-arc") or unit.no_sight_needed
        self.others = state.occupied.keys() - {unit.spot}
        self.numbers = [attack_number(state, index, melee) for melee in (False, True)]
        self.foes = [
            (foe, state.units[foe].spot, reach <= 1 or is_melee(state, unit, state.units[foe].spot))
            for foe in foes
        ]

    def best(self, spot: int) -> float:
        """Worth of the best attack from a surface."""
        state, best = self.state, 0.0
        near = state.arena.reach(spot, self.reach)
        for target, at, melee in self.foes:
            if near[at] and (self.blind or self.sees(spot, at)):
                number = self.numbers[melee] + height_number(state, spot, at, melee)
                worth = strike(state, self.index, target, spot, max(number, 0), self.push)
                best = max(best, worth)
        return best

    def sees(self, spot: int, at: int) -> bool:
        """Whether a line between two surfaces is open once the unit has left its own."""
        closers = self.ground.lines(spot)[at]
        return closers is not None and self.others.isdisjoint(closers)


# -- actions ---------------------------------------------------------------------------------------


def action_worth(state: State, index: int, move: Move) -> float:
    """Worth of an action that is legal now."""
    unit, name = state.units[index], move.name
    if name.startswith("attack"):
        return _attack_worth(state, index, move)
    if name in ("bomb", "grenade", "splash"):
        return _area_worth(state, index, move)
    if name in ("throw potion", "bandage"):
        return _healing_worth(state, unit, move)
    if name in ("knife", "cannon", "celestial-cannon"):
        item = state.arena.kit.called(name)
        push = (item.push[0], int(item.push[1:])) if item.push else ("", 0)
        return strike(state, index, move.units[0], unit.spot, item.attack, push)
    if name == "poison mist":
        hit = inside(state, cone(state, unit.spot, move.way), unit.spot & 15)
        fresh = [state.units[other] for other in hit if not state.units[other].mist]
        return FLAT[name] * sum(1 if foe.side != unit.side else -1 for foe in fresh)
    if name == "vines":
        hit = members(state, move.spots[0], table_of(state, "vines").radius)
        foes = [state.units[o] for o in hit if state.units[o].side != unit.side]
        return FLAT[name] * sum(not foe.vines and not foe.activated for foe in foes)
    if name == "promo":
        return FLAT[name] * sum(foe.alive and foe.side != unit.side for foe in state.units) / 2
    if name == "raise":
        return FLAT[name] * len(move.spots)
    if name in ("scaffold", "partition"):
        return FLAT[name] + _lift_worth(state, unit, move)
    if name == "swap":
        return _swap_worth(state, unit, move)
    return FLAT.get(name, 0.1)


def _attack_worth(state: State, index: int, move: Move) -> float:
    if not move.units:
        return _siege_worth(state, index, move)
    unit, target = state.units[index], move.units[0]
    foe = state.units[target]
    melee = is_melee(state, unit, foe.spot)
    number = attack_number(state, index, melee, move.name == "attack rooted")
    number += height_number(state, unit.spot, foe.spot, melee)
    worth = strike(state, index, target, unit.spot, max(number, 0), push_of(state, unit))
    return worth - (0.3 if move.name == "attack rooted" else 0.0)


def _siege_worth(state: State, index: int, move: Move) -> float:
    """Shooting at terrain: of use when an enemy stands on a bridge that breaks."""
    unit = state.units[index]
    kind, name = move.word.split()
    if kind != "deck":
        return 0.02
    deck = state.land.decks[int(name)]
    worn = dict(state.scars).get(f"deck {name}", 0) + attack_number(state, index, False)
    if deck is None or worn < 5:
        return 0.05
    worth = 0.0
    for other in state.units:
        where = surface_of(other.spot) if other.alive else None
        if where and where.level == deck.level and where.tile in deck.tiles:
            below = ground_of(state).column(other.spot >> 4).level
            worth += (1 if other.side != unit.side else -1) * hurt(other, deck.level - below)
    return worth


def _area_worth(state: State, index: int, move: Move) -> float:
    unit, aim = state.units[index], move.spots[0]
    mage = is_mage(state, unit)
    if move.name == "grenade":
        item = state.arena.kit.called("grenade")
        radius, damage, tiles = item.radius, item.attack, int(item.push[1:])
    elif move.name == "bomb":
        table = table_of(state, "bomb")
        radius, damage, tiles = table.radius, table.amount, 0
    else:
        card = lender(state, unit, "splash")
        radius = table_of(state, "splash").radius
        damage, tiles = max(attack_number(state, index, False), 0), card.push + unit.push_plus
    worth = 0.0
    for other in members(state, aim, radius):
        foe = state.units[other]
        way = -1 if foe.spot >> 4 == aim >> 4 else fronts(state, aim, foe.spot)[0]
        fall, dead = pushed(state, foe, way, tiles, unit.spot & 15, mage) if tiles else (0, False)
        one = foe.health + KILL if dead else hurt(foe, damage + fall)
        worth += one if foe.side != unit.side else -1.3 * one
    return worth


def _healing_worth(state: State, unit: Unit, move: Move) -> float:
    other = state.units[move.units[0]]
    amount = table_of(state, move.name.replace(" ", "-")).amount
    if other.side != unit.side or (other.card == "skeleton" and move.name == "throw potion"):
        return hurt(other, amount) if other.side != unit.side else -float(amount)
    return 0.8 * min(amount, other.max_health - other.health)


def _lift_worth(state: State, unit: Unit, move: Move) -> float:
    other = state.occupied.get(move.spots[0], -1)
    if other < 0:
        return 0.0
    high = 3.0 if move.name == "scaffold" else 2.0
    return high if state.units[other].side != unit.side else -high


def _swap_worth(state: State, unit: Unit, move: Move) -> float:
    """Friends like it high, enemies are liked low."""
    one, other = (state.units[i] for i in move.units)
    if one.side == other.side:
        return -0.1
    friend, foe = (one, other) if one.side == unit.side else (other, one)
    return 0.4 * ((foe.spot & 15) - (friend.spot & 15)) - 0.2


def gait_and_move(state: State, unit: Unit) -> tuple[Gait, int]:
    """How far a unit usually walks."""
    move = printed(state, unit, "M")
    if move > 20:
        move = 4
    return gait_of(state, unit), max(move + unit.move_plus - unit.mist_rounds, 0)
