"""The twelve measures of a map from self-play, each with its interval, and what they say.

Shares carry exact intervals of 95 %, means the usual ones. "Decided" games are those one side won.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import sqrt
from typing import Any

from falldamage_forge.games.fall_damage.play.spots import spot_name
from falldamage_forge.playtest import exact
from falldamage_forge.playtest.tally import OVER_BY, PART, Tally
from falldamage_forge.playtest.verdict import QUESTIONS, SIDE, TOO_FEW, as_json, estimate

Z = 1.959964
Measure = dict[str, Any]


def share(hits: int, games: int) -> Measure:
    """A share with its exact interval."""
    return pooled(hits, games, games)


def pooled(hits: int, things: int, games: int) -> Measure:
    """A share of chests or deaths, its interval counted by games: those of one game hang together.

    As wide as if they all went one way in each game, which is the worst case.
    """
    if not things or not games:
        return {"share": None, "low": 0.0, "high": 1.0, "n": 0}
    low, high = exact.interval(hits / things * games, games)
    return {"share": round(hits / things, 4), "low": round(low, 4), "high": round(high, 4),
            "n": games}  # fmt: skip


def mean(values: tuple[int, int, int], parts: int = 1) -> Measure:
    """A mean and its interval from count, sum and sum of squares, in so many parts."""
    games, total, squares = values
    if not games:
        return {"mean": None, "low": None, "high": None, "n": 0}
    middle = total / games
    spread = sqrt(max(squares / games - middle * middle, 0.0) / games) * Z
    told = (middle, max(middle - spread, 0.0), middle + spread)
    names = ("mean", "low", "high")
    return {**{n: round(v / parts, 4) for n, v in zip(names, told, strict=True)}, "n": games}


def measures(tally: Tally, surfaces: list[int]) -> dict[str, Any]:
    """Everything that is told of one bot's games on a map; `surfaces` are the map's own."""
    counts = tally.counts
    games, decided = counts["games"], counts["decided"]
    none = (0, 0, 0)
    finders = tally.values.get("first_chest", none)[0]

    def value(name: str, parts: int = 1) -> Measure:
        return mean(tally.values.get(name, none), parts)

    return {
        "red_wins": share(counts["red"], decided),
        "first_mover_wins": share(counts["first_wins"], decided),
        "undecided": share(games - decided, games),
        "rounds": {
            **value("rounds"),
            **_quantiles(tally),
            "over_by": {str(n): share(_by(tally, n), games) for n in OVER_BY},
            "histogram": {str(n): count for n, count in sorted(tally.rounds.items())},
        },
        "comebacks": share(counts["comebacks"], counts["bled"]),
        "fall_kills": value("fall_kills", PART),
        "lava_kills": value("lava_kills", PART),
        "attack_kills": value("attack_kills", PART),
        "treasure_opened": pooled(counts["opened"], counts["chests"], games),
        "treasure_first_round": value("first_chest"),
        "treasure_wins": share(counts["richer_won"], counts["richer"]),
        "treasure_red": pooled(counts["opened_red"], counts["opened"], finders),
        "dead_zones": _dead(tally, surfaces),
        "hot_spots": _hot(tally, surfaces),
        "first_damage": value("first_damage"),
        "strikes": value("strikes", PART),
        "from_above": value("from_above", PART),
        "higher_wins": share(counts["higher_won"], counts["higher"]),
        "cards": _cards(tally),
        "maps": {
            kind: {spot_name(s): n for s, n in sorted(tally.spots.get(kind, {}).items())}
            for kind in ("visits", "deaths", "falls", "treasure")
        },
    }


def _by(tally: Tally, number: int) -> int:
    return sum(count for rounds, count in tally.rounds.items() if rounds <= number)


def _quantiles(tally: Tally) -> dict[str, int | None]:
    """Median and the 10 % and 90 % marks of the lengths of decided games, in rounds."""
    total, found, seen = sum(tally.rounds.values()), {}, 0
    marks = {"p10": 0.1, "median": 0.5, "p90": 0.9}
    for rounds, count in sorted(tally.rounds.items()):
        seen += count
        for name, mark in marks.items():
            if name not in found and seen >= mark * total:
                found[name] = rounds
    return {name: found.get(name) for name in marks}


def _dead(tally: Tally, surfaces: list[int]) -> Measure:
    """Surfaces that hardly anybody ever stands on: upper limit of the share of games below 5 %."""
    games, visits = tally.counts["games"], tally.spots.get("visits", Counter())
    tail = (1 - exact.CONFIDENCE) / 2
    dead = [s for s in surfaces if exact.at_most(visits.get(s, 0), games, 0.05) < tail]
    return {"count": len(dead), "of": len(surfaces), "spots": [spot_name(spot) for spot in dead]}


def _hot(tally: Tally, surfaces: list[int]) -> Measure:
    """Share of deaths on the hottest tenth of the surfaces."""
    deaths = tally.spots.get("deaths", Counter())
    most = sorted(deaths.values(), reverse=True)[: max(len(surfaces) // 10, 1)]
    return pooled(sum(most), sum(deaths.values()), tally.counts["games"])


def _cards(tally: Tally) -> dict[str, Measure]:
    """Win share of the side that alone has a card; `p` is Holm's, over all cards."""
    found = {name: share(wins, games) for name, (games, wins) in sorted(tally.cards.items())}
    raw = {name: exact.two_sided(wins, games) for name, (games, wins) in tally.cards.items()}
    worst, left = 0.0, len(raw)
    for name in sorted(raw, key=lambda card: (raw[card], card)):
        worst = max(worst, min(raw[name] * left, 1.0))
        found[name]["p"] = round(worst, 4)
        left -= 1
    return found


