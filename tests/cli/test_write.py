"""Files are whole or not there, whatever happens while they are written."""

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from falldamage_forge.infra import atomic_write as write
from falldamage_forge.infra.artifacts import Artifact
from falldamage_forge.infra.atomic_write import safe_name, write_file, write_folder
from falldamage_forge.issues import ForgeError
from tests.amount import EXHAUSTIVE
from tests.cli.running import ROOT, fdforge, run, small_map, tree, typed
from tests.cli.writer import export
from tests.patience import PATIENCE_S, SILENCE_S, at_most


def is_whole(folder: Path) -> bool:
    """Whether a folder holds exactly what its manifest says."""
    import hashlib

    files = tree(folder)
    listed = json.loads(files.pop("manifest.json"))["files"]
    return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()} == {
        name: entry["sha256"] for name, entry in listed.items()
    }


def leftovers(folder: Path) -> list[str]:
    return [p.name for p in folder.iterdir() if p.name.startswith(".") and "lock" not in p.name]


def test_a_second_export_takes_the_place_of_the_first(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_folder(target, export("old"))
    (target / "sliced.gcode").write_text("G1")
    write_folder(target, export("new", 3))
    files = tree(target)
    assert files.pop("sliced.gcode") == b"G1"
    (target / "sliced.gcode").unlink()
    assert is_whole(target)
    assert {name.split("-")[0] for name in files} == {"pieces/new", "manifest.json"}
    assert leftovers(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
def test_killed_at_any_moment_the_folder_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_folder(target, export("first"))
    dice = random.Random(7)
    words = [sys.executable, "-m", "tests.cli.writer", str(target)]
    for _ in range(200 if EXHAUSTIVE else 12):
        with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            with at_most(SILENCE_S, writer.kill):
                assert writer.stdout.readline() == "begun\n"
            time.sleep(dice.random() * 0.1)
            writer.send_signal(signal.SIGKILL)
        assert is_whole(target), "a mixture"
    write_folder(target, export("last"))
    assert leftovers(tmp_path) == [], "the next run sweeps what the dead left"


def test_killed_between_two_renames_the_old_folder_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system cannot exchange at once, a kill can leave the old folder aside."""
    target = tmp_path / "out"
    write_folder(target, export("old"))
    before = tree(target)
    dead = subprocess.Popen([sys.executable, "-c", "pass"])
    dead.wait(SILENCE_S)
    target.rename(tmp_path / f".forge-staging-{dead.pid}-old-out")
    monkeypatch.setattr(write, "_exchange_at_once", lambda one, other: False)
    monkeypatch.setattr(write, "_staged", _give_up)
    with pytest.raises(KeyboardInterrupt):
        write_folder(target, export("new"))
    assert tree(target) == before


def _give_up(target: Path, artifacts: object) -> None:
    write._sweep(target)
    raise KeyboardInterrupt


def test_without_an_exchange_in_one_step_two_renames_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "_exchange_at_once", lambda one, other: False)
    target = tmp_path / "out"
    for label in ("one", "two", "three"):
        write_folder(target, export(label))
        assert is_whole(target)
    assert leftovers(tmp_path) == []


def test_a_rename_that_fails_gives_the_old_folder_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out"
    write_folder(target, export("old"))
    before = tree(target)
    monkeypatch.setattr(write, "_exchange_at_once", lambda one, other: False)
    rename = Path.rename

    def locked(self: Path, other: Path) -> Path:
        if other == target and "old" not in self.name:
            raise PermissionError(13, "in use", str(other))
        return rename(self, other)

    monkeypatch.setattr(Path, "rename", locked)
    with pytest.raises(ForgeError, match="FDF295.*in use"):
        write_folder(target, export("new"))
    monkeypatch.undo()
    assert tree(target) == before


def test_a_full_disk_leaves_the_old_export(tmp_path: Path) -> None:
    target = tmp_path / "out"
    small = small_map(tmp_path / "small.forge")
    assert fdforge("build", small, "--no-pictures", "-o", target).returncode == 0
    before = tree(target)
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000));"
        "from falldamage_forge.cli import main; sys.argv = ['fdforge', *sys.argv[1:]]; main()"
    )
    small_map(small, "E4")  # an unchanged map would write nothing
    done = run([sys.executable, "-c", code, "build", small, "--no-pictures", "-o", target])
    assert done.returncode == 1
    assert "FDF295" in done.stderr
    assert "untouched" in done.stderr
    assert "Traceback" not in done.stderr
    assert tree(target) == before
    assert leftovers(tmp_path) == []


def test_a_file_that_does_not_hold_what_was_written_leaves_the_old_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out"
    write_folder(target, export("old"))
    before = tree(target)
    monkeypatch.setattr(write, "_write_synced", lambda path, data: path.write_bytes(data[:-1]))
    with pytest.raises(ForgeError, match="FDF295.*: the file does not hold what was written; "):
        write_folder(target, export("new"))
    assert tree(target) == before
    assert leftovers(tmp_path) == []


def test_a_disk_without_room_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(write, "_write_synced", full)
    with pytest.raises(ForgeError, match=r"FDF295.*No space left") as caught:
        write_folder(tmp_path / "out", export("new"))
    assert caught.value.issues[0].hint == "free some room and build again"


def test_two_builds_into_one_folder_do_not_mix(tmp_path: Path) -> None:
    target = tmp_path / "out"
    command = [sys.executable, "-m", "falldamage_forge", "build", "--no-pictures"]
    both = [
        subprocess.Popen(
            [*command, str(small_map(tmp_path / f"{tower}.forge", tower)), "-o", str(target)],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        for tower in ("D4", "C3")
    ]
    errors = [process.communicate(timeout=PATIENCE_S)[1] for process in both]
    codes = [process.returncode for process in both]
    assert 0 in codes
    for code, error in zip(codes, errors, strict=True):
        assert code == 0 or "FDF296" in error
    assert is_whole(target)


def test_a_held_lock_names_its_holder(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with (
        write.folder_lock(target),
        pytest.raises(ForgeError, match=f"FDF296.*process {os.getpid()}"),
    ):
        write_folder(target, export("x"))


@pytest.mark.parametrize("name", ["Kärnten", "two words", "日本", "x" * 120, "🏰", "-dash"])
def test_any_name_can_be_built_into(name: str, tmp_path: Path) -> None:
    write_folder(tmp_path / name, export("a"))
    assert is_whole(tmp_path / name)


@pytest.mark.parametrize("name", ["CON", "nul.txt", "a/b", "a\\b", "..", "", "x.", 'q"', "a\x00b"])
def test_file_names_are_made_safe(name: str) -> None:
    safe = safe_name(name)
    assert safe == safe_name(safe)
    assert not set(safe) & set('/\\<>:"|?*\x00')
    assert safe not in ("", ".", "..")
    with pytest.raises(ForgeError, match="FDF297"):
        write._write_inside(Path("/nonexistent"), Artifact(f"pieces/{name}..", b""))


def test_a_link_as_output_folder_keeps_its_target(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "precious").write_text("mine")
    write_folder(tmp_path / "link", export("a"))
    assert is_whole(tmp_path / "real")
    (tmp_path / "real" / "out.txt").symlink_to(tmp_path / "precious")
    write_folder(tmp_path / "link", export("b"))
    assert (tmp_path / "real" / "out.txt").is_symlink()
    assert (tmp_path / "precious").read_text() == "mine"


def test_one_file_is_replaced_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    write_file(path, b"one")
    write_file(path, b"two")
    assert tree(tmp_path) == {"a.svg": b"two"}
    with pytest.raises(ForgeError, match="FDF295"):
        write_file(tmp_path / "a.svg" / "b.svg", b"x")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_unwritable_output_is_reported() -> None:
    done = typed("build", "duel", "-o", "/dev/full")
    assert done.returncode == 1
    assert "FDF295" in done.stderr


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """What is not there on Windows, or does harm: no fcntl, no pwrite, no renames in one step.

    An open file that is locked cannot be removed, and signal 0 would be a Ctrl-C.
    """
    held: set[int] = set()

    class Msvcrt:
        LK_NBLCK = 2

        @staticmethod
        def locking(number: int, mode: int, count: int) -> None:
            inode = os.fstat(number).st_ino
            assert os.lseek(number, 0, os.SEEK_CUR) > 1000, "the holder's name must stay readable"
            if inode in held:
                raise PermissionError("locked")
            held.add(inode)

    def forbidden(*_: object) -> None:
        raise AssertionError("not to be called off POSIX")

    close, unlink = os.close, Path.unlink

    def closing(number: int) -> None:
        held.discard(os.fstat(number).st_ino)
        close(number)

    def removing(path: Path, missing_ok: bool = False) -> None:
        if path.exists() and path.stat().st_ino in held:
            raise PermissionError("in use")
        unlink(path, missing_ok)

    monkeypatch.setattr(write, "POSIX", False)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt)
    monkeypatch.delattr(os, "pwrite")
    monkeypatch.setattr(os, "kill", forbidden)
    monkeypatch.setattr(os, "close", closing)
    monkeypatch.setattr(Path, "unlink", removing)
    monkeypatch.setattr(write, "_exchange_at_once", lambda *_: False)
    return held


def test_a_folder_is_written_as_on_windows(tmp_path: Path, windows: set[int]) -> None:
    target = tmp_path / "out"
    (tmp_path / ".forge-staging-1-abc").mkdir()
    old = tmp_path / ".forge-staging-2-abc"
    old.mkdir()
    os.utime(old, (0, 0))
    for label in ("old", "new"):
        write_folder(target, export(label))
        assert is_whole(target)
    assert leftovers(tmp_path) == [".forge-staging-1-abc"]
    assert not (tmp_path / ".out.forge-lock").exists()
    with (
        write.folder_lock(target),
        pytest.raises(ForgeError, match=f"FDF296.*process {os.getpid()}"),
    ):
        write_folder(target, export("third"))
    assert not windows
    write_file(tmp_path / "x.txt", b"1")
    assert (tmp_path / "x.txt").read_bytes() == b"1"


def test_names_of_a_build_are_fit_for_every_system(tmp_path: Path) -> None:
    """No reserved name, nothing that differs in case alone, no path that is too long."""
    name = "Ünïcode tower " + "a" * 40
    small = small_map(tmp_path / "small.forge")
    found = typed("build", small, "-o", tmp_path / "made" / name)
    assert found.returncode == 0, found.stderr
    paths = [p.relative_to(tmp_path / "made").as_posix() for p in (tmp_path / "made").rglob("*")]
    assert len({path.casefold() for path in paths}) == len(paths)
    assert all(safe_name(part) == part for path in paths for part in path.split("/"))
    assert max(map(len, paths)) < 130


def test_line_ends_of_another_system_change_nothing(tmp_path: Path) -> None:
    text = (ROOT / "presets" / "maps" / "duel.forge").read_bytes()
    answers = []
    for end in (b"\n", b"\r\n"):
        (tmp_path / "map.forge").write_bytes(text.replace(b"\n", end))
        found = typed("reach", str(tmp_path / "map.forge"), "--unit", "knight", "--from", "B10")
        checked = typed("analyze", str(tmp_path / "map.forge"), "--json")
        answers.append((found.stdout, checked.stdout, found.returncode, checked.returncode))
    assert answers[0] == answers[1]
    assert answers[0][2:] == (0, 0)
