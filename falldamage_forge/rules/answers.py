"""What a position answers, as frozen values: one shape for every game, in Python and in JSON.

`docs/answers.schema.json` publishes the JSON. Costs are numbers of the game's own measure, with
`told` as it is printed and `exact` as a fraction; chances are fractions as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd
from typing import Any, Literal, NamedTuple

from falldamage_forge.board import Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.rules.figures import cost_json, number, spot, when_json
from falldamage_forge.rules.game import Hazard
from falldamage_forge.rules.lead import Lead
from falldamage_forge.rules.model import Scale
from falldamage_forge.rules.odds import Ended, Odds
from falldamage_forge.values import FrozenDict, dataclass, frozen

Verdict = Literal["good", "warn", "bad", "info"]


class Way(NamedTuple):
    """One way of one turn that no other beats: smallest units of cost, damage, chance."""

    cost: int
    harm: int
    chance: Fraction


class Reached(NamedTuple):
    """What is known of a surface: turns of the quickest unhurt way with its chance, ways of a turn.

    `turns` is None where every way there hurts. `moves` are those of the quickest way, `acts` the
    turn in which one can also act there, `when` the chance of each number of turns.
    """

    surface: Surface
    turns: int | None
    chance: Fraction
    now: tuple[Way, ...]
    moves: int | None = None
    acts: int | None = None
    when: Mapping[int, Fraction] = FrozenDict()


@dataclass(frozen=True, slots=True)
class Reach:
    """Every surface a unit gets to."""

    rules: str
    unit: str
    start: Surface
    scale: Scale
    surfaces: tuple[Reached, ...]

    def json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "rules": self.rules,
            "unit": self.unit,
            "from": spot(self.start),
            "measure": self.scale.name,
            "surfaces": [
                {
                    **spot(row.surface),
                    "turns": row.turns,
                    "chance": str(row.chance),
                    "moves": row.moves,
                    "acts": row.acts,
                    "when": when_json(row.when),
                    "one_turn": [[number(self.scale.exact(way.cost)), way.harm] for way in row.now],
                    "ways": [
                        {
                            **cost_json(self.scale, way.cost),
                            "damage": way.harm,
                            "chance": str(way.chance),
                        }
                        for way in row.now
                    ],
                }
                for row in self.surfaces
            ],
        }

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{row.surface}</td><td>{'-' if row.turns is None else row.turns}</td></tr>"
            for row in self.surfaces
        )
        return f"<table><caption>{self.unit} from {self.start}</caption>{rows}</table>"

    def turns(self) -> dict[str, int | None]:
        """Turns by surface, such as `{'B10@0': 0, …}`."""
        return {str(row.surface): row.turns for row in self.surfaces}


class Step(NamedTuple):
    """One step of a path: its turn, where it ends and on which spot, and what it costs."""

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
    """The best way of a unit from one surface to another; `found` tells whether there is one.

    `when` is the chance of each number of turns it takes, `acts` the turn in which one can also act
    on arrival; `move_name` what a move is called where moves are the currency. `ends` are those of
    the way when it is given up where a check is failed, `odds` those of trying again.
    """

    rules: str
    unit: str
    start: Surface
    goal: Surface
    scale: Scale
    found: bool
    steps: tuple[Step, ...] = ()
    treasure: tuple[Surface, ...] = ()
    acts: int = 0
    when: Mapping[int, Fraction] = FrozenDict()
    move_name: str = ""
    ends: tuple[Ended, ...] = ()
    odds: Odds | None = None

    @property
    def moves(self) -> int:
        """Moves it takes."""
        return self.steps[-1].move if self.steps else 0

    @property
    def folded(self) -> tuple[Step, ...]:
        """The steps, those of one straight walk within one move together."""
        told: list[Step] = []
        at, heading = self.start.tile, (0, 0)
        for step in self.steps:
            rows, cols = step.surface.tile.row - at.row, step.surface.tile.col - at.col
            part = gcd(rows, cols) or 1
            way, at = (rows // part, cols // part), step.surface.tile
            last = told[-1] if told else None
            if last and way == heading and _goes_on(last, step):
                told[-1] = step._replace(cost=last.cost + step.cost)
            else:
                told.append(step)
            heading = way
        return tuple(told)

    @property
    def turns(self) -> int:
        """Turns it takes."""
        return self.steps[-1].turn if self.steps else 0

    @property
    def cost(self) -> int:
        """What it costs in all, in smallest units."""
        return sum(step.cost for step in self.steps)

    @property
    def harm(self) -> int:
        """Damage on the way."""
        return sum(step.harm for step in self.steps)

    @property
    def chance(self) -> Fraction:
        """The chance that every check on the way is passed."""
        chance = Fraction(1)
        for step in self.steps:
            chance *= step.chance
        return chance

    def json(self) -> dict[str, Any]:
        """As JSON; what a way has is null when there is none."""
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
            "from": spot(self.start),
            "to": spot(self.goal),
            "measure": self.scale.name,
            "found": self.found,
            **(whole if self.found else dict.fromkeys(whole)),
            "treasure": [spot(surface) for surface in self.treasure],
            "ends": [end.json() for end in self.ends],
            "odds": self.odds.json() if self.odds else None,
            "steps": [
                {
                    "turn": step.turn,
                    "move": step.move,
                    **spot(step.surface),
                    "spot": step.spot,
                    "kind": step.kind,
                    **cost_json(self.scale, step.cost),
                    "damage": step.harm,
                    "chance": str(step.chance),
                    "risk": step.risk,
                }
                for step in self.steps
            ],
        }


def _goes_on(last: Step, step: Step) -> bool:
    """Whether a step goes on with a walk."""
    plain = all(one.kind == "walk" and one.chance == 1 and not one.spot for one in (last, step))
    return plain and (last.move, last.surface.level) == (step.move, step.surface.level)


@dataclass(frozen=True, slots=True)
class Pushed:
    """What a push does. `end` is None when the unit dies; `path` are the surfaces it passed."""

    end: Surface | None
    damage: int
    dead: bool
    path: tuple[Surface, ...]
    extra: Mapping[str, Any] = FrozenDict()

    def __post_init__(self) -> None:
        object.__setattr__(self, "extra", frozen(self.extra))

    def json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "end": spot(self.end) if self.end else None,
            "damage": self.damage,
            "dead": self.dead,
            "path": [spot(surface) for surface in self.path],
            **self.extra,
        }


@dataclass(frozen=True, slots=True)
class Sight:
    """Whether the line is open, and what closes it, in words, first from the viewer's side."""

    visible: bool
    blocked_by: str | None = None

    def json(self) -> dict[str, Any]:
        """As JSON."""
        return {"visible": self.visible, "blocked_by": self.blocked_by}

    def __bool__(self) -> bool:
        return self.visible


