"""The session that all pages of one studio share, and who is told what."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any

from falldamage_forge.studio import journal
from falldamage_forge.studio import session as stages
from falldamage_forge.studio.answers import CHANGES, QUESTIONS, answer, greeting, settings_told
from falldamage_forge.studio.file import MapFile
from falldamage_forge.studio.keeper import Keeper, Kept
from falldamage_forge.studio.meshes import Meshes
from falldamage_forge.studio.outbox import Outbox
from falldamage_forge.studio.parts import parts
from falldamage_forge.studio.protocol import message
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.slow import Slow
from falldamage_forge.visible import one_line, visible_in

Said = dict[str, Any]
WATCH_S = 1.0
"""How often the file is looked at."""
MEANING = frozenset({*stages.STAGES, "parts"})
"""Messages that tell what a text means."""
LEFT = "Changes of this file that were never saved are kept: see the gallery."
MOST_NAMES = 1000
"""Pages whose last number is remembered; the oldest are forgotten."""
FOLLOW = "follow"
"""The name of the one task that tells what an edit means."""


class Desk:
    """One map on the desk. `file` is None for one that is kept as a draft only."""

    def __init__(self, session: Session, file: MapFile | None, *, blank: bool = False) -> None:
        """`blank` tells that nobody has said which map; a page then shows those there are."""
        self.session, self.blank = session, blank
        self.keeper = Keeper(file)
        self.pages: set[Outbox] = set()
        self.meshes = Meshes()
        self.slow = Slow(lambda: self.session, self._tell_all)
        self.life = secrets.token_hex(8)
        """Tells this run of the studio from others: revisions are counted from its beginning."""
        self.outside = 0
        """The last revision that took in what another hand has written."""
        self._heard: dict[str, tuple[int, bool]] = {}
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._asked: dict[tuple[Outbox, str], Said] = {}
        self._meant: dict[str, Said] = {}

    # -- telling -----------------------------------------------------------------------------

    def tell(self, told: Said) -> None:
        """A message to every page; what it tells of the present text is kept for later ones."""
        if told["type"] in MEANING and told["revision"] == self.session.revision:
            self._meant[told["type"]] = told
        for page in tuple(self.pages):
            page.put({**told, **self._dealt(page)} if told["type"] == "state" else told)

    def _dealt(self, page: Outbox) -> Said:
        """The number of a page's last change that was dealt with, and whether it came too late."""
        number, stale = self._heard.get(page.name, (0, False))
        return {"heard": number, "stale": stale}

    def _deal(self, page: Outbox, number: int, stale: bool = False) -> None:
        self._heard.pop(page.name, None)
        self._heard[page.name] = number, stale
        if len(self._heard) > MOST_NAMES:
            del self._heard[next(iter(self._heard))]

    async def _tell_all(self, told: Said) -> None:
        self.tell(told)

    def state(self) -> Said:
        """Text and history, and where they are kept."""
        file = self.keeper.file
        return {
            **self.session.state(),
            "life": self.life,
            "file": one_line(file.name) if file else None,
            "home": self.keeper.home,
            "saved": self.keeper.saved,
            "kept": self.keeper.kept,
            "outside": self.outside,
            "why": visible_in(self.keeper.why),
            "blank": self.blank and not self.session.revision,
        }

    async def greet(self, page: Outbox) -> None:
        """All that a page must know first."""
        page.put(greeting())
        page.put(await asyncio.to_thread(self._drafts))
        page.put({**self.state(), **self._dealt(page)})
        if self.keeper.left and not self.session.revision:
            page.put(message("error", message=LEFT))
        if self.keeper.conflict is not None:
            page.put(message("foreign", text=self.keeper.conflict))
        page.put(settings_told(self.session))
        for told in self._meant.values():
            page.put(told)
        if "parts" not in self._meant:
            self._follow()

    def _stages(self) -> dict[str, Callable[[Session], Said]]:
        """What follows an edit at once, the soonest first."""
        return {"board": stages.board, "verdict": stages.verdict, "parts": self._parts}

    def _parts(self, session: Session) -> Said:
        return parts(session, self.meshes.addresses(session))

    def _drafts(self) -> Said:
        found = journal.drafts(but=self.keeper.draft)
        rows = [{"id": d.id, "title": d.title, "when": d.when, "lines": d.lines} for d in found]
        return message("drafts", drafts=rows)

    # -- what a page says --------------------------------------------------------------------

    async def hear(self, said: Said, page: Outbox) -> None:
        """Do what a message says; answers go to its page, changes to all."""
        kind = said["type"]
        if kind in QUESTIONS:
            self._ask(said, page)
        elif kind == "build":
            self.slow.make(said["what"])
        elif kind == "cancel":
            await self.slow.cancel()
        elif kind == "forget":
            await asyncio.to_thread(journal.forget, said["id"])
            self.tell(await asyncio.to_thread(self._drafts))
        else:
            # A page that leaves in the middle does not take its change along.
            await asyncio.shield(self._begin(self._change(said, page)))

    async def _change(self, said: Said, page: Outbox) -> None:
        """Deal with a change once, and tell its page the state that answers it, whatever came."""
        async with self._lock:
            number = said.get("number")
            if number is not None and number <= self._heard.get(page.name, (0, False))[0]:
                page.put({**self.state(), **self._dealt(page)})
                return
            if number is not None:
                self._deal(page, number)
            before = self.session.revision
            try:
                await self._changed(said, page)
            except Exception as error:
                # Whatever goes wrong with one change, the text and the next one are served.
                page.put(message("error", message=f"{type(error).__name__}: {error}"))
            if self.session.revision == before:
                page.put({**self.state(), **self._dealt(page)})

    async def _changed(self, said: Said, page: Outbox) -> None:
        if said["type"] == "foreign":
            kept = await asyncio.to_thread(self.keeper.choose, self.session, said["keep"])
            self._became(kept)
        elif said["type"] == "draft":
            after = await asyncio.to_thread(self.keeper.opened, self.session, said["id"])
            await self._become(after)
        elif said["type"] in CHANGES:
            reply = await asyncio.to_thread(answer, self.session, said)
            if reply.stale and "number" in said:
                self._deal(page, said["number"], stale=True)
            if reply.against is not None:
                self.keeper.clash(reply.against)
            for told in reply.told:
                page.put(told)
            await self._become(reply.session)

    def _ask(self, said: Said, page: Outbox) -> None:
        """Answer when there is time; of questions of one kind the newest."""
        slot = (page, said["type"])
        waiting = slot in self._asked
        self._asked[slot] = said
        if not waiting:
            self._begin(self._answer(slot))

    async def _answer(self, slot: tuple[Outbox, str]) -> None:
        said: Said | None = None
        try:
            while self._asked[slot] is not said:
                said = self._asked[slot]
                for told in (await asyncio.to_thread(answer, self.session, said)).told:
                    slot[0].put(told)
        finally:
            del self._asked[slot]

    # -- what follows ------------------------------------------------------------------------

    async def _become(self, after: Session) -> None:
        """Take over a session, keep its text, tell it."""
        before = self.session
        if after.revision == before.revision:
            self.session = after
            if after.settings != before.settings:
                self._meant.clear()
                self.tell(settings_told(after))
                self._follow()
            return
        kept, board = await asyncio.gather(
            asyncio.to_thread(self.keeper.keep, after), asyncio.to_thread(stages.board, after)
        )
        self._became(kept, board if kept.session is after else None)

    def _became(self, kept: Kept, board: Said | None = None) -> None:
        """Tell what came of keeping, and its `board` if that is known; what else it means follows.

        A hand sees the board at once, while older work may still be coming to its end.
        """
        before, self.session = self.session, kept.session
        if kept.came:
            self.outside = self.session.revision
        if before is not kept.session:
            self._meant.clear()
        self.tell(self.state())
        if kept.came:
            self.tell(message("foreign", text=None, merged=kept.came == "both"))
        if kept.foreign is not None:
            self.tell(message("foreign", text=kept.foreign))
        if before is not kept.session:
            if board is not None:
                self.tell(board)
            self.slow.wait()
            self._follow()

    def _follow(self) -> None:
        """Tell what the newest session means; whatever was on its way for an older one ends."""
        if not any(task.get_name() == FOLLOW and not task.done() for task in self._tasks):
            self._begin(self._follow_on(), FOLLOW)

    async def _follow_on(self) -> None:
        told: Session | None = None
        while told is not self.session:
            session = self.session
            for name, stage in self._stages().items():
                if name in self._meant:
                    continue
                found = await asyncio.to_thread(stage, session)
                if session is not self.session:
                    break
                self.tell(found)
            else:
                told = session
        self.slow.later()

    async def watch(self) -> None:
        """Look at the file for as long as the studio runs; what was saved here is no change."""
        while self.keeper.file is not None:
            await asyncio.sleep(WATCH_S)
            async with self._lock:
                before = (self.session, self.keeper.saved, self.keeper.why)
                kept = await asyncio.to_thread(self.keeper.look, self.session)
                if (kept.session, self.keeper.saved, self.keeper.why) != before:
                    self._became(kept)

    def _begin(self, work: Any, name: str = "") -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=name or None)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def close(self) -> None:
        """End what is under way."""
        for task in tuple(self._tasks):
            task.cancel()
        self.slow.close()
        self.meshes.close()
