"""Other games on the command line: --rules, --chance, compare."""

import json
from fractions import Fraction
from typing import Any

import pytest

from falldamage_forge import presets
from falldamage_forge.rules.ruleset import Ruleset
from tests.cli.running import fdforge

OTHERS = [n for n in presets.names("rulesets") if not isinstance(presets.load_rules(n), Ruleset)]


def ask(*words: object) -> Any:
    done = fdforge(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", OTHERS)
def test_reach_and_path_agree(name: str) -> None:
    found = ask("reach", "duel", "--rules", name, "--from", "B1")
    assert found["rules"] == name
    by_tile = {(row["tile"], row["level"]): row for row in found["surfaces"]}
    assert by_tile["B1", 0]["turns"] == 0
    goal = by_tile["I10", 0]
    way = ask("path", "duel", "--rules", name, "--from", "B1", "--to", "I10")
    assert (way["turns"], way["chance"]) == (goal["turns"], goal["chance"])
    assert sum(Fraction(step["cost"]) for step in way["steps"]) == Fraction(way["cost"])
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
    assert "rules" not in ask(
        "reach", "gatehouse", "--rules", "fall-damage", "--unit", "assassin", "--from", "A1"
    )


def test_options_are_those_of_the_game() -> None:
    words = ("path", "gantries", "--from", "D2", "--to", "D3")
    assert ask(*words)["cost"] == "300/127"
    assert ask(*words, "--option", "kip-shift=paid")["cost"] != "300/127"
    bad = fdforge(*words, "--option", "jump-scope=turn")
    assert (bad.returncode, "FDF320" in bad.stderr) == (1, True)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("reach", "duel", "--rules", "gatefal", "--from", "B1"), 1, "did you mean `gatefall`?"),
        (("reach", "gatehouse", "--unit", "bog", "--from", "B1"), 1, "did you mean `brog`?"),
        (("reach", "gatehouse", "--unit", "brog", "--from", "E1"), 1, "FDF367"),
        (("reach", "gatehouse", "--from", "Q1"), 1, "FDF340"),
        (("reach", "gatehouse", "--from", "A1", "--chance", "2"), 2, "from 0 to 1"),
        (("reach", "gatehouse", "--from", "A1", "--chance", "1/0"), 2, "such as 1/2"),
        (("reach", "gatehouse", "--from", "A1", "--move", "3"), 2, "name a --unit"),
        (("reach", "duel", "--unit", "assassin", "--from", "B1", "--chance", "1"), 2, "checks"),
        (("los", "gatehouse", "A1", "B1"), 1, "FDF366"),
        (("check", "duel", "--rules", "nothing"), 1, "FDF293"),
    ],
)
def test_bad_questions(words: tuple[str, ...], code: int, told: str) -> None:
    run = fdforge(*words)
    assert (run.returncode, told in run.stderr) == (code, True), run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("name", ["gantries", "crypt", "gatehouse"])
def test_preset_maps_of_other_games_are_clean(name: str) -> None:
    run = fdforge("check", name)
    assert (run.returncode, run.stdout) == (0, f"{name}: playable (0 errors, 0 warnings)\n")


def test_check_judges_by_the_rules_asked_for(tmp_path: Any) -> None:
    wall = tmp_path / "wall.forge"
    wall.write_text(
        "forge 1\nstack row 5 height 3\nladder C4 -> C5\nladder C6 -> C5\n"
        "start red at B1..I1\nstart blue at B10..I10\n",
        "utf-8",
    )
    assert fdforge("check", wall).returncode == 0
    for name, playable in (("gang-skirmish", False), ("falchion", True), ("gatefall", True)):
        run = fdforge("check", wall, "--rules", name)
        assert run.returncode == (0 if playable else 1), run.stderr
        assert ("FDF360" in run.stderr) != playable


def test_what_a_map_expects_is_said_of_its_own_rules() -> None:
    run = fdforge("check", "canyon", "--rules", "gatefall")
    assert (run.returncode, "FDF363" in run.stderr, "FDF331" in run.stderr) == (0, True, False)
    assert fdforge("check", "gatehouse", "--rules", "fall-damage").returncode == 0


def test_compare_shows_every_ruleset() -> None:
    told = ask("compare", "canyon")
    assert [row["rules"] for row in told["games"]] == list(presets.names("rulesets"))
    for row in told["games"]:
        assert row["reached"] + len(row["no_room"]) + len(row["cut_off"]) == row["surfaces"]
        assert set(row["turns_to_contact"]) == {"red", "blue"}
        assert row["turns_to_contact"]["red"] == row["turns_to_contact"]["blue"]
    shown = fdforge("compare", "canyon").stdout
    assert all(name in shown for name in presets.names("rulesets"))


def test_analyze_tells_falls_and_turns() -> None:
    gang = ask("analyze", "gantries")
    places = gang["units"][0]["falls"]["places"]
    assert {
        key: place[key]
        for place in places
        if place["surface"] == "C3@2"
        for key in ("surface", "levels")
    } == {"surface": "C3@2", "levels": 2}
    gate = ask("analyze", "gatehouse")
    assert gate["measures"]["red's Base to the Gate"].startswith("2 Action Points: 1 turn 100.0 %")
