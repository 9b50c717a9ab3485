"""The sequential test of strength: symmetric, honest about its risks, and soon decided."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from falldamage_forge.playtest import strength
from falldamage_forge.playtest.score_verdict import BLOCK, MOST_POINTS
from falldamage_forge.playtest.strength import NOT_STRONGER, OPEN, STRONGER, decide
from tests.amount import EXHAUSTIVE

SERIES = 1_000 if EXHAUSTIVE else 200
MOST_BLOCKS = 400


def drawn(share: float, dice: random.Random) -> tuple[str, int]:
    """The decision of a series of drawn games, and its number of blocks."""
    scores: Counter[int] = Counter()
    for block in range(MOST_BLOCKS):
        scores[sum(2 * (dice.random() < share) for _ in range(BLOCK))] += 1
        if decide(scores) != OPEN:
            return decide(scores), block
    return OPEN, MOST_BLOCKS


@pytest.mark.parametrize("elo", [-300.0, -60.0, 0.0, 60.0, 300.0])
def test_elo_and_share_are_inverse(elo: float) -> None:
    assert strength.elo_of(strength.share_of(elo)) == pytest.approx(elo)
    assert strength.share_of(elo) + strength.share_of(-elo) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(20))
def test_ratio_changes_its_sign_with_the_bots(seed: int) -> None:
    dice = random.Random(seed)
    scores = Counter(dice.randrange(MOST_POINTS + 1) for _ in range(dice.randrange(1, 60)))
    mirrored = Counter({MOST_POINTS - points: count for points, count in scores.items()})
    one = strength.likelihood_ratio(scores, 0, 60)
    assert one == pytest.approx(-strength.likelihood_ratio(mirrored, -60, 0))


@pytest.mark.parametrize(("elo", "wanted"), [(0.0, NOT_STRONGER), (60.0, STRONGER)])
def test_wrong_decisions_are_as_rare_as_their_risk(elo: float, wanted: str) -> None:
    dice = random.Random(1)
    found = Counter(drawn(strength.share_of(elo), dice)[0] for _ in range(SERIES))
    assert found[wanted] >= (1 - 2 * strength.RISK) * SERIES, found


def test_clear_differences_need_few_blocks_but_not_one() -> None:
    assert decide({}) == decide({MOST_POINTS: 1}) == OPEN
    assert decide({MOST_POINTS: 12}) == STRONGER and decide({0: 12}) == NOT_STRONGER
