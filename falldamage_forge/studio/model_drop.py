"""Dropped models: files beside the map, and blocks as `fdforge adopt` has them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from falldamage_forge.builds.model_pieces import has_file, path_of
from falldamage_forge.infra.atomic_write import create_file
from falldamage_forge.issues import ForgeError, has_errors, refuse
from falldamage_forge.lang.edit.model_insertion import with_model
from falldamage_forge.studio.message_tables import issues_table
from falldamage_forge.studio.part_places import models_of
from falldamage_forge.studio.protocol import message
from falldamage_forge.studio.renewed_helper import RenewedHelper
from falldamage_forge.studio.session import Session, map_of
from falldamage_forge.studio.shared_library import forge
from falldamage_forge.studio.stamp_library import stamped

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from falldamage_forge.issues import Issue
    from falldamage_forge.lang.model_block import ModelBlock
    from falldamage_forge.lengths import PrintGrid
    from falldamage_forge.printing.printer import Printer

REFUSED = {
    "model": "the model is refused; nothing has changed",
    "beside": "the map is not opened: a file that it names cannot lie beside it",
}
MOST_ISSUES = 5


class Measured(NamedTuple):
    """A model as measured: its block, its size in mm, and notes about it."""

    block: ModelBlock
    size_mm: tuple[float, float, float]
    notes: tuple[str, ...]


class Dropped(NamedTuple):
    """The name of a dropped model's block, and what was measured; None if the map had it."""

    name: str
    measured: Measured | None

    def table(self) -> dict[str, Any]:
        """Return it as JSON values."""
        found = self.measured
        if found is None:
            return {"name": self.name, "known": True, "notes": []}
        block = found.block
        return {
            "name": self.name,
            "known": False,
            "tiles": f"{block.cols}x{block.rows}",
            "size_mm": [round(side, 1) for side in found.size_mm],
            "levels": list(block.tops),
            "notes": list(found.notes),
        }


def measured(path: Path, printer: Printer, grid: PrintGrid) -> Measured | tuple[Issue, ...]:
    """Return a model file as `fdforge adopt` proposes it; its issues if it cannot be adopted.

    Args:
        path: The file.
        printer: Printer that it is to fit.
        grid: Size of a tile and of a level, in mm.
    """
    from falldamage_forge.builds.adoption import adopt, model_name, notes
    from falldamage_forge.lang.model_block import ModelBlock

    try:
        found = adopt(path, ModelBlock(model_name(path), path.name), None, printer, grid)
    except ForgeError as error:
        return tuple(error.issues)
    return Measured(found.block, found.part.placed.size_mm, tuple(notes(found)))


class ModelMeasurer:
    """Measures dropped files one after the other, in a process of low priority."""

    def __init__(self) -> None:
        """Start nothing: the first file starts the process."""
        self._turn = asyncio.Lock()
        self._helper = RenewedHelper()

    async def measure(self, session: Session, path: Path) -> Measured:
        """Return what `fdforge adopt` proposes for a file and a session's map.

        Args:
            session: The session.
            path: The file.

        Raises:
            ForgeError: The issues of a file that cannot be adopted.
            Gone: The studio is being closed.
        """
        map_ = map_of(session)
        wished = session.settings
        printer = forge().printer(map_, wished.printer or None, wished.process or None)
        async with self._turn:
            found = await asyncio.to_thread(
                self._helper.ask, partial(measured, path, printer, map_.grid)
            )
        if not isinstance(found, Measured):
            raise ForgeError(found)
        return found

    def close(self) -> None:
        """End the process; a file that is being measured raises Gone."""
        self._helper.close()


def folder_of(session: Session) -> Path:
    """Return the folder beside a session's map.

    Raises:
        ForgeError: FDF208 for a map that is no file.
    """
    if session.root is None:
        hint = "save the text as a file, and open it: `fdforge studio mine.forge`"
        why = "files that a map names lie beside it, and this map is no file"
        raise refuse("FDF208", why, hint)
    return session.root


def known_model(session: Session, path: Path) -> str | None:
    """Return the name of a map's model with the content of a file; None if it has none.

    Args:
        session: The session.
        path: The file.
    """
    for model in filter(has_file, models_of(map_of(session))):
        own = path_of(model)
        if own.stat().st_size == path.stat().st_size and own.read_bytes() == path.read_bytes():
            return model.name
    return None


def with_dropped(session: Session, path: Path, found: Measured) -> tuple[Session, str]:
    """Return a session with the block of a model, whose file is copied beside the map; its name.

    Args:
        session: The session.
        path: The dropped file.
        found: What it was measured as.

    Raises:
        ForgeError: FDF208 for a map that is no file, FDF295 if the file cannot be written, and the
            errors of a text that has some. Nothing is written then.
    """
    folder = folder_of(session)
    name = _free(found.block.name, stamped(session.text))
    data = path.read_bytes()
    target = _target(folder, path, data)
    text = with_model(session.text, replace(found.block, name=name), target.name)
    after = forge().loads(text, session.name, session.root)
    if has_errors(after.issues):
        raise ForgeError(after.issues)
    if not target.exists() and not create_file(target, data):
        raise refuse("FDF295", f"cannot write `{target}`: it was made meanwhile")
    return session.with_text(text, f"model {name}"), name


def refusal(issues: Sequence[Issue], of: str = "model") -> dict[str, Any]:
    """Return why a file is not adopted, or not kept beside the map, as an `error` message.

    Args:
        issues: The issues of the file.
        of: Purpose of the file: `model` or `beside`.
    """
    told = issues_table(tuple(issues[:MOST_ISSUES]), "", "")
    return message("error", message=REFUSED[of], of=of, issues=told)


def _free(name: str, taken: Container[str]) -> str:
    """Return a name that is not taken."""
    return next(x for n in count(1) if (x := name if n == 1 else f"{name}-{n}") not in taken)


def _target(folder: Path, path: Path, data: bytes) -> Path:
    """Return a path in a folder for a file: a free one, or that of a file with this content."""
    for number in count(1):
        stem = path.stem if number == 1 else f"{path.stem}-{number}"
        target = folder / f"{stem}{path.suffix}"
        if not target.exists() or (target.is_file() and target.read_bytes() == data):
            return target
    raise AssertionError
