"""One board under one game: each graph, model and flood is worked out once and shared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from falldamage_forge import arguments
from falldamage_forge.board import WAYS, Board, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph, surface_graph
from falldamage_forge.issues import ForgeError, Issue, refuse
from falldamage_forge.rules import engine
from falldamage_forge.rules.answers import Path, Pushed, Reach, Sight, Targets
from falldamage_forge.rules.game import (
    NOBODY,
    Game,
    Occupants,
    Profile,
    PushQuestion,
    TargetsQuestion,
    UnitClass,
)
from falldamage_forge.rules.model import Model
from falldamage_forge.rules.unit_on_board import Chance, Places, UnitOn
from falldamage_forge.rules.waves import bits, mask_of, move_waves
from falldamage_forge.values import dataclass

if TYPE_CHECKING:
    from falldamage_forge.rules.questions import Answer

Property = str | int | float | bool
"""The value of a unit's property (`move=4`) or effect: a count, a tile, or True for a flag."""


@dataclass
class Memo:
    """What is known of a board under a game, by value: it serves every equal board."""

    graph: SurfaceGraph | None = None
    models: dict[tuple[Profile, Occupants], Model] = field(default_factory=dict)
    floods: dict[tuple[Profile, frozenset[int], bool], frozenset[int]] = field(default_factory=dict)
    layers: dict[Profile, dict[str, list[int]]] = field(default_factory=dict)
    seen: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Position:
    """A board ready to be asked under a game's rules.

    A frozen value: it compares and hashes by board, game and changes. What is worked out of a board
    is kept, so ask one position as often as you like. After `changes`, places are read as they were
    on the board `before` them.

    Raises:
        ForgeError: For places and units that are not there (FDF340, FDF341, FDF364, FDF367), and
            for arguments of the wrong kind (FDF346).
    """

    board: Board
    game: Game
    memo: Memo = field(default_factory=Memo, compare=False)
    before: Position | None = field(default=None, compare=False)
    changes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        size = f"{self.board.cols}x{self.board.rows}"
        return f"<Position: {size} under {self.game.title}>"

    # -- what is shared --------------------------------------------------------------------------

    @property
    def graph(self) -> SurfaceGraph:
        """Surfaces of the board and the links between them."""
        if self.memo.graph is None:
            self.memo.graph = surface_graph(self.board, self.game.terrain)
        return self.memo.graph

    @cached_property
    def classes(self) -> tuple[UnitClass, ...]:
        """Units that move alike; the plain one first when it is none of these."""
        return self.game.classes()

    @property
    def plain(self) -> str:
        """The unit that stands for all in measures: the first the map is proved for."""
        return self.game.proof_units[0]

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that start on the board."""
        return tuple(zone.side for zone in self.board.starts)

    def model(self, unit: Profile, others: Occupants = NOBODY) -> Model:
        """How a unit, by name or profile, moves among others."""
        key = (unit, others)
        if key not in self.memo.models:
            self.memo.models[key] = self.game.model(self.graph, unit, others)
        return self.memo.models[key]

    def zones(self, unit: Profile) -> dict[str, tuple[int, ...]]:
        """Start places of each side on which a unit has room."""
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
        """Places a unit reaches unhurt from some others, or (`back`) reaches them from."""
        key = (unit, frozenset(starts), back)
        if key not in self.memo.floods:
            self.memo.floods[key] = engine.flood(self.model(unit), key[1], back=back)
        return self.memo.floods[key]

    def layers(self, unit: Profile) -> Mapping[str, list[int]]:
        """For each side sets of places first reached unhurt in turn 0, 1, 2, … from its start."""
        if unit not in self.memo.layers:
            self.memo.layers[unit] = dict(self._make_layers(self.model(unit), self.zones(unit)))
        return self.memo.layers[unit]

    def _make_layers(
        self, model: Model, zones: Mapping[str, tuple[int, ...]]
    ) -> Iterator[tuple[str, list[int]]]:
        waves = move_waves(model, list(zones.values()))
        barred = mask_of(model.no_end)
        for column, side in enumerate(zones):
            turns: list[int] = []
            for moves, mask in enumerate(waves.sets(column)):
                turn = model.clock.turns(moves) if moves else 0
                turns += [0] * (turn + 1 - len(turns))
                turns[turn] |= mask & ~barred if moves else mask
            yield side, turns

    def reached(self, unit: Profile, side: str, turns: int | None = None) -> int:
        """Set of places a unit of a side reaches unhurt within some turns, or ever."""
        total = 0
        for layer in self.layers(unit)[side][: None if turns is None else turns + 1]:
            total |= layer
        return total

    def turns_to(self, unit: Profile, side: str, goals: int) -> int | None:
        """Least turns of a side to any of a set of places; None when it never gets there."""
        for turn, layer in enumerate(self.layers(unit)[side]):
            if layer & goals:
                return turn
        return None

    @property
    def seen(self) -> tuple[int, ...] | None:
        """For each surface the set of surfaces seen from it; None for a game without sight."""
        if self.memo.seen is None:
            self.memo.seen = self.game.seen(self.graph)
        return self.memo.seen

    def tiles(self, unit: Profile, mask: int) -> tuple[Tile, ...]:
        """Tiles of a set of places, sorted."""
        places = self.model(unit).places
        return tuple(sorted({tile for number in bits(mask) for tile in places[number].tiles}))

    def on(self, board: Board) -> Position:
        """The same game on another board."""
        return Position(board, self.game)

    # -- questions -------------------------------------------------------------------------------

    def place(self, where: Places) -> Surface:
        """The surface of `E5` (its column's top, else the lowest) or `E5@2`; FDF340 if none."""
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
        now = self.game.what_if(self.before.board, self.changes, was).unit
        if now is None:
            message = f"who stood on {was} is dead after {', '.join(self.changes)}"
            raise ForgeError([Issue("FDF343", "error", message)])
        return now

    def place_tile(self, text: str) -> Tile:
        """The tile of `E5`, whether or not one can stand there; FDF340 if there is none."""
        try:
            tile = Tile.parse(arguments.text("tile", text).strip().upper())
        except ValueError as error:
            raise refuse("FDF340", str(error)) from None
        if tile not in self.board:
            size = f"the board is {self.board.cols}x{self.board.rows}"
            raise refuse("FDF340", f"{tile} is not on the board", size)
        return tile

    def places(self, where: Iterable[Places]) -> frozenset[Surface]:
        """Several places; a lone text is one of them."""
        return frozenset(map(self.place, arguments.places("places", where, Surface)))

    def others(self, enemies: Iterable[Places] = (), friends: Iterable[Places] = ()) -> Occupants:
        """Who else stands where: surfaces, places, or what the game writes such as `bard=E5`."""
        sides, cards = [], []
        for friend, name, given in ((False, "enemies", enemies), (True, "friends", friends)):
            found = [
                (one, None) if isinstance(one, Surface) else self.game.standing(self, one, friend)
                for one in arguments.places(name, given, Surface)
            ]
            sides.append(frozenset(at for at, _ in found))
            cards += [card for _, card in found if card is not None]
        return Occupants(sides[0], sides[1], tuple(cards))

    def unit(self, name: str, **changes: Property) -> UnitOn:
        """A unit of the game on this board, with some properties changed or under effects.

        Args:
            name: A unit's name, or `M3 J1` for a plain unit of Fall Damage.
            changes: Properties and effects as `--with` names them: `boots=1`, `carry=True`.

        Raises:
            ForgeError: For a unit (FDF364), an effect (FDF344) or a property that nobody knows.
        """
        profile: Profile = arguments.text("name", name)
        label = name
        wanted = _properties(changes)
        if wanted:
            label, profile = self.game.changed(name, wanted)
        else:
            self.game.profile(name)
        return UnitOn(self, label, profile)

    def ask(self, question: str, **given: Any) -> Answer:
        """A question of the game by name, such as `ask("shove", start="C3", direction="east")`.

        Arguments are values or the texts one would write. The game's registry of questions holds
        their names: a wrong one is a ForgeError (FDF345, FDF340) that names the right ones.
        """
        from falldamage_forge.rules import questions

        return questions.ask(self, arguments.text("question", question), given)

    def reach(
        self,
        unit: str,
        start: Places,
        *,
        enemies: Iterable[Places] = (),
        friends: Iterable[Places] = (),
        chance: Chance = 0,
    ) -> Reach:
        """Where a unit gets to; see `UnitOn.reach`."""
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
        """The best way of a unit; see `UnitOn.path`."""
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
    ) -> Pushed:
        """Where a pushed unit, or the spire on a tile, ends.

        Args:
            attacker: Where the attacker stands.
            target: Where the pushed unit or the spire stands.
            push: Letter and tiles as cards write it: `B2`, `L1`, `F1`.
            unit: The pushed unit's card.
            mage: Whether the attacker is a mage; then falls hurt 2 more.
            way: `north`, `east`, `south` or `west`: the facing, on an exact diagonal.
            effects: What the pushed unit is under: `rope=E5`, `lead-shoes`.
            occupied: Where other units stand.

        Raises:
            ForgeError: For a push that cannot be (FDF346), an unknown place, card or effect.
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
        with _told_as_argument("push"):
            return self.game.push(self, question)

    def sees(self, one: Places, other: Places, occupied: Iterable[Places] = ()) -> Sight:
        """Whether two units see each other, `occupied` being where others stand."""
        return self.game.sees(self, self.place(one), self.place(other), self.places(occupied))

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
        """What a unit can attack from where it stands, or use an ability on.

        Args:
            unit: A unit's name.
            start: Where it stands.
            ability: An ability's name; without `aim` the places it may be aimed at are told.
            aim: Where the ability is aimed.
            second: A second place, where the ability needs one.
            way: A direction, where the ability needs one.
            count: A number from 0 to 99, where the ability needs one.
            effects: What the unit is under: `song`, `weapon=1`.
            enemies: Enemies as places or `UNIT=TILE`.
            friends: Friends likewise.
            occupied: Where other units stand.

        Raises:
            ForgeError: For a use that cannot be (FDF346), an unknown unit, place or ability.
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
        with _told_as_argument("targets"):
            return self.game.targets(self, question)


def _properties(changes: Mapping[str, Property]) -> dict[str, str | int | float]:
    """Properties and effects as the command writes them: a flag is its bare name, False is none."""
    found: dict[str, str | int | float] = {}
    for name, value in changes.items():
        if not isinstance(value, str | int | float):
            raise arguments.wrong(name, value, "a number, a text, or True for a flag")
        if value is not False:
            found[name] = "" if value is True else value
    return found


@contextmanager
def _told_as_argument(question: str) -> Iterator[None]:
    """Tell a rule's ValueError as an argument of the question that cannot be (FDF346)."""
    try:
        yield
    except ValueError as error:
        raise refuse("FDF346", f"`{question}`: {error}") from None


def enemy_starts(position: Position, side: str) -> frozenset[Surface]:
    """Surfaces on which the other sides start; a start where nobody can stand is none."""
    starts = {
        Surface(tile, level)
        for zone in position.board.starts
        if zone.side != side
        for tile, level in zone.surfaces
    }
    return frozenset(starts & position.graph.index.keys())
