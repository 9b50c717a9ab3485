"""Session host inside the page: no server, no file; Pyodide runs it in two web workers.

`page/site/worker.js` calls `InteractiveWorker` for input and `BatchWorker` for slow work. All
input and output is JSON text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from falldamage_forge import presets
from falldamage_forge.issues import ForgeError
from falldamage_forge.lang.new_map_template import TEMPLATE
from falldamage_forge.languages.translator import ENGLISH, known_language
from falldamage_forge.studio import session_stages as stages
from falldamage_forge.studio.link_play import read_match
from falldamage_forge.studio.message_handlers import (
    CHANGES,
    handle_message,
    hello_message,
    settings_message,
)
from falldamage_forge.studio.page_download import NAME, Download
from falldamage_forge.studio.part_instances import parts
from falldamage_forge.studio.play_mode import HINT, hint_message
from falldamage_forge.studio.protocol import BadMessage, message, read_message
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.session_settings import SessionSettings
from falldamage_forge.studio.spoken_message import spoken_message

if TYPE_CHECKING:
    from falldamage_forge.pieces.piece import Piece

LIFE = "page"
"""Identifies a run; a worker lives as long as its page."""


def _text(told: dict[str, Any], language: str) -> str:
    return json.dumps(spoken_message(told, language), ensure_ascii=False)


def _baked_style() -> str:
    """Return the default style if its meshes are included, else the first one."""
    usual, there = SessionSettings().style, presets.names("styles")
    return usual if usual in there else there[0]


def _address(style: str, piece: Piece) -> str | None:
    known = presets.baked_sizes(style)
    return f"mesh/{style}/{piece.key}" if known and piece.key in known else None


class InteractiveWorker:
    """Answers messages at once; the stages after an edit follow one by one."""

    def __init__(self, text: str | None = None) -> None:
        """Start a session.

        Args:
            text: A stored text; None for the beginner's map.
        """
        self.blank = text is None
        begun = TEMPLATE.format(title="A new table") if text is None else text
        self.session = Session(begun, NAME, settings=SessionSettings(style=_baked_style()))
        self.changed, self.language = True, ENGLISH
        self._heard = {"heard": 0, "stale": False}

    def on_connect(self) -> list[str]:
        """Return the first messages for the page."""
        return [_text(told, self.language) for told in self._greeting()]

    def _greeting(self) -> list[dict[str, Any]]:
        return [hello_message(), self._state(), settings_message(self.session)]

    def _state(self) -> dict[str, Any]:
        kept = {"life": LIFE, "file": None, "home": None, "saved": True, "kept": True, "outside": 0}
        blank = self.blank and not self.session.revision
        return {**self.session.state(), **kept, "blank": blank, **self._heard}

    def on_message(self, data: str) -> list[str]:
        """Return the replies to a message; the attribute `changed` asks for `run_stages`."""
        return [_text(told, self.language) for told in self._replies(data)]

    def _replies(self, data: str) -> list[dict[str, Any]]:
        self.changed = False
        try:
            said = read_message(data)
            if said["type"] == "hello":
                self.changed, self.language = True, said.get("language", ENGLISH)
                return self._greeting()
            self._heard = {"heard": said.get("number", self._heard["heard"]), "stale": False}
            if said["type"] == "set" and said["values"].get("variants", 1) != 1:
                raise BadMessage("this page has one look of each piece; `fdforge studio` has more")
            reply = handle_message(self.session, said)
            self._heard["stale"] = reply.stale
        except BadMessage as error:
            return [error.told()]
        except Exception as error:
            # Whatever goes wrong with one question, the text and the next one are served.
            return [message("error", message=f"{type(error).__name__}: {error}"), self._state()]
        before, self.session = self.session, reply.session
        told = [*reply.told]
        same = before.settings == self.session.settings
        self.changed = not same or self.session.revision != before.revision
        if said["type"] in CHANGES:
            told.append(self._state() if same else settings_message(self.session))
        return told

    def run_stages(self) -> Iterator[str]:
        """Yield the stages of the present text, the soonest first."""
        session = self.session
        for stage in ("board", "verdict"):
            yield _text(stages.STAGES[stage](session), self.language)
        meshes = parts(session, lambda piece, _: _address(session.settings.style, piece))
        yield _text(meshes, self.language)


class BatchWorker:
    """Runs one slow request at a time; the latest wins."""

    def __init__(self, text: str | None = None) -> None:
        """Start without a session; `text` is ignored."""
        self.changed = False
        self.download: Download | None = None
        self._wish: dict[str, Any] = {}

    def on_connect(self) -> list[str]:
        """Return no messages."""
        return []

    def on_message(self, data: str) -> list[str]:
        """Accept a request: `kind` (stages, hint, or a download), `text`, `revision`, `settings`.

        `language` is optional; a hint needs `game`, the saved game.
        """
        self._wish, self.changed = json.loads(data), True
        return []

    def run_stages(self) -> Iterator[str]:
        """Yield metrics and pieces, or the steps of a `download` until it needs meshes."""
        for told in self._results(self._wish):
            yield _text(told, self._wish.get("language", ENGLISH))

    def _results(self, wish: dict[str, Any]) -> Iterator[dict[str, Any]]:
        session = replace(
            Session(wish["text"], NAME, settings=SessionSettings(**wish["settings"])),
            revision=wish["revision"],
            language=known_language(wish.get("language", ENGLISH)),
        )
        try:
            if wish["kind"] == HINT:
                yield hint_message(replace(session, match=read_match(wish.get("game"))))
                return
            if wish["kind"] != "stages":
                self.download = Download(session, wish["kind"])
                yield from self.download.plan()
                return
            for stage in stages.LATE:
                yield stages.STAGES[stage](session)
        except ForgeError as error:
            why = "; ".join(issue.message for issue in error.issues[:5])
            yield message("error", message=why, of=wish["kind"])

    def write(self, meshes: Mapping[str, bytes]) -> Iterator[str]:
        """Yield the progress of writing the planned download.

        Args:
            meshes: Encoded meshes by address.
        """
        assert self.download is not None
        for told in self.download.write(meshes):
            yield _text(told, self._wish.get("language", ENGLISH))
