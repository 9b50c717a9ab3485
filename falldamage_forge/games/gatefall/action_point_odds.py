"""Action Points: exact probabilities of the points that a deck of number cards gives, by turn.

Source: "a deck of 10 cards, 7 ONES and 3 ZEROES", "Draw a new hand of 5 cards", "Add up the numbers
    on the cards", "shuffle your Discard Pile into a new deck and continue drawing".
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod

from falldamage_forge.games.gatefall.options import Shuffle

HAND = 5
HALF = Fraction(1, 2)
Chance = Fraction
Counts = tuple[int, ...]
"""Number of cards of each value, in the order of the deck's values."""


def check_deck(deck: tuple[int, ...]) -> tuple[int, ...]:
    """Return a deck if it can be played.

    Raises:
        ValueError: If its size or a value is out of range.
    """
    if not 5 <= len(deck) <= 40 or min(deck) < 0 or max(deck) <= 0:
        raise ValueError("`deck` is 5 to 40 values of 0 or more, one of them above 0")
    if max(deck) > 20 or len(set(deck)) > 5:
        raise ValueError("`deck` has at most 5 kinds of cards, of 20 at most")
    return deck


def _values(deck: tuple[int, ...]) -> tuple[tuple[int, ...], Counts]:
    values = tuple(sorted(set(deck)))
    return values, tuple(deck.count(value) for value in values)


def _hands(counts: Counts, size: int) -> Iterator[tuple[Counts, Fraction]]:
    """Yield every hand of a size with its probability."""
    ways = comb(sum(counts), size)
    for hand in product(*(range(min(count, size) + 1) for count in counts)):
        if sum(hand) == size:
            yield (
                hand,
                Fraction(prod(comb(count, n) for count, n in zip(counts, hand, strict=True)), ways),
            )


def _less(one: Counts, other: Counts) -> Counts:
    return tuple(a - b for a, b in zip(one, other, strict=True))


def _more(one: Counts, other: Counts) -> Counts:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _draw(deck: Counts, discard: Counts) -> Iterator[tuple[Counts, Counts, Counts, Fraction]]:
    """Yield hands of five with the deck and discard pile after them, shuffling if necessary."""
    if sum(deck) >= HAND:
        for hand, chance in _hands(deck, HAND):
            yield hand, _less(deck, hand), discard, chance
        return
    missing = min(HAND - sum(deck), sum(discard))
    empty = tuple(0 for _ in deck)
    for more, chance in _hands(discard, missing):
        yield _more(deck, more), _less(discard, more), empty, chance


def action_points(deck: tuple[int, ...]) -> dict[int, Fraction]:
    """Return the probability of each number of Action Points with a fresh deck."""
    values, counts = _values(deck)
    found: dict[int, Fraction] = {}
    for hand, _, _, chance in _draw(counts, tuple(0 for _ in counts)):
        points = sum(value * n for value, n in zip(values, hand, strict=True))
        found[points] = found.get(points, Fraction(0)) + chance
    return dict(sorted(found.items()))


def mean_points(deck: tuple[int, ...]) -> Fraction:
    """Return the mean Action Points of a turn: 5 times the mean card."""
    return Fraction(HAND * sum(deck), len(deck))


State = tuple[Counts, Counts, int]


def total_distribution(
    deck: tuple[int, ...], turns: int, shuffle: Shuffle = "lazy"
) -> dict[int, Fraction]:
    """Return the probability of each total of Action Points over the first turns.

    The turns are not independent.

    Args:
        deck: Values of the cards.
        turns: Number of turns.
        shuffle: `lazy` when a card is needed, `eager` when the deck is empty.
    """
    found: dict[int, Fraction] = {}
    for (_, _, total), chance in _states(deck, turns, shuffle, 10**9).items():
        found[total] = found.get(total, Fraction(0)) + chance
    return dict(sorted(found.items()))


@cache
def _states(deck: tuple[int, ...], turns: int, shuffle: Shuffle, cap: int) -> dict[State, Fraction]:
    """Return the probability of deck, discard pile and points (at most `cap`) after some turns."""
    values, counts = _values(deck)
    empty = tuple(0 for _ in counts)
    if turns == 0:
        return {(counts, empty, 0): Fraction(1)}
    found: dict[State, Fraction] = {}
    for (left, discard, total), chance in _states(deck, turns - 1, shuffle, cap).items():
        for hand, after, pile, share in _draw(left, discard):
            points = sum(value * n for value, n in zip(values, hand, strict=True))
            deck_now, pile_now = after, pile
            if shuffle == "eager" and sum(after) == 0:
                deck_now, pile_now = pile, empty
            state = (deck_now, _more(pile_now, hand), min(cap, total + points))
            found[state] = found.get(state, Fraction(0)) + chance * share
    return found


def cumulative_distribution(
    need: int, deck: tuple[int, ...], turns: int, shuffle: Shuffle = "lazy"
) -> tuple[Fraction, ...]:
    """Return the probability of `need` points in all by the end of each turn.

    Args:
        need: Action Points.
        deck: Values of the cards.
        turns: Number of turns.
        shuffle: `lazy` or `eager`.
    """
    return tuple(
        sum(
            (
                chance
                for (_, _, total), chance in _states(deck, turn, shuffle, need).items()
                if total >= need
            ),
            Fraction(0),
        )
        for turn in range(1, turns + 1)
    )


def turns_distribution(
    need: int, deck: tuple[int, ...], shuffle: Shuffle = "lazy", most: int = 60
) -> dict[int, Fraction]:
    """Return the probability of each number of turns until `need` points are reached.

    Args:
        need: Action Points.
        deck: Values of the cards.
        shuffle: `lazy` or `eager`.
        most: Greatest number of turns.

    Raises:
        ValueError: If `most` turns are not certain to suffice.
    """
    if need <= 0:
        return {0: Fraction(1)}
    found: dict[int, Fraction] = {}
    before = Fraction(0)
    for turn in range(1, most + 1):
        (now,) = cumulative_distribution(need, deck, turn, shuffle)[-1:]
        if now > before:
            found[turn] = now - before
        before = now
        if now == 1:
            return found
    raise ValueError(f"{need} Action Points may need more than {most} turns")


@cache
def likely_turns(
    need: int, deck: tuple[int, ...], shuffle: Shuffle = "lazy", least: Fraction = HALF
) -> int:
    """Return the fewest turns in which `need` points are reached with a given probability.

    Args:
        need: Action Points.
        deck: Values of the cards.
        shuffle: `lazy` or `eager`.
        least: Least probability.
    """
    if need <= 0:
        return 0
    turn = 1
    while cumulative_distribution(need, deck, turn, shuffle)[-1] < least:
        turn += 1
    return turn
