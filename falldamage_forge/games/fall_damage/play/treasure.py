"""Treasure: two dice, 36 results, and the decisions that some of them ask for."""

from __future__ import annotations

from collections.abc import Callable

from falldamage_forge.games.fall_damage.moves import UNLIMITED
from falldamage_forge.games.fall_damage.play.choices import ask
from falldamage_forge.games.fall_damage.play.effects import bite
from falldamage_forge.games.fall_damage.play.kit import BEAST, Treasure
from falldamage_forge.games.fall_damage.play.moves import COIN, DIE, Move
from falldamage_forge.games.fall_damage.play.spots import apart
from falldamage_forge.games.fall_damage.play.state import State, Unit
from falldamage_forge.games.fall_damage.play.stats import (
    card_of,
    gait_of,
    has,
    may_attack,
    push_of,
    table_of,
)
from falldamage_forge.games.fall_damage.play.tasks import question, task

Effect = Callable[[State, int, Treasure], None]
EFFECTS: dict[str, Effect] = {}
COLUMN_ORDER = (1, 3, 5, 2, 4, 6)
"""Reading places of the numbers when the grids are counted by columns (option `table_order`)."""


def effect(name: str) -> Callable[[Effect], Effect]:
    """Register what a result does."""

    def register(function: Effect) -> Effect:
        EFFECTS[name] = function
        return function

    return register


# -- the dice --------------------------------------------------------------------------------------


def _dice(state: State, index: int, first: int) -> list[Move]:
    return list(DIE)


def _roll(state: State, move: Move, index: int, first: int) -> None:
    number = int(move.word)
    if not first:
        state.owe(("roll", index, number))
        return
    if state.arena.readings.table_order == "columns":
        number = COLUMN_ORDER[number - 1]
    treasure = state.arena.kit.treasure[f"{first}-{number}"]
    state.note("treasure", index, treasure.name)
    state.owe(("gain", index, treasure.roll))


question("roll", _dice, _roll, lambda *_: -1)


@task("open")
def _open(state: State, index: int) -> None:
    """A chest is open: "the first dice determines which category and the second the effect"."""
    state.owe(("roll", index, 0))


@task("gain")
def _gain(state: State, index: int, roll: str) -> None:
    """The result takes hold of the finder, or a Hero's item goes where it is of use."""
    treasure, unit = state.arena.kit.treasure[roll], state.units[index]
    if not unit.alive:
        return
    if not applicable(state, unit, treasure):
        if state.active == index and not unit.acted and heir(state, index, treasure) is not None:
            state.owe(("hand_on", index, roll))
        return
    EFFECTS[treasure.effect](state, index, treasure)


# -- Hero's items ----------------------------------------------------------------------------------


def applicable(state: State, unit: Unit, treasure: Treasure) -> bool:
    """Whether a Hero's item is of use to a unit; everything else always is."""
    if treasure.effect != "plus":
        return True
    if treasure.stat == "attack":
        return may_attack(state, unit) or has(state, unit, "splash")
    if treasure.stat == "reach":
        return any(_uses_reach(state, unit))
    if treasure.stat == "push":
        letter, tiles = push_of(state, unit)
        return letter in ("B", "L", "R") and tiles > 0
    if treasure.stat == "jump":
        return gait_of(state, unit).jump < UNLIMITED
    return True


def _uses_reach(state: State, unit: Unit) -> list[bool]:
    """Who names its own reaches only has no use for more: Medic, Apothecary."""
    card = card_of(state, unit)
    if not card.own_reach:
        return [False]
    named = [name for name in card.abilities if table_of(state, name).uses == "action"]
    own = [table_of(state, name).reach > 0 or name == "poison-mist" for name in named]
    return [may_attack(state, unit) or not named or not all(own)]


def heir(state: State, index: int, treasure: Treasure) -> int | None:
    """The nearest friend to whom an item is of use."""
    finder = state.units[index]
    friends = [
        other
        for other, unit in enumerate(state.units)
        if unit.alive
        and other != index
        and unit.side == finder.side
        and applicable(state, unit, treasure)
    ]
    return min(
        friends,
        key=lambda other: (
            apart(state.units[other].spot, finder.spot),
            abs((state.units[other].spot & 15) - (finder.spot & 15)),
            other,
        ),
        default=None,
    )


