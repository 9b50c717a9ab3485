"""Gang skirmish as a setting: its table, its model of a board, its hazards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from falldamage_forge.board import DIRECTIONS, Board
from falldamage_forge.board.surfaces import Surface, SurfaceGraph, Terrain, TerrainOptions
from falldamage_forge.games.gang_skirmish import falling
from falldamage_forge.games.gang_skirmish.falling import Fate
from falldamage_forge.games.gang_skirmish.fitted import desperate_of, edges_of
from falldamage_forge.games.gang_skirmish.moves import ways
from falldamage_forge.games.gang_skirmish.options import Fighter, Options
from falldamage_forge.games.gang_skirmish.room import stands
from falldamage_forge.games.gang_skirmish.shove import (
    drop_beside,
    pinned,
    shove,
    shove_distances,
    touching_um,
)
from falldamage_forge.games.gang_skirmish.ways import PINNED
from falldamage_forge.games.ruler import INCH_UM
from falldamage_forge.games.spots import MIDDLE, Shift, passing_places
from falldamage_forge.rules.clocks import Rounds
from falldamage_forge.rules.game import NOBODY, Game, Hazard, Occupants, Profile, counted
from falldamage_forge.rules.model import Model, Scale

INCHES = Scale("inches", INCH_UM)


@dataclass(frozen=True)
class GangSkirmish(Game):
    """The ruleset's table. `shove_force` is the Strength of the shove that hazards are told for."""

    units: Mapping[str, Fighter]
    options: Options = field(default_factory=Options)
    shove_force: int = 3

    fittings: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "railing": (),
        "obstruction": (),
        "field": ("heavy-g",),
        "pitfall": (),
    }
    __hash__ = Game.__hash__

    def __post_init__(self) -> None:
        self.check_proof_units()

    @property
    def questions(self) -> Mapping[str, Callable[..., Any]]:
        """Steps, leaps, edges, falls, Knockback, Drag, Heavy-G."""
        from falldamage_forge.games.gang_skirmish.asking import QUESTIONS

        return QUESTIONS

    @property
    def turn_told(self) -> str:
        """What a turn is."""
        return "an activation: the `moves` of a fighter, each of its Movement in inches"

    @property
    def terrain(self) -> TerrainOptions:
        """Obstructions are in the way of the levels that they reach into."""
        return TerrainOptions(rise_um=self.options.level_um)

    def model(self, graph: SurfaceGraph, unit: Profile, others: Occupants = NOBODY) -> Model:
        """A fighter's walks, leaps, jumps and Kip Ups."""
        fighter: Fighter = self.profile(unit)
        made = ways(graph.terrain, fighter, self.options, others)
        shared = frozenset(
            n for n, place in enumerate(made.places) if place.anchor in others.friends
        )
        return Model(
            str(unit),
            tuple(made.places),
            edges_of(made),
            fighter.move_um,
            INCHES,
            Rounds(fighter.moves),
            no_stop=shared,
            no_end=shared | passing_places(made.places),
            strain=2 * INCH_UM if self.options.vertical_total == "move" else None,
            halved=INCH_UM if graph.board.fitted("field") else 0,
            notes=(*_notes(graph.board, self.options), *self.unread(graph.board)),
            lying=frozenset(n for n, place in enumerate(made.places) if place.spot == PINNED),
            desperate=desperate_of(made),
        )

    def strikes(
        self, graph: SurfaceGraph, unit: Profile, model: Model, enemies: frozenset[Surface]
    ) -> set[int]:
        """Where a base touches that of an enemy."""
        return {
            number
            for number, place in enumerate(model.places)
            if number not in model.lying and any(_touch(place.anchor, at) for at in enemies)
        }

    def hazards(self, graph: SurfaceGraph, unit: Profile) -> tuple[Hazard, ...]:
        """Surfaces from which a shove may send one down, with the likeliest way's chance."""
        fighter: Fighter = self.profile(unit)
        return tuple(_hazards(graph, fighter, self.options, self.shove_force))


def _touch(one: Surface, other: Surface) -> bool:
    """Whether bases can touch: neighbouring tiles of one level."""
    (a, level), (b, other_level) = one, other
    return level == other_level and max(abs(a.row - b.row), abs(a.col - b.col)) == 1


