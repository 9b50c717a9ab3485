"""Just-in-time compilation of the engine's functions by numba.

The functions are plain Python. `Compiled` makes a compiled twin of each function that an entry
point calls; importers of the modules still get the plain functions. numba is imported only to
compile. The compiled code is cached by numba, keyed by the sources.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from hashlib import sha256
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from falldamage_forge.games.fall_damage.engine.records import Columns, dtype_of

ROOT = "falldamage_forge."
IDENTITY = "wrapped"
"""Name of the function that is the identity in 64 bits, where integers wrap."""
PLACE, FIXED = "_place", "_fixed_"
"""Name of the conversion of column indices to unsigned integers, and prefix of the name of a fixed
column: named, because numba compiles a function again for each literal argument."""
Tell = Callable[[int, int], object]
Entry = Callable[..., int]
"""An entry point: a plain function, or a callable with its signature after compilation."""


def reached(entry: FunctionType) -> list[FunctionType]:
    """Return a function and all functions of this package that it calls."""
    found: dict[FunctionType, None] = {entry: None}
    waiting = [entry]
    while waiting:
        for other in named(waiting.pop()):
            if other not in found:
                found[other] = None
                waiting.append(other)
    return list(found)


def named(function: FunctionType) -> Iterator[FunctionType]:
    """Yield the functions of this package that a function may call, also as `module.name`."""
    names, space = function.__code__.co_names, function.__globals__
    modules = [vars(space[name]) for name in names if is_own(space.get(name), ModuleType)]
    for name in names:
        for place in (space, *modules):
            if is_own(place.get(name), FunctionType):
                yield place[name]


def is_own(value: object, kind: type) -> bool:
    """True for a function or a module of this package.

    Args:
        value: A global of an engine module.
        kind: The type that it must have: a function's or a module's.
    """
    name = "__module__" if kind is FunctionType else "__name__"
    return isinstance(value, kind) and getattr(value, name).startswith(ROOT)


def quiet(done: int, of: int) -> None:
    """Ignore progress.

    Args:
        done: Functions compiled.
        of: Functions in all.
    """


class Compiled:
    """Entry point to compile: a function of records and one integer that returns an integer."""

    def __init__(
        self, entry: Entry, *columns: type[Columns], fixed: Mapping[str, int] | None = None
    ) -> None:
        """Collect the functions and hash their sources.

        Args:
            entry: The plain function.
            columns: Column classes of its records, in order.
            fixed: Columns that no game changes, with their value; compiled as constants.
        """
        assert isinstance(entry, FunctionType)
        self.entry, self.columns, self.fixed = entry, columns, dict(fixed or {})
        self.functions = reached(entry)
        sources = {str(sys.modules[f.__module__].__file__) for f in self.functions}
        declared = {base.__module__ for cls in columns for base in cls.__mro__}
        sources |= {str(sys.modules[name].__file__) for name in declared if name.startswith(ROOT)}
        sources.add(str(Path(__file__).with_name("codes.py")))
        texts = [Path(source).read_bytes() for source in sorted(sources)]
        self.digest = sha256(b"".join([*texts, repr(self.fixed).encode()])).hexdigest()

    def is_kept(self) -> bool:
        """True if numba's cache on this machine holds the compiled code of these sources."""
        return self._from_cache() is not None

    def call(self, tell: Tell = quiet) -> Entry:
        """Return the compiled entry point, from numba's cache if possible.

        Args:
            tell: Progress callback `(done, total)`, in functions compiled.
        """
        made = self._from_cache()
        if made is None:
            with counted(lambda count: tell(min(count, len(self.functions)), len(self.functions))):
                made = self._compile()

        def do(*arguments: Any) -> int:
            *records, what = arguments
            return int(made.ctypes(*(record.array.ctypes.data for record in records), what))

        return do

    def _from_cache(self) -> Any:
        """Return the entry point from numba's cache; None if it is not cached."""
        import numba

        try:
            return numba.cfunc(self._signature(), cache=True)(self._door({}))
        except numba.TypingError:
            return None

    def _compile(self) -> Any:
        """Compile with separate objects; without them if numba's internals differ."""
        try:
            return self._linked(linked_once())
        except (AttributeError, TypeError, LookupError):
            return self._linked({})

    def _linked(self, options: dict[str, Any]) -> Any:
        import numba

        carray: Any = vars(numba)["carray"]
        compiled = numba.njit(error_model="numpy", **options)
        made = twins(self.functions, self.fixed, numba.uint64, compiled)
        door = self._door({"do": made[self.entry], "carray": carray})
        return numba.cfunc(self._signature(), cache=True)(door)

    def _signature(self) -> Any:
        from numba import from_dtype, types

        pointer: Any = types.CPointer
        records = [pointer(from_dtype(dtype_of(cls))) for cls in self.columns]
        return types.int64(*records, types.int64)

    def _door(self, names: dict[str, Any]) -> FunctionType:
        """Return the C entry point; its closure distinguishes the sources in numba's cache."""
        made = DOORS[len(self.columns)](self.digest)
        names = {"__name__": __name__, **names}
        return FunctionType(made.__code__, names, made.__name__, None, made.__closure__)


