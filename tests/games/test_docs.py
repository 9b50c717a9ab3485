"""The games' pages are run, not trusted."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from falldamage_forge.cli import cli
from tests.cli.running import ROOT, typed

PAGES = ("gang-skirmish", "falchion", "gatefall")
SHOWN = [
    (page, *text.partition("\n")[::2])
    for page in PAGES
    for text in re.findall(
        r"```console\n\$ fdforge (.*?)```", (ROOT / "docs" / f"{page}.md").read_text("utf-8"), re.S
    )
]
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


@pytest.mark.parametrize(("page", "command", "shown"), SHOWN)
def test_every_shown_run_prints_what_is_shown(page: str, command: str, shown: str) -> None:
    run = typed(*shlex.split(command))
    assert run.stdout == shown


def test_every_page_shows_a_run() -> None:
    assert {page for page, _, _ in SHOWN} == set(PAGES)
    assert len(ASKED) > 40
