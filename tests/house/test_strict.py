"""The library is strict: every public function, with every wrong keyword and every wrong value."""

import copy
import dataclasses
import inspect
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import falldamage_forge as ff
from falldamage_forge.infra import arguments
from falldamage_forge.infra.lazy_dataclass import FrozenDict
from falldamage_forge.library.forge import Forge
from falldamage_forge.rules.position import Position
from falldamage_forge.rules.unit_on_board import BoardUnit
from tests.amount import EXHAUSTIVE
from tests.cli.running import run

DUEL = ff.load("duel")
CHECKED = ff.check(DUEL)
P = ff.position(DUEL)
GATEHOUSE = ff.position(ff.load("gatehouse"))
KNIGHT = P.unit("knight")
TEAMS = (("knight", "bard"), ("archer", "medic"))
GAME = ff.Game(DUEL, {"placement": "listed"})

WRONG: tuple[Any, ...] = (
    None, "", " ", "X2", "E5@99", "Z99", "no such thing", -1, 3.5, 10**9, float("nan"), True,
    b"E5", object(), [], ["no such thing"], [None], [object()], {}, {"no such": "thing"}, {1: 2},
    (1, 2, 3),
)  # fmt: skip
"""Values of every kind; a method takes some of them rightly, and refuses all others as told."""

Call = tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]
CALLS: tuple[Call, ...] = (
    ("ff.load", ff.load, ("duel",), {}),
    ("ff.loads", ff.loads, ("forge 1\n",), {"name": "a.forge", "root": None}),
    ("ff.check", ff.check, (DUEL,), {"rules": None, "options": None}),
    ("ff.analysis", ff.position, (DUEL,), {"rules": None, "options": None, "what_if": ()}),
    ("ff.analyze", ff.analyze, (DUEL,), {"rules": None, "options": None, "what_if": ()}),
    ("ff.suggest", ff.suggest, (DUEL,), {"rules": None, "options": None, "most": 1}),
    ("ff.compare", ff.compare, (DUEL,), {}),
    ("ff.plan", ff.plan, (DUEL,), {"owned": None}),
    ("ff.build", ff.build, (DUEL,), {"printer": None, "options": None, "process": None}),
    ("ff.Forge", Forge, (), {"remember": 64}),
    ("ff.Game", ff.Game, (DUEL,), {"options": None, "teams": None, "places": None, "seed": 0}),
    ("Game.from_record", ff.Game.from_record, (GAME.record(),), {}),
    ("Game.start_of", ff.Game.start_of, (GAME.record(),), {}),
    ("Forge.game", Forge().game, (DUEL,), {"rules": None, "options": None}),
    ("Forge.check_legality", Forge().legal, (DUEL,), {}),
    ("Forge.catalogue", Forge().catalogue, (DUEL,), {}),
    ("Forge.printer", Forge().printer, (DUEL,), {"name": None, "process": None}),
    ("Forge.assemble", Forge().assemble, (CHECKED,), {"printer": None, "process": None}),
    ("Forge.on", Forge().on, (DUEL.board, P.game), {}),
    ("Forge.advise", Forge().advise, (DUEL, P), {"most": 1}),
    ("Map.on", DUEL.on, (DUEL.board,), {}),
    ("Map.with_tops", DUEL.with_tops, (None,), {}),
    ("Position.unit", P.unit, ("knight",), {}),
    ("Position.place", P.place, ("E5",), {}),
    ("Position.place_tile", P.place_tile, ("E5",), {}),
    ("Position.places", P.places, (("E5",),), {}),
    ("Position.others", P.others, (), {"enemies": ("E5",), "friends": ("E6",)}),
    ("Position.ask", GATEHOUSE.ask, ("the-gate",), {}),
    ("Position.reach", P.reach, ("knight", "B10"), {"enemies": (), "friends": (), "chance": 0}),
    ("Position.path", P.path, ("knight", "B10", "D7"),
     {"enemies": (), "friends": (), "chance": 0, "any_damage": False, "turns": 0}),
    ("Position.push", P.push, ("A1", "B1", "B2"),
     {"unit": None, "mage": False, "way": None, "effects": (), "occupied": ()}),
    ("Position.sees", P.sees, ("A1", "C1"), {"occupied": ()}),
    ("Position.targets", P.targets, ("tinkerer", "A1"),
     {"ability": "bomb", "aim": "A3", "second": None, "way": None, "count": None, "effects": (),
      "enemies": (), "friends": (), "occupied": ()}),
    ("BoardUnit.reach", KNIGHT.reach, ("B10",), {"enemies": (), "friends": (), "chance": 0}),
    ("BoardUnit.path", KNIGHT.path, ("B10", "D7"),
     {"enemies": (), "friends": (), "chance": 0, "any_damage": False, "turns": 0}),
    ("Game.find", GAME.find, (str(GAME.legal_moves[0]),), {}),
    ("Game.observation", GAME.observation, ("red",), {}),
    ("Game.resume", GAME.copy().resume, (GAME.save(),), {}),
    ("Game.push", GAME.copy().push, (GAME.legal_moves[0],), {}),
    ("Game.play", GAME.play, (GAME.legal_moves[0],), {}),
)  # fmt: skip
BY_NAME = {call[0]: call for call in CALLS}
OPEN = {"Position.unit", "Position.ask"}
"""Functions whose further keywords are names of the game's own: unknown ones are ForgeErrors."""


