"""Short questions to the engine about one profile on one board."""

from collections.abc import Iterable, Mapping
from typing import Any

from falldamage_forge.board import Board
from falldamage_forge.board.surfaces import SurfaceGraph
from falldamage_forge.games.fall_damage.game import FallDamage
from falldamage_forge.games.fall_damage.moves import Profile, model
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.units import Unit
from falldamage_forge.presets import load_play, load_rules
from falldamage_forge.rules.engine import can_end, search
from falldamage_forge.rules.game import NOBODY, Occupants
from falldamage_forge.rules.model import Model
from falldamage_forge.rules.position import Position


def fall_damage(options: Mapping[str, Any] | None = None) -> FallDamage:
    """The game under some options."""
    game = load_rules("fall-damage")
    assert isinstance(game, FallDamage)
    return game.under((name, value, None) for name, value in (options or {}).items())


def with_cards(units: Mapping[str, Unit]) -> FallDamage:
    """The game with other cards."""
    return FallDamage("fall-damage", "Fall Damage", ("M3 J1", "M3 J2"), units, play=load_play())


def position(board: Board, options: Mapping[str, Any] | None = None) -> Position:
    """A board under Fall Damage."""
    return Position(board, fall_damage(options))


def moves_of(
    graph: SurfaceGraph, profile: Profile, options: Options, others: Occupants = NOBODY
) -> Model:
    """A profile's model."""
    return model(graph, profile.name, profile, options, others)


def one_turn(moves: Model, start: int) -> dict[int, tuple[tuple[int, int], ...]]:
    """Where one activation can end: the (cost, damage) that no other beats."""
    found: dict[int, tuple[tuple[int, int], ...]] = {}
    for at, labels in search(moves, (start,), max_moves=1).items():
        kept: list[tuple[int, int]] = []
        for cost, harm in sorted({(one.spent, one.harm) for one in can_end(moves, labels)}):
            if not kept or harm < kept[-1][1]:
                kept.append((cost, harm))
        if kept:
            found[at] = tuple(kept)
    return found


def reached(moves: Model, starts: Iterable[int]) -> frozenset[int]:
    """Places reached unhurt."""
    from falldamage_forge.rules.engine import flood

    return flood(moves, starts)
