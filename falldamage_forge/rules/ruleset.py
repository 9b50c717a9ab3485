"""Base class of all rulesets: options, units, and the movement graph of a board.

A `Ruleset` is a frozen value. It answers with data (`MovementGraph`, `Hazard`) and pure functions.
Positions, playability checks, metrics and commands call it without knowing which game it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import fields, replace
from typing import Any, ClassVar, NamedTuple, Self

from falldamage_forge.board import Board, Fitting, Tile
from falldamage_forge.board.surfaces import Surface, SurfaceGraph, TerrainOptions
from falldamage_forge.elements import FITTINGS
from falldamage_forge.infra.lazy_dataclass import FrozenDict, dataclass
from falldamage_forge.infra.toml_loader import read_table
from falldamage_forge.issues import ForgeError, Issue, SourceSpan, did_you_mean
from falldamage_forge.rules.answers import (
    Hazard,
    Metric,
    PathStep,
    PushResult,
    Sight,
    Target,
    Targets,
)
from falldamage_forge.rules.movement_graph import MovementGraph
from falldamage_forge.rules.position_view import PositionView
from falldamage_forge.rules.unit_values import NOBODY, Occupants, Profile, UnitClass

Pairs = Iterable[tuple[str, str | int | float, SourceSpan | None]]
"""Options as written: name, value, and source span."""


@dataclass(frozen=True, slots=True)
class PushQuestion:
    """The arguments of `Position.push`, validated.

    Attributes:
        target: A surface, or the text of a tile, which may name the spire on it.
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
    """The arguments of `Position.targets`, validated."""

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


class MissingChoiceError(ValueError):
    """A push or an ability needs a choice that the query does not make."""


class ChangedBoard(NamedTuple):
    """A board after changes during play.

    Attributes:
        board: The changed board.
        unit: Surface of the followed unit afterwards; None if it died or none was followed.
        damage: Damage to the followed unit.
        notes: Sentences about the changes.
        death: What happened to the followed unit if it died, such as `dies in lava on C2@0`.
    """

    board: Board
    unit: Surface | None = None
    damage: int = 0
    notes: tuple[str, ...] = ()
    death: str = "dies"


