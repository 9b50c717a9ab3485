"""The print calendar: no printer and no spool is in two places, and each plate is printed once."""

from collections import Counter
from datetime import date, datetime, time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falldamage_forge.event.event_table import PrintShop, SpoolStock
from falldamage_forge.event.print_calendar import (
    PlannedPlate,
    PlateJob,
    print_calendar,
    require_ready,
)
from falldamage_forge.issues import ForgeError

DAY, READY = date(2026, 12, 1), date(2026, 12, 20)
plates = st.lists(
    st.tuples(st.sampled_from(["stone", "wood"]), st.integers(10, 1500), st.integers(1, 90)),
    min_size=1,
    max_size=12,
).map(lambda rows: [PlateJob(f"{n}", group, m, g) for n, (group, m, g) in enumerate(rows, start=1)])


def shop(printers: int, grams: int, spools: int) -> PrintShop:
    stock = tuple(SpoolStock(group, grams, spools) for group in ("stone", "wood")) if spools else ()
    return PrintShop(DAY, READY, printers, attended=(time(9), time(20)), spools=stock)


def apart(planned: list[PlannedPlate]) -> bool:
    ordered = sorted(planned, key=lambda one: one.start)
    return all(one.end <= other.start for one, other in pairwise(ordered))


@settings(max_examples=80, deadline=None)
@given(plates, st.integers(1, 4), st.integers(200, 1100), st.integers(0, 3))
def test_printers_and_spools_do_one_plate_at_a_time(
    jobs: list[PlateJob], printers: int, grams: int, spools: int
) -> None:
    here = shop(printers, grams, spools)
    try:
        planned = print_calendar(jobs, here)
    except ForgeError:  # only spools can be too small
        if not spools:
            raise
        return
    assert Counter(one.job for one in planned) == Counter(jobs)
    for printer in range(1, printers + 1):
        assert apart([one for one in planned if one.printer == printer])
    assert {one.printer for one in planned} <= set(range(1, printers + 1))
    for number in range(1, 2 * spools + 1):
        own = [one for one in planned if one.spool == number]
        assert apart(own)
        assert len({one.job.group for one in own}) <= 1
        assert sum(one.job.grams for one in own) <= grams
    for one in planned:
        assert bool(one.spool) == bool(spools)
        assert time(9) <= one.start.time() <= time(20)
        assert one.start >= datetime.combine(DAY, time(9))
        assert (one.end - one.start).total_seconds() == pytest.approx(60 * one.job.minutes)


@settings(max_examples=40, deadline=None)
@given(plates, st.integers(1, 3))
def test_each_remedy_of_a_late_calendar_meets_the_day(jobs: list[PlateJob], printers: int) -> None:
    tight = PrintShop(DAY, date(2026, 12, 3), printers, attended=(time(9), time(20)))
    planned = print_calendar(jobs, tight)
    try:
        require_ready(planned, jobs, tight)
    except ForgeError as error:
        (issue,) = error.issues
        assert issue.code == "FDF481"
        words = (issue.hint or "").split()
        early = date.fromisoformat(words[2].rstrip(","))
        sooner = PrintShop(early, tight.ready, printers, attended=tight.attended)
        require_ready(print_calendar(jobs, sooner), jobs, sooner)
        if words[-1] == "printers":
            wider = PrintShop(DAY, tight.ready, int(words[-2]), attended=tight.attended)
            require_ready(print_calendar(jobs, wider), jobs, wider)
    else:
        assert all(one.end <= datetime(2026, 12, 3, 9) for one in planned)


def test_missing_filament_is_named_with_the_grams_to_add() -> None:
    jobs = [PlateJob("one", "stone", 60, 80.5), PlateJob("two", "wood", 60, 10)]
    poor = PrintShop(DAY, READY, 1, spools=(SpoolStock("stone", 50),))
    with pytest.raises(ForgeError) as caught:
        print_calendar(jobs, poor)
    assert [(i.code, i.hint) for i in caught.value.issues] == [
        ("FDF482", 'add to `spools`: { group = "stone", grams = 31 }'),
        ("FDF482", 'add to `spools`: { group = "wood", grams = 10 }'),
    ]


def test_a_plate_does_not_start_on_a_spool_that_ends_in_it() -> None:
    jobs = [PlateJob(name, "stone", 60, 40) for name in "abc"]
    poor = PrintShop(DAY, READY, 1, spools=(SpoolStock("stone", 70, 2),))
    with pytest.raises(ForgeError, match="no spool for stone has 40 g left"):
        print_calendar(jobs, poor)
