"""Session: a map's text with undo history, its settings, and gestures on it.

Nothing here reads or writes the map's file; the session's owner does.
"""

from __future__ import annotations

from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.issues import ForgeError
from falldamage_forge.languages.translator import ENGLISH
from falldamage_forge.studio.protocol import message
from falldamage_forge.studio.session_settings import SessionSettings
from falldamage_forge.studio.shared_library import forge
from falldamage_forge.studio.three_way_merge import merge_texts

if TYPE_CHECKING:
    from falldamage_forge.lang.edit.edit_synthesis import Copies
    from falldamage_forge.library.forge import Map
    from falldamage_forge.studio.match_value import PlayMatch

TOGETHER = "together with what is on disk"
"""Label of the step that merges another program's change."""
LEVELLING = ("raise ", "lower ", "paint ")
"""Gestures for levels: their preview does not list changed columns as removed."""
MAX_STEPS = 500
"""Greatest number of undo steps; older ones are dropped."""


@dataclass(frozen=True, slots=True)
class UndoEntry:
    """An earlier (or later) text, and the label of the step from it (or to it)."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Session:
    """A map's text with its history.

    `name` is its file name in issues; imports are below `root`; `revision` counts changes;
    `language` is that of downloads.
    """

    text: str
    name: str = "map.forge"
    root: Path | None = None
    past: tuple[UndoEntry, ...] = ()
    future: tuple[UndoEntry, ...] = ()
    revision: int = 0
    settings: SessionSettings = field(default=SessionSettings())
    match: PlayMatch | None = None
    language: str = ENGLISH

    def with_text(self, text: str, label: str) -> Session:
        """Return the session after an edit; an unchanged text is no step.

        Args:
            text: New text of the map.
            label: Name of the step in the history.
        """
        if text == self.text:
            return self
        past = (*self.past, UndoEntry(self.text, label))[-MAX_STEPS:]
        return replace(self, text=text, past=past, future=(), revision=self.revision + 1)

    def joined(self, base: str, text: str) -> tuple[Session, str | None]:
        """Return the session after a text typed on an older one.

        The typed change is a step of its own, so that undo removes the other changes first.

        Args:
            base: The older text.
            text: The typed text.

        Returns:
            The session, and the text that could not be merged, else None.
        """
        now = plain_ends(self.text)
        if text in (base, now):
            return self, None
        typed = self.with_text(text, "typing")
        both = text if now == base else merge_texts(base, text, now)
        return (typed, now) if both is None else (typed.with_text(both, TOGETHER), None)

    def undo(self) -> Session:
        """Return the session one step back."""
        return self._stepped("past", "future")

    def redo(self) -> Session:
        """Return the session one step forward."""
        return self._stepped("future", "past")

    def stepped(self, by: int) -> Session:
        """Return the session some steps on, or at the end of its history.

        Args:
            by: Number of steps; negative to undo.
        """
        found, way = self, Session.undo if by < 0 else Session.redo
        for _ in range(min(abs(by), MAX_STEPS)):
            found = way(found)
        return found

    def _stepped(self, source: str, target: str) -> Session:
        """Return the session with the text of a history's last step; the other history grows."""
        history: tuple[UndoEntry, ...] = getattr(self, source)
        if not history:
            return self
        *rest, step = history
        grown = (*getattr(self, target), UndoEntry(self.text, step.label))
        moved: dict[str, Any] = {source: tuple(rest), target: grown}
        return replace(self, text=step.text, revision=self.revision + 1, **moved)

    def gesture(
        self, words: str, copies: Copies = "ask", brush: bool = True
    ) -> tuple[Session, dict[str, Any]]:
        """Apply a gesture such as `raise D4`.

        Args:
            words: The gesture.
            copies: Statements to change where terrain is placed several times.
            brush: True to apply it to images under an expected symmetry.

        Returns:
            The session, and the answer: edited, question or refused.
        """
        from falldamage_forge.lang.edit import EditRefused, EditResult, as_table
        from falldamage_forge.lang.edit.gestures import InvalidGesture
        from falldamage_forge.library.map_edits import gesture
        from falldamage_forge.studio.stamp_library import define_stamped_part

        text, plain = define_stamped_part(self.text, words)
        try:
            answer = gesture(forge(), map_of(replace(self, text=text)), plain, copies, brush)
        except (InvalidGesture, ForgeError) as error:
            refused = as_table(EditRefused(str(error)))
            return self, message("answer", words=words, **refused)
        table = as_table(answer)
        for way in (table, table.get("all"), table.get("here")):
            if way:
                way.pop("text", None)  # the state that follows has it
        after = self.with_text(answer.text, words) if isinstance(answer, EditResult) else self
        return after, message("answer", words=words, **table)

    def preview(self, words: str, brush: bool = True) -> dict[str, Any]:
        """Return the tiles and lines that a gesture would change as a message.

        Tiles are [row, col, level after, before], lines [`-` or `+`, line], removed elements
        [name, tiles].

        If it cannot be applied, `why`, the tiles where it would break the map, and as `near` the
        nearest legal gesture, if there is one.

        Args:
            words: Gesture in words: `raise C3 by 1`.
            brush: True to draw the same on mirrored tiles.
        """
        from falldamage_forge.board import Tile
        from falldamage_forge.studio.message_tables import (
            changed_lines,
            changed_tiles,
            removed_things,
        )
        from falldamage_forge.studio.nearest_act import nearest_act
        from falldamage_forge.studio.part_places import stands

        after, answer = self.gesture(words, "all", brush)
        if answer["answer"] != "edited":
            board = map_of(self).board
            found = (Tile.parse(name) for name in answer.get("tiles", ()))
            at_fault = [at for at in dict.fromkeys(found) if at in board]
            tiles = [[*at, *[board.column(at).level] * 2] for at in at_fault]

            def fits(tried: str) -> bool:
                return bool(self.gesture(tried, "all", brush)[1]["answer"] == "edited")

            near = nearest_act(board, words, fits)
            said = {"why": answer["message"], "near": near, "tiles": tiles}
            return message("preview", words=words, **said, lines=[], removed=[], models=[])
        maps = map_of(self), map_of(after)
        boards = maps[0].board, maps[1].board
        columns = not words.startswith(LEVELLING)
        return message(
            "preview",
            words=words,
            why=None,
            near=None,
            tiles=changed_tiles(*boards),
            lines=changed_lines(self.text, after.text),
            removed=removed_things(*boards, columns=columns),
            models=stands(*maps),
        )

    def state(self) -> dict[str, Any]:
        """Return text and history as a message."""
        return message(
            "state",
            revision=self.revision,
            name=self.name,
            text=self.text,
            undo=self.past[-1].label if self.past else None,
            redo=self.future[-1].label if self.future else None,
        )


def plain_ends(text: str) -> str:
    """Return the text with the line ends of a page."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def map_of(session: Session) -> Map:
    """Return the parsed map of the session's text."""
    return forge().loads(session.text, session.name, session.root)
