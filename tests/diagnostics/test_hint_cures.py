"""Every hint is tried: following it mends that fault and makes no new one.

Sources are the catalogue's examples, the real mistakes that are kept, and faults planted into maps.
What a hint says to machines are its quick fixes; the studio and the language server offer the first
that mends the issue.
"""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path

import pytest

import falldamage_forge as ff
from falldamage_forge.diagnostics.issue_folding import unfolded
from falldamage_forge.issues import Issue
from falldamage_forge.issues.code_tables import codes
from falldamage_forge.lang.parser import KEYWORDS, parse
from falldamage_forge.lang.quick_fixes import MOST_TRIED, QuickFix, Trial, cures_of, proposals
from falldamage_forge.library.map_edits import become
from falldamage_forge.studio.message_handlers import handle_message
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.session_stages import verdict
from tests.lang.planted import TEMPLATES, examples, planted, text_of

MISTAKES = Path(__file__).resolve().parents[1] / "data" / "mistakes"
SOURCES = {
    **{code: bad for code, (bad, _) in examples().items()},
    **{
        path.stem: re.sub(r"^#:.*\n", "", path.read_text("utf-8"), flags=re.M)
        for path in sorted(MISTAKES.glob("*.forge"))
    },
    **{f"planted {each[0]}": text_of(planted(0, each).bad) for each in TEMPLATES},
}
NEEDS_MORE = {
    "import-without-name": "the file that it imports is in no folder",
}
"""Sources whose hint is right and asks for something that no text has."""
PARTS = ("mirror", "rotate")
"""Words that begin a statement, and may be a part of another one."""


@cache
def issues_of(text: str) -> list[Issue]:
    return [issue for issue, _ in unfolded(ff.check(ff.loads(text, "x.forge")).issues)]


def quoted(hint: str) -> list[str]:
    """The whole statements that a hint quotes, without those whose number `N` is to be chosen."""
    found = [text for text in re.findall(r"`([^`…]+)`", hint) if " " in text and text[-2:] != " N"]
    return [text for text in found if text.split()[0] in KEYWORDS and "{" not in text]


@cache
def cures(text: str) -> list[tuple[Issue, QuickFix | None]]:
    """Each issue of a text whose message proposes a change, and the change that is offered."""
    issues = issues_of(text)
    trial = Trial(issues_of, issues_of, become=partial(become, ff.loads(text, "x.forge")))
    offered = zip(issues, cures_of(issues, text, "x.forge", trial), strict=True)
    proposed = [
        (one, fix)
        for one, fix in offered
        if one.span and (one.cures or [*proposals(one, text.splitlines())])
    ]
    return proposed[:MOST_TRIED]


@pytest.mark.parametrize("name", [name for name in SOURCES if name not in NEEDS_MORE])
def test_hint_corrects_its_error_and_adds_none(name: str) -> None:
    text = SOURCES[name]
    before = issues_of(text)
    for issue, fix in cures(text):
        assert fix is not None, issue
        after = issues_of(fix.applied(text.splitlines()) + "\n")
        assert (issue.code, issue.span) not in {(one.code, one.span) for one in after}
        known = {one.code for one in before} | {"FDF106"}  # seen once the number is one at all
        assert {one.code for one in after if one.severity == "error"} <= known


@pytest.mark.parametrize("name", SOURCES)
def test_text_quoted_by_a_hint_is_a_statement(name: str) -> None:
    for issue in issues_of(SOURCES[name]):
        for text in quoted(issue.hint or ""):
            whole = f'{text} "why"' if re.fullmatch(r"allow FDF\d{3}", text) else text
            if text.split()[0] not in PARTS:
                assert parse(f"forge 1\n{whole}\n", "x")[1] == (), text


def test_many_hints_are_tried() -> None:
    assert sum(len(cures(SOURCES[name])) for name in SOURCES.keys() - NEEDS_MORE) > 60
    assert all(name in SOURCES for name in NEEDS_MORE)


