"""Botched Augmentation: "Swap two of this unit's numbers." """

from itertools import combinations

import pytest

from falldamage_forge.games.fall_damage.engine import codes as C
from falldamage_forge.games.fall_damage.engine import treasure, unit_stats
from falldamage_forge.games.fall_damage.engine.columns import StateColumns
from tests.games.play.columns import in_simulator
from tests.games.play.tables import KIT
from tests.games.play.test_readings import FAR, situation, state_of, unit

PAIRS = list(combinations(range(C.STATS), 2))


def hurt(card: str, lost: int) -> StateColumns:
    """A foe, and a unit of a card that has lost health."""
    health = KIT.cards[card].health - lost
    own = unit("k", "red", card, 1, 1, health=health)
    return in_simulator(state_of(situation([FAR, own]))).columns


def numbers(s: StateColumns, i: int) -> list[int]:
    return [unit_stats.printed_stat(s, i, stat) for stat in range(C.STATS)]


@pytest.mark.parametrize("card", ["knight", "assassin", "medic", "druid"])
def test_botched_unit_has_two_numbers_exchanged_and_keeps_its_damage(card: str) -> None:
    """Its other numbers and other units are as before; a second swap of both undoes it."""
    for one, other in PAIRS:
        lost = 2
        s = hurt(card, lost)
        foe, old = numbers(s, 0), numbers(s, 1)
        if not treasure.swaps(s, 1, one, other):
            continue
        treasure.botch(s, 1, one << 6 | other)
        new = numbers(s, 1)
        assert (new[one], new[other]) == (old[other], old[one])
        assert all(new[n] == old[n] for n in range(C.STATS) if n not in (one, other))
        assert (s.max_health[1], s.health[1]) == (new[C.H], new[C.H] - lost)
        assert (numbers(s, 0), s.health[0]) == (foe, KIT.cards["knight"].health)
        treasure.botch(s, 1, other << 6 | one)
        assert (numbers(s, 1), s.health[1]) == (old, old[C.H] - lost)


def test_botched_health_is_at_most_its_new_number() -> None:
    """A Knight of 8 health with 10 by an Elixir, Attack 3 for Health."""
    s = hurt("knight", 0)
    s.health[1], s.max_health[1] = 10, 10
    treasure.botch(s, 1, C.H << 6 | C.A)
    assert (s.health[1], s.max_health[1]) == (3, 3)


@pytest.mark.parametrize(("lost", "allowed"), [(0, True), (2, True), (3, False), (7, False)])
def test_swap_that_would_kill_is_not_offered(lost: int, allowed: bool) -> None:
    """A Knight with Attack 3 for its 8 Health: damage of 3 is then deadly."""
    s = hurt("knight", lost)
    assert treasure.swaps(s, 1, C.H, C.A) is allowed
    assert treasure.swaps(s, 1, C.A, C.H) is allowed
    assert treasure.swaps(s, 1, C.M, C.A)


@pytest.mark.parametrize(
    ("card", "own"),
    [("knight", "MJHARP"), ("assassin", "MHAR"), ("spearman", "MJHARP"), ("medic", "MJHA"),
     ("apothecary", "MJHAR"), ("druid", "MJHAR")],
)  # fmt: skip
def test_numbers_that_a_card_has_not_are_not_swapped(card: str, own: str) -> None:
    """Any Jump, a Reach of each ability, no Push, and a Push to the front are none."""
    s = hurt(card, 0)
    assert [n for n in range(C.STATS) if treasure.swappable(s, 1, n)] == [
        C.STAT_LETTERS.index(letter) for letter in own
    ]
