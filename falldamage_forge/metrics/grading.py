"""Grading: from conditions to a verdict."""

from __future__ import annotations

from falldamage_forge.rules.answers import Verdict


def grade(good: bool, warn: bool) -> Verdict:
    """Return the verdict: `good` if the first condition holds, `warn` if the second, else `bad`.

    Args:
        good: Condition of `good`.
        warn: Condition of `warn`.
    """
    return "good" if good else "warn" if warn else "bad"
