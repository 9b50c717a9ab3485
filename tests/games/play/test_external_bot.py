"""Bots of other programs: the protocol, and games lost by rule."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from falldamage_forge.board import Column
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import BoardGame, PlayOptions
from falldamage_forge.games.fall_damage.play.serialization import to_json
from falldamage_forge.playtest import external_bot
from falldamage_forge.playtest.external_bot import PROTOCOL, serve
from falldamage_forge.playtest.external_bot import external_bot as program
from falldamage_forge.playtest.game_series import (
    GameSeries,
    Plain,
    context_of,
    play_chunk,
    run_here,
    setup_of,
)
from falldamage_forge.playtest.runner import PlaytestRequest, run_match, run_playtest
from tests.cli.running import typed
from tests.games.play.tables import KIT, small_board
from tests.patience import SILENCE_S

SOURCE = """
import json, subprocess, sys, time
count = 0
held = ("import fcntl, sys, time; file = open(sys.argv[1]); fcntl.flock(file, 2); "
        "print(1, flush=True); time.sleep(600)")
with open(__file__ + ".starts", "a") as starts:
    starts.write("x")
while sys.argv[1] == "deaf":
    time.sleep(1)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["ask"] != "move":
        if asked["ask"] == sys.argv[1]:
            time.sleep(60)
        print(json.dumps({"ready": "test"}), flush=True)
        continue
    count += 1
    kind = sys.argv[1] if count > 2 else ""
    if kind in ("parent", "leaver"):
        words = [sys.executable, "-c", held, __file__]
        subprocess.Popen(words, stdout=subprocess.PIPE).stdout.readline()
    if kind == "loud":
        sys.stderr.write("y" * 1_000_000 + "the end")
    if kind in ("late", "parent"):
        time.sleep(60)
    if kind == "dead":
        sys.exit("out of ideas")
    said = {"nonsense": "hello", "other": "[1]", "illegal": json.dumps({"move": "fly"}),
            "list": json.dumps({"move": ["unit 0"]}), "deep": "[" * 60_000, "loud": "",
            "bytes": "{\\ud800}", "number": "9" * 9_000, "null": "null",
            "endless": "x" * 200_000}
    print(said.get(kind, json.dumps({"move": asked["legal"][0]})), flush=True)
    if kind == "leaver":
        sys.exit()
