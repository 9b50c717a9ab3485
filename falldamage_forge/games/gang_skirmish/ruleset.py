"""The gang skirmish ruleset: its table, its movement graphs, its hazards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any, ClassVar

from falldamage_forge.board import DIRECTIONS, Board
from falldamage_forge.board.surfaces import Surface, SurfaceGraph, Terrain, TerrainOptions
from falldamage_forge.games.any_angle import INCH_UM
from falldamage_forge.games.base_placement import passing_places
from falldamage_forge.games.gang_skirmish.base_clearance import standing_offsets
from falldamage_forge.games.gang_skirmish.drops import drop_beside
from falldamage_forge.games.gang_skirmish.edge_costs import desperate_of, edges_of
from falldamage_forge.games.gang_skirmish.fall_outcomes import FallOutcome, knocked_from
from falldamage_forge.games.gang_skirmish.graph_builder import PINNED
from falldamage_forge.games.gang_skirmish.knockback_result import shove_distances
from falldamage_forge.games.gang_skirmish.movement import movement_graph
from falldamage_forge.games.gang_skirmish.options import Fighter, GangSkirmishOptions
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.rules.answers import Hazard
from falldamage_forge.rules.movement_graph import CostUnit, MovementGraph
from falldamage_forge.rules.ruleset import Ruleset, format_count
from falldamage_forge.rules.turn_structure import FixedMovesTurn
from falldamage_forge.rules.unit_values import NOBODY, Occupants, Profile

INCHES = CostUnit("inches", INCH_UM)


@dataclass(frozen=True)
class GangSkirmish(Ruleset):
    """Ruleset of the gang skirmish.

    `shove_force` is the Strength of the knockback for which hazards are reported.
    """

    units: Mapping[str, Fighter]
    options: GangSkirmishOptions = field(default_factory=GangSkirmishOptions)
    shove_force: int = 3

    question_aliases: ClassVar[Mapping[str, str]] = {
        "prone-outcomes": "lying",
        "knockback-outcomes": "knocked",
        "is-pinned": "pinned",
        "railing": "rail",
    }
    fittings: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "railing": (),
        "obstruction": (),
        "field": ("heavy-g",),
        "pitfall": (),
    }
    __hash__ = Ruleset.__hash__

    def __post_init__(self) -> None:
        self.check_proof_units()

    @property
    def questions(self) -> Mapping[str, Callable[..., Any]]:
        """Queries: steps, leaps, edges, falls, Knockback, Drag, Heavy-G."""
        from falldamage_forge.games.gang_skirmish.queries import QUESTIONS

        return QUESTIONS

    @property
    def turn_text(self) -> str:
        """A turn in words."""
        return "an activation: the `moves` of a fighter, each of its Movement in inches"

    @property
    def terrain(self) -> TerrainOptions:
        """Terrain options: obstructions block the levels that they reach into."""
        return TerrainOptions(rise_um=self.options.level_um)

    def model(
        self, graph: SurfaceGraph, unit: Profile, others: Occupants = NOBODY
    ) -> MovementGraph:
        """Return the movement graph of a fighter.

        Args:
            graph: Surfaces of the board and their neighbours.
            unit: Profile of the unit.
            others: Units that stand on the board.
        """
        fighter: Fighter = self.profile(unit)
        made = movement_graph(graph.terrain, fighter, self.options, others)
        shared = frozenset(
            n for n, place in enumerate(made.places) if place.anchor in others.friends
        )
        return MovementGraph(
            str(unit),
            tuple(made.places),
            edges_of(made),
            fighter.move_um,
            INCHES,
            FixedMovesTurn(fighter.moves),
            no_stop=shared,
            no_end=shared | passing_places(made.places),
            strain=2 * INCH_UM if self.options.vertical_total == "move" else None,
            halved=INCH_UM if graph.board.fitted("field") else 0,
            notes=(*_notes(graph.board, self.options), *self.ignored_fittings(graph.board)),
            lying=frozenset(n for n, place in enumerate(made.places) if place.spot == PINNED),
            desperate=desperate_of(made),
        )

    def attack_nodes(
        self, graph: SurfaceGraph, unit: Profile, model: MovementGraph, enemies: frozenset[Surface]
    ) -> set[int]:
        """Return the nodes from which a base touches an enemy's.

        Args:
            graph: Surfaces of the board and their neighbours.
            unit: Profile of the unit.
            model: Its movement graph.
            enemies: Surfaces of the enemies.
        """
        return {
            number
            for number, place in enumerate(model.places)
            if number not in model.lying and any(_touch(place.anchor, at) for at in enemies)
        }

    def hazards(self, graph: SurfaceGraph, unit: Profile) -> tuple[Hazard, ...]:
        """Return the surfaces from which knockback may cause a fall, with its probability.

        Args:
            graph: Surfaces of the board and their neighbours.
            unit: Profile of the unit.
        """
        fighter: Fighter = self.profile(unit)
        return tuple(_hazards(graph, fighter, self.options, self.shove_force))


def _touch(one: Surface, other: Surface) -> bool:
    """True if bases can touch: neighbouring tiles of one level."""
    (a, level), (b, other_level) = one, other
    return level == other_level and max(abs(a.row - b.row), abs(a.col - b.col)) == 1


def _hazards(
    graph: SurfaceGraph, fighter: Fighter, options: GangSkirmishOptions, force: int
) -> Iterator[Hazard]:
    far_um = max(shove_distances(force, fighter.strength)) * INCH_UM + fighter.base_um
    known: dict[Surface, bool] = {}
    for surface in graph.surfaces:
        worst, ends = Fraction(0), set[FallOutcome]()
        for shift in standing_offsets(graph.terrain, surface, fighter, options):
            for side in DIRECTIONS:
                if not _exposed(graph.terrain, surface, side, far_um, options, known):
                    continue
                fates = knocked_from(graph.terrain, surface, side, force, fighter, options, shift)
                down = {fate for fate in fates if fate.falls or fate.end is None}
                worst = max(worst, sum((fate.chance for fate in down), Fraction(0)))
                ends |= down
        if worst == 0:
            continue
        kept = [fate for fate in ends if fate.end is not None]
        deepest = max(kept, key=lambda fate: (_levels(surface, fate), fate.falls), default=None)
        levels = _levels(surface, deepest) if deepest else 0
        words = ["down " + ", then ".join(f"{n}''" for n in deepest.falls)] if deepest else []
        if any(fate.end is None and not fate.left for fate in ends):
            words.append("into a Pitfall")
        if any(fate.left for fate in ends):
            words.append("off the battlefield")
        text = f"a shove of Strength {force} sends a fighter {' or '.join(words)}"
        yield Hazard(surface, levels, text, worst)


def _exposed(
    terrain: Terrain,
    start: Surface,
    side: tuple[int, int],
    far_um: int,
    options: GangSkirmishOptions,
    known: dict[Surface, bool],
) -> bool:
    """True if an edge lies beside the tiles over which knockback may go; `known` is a cache."""
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


def _levels(start: Surface, fate: FallOutcome) -> int:
    """Return the levels fallen in all."""
    return start.level - fate.end.level if fate.end else 0


def _notes(board: Board, options: GangSkirmishOptions) -> tuple[str, ...]:
    notes = []
    if board.ladders and options.climb == "none":
        notes.append(
            f"{format_count(board.ladders, 'ladder')} unused: the ruleset has no rule for climbing"
        )
    if board.treasures:
        notes.append(f"{format_count(board.treasures, 'treasure')} ignored")
    return tuple(notes)
