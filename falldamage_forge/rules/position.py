"""Position: one board under one ruleset, with all movement queries and a cache of their results.

Each movement graph and reachable set is computed once and shared by all callers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from falldamage_forge.board import WAYS, Board, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph, surface_graph
from falldamage_forge.infra import arguments
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue, refuse
from falldamage_forge.rules import pathfinding
from falldamage_forge.rules.answers import Path, PushResult, Reach, Sight, Targets
from falldamage_forge.rules.bitset_bfs import bits, mask_of, multi_source_bfs
from falldamage_forge.rules.movement_graph import MovementGraph
from falldamage_forge.rules.position_view import Places, PositionView
from falldamage_forge.rules.ruleset import (
    MissingChoiceError,
    PushQuestion,
    Ruleset,
    TargetsQuestion,
)
from falldamage_forge.rules.unit_on_board import BoardUnit, Chance
from falldamage_forge.rules.unit_values import NOBODY, Occupants, Profile, UnitClass

if TYPE_CHECKING:
    from falldamage_forge.rules.query_registry import QueryResult

Property = str | int | float | bool
"""Value of a unit's property (`move=4`) or effect: a count, a tile, or True for a flag."""


@dataclass
class PositionCache:
    """Cached analysis of one board under one ruleset; equal positions may share it.

    Attributes:
        graph: Surfaces of the board.
        models: Movement graphs by profile and other units.
        floods: Reachable sets by profile, start nodes and direction.
        layers: Per side the bit sets of nodes first reached in turn 0, 1, 2, …
        seen: Per surface index the bit set of visible surfaces.
    """

    graph: SurfaceGraph | None = None
    models: dict[tuple[Profile, Occupants], MovementGraph] = field(default_factory=dict)
    floods: dict[tuple[Profile, frozenset[int], bool], frozenset[int]] = field(default_factory=dict)
    layers: dict[Profile, dict[str, list[int]]] = field(default_factory=dict)
    seen: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Position:
    """A board under a ruleset, ready for queries.

    A frozen value: it compares and hashes by board, ruleset and changes. Results are cached, so
    repeated queries of one position are cheap.

    Attributes:
        board: The board.
        game: The ruleset.
        memo: Cache of results.
        before: Position before `changes`; surfaces are then read as they were on its board.
        changes: Changes during play, as texts.

    Raises:
        ForgeError: For unknown surfaces and units (FDF340, FDF341, FDF364, FDF367), and for
            arguments of the wrong kind (FDF346).
    """

    board: Board
    game: Ruleset
    memo: PositionCache = field(default_factory=PositionCache, compare=False)
    before: Position | None = field(default=None, compare=False)
    changes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        size = f"{self.board.cols}x{self.board.rows}"
        return f"<Position: {size} under {self.game.title}>"

    # -- what is shared --------------------------------------------------------------------------

    @property
    def graph(self) -> SurfaceGraph:
        """Surfaces of the board and the steps between them."""
        if self.memo.graph is None:
            self.memo.graph = surface_graph(self.board, self.game.terrain)
        return self.memo.graph

    @cached_property
    def classes(self) -> tuple[UnitClass, ...]:
        """Units grouped by equal profiles."""
        return self.game.classes()

    @property
    def plain(self) -> str:
        """The plain unit, which stands for all units in metrics: the first proof unit."""
        return self.game.proof_units[0]

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that start on the board."""
        return tuple(zone.side for zone in self.board.starts)

    def model(self, unit: Profile, others: Occupants = NOBODY) -> MovementGraph:
        """Return the movement graph of a unit.

        Args:
            unit: Name or profile.
            others: Other units on the board (default: none).

        Raises:
            ForgeError: If there is no such unit.
        """
        key = (unit, others)
        if key not in self.memo.models:
            self.memo.models[key] = self.game.model(self.graph, unit, others)
        return self.memo.models[key]

    def zones(self, unit: Profile) -> dict[str, tuple[int, ...]]:
        """Return by side the start nodes on which a unit has clearance."""
        at = self.model(unit).standing
        return {
            zone.side: tuple(
                dict.fromkeys(
                    n for here in map(Surface._make, zone.surfaces) for n in at.get(here, ())
                )
            )
            for zone in self.board.starts
        }

    def flood(self, unit: Profile, starts: Iterable[int], *, back: bool = False) -> frozenset[int]:
        """Return the nodes that a unit reaches without damage, in any number of turns.

        Args:
            unit: Name or profile.
            starts: Start nodes.
            back: True for the nodes from which the unit reaches a start node.
        """
        key = (unit, frozenset(starts), back)
        if key not in self.memo.floods:
            self.memo.floods[key] = pathfinding.reachable_places(
                self.model(unit), key[1], reverse=back
            )
        return self.memo.floods[key]

    def layers(self, unit: Profile) -> Mapping[str, list[int]]:
        """Return by side the bit sets of nodes first reached without damage, by turn from 0."""
        if unit not in self.memo.layers:
            self.memo.layers[unit] = dict(self._make_layers(self.model(unit), self.zones(unit)))
        return self.memo.layers[unit]

    def _make_layers(
        self, model: MovementGraph, zones: Mapping[str, tuple[int, ...]]
    ) -> Iterator[tuple[str, list[int]]]:
        waves = multi_source_bfs(model, list(zones.values()))
        barred = mask_of(model.no_end)
        for column, side in enumerate(zones):
            turns: list[int] = []
            for moves, mask in enumerate(waves.sets(column)):
                turn = model.clock.turns(moves) if moves else 0
                turns += [0] * (turn + 1 - len(turns))
                turns[turn] |= mask & ~barred if moves else mask
            yield side, turns

    def reached(self, unit: Profile, side: str, turns: int | None = None) -> int:
        """Return the bit set of nodes that a unit of a side reaches without damage.

        Args:
            unit: Name or profile.
            side: Name of the side.
            turns: Most turns; None for no limit.
        """
        total = 0
        for layer in self.layers(unit)[side][: None if turns is None else turns + 1]:
            total |= layer
        return total

    def turns_to(self, unit: Profile, side: str, goals: int) -> int | None:
        """Return the least turns of a side to any of some nodes.

        Args:
            unit: Name or profile.
            side: Name of the side.
            goals: Bit set of the goal nodes.

        Returns:
            None if the side reaches none of them.
        """
        for turn, layer in enumerate(self.layers(unit)[side]):
            if layer & goals:
                return turn
        return None

    @property
    def seen(self) -> tuple[int, ...] | None:
        """Per surface index the bit set of visible surfaces; None if the ruleset has no sight."""
        if self.memo.seen is None:
            self.memo.seen = self.game.visible_sets(self.graph)
        return self.memo.seen

    def tiles(self, unit: Profile, mask: int) -> tuple[Tile, ...]:
        """Return the tiles of a bit set of nodes, sorted.

        Args:
            unit: Profile whose movement graph numbers the nodes.
            mask: Bit set of node numbers.
        """
        places = self.model(unit).places
        return tuple(sorted({tile for number in bits(mask) for tile in places[number].tiles}))

    def on(self, board: Board) -> Position:
        """Return the position of another board under the same ruleset."""
        return Position(board, self.game)

    # -- questions -------------------------------------------------------------------------------

    def place(self, where: Places) -> Surface:
        """Return the surface that a text names.

        Args:
            where: `E5@2`, `E5` for its column's top, else its lowest surface, or a `Surface`.

        Raises:
            ForgeError: FDF340 if there is no such surface; FDF343 if the unit there died in
                `changes`.
        """
        if isinstance(where, Surface):
            return where
        if not isinstance(where, str):
            raise arguments.wrong("place", where, "a place such as E5 or E5@2, or a `Surface`")
        if self.before is None:
            return self.graph.find(where)
        try:
            was = self.before.graph.find(where)
        except ForgeError:
            return self.graph.find(where)
        now = self.game.what_if(self.before.board, self.changes, was)
        if now.unit is None:
            changes = ", ".join(self.changes)
            message = f"after {changes}, the unit that stood on {was} {now.death}"
            raise ForgeError([Issue("FDF343", "error", message)])
        return now.unit

    def place_tile(self, text: str) -> Tile:
        """Return the tile of `E5`, even if no unit can stand there.

        Raises:
            ForgeError: FDF340 if the text names no tile of the board.
        """
        try:
            tile = Tile.parse(arguments.text("tile", text).strip().upper())
        except ValueError as error:
            raise refuse("FDF340", str(error)) from None
        if tile not in self.board:
            size = f"the board is {self.board.cols}x{self.board.rows}"
            raise refuse("FDF340", f"{tile} is not on the board", size)
        return tile

    def places(self, where: Iterable[Places]) -> frozenset[Surface]:
        """Return several surfaces; a single text counts as one of them."""
        return frozenset(map(self.place, arguments.places("places", where, Surface)))

    def others(self, enemies: Iterable[Places] = (), friends: Iterable[Places] = ()) -> Occupants:
        """Return the other units on the board.

        Args:
            enemies: Surfaces, their texts, or the ruleset's own form such as `bard=E5`.
            friends: The same for friends.
        """
        sides, cards = [], []
        for friend, name, given in ((False, "enemies", enemies), (True, "friends", friends)):
            standing = [
                (where, None)
                if isinstance(where, Surface)
                else self.game.resolve_standing(self, where, friend)
                for where in arguments.places(name, given, Surface)
            ]
            sides.append(frozenset(at for at, _ in standing))
            cards += [card for _, card in standing if card is not None]
        return Occupants(sides[0], sides[1], tuple(cards))

    def unit(self, name: str, **changes: Property) -> BoardUnit:
        """Return a unit of the ruleset on this board.

        Args:
            name: A unit's name, or `M3 J1` for a plain unit of Fall Damage.
            **changes: Properties and effects as `--with` names them: `boots=1`, `carry=True`.

        Raises:
            ForgeError: For an unknown unit (FDF364), effect (FDF344) or property.
        """
        profile: Profile = arguments.text("name", name)
        label = name
        wanted = _properties(changes)
        if wanted:
            label, profile = self.game.changed(name, wanted)
        else:
            self.game.profile(name)
        return BoardUnit(self, label, profile)

    def ask(self, question: str, **given: Any) -> QueryResult:
        """Run a query of the ruleset by name, such as `ask("shove", start="C3", direction="east")`.

        Args:
            question: Name of the query.
            **given: Values, or the texts that `fdforge ask` takes.

        Raises:
            ForgeError: For an unknown query or argument (FDF345) or surface (FDF340).
        """
        from falldamage_forge.rules import query_registry

        return query_registry.run_query(self, arguments.text("question", question), given)

    def reach(
        self,
        unit: str,
        start: Places,
        *,
        enemies: Iterable[Places] = (),
        friends: Iterable[Places] = (),
        chance: Chance = 0,
    ) -> Reach:
        """Return the surfaces that a unit reaches; see `BoardUnit.reach`.

        Args:
            unit: Name of the unit's class or card.
            start: Surface on which it stands, or the surfaces of a large base.
            enemies: Surfaces of each enemy.
            friends: Surfaces of each friend.
            chance: Least probability of an answer, 0 to 1; 0: any.
        """
        return self.unit(unit).reach(start, enemies=enemies, friends=friends, chance=chance)

    def path(
        self,
        unit: str,
        start: Places,
        goal: Places,
        *,
        enemies: Iterable[Places] = (),
        friends: Iterable[Places] = (),
        chance: Chance = 0,
        any_damage: bool = False,
        turns: int = 0,
    ) -> Path:
        """Return the best path of a unit; see `BoardUnit.path`.

        Args:
            unit: Name of the unit's class or card.
            start: Surface on which it stands, or the surfaces of a large base.
            goal: Surface, or surfaces, where the path ends.
            enemies: Surfaces of each enemy.
            friends: Surfaces of each friend.
            chance: Least probability of the path, 0 to 1; 0: any.
            any_damage: True if the path may cost all health.
            turns: Most turns that the path may take; 0: any number.
        """
        among = {"enemies": enemies, "friends": friends}
        on = self.unit(unit)
        return on.path(start, goal, **among, chance=chance, any_damage=any_damage, turns=turns)

    def push(
        self,
        attacker: Places,
        target: Places,
        push: str,
        *,
        unit: str | None = None,
        mage: bool = False,
        way: str | None = None,
        effects: Iterable[str] = (),
        occupied: Iterable[Places] = (),
    ) -> PushResult:
        """Return the result of a push of a unit, or of the spire on a tile.

        Args:
            attacker: Surface of the attacker.
            target: Surface of the pushed unit, or the spire's tile.
            push: Letter and tiles as on the cards: `B2`, `L1`, `F1`.
            unit: The pushed unit's card.
            mage: True if the attacker is a mage, whose pushes add 2 to fall damage.
            way: `north`, `east`, `south` or `west`: the facing, on an exact diagonal.
            effects: Effects on the pushed unit: `rope=E5`, `lead-shoes`.
            occupied: Surfaces of other units.

        Raises:
            ForgeError: For a push that the rules do not allow (FDF347), an unknown surface, card or
                effect.
        """
        question = PushQuestion(
            self.place(attacker),
            target if isinstance(target, Surface) else arguments.text("target", target),
            arguments.text("push", push),
            arguments.optional(arguments.text, "unit", unit),
            arguments.flag("mage", mage),
            arguments.optional(arguments.one_of, "way", way, WAYS),
            arguments.texts("effects", effects),
            self.places(occupied),
        )
        with _as_rules_error("push"):
            return self.game.push(self, question)

    def sees(self, one: Places, other: Places, occupied: Iterable[Places] = ()) -> Sight:
        """Return the line of sight between two units.

        Args:
            one: Surface of the viewer.
            other: Surface of the target.
            occupied: Surfaces of other units.
        """
        return self.game.sees(self, self.place(one), self.place(other), self.places(occupied))

    has_line_of_sight = sees

    def targets(
        self,
        unit: str,
        start: Places,
        *,
        ability: str | None = None,
        aim: Places | None = None,
        second: Places | None = None,
        way: str | None = None,
        count: int | None = None,
        effects: Iterable[str] = (),
        enemies: Iterable[Places] = (),
        friends: Iterable[Places] = (),
        occupied: Iterable[Places] = (),
    ) -> Targets:
        """Return the targets of a unit's attack or ability from where it stands.

        Args:
            unit: A unit's name.
            start: Surface of the unit.
            ability: An ability's name; without `aim` the answer lists its possible aims.
            aim: Surface at which the ability is aimed.
            second: Second surface, for abilities that need one.
            way: Direction, for abilities that need one.
            count: Number from 0 to 99, for abilities that need one.
            effects: Effects on the unit: `song`, `weapon=1`.
            enemies: Enemies as surfaces or `UNIT=TILE`.
            friends: Friends likewise.
            occupied: Surfaces of other units.

        Raises:
            ForgeError: For a use that the rules do not allow (FDF347), an unknown unit, surface or
                ability.
        """
        question = TargetsQuestion(
            arguments.text("unit", unit),
            self.place(start),
            arguments.optional(arguments.text, "ability", ability),
            None if aim is None else self.place(aim),
            None if second is None else self.place(second),
            arguments.optional(arguments.one_of, "way", way, WAYS),
            arguments.optional(arguments.whole, "count", count, 0, 99),
            arguments.texts("effects", effects),
            arguments.places("enemies", enemies, Surface),
            arguments.places("friends", friends, Surface),
            self.places(occupied),
        )
        with _as_rules_error("targets"):
            return self.game.targets(self, question)


Analysis = Position


def _properties(changes: Mapping[str, Property]) -> dict[str, str | int | float]:
    """Return properties and effects as the command writes them: True is a bare name."""
    properties: dict[str, str | int | float] = {}
    for name, value in changes.items():
        if not isinstance(value, str | int | float):
            raise arguments.wrong(name, value, "a number, a text, or True for a flag")
        if value is not False:
            properties[name] = "" if value is True else value
    return properties


@contextmanager
def _as_rules_error(question: str) -> Iterator[None]:
    """Turn a ruleset's ValueError into FDF347, and one of a missing argument into FDF346."""
    try:
        yield
    except ValueError as error:
        code = "FDF346" if isinstance(error, MissingChoiceError) else "FDF347"
        raise refuse(code, f"`{question}`: {error}") from None


def enemy_starts(position: PositionView, side: str) -> frozenset[Surface]:
    """Return the surfaces on which the other sides start; tiles without a surface are left out.

    Args:
        position: Position whose graph holds the surfaces.
        side: Name of the side whose enemies are asked for.
    """
    starts = {
        Surface(tile, level)
        for zone in position.board.starts
        if zone.side != side
        for tile, level in zone.surfaces
    }
    return frozenset(starts & position.graph.index.keys())
