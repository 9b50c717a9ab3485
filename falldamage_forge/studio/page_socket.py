"""Web socket of a client: its hello with the token, then its messages until it disconnects."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from falldamage_forge.languages.translator import ENGLISH
from falldamage_forge.studio.protocol import BadMessage, message, read_message
from falldamage_forge.studio.send_queue import RateLimiter, SendQueue
from falldamage_forge.studio.session_hub import SessionHub

MAX_PAGES = 64
MAX_RATE = 40
"""Greatest number of messages a second from one client."""


async def converse(ws: WebSocket, hub: SessionHub, known: Callable[[str], bool]) -> None:
    """Serve one client until it disconnects.

    Args:
        ws: The accepted socket.
        hub: The session hub.
        known: True for the token of the studio.
    """

    async def send(told: dict[str, Any]) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await ws.send_text(json.dumps(told, ensure_ascii=False))

    try:
        hello = read_message(await asyncio.wait_for(ws.receive_text(), 10))
        if hello["type"] != "hello" or not known(hello["token"]):
            raise BadMessage("the address lacks the token that the studio printed")
        if len(hub.pages) >= MAX_PAGES:
            raise BadMessage(f"{MAX_PAGES} pages are open already: close one")
    except (BadMessage, TimeoutError, KeyError) as error:
        await send(message("error", message=str(error) or "nothing was said"))
        await ws.close(1008)
        return
    page = SendQueue(send, hello.get("page", ""))
    page.language = hello.get("language", ENGLISH)
    hub.pages.add(page)
    tasks = [
        asyncio.create_task(_listen(ws, hub, page)),
        asyncio.create_task(page.run()),
        asyncio.create_task(page.full.wait()),
    ]
    try:
        # Whichever ends first ends the page: it left, or it has not read for long.
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if page.full.is_set():
            await asyncio.wait_for(ws.close(1013, "this page does not read"), 1)
    except TimeoutError:
        pass
    finally:
        hub.pages.discard(page)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _listen(ws: WebSocket, hub: SessionHub, page: SendQueue) -> None:
    """Handle a client's messages until it disconnects."""
    rate = RateLimiter(MAX_RATE)
    await hub.on_connect(page)
    try:
        while True:
            data = await ws.receive_text()
            if not rate.allow():
                await ws.close(1013, "too many messages")  # a page comes back after a while
                return
            try:
                said = read_message(data)
                if said["type"] == "hello":
                    page.language = said.get("language", ENGLISH)
                    await hub.on_connect(page)
                else:
                    await hub.on_message(said, page)
            except BadMessage as error:
                page.put(error.told())
    except KeyError:
        await ws.close(1003, "text only")
