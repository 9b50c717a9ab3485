"""The games' pages are run, not trusted."""

import re
import shlex

import pytest

from tests.cli.running import ROOT, fdforge

PAGES = ("gang-skirmish", "falchion", "gatefall")
SHOWN = [
    (page, *text.partition("\n")[::2])
    for page in PAGES
    for text in re.findall(
        r"```console\n\$ fdforge (.*?)```", (ROOT / "docs" / f"{page}.md").read_text("utf-8"), re.S
    )
]


@pytest.mark.parametrize(("page", "command", "shown"), SHOWN)
def test_every_shown_run_prints_what_is_shown(page: str, command: str, shown: str) -> None:
    run = fdforge(*shlex.split(command))
    assert run.stdout == shown


def test_every_page_shows_a_run() -> None:
    assert {page for page, _, _ in SHOWN} == set(PAGES)
