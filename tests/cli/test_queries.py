"""The query commands as a user calls them: tables for people, JSON for programs."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import typed

MAP = """forge 1
title "Yard"
map {
  . . . . . . . . . .
  . . . . . . . . . .
  . . 1 2 . ~ . . . .
  . . . . . . . . . .
  . . . . 2 . . . . .
  . . . . . . . 3 . .
  . . . . . . . . . .
  . . . . . . . . . .
  . . . . . . . . . .
  . . . . . . . . . .
}
treasure at D3
start red at A1..H1
start blue at A10..H10
"""


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("maps") / "yard.forge"
    path.write_text(MAP, "utf-8")
    return path


def ask(*words: object) -> Any:
    done = typed(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def spot(name: str, level: int) -> dict[str, Any]:
    return {"tile": name, "level": level}


def test_reach(yard: Path) -> None:
    found = ask("reach", yard, "--unit", "knight", "--from", "B3")
    assert found["unit"] == "knight"
    assert found["from"] == spot("B3", 0)
    table = {(s["tile"], s["level"]): s for s in found["surfaces"]}
    assert table["B3", 0]["turns"] == 0
    assert table["C3", 1]["one_turn"] == [[1, 0]]
    assert table["D3", 2]["one_turn"] == [[2, 0]]
    # From D3@2 down to E3@0 the third step costs a fall of 2 with Jump 1.
    assert table["E3", 0]["one_turn"] == [[3, 1]]
    assert table["E3", 0]["turns"] == 2
    assert ("H6", 0) not in table
    assert table["F3", 0]["one_turn"] == []


def test_reach_with_a_free_profile_options_and_others(yard: Path) -> None:
    free = ask("reach", yard, "--move", "3", "--jump", "1", "--from", "B3")
    knight = ask("reach", yard, "--unit", "knight", "--from", "B3")
    assert free["surfaces"] == knight["surfaces"]
    held = ask("reach", yard, "--unit", "knight", "--from", "B3", "--enemy", "C3")
    assert spot("C3", 1) not in [spot(s["tile"], s["level"]) for s in held["surfaces"]]
    friendly = ask("reach", yard, "--unit", "knight", "--from", "B3", "--friend", "C3")
    table = {(s["tile"], s["level"]): s for s in friendly["surfaces"]}
    assert table["D3", 2]["one_turn"] == [[2, 0]]
    assert ("C3", 1) not in table
    harsh = ask(
        "reach", yard, "--unit", "knight", "--from", "B3", "--option", "voluntary-fall=threshold"
    )
    table = {(s["tile"], s["level"]): s for s in harsh["surfaces"]}
    assert table["E3", 0]["one_turn"] == [[3, 2]]


def test_a_place_is_read_alike_everywhere(tmp_path: Path) -> None:
    """Its column's top, else the lowest above; the same place and exit code in every command."""
    path = tmp_path / "bridge.forge"
    lines = "stack B5, D5 height 2\nbridge B5 -> D5 level 2\nlava at C5\nstack F5, H5 height 3\n"
    path.write_text(MAP + lines + "bridge F5 -> H5 level 3\n", "utf-8")
    knight = ("--unit", "knight")
    for text, level in (("C5", 2), ("G5", 0), ("G5@3", 3), ("b5", 2)):
        place = spot(text[:2].upper(), level)
        assert ask("reach", path, *knight, "--from", text)["from"] == place
        assert ask("path", path, *knight, "--from", text, "--to", text)["to"] == place
        assert ask("targets", path, *knight, "--from", text)["from"] == place
        drawn = tmp_path / "x.svg"
        assert typed("show", path, "-o", drawn, "--reach", f"knight@{text}").returncode == 0
    for command in (
        ("reach", path, *knight, "--from", "C5@0"),
        ("path", path, *knight, "--from", "A1", "--to", "C5@0"),
        ("los", path, "A1", "C5@0"),
        ("targets", path, *knight, "--from", "C5@0"),
        ("push", path, "--attacker", "A1", "--target", "C5@0", "--push", "B1"),
        ("show", path, "-o", tmp_path / "y.svg", "--reach", "knight@C5@0"),
        ("show", path, "-o", tmp_path / "y.svg", "--sight", "C5@0"),
    ):
        run = typed(*command)
        assert (run.returncode, "FDF340" in run.stderr) == (1, True), command


def test_path(yard: Path) -> None:
    found = ask("path", yard, "--unit", "knight", "--from", "A3", "--to", "D3")
    assert [(s["tile"], s["level"], s["cost"], s["kind"]) for s in found["steps"]] == [
        ("B3", 0, 1, "step"),
        ("C3", 1, 1, "step"),
        ("D3", 2, 1, "step"),
    ]
    assert (found["turns"], found["cost"], found["damage"]) == (1, 3, 0)
    assert found["treasure"] == [spot("D3", 2)]


