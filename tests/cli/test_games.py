"""Other games on the command line: --rules, --chance, compare."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge import presets
from falldamage_forge.presets import load_rules
from tests import schemas
from tests.cli.running import ROOT, typed

NAMES = presets.names("rulesets")


def ask(*words: object) -> Any:
    done = typed(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_reach_and_path_agree(name: str) -> None:
    found = ask("reach", "duel", "--rules", name, "--from", "B1")
    assert found["rules"] == name
    by_tile = {(row["tile"], row["level"]): row for row in found["surfaces"]}
    assert by_tile["B1", 0]["turns"] == 0
    goal = by_tile["I10", 0]
    way = ask("path", "duel", "--rules", name, "--from", "B1", "--to", "I10")
    assert (way["turns"], way["chance"]) == (goal["turns"], goal["chance"])
    assert sum(Fraction(step["exact"]) for step in way["steps"]) == Fraction(way["exact"])
    assert (way["steps"][-1]["tile"], way["steps"][-1]["turn"]) == ("I10", way["turns"])


def test_chance_asks_for_surer_ways() -> None:
    words = ("reach", "canyon", "--rules", "gang-skirmish", "--from", "B1")
    everything = ask(*words)["surfaces"]
    sure = ask(*words, "--chance", "1/2")["surfaces"]
    assert 0 < len(sure) < len(everything)
    assert all(Fraction(row["chance"]) >= Fraction(1, 2) for row in sure)


def test_the_maps_own_rules_hold_and_rules_overrules_them() -> None:
    assert ask("reach", "gatehouse", "--from", "A1")["rules"] == "gatefall"
    assert ask("reach", "gatehouse", "--from", "A1", "--rules", "falchion")["rules"] == "falchion"
    words = ("reach", "gatehouse", "--unit", "assassin", "--from", "A1")
    assert ask(*words, "--rules", "fall-damage")["rules"] == "fall-damage"


def test_options_are_those_of_the_game() -> None:
    words = ("path", "gantries", "--from", "D2", "--to", "D3")
    assert ask(*words)["exact"] == "300/127"
    assert ask(*words, "--option", "kip-shift=paid")["exact"] != "300/127"
    bad = typed(*words, "--option", "jump-scope=turn")
    assert (bad.returncode, "FDF320" in bad.stderr) == (1, True)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("reach", "duel", "--rules", "gatefal", "--from", "B1"), 1, "did you mean `gatefall`?"),
        (("reach", "gatehouse", "--unit", "bog", "--from", "B1"), 1, "did you mean `brog`?"),
        (("reach", "gatehouse", "--unit", "brog", "--from", "E1", "--enemy", "D1"), 1, "FDF367"),
        (("reach", "gatehouse", "--from", "Q1"), 1, "FDF340"),
        (("reach", "gatehouse", "--from", "A1", "--chance", "2"), 2, "from 0 to 1"),
        (("reach", "gatehouse", "--from", "A1", "--chance", "1/0"), 2, "such as 1/2"),
        (("reach", "gatehouse", "--from", "A1", "--move", "3"), 1, "unknown key `move`"),
        (("reach", "gatehouse", "--from", "A1", "--with", "sped=3"), 1, "did you mean `speed`?"),
        (("los", "gatehouse", "A1", "B1"), 1, "FDF366"),
        (("check", "duel", "--rules", "nothing"), 1, "FDF293"),
    ],
)
def test_bad_questions(words: tuple[str, ...], code: int, told: str) -> None:
    run = typed(*words)
    assert (run.returncode, told in run.stderr) == (code, True), run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("name", ["gantries", "crypt", "gatehouse"])
def test_preset_maps_of_other_games_are_clean(name: str) -> None:
    run = typed("check", name)
    assert (run.returncode, run.stdout) == (0, f"{name}: playable (0 errors, 0 warnings)\n")


def test_check_judges_by_the_rules_asked_for(tmp_path: Any) -> None:
    wall = tmp_path / "wall.forge"
    wall.write_text(
        "forge 1\nstack row 5 height 3\nladder C4 -> C5\nladder C6 -> C5\n"
        "start red at B1..I1\nstart blue at B10..I10\n",
        "utf-8",
    )
    assert typed("check", wall).returncode == 0
    for name, playable in (("gang-skirmish", False), ("falchion", True), ("gatefall", True)):
        run = typed("check", wall, "--rules", name)
        assert run.returncode == (0 if playable else 1), run.stderr
        assert ("FDF300" in run.stderr) != playable


def test_expectations_apply_to_the_maps_own_rules() -> None:
    run = typed("check", "canyon", "--rules", "gatefall")
    assert (run.returncode, "FDF301" in run.stderr, "FDF331" in run.stderr) == (0, True, False)
    assert typed("check", "gatehouse", "--rules", "fall-damage").returncode == 0


@pytest.mark.parametrize("name", [name for name in NAMES if name != "fall-damage"])
def test_a_table_of_ones_own_from_the_template(name: str, tmp_path: Any) -> None:
    made = typed("new", "mine", "--rules", name, cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    assert typed("check", "mine.forge", cwd=tmp_path).stdout.endswith("0 warnings)\n")
    table = tmp_path / "mine.toml"
    unit = load_rules(name).proof_units[0]
    table.write_text(table.read_text("utf-8").replace(f"[units.{unit}]", "[units.hero]", 1)
                     .replace(f'["{unit}"]', '["hero"]'), "utf-8")  # fmt: skip
    words = ("mine.forge", "--rules", "mine.toml", "--from", "B1", "--unit")
    assert typed("reach", *words, "hero", cwd=tmp_path).returncode == 0
    assert "did you mean `hero`" in typed("reach", *words, "heroo", cwd=tmp_path).stderr
    table.write_text(table.read_text("utf-8").replace("proof_units", "prof_units"), "utf-8")
    assert "did you mean `proof_units`" in typed("reach", *words, "hero", cwd=tmp_path).stderr
    assert typed("new", "mine", "--rules", name, cwd=tmp_path).returncode == 1


def test_a_table_keeps_the_readings_of_the_map(tmp_path: Any) -> None:
    """Own characters play on the gatehouse's own gate."""
    text = (ROOT / "presets" / "rulesets" / "gatefall.toml").read_text("utf-8")
    (tmp_path / "mine.toml").write_text(text.replace("speed = 3", "speed = 12"), "utf-8")
    words = ("--rules", tmp_path / "mine.toml")
    asked = ask("ask", "gatehouse", "gate-row", *words)
    assert asked["answer"] == 7
    assert ask("path", "gatehouse", "--from", "A1", "--to", "A13", *words)["turns"] == 1


