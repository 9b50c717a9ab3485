"""Single-use items: what treasure left with a unit, used as an Action."""

from __future__ import annotations

from collections.abc import Iterator

from falldamage_forge.games.fall_damage.play.areas import burst, crowded, held
from falldamage_forge.games.fall_damage.play.choices import _elixir, _elixir_moves
from falldamage_forge.games.fall_damage.play.effects import fronts, way_between
from falldamage_forge.games.fall_damage.play.kit import Treasure
from falldamage_forge.games.fall_damage.play.moves import Move
from falldamage_forge.games.fall_damage.play.state import State, Zone
from falldamage_forge.games.fall_damage.play.stats import (
    ground_of,
    height_number,
    is_mage,
    melee_near,
    push_of,
)
from falldamage_forge.games.fall_damage.play.strike import Blow, blow
from falldamage_forge.games.fall_damage.play.targets import aims, in_sight, needs_sight


def item_moves(state: State, index: int) -> Iterator[Move]:
    """Every use of every item a unit carries."""
    for name in sorted(set(state.units[index].items)):
        item = state.arena.kit.called(name)
        if name == "elixir":
            for move in _elixir_moves(state, index):
                yield Move("act", "elixir", word=move.name)
        elif item.radius:
            yield from _aimed(state, index, item)
        else:
            yield from _struck(state, index, item)


def _aimed(state: State, index: int, item: Treasure) -> Iterator[Move]:
    unit = state.units[index]
    empty = not item.attack or state.arena.readings.empty_actions == "yes"
    near = None if empty else crowded(state, item.radius)
    for spot in aims(state, unit, item.reach, item.name, near):
        if empty or held(state, spot, item.radius):
            yield Move("act", item.name, spots=(spot,))


def _struck(state: State, index: int, item: Treasure) -> Iterator[Move]:
    unit = state.units[index]
    friends = state.arena.readings.attack_friends == "yes"
    for other, foe in enumerate(state.units):
        if not foe.alive or other == index or (foe.side == unit.side and not friends):
            continue
        if item.reach <= 1:
            near = melee_near(state, unit.spot, foe.spot)
        else:
            near = state.arena.reach(unit.spot, item.reach)[foe.spot] and (
                not needs_sight(state, unit, item.name) or in_sight(state, unit.spot, foe.spot)
            )
        # "uphill Attack only"
        if item.name == "cannon" and (foe.spot & 15) <= (unit.spot & 15):
            near = False
        if near:
            ways: tuple[int, ...] = (-1,)
            if item.push and state.arena.rules.push_diag == "attacker_chooses":
                both = fronts(state, unit.spot, foe.spot)
                ways = both if len(both) > 1 else ways
            for way in ways:
                yield Move("act", item.name, (other,), (), -1, way)


def use_item(state: State, index: int, move: Move) -> None:
    """Use one item up."""
    unit, item = state.units[index], state.arena.kit.called(move.name)
    left = list(unit.items)
    left.remove(item.name)
    unit.items = tuple(left)
    state.note("item", index, item.name)
    if item.name == "elixir":
        _elixir(state, Move("choice", move.word), index)
    elif item.name == "quicksand":
        around = state.arena.circle(move.spots[0] >> 4, item.radius)
        tiles = frozenset(tile for tile in around if tile in ground_of(state).levels)
        state.zones = (*state.zones, Zone("quicksand", tiles))
    elif item.radius:
        tiles_pushed = int(item.push[1:]) if item.push else 0
        mage = is_mage(state, unit)
        burst(state, index, move.spots[0], item.radius, item.attack, tiles_pushed, mage)
    else:
        _strike(state, index, move, item)


def _strike(state: State, index: int, move: Move, item: Treasure) -> None:
    """An item's attack: its own numbers, and only the height beside them."""
    unit, target = state.units[index], move.units[0]
    spot, melee = state.units[target].spot, item.reach <= 1
    letter, tiles = (item.push[0], int(item.push[1:])) if item.push else ("", 0)
    if melee and state.arena.readings.knife_push == "own":
        letter, tiles = push_of(state, unit)
    number = item.attack
    if melee or state.reversal_round == state.round:
        number += height_number(state, unit.spot, spot, melee)
    way = way_between(state, unit.spot, spot, letter, move.way) if letter in tuple("BRL") else -1
    state.note("attack", index, target)
    blow(state, Blow(index, target, max(number, 0), melee, letter, way, tiles))
