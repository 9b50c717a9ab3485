"""Strength of one bot against another: Elo, and a sequential test of a difference.

The unit is a block of four games, as in `score_verdict`: its half points, 0 to 8, are the scores of
the sequential test, so that games of the same teams need not be independent.

Source: M. Van den Bergh, "A practical introduction to the GSPRT", 2017; A. Wald, "Sequential tests
    of statistical hypotheses", 1945.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log, log10

from falldamage_forge.playtest.score_verdict import MOST_POINTS

SCALE = 400.0
"""Elo of a share of 10 in 11."""
RISK = 0.05
"""Probability of either wrong decision."""
STRONGER, NOT_STRONGER, OPEN = "stronger", "not stronger", "open"


def share_of(elo: float) -> float:
    """Return the expected score, 0 to 1, of a bot that is stronger by some Elo."""
    return 1 / (1 + exp(-elo * log(10) / SCALE))


def elo_of(share: float) -> float:
    """Return the Elo of an expected score between 0 and 1, both excluded."""
    return SCALE * log10(share / (1 - share))


def likelihood_ratio(scores: Mapping[int, int], elo0: float, elo1: float) -> float:
    """Return the logarithm of the likelihood ratio of two differences in strength.

    The generalised ratio for a mean of unknown variance. A block won and a block lost are added to
    the variance, so that a few equal blocks prove nothing.

    Args:
        scores: Number of blocks by half points of the bot.
        elo0: Elo of the hypothesis under test.
        elo1: Elo of its alternative, above `elo0`.
    """
    blocks = sum(scores.values())
    if not blocks:
        return 0.0
    mean = sum(points * count for points, count in scores.items()) / blocks / MOST_POINTS
    spread = [(points / MOST_POINTS - mean) ** 2 * count for points, count in scores.items()]
    variance = (sum(spread) + (1 - mean) ** 2 + mean**2) / (blocks + 2)
    low, high = share_of(elo0), share_of(elo1)
    return blocks / variance * (high - low) * (mean - (low + high) / 2)


def decide(scores: Mapping[int, int], elo0: float = 0.0, elo1: float = 60.0) -> str:
    """Return whether a bot is stronger: STRONGER, NOT_STRONGER, or OPEN with more blocks to play.

    Args:
        scores: Number of blocks by half points of the bot.
        elo0: Elo that is not enough.
        elo1: Elo that is.
    """
    found, bound = likelihood_ratio(scores, elo0, elo1), log((1 - RISK) / RISK)
    if abs(found) < bound:
        return OPEN
    return STRONGER if found > 0 else NOT_STRONGER
