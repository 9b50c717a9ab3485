"""A moment of a game that abilities are asked about: the board, who stands where, and answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.games.fall_damage.abilities.modifiers import (
    NONE,
    Modifiers,
    unit_reach,
    unit_under,
    victim_under,
)
from falldamage_forge.games.fall_damage.attack import can_attack
from falldamage_forge.games.fall_damage.options import DEFAULTS, Options
from falldamage_forge.games.fall_damage.push import Victim
from falldamage_forge.games.fall_damage.sight import sees
from falldamage_forge.games.fall_damage.units import Unit
from falldamage_forge.rules.answers import Pushed
from falldamage_forge.rules.figures import spot

SOMEBODY = Unit("somebody", "Somebody", "fighter", move=3, health=6, attack=0, reach=1, jump=1)
"""A unit of which only the place is known."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One unit on the table.

    `health` is what is left of it, None when it is unhurt; `silent` a Bard whose Song is
    interrupted by damage.
    """

    at: Surface
    unit: Unit = SOMEBODY
    side: str = ""
    modifiers: Modifiers = NONE
    health: int | None = None
    silent: bool = False

    @property
    def left(self) -> int:
        """Health left."""
        return self.unit.health if self.health is None else self.health

    @property
    def victim(self) -> Victim:
        """What of it matters when it is pushed from here."""
        return victim_under(self.unit, self.modifiers, self.at)


@dataclass(frozen=True)
class Scene:
    """A board with the units on it, each on a surface of its own."""

    graph: SurfaceGraph
    options: Options = DEFAULTS
    standing: tuple[Standing, ...] = ()
    fog: frozenset[Tile] = frozenset()

    @cached_property
    def by_place(self) -> Mapping[Surface, Standing]:
        """Who stands where."""
        return {one.at: one for one in self.standing}

    @cached_property
    def taken(self) -> frozenset[Surface]:
        """Where anybody stands."""
        return frozenset(self.by_place)

    def victims(self, places: Iterable[Surface]) -> dict[Surface, Victim]:
        """What matters of those who stand there."""
        return {at: self.by_place[at].victim for at in places if at in self.by_place}

    def enemies(self, doer: Standing) -> tuple[Standing, ...]:
        """The units of other sides."""
        return tuple(one for one in self.standing if one.side != doer.side)

    def friends(self, doer: Standing) -> tuple[Standing, ...]:
        """The other units of its own side."""
        return tuple(o for o in self.standing if o.side == doer.side and o.at != doer.at)

    def reaches(
        self,
        doer: Standing,
        target: Surface,
        reach: int | None = None,
        *,
        needs_sight: bool | None = None,
    ) -> bool:
        """Whether somebody reaches and, where that is asked, sees a place with an attack.

        `reach` and `needs_sight` are the card's unless given. Melee asks no sight through fog.
        """
        card = unit_under(doer.unit, doer.modifiers, self.options)
        radius = card.reach if reach is None else reach
        if not can_attack(doer.at, target, radius, self.options, diagonal=doer.modifiers.phase):
            return False
        asked = card.needs_sight if needs_sight is None else needs_sight
        if not asked or doer.modifiers.projector:
            return True
        fog = self.fog if radius > 1 else frozenset()
        terrain = self.graph.terrain
        return sees(terrain, doer.at, target, self.options, taken=self.taken, fog=fog).visible


def auras(scene: Scene, one: Standing) -> Modifiers:
    """A unit's modifiers with Song and Intimidate as the others stand now.

    Song: "all friendly units in Reach", not the Bard itself, once. Intimidate: "Adjacent (including
    diagonal) enemies", up to one level off unless `intimidate_levels` is `any`.
    """
    bard = one.modifiers.bard or any(
        can_attack(friend.at, one.at, unit_reach(friend.unit, friend.modifiers), scene.options)
        for friend in scene.friends(one)
        if _has(friend.unit, "friends_in_reach") and not friend.silent
    )
    bearers = sum(
        _has(enemy.unit, "adjacent_enemies") and _beside(enemy.at, one.at, scene.options)
        for enemy in scene.enemies(one)
    )
    return replace(one.modifiers, bard=bard, intimidated=one.modifiers.intimidated + bearers)


def _has(unit: Unit, when: str) -> bool:
    return any(ability.when == when for ability in unit.abilities)


def _beside(one: Surface, other: Surface, options: Options) -> bool:
    far = max(abs(one.tile.row - other.tile.row), abs(one.tile.col - other.tile.col))
    return far == 1 and (options.intimidate_levels == "any" or abs(one.level - other.level) <= 1)


# -- answers -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Use:
    """What is chosen for an ability: `aim` and `second` places, a way, a number."""

    aim: Surface | None = None
    second: Surface | None = None
    way: tuple[int, int] | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What happens to one unit. `end` is None when that alone kills it; `damage` is the attack's,
    `fall` that of its fall; `gains` names what it has from now on.
    """

    who: Surface
    end: Surface | None
    damage: int = 0
    fall: int = 0
    heal: int = 0
    path: tuple[Surface, ...] = ()
    gains: tuple[str, ...] = ()

    @property
    def dead(self) -> bool:
        """Whether it dies whatever its health: lava, or the void."""
        return self.end is None


@dataclass(frozen=True, slots=True)
class Place:
    """A place that may be chosen next, with the damage of being put there."""

    at: Surface
    damage: int = 0
    dead: bool = False


@dataclass(frozen=True)
class Outcome:
    """What using an ability does: to units, to the board, and what is left to choose."""

    changes: tuple[Change, ...] = ()
    board: Board | None = None
    places: tuple[Place, ...] = ()
    tiles: tuple[Tile, ...] = ()
    notes: tuple[str, ...] = field(default=())


def change_of(who: Surface, pushed: Pushed | None, damage: int = 0) -> Change:
    """The change of somebody who was hit, and perhaps pushed."""
    if pushed is None:
        return Change(who, who, damage)
    return Change(who, pushed.end, damage, pushed.damage, path=pushed.path)


def as_table(outcome: Outcome) -> dict[str, Any]:
    """An outcome as JSON: `units` with `from`, `end`, `damage`, `fall`, `heal`, `dead`, `path` and
    `gains`; `places`; `tiles`; `notes`. Places are `{"tile", "level"}`.
    """
    return {
        "units": [
            {
                "from": spot(change.who),
                "end": spot(change.end) if change.end else None,
                "damage": change.damage,
                "fall": change.fall,
                "heal": change.heal,
                "dead": change.dead,
                "path": [spot(at) for at in change.path],
                "gains": list(change.gains),
            }
            for change in outcome.changes
        ],
        "places": [
            {**spot(place.at), "damage": place.damage, "dead": place.dead}
            for place in outcome.places
        ],
        "tiles": [str(tile) for tile in outcome.tiles],
        "notes": list(outcome.notes),
    }
