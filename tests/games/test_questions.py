"""Questions by name: whatever is written, an answer or a diagnostic; every option has an effect."""

import json
import re
from collections.abc import Iterator
from dataclasses import is_dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

import falldamage_forge as ff
from falldamage_forge.board import StartZone, Tile
from falldamage_forge.board.surfaces import Surface
from falldamage_forge.issues import ForgeError
from falldamage_forge.metrics.metric_table import analyze
from falldamage_forge.presets import load_rules, names
from falldamage_forge.rules.argument_types import UM, WAY
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.query_registry import example, format_result, questions_of
from falldamage_forge.rules.ruleset import Ruleset
from tests import schemas
from tests.cli.running import ROOT, typed
from tests.games import cases
from tests.rules.cases import board_of

GAMES = ("gang-skirmish", "falchion", "gatefall")
FLAT = board_of({"heights": [[0] * 6] * 6})
NUMBERS = {"climb": (1, 6), "gate": (1, 3)}
CASES = {game: cases.load(game.replace("-", "_")) for game in GAMES}
CALLS = [(game, case) for game in GAMES for case in CASES[game] if "call" in case]


def values(game: str) -> Iterator[tuple[str, Any]]:
    """Every value of every option."""
    hints: dict[str, Any] = get_type_hints(type(load_rules(game).options))
    for name, hint in hints.items():
        kinds = [hint] if get_origin(hint) is Literal else get_args(hint)
        for kind in kinds:
            for value in get_args(kind) or NUMBERS[name]:
                yield name, value


READINGS = [(game, name, value) for game in GAMES for name, value in values(game)]

BOARDS: dict[str, list[dict[str, Any]]] = {
    "gang-skirmish": [
        {"heights": [[1, 0, 1, 0, 1], [0, 0, 0, 0, 0], [1, 2, 2, 0, 0]], "lava": [[1, 3]]},
        {"heights": [[1, 0, 2, 0, 3, 1]]},
        {"heights": [[0, 0, 0], [0, 0, 0]]},
        {"heights": [[0, 4, 4, 0, 0, 0]]},
        {"heights": [[1, 1, 1, 0], [1, 1, 1, 0]],
         "fittings": [["railing", 0, 2, "en", "", 12_700], ["railing", 1, 0, "e", "", 25_400],
                      ["field", 1, 1, "", "heavy-g", 12_700]]},
    ],
    "falchion": [
        {"heights": [[0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]], "water": [[1, 1]],
         "trees": [[0, 1]]},
    ],
    "gatefall": [
        {"heights": [[0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]],
         "trees": [[0, 1], [1, 1], [2, 1], [3, 0]]},
    ],
}  # fmt: skip
UNITS = {
    "gang-skirmish": [{}, {"base_mm": 30}, {"move_in": 24}],
    "falchion": [{}, {"base_mm": 25}, {"base_mm": 50.8}, {"move_ft": 20, "posture": "prone"}],
    "gatefall": [{}, {"speed": 1}, {"speed": 2, "squares": 2}],
}
ASKED: dict[str, list[tuple[str, dict[str, str]]]] = {
    "gang-skirmish": [
        ("knockback", {"attacker": "A1@1", "start": "C1@1", "force": "4"}),
        ("knockback", {"attacker": "E1@1", "start": "C1@1", "force": "4"}),
        ("pinned-falls", {"start": "A3@1", "cover": "partial"}),
        ("shove-outcome", {"start": "C1@4", "direction": "west", "inches": "1", "unit": "scout"}),
        ("shove-outcome", {"start": "C1@1", "direction": "east", "inches": "3"}),
        ("shove-outcome", {"start": "B2@1", "direction": "west", "inches": "3"}),
        ("shove-outcome", {"start": "B1@4", "direction": "east", "inches": "1", "unit": "brute"}),
    ],
    "falchion": [("distance", {"start": "A2", "target": "B2"})],
    "gatefall": [("may-attack", {"attacker": "A1", "target": "A3", "reach": "2"}),
        ("may-attack", {"attacker": "A1", "target": "A2", "reach": "3", "bases": "A1"}),
        ("may-attack", {"attacker": "A2", "target": "C2", "reach": "2"}),
    ],
}  # fmt: skip


