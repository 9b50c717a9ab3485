"""Issue formatters for machines: JSON, GitHub annotations, SARIF 2.1.0."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from falldamage_forge.diagnostics.issue_folding import following, unfolded
from falldamage_forge.issues import Issue, SourceSpan, tile_name
from falldamage_forge.issues.code_tables import codes

FORMATS = ("text", "json", "github", "sarif")
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_SARIF_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_GITHUB_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def span_json(span: SourceSpan) -> dict[str, Any]:
    """Return a source span as JSON values; lines and columns count from 1, the end is exclusive."""
    return {
        "file": span.file,
        "line": span.line,
        "column": span.col,
        "end_line": span.end_line,
        "end_column": span.end_col,
    }


def issue_tables(issues: Iterable[Issue]) -> list[dict[str, Any]]:
    """Return issues and their followers as JSON values, in one list."""
    return [issue_json(issue, cause) for issue, cause in unfolded(issues)]


def issue_json(issue: Issue, follows: int | None = None) -> dict[str, Any]:
    """Return one issue as JSON values.

    Args:
        issue: The issue.
        follows: Index in its list of the issue that it follows from; None for a cause.
    """
    return {
        "code": issue.code,
        "severity": issue.severity,
        "message": issue.message,
        "place": span_json(issue.span) if issue.span else None,
        "tiles": [tile_name(tile) for tile in issue.tiles],
        "hint": issue.hint,
        "notes": [{"place": span_json(note.span), "message": note.message} for note in issue.notes],
        "count": issue.count,
        "follows": follows,
    }


def render_json(issues: Iterable[Issue]) -> str:
    """Return one JSON document with all issues in order, followers behind their cause."""
    return json.dumps({"issues": issue_tables(issues)}, indent=2)


def render_github(issues: Iterable[Issue]) -> str:
    """Return workflow commands that annotate lines of a pull request.

    Source: GitHub Actions, "Workflow commands".
    """
    return "\n".join(map(_annotation, issues))


def _annotation(issue: Issue) -> str:
    place = ""
    if issue.span:
        span = issue.span
        place = f"file={_property(span.file)},line={span.line},col={span.col},"
    more = following(issue)
    message = issue.message + (f"\n{more} more follow from it" if more else "")
    message += f"\nhelp: {issue.hint}" if issue.hint else ""
    level = _GITHUB_LEVELS[issue.severity]
    return f"::{level} {place}title={_property(issue.code)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def render_sarif(issues: Iterable[Issue], version: str) -> str:
    """Return a SARIF log with one run and the rules that its results name.

    Args:
        issues: The issues.
        version: Version of fdforge.

    Source: OASIS, SARIF 2.1.0, 27 March 2020.
    """
    found = unfolded(issues)
    used = sorted({issue.code for issue, _ in found})
    rules = [
        {
            "id": code,
            "shortDescription": {"text": codes()[code].title},
            "fullDescription": {"text": codes()[code].why},
            "help": {"text": codes()[code].help},
        }
        for code in used
        if code in codes()
    ]
    driver = {"name": "fdforge", "version": version, "rules": rules}
    results = [_result(issue, cause) for issue, cause in found]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _result(issue: Issue, cause: int | None) -> dict[str, Any]:
    text = issue.message + (f" ({issue.hint})" if issue.hint else "")
    result: dict[str, Any] = {
        "ruleId": issue.code,
        "level": _SARIF_LEVELS[issue.severity],
        "message": {"text": text},
        "properties": {"count": issue.count, "follows": cause},
    }
    if issue.span:
        result["locations"] = [_location(issue.span)]
    if issue.notes:
        result["relatedLocations"] = [
            {**_location(note.span), "id": number, "message": {"text": note.message}}
            for number, note in enumerate(issue.notes)
        ]
    return result


def _location(span: SourceSpan) -> dict[str, Any]:
    region = {
        "startLine": span.line,
        "startColumn": span.col,
        "endLine": span.end_line,
        "endColumn": span.end_col,
    }
    uri = span.file.replace("\\", "/").replace(" ", "%20")
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
