"""Verdicts from self-play: anytime-valid confidence intervals of a score, for several bots.

The unit is a block: four games of the same two teams, each on either side, either moving first. A
block's score for a side is 0 to 8 half points: a win is two, an undecided game one. Blocks are
independent; the four games of a block need not be.
An interval holds at every number of blocks at once, so a series may be inspected at any time and
continued. It depends on the counts of scores, not on their order. Tallies hold these counts and all
others as integers, so any number of workers gives the same bytes.

Source: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting"
    (2024), with a mixture of constant bets; Ville's inequality.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cache
from itertools import count
from math import ceil, exp, inf, log
from typing import Any

from falldamage_forge.games.fall_damage.play.state_value import SIDES
from falldamage_forge.infra.lazy_dataclass import dataclass

BLOCK = 4
"""Games in a block."""
MOST_POINTS = 2 * BLOCK
LEAST_GAMES = 200
"""Games per bot below which there is no verdict."""
CONFIDENCE = 0.98
"""Confidence of an interval, at all numbers of games together."""
WITHIN = 0.03
"""Greatest distance of a fair side's score from one half."""
STAKES = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 15 / 16)
"""Shares of the capital that the bets of the mixture stake on a block."""
_DIGITS = 10_000

TOO_FEW, FAIR, FIRST, SECOND, DISAGREE, OPEN = (
    "too few to tell", "fair", "first favoured", "second favoured", "bots disagree", "open",
)  # fmt: skip
OUTCOMES = (TOO_FEW, FAIR, FIRST, SECOND, DISAGREE, OPEN)
ESTABLISHED = frozenset({FAIR, FIRST, SECOND})
"""Outcomes that hold with the confidence of an interval."""

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
        """True if there are enough games for a verdict."""
        return self.games >= LEAST_GAMES

    def is_within(self, distance: float) -> bool:
        """True if the whole interval lies within a distance of one half."""
        return self.low >= 0.5 - distance and self.high <= 0.5 + distance

    def is_beyond(self, distance: float) -> bool:
        """True if the whole interval lies farther than a distance from one half, to one side."""
        return self.low > 0.5 + distance or self.high < 0.5 - distance

    def json(self) -> dict[str, Any]:
        """Return the estimate as JSON values."""
        return {"score": self.score, "low": self.low, "high": self.high, "games": self.games}


# -- one bot ---------------------------------------------------------------------------------------


def capital(scores: Scores, mean: float, most: int = MOST_POINTS) -> float:
    """Return the logarithm of the capital of bets that the mean score is above `mean`.

    If the true mean is at most `mean`, the capital is a supermartingale that begins at 1: the
    probability that it ever reaches 1 / a is at most a.

    Args:
        scores: Blocks by half points.
        mean: Mean under test, from 0 to 1.
        most: Greatest number of half points.
    """
    if mean <= 0:
        return inf if any(points and count for points, count in scores.items()) else 0.0
    logs = [
        sum(n * log(1 - bet + bet * points / most / mean) for points, n in scores.items())
        for bet in STAKES
    ]
    top = max(logs)
    return top + log(sum(exp(each - top) for each in logs) / len(STAKES))


def lower_bound(scores: Scores, risk: float, most: int = MOST_POINTS) -> float:
    """Return the least mean that the bets have not refuted, rounded down to four digits.

    Args:
        scores: Blocks by half points.
        risk: Probability that the bound is ever wrong.
        most: Greatest number of half points.
    """
    limit = log(1 / risk)

    def is_open(mean: int) -> bool:
        return capital(scores, mean / _DIGITS, most) < limit

    return bisect_left(range(1, _DIGITS), True, key=is_open) / _DIGITS


def mirrored(scores: Scores, most: int = MOST_POINTS) -> dict[int, int]:
    """Return the scores of the other side.

    Args:
        scores: Number of blocks by points of a side.
        most: Points of a block that both sides share.
    """
    return {most - points: count for points, count in scores.items()}