def answers(game: str, option: str, value: Any) -> list[Iterator[Any]]:
    """What commands say under a reading: reach, path and measures of some boards, and questions.

    Worked out as they are asked for: first those of each board, last those of no board.
    """
    made = load_rules(game).with_options([(option, value, None)])
    return [
        *(of_board(game, Position(board_of(table), made)) for table in BOARDS[game]),
        of_cases(game, option, made),
    ]


def of_board(game: str, position: Position) -> Iterator[Any]:
    yield from (question(position, *asked) for asked in ASKED[game])
    for changes in UNITS[game]:
        unit = position.unit(position.plain, **changes)
        for start in position.graph.surfaces[::2]:
            others: tuple[Any, ...]
            for others in ((), (position.graph.surfaces[2],)):
                if start in others:
                    continue
                try:
                    reach = unit.reach(start, friends=others)
                    yield reach.json()
                    for row in reach.surfaces[::4]:
                        yield unit.path(start, row.surface, friends=others).json()
                except ForgeError as error:
                    yield str(error)
    yield analyze(position, "x").json()


def of_cases(game: str, option: str, made: Ruleset) -> Iterator[Any]:
    for case in CASES[game]:
        if "call" in case and option not in case["args"]:
            rows, cols = case["args"].get("board", (6, 6))
            here = Position(board_of({"heights": [[0] * cols] * rows}), made)
            yield question(here, *cases.question_of(case))


def question(position: Position, name: str, given: dict[str, str]) -> Any:
    try:
        return position.ask(name, **given).json()
    except ForgeError as error:
        return str(error)


@pytest.mark.parametrize("game", GAMES)
def test_every_value_of_every_option_changes_an_answer(game: str) -> None:
    idle = []
    plain = [list(some) for some in answers(game, *next(values(game)))]
    default = load_rules(game).options
    known = {name: getattr(default, name) for _, name, _ in READINGS if hasattr(default, name)}
    for name, value in values(game):
        if value == known[name]:
            continue
        here = zip(answers(game, name, value)[::-1], plain[::-1], strict=True)
        if all(one == other for some, few in here for one, other in zip_longest(some, few)):
            idle.append((name, value))
    assert idle == []


@pytest.mark.parametrize(("game", "case"), CALLS, ids=[f"{g}-{c['id']}" for g, c in CALLS])
def test_every_worked_example_is_a_question(game: str, case: dict[str, Any]) -> None:
    name, _ = cases.question_of(case)
    known = questions_of(Position(FLAT, load_rules(game)))
    assert name in known
    assert known[name].text


@pytest.mark.parametrize("game", GAMES)
@given(st.data())
def test_any_text_as_argument_is_answered_or_refused(game: str, data: st.DataObject) -> None:
    position = Position(FLAT, load_rules(game))
    known = questions_of(position)
    asked = data.draw(st.sampled_from(sorted(known)))
    words = st.sampled_from(
        ["", "0", "-1", "5", "1000", "99999999", "²", "1/0", "1e9", "30mm", "-1in", "A1", "F6",
         "A1,B2", "Z99", "north", "yes", "failed-check", "none", "1,1,1,1,1,0", "ganger", "\x00"]
    )  # fmt: skip
    given = {}
    for argument in known[asked].arguments:
        wanted = example(argument.hint).partition("|")[0].removesuffix(",…")
        given[argument.name] = data.draw(st.one_of(words, st.just(wanted.replace("N", "3"))))
    told = question(position, asked, given)
    if isinstance(told, str):
        assert re.search("FDF340|FDF345|FDF364", told)
    else:
        json.dumps(told)
        assert list(format_result(position.ask(asked, **given)))


NOWHERE = Surface(Tile(99, 99), 0)


def possible(hint: Any) -> str:
    """A text that can be read as a type."""
    if hint == tuple[int, ...]:
        return "1,1,1,1,1"
    text = example(hint).partition("|")[0].removesuffix(",…")
    known = {"UNIT": "", "N": "3", "WORD": "red", "E5@2": "C3@0"}
    return known.get(text, text)


