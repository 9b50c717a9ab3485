"""Bots that search: they leave the position alone, see what their side sees, and win."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns, TerrainColumns
from falldamage_forge.games.fall_damage.engine.simulator import simulator_of
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import PlayOptions, legal_moves
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.games.fall_damage.play.state_value import HiddenItem, State
from falldamage_forge.playtest.bot_kernels import checkpoint, search
from falldamage_forge.playtest.bot_kernels.batch_runner import CORE_BOTS, BatchRunner
from falldamage_forge.playtest.bot_kernels.bot_columns import Bots
from falldamage_forge.playtest.bot_kernels.playout import run_command
from falldamage_forge.playtest.bot_names import BOT_NAMES
from falldamage_forge.playtest.bots import BOTS, choose_move, hint
from falldamage_forge.playtest.game_series import (
    GameSeries,
    Plain,
    context_of,
    play_chunk,
    setup_of,
)
from tests.amount import EXHAUSTIVE
from tests.games.play import tables
from tests.games.play.goldens import golden_board, teams_of
from tests.games.play.tables import KIT, preset
from tests.games.play.test_mirrored import course, image_of

RUNGS = [name for name in BOTS if name.startswith("search-")]
SMALL = ((["knight", "archer"], ["bandit", "splash-mage"]),)
"""Teams of two: a search of whole teams takes seconds an activation where nothing is compiled."""


@cache
def games() -> tuple[State, ...]:
    """Moments of random games with every element, at which a player decides."""
    table = tables.ctx(golden_board(), {"round_limit": 3})
    found = tables.played(tables.new_game(table, teams_of(2)), 2)
    return tuple(state for state in found if not state.over and state.phase != "setup")


def position(columns: StateColumns) -> dict[str, Any]:
    """The columns of a position up to their lengths, occupants and derived terrain."""
    counts = {"task": "n_stack", "hidden": "n_hidden", "body": "n_bodies", "zone": "n_zones",
              "brick": "n_bricks", "chests": "n_chests"}  # fmt: skip
    found: dict[str, Any] = {}
    for name in (*TerrainColumns.lengths, "occupant", "top", "stand", "decks", "wet", "lava"):
        value = getattr(columns, name)
        count = counts.get(name.split("_")[0])
        if count is not None and isinstance(value, list):
            size = C.BRICK_LENGTH if name == "brick_tiles" else 1
            value = value[: getattr(columns, count) * size]
        elif isinstance(value, list):
            per_unit = len(value) // C.MOST_UNITS if len(value) % C.MOST_UNITS == 0 else 0
            value = value[: columns.n_units * per_unit] if per_unit in (1, C.STATS) else value[:]
        found[name] = value
    return {**found, "moves": sorted(columns.moves[: columns.n_moves])}


@pytest.mark.parametrize("seed", range(4))
def test_position_is_taken_back_after_any_moves(seed: int) -> None:
    dice, bots = SplitMix64(seed), Bots()
    states = games()
    for _ in range(6):
        sim = simulator_of(states[0].ctx)
        sim._held = None
        sim.take(states[dice.below(len(states))])
        sim.list()
        was = position(sim.columns)
        checkpoint.put_aside(sim.columns, bots, 1)
        for _ in range(12):
            if sim.columns.phase != C.OVER:
                sim.advance(dice.choice(sim.moves()))
        checkpoint.take_back(sim.columns, bots, 1)
        assert position(sim.columns) == was


def test_search_leaves_the_position_as_it_was() -> None:
    for state in games()[5::29][:4]:
        sim, bots = simulator_of(state.ctx), Bots()
        sim._held = None
        sim.take(state)
        sim.list()
        was = position(sim.columns)
        if sim.columns.n_moves > 1 and sim.chooser() >= 0:
            assert search.search_move(sim.columns, bots, 0) in sim.columns.moves
            assert position(sim.columns) == was


def test_search_does_not_see_hidden_items_of_the_enemy() -> None:
    """The same move whatever the enemy has hidden, also where nobody asks for an observation."""
    state = next(s for s in games()[12:] if s.phase == "choose_unit" and not s.pending)
    trap = HiddenItem(1 - state.to_act, "spring", state.units[0].spot >> 4, -1, 0)
    hidden = replace_hidden(state, (trap,))
    clear = replace_hidden(state, ())
    bot = BOTS["search-1"]
    assert bot(hidden, SplitMix64(1)) == bot(clear, SplitMix64(1))


def replace_hidden(state: State, hidden: tuple[HiddenItem, ...]) -> State:
    made = state.copy()
    made.hidden = hidden
    return made


def series(one: str, other: str, rounds: int = 1) -> GameSeries:
    return GameSeries(
        preset("duel"), FallDamageOptions(), PlayOptions(round_limit=rounds), KIT, (one, other),
        4, 3, "duel", SMALL,
    )  # fmt: skip


def test_search_plays_the_same_games_step_by_step_and_half_turned() -> None:
    one = series("search-1", "search-2")
    ctx = context_of(one)
    core, plain = BatchRunner(ctx, run_command), Plain(ctx)
    core.tell = True
    setup = setup_of(one, ctx, 0)
    assert core.play(0, setup, one.bots) == plain.play(0, setup, one.bots)
    result, moves = course(core, setup, "search-1")
    turned = {"red": "blue", "blue": "red"}.get(result, result)
    assert course(core, image_of(setup, core.state), "search-1") == (turned, moves)


def test_rungs_are_named_from_the_weakest_on() -> None:
    assert [f"search-{n + 1}" for n in range(len(search.RUNGS))] == RUNGS
    assert list(BOTS) == list(CORE_BOTS) == list(BOT_NAMES)


@pytest.mark.skipif(not EXHAUSTIVE, reason="compiled, some minutes")
@pytest.mark.parametrize(("stronger", "weaker"), [("search-1", "careful"), ("search-2", "greedy")])
def test_search_beats_bots_that_look_one_move_ahead(stronger: str, weaker: str) -> None:
    one = replace(series(stronger, weaker, 20), teams=(), games=80, fast=True)
    counts = play_chunk(one, 0, 80).counts
    assert counts["a_wins"] >= 0.75 * counts["decided"]


@pytest.mark.parametrize("bot", RUNGS)
def test_search_bot_answers_with_a_legal_move(bot: str) -> None:
    state = games()[-3]
    assert choose_move(BOTS[bot], state, SplitMix64(1)) in legal_moves(state)


def test_hint_is_the_move_of_the_strongest_bot_in_time() -> None:
    """With no time the weakest bot answers; each answer is that bot's own."""
    state = next(s for s in games() if s.phase == "choose_unit" and not s.pending)
    assert hint(state, 4, 0.0)[0] == "random"
    name, move = hint(state, 4, 1e9)
    assert name == RUNGS[-1] and move == choose_move(BOTS[name], state, SplitMix64(4))
