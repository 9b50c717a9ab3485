"""Games of a playtest on a cluster, and saved games: an interruption leaves the result as it is."""

from __future__ import annotations

import copy
import json
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.cli.commands import playtest
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play import PlayOptions
from falldamage_forge.issues import ForgeError
from falldamage_forge.playtest import game_series
from falldamage_forge.playtest.game_series import GameSeries, Runner, run_dask, run_here, run_series
from falldamage_forge.playtest.saved_tallies import Chunks, read_saved, resumed, saved_json
from falldamage_forge.playtest.score_verdict import Tally
from tests.amount import EXHAUSTIVE
from tests.cli.running import typed
from tests.games.play.tables import KIT, small_board
from tests.games.play.test_external_bot import TEAMS, command

QUICK = GameSeries(
    small_board(), FallDamageOptions(), PlayOptions(round_limit=2), KIT, ("random", "greedy"),
    45, 3, "small", TEAMS,
)  # fmt: skip
OTHERS = [
    replace(QUICK, seed=4), replace(QUICK, bots=("greedy", "random")), replace(QUICK, name="big"),
    replace(QUICK, board=small_board(hills=False)), replace(QUICK, teams=TEAMS[::-1] * 2),
    replace(QUICK, readings=PlayOptions(round_limit=1)),
]  # fmt: skip
PLAYED = run_series([QUICK], run_here)


def reread(saved: Chunks) -> Chunks:
    return read_saved(json.loads(json.dumps(saved_json(saved))), "games.json")


def limited(most: int, played: list[int]) -> Runner:
    """A runner that is stopped after a number of chunks."""

    def run(work: list[tuple[GameSeries, int, int]]) -> Iterator[Tally]:
        for number, piece in enumerate(work):
            if number >= most:
                raise KeyboardInterrupt
            played.append(piece[1])
            yield from run_here([piece])

    return run


@given(st.integers(0, 3))
def test_interrupted_run_continues_with_equal_tallies(most: int) -> None:
    saved: Chunks = {}
    played: list[int] = []
    notes: list[int] = []
    try:
        run_series([QUICK], resumed(limited(most, played), saved, lambda: notes.append(len(saved))))
    except KeyboardInterrupt:
        assert most < 3
    assert notes == [*range(1, most + 1)], "each chunk is noted when it ends"
    again = resumed(limited(9, played), reread(saved), lambda: None)
    assert run_series([QUICK], again) == PLAYED
    assert played == [0, 20, 40], "no chunk is played twice"


def test_saved_chunks_serve_series_of_any_length_and_no_other_series() -> None:
    saved: Chunks = {}
    run_series([QUICK], resumed(run_here, saved, lambda: None))
    played: list[int] = []
    run_series([replace(QUICK, games=60)], resumed(limited(9, played), saved, lambda: None))
    assert played == [40], "the last chunk was shorter"
    names = {name for name, _, _ in saved}
    for other in OTHERS:
        run_series([replace(other, games=4)], resumed(run_here, saved, lambda: None))
        assert len(names := {*names, *(name for name, _, _ in saved)}) == OTHERS.index(other) + 2
    twice = run_series([QUICK, QUICK], resumed(limited(9, []), {}, lambda: None))
    assert twice == PLAYED * 2


def test_clock_counts_for_games_of_programs_only(tmp_path: Path) -> None:
    program = replace(QUICK, bots=(command(tmp_path, "illegal"), "greedy"), games=2)
    saved: Chunks = {}
    for series in (QUICK, replace(QUICK, clock=1.0), program, replace(program, clock=20.0)):
        run_series([replace(series, games=2)], resumed(run_here, saved, lambda: None))
    assert len(saved) == 3
    assert reread(saved) == saved and any(tally.forfeits for tally in saved.values())


GOOD = saved_json({("{}", 0, 20): PLAYED[0]})


def parts(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to all values of a document except free words; some of a long list."""
    yield path
    some = range(len(value[:2])) if isinstance(value, list) else ()
    for key in value if isinstance(value, dict) else some:
        if key != "of":
            yield from parts(value[key], (*path, key))


@given(st.sampled_from(list(parts({"": GOOD}))[2:]), st.sampled_from([None, -1.5, "x", [[]]]))
def test_changed_file_is_refused_with_its_name(path: tuple[Any, ...], value: Any) -> None:
    bad = copy.deepcopy({"": GOOD})
    inner: Any = bad
    for key in path[:-1]:
        inner = inner[key]
    free = isinstance(inner[path[-1]], str)
    inner[path[-1]] = value
    if free and value == "x":
        read_saved(bad[""], "games.json")
        return
    with pytest.raises(ForgeError) as caught:
        read_saved(bad[""], "games.json")
    assert caught.value.issues[0].code == "FDF388"
    assert "games.json" in caught.value.issues[0].message


def test_command_continues_after_ctrl_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.json"
    words = ("playtest", "duel", "--games", 44, "--bots", "random,greedy", "--engine", "plain",
             "--option", "round-limit=1", "--json")  # fmt: skip
    straight = typed(*words)
    play = game_series.play_chunk
    held: list[int] = []

    def stopped(*piece: Any) -> Tally:
        if len(held) == 4:
            raise KeyboardInterrupt
        held.append(len(read_saved(json.loads(file.read_text("utf-8")), "")))
        return play(*piece)

    monkeypatch.setattr(playtest, "SAVE_EVERY_S", 0)
    monkeypatch.setattr(playtest, "SLOWER", 0)
    monkeypatch.setattr(game_series, "play_chunk", stopped)
    assert typed(*words, "--resume", file).returncode == 130
    assert held == [0, 1, 2, 3], "a kill loses no chunk that ended"
    monkeypatch.setattr(game_series, "play_chunk", play)
    assert typed(*words, "--resume", file).stdout == straight.stdout
    file.write_text('{"playtest": 9}')
    refused = typed(*words, "--resume", file)
    assert refused.returncode == 1 and "FDF388" in refused.stderr
    assert typed(*words, "--resume", file / "games.json").returncode == 1


# -- clusters --------------------------------------------------------------------------------------


def test_threads_of_a_worker_play_the_games_of_one_process(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    program = replace(QUICK, bots=(command(tmp_path, "first"), "greedy"), games=40, clock=60.0)
    series = [QUICK, program, replace(QUICK, seed=8)]
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=3, processes=False, dashboard_address=None
    ) as local:
        assert run_series(series, run_dask(local.scheduler_address)) == run_series(series, run_here)


@pytest.mark.skipif(not EXHAUSTIVE, reason="starts clusters of three processes")
def test_cluster_plays_on_without_a_worker_and_a_lost_one_is_continued() -> None:
    distributed = pytest.importorskip("distributed")
    saved: Chunks = {}
    long = replace(QUICK, games=400)

    def kill() -> None:
        if len(saved) == 2:
            os.kill(next(iter(local.workers.values())).process.pid, signal.SIGKILL)
        if len(saved) == 6:
            local.close()

    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as local,
        pytest.raises(ForgeError) as caught,
    ):
        run_series([long], resumed(run_dask(local.scheduler_address), saved, kill))
    assert caught.value.issues[0].code == "FDF505" and 6 <= len(saved) < 20
    assert run_series([long], resumed(run_here, reread(saved), lambda: None)) == run_series(
        [long], run_here
    )
