"""What each message of a page does to the session, and what is said back: one table for all hosts.

Nothing here waits, saves or tells other pages: whoever holds the session does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from falldamage_forge import presets
from falldamage_forge.studio import editing
from falldamage_forge.studio import session as stages
from falldamage_forge.studio.lays import lay, units
from falldamage_forge.studio.play import play
from falldamage_forge.studio.protocol import message
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.settings import choices
from falldamage_forge.studio.stamps import stamps


class Reply(NamedTuple):
    """The session afterwards, and what its asker alone is told.

    `stale` tells that the message was of an older text and has changed nothing: its page says it
    again of the newest. `against` is a text that could not be brought together with the session's.
    """

    session: Session
    told: tuple[dict[str, Any], ...] = ()
    stale: bool = False
    against: str | None = None


Said = dict[str, Any]
OUTDATED = "the text has changed since this was proposed: wait for the next proposal"


def answer(session: Session, said: Said) -> Reply:
    """The reply to a message of `CHANGES` or `QUESTIONS`."""
    kind = said["type"]
    if kind in QUESTIONS:
        return Reply(session, (QUESTIONS[kind](session, said),))
    return CHANGES[kind](session, said)


def greeting() -> dict[str, Any]:
    """What a page can begin with, and the gestures it can say."""
    from falldamage_forge.lang.edit import USAGE

    return message("presets", names=presets.names("maps"), usage=tuple(USAGE.values()))


def settings_told(session: Session) -> dict[str, Any]:
    """The settings, what they can be, and the command that builds the same."""
    return message(
        "settings",
        values=session.settings.table(),
        choices=choices(),
        command=session.settings.command(session.name),
    )


def _type(session: Session, said: Said) -> Reply:
    if said["revision"] != session.revision:
        return Reply(session, stale=True)
    return Reply(session.wrote(said["text"], "typing"))


def _join(session: Session, said: Said) -> Reply:
    after, against = session.joined(said["base"], said["text"])
    return Reply(after, against=against)


def _gesture(session: Session, said: Said) -> Reply:
    # Words name tiles, not places of the text: they mean the same on a newer one.
    after, told = session.gesture(said["words"], said["copies"], said["brush"])
    return Reply(after, (told,))


def _preset(session: Session, said: Said) -> Reply:
    name = said["name"]
    if name not in presets.names("maps"):
        return Reply(session)
    return Reply(session.wrote(presets.load_text("maps", f"{name}.forge"), f"open {name}"))


def _apply(session: Session, said: Said) -> Reply:
    from falldamage_forge.lang.edit import TextEdit, applied

    if said["revision"] != session.revision:
        return Reply(session, (message("error", message=OUTDATED),), stale=True)
    edits = [TextEdit(*edit) for edit in said["edits"]]
    text = applied(session.text, edits)
    return Reply(session.wrote(text, said["label"][:200]))


def _format(session: Session, said: Said) -> Reply:
    after, told = editing.formatted(session)
    return Reply(after, (told,) if told else ())


def _play(session: Session, said: Said) -> Reply:
    after, told = play(session, said["do"], said["values"])
    return Reply(after, (told,))


def _set(session: Session, said: Said) -> Reply:
    try:
        settings = session.settings.changed(said["values"])
    except ValueError as error:
        return Reply(session, (message("error", message=str(error)),))
    return Reply(replace(session, settings=settings))


CHANGES: dict[str, Callable[[Session, Said], Reply]] = {
    "type": _type,
    "join": _join,
    "apply": _apply,
    "gesture": _gesture,
    "undo": lambda session, said: Reply(session.undone()),
    "redo": lambda session, said: Reply(session.redone()),
    "preset": _preset,
    "format": _format,
    "play": _play,
    "set": _set,
}
"""Messages that may change text or settings."""
QUESTIONS: dict[str, Callable[[Session, Said], dict[str, Any]]] = {
    "preview": lambda session, said: session.preview(said["words"], said["brush"]),
    "overlay": lambda session, said: lay(
        session, said["kind"], said["tile"], said["to"], said["unit"]
    ),
    "units": lambda session, said: units(session),
    "stamps": lambda session, said: stamps(session),
    "complete": lambda session, said: editing.complete(said["text"], said["line"], said["column"]),
    "meaning": lambda session, said: editing.meaning(session, said["line"], said["column"]),
    "written": lambda session, said: stages.written(session, said["tile"]),
    "tiles": lambda session, said: stages.tiles(session, said["line"]),
}
"""Messages that only ask."""
