"""The server: who is let in, what is sent where, and the one file under it."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from falldamage_forge.studio.map_file import MapFile
from falldamage_forge.studio.origin_guard import is_allowed_request
from falldamage_forge.studio.send_queue import MOST, RateLimiter, SendQueue
from falldamage_forge.studio.server import listen, page_files
from tests.cli.running import ROOT
from tests.patience import SILENCE_S, at_most
from tests.studio.telling import fits

TEXT = "forge 1\nboard 5x5\nstack C3 height 1\n"


class Studio:
    """A running studio on a file of its own, or on a preset."""

    def __init__(self, folder: Path, *preset: str) -> None:
        self.file = folder / "mine.forge"
        self.file.write_text(TEXT, "utf-8")
        self._opens = preset or (str(self.file),)
        self._drafts = str(folder / "drafts")
        self.begin()

    def begin(self, *more: str) -> None:
        """Start it, again if need be; the file is as it is."""
        words = [sys.executable, "-m", "falldamage_forge", "studio", *self._opens, "--no-browser"]
        words += more
        env = {**os.environ, "PYTHONPATH": str(ROOT), "FDFORGE_DRAFTS_DIR": self._drafts}
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=env)
        assert self._process.stdout
        with at_most(SILENCE_S, self._process.kill):
            self.url = self._process.stdout.readline().strip()
        base, _, self.token = self.url.partition("/#token=")
        self.host = base.removeprefix("http://")
        self.port = int(self.host.rpartition(":")[2])

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str]]:
        line = HTTPConnection("127.0.0.1", self.port, timeout=60)
        line.request("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})
        answer = line.getresponse()
        answer.read()
        line.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}

    def post(self, path: str, data: bytes, **headers: str) -> tuple[int, bytes]:
        line = HTTPConnection("127.0.0.1", self.port, timeout=120)
        named = {k.replace("_", "-"): v for k, v in headers.items()}
        line.request("POST", path, data, named)
        answer = line.getresponse()
        body = answer.read()
        line.close()
        return answer.status, body

    def line(self, **changes: str) -> ClientConnection:
        origin = changes.get("origin", f"http://{self.host}")
        return connect(
            f"ws://{self.host}/live",
            origin=origin or None,  # type: ignore[arg-type]
            open_timeout=60,
            close_timeout=1,
            ping_interval=None,
            max_queue=None,
        )

    def forget_address(self) -> None:
        """The next start has another token."""
        for path in Path(self._drafts).glob("*.address"):
            path.unlink()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(30)

    def close(self) -> None:
        self._process.terminate()
        with at_most(30, self._process.kill):
            self._process.wait()


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    found = Studio(tmp_path_factory.mktemp("studio"))
    yield found
    found.close()


def test_the_address_is_told_whole_on_one_line(studio: Studio) -> None:
    assert studio.host.startswith("127.0.0.1:")
    assert len(studio.token) >= 32
    status, headers = studio.get("/")
    assert status == 200
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]


def test_no_message_waits_for_the_receipt_of_another() -> None:
    """Nagle's algorithm held the board for 40 ms behind the word that a gesture was made."""
    with listen(0) as door, socket.create_connection(door.getsockname()):
        line, _ = door.accept()
        with line:
            assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_it_listens_on_loopback_only(studio: Studio) -> None:
    own = socket.gethostbyname(socket.gethostname())
    if own.startswith("127."):
        pytest.skip("this machine has no other address")
    with pytest.raises(OSError, match="refused"), socket.create_connection((own, studio.port), 5):
        pass


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.test"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1.evil.test:80"},
        {"Origin": "http://evil.test"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_strangers_get_nothing(studio: Studio, headers: dict[str, str]) -> None:
    assert studio.get("/", **headers)[0] == 403


@pytest.mark.parametrize(
    "path",
    ["/../pyproject.toml", "/%2e%2e/server.py", "//etc/passwd", "/mine.forge", "/made/zip/x"],
)
def test_no_path_reaches_the_disk(studio: Studio, path: str) -> None:
    assert studio.get(path)[0] == 404


@pytest.mark.parametrize(
    ("path", "media"),
    [("/maps/duel.svg", "image/svg+xml"), ("/maps/duel.json", "application/json")],
)
def test_preset_maps_are_shown_and_no_others(studio: Studio, path: str, media: str) -> None:
    status, headers = studio.get(path)
    assert (status, headers["content-type"].partition(";")[0]) == (200, media)
    for other in ("a1-mini", "mine", "no-such", "..%2fduel"):
        assert studio.get(path.replace("duel", other))[0] == 404
    for other in ("a1-mini", "no-such"):
        assert studio.get(f"/figures/{other}.json")[0] == 404


def test_mesh_that_was_not_announced_is_none(studio: Studio) -> None:
    assert studio.get("/mesh/0123456789abcdef")[0] == 404
    assert studio.post("/model/x.stl", b"", X_Studio_Token="guess")[0] == 403


def test_the_zip_wants_the_token(studio: Studio) -> None:
    assert studio.get("/made/zip")[0] == 403
    assert studio.get("/made/zip", X_Studio_Token="guess")[0] == 403
    assert studio.get("/made/zip", X_Studio_Token=studio.token)[0] == 404


@pytest.mark.parametrize("origin", ["http://evil.test", "", "https://127.0.0.1"])
def test_sockets_of_other_pages_are_refused(studio: Studio, origin: str) -> None:
    with pytest.raises(InvalidStatus):
        studio.line(origin=origin)


@pytest.mark.parametrize(
    "hello",
    [
        '{"v": 1, "type": "hello", "token": ""}',
        '{"v": 1, "type": "hello", "token": "guess"}',
        '{"v": 1, "type": "undo"}',
        "hello",
    ],
)
def test_without_the_token_nothing_is_told(studio: Studio, hello: str) -> None:
    with studio.line() as line:
        line.send(hello)
        assert '"error"' in line.recv(60)
        with pytest.raises(ConnectionClosed):
            line.recv(60)


names = st.sampled_from(["host", "origin", "sec-fetch-site", "Host", "x"])
values = st.sampled_from(["127.0.0.1:80", "localhost:80", "http://127.0.0.1:80", "evil", "none"])


@given(st.lists(st.tuples(names, values), max_size=5), st.booleans())
def test_whoever_is_welcome_names_this_host(pairs: list[tuple[str, str]], ws: bool) -> None:
    headers = [(name.encode(), value.encode()) for name, value in pairs]
    if is_allowed_request(headers, 80, socket=ws):
        hosts = [value for name, value in pairs if name.lower() == "host"]
        assert hosts in (["127.0.0.1:80"], ["localhost:80"])
        origins = [value for name, value in pairs if name == "origin"]
        assert origins == [f"http://{hosts[0]}"] or (not ws and not origins)


def test_a_file_tells_what_another_hand_wrote(tmp_path: Path) -> None:
    path = tmp_path / "mine.forge"
    path.write_text(TEXT, "utf-8")
    file = MapFile(path)
    assert file.foreign() is None
    file.save(TEXT + "# mine\n")
    assert path.read_text("utf-8") == TEXT + "# mine\n"
    assert file.foreign() is None
    path.write_text("forge 1\n", "utf-8")
    assert file.foreign() == "forge 1\n"


def test_the_page_loads_nothing_from_elsewhere() -> None:
    for data, _ in page_files().values():
        assert b"https://" not in data
        assert b"innerHTML" not in data


def told(line: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    deadline = time.monotonic() + 60
    while True:
        said: dict[str, Any] = fits(line.recv(deadline - time.monotonic()))
        if said["type"] == kind:
            return said


@contextmanager
def greeted(studio: Studio) -> Iterator[tuple[ClientConnection, dict[str, Any]]]:
    with studio.line() as line:
        line.send(json.dumps({"v": 1, "type": "hello", "token": studio.token}))
        yield line, told(line, "state")


def test_two_pages_have_one_map_and_nothing_of_either_is_overwritten(studio: Studio) -> None:
    with greeted(studio) as (one, state), greeted(studio) as (other, _):
        text = state["text"] + "# one\n"
        said = {"v": 1, "type": "type", "text": text, "revision": state["revision"]}
        one.send(json.dumps(said))
        assert told(other, "state")["text"] == text
        other.send(json.dumps({**said, "text": state["text"] + "# other\n"}))
        assert told(other, "state")["text"] == text
        assert studio.file.read_text("utf-8") == text


def test_a_message_too_long_closes_the_line_and_leaves_the_studio(studio: Studio) -> None:
    with greeted(studio) as (line, state):
        text = "x" * 1_500_000
        said = {"v": 1, "type": "type", "text": text, "revision": state["revision"]}
        line.send(json.dumps(said))
        assert "longer" in told(line, "error")["message"]
        line.send("x" * 5_000_000)
        with pytest.raises(ConnectionClosed):
            told(line, "nothing")
    with greeted(studio) as (_, state):
        assert text not in state["text"]


def test_who_speaks_too_fast_is_shut_out(studio: Studio) -> None:
    def chatter(line: ClientConnection) -> None:
        for _ in range(500):
            line.send('{"v": 1, "type": "cancel"}')
        told(line, "nothing")

    with greeted(studio) as (line, _), pytest.raises(ConnectionClosed):
        chatter(line)


def test_a_restart_has_the_same_address_and_another_map_has_another(tmp_path: Path) -> None:
    studio = Studio(tmp_path)
    before = studio.url
    studio.kill()
    studio.begin()
    assert studio.url == before
    with greeted(studio) as (_, state):
        assert state["revision"] == 0
    beside = Studio(tmp_path, "duel")
    assert (beside.port, beside.token) != (studio.port, studio.token)
    assert beside.token != studio.token
    second = Studio(tmp_path)  # while the first still listens
    assert second.port != studio.port
    assert second.token != studio.token
    for one in (studio, beside, second):
        one.close()


def test_a_kill_loses_nothing(tmp_path: Path) -> None:
    studio = Studio(tmp_path)
    with greeted(studio) as (line, state):
        words = {"words": "raise C3", "copies": "ask", "brush": True}
        said = {"v": 1, "type": "gesture", "revision": state["revision"], **words}
        line.send(json.dumps(said))
        raised = told(line, "state")["text"]
        studio.kill()
    assert raised == TEXT.replace("height 1", "height 2")
    assert studio.file.read_text("utf-8") == raised
    assert not list(tmp_path.glob("drafts/*.forge"))
    assert {path.name for path in tmp_path.iterdir()} == {"mine.forge", "drafts"}


def test_a_kill_loses_nothing_of_a_map_that_has_no_file(tmp_path: Path) -> None:
    studio = Studio(tmp_path, "duel")
    with greeted(studio) as (line, state):
        text = state["text"] + "# mine\n"
        said = {"v": 1, "type": "type", "revision": state["revision"], "text": text}
        line.send(json.dumps(said))
        assert told(line, "state")["text"] == text
        studio.kill()
    again = Studio(tmp_path, "duel")
    with again.line() as line:
        line.send(json.dumps({"v": 1, "type": "hello", "token": again.token}))
        (draft,) = told(line, "drafts")["drafts"]
        assert told(line, "state")["text"] != text
        line.send(json.dumps({"v": 1, "type": "draft", "id": draft["id"]}))
        assert told(line, "state")["text"] == text
        line.send(json.dumps({"v": 1, "type": "undo"}))
        assert told(line, "state")["text"] == text.removesuffix("# mine\n")
    again.close()


def test_fifty_pages_see_one_map(studio: Studio) -> None:
    with ExitStack() as stack:
        lines = [stack.enter_context(greeted(studio)) for _ in range(50)]
        state = lines[0][1]
        for number, (line, _) in enumerate(lines[:5]):
            text = state["text"] + f"# page {number}\n"
            said = {"v": 1, "type": "type", "text": text, "revision": state["revision"]}
            line.send(json.dumps(said))
            # The other pages have not read a word since they were greeted.
            state = told(line, "state")
            while state["text"] != text:
                state = told(line, "state")
        for line, _ in [*lines[:4], *lines[5:]]:
            while told(line, "state")["text"] != state["text"]:
                pass
        assert studio.file.read_text("utf-8") == state["text"]


def test_a_page_that_does_not_read_is_given_up_and_holds_nobody_up() -> None:
    async def stuck(_: dict[str, Any]) -> None:
        await asyncio.Event().wait()

    async def read(told: dict[str, Any]) -> None:
        heard.append(told)

    async def talk() -> None:
        deaf, other = SendQueue(stuck), SendQueue(read)
        tasks = [asyncio.create_task(box.run()) for box in (deaf, other)]
        for number in range(MOST + 2):
            deaf.put({"number": number})
            other.put({"number": number})
            await asyncio.sleep(0)
        assert deaf.full.is_set()
        assert not other.full.is_set()
        for task in tasks:
            task.cancel()

    heard: list[dict[str, Any]] = []
    asyncio.run(talk())
    assert [told["number"] for told in heard] == list(range(len(heard)))
    assert len(heard) >= MOST


def test_of_many_edits_the_last_is_what_is_told_of(studio: Studio) -> None:
    """Boards of texts that are no more are not worked out for everybody."""
    with greeted(studio) as (line, state):
        revision = state["revision"]
        for number in range(12):
            text = TEXT + f"stack A1 height {1 + number % 3}\n" + f"# {number}\n"
            line.send(json.dumps({"v": 1, "type": "type", "text": text, "revision": revision}))
            revision = told(line, "state")["revision"]
        boards = 0
        while (board := told(line, "verdict"))["revision"] != revision:
            boards += 1
        assert board["revision"] == revision
        assert boards < 12
        line.send(json.dumps({"v": 1, "type": "type", "text": TEXT, "revision": revision}))
        told(line, "verdict")


@pytest.mark.parametrize("most", [1, 5])
def test_rate_limit_allows_a_burst_and_then_as_many_a_second(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    limit = RateLimiter(most)
    for wait in (0.0, 1.0, 3600.0):
        now += wait
        assert [limit.allow() for _ in range(most + 2)] == [True] * most + [False] * 2
    now += 1.01 / most
    assert [limit.allow(), limit.allow()] == [True, False], "one is refilled"
    now += 0.4 / most
    assert not limit.allow()
    now += 0.7 / most
    assert limit.allow(), "waiting adds up"
