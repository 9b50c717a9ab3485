"""Figures of the gallery from a worker process: a card takes seconds of one processor."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import Any

from falldamage_forge.infra.process_pool import Gone
from falldamage_forge.studio.gallery_figures import preset_figures
from falldamage_forge.studio.renewed_helper import RenewedHelper


class GalleryFigures:
    """Figures of preset maps, computed one after the other in a process of low priority."""

    def __init__(self) -> None:
        """Start nothing: the first request starts the process."""
        self._made: dict[str, dict[str, Any]] = {}
        self._turn = asyncio.Lock()
        self._helper = RenewedHelper()

    async def get(self, name: str) -> dict[str, Any] | None:
        """Return the figures of a preset map; None if the studio is closing."""
        async with self._turn:
            if name not in self._made and (found := await asyncio.to_thread(self._make, name)):
                self._made[name] = found
        return self._made.get(name)

    def _make(self, name: str) -> dict[str, Any] | None:
        with contextlib.suppress(Gone):
            return self._helper.ask(partial(preset_figures, name))
        return None

    def close(self) -> None:
        """End the process."""
        self._helper.close()
