"""Any hands on any pages, in any order, over lines that break: nothing that was typed is lost.

The page's own synchronisation runs in Node, the studio's desk here; in between the test delivers,
drops and delays. What is typed are signs of which there is one each, so that a sign that is lost
or doubled is seen.
"""

import asyncio
import json
import shutil
import subprocess
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import falldamage_forge as ff
from falldamage_forge.presets import load_text
from falldamage_forge.studio import draft_files
from falldamage_forge.studio.map_file import MapFile
from falldamage_forge.studio.protocol import read_message
from falldamage_forge.studio.send_queue import SendQueue
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.session_hub import SessionHub
from tests.amount import EXHAUSTIVE
from tests.cli.running import ROOT, run
from tests.patience import SILENCE_S, at_most
from tests.studio.telling import fits

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="no Node")
EXAMPLES = 1500 if EXHAUSTIVE else 30
TEXT = "".join(f"# line {number}\n" for number in range(8))
FIRST = 0x4E00
PAGES = 3


class Node:
    """A process with pages in it."""

    def __init__(self) -> None:
        page = (ROOT / "falldamage_forge/studio/page/sync.js").as_uri()
        self._process = subprocess.Popen(
            [str(NODE), str(Path(__file__).with_name("pages.mjs")), page],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def do(self, *words: Any) -> dict[str, Any]:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def lives(self, life: Coroutine[Any, Any, None]) -> None:
        """A world with these pages to its end; one that never comes to rest loses them."""
        with at_most(SILENCE_S, self._process.kill):
            asyncio.run(life)

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        with at_most(30, self._process.kill):
            self._process.wait()


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    found = Node()
    yield found
    found.close()


@pytest.fixture(autouse=True)
def drafts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(draft_files.FOLDER, str(tmp_path / "drafts"))
    # What a text means is told to nobody here.
    monkeypatch.setattr(SessionHub, "_start_stages", lambda _: None)
    told = {"v": 1, "type": "presets", "names": [], "usage": [], "players": []}
    monkeypatch.setattr("falldamage_forge.studio.session_hub.stages.board", lambda _: told)


class Line(SendQueue):
    """The line to one page; what is under way lies in two lists until it is delivered."""

    def __init__(self, name: str) -> None:
        async def nowhere(_: Any) -> None: ...

        super().__init__(nowhere, name)
        self.up: list[dict[str, Any]] = []
        self.down: list[dict[str, Any]] = []

    def put(self, told: dict[str, Any]) -> None:
        self.down.append(told)


class World:
    """A studio, its file and some pages."""

    def __init__(self, node: Node, path: Path, text: str = TEXT) -> None:
        self.node, self.path = node, path
        path.write_text(text, "utf-8")
        draft_files.delete_draft(draft_files.id_for(path))
        self.signs = self.raised = 0
        self.filed = True
        self.gone: set[str] = set()
        self.words = [""] * PAGES
        self.lines = [Line(f"page {number}") for number in range(PAGES)]
        self.stands: list[dict[str, Any]] = [{}] * PAGES

    async def begin(self) -> None:
        file = MapFile(self.path) if self.filed else None
        self.desk = SessionHub(Session(file.text if file else TEXT), file)
        for line in self.lines:
            await self.link(line)

    async def link(self, line: Line) -> None:
        line.up, line.down = [], []
        self.desk.pages.add(line)
        await self.desk.on_connect(line)

    def do(self, page: int, *words: Any) -> None:
        stands = self.node.do(page, *words)
        self.stands[page] = stands
        self.lines[page].up += stands["said"]
        assert stands["field"] == stands["text"]

    def sign(self) -> str:
        self.signs += 1
        return chr(FIRST + self.signs)

    async def up(self, page: int) -> None:
        line = self.lines[page]
        if line.up:
            said = line.up.pop(0)
            fits(said, "said")
            await self.desk.on_message(read_message(json.dumps(said)), line)

    def down(self, page: int) -> None:
        line = self.lines[page]
        if line.down:
            self.do(page, "told", fits(line.down.pop(0)))

    async def breaks(self, page: int) -> None:
        self.desk.pages.discard(self.lines[page])
        self.do(page, "broke")
        self.do(page, "back")
        await self.link(self.lines[page])

    async def look(self) -> None:
        kept = await asyncio.to_thread(self.desk.keeper.poll_file, self.desk.session)
        if kept.session is not self.desk.session:
            self.desk._on_session_replaced(kept)

    async def killed(self) -> None:
        """The studio is gone from one moment to the next, and begins anew."""
        for page in range(PAGES):
            self.do(page, "broke")
            self.do(page, "back")
        self.desk.close()
        self.lines = [Line(line.name) for line in self.lines]
        await self.begin()

    async def settle(self) -> None:
        """All hands rest, all lines hold."""
        for _ in range(400):
            await self.look()
            for page in range(PAGES):
                self.do(page, "rest")
                while self.lines[page].up:
                    await self.up(page)
                while self.lines[page].down:
                    self.down(page)
            quiet = all(one["idle"] for one in self.stands)
            if quiet and not any(line.down or line.up for line in self.lines):
                return
        raise AssertionError(f"the pages never come to rest: {self.stands}")

    async def run(self, steps: list[tuple[str, int, int]]) -> None:
        for page in range(PAGES):
            self.do(page, "open")
        await self.begin()
        for page in range(PAGES):
            while self.lines[page].down:
                self.down(page)
        for what, page, at in steps:
            if what in {"type", "goon"}:
                self.words[page] += (sign := self.sign())
                self.do(page, what, *((at, 0) if what == "type" else ()), sign)
            elif what == "take":
                before = self.stands[page]["field"]
                self.do(page, "type", at, 1 + at % 7, "")
                self.gone |= set(before) - set(self.stands[page]["field"])
            elif what == "rest":
                self.do(page, "rest")
            elif what == "up":
                await self.up(page)
            elif what == "down":
                self.down(page)
            elif what == "break":
                await self.breaks(page)
            elif what == "kill":
                await self.killed()
            elif what == "outside":
                rows = self.path.read_text("utf-8").splitlines(keepends=True)
                self.gone |= set(rows[at % len(rows)])
                rows[at % len(rows)] = f"# {self.sign()}\n"
                self.path.write_text("".join(rows), "utf-8")
                await self.look()
            elif what == "raise":
                words = f"raise {'ABCDEFGHIJ'[self.raised % 10]}{self.raised // 10 + 1}"
                self.raised += 1
                said = {"words": words, "copies": "ask", "brush": False}
                self.do(page, "change", "gesture", said)
        await self.settle()
        self.desk.close()

    def agreed(self) -> str:
        """The text that studio, file and pages have in common."""
        text = self.desk.session.text
        assert [one["text"] for one in self.stands] == [text] * PAGES
        assert [one["kept"] for one in self.stands] == [None] * PAGES
        if self.filed and not self.desk.keeper.conflict:
            assert self.path.read_text("utf-8") == text
        return text

    def typed(self) -> set[str]:
        return {chr(FIRST + number) for number in range(1, self.signs + 1)}


HANDS = ("type", "goon", "goon", "rest", "up", "up", "down", "down")
PLACES = st.integers(0, len(TEXT) + 10)


def steps(*more: str) -> st.SearchStrategy[list[tuple[str, int, int]]]:
    what = st.sampled_from((*HANDS, *more))
    return st.lists(st.tuples(what, st.integers(0, PAGES - 1), PLACES), max_size=60)


def any_hands(*more: str) -> Any:
    """A test of a world after any steps."""
    quiet = settings(
        max_examples=EXAMPLES,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    return lambda test: quiet(given(steps(*more))(test))


def lived(
    node: Node,
    path: Path,
    done: list[tuple[str, int, int]],
    text: str = TEXT,
    filed: bool = True,
) -> World:
    shutil.rmtree(path / "drafts", ignore_errors=True)
    world = World(node, path / "mine.forge", text)
    world.filed = filed
    node.lives(world.run(done))
    return world


def test_changes_made_in_either_order_give_one_text_with_all_that_was_put_in() -> None:
    page = (ROOT / "falldamage_forge/studio/page/changes.js").as_uri()
    count = "200000" if EXHAUSTIVE else "3000"
    words = [str(NODE), str(Path(__file__).with_name("changes.mjs")), page, count]
    done = run(words)
    assert (done.stdout, done.stderr) == (f"{count}\n", "")


@any_hands("break")
def test_each_sign_is_there_once_after_any_interleaving(
    node: Node, tmp_path: Path, done: list[tuple[str, int, int]]
) -> None:
    world = lived(node, tmp_path, done)
    text = world.agreed()
    assert {sign: text.count(sign) for sign in world.typed()} == dict.fromkeys(world.typed(), 1)
    assert "".join(sign for sign in text if ord(sign) < FIRST) == TEXT


@any_hands("goon", "break")
def test_who_types_on_at_one_place_is_not_torn_apart(
    node: Node, tmp_path: Path, done: list[tuple[str, int, int]]
) -> None:
    """Also where all begin at the same place."""
    begins = [("type", page, 9) for page in range(PAGES)]
    world = lived(node, tmp_path, begins + [step for step in done if step[0] != "type"])
    text = world.agreed()
    for word in world.words:
        assert word in text


def drafts_of(folder: Path) -> list[str]:
    return [path.read_text("utf-8") for path in (folder / "drafts").glob("*.forge")]


@example(
    done=[
        *(("type", page, 0) for page in range(3)),
        *(("kill", 0, 0), ("down", 2, 0), ("down", 2, 0), ("down", 2, 0), ("up", 2, 0)),
        ("kill", 0, 0),
    ]
)
@any_hands("kill", "break")
def test_kills_lose_and_double_nothing(
    node: Node, tmp_path: Path, done: list[tuple[str, int, int]]
) -> None:
    """What pages wrote into one line round a kill is asked about, or offered as a draft."""
    world = lived(node, tmp_path, done)
    text = world.agreed()
    others = [world.desk.keeper.conflict or "", *drafts_of(tmp_path)]
    assert world.typed() <= set(text).union(*others)
    assert all(text.count(sign) <= 1 for sign in world.typed())


@any_hands("kill", "break")
def test_a_map_without_a_file_goes_on_in_the_next_run(
    node: Node, tmp_path: Path, done: list[tuple[str, int, int]]
) -> None:
    """The next run begins with the map as it comes along; the open pages have theirs."""
    world = lived(node, tmp_path, done, filed=False)
    text = world.agreed()
    assert {sign: text.count(sign) for sign in world.typed()} == dict.fromkeys(world.typed(), 1)


@any_hands("raise", "raise", "break")
def test_every_gesture_is_done_once_however_much_is_typed_before_it(
    node: Node, tmp_path: Path, done: list[tuple[str, int, int]]
) -> None:
    # Hands type within the first line, a note.
    done = [(what, page, 2 + at % 40) for what, page, at in done if what != "goon"]
    world = lived(node, tmp_path, done, f"# {'x' * 60}\nforge 1\nboard 10x10\n")
    text = world.agreed()
    assert sorted(column.level for column in ff.loads(text).board.columns) == (
        [0] * (100 - world.raised) + [1] * world.raised
    )
    assert {sign: text.count(sign) for sign in world.typed()} == dict.fromkeys(world.typed(), 1)


@any_hands("take", "take", "break")
def test_what_one_hand_takes_out_takes_nothing_of_anothers_along(
    node: Node, tmp_path: Path, done: list[tuple[str, int, int]]
) -> None:
    world = lived(node, tmp_path, done)
    text = world.agreed()
    assert world.typed() - set(text) <= world.gone
    assert all(text.count(sign) <= 1 for sign in world.typed())


@any_hands("outside", "break")
def test_what_another_program_saves_stays_and_what_is_typed_too(
    node: Node, tmp_path: Path, done: list[tuple[str, int, int]]
) -> None:
    world = lived(node, tmp_path, done)
    text = world.agreed()
    session, keeper = world.desk.session, world.desk.keeper
    disk = world.path.read_text("utf-8") + (keeper.conflict or "")
    assert world.typed() <= set("".join([text, disk, *(step.text for step in session.past)]))
    assert all(text.count(sign) <= 1 for sign in world.typed())


@any_hands("kill", "outside", "break")
def test_kills_among_saves_of_another_program_lose_nothing(
    node: Node, tmp_path: Path, done: list[tuple[str, int, int]]
) -> None:
    """But what that program knew of and replaced: undo of before does not outlive a kill."""
    world = lived(node, tmp_path, done)
    text = world.agreed()
    session, keeper = world.desk.session, world.desk.keeper
    found = [text, world.path.read_text("utf-8"), keeper.conflict or ""]
    found += [step.text for step in session.past]
    found += [one["text"] for stands in world.stands for one in stands["apart"]]
    found += [draft_files.read_draft(draft.id) or "" for draft in draft_files.drafts()]
    assert world.typed() - world.gone <= set("".join(found))
    assert all(text.count(sign) <= 1 for sign in world.typed())


def test_a_page_that_comes_back_to_another_map_mixes_nothing(node: Node, tmp_path: Path) -> None:
    world = World(node, tmp_path / "mine.forge")
    world.filed = False

    async def talk() -> None:
        await world.run([("type", 0, 9)])
        world.do(0, "broke")
        world.do(0, "goon", world.sign())
        await world.killed()
        while world.lines[1].down:
            world.down(1)
        world.do(1, "change", "preset", {"name": "duel"})
        while world.lines[1].up:
            await world.up(1)
        await world.settle()
        world.desk.close()

    node.lives(talk())
    assert world.desk.session.text == load_text("maps", "duel.forge")
    assert [one["text"] for one in world.stands] == [world.desk.session.text] * PAGES
    (apart,) = world.stands[0]["apart"]
    assert world.typed() <= set(apart["text"])
