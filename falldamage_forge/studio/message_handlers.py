"""Message handlers: the effect of each client message on the session, and its reply.

One table for all hosts. Handlers never wait, save or send: the owner of the session does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from falldamage_forge import presets
from falldamage_forge.issues import ForgeError
from falldamage_forge.studio import language_features
from falldamage_forge.studio.board_overlays import compute_overlay, units
from falldamage_forge.studio.earlier_states import compare, history
from falldamage_forge.studio.gallery_figures import owned_parts
from falldamage_forge.studio.match_value import PLAYERS
from falldamage_forge.studio.message_tables import issues_table
from falldamage_forge.studio.play_mode import play
from falldamage_forge.studio.protocol import message
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.session_settings import STOCK_FILE, WHOLE, choices
from falldamage_forge.studio.stamp_library import stamps


class Reply(NamedTuple):
    """The result of a message.

    Attributes:
        session: The session afterwards.
        told: Messages for the asking client only.
        stale: True if the message was about an older text and changed nothing; it is sent again.
        against: The text that could not be merged with the session's, else None.
    """

    session: Session
    told: tuple[dict[str, Any], ...] = ()
    stale: bool = False
    against: str | None = None


Said = dict[str, Any]
REFUSED_STOCK = "the stock is refused; nothing has changed"
MOST_ISSUES = 5
OUTDATED = "the text has changed since this was proposed: wait for the next proposal"


def handle_message(session: Session, said: Said) -> Reply:
    """Return the reply to a message of `CHANGES` or `QUESTIONS`.

    Args:
        session: Session before.
        said: Message of a client.
    """
    kind = said["type"]
    if kind in QUESTIONS:
        return Reply(session, (QUESTIONS[kind](session, said),))
    return CHANGES[kind](session, said)


def hello_message() -> dict[str, Any]:
    """Return the first message: templates, forms of gestures, and the players of a side."""
    from falldamage_forge.lang.edit import USAGE

    names, usage = presets.names("maps"), tuple(USAGE.values())
    return message("presets", names=names, usage=usage, players=PLAYERS)


def settings_message(session: Session) -> dict[str, Any]:
    """Return the settings, their choices and bounds, the same as a command, and the parts owned."""
    return message(
        "settings",
        values=session.settings.table(),
        choices=choices(),
        whole=WHOLE,
        command=session.settings.command(session.name),
        owned=sum((session.settings.owned() or {}).values()),
    )


def _type(session: Session, said: Said) -> Reply:
    if said["revision"] != session.revision:
        return Reply(session, stale=True)
    return Reply(session.with_text(said["text"], "typing"))


def _join(session: Session, said: Said) -> Reply:
    after, against = session.joined(said["base"], said["text"])
    return Reply(after, against=against)


def _gesture(session: Session, said: Said) -> Reply:
    # Words name tiles, not places of the text: they mean the same on a newer one.
    after, told = session.gesture(said["words"], said["copies"], said["brush"])
    return Reply(after, (told,))


def _preset(session: Session, said: Said) -> Reply:
    name = said["name"]
    if name not in presets.map_names():
        return Reply(session)
    return Reply(session.with_text(presets.map_text(name), f"open {name}"))


def _apply(session: Session, said: Said) -> Reply:
    from falldamage_forge.lang.edit import TextEdit, apply_edits

    if said["revision"] != session.revision:
        return Reply(session, (message("error", message=OUTDATED),), stale=True)
    edits = [TextEdit(*edit) for edit in said["edits"]]
    text = apply_edits(session.text, edits)
    return Reply(session.with_text(text, said["label"][:200]))


def _format(session: Session, said: Said) -> Reply:
    after, told = language_features.format_session(session)
    return Reply(after, (told,) if told else ())


def _play(session: Session, said: Said) -> Reply:
    after, told = play(session, said["do"], said["values"])
    return Reply(after, (told,))


def _set(session: Session, said: Said) -> Reply:
    try:
        settings = session.settings.changed(said["values"])
    except ForgeError as error:
        issues = issues_table(error.issues[:MOST_ISSUES], "", STOCK_FILE)
        told = message("error", message=REFUSED_STOCK, of="stock", issues=issues)
        return Reply(session, (told,))
    except ValueError as error:
        of = next(iter(said["values"]))
        return Reply(session, (message("error", message=str(error), of=of),))
    return Reply(replace(session, settings=settings))


def _qr(text: str) -> dict[str, Any]:
    """Return a text as the path of a QR code in a square of `side`; 0 if no code can hold it."""
    from falldamage_forge.render.qr_code import qr_code
    from falldamage_forge.render.svg import path_data

    try:
        drawn = qr_code(text, "l")
    except ValueError:
        return message("qr", text=text, side=0, path="")
    dark = path_data(drawn.shapes[0].paths)
    return message("qr", text=text, side=int(drawn.width), path=dark)


CHANGES: dict[str, Callable[[Session, Said], Reply]] = {
    "type": _type,
    "join": _join,
    "apply": _apply,
    "gesture": _gesture,
    "undo": lambda session, said: Reply(session.undo()),
    "redo": lambda session, said: Reply(session.redo()),
    "go": lambda session, said: Reply(session.stepped(said["by"])),
    "preset": _preset,
    "format": _format,
    "play": _play,
    "set": _set,
}
"""Handlers of messages that may change text or settings."""
QUESTIONS: dict[str, Callable[[Session, Said], dict[str, Any]]] = {
    "preview": lambda session, said: session.preview(said["words"], said["brush"]),
    "overlay": lambda session, said: compute_overlay(
        session, said["kind"], said["tile"], said["to"], said["unit"]
    ),
    "units": lambda session, said: units(session),
    "stamps": lambda session, said: stamps(session.text),
    "stock": lambda session, said: owned_parts(session, said["name"]),
    "history": lambda session, said: history(session),
    "compare": lambda session, said: compare(session, said["by"], said["text"]),
    "qr": lambda session, said: _qr(said["text"]),
    "complete": lambda session, said: language_features.complete(
        said["text"], said["line"], said["column"]
    ),
    "meaning": lambda session, said: language_features.hover_text(
        session, said["line"], said["column"]
    ),
    "written": lambda session, said: language_features.source_locations(session, said["tile"]),
    "tiles": lambda session, said: language_features.tiles(session, said["line"]),
}
"""Handlers of queries."""
