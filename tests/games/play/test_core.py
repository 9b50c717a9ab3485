"""One engine, two speeds: the same source over lists and over numba's records plays the same games.

By default nothing is compiled; FORGE_EXHAUSTIVE compiles, and plays hundreds of games both ways.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import jit
from falldamage_forge.games.fall_damage.engine.columns import StateColumns, TerrainColumns
from falldamage_forge.games.fall_damage.engine.jit import Compiled
from falldamage_forge.games.fall_damage.engine.match_context import ASKING, limits
from falldamage_forge.games.fall_damage.engine.simulator import Simulator
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import (
    BoardGame,
    MatchContext,
    PlayOptions,
    legal_moves,
    split_options,
)
from falldamage_forge.games.fall_damage.play.split_mix import SplitMix64
from falldamage_forge.playtest.bot_kernels import chance
from falldamage_forge.playtest.bot_kernels.batch_runner import BatchRunner, usual_readings
from falldamage_forge.playtest.bot_kernels.bot_columns import Bots
from falldamage_forge.playtest.bot_kernels.playout import run_command
from falldamage_forge.playtest.game_series import (
    GameSeries,
    context_of,
    core_of,
    new_game,
    play_chunk,
    setup_of,
)
from tests.amount import EXHAUSTIVE, some
from tests.cli.running import python
from tests.games.play import tables
from tests.games.play.goldens import golden_board, teams_of
from tests.games.play.tables import KIT, preset

ROOT = Path(__file__).resolve().parents[3]
needs_numba = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")
hard = pytest.mark.skipif(not EXHAUSTIVE, reason="compiles for a minute")
MAPS = ("duel", "arena", "ashkeep", "canyon")
UNUSUAL = {
    "path_choice": "any", "turn_size": "exactly_two", "headroom": 1, "attack_friends": "yes",
    "jump_scope": "turn", "melee_is": "adjacent", "edge": "void", "push_fall": "hover",
    "push_optional": "yes", "spring_arc": "clear", "swap_self": "yes",
}  # fmt: skip
"""Readings other than the default, of every part of the rules."""


def series_of(board: str, bot: str, games: int, fast: bool = False) -> GameSeries:
    if board == "long":
        made = tables.long_board(C.MOST_ROWS)
    else:
        made = golden_board() if board == "golden" else preset(board)
    return GameSeries(
        made, FallDamageOptions(), PlayOptions(), KIT, (bot, bot), games, 11, board, fast=fast
    )


@pytest.mark.parametrize("seed", range(6 if EXHAUSTIVE else 2))
def test_columns_and_state_values_agree(seed: int) -> None:
    """Whatever the columns held before: written and read back, a state is the same state."""
    table = tables.ctx(golden_board(), {"round_limit": 3})
    states = tables.played(tables.new_game(table, teams_of(seed)), seed)
    sim = Simulator(table)
    for state in SplitMix64(seed).shuffled(states)[:60]:
        sim.take(state)
        sim._held = None
        assert sim.read() == state
        sim.take(state)
        assert sim.moves() == legal_moves(state)


@needs_numba
def test_columns_go_into_a_record_and_back() -> None:
    sim = Simulator(tables.ctx(preset("duel")))
    array = sim.columns.record().array
    for name, value in vars(sim.columns).items():
        if not StateColumns.lengths[name]:
            assert array[name] == value
            continue
        assert array[name][: len(value)].tolist() == value
        assert not array[name][len(value) :].any()


def test_the_position_is_part_of_the_state() -> None:
    assert set(TerrainColumns.lengths) < set(StateColumns.lengths)
    made = vars(StateColumns())
    assert all(len(made[name]) == n for name, n in StateColumns.lengths.items() if n)


def test_random_numbers_are_those_of_the_dice() -> None:
    s, dice = StateColumns(), SplitMix64(-(7**20))
    s.dice = chance.wrapped(dice.state)
    for count in (1, 2, 6, 97, 2**31):
        for _ in range(20):
            assert chance.below(s, count) == dice.below(count)
            assert s.dice % 2**64 == dice.state


def test_records_of_a_series_replay_without_error() -> None:
    """The columns' own loop, and the game played again move by move, with the same counts."""
    for board, bot in (("duel", "greedy"), ("golden", "random")):
        check_records(series_of(board, bot, 2))


