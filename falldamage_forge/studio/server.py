"""HTTP server of the studio on loopback: the page's files, one web socket, downloads."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import socket
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from falldamage_forge import presets
from falldamage_forge.studio import address
from falldamage_forge.studio.address import Address
from falldamage_forge.studio.build_downloads import DOWNLOADS
from falldamage_forge.studio.dropped_answer import dropped_answer
from falldamage_forge.studio.element_page import MODULE, elements_module, page_file
from falldamage_forge.studio.gallery_figures import outlines, picture, preset_card
from falldamage_forge.studio.gallery_worker import GalleryFigures
from falldamage_forge.studio.origin_guard import add_origin_check
from falldamage_forge.studio.page_socket import converse
from falldamage_forge.studio.protocol import MAX_MESSAGE
from falldamage_forge.studio.public_address import with_public_address
from falldamage_forge.studio.session_hub import SessionHub

SWITCH_S = 0.0005
"""Interpreter's switch interval in seconds; an answer passes through several threads."""
KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
KEPT = {".svg": "private, max-age=60"}
"""How long a browser keeps a kind of file: each new sign on a page asks for its file of symbols."""


def page_files(public: str | None = None) -> dict[str, tuple[bytes, str]]:
    """Return the page's files by URL path, with media types; no other file can be requested.

    Args:
        public: Public address of a site of the studio, to which share links lead.
    """
    folder = Path(__file__).with_name("page")
    found = {
        f"/{path.name}": (
            page_file(path.name, path.read_bytes()),
            f"{KINDS[path.suffix]}; charset=utf-8",
        )
        for path in sorted(folder.iterdir())
        if path.suffix in KINDS
    }
    found[f"/{MODULE}"] = elements_module(), f"{KINDS['.js']}; charset=utf-8"
    first, media = found["/index.html"]
    if public:
        found["/index.html"] = with_public_address(first, public), media
    return {"/": found["/index.html"], **found}


def make_app(
    hub: SessionHub, token: str, started: Callable[[], None], public: str | None = None
) -> Starlette:
    """Return routes and lifetime of the app, without the origin check.

    Args:
        hub: The session hub.
        token: The token that a page must send.
        started: Called when the server is ready.
        public: Public address of a site of the studio, to which share links lead.
    """
    files = page_files(public)
    pictures: dict[str, str] = {}
    gallery = GalleryFigures()

    def known(said: str) -> bool:
        return hmac.compare_digest(said.encode("utf-8", "replace"), token.encode())

    async def page(request: Request) -> Response:
        found = files.get(request.url.path)
        if found is None:
            return Response("no such file\n", 404, media_type="text/plain")
        kept = KEPT.get(Path(request.url.path).suffix)
        headers = {"content-type": found[1]} | ({"cache-control": kept} if kept else {})
        return Response(found[0], headers=headers)

    async def made(request: Request) -> Response:
        if not known(request.headers.get("x-studio-token", "")):
            return Response(status_code=403)
        what = request.path_params["what"]
        if what not in hub.slow.made:
            return Response(status_code=404)
        return Response(hub.slow.made[what], media_type=DOWNLOADS[what][1])

    async def drawn(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in presets.names("maps"):
            return Response(status_code=404)
        if name not in pictures:
            pictures[name] = await asyncio.to_thread(picture, name)
        return Response(pictures[name], media_type="image/svg+xml")

    async def card(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in presets.names("maps"):
            return Response(status_code=404)
        return JSONResponse(await asyncio.to_thread(preset_card, name))

    async def computed(request: Request) -> Response:
        name = request.path_params["name"]
        found = await gallery.get(name) if name in presets.names("maps") else None
        return Response(status_code=404) if found is None else JSONResponse(found)

    async def figures(request: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(outlines))

    async def mesh(request: Request) -> Response:
        try:
            data = await hub.meshes.get(request.path_params["name"])
        except asyncio.CancelledError:
            return Response(status_code=503)  # the studio is being closed
        if data is None:
            return Response(status_code=404)
        headers = {"cache-control": "private, max-age=31536000, immutable"}
        return Response(data, media_type="application/octet-stream", headers=headers)

    async def dropped(request: Request) -> Response:
        if not known(request.headers.get("x-studio-token", "")):
            return Response(status_code=403)
        return await dropped_answer(request, hub)

    async def live(ws: WebSocket) -> None:
        await ws.accept()
        # A socket that goes away in the middle of an answer is no fault.
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await converse(ws, hub, known)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        watch = asyncio.create_task(hub.watch_file())
        started()
        yield
        watch.cancel()
        hub.close()
        gallery.close()

    routes = [
        WebSocketRoute("/live", live),
        Route("/made/{what}", made, methods=["GET"]),
        Route("/mesh/{name}", mesh, methods=["GET"]),
        Route("/model/{name}", dropped, methods=["POST"]),
        Route("/beside", dropped, methods=["POST"]),
        Route("/maps/{name}.svg", drawn, methods=["GET"]),
        Route("/maps/{name}.json", card, methods=["GET"]),
        Route("/figures/{name}.json", computed, methods=["GET"]),
        Route("/figures.json", figures, methods=["GET"]),
        Route("/{path:path}", page, methods=["GET"]),
    ]
    return Starlette(routes=routes, lifespan=lifespan)


def listen(port: int) -> socket.socket:
    """Return a listening socket on loopback; port 0 selects a free one.

    Raises:
        OSError: If the port is in use.
    """
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Each line inherits it: no small message waits 40 ms for the receipt of the one before.
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        sock.bind(("127.0.0.1", port))
        sock.listen()  # who reads the address may come at once
    except OSError:
        sock.close()
        raise
    return sock


def opened(home: str, port: int) -> tuple[socket.socket, Address]:
    """Return a listening socket and the address of a map's studio.

    Port 0 selects the map's last port if it is free, so that open pages reconnect; their token is
    valid for this port only.

    Args:
        home: Identifies the map.
        port: The port, or 0.

    Raises:
        OSError: If the port is in use.
    """
    last = address.kept(home)
    if last and port in {0, last.port}:
        try:
            return listen(last.port), last
        except OSError:
            if port:
                raise
    sock = listen(port)
    new = address.fresh(int(sock.getsockname()[1]))
    address.keep(home, new)
    return sock, new


def serve(
    make_hub: Callable[[], SessionHub],
    sock: socket.socket,
    token: str,
    ready: Callable[[str], None],
    public: str | None = None,
) -> None:
    """Serve until interrupted.

    Args:
        make_hub: Creates the session hub inside the event loop.
        sock: The listening socket.
        token: The token that a page must send.
        ready: Receives the URL with the token when it can be opened.
        public: Public address of a site of the studio, to which share links lead.
    """
    sys.setswitchinterval(SWITCH_S)
    port = int(sock.getsockname()[1])
    hub = make_hub()
    app = make_app(hub, token, lambda: ready(f"http://127.0.0.1:{port}/#token={token}"), public)
    config = uvicorn.Config(
        add_origin_check(app, port),
        ws="websockets-sansio",
        ws_max_size=MAX_MESSAGE,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,
    )
    _Server(config, hub.meshes.close).run(sockets=[sock])


class _Server(uvicorn.Server):
    """A server that ends the hub's work before it waits for open responses."""

    def __init__(self, config: uvicorn.Config, before: Callable[[], None]) -> None:
        super().__init__(config)
        self._before = before

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening; running requests get a moment to finish."""
        self._before()
        await super().shutdown(sockets)
