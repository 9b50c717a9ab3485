"""Pages are walked as a reader walks them: every command and block in order, in an empty folder.

By default the maps of a walk are maps of a handful of pieces under the names of the presets, and
whole sets are left out; with FORGE_EXHAUSTIVE the commands are the page's own.
"""

import os
import re
import shlex
from pathlib import Path

import pytest

from falldamage_forge import presets
from tests.amount import EXHAUSTIVE
from tests.cli.running import ROOT, small_map, typed
from tests.docs.pages import PAGES, Block, blocks, name, read

SHELL = {"sh", "console"}
HAS: dict[str, tuple[str, ...]] = {
    "docs/assembly.md": ("build duel --no-pictures",),
    "docs/playtest.md": ("new mine",),
    "docs/search.md": ("kit starter --format csv -> stock.csv",),
}
"""What a page takes as given: commands that a reader has run before."""
NEVER = (
    (r"^(?!fdforge|echo)", "a program of others"),
    (r"^fdforge (studio|lsp)\b", "runs until it is stopped; tests/studio starts it"),
    (
        r"--dask|\./my|mybot|--engine \./|^fdforge bot ",
        "needs a program or a cluster of the reader",
    ),
    (r"^fdforge play\b(?!.*--red \w+ --blue)", "asks a person; tests/games plays it"),
    (r"^fdforge replay game\.json", "the game of a person"),
    (r"--project saved\.3mf", "a project that the reader saved in another program"),
    (r"--minutes 60", "an hour"),
)
"""Commands that no test runs, each with its reason."""
LARGE = (
    r"\b(siege|night|starter|tournament)\b", r"--process economy", r"^fdforge (search|generate)\b",
    r"^fdforge playtest\b", r"^fdforge build (?!(duel|gatehouse) --|my-duel)", r"--all\b",
    r"--slicer|--sliced|--by feature", r"^fdforge publish|usdz|--top |--near",
    r"--tolerance|--tops|--from my-map\.forge|tonight|starter\.csv",
)  # fmt: skip
"""Commands of minutes, left out by default; others of their kind run."""
MAPS = {
    name: "DCEF"[number % 4] + "3456"[number // 4 % 4]
    for number, name in enumerate(presets.names("maps"))
}
"""Preset maps, each with the tile of the tower of its small map."""
WALKED = [
    page
    for page in PAGES
    if page.name not in ("CHANGELOG.md", "CONTRIBUTING.md")
    and any(block.language in SHELL for block in blocks(read(page)))
]


def steps(command: str) -> list[str]:
    """Return the commands of a line, without its remark."""
    bare = re.sub(r"\s+#\s.*$", "", command)
    return [part.strip() for part in bare.split("&&")]


def skipped(command: str) -> bool:
    """True for a command that no test runs, or that only the exhaustive tests run."""
    if any(re.search(pattern, command) for pattern, _ in NEVER):
        return True
    return not EXHAUSTIVE and any(re.search(pattern, command) for pattern in LARGE)


def follow(command: str, folder: Path) -> str:
    """Run one command as a shell does and return its output; it must succeed.

    Only what the pages use: words, quotes, and output into a file by `>` or `>>`.
    """
    words, target, mode = shlex.split(command), None, "w"
    for sign, kind in ((">", "w"), (">>", "a"), ("->", "w")):
        if sign in words:
            at = words.index(sign)
            words, target, mode = words[:at], words[at + 1], kind
    if words[0] == "echo":
        out = " ".join(words[1:]) + "\n"
    else:
        assert words[0] == "fdforge", command
        own = [small(word, folder) for word in words[1:]]
        done = typed(*own, cwd=folder, FDFORGE_CONFIG_DIR=str(folder / "settings"))
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        out = done.stdout
    if target:
        with (folder / target).open(mode) as file:
            file.write(out)
    return out


def small(word: str, folder: Path) -> str:
    """Return a word for a walk on small maps, whose parts fill one plate."""
    if EXHAUSTIVE:
        return word
    if word in MAPS:
        file = folder / "maps" / f"{word}.forge"
        if not file.exists():
            file.parent.mkdir(exist_ok=True)
            small_map(file, MAPS[word])
        return str(file)
    return re.sub(r"plate-0\d(?=$|-)", "plate-01", word)


@pytest.mark.parametrize("page", WALKED, ids=name)
def test_page_is_walked_in_order(page: Path, tmp_path: Path) -> None:
    for command in HAS.get(name(page), ()):
        if not skipped(f"fdforge {command}"):
            follow(f"fdforge {command}", tmp_path)
    for block in blocks(read(page)):
        if block.title:
            (tmp_path / block.title).write_text(block.text, "utf-8")
        if block.language in SHELL and block.shown is None:
            for line in block.commands:
                for command in steps(line):
                    if not skipped(command):
                        follow(command, tmp_path)


SHOWN = [
    pytest.param(page, block, id=f"{name(page)}:{block.line}")
    for page in PAGES
    for block in blocks(read(page))
    if block.shown is not None
]


def shows(shown: str, printed: str) -> bool:
    """True if a page shows what a command prints; a line of `…` stands for any lines."""
    parts = [re.escape(part) for part in re.split(r"^…\n", shown, flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*".join(parts), printed) is not None


@pytest.mark.parametrize(("page", "block"), SHOWN)
def test_shown_run_prints_what_is_shown(page: Path, block: Block, tmp_path: Path) -> None:
    for other in blocks(read(page)):
        if other.title:
            (tmp_path / other.title).write_text(other.text, "utf-8")
    (tmp_path / "docs").symlink_to(ROOT / "docs")  # a page may use a file of the documentation
    (command,) = block.commands
    words = shlex.split(command)
    assert words[0] == "fdforge"
    run = typed(*words[1:], cwd=tmp_path, FDFORGE_CONFIG_DIR=str(tmp_path / "settings"))
    printed = run.stdout
    assert block.shown is not None
    # A terminal shows also what is written beside the output.
    if shows(block.shown, printed) or shows(block.shown, run.stderr + printed):
        return
    if "FORGE_ACCEPT" in os.environ and "…" not in block.shown:
        text = page.read_text("utf-8")
        page.write_text(
            text.replace(f"$ {command}\n{block.shown}", f"$ {command}\n{printed}"), "utf-8"
        )
        return
    assert block.shown == printed


def test_elided_lines_match_any() -> None:
    assert shows("a\n…\nd\n", "a\nb\nc\nd\n")
    assert shows("…\nd\n", "d\n")
    assert not shows("a\n…\nd\n", "a\nb\nc\n")


def test_every_reason_is_used() -> None:
    lines = [
        command
        for page in WALKED
        for block in blocks(read(page))
        if block.language in SHELL
        for line in block.commands
        for command in steps(line)
    ]
    unused = [why for pattern, why in NEVER if not any(re.search(pattern, line) for line in lines)]
    assert unused == []
    assert sum(not skipped(line) for line in lines) > len(lines) // 3


def test_instructions_are_followed_by_name() -> None:
    """A page that a reader follows with a printer in hand is not left out."""
    assert {
        "docs/assembly.md",
        "docs/first-print.md",
        "docs/kits.md",
        "docs/print-and-play.md",
    } <= {name(page) for page in WALKED}
