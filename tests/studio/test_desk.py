"""The desk: a hand sees what it did while older work is still coming to its end."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from falldamage_forge.studio import draft_files
from falldamage_forge.studio.message_handlers import QUESTIONS
from falldamage_forge.studio.protocol import FIELDS
from falldamage_forge.studio.send_queue import SendQueue
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.session_hub import MEANING, SessionHub
from tests.studio.telling import fits

TEXT = "forge 1\nboard 5x5\nstack C3 height 1\n"
PATIENCE_S = 60


@pytest.fixture(autouse=True)
def own_drafts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(draft_files.FOLDER, str(tmp_path / "drafts"))


def test_a_board_is_told_before_older_work_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    parts = SessionHub._parts

    def slow(self: SessionHub, session: Session) -> dict[str, Any]:
        if not session.revision:
            begun.set()
            assert go_on.wait(PATIENCE_S)
        return parts(self, session)

    monkeypatch.setattr(SessionHub, "_parts", slow)
    heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def told(kind: str, revision: int) -> dict[str, Any]:
        while True:
            said = await asyncio.wait_for(heard.get(), PATIENCE_S)
            if said["type"] == kind and said["revision"] == revision:
                return said

    async def talk() -> None:
        page, desk = SendQueue(heard.put), SessionHub(Session(TEXT), None)
        reading = asyncio.create_task(page.run())
        desk.pages.add(page)
        await desk.on_connect(page)
        assert await asyncio.to_thread(begun.wait, PATIENCE_S)
        words = {"words": "raise C3", "copies": "all", "brush": False}
        await desk.on_message({"type": "gesture", "revision": 0, **words}, page)
        board = fits(await told("board", 1))
        assert board["board"]["columns"][12][0] == 2
        go_on.set()
        assert fits(await told("verdict", 1))["revision"] == 1
        assert fits(await told("parts", 1))["revision"] == 1
        reading.cancel()
        desk.close()

    asyncio.run(talk())


class Page(SendQueue):
    """A page that keeps what it is told."""

    def __init__(self, name: str = "one") -> None:
        async def nowhere(_: Any) -> None: ...

        super().__init__(nowhere, name)
        self.told: list[dict[str, Any]] = []

    def put(self, told: dict[str, Any]) -> None:
        self.told.append(told)


CHANGES_SAID: tuple[dict[str, Any], ...] = (
    {"type": "type", "text": TEXT + "# x\n", "revision": 0},
    {"type": "type", "text": TEXT + "# x\n", "revision": 9},
    {"type": "type", "text": TEXT, "revision": 0},
    {"type": "join", "base": "", "text": TEXT + "# x\n"},
    {"type": "apply", "edits": [[0, 0, "# x\n"]], "label": "x", "revision": 0},
    {"type": "apply", "edits": [[0, 0, "# x\n"]], "label": "x", "revision": 9},
    {"type": "gesture", "words": "raise C3", "copies": "all", "brush": False, "revision": 0},
    {"type": "gesture", "words": "raise C3", "copies": "all", "brush": False, "revision": 9},
    {"type": "gesture", "words": "fly C3", "copies": "all", "brush": False, "revision": 0},
    {"type": "undo"},
    {"type": "redo"},
    {"type": "go", "by": -1},
    {"type": "go", "by": -99},
    {"type": "preset", "name": "duel"},
    {"type": "preset", "name": "nothing"},
    {"type": "format"},
    {"type": "play", "do": "leave", "values": {}},
    {"type": "set", "values": {"style": "plain"}},
    {"type": "set", "values": {"style": "nothing"}},
    {"type": "foreign", "keep": "mine"},
    {"type": "draft", "id": "nothing"},
)


def test_every_change_that_the_protocol_has_is_here() -> None:
    others = {"hello", "forget", "build", "cancel", *QUESTIONS}
    assert {said["type"] for said in CHANGES_SAID} == set(FIELDS) - others


@pytest.mark.parametrize("said", CHANGES_SAID, ids=lambda said: str(said["type"]))
def test_every_change_is_answered_once_with_its_number(said: dict[str, Any]) -> None:
    async def talk() -> None:
        page, desk = Page(), SessionHub(Session(TEXT), None)
        desk.pages.add(page)
        await desk.on_message({**said, "number": 3}, page)
        states = [fits(told) for told in page.told if told["type"] == "state"]
        assert [state["heard"] for state in states][-1:] == [3]
        stale = "revision" in said and said["revision"] == 9 and said["type"] != "gesture"
        assert states[-1]["stale"] == stale
        after = desk.session
        # It comes again, over another socket of the same page: nothing is done twice.
        desk.pages.discard(page)
        again = Page()
        desk.pages.add(again)
        await desk.on_message({**said, "number": 3}, again)
        assert desk.session is after
        (state,) = (told for told in again.told if told["type"] not in MEANING)
        assert (state["type"], state["heard"]) == ("state", 3)
        desk.close()

    asyncio.run(talk())


def test_a_change_whose_page_leaves_in_the_middle_is_done() -> None:
    async def talk() -> None:
        page, desk = Page(), SessionHub(Session(TEXT), None)
        text = TEXT + "# last word\n"
        said = {"type": "type", "text": text, "revision": 0, "number": 1}
        hearing = asyncio.create_task(desk.on_message(said, page))
        await asyncio.sleep(0)
        hearing.cancel()
        await asyncio.gather(*desk._tasks)
        assert desk.session.text == text
        desk.close()

    asyncio.run(talk())


def test_a_change_that_goes_wrong_is_told_and_the_next_is_served(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def wrong(*_: Any) -> None:
        raise RuntimeError("a fault of ours")

    async def talk() -> None:
        page, desk = Page(), SessionHub(Session(TEXT), None)
        desk.pages.add(page)
        with monkeypatch.context() as patch:
            patch.setattr("falldamage_forge.studio.session_hub.handle_message", wrong)
            await desk.on_message({"type": "undo", "number": 1}, page)
        assert [told["type"] for told in page.told] == ["error", "state"]
        assert page.told[1]["heard"] == 1
        await desk.on_message({"type": "type", "text": "", "revision": 0, "number": 2}, page)
        assert desk.session.text == ""
        desk.close()

    asyncio.run(talk())
