"""Named columns as Python lists, or as one numpy record for compiled functions."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import get_annotations
from typing import Any, ClassVar, ForwardRef, get_args, get_origin, get_type_hints

from falldamage_forge.games.fall_damage.engine.codes import MOST_ROWS

BY_ROWS = "by rows"
"""Annotation of a column whose length is proportional to the rows of the board."""


def hints_of(cls: type) -> dict[str, Any]:
    """Return the annotations of a class and its bases, with type variables filled in."""
    hints: dict[str, Any] = {}
    known: dict[Any, Any] = {}
    for base in reversed(cls.__mro__[:-1]):
        hints |= get_annotations(base)
        for filled in vars(base).get("__orig_bases__", ()):
            parameters = getattr(get_origin(filled), "__parameters__", ())
            known |= zip(parameters, get_args(filled), strict=False)
    late = (str, ForwardRef)
    if any(isinstance(hint, late) for name, hint in hints.items() if name not in OURS):
        hints = get_type_hints(cls, include_extras=True)
    return {name: _filled(hint, known) for name, hint in hints.items()}


def _filled(hint: Any, known: Mapping[Any, Any]) -> Any:
    open_ = getattr(hint, "__parameters__", ())
    return hint[tuple(known[name] for name in open_)] if open_ else known.get(hint, hint)


class Columns:
    """Named columns and integers; a subclass declares them as annotations."""

    lengths: ClassVar[dict[str, int]] = {}
    """Length of each column, in the order declared; 0 for a single integer."""
    by_rows: ClassVar[frozenset[str]] = frozenset()
    """Columns whose length is proportional to the rows of the board."""

    def __init_subclass__(cls) -> None:
        hints = {name: hint for name, hint in hints_of(cls).items() if hint is not Any}
        found = {name: get_args(hint)[1:] for name, hint in hints.items() if name not in OURS}
        cls.lengths = {
            name: next((word for word in said if isinstance(word, int)), 0)
            for name, said in found.items()
        }
        cls.by_rows = frozenset(name for name, said in found.items() if BY_ROWS in said)

    @classmethod
    def sized(cls, rows: int) -> dict[str, int]:
        """Return the length of each column for a board of `rows` rows."""
        return {
            name: length * rows // MOST_ROWS if name in cls.by_rows else length
            for name, length in cls.lengths.items()
        }

    def __init__(self, lengths: Mapping[str, int] | None = None) -> None:
        """Fill all columns with zeros.

        Args:
            lengths: Length of each column; None: the declared ones, which compiled functions need.
        """
        for name, length in (lengths or self.lengths).items():
            setattr(self, name, [0] * length if length else 0)

    def record(self) -> Record:
        """Return a copy in one numpy record, for compiled functions."""
        import numpy as np

        made: Any = np.zeros((), dtype_of(type(self)))
        for name, length in self.lengths.items():
            value = getattr(self, name)
            if not length:
                made[name] = value
            elif any(value):
                made[name][: len(value)] = value
        return Record(made)


OURS = ("lengths", "by_rows")


class Record:
    """Columns in one numpy record, with the same attributes as `Columns`."""

    array: Any

    def __init__(self, array: Any) -> None:
        self.__dict__["array"] = array

    def __getattr__(self, name: str) -> Any:
        value = self.array[name]
        return value if value.ndim else int(value)

    def __setattr__(self, name: str, value: Any) -> None:
        self.array[name] = value


def dtype_of(cls: type[Columns]) -> Any:
    """Return the numpy record type of a class of columns."""
    import numpy as np

    fields = [(name, "i8", (n,)) if n else (name, "i8") for name, n in cls.lengths.items()]
    return np.dtype(fields, align=True)
