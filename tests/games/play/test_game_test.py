"""The conformance run of programs: bots that play, engines that follow."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import falldamage_forge as ff
from falldamage_forge.cli.commands.conform import command as conform
from falldamage_forge.library.conformance_run import CASES, DRIVERS, GAMES, differences
from falldamage_forge.playtest.external_bot import position_json
from tests.cli.running import typed

OURS = f"{sys.executable} -m falldamage_forge bot random"
PROXY = """
import json, sys
from falldamage_forge import presets
from falldamage_forge.playtest.external_bot import serve

asked = 0

def spoil(text):
    global asked
    answer = json.loads(text)
    position = answer.get("position")
    asked += position is not None or "move" in answer
    if asked > 4 and position:
        {engine}
    if asked > 4 and "move" in answer:
        {bot}
    print(json.dumps(answer), flush=True)

serve("random", sys.stdin, spoil, presets.load_kit())
"""


def spoiled(tmp_path: Path, *, engine: str = "pass", bot: str = "pass") -> str:
    """Our program with one line that spoils its answers after the fourth."""
    source = tmp_path / "spoiled.py"
    source.write_text(PROXY.replace("{engine}", engine).replace("{bot}", bot), "utf-8")
    return f"{sys.executable} {source}"


@pytest.mark.parametrize("role", ["bot", "engine"])
def test_our_program_passes_as_bot_and_as_engine(role: str) -> None:
    result = ff.game_test(OURS, role, games=2)
    assert result.ok and result.games == 2 and result.answers > 100
    assert (result.program, result.role, result.failures) == (OURS, role, ())


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ("position['legal'].pop()", "is legal, and missing"),
        ("position['legal'].append('fly')", "`fly` is not legal"),
        ("position['units'].append({})", "`units` is [{}], expected a list of 0"),
        ("answer.clear()", "the answer has no `position`: {}"),
        ("sys.exit('no more')", "ended before it answered `push`; standard error: no more"),
    ],
)
def test_first_wrong_position_of_an_engine_is_reported(
    tmp_path: Path, engine: str, said: str
) -> None:
    command = spoiled(tmp_path, engine=engine)
    (failure,) = ff.game_test(command, "engine", games=1).failures
    assert said in str(failure) and failure.map == CASES[0][0]
    replayed = ff.Game.from_record(failure.record)
    assert len(replayed.moves) == 4 and not replayed.over, "the fifth position is wrong"


def test_illegal_move_of_a_bot_is_reported(tmp_path: Path) -> None:
    command = spoiled(tmp_path, bot="answer['move'] = ['fly']")
    result = ff.game_test(command, games=2)
    assert [failure.game for failure in result.failures] == [0, 1] and result.answers == 8
    assert "`['fly']` is not a legal move" in str(result.failures[0])


def test_command_tests_programs_and_exits_1_if_one_fails(tmp_path: Path) -> None:
    good = typed("conform", "--engine", OURS, "--games", 1)
    assert (good.returncode, good.stderr) == (0, "") and "1 of 1 games passed" in good.stdout
    bad = typed("conform", "--bot", f"{sys.executable} -c pass", "--games", 1, "--json")
    told = json.loads(bad.stdout)
    assert bad.returncode == 1 and not told["ok"]
    assert told["failures"][0]["problems"] == ["ended before it answered `ready`"]
    for words in ((), ("--bot", OURS, "--engine", OURS), ("--bot", "./no-such-program")):
        assert typed("conform", *words).returncode == 2


def test_command_and_library_play_as_many_games() -> None:
    (games,) = (param.default for param in conform.params if param.name == "games")
    assert games == GAMES == len(CASES) * len(DRIVERS)


def in_a_game() -> Any:
    game = ff.Game(ff.load("duel"), seed=1)
    while not game.state.units or game.node != "step":
        game.roll()
    return position_json(game)


POSITION = in_a_game()
SPOILS: dict[str, Callable[[Any], object]] = {
    "turn": lambda said: said.update(turn="green"),
    "result": lambda said: said.update(result="red"),
    "less": lambda said: said["legal"].pop(),
    "more": lambda said: said["legal"].append("fly"),
    "no list": lambda said: said.update(legal=None),
    "no texts": lambda said: said.update(legal=[3]),
    "a unit": lambda said: said["units"][3].update(at="A1@9"),
    "units": lambda said: said["units"].pop(),
    "no units": lambda said: said.pop("units"),
}


@given(st.permutations(POSITION["legal"]), st.sampled_from(sorted(SPOILS)))
def test_positions_agree_in_any_order_of_moves_and_differ_if_spoiled(
    legal: list[str], spoil: str
) -> None:
    said = copy.deepcopy(POSITION) | {"legal": legal}
    assert differences(POSITION, said) == []
    SPOILS[spoil](said)
    assert len(differences(POSITION, said)) == 1
    assert differences(POSITION, [said]), "an answer that is no object"