"""
TEAMS = ((["knight", "archer"], ["bandit", "medic"]),)


def series(red: str, blue: str = "greedy", clock: float = 20.0) -> GameSeries:
    return GameSeries(
        small_board(), FallDamageOptions(), PlayOptions(round_limit=3), KIT, (red, blue), 2, 3,
        "small", TEAMS, clock=clock,
    )  # fmt: skip


def command(tmp_path: Path, kind: str) -> str:
    source = tmp_path / "bot.py"
    source.write_text(SOURCE, "utf-8")
    return f"{sys.executable} {source} {kind}"


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("nonsense", "the answer has no `move`: hello"), ("other", "no `move`: [1]"),
        ("illegal", "`fly` is not a legal move"), ("late", "no answer to `move` within 2 s"),
        ("dead", "ended before it answered `move`; standard error: out of ideas"),
        ("endless", "the answer has no `move`: xxx"), ("deep", "the answer has no `move`: [[["),
        ("list", "`['unit 0']` is not a legal move"), ("number", "no `move`: 999"),
        ("null", "the answer has no `move`: null"),
        ("bytes", "ended before it answered `move`; standard error: "),
        ("loud", "; standard error: yyy"),
    ],
)  # fmt: skip
def test_bad_program_loses_each_game_by_rule(tmp_path: Path, kind: str, reason: str) -> None:
    red = command(tmp_path, kind)
    tally = play_chunk(series(red, clock=2.0), 0, 2)
    assert [(number, bot) for number, bot, _ in tally.forfeits] == [(0, red), (1, red)]
    assert all(reason in said for _, _, said in tally.forfeits)
    assert (tally.counts["decided"], tally.counts["a_wins"]) == (2, 0)
    assert (tally.counts["red"], tally.counts["blue"]) == (1, 1), "sides are exchanged"


def test_program_that_does_not_start_loses() -> None:
    ((_, _, reason), _) = play_chunk(series("/nowhere/bot"), 0, 2).forfeits
    assert reason.startswith("does not start: ")


@pytest.mark.parametrize("kind", ["deaf", "ready", "new"])
def test_program_that_is_never_ready_is_waited_for_once_on_a_map(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external_bot, "START_S", 1.0)
    red = command(tmp_path, kind)
    tally = play_chunk(series(red), 0, 2)
    asked = "new" if kind == "new" else "ready"
    assert {reason for _, _, reason in tally.forfeits} == {f"no answer to `{asked}` within 1 s"}
    assert tally.counts["decided"] == len(tally.forfeits) == 2 and not tally.counts["a_wins"]
    assert (tmp_path / "bot.py.starts").read_text() == "x"


@pytest.mark.skipif(sys.platform == "win32", reason="processes have no groups there")
@pytest.mark.parametrize("kind", ["parent", "leaver"])
def test_processes_of_a_program_end_with_its_game(kind: str, tmp_path: Path) -> None:
    """A program that is late, and one that ends after an answer and leaves a child."""
    import fcntl

    assert play_chunk(series(command(tmp_path, kind), clock=2.0), 0, 1).forfeits
    with (tmp_path / "bot.py").open() as file:
        until = time.monotonic() + SILENCE_S
        while True:
            try:
                return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                assert time.monotonic() < until, "its process runs on"
                time.sleep(0.05)


def test_program_against_itself_runs_twice(tmp_path: Path) -> None:
    both = command(tmp_path, "first")
    assert not play_chunk(series(both, both), 0, 2).forfeits
    assert (tmp_path / "bot.py.starts").read_text() == "xx"


def test_games_of_two_bad_programs_are_all_decided_by_rule(tmp_path: Path) -> None:
    both = command(tmp_path, "illegal")
    tally = play_chunk(series(both, both), 0, 4)
    assert len(tally.forfeits) == tally.counts["decided"] == 4


def test_bots_that_cannot_meet_leave_every_game_undecided() -> None:
    """A wall of 7 levels divides the board; nobody sees over it."""
    wall = replace(small_board(hills=False), treasures=())
    columns = tuple(Column(7) if n // 5 == 2 else column for n, column in enumerate(wall.columns))
    board = replace(wall, columns=columns)
    order = PlaytestRequest(
        {"wall": board}, {"wall": FallDamageOptions()}, PlayOptions(round_limit=3), KIT,
        ("random", "greedy"), 5, 1, TEAMS,
    )  # fmt: skip
    (match,) = run_match(order, run_here)
    assert (match["undecided"], match["won"], match["lost"], match["forfeits"]) == (5, 0, 0, [])
    assert (match["score"]["score"], match["score"]["games"]) == (0.5, 4)
    (outcome,) = run_playtest(order, run_here, pieces=True, versus=True, replays=True)
    assert outcome.replays == {}
    assert all(bot["red_wins"]["share"] is None for bot in outcome.result["bots"].values())


def test_program_that_plays_well_loses_nothing_by_rule(tmp_path: Path) -> None:
    assert not play_chunk(series(command(tmp_path, "first")), 0, 2).forfeits


def test_our_bot_plays_the_same_games_through_the_door() -> None:
    ours = f"{sys.executable} -m falldamage_forge bot greedy"
    here = series("greedy")
    core = Plain(context_of(here), 20.0)
    setup = setup_of(here, core.ctx, 0)
    assert core.play(0, setup, ("greedy", "greedy")) == core.play(0, setup, (ours, "greedy"))
    program(ours, 20.0).close()
    assert not core.forfeits


def test_server_answers_each_request_with_one_line() -> None:
    game = BoardGame(small_board(), KIT, {"placement": "listed"}, teams=TEAMS[0])
    game.push("coin heads")
    state = to_json(game.observation(game.turn))
    asked = [
        {"ask": "move", "state": state}, {"ask": "ready"}, {"ask": "new", "game": game.record()},
        {"ask": "move", "state": state}, {"ask": "move", "state": {}}, {"ask": "dance"}, [1],
        {"ask": "new", "game": 3}, {"ask": "quit"}, {"ask": "ready"},
    ]  # fmt: skip
    lines = [*map(json.dumps, asked[:6]), "nonsense", *map(json.dumps, asked[6:])]
    told: list[str] = []
    serve("greedy", lines, told.append, KIT)
    answers = [json.loads(line) for line in told]
    assert len(answers) == 9
    assert answers[1] == answers[2] == {"ready": "greedy", "protocol": PROTOCOL}
    assert answers[3]["move"] in map(str, game.legal_moves)
    assert all("error" in answers[n] for n in (0, 4, 5, 6, 7, 8))


def test_command_plays_a_match_against_a_program(tmp_path: Path) -> None:
    words = ("playtest", "duel", "--games", 2, "--option", "round-limit=1", "--blue", "random")
    run = typed(*words, "--red", command(tmp_path, "illegal"), "--json", "--engine", "plain")
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    assert (told["won"], told["lost"]) == (0, 2) and told["score"]["score"] is None
    assert len(told["forfeits"]) == 2
    assert (
        "the last 2 do not balance sides and first moves: play 4"
        in typed(*words, "--red", "random").stdout
    )
    assert typed("playtest", "duel", "--red", "./nobody").returncode == 2
    assert typed("playtest", "duel", "--red", "greedy", "--versus").returncode == 2
