"""Answers of a position as frozen values, with one shape for every ruleset, and their JSON.

`docs/answers.schema.json` publishes the JSON. A cost is a number of the ruleset's cost unit, with
`told` as text and `exact` as a fraction. Probabilities are fractions as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd, prod
from typing import Any, Literal, NamedTuple

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.infra.lazy_dataclass import FrozenDict, dataclass, frozen
from falldamage_forge.infra.report_table import Table, row_json
from falldamage_forge.rules.answer_columns import TARGETS, reach_table, step_table
from falldamage_forge.rules.json_values import cost_json, surface_json, when_json
from falldamage_forge.rules.lead_margin import Lead
from falldamage_forge.rules.movement_graph import CostUnit
from falldamage_forge.rules.success_odds import PlanOutcome, SuccessOdds

Verdict = Literal["good", "warn", "bad", "info"]


class MoveOption(NamedTuple):
    """A Pareto-optimal way to a surface within one turn: cost, damage, probability."""

    cost: int
    harm: int
    chance: Fraction


class ReachedSurface(NamedTuple):
    """The ways of a unit to one surface.

    Attributes:
        surface: The surface.
        turns: Least turns without damage; None if every way does damage.
        chance: Probability of the quickest way, or of the likeliest if all do damage.
        now: Pareto-optimal ways within one turn.
        moves: Moves of the quickest way.
        acts: First turn in which the unit can also act there.
        when: Probability of each number of turns.
    """

    surface: Surface
    turns: int | None
    chance: Fraction
    now: tuple[MoveOption, ...]
    moves: int | None = None
    acts: int | None = None
    when: Mapping[int, Fraction] = FrozenDict()


@dataclass(frozen=True, slots=True)
class Reach:
    """Every surface that a unit reaches.

    Attributes:
        rules: Name of the ruleset.
        unit: Name of the unit.
        start: Surface of the start.
        scale: Cost unit of the answers.
        surfaces: Reached surfaces, in the order of the board.
    """

    rules: str
    unit: str
    start: Surface
    scale: CostUnit
    surfaces: tuple[ReachedSurface, ...]

    @property
    def table(self) -> Table:
        """Columns of the reached surfaces."""
        return reach_table(self.scale, self.surfaces)

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        table = self.table
        return {
            "rules": self.rules,
            "unit": self.unit,
            "from": surface_json(self.start),
            "measure": self.scale.name,
            "surfaces": [row_json(table, row) for row in self.surfaces],
        }

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{row.surface}</td><td>{'-' if row.turns is None else row.turns}</td></tr>"
            for row in self.surfaces
        )
        return f"<table><caption>{self.unit} from {self.start}</caption>{rows}</table>"

    def turns(self) -> dict[str, int | None]:
        """Return the turns by surface, such as `{'B10@0': 0, …}`."""
        return {str(row.surface): row.turns for row in self.surfaces}


class PathStep(NamedTuple):
    """One step of a path.

    Attributes:
        turn: Turn of the step, from 1.
        surface: Surface at the end of the step.
        spot: Spot on that surface; empty for its middle.
        kind: Kind of the edge, such as `walk` or `climb`.
        cost: Cost in smallest units.
        harm: Certain damage.
        chance: Probability to pass the check.
        risk: Result of a failed check, in words.
        move: Move of the step, from 1; 0 without moves.
    """

    turn: int
    surface: Surface
    spot: str
    kind: str
    cost: int
    harm: int
    chance: Fraction
    risk: str
    move: int = 0


@dataclass(frozen=True, slots=True)
class Path:
    """The best path of a unit from one surface to another.

    Attributes:
        scale: Cost unit of the answers.
        found: False if there is no path; the fields below are then empty.
        steps: Steps in order.
        treasure: Surfaces of the chests that the path opens.
        acts: First turn in which the unit can act at the goal.
        when: Probability of each number of turns.
        move_name: Name of a move, in rulesets that count moves.
        ends: Outcomes if the unit stops at the first failed check.
        odds: Outcomes if the unit tries again; None if not asked for.
    """

    rules: str
    unit: str
    start: Surface
    goal: Surface
    scale: CostUnit
    found: bool
    steps: tuple[PathStep, ...] = ()
    treasure: tuple[Surface, ...] = ()
    acts: int = 0
    when: Mapping[int, Fraction] = FrozenDict()
    move_name: str = ""
    ends: tuple[PlanOutcome, ...] = ()
    odds: SuccessOdds | None = None

    @property
    def moves(self) -> int:
        """Number of moves."""
        return self.steps[-1].move if self.steps else 0

    @property
    def folded(self) -> tuple[PathStep, ...]:
        """The steps, with consecutive steps of a straight walk within one move merged."""
        merged: list[PathStep] = []
        at, heading = self.start.tile, (0, 0)
        for step in self.steps:
            rows, cols = step.surface.tile.row - at.row, step.surface.tile.col - at.col
            part = gcd(rows, cols) or 1
            direction, at = (rows // part, cols // part), step.surface.tile
            last = merged[-1] if merged else None
            if last and direction == heading and _goes_on(last, step):
                merged[-1] = step._replace(cost=last.cost + step.cost)
            else:
                merged.append(step)
            heading = direction
        return tuple(merged)

    @property
    def has_checks(self) -> bool:
        """True if a step may fail."""
        return any(step.chance != 1 for step in self.steps)

    @property
    def table(self) -> Table:
        """Columns of the steps."""
        return step_table(self.scale, self.move_name, self.steps)

    @property
    def turns(self) -> int:
        """Number of turns."""
        return self.steps[-1].turn if self.steps else 0

    @property
    def cost(self) -> int:
        """Total cost in smallest units."""
        return sum(step.cost for step in self.steps)

    @property
    def harm(self) -> int:
        """Total certain damage."""
        return sum(step.harm for step in self.steps)

    @property
    def chance(self) -> Fraction:
        """Probability that every check on the path is passed."""
        return prod((step.chance for step in self.steps), start=Fraction(1))

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON; the values of a path are null if there is none."""
        table = self.table
        whole = {
            **cost_json(self.scale, self.cost),
            "damage": self.harm,
            "turns": self.turns,
            "moves": self.moves,
            "acts": self.acts,
            "when": when_json(self.when),
            "chance": str(self.chance),
        }
        return {
            "rules": self.rules,
            "unit": self.unit,
            "from": surface_json(self.start),
            "to": surface_json(self.goal),
            "measure": self.scale.name,
            "found": self.found,
            **(whole if self.found else dict.fromkeys(whole)),
            "treasure": [surface_json(surface) for surface in self.treasure],
            "ends": [end.json() for end in self.ends],
            "odds": self.odds.json() if self.odds else None,
            "steps": [row_json(table, step) for step in self.steps],
        }


