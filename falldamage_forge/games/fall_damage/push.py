"""Involuntary movement: where a pushed unit ends, what it falls, whether it lives.

Sources: "Push", "Pushing Vertically & Obstacles" and "Fall Damage" of the rulebook; "The pushed
unit stops at the occupied tile" of the web manual.
"""

from __future__ import annotations

from falldamage_forge.board import DIRECTION_NAMES, DIRECTIONS
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.ground_state import (
    crowd,
    open_state,
    rules_state,
)
from falldamage_forge.games.fall_damage.engine.match_context import LETTERS
from falldamage_forge.games.fall_damage.engine.push import front, other_front, slide, way_between
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play.spots import spot_of, surface_of
from falldamage_forge.games.fall_damage.push_words import ANYBODY, Direction, Push, Victim
from falldamage_forge.rules.answers import Pushed

__all__ = [
    "ANYBODY",
    "Direction",
    "Push",
    "Victim",
    "facing",
    "facings",
    "push_unit",
    "slide_unit",
    "way_of",
]


def facings(attacker: Surface, target: Surface, options: Options) -> tuple[tuple[int, int], ...]:
    """The directions an attacker may face "in relation to the attacker's position".

    The dominant axis from attacker to target; on an exact diagonal both, when the attacker chooses;
    none when both share a tile.
    """
    one, other = spot_of(attacker), spot_of(target)
    ways = (other_front(rules_state(options), one, other), front(one, other))
    return tuple(DIRECTIONS[way] for way in ways if way >= 0)


def facing(
    attacker: Surface,
    target: Surface,
    options: Options,
    chosen: tuple[int, int] | None = None,
) -> tuple[int, int] | None:
    """The direction an attacker faces; None when both share a tile.

    ValueError when a choice is open and none is made, or when one is made that is not open.
    """
    open_ways = facings(attacker, target, options)
    names = " or ".join(DIRECTION_NAMES[way] for way in open_ways)
    if chosen is not None and chosen not in open_ways:
        if not open_ways:
            raise ValueError("the two share a tile: there is no way to face")
        raise ValueError(f"from {attacker} one faces {names} to attack {target}")
    if chosen is None and len(open_ways) > 1:
        raise ValueError(f"{target} is on an exact diagonal of {attacker}: say the way, {names}")
    return chosen or (open_ways[0] if open_ways else None)


def way_of(
    attacker: Surface,
    target: Surface,
    push: Push,
    options: Options,
    chosen: tuple[int, int] | None = None,
) -> tuple[int, int] | None:
    """The (row, col) step of a push; None for a swap or in one tile. ValueError as `facing`."""
    if push.direction == "F":
        return None
    front = facing(attacker, target, options, chosen)
    if front is None:
        return None
    way = way_between(0, 0, LETTERS[push.direction], DIRECTIONS.index(front))
    return DIRECTIONS[way]


def push_unit(
    terrain: Terrain,
    attacker: Surface,
    target: Surface,
    push: Push,
    options: Options,
    *,
    taken: frozenset[Surface] = frozenset(),
    victim: Victim = ANYBODY,
    way: tuple[int, int] | None = None,
) -> Pushed:
    """Push the unit on `target`. `taken` are the other units' surfaces, the attacker's left out.

    `way` is how the attacker faces where `facings` leaves it open: ValueError when it is needed and
    missing, or not open. A swap (F) exchanges the two units without a fall.
    """
    if victim.no_push or push.tiles == 0:
        return Pushed(target, 0, False, ())
    if push.direction == "F":
        return Pushed(attacker, 0, False, (attacker,))
    offset = way_of(attacker, target, push, options, way)
    if offset is None:
        return Pushed(target, 0, False, ())
    return slide_unit(
        terrain, target, offset, push.tiles, options,
        taken=taken | {attacker}, victim=victim, mage=push.mage, attacker_level=attacker.level,
    )  # fmt: skip


def slide_unit(
    terrain: Terrain,
    target: Surface,
    way: tuple[int, int],
    tiles: int,
    options: Options,
    *,
    taken: frozenset[Surface] = frozenset(),
    victim: Victim = ANYBODY,
    mage: bool = False,
    attacker_level: int | None = None,
) -> Pushed:
    """Push the unit on `target` so many tiles in a given direction (row, col).

    `taken` are all other units' surfaces. Without an attacker's level it is never pushed up, as by
    a wind.
    """
    if victim.no_push:
        return Pushed(target, 0, False, ())
    s = open_state(terrain.board, options)
    level = C.NO_LEVEL if attacker_level is None else attacker_level
    with crowd(s, taken - {target}):
        end, damage, dead = slide(
            s, C.GROUND, spot_of(target), DIRECTIONS.index(way), tiles, level,
            mage, victim.no_fall, victim.no_lava, C.YES,
        )  # fmt: skip
    path = tuple(map(surface_of, s.members[: s.slid]))
    return Pushed(None if dead else surface_of(end), damage, bool(dead), path)
