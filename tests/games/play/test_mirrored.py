"""No side is favoured: a game and its image under half a turn are played alike."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.board.symmetry import symmetries
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.surface_index import before, earlier, half_turned
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import PlayOptions
from falldamage_forge.playtest.bot_kernels.batch_runner import BatchRunner
from falldamage_forge.playtest.bot_kernels.playout import run_command
from falldamage_forge.playtest.game_series import GameSeries, context_of, play_chunk, setup_of
from falldamage_forge.playtest.game_setup import GameSetup
from falldamage_forge.playtest.score_verdict import SIDE, estimate
from falldamage_forge.presets import names
from tests.amount import EXHAUSTIVE, some
from tests.games.play.tables import KIT, preset

FALL_DAMAGE = ("ashkeep", "arena", "canyon", "duel")
SYMMETRIC = {name: symmetries(preset(name)) for name in (*FALL_DAMAGE, *names("tables"))}
"""Maps of Fall Damage, and what leaves each as it is."""
TURNED = [name for name, known in SYMMETRIC.items() if "rotate-180" in known]
PAIRS = 1_000 if EXHAUSTIVE else 20
IMAGES = 0.97
"""Least share of pairs that are images of each other."""
GAMES = 10_000
SPOT = st.tuples(st.integers(0, 8), st.integers(0, 10), st.integers(0, 12)).map(
    lambda at: at[0] << 10 | at[1] << 4 | at[2]
)


@cache
def series_of(name: str, bot: str) -> GameSeries:
    return GameSeries(
        preset(name), FallDamageOptions(), PlayOptions(), KIT, (bot, bot), GAMES, 7, name,
        fast=EXHAUSTIVE,
    )  # fmt: skip


def image_of(setup: GameSetup, columns: StateColumns) -> GameSetup:
    """The half-turned game: sides exchanged, the other side first, the same dice."""
    red, blue = (tuple(half_turned(columns, spot) for spot in side) for side in setup.places)
    return replace(setup, teams=setup.teams[::-1], places=(blue, red), first=1 - setup.first)


def course(core: BatchRunner, setup: GameSetup, bot: str) -> tuple[str, list[tuple[str, int]]]:
    """A game's result, the kind of each move, and how many were legal."""
    moves = core.play(0, setup, (bot, bot))
    return core.result, [(text.split()[0], count) for text, count in moves]


@pytest.mark.parametrize("bot", ["greedy", "careful"])
@pytest.mark.parametrize("name", some(TURNED, 1))
def test_half_turned_games_are_images_of_each_other(name: str, bot: str) -> None:
    series = series_of(name, bot)
    core = BatchRunner(context_of(series), None if EXHAUSTIVE else run_command)
    core.tell, alike = True, 0
    for number in range(PAIRS):
        setup = setup_of(series, core.ctx, number)
        result, moves = course(core, setup, bot)
        turned = {"red": "blue", "blue": "red"}.get(result, result)
        alike += course(core, image_of(setup, core.state), bot) == (turned, moves)
    assert alike >= IMAGES * PAIRS


@pytest.mark.skipif(not EXHAUSTIVE, reason=f"{GAMES} games a map, compiled")
@pytest.mark.parametrize("bot", ["greedy", "careful"])
@pytest.mark.parametrize("name", [name for name, known in SYMMETRIC.items() if known])
def test_neither_side_is_favoured_on_a_symmetric_map(name: str, bot: str) -> None:
    found = estimate(play_chunk(series_of(name, bot), 0, GAMES).scores(SIDE.key))
    assert found.low <= 0.5 <= found.high


@given(SPOT, SPOT, SPOT)
def test_sides_count_tiles_from_opposite_corners(one: int, other: int, to: int) -> None:
    s = StateColumns(dict.fromkeys(StateColumns.lengths, 0))
    s.rows, s.cols = 9, 11
    turned = [half_turned(s, spot) for spot in (one, other, to)]
    assert [half_turned(s, spot) for spot in turned] == [one, other, to]
    assert earlier(0, one, other) == earlier(1, turned[0], turned[1])
    assert before(one, to, other, 0) == before(turned[0], turned[2], turned[1], 1)
