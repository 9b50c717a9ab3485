"""Real mistakes: each file makes one, and is told once, at its place, with what to write instead.

What is to be said stands at the end of each file, in comments: code, place and message, then help.
"""

import os
import re
from pathlib import Path

import pytest

from falldamage_forge.issues import Issue
from falldamage_forge.library.forge import Forge

FORGE = Forge()
FOLDER = Path(__file__).resolve().parents[1] / "data" / "mistakes"
FILES = sorted(FOLDER.glob("*.forge"))


def told(issue: Issue) -> str:
    place = f" at {issue.span.line}:{issue.span.col}" if issue.span else ""
    help_line = f"#: help: {issue.hint}\n" if issue.hint else ""
    return f"#: {issue.code}{place}: {issue.message}\n{help_line}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_mistake_gives_exactly_the_expected_issues(path: Path) -> None:
    text = path.read_text("utf-8")
    source = re.sub(r"^#:.*\n", "", text, flags=re.M)
    issues = FORGE.check(FORGE.load(path)).issues
    assert len(issues) == 1, "\n".join(map(str, issues))
    if "FORGE_ACCEPT" in os.environ:
        path.write_text(source + told(issues[0]), "utf-8")
    else:
        assert text == source + told(issues[0])


def test_the_corpus_is_large_and_its_comparison_can_fail() -> None:
    assert len(FILES) >= 60
    assert all(re.search(r"^#: FDF\d{3} at", path.read_text("utf-8"), re.M) for path in FILES)
    helped = [path for path in FILES if "#: help: " in path.read_text("utf-8")]
    assert len(helped) > 0.9 * len(FILES)
    issue = FORGE.load(FOLDER / "height-misspelt.forge").issues[0]
    assert told(issue) != told(Issue("FDF001", "error", "another"))
