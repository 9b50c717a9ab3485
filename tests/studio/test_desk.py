"""The desk: a hand sees what it did while older work is still coming to its end."""

import asyncio
import threading
from typing import Any

import pytest

from falldamage_forge.studio.desk import Desk
from falldamage_forge.studio.outbox import Outbox
from falldamage_forge.studio.session import Session
from tests.studio.telling import fits

TEXT = "forge 1\nboard 5x5\nstack C3 height 1\n"
PATIENCE_S = 60


def test_a_board_is_told_before_older_work_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    parts = Desk._parts

    def slow(self: Desk, session: Session) -> dict[str, Any]:
        if not session.revision:
            begun.set()
            assert go_on.wait(PATIENCE_S)
        return parts(self, session)

    monkeypatch.setattr(Desk, "_parts", slow)
    heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def told(kind: str, revision: int) -> dict[str, Any]:
        while True:
            said = await asyncio.wait_for(heard.get(), PATIENCE_S)
            if said["type"] == kind and said["revision"] == revision:
                return said

    async def talk() -> None:
        page, desk = Outbox(heard.put), Desk(Session(TEXT), None)
        reading = asyncio.create_task(page.run())
        desk.pages.add(page)
        await desk.greet(page)
        assert await asyncio.to_thread(begun.wait, PATIENCE_S)
        words = {"words": "raise C3", "copies": "all", "brush": False}
        await desk.hear({"type": "gesture", "revision": 0, **words}, page)
        board = fits(await told("board", 1))
        assert board["board"]["columns"][12][0] == 2
        go_on.set()
        assert fits(await told("verdict", 1))["revision"] == 1
        assert fits(await told("parts", 1))["revision"] == 1
        reading.cancel()
        desk.close()

    asyncio.run(talk())
