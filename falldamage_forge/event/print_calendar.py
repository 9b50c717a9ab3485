"""Print calendar: plates on printers and spools, started while the printers are attended.

Plates of one group follow each other, the longest first. Each goes to the printer and the spool
that let it start earliest, and stays with a loaded spool where that costs no time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from itertools import count, product
from math import ceil

from falldamage_forge.event.event_table import MOST_PRINTERS, PrintShop, SpoolStock
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError, Issue, refuse

EPS_G = 1e-6


@dataclass(frozen=True, slots=True)
class PlateJob:
    """A plate to print; `minutes` includes the start of the plate."""

    name: str
    group: str
    minutes: float
    grams: float


@dataclass(frozen=True, slots=True)
class PlannedPlate:
    """A plate with its printer and its spool, both counted from 1; spool 0 is any spool."""

    job: PlateJob
    printer: int
    spool: int
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class _Spool:
    """A spool while the calendar is made: grams left, and the time at which it is free."""

    number: int
    group: str
    grams: float
    free: datetime


def print_calendar(jobs: Sequence[PlateJob], shop: PrintShop) -> tuple[PlannedPlate, ...]:
    """Return the plates in order of their starts.

    Args:
        jobs: Plates to print.
        shop: Printers, spools and days.

    Raises:
        ForgeError: FDF482 if filament is missing.
    """
    require_filament(jobs, shop.spools)
    begin = datetime.combine(shop.start, shop.attended[0])
    spools = _spools(shop.spools, begin)
    free = dict.fromkeys(range(1, shop.printers + 1), begin)
    loaded = dict.fromkeys(free, 0)
    planned: list[PlannedPlate] = []
    for job in _in_order(jobs):
        usable = [
            s for s in spools.values() if s.group == job.group and s.grams >= job.grams - EPS_G
        ]
        if not shop.spools:
            usable = [_Spool(0, job.group, 0.0, begin)]
        if not usable:
            message = f"no spool for {job.group} has {job.grams:.0f} g left for {job.name}"
            raise refuse("FDF482", message, f"add a spool with at least {job.grams:.0f} g")
        starts = {
            (printer, spool): attended_from(max(free[printer], spool.free), shop.attended)
            for printer, spool in product(free, usable)
        }
        (printer, spool), start = min(
            starts.items(),
            key=lambda item: (
                item[1], loaded[item[0][0]] != item[0][1].number, item[0][1].grams, item[0][0],
                item[0][1].number,
            ),
        )  # fmt: skip
        end = start + timedelta(minutes=job.minutes)
        free[printer], loaded[printer] = end, spool.number
        if spool.number:
            spools[spool.number] = replace(spool, grams=spool.grams - job.grams, free=end)
        planned.append(PlannedPlate(job, printer, spool.number, start, end))
    return tuple(sorted(planned, key=lambda one: (one.start, one.printer)))


def _in_order(jobs: Sequence[PlateJob]) -> list[PlateJob]:
    """Return plates by group, the group with most work first, in it the longest plate first."""
    minutes = dict.fromkeys(sorted({job.group for job in jobs}), 0.0)
    for job in jobs:
        minutes[job.group] += job.minutes
    return sorted(jobs, key=lambda job: (-minutes[job.group], job.group, -job.minutes, job.name))


def _spools(stock: Iterable[SpoolStock], free: datetime) -> dict[int, _Spool]:
    each = ((one.group, one.grams) for one in stock for _ in range(one.count))
    return {n: _Spool(n, group, grams, free) for n, (group, grams) in enumerate(each, start=1)}


def attended_from(moment: datetime, attended: tuple[time, time]) -> datetime:
    """Return the first moment, not before the given one, at which a plate can start.

    Args:
        moment: Earliest time.
        attended: First and last time of a day at which plates can be started.
    """
    if moment.time() > attended[1]:
        moment += timedelta(days=1)
    elif moment.time() >= attended[0]:
        return moment
    return datetime.combine(moment.date(), attended[0])


def grams_by_group(jobs: Iterable[PlateJob]) -> dict[str, float]:
    """Return the filament of plates by group, in grams."""
    grams: dict[str, float] = {}
    for job in jobs:
        grams[job.group] = grams.get(job.group, 0.0) + job.grams
    return dict(sorted(grams.items()))


def require_filament(jobs: Iterable[PlateJob], stock: Sequence[SpoolStock]) -> None:
    """Check that spools hold enough filament for each group; no spools at all pass.

    Args:
        jobs: Plates with grams by group.
        stock: Owned spools.

    Raises:
        ForgeError: FDF482 with the groups that lack filament, and how much.
    """
    issues = []
    for group, grams in grams_by_group(jobs).items():
        there = sum(one.grams * one.count for one in stock if one.group == group)
        if stock and grams > there + EPS_G:
            message = f"{group} needs {grams:.0f} g of filament; its spools hold {there:.0f} g"
            hint = f'add to `spools`: {{ group = "{group}", grams = {ceil(grams - there)} }}'
            issues.append(Issue("FDF482", "error", message, hint=hint))
    if issues:
        raise ForgeError(issues)


def require_ready(
    planned: Sequence[PlannedPlate], jobs: Sequence[PlateJob], shop: PrintShop
) -> None:
    """Check that all plates end before the printers are attended on the day `ready`.

    Args:
        planned: Plates with their times.
        jobs: All plates, for the number of printers that meet the day.
        shop: Printers, attended times and the day `ready`.

    Raises:
        ForgeError: FDF481 with the plates that end later; the hint has an earlier start, and the
            number of printers that meet the day.
    """
    ready = datetime.combine(shop.ready, shop.attended[0])
    late = [one for one in planned if one.end > ready]
    if not late:
        return
    last = max(one.end for one in late)
    names = ", ".join(one.job.name for one in late[:5]) + ", …" * (len(late) > 5)
    message = (
        f"{len(late)} of {len(planned)} plates end after {ready:%Y-%m-%d %H:%M}: {names}; "
        f"the last one at {last:%Y-%m-%d %H:%M}"
    )
    days = next(days for days in count(1) if last - timedelta(days=days) <= ready)
    remedies = [f"start on {shop.start - timedelta(days=days)}"]
    if more := _printers_needed(jobs, shop, ready):
        remedies.append(f"use {more} printers")
    raise refuse("FDF481", message, ", or ".join(remedies))


def _printers_needed(jobs: Sequence[PlateJob], shop: PrintShop, ready: datetime) -> int:
    """Return the fewest printers that meet a moment; 0 if spools or a long plate prevent it."""
    for printers in range(shop.printers + 1, min(len(jobs), MOST_PRINTERS) + 1):
        planned = print_calendar(jobs, replace(shop, printers=printers))
        if all(one.end <= ready for one in planned):
            return printers
    return 0


def days_of(planned: Sequence[PlannedPlate]) -> Mapping[str, tuple[PlannedPlate, ...]]:
    """Return the plates by the day on which they start, such as `2026-12-05`."""
    days: dict[str, list[PlannedPlate]] = {}
    for one in planned:
        days.setdefault(f"{one.start:%Y-%m-%d}", []).append(one)
    return {day: tuple(own) for day, own in days.items()}
