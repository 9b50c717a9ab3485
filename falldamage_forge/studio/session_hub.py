"""Session hub: one session shared by all clients; broadcasts its changes."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from falldamage_forge.infra.visible_text import one_line, visible_in
from falldamage_forge.languages.translator import known_language
from falldamage_forge.studio import draft_files
from falldamage_forge.studio import session_stages as stages
from falldamage_forge.studio.autosave import Autosave, SaveResult
from falldamage_forge.studio.background_jobs import BackgroundJobs
from falldamage_forge.studio.change_numbers import ChangeNumbers
from falldamage_forge.studio.dropped_folder import keep_beside
from falldamage_forge.studio.map_file import MapFile
from falldamage_forge.studio.mesh_service import MeshService
from falldamage_forge.studio.message_handlers import (
    CHANGES,
    QUESTIONS,
    handle_message,
    hello_message,
    settings_message,
)
from falldamage_forge.studio.model_drop import (
    Dropped,
    ModelMeasurer,
    folder_of,
    known_model,
    with_dropped,
)
from falldamage_forge.studio.part_instances import parts
from falldamage_forge.studio.protocol import message
from falldamage_forge.studio.question_queue import QuestionQueue
from falldamage_forge.studio.send_queue import SendQueue
from falldamage_forge.studio.session import Session

Said = dict[str, Any]
WATCH_S = 1.0
"""Seconds between two looks at the file."""
MEANING = frozenset({*stages.STAGES, "parts"})
"""Types of messages that describe the present text."""
LEFT = "Changes of this file that were never saved are kept: see the gallery."
FOLLOW = "follow"
"""Name of the one task that sends the stages of an edit."""


class SessionHub:
    """One session with its clients. `file` is None for a session that is stored as a draft only."""

    def __init__(self, session: Session, file: MapFile | None, *, blank: bool = False) -> None:
        """Create the hub.

        Args:
            session: The session.
            file: Its file; None for a draft.
            blank: True if the user named no map; a page then shows the presets.
        """
        self.session, self.blank = session, blank
        self.keeper = Autosave(file)
        self.pages: set[SendQueue] = set()
        self.meshes = MeshService()
        self.measurer = ModelMeasurer()
        self.slow = BackgroundJobs(lambda: self.session, self.broadcast)
        self.life = secrets.token_hex(8)
        """Identifies this run of the studio: revisions count from its start."""
        self.outside = 0
        """The last revision that took over another program's change."""
        self._changes = ChangeNumbers()
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._questions = QuestionQueue(self._reply)
        self._meant: dict[str, Said] = {}

    def broadcast(self, told: Said) -> None:
        """Send a message to every client, and store it for later ones if it is about the text."""
        if told["type"] in MEANING and told["revision"] == self.session.revision:
            self._meant[told["type"]] = told
        for page in tuple(self.pages):
            page.put({**told, **self._changes.last(page)} if told["type"] == "state" else told)

    def state(self) -> Said:
        """Return text and history, and their place of storage, as a message."""
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

    async def on_connect(self, page: SendQueue) -> None:
        """Send a client all messages that describe the present session."""
        page.put(hello_message())
        page.put(await asyncio.to_thread(self._drafts))
        self._put_state(page)
        if self.keeper.left and not self.session.revision:
            page.put(message("error", message=LEFT))
        if self.keeper.conflict is not None:
            page.put(message("foreign", text=self.keeper.conflict))
        page.put(settings_message(self.session))
        for told in self._meant.values():
            page.put(told)
        if "parts" not in self._meant:
            self._start_stages()

    def _put_state(self, page: SendQueue) -> None:
        page.put({**self.state(), **self._changes.last(page)})

    def _stages(self) -> dict[str, Callable[[Session], Said]]:
        """Return the stages that follow an edit at once, the soonest first."""
        return {"board": stages.board, "verdict": stages.verdict, "parts": self._parts}

    def _parts(self, session: Session) -> Said:
        return parts(session, self.meshes.addresses(session))

    def _drafts(self) -> Said:
        found = draft_files.drafts(except_id=self.keeper.draft)
        return message("drafts", drafts=[asdict(draft) for draft in found])

    async def on_message(self, said: Said, page: SendQueue) -> None:
        """Handle a client message; replies go to its client, changes to all.

        Args:
            said: Message of a client.
            page: Queue of that client.
        """
        kind = said["type"]
        if kind in QUESTIONS:
            self._begin(self._questions.ask(said, page))
        elif kind == "build":
            self.slow.start_download(said["what"], known_language(page.language))
        elif kind == "cancel":
            await self.slow.cancel()
        elif kind == "forget":
            await asyncio.to_thread(draft_files.delete_draft, said["id"])
            self.broadcast(await asyncio.to_thread(self._drafts))
        else:
            # A page that leaves in the middle does not take its change along.
            await asyncio.shield(self._begin(self._change(said, page)))

    async def _change(self, said: Said, page: SendQueue) -> None:
        """Handle a change once, and send its client the state that answers it."""
        async with self._lock:
            if not self._changes.admit(page, said.get("number")):
                self._put_state(page)
                return
            before = self.session.revision
            try:
                await self._changed(said, page)
            except Exception as error:
                # Whatever goes wrong with one change, the text and the next one are served.
                page.put(message("error", message=f"{type(error).__name__}: {error}"))
            if self.session.revision == before:
                self._put_state(page)

    async def _changed(self, said: Said, page: SendQueue) -> None:
        if said["type"] == "foreign":
            kept = await asyncio.to_thread(self.keeper.resolve_conflict, self.session, said["keep"])
            self._on_session_replaced(kept)
        elif said["type"] == "draft":
            after = await asyncio.to_thread(self.keeper.open_draft, self.session, said["id"])
            await self._replace_session(after)
        elif said["type"] in CHANGES:
            reply = await asyncio.to_thread(handle_message, self.session, said)
            if reply.stale and "number" in said:
                self._changes.store(page, said["number"], stale=True)
            clash, against = self.keeper.clash, reply.against
            if against is not None and await asyncio.to_thread(clash, against):
                self.broadcast(self._drafts())
            for told in reply.told:
                page.put(told)
            await self._replace_session(reply.session)

    async def adopt(self, path: Path) -> Dropped:
        """Measure a dropped model, and write its block into the text.

        Args:
            path: The file, for as long as this takes.

        Raises:
            ForgeError: If it cannot be adopted; nothing is written then.
            Gone: The studio is being closed.
        """
        folder_of(self.session)
        known = await asyncio.to_thread(known_model, self.session, path)
        if known is not None:
            return Dropped(known, None)
        found = await self.measurer.measure(self.session, path)
        async with self._lock:
            after, name = await asyncio.to_thread(with_dropped, self.session, path, found)
            await self._replace_session(after)
        return Dropped(name, found)

    async def keep_beside(self, files: Mapping[str, bytes]) -> None:
        """Keep files that a dropped map names beside the map, and judge the map again.

        Args:
            files: Content by path from the map's folder.

        Raises:
            ForgeError: As `dropped_folder.keep_beside`.
        """
        await asyncio.to_thread(keep_beside, self.session, files)
        self._meant.clear()
        self._start_stages()

    async def _reply(self, said: Said) -> tuple[Said, ...]:
        return (await asyncio.to_thread(handle_message, self.session, said)).told

    async def _replace_session(self, after: Session) -> None:
        """Take over a session, save its text and broadcast it."""
        before = self.session
        if after.revision == before.revision:
            self.session = after
            if after.settings != before.settings:
                self._meant.clear()
                self.broadcast(settings_message(after))
                self._start_stages()
            return
        kept, board = await asyncio.gather(
            asyncio.to_thread(self.keeper.save, after), asyncio.to_thread(stages.board, after)
        )
        self._on_session_replaced(kept, board if kept.session is after else None)

    def _on_session_replaced(self, kept: SaveResult, board: Said | None = None) -> None:
        """Broadcast the result of a save, and the `board` if it is known; the stages follow.

        Clients see the board at once, while an older stage may still be running.
        """
        before, self.session = self.session, kept.session
        if kept.came:
            self.outside = self.session.revision
        if before is not kept.session:
            self._meant.clear()
        self.broadcast(self.state())
        if kept.came:
            self.broadcast(message("foreign", text=None, merged=kept.came == "both"))
        if kept.foreign is not None:
            self.broadcast(message("foreign", text=kept.foreign))
        if before is not kept.session:
            if board is not None:
                self.broadcast(board)
            self.slow.postpone_stages()
            self._start_stages()

    def _start_stages(self) -> None:
        """Start the stages of the present session; those of an older one are cancelled."""
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
                self.broadcast(found)
            else:
                told = session
        self.slow.schedule_stages()

    async def watch_file(self) -> None:
        """Poll the file while the studio runs; its own saves are no changes."""
        while self.keeper.file is not None:
            await asyncio.sleep(WATCH_S)
            async with self._lock:
                before = (self.session, self.keeper.saved, self.keeper.why)
                kept = await asyncio.to_thread(self.keeper.poll_file, self.session)
                if (kept.session, self.keeper.saved, self.keeper.why) != before:
                    self._on_session_replaced(kept)

    def _begin(self, work: Any, name: str = "") -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=name or None)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def close(self) -> None:
        """End all tasks."""
        for task in tuple(self._tasks):
            task.cancel()
        self.slow.close()
        self.meshes.close()
        self.measurer.close()
