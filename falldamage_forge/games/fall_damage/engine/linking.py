"""Separate compilation for numba: each function becomes an object, linked once.

Only this module relies on numba's internals; `jit.linked_once` falls back if they differ.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import compiler, event

_CALLEES: dict[object, set[object]] = {}
"""Separately compiled libraries in order, each with all libraries that it calls, at any depth."""
Base: Any = compiler.Compiler
Listener: Any = event.Listener


class SeparateObject(Base):  # type: ignore[misc]
    """Compiler of functions that only compiled functions call: no wrappers."""

    def define_pipelines(self) -> Any:
        """Return numba's pipelines, without machine code and wrappers."""
        flags = self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return super().define_pipelines()

    def compile_extra(self, func: Any) -> Any:
        """Compile a function; its callees are linked at the entry point."""
        result = super().compile_extra(func)
        library = result.library
        called = [other for other in library._linking_libraries if other in _CALLEES]
        library._linking_libraries = [x for x in library._linking_libraries if x not in _CALLEES]
        library.finalize()
        deep = {other for near in called for other in (near, *_CALLEES[near])}
        # Callers precede callees: LLVM drops symbols that are not referenced yet.
        libraries = [library, *(other for other in reversed(_CALLEES) if other in deep)]
        _CALLEES[library] = deep
        # numba keys a function by its Python wrapper; without one, any object serves.
        handle: Any = [].append
        self.state.targetctx.insert_user_function(handle, result.fndesc, libraries)
        return result._replace(entry_point=handle)


class _Counting(Listener):  # type: ignore[misc]
    def __init__(self, tell: Callable[[int], object]) -> None:
        self.tell, self.count = tell, 0

    def on_start(self, event: object) -> None:
        """Do nothing when a compilation starts."""

    def on_end(self, event: object) -> None:
        """Count a compiled function."""
        self.count += 1
        self.tell(self.count)


@contextmanager
def counted(tell: Callable[[int], object]) -> Iterator[None]:
    """Report the number of compiled functions while the context lasts."""
    with event.install_listener("numba:compile", _Counting(tell)):
        yield
