"""An element is named in its module: how many other files know each element, never more."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from falldamage_forge.elements import ELEMENTS
from falldamage_forge.elements.element import Element

PACKAGE = Path(__file__).resolve().parents[2] / "falldamage_forge"
RULES = {"games"}
"""Packages of the rules of games, which may ask for an element."""
MOST = {
    **{"stack": 6, "bridge": 17, "ladder": 16, "tree": 27, "spire": 19, "lava": 25, "water": 22},
    **{"treasure": 20, "step": 20, "battlement": 11, "railing": 7, "obstruction": 2, "field": 3},
    **{"pitfall": 3, "gate": 2, "base": 15, "start": 15, "model": 7},
}
"""Files besides its module, the rules of games and texts that name an element as a string.

The aim is 6; no number may grow. Words that mean other things too (`base`, `start`, `step`) count
wherever they stand.
"""
COMPARING = 29
"""Files that compare such a string, besides the rules of games; the aim is none."""


def strings(path: Path) -> set[str]:
    """Words of elements that stand alone as strings in a file."""
    if path.suffix == ".js":
        found = re.findall(r"[\"'`]([a-z]+)[\"'` ]", path.read_text("utf-8"))
        return ELEMENTS.keys() & set(found)
    tree = ast.parse(path.read_text("utf-8"))
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value in ELEMENTS
    }


def sources() -> list[Path]:
    """Python and JavaScript files but the rules of games."""
    found = [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.js")]
    return [path for path in found if path.relative_to(PACKAGE).parts[0] not in RULES]


def naming() -> dict[str, set[str]]:
    """Files that name each element, besides its module."""
    found: dict[str, set[str]] = defaultdict(set)
    own = {element.word: module for module, element in modules().items()}
    for path in sources():
        for word in strings(path) - {word for word, home in own.items() if home == path}:
            found[word].add(str(path.relative_to(PACKAGE)))
    return found


def modules() -> dict[Path, Element]:
    """The module of each element."""
    from importlib import import_module

    found = {}
    for path in (PACKAGE / "elements").glob("*.py"):
        module = import_module(f"falldamage_forge.elements.{path.stem}")
        if hasattr(module, "ELEMENT"):
            found[path] = module.ELEMENT
    return found


def test_every_element_has_one_module() -> None:
    assert sorted(x.word for x in modules().values()) == sorted(ELEMENTS)


@pytest.mark.parametrize("word", ELEMENTS)
def test_no_more_files_name_an_element(word: str) -> None:
    found = naming()[word]
    assert len(found) <= MOST[word], sorted(found)


def test_no_more_files_compare_the_name_of_an_element() -> None:
    comparing = {
        str(path)
        for path in sources()
        if path.suffix == ".py"
        for compare in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(compare, ast.Compare)
        for node in ast.walk(compare)
        if isinstance(node, ast.Constant) and node.value in ELEMENTS
    }
    assert len(comparing) <= COMPARING, sorted(comparing)


def test_the_count_sees_a_name_and_a_comparison(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text('def f(x: str) -> bool:\n    return x == "ladder"\n')
    (tmp_path / "one.js").write_text('if (kind === "railing") draw();\n')
    assert strings(tmp_path / "one.py") == {"ladder"}
    assert strings(tmp_path / "one.js") == {"railing"}
