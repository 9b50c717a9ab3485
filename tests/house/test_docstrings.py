"""Public functions with several arguments tell each of them in an `Args:` section.

A command tells its options in its help, so it does not count.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.house.test_layers import PACKAGE, SOURCES

LEAST_SHARE = 0.96
"""Share of the functions that tell their arguments; a number that may only rise."""
OTHERS = {"command", "group_command", "overload"}
"""Words in the decorators of commands, and of signatures without a body."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def public_functions(node: ast.AST) -> Iterator[Function]:
    """The functions of a module and the methods of its classes, without names with `_`."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, Function):
            if not inner.name.startswith("_") and not decorators(inner) & OTHERS:
                yield inner
        elif isinstance(inner, ast.ClassDef):
            if not inner.name.startswith("_"):
                yield from public_functions(inner)
        elif isinstance(inner, ast.If | ast.Try):
            yield from public_functions(inner)


def decorators(function: Function) -> set[str]:
    """The words of a function's decorators: `under`, `command` of `@option.under(command)`."""
    return {
        word for item in function.decorator_list for word in re.findall(r"\w+", ast.unparse(item))
    }


def arguments(function: Function) -> list[str]:
    """The names of a function's arguments, without `self` and `cls`."""
    given = function.args
    listed = [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg]
    names = [argument.arg for argument in listed if argument is not None]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def told(text: str) -> set[str]:
    """The arguments with a text in the `Args:` section of a docstring."""
    section = re.search(r"^Args:\n((?:[ ]+.*\n?|\n(?=[ ]))*)", text, re.MULTILINE)
    entries = re.finditer(r"^ {4}\*{0,2}(\w+): +(\S.*)", section[1] if section else "", re.M)
    return {entry[1] for entry in entries}


def untold(source: str) -> Iterator[tuple[str, bool]]:
    """Each function of several arguments, with True if it leaves one untold."""
    for function in public_functions(ast.parse(source)):
        names = arguments(function)
        if len(names) > 1:
            yield function.name, bool({*names} - told(ast.get_docstring(function) or ""))


def test_functions_of_several_arguments_tell_each_of_them() -> None:
    silent: Counter[str] = Counter()
    total = 0
    for path in SOURCES:
        for _, is_silent in untold(path.read_text(encoding="utf-8")):
            total += 1
            silent[str(path.relative_to(PACKAGE))] += is_silent
    share = 1 - silent.total() / total
    worst = ", ".join(f"{name} {count}" for name, count in silent.most_common(10))
    assert share >= LEAST_SHARE, f"{share:.1%} of {total} tell their arguments; without: {worst}"


DOCUMENTED = (
    '"""Do it.\n\n    Args:\n        a: First.\n        *b: Rest\n            of it.\n    """'
)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"def f(a, *b):\n    {DOCUMENTED}", [("f", False)]),
        (f"def f(a, *b, c=1):\n    {DOCUMENTED}", [("f", True)]),
        ('def f(a, b):\n    """Do it."""', [("f", True)]),
        ("def f(a, b): ...", [("f", True)]),
        ("def f(a): ...", []),
        ("def _f(a, b): ...", []),
        ("class C:\n    def f(self, a): ...\n    def g(self, a, b): ...", [("g", True)]),
        ("class _C:\n    def f(self, a, b): ...", []),
        ("if True:\n    async def f(a, b): ...", [("f", True)]),
        ("@overload\ndef f(a, b): ...", []),
        ("@option.under(command)\ndef add(a, b): ...", []),
        ("@partial(option.command, help=HELP)\ndef command(a, b): ...", []),
        ("def f(a, b):\n    def g(c, d): ...", [("f", True)]),
    ],
)
def test_count_of_untold_functions_is_right(source: str, expected: list[tuple[str, bool]]) -> None:
    assert [*untold(source)] == expected
