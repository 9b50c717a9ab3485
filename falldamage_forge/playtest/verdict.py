"""Verdicts from self-play: always-valid intervals of a score, and what bots say together.

The unit is a block: four games of the same two teams, each on either side, either moving first. A
block's score for a side is 0 to 8 half points: a win is two, an undecided game one. Blocks are
independent, so the tests hold however the four games of a block hang together.

An interval holds at every number of blocks at once, so a series may be looked at as often as wanted
and played on until it is decided. It hangs on the counts of scores alone, never on their order.

Source: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting"
(2024), with a mixture of constant bets; Ville's inequality.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil, exp, floor, inf, log
from typing import Any

from falldamage_forge.values import dataclass

BLOCK = 4
"""Games in a block."""
MOST_POINTS = 2 * BLOCK
LEAST_GAMES = 200
"""Games a bot below which there is no verdict."""
CONFIDENCE = 0.98
"""Confidence of an interval, at all numbers of games together."""
WITHIN = 0.03
"""A map is fair where the score of a side is so near to one half."""
STAKES = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 15 / 16)
"""Shares of the capital that the bets of the mixture put on a block."""
_HALVINGS, _DIGITS = 30, 10_000

TOO_FEW, FAIR, FIRST, SECOND, DISAGREE, OPEN = (
    "too few to tell", "fair", "first favoured", "second favoured", "bots disagree", "open",
)  # fmt: skip
OUTCOMES = (TOO_FEW, FAIR, FIRST, SECOND, DISAGREE, OPEN)

Scores = Mapping[int, int]
"""Number of blocks by their half points, 0 to MOST_POINTS."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A side's mean score with one bot, from 0 to 1, its interval, and games in whole blocks."""

    score: float | None
    low: float
    high: float
    games: int

    @property
    def is_enough(self) -> bool:
        """True if there are games enough for a verdict."""
        return self.games >= LEAST_GAMES

    def is_within(self, distance: float) -> bool:
        """True if the whole interval lies within a distance of one half."""
        return self.low >= 0.5 - distance and self.high <= 0.5 + distance

    def is_beyond(self, distance: float) -> bool:
        """True if the whole interval lies farther than a distance from one half, to one side."""
        return self.low > 0.5 + distance or self.high < 0.5 - distance


# -- one bot ---------------------------------------------------------------------------------------


def capital(scores: Scores, mean: float) -> float:
    """Return the logarithm of the capital of bets that the mean score is above `mean`.

    If the true mean is at most `mean`, the capital is a supermartingale that begins at 1: the
    probability that it ever reaches 1 / a is at most a.

    Args:
        scores: Blocks by half points.
        mean: The mean that is bet against, 0 to 1.
    """
    if mean <= 0:
        return inf if any(points and count for points, count in scores.items()) else 0.0
    logs = [
        sum(n * log(1 - bet + bet * points / MOST_POINTS / mean) for points, n in scores.items())
        for bet in STAKES
    ]
    most = max(logs)
    return most + log(sum(exp(each - most) for each in logs) / len(STAKES))


def lower_bound(scores: Scores, risk: float) -> float:
    """Return the least mean that the bets have not refuted; their capital falls with the mean."""
    limit, low, high = log(1 / risk), 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if capital(scores, middle) >= limit else (low, middle)
    return low


def mirrored(scores: Scores) -> dict[int, int]:
    """Return the scores of the other side."""
    return {MOST_POINTS - points: count for points, count in scores.items()}


def estimate(scores: Scores) -> Estimate:
    """Return a side's mean score and its always-valid interval, rounded outward to four digits."""
    blocks = sum(scores.values())
    if not blocks:
        return Estimate(None, 0.0, 1.0, 0)
    score = sum(points * count for points, count in scores.items()) / blocks / MOST_POINTS
    risk = (1 - CONFIDENCE) / 2
    low = floor(_DIGITS * lower_bound(scores, risk)) / _DIGITS
    high = 1 - floor(_DIGITS * lower_bound(mirrored(scores), risk)) / _DIGITS
    return Estimate(round(score, 4), low, round(high, 4), BLOCK * blocks)


