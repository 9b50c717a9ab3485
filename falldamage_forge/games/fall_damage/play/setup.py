"""Before round 1: who begins, who brings what, where everybody stands."""

from __future__ import annotations

from collections.abc import Sequence

from falldamage_forge.games.fall_damage.play.arena import Arena
from falldamage_forge.games.fall_damage.play.state import BLUE, RED, SIDES, State, Unit
from falldamage_forge.issues import ForgeError, Issue

Teams = tuple[Sequence[str], Sequence[str]]
Places = tuple[Sequence[int], Sequence[int]]
PARTY = 2
"""Source: "Necromancer comes with two skeletons"."""


def new_state(arena: Arena, teams: Teams | None = None, places: Places | None = None) -> State:
    """The state before the first coin. Teams and places that are given are not asked for."""
    state = State(arena, arena.land, chests=arena.chests)
    if arena.readings.win != "elimination" and state.chests:
        from falldamage_forge.games.fall_damage.engine.match_context import prize_of

        state.prize = prize_of(arena)
        state.chests = tuple(chest for chest in state.chests if chest != state.prize)
    sizes = [len(zone) for zone in arena.zones]
    if teams is not None:
        _check_teams(arena, teams)
        sizes = [len(team) for team in teams]
        state.picks = (tuple(teams[0]), tuple(teams[1]))
    for side, size in enumerate(sizes):
        state.units += [Unit(side, "") for _ in range(size)]
    fixed = tuple(tuple(side) for side in places) if places is not None else None
    state.owe(("toss",), ("draft_next",), ("place_next", fixed), ("skeletons", RED),
              ("skeletons", BLUE), ("settle_all",), ("start",))  # fmt: skip
    return state


def _check_teams(arena: Arena, teams: Teams) -> None:
    faults = []
    for side, team, zone in zip(SIDES, teams, arena.zones, strict=True):
        unknown = [name for name in team if name not in arena.kit.cards]
        faults += [Issue("FDF341", "error", f"no unit called `{name}`") for name in unknown]
        if len(team) > len(zone):
            message = f"{side} has {len(team)} units and {len(zone)} start tiles"
            faults.append(Issue("FDF381", "error", message))
    if faults:
        raise ForgeError(faults)
