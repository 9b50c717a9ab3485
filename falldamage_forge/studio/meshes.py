"""Meshes for the page, made in a process of their own, one after the other, and kept."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import signal
from collections import OrderedDict
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from falldamage_forge import cache, presets
from falldamage_forge.studio.parts import digest
from falldamage_forge.studio.session import Session, forge, map_of
from falldamage_forge.studio.worker import step_back

if TYPE_CHECKING:
    from falldamage_forge.pieces.model import Piece
    from falldamage_forge.printing.printer import Printer

FOLDER = "page"
"""The version under which they are kept on disk; names of entries tell all else."""
MOST = 2000
"""Meshes that can be asked for; the longest told are forgotten."""


def serve(pipe: Connection) -> None:
    """Bake what comes along the pipe, (piece, printer, style name), until it closes.

    Answers are bytes, or None for what cannot be made.
    """
    from falldamage_forge.render.baked import baked

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    step_back()
    with contextlib.suppress(EOFError, OSError):
        while True:
            piece, printer, style = pipe.recv()
            try:
                data = baked(piece, printer, presets.load_style(style))
            except Exception:
                data = None  # one piece that fails leaves the others; the page draws a sketch
            pipe.send(data)


class Meshes:
    """What has been told to pages and can be asked for, by digest."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[Piece, Printer, str]] = OrderedDict()
        self._made: OrderedDict[str, bytes] = OrderedDict()
        self._turn = asyncio.Lock()
        self._pipe: Connection | None = None
        self._process: multiprocessing.process.BaseProcess | None = None

    def addresses(self, session: Session) -> Callable[[Piece], str]:
        """Where the mesh of each piece of a session is to be had from now on."""
        printer = forge().printer(
            map_of(session), session.settings.printer or None, session.settings.process or None
        )
        style = session.settings.style

        def address(piece: Piece) -> str:
            name = digest(piece, printer, style)
            self._known[name] = (piece, printer, style)
            while len(self._known) > MOST:
                self._made.pop(self._known.popitem(last=False)[0], None)
            return f"mesh/{name}"

        return address

    async def get(self, name: str) -> bytes | None:
        """The mesh of a digest that has been told; None for any other, or where it fails."""
        if name not in self._known:
            return None
        if name in self._made:
            return self._made[name]
        async with self._turn:
            if name not in self._known:
                return None
            if name not in self._made:
                data = await asyncio.to_thread(cache.get, FOLDER, name)
                if data is None:
                    data = await asyncio.to_thread(self._bake, name)
                    if data is None:
                        return None
                    await asyncio.to_thread(cache.put, FOLDER, name, data)
                self._made[name] = data
            return self._made[name]

    def _bake(self, name: str) -> bytes | None:
        try:
            if self._process is None or not self._process.is_alive():
                self._start()
            assert self._pipe
            self._pipe.send(self._known[name])
            data: bytes | None = self._pipe.recv()
        except (EOFError, OSError):
            return None
        return data

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def close(self) -> None:
        """End the process for good; who waits for a mesh gets none."""
        self._known.clear()
        if self._process:
            self._process.kill()
            self._process.join()
