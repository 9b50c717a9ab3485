"""Earlier and later states of a session: their pictures, and how the present map differs."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import lru_cache
from pathlib import Path
from typing import Any

from falldamage_forge.studio.message_tables import changed_tiles
from falldamage_forge.studio.protocol import message
from falldamage_forge.studio.session import Session
from falldamage_forge.studio.shared_library import forge
from falldamage_forge.studio.stamp_library import board_cells

MOST_SHOWN = 24
"""Greatest number of states on each side of the present one."""
MOST_PICTURES = 4 * MOST_SHOWN
"""Pictures that stay in memory."""


def history(session: Session) -> dict[str, Any]:
    """Return the states around the present one as a message, the newest first.

    Args:
        session: The session.

    Returns:
        `states`: `by` is the number of steps from here, negative for undo; `label` names the step
        that led there, empty for the first text; `cells` is the board by rows.
    """
    states = [
        {"by": by, "label": label, "cells": _cells(text, session.name, session.root)}
        for by, label, text in _around(session)
    ]
    return message("history", revision=session.revision, states=states)


def _around(session: Session) -> list[tuple[int, str, str]]:
    """Return steps from here, label and text of each state, the newest first."""
    labels = ["", *(step.label for step in session.past)]
    texts = [*(step.text for step in session.past), session.text]
    before = list(zip(labels, texts, strict=True))[-MOST_SHOWN - 1 :]
    after = [(step.label, step.text) for step in reversed(session.future[-MOST_SHOWN:])]
    first = 1 - len(before)
    return [(first + n, *state) for n, state in enumerate((*before, *after))][::-1]


@lru_cache(MOST_PICTURES)
def _cells(text: str, name: str, root: Path | None) -> list[list[list[Any]]]:
    return board_cells(forge().loads(text, name, root).board)


def compare(session: Session, by: int, text: str) -> dict[str, Any]:
    """Return how the present map differs from another state as a message.

    Args:
        session: The session.
        by: Steps to the other state; 0 for `text`.
        text: The other map's text, if `by` is 0.

    Returns:
        `tiles` as in a preview, `lines` that differ, and `sizes` of both boards, the present one
        last.
    """
    other = session.stepped(by).text if by else text
    maps = [forge().loads(one, session.name, session.root).board for one in (other, session.text)]
    return message(
        "compared",
        by=by,
        tiles=changed_tiles(maps[0], maps[1]),
        lines=_lines_apart(other.splitlines(), session.text.splitlines()),
        sizes=[[board.rows, board.cols] for board in maps],
    )


def _lines_apart(first: list[str], other: list[str]) -> int:
    """Return the number of lines that differ; a line that has changed counts once."""
    apart = SequenceMatcher(None, first, other, autojunk=False).get_opcodes()
    return sum(max(b - a, d - c) for tag, a, b, c, d in apart if tag != "equal")
