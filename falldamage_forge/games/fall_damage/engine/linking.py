"""Compiling functions apart, to be linked once: the one place that knows numba's inside."""

from typing import Any

from numba.core import compiler

_LIBRARIES: set[object] = set()
Base: Any = compiler.Compiler


class Apart(Base):  # type: ignore[misc]
    """Compiles what only compiled functions call: no machine code, no wrappers."""

    def define_pipelines(self) -> Any:
        """The usual steps; what follows them is left out."""
        flags = self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return super().define_pipelines()

    def compile_extra(self, func: Any) -> Any:
        """Compile; what the function calls is left to the door to link in."""
        result = super().compile_extra(func)
        library = result.library
        called = [other for other in library._linking_libraries if other in _LIBRARIES]
        library._linking_libraries = [x for x in library._linking_libraries if x not in _LIBRARIES]
        library.finalize()
        _LIBRARIES.add(library)
        # numba knows a function by its door to Python; where there is none, any object will do.
        handle: Any = [].append
        self.state.targetctx.insert_user_function(handle, result.fndesc, [library, *called])
        return result._replace(entry_point=handle)
