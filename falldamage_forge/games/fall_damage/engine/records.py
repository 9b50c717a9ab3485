"""Columns by name, as lists or in one numpy record."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import get_annotations
from typing import Any, ClassVar, Self, get_args, get_type_hints


class Columns:
    """Columns and whole numbers by name; a subclass declares them as annotations."""

    lengths: ClassVar[dict[str, int]] = {}
    """How long each column is, in the order declared; 0 for a single number."""

    def __init_subclass__(cls) -> None:
        hints: dict[str, Any] = {}
        for base in reversed(cls.__mro__[:-1]):
            hints |= get_annotations(base)
        if any(isinstance(hint, str) for name, hint in hints.items() if name != "lengths"):
            hints = get_type_hints(cls, include_extras=True)
        del hints["lengths"]
        cls.lengths = {
            name: 0 if hint is int else int(get_args(hint)[1]) for name, hint in hints.items()
        }

    def __init__(self, lengths: Mapping[str, int] | None = None) -> None:
        """All columns of zeros, for Python alone perhaps of other lengths."""
        for name, length in (lengths or self.lengths).items():
            setattr(self, name, [0] * length if length else 0)

    def record(self) -> Record:
        """The same in one numpy record, for compiled functions."""
        import numpy as np

        made: Any = np.zeros((), dtype_of(type(self)))
        for name in self.lengths:
            made[name] = getattr(self, name)
        return Record(made)

    @classmethod
    def of_record(cls, record: Record) -> Self:
        """The columns of a record as lists."""
        made = cls.__new__(cls)
        for name in cls.lengths:
            setattr(made, name, record.array[name].tolist())
        return made


class Record:
    """Columns in one numpy record, read and written by the same names."""

    array: Any

    def __init__(self, array: Any) -> None:
        self.__dict__["array"] = array

    def __getattr__(self, name: str) -> Any:
        value = self.array[name]
        return value if value.ndim else int(value)

    def __setattr__(self, name: str, value: Any) -> None:
        self.array[name] = value


def dtype_of(cls: type[Columns]) -> Any:
    """The numpy record type of a class of columns."""
    import numpy as np

    fields = [(name, "i8", (n,)) if n else (name, "i8") for name, n in cls.lengths.items()]
    return np.dtype(fields, align=True)
