"""Every fault of a map in one run: none hides another, and none makes another up.

Independent faults are planted into one map. All together tell exactly what each of them tells where
the others are mended.
"""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import falldamage_forge as ff
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
def test_each_planted_error_is_reported_and_its_correction_is_accepted(
    template: tuple[str, str, str],
) -> None:
    fault = planted(0, template)
    assert told(text_of(fault.mended)) == frozenset()
    assert len({line for _, line, _ in told(text_of(fault.bad))}) == 1


@pytest.mark.parametrize(
    ("one", "two"), some(PAIRS, 60), ids=lambda template: template[0].replace(" ", "-")
)
def test_no_two_planted_errors_hide_each_other(
    one: tuple[str, str, str], two: tuple[str, str, str]
) -> None:
    faults = [planted(4, one), planted(0, two)]
    assert together(faults) == alone(faults, 0) | alone(faults, 1)


WALL = Fault("wall", ("stack row 2 height 9",), ("",))
READ_ELSEWHERE = ("height misspelt", "at forgotten", "stack misspelt", "piece misspelt")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template[0])
def test_check_reports_a_wall_or_that_play_was_not_checked(template: tuple[str, str, str]) -> None:
    """A wall beside a fault is told, or `check` says that play was not judged.

    It is told as well where what cannot be read stands too far from it to matter.
    """
    fault = planted(4, template)
    checked = ff.check(ff.loads(text_of((*WALL.bad, *fault.bad)), "x.forge"))
    codes = {issue.code for issue in checked.every}
    assert "FDF300" in codes or not checked.judged
    if template[0] in READ_ELSEWHERE:
        assert "FDF300" in codes
    assert not checked.ok


@pytest.mark.parametrize(
    "line", ["stak D1 height 2", "ladderr D3 -> D2", "place gazebo at C2", "stack row 2, hight 1"]
)
def test_wall_beside_a_broken_statement_is_not_reported(line: str) -> None:
    found = told(text_of((*WALL.bad, line)))
    assert found and all(code != "FDF300" for code, _, _ in found)


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
def test_load_reports_all_errors_of_a_map_at_once(faults: list[Fault]) -> None:
    each = [alone(faults, number) for number in range(len(faults))]
    assert all(each)
    assert together(faults) == frozenset().union(*each)


EXAMPLES = from_catalogue()
ONE_IMPORT = {"FDF201", "FDF204"}
"""Both are of the same import: where it fails, nothing is said of its name."""
EXAMPLE_PAIRS = [
    (one, two)
    for one in EXAMPLES
    for two in EXAMPLES
    if one != two and {one, two} != ONE_IMPORT and not heads(EXAMPLES[one]) & heads(EXAMPLES[two])
]


@pytest.mark.parametrize(("one", "two"), some(EXAMPLE_PAIRS, 40))
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
