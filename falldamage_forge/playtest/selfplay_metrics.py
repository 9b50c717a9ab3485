"""The metrics of a map from self-play, each with its interval, and their verdicts.

Shares have exact binomial intervals of 95 %, means have normal ones, scores of cards those of
verdicts. "Decided" games have a winner.

Source: C. J. Clopper and E. S. Pearson, Biometrika 26 (1934); the continued fraction of the
    regularized incomplete beta function is DLMF 8.17.22.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import exp, lgamma, log, log1p, sqrt
from typing import Any

from falldamage_forge.games.fall_damage.engine.codes import H_BRICKS, HABITS, PART
from falldamage_forge.games.fall_damage.play.surface_number import spot_name
from falldamage_forge.playtest import score_verdict
from falldamage_forge.playtest.score_verdict import Tally
from falldamage_forge.rules.side_exchange import SideExchange

CONFIDENCE = 0.95
"""Confidence of the intervals of metrics."""
_TINY, _CLOSE, _HALVINGS = 1e-300, 1e-12, 50


def at_most(hits: float, games: float, chance: float) -> float:
    """Return the probability of at most `hits` successes in `games` trials.

    Args:
        hits: Number of successes; a fraction if the share was counted in other units.
        games: Number of independent trials.
        chance: Probability of a success, from 0 to 1.
    """
    return beta_cdf(1 - chance, games - hits, hits + 1) if hits < games else 1.0


def interval(hits: float, games: float) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of a share.

    Args:
        hits: Number of successes; a fraction where the share was counted in other units.
        games: Number of independent trials, above 0.
    """
    tail = (1 - CONFIDENCE) / 2
    return _least(hits, games, tail), 1 - _least(games - hits, games, tail)


