"""The Fall Damage ruleset: its table, its units, its movement graphs, its queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import DIRECTIONS, Board, Feature, StartZone, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph
from falldamage_forge.games.fall_damage import attack_area, movement
from falldamage_forge.games.fall_damage.engine.modifiers import NONE, EffectiveUnit, Modifiers
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.rules_table import FallDamageTable
from falldamage_forge.games.fall_damage.unit_cards import (
    UNLIMITED,
    MovementProfile,
    UnitCard,
)
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.toml_loader import read_table
from falldamage_forge.issues import Issue
from falldamage_forge.rules.answers import Hazard, Metric, PathStep, PushResult, Sight, Targets
from falldamage_forge.rules.movement_graph import MovementGraph
from falldamage_forge.rules.ruleset import ChangedBoard, PushQuestion, Ruleset, TargetsQuestion
from falldamage_forge.rules.unit_values import NOBODY, Occupants, UnitClass
from falldamage_forge.rules.unit_values import Profile as AnyProfile

if TYPE_CHECKING:
    from falldamage_forge.rules.position_view import PositionView


Distance = Callable[[Board, Tile], int]
"""Distance of a tile from a side or a corner of a board, in tiles."""

SIDES: Mapping[str, Distance] = {
    "north": lambda board, tile: tile.row,
    "east": lambda board, tile: board.cols - 1 - tile.col,
    "south": lambda board, tile: board.rows - 1 - tile.row,
    "west": lambda board, tile: tile.col,
}
CORNERS: Mapping[str, Distance] = {
    f"{one}-{other}": lambda board, tile, one=one, other=other: (  # type: ignore[misc]
        SIDES[one](board, tile) + SIDES[other](board, tile)
    )
    for one in ("north", "south")
    for other in ("east", "west")
}
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
CHOICES: Mapping[str, tuple[Mapping[str, Distance], str]] = {
    "either": ({**SIDES, **CORNERS}, "along one side or in one corner"),
    "side": (SIDES, "along one side"),
    "corner": (CORNERS, "in one corner"),
}
"""Places of start zones by the option `start`, with their words.