def _hazards(
    graph: SurfaceGraph, fighter: Fighter, options: Options, force: int
) -> Iterator[Hazard]:
    far_um = max(shove_distances(force, fighter.strength)) * INCH_UM + fighter.base_um
    known: dict[Surface, bool] = {}
    for surface in graph.surfaces:
        worst, ends = Fraction(0), set[Fate]()
        for shift in stands(graph.terrain, surface, fighter, options):
            for side in DIRECTIONS:
                if not _exposed(graph.terrain, surface, side, far_um, options, known):
                    continue
                fates = _knocked(graph.terrain, surface, side, force, fighter, options, shift)
                down = {fate for fate in fates if fate.falls or fate.end is None}
                worst = max(worst, sum((fate.chance for fate in down), Fraction(0)))
                ends |= down
        if worst == 0:
            continue
        kept = [fate for fate in ends if fate.end is not None]
        deepest = max(kept, key=lambda fate: (_levels(surface, fate), fate.falls), default=None)
        levels = _levels(surface, deepest) if deepest else 0
        told = ["down " + ", then ".join(f"{n}''" for n in deepest.falls)] if deepest else []
        if any(fate.end is None and not fate.left for fate in ends):
            told.append("into a Pitfall")
        if any(fate.left for fate in ends):
            told.append("off the battlefield")
        text = f"a shove of Strength {force} sends one {' or '.join(told)}"
        yield Hazard(surface, levels, text, worst)


def _exposed(
    terrain: Terrain,
    start: Surface,
    side: tuple[int, int],
    far_um: int,
    options: Options,
    known: dict[Surface, bool],
) -> bool:
    """Whether any edge lies beside the tiles over which a shove may go; `known` are surfaces."""
    here = start
    for _ in range(far_um // options.tile_um + 2):
        if here not in known:
            floor = here.level in terrain.standable(here.tile)
            edges = (drop_beside(terrain, here, way, options) is not None for way in DIRECTIONS)
            known[here] = not floor or any(edges)
        if known[here]:
            return True
        here = here._replace(tile=here.tile.step(side))
        if here.tile not in terrain.board or not terrain.free(
            here.tile, here.level, here.level + 1
        ):
            return False
    return False


def _levels(start: Surface, fate: Fate) -> int:
    """Levels fallen in all."""
    return start.level - fate.end.level if fate.end else 0


def knocked(
    terrain: Terrain,
    start: Surface,
    side: tuple[int, int],
    force: int,
    fighter: Fighter,
    options: Options,
    taken: frozenset[Surface] = frozenset(),
) -> tuple[Fate, ...]:
    """Every end of a fighter who stands on a surface when an attack of a force hits.

    Where several spots are equally near to its middle, each is as likely.
    """
    spots = stands(terrain, start, fighter, options) or (MIDDLE,)
    return falling.merged(
        fate._replace(chance=fate.chance / len(spots))
        for shift in spots
        for fate in _knocked(terrain, start, side, force, fighter, options, shift, taken)
    )


def _knocked(
    terrain: Terrain,
    start: Surface,
    side: tuple[int, int],
    force: int,
    fighter: Fighter,
    options: Options,
    shift: Shift,
    taken: frozenset[Surface] = frozenset(),
) -> tuple[Fate, ...]:
    """The same on one spot."""
    found: list[Fate] = []
    stop_um = touching_um(start, side, fighter, options, taken, shift)
    for inches, chance in shove_distances(force, fighter.strength).items():
        ends: tuple[Fate, ...] = (Fate(start, (), Fraction(1)),)
        if pinned(inches, options):
            end = shove(terrain, start, side, inches, fighter, options, stop_um, shift)
            ends = falling.shoved(terrain, end, start.level, side, fighter, options, taken)
        found += (fate._replace(chance=fate.chance * chance) for fate in ends)
    return falling.merged(found)


def _notes(board: Board, options: Options) -> tuple[str, ...]:
    notes = []
    if board.ladders and options.climb == "none":
        notes.append(f"{counted(board.ladders, 'ladder')} unused: no rule for climbing is known")
    if board.treasures:
        notes.append(f"{counted(board.treasures, 'treasure')} without meaning")
    return tuple(notes)
