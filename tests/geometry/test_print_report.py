"""Reports of prints: the form is a report, and what it measures is the spread that was drawn."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from falldamage_forge.geometry.print_report import (
    STEPS_MM,
    CouponAnswers,
    PrintReport,
    measured_spread,
    report_from,
    report_template,
)
from falldamage_forge.issues import ForgeError
from tests.cli.running import typed


def test_form_is_a_report_of_a_printer_without_deviation() -> None:
    text = report_template("mk4", 0.4, "standard", "0.3.0", "mine.toml")
    report = report_from(text, "mine.toml")
    assert (report.printer, report.nozzle_mm, report.broke) == ("mk4", 0.4, ())
    measured = measured_spread(report, "mine.toml")
    assert (measured.spread_mm, measured.answers, measured.coupons) == (0.0, 4, 1)
    whole = report_from(text.replace("# [[broke]]", "[[broke]]").replace("# part", "part"), "x")
    assert [one.part for one in whole.broke] == ["ladder-3"]


@pytest.mark.parametrize("spread_mm", [0.05, 0.08])
def test_spread_that_made_the_answers_is_measured(spread_mm: float) -> None:
    """Coupons of many printers: each answer is the step nearest to the middle and its deviation.

    The coupon's steps blur the measure, by the variance of an even draw within a step of 0.06 mm;
    a spread above its range would be cut by the first and the last step.
    """
    chance = np.random.default_rng(3)
    sigma = spread_mm / 2

    def answer(steps: tuple[float, ...]) -> float:
        off = chance.normal(0, sigma) - chance.normal(0, sigma)
        return min(steps, key=lambda step: abs(step - steps[2] - off))

    answers = tuple(
        CouponAnswers(**{name: answer(tuple(steps)) for name, steps in STEPS_MM.items()})
        for _ in range(2000)
    )
    found = measured_spread(PrintReport("mk4", coupon=answers), "x").spread_mm
    blurred = math.sqrt(spread_mm**2 + 2 * 0.06**2 / 12)
    assert found == pytest.approx(blurred, rel=0.06)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('printer = "mk4"\n', "4 are needed"),
        ('printer = "mk4"\n[[coupon]]\nfit = 0.22\nclick = 0.34\n', "2 answers"),
        ('printer = "mk4"\n[[coupon]]\nfit = 0.23\n', "no step of the coupon"),
        ('printer = "mk4"\n[[coupon]]\nfti = 0.22\n', "unknown key `fti`"),
        ("[[coupon]]\nfit = 0.22\n", "`printer` is missing"),
        ('printer = "mk4"\ncoupon = 3\n', "should be a list"),
        ("printer = ", "not valid TOML"),
    ],
)
def test_wrong_report_is_refused(text: str, said: str) -> None:
    with pytest.raises(ForgeError) as refused:
        measured_spread(report_from(text, "mine.toml"), "mine.toml")
    assert any(said in issue.message for issue in refused.value.issues)


def test_commands_write_a_report_and_simulate_it(tmp_path: Path) -> None:
    """From the form to a simulated table; a filled form is not written over."""
    written = typed("coupon", "--report", "--printer", "mk4", cwd=tmp_path)
    assert written.returncode == 0, written.stderr
    form = tmp_path / "print-report.toml"
    form.write_text(form.read_text().replace("fit = 0.22", "fit = 0.34"), "utf-8")
    again = typed("coupon", "--report", cwd=tmp_path)
    assert (again.returncode, "fit = 0.34" in form.read_text()) == (1, True)
    asked = ("prove", "duel", "--tolerance", "--from", "print-report.toml")
    told = json.loads(typed(*asked, "--json", cwd=tmp_path).stdout)
    measured = told["measured"]
    assert measured == {"spread_mm": 0.0849, "answers": 4, "coupons": 1}
    spreads = [row["spread_mm"] for row in told["tolerance"]["duel"]]
    assert pytest.approx(measured["spread_mm"], abs=1e-4) in spreads
    assert spreads == sorted(spreads)
    shown = typed(*asked, cwd=tmp_path).stdout
    assert shown.startswith("measured: ±0.08 mm, from 4 answers of 1 coupon\n")
    assert typed("prove", "duel", "--from", "print-report.toml", cwd=tmp_path).returncode == 2