def _goes_on(last: PathStep, step: PathStep) -> bool:
    """True if a step continues a straight walk."""
    plain = all(each.kind == "walk" and each.chance == 1 and not each.spot for each in (last, step))
    return plain and (last.move, last.surface.level) == (step.move, step.surface.level)


@dataclass(frozen=True, slots=True)
class PushResult:
    """Result of a push.

    Attributes:
        end: Surface on which the unit or its body comes to rest; None if it leaves the board.
        damage: Damage to the pushed unit.
        dead: True if the unit dies: off the board, or of its card's whole health in damage.
        path: Surfaces that it passed; lava in which it dies is the last.
        extra: The ruleset's own JSON fields.
        cause: Cause of the death: `lava`, `void` (over the edge of the board) or `fall`; None if
            the unit lives.
        at: Surface on which it dies; of the void: the last surface on the board.
    """

    end: Surface | None
    damage: int
    dead: bool
    path: tuple[Surface, ...]
    extra: Mapping[str, Any] = FrozenDict()
    cause: str | None = None
    at: Surface | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "extra", frozen(self.extra))

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        return {
            "end": surface_json(self.end) if self.end else None,
            "damage": self.damage,
            "dead": self.dead,
            "cause": self.cause,
            "at": surface_json(self.at) if self.at else None,
            "path": [surface_json(surface) for surface in self.path],
            **self.extra,
        }


@dataclass(frozen=True, slots=True)
class Sight:
    """A line of sight.

    Attributes:
        visible: True if the line is open.
        blocked_by: First obstacle from the viewer's side, in words; None if the line is open.
    """

    visible: bool
    blocked_by: str | None = None

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        return {"visible": self.visible, "blocked_by": self.blocked_by}

    def __bool__(self) -> bool:
        return self.visible


@dataclass(frozen=True, slots=True)
class Target:
    """A surface that can be attacked, with the attack bonus for height."""

    surface: Surface
    bonus: int = 0


