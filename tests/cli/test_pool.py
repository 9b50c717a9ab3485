"""Work shared with other processes: the same files, whoever helps and whatever befalls them."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from falldamage_forge import cache, pool
from tests.cli.running import fdforge, small_map, tree


@pytest.fixture
def helpers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(pool.HELPERS, "1")
    pool.open_pool()
    yield
    pool.close_pool()


def test_a_build_with_helpers_writes_the_same_bytes(tmp_path: Path) -> None:
    small = small_map(tmp_path / "small.forge")
    nothing_kept = {cache.FOLDER: str(tmp_path / "meshes")}
    for name, env in (
        ("alone", {pool.HELPERS: "0"}),
        ("helped", {pool.HELPERS: "2"} | nothing_kept),
    ):
        run = fdforge("build", small, "-o", tmp_path / name, **env)
        assert run.returncode == 0, run.stderr
    assert tree(tmp_path / "alone") == tree(tmp_path / "helped")


def _who(number: int) -> tuple[int, int]:
    return number, os.getpid()


def test_results_keep_their_order_and_others_do_help(helpers: None) -> None:
    tasks = [pool.begin(partial(_who, number)) for number in range(6)]
    assert tasks[0].ended.wait(180), "nobody helps"
    first = tasks[0].result()
    found = [first, *(task.result() for task in tasks[1:])]
    assert [number for number, _ in found] == list(range(6))
    assert first[1] != os.getpid()


def _die_elsewhere(here: int) -> str:
    if os.getpid() != here:
        os._exit(9)
    return "done"


def test_what_a_killed_helper_had_is_done_here(helpers: None) -> None:
    tasks = [pool.begin(partial(_die_elsewhere, os.getpid())) for _ in range(5)]
    assert [task.result() for task in reversed(tasks)] == ["done"] * 5
    assert pool.begin(partial(_die_elsewhere, os.getpid())).result() == "done"


def _refuse() -> None:
    raise ValueError("no")


def test_errors_come_back(helpers: None) -> None:
    with pytest.raises(ValueError, match="no"):
        pool.begin(_refuse).result()


def test_a_library_gives_nothing_away() -> None:
    assert pool.begin(partial(_who, 1)).result() == (1, os.getpid())