def test_missing_path_is_reported_with_exit_code_1(yard: Path) -> None:
    done = typed("path", yard, "--unit", "knight", "--from", "A1", "--to", "E5")
    assert done.returncode == 1
    assert "finds no way" in done.stdout


def test_a_path_that_hurts_is_taken_when_asked(yard: Path) -> None:
    found = ask(
        "path", yard, "--move", "3", "--jump", "0", "--from", "D3", "--to", "C3", "--any-damage"
    )
    assert (found["damage"], found["turns"]) == (1, 1)


def test_push(yard: Path) -> None:
    found = ask("push", yard, "--attacker", "C3", "--target", "D3", "--push", "B2")
    assert found == {
        "end": spot("F3", 0),
        "damage": 2,
        "dead": False,
        "cause": None,
        "at": None,
        "path": [spot("E3", 0), spot("F3", 0)],
    }
    mage = ask("push", yard, "--attacker", "C3", "--target", "D3", "--push", "B1", "--mage")
    assert mage["damage"] == 4
    stopped = ask(
        "push", yard, "--attacker", "A2", "--target", "B2", "--push", "B2", "--occupied", "C2"
    )
    assert stopped["end"] == spot("B2", 0)
    held = ask(
        "push",
        yard,
        "--attacker",
        "C3",
        "--target",
        "D3",
        "--push",
        "B2",
        "--unit",
        "shield-bearer",
    )
    assert held["end"] == spot("D3", 2)


def test_a_push_into_lava_kills(tmp_path: Path) -> None:
    path = tmp_path / "lava.forge"
    path.write_text(MAP + "lava at F8\n", "utf-8")
    found = ask("push", path, "--attacker", "D8", "--target", "E8", "--push", "B1")
    assert found["dead"] is True
    assert found["end"] is None


def test_los_and_targets(yard: Path) -> None:
    closed = ask("los", yard, "E4", "E6")
    assert closed["visible"] is False
    assert "E5" in closed["blocked_by"]
    assert ask("los", yard, "A1", "B1") == {"visible": True, "blocked_by": None}
    assert ask("los", yard, "A1", "C1", "--occupied", "B1")["blocked_by"] == "a unit at B1"
    found = ask("targets", yard, "--unit", "knight", "--from", "C3")
    assert {(t["tile"], t["level"]): t["bonus"] for t in found["targets"]} == {
        ("B3", 0): 1,
        ("C2", 0): 1,
        ("C4", 0): 1,
        ("D3", 2): -1,
    }


def test_analyze(yard: Path) -> None:
    found = ask("analyze", yard)
    assert len(found["classes"]) == 9
    metrics = {m["name"]: m for m in found["metrics"]}
    assert metrics["connection"]["verdict"] == "good"
    assert metrics["push exposure"]["values"]["by direction"].keys() == {
        "north", "east", "south", "west",
    }  # fmt: skip
    assert metrics["choke points"]["values"]["cut"] == 7
    assert {m["verdict"] for m in found["metrics"]} <= {"good", "warn", "bad", "info"}


