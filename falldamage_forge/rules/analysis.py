"""What makes a map good to play: measures with verdicts, each for all movement classes it needs.

`docs/metrics.md` defines every measure with its source and threshold. A measure never stops a
build; `check` turns some of them into warnings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from falldamage_forge.rules.arrival import connection, contact, coverage, first_strike
from falldamage_forge.rules.balance import control, treasure
from falldamage_forge.rules.shape import (
    choke_points,
    high_ground,
    push_exposure,
    robustness,
    sight,
)
from falldamage_forge.rules.study import Metric, Study

Measure = Callable[[Study], Iterator[Metric]]
MEASURES: tuple[Measure, ...] = (
    connection,
    coverage,
    contact,
    first_strike,
    treasure,
    control,
    choke_points,
    high_ground,
    push_exposure,
    sight,
    robustness,
)


def analyze(subject: Study) -> tuple[Metric, ...]:
    """All measures in order."""
    return tuple(metric for measure in MEASURES for metric in measure(subject))