def estimate(scores: Scores, most: int = MOST_POINTS) -> Estimate:
    """Return a side's mean score and its always-valid interval, rounded outward to four digits.

    Args:
        scores: Number of blocks by points of a side.
        most: Points of a block that both sides share.
    """
    blocks = sum(scores.values())
    if not blocks:
        return Estimate(None, 0.0, 1.0, 0)
    score = sum(points * count for points, count in scores.items()) / blocks / most
    risk = (1 - CONFIDENCE) / 2
    low = lower_bound(scores, risk, most)
    high = 1 - lower_bound(mirrored(scores, most), risk, most)
    return Estimate(round(score, 4), low, round(high, 4), BLOCK * blocks)


def p_value(scores: Scores) -> float:
    """Return the p-value of a mean score against one half, two-sided, at any number of blocks."""
    most = max(capital(scores, 0.5), capital(mirrored(scores), 0.5))
    return min(1.0, 2 * exp(-most))


def effect(before: Tally, after: Tally) -> Estimate:
    """Return the change of red's score from one series to another, from -1 to 1.

    Blocks are compared in pairs: both series have the same teams, places and dice.

    Args:
        before: Results of the first series.
        after: Results of the second, of the same length.
    """
    own, then = before.points(SIDE.key), after.points(SIDE.key)
    changes = Counter(MOST_POINTS + then[at] - own[at] for at in own.keys() & then.keys())
    one = estimate(changes, 2 * MOST_POINTS)
    score = None if one.score is None else round(2 * one.score - 1, 4)
    return Estimate(score, round(2 * one.low - 1, 4), round(2 * one.high - 1, 4), one.games)


# -- all bots --------------------------------------------------------------------------------------


def finding(one: Estimate, within: float) -> str:
    """Return what one bot establishes: FAIR, FIRST or SECOND; else OPEN or TOO_FEW.

    Args:
        one: Score of one bot with its interval.
        within: Greatest distance from an even score that counts as fair.
    """
    if not one.is_enough:
        return TOO_FEW
    if one.is_within(within):
        return FAIR
    if one.is_beyond(0):
        return FIRST if one.low > 0.5 else SECOND
    return OPEN


def outcome_of(estimates: Iterable[Estimate], within: float = WITHIN) -> str:
    """Return one of OUTCOMES: the finding of the strongest bot, unless another one contradicts it.

    Args:
        estimates: One per bot, the strongest last.
        within: Distance from one half up to which a side counts as fair.
    """
    found = [finding(one, within) for one in estimates]
    if not found:
        return TOO_FEW
    established = set(found) & ESTABLISHED
    return DISAGREE if found[-1] in ESTABLISHED and len(established) > 1 else found[-1]


def is_settled(estimates: Iterable[Estimate], within: float) -> bool:
    """True if more games are not needed: the strongest bot finds the map fair, or clearly not.

    Args:
        estimates: One per bot, the strongest last.
        within: Distance from one half up to which a side counts as fair.
    """
    *_, strongest = estimates
    clear = strongest.is_within(within) or strongest.is_beyond(within)
    return strongest.is_enough and clear


def looks(within: float) -> tuple[int, ...]:
    """Return the numbers of games at which a series is inspected, the last one the greatest.

    With the last one a map of score one half is nearly always found fair: see `docs/playtest.md`.
    """
    most = max(LEAST_GAMES, 20 * ceil(7.2 / within**2 / 20))
    found, games = [], LEAST_GAMES
    while games < most:
        found.append(games)
        games = 20 * ceil(games * 1.5 / 20)
    return (*found, most)


# -- in words --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScoreQuestion:
    """Subject of a verdict, and the two parties that may be favoured."""

    key: str
    what: str
    first: str
    second: str