Source: "Agree on which sides or corners will be the starting position."
"""


def opposite(where: str) -> str:
    """Return the opposite side or corner: `north` for `south`, `north-east` for `south-west`."""
    return "-".join(OPPOSITE[word] for word in where.split("-"))


def is_nearest_zone(graph: SurfaceGraph, tiles: frozenset[Tile], distance: Distance) -> bool:
    """True if a zone holds the standable tiles nearest to a side or corner; ties are free.

    Args:
        graph: Surfaces of the board with the steps between them.
        tiles: Tiles of the zone.
        distance: Returns a tile's distance to the side or corner.
    """
    board = graph.board
    known = {at.tile: distance(board, at.tile) for at in graph.surfaces}
    if not tiles <= known.keys():
        return False
    order = sorted(known.values())
    limit = order[len(tiles) - 1] if tiles else 0
    nearer = {tile for tile, far in known.items() if far < limit}
    return nearer <= tiles and all(known[tile] <= limit for tile in tiles)


def check_start_zones(graph: SurfaceGraph, options: FallDamageOptions) -> Iterator[Issue]:
    """Yield FDF155 for zones that break the option `start`; `list` permits any.

    Args:
        graph: Surfaces of the board with the steps between them.
        options: Options of the rules.
    """
    if options.start not in CHOICES:
        return
    places, words = CHOICES[options.start]
    zones = graph.board.starts
    found = {zone.side: _where(graph, zone, places) for zone in zones}
    odd = [zone for zone in zones if not found[zone.side]]
    for zone in odd:
        yield _fault(zone, f"{zone.side} does not start {words}", options.start)
    if len(zones) == 2 and not odd:
        first, second = zones
        facing = {opposite(where) for where in found[first.side]}
        if not facing & found[second.side]:
            message = f"{first.side} and {second.side} do not start opposite each other"
            yield _fault(second, message, options.start)


def _where(graph: SurfaceGraph, zone: StartZone, places: Mapping[str, Distance]) -> set[str]:
    tiles = frozenset(tile for tile, _ in zone.surfaces)
    return {name for name, distance in places.items() if is_nearest_zone(graph, tiles, distance)}


def _fault(zone: StartZone, message: str, asked: str) -> Issue:
    """Return the issue of a zone under a value of the option `start`."""
    where = (
        "the rulebook's zones are opposite sides or corners: take the tiles nearest to one"
        if asked == "either"
        else f"the map asks for `start {asked}`: take the tiles nearest to one"
    )
    hint = f"{where}, or for a house rule say `rules fall-damage {{ start list }}`"
    tiles = tuple(tile for tile, _ in zone.surfaces)
    return Issue("FDF155", "warning", message, zone.source, tiles, hint)


@dataclass(frozen=True)
class FallDamage(FallDamageTable):
    """Ruleset of Fall Damage. Besides its cards, every free profile such as `M3 J1` is a unit."""

    __hash__ = Ruleset.__hash__

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_proof_units()

    @property
    def questions(self) -> Mapping[str, Callable[..., Any]]:
        """Queries: reach, paths, pushes, lines of sight, targets, falls."""
        from falldamage_forge.games.fall_damage.named_queries import QUESTIONS

        return QUESTIONS

    # -- units -------------------------------------------------------------------------------------

    def profile(self, unit: AnyProfile) -> MovementProfile:
        """Return the movement profile of a card, a free profile's name, or a profile."""
        if isinstance(unit, MovementProfile):
            return unit
        if isinstance(unit, EffectiveUnit):
            return self._under_effects(unit.unit, unit.effects)
        if isinstance(unit, UnitCard):
            return unit.profile
        return MovementProfile.parse(str(unit)) or self.card(str(unit)).profile

    def _under_effects(self, unit: UnitCard, effects: Modifiers) -> MovementProfile:
        from falldamage_forge.games.fall_damage.engine.hypothetical import effective_profile

        return effective_profile(unit, effects, self.options, self.content)

    def _fielded(self, unit: AnyProfile) -> EffectiveUnit:
        """Return a card without modifiers; for a free profile a generic one."""
        from falldamage_forge.games.fall_damage.ability_queries.ability_context import SOMEBODY

        if isinstance(unit, str) and unit in self.units:
            return EffectiveUnit(self.units[unit], NONE)
        profile = self.profile(unit)
        changes = {
            key: getattr(profile, key)
            for key in ("move", "jump", "vertical_counts", "no_fall", "pass_enemies")
        }
        health = SOMEBODY.health if profile.health is None else profile.health
        return EffectiveUnit(replace(SOMEBODY, health=health, **changes), NONE)

    def changed(self, unit: str, changes: Mapping[str, Any]) -> tuple[str, AnyProfile]:
        """Return a unit with changed properties (`move`) or under effects (`boots`).

        Args:
            unit: Name of a unit.
            changes: Values of properties, and counts of effects, by name; an empty text is an
                effect without a count.

        Returns:
            Name and profile of the changed unit.
        """
        from falldamage_forge.games.fall_damage.queries import effects_of

        known = {item.name for item in fields(MovementProfile)} - {"slow", "ghost"}
        table = {key.replace("-", "_"): value for key, value in changes.items()}
        wanted = {key: value for key, value in table.items() if key in known}
        texts = [
            f"{key}={value}" if value != "" else key
            for key, value in changes.items()
            if key.replace("-", "_") not in known
        ]
        effects = effects_of(self, texts)
        fielded = self._fielded(unit)
        profile = self._under_effects(fielded.unit, effects)
        whole = {"move": profile.move, "jump": profile.jump, **wanted}
        read = read_table(MovementProfile, whole, f"unit `{unit}`")
        made = replace(profile, **{key: getattr(read, key) for key in wanted})
        free = MovementProfile.parse(unit)
        if free is not None:
            made = replace(made, health=free.health)
        label = f"move {made.move} jump {made.jump}" if free else unit
        if not wanted and not free:
            return label, replace(fielded, effects=effects)
        return label, made

    def classes(self) -> tuple[UnitClass, ...]:
        """Return the playable cards grouped by equal movement, in order of Move and Jump."""
        found: dict[MovementProfile, list[str]] = {}
        for card in self.units.values():
            if card.unit_class != "summoned":
                profile = replace(card.profile, health=None)
                found.setdefault(profile, []).append(card.name)
        order = sorted(found, key=lambda p: (p.move, p.jump, p.vertical_counts, p.no_fall))
        return tuple(UnitClass(p.name, p, tuple(sorted(found[p]))) for p in order)

    @property
    def handed(self) -> tuple[str, ...]:
        """Titles of the cards that push to the left or to the right."""
        return tuple(card.title for card in self.units.values() if card.is_handed)

    def unit_noun(self, unit: str) -> str:
        """Return `a unit with Jump 1`, or the card's name."""
        profile = MovementProfile.parse(unit)
        return f"a unit with Jump {profile.jump}" if profile else super().unit_noun(unit)

    def nouns(self, units: Sequence[str]) -> str:
        """Return `a unit with Jump 1 or 2` for free profiles, else the cards' names."""
        profiles = [MovementProfile.parse(unit) for unit in units]
        if not units or None in profiles:
            return super().nouns(units)
        jumps = dict.fromkeys(str(profile.jump) for profile in profiles if profile)
        return f"a unit with Jump {' or '.join(jumps)}"

    def unit_title(self, unit: AnyProfile) -> str:
        """Return `Move 3, Jump 1`."""
        profile = self.profile(unit)
        jump = "any" if profile.jump >= UNLIMITED else str(profile.jump)
        return f"Move {profile.move}, Jump {jump}"

    # -- movement ----------------------------------------------------------------------------------

    @property
    def turn_text(self) -> str:
        """A turn in words."""
        return "an activation: one Move of a unit, and its attack"

    def model(
        self, graph: SurfaceGraph, unit: AnyProfile, others: Occupants = NOBODY
    ) -> MovementGraph:
        """Return the movement graph of a unit; a move is an activation.

        Args:
            graph: Surfaces of the board with the steps between them.
            unit: Name of a unit, or its profile.
            others: Surfaces with other units.
        """
        profile = self.profile(unit)
        name = unit if isinstance(unit, str) else profile.name
        made = movement.movement_graph(graph, name, profile, self.options, others)
        return (
            replace(made, notes=self.ignored_fittings(graph.board))
            if graph.board.fittings
            else made
        )

    def attack_nodes(
        self,
        graph: SurfaceGraph,
        unit: AnyProfile,
        model: MovementGraph,
        enemies: frozenset[Surface],
    ) -> set[int]:
        """Return the nodes from which melee reaches an enemy.

        Args:
            graph: Not used here.
            unit: Not used here.
            model: Movement graph of the unit.
            enemies: Surfaces with an enemy.
        """
        del graph, unit
        beside: dict[Tile, list[Surface]] = {}
        for enemy in enemies:
            for side in DIRECTIONS:
                beside.setdefault(enemy.tile.step(side), []).append(enemy)
        return {
            number
            for number, place in enumerate(model.places)
            if any(
                attack_area.can_attack(place.anchor, enemy, 1, self.options)
                for enemy in beside.get(place.anchor.tile, ())
            )
        }

    def treasure_on_path(self, board: Board, steps: Sequence[PathStep]) -> tuple[Surface, ...]:
        """Return the chests that a path opens.

        With the option `treasure_trigger` at `stop`, an activation has to end on the chest.

        Args:
            board: The board.
            steps: Steps of the path, with the turn of each.

        Source: "When a unit occupies the tile that a treasure is on".
        """
        chests = {Surface(chest.tile, chest.level) for chest in board.treasures}
        found: list[Surface] = []
        for number, step in enumerate(steps, 1):
            ends = number == len(steps) or steps[number].turn != step.turn
            stops = ends or self.options.treasure_trigger == "pass"
            if step.surface in chests and step.surface not in found and stops:
                found.append(step.surface)
        return tuple(found)

    def obstacle(
        self,
        graph: SurfaceGraph,
        unit: AnyProfile,
        inside: Iterable[Surface],
        beyond: set[Surface],
    ) -> str | None:
        """Return the lowest step between reached surfaces and others, in words.

        Args:
            graph: Surfaces of the board with the steps between them.
            unit: Name of a unit, or its profile.
            inside: Surfaces that the unit reaches.
            beyond: Surfaces that it does not reach.

        Returns:
            The sentence; None if no step joins both.
        """
        jump = self.profile(unit).jump
        best: tuple[int, int, str] | None = None
        for number in sorted(graph.index[at] for at in inside):
            here = graph.surfaces[number]
            for there in map(graph.surfaces.__getitem__, graph.steps(number)):
                if there not in beyond:
                    continue
                rise = there.level - here.level
                if rise > 0:
                    words = f"{there} rises {rise} above {here}; Jump {jump} climbs {jump}"
                else:
                    words = f"{there} lies {-rise} below {here}; Jump {jump} drops {jump} unharmed"
                candidate = (abs(rise), number, words)
                best = min(best, candidate) if best else candidate
        return best[2] if best else None

    # -- boards ------------------------------------------------------------------------------------

    def hazards(self, graph: SurfaceGraph, unit: AnyProfile) -> tuple[Hazard, ...]:
        """Return the surfaces from which a push is worse than the unit's own safe drop.

        Args:
            graph: Surfaces of the board with the steps between them.
            unit: Name of a unit, or its profile.
        """
        jump = self.profile(unit).jump
        found = ((at, movement.deepest_drop(graph, at)) for at in graph.surfaces)
        return tuple(Hazard(at, levels) for at, levels in found if levels > jump)

    def worst_falls(self, graph: SurfaceGraph) -> dict[Surface, tuple[int, bool]]:
        """Return the worst result of a push of 1 tile, by surface.

        The attacker stands beside the unit, at its level.
        """
        from falldamage_forge.games.fall_damage.map_metrics import worst_falls

        return worst_falls(graph, self.options)

    def check_starts(self, position: PositionView) -> tuple[Issue, ...]:
        """Return issues of start zones that break the option `start`.

        Source: "Agree on which sides or corners".
        """
        return tuple(check_start_zones(position.graph, self.options))

    def what_if(
        self, board: Board, texts: Sequence[str], unit: Surface | None = None
    ) -> ChangedBoard:
        """Return the board after changes such as `scaffold E5`, and a unit's end and damage.

        Args:
            board: The board.
            texts: Changes such as `scaffold E5`, in order.
            unit: Surface of a unit that the changes may move; None for no unit.
        """
        from falldamage_forge.games.fall_damage.board_changes import apply_changes
        from falldamage_forge.games.fall_damage.play.death import death_words
        from falldamage_forge.games.fall_damage.unit_cards import PushTarget

        units = {} if unit is None else {unit: PushTarget()}
        state = apply_changes(board, texts, self.content, self.options, units)
        if unit is None:
            return ChangedBoard(state.board, notes=state.notes)
        fall = state.falls.get(unit)
        damage = (fall.fall if fall else 0) + state.hurt.get(unit, 0)
        changed = ChangedBoard(state.board, state.place(unit), damage, state.notes)
        if fall is None or fall.cause is None:
            return changed
        return changed._replace(death=death_words(fall.cause, fall.at))

    def visible_sets(self, graph: SurfaceGraph) -> tuple[int, ...]:
        """Return the surfaces visible from each surface, as bit masks, without units."""
        from falldamage_forge.games.fall_damage.sight_line import visible_sets

        return visible_sets(graph.board, self.options)

    def destruction_results(self, board: Board) -> Iterator[tuple[str, Tile, Board]]:
        """Yield each destructible bridge, ladder and tree with the board without it."""
        for deck in board.decks:
            left = tuple(other for other in board.decks if other is not deck)
            yield f"bridge {deck.a} -> {deck.b}", deck.a, replace(board, decks=left)
        for ladder in board.ladders:
            rest = tuple(other for other in board.ladders if other is not ladder)
            name = f"ladder {ladder.foot} -> {ladder.top}"
            yield name, ladder.foot, replace(board, ladders=rest)
        for n, (tile, column) in enumerate(zip(board.tiles(), board.columns, strict=True)):
            if column.feature is Feature.TREE:
                bare = replace(column, feature=None)
                columns = (*board.columns[:n], bare, *board.columns[n + 1 :])
                yield f"tree {tile}", tile, replace(board, columns=columns)

    def measures(self, position: PositionView) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
        """Return the game's own metrics by name."""
        from falldamage_forge.games.fall_damage.map_metrics import table

        return table(position, self)

    # -- other queries -----------------------------------------------------------------------------

    def push(self, position: PositionView, asked: PushQuestion) -> PushResult:
        """Return the result of a push of a unit or a spire; see `queries.push`.

        Args:
            position: The board under its rules.
            asked: Attacker, target, push and units in the way.
        """
        from falldamage_forge.games.fall_damage import queries

        return queries.push(self, position, asked)

    def sees(
        self, position: PositionView, one: Surface, other: Surface, taken: frozenset[Surface]
    ) -> Sight:
        """Return whether a line of sight is open, with units in the way.

        Args:
            position: The board under its rules.
            one: First surface.
            other: Second surface.
            taken: Surfaces with units, which block.
        """
        from falldamage_forge.games.fall_damage.sight_line import has_line_of_sight

        return has_line_of_sight(position.graph.terrain, one, other, self.options, taken=taken)

    def targets(self, position: PositionView, asked: TargetsQuestion) -> Targets:
        """Return the targets of a card's attack or ability; see `queries.targets`.

        Args:
            position: The board under its rules.
            asked: Unit, surface, ability and other units.
        """
        from falldamage_forge.games.fall_damage import queries

        return queries.targets(self, position, asked)

    def resolve_standing(
        self, position: PositionView, text: str, friend: bool
    ) -> tuple[Surface, Any]:
        """Return the surface and the unit of `bard=E5` or `E5`.

        Args:
            position: The board under its rules.
            text: `bard=E5` or `E5`.
            friend: True for a unit of the own side.

        Returns:
            The surface, and the unit; None if the text names no card.
        """
        from falldamage_forge.games.fall_damage import queries

        if "=" not in text:
            return position.place(text), None
        one = queries.parse_placed_unit(
            self, position, text, queries.MINE if friend else queries.THEIRS
        )
        return one.at, one

    def with_neighbours(
        self, position: PositionView, unit: AnyProfile, start: Surface, others: Occupants
    ) -> AnyProfile:
        """Return a card under the Song and Intimidate of the cards around it.

        Args:
            position: The board under its rules.
            unit: Name of a unit, or its profile.
            start: Surface of the unit.
            others: Other units on the board.
        """
        if not others.cards:
            return unit
        from falldamage_forge.games.fall_damage import queries

        fielded = unit if isinstance(unit, EffectiveUnit) else self._fielded(unit)
        return queries.with_auras(self, position, fielded, start, others.cards)
