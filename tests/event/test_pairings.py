"""Pairings: each pair meets once, nobody plays twice in a round, tables and sides are spread."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.event.event_table import Contest
from falldamage_forge.event.pairings import Round, round_robin, rounds_of, standings, swiss_pairs
from falldamage_forge.issues import ForgeError

NAMES = tuple(f"p{number:02d}" for number in range(1, 24))
TABLES = tuple(f"table-{number}" for number in range(1, 13))
numbers = st.integers(2, 20)


def judge(each: Round, players: tuple[str, ...]) -> None:
    names = [name for game in each.games for name in (game.red, game.blue)]
    assert sorted([*names, *filter(None, [each.bye])]) == sorted(players)
    assert len({game.table for game in each.games}) == len(each.games)


@given(numbers)
def test_round_robin_pairs_all_once(count: int) -> None:
    players = NAMES[:count]
    rounds = rounds_of(Contest(players, "round-robin"), TABLES)
    for each in rounds:
        judge(each, players)
    met = Counter(frozenset((g.red, g.blue)) for each in rounds for g in each.games)
    assert met == {frozenset(pair): 1 for pair in combinations(players, 2)}
    for name in players:
        own = [
            game.red == name
            for each in rounds
            for game in each.games
            if name in (game.red, game.blue)
        ]
        assert abs(2 * sum(own) - len(own)) <= 1, "as often red as blue, but for one game"
    assert len(rounds) == len(round_robin(players)) == count - 1 + count % 2


@settings(max_examples=40, deadline=None)
@given(st.integers(4, 20), st.integers(0, 2**32))
def test_swiss_rounds_never_repeat_a_meeting_or_a_bye(count: int, seed: int) -> None:
    players, chance = NAMES[:count], random.Random(seed)
    contest = Contest(players, "swiss", min(5, count // 2))
    for number in range(1, contest.rounds + 1):
        rounds = rounds_of(contest, TABLES)
        assert len(rounds) == number
        judge(rounds[-1], players)
        new = [
            (number, game.red, game.blue, chance.choice((0.0, 0.5, 1.0)))
            for game in rounds[-1].games
        ]
        contest = replace(contest, results=(*contest.results, *new))
    assert rounds_of(contest, TABLES)[: len(rounds)] == rounds
    met = Counter(frozenset((red, blue)) for _, red, blue, _ in contest.results)
    assert set(met.values()) == {1}
    byes = Counter(each.bye for each in rounds if each.bye)
    assert set(byes.values()) <= {1}
    given_out = contest.rounds * (count // 2 + count % 2)
    assert sum(one.points for one in standings(contest)) == given_out


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([4, 6, 8]), st.integers(0, 2**32))
def test_swiss_search_finds_a_round_exactly_if_there_is_one(count: int, seed: int) -> None:
    chance = random.Random(seed)
    ranked = list(NAMES[:count])
    met = {frozenset(pair) for pair in combinations(ranked, 2) if chance.random() < 0.6}

    def possible(left: list[str]) -> bool:
        return not left or any(
            frozenset((left[0], other)) not in met
            and possible([name for name in left[1:] if name != other])
            for other in left[1:]
        )

    assert (swiss_pairs(ranked, met, ()) is not None) == possible(ranked)


def test_leaders_meet_in_the_second_round() -> None:
    results = ((1, "p01", "p02", 1.0), (1, "p03", "p04", 1.0))
    contest = Contest(NAMES[:4], "swiss", 2, results)
    last = rounds_of(contest, TABLES)[-1]
    assert {frozenset((g.red, g.blue)) for g in last.games} == {
        frozenset(("p01", "p03")),
        frozenset(("p02", "p04")),
    }


def test_a_round_with_a_missing_result_is_refused() -> None:
    contest = Contest(NAMES[:4], "swiss", 2, ((1, "p01", "p02", 1.0),))
    with pytest.raises(ForgeError, match="round 1 has 1 of 2 results"):
        rounds_of(contest, TABLES)