@dataclass(frozen=True, slots=True)
class Targets:
    """Every target of a unit from where it stands; `extra` holds the ruleset's own JSON fields."""

    rules: str
    unit: str
    start: Surface
    targets: tuple[Target, ...]
    extra: Mapping[str, Any] = FrozenDict()

    def __post_init__(self) -> None:
        object.__setattr__(self, "extra", frozen(self.extra))

    def json(self) -> dict[str, Any]:
        """Return the answer as JSON."""
        return {
            "rules": self.rules,
            "unit": self.unit,
            "from": surface_json(self.start),
            "targets": [row_json(TARGETS, target) for target in self.targets],
            **self.extra,
        }


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric: verdict, sentence, values, and the tiles concerned."""

    name: str
    verdict: Verdict
    text: str
    values: Mapping[str, Any] = FrozenDict()
    tiles: tuple[Tile, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", frozen(self.values))

    def json(self) -> dict[str, Any]:
        """Return the metric as JSON."""
        return {
            "name": self.name,
            "verdict": self.verdict,
            "text": self.text,
            "values": dict(self.values),
            "tiles": [str(tile) for tile in self.tiles],
        }


class Hazard(NamedTuple):
    """A surface from which a unit may fall.

    Attributes:
        surface: Surface from which the fall starts.
        levels: Most levels of the fall.
        text: Description of the fall.
        chance: Probability that a push causes it; None if the rules give none.
    """

    surface: Surface
    levels: int
    text: str = ""
    chance: Fraction | None = None

    def json(self) -> dict[str, Any]:
        """Return the hazard as JSON."""
        chance = None if self.chance is None else str(self.chance)
        return {**self._asdict(), "surface": str(self.surface), "chance": chance}


@dataclass(frozen=True, slots=True)
class Contact:
    """Turns until a side can attack an enemy who waits on its start zone.

    Attributes:
        side: The attacking side.
        first: Turn of its first unit; None if none gets there.
        last: Turn of its last unit; None if one never gets there.
        chance: Probability of an attack by turn `first`, checks and cards included; None if not
            asked.
        later: The same for the following turns, if failed checks are repeated.
    """

    side: str
    first: int | None
    last: int | None
    chance: Fraction | None = None
    later: tuple[Fraction, ...] = ()

    def json(self) -> dict[str, Any]:
        """Return the contact as JSON."""
        turns = {"first": self.first, "last": self.last}
        if self.chance is None:
            return turns
        return {
            **turns,
            "chance": str(self.chance),
            "later": [str(chance) for chance in self.later],
        }


@dataclass(frozen=True, slots=True)
class Survey:
    """Coverage, contact and falls of one unit of one ruleset on a board.

    Attributes:
        surfaces: Number of surfaces.
        reached: Number of surfaces that a side reaches from its start zone.
        contacts: Turns to contact, one for each side.
        drops: Surfaces from which the unit may fall.
        unfit: Surfaces without clearance for the unit.
        cut_off: Surfaces that it fits on but never reaches.
        notes: Sentences about the movement graph.
        turn: Definition of a turn.
    """

    rules: str
    title: str
    unit: str
    surfaces: int
    reached: int
    contacts: tuple[Contact, ...]
    drops: tuple[Hazard, ...]
    unfit: tuple[Surface, ...]
    cut_off: tuple[Surface, ...]
    notes: tuple[str, ...] = ()
    turn: str = ""

    @property
    def deepest(self) -> int:
        """Levels of the deepest fall."""
        return max((drop.levels for drop in self.drops), default=0)

    @property
    def coverage(self) -> int:
        """Share of reached surfaces in percent, rounded down."""
        return self.reached * 100 // self.surfaces if self.surfaces else 0

    def json(self) -> dict[str, Any]:
        """Return the survey as JSON."""
        return {
            "rules": self.rules,
            "title": self.title,
            "turn": self.turn,
            "unit": self.unit,
            "surfaces": self.surfaces,
            "reached": self.reached,
            "coverage_percent": self.coverage,
            "turns_to_contact": {contact.side: contact.json() for contact in self.contacts},
            "falls": {
                "deepest_levels": self.deepest,
                "places": [drop.json() for drop in self.drops],
            },
            "no_room": [str(at) for at in self.unfit],
            "cut_off": [str(at) for at in self.cut_off],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class MapMetrics:
    """Metrics with verdicts, one survey for each class of units, and the leads of the sides."""

    title: str
    rules: str
    classes: Mapping[str, tuple[str, ...]]
    metrics: tuple[Metric, ...]
    surveys: tuple[Survey, ...]
    leads: tuple[Lead, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", frozen(self.classes))

    def json(self) -> dict[str, Any]:
        """Return the analysis as JSON."""
        return {
            "title": self.title,
            "rules": self.rules,
            "classes": {name: list(units) for name, units in self.classes.items()},
            "metrics": [metric.json() for metric in self.metrics],
            "leads": [lead.json() for lead in self.leads],
            "units": [survey.json() for survey in self.surveys],
        }

    def _repr_html_(self) -> str:
        from falldamage_forge.infra.visible_text import escape

        rows = "".join(
            f"<tr><td>{m.verdict}</td><td>{m.name}</td><td>{escape(m.text)}</td></tr>"
            for m in self.metrics
        )
        return f"<table><caption>{escape(self.title)}</caption>{rows}</table>"

    def __getitem__(self, name: str) -> Metric:
        """Return a metric by name.

        Raises:
            KeyError: If there is no such metric.
        """
        return {metric.name: metric for metric in self.metrics}[name]
