"""What every game is made of: readings of its rules, its units, and its model of a board.

A `Game` is a frozen value. It answers with data (`Model`, `Hazard`) and pure functions; positions,
proofs, measures and commands ask it and never which game it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Sized
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from falldamage_forge.board import Board, Fitting, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph, TerrainOptions
from falldamage_forge.issues import ForgeError, Issue, SourceSpan, did_you_mean
from falldamage_forge.rules.model import Model
from falldamage_forge.tables import read_table
from falldamage_forge.values import FrozenDict, dataclass

if TYPE_CHECKING:
    from fractions import Fraction

    from falldamage_forge.rules.answers import Metric, Pushed, Sight, Step, Targets
    from falldamage_forge.rules.position import Position

Pairs = Iterable[tuple[str, str | int | float, SourceSpan | None]]
"""Options as they are written: name, value, and where."""
Profile = Hashable
"""How a unit of a game moves and fights: a frozen value of the game's own."""


@dataclass(frozen=True, slots=True)
class Occupants:
    """Who else stands where, by surface."""

    enemies: frozenset[Surface] = frozenset()
    friends: frozenset[Surface] = frozenset()
    cards: tuple[Any, ...] = ()
    """Those of whom more is known than the place, as the game has them."""

    @property
    def taken(self) -> frozenset[Surface]:
        """Everybody."""
        return self.enemies | self.friends


NOBODY = Occupants()


@dataclass(frozen=True, slots=True)
class PushQuestion:
    """A push as it is asked; `Position.push` tells what each word means.

    `target` is a surface, or the text of a place: a tile may name the spire on it.
    """

    attacker: Surface
    target: Surface | str
    push: str
    unit: str | None = None
    mage: bool = False
    way: str | None = None
    effects: tuple[str, ...] = ()
    occupied: frozenset[Surface] = frozenset()


@dataclass(frozen=True, slots=True)
class TargetsQuestion:
    """What a unit can attack, as it is asked; `Position.targets` tells what each word means."""

    unit: str
    start: Surface
    ability: str | None = None
    aim: Surface | None = None
    second: Surface | None = None
    way: str | None = None
    count: int | None = None
    effects: tuple[str, ...] = ()
    enemies: tuple[Surface | str, ...] = ()
    friends: tuple[Surface | str, ...] = ()
    occupied: frozenset[Surface] = frozenset()


class Played(NamedTuple):
    """A board that play has changed; `unit` is where one ends who was asked about, None if dead."""

    board: Board
    unit: Surface | None = None
    damage: int = 0
    notes: tuple[str, ...] = ()


class Hazard(NamedTuple):
    """A surface from which one may fall: levels at most, words, chance that a shove does it."""

    surface: Surface
    levels: int
    text: str = ""
    chance: Fraction | None = None

    def json(self) -> dict[str, Any]:
        """As JSON."""
        chance = None if self.chance is None else str(self.chance)
        return {**self._asdict(), "surface": str(self.surface), "chance": chance}


class UnitClass(NamedTuple):
    """Units that move alike, judged once: a name, their profile, and who they are."""

    name: str
    profile: Profile
    units: tuple[str, ...]


