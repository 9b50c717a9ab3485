"""One name, one thing: classes and modules share no name, and each module says what it does."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from tests.house import tree

PACKAGE = Path(__file__).resolve().parents[2] / "falldamage_forge"
SOURCES = sorted(PACKAGE.rglob("*.py"))

EVERY_GAME = {"formulas", "movement", "options", "queries", "ruleset"}
"""Modules that each game has; `rules/ruleset.py` is the interface of theirs."""


def classes() -> dict[str, set[str]]:
    """Modules by the name of a public class in them; `lang/ast.py` is always written `ast.X`."""
    found = defaultdict(set)
    for path in SOURCES:
        module = str(path.relative_to(PACKAGE))
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name[0] != "_" and module != "lang/ast.py":
                found[node.name].add(module)
    return found


def modules() -> dict[str, set[str]]:
    """Places by the name of a module; those of commands and elements are named like these."""
    found = defaultdict(set)
    for path in SOURCES:
        place = path.relative_to(PACKAGE)
        of_game = place.parts[0] in {"games", "rules"} and path.stem in EVERY_GAME
        own = of_game or place.parts[0] == "elements" or place.parts[:2] == ("cli", "commands")
        if not own and path.stem != "__init__":
            found[path.stem].add(str(place))
    return found


def test_a_class_name_means_one_thing() -> None:
    twice = {name: sorted(places) for name, places in classes().items() if len(places) > 1}
    assert not twice


def test_a_module_name_means_one_thing() -> None:
    twice = {name: sorted(places) for name, places in modules().items() if len(places) > 1}
    assert not twice


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_says_what_it_does(path: Path) -> None:
    text = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    assert text, "the tree of modules shows the first line of each docstring"
    first = text.splitlines()[0]
    assert len(first) > 8, first


def test_the_page_of_the_tree_is_the_tree() -> None:
    page = (PACKAGE.parent / "docs" / "tree.md").read_text("utf-8")
    assert page == tree.page(), "run `python -m tests.house.tree`"
