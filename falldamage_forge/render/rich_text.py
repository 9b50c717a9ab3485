"""Rich text on cards: wrapped lines with bold words and icons.

`**two words**` is bold and `{move}` draws an icon; everything else is plain.
"""

from __future__ import annotations

import re

from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.render.icons import icon
from falldamage_forge.render.pdf_pages import INK, PdfPages

LEADING = 1.2
_BOLD = re.compile(r"(\*\*.+?\*\*)")
_ICON = re.compile(r"\{(\w[\w-]*)\}([.,:;]?)")


@dataclass(frozen=True, slots=True)
class StyledWord:
    """One word: its letters, true if bold, and the icon before it, if any.

    A `glued` word follows the one before it without a space.
    """

    text: str
    bold: bool = False
    icon: str = ""
    glued: bool = False


def words_of(text: str) -> list[StyledWord]:
    """Return the words of a text with its markup."""
    styled: list[StyledWord] = []
    for part in _BOLD.split(text):
        bold = part.startswith("**")
        glued = bool(styled) and not bold and part[:1] not in ("", " ")
        for word in part.strip("*").split():
            sign = _ICON.fullmatch(word)
            text, drawn = (sign[2], sign[1]) if sign else (word, "")
            styled.append(StyledWord(text, bold, drawn, glued))
            glued = False
    return styled


def plain_text(text: str) -> str:
    """Return a text without markup: icons by their names in brackets, but for the first word's."""
    parts: list[str] = []
    for word in words_of(text):
        sign = f"({word.icon})" if word.icon and parts else ""
        glue = "" if word.glued or not parts or not (sign + word.text) else " "
        parts.append(glue + sign + word.text)
    return "".join(parts).strip()


def lines_of(paper: PdfPages, text: str, size: float, width: float) -> list[list[StyledWord]]:
    """Return lines of words, in the language of the pages, no wider than a width in points.

    Args:
        paper: Pages with their language.
        text: Text with `**bold**` words.
        size: Size of the type, in points.
        width: Greatest width of a line, in points.
    """
    lines: list[list[StyledWord]] = [[]]
    used, gap = 0.0, paper.width(" ", size)
    for word in words_of(paper.say(text)):
        wide = _width(paper, word, size) + (gap if lines[-1] and not word.glued else 0.0)
        if lines[-1] and not word.glued and used + wide > width:
            lines.append([])
            used, wide = 0.0, wide - gap
        used += wide
        lines[-1].append(word)
    return [line for line in lines if line]


def _width(paper: PdfPages, word: StyledWord, size: float) -> float:
    sign = size * 1.05 if word.icon else 0.0
    return sign + paper.width(word.text, size, bold=word.bold)


def write(
    paper: PdfPages,
    lines: list[list[StyledWord]],
    x: float,
    y: float,
    size: float,
    colour: str = INK,
) -> float:
    """Write lines below a point and return the y below them.

    Args:
        paper: Pages to write on.
        lines: Words of each line.
        x: Left edge, in points.
        y: Upper edge, in points.
        size: Size of the type, in points.
        colour: Colour as `#rrggbb`.
    """
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
