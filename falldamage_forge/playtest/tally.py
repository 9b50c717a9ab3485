"""What one game, or any number of them, leaves behind: whole numbers that add up.

Sums of whole numbers do not depend on the order they are added in, so any number of workers gives
the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from falldamage_forge.games.fall_damage.play.state import SIDES, State
from falldamage_forge.playtest.verdict import BLOCK, FIRST_MOVE, SIDE

PART = 10_000
"""Shares of one game are counted in this many parts."""
OVER_BY = (4, 6, 8, 10)
QUESTIONS = (SIDE.key, FIRST_MOVE.key)
"""In the order in which a block keeps their half points."""


@dataclass
class Tally:
    """Counts by name, values with their squares, spots by kind, lengths of games, replays to show.

    `values[name]` is (games, sum, sum of squares); `cards[name]` is (games, wins) of games in which
    only one side had the card; `blocks[number]` is (games, half points of red, of the first mover).
    """

    counts: Counter[str] = field(default_factory=Counter)
    values: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    spots: dict[str, Counter[int]] = field(default_factory=dict)
    cards: dict[str, tuple[int, int]] = field(default_factory=dict)
    rounds: Counter[int] = field(default_factory=Counter)
    games: list[tuple[int, int]] = field(default_factory=list)
    blocks: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def value(self, name: str, number: int) -> None:
        """One more value of a measure."""
        games, total, squares = self.values.get(name, (0, 0, 0))
        self.values[name] = (games + 1, total + number, squares + number * number)

    def at(self, kind: str, spot: int, count: int = 1) -> None:
        """Something happened on a surface."""
        self.spots.setdefault(kind, Counter())[spot] += count

    def card(self, name: str, won: bool) -> None:
        """A decided game in which one side alone had a card."""
        games, wins = self.cards.get(name, (0, 0))
        self.cards[name] = (games + 1, wins + won)

    def score(self, number: int, result: str, first: int) -> None:
        """The result of a game, by its number and by the side that moved first."""
        halves = [2 * (result == side) + (result not in SIDES) for side in SIDES]
        self._block(number // BLOCK, (1, halves[0], halves[first]))

    def _block(self, number: int, more: tuple[int, ...]) -> None:
        had = self.blocks.get(number, (0, 0, 0))
        self.blocks[number] = tuple(a + b for a, b in zip(had, more, strict=True))

    def scores(self, question: str) -> Counter[int]:
        """Blocks that are complete, by the half points of red (`side`) or of the first mover."""
        at = 1 + QUESTIONS.index(question)
        return Counter(block[at] for block in self.blocks.values() if block[0] == BLOCK)

    def add(self, other: Tally) -> None:
        """Take another tally in."""
        self.counts += other.counts
        self.rounds += other.rounds
        self.games += other.games
        for name, (games, total, squares) in other.values.items():
            own = self.values.get(name, (0, 0, 0))
            self.values[name] = (own[0] + games, own[1] + total, own[2] + squares)
        for kind, spots in other.spots.items():
            self.spots.setdefault(kind, Counter()).update(spots)
        for number, block in other.blocks.items():
            self._block(number, block)
        for name, (games, wins) in other.cards.items():
            had = self.cards.get(name, (0, 0))
            self.cards[name] = (had[0] + games, had[1] + wins)


@dataclass
class Watch:
    """What is noted while one game is played."""

    first_blood: int = -1
    first_hit_round: int = 0
    first_chest_round: int = 0
    attacks: int = 0
    activations: int = 0
    chests: Counter[int] = field(default_factory=Counter)
    kills: Counter[str] = field(default_factory=Counter)
    visited: set[int] = field(default_factory=set)
    high: Counter[str] = field(default_factory=Counter)
    higher_in_round_3: int = -1
    last_cause: dict[int, str] = field(default_factory=dict)

    def read(self, state: State, events: list[tuple[Any, ...]], tally: Tally) -> None:
        """Take in what happened since the last look; spots go straight into the tally."""
        for event in events:
            kind = event[0]
            if kind == "harm":
                self._harm(state, event, tally)
            elif kind == "die":
                self._death(state, event, tally)
            elif kind == "chest":
                self.chests[state.units[event[1]].side] += 1
                self.first_chest_round = self.first_chest_round or state.round
                tally.at("treasure", event[2])
            elif kind == "activate":
                self.activations += 1
            elif kind in ("attack", "area", "attack_terrain"):
                self.attacks += 1
            elif kind == "round" and event[1] == 3:
                self.higher_in_round_3 = _higher(state)

    def _harm(self, state: State, event: tuple[Any, ...], tally: Tally) -> None:
        _, index, amount, cause, by, spot = event
        self.last_cause[index] = cause
        if cause == "fall":
            tally.at("falls", spot)
        foe = by >= 0 and state.units[by].side != state.units[index].side
        if foe and not self.first_hit_round:
            self.first_hit_round = state.round
        if foe:
            doer = state.units[by]
            if doer.alive:
                level = "high" if doer.spot & 15 > spot & 15 else "low"
                level = "same" if doer.spot & 15 == spot & 15 else level
                self.high[level] += amount

    def _death(self, state: State, event: tuple[Any, ...], tally: Tally) -> None:
        _, index, spot, cause, _ = event
        if self.first_blood < 0:
            self.first_blood = state.units[index].side
        if cause == "harm":
            cause = self.last_cause.get(index, "other")
        self.kills[cause] += 1
        tally.at("deaths", spot)


def _higher(state: State) -> int:
    """The side that stands higher on average; -1: neither."""
    means = []
    for side in (0, 1):
        levels = [state.units[i].spot & 15 for i in state.living(side)]
        means.append(sum(levels) * PART // max(len(levels), 1))
    return -1 if means[0] == means[1] else int(means[1] > means[0])


def finish(state: State, watch: Watch, teams: tuple[list[str], list[str]], tally: Tally) -> None:
    """Put one finished game into a tally."""
    counts, result = tally.counts, state.result
    counts["games"] += 1
    counts[result] += 1
    laid = len(state.arena.chests)
    counts["chests"] += laid
    counts["opened"] += sum(watch.chests.values())
    counts["opened_red"] += watch.chests[0]
    kills = sum(watch.kills.values())
    if kills:
        for cause in ("fall", "lava", "attack"):
            count = watch.kills[cause] + (watch.kills["dive"] if cause == "attack" else 0)
            tally.value(f"{cause}_kills", count * PART // kills)
    if watch.first_hit_round:
        tally.value("first_damage", watch.first_hit_round)
    if watch.first_chest_round:
        tally.value("first_chest", watch.first_chest_round)
    tally.value("strikes", watch.attacks * PART // max(watch.activations, 1))
    dealt = sum(watch.high.values())
    if dealt:
        tally.value("from_above", watch.high["high"] * PART // dealt)
    for spot in watch.visited:
        tally.at("visits", spot)
    if result in SIDES:
        _decided(state, watch, teams, tally, SIDES.index(result))


def _decided(
    state: State, watch: Watch, teams: tuple[list[str], list[str]], tally: Tally, winner: int
) -> None:
    counts = tally.counts
    counts["decided"] += 1
    tally.rounds[state.round] += 1
    tally.value("rounds", state.round)
    if watch.first_blood >= 0:
        counts["bled"] += 1
        counts["comebacks"] += watch.first_blood == winner
    if watch.chests[0] != watch.chests[1]:
        counts["richer"] += 1
        counts["richer_won"] += (watch.chests[1] > watch.chests[0]) == winner
    if watch.higher_in_round_3 >= 0:
        counts["higher"] += 1
        counts["higher_won"] += watch.higher_in_round_3 == winner
    for side in (0, 1):
        for card in set(teams[side]) - set(teams[1 - side]):
            tally.card(card, winner == side)


def plain(counter: Mapping[int, int]) -> dict[int, int]:
    """A counter with its keys in order."""
    return dict(sorted(counter.items()))
