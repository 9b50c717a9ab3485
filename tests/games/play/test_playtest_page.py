"""Pages of playtests: their drawings and tables are the counts of the result."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from falldamage_forge.board import Column, Ground, Tile, make_board
from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.playtest.bot_kernels.batch_runner import clear, listed
from falldamage_forge.playtest.playtest_page import (
    CELL,
    _cards,
    _heat,
    _lengths,
    _pieces,
    _thin,
    describe_event,
    format_measure,
)

BOARD = make_board(2, 3, [Column(0), Column(2), Column(0, Ground.WATER)] * 2)
COUNTS = {"A1@0": 4, "B1@2": 1, "B1@4": 2, "C2@0": 0}
RECT = re.compile(r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)" fill="(\S+)"([^>]*)/>')


def test_heat_of_a_tile_is_one_strip_a_surface_and_fills_it() -> None:
    drawn = _heat(BOARD, COUNTS, "where units stood")
    tiles = re.findall(r"<g><title>(.*?)</title>(.*?)</g>", drawn)
    assert [title for title, _ in tiles] == [
        "A1@0: 4", "B1@4: 2, B1@2: 1", "C1: 0", "A2: 0", "B2: 0", "C2@0: 0",
    ]  # fmt: skip
    for tile, (_, shapes) in zip(BOARD.tiles(), tiles, strict=True):
        (ground, *strips) = RECT.findall(shapes)
        x, y = (tile.col + 1) * CELL, (tile.row + 1) * CELL
        assert ground[:4] == (str(x), str(y), str(CELL), str(CELL))
        assert (ground[4] == "#9cc4e8") == (BOARD.column(tile).ground is Ground.WATER)
        levels = sorted(
            (int(spot[3:]) for spot in COUNTS if Tile.parse(spot[:2]) == tile), reverse=True
        )
        for number, (level, strip) in enumerate(zip(levels, strips, strict=True)):
            high = CELL / len(levels)
            assert [float(each) for each in strip[:4]] == [x, y + number * high, CELL, high]
            opacity = COUNTS[f"{tile}@{level}"] / 4
            assert f'fill-opacity="{opacity}"' in strip[5]
    assert f'width="{4 * CELL + 2}" height="{3 * CELL + 2}"' in drawn
    assert drawn.endswith("<figcaption>where units stood</figcaption></figure>")
    assert "fill-opacity" not in _heat(BOARD, {}, "x")


def test_narrow_strips_are_rounded_to_tenths() -> None:
    drawn = _heat(BOARD, {f"A1@{level}": 3 for level in range(3)}, "x")
    (_, *strips) = RECT.findall(drawn)[:4]
    assert [strip[1] for strip in strips] == ["26.0", "34.7", "43.3"]
    assert {strip[3] for strip in strips} == {"8.7"}


def test_bars_are_as_high_as_their_games() -> None:
    drawn = _lengths({"3": 10, "4": 40, "6": 0})
    bars = RECT.findall(drawn)
    assert [(float(x), float(y), float(tall)) for x, y, _, tall, *_ in bars] == [
        (4, 71.5, 22.5), (22, 4, 90), (40, 94, 0),
    ]  # fmt: skip
    assert "<title>40 games over in round 4</title>" in drawn
    assert f'width="{3 * 18 + 12}"' in drawn
    assert "<rect" not in _lengths({})


def share(value: float, n: int = 9) -> dict[str, Any]:
    return {"share": value, "low": value / 2, "high": 1.0, "n": n, "p": 0.25}


def test_cards_are_the_best_three_and_the_worst_three() -> None:
    shares = {name: share(at / 10) for at, name in enumerate("abcdefgh")}
    shown = _cards({**shares, "unseen": share(1.0, 0)})
    assert re.findall(r"<tr><td>(\w)</td>", shown) == list("hgfcba")
    assert f"<td>{format_measure(shares['h'])}</td><td>0.25</td>" in shown
    assert re.findall(r"<tr><td>(\w)</td>", _cards({"a": share(0.5), "b": share(0.5)})) == [
        "a",
        "b",
    ]


def test_measure_is_a_share_in_percent_or_a_mean() -> None:
    assert format_measure(share(0.5)) == "50.0 % (25.0 to 100.0)"
    assert format_measure({"mean": 3.456, "low": 3, "high": 4.1, "n": 2}) == "3.46 (3.00 to 4.10)"
    assert format_measure({"share": None, "n": 0}) == "none"


def test_map_without_a_bridge_is_told_with_its_effect() -> None:
    shown = _pieces({"bridge A1 -> C1": {"visits": 7, "effect": {"text": "red's score"}}})
    assert "<td>bridge A1 -&gt; C1</td><td>7</td><td>red&#x27;s score</td>" in shown


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (("harm", 0, 2, "fall", 1, 33), "red knight 0 loses 2 (fall) at C1@1"),
        (("die", 1, 33, "lava", 0, 34), "blue archer 1 dies in lava on C1@2"),
        (("die", 1, 33, "fall", 0, C.OVER_EDGE), "blue archer 1 dies in the void at C1@1"),
        (("die", 1, 33, "sacrifice", -1, 33), "blue archer 1 is sacrificed on C1@1"),
        (("chest", 0, 33), "red knight 0 opens the chest at C1@1"),
        (("treasure", 1, "boots"), "blue archer 1 finds boots"),
        (("destroyed", "deck 0"), "deck 0 is destroyed"),
        (("over", "red"), "the game is over: red"),
        (("attack", 0, 1), ""),
    ],
)
def test_event_is_told_in_words(event: tuple[Any, ...], words: str) -> None:
    units = [SimpleNamespace(side=0, card="knight"), SimpleNamespace(side=1, card="archer")]
    state: Any = SimpleNamespace(units=units, log=[event])
    assert describe_event(state, 0) == words


def test_frames_keep_what_changed() -> None:
    frames = [{"a": 1, "b": None}, {"a": 1, "b": None}, {"a": 2, "b": None}, {"a": 2, "b": 0}]
    assert _thin(frames) == [{"a": 1, "b": None}, {}, {"a": 2}, {"b": 0}]


def test_columns_are_cleared_and_listed_whatever_holds_them() -> None:
    for column in ([3, 4], np.array([3, 4])):
        assert listed(column) == [3, 4]
        clear(column)
        assert listed(column) == [0, 0]
