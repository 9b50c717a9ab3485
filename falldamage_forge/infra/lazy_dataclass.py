"""Frozen dataclasses that are cheap to import: `__init__` is compiled at first use.

The standard library compiles six methods for each dataclass at import; with a hundred classes that
is a fifth of a short command's time. Here frozen classes share their methods, and `__init__` is
compiled when the first instance is made. `fields`, `replace`, `asdict`, pickling, copying and
matching work as usual; type checkers see `dataclasses.dataclass` itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V]):
    """An immutable dict: equal to a dict of the same items, hashable, picklable."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} stays as it is; copy it with dict()")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[FrozenDict[K, V]], tuple[dict[K, V]]]:
        return type(self), (dict(self),)


def frozen(value: Any) -> Any:
    """Return a value with its dicts, lists and sets replaced by immutable ones, at every depth."""
    if isinstance(value, dict):
        return FrozenDict((key, frozen(item)) for key, item in value.items())
    if isinstance(value, list) or type(value) is tuple:
        return tuple(map(frozen, value))
    return frozenset(map(frozen, value)) if isinstance(value, set) else value


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414
else:
    import dataclasses
    from operator import attrgetter

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, order=False, kw_only=False):
        """As `dataclasses.dataclass`: itself for what has an order or is not frozen."""
        if not frozen or order or kw_only:
            return dataclasses.dataclass(
                cls, frozen=frozen, slots=slots, eq=eq, order=order, kw_only=kw_only
            )
        if cls is None:
            return lambda cls: _made(cls, slots, eq)
        return _made(cls, slots, eq)

    _OURS = set()

    def _made(cls, slots, eq):
        above = [base for base in cls.__mro__[1:] if dataclasses.is_dataclass(base)]
        if not _OURS.issuperset(above):
            return dataclasses.dataclass(cls, frozen=True, slots=slots, eq=eq)
        # The library would write two methods for a class that says it is frozen; it says so after.
        for base in above:
            base.__dataclass_params__.frozen = False
        bare = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
        for base in (bare, *above):
            base.__dataclass_params__.frozen = True
        _OURS.add(bare)
        own = {"__init__": _late(bare), **_SHARED, **(_compared(bare) if eq else {})}
        for name, method in (own | (_PICKLED if slots else {})).items():
            if cls.__dict__.get(name) is None:
                setattr(bare, name, method)
        return bare

    def _late(cls):
        """An `__init__` that puts the real one in its own place when it is called first."""

        def __init__(self, *args, **kwargs):
            cls.__init__ = _init_of(cls)
            cls.__init__(self, *args, **kwargs)

        return __init__

    def _init_of(cls):
        """The `__init__` of a class, compiled: defaults and factories are its only free names."""
        free = {"_set": object.__setattr__, "_made": (left_out := object())}
        heads, lines = ["self"], []
        for item in dataclasses.fields(cls):
            name, given = item.name, item.name
            if item.default is not dataclasses.MISSING:
                free[f"_{name}"], shown = item.default, f"=_{name}"
                given = name if item.init else f"_{name}"
            elif item.default_factory is not dataclasses.MISSING:
                free[f"_{name}"], shown = item.default_factory, "=_made"
                given = f"_{name}() if {name} is _made else {name}" if item.init else f"_{name}()"
            elif item.init:
                shown = ""
            else:
                continue  # left to `__post_init__`
            if item.init:
                heads.append(name + shown)
            lines.append(f"_set(self, {name!r}, {given})")
        if hasattr(cls, "__post_init__"):
            lines.append("self.__post_init__()")
        body = "\n  ".join(lines) or "pass"
        source = f"def make({', '.join(free)}):\n def __init__({', '.join(heads)}):\n  {body}"
        names = {}
        exec(f"{source}\n return __init__", {}, names)
        del left_out
        init = names["make"](**free)
        init.__qualname__ = f"{cls.__qualname__}.__init__"
        return init

    def _compared(cls):
        """`==` and `hash` by the fields, as tuples."""
        items = [item for item in dataclasses.fields(cls) if item.compare]
        hashed = [item for item in items if item.hash is not False]
        key, hash_key = _key(items), _key(hashed)

        def __eq__(self, other):
            return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

        def __hash__(self):
            return hash(hash_key(self))

        return {"__eq__": __eq__, "__hash__": __hash__}

    def _key(items):
        names = [item.name for item in items]
        if len(names) > 1:
            return attrgetter(*names)
        return lambda value: tuple(getattr(value, name) for name in names)

    def _repr(self):
        shown = (f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
        return f"{self.__class__.__qualname__}({', '.join(shown)})"

    def _setattr(self, name, value):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def _delattr(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    def _getstate(self):
        return [getattr(self, item.name) for item in dataclasses.fields(self)]

    def _setstate(self, state):
        for item, value in zip(dataclasses.fields(self), state, strict=True):
            object.__setattr__(self, item.name, value)

    _SHARED = {
        "__repr__": _repr,
        "__setattr__": _setattr,
        "__delattr__": _delattr,
    }
    _PICKLED = {"__getstate__": _getstate, "__setstate__": _setstate}
