"""`expect fair within N%`: who judges, how often is played, and what counts as a difference."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from falldamage_forge.games.fall_damage.play.play_options import PlayOptions
from falldamage_forge.infra import disk_cache
from falldamage_forge.issues import Issue
from falldamage_forge.library.forge import Forge
from falldamage_forge.playtest import fairness_check
from falldamage_forge.playtest.fairness_check import (
    CHECK,
    PLAYTEST,
    PlayedGames,
    known_fairness,
    played_fairness,
    played_metrics,
    store,
    stored_games,
    table_of,
)
from falldamage_forge.playtest.game_series import CHUNK, GameSeries, Runner
from falldamage_forge.playtest.score_verdict import Tally, looks
from falldamage_forge.rules.expectations import FairnessFinding
from falldamage_forge.rules.position import Position
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.session_stages import measures
from tests.cli.running import typed

MAP = """forge 1
stack A5 height 1
start red at B1..I1
start blue at B10..I10
expect fair within {}
"""
TURNED = MAP.replace("stack A5 height 1", "stack A5, J6 height 1")
"""Its own image under a half turn, which exchanges the sides."""
DAY = "2026-12-05"
FORGE = Forge()


@contextmanager
def disk_off() -> Iterator[None]:
    """Nothing is read from earlier runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(disk_cache.SWITCH, "off")
        yield


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache without the games of other tests: all of them are on one board."""
    monkeypatch.setenv(disk_cache.FOLDER, str(tmp_path))


def issues(percent: str, holds: bool | None = True, why: str = "all of it") -> tuple[Issue, ...]:
    def judge(position: Position, number: int) -> FairnessFinding:
        assert str(number) == percent.removesuffix("%")
        return FairnessFinding(holds, why)

    return FORGE.check(FORGE.loads(MAP.format(percent)), judge=judge).issues


def test_failed_expectation_states_the_measured_score() -> None:
    (issue,) = issues("3%", False, "red wins 61.0 %")
    assert issue.code == "FDF331" and "but red wins 61.0 %" in issue.message


@pytest.mark.parametrize("percent", ["3%", "3"])
@pytest.mark.parametrize(("holds", "code"), [(True, "FDF333"), (None, "FDF332")])
def test_expectation_that_does_not_fail_is_a_note(
    percent: str, holds: bool | None, code: str
) -> None:
    (issue,) = issues(percent, holds)
    assert (issue.code, issue.severity) == (code, "info")
    assert issue.message.endswith(": all of it")
    assert ("fdforge playtest map.forge" in (issue.hint or "")) == (holds is None)


@pytest.mark.parametrize("words", ["3 %", "0%", "51%", "three%", "-3%", "3.5%"])
def test_malformed_fair_expectation_is_refused(words: str) -> None:
    (issue,) = issues(words)
    assert issue.code == "FDF330"


def test_check_without_a_judge_plays_no_games() -> None:
    assert not FORGE.check(FORGE.loads(MAP.format("1%"))).issues


def played_by(scores: dict[str, int], runs: list[tuple[str, int, int]]) -> Runner:
    """A runner whose blocks alternate around given eighths of red's score, for each bot.

    Other bots have none: they are tried for their speed only, and not recorded.
    """

    def run(work: list[tuple[GameSeries, int, int]]) -> Iterator[Tally]:
        for series, first, count in work:
            bot, tally = series.bots[0], Tally()
            if bot in scores and (series.games > CHUNK or bot not in TRIED):
                runs.append((bot, first, count))
            for number in range(first, first + count):
                block, game = divmod(number, 4)
                points = min(8, max(0, scores.get(bot, 4) + block % 3 - 1))
                halves = min(2, max(0, points - 2 * game))
                tally.score(number, ("blue", "draw", "red")[halves], 0, False)
            yield tally

    return run


TRIED = (fairness_check.BOTS[-1], *fairness_check.STRONGER)


@pytest.mark.parametrize("greedy", range(1, 8))
@pytest.mark.parametrize("careful", range(1, 8))
def test_fair_expectation_holds_only_if_every_bot_agrees(greedy: int, careful: int) -> None:
    runs: list[tuple[str, int, int]] = []
    position = FORGE.check(FORGE.loads(MAP.format("10%"))).position
    with disk_off():
        found = played_fairness(
            position, 10, DAY, runner=played_by({"greedy": greedy, "careful": careful}, runs),
            seconds=0,
        )  # fmt: skip
    assert found.holds is (greedy == careful == 4)
    why = found.text
    if not found.holds:
        sides = {(score > 4) - (score < 4) for score in (greedy, careful)}
        favoured = {frozenset({1}): "red is favoured", frozenset({-1}): "blue is favoured"}
        assert favoured.get(frozenset(sides), "bots disagree") in why
        assert "games each" in why and "with greedy" in why and "with careful" in why


def test_longer_series_continues_without_repeating_a_game() -> None:
    runs: list[tuple[str, int, int]] = []
    position = FORGE.check(FORGE.loads(MAP.format("3%"))).position
    with disk_off():
        found = played_fairness(
            position, 3, DAY, runner=played_by({"greedy": 4, "careful": 4}, runs), seconds=0
        )
    assert found.holds
    for bot in fairness_check.BOTS:
        games = [
            n for name, first, count in runs if name == bot for n in range(first, first + count)
        ]
        assert games == list(range(len(games))) and len(games) in looks(0.03)[1:]


def test_games_that_nobody_wins_count_as_even() -> None:
    counts = {bot: {4: 2_000} for bot in fairness_check.BOTS}
    assert all(one.is_within(0.01) for one in fairness_check.estimates(counts).values())


@pytest.mark.usefixtures("own_cache")
def test_fairness_games_are_played_once_per_bot_and_cached() -> None:
    """A stricter question continues the series, and the played metric plays nothing."""
    runs: list[tuple[str, int, int]] = []
    said: list[str] = []
    runner = played_by({"greedy": 4, "careful": 4}, runs)
    position = FORGE.check(FORGE.loads(MAP.format("20%"))).position
    assert played_metrics(position, ("fair", "within", "3%")) == ()
    for percent in (20, 20, 5, 20):
        assert played_fairness(position, percent, DAY, said.append, runner, 0).holds
    for bot in fairness_check.BOTS:
        games = [n for name, at, of in runs if name == bot for n in range(at, at + of)]
        assert sorted(games) == list(range(len(games))) and len(games) > looks(0.2)[-1]
    assert sum("playing" in text for text in said) == 2
    for percent, verdict in (("5%", "good"), ("3%", "info")):
        (metric,) = played_metrics(position, ("fair", "within", percent))
        assert metric.text.startswith("red scores ")
        assert metric.verdict == verdict


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize(("points", "verdict"), [(7, "bad"), (1, "bad"), (4, "good")])
def test_played_metric_has_the_verdict_of_the_games(points: int, verdict: str) -> None:
    runner = played_by({"greedy": points, "careful": points}, [])
    position = FORGE.check(FORGE.loads(MAP.format("3%"))).position
    found = played_fairness(position, 3, DAY, runner=runner, seconds=0)
    assert found.holds is (verdict == "good")
    (metric,) = played_metrics(position, ("fair", "within", "3%"))
    assert metric.verdict == verdict


@pytest.mark.usefixtures("own_cache")
def test_analyze_report_and_studio_show_the_cached_verdict(tmp_path: Path) -> None:
    """All in the words of `check`, and only once the map was played."""
    file = tmp_path / "own.forge"
    file.write_text(MAP.format("5%"), "utf-8")
    session = Session(file.read_text("utf-8"))
    position = FORGE.check(FORGE.loads(session.text)).position
    for played in (False, True):
        said: list[str] = []
        if played:
            runner = played_by({"greedy": 4, "careful": 4}, [])
            found = played_fairness(position, 5, DAY, runner=runner, seconds=0)
            assert found.holds
            said.append(found.text)
        analyzed = json.loads(typed("analyze", file, "--json").stdout)["metrics"]
        shown = {"analyze": analyzed, "studio": measures(session)["measures"]}
        for name, metrics in shown.items():
            texts = [each["text"] for each in metrics if each["name"] == "played"]
            assert texts == said[-1:], name
        page = tmp_path / "own.html"
        assert typed("report", file, "-o", page).returncode == 0
        assert ("<b>played</b>: red scores" in page.read_text("utf-8")) == played


@pytest.mark.parametrize("seconds", [0.0, 9.0, 100.0, 1e6])
def test_bots_join_while_their_games_fit_in_the_time(seconds: float) -> None:
    """Each chunk takes ten times as long as the one of the weaker bot; the first is slow."""
    spent = {bot: 10.0**n for n, bot in enumerate(fairness_check.STRONGER)} | {"careful": 1e9}
    now = [0.0]

    def run(work: list[tuple[GameSeries, int, int]]) -> Iterator[Tally]:
        for series, _, count in work:
            assert count == CHUNK
            now[0] += spent[series.bots[0]]
            yield Tally()

    position = FORGE.check(FORGE.loads(MAP.format("9%"))).position
    series = replace(fairness_check.series_of(position, "greedy", 0), fast=True)
    games = 10 * CHUNK
    found = fairness_check.bots_in_time(series, games, run, seconds, clock=lambda: now[0])
    fitting = tuple(bot for bot in fairness_check.STRONGER if 10 * spent[bot] <= seconds)
    assert found == (*fairness_check.BOTS, *fitting)
    slow = replace(series, fast=False)
    assert fairness_check.bots_in_time(slow, games, run, seconds, clock=lambda: now[0]) == (
        "greedy",
        "careful",
    )


def test_strongest_bot_in_time_decides() -> None:
    """Search finds red ahead where greedy and careful find nothing: the map is not fair."""
    position = FORGE.check(FORGE.loads(MAP.format("5%"))).position
    runner = played_by({"greedy": 4, "careful": 4, "search-1": 7}, [])
    with disk_off(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(fairness_check, "is_compiled", lambda usual: True)
        patch.setattr(fairness_check, "STRONGER", ("search-1",))
        found = played_fairness(position, 5, DAY, runner=runner)
    assert found.holds is False and "with search-1: red is favoured" in found.text


def test_effects_compare_each_board_with_the_map_under_the_same_dice() -> None:
    """A board without red's handicap scores more, by what the runner says; no board, no effect."""
    position = FORGE.check(FORGE.loads(MAP.format("5%"))).position
    other = FORGE.loads(MAP.format("5%") + "stack E5 height 1\n").board
    seeds = set()

    def run(work: list[tuple[GameSeries, int, int]]) -> Iterator[Tally]:
        for series, first, count in work:
            seeds.add((series.seed, series.name, series.bots))
            points = 4 + 2 * (series.board == other)
            blocks = range(first // 4, (first + count) // 4)
            yield Tally(blocks=dict.fromkeys(blocks, (4, points, 4)))

    now, found = fairness_check.effects(position, [other, position.board], 400, run)
    assert [one.score for one in now.values()] == [0.5]
    assert [one.score for one in found] == [0.25, 0.0]
    assert found[0].low > 0 and {one.games for one in found} == {400}
    assert len(seeds) == 1


def nobody(work: list[object], *_: object) -> Iterator[Tally]:
    raise AssertionError(f"plays {len(work)} pieces of work")


def test_rotation_that_exchanges_the_sides_decides_without_a_game() -> None:
    position = FORGE.check(FORGE.loads(TURNED.format("1%"))).position
    for found in (
        known_fairness(position, 1),
        played_fairness(position, 1, DAY, runner=nobody),
    ):
        assert found == (True, "exactly fair: rotate-180 exchanges the sides")
    assert played_metrics(position, ("fair", "within", "1%")) == ()


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("names", [("greedy", "careful"), ("random", "greedy")])
def test_check_reads_the_games_of_a_playtest_of_this_board_and_rules(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    """Another title changes nothing; another board, other options or another code have no games."""
    text = MAP.format("49%")
    file = tmp_path / "own.forge"
    file.write_text(text, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fairness_check, "run_series", nobody)
        before = typed("check", file, "--format", "json")
    assert before.returncode == 0 and "FDF332" in before.stdout
    assert "not yet played" in before.stdout and "fdforge playtest" in before.stdout
    done = typed("playtest", file, "--games", "8", "--bots", ",".join(names))
    assert done.returncode == 0, done.stderr
    for same in (text, 'forge 1\ntitle "other"\n' + text.removeprefix("forge 1\n")):
        file.write_text(same, "utf-8")
        after = typed("check", file, "--format", "json")
        assert after.returncode == 0
        assert "8 games each, played on 20" in after.stdout
    for other in (
        text.replace("A5", "A6"),
        text + "rules fall-damage { headroom 3 }\n",
        text.replace("B1..I1", "A1..H1"),
    ):
        file.write_text(other, "utf-8")
        assert "not yet played" in typed("check", file, "--format", "json").stdout


@pytest.mark.usefixtures("own_cache")
def test_check_play_plays_until_the_promise_is_decided(tmp_path: Path) -> None:
    file = tmp_path / "own.forge"
    file.write_text(MAP.format("50%"), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fairness_check, "run_series", fake_series)
        patch.setattr(fairness_check, "STRONGER", ())
        played = typed("check", "--play", file, "--format", "json")
    assert played.returncode == 0, played.stderr
    assert "FDF333" in played.stdout
    assert "FDF333" in typed("check", file, "--format", "json").stdout


def fake_series(series: list[GameSeries], runner: Runner, before: int = 0) -> list[Tally]:
    """Even games of each series, without playing."""
    return [
        Tally(blocks=dict.fromkeys(range(before // 4, one.games // 4), (4, 4, 4))) for one in series
    ]


@pytest.mark.usefixtures("own_cache")
def test_stored_games_that_prove_the_most_are_told() -> None:
    """A stronger bot first, then more games, whichever was stored last."""
    position = FORGE.check(FORGE.loads(MAP.format("9%"))).position
    table = table_of(position.board, position.game.options, PlayOptions())
    weak = PlayedGames({"greedy": {4: 900}, "careful": {4: 900}}, DAY)
    strong = PlayedGames({"careful": {4: 50}, "search-1": {4: 50}}, DAY)
    few = PlayedGames({"greedy": {4: 60}, "careful": {4: 60}}, DAY)
    for first, second, best in ((weak, strong, strong), (strong, weak, strong), (few, weak, weak)):
        store(table, CHECK, first), store(table, PLAYTEST, second)
        assert stored_games(table) == best


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("points", range(9))
@pytest.mark.parametrize("blocks", [2, 60, 500, 3_000])
@pytest.mark.parametrize("percent", [1, 10, 40])
def test_stored_games_fail_a_promise_only_if_they_settle_it(
    points: int, blocks: int, percent: int
) -> None:
    """Few games leave it open; at last they hold exactly where the score is near one half."""
    counts = {bot: {points: blocks} for bot in fairness_check.BOTS}
    holds = PlayedGames(counts, DAY).finding(percent / 100).holds
    is_near = abs(points / 8 - 0.5) <= percent / 100
    assert holds in (is_near, None)
    assert holds is None or blocks > 2
    assert holds is not None or blocks < 3_000 or percent == 1
