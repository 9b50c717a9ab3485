"""An event: the set is exact, the sheets hold all of it, bad files are refused with a remedy."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge import presets
from falldamage_forge.board.symmetry import side_exchange, transform_board
from falldamage_forge.cli.game_input import bots_named
from falldamage_forge.cli.map_argument import FORGE
from falldamage_forge.infra.most_at_once import most_at_once
from falldamage_forge.lang import load
from falldamage_forge.playtest.fairness_check import fairness_sentence
from falldamage_forge.playtest.game_series import GameSeries
from falldamage_forge.playtest.score_verdict import BLOCK, Tally
from tests.cli.running import small_map, typed
from tests.render.boards import preset
from tests.render.test_packing_sheets import listed
from tests.render.test_sheets import pages

counts = st.lists(
    st.dictionaries(st.sampled_from("abcde"), st.integers(1, 9)), min_size=1, max_size=6
)
EVENT = """\
title = "Cup"
tables = ["one.forge", "two.forge"]
at_once = 1
page = "https://example.org/{table}"

[printing]
printers = 2
start = 2026-11-25
ready = 2026-12-05

[contest]
players = ["Ann", "Bob"]
rounds = 1
"""


@given(counts, st.integers(1, 6))
def test_the_set_is_the_maximum_over_all_choices_of_tables(
    own: list[dict[str, int]], at_once: int
) -> None:
    at_once = min(at_once, len(own))
    keys = {key for table in own for key in table}
    choices = list(combinations(own, at_once))
    assert most_at_once(own, at_once) == {
        key: max(sum(table.get(key, 0) for table in choice) for choice in choices) for key in keys
    }


def test_sides_of_every_tournament_table_change_places() -> None:
    for name in presets.load_set("tournament").maps:
        board = preset(name).board
        transform = side_exchange(board)
        image = transform_board(board, transform)
        zones = {zone.side: set(zone.surfaces) for zone in board.starts}
        images = {zone.side: set(zone.surfaces) for zone in image.starts}
        assert images == {"red": zones["blue"], "blue": zones["red"]}, name


def test_a_board_whose_mirror_leaves_the_sides_alone_is_not_fair_by_symmetry() -> None:
    text = "forge 1\nboard 6x6\nstack A2..F2 height 1\nstart red at A1..F1\nstart blue at A6..F6\n"
    assert side_exchange(load(text, "a.forge").layout.board) == ""


@pytest.mark.smoke
def test_an_event_writes_its_sheets(tmp_path: Path) -> None:
    small_map(tmp_path / "one.forge"), small_map(tmp_path / "two.forge", "E4")
    (tmp_path / "cup.toml").write_text(EVENT, "utf-8")
    run = typed("event", "cup.toml", "-o", "out", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names >= {"calendar.pdf", "tables.pdf", "rounds.pdf", "manifest.json"}
    assert "Exact: " in run.stdout
    text = "\n".join(pages((tmp_path / "out" / "tables.pdf").read_bytes()))
    assert "https://example.org/one" in text
    assert sum(listed(text).values()) > 16
    rounds = "\n".join(pages((tmp_path / "out" / "rounds.pdf").read_bytes()))
    assert "Ann" in rounds and "Bob" in rounds
    calendar = "\n".join(pages((tmp_path / "out" / "calendar.pdf").read_bytes()))
    for line in run.stdout.splitlines():
        if ": plate-" in line:
            assert line.split(": ")[1].split(",")[0] in calendar


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("at_once = 1", "at_once = 3", "from 1 to 2"),
        ("printers = 2", "printers = 0", "from 1 to 100"),
        ("printers = 2\n", "", "`printers` is missing"),
        ("printers = 2", 'printers = 2\nprinter = "a1-minni"', "did you mean `a1-mini`?"),
        ("two.forge", "duell", "did you mean `duel`?"),
        ("2026-12-05", "2026-11-25", "later day"),
        ("2026-12-05", '"soon"', "a day such as"),
        ("2026-11-25", "9999-12-30", "the year 9999"),
        ("2026-12-05", "2029-12-05", "a year later"),
        (
            "printers = 2",
            'printers = 2\nspools = [{ group = "a", grams = 9, count = 9999 }]',
            "1000",
        ),
        ("rounds = 1", 'rounds = 1\nresults = [[2, "Ann", "Bob", 1]]', "rounds 1 to 1"),
        ("rounds = 1", "rounds = 2", "from 1 to 1 rounds"),
        ('"Bob"]', '"Bob", "Cy", "Di"]', "at most 3 players"),
        ('"Bob"]', '"Ann"]', "`Ann` twice"),
        ("rounds = 1", 'rounds = 1\nresults = [[1, "Anna", "Bob", 1]]', "did you mean `Ann`?"),
        ("rounds = 1", 'rounds = 1\nresults = [[1, "Ann", "Bob", 3]]', "1, 0.5 or 0"),
        ("at_once = 1", 'at_once = 1\nbox = "9x9"', "width x depth x height"),
        ("ready = 2026-12-05", "ready = 2026-11-26\nattended = [08:00:00, 08:01:00]", "FDF481"),
        ("printers = 2", 'printers = 2\nspools = [{ group = "tin", grams = 9 }]', "FDF482"),
        ("at_once = 1", 'at_once = 1\nbox = "160x160x9"', "FDF480"),
    ],
)
def test_a_bad_event_is_refused_with_its_remedy(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    small_map(tmp_path / "one.forge"), small_map(tmp_path / "two.forge", "E4")
    assert old in EVENT
    (tmp_path / "cup.toml").write_text(EVENT.replace(old, new, 1), "utf-8")
    run = typed("event", "cup.toml", "-o", "out", cwd=tmp_path)
    assert run.returncode == 1, run.stdout
    assert words in run.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("games", "words"),
    [("", "Not played. `fdforge playtest one.forge`"), ("games = 2\n", "Played: ")],
)
def test_a_table_without_symmetry_has_a_verdict_or_says_that_it_has_none(
    tmp_path: Path, games: str, words: str
) -> None:
    small = small_map(tmp_path / "one.forge").read_text()
    lopsided = small.replace("symmetry rotate 180 swap red blue\n", "")
    (tmp_path / "one.forge").write_text(f"{lopsided}start blue at B10..I10\n")
    event = EVENT.replace(', "two.forge"', "").replace("at_once = 1\n", f"at_once = 1\n{games}")
    (tmp_path / "cup.toml").write_text(event, "utf-8")
    run = typed("event", "cup.toml", "--bots", "random,greedy", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert words in run.stdout


def test_bots_of_an_event_are_those_that_are_named(tmp_path: Path) -> None:
    small = small_map(tmp_path / "one.forge").read_text()
    lopsided = small.replace("symmetry rotate 180 swap red blue\n", "")
    (tmp_path / "one.forge").write_text(f"{lopsided}start blue at B10..I10\n")
    position = FORGE.analysis(FORGE.load(str(tmp_path / "one.forge")))
    played: list[tuple[str, str]] = []

    def run(work: list[tuple[GameSeries, int, int]]) -> Iterator[Tally]:
        for series, first, count in work:
            played.append(series.bots)
            numbers = range(first // BLOCK, (first + count) // BLOCK)
            yield Tally(blocks=dict.fromkeys(numbers, (BLOCK,) * 4))

    said = fairness_sentence(position, "one.forge", 200, bots_named("search-1,greedy"), run)
    assert {bot for bots in played for bot in bots} == {"greedy", "search-1"}
    assert said.startswith("Played: red scores 50.0 %") and "with greedy" in said
    (tmp_path / "cup.toml").write_text(EVENT, "utf-8")
    for bots in ("searh-1,greedy", "greedy"):
        assert typed("event", "cup.toml", "--bots", bots, cwd=tmp_path).returncode == 2
