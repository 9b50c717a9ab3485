"""Forecast of a move: its effects, each with its figure, and the health that it leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from falldamage_forge.games.fall_damage.engine import unit_stats
from falldamage_forge.games.fall_damage.engine.codes import A
from falldamage_forge.games.fall_damage.engine.simulator import simulator_of
from falldamage_forge.games.fall_damage.play import legal_apply
from falldamage_forge.games.fall_damage.play.death import death_in
from falldamage_forge.games.fall_damage.play.move_value import Move
from falldamage_forge.games.fall_damage.play.state_value import SIDES, State, observation
from falldamage_forge.games.fall_damage.play.surface_number import spot_name


class Effect(NamedTuple):
    """One effect of a move.

    Attributes:
        kind: The cause of a loss (`attack`, `fall`, …), another event (`pushed`, `die`, …), or a
            part of an Attack's damage (`strength`, `boost`, `height`).
        words: A sentence; empty for a part of the damage.
        unit: Index of the unit that it happens to; -1 for none.
        figure: Its number, or the surface of a push; empty for none.
        spot: Surface on which it happens; -1 for none.
    """

    kind: str
    words: str
    unit: int = -1
    figure: str = ""
    spot: int = -1


class Forecast(NamedTuple):
    """Foreseeable result of a move.

    Attributes:
        effects: The effects in their order.
        health: Health afterwards by unit, of those whose health changes; 0 for a unit that dies.
    """

    effects: tuple[Effect, ...] = ()
    health: Mapping[int, int] = {}

    @property
    def words(self) -> list[str]:
        """Return the sentences of the effects."""
        return [effect.words for effect in self.effects if effect.words]


def forecast(state: State, move: Move, side: int) -> Forecast:
    """Return the effects of a move as its side can foresee them.

    The other side's hidden items are left out. The next chance node or decision is named, not
    resolved.

    Args:
        state: The state.
        move: A legal move.
        side: 0 red, 1 blue.
    """
    if state.phase == "setup":
        return Forecast()
    after = observation(state, side)
    after.log = []
    legal_apply.apply_move_in_place(after, move)
    health = {
        index: now.health if now.alive else 0
        for index, (unit, now) in enumerate(zip(state.units, after.units, strict=False))
        if unit.alive and (now.health != unit.health or not now.alive)
    }
    return Forecast((*_damage_parts(state, move), *_effects(state, after)), health)


def _effects(state: State, after: State) -> Iterator[Effect]:
    log = after.log or []
    for n, event in enumerate(log):
        if event[0] == "die":
            death = death_in(log, n)
            yield Effect("die", f"{_unit(after, event[1])} {death.words}", event[1], "", death.spot)
        elif describe := _EVENTS.get(event[0]):
            yield describe(after, *event[1:])
    had = dict(state.scars)
    for key, wear in after.scars:
        if wear != had.get(key):
            yield Effect("worn", f"{key} is damaged, {wear} in all")
    if not after.over and legal_apply.current_player(after) == legal_apply.CHANCE:
        yield Effect("then", "then chance decides")
    elif after.pending and not after.over:
        question = str(after.pending[-1][0]).replace("_", " ")
        player = SIDES[legal_apply.current_player(after)]
        yield Effect("then", f"then {player} chooses ({question})")


def _damage_parts(state: State, move: Move) -> Iterator[Effect]:
    """Yield the parts of a plain Attack's damage on a unit, if there are several."""
    if move.name not in ("attack", "attack rooted") or not move.units:
        return
    sim = simulator_of(state.ctx)
    sim.take(state)
    s, i, target = sim.columns, state.active, move.units[-1]
    melee = unit_stats.is_melee(s, i, s.spot[target])
    printed = unit_stats.printed_stat(s, i, A)
    boost = unit_stats.attack_number(s, i, melee, move.name == "attack rooted") - printed
    height = unit_stats.height_number(s, s.spot[i], s.spot[target], melee)
    if boost or height:
        yield Effect("strength", "", i, str(printed))
        parts = {"boost": boost, "height": height}
        yield from (Effect(kind, "", i, f"{part:+}") for kind, part in parts.items() if part)


def _unit(state: State, index: int) -> str:
    unit = state.units[index]
    return f"{SIDES[unit.side]} {unit.card} {index}"


def _harm(s: State, i: int, amount: int, cause: str, _: int, spot: int) -> Effect:
    return Effect(cause, f"{_unit(s, i)} loses {amount} ({cause})", i, f"{-amount}", spot)


def _pushed(s: State, i: int, start: int, end: int, *_: Any) -> Effect:
    return Effect("pushed", f"{_unit(s, i)} is pushed to {spot_name(end)}", i, spot_name(end), end)


def _at(kind: str, words: str) -> Callable[..., Effect]:
    """Return the description of an event at a unit's surface; `words` end in the surface's name."""

    def describe(s: State, i: int, spot: int, *_: Any) -> Effect:
        return Effect(kind, f"{_unit(s, i)} {words} {spot_name(spot)}", i, "", spot)

    return describe


_EVENTS: Mapping[str, Callable[..., Effect]] = {
    "harm": _harm,
    "pushed": _pushed,
    "counter": lambda s, i, *_: Effect("counter", f"{_unit(s, i)} strikes back", i),
    "destroyed": lambda s, key, *_: Effect("destroyed", f"{key} is destroyed"),
    "chest": _at("chest", "opens the chest at"),
    "sprung": lambda s, i, spot, kind: Effect(
        "sprung", f"{_unit(s, i)} springs a hidden {kind}", i, "", spot
    ),
    "new": _at("new", "rises at"),
    "revived": _at("revived", "is revived at"),
    "over": lambda s, result: Effect("over", f"the game is over: {result}"),
}
"""Descriptions of the events that a forecast names."""
