"""No page states a measurement that nothing computes: it is a figure, measured, or a setting.

A *setting* is a number that somebody chose and the program obeys: a limit, a default, a definition.
"""

import re
import tomllib
from pathlib import Path

import pytest

from falldamage_forge.cli import COMMANDS
from tests.cli.running import ROOT
from tests.docs.pages import MEASURED, PAGES, name, prose, read

UNITS = (
    "g kg gf N h hours min minutes s seconds ms µs MB kB GB % parts plates games maps Elo mutants "
    "megabytes cores"
).split()
VALUE = re.compile(
    r"(?<![\w.@#:-])\d[\d,.]*(?: to \d[\d.,]*)? ?("
    + "|".join(map(re.escape, UNITS))
    + r")(?![\w²³])"
)
WRITTEN = {
    "docs/benchmarks.md",
    "docs/tables.md",
    "docs/tree.md",
    "docs/gallery.md",
    "CHANGELOG.md",
}
"""Pages that a command or a benchmark writes whole, and the history."""
SETTINGS: dict[str, list[str]] = tomllib.loads(
    (Path(__file__).parent / "settings.toml").read_text("utf-8")
)["settings"]


def stated(page: Path) -> list[str]:
    """Return the measurements in the prose of a page, each with the words around it."""
    text = " ".join(re.sub(r"`[^`\n]*`", "`…`", prose(read(page))).split())
    for phrase in SETTINGS.get(name(page), []):
        text = text.replace(phrase, " ")
    return [text[max(at.start() - 50, 0) : at.end() + 30] for at in VALUE.finditer(text)]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_page_states_no_measurement_that_nothing_computes(page: Path) -> None:
    if name(page) not in WRITTEN:
        assert stated(page) == [], "mark it as a figure or as measured; see tests/docs/pages.py"


def test_settings_stand_on_their_pages() -> None:
    for page, phrases in SETTINGS.items():
        text = " ".join(re.sub(r"`[^`\n]*`", "`…`", prose(read(ROOT / page))).split())
        assert [phrase for phrase in phrases if phrase not in text] == [], page


def test_measured_blocks_name_a_command_that_exists() -> None:
    found = [at for page in PAGES for at in MEASURED.finditer(read(page))]
    assert len(found) > 5
    for at in found:
        words = at[3].split()
        if words[0] == "fdforge":
            assert words[1] in COMMANDS, at[3]
        elif words[:2] == ["python", "-m"]:
            assert words[2] == "coverage" or (ROOT / f"{words[2].replace('.', '/')}.py").exists(), (
                at[3]
            )
        else:
            assert words[0] == "python" and (ROOT / words[1]).exists(), at[3]
    for page in PAGES:
        text = read(page)
        assert text.count("<!-- measured ") == len(MEASURED.findall(text)), name(page)


@pytest.mark.parametrize("words", ["takes 25 ms", "are 41.5 % off", "348 parts build", "11.0 h"])
def test_measurement_is_found(words: str) -> None:
    assert VALUE.search(words)


@pytest.mark.parametrize("words", ["5 mm high", "on 4 sides", "v1.0", "turn 3", "2.0 cm³"])
def test_sizes_and_counts_are_no_measurement(words: str) -> None:
    assert not VALUE.search(words)


def test_every_benchmark_names_its_day_and_commit() -> None:
    page = read(ROOT / "docs" / "benchmarks.md")
    heads = re.findall(r"^## (\w+)\n\n(.*)", page, re.MULTILINE)
    scripts = {path.stem for path in (ROOT / "benchmarks").glob("bench_*.py")}
    assert {f"bench_{title}" for title, _ in heads} <= scripts
    assert len(heads) > 8
    for title, line in heads:
        assert re.match(r"Measured on \d{4}-\d\d-\d\d, [0-9a-f]{7,}\. Python 3", line), title
