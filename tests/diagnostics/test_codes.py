"""Every code is raised somewhere, explained, shown by an example and gone from its mended twin."""

import re
from functools import cache
from pathlib import Path

import pytest

import falldamage_forge as ff
from falldamage_forge.diagnostics.code_registry import explain
from falldamage_forge.issues import Issue, has_errors
from falldamage_forge.issues.code_tables import DiagnosticCode, codes
from falldamage_forge.lang.lower import PRINT_KEYS
from falldamage_forge.lengths import GAPS_MM

PACKAGE = Path(__file__).resolve().parents[2] / "falldamage_forge"
WITH_EXAMPLE = [entry for entry in codes().values() if entry.example]

SAYS_IT_ALL = {"FDF006", "FDF009", "FDF106", "FDF204", "FDF211", "FDF320", "FDF331"}
"""Codes whose message names the remedy, or whose remedy is the map's author's to choose."""


@cache
def issues_of(text: str) -> tuple[Issue, ...]:
    return ff.check(ff.loads(text, "example.forge")).issues


def test_every_code_that_is_raised_is_explained_and_the_other_way_round() -> None:
    raised = {
        code
        for path in PACKAGE.rglob("*.py")
        for code in re.findall(r"\"(FDF\d{3})\"", path.read_text("utf-8"))
    }
    assert raised == set(codes())


def test_explanations_name_the_print_settings_and_ranges_of_today() -> None:
    unknown, wrong = codes()["FDF210"], codes()["FDF211"]
    for entry in (unknown, unknown.spoken("de")):
        assert all(re.search(rf"\b{key}\b", entry.why) for key in PRINT_KEYS), entry.why
    for entry, to in ((wrong, "to"), (wrong.spoken("de"), "bis")):
        for low, high in (GAPS_MM["fit_mm"], GAPS_MM["seam_mm"]):
            assert f"{low:g} {to} {high:g} mm" in entry.why


@pytest.mark.parametrize("entry", WITH_EXAMPLE, ids=lambda entry: entry.code)
def test_the_example_raises_its_code_with_a_place(entry: DiagnosticCode) -> None:
    found = [issue for issue in issues_of(entry.example) if issue.code == entry.code]
    assert found, "the example does not raise it"
    assert {issue.severity for issue in found} == {entry.severity}
    assert all(issue.span and issue.span.file == "example.forge" for issue in found)


@pytest.mark.parametrize("entry", WITH_EXAMPLE, ids=lambda entry: entry.code)
def test_the_example_has_a_message_and_a_hint_in_plain_words(entry: DiagnosticCode) -> None:
    """Outside quotes no word stands in capitals, and a sentence has no full stop."""
    for issue in (issue for issue in issues_of(entry.example) if issue.code == entry.code):
        assert bool(issue.hint) != (entry.code in SAYS_IT_ALL)
        for text in (issue.message, issue.hint or "", *(note.message for note in issue.notes)):
            unquoted = re.sub(r"`[^`]*`", "", text)
            assert not re.search(r"[A-Z]{2}|\.$", unquoted), text


@pytest.mark.parametrize("entry", WITH_EXAMPLE, ids=lambda entry: entry.code)
def test_corrected_example_has_no_issue(entry: DiagnosticCode) -> None:
    found = issues_of(entry.corrected)
    assert not has_errors(found)
    assert entry.code not in {issue.code for issue in found}


@pytest.mark.parametrize("entry", codes().values(), ids=lambda entry: entry.code)
def test_a_page_says_why_and_how(entry: DiagnosticCode) -> None:
    page = explain(entry.code.lower())
    assert page is not None
    assert entry.why in page
    assert entry.help in page
    assert bool(entry.example) == bool(entry.corrected)


def test_an_unknown_code_has_no_page() -> None:
    assert explain("FDF999") is None


def test_language_codes_are_all_shown_by_an_example() -> None:
    """What no small single text can raise is shown by tests of its own."""
    elsewhere = {"FDF008", "FDF010", "FDF011", "FDF139", "FDF205", "FDF208"}
    bare = {code for code, entry in codes().items() if not entry.example and code < "FDF290"}
    assert bare == elsewhere