def refusal(work: Callable[[], Any]) -> Exception | None:
    try:
        work()
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize("name", BY_NAME)
def test_an_unknown_keyword_is_refused(name: str) -> None:
    _, function, words, named = BY_NAME[name]
    error = refusal(lambda: function(*words, **named, no_such_word=1))
    expected = ff.ForgeError if name in OPEN else TypeError
    assert isinstance(error, expected), error
    assert "no_such_word" in str(error) or "no-such-word" in str(error)


def changed(name: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every argument of a call replaced by each wrong value."""
    _, function, words, named = BY_NAME[name]
    for value in WRONG:
        for at in range(len(words)):
            other = (*words[:at], value, *words[at + 1 :])
            yield f"argument {at} = {value!r}", lambda o=other: function(*o, **named)
        for key in named:
            more = {**named, key: value}
            yield f"{key}={value!r}", lambda m=more: function(*words, **m)


QUICK = [name for name in BY_NAME if name not in {"ff.build", "Forge.assemble"}]


@pytest.mark.parametrize("name", QUICK)
def test_a_wrong_value_is_a_forge_error(name: str) -> None:
    told = 0
    for what, work in changed(name):
        error = refusal(work)
        if error is None:
            continue
        assert isinstance(error, ff.ForgeError), f"{name}: {what}: {error!r}"
        assert error.issues and all(issue.message for issue in error.issues), what
        told += 1
    assert told


@pytest.mark.parametrize("name", ["ff.build", "Forge.assemble"])
def test_a_build_refuses_before_it_begins(name: str) -> None:
    _, function, words, _ = BY_NAME[name]
    for key in ("printer", "process", "options"):
        for value in ("no such thing", 3.5, object(), b"x", ["a1-mini"]):
            error = refusal(lambda k=key, v=value: function(*words, **{k: v}))
            assert isinstance(error, ff.ForgeError), f"{key}={value!r}: {error!r}"
    for value in (None, "duel", 3, object()):
        assert isinstance(refusal(lambda v=value: function(v)), ff.ForgeError), value


def public(kind: type) -> set[str]:
    """Methods, class methods included, that the package itself defines."""
    return {
        name
        for name, value in inspect.getmembers(kind)
        if not name.startswith("_")
        and (inspect.isfunction(value) or inspect.ismethod(value))
        and value.__module__.startswith("falldamage_forge")
    }


def rolled() -> ff.Game:
    game = GAME.copy()
    game.roll()
    return game


PLAIN: tuple[Call, ...] = (
    ("Position.model", P.model, ("knight",), {"others": P.others(("E5",))}),
    ("Position.zones", P.zones, ("knight",), {}),
    ("Position.flood", P.flood, ("knight", (0, 1)), {"back": True}),
    ("Position.layers", P.layers, ("knight",), {}),
    ("Position.reached", P.reached, ("knight", "red"), {"turns": 1}),
    ("Position.turns_to", P.turns_to, ("knight", "red", 1), {}),
    ("Position.tiles", P.tiles, ("knight", 1), {}),
    ("Position.on", P.on, (DUEL.board,), {}),
    ("Game.pop", lambda: rolled().pop(), (), {}),
    ("Game.roll", lambda: GAME.copy().roll(), (), {}),
    ("Game.copy", GAME.copy, (), {}),
    ("Game.save", GAME.save, (), {}),
    ("Game.record", GAME.record, (), {"trace": True}),
    ("Game.replay", lambda record: [*GAME.copy().replay(record)], (GAME.record(),), {}),
    ("Game.from_record", ff.Game.from_record, (GAME.record(),), {"kit": GAME.ctx.content}),
    ("Game.start_of", ff.Game.start_of, (GAME.record(),), {"kit": GAME.ctx.content}),
)
"""Methods for code of this library (numbers of places, sets as masks), or without arguments."""
CLASSES = sorted(
    {kind for name in ff.__all__ if isinstance(kind := getattr(ff, name), type)} | {BoardUnit},
    key=lambda kind: kind.__name__,
)


@pytest.mark.parametrize("kind", CLASSES)
def test_every_public_method_is_in_the_table(kind: type) -> None:
    called = {name for name, *_ in (*CALLS, *PLAIN)}
    asked = {name.partition(".")[2] for name in called if name.startswith(f"{kind.__name__}.")}
    if kind is Forge:
        asked |= {name.partition(".")[2] for name in called if name.startswith("ff.")}
    own = {name for name in public(kind) if getattr(kind, name).__name__ == name}  # no aliases
    assert not own - asked


@pytest.mark.parametrize("number", range(len(CALLS) + len(PLAIN)))
def test_every_public_method_answers_what_its_docstring_promises(number: int) -> None:
    name, function, words, named = (*CALLS, *PLAIN)[number]
    if name in ("ff.build", "Forge.assemble"):
        return  # tests/printing and tests/export build
    returns = inspect.signature(function).return_annotation
    nothing = returns in ("None", None) or "None" in str(returns)
    for more in ({}, named) if named else ({},):
        found = function(*words, **more)
        assert found is not None or nothing, name
    if name in ("Game.from_record", "Game.start_of", "Game.copy"):
        assert type(found) is ff.Game, "a game of the class that was asked"


@pytest.mark.parametrize("kind", CLASSES)
def test_every_public_property_has_a_value(kind: type) -> None:
    things: dict[type, Any] = {type(one): one for one in (DUEL, CHECKED, P, KNIGHT, GAME, Forge())}
    for issue in ff.check(ff.loads("forge 1\n")).issues[:1]:
        things[type(issue)], things[ff.ForgeError] = issue, ff.ForgeError([issue])
    thing = things.get(kind) or kind()
    for name, value in inspect.getmembers(kind):
        if not name.startswith("_") and isinstance(value, property):
            getattr(thing, name)


def overrides(kind: type) -> Iterator[tuple[str, Any, Any]]:
    """Methods that replace one of a base class of the package: name, base's, own."""
    for name, own in vars(kind).items():
        for base in kind.__mro__[1:]:
            if name in vars(base) and base.__module__.startswith("falldamage_forge"):
                pair = vars(base)[name], own
                if not name.startswith("__") and all(
                    inspect.isfunction(getattr(one, "__func__", one)) for one in pair
                ):
                    yield name, *(getattr(one, "__func__", one) for one in pair)
                break


def test_overriding_methods_take_what_the_base_takes() -> None:
    """Every call that the base class allows is a call of the class below, by the same names."""
    import falldamage_forge.cli.link_console
    import falldamage_forge.games.falchion.ruleset
    import falldamage_forge.games.gang_skirmish.ruleset
    import falldamage_forge.games.gatefall.ruleset  # noqa: F401

    kinds, asked = [object], 0
    for kind in kinds:
        below = type.__subclasses__(kind)
        kinds += [one for one in below if one not in kinds]
    for kind in kinds:
        if not str(kind.__module__).startswith("falldamage_forge"):
            continue
        for name, base, own in overrides(kind):
            asked += 1
            takes = inspect.signature(own).parameters
            open_ends = {p.kind for p in takes.values()}
            for parameter in inspect.signature(base).parameters.values():
                if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                    continue
                mine = takes.get(parameter.name)
                where = f"{kind.__qualname__}.{name}: {parameter.name}"
                assert mine or parameter.VAR_KEYWORD in open_ends, where
                if mine is not None:
                    assert parameter.default is parameter.empty or mine.default is not mine.empty
            known = inspect.signature(base).parameters
            for parameter in takes.values():
                fresh = parameter.name not in known and parameter.kind not in (
                    parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD,
                )  # fmt: skip
                assert not fresh or parameter.default is not parameter.empty, (kind, name)
    assert asked > 30


def test_no_public_function_takes_any_keyword() -> None:
    for kind in (Forge, Position, BoardUnit, ff.Game):
        for name in public(kind):
            kinds = {p.kind for p in inspect.signature(getattr(kind, name)).parameters.values()}
            takes_any = inspect.Parameter.VAR_KEYWORD in kinds
            assert takes_any == (f"{kind.__name__}.{name}" in OPEN), (kind, name)


def test_a_lone_text_is_one_entry() -> None:
    assert ff.position(DUEL, what_if="scaffold B9") == ff.position(DUEL, what_if=["scaffold B9"])
    assert P.push("A1", "B1", "B2", occupied="C1") == P.push("A1", "B1", "B2", occupied=["C1"])
    assert P.push("A1", "B1", "B2", occupied="C1") != P.push("A1", "B1", "B2")


def test_a_misspelt_word_gets_the_nearest_one() -> None:
    for value, near in (("greddy", "greedy"), ("zzz", None), (3, None)):
        error = refusal(lambda v=value: arguments.one_of("bot", v, ("random", "greedy")))
        (issue,) = error.issues
        assert "`bot` is one of random, greedy, not" in issue.message
        assert issue.hint is None if near is None else f"`{near}`" in issue.hint


def test_flags_are_true_and_false() -> None:
    carrying = P.unit("knight", carry=True)
    assert carrying == P.unit("knight", carry="")
    assert P.unit("knight", carry=False).path("B10", "D7") == KNIGHT.path("B10", "D7")
    assert carrying.reach("B10").turns() != KNIGHT.reach("B10").turns()


def test_a_faulty_map_has_no_position() -> None:
    faulty = ff.loads("forge 1\nstack C4 hight 2\nstart red at A1\n")
    for ask in (ff.position, ff.analyze, ff.suggest, ff.compare):
        error = refusal(lambda a=ask: a(faulty))
        assert isinstance(error, ff.ForgeError)
        assert "FDF001" in {issue.code for issue in error.issues}


# -- values ----------------------------------------------------------------------------------------


def canyon() -> Position:
    return ff.position(ff.load("canyon"), rules="gang-skirmish")


ANSWERS: dict[str, Callable[[], Any]] = {
    "map": lambda: DUEL, "checked": lambda: CHECKED,
    "position": lambda: P, "unit": lambda: KNIGHT,
    "reach": lambda: KNIGHT.reach("B10"), "path": lambda: KNIGHT.path("B10", "D7", turns=2),
    "push": lambda: P.push("A1", "B1", "B2"), "sight": lambda: P.sees("A1", "C1"),
    "targets": lambda: P.targets("tinkerer", "A1"),
    "ability": lambda: P.targets("tinkerer", "A1", ability="bomb", aim="A3"),
    "chances": lambda: canyon().path("ganger", "B1", "E3@2", turns=2),
    "chanced": lambda: canyon().reach("ganger", "B1"),
    "analysis": lambda: ff.analyze(DUEL), "surveys": lambda: ff.compare(DUEL),
    "plan": lambda: ff.plan(DUEL), "answer": lambda: GATEHOUSE.ask("the-gate"),
    "printer": lambda: Forge().printer(DUEL), "options": ff.BuildOptions,
    "issue": lambda: ff.check(ff.loads("forge 1\nstack C4 hight 2\n")).issues,
}  # fmt: skip


@cache
def answer(name: str) -> Any:
    return ANSWERS[name]()


def parts(value: Any, seen: set[int]) -> Iterator[Any]:
    """A value and all that hangs on it by public names."""
    if id(value) in seen or isinstance(value, str | bytes | int | float | Path):
        return
    seen.add(id(value))
    yield value
    inner: Any = ()
    if isinstance(value, Mapping):
        inner = value.values()
    elif isinstance(value, tuple | list | set | frozenset):
        inner = value
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        inner = [
            getattr(value, item.name)
            for item in dataclasses.fields(value)
            if item.compare and not item.name.startswith("_")
        ]
    for one in inner:
        yield from parts(one, seen)


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_a_value(name: str) -> None:
    value = answer(name)
    assert hash(value) == hash(copy.copy(value))
    twin = pickle.loads(pickle.dumps(value))
    assert twin == value
    assert hash(twin) == hash(value)


@pytest.mark.parametrize("name", ANSWERS)
def test_nothing_of_an_answer_can_be_changed(name: str) -> None:
    found = 0
    for one in parts(answer(name), set()):
        found += 1
        if dataclasses.is_dataclass(one):
            for item in dataclasses.fields(one):
                with pytest.raises((dataclasses.FrozenInstanceError, AttributeError, TypeError)):
                    setattr(one, item.name, None)
        assert not isinstance(one, list | set | bytearray), one
        assert not isinstance(one, dict) or isinstance(one, FrozenDict), one
    assert found


def test_a_frozen_table_is_a_dict_that_stays() -> None:
    table = FrozenDict({"a": 1})
    assert table == {"a": 1}
    assert {table: 2}[FrozenDict(a=1)] == 2
    changes: tuple[Callable[[Any], Any], ...] = (
        lambda t: t.update(b=2), lambda t: t.pop("a"), lambda t: t.clear(), lambda t: t.popitem(),
        lambda t: t.setdefault("b", 2), lambda t: t.__setitem__("b", 2),
        lambda t: t.__delitem__("a"), lambda t: t.__ior__({"b": 2}),
    )  # fmt: skip
    for change in changes:
        with pytest.raises(TypeError):
            change(table)
    assert table == {"a": 1}


SCRIPT = """
import falldamage_forge as ff
p = ff.position(ff.load("duel"))
p.push("A1", "B1", "B2", mgae=True)
p.targets("knight", "A1", nonsens=3)
p.reach("knight", "A1", occupied=["A2"])
p.path("knight", "A1", "B2", any_harm=True)
"""


@pytest.mark.skipif(not EXHAUSTIVE, reason="mypy reads the whole package: half a minute")
def test_mypy_sees_a_wrong_keyword(tmp_path: Path) -> None:
    pytest.importorskip("mypy.api")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, "utf-8")
    cache = tmp_path / "cache"
    words = ["mypy", "--no-error-summary", f"--cache-dir={cache}", script]
    done = run([sys.executable, "-m", *words])
    lines = {line.split(":")[1] for line in done.stdout.splitlines() if "call-arg" in line}
    assert lines == {"4", "5", "6", "7"}, done.stdout