# -- all bots --------------------------------------------------------------------------------------


def outcome_of(estimates: Iterable[Estimate], within: float = WITHIN) -> str:
    """Return one of OUTCOMES for the estimates of all bots.

    Bots disagree where two intervals have no mean in common and not all show the same side.

    Args:
        estimates: One a bot.
        within: Distance from one half up to which a side counts as fair.
    """
    told = tuple(estimates)
    if not told or not all(one.is_enough for one in told):
        return TOO_FEW
    if all(one.is_within(within) for one in told):
        return FAIR
    if all(one.low > 0.5 for one in told):
        return FIRST
    if all(one.high < 0.5 for one in told):
        return SECOND
    if max(one.low for one in told) > min(one.high for one in told):
        return DISAGREE
    return OPEN


def is_settled(estimates: Iterable[Estimate], within: float) -> bool:
    """True if more games are not needed: all bots find a map fair, or it is clear why not.

    A bot that is beyond the distance is not enough: the others may yet agree or disagree with it.
    """
    told = tuple(estimates)
    outcome = outcome_of(told, within)
    unfair = outcome in (FIRST, SECOND, DISAGREE) and any(one.is_beyond(within) for one in told)
    return outcome == FAIR or unfair


def looks(within: float) -> tuple[int, ...]:
    """Return the numbers of games at which a series is looked at, the last of them the most.

    Enough that a map of score one half is nearly always found fair: see `docs/playtest.md`.
    """
    most = max(LEAST_GAMES, 20 * ceil(7.2 / within**2 / 20))
    found, games = [], LEAST_GAMES
    while games < most:
        found.append(games)
        games = 20 * ceil(games * 1.5 / 20)
    return (*found, most)


# -- in words --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    """What a verdict is about, and the two who may be favoured."""

    key: str
    what: str
    first: str
    second: str


SIDE = Question("side", "side", "red", "blue")
FIRST_MOVE = Question("first_move", "first move", "the first mover", "the second mover")
QUESTIONS = (SIDE, FIRST_MOVE)


def told(question: Question, estimates: Mapping[str, Estimate], within: float = WITHIN) -> str:
    """Return the verdict as a sentence."""
    outcome = outcome_of(estimates.values(), within)
    if outcome == TOO_FEW:
        games = min((one.games for one in estimates.values()), default=0)
        return f"too few games to tell: {games:,} a bot, a verdict needs {LEAST_GAMES}"
    shown = ", ".join(f"{_shown(one)} with {name}" for name, one in estimates.items())
    shown = f"{question.first} scores {shown}"
    if outcome in (FIRST, SECOND):
        who = question.first if outcome == FIRST else question.second
        return f"{who} is favoured: established ({shown})"
    if outcome == FAIR:
        return f"fair within {100 * within:g} %: established ({shown})"
    if outcome == DISAGREE:
        return f"bots disagree: not established ({shown})"
    alone = [name for name, one in estimates.items() if one.is_beyond(0)]
    only = "no difference found"
    if alone:
        only = f"only {', '.join(alone)} show{'s' * (len(alone) == 1)} a difference"
    return f"open: {only} ({shown})"


def _shown(one: Estimate) -> str:
    score, low, high = (100 * (value or 0.0) for value in (one.score, one.low, one.high))
    return f"{score:.1f} % ({low:.1f} to {high:.1f})"


def as_json(question: Question, estimates: Mapping[str, Estimate]) -> dict[str, Any]:
    """Return the verdict as plain values."""
    outcome = outcome_of(estimates.values())
    named = {FIRST: f"{question.first} favoured", SECOND: f"{question.second} favoured"}
    return {
        "outcome": named.get(outcome, outcome),
        "text": told(question, estimates),
        "established": outcome in (FAIR, FIRST, SECOND),
        "within": WITHIN,
        "confidence": CONFIDENCE,
        "least_games": LEAST_GAMES,
        "bots": {
            name: {"score": one.score, "low": one.low, "high": one.high, "games": one.games}
            for name, one in estimates.items()
        },
    }