def test_counts_of_a_chunk_do_not_depend_on_earlier_games() -> None:
    series = series_of("golden", "random", 4)
    alone = play_chunk(series, 0, 2)
    core = core_of(series)
    core.play(3, setup_of(series, core.ctx, 3), series.bots)
    assert play_chunk(series, 0, 2) == alone


def check_records(series: GameSeries) -> None:
    core = core_of(series)
    core.tell = True
    for number in range(series.games):
        setup = setup_of(series, context_of(series), number)
        told = core.play(number, setup, series.bots)
        toss = {"move": ("coin heads", "coin tails")[setup.first], "legal": 2}
        moves = [toss, *({"move": text, "legal": count} for text, count in told)]
        record = {**new_game(series, setup).record(), "moves": moves, "result": core.result}
        assert BoardGame.from_record(record, KIT).over


@needs_numba
@hard
@pytest.mark.parametrize("bot", ["random", "greedy", "careful"])
@pytest.mark.parametrize("board", ["golden", "long", *MAPS])
def test_compiled_and_interpreted_play_the_same_games(board: str, bot: str) -> None:
    """Moves, numbers of legal moves, results, and all that is counted."""
    slow, fast = (series_of(board, bot, 40, fast) for fast in (False, True))
    one, other = BatchRunner(context_of(slow), run_command), BatchRunner(context_of(fast))
    one.tell = other.tell = True
    for number in range(40):
        setup = setup_of(slow, context_of(slow), number)
        assert one.play(number, setup, slow.bots) == other.play(number, setup, fast.bots)
    assert one.tally() == other.tally()
    assert play_chunk(slow, 40, 10) == play_chunk(replace(slow, fast=True), 40, 10)
    check_records(fast)


def test_map_above_the_engines_capacity_is_refused() -> None:
    assert not limits(
        MatchContext(preset("duel"), FallDamageOptions(), PlayOptions(pass_="yes"), KIT)
    )
    wide = MatchContext(tables.small_board(51), FallDamageOptions(), PlayOptions(), KIT)
    assert limits(wide) == [f"51 rows of at most {C.MOST_ROWS}"]


def test_engine_plays_without_numba() -> None:
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "from tests.games.play.test_core import series_of, check_records\n"
        "check_records(series_of('duel', 'greedy', 1)); print('played')"
    )
    assert python("-c", program) == "played\n"


def test_every_compiled_function_is_reachable_from_the_entry() -> None:
    names = {function.__name__ for function in Compiled(run_command, StateColumns, Bots).functions}
    assert {
        "run_command",
        "run_until_decision",
        "use_ability",
        "take_effect",
        "plan_move",
        "wrapped",
    } <= names


@needs_numba
@pytest.mark.parametrize("linking", [True, False])
def test_functions_compile_alike_with_and_without_linking(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, linking: bool
) -> None:
    """What is compiled apart, and what is not, are the same function; it is found again."""
    import numba

    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    if not linking:
        monkeypatch.setitem(sys.modules, f"{jit.__package__}.linking", None)
    assert bool(jit.linked_once()) == linking
    asked = Compiled(chance.below, StateColumns)
    assert not asked.is_kept()
    slow, fast, call = StateColumns(), StateColumns().record(), asked.call()
    slow.dice = fast.dice = 11
    for count in (1, 2, 97, 2**31):
        assert call(fast, count) == chance.below(slow, count)
    assert fast.dice == slow.dice
    assert Compiled(chance.below, StateColumns).is_kept()
    assert not Compiled(chance.below, StateColumns, fixed={"gap": 1}).is_kept()


