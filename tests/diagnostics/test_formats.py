"""Issues for machines agree with the issues themselves."""

import json
from dataclasses import fields

import pytest

from falldamage_forge.diagnostics.machine_formatters import render_github, render_json, render_sarif
from falldamage_forge.diagnostics.text_formatter import render_text
from falldamage_forge.issues import Issue, Note, SourceSpan
from tests.cli.running import typed

SPAN = SourceSpan("my map.forge", 3, 7, 3, 11)
TOWER = Note(SourceSpan("my map.forge", 1, 8, 1, 13), "`tower` is defined here")
TILES = ((0, 0), (3, 27))
HINT = "did you mean `tower`?"
ISSUES = (
    Issue("FDF202", "error", "no piece called `towr`", SPAN, TILES, HINT, (TOWER,)),
    Issue("FDF310", "warning", "a trap,\n50 % sure: yes"),
)


def test_text_underlines_both_places() -> None:
    source = "define tower {\n}\nplace towr at B2\n"
    assert render_text(ISSUES[:1], {"my map.forge": source}).splitlines() == [
        "error[FDF202]: no piece called `towr`",
        " --> my map.forge:3:7",
        "  |",
        "1 | define tower {",
        "  |        ----- `tower` is defined here",
        "3 | place towr at B2",
        "  |       ^^^^",
        "  = help: did you mean `tower`?",
    ]
    assert "\033[" in render_text(ISSUES, colour=True)
    assert render_text(()) == ""


def test_json_holds_everything() -> None:
    first, second = json.loads(render_json(ISSUES))["issues"]
    assert (first["code"], first["place"]["line"], first["place"]["column"]) == ("FDF202", 3, 7)
    assert first["tiles"] == ["A1", "AB4"]
    assert first["notes"][0]["message"] == "`tower` is defined here"
    assert second["place"] is None
    names = {field.name for field in fields(Issue)} - {"span", "followers", "cures"} | {
        "place",
        "follows",
    }
    assert set(first) == set(second) == names


def test_github_annotations_escape_what_would_break_them() -> None:
    first, second = render_github(ISSUES).splitlines()
    assert first.startswith("::error file=my map.forge,line=3,col=7,title=FDF202::no piece")
    assert second == "::warning title=FDF310::a trap,%0A50 %25 sure: yes"


def test_sarif_has_what_the_standard_requires() -> None:
    log = json.loads(render_sarif(ISSUES, "1.2.3"))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["FDF202", "FDF310"]
    for result in run["results"]:
        assert result["message"]["text"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["ruleId"] in rules
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20map.forge"
    assert place["region"] == {"startLine": 3, "startColumn": 7, "endLine": 3, "endColumn": 11}
    assert run["results"][0]["relatedLocations"][0]["message"]["text"] == "`tower` is defined here"


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
def test_check_speaks_every_format(form: str, tmp_path: object) -> None:
    run = typed("check", "duel", "--format", form)
    assert (run.returncode, run.stderr) == (0, "")
    if form == "json":
        assert json.loads(run.stdout) == {"issues": []}
    if form == "sarif":
        assert json.loads(run.stdout)["runs"][0]["results"] == []
    bad = typed("check", "nowhere.forge", "--format", form)
    assert bad.returncode == 1
    assert "FDF294" in bad.stdout
