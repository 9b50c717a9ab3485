"""Where a command writes is tried before it works; `--no-cache` holds from the first moment."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import click
import pytest

from falldamage_forge.cli.option import WriteOption
from falldamage_forge.infra import atomic_write, disk_cache
from falldamage_forge.infra.atomic_write import check_writable, create_file
from falldamage_forge.issues import ForgeError
from falldamage_forge.library.forge import Forge
from tests.cli.running import ROOT, fdforge, run, small_map, tree, typed
from tests.hostile.asked import ASKED, command_of, files, leaves, words_of

READ = {
    "--own", "--kit", "--can-build", "--photo", "--project", "--teams", "--parts", "--pyodide",
    "--from", "--stock", "--resume", "--archive",
}  # fmt: skip
"""Options of paths that are read; `--archive` of a search is tried by the command itself."""
WRITTEN_TOO = {"stock add", "playtest", "search merge"}
"""Commands that also write to a path of `READ`."""


def path_options(name: str) -> Iterator[click.Option]:
    for param in command_of(name).params:
        if isinstance(param, click.Option) and isinstance(param.type, click.Path):
            yield param


OPTIONS = [(name, option.opts[-1]) for name in leaves() for option in path_options(name)]
WRITES = [
    (name, option.opts[-1])
    for name in leaves()
    for option in path_options(name)
    if isinstance(option, WriteOption)
]


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_every_option_of_a_path_reads_or_tries_to_write(name: str, option: str) -> None:
    """A new option of a path is a `WriteOption`, or stands in the list of those that read."""
    is_write = (name, option) in WRITES
    assert is_write == (option not in READ or (name in WRITTEN_TOO and option != "--teams")), (
        f"{name} {option}"
    )


def nowhere(folder: Path) -> Path:
    """A path that nobody can write: below a file."""
    (folder / "file").write_text("")
    return folder / "file" / "under"


@pytest.mark.parametrize(("name", "option"), WRITES)
def test_command_does_not_start_if_it_may_not_write(name: str, option: str, tmp_path: Path) -> None:
    places = {**files(tmp_path), "busy": 1, "out": tmp_path / "out"}
    words = [word for word in words_of(name, **places) if word != "--help"]
    before = tree(tmp_path)
    target = nowhere(tmp_path)
    before["file"] = b""
    with patch.object(command_of(name), "callback", forbidden):
        run = typed(*words, option, target, cwd=tmp_path)
    assert run.returncode == 1, run.stderr
    assert "FDF295" in run.stderr and "Not a directory" in run.stderr
    assert tree(tmp_path) == before


def forbidden(*_: object, **__: object) -> None:
    raise AssertionError("the command works before it knows where to write")


DEFAULTS = {
    "build": "exports",
    "publish": "exports",
    "coupon": "exports",
    "slicer": "exports",
    "report": "m-report.html/x",
    "sheets": "m-build.pdf/x",
    "export": "m.glb/x",
    "cards": "cards.pdf/x",
    "guide": "how-to-play.pdf/x",
    "pack": "packing.pdf/x",
    "stock add": "stock.csv/x",
}
"""By command: a file that keeps its default output from being written."""


@pytest.mark.parametrize("name", DEFAULTS)
def test_default_output_is_tried_before_work(name: str, tmp_path: Path) -> None:
    places = files(tmp_path)
    words = words_of(name, **places)
    for option in ("-o", "--stock"):
        if option in words:
            at = words.index(option)
            words = words[:at] + words[at + 2 :]
    words = ["publish", str(places["map"])] if name == "publish" else words
    words = ["m.forge" if word == str(places["map"]) else word for word in words]
    if name == "stock add":
        Path(str(places["stock"])).unlink()
    blocker = tmp_path / DEFAULTS[name]
    blocker.parent.mkdir(exist_ok=True)
    blocker.write_text("")
    with (
        patch.object(Forge, "assemble", forbidden),
        patch.object(Forge, "check", forbidden),
        patch.object(Forge, "legal", forbidden),
        patch.object(atomic_write, "write_folder", forbidden),
        patch.object(atomic_write, "write_file", forbidden),
    ):
        run = typed(*words, cwd=tmp_path)
    assert run.returncode == 1, run.stderr
    assert "FDF295" in run.stderr, run.stderr


@pytest.mark.parametrize("kind", ["file", "folder", "inside", "any"])
def test_trial_leaves_nothing_behind(kind: atomic_write.Kind, tmp_path: Path) -> None:
    for path in ("a", "b/c/d"):
        check_writable(tmp_path / path, kind)
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    wrong = {"file": "folder", "folder": "file", "inside": "file"}
    for name in ("file", "folder"):
        if wrong.get(kind) == name:
            with pytest.raises(ForgeError):
                check_writable(tmp_path / name, kind)
        else:
            check_writable(tmp_path / name, kind)
    assert tree(tmp_path) == {"file": b"x"}


def test_full_disk_leaves_no_empty_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After `new` failed for want of room the same command works."""
    import errno

    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as context:
        context.setattr(atomic_write, "_write_synced", full)
        run = typed("new", "mine", cwd=tmp_path)
    assert run.returncode == 1 and "No space left" in run.stderr
    assert not list(tmp_path.iterdir())
    assert typed("new", "mine", cwd=tmp_path).returncode == 0
    again = typed("new", "mine", cwd=tmp_path)
    assert again.returncode == 1 and "is there already" in again.stderr


