"""Words on cards: wrapped lines in which some words are bold and some are signs.

`**two words**` is bold and `{move}` draws an icon; everything else is plain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from falldamage_forge.render.icons import icon
from falldamage_forge.render.paper import INK, Paper

LEADING = 1.2
_BOLD = re.compile(r"(\*\*.+?\*\*)")
_ICON = re.compile(r"\{(\w[\w-]*)\}([.,:;]?)")


@dataclass(frozen=True, slots=True)
class Word:
    """One word: its letters, whether they are bold, and the icon before them, if any.

    A `glued` word follows the one before it without a space.
    """

    text: str
    bold: bool = False
    icon: str = ""
    glued: bool = False


def words_of(text: str) -> list[Word]:
    """The words of a text with its marks read."""
    found: list[Word] = []
    for part in _BOLD.split(text):
        bold = part.startswith("**")
        glued = bool(found) and not bold and part[:1] not in ("", " ")
        for word in part.strip("*").split():
            sign = _ICON.fullmatch(word)
            text, drawn = (sign[2], sign[1]) if sign else (word, "")
            found.append(Word(text, bold, drawn, glued))
            glued = False
    return found


def lines_of(paper: Paper, text: str, size: float, width: float) -> list[list[Word]]:
    """Lines of words no wider than a width in points."""
    lines: list[list[Word]] = [[]]
    used, gap = 0.0, paper.width(" ", size)
    for word in words_of(text):
        wide = _width(paper, word, size) + (gap if lines[-1] and not word.glued else 0.0)
        if lines[-1] and not word.glued and used + wide > width:
            lines.append([])
            used, wide = 0.0, wide - gap
        used += wide
        lines[-1].append(word)
    return [line for line in lines if line]


def _width(paper: Paper, word: Word, size: float) -> float:
    sign = size * 1.05 if word.icon else 0.0
    return sign + paper.width(word.text, size, bold=word.bold)


def write(
    paper: Paper, lines: list[list[Word]], x: float, y: float, size: float, colour: str = INK
) -> float:
    """Write lines below the point; the y below them."""
    gap = paper.width(" ", size)
    for line in lines:
        at, foot = x - gap, y + 0.8 * size * LEADING
        for word in line:
            at += 0.0 if word.glued else gap
            if word.icon:
                side = size * 1.0
                paper.drawing(icon(word.icon, colour), at, foot - 0.82 * size, side, side)
                at += size * 1.05
            paper.text(word.text, at, foot, size, bold=word.bold, colour=colour)
            at += paper.width(word.text, size, bold=word.bold)
        y += size * LEADING
    return y
