"""`expect fair within N%`: who judges, how often is played, and what counts as a difference."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from falldamage_forge.forge import Forge
from falldamage_forge.issues import Issue
from falldamage_forge.playtest import fair
from falldamage_forge.playtest.series import Series
from falldamage_forge.playtest.tally import Tally
from falldamage_forge.rules.position import Position

MAP = """forge 1
start red at B1..I1
start blue at B10..I10
expect fair within {}
"""
FORGE = Forge()


def issues(percent: str, why: str | None = None) -> tuple[Issue, ...]:
    def judge(position: Position, number: int) -> str | None:
        assert str(number) == percent.removesuffix("%")
        return why

    return FORGE.check(FORGE.loads(MAP.format(percent)), judge=judge).issues


def test_an_expectation_fails_with_what_was_found() -> None:
    assert not issues("3%")
    assert not issues("3")
    (issue,) = issues("3%", "red wins 61.0 %")
    assert issue.code == "FDF331" and "but red wins 61.0 %" in issue.message


@pytest.mark.parametrize("words", ["3 %", "0%", "51%", "three%", "-3%", "3.5%"])
def test_other_words_are_told(words: str) -> None:
    (issue,) = issues(words)
    assert issue.code == "FDF330"


def test_nobody_plays_where_nobody_is_asked_to() -> None:
    assert not FORGE.check(FORGE.loads(MAP.format("1%"))).issues


@pytest.mark.parametrize(("percent", "games"), [(1, 9604), (2, 2404), (3, 1068), (10, 100)])
def test_games_for_an_interval(percent: int, games: int) -> None:
    assert fair.games_for(percent) == games and games % 4 == 0
    assert 0.98 / games**0.5 <= percent / 100


def shares(*middles: float) -> dict[str, dict[str, object]]:
    return {
        str(n): {"share": middle, "low": middle - 0.02, "high": middle + 0.02, "n": 2401}
        for n, middle in enumerate(middles)
    }


@pytest.mark.parametrize(
    ("middles", "differs"),
    [
        ((0.5, 0.5), False), ((0.56, 0.58), True), ((0.56, 0.525), False), ((0.6, 0.4), False),
        ((0.44, 0.4), True), ((0.9, 0.51), False),
    ],
)  # fmt: skip
def test_a_difference_is_one_that_both_bots_find(
    middles: tuple[float, float], differs: bool
) -> None:
    assert fair._differs(shares(*middles), 0.03) == differs


def test_a_map_is_played_once_for_each_bot_and_then_remembered() -> None:
    runs: list[str] = []
    told: list[str] = []

    def runner(work: list[tuple[Series, int, int]]) -> Iterator[Tally]:
        for series, _, count in work:
            runs.append(series.bots[0])
            tally = Tally()
            tally.counts.update({"red": count, "decided": count})
            yield tally

    position = FORGE.check(FORGE.loads(MAP.format("50%") + 'title "played once"\n')).position
    for _ in range(2):
        why = fair.judge(position, 50, told.append, runner)
        assert why is None, "50 % is never beyond 50 %"
        why = fair.judge(position, 49, told.append, runner)
        assert why is not None and "red wins 100.0 %" in why
    assert sorted(set(runs)) == ["careful", "greedy"]
    assert sum("no difference found" in text for text in told) == 2
