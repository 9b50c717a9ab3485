"""An element is named in its module: how many other files know each element, never more."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from falldamage_forge.elements import ELEMENTS
from falldamage_forge.elements.element import Element

PACKAGE = Path(__file__).resolve().parents[2] / "falldamage_forge"
RULES = {"games"}
"""Packages of the rules of games, which may ask for an element."""
MOST = 6
"""Files besides its module, the rules of games and texts that name an element as a string."""
OTHERWISE: dict[str, dict[str, str]] = {
    "base": {
        "cli/commands/coupon.py": "a group of colours",
        "printing/colour_groups.py": "a group of colours",
        "render/contact_sheets.py": "a sheet",
        "render/palette.py": "a group of colours",
        "studio/message_handlers.py": "the text that a change began from",
        "studio/page/sync.js": "the text that a change began from",
        "studio/protocol.py": "the text that a change began from",
        "board/tones.py": "a group of colours",
    },
    "bridge": {
        "cli/proof_columns.py": "plastic over a gap",
        "geometry/printability.py": "plastic over a gap",
        "geometry/sliced_part.py": "plastic over a gap",
        "geometry/slicing.py": "plastic over a gap",
    },
    "field": {
        "elements/element.py": "a kind of name",
        "render/fitting_symbols.py": "a paint",
    },
    "lava": {
        "geometry/relief/top_patterns.py": "a pattern of a top",
        "printing/colour_groups.py": "a group of colours",
        "render/palette.py": "a group of colours",
        "studio/page/decision.js": "an icon",
        "studio/page/parts.js": "a group of colours",
        "board/tones.py": "a group of colours",
    },
    "model": {
        **dict.fromkeys(
            ("export/roundtrip.py", "export/threemf.py", "models/threemf_reader.py"),
            "an element of a 3MF file",
        ),
        **dict.fromkeys(
            (
                "studio/message_shapes.py",
                "studio/message_values.py",
                "studio/model_drop.py",
                "studio/part_instances.py",
                "studio/page/en.js",
                "studio/stamp_library.py",
            ),
            "a field of a message",
        ),
        "render/page/viewer.js": "a value of a shader",
    },
    "spire": {"cli/commands/push.py": "the game's answer about a spire that is pushed"},
    "start": {
        "event/event_sheets.py": "the time at which a print begins",
        "render/html_pages.py": "the side of a text",
        "rules/ruleset.py": "the surface from which a question is asked",
        "studio/page/main.js": "the beginning of an input",
    },
    "step": {
        "cli/commands/export.py": "a format of files",
        "rules/answer_columns.py": "a kind of move",
    },
    "treasure": {
        "metrics/fairness.py": "a metric",
        "metrics/metric_table.py": "a metric",
        "metrics/side_leads.py": "a lead",
        "playtest/bot_kernels/batch_runner.py": "a count of games",
        "playtest/playtest_page.py": "an event of games",
        "playtest/selfplay_metrics.py": "a count of games",
        "presets.py": "a table of what chests hold",
        "render/icons.py": "an icon of cards",
        "render/printed_cards.py": "a kind of card",
        "rules/answers.py": "a field of an answer",
        "studio/page/decision.js": "an icon",
        "library/suggestions/edit_proposals.py": "a lead",
    },
    "tree": {
        "printing/colour_groups.py": "a group of colours",
        "studio/page/decision.js": "an icon",
        "board/tones.py": "a group of colours",
    },
    "water": {
        "geometry/relief/top_patterns.py": "a pattern of a top",
        "printing/colour_groups.py": "a group of colours",
        "studio/page/decision.js": "an icon",
    },
}
"""What an element's word says in files where it is no element."""
COMPARING = 7
"""Files that compare such a string, besides the rules of games; the aim is none."""


@cache
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
def test_few_files_name_an_element(word: str) -> None:
    found, other = naming()[word], OTHERWISE.get(word, {}).keys()
    assert other <= found, "a word that is gone stands in the table"
    assert len(found - other) <= MOST, sorted(found - other)


def test_no_more_files_compare_the_name_of_an_element() -> None:
    comparing = {
        str(path.relative_to(PACKAGE))
        for path in sources()
        if path.suffix == ".py"
        for compare in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(compare, ast.Compare)
        for node in ast.walk(compare)
        if isinstance(node, ast.Constant)
        and node.value in ELEMENTS
        and str(path.relative_to(PACKAGE)) not in OTHERWISE.get(node.value, {})
    }
    assert len(comparing) <= COMPARING, sorted(comparing)


def test_the_count_sees_a_name_and_a_comparison(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text('def f(x: str) -> bool:\n    return x == "ladder"\n')
    (tmp_path / "one.js").write_text('if (kind === "railing") draw();\n')
    assert strings(tmp_path / "one.py") == {"ladder"}
    assert strings(tmp_path / "one.js") == {"railing"}