SIDE = ScoreQuestion("side", "side", "red", "blue")
FIRST_MOVE = ScoreQuestion("first_move", "first move", "the first mover", "the second mover")
QUESTIONS = (SIDE, FIRST_MOVE)
BOT = "bot"
"""Key of the first bot's half points: a bot keeps its team within a block."""
_POINTS = (*(each.key for each in QUESTIONS), BOT)
"""Keys in the order of the half points in a block."""


def format_verdict(
    question: ScoreQuestion, estimates: Mapping[str, Estimate], within: float = WITHIN
) -> str:
    """Return the verdict as a sentence: the score with the strongest bot, then its outcome.

    Args:
        question: Subject of the verdict.
        estimates: Estimate of each bot, the strongest last.
        within: Distance from one half up to which a side counts as fair.
    """
    outcome, most = outcome_of(estimates.values(), within), looks(within)[-1]
    games = list(estimates.values())[-1].games if estimates else 0
    if outcome == TOO_FEW:
        return f"too few games to tell: {games:,} a bot, a verdict needs {LEAST_GAMES}"
    *others, strongest = (f"{_shown(one)} with {name}" for name, one in estimates.items())
    words = {
        FAIR: f"fair within {100 * within:g} %",
        FIRST: f"{question.first} is favoured",
        SECOND: f"{question.second} is favoured",
        OPEN: f"open, up to {most:,} games may decide" if games < most else OPEN,
    }.get(outcome, outcome)
    told = f" ({', '.join(others)})" if others else ""
    return f"{question.first} scores {strongest}: {words}{told}"


def effect_json(change: Estimate) -> dict[str, Any]:
    """Return an effect as JSON values, with a sentence: its size and interval, then its meaning."""
    score, low, high = (100 * (value or 0.0) for value in (change.score, change.low, change.high))
    words = "red gains" if low > 0 else "blue gains" if high < 0 else "open"
    text = f"red's score changes by {score:+.1f} % ({low:+.1f} to {high:+.1f}): {words}"
    return {**change.json(), "text": text}


def match_json(one: str, other: str, tally: Tally) -> dict[str, Any]:
    """Return the first bot's score as JSON values, with a sentence: its interval, then its meaning.

    Args:
        one: Name of the first bot.
        other: Name of the second bot.
        tally: Games of the first bot against the second.
    """
    found = estimate(tally.scores(BOT))
    least = BLOCK * least_blocks()
    if found.low > 0.5:
        words = f"{one} is stronger"
    elif found.high < 0.5:
        words = f"{other} is stronger"
    else:
        words = OPEN if found.games >= least else f"too few games to tell, play at least {least}"
    score = "has no score" if found.score is None else f"scores {_shown(found)}"
    text = f"{one} {score} against {other}: {words}"
    return {**found.json(), "confidence": CONFIDENCE, "least_games": least, "text": text}


@cache
def least_blocks() -> int:
    """Return the number of blocks from which an interval excludes one half if a bot wins all."""
    limit = log(2 / (1 - CONFIDENCE))
    return next(n for n in count(1) if capital({MOST_POINTS: n}, 0.5) >= limit)


def _shown(one: Estimate) -> str:
    score, low, high = (100 * (value or 0.0) for value in (one.score, one.low, one.high))
    return f"{score:.1f} % ({low:.1f} to {high:.1f})"


def as_json(question: ScoreQuestion, estimates: Mapping[str, Estimate]) -> dict[str, Any]:
    """Return the verdict as JSON values.

    Args:
        question: Map, rules and sides that were played.
        estimates: Score by bot.
    """
    outcome = outcome_of(estimates.values())
    named = {FIRST: f"{question.first} favoured", SECOND: f"{question.second} favoured"}
    return {
        "outcome": named.get(outcome, outcome),
        "text": format_verdict(question, estimates),
        "established": outcome in ESTABLISHED,
        "decided_by": [*estimates, None][len(estimates) - 1],
        "within": WITHIN,
        "confidence": CONFIDENCE,
        "least_games": LEAST_GAMES,
        "most_games": looks(WITHIN)[-1],
        "bots": {name: one.json() for name, one in estimates.items()},
    }