CHOICE = "the user chooses another tile, level, name or word"
DECIDES = "the user decides which of two contradicting statements stays"
REDRAWN = "the terrain is to be redrawn; no single line does it"
ELSEWHERE = "its cure is in another file"
MEASURED = "suggestions mend it, found by search and tried (`advice`)"
UNCURED = {
    **dict.fromkeys(
        ("FDF100", "FDF103", "FDF105", "FDF109", "FDF203", "FDF212", "FDF320", "FDF368"), CHOICE
    ),
    **dict.fromkeys(("FDF151", "FDF153"), CHOICE),
    **dict.fromkeys(("FDF101", "FDF331"), DECIDES),
    **dict.fromkeys(("FDF009", "FDF206", "FDF207"), REDRAWN),
    **dict.fromkeys(("FDF201", "FDF204"), ELSEWHERE),
    **dict.fromkeys(("FDF350", "FDF351", "FDF352"), MEASURED),
    **dict.fromkeys(("FDF148", "FDF149"), CHOICE),
    **dict.fromkeys(
        ("FDF162", "FDF437", "FDF438"), "it states what is not printed; the map is sound"
    ),
}
"""Codes of texts whose issue has no button, with the reason."""


@pytest.mark.parametrize("code", [code for code, entry in codes().items() if entry.example])
def test_a_button_is_offered_and_mends_the_issue_or_a_reason_is_known(code: str) -> None:
    session = Session(codes()[code].example, "x.forge")
    before = verdict(session)["issues"]
    fixes = [one["fix"] for one in before if one["code"] == code and one["fix"]]
    assert bool(fixes) != (code in UNCURED)
    for fix in fixes:
        text = QuickFix(**fix).applied(session.text.splitlines()) + "\n"
        said = {"type": "type", "text": text, "revision": session.revision}
        after = verdict(handle_message(session, said).session)["issues"]
        left, had = (sum(one["code"] == code for one in found) for found in (after, before))
        assert left < had
        errors, before_it = (
            sum(one["severity"] == "error" for one in found) for found in (after, before)
        )
        assert errors <= before_it or len(fixes) > 1


@pytest.mark.parametrize("most", [0, 2])
def test_no_more_issues_are_judged_than_allowed(most: int) -> None:
    starts = "start red at B1..I1\nstart blue at B10..I10\n"
    towers = "".join(f"stack {tile} height 3\n" for tile in ("B4", "D4", "F4", "H4"))
    text = f"forge 1\nstak J9 height 1\n{towers}{starts}"
    issues = issues_of(text.replace("stak", "stack")) + [*ff.loads(text, "x.forge").issues]

    def read(changed: str) -> list[Issue]:
        return [one for one, _ in unfolded(ff.loads(changed, "x.forge").issues)]

    cures = cures_of(issues, text, "x.forge", Trial(read, issues_of, most))
    offered = [issue.code for issue, cure in zip(issues, cures, strict=True) if cure]
    assert offered == ["FDF311"] * most + ["FDF002"]


@pytest.mark.parametrize("middle", [0, 1, 2])
def test_level_offered_to_a_bridge_is_one_that_it_can_have(middle: int) -> None:
    text = (
        "forge 1\nstart red at B1..I1\nstart blue at B10..I10\nstack B5, D5 height 2\n"
        f"stack C5 height {middle}\nbridge B5 -> D5 level "
    )
    (loose,) = (one for one in ff.check(ff.loads(f"{text}3\n")).every if one.code == "FDF132")
    fits = all(issue.severity != "error" for issue in ff.check(ff.loads(f"{text}2\n")).every)
    assert fits == (middle < 2)
    told = re.split(", or ", str(loose.hint).removeprefix("either "))
    assert told[0] == "make B5 and D5 level 3"
    assert ("give the bridge level 2" in told) == fits
