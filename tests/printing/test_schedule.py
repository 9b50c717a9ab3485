"""Plates over several printers: all once, none idle without need, near the best."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.printing.schedule import assign_printers


def longest(minutes: list[float], chosen: tuple[int, ...], printers: int) -> float:
    busy = [
        sum(m for m, p in zip(minutes, chosen, strict=True) if p == n + 1) for n in range(printers)
    ]
    return max(busy, default=0.0)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.floats(1, 900), max_size=7), st.integers(1, 3))
def test_no_other_sharing_ends_much_earlier(minutes: list[float], printers: int) -> None:
    chosen = assign_printers(minutes, printers)
    assert len(chosen) == len(minutes)
    assert set(chosen) <= set(range(1, printers + 1))
    best = min(
        longest(minutes, other, printers)
        for other in itertools.product(range(1, printers + 1), repeat=len(minutes))
    )
    assert longest(minutes, chosen, printers) <= best * 4 / 3 + 1e-6
    assert assign_printers(minutes, printers) == chosen


def test_equal_plates_are_dealt_round() -> None:
    assert assign_printers([60.0] * 6, 3) == (1, 2, 3, 1, 2, 3)
    assert assign_printers([], 4) == ()