OVER_BY = (4, 6, 8, 10)


@dataclass
class Tally:
    """Counts of any number of games.

    Attributes:
        counts: Counts by name.
        values: Number of games, sum and sum of squares, by name.
        spots: Counts by surface number, by kind.
        cards: Number of blocks in which only one team had a card, by half points of that team.
        habits: Counts of what units did in their own activation, by card and `codes.HABITS`.
        rounds: Decided games by length in rounds.
        games: Number and rounds of each game; negative rounds if undecided.
        blocks: Number of games, half points of red, of the first mover and of the first bot, by
            block number.
        forfeits: Number, bot and reason of each game that a program lost by rule.
    """

    counts: Counter[str] = field(default_factory=Counter)
    values: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    spots: dict[str, Counter[int]] = field(default_factory=dict)
    cards: dict[str, Counter[int]] = field(default_factory=dict)
    habits: dict[str, Counter[str]] = field(default_factory=dict)
    rounds: Counter[int] = field(default_factory=Counter)
    games: list[tuple[int, int]] = field(default_factory=list)
    blocks: dict[int, tuple[int, ...]] = field(default_factory=dict)
    forfeits: list[tuple[int, str, str]] = field(default_factory=list)

    def score(self, number: int, result: str, first: int, swapped: bool) -> None:
        """Add the result of a game.

        Args:
            number: Number of the game.
            result: Winner's side; other results are undecided.
            first: Side that moved first.
            swapped: True if the first bot played blue.
        """
        halves = [2 * (result == side) + (result not in SIDES) for side in SIDES]
        self._block(number // BLOCK, (1, halves[0], halves[first], halves[swapped]))

    def score_cards(self, number: int, first: Iterable[str], second: Iterable[str]) -> None:
        """Add a block to each card that only one of its teams has; nothing if it is incomplete.

        Args:
            number: Number of the block.
            first: Cards of the first bot's team.
            second: Cards of the other team.
        """
        points = self.points(BOT).get(number)
        if points is None:
            return
        own, other = set(first), set(second)
        for cards, half in ((own - other, points), (other - own, MOST_POINTS - points)):
            for card in sorted(cards):
                self.cards.setdefault(card, Counter())[half] += 1

    def _block(self, number: int, more: tuple[int, ...]) -> None:
        had = self.blocks.get(number, (0,) * len(more))
        self.blocks[number] = tuple(a + b for a, b in zip(had, more, strict=True))

    def points(self, question: str) -> dict[int, int]:
        """Return the half points of each complete block, by its number.

        Args:
            question: `side` for the points of red, `first_move` for those of the first mover, `BOT`
                for those of the first bot.
        """
        at = 1 + _POINTS.index(question)
        return {number: block[at] for number, block in self.blocks.items() if block[0] == BLOCK}

    def scores(self, question: str) -> Counter[int]:
        """Return the number of complete blocks by half points, of a question as in `points`."""
        return Counter(self.points(question).values())

    def add(self, other: Tally) -> None:
        """Add another tally."""
        self.counts += other.counts
        self.rounds += other.rounds
        self.games += other.games
        self.forfeits += other.forfeits
        for name, (games, total, squares) in other.values.items():
            own = self.values.get(name, (0, 0, 0))
            self.values[name] = (own[0] + games, own[1] + total, own[2] + squares)
        for kind, spots in other.spots.items():
            self.spots.setdefault(kind, Counter()).update(spots)
        for card, habits in other.habits.items():
            self.habits.setdefault(card, Counter()).update(habits)
        for number, block in other.blocks.items():
            self._block(number, block)
        for name, scores in other.cards.items():
            self.cards.setdefault(name, Counter()).update(scores)
