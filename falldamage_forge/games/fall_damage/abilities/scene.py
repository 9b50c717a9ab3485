"""A moment of a game that abilities are asked about: the board, who stands where, and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.ground_state import LINES, copy_of, show_lines
from falldamage_forge.games.fall_damage.engine.hypothetical import (
    MINE,
    THEIRS,
    board_state,
    stand,
)
from falldamage_forge.games.fall_damage.engine.modifiers import NONE, Modifiers, unit_reach
from falldamage_forge.games.fall_damage.engine.unit_stats import intimidators, sung_to
from falldamage_forge.games.fall_damage.options import DEFAULTS, Options
from falldamage_forge.games.fall_damage.play.kit import Kit
from falldamage_forge.games.fall_damage.units import Unit
from falldamage_forge.rules.figures import spot

SOMEBODY = Unit("somebody", "Somebody", "fighter", move=3, health=6, attack=0, reach=1, jump=1)
"""A unit of which only the place is known."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One unit on the table.

    `health` is what is left of it, None when that is not told; `silent` a Bard whose Song is
    interrupted by damage.
    """

    at: Surface
    unit: Unit = SOMEBODY
    side: str = ""
    modifiers: Modifiers = NONE
    health: int | None = None
    silent: bool = False


@dataclass(frozen=True)
class Scene:
    """A board with the units on it, each on a surface of its own.

    `land` is a state of the board with nobody on it, for a board that was played on.
    """

    graph: SurfaceGraph
    kit: Kit
    options: Options = DEFAULTS
    standing: tuple[Standing, ...] = ()
    land: State | None = None

    @cached_property
    def by_place(self) -> Mapping[Surface, Standing]:
        """Who stands where."""
        return {one.at: one for one in self.standing}

    def fresh(self) -> State:
        """A state of the board with nobody on it, to be changed."""
        if self.land is not None:
            return copy_of(self.land)
        return board_state(self.graph.board, self.options, self.kit)

    def moment(self, doer: Standing) -> tuple[State, dict[Surface, int]]:
        """A state of the scene as its doer's side sees it, and the number of each unit in it.

        Raises:
            ValueError: When there are more units than a game can have.
        """
        s = self.fresh()
        longest = max(unit_reach(doer.unit, doer.modifiers), LINES)
        if longest > LINES:
            show_lines(s, longest)
        numbers = {}
        for one in sorted(self.standing, key=lambda one: one.at != doer.at):
            side = MINE if one.side == doer.side else THEIRS
            numbers[one.at] = stand(
                s, self.kit, one.unit, one.at, side, one.modifiers, one.health, silent=one.silent
            )
        s.active = numbers[doer.at]
        return s, numbers


def auras(scene: Scene, one: Standing) -> Modifiers:
    """A unit's modifiers with Song and Intimidate as the others stand now.

    Song: "all friendly units in Reach", not the Bard itself, once. Intimidate: "Adjacent (including
    diagonal) enemies", up to one level off unless `intimidate_levels` is `any`.
    """
    s, numbers = scene.moment(one)
    i = numbers[one.at]
    return replace(
        one.modifiers,
        bard=one.modifiers.bard or sung_to(s, i),
        intimidated=one.modifiers.intimidated + intimidators(s, i),
    )


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
