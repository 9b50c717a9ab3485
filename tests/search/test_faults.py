"""Whatever happens to a searcher: the folder holds a whole archive, and the search goes on."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from falldamage_forge.infra import atomic_write
from falldamage_forge.infra.process_pool import Helper
from falldamage_forge.issues import ForgeError
from falldamage_forge.search import adapter
from falldamage_forge.search.archive import Archive, index_text
from falldamage_forge.search.archive_folder import load, lock_archive, save
from falldamage_forge.search.constructive import MapRequirements
from falldamage_forge.search.evaluate import CandidateChunk, ChunkResult, EvaluationSetup
from falldamage_forge.search.map_elites import Executor, SearchConfig, run_search
from tests.cli.running import ROOT, typed
from tests.patience import PATIENCE_S, SILENCE_S, at_most
from tests.search.drafts import made_up

OLD, NEW = made_up(5, -2.0), made_up(8, -1.0)
WRITES = 9
"""Eight maps and the index."""


def whole(folder: Path) -> str:
    """The index of the archive there, read with all of its maps."""
    return index_text(load(folder))


def test_second_search_in_one_archive_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    with lock_archive(folder):
        told = typed("search", "merge", folder, "--archive", folder)
    assert told.returncode == 1
    assert "FDF296" in told.stderr
    assert f"searched by process {os.getpid()}" in told.stderr
    with lock_archive(folder):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("good", range(WRITES))
def test_a_disk_that_is_full_at_any_file_leaves_what_was_there(
    good: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(tmp_path, OLD)
    write, left = atomic_write._write_synced, iter(range(good))

    def full(path: Path, data: bytes) -> None:
        if next(left, None) is None:
            path.write_bytes(data[: len(data) // 2])
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write(path, data)

    with monkeypatch.context() as patched:
        patched.setattr(atomic_write, "_write_synced", full)
        with pytest.raises(ForgeError, match=r"FDF295.*No space left") as caught:
            save(tmp_path, NEW)
    assert "free some room" in str(caught.value.issues[0].hint)
    assert whole(tmp_path) == index_text(OLD)
    save(tmp_path, NEW)
    assert whole(tmp_path) == index_text(NEW)
    assert len(list(tmp_path.iterdir())) == WRITES


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("first", [False, True], ids=["again", "the first time"])
@pytest.mark.parametrize("number", range(0, 2 * WRITES, 2 if "CI" in os.environ else 1))
def test_search_killed_at_any_step_leaves_a_valid_archive(
    number: int, first: bool, forking: Helper, tmp_path: Path
) -> None:
    """The saving process dies while it writes a file, or after it wrote it aside."""
    folder = tmp_path / "maps"
    if not first:
        save(folder, OLD)
    with at_most(SILENCE_S, forking.close):
        assert forking.ask(partial(_saved_by_child, folder, number)) == 9
    expected = {index_text(NEW), index_text(Archive() if first else OLD)}
    with lock_archive(folder):
        assert index_text(load(folder, missing_ok=True)) in expected
        save(folder, NEW)
    assert whole(folder) == index_text(NEW)
    assert len(list(folder.iterdir())) == WRITES


@pytest.fixture(scope="module")
def forking() -> Iterator[Helper]:
    """A process of one thread: a fork beside the threads of a worker of the tests may block."""
    helper = Helper()
    yield helper
    helper.close()


def _saved_by_child(folder: Path, number: int) -> int:
    """The exit code of a process that saves and dies."""
    child = os.fork()
    if not child:
        try:
            _die_at(number)
            save(folder, NEW)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _die_at(number: int) -> None:
    """End this process in the middle of a write (even), or between it and its rename (odd)."""
    write, begun = atomic_write._write_synced, iter(range(WRITES))

    def deadly(path: Path, data: bytes) -> None:
        if next(begun) == number // 2:
            path.write_bytes(data[: len(data) // 2] if number % 2 == 0 else data)
            os._exit(9)
        write(path, data)

    atomic_write._write_synced = deadly


def test_foreign_files_are_not_changed(tmp_path: Path) -> None:
    save(tmp_path, OLD)
    mine = tmp_path / "mine.forge"
    mine.write_text("forge 1\n", encoding="utf-8")
    save(tmp_path, NEW)
    assert mine.exists()
    assert whole(tmp_path) == index_text(NEW)
    (tmp_path / "index.json").unlink()
    with pytest.raises(ForgeError, match=r"FDF504.*no archive"):
        load(tmp_path, missing_ok=True)


# -- while maps are judged ------------------------------------------------------------------------


class Interrupted:
    """A crew whose leader gets Ctrl-C after the first answer of its second batch."""

    size = 1

    def __init__(self, crew: Executor) -> None:
        self.crew, self.batches = crew, 0

    def evaluate(self, chunks: Sequence[CandidateChunk]) -> Iterator[ChunkResult]:
        self.batches += 1
        for number, answer in enumerate(self.crew.evaluate(chunks)):
            if self.batches == 2 and number == 1:
                raise KeyboardInterrupt
            yield answer

    def close(self) -> None:
        return


def test_ctrl_c_in_a_batch_and_a_clock_that_moves_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("numba")
    setup = EvaluationSetup(
        (adapter.style("arena"),), MapRequirements(), None, adapter.game(), "faults"
    )
    plan = SearchConfig(4, 8, 3, evaluations=16)
    *_, whole = run_search(Archive(), setup, Executor(setup), plan)
    jumps = iter(range(10**9, -(10**9), -(10**7)))
    monkeypatch.setattr(time, "time", lambda: float(next(jumps)))
    half = run_search(Archive(), setup, Interrupted(Executor(setup)), plan)
    found = next(half)
    with pytest.raises(KeyboardInterrupt):
        next(half)
    assert found.evaluations == 8
    rest = SearchConfig(4, 8, 3, evaluations=8, minutes=5)
    *_, found = run_search(found, setup, Executor(setup), rest)
    assert index_text(found) == index_text(whole)


def test_ctrl_c_leaves_an_archive_that_goes_on(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    folder = tmp_path / "maps"
    words = ("search", "--style", "arena", "--seed", "5", "--batch", "16", "--archive", str(folder))
    hears = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    process = subprocess.Popen(  # a shell's background job ignores Ctrl-C, and so would its child
        [sys.executable, "-c", f"{hears}\nfrom falldamage_forge.cli import main; main()"]
        + [*words, "--minutes", "5"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with at_most(PATIENCE_S, process.kill):
        while not load(folder, missing_ok=True).ranked() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in told
    done = load(folder).evaluations
    more = typed(*words, "--evaluations", 16)
    assert more.returncode == 0, more.stderr
    assert f"{done + 16} maps looked at" in more.stdout
