"""One cause, one message: what follows from a fault is folded into it, and nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import falldamage_forge as ff
from falldamage_forge.board import Tile
from falldamage_forge.diagnostics.issue_folding import MOST_KEPT, RULES, fold, following, unfolded
from falldamage_forge.diagnostics.machine_formatters import render_github, render_json, render_sarif
from falldamage_forge.diagnostics.text_formatter import render_text
from falldamage_forge.issues import Issue, SourceSpan, has_errors
from tests.cli.running import typed
from tests.lang.programs import many

STARTS = "start red at B1..I1\nstart blue at B10..I10\n"


def cells(rows: int, cols: int, cell: str) -> str:
    return "map {\n" + f"{' '.join([cell] * cols)}\n" * rows + "}\n"


HEDGES = "".join(f"stack {tile} height 3\n" for tile in "B3 D3 F3 H3 B6 D6 F6 H6".split())
CASES: dict[str, tuple[str, str, int]] = {
    "a wall across a row": ("stack row 5 height 12\n", "FDF300", 2),
    "a moat across a row": ("lava at row 5\n", "FDF300", 2),
    "a wall across two rows": ("stack row 5, row 6 height 4\n", "FDF300", 2),
    "a wall and a chest behind it": ("stack row 5 height 12\ntreasure at C3\n", "FDF300", 2),
    "a wall and a promise": ("stack row 5 height 12\nexpect connected\n", "FDF300", 2),
    "a bridge too long": ("stack D5 height 4\nbridge B5 -> I5 level 3\n", "FDF131", 3),
    "a chest too high, and promised": (
        "stack E5 height 5\ntreasure at E5\nexpect reachable treasure\n",
        "FDF301",
        3,
    ),
    "eight hedges": (HEDGES, "FDF311", 2),
    "spires on bare board": ("spire at A3..J8\n", "FDF143", 2),
    "ladders on nothing": (
        "".join(f"ladder {col}5 -> {col}6\n" for col in "ABCDEFGHIJ"),
        "FDF138",
        2,
    ),
    "a map far too large": (cells(200, 200, "1"), "FDF102", 53),
    "a map too wide": (cells(10, 50, "1"), "FDF102", 2),
    "a glyph in every cell": (cells(10, 10, "1Q"), "FDF103", 3),
    "levels without end": (cells(10, 10, "99"), "FDF106", 3),
}
"""Lines, the one code that is told of them, and where."""


def issues_of(lines: str) -> tuple[Issue, ...]:
    return ff.check(ff.loads(f"forge 1\n{lines}{STARTS}", "x.forge")).issues


@pytest.mark.parametrize(("lines", "code", "line"), CASES.values(), ids=list(CASES))
def test_one_cause_is_one_message_at_its_place(lines: str, code: str, line: int) -> None:
    (issue,) = (issue for issue in issues_of(lines) if issue.code != "FDF351")
    assert issue.span is not None
    assert (issue.code, issue.span.line) == (code, line)
    assert len(render_text([issue])) < 2_000


def test_consequences_of_a_wall_are_listed_on_demand(tmp_path: Path) -> None:
    (wall,) = issues_of("stack row 5 height 12\nexpect connected\ntreasure at C3\n")
    assert wall.message.startswith("row 5 is a wall of 12 levels: a unit with Jump 1 or 2 cannot")
    assert {one.code for one in wall.followers} == {"FDF301", "FDF311", "FDF331"}
    path = tmp_path / "wall.forge"
    path.write_text(f"forge 1\nstack row 5 height 12\n{STARTS}", "utf-8")
    short, whole = typed("check", str(path)), typed("check", str(path), "--all")
    assert (short.returncode, whole.returncode) == (1, 1)
    assert "FDF311" not in short.stderr and "1 more follows from it" in short.stderr
    assert "FDF311" in whole.stderr and "follows from it" not in whole.stderr
    assert "(1 error, 0 warnings; 1 more follows)" in short.stdout


def test_independent_faults_are_not_folded() -> None:
    lines = "stack B5 height 1\nbridge B5 -> E5 level 1\nspire at D8\nladder H3 -> H4\n"
    assert [issue.code for issue in issues_of(lines)] == ["FDF132", "FDF138", "FDF143"]
    assert not any(issue.followers for issue in issues_of(lines))


# -- folding as such ----------------------------------------------------------------------------

CODES = sorted({rule.cause for rule in RULES} | {code for rule in RULES for code in rule.followers})
spans = st.builds(lambda line: SourceSpan("x", line, 1, line, 9), st.integers(1, 4))
tiles = st.lists(st.builds(Tile, st.integers(0, 4), st.integers(0, 4)), max_size=3).map(tuple)
words = st.sampled_from(["red cannot reach it", "red and blue cannot reach it", "`a` is 1", "b"])
some_issues = st.builds(
    Issue,
    st.sampled_from([*CODES, "FDF002", "FDF143"]),
    st.sampled_from(["error", "warning", "info"]),
    words,
    st.one_of(st.none(), spans),
    tiles,
)


@many(200, 20_000)
@given(found=st.lists(some_issues, max_size=40))
def test_folding_loses_nothing_and_keeps_what_counts(found: list[Issue]) -> None:
    folded = fold(found)
    assert has_errors(folded) == has_errors(found)
    whole = unfolded(folded)
    once = set(found)
    assert len(whole) == len(once)
    assert {issue.code for issue, _ in whole} == {issue.code for issue in found}
    assert sum(1 + following(issue) for issue in folded) == len(once)
    assert all(cause is None or cause < number for number, (_, cause) in enumerate(whole))
    assert {tile for issue, _ in whole for tile in issue.tiles} == {
        tile for issue in found for tile in issue.tiles
    }
    assert fold(found) == folded


@many(100, 5_000)
@given(found=st.lists(some_issues, max_size=20))
def test_every_format_reports_followers_or_their_number(found: list[Issue]) -> None:
    folded = fold(found)
    rows = json.loads(render_json(folded))["issues"]
    assert len(rows) == len(unfolded(folded))
    for row in rows:
        assert row["follows"] is None or rows[row["follows"]]["follows"] is None
    (run,) = json.loads(render_sarif(folded, "1"))["runs"]
    assert [result["properties"]["follows"] for result in run["results"]] == [
        row["follows"] for row in rows
    ]
    assert render_github(folded).count("::error") <= len(folded)
    assert len(render_text(folded, whole=True)) >= len(render_text(folded)) - 80 * len(folded)


def test_no_rule_is_a_circle() -> None:
    """A cause is told before what follows, so the table has an order."""
    order = {rule.cause: number for number, rule in enumerate(RULES)}
    for rule in RULES:
        assert rule.cause not in rule.followers
        assert all(order.get(code, len(RULES)) > order[rule.cause] for code in rule.followers)


def test_number_of_kept_followers_is_bounded() -> None:
    span = SourceSpan("x", 1, 1, 1, 2)
    found = [
        Issue("FDF143", "error", f"no {n}", span, (Tile(n % 50, n // 50),)) for n in range(2000)
    ]
    (one,) = fold(found)
    assert (one.count, len(one.followers), len(one.tiles)) == (2000, MOST_KEPT, 2000)