def _least(hits: float, games: float, tail: float) -> float:
    """Return the probability at which at least `hits` successes have the probability `tail`."""
    if hits <= 0:
        return 0.0
    low, high = 0.0, min(hits / games, 1.0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = beta_cdf(middle, hits, games - hits + 1) < tail
        low, high = (middle, high) if below else (low, middle)
    return low


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularized incomplete beta function I_x(a, b), for positive a and b.

    Args:
        x: Place, 0 to 1.
        a: First parameter.
        b: Second parameter.
    """
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)
    return exp(front) / a / _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the function, by Lentz's method."""
    c, d = 1.0, 0.0
    value, step, n = 1.0, 0.0, 0
    while abs(step - 1) > _CLOSE:
        for term in _terms(x, a, b, n):
            d = 1 / ((1 + term * d) or _TINY)
            c = (1 + term / c) or _TINY
            step = c * d
            value *= step
        n += 1
    return value


def _terms(x: float, a: float, b: float, n: int) -> tuple[float, ...]:
    odd = -(a + n) * (a + b + n) * x / ((a + 2 * n) * (a + 2 * n + 1))
    if not n:
        return (odd,)
    even = n * (b - n) * x / ((a + 2 * n - 1) * (a + 2 * n))
    return even, odd


Z = 1.959964
Measure = dict[str, Any]


def exact_share(hits: int, games: int) -> Measure:
    """Return a share with its exact (Clopper-Pearson) interval.

    Args:
        hits: Number of games with the property.
        games: Number of all games.
    """
    return clustered_share(hits, games, games)


def clustered_share(hits: int, things: int, games: int) -> Measure:
    """Return a share of chests or deaths, with an interval by games.

    Events of one game depend on each other. The interval assumes the worst case: all events of a
    game are equal.

    Args:
        hits: Number of successes.
        things: Number of events.
        games: Number of games.
    """
    if not things or not games:
        return {"share": None, "low": 0.0, "high": 1.0, "n": 0}
    low, high = interval(hits / things * games, games)
    return {"share": round(hits / things, 4), "low": round(low, 4), "high": round(high, 4),
            "n": games}  # fmt: skip


def mean(values: tuple[int, int, int], parts: int = 1) -> Measure:
    """Return a mean and its interval.

    Args:
        values: Count, sum and sum of squares.
        parts: Divisor of the values.
    """
    games, total, squares = values
    if not games:
        return {"mean": None, "low": None, "high": None, "n": 0}
    middle = total / games
    spread = sqrt(max(squares / games - middle * middle, 0.0) / games) * Z
    bounds = (middle, max(middle - spread, 0.0), middle + spread)
    names = ("mean", "low", "high")
    return {**{n: round(v / parts, 4) for n, v in zip(names, bounds, strict=True)}, "n": games}


def measures(tally: Tally, surfaces: list[int]) -> dict[str, Any]:
    """Return all metrics of one bot's games on a map.

    Args:
        tally: Counts of the games.
        surfaces: Surface numbers of the map.
    """
    counts = tally.counts
    games, decided = counts["games"], counts["decided"]
    none = (0, 0, 0)
    finders = tally.values.get("first_chest", none)[0]

    def value(name: str, parts: int = 1) -> Measure:
        return mean(tally.values.get(name, none), parts)

    return {
        "red_wins": exact_share(counts["red"], decided),
        "first_mover_wins": exact_share(counts["first_wins"], decided),
        "undecided": exact_share(games - decided, games),
        "rounds": {
            **value("rounds"),
            **_quantiles(tally),
            "over_by": {str(n): exact_share(_by(tally, n), games) for n in score_verdict.OVER_BY},
            "histogram": {str(n): count for n, count in sorted(tally.rounds.items())},
        },
        "comebacks": exact_share(counts["comebacks"], counts["bled"]),
        "fall_kills": value("fall_kills", PART),
        "lava_kills": value("lava_kills", PART),
        "attack_kills": value("attack_kills", PART),
        "treasure_opened": clustered_share(counts["opened"], counts["chests"], games),
        "treasure_first_round": value("first_chest"),
        "treasure_wins": exact_share(counts["richer_won"], counts["richer"]),
        "treasure_red": clustered_share(counts["opened_red"], counts["opened"], finders),
        "dead_zones": _dead(tally, surfaces),
        "hot_spots": _hot(tally, surfaces),
        "first_damage": value("first_damage"),
        "strikes": value("strikes", PART),
        "from_above": value("from_above", PART),
        "higher_wins": exact_share(counts["higher_won"], counts["higher"]),
        "finished": exact_share(counts["finished"], counts["far_ahead"]),
        "finished_unpoisoned": exact_share(
            counts["finished"], counts["far_ahead"] - counts["poisoned"]
        ),
        **_habits(tally),
        "cards": _cards(tally),
        "maps": {
            kind: {spot_name(s): n for s, n in sorted(tally.spots.get(kind, {}).items())}
            for kind in ("visits", "deaths", "falls", "treasure")
        },
    }


OWN_DEATHS = HABITS[H_BRICKS:]
"""Causes of a death in the unit's own activation, as counted in `habits`."""
_SHARES = {
    "idle": ("idle",),
    "back_and_forth": ("back_and_forth",),
    "empty_shots": ("tree_shots", "ladder_shots", "bridge_shots"),
    "own_deaths": OWN_DEATHS,
}
"""Shares of all activations, and the habits that each one sums."""


def _habits(tally: Tally) -> dict[str, Any]:
    """Return the shares of activations that a player would avoid, and the counts by card."""
    sums: Counter[str] = Counter()
    for habits in tally.habits.values():
        sums += habits
    shares = {
        name: clustered_share(
            sum(sums[habit] for habit in habits), sums["activations"], tally.counts["games"]
        )
        for name, habits in _SHARES.items()
    }
    by_card = {
        card: {name: habits[name] for name in HABITS if habits[name]}
        for card, habits in sorted(tally.habits.items())
    }
    return {**shares, "habits": by_card}


def _by(tally: Tally, number: int) -> int:
    return sum(count for rounds, count in tally.rounds.items() if rounds <= number)


def _quantiles(tally: Tally) -> dict[str, int | None]:
    """Return the 10 %, 50 % and 90 % quantiles of the lengths of decided games, in rounds."""
    total, found, seen = sum(tally.rounds.values()), {}, 0
    marks = {"p10": 0.1, "median": 0.5, "p90": 0.9}
    for rounds, count in sorted(tally.rounds.items()):
        seen += count
        for name, mark in marks.items():
            if name not in found and seen >= mark * total:
                found[name] = rounds
    return {name: found.get(name) for name in marks}


def _dead(tally: Tally, surfaces: list[int]) -> Measure:
    """Return the surfaces on which a unit stands in less than 5 % of games, by the upper bound."""
    games, visits = tally.counts["games"], tally.spots.get("visits", Counter())
    tail = (1 - CONFIDENCE) / 2
    dead = [s for s in surfaces if at_most(visits.get(s, 0), games, 0.05) < tail]
    return {"count": len(dead), "of": len(surfaces), "spots": [spot_name(spot) for spot in dead]}


def _hot(tally: Tally, surfaces: list[int]) -> Measure:
    """Return the share of deaths on the tenth of the surfaces with most deaths."""
    deaths = tally.spots.get("deaths", Counter())
    most = sorted(deaths.values(), reverse=True)[: max(len(surfaces) // 10, 1)]
    return clustered_share(sum(most), sum(deaths.values()), tally.counts["games"])


def _cards(tally: Tally) -> dict[str, Measure]:
    """Return the score of the team that alone has a card; `p` is adjusted by Holm's method."""
    found: dict[str, Measure] = {}
    for name, scores in sorted(tally.cards.items()):
        one = score_verdict.estimate(scores)
        found[name] = {"share": one.score, "low": one.low, "high": one.high, "n": one.games}
    raw = {name: score_verdict.p_value(scores) for name, scores in tally.cards.items()}
    worst, left = 0.0, len(raw)
    for name in sorted(raw, key=lambda card: (raw[card], card)):
        worst = max(worst, min(raw[name] * left, 1.0))
        found[name]["p"] = round(worst, 4)
        left -= 1
    return found


# -- verdicts --------------------------------------------------------------------------------------


LIMITS = (
    ("undecided", "low", 0.10,
     "undecided: above 10 % with every bot: the sides cannot reach each other"),
    ("comebacks", "high", 0.2, "comebacks: first blood decides"),
    ("treasure_wins", "low", 0.65, "treasure: the side that opens more wins: it decides the game"),
    ("treasure_opened", "high", 0.1, "treasure: hardly ever opened: out of reach"),
)  # fmt: skip
"""Metrics, and the verdict if the interval lies above (`low`) or below (`high`) a limit."""


def verdicts(
    bots: dict[str, dict[str, Any]],
    judged: Mapping[str, Any],
    exchange: SideExchange | None = None,
) -> list[str]:
    """Return the verdicts by the thresholds of docs/playtest.md, which hold with every bot.

    Args:
        bots: Metrics of each bot.
        judged: `judgements` of the same games; if they are too few, only these are returned.
        exchange: The transform that exchanges the sides of the map, if there is one.
    """
    lines = [
        f"{question.what}: {judged[question.key]['text']}" for question in score_verdict.QUESTIONS
    ]
    if exchange and not exchange.is_exact:
        lines.append(f"symmetry: {exchange.text}")
    if judged[score_verdict.FIRST_MOVE.key]["outcome"] == score_verdict.TOO_FEW:
        return lines
    return [*lines, *_beyond(bots, LIMITS[:1]), *_lengths(bots), *_beyond(bots, LIMITS[1:])]


def judgements(
    tallies: Mapping[str, Tally], exchange: SideExchange | None = None
) -> dict[str, Any]:
    """Return the verdict of all bots on side and first move.

    Args:
        tallies: Games of each bot.
        exchange: The transform that exchanges the sides; an exact one decides on the side.
    """
    judged = {
        question.key: score_verdict.as_json(
            question,
            {
                bot: score_verdict.estimate(tally.scores(question.key))
                for bot, tally in tallies.items()
            },
        )
        for question in score_verdict.QUESTIONS
    }
    if exchange and exchange.is_exact:
        judged[score_verdict.SIDE.key] |= {
            "outcome": score_verdict.FAIR,
            "text": exchange.text,
            "established": True,
            "decided_by": exchange.transform,
        }
    return judged


def _beyond(
    bots: Mapping[str, Mapping[str, Any]], limits: Sequence[tuple[str, str, float, str]]
) -> Iterator[str]:
    """Yield the verdicts of metrics that lie beyond a limit with every bot."""
    for name, end, limit, text in limits:
        found = [bot[name] for bot in bots.values()]
        side = 1 if end == "low" else -1
        if found and all(m["n"] and side * (m[end] - limit) > 0 for m in found):
            yield text


def _lengths(bots: dict[str, dict[str, Any]]) -> list[str]:
    sane = [bot["rounds"]["mean"] for name, bot in bots.items() if name != "random"]
    known = [length for length in sane if length is not None]
    if known and (max(known) < 4 or min(known) > 12):
        return [f"length: {known[0]:.1f} rounds; 5 to 11 are usual"]
    return []
