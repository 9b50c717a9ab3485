"""Values that are cheap to import are dataclasses all the same: side by side with the library's."""

import ast
import copy
import dataclasses
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falldamage_forge.infra import lazy_dataclass
from tests.cli.running import python
from tests.house.test_layers import PACKAGE

READ = "from falldamage_forge.infra import lazy_dataclass as values; import dataclasses"


def both(body: str) -> tuple[Any, Any]:
    """One class made by the standard library and by us; kept at module level so that it pickles."""
    made = []
    for number, maker in enumerate((dataclasses.dataclass, lazy_dataclass.dataclass)):
        names: dict[str, Any] = {"dataclass": maker, "field": dataclasses.field}
        exec(body, names)
        cls = names["Value"]
        cls.__module__, cls.__qualname__ = __name__, f"Value{len(_KEPT)}_{number}"
        globals()[cls.__qualname__] = cls
        made.append(cls)
    _KEPT.append(made)
    return made[0], made[1]


_KEPT: list[Any] = []
BODIES = [
    "@dataclass(frozen=True, slots=True)\nclass Value:\n  'x'\n  a: int\n  b: object = 2\n",
    "@dataclass(frozen=True)\nclass Value:\n  'x'\n  a: int\n"
    "  b: object = field(default=2, compare=False)\n",
    "@dataclass(frozen=True, slots=True)\nclass Value:\n  'x'\n  a: int\n"
    "  b: object = field(default_factory=list, hash=False)\n",
    "@dataclass(frozen=True, slots=True)\nclass Value:\n  'x'\n  a: int\n"
    "  b: object = field(default=3, repr=False)\n  c: int = field(init=False, default=7)\n"
    "  def __post_init__(self):\n    object.__setattr__(self, 'c', self.a * 2)\n",
    "@dataclass(frozen=True, slots=True, eq=False)\nclass Value:\n"
    "  'x'\n  a: int\n  b: object = 2\n",
    "@dataclass(frozen=True, slots=True)\nclass Value:\n  'x'\n  a: int\n  b: object = 2\n"
    "  def __repr__(self): return 'mine'\n  def __hash__(self): return 5\n",
    "@dataclass(frozen=True, slots=True)\nclass Base:\n  'x'\n  a: int\n  b: object = 2\n"
    "@dataclass(frozen=True, slots=True)\nclass Value(Base):\n  'x'\n  c: int = 4\n",
    "import dataclasses\n@dataclass(frozen=True)\nclass Base:\n  'x'\n  a: int\n"
    "@dataclasses.dataclass(frozen=True)\nclass Value(Base):\n  'x'\n  c: int = 4\n",
    "import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass Base:\n  'x'\n  a: int\n"
    "@dataclass(frozen=True)\nclass Value(Base):\n  'x'\n  c: int = 4\n",
]  # fmt: skip
PAIRS = [both(body) for body in BODIES]
GIVEN = st.one_of(st.integers(-2, 2), st.text(max_size=1), st.lists(st.integers(0, 1), max_size=1))


def told(work: Any) -> Any:
    """What something gives, or the kind of what it raises."""
    try:
        return work()
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("pair", PAIRS)
@given(st.lists(GIVEN, max_size=4), st.dictionaries(st.sampled_from("abcd"), GIVEN, max_size=2))
def test_a_value_does_what_a_dataclass_does(
    pair: tuple[Any, Any], words: list[Any], named: dict[str, Any]
) -> None:
    seen = []
    for cls in pair:
        value = told(lambda cls=cls: cls(*words, **named))
        if isinstance(value, type):
            seen.append(value)
            continue
        shown = repr(value).replace(cls.__qualname__, "Value")
        same = cls(*words, **named)
        again = pickle.loads(pickle.dumps(value))
        seen.append(
            [
                shown,
                dataclasses.astuple(value),
                value == same,
                value == object(),
                again == value,
                dataclasses.astuple(again),
                dataclasses.astuple(copy.deepcopy(value)),
                told(lambda value=value: dataclasses.astuple(dataclasses.replace(value, a=5))),
                told(lambda value=value: setattr(value, "a", 1)),
                told(lambda value=value: delattr(value, "a")),
                told(lambda value=value, same=same: hash(value) == hash(same)),
                told(lambda value=value: hash(value) and None),
                cls.__match_args__,
                [item.name for item in dataclasses.fields(cls)],
            ]
        )
    assert seen[0] == seen[1]


def test_no_init_is_written_before_the_first_value() -> None:
    names: dict[str, Any] = {"dataclass": lazy_dataclass.dataclass}
    exec("@dataclass(frozen=True, slots=True)\nclass Value:\n  'x'\n  a: int\n", names)
    cls = names["Value"]
    before = cls.__init__
    assert cls(3).a == 3
    assert cls.__init__ is not before
    assert cls(a=4) == cls(4)


def test_what_is_not_frozen_is_the_library_s() -> None:
    code = f"{READ}\n@values.dataclass(slots=True)\nclass A:\n  a: int\na = A(1); a.a = 2; print(a)"
    assert python("-c", code) == "A(a=2)\n"


def test_there_is_one_dataclass() -> None:
    """The package takes `dataclass` from `lazy_dataclass` alone; the library's costs each start."""
    others = [
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if path.name != "lazy_dataclass.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
        and node.module == "dataclasses"
        and "dataclass" in {alias.name for alias in node.names}
    ]
    assert others == []
