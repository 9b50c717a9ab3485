"""The engine's functions compiled by numba: the same source at another speed.

The functions are plain Python. `Compiled` makes a twin of each function that an entry calls, in a
twin of its module's names, so that twins call twins; whoever imports the modules keeps the plain
functions, and numba is not imported before somebody compiles.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any

from falldamage_forge.games.fall_damage.engine.records import Columns, dtype_of

ROOT = "falldamage_forge."
IDENTITY = "wrapped"
"""The function that does nothing in 64 bits: there whole numbers wrap of themselves."""
Entry = Callable[..., int]
"""What is compiled is a FunctionType; what comes back only looks like one."""


def reached(entry: FunctionType) -> list[FunctionType]:
    """A function and all of ours that it calls, in the order they are met."""
    found: dict[FunctionType, None] = {entry: None}
    waiting = [entry]
    while waiting:
        function = waiting.pop()
        for name in function.__code__.co_names:
            other = function.__globals__.get(name)
            if isinstance(other, FunctionType) and other.__module__.startswith(ROOT):
                if other not in found:
                    found[other] = None
                    waiting.append(other)
    return list(found)


class Compiled:
    """An entry to be compiled: a function of some columns and a whole number that gives one."""

    def __init__(self, entry: Entry, *columns: type[Columns]) -> None:
        assert isinstance(entry, FunctionType)
        self.entry, self.columns = entry, columns
        self.functions = reached(entry)
        sources = {str(sys.modules[f.__module__].__file__) for f in self.functions}
        sources |= {str(sys.modules[cls.__module__].__file__) for cls in columns}
        sources.add(str(Path(__file__).with_name("codes.py")))
        self.digest = sha256(b"".join(Path(p).read_bytes() for p in sorted(sources))).hexdigest()

    def is_kept(self) -> bool:
        """Whether numba's cache on this machine holds this very source compiled.

        It asks numba's own cache, which is no public interface; where that has changed, the answer
        is no, and all that follows is a word about compiling that was not needed.
        """
        try:
            from numba.core.caching import FunctionCache
            from numba.core.registry import cpu_target

            cache: Any = FunctionCache
            kept = cache(self._door({}))
            return kept.load_overload(self._signature(), cpu_target.target_context) is not None
        except (ImportError, AttributeError, TypeError):
            return False

    def call(self) -> Entry:
        """The entry compiled, or read from numba's cache, as a function of records."""
        import numba

        carray: Any = vars(numba)["carray"]
        twin = self._twins()[self.entry]
        door = self._door({"do": twin, "carray": carray})
        made = numba.cfunc(self._signature(), cache=True)(door)
        self._kept = made  # its code lives as long as it does
        address = made.ctypes

        def do(*arguments: Any) -> int:
            *records, what = arguments
            return int(address(*(record.array.ctypes.data for record in records), what))

        return do

    def _signature(self) -> Any:
        from numba import from_dtype, types

        pointer: Any = types.CPointer
        records = [pointer(from_dtype(dtype_of(cls))) for cls in self.columns]
        return types.int64(*records, types.int64)

    def _door(self, names: dict[str, Any]) -> FunctionType:
        """What is called from outside; its closure tells one source's code from another's."""
        made = DOORS[len(self.columns)](self.digest)
        names = {"__name__": __name__, **names}
        return FunctionType(made.__code__, names, made.__name__, None, made.__closure__)

    def _twins(self) -> dict[FunctionType, Any]:
        import numba

        options = linked_once()
        spaces: dict[str, dict[str, Any]] = {}
        made: dict[FunctionType, Any] = {}
        for function in self.functions:
            space = spaces.setdefault(function.__module__, dict(function.__globals__))
            code = _same.__code__ if function.__name__ == IDENTITY else function.__code__
            twin = FunctionType(code, space, function.__name__, function.__defaults__)
            made[function] = numba.njit(error_model="numpy", **options)(twin)
        for space in spaces.values():
            for name, value in space.items():
                if isinstance(value, FunctionType) and value in made:
                    space[name] = made[value]
        return made


def linked_once() -> dict[str, Any]:
    """Options by which functions are compiled apart and put together once, at the door.

    numba links all that a function calls into it and improves it there, level by level. Apart it
    takes a third of the time. This rests on what numba keeps to itself; where that is not as
    expected, there are no options, and compiling takes longer.
    """
    try:
        from falldamage_forge.games.fall_damage.engine.linking import Apart
    except (ImportError, AttributeError):
        return {}
    return {"pipeline_class": Apart}


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
