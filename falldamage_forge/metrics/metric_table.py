"""Table of all metrics, and the analysis that computes them. `docs/metrics.md` defines each metric.

A metric never stops a build; `check` turns bad fairness into warnings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from falldamage_forge.infra.progress import ProgressCallback, no_progress, track
from falldamage_forge.issues import Issue
from falldamage_forge.metrics.fairness import control, treasure
from falldamage_forge.metrics.reachability import connection, contact, coverage
from falldamage_forge.metrics.side_leads import leads
from falldamage_forge.metrics.terrain_metrics import choke_points, high_ground, robustness
from falldamage_forge.metrics.unit_survey import survey
from falldamage_forge.rules.answers import MapMetrics, Metric
from falldamage_forge.rules.position import Position

Measure = Callable[[Position], Iterator[Metric]]
MEASURES: dict[str, Measure] = {
    "connection": connection,
    "coverage": coverage,
    "contact": contact,
    "treasure": treasure,
    "control": control,
    "choke-points": choke_points,
    "high-ground": high_ground,
    "robustness": robustness,
}
"""Metrics of every ruleset by the names that `expect good` uses; a ruleset adds its own."""
UNFAIR = {"treasure": "FDF350", "control": "FDF351", "contact": "FDF352"}
"""Warning codes of the fairness metrics."""


def measures(position: Position) -> Mapping[str, Callable[[], tuple[Metric, ...]]]:
    """Return all metrics of a position by name; each is computed when called."""

    def shared(measure: Measure) -> tuple[Metric, ...]:
        return tuple(measure(position))

    table: dict[str, Callable[[], tuple[Metric, ...]]] = {
        name: partial(shared, measure) for name, measure in MEASURES.items()
    }
    for name, measure in position.game.measures(position).items():
        table[name] = measure
    return table


def metrics_of(position: Position, progress: ProgressCallback = no_progress) -> tuple[Metric, ...]:
    """Return all metrics in order.

    Args:
        position: The board under its rules.
        progress: Called before each metric.
    """
    table = measures(position)
    return tuple(
        metric for name in track(table, "measuring {}", progress) for metric in table[name]()
    )


def analyze(
    position: Position, title: str = "", progress: ProgressCallback = no_progress
) -> MapMetrics:
    """Return all metrics in order, a survey of each class of units, and the leads of the sides.

    Args:
        position: The board under its rules.
        title: Title of the map.
        progress: Called before each metric and each survey.
    """
    metrics = metrics_of(position, progress)
    surveys = []
    for done, group in enumerate(position.classes):
        progress(f"surveying {group.name}", done, len(position.classes))
        surveys.append(survey(position, group.name, group.profile))
    classes = {group.name: group.units for group in position.classes}
    soonest = next(metric.values for metric in metrics if metric.name == "contact")
    ahead = leads(position, soonest)
    return MapMetrics(title, position.game.name, classes, metrics, tuple(surveys), ahead)


def check_fairness(position: Position) -> tuple[Issue, ...]:
    """Return a warning for each of treasure, control and contact with the verdict bad."""
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
