"""Every library we stand on is told with its licence, and nobody is told that we do not use."""

import re
import tomllib

from tests.cli.running import ROOT

PAGE = (ROOT / "docs" / "libraries.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[><=\[ ]", requirement)[0] for requirement in requirements}


def test_the_page_lists_what_the_project_requires() -> None:
    extras = PROJECT["optional-dependencies"]
    wanted = names(PROJECT["dependencies"])
    wanted |= {name for extra, each in extras.items() if extra != "dev" for name in names(each)}
    wanted.discard("falldamage-forge")
    rows = re.findall(r"^\| ([^|]+) \|", PAGE, re.MULTILINE)[1:]
    told = {name.strip() for row in rows for name in row.split(",")}
    assert told == wanted


def test_every_requirement_has_a_lowest_version() -> None:
    extras = PROJECT["optional-dependencies"].values()
    for requirement in (*PROJECT["dependencies"], *(each for extra in extras for each in extra)):
        own = requirement.startswith("falldamage-forge[")
        assert ">=" in requirement or own or requirement == "types-shapely", requirement