@dataclass(frozen=True)
class Ruleset(ABC):
    """One game's rules under given options, with its units; a subclass types `units` and `options`.

    Attributes:
        name: Name of the ruleset in sources and commands.
        title: Name of the game in sentences.
        proof_units: Units for which a map is proved playable; the first is the plain unit.
        units: Unit cards or profiles by name.
        options: Frozen options of the ruleset.
        start_tiles: Start tiles of each side; None if the map decides.
    """

    name: str
    title: str
    proof_units: tuple[str, ...]
    units: Mapping[str, Any]
    options: Any
    start_tiles: int | None = None

    code: ClassVar[str] = "FDF364"
    """Error code for an unknown unit."""
    treasure_matters: ClassVar[bool] = False
    """True if treasure decides the game: a chest that no unit reaches is then an error."""
    everybody: ClassVar[bool] = False
    """True if every game uses all units: a map that cuts one off then gets a warning."""

    question_aliases: ClassVar[Mapping[str, str]] = {}
    """Names of queries by their aliases."""
    fittings: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Kinds of fittings that the rules read, with the names they know; () for any name."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", FrozenDict(self.units))

    def __hash__(self) -> int:
        return hash((type(self), self.name, self.options))

    # -- what a game has to say ------------------------------------------------------------------

    @abstractmethod
    def model(
        self, graph: SurfaceGraph, unit: Profile, others: Occupants = NOBODY
    ) -> MovementGraph:
        """Return the movement graph of a unit on a board.

        Args:
            graph: Surfaces of the board.
            unit: Name or profile.
            others: Other units on the board.

        Raises:
            ForgeError: `code` if there is no such unit.
        """

    @abstractmethod
    def attack_nodes(
        self, graph: SurfaceGraph, unit: Profile, model: MovementGraph, enemies: frozenset[Surface]
    ) -> set[int]:
        """Return the nodes from which a unit can attack an equal unit.

        Args:
            graph: Surfaces of the board.
            unit: Name or profile of the attacker.
            model: Movement graph of the attacker.
            enemies: Surfaces of the possible targets.

        Returns:
            Node numbers of `model`.
        """

    # -- what it may say -------------------------------------------------------------------------

    @property
    def terrain(self) -> TerrainOptions:
        """Options that decide what is solid and where a unit can stand."""
        return TerrainOptions()

    def hazards(self, graph: SurfaceGraph, unit: Profile) -> tuple[Hazard, ...]:
        """Return the surfaces from which a unit may fall.

        Args:
            graph: Surfaces of the board and what lies between them.
            unit: Profile of the unit.
        """
        del graph, unit
        return ()

    def worst_falls(self, graph: SurfaceGraph) -> dict[Surface, tuple[int, bool]]:
        """Return by surface the worst fall of a push by one tile: levels, and True if it kills."""
        worst = self.hazards(graph, self.proof_units[0])
        return {hazard.surface: (hazard.levels, "Pitfall" in hazard.text) for hazard in worst}

    def measures(self, position: PositionView) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
        """Return the metrics that only this ruleset has, by name; each is computed when called."""
        del position
        return {}

    @property
    def turn_text(self) -> str:
        """Definition of a turn, for legends."""
        return "a turn of the game"

    @property
    def questions(self) -> Mapping[str, Callable[..., Any]]:
        """Query functions by name; see `rules/query_registry.py`."""
        return {}

    def visible_sets(self, graph: SurfaceGraph) -> tuple[int, ...] | None:
        """Return per surface index the bit set of visible surfaces; None without sight rules."""
        del graph
        return None

    def treasure_on_path(self, board: Board, steps: Sequence[PathStep]) -> tuple[Surface, ...]:
        """Return the surfaces of the chests that a path opens, in order.

        Args:
            board: Board with the chests.
            steps: Steps of the path, in order.
        """
        del board, steps
        return ()

    def destruction_results(self, board: Board) -> Iterable[tuple[str, Tile, Board]]:
        """Return the board after each possible destruction: name, tile, remaining board."""
        del board
        return ()

    def what_if(
        self, board: Board, texts: Sequence[str], unit: Surface | None = None
    ) -> ChangedBoard:
        """Return the board after changes given as texts.

        Args:
            board: The board before the changes.
            texts: Changes such as `destroy E5`, in order.
            unit: Surface of a unit to follow through the changes.

        Raises:
            ValueError: If a text is no possible change.
        """
        del board, texts, unit
        raise ValueError(f"the rules of {self.title} change no terrain")

    def with_neighbours(
        self, position: PositionView, unit: Profile, start: Surface, others: Occupants
    ) -> Profile:
        """Return a unit's profile with the modifiers that units around its start give it.

        Args:
            position: PositionView on the board.
            unit: Profile without modifiers.
            start: Surface on which the unit begins.
            others: Units around it.
        """
        del position, start, others
        return unit

    def check_options(self, board: Board) -> tuple[Issue, ...]:
        """Return errors for options that do not fit the board."""
        del board
        return ()

    def supports_fitting(self, fitting: Fitting) -> bool:
        """True if the rules read a fitting."""
        if FITTINGS[fitting.kind].everywhere:
            return True
        names = self.fittings.get(fitting.kind)
        return names is not None and (not names or fitting.name in names)

    def ignored_fittings(self, board: Board) -> tuple[str, ...]:
        """Return a phrase for each kind of fitting that the rules do not read."""
        counts = Counter(x.kind for x in board.fittings if not self.supports_fitting(x))
        return tuple(f"{format_count(range(n), kind)} ignored" for kind, n in counts.items())

    def check_starts(self, position: PositionView) -> tuple[Issue, ...]:
        """Return issues of the start zones, apart from their number."""
        del position
        return ()

    def classes(self) -> tuple[UnitClass, ...]:
        """Return the units grouped by equal profiles."""
        names_by_profile: dict[Profile, list[str]] = {}
        for name in self.units:
            names_by_profile.setdefault(self.profile(name), []).append(name)
        return tuple(
            UnitClass(names[0], profile, tuple(names))
            for profile, names in names_by_profile.items()
        )

    def obstacle(
        self, graph: SurfaceGraph, unit: Profile, inside: Iterable[Surface], beyond: set[Surface]
    ) -> str | None:
        """Return the least obstacle that keeps a unit from some surfaces, in words.

        Args:
            graph: Surfaces of the board.
            unit: Name or profile.
            inside: Surfaces that the unit reaches.
            beyond: Surfaces that it does not reach.

        Returns:
            None if the rules name no obstacle.
        """
        del graph, unit, inside, beyond
        return None

    @property
    def handed(self) -> tuple[str, ...]:
        """Titles of the units that a mirror changes, such as one that pushes to the left."""
        return ()

    def unit_noun(self, unit: str) -> str:
        """Return a unit as a noun phrase: `a ganger of Gang Skirmish`."""
        return f"{'an' if unit[:1] in 'aeiou' else 'a'} {unit} of {self.title}"

    def nouns(self, units: Sequence[str]) -> str:
        """Return several units as a noun phrase: `a ganger or a scout`."""
        return " or ".join(dict.fromkeys(map(self.unit_noun, units)))

    def unit_title(self, unit: Profile) -> str:
        """Return the heading of a unit given by name or profile."""
        return str(unit)

    def push(self, position: PositionView, asked: PushQuestion) -> PushResult:
        """Return the result of a push.

        Args:
            position: The board under these rules.
            asked: The push.

        Raises:
            MissingChoiceError: If the push needs a direction.
            ValueError: If the rules allow no such push.
            ForgeError: FDF366 if the rules have no pushes.
        """
        raise self.not_in_rules_error("pushes")

    def sees(
        self, position: PositionView, one: Surface, other: Surface, taken: frozenset[Surface]
    ) -> Sight:
        """Return the line of sight between two surfaces.

        Args:
            position: The board under these rules.
            one: Surface of the viewer.
            other: Surface of the target.
            taken: Surfaces with other units.

        Raises:
            ForgeError: FDF366 if the rules have no lines of sight.
        """
        raise self.not_in_rules_error("lines of sight")

    def targets(self, position: PositionView, asked: TargetsQuestion) -> Targets:
        """Return the surfaces that a unit can attack from where it stands.

        Args:
            position: The board under these rules.
            asked: The unit, its surface and its ability.

        Raises:
            MissingChoiceError: If the ability needs another choice.
            ValueError: If the rules allow no such use.
            ForgeError: FDF366 for an argument that the rules do not have.
        """
        for word in (item.name for item in fields(asked) if item.name not in ("unit", "start")):
            if getattr(asked, word) not in (None, (), frozenset()):
                raise self.not_in_rules_error(f"`{word}` of targets")
        model = self.model(position.graph, asked.unit)
        number = model.index.get(asked.start)
        surfaces = (
            surface
            for surface in position.graph.surfaces
            if surface != asked.start
            and number
            in self.attack_nodes(position.graph, asked.unit, model, frozenset((surface,)))
        )
        targets = tuple(Target(surface) for surface in surfaces)
        return Targets(self.name, asked.unit, asked.start, targets)

    # -- what follows ----------------------------------------------------------------------------

    def not_in_rules_error(self, what: str) -> ForgeError:
        """Return the error for a query that the rules do not cover (FDF366)."""
        message = f"the rules of {self.title} say nothing of {what}"
        hint = "`reach`, `path`, `analyze` and `compare` work for every game"
        return ForgeError([Issue("FDF366", "error", message, hint=hint)])

    def profile(self, unit: Profile) -> Any:
        """Return a unit's profile.

        Args:
            unit: Name of a unit, or a profile, which is returned unchanged.

        Raises:
            ForgeError: `code`, with the nearest name, if there is no such unit.
        """
        if not isinstance(unit, str):
            return unit
        if unit not in self.units:
            hint = did_you_mean(unit, self.units) or f"known: {', '.join(self.units)}"
            message = f"no unit called `{unit}` in {self.title}"
            raise ForgeError([Issue(self.code, "error", message, hint=hint)])
        return self.units[unit]

    def resolve_standing(
        self, position: PositionView, text: str, friend: bool
    ) -> tuple[Surface, Any]:
        """Return the surface of a unit written as `E5`, and the unit's data if the ruleset has any.

        Args:
            position: The board under these rules.
            text: A surface, or the ruleset's own form such as `bard=E5`.
            friend: True for a friend, False for an enemy.

        Raises:
            ForgeError: FDF340 if the text names no surface.
        """
        del friend
        return position.place(text), None

    def changed(self, unit: str, changes: Mapping[str, Any]) -> tuple[str, Profile]:
        """Return label and profile of a unit with changed properties.

        Args:
            unit: Name of the unit.
            changes: Values by property name, with hyphens or underscores.

        Raises:
            ForgeError: For an unknown unit, property or value.
        """
        profile = self.profile(unit)
        known = {item.name: getattr(profile, item.name) for item in fields(profile)}
        table = {**known, **{key.replace("-", "_"): value for key, value in changes.items()}}
        listed = ", ".join(f"{key} {value}" for key, value in changes.items())
        return f"{unit} with {listed}", read_table(type(profile), table, f"unit `{unit}`")

    def check_proof_units(self) -> None:
        """Check that `proof_units` names units of the table.

        Raises:
            ValueError: If it names none, or an unknown one.
        """
        if not self.proof_units:
            raise ValueError("`proof_units` names no unit")
        for unit in self.proof_units:
            try:
                self.profile(unit)
            except ForgeError:
                raise ValueError(f"`proof_units` names `{unit}`, which is not in `units`") from None

    def with_options(self, pairs: Pairs) -> Self:
        """Return the ruleset under changed options.

        Args:
            pairs: Names and values as written, with hyphens or underscores.

        Raises:
            ForgeError: FDF320 for each unknown option or value, at its source span.
        """
        current = self.options
        table = {item.name: getattr(current, item.name) for item in fields(current)}
        issues: list[Issue] = []
        for name, value, span in pairs:
            changed = {**table, name.replace("-", "_"): plain_value(value)}
            try:
                read_table(type(current), changed, "option")
                table = changed
            except ForgeError as error:
                issues += (
                    Issue("FDF320", "error", issue.message, span, hint=issue.hint)
                    for issue in error.issues
                )
        if issues:
            raise ForgeError(issues)
        changes: dict[str, Any] = {"options": read_table(type(current), table, "option")}
        return replace(self, **changes)


YES = {"yes": True, "true": True, "no": False, "false": False}
"""Truth values by the words of users."""


def plain_value(value: str | int | float) -> str | int | float:
    """Return `2`, `-1` and `0.2` as numbers, and words with underscores for hyphens."""
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


def format_count(things: Sized, noun: str) -> str:
    """Return a count with its noun: `1 ladder`, `2 ladders`.

    Args:
        things: What is counted.
        noun: Its name in the singular; the plural has an `s`.
    """
    return f"{len(things)} {noun}{'' if len(things) == 1 else 's'}"