def _hand_moves(state: State, index: int, roll: str) -> list[Move]:
    to = heir(state, index, state.arena.kit.treasure[roll])
    if to is None or not state.units[index].alive:
        return []
    return [Move("hand", "hand on", (to,)), Move("hand", "keep")]


def _hand(state: State, move: Move, index: int, roll: str) -> None:
    if move.name == "hand on":
        state.units[index].acted = True
        treasure = state.arena.kit.treasure[roll]
        EFFECTS[treasure.effect](state, move.units[0], treasure)


question("hand_on", _hand_moves, _hand, lambda state, index, _: state.units[index].side)


@effect("plus")
def _plus(state: State, index: int, treasure: Treasure) -> None:
    unit, name = state.units[index], f"{treasure.stat}_plus"
    setattr(unit, name, getattr(unit, name) + treasure.amount)


@effect("elixir")
def _elixir(state: State, index: int, treasure: Treasure) -> None:
    if state.arena.readings.elixir == "action":
        state.units[index].items = (*state.units[index].items, treasure.name)
    else:
        drink(state, index)


def drink(state: State, index: int) -> None:
    """Elixir and Puzzle Box: 4 more Health in all, or 4 healed."""
    ask(state, "elixir", index)


# -- kept for later, or for good -------------------------------------------------------------------


@effect("item")
def _item(state: State, index: int, treasure: Treasure) -> None:
    state.units[index].items = (*state.units[index].items, treasure.name)


@effect("flag")
def _flag(state: State, index: int, treasure: Treasure) -> None:
    setattr(state.units[index], treasure.flag, True)


@effect("zone")
def _zone(state: State, index: int, treasure: Treasure) -> None:
    ask(state, "zone", index, treasure.zone)


@effect("reversal")
def _reversal(state: State, index: int, treasure: Treasure) -> None:
    state.reversal_round = state.round + 1


@effect("blood")
def _blood(state: State, index: int, treasure: Treasure) -> None:
    unit = state.units[index]
    unit.attack_plus += treasure.amount
    unit.blood += 1


# -- results that ask ------------------------------------------------------------------------------


def _asking(name: str, *values: object) -> Effect:
    return lambda state, index, _: ask(state, name, index, *values)


EFFECTS["gloves"] = _asking("gloves")
EFFECTS["mirror"] = _asking("card", -1)
EFFECTS["slip"] = _asking("victim")
EFFECTS["satiate"] = _asking("satiate")
EFFECTS["botched"] = _asking("botched")
EFFECTS["unholy"] = _asking("unholy")
EFFECTS["tectonic"] = _asking("tectonic")
EFFECTS["dam"] = _asking("dam_tile")
EFFECTS["aid"] = _asking("aid")


@effect("eruption")
def _eruption(state: State, index: int, treasure: Treasure) -> None:
    ask(state, "eruption", index, treasure.amount)


@effect("wind")
def _wind(state: State, index: int, treasure: Treasure) -> None:
    side = state.units[index].side
    pushed = side if treasure.who == "friends" else 1 - side
    state.owe(("wind", 1 - pushed, pushed, treasure.amount))


@effect("puzzle")
def _puzzle(state: State, index: int, treasure: Treasure) -> None:
    state.owe(("box", index, treasure.amount))


def _box_moves(state: State, index: int, amount: int) -> list[Move]:
    return list(DIE)


def _box(state: State, move: Move, index: int, amount: int) -> None:
    if int(move.word) <= 3:
        bite(state, index, amount)
    else:
        drink(state, index)


question("box", _box_moves, _box, lambda *_: -1)


# -- a free Move -----------------------------------------------------------------------------------


@effect("adrenal")
def _adrenal(state: State, index: int, treasure: Treasure) -> None:
    unit = state.units[index]
    state.owe(("tire", index, treasure.amount))
    if unit.vines:
        unit.vines = False
    elif has(state, unit, "ungovernable") and (state.active != index or unit.card != BEAST):
        state.owe(("free_coin", index))
    else:
        state.owe(("free_move", index, -1))


@task("tire")
def _tire(state: State, index: int, amount: int) -> None:
    state.units[index].move_plus -= amount


def _coin_moves(state: State, index: int) -> list[Move]:
    return list(COIN) if state.units[index].alive else []


def _coin(state: State, move: Move, index: int) -> None:
    table = table_of(state, "ungovernable")
    number = table.heads if move.word == "heads" else table.tails
    state.owe(("free_move", index, number))


question("free_coin", _coin_moves, _coin, lambda *_: -1)
