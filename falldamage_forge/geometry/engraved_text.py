"""Engraved text and signs: capital letters, digits and symbols of strokes that a nozzle can draw.

A glyph is drawn on a grid 4 wide and 6 high, as polylines of digit pairs: `"0046"` is a stroke from
(0, 0) to (4, 6), and a space begins the next stroke.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Line = list[tuple[float, float]]

GRID_WIDTH, GRID_HEIGHT, ADVANCE = 4.0, 6.0, 5.6
STROKE_MM = 0.7
"""Width of engraved strokes; at least 0.6 mm prints."""
GLYPHS: Mapping[str, str] = {
    "A": "000416364440 0343",
    "B": "00063645443342413000 0333",
    "C": "4536160501103041",
    "D": "00062644422000",
    "E": "46060040 0333",
    "F": "460600 0333",
    "G": "45361605011030414323",
    "H": "0006 4046 0343",
    "I": "2026 1030 1636",
    "J": "4641301001",
    "K": "0006 460340",
    "L": "060040",
    "M": "0006234640",
    "N": "00064046",
    "O": "103041453616050110",
    "P": "00063645443303",
    "Q": "103041453616050110 2240",
    "R": "00063645443303 2340",
    "S": "453616050413334241301001",
    "T": "0646 2620",
    "U": "060110304146",
    "V": "062046",
    "W": "0610233046",
    "X": "0046 0640",
    "Y": "062346 2320",
    "Z": "06460040",
    "0": "103041453616050110",
    "1": "152620 1030",
    "2": "05163645440040",
    "3": "0516364544334241301001 1333",
    "4": "30360242",
    "5": "460603334241301001",
    "6": "36160501103041423303",
    "7": "064610",
    "8": "13040516364544331302011030414233",
    "9": "10304145361605041343",
    ".": "2021",
    "-": "0343",
    "+": "0343 2125",
    "?": "05163645442322 2021",
}


def text_lines(text: str, height_mm: float) -> list[Line]:
    """Return the polylines of a line of text in mm, centred on (0, 0).

    Args:
        text: Letters, digits and `.-+?`; lower case is drawn as upper case.
        height_mm: Height of a glyph.

    Raises:
        KeyError: If a character has no glyph.
    """
    scale = height_mm / GRID_HEIGHT
    width = (len(text) - 1) * ADVANCE + GRID_WIDTH
    lines = []
    for index, letter in enumerate(text.upper()):
        if letter == " ":
            continue
        for word in GLYPHS[letter].split(" "):
            lines.append(
                [
                    (
                        (float(word[at]) + index * ADVANCE - width / 2) * scale,
                        (float(word[at + 1]) - GRID_HEIGHT / 2) * scale,
                    )
                    for at in range(0, len(word), 2)
                ]
            )
    return lines


def stroke_outline(lines: Sequence[Line], width_mm: float = STROKE_MM) -> BaseGeometry:
    """Return the outline of polylines drawn with a round pen."""
    import shapely

    half = width_mm / 2
    strokes = [shapely.buffer(shapely.linestrings(line), half, quad_segs=3) for line in lines]
    return shapely.union_all(strokes)


def text(words: str, height_mm: float, width_mm: float = STROKE_MM) -> BaseGeometry:
    """Return the outline of a line of text, centred on (0, 0)."""
    return stroke_outline(text_lines(words, height_mm), width_mm)


def _turned(line: Line, turns: int, of: int) -> Line:
    angle = 2 * math.pi * turns / of
    sine, cosine = math.sin(angle), math.cos(angle)
    return [(x * cosine - y * sine, x * sine + y * cosine) for x, y in line]


def _circle(radius: float, sides: int = 16) -> Line:
    return [
        (radius * math.cos(2 * math.pi * k / sides), radius * math.sin(2 * math.pi * k / sides))
        for k in range(sides + 1)
    ]


def _arrow() -> list[Line]:
    """Return an arrow to the north."""
    return [[(0, -0.9), (0, 0.9)], [(-0.6, 0.3), (0, 0.9), (0.6, 0.3)]]


def _push() -> list[Line]:
    """Return a bar and an arrow away from it."""
    return [[(-0.7, -0.8), (0.7, -0.8)], [(0, -0.8), (0, 0.9)], [(-0.5, 0.4), (0, 0.9), (0.5, 0.4)]]


def _spring() -> list[Line]:
    """Return a coil under a plate."""
    coil: Line = [(-0.5, -0.9)]
    coil += [(0.5 if k % 2 == 0 else -0.5, -0.6 + 0.3 * k) for k in range(4)]
    coil.append((0.0, 0.5))
    return [[(-0.8, 0.75), (0.8, 0.75)], coil]


def _question() -> list[Line]:
    return [[(x, y) for x, y in line] for line in text_lines("?", 1.8)]


def _sword() -> list[Line]:
    """Return a sword before a shield (fighters)."""
    shield: Line = [
        (-0.75, 0.7),
        (0.75, 0.7),
        (0.75, -0.1),
        (0, -0.95),
        (-0.75, -0.1),
        (-0.75, 0.7),
    ]
    return [shield, [(0, -0.5), (0, 0.4)], [(-0.35, 0.15), (0.35, 0.15)]]


def _bow() -> list[Line]:
    """Return a drawn bow (rangers)."""
    arc: Line = [
        (math.cos(angle) * 0.85 - 0.1, math.sin(angle) * 0.9)
        for angle in (math.radians(-75 + 15 * k) for k in range(11))
    ]
    return [arc, [arc[0], (-0.5, 0.0), arc[-1]], [(-0.5, 0.0), (0.95, 0.0)]]


def _star() -> list[Line]:
    """Return a star of five points (casters)."""
    points = [_turned([(0.0, 0.95)], 2 * k, 5)[0] for k in range(6)]
    return [points]


def _cog() -> list[Line]:
    """Return a cog (specialists)."""
    teeth = [_turned([(0.0, 0.6), (0.0, 0.95)], k, 8) for k in range(8)]
    return [_circle(0.6), *teeth]


def _chevrons() -> list[Line]:
    """Return two chevrons to the north (start tile)."""
    return [[(-0.7, -0.7), (0, 0.0), (0.7, -0.7)], [(-0.7, 0.0), (0, 0.7), (0.7, 0.0)]]


SIGNS: Mapping[str, Callable[[], list[Line]]] = {
    "arrow": _arrow,
    "chevrons": _chevrons,
    "push": _push,
    "spring": _spring,
    "question": _question,
    "fighter": _sword,
    "ranger": _bow,
    "caster": _star,
    "specialist": _cog,
}
"""Polylines inside a circle of radius 1, by the name of the sign."""


def sign_outline(name: str, radius_mm: float, width_mm: float = STROKE_MM) -> BaseGeometry:
    """Return the outline of a sign about (0, 0); KeyError if the name is unknown."""
    lines = [[(x * radius_mm, y * radius_mm) for x, y in line] for line in SIGNS[name]()]
    return stroke_outline(lines, width_mm)
