"""How a measure becomes a verdict."""

from __future__ import annotations

from falldamage_forge.rules.answers import Verdict


def grade(good: bool, warn: bool) -> Verdict:
    """The verdict of two conditions, the stricter first."""
    return "good" if good else "warn" if warn else "bad"