def test_gate_off_the_board_is_reported() -> None:
    run = typed("reach", "gatehouse", "--from", "A1", "--option", "gate=20")
    assert (run.returncode, "FDF368" in run.stderr) == (1, True)


def test_wide_creatures_start_on_the_east_rim() -> None:
    told = ask("analyze", "duel", "--rules", "falchion")
    for row in told["units"]:
        assert all(turns["last"] for turns in row["turns_to_contact"].values()), row["unit"]


def test_compare_shows_every_ruleset() -> None:
    told = ask("compare", "canyon")
    assert [row["rules"] for row in told["games"]] == list(presets.names("rulesets"))
    for row in told["games"]:
        assert row["reached"] + len(row["no_room"]) + len(row["cut_off"]) == row["surfaces"]
        assert set(row["turns_to_contact"]) == {"red", "blue"}
        assert row["turns_to_contact"]["red"] == row["turns_to_contact"]["blue"]
    shown = typed("compare", "canyon").stdout
    assert all(name in shown for name in presets.names("rulesets"))


def test_analyze_reports_falls_and_turns() -> None:
    gang = ask("analyze", "gantries")
    places = gang["units"][0]["falls"]["places"]
    assert {
        key: place[key]
        for place in places
        if place["surface"] == "C3@2"
        for key in ("surface", "levels")
    } == {"surface": "C3@2", "levels": 2}
    gate = ask("analyze", "gatehouse")
    told = {metric["name"]: metric["text"] for metric in gate["metrics"]}
    assert told["red's Base to the Gate"].startswith("2 Action Points: 1 turn 100.0 %")


@pytest.mark.parametrize("name", NAMES)
def test_answers_keep_their_published_shape(name: str) -> None:
    words = ("--rules", name, "--from", "B1")
    answers = {
        "reach": ask("reach", "duel", *words),
        "path": ask("path", "duel", *words, "--to", "I10", "--turns", "2"),
        "analyze": ask("analyze", "duel", "--rules", name),
        "targets": ask("targets", "duel", *words, "--unit", next(iter(load_rules(name).units))),
        "compare": ask("compare", "duel"),
    }
    for kind, answer in answers.items():
        schemas.of("answers", kind).validate(answer)


def test_push_and_los_keep_their_published_shape() -> None:
    words = ("--attacker", "A1", "--target", "B1", "--push", "B1")
    schemas.of("answers", "push").validate(ask("push", "duel", *words))
    schemas.of("answers", "los").validate(ask("los", "duel", "A1", "B1"))


def test_compare_reports_the_probability_of_the_first_attack(tmp_path: Path) -> None:
    cliff = tmp_path / "cliff.forge"
    starts = "start red at A1..E1\nstart blue at A5..E5\n"
    cliff.write_text(f"forge 1\nboard 5x5\nstack row 1, row 2 height 1\n{starts}")
    games = {row["rules"]: row["turns_to_contact"] for row in ask("compare", cliff)["games"]}
    assert games["falchion"]["red"]["chance"] == "1"
    assert games["gang-skirmish"]["red"]["chance"] == "1/2", "a Jump Down is on every way"
    yard = {row["rules"]: row["turns_to_contact"] for row in ask("compare", "gantries")["games"]}
    assert yard["gatefall"]["red"]["chance"] == "1/2", "three Action Points and one for the attack"
    assert "with a chance of" in typed("compare", cliff).stdout


@pytest.mark.parametrize(
    ("name", "rules"), [("gantries", "gang-skirmish"), ("gatehouse", "gatefall")]
)
def test_questions_are_listed_with_what_they_take(name: str, rules: str) -> None:
    aliases = {name: alias for alias, name in load_rules(rules).question_aliases.items()}
    head, *lines = typed("ask", name).stdout.splitlines()
    rows = ask("ask", name)
    assert head.startswith("questions of ") and head.endswith(":")
    assert len(lines) == 2 * len(rows) > 0
    for row, asked, text in zip(rows, lines[::2], lines[1::2], strict=True):
        assert {*row["needs"]} <= {*row["takes"]}
        words = [
            f"{key}={value}" if key in row["needs"] and key != "unit" else f"[{key}={value}]"
            for key, value in row["takes"].items()
        ]
        assert asked == " ".join([row["question"], *words])
        alias = aliases.get(row["question"])
        assert text == f"    {row['text']}" + (f" Alias: {alias}." if alias else "")
