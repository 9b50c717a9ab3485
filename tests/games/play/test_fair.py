"""`expect fair within N%`: who judges, how often is played, and what counts as a difference."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from falldamage_forge.forge import Forge
from falldamage_forge.infra import disk_cache
from falldamage_forge.issues import Issue
from falldamage_forge.playtest import fairness_check
from falldamage_forge.playtest.game_series import GameSeries, Runner
from falldamage_forge.playtest.score_verdict import Tally, looks
from falldamage_forge.rules.position import Position

MAP = """forge 1
start red at B1..I1
start blue at B10..I10
expect fair within {}
"""
FORGE = Forge()


@contextmanager
def disk_off() -> Iterator[None]:
    """Nothing is read from earlier runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(disk_cache.SWITCH, "off")
        yield


def issues(percent: str, why: str | None = None) -> tuple[Issue, ...]:
    def judge(position: Position, number: int) -> str | None:
        assert str(number) == percent.removesuffix("%")
        return why

    return FORGE.check(FORGE.loads(MAP.format(percent)), judge=judge).issues


def test_failed_expectation_states_the_measured_score() -> None:
    assert not issues("3%")
    assert not issues("3")
    (issue,) = issues("3%", "red wins 61.0 %")
    assert issue.code == "FDF331" and "but red wins 61.0 %" in issue.message


@pytest.mark.parametrize("words", ["3 %", "0%", "51%", "three%", "-3%", "3.5%"])
def test_malformed_fair_expectation_is_refused(words: str) -> None:
    (issue,) = issues(words)
    assert issue.code == "FDF330"


def test_check_without_a_judge_plays_no_games() -> None:
    assert not FORGE.check(FORGE.loads(MAP.format("1%"))).issues


def played_by(scores: dict[str, int], runs: list[tuple[str, int, int]]) -> Runner:
    """A runner whose blocks alternate around given eighths of red's score, for each bot."""

    def run(work: list[tuple[GameSeries, int, int]]) -> Iterator[Tally]:
        for series, first, count in work:
            bot = series.bots[0]
            runs.append((bot, first, count))
            tally = Tally()
            for number in range(first, first + count):
                block, game = divmod(number, 4)
                points = min(8, max(0, scores[bot] + block % 3 - 1))
                halves = min(2, max(0, points - 2 * game))
                tally.score(number, ("blue", "draw", "red")[halves], 0)
            yield tally

    return run


@pytest.mark.parametrize("greedy", range(1, 8))
@pytest.mark.parametrize("careful", range(1, 8))
def test_fair_expectation_holds_only_if_every_bot_agrees(greedy: int, careful: int) -> None:
    runs: list[tuple[str, int, int]] = []
    text = f'{MAP.format("10%")}title "{greedy} {careful}"\n'
    position = FORGE.check(FORGE.loads(text)).position
    with disk_off():
        why = fairness_check.fairness_problem(
            position, 10, runner=played_by({"greedy": greedy, "careful": careful}, runs)
        )
    assert (why is None) == (greedy == careful == 4)
    if why is not None:
        sides = {(score > 4) - (score < 4) for score in (greedy, careful)}
        favoured = {frozenset({1}): "red is favoured", frozenset({-1}): "blue is favoured"}
        assert favoured.get(frozenset(sides), "bots disagree") in why
        assert "games each" in why and "with greedy" in why and "with careful" in why


def test_longer_series_continues_without_repeating_a_game() -> None:
    runs: list[tuple[str, int, int]] = []
    position = FORGE.check(FORGE.loads(MAP.format("3%"))).position
    with disk_off():
        why = fairness_check.fairness_problem(
            position, 3, runner=played_by({"greedy": 4, "careful": 4}, runs)
        )
    assert why is None
    for bot in fairness_check.BOTS:
        games = [
            n for name, first, count in runs if name == bot for n in range(first, first + count)
        ]
        assert games == list(range(len(games))) and len(games) in looks(0.03)[1:]


def test_games_that_nobody_wins_count_as_even() -> None:
    counts = {bot: {4: 2_000} for bot in fairness_check.BOTS}
    assert all(one.is_within(0.01) for one in fairness_check.estimates(counts).values())


def test_fairness_games_are_played_once_per_bot_and_cached() -> None:
    runs: list[tuple[str, int, int]] = []
    said: list[str] = []
    runner = played_by({"greedy": 8, "careful": 8}, runs)
    position = FORGE.check(FORGE.loads(MAP.format("50%") + 'title "played once"\n')).position
    for _ in range(2):
        why = fairness_check.fairness_problem(position, 50, said.append, runner)
        assert why is None, "50 % is never beyond 50 %"
        why = fairness_check.fairness_problem(position, 20, said.append, runner)
        assert why is not None and "red is favoured" in why
    assert sorted({bot for bot, _, _ in runs}) == ["careful", "greedy"]
    assert sum("fair within 50 %" in text for text in said) == 2
    assert sum("playing" in text for text in said) == 2
