"""What an action did, read from the state after it and from what the engine noted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.games.fall_damage.abilities.scene import Change
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.play.spots import surface_of, tile_of

GAINS = ("vines", "mist", "promo", "syringe")
"""Columns whose switching on is told, by the names of effects."""
ITSELF = (C.BY_LAVA, C.BY_FALL)
"""Deaths that ask for no health: lava, and nowhere to be."""


@dataclass(frozen=True, slots=True)
class Before:
    """Everybody as they were."""

    spots: tuple[int, ...]
    health: tuple[int, ...]
    gains: tuple[tuple[int, ...], ...]


def before(s: State) -> Before:
    """Everybody as they are now."""
    n = s.n_units
    gains = tuple(tuple(getattr(s, name)[:n]) for name in GAINS)
    return Before(tuple(s.spot[:n]), tuple(s.health[:n]), gains)


def changes(s: State, was: Before, met: Iterable[int] = ()) -> tuple[Change, ...]:
    """What became of the units that an action met, and of all others that it changed."""
    found = {i: _change(s, was, i) for i in (*met, *range(s.n_units))}
    told = dict.fromkeys(met)
    plain = {i: Change(change.who, change.who) for i, change in found.items()}
    return tuple(change for i, change in found.items() if i in told or change != plain[i])


def _change(s: State, was: Before, i: int) -> Change:
    who = surface_of(was.spots[i])
    change = Change(who, surface_of(s.spot[i]) if s.spot[i] >= 0 else who)
    path: list[Surface] = []
    for n in range(s.n_events):
        kind, a, b, cause = s.event[n], s.event_a[n], s.event_b[n], s.event_c[n]
        if a != i:
            continue
        if kind == C.E_SLIDE:
            path.append(surface_of(b))
        elif kind == C.E_DIE:
            change = replace(change, end=None if cause in ITSELF else surface_of(b))
        elif kind == C.E_HARM and cause == C.BY_FALL:
            change = replace(change, fall=change.fall + b)
        elif kind == C.E_HARM:
            change = replace(change, damage=change.damage + b)
    lost = change.damage + change.fall
    heal = s.health[i] - (was.health[i] - lost) if s.spot[i] >= 0 else 0
    gains = tuple(
        name for name, old in zip(GAINS, was.gains, strict=True) if getattr(s, name)[i] & ~old[i]
    )
    return replace(change, heal=heal, path=tuple(path), gains=gains)


def tiles_of(spots: Iterable[int]) -> tuple[Tile, ...]:
    """Tiles by their numbers, sorted."""
    return tuple(sorted({tile_of(tile) for tile in spots}))
