"""Single functions of the engine asked about a plain state."""

from __future__ import annotations

from falldamage_forge.games.fall_damage.engine import (
    hidden_items,
    legal_moves,
    reachable,
    revival,
    treasure,
)
from falldamage_forge.games.fall_damage.engine.columns import StateColumns as Columns
from falldamage_forge.games.fall_damage.engine.simulator import Simulator, simulator_of
from falldamage_forge.games.fall_damage.play import Move, State


def in_simulator(state: State) -> Simulator:
    sim = simulator_of(state.ctx)
    sim.take(state)
    return sim


def standable(s: Columns) -> list[int]:
    """The surfaces of the land as it is now, sorted."""
    tiles = [row << 6 | col for row in range(s.rows) for col in range(s.cols)]
    return [tile << 4 | z for tile in tiles for z in range(16) if s.stand[tile] >> z & 1]


def surfaces(state: State) -> list[int]:
    return standable(in_simulator(state).columns)


def ends_in(s: Columns, index: int, budget: int) -> dict[int, tuple[int, int]]:
    s.ends_of = -1
    reachable.reachable_ends(s, index, budget)
    return {spot: (s.best[spot], s.cost[spot]) for spot in s.ends[: s.n_ends]}


def move_ends(state: State, index: int, budget: int) -> dict[int, tuple[int, int]]:
    """Where a Move may end, each with damage and cost."""
    return ends_in(in_simulator(state).columns, index, budget)


def listed(sim: Simulator) -> list[Move]:
    s = sim.columns
    found = sorted(sim.codec.move(key) for key in s.moves[: s.n_moves])
    sim._listed = False
    return found


def raise_moves(state: State, index: int) -> list[Move]:
    sim = in_simulator(state)
    sim.columns.n_moves = 0
    legal_moves.list_raises(sim.columns, index)
    return listed(sim)


def landings(state: State, index: int, spot: int) -> list[int]:
    """Surfaces a Spring Trap on a spot may throw a unit to."""
    sim = in_simulator(state)
    sim.columns.n_moves = 0
    hidden_items.list_landings(sim.columns, index, spot)
    return sorted(move.spots[0] for move in listed(sim))


def become(state: State, index: int, card: str) -> None:
    """A unit takes another card."""
    sim = in_simulator(state)
    treasure.change_card(sim.columns, index, sim.codec.cards.index(card))
    state.__dict__.update(sim.read().__dict__)


def revive(state: State, index: int, finder: int) -> None:
    """A fallen unit stands up, its finder being somewhere."""
    sim = in_simulator(state)
    s = sim.columns
    other = next(n for n in range(s.n_units) if n != index)
    old = s.spot[other]
    s.spot[other] = finder
    revival.revive(s, index, other)
    s.spot[other] = old
    s.n_stack = 0
    state.__dict__.update(sim.read().__dict__)
