"""Surfaces, costs and chances as JSON has them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.rules.model import Scale


def spot(surface: Surface) -> dict[str, Any]:
    """A surface as JSON."""
    return {"tile": str(surface.tile), "level": surface.level}


def number(value: Fraction) -> int | float:
    """A fraction as JSON's number: whole where it is."""
    return int(value) if value.denominator == 1 else float(value)


def cost_json(scale: Scale, cost: int) -> dict[str, Any]:
    """A cost as a number of the measure, as it is told, and exactly."""
    exact = scale.exact(cost)
    return {"cost": number(exact), "told": scale.tell(cost), "exact": str(exact)}


def when_json(when: Mapping[int, Fraction]) -> dict[str, str]:
    """Chances of turns as JSON."""
    return {str(turns): str(chance) for turns, chance in when.items()}
