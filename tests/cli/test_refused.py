"""Every command of a map that `check` refuses says so, and with which codes, or refuses it too."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import typed
from tests.hostile.asked import ASKED, MAPS, command_of, files, words_of

ROWS = "start red at B1..I1\nstart blue at B10..I10\n"
REFUSED = {
    "cannot be played": f"forge 1\nstack row 5 height 3\n{ROWS}",
    "cannot be built": f"forge 1\nstack C5 height 1\nbridge C5 -> E5 level 3\n{ROWS}",
    "says what cannot be read": f"forge 1\nstok D4 height 3\n{ROWS}",
    "breaks a promise": f"forge 1\nstack D4 height 2\n{ROWS}expect balanced\n",
    "knows no such printer": f"forge 1\nprint {{\n  printer nothing\n}}\n{ROWS}",
}
OF_TEXT = ("ast", "edit", "fmt", "studio")
"""They work on the text, whatever it means; the studio's page shows all that is wrong."""


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Codes of the errors that `check` reports, by the reason."""
    found, path = {}, tmp_path_factory.mktemp("refused") / "a map.forge"
    for why, text in REFUSED.items():
        path.write_text(text)
        found[why] = set(re.findall(r"error\[(FDF\d+)\]", typed("check", path).stderr))
        assert found[why], "check refuses it"
    return found


@pytest.mark.parametrize("why", REFUSED)
@pytest.mark.parametrize("name", [name for name in MAPS if name not in OF_TEXT])
def test_every_command_reports_a_refused_map(
    name: str, why: str, errors: dict[str, set[str]], tmp_path: Path
) -> None:
    places = files(tmp_path)
    path = tmp_path / "a map.forge"
    path.write_text(REFUSED[why])
    run = typed(*words_of(name, **{**places, "map": path}), cwd=tmp_path)
    told = set(re.findall(r"FDF\d+", run.stderr))
    if name == "ask" and "FDF366" in told:
        told |= errors[why] if "refuses this map" in run.stderr else set()
    assert run.returncode != 0 or "refuses this map" in run.stderr
    assert told & errors[why], run.stderr


def test_suggestions_for_a_refused_map_name_the_errors_to_correct_first(tmp_path: Path) -> None:
    path = tmp_path / "m.forge"
    path.write_text(REFUSED["cannot be built"])
    run = typed("analyze", path, "--suggest")
    assert "correct these first" in run.stdout
    assert "= help:" in run.stdout
    assert "no small change" not in run.stdout


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (["duel", "--play"], 2, "write both"),
        (["gatehouse", "--suggest", "--play"], 1, "FDF366"),
        (["duel", "--rules", "falchion", "--suggest", "--play"], 1, "FDF366"),
        (["duel", "--suggest", "--play", "--games", "0"], 2, "--games"),
    ],
    ids=["no suggestions", "another game", "other rules", "no games"],
)
def test_suggestions_that_cannot_be_played_are_refused(
    words: list[str], status: int, told: str
) -> None:
    run = typed("analyze", *words)
    assert run.returncode == status and told in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("name", ["analyze", "reach", "show", "compare", "expand"])
def test_a_map_that_passes_is_answered_without_a_word(name: str, tmp_path: Path) -> None:
    run = typed(*words_of(name, **files(tmp_path)), cwd=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")


def stock_options() -> Iterator[tuple[str, str]]:
    """Each option of a command that reads a stock."""
    for name in MAPS_AND_STOCKS:
        for param in command_of(name).params:
            for option in {"--own", "--can-build", "--stock"} & {*param.opts[:1]}:
                yield name, option


MAPS_AND_STOCKS = [
    name for name, words in ASKED.items() if name != "stock add" and "--help" not in words
]
"""`stock add` writes the stock that it does not find."""
READING = {"search": "--evaluations 1", "show": "-o x.svg"}
"""Words without which a command has no use for a stock."""


@pytest.mark.parametrize(("name", "option"), list(stock_options()))
def test_missing_stock_is_refused_with_the_command_that_writes_one(
    name: str, option: str, tmp_path: Path
) -> None:
    words = (*words_of(name, **files(tmp_path)), *READING.get(name, "").split())
    run = typed(*words, option, "my parts.csv", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (1, "")
    assert "cannot read `my parts.csv`: there is no such file" in run.stderr
    assert "`fdforge stock add PIECE COUNT --stock 'my parts.csv'` writes it" in run.stderr
