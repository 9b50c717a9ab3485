"""Viewer meshes for the page, built one after the other in a worker process, and cached."""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING

from falldamage_forge import presets
from falldamage_forge.infra import disk_cache
from falldamage_forge.infra.process_pool import Gone
from falldamage_forge.studio.part_instances import Address, digest
from falldamage_forge.studio.renewed_helper import RenewedHelper
from falldamage_forge.studio.session import Session, map_of
from falldamage_forge.studio.shared_library import forge

if TYPE_CHECKING:
    from falldamage_forge.pieces.piece import Piece
    from falldamage_forge.printing.printer import Printer

FOLDER = "page"
"""Version of the entries in the disk cache; their keys hold all other inputs."""
MOST = 2000
"""Greatest number of meshes that can be requested; the oldest are forgotten."""


def bake(piece: Piece, printer: Printer, style: str, most: int = 0) -> bytes | None:
    """Return the viewer mesh of a piece as bytes; None if it cannot be built.

    Args:
        piece: Piece to build.
        printer: Printer whose gaps the mesh has.
        style: Name of the style.
        most: Greatest number of triangles; 0 for no such number.
    """
    from falldamage_forge.render.baked_meshes import bake_piece

    try:
        return bake_piece(piece, printer, presets.load_style(style), most)
    except Exception:
        return None  # one piece that fails leaves the others; the page draws a sketch


class MeshService:
    """Meshes announced to clients, by digest."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[Piece, Printer, str, int]] = OrderedDict()
        self._made: OrderedDict[str, bytes] = OrderedDict()
        self._turn = asyncio.Lock()
        self._helper = RenewedHelper()

    def addresses(self, session: Session) -> Address:
        """Return a function that gives the URL of a piece's mesh, and announce it."""
        printer = forge().printer(
            map_of(session), session.settings.printer or None, session.settings.process or None
        )
        style = session.settings.style

        def address(piece: Piece, most: int) -> str:
            name = digest(piece, printer, style, most)
            self._known[name] = (piece, printer, style, most)
            while len(self._known) > MOST:
                self._made.pop(self._known.popitem(last=False)[0], None)
            return f"mesh/{name}"

        return address

    async def get(self, name: str) -> bytes | None:
        """Return the mesh of an announced digest; None for any other, or if it fails."""
        announced = self._known.get(name)
        if announced is None or name in self._made:
            return self._made.get(name)
        async with self._turn:
            if name in self._made or name not in self._known:
                return self._made.get(name)
            data = await asyncio.to_thread(disk_cache.get, FOLDER, name)
            if data is None:
                data = await asyncio.to_thread(self._bake, announced)
                if data is None:
                    return None
                await asyncio.to_thread(disk_cache.put, FOLDER, name, data)
            if name in self._known:
                self._made[name] = data
            return data

    def _bake(self, announced: tuple[Piece, Printer, str, int]) -> bytes | None:
        with contextlib.suppress(Gone):
            return self._helper.ask(partial(bake, *announced))
        return None

    def close(self) -> None:
        """End the worker process; waiting requests get None."""
        self._known.clear()
        self._made.clear()
        self._helper.close()
