r"""Visible text: control characters are escaped before they reach a terminal or a page.

Titles, file names and sources can hold escape sequences, line separators and bidirectional
controls. `visible` spells them as `\u202e`, which JSON reads back as the character. All output
passes through it once: the streams of the command line, and `escape` for pages.
"""

from __future__ import annotations

import html
import re
from typing import Any

UNSEEN = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # C0 but tab and line ends, delete, C1
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # bidirectional controls
    r"\u2028\u2029"  # line and paragraph separators
    r"\ud800-\udfff\ufeff"  # bytes of a file's name that are no text; a byte order mark
    r"\ufdd0-\ufdef"  # noncharacters: two more at the end of each plane
    + "".join(rf"\U{plane:04x}fffe\U{plane:04x}ffff" for plane in range(17))
)
"""Invisible characters and those that are no text, as the inside of a regular expression's set."""
_UNSEEN = re.compile(rf"[{UNSEEN}]|\r(?!\n)")


def visible(text: str) -> str:
    r"""Return the text with each invisible character escaped.

    >>> visible("a\x1b[2J \u202eb")
    'a\\u001b[2J \\u202eb'
    """
    return _UNSEEN.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    """Return a character as JSON spells it: one escape for each unit of UTF-16."""
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def one_line(text: str) -> str:
    """Return a name, such as a file's, as visible text without line ends."""
    return visible(text).replace("\n", "\\n")


def unseen_at(text: str) -> int | None:
    """Return the index of the first invisible character; None if there is none."""
    found = _UNSEEN.search(text)
    return found.start() if found else None


def seen(text: str) -> str:
    """Return the text without its invisible characters."""
    return _UNSEEN.sub("", text)


def clipped(text: str, most: int) -> str:
    """Return at most `most` characters of a text; a longer one ends in an ellipsis.

    Args:
        text: Any text.
        most: Greatest number of characters.
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def visible_in(value: Any) -> Any:
    """Return plain data (dicts, lists, text, numbers) with every text made visible."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible_in(key): visible_in(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [visible_in(item) for item in value]
    return value


def escape(text: str) -> str:
    """Return text for HTML, SVG or XML: visible, with markup characters escaped."""
    return html.escape(visible(text))


def unescape(text: str) -> str:
    """Return the text that stands in a page as `text`; the inverse of `escape`."""
    return html.unescape(text)
