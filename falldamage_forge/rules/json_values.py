"""JSON of surfaces, costs and probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from falldamage_forge.board.surfaces import Surface
from falldamage_forge.rules.movement_graph import CostUnit


def surface_json(surface: Surface) -> dict[str, Any]:
    """Return a surface as JSON."""
    return {"tile": str(surface.tile), "level": surface.level}


def fraction_json(value: Fraction) -> int | float:
    """Return a fraction as a JSON number, an integer if it is whole."""
    return int(value) if value.denominator == 1 else float(value)


def cost_json(scale: CostUnit, cost: int) -> dict[str, Any]:
    """Return a cost as a number of its unit, as text, and as an exact fraction.

    Args:
        scale: Unit of costs of the game.
        cost: Cost in whole units of a movement graph.
    """
    exact = scale.exact(cost)
    return {"cost": fraction_json(exact), "told": scale.tell(cost), "exact": str(exact)}


def when_json(when: Mapping[int, Fraction]) -> dict[str, str]:
    """Return the probabilities of turns as JSON."""
    return {str(turns): str(chance) for turns, chance in when.items()}
