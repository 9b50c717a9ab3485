"""Every library we stand on is told with its licence, and nobody is told that we do not use."""

import re
import shutil
import tomllib

import pytest

from tests.cli.running import ROOT
from tests.house.test_subjects import git

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


OTHERS = re.compile(r"\.(whl|egg|zip|gz|xz|bz2|7z|tar|so|dll|dylib|pyd|exe|jar|deb|pyc)$")
MOST_BYTES = 500_000
"""Of a file but the shipped parts: what is larger was not written here, or is a result."""


def test_no_file_of_others_is_in_the_repository() -> None:
    """Wheels that pip had downloaded into the checkout were once committed with all else."""
    listed = git("ls-files", "-z") if shutil.which("git") else None
    if listed is None:
        pytest.skip("no git, or no repository")
    files = [name for name in listed.split("\0") if (ROOT / name).is_file()]
    assert len(files) > 1000
    assert [name for name in files if OTHERS.search(name)] == []
    large = {name for name in files if (ROOT / name).stat().st_size > MOST_BYTES}
    assert large == {"falldamage_forge/geometry/shipped_parts.bin"}
