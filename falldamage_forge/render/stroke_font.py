"""Stroke font, so that pictures need no font files and are the same everywhere.

A glyph is a list of strokes on a grid: y runs down from the cap line (0) over the x-height (4) to
the baseline (12) and the descender (16). Each point is two characters, x then y, in base 17. A
stroke that begins with `~` is a smooth curve through its points (a doubled point is a corner) and
one that ends with `z` is closed.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import chain

Point = tuple[float, float]
Stroke = tuple[Point, ...]

CAP = 12.0
"""Height of a capital letter in grid units."""
_GAP = 3.2
_SPACE = 5.0
_BOWL = "~3455685b3c1b0815z"

GLYPHS: dict[str, str] = {
    "A": "0c408c 1979",
    "B": "0c00 ~00004073460606 ~060656895c0c0c",
    "C": "~825021062b5c8a",
    "D": "0c00 ~000030737a3c0c0c",
    "E": "70000c7c 0656",
    "F": "70000c 0656",
    "G": "~825021062b5c8a8a 8a8757",
    "H": "000c 808c 0686",
    "I": "000c",
    "J": "~6060685b3c1b09",
    "K": "000c 7007 348c",
    "L": "000c7c",
    "M": "0c0048808c",
    "N": "0c008c80",
    "O": "~4072867a4c1a0612z",
    "P": "0c00 ~00004073470707",
    "Q": "~4072867a4c1a0612z 598d",
    "R": "0c00 ~00004073470707 377c",
    "S": "~724011032557796b3c0a",
    "T": "0080 404c",
    "U": "~0000082b4c6b888080",
    "V": "004c80",
    "W": "002c528ca0",
    "X": "008c 800c",
    "Y": "0046 80464c",
    "Z": "00800c8c",
    "a": _BOWL + " 646c",
    "b": _BOWL + " 000c",
    "c": "~653415081b3c6b",
    "d": _BOWL + " 606c",
    "e": "0868 ~68553415081b3c6b",
    "f": "~5031232c2c 0444",
    "g": _BOWL + " ~64646d5f3g0f",
    "h": "000c ~07153455676c6c",
    "i": "040c 0001",
    "j": "~24242d1f0g 2021",
    "k": "000c 5409 276c",
    "l": "~00000a1c2c",
    "m": "040c ~07153445575c5c ~57658495a7acac",
    "n": "040c ~07153455676c6c",
    "o": _BOWL,
    "p": _BOWL + " 040g",
    "q": _BOWL + " 646g",
    "r": "040c ~08153454",
    "s": "~5534151738595b3c0b",
    "t": "~21212a3c5c 0444",
    "u": "~0404091b3c5b69 646c",
    "v": "043c64",
    "w": "042c466c84",
    "x": "046c 640c",
    "y": "043c 641g",
    "z": "04640c6c",
    "0": "~3052665a3c1a0612z",
    "1": "03303c",
    "2": "~0311305163560c0c 0c6c",
    "3": "~023051543626 ~3657695b3c0a",
    "4": "5c500979",
    "5": "601005 ~053455685b3c0b",
    "6": "~502308 ~3556685b3c1b0816z",
    "7": "00602c",
    "8": "~305154361411z ~3657695b3c1b0917z",
    "9": "~3716041130516456z ~64491c",
    ".": "0b0c",
    ",": "1b0e",
    ":": "0506 0b0c",
    ";": "1506 1b0e",
    "-": "0747",
    "_": "0c6c",
    "/": "0c50",
    "(": "~2003092c",
    ")": "~0023290c",
    "!": "0008 0b0c",
    "?": "~021130515446272728 2b2c",
    "'": "0002",
    '"': "0002 2022",
    "+": "0747 2529",
    "=": "0646 0949",
    "×": "0549 4509",
    "→": "0767 456749",
    "%": "800c ~1023150301z ~7a8c9a88z",
    "&": "~7c143050330a2c5b78",
    "#": "202c 606c 0484 0888",
    "*": "2529 0648 4608",
    "<": "550759",
    ">": "055709",
    "[": "20000c2c",
    "]": "00202c0c",
    "~": "~0816386658",
    "Ä": "0c438c 1979 2021 6061",
    "Ö": "~4374877b4c1b0714z 2021 6061",
    "Ü": "~0303082b4c6b888383 2021 6061",
    "ä": _BOWL + " 646c 1011 5051",
    "ö": _BOWL + " 1011 5051",
    "ü": "~0404091b3c5b69 646c 1011 5051",
    "ß": "~0c0c031130515335 ~353556685a3c2c",
}

_LOOKALIKES = str.maketrans(
    {"–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "`": "'", "…": "."}
)
_BOX = "00606c0c00"
_BASE17 = "0123456789abcdefg"


@cache
def glyph(letter: str) -> tuple[tuple[Stroke, ...], float]:
    """Return strokes and width of a letter in grid units; unknown letters are an empty box."""
    strokes = tuple(_stroke(text) for text in GLYPHS.get(letter, _BOX).split())
    return strokes, max(x for stroke in strokes for x, _ in stroke)


def _stroke(text: str) -> Stroke:
    smooth, closed = text.startswith("~"), text.endswith("z")
    body = text.removeprefix("~").removesuffix("z")
    points = [
        (float(_BASE17.index(x)), float(_BASE17.index(y)))
        for x, y in zip(body[::2], body[1::2], strict=True)
    ]
    if smooth:
        return _curve(points, closed)
    return tuple([*points, points[0]] if closed else points)


def _curve(points: list[Point], closed: bool) -> Stroke:
    """Return a Catmull-Rom curve through points, four chords per segment."""
    if closed:
        ring = [points[-1], *points, points[0], points[1]]
    else:
        ring = [points[0], *points, points[-1]]
    curve: list[Point] = [ring[1]]
    for a, b, c, d in zip(ring, ring[1:], ring[2:], ring[3:], strict=False):
        if b == c:
            continue
        for step in (0.25, 0.5, 0.75, 1.0):
            curve.append(
                (_spline(step, a[0], b[0], c[0], d[0]), _spline(step, a[1], b[1], c[1], d[1]))
            )
    return tuple(curve)


def _spline(t: float, a: float, b: float, c: float, d: float) -> float:
    return 0.5 * (
        2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3
    )


def drawable_text(text: str) -> str:
    """Return the text in letters of the font: other accents are dropped, controls become spaces."""
    whole = unicodedata.normalize("NFC", text.translate(_LOOKALIKES))
    parts = (each if each in GLYPHS else unicodedata.normalize("NFKD", each) for each in whole)
    letters = (letter for letter in chain(*parts) if not unicodedata.combining(letter))
    return "".join(letter if letter.isprintable() else " " for letter in letters)


def text_width(text: str, size: float) -> float:
    """Return the width of a text whose capitals are `size` high, in the same unit.

    Args:
        text: Text in one line.
        size: Height of capitals.
    """
    return sum(_advances(drawable_text(text))) * size / CAP - (_GAP * size / CAP if text else 0.0)


def _advances(text: str) -> list[float]:
    return [_SPACE + _GAP if letter == " " else glyph(letter)[1] + _GAP for letter in text]


def text_strokes(text: str, size: float) -> list[Stroke]:
    """Return the strokes of a text from its left baseline point (0, 0), y down.

    Args:
        text: Text in one line.
        size: Height of capitals.
    """
    flat = drawable_text(text)
    scale = size / CAP
    strokes = []
    left = 0.0
    for letter, advance in zip(flat, _advances(flat), strict=True):
        if letter != " ":
            for stroke in glyph(letter)[0]:
                strokes.append(tuple(((left + x) * scale, (y - CAP) * scale) for x, y in stroke))
        left += advance
    return strokes
