"""Every hint is tried: following it mends that fault and makes no new one.

Sources are the catalogue's examples, the real mistakes that are kept, and faults planted into maps.
What a hint says to machines is its quick fix; else the statements that it quotes take the place of
the faulty line, or stand beside it where they begin with another word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import falldamage_forge as ff
from falldamage_forge.lang.parser import KEYWORDS, parse
from falldamage_forge.studio.message_tables import issues_table
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
def issues_of(text: str) -> list[dict[str, Any]]:
    return issues_table(ff.check(ff.loads(text, "x.forge")).issues, text, "x.forge")


def quoted(hint: str) -> list[str]:
    """The whole statements that a hint quotes, without those whose number `N` is to be chosen."""
    found = [text for text in re.findall(r"`([^`…]+)`", hint) if " " in text and text[-2:] != " N"]
    return [text for text in found if text.split()[0] in KEYWORDS and "{" not in text]


def statements(hint: str) -> list[str]:
    """Those that are written as they stand: no `FILE` to be filled in, no code without a reason."""
    whole = (text for text in quoted(hint) if not re.search(r'[A-Z]{4}|"FILE"', text))
    return [text for text in whole if text.split()[0] not in PARTS]


def followed(text: str, issue: dict[str, Any]) -> str | None:
    """The text after its hint was followed; None where it only explains."""
    lines, at = text.split("\n"), issue["place"]["line"] - 1
    fix = issue["fix"]
    if fix:
        lines[at] = lines[at][: fix["first"]] + fix["text"] + lines[at][fix["last"] :]
        return "\n".join(lines)
    found = statements(issue["hint"] or "")
    if not found:
        return None
    if "as the first statement" in issue["hint"]:
        return "\n".join((*found, *lines))
    if found[0].split()[0] == lines[at].split()[0]:
        lines[at : at + 1] = found[:1]
        return "\n".join(lines)
    return "\n".join((*lines, *found, ""))


def cures(text: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Each issue of a text whose hint can be followed, and the text after it was."""
    for issue in issues_of(text):
        if issue["place"] and issue["severity"] == "error":
            mended = followed(text, issue)
            if mended is not None:
                yield issue, mended


@pytest.mark.parametrize("name", [name for name in SOURCES if name not in NEEDS_MORE])
def test_hint_corrects_its_error_and_adds_none(name: str) -> None:
    known = {one["code"] for one in issues_of(SOURCES[name])}
    for issue, mended in cures(SOURCES[name]):
        after = issues_of(mended)
        fault = (issue["code"], issue["place"])
        here = [one for one in after if (one["code"], one["place"]) == fault]
        assert not here, f"still there: {here}"
        new = [one for one in after if one["code"] not in known and one["severity"] == "error"]
        assert not new, f"new: {new}"


@pytest.mark.parametrize("name", SOURCES)
def test_text_quoted_by_a_hint_is_a_statement(name: str) -> None:
    for issue in issues_of(SOURCES[name]):
        for text in quoted(issue["hint"] or ""):
            whole = f'{text} "why"' if re.fullmatch(r"allow FDF\d{3}", text) else text
            if text.split()[0] not in PARTS:
                assert parse(f"forge 1\n{whole}\n", "x")[1] == (), text


def test_many_hints_are_tried() -> None:
    assert sum(len(list(cures(SOURCES[name]))) for name in SOURCES.keys() - NEEDS_MORE) > 50
    assert all(name in SOURCES for name in NEEDS_MORE)


@pytest.mark.parametrize("middle", [0, 1, 2])
def test_level_offered_to_a_bridge_is_one_that_it_can_have(middle: int) -> None:
    text = (
        "forge 1\nstart red at B1..I1\nstart blue at B10..I10\nstack B5, D5 height 2\n"
        f"stack C5 height {middle}\nbridge B5 -> D5 level "
    )
    (loose,) = (one for one in ff.check(ff.loads(f"{text}3\n")).every if one.code == "FDF132")
    fits = all(issue.severity != "error" for issue in ff.check(ff.loads(f"{text}2\n")).every)
    assert fits == (middle < 2)
    assert str(loose.hint).endswith(
        "make B5 and D5 level 3" + ", or give the bridge level 2" * fits
    )
