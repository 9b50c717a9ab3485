"""Every command of a map that `check` refuses says so, and with which codes, or refuses it too."""

import re
from pathlib import Path

import pytest

from tests.cli.running import typed
from tests.hostile.asked import MAPS, files, words_of

ROWS = "start red at B1..I1\nstart blue at B10..I10\n"
REFUSED = {
    "cannot be played": f"forge 1\nstack row 5 height 12\n{ROWS}",
    "cannot be built": f"forge 1\nstack C5 height 1\nbridge C5 -> E5 level 3\n{ROWS}",
    "says what cannot be read": f"forge 1\nstok D4 height 3\n{ROWS}",
    "breaks a promise": f"forge 1\nstack D4 height 2\n{ROWS}expect balanced\n",
    "knows no such printer": f"forge 1\nprint {{\n  printer nothing\n}}\n{ROWS}",
}
OF_TEXT = ("ast", "edit", "fmt", "studio")
"""They work on the text, whatever it means; the studio's page shows all that is wrong."""


@pytest.mark.parametrize("why", REFUSED)
@pytest.mark.parametrize("name", [name for name in MAPS if name not in OF_TEXT])
def test_a_refused_map_is_told_by_every_command(name: str, why: str, tmp_path: Path) -> None:
    places = files(tmp_path)
    path = tmp_path / "a map.forge"
    path.write_text(REFUSED[why])
    errors = set(re.findall(r"error\[(FDF\d+)\]", typed("check", path).stderr))
    assert errors, "check refuses it"
    run = typed(*words_of(name, **{**places, "map": path}), cwd=tmp_path)
    told = set(re.findall(r"FDF\d+", run.stderr))
    if name == "ask" and "FDF366" in told:
        told |= errors if "refuses this map" in run.stderr else set()
    assert run.returncode != 0 or "refuses this map" in run.stderr
    assert told & errors, run.stderr


def test_suggestions_for_a_refused_map_say_what_to_mend_first(tmp_path: Path) -> None:
    path = tmp_path / "m.forge"
    path.write_text(REFUSED["cannot be built"])
    run = typed("analyze", path, "--suggest")
    assert "mend these first" in run.stdout
    assert "= help:" in run.stdout
    assert "no small change" not in run.stdout


@pytest.mark.parametrize("name", ["analyze", "reach", "show", "compare", "expand"])
def test_a_map_that_passes_is_answered_without_a_word(name: str, tmp_path: Path) -> None:
    run = typed(*words_of(name, **files(tmp_path)), cwd=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
