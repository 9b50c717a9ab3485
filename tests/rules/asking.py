"""Short questions to the engine about one profile on one board."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from falldamage_forge.board import Board
from falldamage_forge.board.surfaces import SurfaceGraph
from falldamage_forge.games.fall_damage.ability_queries.ability_context import SOMEBODY
from falldamage_forge.games.fall_damage.engine.hypothetical import effective_unit
from falldamage_forge.games.fall_damage.engine.modifiers import Modifiers
from falldamage_forge.games.fall_damage.movement import movement_graph
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.ruleset import FallDamage
from falldamage_forge.games.fall_damage.unit_cards import MovementProfile, UnitCard
from falldamage_forge.presets import load_kit, load_play, load_rules
from falldamage_forge.rules.movement_graph import MovementGraph
from falldamage_forge.rules.pathfinding import can_end, pareto_labels
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.unit_values import NOBODY, Occupants


def fall_damage(options: Mapping[str, Any] | None = None) -> FallDamage:
    """The game under some options."""
    game = load_rules("fall-damage")
    assert isinstance(game, FallDamage)
    return game.with_options((name, value, None) for name, value in (options or {}).items())


def with_cards(units: Mapping[str, UnitCard]) -> FallDamage:
    """The game with other cards."""
    return FallDamage("fall-damage", "Fall Damage", ("M3 J1", "M3 J2"), units, play=load_play())


def position(board: Board, options: Mapping[str, Any] | None = None) -> Position:
    """A board under Fall Damage."""
    return Position(board, fall_damage(options))


def move_under(move: int, modifiers: Modifiers, options: FallDamageOptions) -> int:
    """The Move of a unit under effects."""
    return effective_unit(replace(SOMEBODY, move=move), modifiers, options, load_kit()).move


def moves_of(
    graph: SurfaceGraph,
    profile: MovementProfile,
    options: FallDamageOptions,
    others: Occupants = NOBODY,
) -> MovementGraph:
    """A profile's model."""
    return movement_graph(graph, profile.name, profile, options, others)


def one_turn(moves: MovementGraph, start: int) -> dict[int, tuple[tuple[int, int], ...]]:
    """Where one activation can end: the (cost, damage) that no other beats."""
    found: dict[int, tuple[tuple[int, int], ...]] = {}
    for at, labels in pareto_labels(moves, (start,), max_moves=1).items():
        kept: list[tuple[int, int]] = []
        for cost, harm in sorted({(one.spent, one.harm) for one in can_end(moves, labels)}):
            if not kept or harm < kept[-1][1]:
                kept.append((cost, harm))
        if kept:
            found[at] = tuple(kept)
    return found


def reached(moves: MovementGraph, starts: Iterable[int]) -> frozenset[int]:
    """Places reached unhurt."""
    from falldamage_forge.rules.pathfinding import reachable_places

    return reachable_places(moves, starts)
