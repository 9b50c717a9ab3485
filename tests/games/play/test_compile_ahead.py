"""The engine is compiled by a process of its own while no playtest waits for it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.cli.commands import playtest
from falldamage_forge.infra import disk_cache
from falldamage_forge.infra.process_pool import HELPERS
from falldamage_forge.playtest import compile_ahead
from falldamage_forge.playtest.bot_kernels import batch_runner


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """The command lines of the processes that were started, with a cache of their own."""
    words: list[list[str]] = []
    monkeypatch.setenv(disk_cache.FOLDER, str(tmp_path))
    monkeypatch.setenv(HELPERS, "1")
    monkeypatch.setattr(compile_ahead, "find_spec", lambda name: name)
    monkeypatch.setattr(subprocess, "Popen", lambda line, **_: words.append(line))
    return words


def test_one_process_compiles_for_all_playtests(
    started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    playtest.compile_ahead()
    playtest.compile_ahead()
    assert [line[1:] for line in started] == [["-m", compile_ahead.__name__]]
    compile_ahead._tell(3, 9)
    playtest.compile_ahead()
    assert len(started) == 1 and "3 of 9 functions" in capsys.readouterr().err


def test_note_of_a_process_that_was_killed_counts_for_nothing(started: list[list[str]]) -> None:
    playtest.compile_ahead()
    note = disk_cache.folder() / compile_ahead.NOTE
    old = note.stat().st_mtime - 2 * compile_ahead.FRESH_S
    os.utime(note, (old, old))
    assert compile_ahead.progress() is None
    playtest.compile_ahead()
    assert len(started) == 2


@pytest.mark.parametrize("switch", [(HELPERS, "0"), (disk_cache.SWITCH, "off")])
def test_nothing_is_compiled_where_that_is_switched_off(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch, switch: tuple[str, str]
) -> None:
    monkeypatch.setenv(*switch)
    playtest.compile_ahead()
    assert not started


@pytest.mark.parametrize("fails", [False, True])
def test_process_notes_how_far_it_is_until_its_end(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    seen: list[Any] = []

    def load_kernels(usual: bool = True, tell: Any = None) -> None:
        tell(2, 5)
        seen.append(compile_ahead.progress())
        if fails:
            raise OSError

    monkeypatch.setattr(os, "nice", lambda _: 0, raising=False)
    monkeypatch.setattr(batch_runner, "load_kernels", load_kernels)
    try:
        compile_ahead.main()
    except OSError:
        assert fails
    assert seen == [(2, 5)] and compile_ahead.progress() is None