def test_what_if(yard: Path) -> None:
    words = ("path", yard, "--unit", "knight", "--from", "A3", "--to", "D3")
    assert ask(*words)["turns"] == 1
    walled = ask(*words, "--what-if", "partition B2 south")
    assert walled["turns"] > 1
    tower = ask("reach", yard, "--unit", "archer", "--from", "B8", "--what-if", "scaffold B8")
    assert tower["from"] == spot("B8", 3)
    bare = ask(
        "path", "ashkeep", "--unit", "knight", "--from", "B10", "--to", "B4",
        "--what-if", "without B6", "--what-if", "without F4",
    )  # fmt: skip
    assert bare["found"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("reach", "--unit", "knigt", "--from", "A1"), 1, "knight"),
        (("reach", "--unit", "knight", "--from", "Z1"), 1, "Z1"),
        (("reach", "--unit", "knight", "--from", "A1@3"), 1, "A1@0"),
        (("reach", "--from", "A1@x"), 1, "write E5, or E5@2"),
        (("reach",), 2, "--from"),
        (("los", "A1", "B1", "--what-if", "scaffld A1"), 1, "scaffold E5"),
        (("los", "A1", "B1", "--what-if", "scaffold Z1"), 1, "not on the board"),
        (("los", "A1", "B1", "--what-if", "partition A1 up"), 1, "is not a direction"),
        (("los", "A1", "B1", "--what-if", "without A1"), 1, "no bridge"),
        (("reach", "--unit", "knight", "--from", "A1", "--option", "hedroom=2"), 1, "headroom"),
        (("reach", "--unit", "knight", "--from", "A1", "--option", "headroom"), 2, "NAME=VALUE"),
        (("push", "--attacker", "A1", "--target", "B1", "--push", "Q9"), 2, "B2"),
    ],
)
def test_wrong_arguments_are_refused_with_a_message(
    yard: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    done = typed(words[0], yard, *words[1:])
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_people_get_tables(yard: Path) -> None:
    shown = {
        "reach": ("--unit", "knight", "--from", "B3"),
        "path": ("--unit", "knight", "--from", "A3", "--to", "D3"),
        "push": ("--attacker", "C3", "--target", "D3", "--push", "B2"),
        "targets": ("--unit", "archer", "--from", "D3"),
        "analyze": (),
    }
    said = {name: typed(name, yard, *words).stdout for name, words in shown.items()}
    assert "D3@2" in said["reach"]
    assert "turns 1, 3 tiles, damage 0" in said["path"]
    assert "ends on F3@0, 2 fall damage" in said["push"]
    assert "archer on D3@2" in said["targets"]
    assert "connection" in said["analyze"]


def test_effects_auras_and_abilities_are_asked_from_commands() -> None:
    words = ("reach", "duel", "--unit", "knight", "--from", "B10")

    def within(turns: int, *more: str) -> int:
        return sum(row["turns"] == turns for row in ask(*words, *more)["surfaces"])

    plain = within(1)
    assert within(1, "--with", "boots=1") > plain
    assert within(1, "--friend", "bard=A9") > plain
    assert within(1, "--enemy", "shield-bearer=A9") < plain
    assert within(1, "--with", "quicksand=B9") < plain
    ring = [word for place in ("A9", "B9", "C9", "A10", "C10") for word in ("--enemy", place)]
    assert within(1, *ring) == 0 < within(1, *ring, "--with", "discorporate")
    aims = ask("targets", "duel", "--unit", "splash-mage", "--from", "B10", "--ability", "splash")
    assert aims["ability"] == "splash"
    assert aims["targets"]
    words = ("targets", "duel", "--unit", "splash-mage", "--from", "B10", "--ability", "splash")
    done = ask(*words, "--aim", "D10", "--enemy", "D9")["outcome"]
    assert [row["end"] for row in done["units"]] == [spot("D7", 2)]
    far = ("--ability", "splash", "--aim", "A1")  # out of reach
    missing = ("--ability", "swap", "--aim", "D10")  # the second unit
    for bad, code in ((("--ability", "splosh"), 1), (far, 1), (missing, 2)):
        run = typed(*words[:6], *bad)
        assert (run.returncode, "Traceback" in run.stderr) == (code, False), run.stderr


def test_structures_and_spires_are_targets(tmp_path: Path) -> None:
    path = tmp_path / "tower.forge"
    extra = "stack B5, D5 height 2\nbridge B5 -> D5 level 2\nspire at B5\ntree at A5\n"
    path.write_text(
        MAP.replace("treasure at D3\n", "") + extra.replace("spire at B5\n", ""), "utf-8"
    )
    found = ask("targets", path, "--unit", "knight", "--from", "B5")["structures"]
    assert {(thing["kind"], thing["pool"]) for thing in found} == {("bridge", 5), ("tree", 6)}
    fallen = ask("reach", path, "--unit", "knight", "--from", "C5", "--what-if", "without C5")
    assert fallen["from"] == spot("C5", 0)
    path.write_text(MAP + "stack B5 height 2\nspire at B5\n", "utf-8")
    words = ("push", path, "--attacker", "A5", "--target", "B5", "--push", "B1")
    told = ask(*words)
    assert (told["spire"], told["gone"]) == (True, True)
    hit = ask(*words, "--occupied", "C5")
    assert (hit["hit"], hit["damage"]) == (spot("C5", 0), 6)


def test_a_push_whose_direction_is_open_asks_for_it(yard: Path) -> None:
    words = ("push", yard, "--attacker", "A1", "--target", "B2", "--push", "B1")
    assert ask(*words)["end"] == spot("C2", 0)
    asked = typed(*words, "--option", "push-diag=attacker-chooses")
    assert (asked.returncode, "add a way, south or east" in asked.stderr) == (2, True)
    chosen = ask(*words, "--option", "push-diag=attacker-chooses", "--way", "south")
    assert chosen["end"] == spot("B3", 0)
    wrong = typed(
        "push", yard, "--attacker", "A1", "--target", "B1", "--push", "B1", "--way", "south"
    )
    assert (wrong.returncode, "error[FDF347]" in wrong.stderr) == (1, True)
