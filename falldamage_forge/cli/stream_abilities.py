"""Abilities of an output stream: escape sequences and colours of a terminal."""

from __future__ import annotations

import os
from typing import TextIO

NO_COLOUR = "NO_COLOR"
"""Environment variable that turns colours off, if it is set. Source: no-color.org."""
DUMB = "dumb"
"""Value of `TERM` of a terminal without escape sequences."""


def takes_escapes(stream: TextIO) -> bool:
    """True if a stream is a terminal that knows escape sequences."""
    return stream.isatty() and os.environ.get("TERM") != DUMB


def shows_colours(stream: TextIO) -> bool:
    """True if a stream is a terminal that shows colours, and the user did not turn them off."""
    return takes_escapes(stream) and NO_COLOUR not in os.environ