@dataclass(frozen=True)
class Game(ABC):
    """One game under one reading of its rules; its own class types `units` and `options`.

    `proof_units` names the units a map is proved for; the first of them stands for a plain one.
    `start_tiles` is how many tiles each side starts on; None leaves it to the map.
    """

    name: str
    title: str
    proof_units: tuple[str, ...]
    units: Mapping[str, Any]
    options: Any
    start_tiles: int | None = None

    code: ClassVar[str] = "FDF364"
    """The code of a unit that nobody knows."""
    treasure_matters: ClassVar[bool] = False
    """Whether one plays for treasure: then a chest that nobody reaches is an error."""
    everybody: ClassVar[bool] = False
    """Whether all units come to every table: then a map that cuts one off is warned of."""

    fittings: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Kinds of fittings that mean something to the game, with the names it knows, () for any."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", FrozenDict(self.units))

    def __hash__(self) -> int:
        return hash((type(self), self.name, self.options))

    # -- what a game has to say ------------------------------------------------------------------

    @abstractmethod
    def model(self, graph: SurfaceGraph, unit: Profile, others: Occupants = NOBODY) -> Model:
        """How a unit moves over a board's surfaces; `unit` is a name or a profile.

        ForgeError (`code`) when there is no such unit.
        """

    @abstractmethod
    def strikes(
        self, graph: SurfaceGraph, unit: Profile, model: Model, enemies: frozenset[Surface]
    ) -> set[int]:
        """Places of a model from which an enemy like it on one of some surfaces can be attacked."""

    # -- what it may say -------------------------------------------------------------------------

    @property
    def terrain(self) -> TerrainOptions:
        """What is solid and what can be stood on."""
        return TerrainOptions()

    def hazards(self, graph: SurfaceGraph, unit: Profile) -> tuple[Hazard, ...]:
        """Surfaces from which one may fall."""
        del graph, unit
        return ()

    def worst_falls(self, graph: SurfaceGraph) -> dict[Surface, tuple[int, bool]]:
        """By surface the worst that a push by one tile does: levels, and whether it kills."""
        worst = self.hazards(graph, self.proof_units[0])
        return {hazard.surface: (hazard.levels, "Pitfall" in hazard.text) for hazard in worst}

    def measures(self, position: Position) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
        """What only this game measures on a board, by name, worked out when called."""
        del position
        return {}

    @property
    def turn_told(self) -> str:
        """What a turn is, as a legend has it."""
        return "a turn of the game"

    @property
    def questions(self) -> Mapping[str, Callable[..., Any]]:
        """Typed functions that are asked by name; see `rules/questions.py`."""
        return {}

    def seen(self, graph: SurfaceGraph) -> tuple[int, ...] | None:
        """For each surface the set of surfaces seen from it; None where sight has no rule."""
        del graph
        return None

    def opened(self, board: Board, steps: Sequence[Step]) -> tuple[Surface, ...]:
        """Surfaces with treasure that a way opens, in order."""
        del board, steps
        return ()

    def wrecks(self, board: Board) -> Iterable[tuple[str, Tile, Board]]:
        """The board with one thing destroyed, for each that can be: name, tile, what is left."""
        del board
        return ()

    def what_if(self, board: Board, texts: Sequence[str], unit: Surface | None = None) -> Played:
        """The board after changes in words, and where a unit is by then that stood on a surface.

        ValueError says what is wrong with the words.
        """
        del board, texts, unit
        raise ValueError(f"the rules of {self.title} change no terrain")

    def amid(self, position: Position, unit: Profile, start: Surface, others: Occupants) -> Profile:
        """A unit as it counts among those who stand around where it starts."""
        del position, start, others
        return unit

    def misfits(self, board: Board) -> tuple[Issue, ...]:
        """Errors where the readings and a board do not go together."""
        del board
        return ()

    def knows(self, fitting: Fitting) -> bool:
        """Whether a fitting means anything to this game."""
        names = self.fittings.get(fitting.kind)
        return names is not None and (not names or fitting.name in names)

    def unread(self, board: Board) -> tuple[str, ...]:
        """What a map says in fittings that mean nothing here."""
        counts = Counter(x.kind for x in board.fittings if not self.knows(x))
        return tuple(f"{counted(range(n), kind)} without meaning" for kind, n in counts.items())

    def starts(self, position: Position) -> tuple[Issue, ...]:
        """What is wrong with where the sides start, beyond their number."""
        del position
        return ()

    def classes(self) -> tuple[UnitClass, ...]:
        """Units that move alike, together."""
        found: dict[Profile, list[str]] = {}
        for name in self.units:
            found.setdefault(self.profile(name), []).append(name)
        return tuple(UnitClass(names[0], profile, tuple(names)) for profile, names in found.items())

    def obstacle(
        self, graph: SurfaceGraph, unit: Profile, inside: Iterable[Surface], beyond: set[Surface]
    ) -> str | None:
        """In words, the least thing that keeps a unit from what lies beyond."""
        del graph, unit, inside, beyond
        return None

    def noun(self, unit: str) -> str:
        """A unit as a sentence has it: `a ganger`."""
        return f"{'an' if unit[:1] in 'aeiou' else 'a'} {unit} of {self.title}"

    def nouns(self, units: Sequence[str]) -> str:
        """Several units as a sentence has them: `a ganger or a scout`."""
        return " or ".join(dict.fromkeys(map(self.noun, units)))

    def told(self, unit: Profile) -> str:
        """A unit by name or profile in a heading."""
        return str(unit)

    def push(self, position: Position, asked: PushQuestion) -> Pushed:
        """Where a pushed unit ends; ValueError for a push that cannot be."""
        raise self.silent("pushes")

    def sees(
        self, position: Position, one: Surface, other: Surface, taken: frozenset[Surface]
    ) -> Sight:
        """Whether two units see each other."""
        raise self.silent("lines of sight")

    def targets(self, position: Position, asked: TargetsQuestion) -> Targets:
        """What a unit can attack from where it stands; ValueError for a use that cannot be."""
        from falldamage_forge.rules.answers import Target, Targets

        for word in ("ability", "aim", "second", "way", "count", "effects"):
            if getattr(asked, word) not in (None, ()):
                raise self.silent(f"`{word}` of targets")
        model = self.model(position.graph, asked.unit)
        number = model.index.get(asked.start)
        found = (
            surface
            for surface in position.graph.surfaces
            if surface != asked.start
            and number in self.strikes(position.graph, asked.unit, model, frozenset((surface,)))
        )
        targets = tuple(Target(surface) for surface in found)
        return Targets(self.name, asked.unit, asked.start, targets)

    # -- what follows ----------------------------------------------------------------------------

    def silent(self, what: str) -> ForgeError:
        """The rules say nothing of something (FDF366)."""
        message = f"the rules of {self.title} say nothing of {what}"
        hint = "`reach`, `path`, `analyze` and `compare` speak of every game"
        return ForgeError([Issue("FDF366", "error", message, hint=hint)])

    def profile(self, unit: Profile) -> Any:
        """A unit's profile by name, or the profile itself.

        ForgeError (`code`) with the nearest name when there is none.
        """
        if not isinstance(unit, str):
            return unit
        if unit not in self.units:
            hint = did_you_mean(unit, self.units) or f"known: {', '.join(self.units)}"
            message = f"no unit called `{unit}` in {self.title}"
            raise ForgeError([Issue(self.code, "error", message, hint=hint)])
        return self.units[unit]

    def standing(self, position: Position, text: str, friend: bool) -> tuple[Surface, Any]:
        """Where one stands who is written as `E5`, and what else the game knows of him."""
        del friend
        return position.place(text), None

    def changed(self, unit: str, changes: Mapping[str, Any]) -> tuple[str, Profile]:
        """Name and profile of a unit with some properties changed; ForgeError for unknown ones."""
        profile = self.profile(unit)
        known = {item.name: getattr(profile, item.name) for item in fields(profile)}
        table = {**known, **{key.replace("-", "_"): value for key, value in changes.items()}}
        told = ", ".join(f"{key} {value}" for key, value in changes.items())
        return f"{unit} with {told}", read_table(type(profile), table, f"unit `{unit}`")

    def check_proof_units(self) -> None:
        """ValueError when a proof unit is not in the table, or none is named."""
        if not self.proof_units:
            raise ValueError("`proof_units` names no unit")
        for unit in self.proof_units:
            try:
                self.profile(unit)
            except ForgeError:
                raise ValueError(f"`proof_units` names `{unit}`, which `units` has not") from None

    def under(self, pairs: Pairs) -> Self:
        """The same game under other readings; ForgeError (FDF320) names an unknown one.

        Names and values may be written with hyphens or underscores.
        """
        current = self.options
        table = {item.name: getattr(current, item.name) for item in fields(current)}
        faults: list[Issue] = []
        for name, value, span in pairs:
            changed = {**table, name.replace("-", "_"): plain_value(value)}
            try:
                read_table(type(current), changed, "option")
                table = changed
            except ForgeError as error:
                faults += (
                    Issue("FDF320", "error", issue.message, span, hint=issue.hint)
                    for issue in error.issues
                )
        if faults:
            raise ForgeError(faults)
        changes: dict[str, Any] = {"options": read_table(type(current), table, "option")}
        return replace(self, **changes)


def plain_value(value: str | int | float) -> str | int | float:
    """`2`, `-1` and `0.2` as numbers, words with underscores."""
    if not isinstance(value, str):
        return value
    if _digits(value) and len(value) < 6:
        return int(value)
    if value[:1] == "-" and _digits(value[1:]) and len(value) < 7:
        return int(value)
    whole, _, part = value.partition(".")
    if _digits(whole) and _digits(part) and len(value) < 12:
        return float(value)
    return value.replace("-", "_")


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def counted(things: Sized, noun: str) -> str:
    """`1 ladder`, `2 ladders`."""
    return f"{len(things)} {noun}{'' if len(things) == 1 else 's'}"
