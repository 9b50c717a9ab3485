"""Every measure by name, and all of them at once. `docs/metrics.md` defines each.

A measure never stops a build; `check` turns the unfair ones into warnings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from falldamage_forge.issues import Issue
from falldamage_forge.measures.arrival import connection, contact, coverage
from falldamage_forge.measures.balance import control, treasure
from falldamage_forge.measures.lead import leads
from falldamage_forge.measures.survey import survey
from falldamage_forge.measures.terrain import choke_points, high_ground, robustness
from falldamage_forge.rules.answers import Analysis, Metric
from falldamage_forge.rules.position import Position
from falldamage_forge.waiting import Progress, each, quiet

Measure = Callable[[Position], Iterator[Metric]]
MEASURES: tuple[Measure, ...] = (
    connection,
    coverage,
    contact,
    treasure,
    control,
    choke_points,
    high_ground,
    robustness,
)
"""The measures of every game; a game adds its own."""
UNFAIR = {"treasure": "FDF350", "control": "FDF351", "contact": "FDF352"}


def measures(position: Position) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
    """Measures by the names `expect good` gives them, worked out when called."""

    def shared(measure: Measure) -> tuple[Metric, ...]:
        return tuple(measure(position))

    table: dict[str, Callable[[], tuple[Metric, ...]]] = {
        measure.__name__.replace("_", "-"): partial(shared, measure) for measure in MEASURES
    }
    for name, measure in position.game.measures(position).items():
        table[name] = measure
    return table


def analyze(position: Position, title: str = "", progress: Progress = quiet) -> Analysis:
    """All measures in order, the survey of every class of units, and who is ahead."""
    found: list[Metric] = []
    table = measures(position)
    for name in each(table, "measuring {}", progress):
        found += table[name]()
    surveys = []
    for done, group in enumerate(position.classes):
        progress(f"asking {group.name}", done, len(position.classes))
        surveys.append(survey(position, group.name, group.profile))
    classes = {group.name: group.units for group in position.classes}
    soonest = next(metric.values for metric in found if metric.name == "contact")
    ahead = leads(position, soonest)
    return Analysis(title, position.game.name, classes, tuple(found), tuple(surveys), ahead)


def check_fairness(position: Position) -> tuple[Issue, ...]:
    """A warning for each of treasure, control and contact that is judged bad."""
    source = next((zone.source for zone in position.board.starts), None)
    return tuple(
        Issue(
            UNFAIR[metric.name],
            "warning",
            f"unfair in {metric.name}: {metric.text}",
            source,
            metric.tiles,
            "`fdforge analyze` shows the figures",
        )
        for measure in (treasure, control, contact)
        for metric in measure(position)
        if metric.verdict == "bad"
    )
