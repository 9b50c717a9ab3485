"""Context and outcome of an ability query: a board with units, and the effects on them.

An outcome is read from the state after an action and the engine's event log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from falldamage_forge.board import Board, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import hypothetical
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.empty_state import LINES, copy_of, show_lines
from falldamage_forge.games.fall_damage.engine.modifiers import NONE, Modifiers
from falldamage_forge.games.fall_damage.engine.unit_stats import hears_song, intimidators, reach_of
from falldamage_forge.games.fall_damage.options import DEFAULTS, FallDamageOptions
from falldamage_forge.games.fall_damage.play.death import death_of
from falldamage_forge.games.fall_damage.play.game_data import GameData
from falldamage_forge.games.fall_damage.play.surface_number import surface_of, tile_of
from falldamage_forge.games.fall_damage.unit_cards import UnitCard
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.rules.json_values import surface_json

SOMEBODY = UnitCard(
    "somebody", "Somebody", "fighter", move=3, health=C.UNLIMITED, attack=0, reach=1, jump=1
)
"""A unit of which only the surface is known: no amount of damage kills it in an answer."""


@dataclass(frozen=True, slots=True)
class PlacedUnit:
    """One unit on the board.

    Attributes:
        at: Surface.
        unit: Unit card.
        side: Name of its side.
        modifiers: Modifiers of the unit.
        health: Health left; None if it is not given.
        silent: True for a Bard whose Song is interrupted.
    """

    at: Surface
    unit: UnitCard = SOMEBODY
    side: str = ""
    modifiers: Modifiers = NONE
    health: int | None = None
    silent: bool = False


@dataclass(frozen=True)
class AbilityContext:
    """A board with units, each on its own surface.

    Attributes:
        graph: Surfaces of the board.
        content: Game data.
        options: Options of the ruleset.
        standing: Units on the board.
        land: State of a changed board without units; None for the map's own.
    """

    graph: SurfaceGraph
    content: GameData
    options: FallDamageOptions = DEFAULTS
    standing: tuple[PlacedUnit, ...] = ()
    land: StateColumns | None = None

    @cached_property
    def by_place(self) -> Mapping[Surface, PlacedUnit]:
        """Units by surface."""
        return {one.at: one for one in self.standing}

    def fresh(self) -> StateColumns:
        """Return a state of the board without units, which the caller may change."""
        if self.land is not None:
            return copy_of(self.land)
        return hypothetical.board_state(self.graph.board, self.options, self.content)

    def moment(self, doer: PlacedUnit) -> tuple[StateColumns, dict[Surface, int]]:
        """Return a state in which the unit's side acts, and each unit's index.

        Raises:
            ValueError: If there are more units than a game can have.
        """
        s = self.fresh()
        numbers = {}
        for one in self.standing:  # in the order given, which decides pushes on one tile
            side = hypothetical.MINE if one.side == doer.side else hypothetical.THEIRS
            numbers[one.at] = hypothetical.stand(
                s,
                self.content,
                one.unit,
                one.at,
                side,
                one.modifiers,
                one.health,
                silent=one.silent,
            )
        s.active = numbers[doer.at]
        if reach_of(s, s.active) > LINES:
            show_lines(s, reach_of(s, s.active))
        return s, numbers


def auras(scene: AbilityContext, one: PlacedUnit) -> Modifiers:
    """Return a unit's modifiers with the Song and Intimidate of the others.

    A Bard's own Song does not count; several count once. Intimidate reaches one level up and down,
    unless option `intimidate_levels` is `any`.

    Args:
        scene: Board and units.
        one: The unit, one of the context's.

    Source: "all friendly units in Reach", "Adjacent (including diagonal) enemies".
    """
    s, numbers = scene.moment(one)
    i = numbers[one.at]
    return replace(
        one.modifiers,
        bard=one.modifiers.bard or hears_song(s, i),
        intimidated=one.modifiers.intimidated + intimidators(s, i),
    )


# -- answers ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AbilityUse:
    """The choices for an ability: surfaces, a direction as (row, col), a number."""

    aim: Surface | None = None
    second: Surface | None = None
    way: tuple[int, int] | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class UnitChange:
    """The effects on one unit.

    Attributes:
        who: Surface before.
        end: Surface after, or of its body; None if lava or a missing surface kills it.
        damage: Damage of the attack.
        fall: Damage of the fall.
        heal: Health restored.
        path: Surfaces of a push.
        gains: Names of new modifiers.
        dead: True if it dies, by damage or otherwise.
        cause: Cause of its death, such as `lava`; None if it lives.
        at: Surface on which it dies; of the void: the surface at the edge.
    """

    who: Surface
    end: Surface | None
    damage: int = 0
    fall: int = 0
    heal: int = 0
    path: tuple[Surface, ...] = ()
    gains: tuple[str, ...] = ()
    dead: bool = False
    cause: str | None = None
    at: Surface | None = None


@dataclass(frozen=True, slots=True)
class PlacementChoice:
    """A surface that may be chosen next, with the damage of landing there, and if that kills.

    `cause` is the cause of the death there.
    """

    at: Surface
    damage: int = 0
    dead: bool = False
    cause: str | None = None


@dataclass(frozen=True)
class AbilityOutcome:
    """The effects of an ability: on units, on the board, and choices still open."""

    changes: tuple[UnitChange, ...] = ()
    board: Board | None = None
    places: tuple[PlacementChoice, ...] = ()
    tiles: tuple[Tile, ...] = ()
    notes: tuple[str, ...] = field(default=())


def outcome_json(outcome: AbilityOutcome) -> dict[str, Any]:
    """Return an outcome as JSON.

    Keys are `units` (`from`, `end`, `damage`, `fall`, `heal`, `dead`, `cause`, `at`, `path`,
    `gains`), `places`, `tiles` and `notes`. Surfaces are `{"tile", "level"}`.
    """
    return {
        "units": [
            {
                "from": surface_json(change.who),
                "end": surface_json(change.end) if change.end else None,
                "damage": change.damage,
                "fall": change.fall,
                "heal": change.heal,
                "dead": change.dead,
                "cause": change.cause,
                "at": surface_json(change.at) if change.at else None,
                "path": [surface_json(at) for at in change.path],
                "gains": list(change.gains),
            }
            for change in outcome.changes
        ],
        "places": [
            {
                **surface_json(place.at),
                "damage": place.damage,
                "dead": place.dead,
                "cause": place.cause,
            }
            for place in outcome.places
        ],
        "tiles": [str(tile) for tile in outcome.tiles],
        "notes": list(outcome.notes),
    }


GAINS = ("vines", "mist", "promo", "syringe")
"""State columns reported as gained modifiers."""
ITSELF = (C.BY_LAVA, C.BY_FALL)
"""Causes of death regardless of health: lava, and no free surface."""


@dataclass(frozen=True, slots=True)
class Before:
    """Surfaces, health and modifiers of all units before an action."""

    spots: tuple[int, ...]
    health: tuple[int, ...]
    gains: tuple[tuple[int, ...], ...]


def before(s: StateColumns) -> Before:
    """Return the units' surfaces, health and modifiers as they are now."""
    n = s.n_units
    gains = tuple(tuple(getattr(s, name)[:n]) for name in GAINS)
    return Before(tuple(s.spot[:n]), tuple(s.health[:n]), gains)


