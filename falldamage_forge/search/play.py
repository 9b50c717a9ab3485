"""Second looks: how lively and even a map is when bots play it."""

from __future__ import annotations

from falldamage_forge.board import Board
from falldamage_forge.games.fall_damage.options import Options
from falldamage_forge.search.taste import band

BOT = "greedy"
SEED = 1
"""All maps are played with the same teams and dice, so that it is the maps that differ."""
ROUNDS = (4.0, 8.0)
"""Rounds of a decided game between greedy bots that is neither a brawl nor a siege."""
PUSHED = (0.25, 0.60)
"""Share of deaths by falling and by lava."""
FIRST = (0.40, 0.60)
"""Share of decided games that whoever moves first wins."""
PRIOR = 8
"""Few games tell little: shares are counted as if so many games more had been in the middle."""


def liveliness(board: Board, rules: Options, games: int) -> float:
    """How far so many games by bots are from lively and even; 0 is best, never more."""
    from falldamage_forge import presets
    from falldamage_forge.games.fall_damage.play import split_options
    from falldamage_forge.playtest.series import Series, chunk
    from falldamage_forge.playtest.tally import PART

    _, readings = split_options({})
    kit = presets.load_kit()
    tally = chunk(Series(board, rules, readings, kit, (BOT, BOT), games, SEED, "search"), 0, games)
    counts, decided = tally.counts, tally.counts["decided"]

    def total(name: str) -> int:
        return tally.values.get(name, (0, 0, 0))[1]

    pushed = (total("fall_kills") + total("lava_kills")) / PART
    score = band(total("rounds") / decided, *ROUNDS, 3) if decided else -1.0
    score += band(_share(pushed, games, sum(PUSHED) / 2), *PUSHED, 0.25)
    score += band(_share(counts["first_wins"], decided, 0.5), *FIRST, 0.2)
    return score - _share(games - decided, games, 0.0)


def _share(hits: float, games: int, middle: float) -> float:
    """A share drawn towards the middle."""
    return (hits + PRIOR * middle) / (games + PRIOR)