# -- verdicts --------------------------------------------------------------------------------------


def verdicts(bots: dict[str, dict[str, Any]], judged: Mapping[str, Any]) -> list[str]:
    """What the measures say, by the thresholds of docs/playtest.md; all bots must agree.

    Args:
        bots: The measures of each bot.
        judged: `judgements` of the same games. Where they are too few, the rest is not told.
    """
    told = [f"{question.what}: {judged[question.key]['text']}" for question in QUESTIONS]
    if judged[SIDE.key]["outcome"] == TOO_FEW:
        return told
    told += _limits(bots, "undecided", 0.10, "sides cannot get at each other")
    told += _lengths(bots)
    told += _comebacks(bots)
    told += _treasure(bots)
    return told


def judgements(tallies: Mapping[str, Tally]) -> dict[str, Any]:
    """The verdict of all bots on side and first move."""
    return {
        question.key: as_json(
            question, {bot: estimate(tally.scores(question.key)) for bot, tally in tallies.items()}
        )
        for question in QUESTIONS
    }


def _limits(bots: dict[str, dict[str, Any]], name: str, most: float, why: str) -> list[str]:
    over = [b for b, bot in bots.items() if bot[name]["n"] and bot[name]["low"] > most]
    if over and len(over) == len(bots):
        return [f"{name}: above {100 * most:.0f} % with every bot: {why}"]
    return []


def _lengths(bots: dict[str, dict[str, Any]]) -> list[str]:
    sane = [bot["rounds"]["mean"] for name, bot in bots.items() if name != "random"]
    known = [length for length in sane if length is not None]
    if known and (max(known) < 4 or min(known) > 12):
        return [f"length: {known[0]:.1f} rounds; 5 to 11 are usual"]
    return []


def _comebacks(bots: dict[str, dict[str, Any]]) -> list[str]:
    low = [b for b, bot in bots.items() if bot["comebacks"]["n"] and bot["comebacks"]["high"] < 0.2]
    return ["comebacks: first blood decides"] if low and len(low) == len(bots) else []


def _treasure(bots: dict[str, dict[str, Any]]) -> list[str]:
    found = []
    wins = [bot["treasure_wins"] for bot in bots.values()]
    if wins and all(m["n"] and m["low"] > 0.65 for m in wins):
        found.append("treasure: whoever opens more wins: it decides the game")
    opened = [bot["treasure_opened"] for bot in bots.values()]
    if opened and all(m["n"] and m["high"] < 0.1 for m in opened):
        found.append("treasure: hardly ever opened: out of reach")
    return found
