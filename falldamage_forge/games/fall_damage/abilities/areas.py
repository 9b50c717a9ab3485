"""Attacks on several at once: bombs, splashes, grenades, shoves.

Sources: "AOE refers to Attacks or abilities that hit multiple targets", the cards of Splash Mage,
Tinkerer and Shield Bearer, "Grenade".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from falldamage_forge.board import DIRECTIONS
from falldamage_forge.board.surfaces import Surface, Terrain
from falldamage_forge.games.fall_damage.attack import tiles_apart
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.push import Victim, facing, slide_unit
from falldamage_forge.rules.answers import Pushed


@dataclass(frozen=True, slots=True)
class Hit:
    """What one unit suffers: damage of the attack itself, and the push after it if there is one."""

    who: Surface
    damage: int
    pushed: Pushed | None = None


def strike_area(
    terrain: Terrain,
    attacker: Surface,
    aim: Surface,
    members: Mapping[Surface, Victim],
    options: Options,
    *,
    damage: int = 0,
    push: int = 0,
    mage: bool = False,
    taken: frozenset[Surface] = frozenset(),
    killed: frozenset[Surface] = frozenset(),
) -> tuple[Hit, ...]:
    """All damage first, then the pushes one by one, the farthest from the aim first.

    `members` are whom the area takes in (`attack.area_members`), in the order of ties; `taken` all
    units' surfaces, `killed` the members whom the damage kills: they are not pushed and in nobody's
    way. Pushes go away from the aim, where one exact diagonal counts as east or west; whoever is on
    the aim stays (option `area_push`).
    """
    standing = (set(taken) | set(members) | {attacker}) - killed
    order = sorted(members, key=lambda at: -tiles_apart(aim, at))
    hits = []
    for at in order:
        pushed = None
        way = _way(attacker, aim, at, options) if push and at not in killed else None
        if way is not None:
            pushed = slide_unit(
                terrain, at, way, push, options,
                taken=frozenset(standing - {at}), victim=members[at], mage=mage,
                attacker_level=attacker.level,
            )  # fmt: skip
            standing.discard(at)
            standing |= {pushed.end} if pushed.end else set()
        hits.append(Hit(at, damage, pushed))
    return tuple(hits)


def _way(attacker: Surface, aim: Surface, at: Surface, options: Options) -> tuple[int, int] | None:
    """The direction of an area's push for somebody at a place."""
    settled = replace(options, push_diag="column_axis")
    back = facing(attacker, aim, settled)
    if options.area_push == "from_attacker":
        return back
    if at.tile == aim.tile:
        return back if options.area_push == "outward_and_back" else None
    return facing(aim, at, settled)


def shove(
    terrain: Terrain,
    bearer: Surface,
    enemies: Mapping[Surface, Victim],
    options: Options,
    *,
    push: int = 1,
    taken: frozenset[Surface] = frozenset(),
    target: Surface | None = None,
    stone: int = 0,
) -> tuple[Hit, ...]:
    """Shield Bearer: "On Attack, Push all adjacent enemies Back 1", in the order N, E, S, W.

    Adjacent as in melee: no diagonals, one level up or down. The attack's own `target` goes `stone`
    tiles farther. `taken` are the other units' surfaces.
    """
    standing = set(taken) | set(enemies) | {bearer}
    hits = []
    for way in DIRECTIONS:
        for at in sorted(enemies):
            if at.tile != bearer.tile.step(way) or abs(at.level - bearer.level) > 1:
                continue
            tiles = push + (stone if at == target else 0)
            pushed = slide_unit(
                terrain, at, way, tiles, options,
                taken=frozenset(standing - {at}), victim=enemies[at],
                attacker_level=bearer.level,
            )  # fmt: skip
            standing.discard(at)
            standing |= {pushed.end} if pushed.end else set()
            hits.append(Hit(at, 0, pushed))
    return tuple(hits)
