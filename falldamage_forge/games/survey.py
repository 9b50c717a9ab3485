"""One board under one game in a few figures: coverage, contact, falls, and what does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from falldamage_forge.board import Board
from falldamage_forge.games.engine import Model, connected, search
from falldamage_forge.games.setting import Setting
from falldamage_forge.surfaces import Surface, Terrain, TerrainOptions


@dataclass(frozen=True, slots=True)
class Contact:
    """Turns in which a side can attack an enemy who waits at its start: first and last unit."""

    side: str
    first: int | None
    last: int | None


class Drop(NamedTuple):
    """A surface one may fall from: levels at most, chance that a shove does it, words."""

    surface: Surface
    levels: int
    chance: Fraction | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a plain unit of one game finds on a board. `reached` counts from any side's start.

    `unfit` are surfaces it has no room on, `cut_off` those it never gets to; `drops` are surfaces
    one may fall from.
    """

    rules: str
    title: str
    unit: str
    surfaces: int
    reached: int
    contacts: tuple[Contact, ...]
    drops: tuple[Drop, ...]
    unfit: tuple[Surface, ...]
    cut_off: tuple[Surface, ...]
    notes: tuple[str, ...] = ()

    @property
    def deepest(self) -> int:
        """Levels of the worst fall."""
        return max((drop.levels for drop in self.drops), default=0)

    @property
    def coverage(self) -> int:
        """Reached surfaces in percent, rounded down."""
        return self.reached * 100 // self.surfaces if self.surfaces else 0


def zones_of(board: Board, model: Model) -> dict[str, tuple[int, ...]]:
    """Start places of each side on which the unit has room."""
    return {
        zone.side: tuple(
            model.index[surface]
            for surface in map(Surface._make, zone.surfaces)
            if surface in model.index
        )
        for zone in board.starts
    }


def survey_model(board: Board, setting: Setting, unit: str) -> Survey:
    """The figures of a board under a game of the engine."""
    model = setting.model(board, unit)
    everything = _standable(board)
    starts = [place for zone in zones_of(board, model).values() for place in zone]
    reached = {at for place in connected(model, starts) for at in model.places[place].covers}
    fit = {surface for place in model.places for surface in place.covers}
    drops = tuple(
        Drop(model.places[hazard.place].anchor, *hazard[1:]) for hazard in model.hazards()
    )
    return Survey(
        setting.name,
        setting.title,
        unit,
        len(everything),
        sum(surface in reached for surface in everything),
        tuple(_contacts(board, model)),
        drops,
        tuple(surface for surface in everything if surface not in fit),
        tuple(surface for surface in everything if surface in fit and surface not in reached),
        model.notes,
    )


def _standable(board: Board) -> tuple[Surface, ...]:
    terrain = Terrain(board, TerrainOptions())
    return tuple(
        Surface(tile, level) for tile in board.tiles() for level in terrain.standable(tile)
    )


def _contacts(board: Board, model: Model) -> Iterable[Contact]:
    zones = zones_of(board, model)
    for zone in board.starts:
        goals: set[int] = set()
        for other in board.starts:
            if other.side != zone.side:
                if model.targets is not None:
                    goals.update(model.targets(map(Surface._make, other.surfaces)))
                else:
                    goals.update(zones[other.side])
        turns = [_first_strike(model, start, goals) for start in zones[zone.side]]
        yield contact_of(zone.side, turns)


def contact_of(side: str, turns: Sequence[int | None]) -> Contact:
    """The first and the last of a side's units, None where somebody never gets there."""
    known = [turn for turn in turns if turn is not None]
    last = max(known, default=None) if len(known) == len(turns) else None
    return Contact(side, min(known, default=None), last)


def _first_strike(model: Model, start: int, goals: set[int]) -> int | None:
    """The first turn in which one of the goals can be attacked."""
    places = [model.places[goal] for goal in sorted(goals)]
    best: int | None = None
    for place, labels in search(model, (start,), chances=False).items():
        turn = min(model.clock.strike(label.moves, label.used) for label in labels)
        if best is not None and turn >= best:
            continue
        if any(model.contact(model.places[place], other) for other in places):
            best = turn
    return best