@dataclass(frozen=True, slots=True)
class Target:
    """A surface that can be attacked, with the bonus for height."""

    surface: Surface
    bonus: int = 0

    def json(self) -> dict[str, Any]:
        """As JSON."""
        return {**spot(self.surface), "bonus": self.bonus}


@dataclass(frozen=True, slots=True)
class Targets:
    """Everything a unit can attack from where it stands; `extra` is the game's own."""

    rules: str
    unit: str
    start: Surface
    targets: tuple[Target, ...]
    extra: Mapping[str, Any] = FrozenDict()

    def __post_init__(self) -> None:
        object.__setattr__(self, "extra", frozen(self.extra))

    def json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "rules": self.rules,
            "unit": self.unit,
            "from": spot(self.start),
            "targets": [target.json() for target in self.targets],
            **self.extra,
        }


@dataclass(frozen=True, slots=True)
class Metric:
    """One measure: what was found, in words and numbers, and the tiles it speaks of."""

    name: str
    verdict: Verdict
    text: str
    values: Mapping[str, Any] = FrozenDict()
    tiles: tuple[Tile, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", frozen(self.values))

    def json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "name": self.name,
            "verdict": self.verdict,
            "text": self.text,
            "values": dict(self.values),
            "tiles": [str(tile) for tile in self.tiles],
        }


@dataclass(frozen=True, slots=True)
class Contact:
    """Turns in which a side can attack an enemy who waits at its start: first and last unit.

    `chance` is that of the first attack by its turn, checks and cards and all; None if not asked.
    `later` are those by the turns after it, of a unit that tries again where it fails.
    """

    side: str
    first: int | None
    last: int | None
    chance: Fraction | None = None
    later: tuple[Fraction, ...] = ()

    def json(self) -> dict[str, Any]:
        """As JSON."""
        told = {"first": self.first, "last": self.last}
        if self.chance is None:
            return told
        return {**told, "chance": str(self.chance), "later": [str(one) for one in self.later]}


@dataclass(frozen=True, slots=True)
class Survey:
    """What one unit of one game finds on a board. `reached` counts from any side's start.

    `unfit` are surfaces it has no room on, `cut_off` those it never gets to; `drops` are surfaces
    one may fall from.
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
        """Levels of the worst fall."""
        return max((drop.levels for drop in self.drops), default=0)

    @property
    def coverage(self) -> int:
        """Reached surfaces in percent, rounded down."""
        return self.reached * 100 // self.surfaces if self.surfaces else 0

    def json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "rules": self.rules,
            "title": self.title,
            "turn": self.turn,
            "unit": self.unit,
            "surfaces": self.surfaces,
            "reached": self.reached,
            "coverage_percent": self.coverage,
            "turns_to_contact": {one.side: one.json() for one in self.contacts},
            "falls": {
                "deepest_levels": self.deepest,
                "places": [drop.json() for drop in self.drops],
            },
            "no_room": [str(at) for at in self.unfit],
            "cut_off": [str(at) for at in self.cut_off],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Analysis:
    """How a map plays: measures with verdicts, what each class of units finds, who is ahead."""

    title: str
    rules: str
    classes: Mapping[str, tuple[str, ...]]
    metrics: tuple[Metric, ...]
    surveys: tuple[Survey, ...]
    leads: tuple[Lead, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", frozen(self.classes))

    def json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "title": self.title,
            "rules": self.rules,
            "classes": {name: list(units) for name, units in self.classes.items()},
            "metrics": [metric.json() for metric in self.metrics],
            "leads": [lead.json() for lead in self.leads],
            "units": [survey.json() for survey in self.surveys],
        }

    def _repr_html_(self) -> str:
        from falldamage_forge.visible import escape

        rows = "".join(
            f"<tr><td>{m.verdict}</td><td>{m.name}</td><td>{escape(m.text)}</td></tr>"
            for m in self.metrics
        )
        return f"<table><caption>{escape(self.title)}</caption>{rows}</table>"

    def __getitem__(self, name: str) -> Metric:
        """A measure by name; KeyError when there is none."""
        return {metric.name: metric for metric in self.metrics}[name]
