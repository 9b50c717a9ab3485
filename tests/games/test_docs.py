"""The games' pages are run, not trusted."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from falldamage_forge.cli import cli
from tests.cli.running import ROOT

PAGES = ("gang-skirmish", "falchion", "gatefall")
ASKED = [
    (command, answer)
    for page in PAGES
    for command, answer in re.findall(
        r"^\| [^|]+ \| `fdforge ([^`]+)` \| `([^`]+)` \|$",
        (ROOT / "docs" / f"{page}.md").read_text("utf-8"),
        re.M,
    )
]


@pytest.mark.parametrize(("command", "answer"), ASKED)
def test_every_command_of_the_tables_answers(
    command: str, answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(cli, shlex.split(command))
    assert run.exit_code == 0
    assert answer in run.output


def test_pages_list_many_answers() -> None:
    assert len(ASKED) > 40
