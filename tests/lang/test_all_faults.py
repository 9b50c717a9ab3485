"""Every fault of a map in one run: none hides another, and none makes another up.

Independent faults are planted into one map. All together tell exactly what each of them tells where
the others are mended.
"""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.amount import some
from tests.lang.planted import (
    LARGE,
    SLOTS,
    STARTS,
    TEMPLATES,
    Fault,
    Told,
    aside,
    from_catalogue,
    heads,
    once,
    planted,
    text_of,
    told,
)
from tests.lang.programs import many

PAIRS = [
    (one, two) for one, two in combinations(TEMPLATES, 2) if not once(one) or once(one) != once(two)
]


def alone(faults: list[Fault], chosen: int) -> Told:
    """What the chosen fault tells where all others are mended."""
    lines = (fault.bad if n == chosen else fault.mended for n, fault in enumerate(faults))
    return told(text_of(tuple(line for own in lines for line in own)))


def together(faults: list[Fault]) -> Told:
    return told(text_of(tuple(line for fault in faults for line in fault.bad)))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template[0])
def test_each_fault_is_told_and_its_mended_lines_are_sound(template: tuple[str, str, str]) -> None:
    fault = planted(0, template)
    assert told(text_of(fault.mended)) == frozenset()
    assert len({line for _, line, _ in told(text_of(fault.bad))}) == 1


@pytest.mark.parametrize(
    ("one", "two"), some(PAIRS, 100), ids=lambda template: template[0].replace(" ", "-")
)
def test_no_two_faults_hide_each_other(
    one: tuple[str, str, str], two: tuple[str, str, str]
) -> None:
    faults = [planted(4, one), planted(0, two)]
    assert together(faults) == alone(faults, 0) | alone(faults, 1)


@st.composite
def plantings(draw: st.DrawFn) -> list[Fault]:
    count = draw(st.integers(2, len(SLOTS)))
    chosen = draw(st.permutations(TEMPLATES))[:count]
    seen: set[str] = set()
    kept = []
    for template in chosen:
        key = once(template)
        if not key or key not in seen:
            kept.append(template)
        seen.add(key)
    slots = draw(st.permutations(range(len(SLOTS))))
    return [planted(slot, template) for slot, template in zip(slots, kept, strict=False)]


@many(20, 3000)
@given(faults=plantings())
def test_all_faults_of_a_map_are_told_in_one_run(faults: list[Fault]) -> None:
    each = [alone(faults, number) for number in range(len(faults))]
    assert all(each)
    assert together(faults) == frozenset().union(*each)


EXAMPLES = from_catalogue()
EXAMPLE_PAIRS = [
    (one, two)
    for one in EXAMPLES
    for two in EXAMPLES
    if one != two and not heads(EXAMPLES[one][0]) & heads(EXAMPLES[two][0])
]


@pytest.mark.parametrize(("one", "two"), some(EXAMPLE_PAIRS, 80))
def test_no_two_examples_of_the_catalogue_hide_each_other(one: str, two: str) -> None:
    """One stands in the west, the other ten columns further east."""
    bad, mended = EXAMPLES[one]
    bad_east, mended_east = map(aside, EXAMPLES[two])

    def found(west: tuple[str, ...], east: tuple[str, ...]) -> Told:
        return told("\n".join((*LARGE, *STARTS, *west, *east)) + "\n")

    assert found(bad, bad_east) == found(bad, mended_east) | found(mended, bad_east)


def test_there_are_many_pairs() -> None:
    assert len(PAIRS) > 900
    assert len(EXAMPLE_PAIRS) > 900
