"""A library that is not installed: the command that installs it is named, and nothing is left."""

import os
import re
import tomllib
from pathlib import Path

import pytest

from falldamage_forge.infra.optional_libraries import installing
from tests.cli.running import ROOT, fdforge, small_map

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
OURS = ("test", "docs", "dev")
"""Extras of those who work on the forge; no command asks for them."""
HIDE = """
import importlib.util, os, sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in os.environ["HIDDEN"].split():
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hidden())
spec = importlib.util.find_spec
def find(name, package=None):
    return None if name.partition(".")[0] in os.environ["HIDDEN"].split() else spec(name, package)
importlib.util.find_spec = find
"""
"""Runs as `sitecustomize` in every process, those that help a command among them."""
ASKED = {
    "watch": ["check {map} --watch"],
    "lsp": ["lsp"],
    "studio": ["studio {map} --port 0 --no-browser"],
    "search": ["search --archive {out} --evaluations 1", "search --archive {out} --evaluations 1 "
               "--workers 2", "playtest {map} --games 4 --engine fast"],
    "cluster": ["search --archive {out} --evaluations 1 --dask tcp://127.0.0.1:9",
                "playtest {map} --games 1 --dask tcp://127.0.0.1:9"],
}  # fmt: skip
PAGES = {"watch": "language.md", "lsp": "editors.md", "studio": "studio.md", "search": "search.md",
         "cluster": "search.md"}  # fmt: skip


def modules(extra: str) -> list[str]:
    return [re.split(r"[^\w-]", need)[0].replace("-", "_") for need in EXTRAS[extra]]


def test_every_extra_has_a_command_that_needs_it() -> None:
    assert set(ASKED) == set(PAGES) == set(EXTRAS) - set(OURS)


@pytest.mark.parametrize(
    ("extra", "line"), [(extra, line) for extra, lines in ASKED.items() for line in lines]
)
def test_missing_library_is_reported_with_its_install_command(
    extra: str, line: str, tmp_path: Path
) -> None:
    small_map(tmp_path / "m.forge")
    words = line.format(map="m.forge", out="archive").split()
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(HIDE)
    path = os.pathsep.join([str(tmp_path / "site"), str(ROOT)])
    done = fdforge(*words, cwd=tmp_path, PYTHONPATH=path, HIDDEN=" ".join(modules(extra)))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "FDF503" in done.stderr
    assert installing(extra) in done.stderr
    assert not (tmp_path / "archive").exists(), "a refused search leaves nothing"


@pytest.mark.parametrize("extra", ASKED)
def test_the_named_libraries_are_those_of_the_extra(extra: str) -> None:
    assert set(re.findall(r"'([^']+)'", installing(extra))) == set(EXTRAS[extra])


@pytest.mark.parametrize("extra", ASKED)
def test_the_page_names_the_command_that_works_in_a_clone(extra: str) -> None:
    assert f"pip install '.[{extra}]'" in (ROOT / "docs" / PAGES[extra]).read_text()


def test_no_page_names_a_package_that_no_registry_has() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        named = re.findall(r"pip install[^\n`]*falldamage-forge[^\n`]*", page.read_text())
        assert not named, f"{page.name}: {named}"