def changes(s: StateColumns, was: Before, met: Iterable[int] = ()) -> tuple[UnitChange, ...]:
    """Return the effects on the units that an action concerns, and on all others it changed.

    Args:
        s: State columns after the action, with its events.
        was: Units before the action.
        met: Units that the action concerns, first in the result.
    """
    found = {i: _change(s, was, i) for i in (*met, *range(s.n_units))}
    concerned = dict.fromkeys(met)
    plain = {i: UnitChange(change.who, change.who) for i, change in found.items()}
    return tuple(change for i, change in found.items() if i in concerned or change != plain[i])


def _change(s: StateColumns, was: Before, i: int) -> UnitChange:
    who = surface_of(was.spots[i])
    end = surface_of(s.spot[i]) if s.spot[i] >= 0 else who
    change = UnitChange(who, end, dead=s.health[i] <= 0)
    path: list[Surface] = []
    harm = C.BY_HARM
    for n in range(s.n_events):
        kind, a, b, cause = s.event[n], s.event_a[n], s.event_b[n], s.event_c[n]
        if a != i:
            continue
        harm = cause if kind == C.E_HARM else harm
        if kind == C.E_SLIDE:
            path.append(surface_of(b))
        elif kind == C.E_DIE:
            death = death_of(C.CAUSES[cause], b, s.event_e[n], C.CAUSES[harm])
            change = replace(
                change,
                end=None if cause in ITSELF else surface_of(b),
                cause=death.cause,
                at=surface_of(death.spot),
            )
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
    """Return the tiles of tile numbers, sorted, each once."""
    return tuple(sorted({tile_of(tile) for tile in spots}))
