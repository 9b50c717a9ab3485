"""How the functions here are compiled: apart, and put together once.

numba links all that a function calls into it, machine code and all, and improves it there, level by
level. Here each function is compiled by itself, without doors to Python; who calls from outside
(`door`) has everything linked in and improved in one go. It takes a third of the time.
"""

from typing import Any

from numba import cfunc, njit, types
from numba.core.caching import FunctionCache
from numba.core.compiler import Compiler
from numba.core.registry import cpu_target

WHOLE: Any = types.int64
POINTER: Any = types.CPointer
DOOR = WHOLE(POINTER(WHOLE), WHOLE)
"""Memory goes in as a bare pointer: an array would be counted, wrapped and checked everywhere."""
_LIBRARIES: set[object] = set()


class Inner(Compiler):
    """Compiles what only compiled functions call."""

    def define_pipelines(self):
        """No machine code, no wrappers."""
        flags = self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return super().define_pipelines()

    def compile_extra(self, func):
        """Compile; what the function calls is left to the door to link in."""
        result = super().compile_extra(func)
        library = result.library
        called = [other for other in library._linking_libraries if other in _LIBRARIES]
        library._linking_libraries = [x for x in library._linking_libraries if x not in _LIBRARIES]
        library.finalize()
        _LIBRARIES.add(library)
        # numba knows a function by its door to Python; where there is none, any object will do.
        handle = [].append
        self.state.targetctx.insert_user_function(handle, result.fndesc, [library, *called])
        return result._replace(entry_point=handle)


loop: Any = njit(pipeline_class=Inner)
"""For functions that only others here call."""


def is_kept(function: Any) -> bool:
    """Whether a door is on disk already, compiled of these very sources by this numba."""
    kept: Any = FunctionCache
    return kept(function).load_overload(DOOR, cpu_target.target_context) is not None


def door(function: Any) -> Any:
    """Compile a function of memory and a number for Python to call; kept on disk."""
    return cfunc(DOOR, cache=True)(function)