def twins(
    functions: Iterable[FunctionType],
    fixed: Mapping[str, int],
    place: Callable[[int], Any],
    made_of: Callable[[FunctionType], Any],
) -> dict[FunctionType, Any]:
    """Return a twin of each function, in a twin of its module's globals, so that twins call twins.

    Args:
        functions: All functions that are called, as `reached` returns them.
        fixed: Columns that no game changes, with their value.
        place: Conversion of a column index.
        made_of: Callback that wraps each rewritten function, such as a compiler.
    """
    spaces: dict[str, dict[str, Any]] = {}
    made: dict[FunctionType, Any] = {}
    for function in functions:
        module = function.__module__
        if module not in spaces:
            spaces[module] = rewritten(sys.modules[module], fixed, place)
        twin: Any = _same if function.__name__ == IDENTITY else spaces[module][function.__name__]
        made[function] = made_of(twin)
    for module, space in spaces.items():
        for name, value in vars(sys.modules[module]).items():
            if isinstance(value, FunctionType) and value in made:
                space[name] = made[value]
            for own, other in vars(value).items() if is_own(value, ModuleType) else ():
                if isinstance(other, FunctionType) and other in made:
                    space[f"{name}_{own}"] = made[other]
    return made


class _Rewriting(ast.NodeTransformer):
    """Transformer: unsigned column indices, fixed columns as constants, no annotations."""

    def __init__(self, fixed: Mapping[str, int], space: Mapping[str, Any]) -> None:
        self.fixed, self.space = fixed, space

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace `s.gap` by a constant if the column is fixed, `module.name` by its twin."""
        self.generic_visit(node)
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        if name == "s" and node.attr in self.fixed:
            assert isinstance(node.ctx, ast.Load), f"a game changes {node.attr}"
            return ast.Name(FIXED + node.attr, ast.Load())
        module = self.space.get(name)
        if is_own(module, ModuleType) and is_own(getattr(module, node.attr), FunctionType):
            return ast.Name(f"{name}_{node.attr}", ast.Load())
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Replace `column[place]` by `column[unsigned(place)]`."""
        self.generic_visit(node)
        if not isinstance(node.slice, ast.Slice | ast.Constant):
            node.slice = ast.Call(ast.Name(PLACE, ast.Load()), [node.slice], [])
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Remove the annotations of a function."""
        self.generic_visit(node)
        node.returns = None
        for argument in node.args.args:
            argument.annotation = None
        return node


def rewritten(
    module: ModuleType, fixed: Mapping[str, int], place: Callable[[int], Any]
) -> dict[str, Any]:
    """Return the globals of a module with its functions rewritten for the compiler.

    Column indices become unsigned, because numba checks each signed index for a count from the end.
    The engine has none, as `test_engine_uses_no_negative_index` checks. Fixed columns become
    constants.

    Args:
        module: A module of the engine; its source is read.
        fixed: Values of the columns that become constants, by column.
        place: Returns the object that a call site refers to, by its number.
    """
    source = Path(str(module.__file__))
    tree = ast.parse(source.read_text("utf-8"))
    functions: list[ast.stmt] = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    made = _Rewriting(fixed, vars(module)).visit(ast.Module(functions, []))
    constants = {FIXED + name: value for name, value in fixed.items()}
    space = {**vars(module), **constants, PLACE: place}
    exec(compile(ast.fix_missing_locations(made), str(source), "exec"), space)
    return space


def counted(tell: Callable[[int], object]) -> AbstractContextManager[None]:
    """Report the number of compiled functions while the context lasts, if numba exposes it."""
    try:
        from falldamage_forge.games.fall_damage.engine import linking
    except (ImportError, AttributeError):
        return nullcontext()
    return linking.counted(tell)


def linked_once() -> dict[str, Any]:
    """Return the numba options that compile functions separately and link them once.

    By default numba links and optimises each function into its callers, level by level. Separate
    objects take a third of the time. They rely on numba's internals; if those differ, the options
    are empty and compilation takes longer.
    """
    try:
        from falldamage_forge.games.fall_damage.engine.linking import SeparateObject
    except (ImportError, AttributeError):
        return {}
    return {"pipeline_class": SeparateObject}


def _same(number: int) -> int:
    return number


def _one_record(digest: str) -> Any:
    def door(s: Any, what: int) -> int:
        return -1 if digest == "" else do(carray(s, 1)[0], what)  # type: ignore[name-defined]  # noqa: F821

    return door


def _two_records(digest: str) -> Any:
    def door(s: Any, t: Any, what: int) -> int:
        return -1 if digest == "" else do(carray(s, 1)[0], carray(t, 1)[0], what)  # type: ignore[name-defined]  # noqa: F821

    return door


DOORS = {1: _one_record, 2: _two_records}
