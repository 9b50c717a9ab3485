"""A headless Chromium on a pair of pipes: no port, no driver, no profile that stays behind."""

import base64
import copy
import itertools
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

BINARY = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync "
    "--disable-dev-shm-usage --remote-debugging-pipe --force-device-scale-factor=1"
).split()
WEBGL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
NO_WEBGL = ("--disable-3d-apis",)
PATIENCE_S = 180
ON_3_AND_4 = 'exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null'
"""The browser reads commands on 3 and writes answers on 4."""
STATE = "`${location} ${document.readyState} ${document.body?.innerText.slice(0, 400)}`"
"""What a page that never came shows instead."""


class Chromium:
    """One browser with one page. `seen` keeps every event of the page."""

    def __init__(self, profile: Path, *flags: str) -> None:
        assert BINARY is not None
        words = [BINARY, *FLAGS, *flags, f"--user-data-dir={profile}", "about:blank"]
        # A shell sets the pipes: Python between fork and exec can block for ever beside threads.
        self._process = subprocess.Popen(
            ["sh", "-c", ON_3_AND_4, *words],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._out, self._in = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._buffer = bytearray()
        self._numbers = itertools.count(1)
        self.seen: list[dict[str, Any]] = []
        self._session: str | None = None
        targets = self.ask("Target.getTargets")["targetInfos"]
        self._attach(next(target for target in targets if target["type"] == "page"))

    def _attach(self, target: dict[str, Any]) -> None:
        self._target = target["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=self._target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def tab(self) -> "Chromium":
        """Another page of the same browser; what is seen is seen of all."""
        other = copy.copy(self)
        other._session = None
        other._attach(other.ask("Target.createTarget", url="about:blank"))
        return other

    def crash(self) -> None:
        """End the page as a crash does: nothing of it runs any more. It cannot be used again."""
        session, self._session = self._session, None
        self.ask("Target.closeTarget", targetId=self._target)
        self._session = session

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        deadline = time.monotonic() + PATIENCE_S
        self._send(json.dumps(message).encode() + b"\0", deadline)
        while (answer := self._next(deadline)).get("id") != number:
            pass
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def _send(self, data: bytes, deadline: float) -> None:
        """Write in parts that a pipe takes at once when it takes anything."""
        while data:
            self._ready([], [self._out], deadline)
            data = data[os.write(self._out, data[: select.PIPE_BUF]) :]

    def _ready(self, read: list[int], write: list[int], deadline: float) -> None:
        """Wait for a pipe; a browser that is silent until the deadline is ended for good.

        Whatever is asked of it then fails at once, not each time after a wait of its own.
        """
        left = max(0.0, deadline - time.monotonic())
        if not left or not any(select.select(read, write, [], left)):
            self._process.kill()
            raise TimeoutError("the browser is silent")

    def _next(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            self._ready([self._in], [], deadline)
            data = os.read(self._in, 1 << 16)
            if not data:
                raise EOFError("the browser is gone")
            self._buffer += data
        line, _, rest = bytes(self._buffer).partition(b"\0")
        self._buffer[:] = rest
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self.seen.append(message)
        return message

    def holds(self, script: str) -> bool:
        """True if an expression is truthy; a page that is being replaced holds nothing yet."""
        try:
            return bool(self.run(f"!!({script})"))
        except AssertionError as error:
            if "navigated" in str(error):
                return False
            raise

    def run(self, script: str) -> Any:
        answer = self.ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def open(self, url: str, ready: str) -> None:
        """Go to a page and wait until a script says true."""
        self.ask("Page.navigate", url=url)
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            if self.holds(f"document.readyState === 'complete' && ({ready})"):
                return
            time.sleep(0.05)
        state = self.run(STATE)
        raise TimeoutError(f"not {ready} after {PATIENCE_S} s: {state} {self.complaints()}")

    def key(self, key: str, code: int, typed: str = "") -> None:
        """Press and release a key; buttons and fields take what it types."""
        word = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **word, text=typed)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **word)

    def screenshot(self, *, whole: bool = False) -> bytes:
        answer = self.ask("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(answer["data"])

    def narrow(self, width: int, height: int) -> None:
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def complaints(self) -> list[str]:
        """Errors and warnings of the page's console and log, and uncaught exceptions."""
        found = []
        for event in self.seen:
            method, params = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                found.append(str(params["exceptionDetails"]))
            elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
                found.append(" ".join((params["entry"]["text"], params["entry"].get("url", ""))))
            elif method == "Runtime.consoleAPICalled" and params["type"] in {"error", "assert"}:
                found.append(str(params["args"]))
        return found

    def requests(self) -> list[str]:
        """Addresses the page asked for, beyond its own file and data inside it."""
        urls = [
            event["params"]["request"]["url"]
            for event in self.seen
            if event["method"] == "Network.requestWillBeSent"
        ]
        return [url for url in urls if not url.startswith(("file:", "data:", "blob:", "about:"))]

    def close(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(15)
        self._process.stdout.close()
