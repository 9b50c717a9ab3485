"""Registry of elements: one module an element, in the order of the language.

Folders named by the environment variable `FDFORGE_ELEMENTS` add elements of their own: each module
of such a folder holds one `Element` as `ELEMENT`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from falldamage_forge.elements import (
    base,
    battlement,
    bridge,
    column,
    field,
    gate,
    ladder,
    lava,
    model,
    obstruction,
    pitfall,
    railing,
    spire,
    start,
    step,
    treasure,
    tree,
    water,
)
from falldamage_forge.elements.element import Element
from falldamage_forge.issues import refuse

VARIABLE = "FDFORGE_ELEMENTS"
"""Environment variable with further folders of elements, separated as in `PATH`."""
_OWN = (
    *(column, bridge, ladder, tree, spire, lava, water, treasure, step, battlement),
    *(railing, obstruction, field, pitfall, gate, base, start, model),
)


def elements_in(folder: Path) -> Iterator[Element]:
    """Yield the elements of a folder's modules, sorted by file name.

    Args:
        folder: Folder with Python files; each holds an `Element` as `ELEMENT`. They are run.

    Raises:
        ForgeError: (FDF294) If there is no such folder, or a file has no element.
    """
    if not folder.is_dir():
        raise refuse("FDF294", f"there is no folder `{folder}`", f"correct the value of {VARIABLE}")
    for path in sorted(folder.glob("*.py")):
        yield _element_of(path)


def _element_of(path: Path) -> Element:
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(f"{__name__}.{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise refuse("FDF294", f"cannot run {path}: {error}") from error
    element = getattr(module, "ELEMENT", None)
    if not isinstance(element, Element):
        raise refuse("FDF294", f"{path} has no element", "write `ELEMENT = Element(…)`")
    return element


def own_folders() -> tuple[Path, ...]:
    """Return the folders with further elements that the environment names."""
    return tuple(map(Path, filter(None, os.environ.get(VARIABLE, "").split(os.pathsep))))


def _found() -> Iterator[Element]:
    yield from (module.ELEMENT for module in _OWN)
    for folder in own_folders():
        yield from elements_in(folder)


def _by_word(elements: Iterable[Element]) -> Mapping[str, Element]:
    known: dict[str, Element] = {}
    for element in elements:
        if known.setdefault(element.word, element) is not element:
            raise refuse("FDF294", f"there are two elements called `{element.word}`")
    return MappingProxyType(known)


ELEMENTS: Mapping[str, Element] = _by_word(_found())
"""Every element by its word."""
_by_kind: dict[str, Element] = {}
for _element in ELEMENTS.values():
    _by_kind.setdefault(_element.fact, _element)
KINDS: Mapping[str, Element] = MappingProxyType(_by_kind)
"""An element of each kind of things: the first one of those that share it."""
FITTINGS: Mapping[str, Element] = MappingProxyType(
    {word: x for word, x in ELEMENTS.items() if x.field == "fittings"}
)
"""The elements that are `Board.fittings`, by kind."""
SIDED = tuple(word for word, x in ELEMENTS.items() if x.named == "side")
"""Kinds of things whose name is a side."""
FOLLOW = tuple(word for word, x in ELEMENTS.items() if x.levelled)
"""Kinds of things that move up and down with the column below them."""
BLOCK = next(kind for kind, x in KINDS.items() if x.form == "block")
"""Kind of the things that a block describes and `place` puts on the board."""
