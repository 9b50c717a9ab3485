"""The fast core plays the plain engine's games: states, legal moves, bots, tallies, perft.

By default a few games where nothing is compiled; FORGE_EXHAUSTIVE plays thousands compiled, each
written as a record that the plain engine takes move by move with the same counts of legal moves.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import State
from falldamage_forge.games.fall_damage.engine.jit import Compiled
from falldamage_forge.games.fall_damage.engine.match_context import ASKING, SIMPLE, plays
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play import Arena, Game, Readings
from falldamage_forge.playtest.core.columns import Bots
from falldamage_forge.playtest.core.play import do
from falldamage_forge.playtest.series import Series, arena_of, core_of, new_game, setup_of
from tests.amount import EXHAUSTIVE
from tests.games.play.tables import KIT, preset

ROOT = Path(__file__).resolve().parents[3]
needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
hard = pytest.mark.skipif(not EXHAUSTIVE, reason="compiles for minutes")
MAPS = ("duel", "arena", "ashkeep", "canyon")


def checked(*words: object) -> Any:
    """What a check says that runs uncompiled, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.games.play.core_check", *map(str, words)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@needs_numba
@pytest.mark.parametrize(
    ("board", "bot", "first", "games"),
    [("golden", "random", 91, 4), ("duel", "greedy", 0, 2), ("ashkeep", "careful", 0, 1)],
)
def test_both_engines_agree_at_every_step(board: str, bot: str, first: int, games: int) -> None:
    found = checked("lockstep", board, bot, first, games)
    assert found["moves"] > 50 * games
    if board == "golden":
        assert {"ability", "card", "length", "stats", "way"} <= set(found["seen"])


@needs_numba
def test_threats_of_two_enemies_are_kept_apart() -> None:
    """In this game two of them once shared one place in memory, and the bots chose differently."""
    assert checked("lockstep", "golden", "careful", 3, 1)["moves"] > 25


@needs_numba
@hard
@pytest.mark.parametrize("bot", ["random", "greedy", "careful"])
@pytest.mark.parametrize("board", ["golden", *MAPS])
def test_both_engines_agree_for_long(board: str, bot: str) -> None:
    checked("lockstep", board, bot, 50, 60)


@needs_numba
def test_both_engines_leave_the_same_counts() -> None:
    assert checked("tally", "golden", "greedy", 3) == {"same": True, "games": 3}


@needs_numba
def test_both_engines_count_the_same_ways() -> None:
    kept = json.loads((ROOT / "tests/data/perft.json").read_text("utf-8"))
    assert checked("perft", 4) == kept


@needs_numba
@hard
@pytest.mark.parametrize("bot", ["random", "greedy", "careful"])
@pytest.mark.parametrize("board", MAPS)
def test_every_game_of_the_core_is_a_record_that_holds(board: str, bot: str) -> None:
    """Compiled; moves and numbers of legal moves are the plain engine's. A few it leaves to it."""
    games, left = 250, 0
    series = Series(
        preset(board), Options(), Readings(), KIT, (bot, bot), games, 11, board, fast=True
    )
    core = core_of(series)
    assert core is not None
    core.tell = True
    for number in range(games):
        setup = setup_of(series, arena_of(series), number)
        try:
            told = core.play(number, setup, series.bots)
        except LookupError:
            left += 1
            continue
        toss = {"move": ("coin heads", "coin tails")[setup.first], "legal": 2}
        moves = [toss, *({"move": text, "legal": count} for text, count in told)]
        result = ("", "red", "blue", "draw", "unfinished")[int(core.state.result)]
        record = {**new_game(series, setup).record(), "moves": moves, "result": result}
        assert Game.from_record(record, KIT).over
    assert left <= games // 25


def test_other_readings_are_left_to_the_plain_engine() -> None:
    duel = preset("duel")
    assert plays(Arena(duel, Options(), Readings(round_limit=7), KIT))
    assert not plays(Arena(duel, Options(edge="void"), Readings(), KIT))
    assert not plays(Arena(duel, Options(), Readings(pass_="yes"), KIT))
    told = Series(duel, Options(), Readings(), KIT, ("searcher", "greedy"), 4, 1, fast=True)
    assert core_of(told) is None


@needs_numba
def test_numba_finds_in_its_cache_what_another_process_compiled() -> None:
    """It looks things up by what a closure holds: any function there is another one every time."""
    compiled = Compiled(do, State, Bots)
    door = compiled._door({})
    assert [cell.cell_contents for cell in door.__closure__ or ()] == [compiled.digest]


@needs_numba
def test_a_core_that_nobody_compiled_is_not_said_to_be(tmp_path: Path) -> None:
    question = "from falldamage_forge.playtest.core.drive import is_compiled; print(is_compiled())"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", question],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "False"


def test_names_of_the_layout_are_in_order() -> None:
    assert list(C.NAMES) == sorted(C.NAMES)
    assert C.NAMES[C.M_WIND] == "wind" and C.NAMES[C.M_KEEP] == "keep"
    assert set(KIT.abilities) == set(C.ABILITIES)
    assert C.ABILITIES[C.STAB] == "syringe" and C.ABILITIES[C.BIND] == "vines"
    assert C.NAMES[C.M_ABILITY] == "ability" and C.NAMES[C.M_LENGTH] == "length"
    assert C.NAMES[C.M_SINK] == "sink" and C.NAMES[C.M_STATS] == "stats"
    assert C.NAMES[C.M_WAY] == "way" and C.NAMES[C.M_CARD] == "card"


def test_every_result_of_treasure_is_known_to_the_core() -> None:
    known = {
        "plus", "item", "flag", "zone", "wind", *ASKING, *SIMPLE,
    }  # fmt: skip
    assert {result.effect for result in KIT.treasure.values()} == known
