"""What one side sees of a state."""

from __future__ import annotations

from falldamage_forge.games.fall_damage.play.spots import NOWHERE
from falldamage_forge.games.fall_damage.play.state import State


def glimpse(state: State, side: int) -> State:
    """What a side sees, to be looked at and not played on: units are the state's own."""
    if state.phase == "setup":
        return observation(state, side)
    seen = State.__new__(State)
    seen.__dict__.update(state.__dict__)
    seen.hidden = tuple(item for item in state.hidden if item.side == side)
    seen.log = None
    return seen


def observation(state: State, side: int) -> State:
    """The state without the other side's hidden items, and under `blind` without its choices.

    Until both teams stand, a blind draft hides the other side's cards and places.
    """
    seen = state.copy()
    seen.legal, seen.reach = state.legal, state.reach
    seen.hidden = tuple(item for item in state.hidden if item.side == side)
    if state.phase == "setup" and state.arena.readings.draft == "blind":
        picks = list(seen.picks)
        picks[1 - side] = ()
        seen.picks = (picks[0], picks[1])
        for index, unit in enumerate(seen.units):
            if unit.side != side:
                seen.put(index, NOWHERE)
                unit.card, unit.health, unit.max_health = "", 0, 0
    return seen
