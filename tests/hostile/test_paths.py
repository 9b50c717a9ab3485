"""Whatever stands where a path is asked: told in a sentence, exit 1 (usage 2), no traceback."""

import os
import socket
import stat
from collections.abc import Iterator, Sequence
from contextlib import chdir
from pathlib import Path

import pytest

from tests.amount import EXHAUSTIVE, some
from tests.cli.running import typed
from tests.hostile.asked import ASKED, command_of, files, words_of

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links, pipes and rights of POSIX")

PLACES = ("map", "stock", "record", "cases", "event", "folder", "out")
WRITES_LATE = ("build", "coupon", "export", "report", "sheets")
"""They make all that they write before they find that it cannot be written."""
SLOW = ("build", "coupon", "export", "kit", "playtest", "report", "sheets")
READ = ("loop", "in a loop", "pipe", "missing", "long", "under a file", "dangling", "empty",
        "closed", "in a closed folder", "socket", "folder", "full", "not text", "surrogate",
        "no name")  # fmt: skip
WRITTEN = ("loop", "in a loop", "long", "under a file", "closed folder", "in a closed folder",
           "full", "pipe", "socket", "dangling in a loop")  # fmt: skip


@pytest.fixture
def nasty(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Paths of every nasty kind, by name, all in one folder."""
    folder = tmp_path / "nasty"
    folder.mkdir()
    (folder / "loop").symlink_to("loop")
    (folder / "loop.svg").symlink_to("loop.svg")
    (folder / "dangling").symlink_to("nothing")
    (folder / "dangling-loop").symlink_to(folder / "loop" / "x")
    (folder / "file").write_text("forge 1\n")
    (folder / "empty").write_text("")
    (folder / "not-text").write_bytes(b"\xff\xfe\x00\x01")
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as end, chdir(folder):
        end.bind("socket")
    # Devices of the machine are never named: a defect would replace them by files.
    try:
        os.mknod(folder / "full", stat.S_IFCHR | 0o666, os.makedev(1, 7))
    except OSError:
        os.mkfifo(folder / "full")
    (folder / "folder").mkdir()
    (folder / "closed").write_text("forge 1\n")
    (folder / "closed").chmod(0)
    (folder / "shut").mkdir()
    (folder / "shut" / "in").write_text("forge 1\n")
    (folder / "shut").chmod(0)
    yield {
        "loop": f"{folder}/loop",
        "in a loop": f"{folder}/loop/m.forge",
        "pipe": f"{folder}/pipe",
        "missing": f"{folder}/missing.forge",
        "long": f"{folder}/{'n' * 300}",
        "under a file": f"{folder}/file/m.forge",
        "dangling": f"{folder}/dangling",
        "dangling in a loop": f"{folder}/dangling-loop",
        "empty": f"{folder}/empty",
        "not text": f"{folder}/not-text",
        "closed": f"{folder}/closed",
        "closed folder": f"{folder}/shut",
        "in a closed folder": f"{folder}/shut/in",
        "socket": f"{folder}/socket",
        "full": f"{folder}/full",
        "folder": f"{folder}/folder",
        "surrogate": f"{folder}/\udcff.forge",
        "no name": "",
    }
    (folder / "shut").chmod(stat.S_IRWXU)
    for kind in ("pipe", "socket", "full"):
        assert not (folder / kind).is_file(), f"the {kind} was replaced by a file"


@pytest.fixture
def places(tmp_path: Path) -> Iterator[dict[str, object]]:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        yield {**files(tmp_path), "busy": busy.getsockname()[1]}


def path_options(name: str) -> Iterator[str]:
    import click

    for param in command_of(name).params:
        is_path = isinstance(param, click.Option) and isinstance(param.type, click.Path)
        if is_path and param.opts[-1] != "--site":  # where it can be written it takes minutes
            yield param.opts[-1]


def assert_told(words: list[str], cwd: Path) -> None:
    run = typed(*words, cwd=cwd)
    assert "Traceback" not in run.stderr, words
    assert run.returncode in (0, 1, 2), words
    assert run.returncode == 0 or "rror" in run.stderr + run.stdout, words


def in_turn(kinds: Sequence[str], number: int, turns: int) -> Sequence[str]:
    """Some of the kinds, others for the next number: every kind is asked of some commands."""
    return kinds if EXHAUSTIVE else kinds[number % turns :: turns]


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for number, name in enumerate(ASKED) for kind in in_turn(READ, number, 4)],
)
def test_a_path_that_cannot_be_read_is_told(
    name: str, kind: str, nasty: dict[str, str], places: dict[str, object], tmp_path: Path
) -> None:
    for place in PLACES[:-1]:
        if f"{{{place}}}" in ASKED[name]:
            assert_told(words_of(name, **{**places, place: nasty[kind]}), tmp_path)


def written() -> Iterator[tuple[str, str]]:
    """Commands that write, and where to; they share the kinds out among them by default."""
    names = [name for name in ASKED if "{out}" in ASKED[name] and name not in WRITES_LATE]
    for some_of, turns in ((WRITES_LATE, len(WRITES_LATE)), (names, 3)):
        for number, name in enumerate(some_of):
            yield from ((name, kind) for kind in in_turn(WRITTEN, number, turns))


@pytest.mark.parametrize(("name", "kind"), list(written()))
def test_a_path_that_cannot_be_written_is_told(
    name: str, kind: str, nasty: dict[str, str], places: dict[str, object], tmp_path: Path
) -> None:
    words = [nasty[kind] if "{out}" in word else word.format_map({**places, "out": ""})
             for word in ASKED[name].split()]  # fmt: skip
    assert_told(words, tmp_path)


OPTIONS = [(name, option) for name in ASKED for option in path_options(name)]


@pytest.mark.parametrize(("number", "name", "option"), [(n, *o) for n, o in enumerate(OPTIONS)])
def test_a_path_of_any_option_is_told(
    number: int,
    name: str,
    option: str,
    nasty: dict[str, str],
    places: dict[str, object],
    tmp_path: Path,
) -> None:
    kinds = in_turn(list(dict.fromkeys(READ + WRITTEN)), number, 3)
    if option in ("--output", "--record", "--archive") and name in SLOW:
        kinds = some(kinds, 2)
    for kind in kinds:
        assert_told([*words_of(name, **places), option, nasty[kind]], tmp_path)


@pytest.mark.parametrize("kind", READ)
def test_an_import_that_cannot_be_read_is_told(
    kind: str, nasty: dict[str, str], tmp_path: Path
) -> None:
    folder = Path(nasty["loop"]).parent
    path = folder / f"importing {kind}.forge"
    name = nasty[kind].removeprefix(f"{folder}/")
    path.write_bytes(f'forge 1\nimport "{name}" as x\n'.encode("utf-8", "replace"))
    run = typed("check", path, cwd=tmp_path)
    assert run.returncode == 1
    assert "Traceback" not in run.stderr
    assert "FDF" in run.stderr


def test_a_loop_is_told_for_what_it_is(nasty: dict[str, str], tmp_path: Path) -> None:
    folder = Path(nasty["loop"]).parent
    for words in (["check", nasty["loop"]], ["show", "duel", "-o", f"{folder}/loop.svg"]):
        run = typed(*words, cwd=tmp_path)
        assert run.returncode == 1
        assert "oo many levels of symbolic links" in run.stderr, run.stderr


@pytest.mark.parametrize(
    "teams", ["null", "3", '"ab"', "{}", "[]", "[3]", "[[3, 4]]", "[[[3], [4]]]"]
)
def test_teams_of_any_shape_are_told(teams: str, tmp_path: Path) -> None:
    file = tmp_path / "teams.json"
    file.write_text(f'{{"teams": {teams}}}')
    words = words_of("playtest", map="duel")
    assert_told([*words, "--teams", str(file)], tmp_path)
