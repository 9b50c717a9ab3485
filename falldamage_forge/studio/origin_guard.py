"""Origin check: only the studio's own page on this machine may send requests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def is_allowed_request(headers: Iterable[tuple[bytes, bytes]], port: int, *, socket: bool) -> bool:
    """True if a request comes from the page itself, by exact host, origin and fetch site.

    Browsers always send an origin with a web socket; without one it is refused.

    Args:
        headers: Header names in lower case, and values.
        port: The server's port.
        socket: True for a web socket.
    """
    found: dict[str, list[str]] = {}
    for name, value in headers:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
    host, origin = found.get("host", []), found.get("origin", [])
    if len(host) != 1 or host[0] not in hosts or len(origin) > 1:
        return False
    if any(site not in {"same-origin", "none"} for site in found.get("sec-fetch-site", [])):
        return False
    return origin == [f"http://{host[0]}"] if origin or socket else True


def add_origin_check(app: App, port: int) -> App:
    """Return the app behind the check, with the security policy on every response.

    Args:
        app: App of the studio.
        port: Port on which it listens.
    """

    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        kind = scope["type"]
        if kind not in {"http", "websocket"}:
            await app(scope, receive, send)
            return

        async def with_headers(event: MutableMapping[str, Any]) -> None:
            if event["type"] == "http.response.start":
                said = event.get("headers", [])
                names = {name for name, _ in said}
                own = ((name.encode(), value.encode()) for name, value in HEADERS.items())
                event["headers"] = [*said, *(pair for pair in own if pair[0] not in names)]
            await send(event)

        if is_allowed_request(scope["headers"], port, socket=kind == "websocket"):
            await app(scope, receive, with_headers)
        elif kind == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await with_headers(
                {
                    "type": "http.response.start",
                    "status": 403,
                    "headers": [(b"content-type", b"text/plain")],
                }
            )
            await send({"type": "http.response.body", "body": b"this is not your page\n"})

    return inner