def test_compiled_code_depends_on_each_module_that_declares_a_column(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Code compiled for other fields of a state is not taken from the cache."""
    read: set[Path] = set()
    read_bytes = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.add(path) or read_bytes(path))
    Compiled(chance.below, StateColumns)
    declaring = {
        cls.__module__ for cls in StateColumns.__mro__ if cls.__module__.startswith("fall")
    }
    assert {"state_fields", "columns"} <= {name.rpartition(".")[2] for name in declaring}
    assert {Path(str(sys.modules[name].__file__)) for name in declaring} <= read


PRUNED = """
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine.columns import StateColumns

def leaf(s: StateColumns, n: int) -> int:
    return n + s.round

def dead(s: StateColumns, n: int) -> int:
    return leaf(s, n) if s.gap == C.TREE else n

def living(s: StateColumns, n: int) -> int:
    return leaf(s, n) * 2

def entry(s: StateColumns, n: int) -> int:
    return dead(s, n) + living(s, n)
"""
LOADING = """
import sys
from importlib.util import module_from_spec, spec_from_file_location
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from falldamage_forge.games.fall_damage.engine.jit import Compiled
spec = spec_from_file_location("falldamage_forge.pruned", sys.argv[1])
module = sys.modules[spec.name] = module_from_spec(spec)
spec.loader.exec_module(module)
asked, record = Compiled(module.entry, StateColumns, fixed={"gap": 0}), StateColumns().record()
record.round = 5
print(asked.is_kept(), asked.call()(record, 7))
"""


@needs_numba
def test_call_pruned_for_one_caller_stays_for_another(tmp_path: Path) -> None:
    """One caller's call is left out, the other's is not: also where it is read from the cache."""
    module = tmp_path / "pruned.py"
    module.write_text(PRUNED, "utf-8")
    told = [python("-c", LOADING, module, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    assert told == ["False 31\n", "True 31\n"]


@needs_numba
def test_failing_numba_internals_fall_back_to_plain_compilation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import numba

    from falldamage_forge.games.fall_damage.engine.linking import SeparateObject

    def broken(*_: object) -> None:
        raise AttributeError("another numba")

    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(SeparateObject, "compile_extra", broken)
    record = StateColumns().record()
    assert Compiled(chance.below, StateColumns).call()(record, 1) == 0
    assert record.dice == chance.GAMMA


def strict_place(place: int) -> int:
    """A place in a column as the compiler takes it."""
    assert place >= 0, "a place counts from the end"
    return place


@pytest.mark.parametrize("usual", [True, False])
@pytest.mark.parametrize("board", some(["golden", "long", *MAPS], 2))
def test_engine_uses_no_negative_index(board: str, usual: bool) -> None:
    """What is given to the compiler, played by Python: the same games, every place checked."""
    bot = "careful" if usual else "random"
    series = series_of(board, bot, 8 if EXHAUSTIVE else 1)
    if not usual:
        rules, readings = split_options(UNUSUAL)
        series = replace(series, rules=rules, readings=readings)
    fixed = usual_readings() if usual else {}
    entry: Any = run_command
    twin = jit.twins(jit.reached(entry), fixed, strict_place, lambda function: function)[entry]
    ctx = context_of(series)
    one, other = BatchRunner(ctx, run_command), BatchRunner(ctx, twin)
    one.tell = other.tell = True
    for number in range(series.games):
        setup = setup_of(series, ctx, number)
        assert one.play(number, setup, series.bots) == other.play(number, setup, series.bots)
    assert one.tally() == other.tally()


@needs_numba
def test_interpreted_engine_is_not_reported_as_compiled(tmp_path: Path) -> None:
    question = (
        "from falldamage_forge.playtest.bot_kernels.batch_runner import is_compiled; "
        "print(is_compiled())"
    )
    assert python("-c", question, NUMBA_CACHE_DIR=str(tmp_path)).strip() == "False"


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
