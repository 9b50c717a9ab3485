"""A map that cannot be built is drawn all the same, with each fault at its place."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from falldamage_forge.cli import cli
from falldamage_forge.elements.legality import check_legality
from falldamage_forge.elements.legality_tools import BuildLimits
from falldamage_forge.issues import Issue
from falldamage_forge.issues.code_tables import codes
from falldamage_forge.lang import load
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.issue_overlay import MOST, issue_overlay
from falldamage_forge.render.svg import svg
from falldamage_forge.render.terminal import terminal
from falldamage_forge.render.topdown import topdown

BROKEN = [
    code
    for name, code in codes().items()
    if name < "FDF290" and code.example and code.severity == "error" and not code.files
]


@pytest.mark.parametrize("code", BROKEN, ids=lambda code: code.code)
def test_every_unbuildable_example_is_drawn(code) -> None:
    loaded = load(code.example, "map.forge")
    issues = [*loaded.issues, *check_legality(loaded.layout.board, BuildLimits())]
    overlay = issue_overlay(loaded.layout.board, issues)
    assert len(overlay.legend) == min(len(issues), MOST + 1)
    for draw in (isometric, topdown):
        drawn = svg(draw(loaded.layout.board, overlays=[overlay]))
        assert drawn.count('class="overlay-faults"') >= 1
    assert overlay.title in terminal(loaded.layout.board, overlays=[overlay])
    marked = {number for mark in overlay.marks for number in mark.text.rstrip("+").split(",")}
    with_tiles = {str(n) for n, issue in enumerate(issues[:MOST], 1) if issue.tiles}
    assert marked <= with_tiles
    if code.code.startswith("FDF13"):
        assert marked


def test_issues_of_one_tile_share_badge_and_are_limited() -> None:
    board = load("forge 1\n", "map.forge").layout.board
    here = [Issue("FDF132", "error", f"fault {n}", tiles=((0, 0),)) for n in range(30)]
    overlay = issue_overlay(board, here)
    assert [mark.text for mark in overlay.marks] == ["1,2+"]
    assert overlay.title == "30 issues"
    assert overlay.legend[-1][1].startswith("and 6 more")


@pytest.mark.parametrize("command", ["show", "report"])
def test_commands_write_the_picture_and_exit_1(command: str, tmp_path: Path) -> None:
    source = tmp_path / "bad.forge"
    source.write_text(
        "forge 1\nstack C3 height 2\nbridge C3 -> F3 level 2\n"
        "start red at B1..I1\nstart blue at B10..I10\n",
        encoding="utf-8",
    )
    out = tmp_path / ("bad.svg" if command == "show" else "bad.html")
    result = CliRunner().invoke(cli, [command, str(source), "-o", str(out)])
    assert result.exit_code == 1
    assert "FDF132" in result.output
    assert 'class="overlay-faults"' in out.read_text(encoding="utf-8")
