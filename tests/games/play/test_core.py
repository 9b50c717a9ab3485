"""One engine, two speeds: the same source over lists and over numba's records plays the same games.

By default nothing is compiled; FORGE_EXHAUSTIVE compiles, and plays hundreds of games both ways.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import jit, rng
from falldamage_forge.games.fall_damage.engine.columns import Position, State
from falldamage_forge.games.fall_damage.engine.desk import Desk
from falldamage_forge.games.fall_damage.engine.jit import Compiled
from falldamage_forge.games.fall_damage.engine.match_context import ASKING, limits
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.games.fall_damage.play import Arena, Game, Readings, legal
from falldamage_forge.games.fall_damage.play.dice import Dice
from falldamage_forge.playtest.core.columns import Bots
from falldamage_forge.playtest.core.drive import Core
from falldamage_forge.playtest.core.play import do
from falldamage_forge.playtest.series import (
    Series,
    arena_of,
    chunk,
    core_of,
    new_game,
    setup_of,
    without,
)
from tests.amount import EXHAUSTIVE
from tests.games.play import tables
from tests.games.play.goldens import golden_board, teams_of
from tests.games.play.tables import KIT, preset

ROOT = Path(__file__).resolve().parents[3]
needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
hard = pytest.mark.skipif(not EXHAUSTIVE, reason="compiles for a minute")
MAPS = ("duel", "arena", "ashkeep", "canyon")


def series_of(board: str, bot: str, games: int, fast: bool = False) -> Series:
    made = golden_board() if board == "golden" else preset(board)
    return Series(made, Options(), Readings(), KIT, (bot, bot), games, 11, board, fast=fast)


@pytest.mark.parametrize("seed", range(6 if EXHAUSTIVE else 2))
def test_columns_and_plain_states_say_the_same(seed: int) -> None:
    """Whatever the columns held before: written and read back, a state is the same state."""
    table = tables.arena(golden_board(), {"round_limit": 3})
    states = tables.played(tables.new_game(table, teams_of(seed)), seed)
    desk = Desk(table)
    for state in Dice(seed).shuffled(states)[:60]:
        desk.take(state)
        desk._held = None
        assert desk.read() == state
        desk.take(state)
        assert desk.moves() == legal(state)


@needs_numba
def test_columns_go_into_a_record_and_back() -> None:
    desk = Desk(tables.arena(preset("duel")))
    again = State.of_record(desk.columns.record())
    assert vars(again) == vars(desk.columns)


def test_the_position_is_part_of_the_state() -> None:
    assert set(Position.lengths) < set(State.lengths)
    assert all(len(vars(State())[name]) == n for name, n in State.lengths.items() if n)


def test_random_numbers_are_those_of_the_dice() -> None:
    s, dice = State(), Dice(-(7**20))
    s.dice = rng.wrapped(dice.state)
    for count in (1, 2, 6, 97, 2**31):
        for _ in range(20):
            assert rng.below(s, count) == dice.below(count)
            assert s.dice % 2**64 == dice.state


def test_a_series_leaves_records_that_hold() -> None:
    """The columns' own loop, and the game played again move by move, with the same counts."""
    for board, bot in (("duel", "greedy"), ("golden", "random")):
        check_records(series_of(board, bot, 2))


def check_records(series: Series) -> None:
    core = core_of(series)
    assert core is not None
    core.tell = True
    for number in range(series.games):
        setup = setup_of(series, arena_of(series), number)
        told = core.play(number, setup, series.bots)
        toss = {"move": ("coin heads", "coin tails")[setup.first], "legal": 2}
        moves = [toss, *({"move": text, "legal": count} for text, count in told)]
        record = {**new_game(series, setup).record(), "moves": moves, "result": core.result}
        assert Game.from_record(record, KIT).over


@needs_numba
@hard
@pytest.mark.parametrize("bot", ["random", "greedy", "careful"])
@pytest.mark.parametrize("board", ["golden", *MAPS])
def test_compiled_and_interpreted_play_the_same_games(board: str, bot: str) -> None:
    """Moves, numbers of legal moves, results, and all that is counted."""
    slow, fast = (series_of(board, bot, 40, fast) for fast in (False, True))
    one, other = Core(arena_of(slow), do), Core(arena_of(fast))
    one.tell = other.tell = True
    for number in range(40):
        setup = setup_of(slow, arena_of(slow), number)
        assert one.play(number, setup, slow.bots) == other.play(number, setup, fast.bots)
    assert one.tally() == other.tally()
    assert chunk(slow, 40, 10) == chunk(without(slow, fast=True), 40, 10)
    check_records(fast)


def test_a_map_with_too_much_on_it_is_told() -> None:
    assert not limits(Arena(preset("duel"), Options(), Readings(pass_="yes"), KIT))
    wide = Arena(tables.small_board(40), Options(), Readings(), KIT)
    assert limits(wide) == [f"40 rows of at most {C.MOST_ROWS}"]


def test_without_numba_the_same_source_plays() -> None:
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "from tests.games.play.test_core import series_of, check_records\n"
        "check_records(series_of('duel', 'greedy', 1)); print('played')"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "played\n", done.stderr[-2000:]


def test_all_that_is_compiled_is_reached_from_the_entry() -> None:
    names = {function.__name__ for function in Compiled(do, State, Bots).functions}
    assert {"do", "settle", "use_ability", "take_effect", "plan_move", "wrapped"} <= names


def test_where_numba_is_another_inside_compiling_goes_on_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "falldamage_forge.games.fall_damage.engine.linking", None)
    assert jit.linked_once() == {}


def test_numba_finds_in_its_cache_what_another_process_compiled() -> None:
    """It looks things up by what a closure holds: any function there is another one every time."""
    compiled = Compiled(do, State, Bots)
    held = [cell.cell_contents for cell in compiled._door({}).__closure__ or ()]
    assert held == [compiled.digest]


@needs_numba
def test_a_core_that_nobody_compiled_is_not_said_to_be(tmp_path: Path) -> None:
    question = "from falldamage_forge.playtest.core.drive import is_compiled; print(is_compiled())"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", question],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "False"


def test_names_of_the_codes_are_in_order() -> None:
    assert list(C.NAMES) == sorted(C.NAMES)
    assert set(KIT.abilities) == set(C.ABILITIES)
    assert C.ABILITIES[C.STAB] == "syringe" and C.ABILITIES[C.BIND] == "vines"
    for name in C.NAMES:
        short = {"attack rooted": "ROOTED", "poison mist": "POISON", "spring trap": "SPRING",
                 "throw potion": "POTION", "celestial-cannon": "CELESTIAL"}.get(name)  # fmt: skip
        word = short or name.upper().replace(" ", "_")
        assert C.NAMES[getattr(C, f"M_{word}")] == name
    assert [getattr(C, f"E_{w}") for w in ("HARM", "MOVE", "OVER")] == [
        C.EVENTS.index(w) for w in ("harm", "move", "over")
    ]


def test_every_result_of_treasure_is_known_to_the_engine() -> None:
    known = {*ASKING, *C.EFFECTS} - {""}
    assert {result.effect for result in KIT.treasure.values()} == known