def impossible(hint: Any) -> Iterator[Any]:
    """Values, and texts, that no argument of a type can have."""
    origin, inner = get_origin(hint), get_args(hint)
    if type(None) in inner:
        (kind,) = (one for one in inner if one is not type(None))
        yield from (value for value in impossible(kind) if value is not None)
    elif origin is Annotated and WAY in inner:
        yield from ("", "up", "0", 3, (1, 1), None)
    elif origin is Annotated:
        bounds = next(mark for mark in inner if isinstance(mark, range))
        yield from (bounds[0] - 1, bounds[-1] + 1, True, 1.5, None, "", "½", "1e9", "no-such")
        yield from (("-11m", "11m") if UM in inner else (str(bounds[0] - 1), "1.5"))
        yield from ("-1in",) if UM in inner and not bounds[0] else ()
    elif origin is not None and origin is not Literal:
        yield from ([value] for value in impossible(inner[0]))
        yield from (value for value in impossible(inner[0]) if isinstance(value, str) and value)
        yield from (3, None)
    else:
        of_type: dict[Any, tuple[Any, ...]] = {
            int: (-1, 1001, True, 1.5, "-1", "1001", "1.5"),
            Fraction: (-1, 1001, True, float("nan"), "-1/2", "1001", "1/0"),
            Surface: (NOWHERE, "Z99", "C3@7"),
            Tile: (NOWHERE.tile, "Z99", "C3@0"),
            bool: (2,),
        }
        yield from (*of_type.get(hint, (3,)), None, "", "no-such", object())


@pytest.mark.parametrize("game", GAMES)
def test_impossible_value_of_any_argument_is_refused_by_its_name(game: str) -> None:
    board = replace(FLAT, starts=(StartZone("red", ((Tile(0, 0), 0),)),))
    position = Position(board, load_rules(game))
    for name, known in questions_of(position).items():
        usual = {
            one.name: possible(one.hint) or position.plain for one in known.arguments if one.needed
        }
        for argument in known.arguments:
            wrong = list(impossible(argument.hint))
            if argument.needed and example(argument.hint).endswith("…"):
                wrong += ["", [], ()]
            for value in wrong:
                with pytest.raises(ForgeError) as caught:
                    position.ask(name, **{**usual, argument.name: value})
                (issue,) = caught.value.issues
                where = f"{name} {argument.name}={value!r}: {issue.message}"
                assert issue.code in ("FDF340", "FDF345", "FDF364"), where
                assert issue.code != "FDF345" or f"`{argument.name}` " in issue.message, where


@pytest.mark.parametrize("rules", names("rulesets"))
def test_impossible_property_of_a_unit_is_refused_by_its_name(rules: str) -> None:
    position = Position(FLAT, load_rules(rules))
    profile = position.unit(position.plain, move=1).profile if rules == "fall-damage" else (
        position.game.profile(position.plain)
    )  # fmt: skip
    assert is_dataclass(profile)
    for name, hint in get_type_hints(type(profile)).items():
        if not {int, float} & {hint, *get_args(hint)}:
            continue
        for value in (-99, "-99", "no-such"):
            with pytest.raises(ForgeError, match=name):
                position.unit(position.plain, **{name: value})


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "extra",
    [{"ability": "attack"}, {"aim": "B1"}, {"second": "B1"}, {"way": "east"}, {"count": 1},
     {"effects": ["song"]}, {"enemies": ["B1"]}, {"friends": ["B1"]}, {"occupied": ["B1"]}],
    ids="".join,
)  # fmt: skip
def test_argument_of_targets_that_a_ruleset_does_not_read_is_refused(
    game: str, extra: dict[str, Any]
) -> None:
    position = Position(FLAT, load_rules(game))
    assert position.targets(position.plain, "A1").targets
    with pytest.raises(ForgeError, match=f"`{next(iter(extra))}` of targets"):
        position.targets(position.plain, "A1", **extra)


