"""Reports of prints: what a printer answered to the coupon, and the spread that this measures.

A report is a TOML file that a person fills in. Each answer is a gap, one of the coupon's steps; on
a printer without deviation it is the middle one. A gap lies between an outside and an inside, whose
deviations the tolerance analysis draws alike, so the variance of answers is twice theirs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields

from falldamage_forge.geometry.fit_coupon import (
    BLADE_STEPS_MM,
    CLICK_STEPS_MM,
    FIT_STEPS_MM,
    TIE_STEPS_MM,
)
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.toml_loader import parse_toml, read_table
from falldamage_forge.issues import ForgeError, Issue

STEPS_MM: Mapping[str, Sequence[float]] = {
    "fit": FIT_STEPS_MM,
    "blade": BLADE_STEPS_MM,
    "tie": TIE_STEPS_MM,
    "click": CLICK_STEPS_MM,
}
"""Steps of the coupon by the key of an answer."""
EXPECTED_MM = {name: steps[len(steps) // 2] for name, steps in STEPS_MM.items()}
"""Answers of a printer without deviation."""
LEAST_ANSWERS = 4
"""Answers of one whole coupon."""

TEMPLATE = """\
# What you printed with FallDamage Forge {version}. Fill in what you know and take the rest away.
# `fdforge prove MAP --tolerance --from {file}` simulates your printer with it.
printer = "{printer}"
nozzle_mm = {nozzle_mm:g}
process = "{process}"
filament = ""  # maker, material, colour

# One for each coupon that you printed: the numbers of the parts that you kept.
# These are the answers of a printer without deviation.
[[coupon]]
fit = {fit:.2f}
blade = {blade:.2f}
tie = {tie:.2f}
click = {click:.2f}

# One for each part that broke, came off the bed, or did not fit.
# [[broke]]
# part = "ladder-3"
# what = "the hook broke while it was pushed in"
"""


@dataclass(frozen=True, slots=True)
class CouponAnswers:
    """The steps of a printed coupon that a person kept, in mm; None: not tried."""

    fit: float | None = None
    blade: float | None = None
    tie: float | None = None
    click: float | None = None


@dataclass(frozen=True, slots=True)
class BrokenPart:
    """A part that broke or did not fit, and how."""

    part: str
    what: str = ""


@dataclass(frozen=True, slots=True)
class PrintReport:
    """A person's report of prints: the printer, answers of coupons, and what broke."""

    printer: str
    nozzle_mm: float = 0.4
    process: str = ""
    filament: str = ""
    coupon: tuple[CouponAnswers, ...] = ()
    broke: tuple[BrokenPart, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasuredSpread:
    """The spread that a report measures: 95 % of dimensions lie within it, in mm."""

    spread_mm: float
    answers: int
    coupons: int


def report_template(printer: str, nozzle_mm: float, process: str, version: str, file: str) -> str:
    """Return a report to fill in.

    Args:
        printer: Name of the printer.
        nozzle_mm: Its nozzle.
        process: Name of the process.
        version: Version of this program.
        file: Name of the report's file.
    """
    return TEMPLATE.format(
        printer=printer,
        nozzle_mm=nozzle_mm,
        process=process,
        version=version,
        file=file,
        **EXPECTED_MM,
    )


def report_from(text: str, file: str) -> PrintReport:
    """Return a report.

    Args:
        text: Text of the TOML file.
        file: Its name, for messages.

    Raises:
        ForgeError: FDF290 or FDF291 for a text that is no report, with all wrong answers.
    """
    report = read_table(PrintReport, parse_toml(text, file), file)
    faults = []
    for number, answers in enumerate(report.coupon, 1):
        for name, steps in STEPS_MM.items():
            answer = getattr(answers, name)
            if answer is not None and not any(math.isclose(answer, step) for step in steps):
                known = ", ".join(f"{step:.2f}" for step in steps)
                message = (
                    f"{file}: `{name}` of coupon {number} is {answer:g}, no step of the coupon"
                )
                faults.append(Issue("FDF291", "error", message, hint=f"write one of {known}"))
    if faults:
        raise ForgeError(faults)
    return report


def measured_spread(report: PrintReport, file: str) -> MeasuredSpread:
    """Return the spread of a printer by the answers of its coupons.

    Args:
        report: Report of prints.
        file: Name of its file, for messages.

    Raises:
        ForgeError: FDF291 if it has fewer answers than one coupon.
    """
    offs = [
        getattr(answers, name) - expected_mm
        for answers in report.coupon
        for name, expected_mm in EXPECTED_MM.items()
        if getattr(answers, name) is not None
    ]
    if len(offs) < LEAST_ANSWERS:
        message = f"{file}: {len(offs)} answers of coupons, {LEAST_ANSWERS} are needed"
        hint = f"a `[[coupon]]` with {', '.join(field.name for field in fields(CouponAnswers))}"
        raise ForgeError([Issue("FDF291", "error", message, hint=hint)])
    variance = sum(off * off for off in offs) / len(offs) / 2
    return MeasuredSpread(2 * math.sqrt(variance), len(offs), len(report.coupon))
