"""Verdicts of self-play: coverage, least number of games, agreement of bots, exact intervals."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.playtest import score_verdict
from falldamage_forge.playtest import selfplay_metrics as metrics
from falldamage_forge.playtest.score_verdict import (
    CONFIDENCE,
    DISAGREE,
    ESTABLISHED,
    FAIR,
    FIRST,
    LEAST_GAMES,
    OPEN,
    OUTCOMES,
    SECOND,
    SIDE,
    TOO_FEW,
    WITHIN,
    Estimate,
    Tally,
    capital,
    effect,
    effect_json,
    estimate,
    finding,
    format_verdict,
    is_settled,
    looks,
    match_json,
    outcome_of,
    p_value,
)
from falldamage_forge.playtest.selfplay_metrics import judgements, measures, verdicts
from tests.amount import EXHAUSTIVE

SCORES = st.dictionaries(st.integers(0, 8), st.integers(0, 400), max_size=9)
SERIES = 600 if EXHAUSTIVE else 30


# -- exact intervals -------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [1, 2, 4, 7, 40, 2401, 100_000])
def test_interval_equals_scipy_clopper_pearson(games: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    for hits in {0, 1, games // 3, games // 2, games - 1, games}:
        low, high = metrics.interval(hits, games)
        assert low == pytest.approx(stats.beta.ppf(0.025, hits, games - hits + 1) if hits else 0)
        assert high == pytest.approx(
            stats.beta.ppf(0.975, hits + 1, games - hits) if hits < games else 1
        )
        assert metrics.at_most(hits, games, 0.05) == pytest.approx(
            stats.binom.cdf(hits, games, 0.05), abs=1e-12
        )


# -- always-valid intervals ------------------------------------------------------------------------


@given(SCORES)
def test_interval_that_excludes_a_half_has_a_p_value_below_its_risk(scores: dict[int, int]) -> None:
    one, p = estimate(scores), p_value(scores)
    assert one.is_beyond(0) <= (p <= 1 - CONFIDENCE + 1e-9)
    assert p == p_value(score_verdict.mirrored(scores)) and 0 <= p <= 1


def test_p_value_falls_below_the_risk_with_the_least_blocks_that_show_a_stronger_bot() -> None:
    least = score_verdict.least_blocks()
    assert p_value({8: least}) <= 1 - CONFIDENCE < p_value({8: least - 1})


@given(st.lists(st.tuples(st.sets(st.sampled_from("abcd")), st.sets(st.sampled_from("abcd")),
                          st.integers(0, 8)), max_size=9))  # fmt: skip
def test_a_card_scores_the_blocks_of_the_team_that_alone_has_it(
    blocks: list[tuple[set[str], set[str], int]],
) -> None:
    tally = Tally(blocks={n: (4, 0, 0, points) for n, (_, _, points) in enumerate(blocks)})
    tally.blocks[len(blocks)] = (3, 0, 0, 6)
    for n, (one, other, _) in enumerate([*blocks, ({"a"}, {"b"}, 0)]):
        tally.score_cards(n, one, other)
    for card in "abcd":
        own = [p if card in one else 8 - p for one, other, p in blocks if card in one ^ other]
        assert tally.cards.get(card, Counter()) == Counter(own)


def block(dice: random.Random, chance: float, tied: bool = False) -> int:
    """Half points of red in four games: independent, or all four decided by one throw."""
    if tied:
        return 8 * (dice.random() < chance)
    return sum(1 if dice.random() < 0.05 else 2 * (dice.random() < chance) for _ in range(4))


@pytest.mark.parametrize("tied", [False, True], ids=["independent", "tied"])
@pytest.mark.parametrize("chance", [0.5, 0.35, 0.8])
def test_interval_misses_the_true_score_at_any_look_in_at_most_its_share_of_series(
    chance: float, tied: bool
) -> None:
    dice, missed = random.Random(f"{chance} {tied}"), 0
    mean = chance if tied else 0.95 * chance + 0.025
    for _ in range(SERIES):
        scores: Counter[int] = Counter()
        seen = []
        for number in range(1, 301):
            scores[block(dice, chance, tied)] += 1
            if number % 10 == 0 or number < 10:
                one = estimate(scores)
                seen.append(one.low <= mean <= one.high)
        missed += not all(seen)
    # 2 % are allowed; the bound is where chance alone would come once in a million runs.
    assert metrics.at_most(SERIES - missed, SERIES, score_verdict.CONFIDENCE) > 1e-6


@pytest.mark.parametrize(
    ("chance", "wanted"), [(0.5, FAIR), (0.64, FIRST), (0.36, SECOND)], ids=str
)
def test_series_until_settled_gives_the_true_verdict(chance: float, wanted: str) -> None:
    """Two bots of the same true score; of all series at most 2 % may favour a wrong side."""
    dice, found = random.Random(str(chance)), Counter[str]()
    series = 300 if EXHAUSTIVE else 20
    for _ in range(series):
        bots = [Counter[int](), Counter[int]()]
        before = 0
        for games in looks(0.1):
            for scores in bots:
                scores.update(block(dice, chance) for _ in range(games // 4 - before // 4))
            before = games
            if is_settled(map(estimate, bots), 0.1):
                break
        found[outcome_of(map(estimate, bots), 0.1)] += 1
    wrong = series - found[wanted] - found[OPEN]
    assert wrong <= 0.02 * series
    assert found[wanted] >= 0.8 * series, found


@given(SCORES, st.floats(0.01, 0.98), st.floats(0.001, 0.01))
def test_capital_falls_as_the_mean_that_is_bet_against_rises(
    scores: dict[int, int], mean: float, step: float
) -> None:
    assert capital(scores, mean) >= capital(scores, mean + step) - 1e-9


@given(st.floats(0.02, 0.98), st.sampled_from(range(9)))
def test_a_fair_bet_keeps_its_capital_on_average(mean: float, points: int) -> None:
    """Every two-point distribution with this mean: the expected capital after one block is 1."""
    low, high = points, 8
    share = (8 * mean - low) / (high - low) if high > low else 0.0
    if not 0 <= share <= 1 or high == low:
        return
    expected = share * exp(capital({high: 1}, mean)) + (1 - share) * exp(capital({low: 1}, mean))
    assert expected == pytest.approx(1)


@given(SCORES)
def test_estimate_of_the_other_side_is_the_mirror_image(scores: dict[int, int]) -> None:
    one, other = estimate(scores), estimate(score_verdict.mirrored(scores))
    assert one.games == other.games
    assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low), abs=1e-9)
    if one.score is not None:
        assert 0 <= one.low <= one.score <= one.high <= 1


@given(SCORES, st.integers(2, 20))
def test_more_blocks_of_the_same_kind_narrow_the_interval(
    scores: dict[int, int], times: int
) -> None:
    one = estimate(scores)
    more = estimate({points: count * times for points, count in scores.items()})
    assert more.high - more.low <= one.high - one.low + 2e-4


# -- effects of a change ---------------------------------------------------------------------------


def series_of(blocks: list[int]) -> Tally:
    """A tally of blocks in which red has the given half points."""
    return Tally(blocks={number: (4, points, 4) for number, points in enumerate(blocks)})


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=60))
def test_effect_back_is_the_effect_with_its_sign_changed(pairs: list[tuple[int, int]]) -> None:
    before, after = (series_of([pair[n] for pair in pairs]) for n in (0, 1))
    one, back = effect(before, after), effect(after, before)
    assert one.score == pytest.approx(
        sum(then - own for own, then in pairs) / 8 / len(pairs), abs=2e-4
    )
    assert one.score is not None and -1 <= one.low <= one.score <= one.high <= 1
    assert (one.low, one.high) == pytest.approx((-back.high, -back.low), abs=1e-9)


def test_effect_compares_blocks_with_the_same_teams_only() -> None:
    before, after = series_of([4, 8, 2]), series_of([5])
    assert effect(before, after).games == 4
    assert effect(Tally(), after).score is None


@pytest.mark.parametrize(("points", "words"), [(6, "red gains"), (2, "blue gains"), (4, "open")])
def test_effect_is_in_words_when_its_interval_excludes_none(points: int, words: str) -> None:
    found = effect_json(effect(series_of([4] * 80), series_of([points] * 80)))
    assert found["text"].startswith(f"red's score changes by {12.5 * (points - 4):+.1f} % (")
    assert found["text"].endswith(words) and found["games"] == 320


def test_interval_of_an_effect_misses_the_true_change_in_at_most_its_share_of_series() -> None:
    """Pairs of blocks of the same teams: their strength is common, the change is not."""
    dice, missed = random.Random("effect"), 0
    for _ in range(SERIES):
        pairs = [(block(dice, share), block(dice, share + 0.1))
                 for share in (dice.uniform(0.2, 0.7) for _ in range(300))]  # fmt: skip
        one = effect(*(series_of([pair[n] for pair in pairs]) for n in (0, 1)))
        missed += not one.low <= 0.095 <= one.high
    assert metrics.at_most(SERIES - missed, SERIES, score_verdict.CONFIDENCE) > 1e-6


# -- matches of two bots ---------------------------------------------------------------------------


def match_of(blocks: list[list[str]]) -> Tally:
    """A tally of a match: each block lists the winner of its games, `one`, `other` or `none`."""
    tally = Tally()
    for number, winner in enumerate(itertools.chain.from_iterable(blocks)):
        swapped = bool(number & 1)
        sides = {"one": ("red", "blue")[swapped], "other": ("blue", "red")[swapped]}
        tally.score(number, sides.get(winner, "draw"), number >> 1 & 1, swapped)
    return tally


def test_interval_of_a_bot_against_itself_misses_a_half_in_at_most_its_share_of_matches() -> None:
    """A bot keeps its team within a block: drawn teams decide most games of it, for either bot."""
    dice = random.Random("itself")
    missed = missed_by_games = 0
    for _ in range(SERIES):
        blocks = [
            [("other", "one")[dice.random() < share] for _ in range(4)]
            for share in dice.choices((0.05, 0.95), k=100)
        ]
        found, wins = match_json("a", "a", match_of(blocks)), sum(b.count("one") for b in blocks)
        low, high = metrics.interval(wins, 400)
        missed += not found["low"] <= 0.5 <= found["high"]
        missed_by_games += not low <= 0.5 <= high
        assert found["score"] == pytest.approx(wins / 400, abs=1e-4)
    assert metrics.at_most(SERIES - missed, SERIES, score_verdict.CONFIDENCE) > 1e-6
    # An interval over games treats four games of the same teams as four proofs.
    assert missed_by_games > 0.1 * SERIES


@given(st.lists(st.lists(st.sampled_from(["one", "other", "none"]), min_size=4, max_size=4)))
def test_match_of_the_other_bot_is_the_mirror_image(blocks: list[list[str]]) -> None:
    turn = {"one": "other", "other": "one", "none": "none"}
    turned = [[turn[winner] for winner in block] for block in blocks]
    one, other = (match_json("a", "b", match_of(each)) for each in (blocks, turned))
    assert (one["low"], one["high"]) == pytest.approx((1 - other["high"], 1 - other["low"]))
    swap = str.maketrans("ab", "ba")
    ends = [each["text"].rpartition(": ")[2] for each in (one, other)]
    assert ends[0] == (ends[1].translate(swap) if "stronger" in ends[1] else ends[1])


def test_fewer_blocks_than_an_interval_needs_are_too_few() -> None:
    least = score_verdict.least_blocks()
    enough, few = (match_of([["one"] * 4] * blocks) for blocks in (least, least - 1))
    assert match_json("a", "b", enough)["text"].endswith("against b: a is stronger")
    words = f"against b: too few games to tell, play at least {4 * least}"
    assert match_json("a", "b", few)["text"].endswith(words)
    three = match_json("a", "b", match_of([["one"] * 3]))
    assert three["text"] == f"a has no score {words}" and three["games"] == 0


# -- least number of games -------------------------------------------------------------------------


def tally_of(scores: dict[int, int]) -> Tally:
    """A tally of whole blocks in which red is better by the given half points."""
    found, number = Tally(), 0
    for points, count in scores.items():
        for _ in range(count):
            for game in range(4):
                halves = min(2, max(0, points - 2 * game))
                found.score(number, ("blue", "draw", "red")[halves], number >> 1 & 1, False)
                found.counts.update(games=1, red=halves == 2, decided=halves != 1)
                number += 1
    return found


@pytest.mark.parametrize("points", range(9))
@pytest.mark.parametrize("games", [0, 4, 40, LEAST_GAMES - 4, LEAST_GAMES])
def test_no_verdict_under_the_least_number_of_games(games: int, points: int) -> None:
    tallies = {bot: tally_of({points: games // 4}) for bot in ("a", "b")}
    judged = judgements(tallies)
    lines = verdicts({bot: measures(tally, []) for bot, tally in tallies.items()}, judged)
    few = games < LEAST_GAMES
    assert (judged["side"]["outcome"] == TOO_FEW) == few
    assert all(("too few games to tell" in line) == few for line in lines[:2])
    if few:
        assert len(lines) == 2 and not judged["side"]["established"]


def test_too_few_games_of_the_strongest_bot_are_too_few() -> None:
    enough, few = estimate({8: 500}), estimate({8: LEAST_GAMES // 4 - 1})
    assert outcome_of([enough, enough]) == outcome_of([few, enough]) == FIRST
    assert outcome_of([enough, few]) == outcome_of([]) == TOO_FEW


def test_unfinished_blocks_are_left_out() -> None:
    tally = tally_of({8: 3})
    tally.score(12, "red", 0, False)
    assert tally.scores("side") == {8: 3}


# -- what bots say together ------------------------------------------------------------------------

KINDS = {
    "fair": Estimate(0.5, 0.48, 0.52, 4000),
    "red": Estimate(0.6, 0.56, 0.64, 4000),
    "red, a little": Estimate(0.54, 0.51, 0.57, 4000),
    "red within": Estimate(0.515, 0.505, 0.525, 4000),
    "blue": Estimate(0.4, 0.36, 0.44, 4000),
    "open": Estimate(0.51, 0.46, 0.56, 4000),
    "wide": Estimate(0.5, 0.3, 0.7, 4000),
    "few": Estimate(1.0, 0.6, 1.0, 40),
}


@pytest.mark.parametrize("names", list(itertools.product(KINDS, repeat=2)), ids="-".join)
def test_strongest_bot_decides_unless_another_one_contradicts_it(names: tuple[str, str]) -> None:
    weaker, strongest = bots = [KINDS[name] for name in names]
    found, own, other = outcome_of(bots), finding(strongest, WITHIN), finding(weaker, WITHIN)
    assert found in OUTCOMES
    if own in ESTABLISHED and other in ESTABLISHED and own != other:
        assert found == DISAGREE
    else:
        assert found == own
    mirror = [Estimate(0.5, 1 - one.high, 1 - one.low, one.games) for one in bots]
    turned = {FIRST: SECOND, SECOND: FIRST}
    assert outcome_of(mirror) == turned.get(found, found)


@pytest.mark.parametrize(
    ("names", "outcome", "words"),
    [
        (("fair", "fair"), FAIR, "fair within 3 %"),
        (("red", "red, a little"), FIRST, "red is favoured"),
        (("blue", "blue"), SECOND, "blue is favoured"), (("red", "blue"), DISAGREE, "disagree"),
        (("fair", "red"), DISAGREE, "disagree"), (("blue", "fair"), DISAGREE, "disagree"),
        (("open", "fair"), FAIR, "fair"), (("open", "red, a little"), FIRST, "red is"),
        (("red", "wide"), OPEN, "open"), (("red within", "fair"), FAIR, "fair"),
        (("few", "fair"), FAIR, "fair"), (("fair", "few"), TOO_FEW, "too few games"),
    ],
)  # fmt: skip
def test_outcome_of_two_bots(names: tuple[str, str], outcome: str, words: str) -> None:
    """The size of the effect comes first, with its interval; the weaker bots come last."""
    bots = {f"{name} {n}": KINDS[name] for n, name in enumerate(names)}
    assert outcome_of(bots.values()) == outcome
    text = format_verdict(SIDE, bots)
    assert words in text
    if outcome != TOO_FEW:
        assert text.startswith("red scores ") and text.endswith(f"with {names[0]} 0)")
        assert text.index(f"with {names[1]} 1") < text.index(words)


@pytest.mark.parametrize("within", [0.03, 0.05, 0.1])
def test_open_verdict_states_the_most_games_while_there_are_fewer(within: float) -> None:
    most = looks(within)[-1]
    for games in (most - 20, most):
        text = format_verdict(SIDE, {"a": Estimate(0.5, 0.3, 0.7, games)}, within)
        assert (f"open, up to {most:,} games may decide" in text) == (games < most)
        assert "open" in text


def test_lopsided_ridge_on_which_bots_differ_is_no_fair_map() -> None:
    """A stronger bot finds 61 % where careful is not sure: the map is not fair."""
    bots = [Estimate(0.54, 0.49, 0.59, 1200), Estimate(0.61, 0.56, 0.66, 1200)]
    assert outcome_of(bots) == FIRST
    assert is_settled(bots, 0.03)


def test_series_goes_on_until_the_strongest_bot_is_sure() -> None:
    beyond, unsure = Estimate(0.65, 0.55, 0.75, 200), Estimate(0.54, 0.43, 0.66, 200)
    assert not is_settled([beyond, unsure], 0.03)
    assert is_settled([unsure, beyond], 0.03)
    assert is_settled([beyond, Estimate(0.5, 0.47, 0.53, 2_000)], 0.03)
    assert not is_settled([Estimate(0.52, 0.505, 0.535, 2_000)] * 2, 0.03)


@pytest.mark.parametrize("percent", range(1, 51))
def test_looks_rise_in_whole_chunks_to_enough_games(percent: int) -> None:
    plan = looks(percent / 100)
    assert list(plan) == sorted(set(plan)) and all(games % 20 == 0 for games in plan)
    assert plan[0] == LEAST_GAMES
    # A series that comes out even is found fair at the last look.
    even = estimate({3: plan[-1] // 16, 4: plan[-1] // 8, 5: plan[-1] // 16})
    assert even.is_within(percent / 100) or percent > 18