def test_the_command_lists_and_answers() -> None:
    listed = typed("ask", "gantries")
    assert listed.returncode == 0
    for name in load_rules("gang-skirmish").questions:
        assert f"\n{name} " in listed.stdout
    asked = typed("ask", "gantries", "knockback", "attacker=B3", "start=C3", "force=3", "--json")
    found = json.loads(asked.stdout)
    schemas.of("answers", "ask").validate(found)
    assert [row["chance"] for row in found["answer"]] == ["2/3", "2/9", "1/9"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("gatehouse", "closet", "one=A1"), "did you mean `closest`?"),
        (("gatehouse", "closest", "onne=A1"), "did you mean `one`?"),
        (("gatehouse", "closest", "one=A1"), "write targets=E5,…"),
        (("gatehouse", "count", "one=A1", "other=Z1"), "Z1 is not on the board"),
        (("gantries", "edges", "start=C3", "unit=gangr"), "did you mean `ganger`?"),
        (("gantries", "is-step", "height=½in"), "a length such as"),
        (("duel", "shove"), "no question called `shove` in Fall Damage"),
    ],
)
def test_wrong_query_is_refused_with_a_hint(words: tuple[str, ...], told: str) -> None:
    run = typed("ask", *words)
    assert (run.returncode, told in run.stderr) == (1, True), run.stderr


COMMANDS = [
    ("reach", {"start": "B10", "unit": "knight"}, ("--from", "B10", "--unit", "knight")),
    (
        "reach",
        {"start": "B10", "effects": "move=4,jump=2", "enemies": "bard=C9,D10", "friends": "C10"},
        (
            *("--from", "B10", "--with", "move=4", "--with", "jump=2", "--enemy", "bard=C9"),
            *("--enemy", "D10", "--friend", "C10"),
        ),
    ),
    (
        "path",
        {"start": "B10", "goal": "D4", "unit": "archer", "any-damage": "yes", "turns": "3"},
        ("--from", "B10", "--to", "D4", "--unit", "archer", "--any-damage", "--turns", "3"),
    ),
    (
        "push",
        {"attacker": "C4", "target": "D4", "push": "B2", "mage": "yes", "occupied": "F4,G4"},
        (
            *("--attacker", "C4", "--target", "D4", "--push", "B2", "--mage"),
            *("--occupied", "F4", "--occupied", "G4"),
        ),
    ),
    (
        "push",
        {"attacker": "C4", "target": "D4", "push": "B1", "unit": "archer", "effects": "rope=E4"},
        (
            *("--attacker", "C4", "--target", "D4", "--push", "B1", "--unit", "archer"),
            *("--with", "rope=E4"),
        ),
    ),
    (
        "targets",
        {"unit": "archer", "start": "C9", "enemies": "E9", "effects": "weapon=1"},
        ("--unit", "archer", "--from", "C9", "--enemy", "E9", "--with", "weapon=1"),
    ),
    (
        "targets",
        {"unit": "splash-mage", "start": "C9", "ability": "splash", "aim": "B8", "enemies": "B7"},
        (
            *("--unit", "splash-mage", "--from", "C9", "--ability", "splash", "--aim", "B8"),
            *("--enemy", "B7"),
        ),
    ),
    ("los", {"viewer": "C9", "target": "C4", "occupied": "C6"}, ("C9", "C4", "--occupied", "C6")),
]


@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_ask_answers_for_fall_damage_what_the_command_answers(number: int) -> None:
    name, given, words = COMMANDS[number]
    pairs = [f"{key}={value}" for key, value in given.items()]
    command = typed(name, "duel", *words)
    asked = typed("ask", "duel", name, *pairs)
    assert asked.stdout == command.stdout != "", asked.stderr + command.stderr
    told = json.loads(typed("ask", "duel", name, *pairs, "--json").stdout)
    schemas.of("answers", "ask").validate(told)
    assert told["answer"] == json.loads(typed(name, "duel", *words, "--json").stdout)
    position = ff.position(ff.load("duel"))
    assert position.ask(name.replace("-", "_"), **given).json() == told


def test_every_query_command_is_a_question_of_fall_damage() -> None:
    folder = ROOT / "falldamage_forge" / "cli" / "commands"
    commands = {
        file.stem
        for file in folder.glob("*.py")
        if "query_options.Question" in file.read_text("utf-8")
    } - {"analyze", "ask"}
    assert commands == {name for name, _, _ in COMMANDS}
    assert commands < load_rules("fall-damage").questions.keys()