def test_new_file_replaces_none(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert create_file(path, b"one")
    assert not create_file(path, b"two")
    assert tree(tmp_path) == {"a": b"one"}


UGLY = "forge 1\nstack D4   height 1\nstart red at B1..I1\nstart blue at B10..I10\n"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("words", [["fmt", "m.forge"], ["edit", "m.forge", "raise G7", "--write"]])
def test_rewritten_file_keeps_mark_and_line_ends(
    words: list[str], end: bytes, mark: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "m.forge"
    path.write_bytes(mark + UGLY.encode().replace(b"\n", end))
    run = typed(*words, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    data = path.read_bytes()
    assert data.startswith(mark) and data.count(b"\xef\xbb\xbf") == (mark != b"")
    assert data.count(b"\n") == data.count(end) > 3
    plain = tmp_path / "plain.forge"
    plain.write_text(UGLY, newline="")
    assert (
        typed(*[w.replace("m.forge", "plain.forge") for w in words], cwd=tmp_path).returncode == 0
    )
    assert data.removeprefix(mark).replace(end, b"\n") == plain.read_bytes()
    if words[0] == "fmt":
        assert typed("fmt", "--check", "m.forge", cwd=tmp_path).returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
@pytest.mark.parametrize("words", [["fmt", "m.forge"], ["edit", "m.forge", "raise G7", "--write"]])
def test_read_only_file_is_rewritten_by_force_alone(words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "m.forge"
    path.write_text(UGLY)
    path.chmod(0o444)
    run = typed(*words, cwd=tmp_path)
    assert run.returncode == 1 and "`--force`" in run.stderr and "read-only" in run.stderr
    assert path.read_text() == UGLY
    assert typed(*words, "--force", cwd=tmp_path).returncode == 0
    assert path.read_text() != UGLY
    assert stat.S_IMODE(path.stat().st_mode) == 0o444


CACHED = [
    name
    for name in leaves()
    if any("--no-cache" in param.opts for param in command_of(name).params)
]


@pytest.mark.parametrize("name", CACHED)
def test_no_cache_holds_before_the_command_begins(name: str, tmp_path: Path) -> None:
    seen: list[bool] = []
    words = [word for word in words_of(name, **files(tmp_path)) if word != "--help"]
    words = [*words, *(["duel"] if name == "publish" else [])]
    command = command_of(name)
    with patch.object(command, "callback", lambda **_: seen.append(disk_cache.is_enabled())):
        assert typed(*words, cwd=tmp_path).returncode == 0
        assert typed(*words, "--no-cache", cwd=tmp_path).returncode == 0
    assert seen == [True, False]


def test_build_without_cache_touches_no_file_of_it(tmp_path: Path) -> None:
    """Neither in its own process nor in its helpers; an entry that is read has a newer time."""
    small_map(tmp_path / "m.forge")
    cache = tmp_path / "cache"
    words = ("build", "m.forge", "-o", "out", "--no-pictures")
    env = {disk_cache.FOLDER: str(cache), disk_cache.SWITCH: "", "FDFORGE_HELPERS": "2"}
    assert fdforge(*words, "--no-cache", cwd=tmp_path, **env).returncode == 0
    assert not cache.exists() or not tree(cache)
    assert fdforge(*words, cwd=tmp_path, **env).returncode == 0
    times = {path: path.stat().st_mtime_ns for path in cache.rglob("*")}
    assert len(times) > 10
    assert fdforge(*words, "--no-cache", cwd=tmp_path, **env).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*")} == times


def test_every_command_with_the_option_is_asked() -> None:
    assert {"build", "kit", "publish"} <= set(CACHED) <= set(ASKED)


@pytest.mark.parametrize("text", [UGLY, UGLY + "stack Z99 height 1\n", "forge 1\n\x07"])
def test_check_reads_standard_input_as_a_file(text: str, tmp_path: Path) -> None:
    (tmp_path / "m.forge").write_text(text, "utf-8")
    asked = [sys.executable, "-m", "falldamage_forge", "check", "--format", "json"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    there = run([*asked, "m.forge"], cwd=tmp_path, env=env)
    here = run([*asked, "-"], cwd=tmp_path, env=env, input=text)
    assert here.returncode == there.returncode
    assert here.stdout == there.stdout.replace("m.forge", "<stdin>")


def test_watch_needs_a_file() -> None:
    assert typed("check", "-", "--watch").returncode == 2
