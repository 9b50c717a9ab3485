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
    """Return the outline of polylines drawn with a round pen.

    Args:
        lines: Polylines, points in mm.
        width_mm: Diameter of the pen.
    """
    import shapely

    half = width_mm / 2
    strokes = [shapely.buffer(shapely.linestrings(line), half, quad_segs=3) for line in lines]
    return shapely.union_all(strokes)


def text(words: str, height_mm: float, width_mm: float = STROKE_MM) -> BaseGeometry:
    """Return the outline of a line of text, centred on (0, 0).

    Args:
        words: Text in one line.
        height_mm: Height of capitals.
        width_mm: Width of the strokes.
    """
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


def _spring() -> list[Line]:
    """Return a coil under a plate."""
    coil: Line = [(-0.5, -0.9)]
    coil += [(0.5 if k % 2 == 0 else -0.5, -0.5 + 0.4 * k) for k in range(3)]
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


def _arc(x: float, y: float, radius: float, first_deg: int, last_deg: int) -> Line:
    """Return an arc about (x, y) in steps of 15 degrees, counter-clockwise from the east."""
    angles = (math.radians(angle) for angle in range(first_deg, last_deg + 1, 15))
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def _sun() -> list[Line]:
    """Return a disc with eight rays (red; heads of the coin)."""
    rays = [_turned([(0.0, 0.65), (0.0, 0.95)], k, 8) for k in range(8)]
    return [_circle(0.4), *rays]


def _moon() -> list[Line]:
    """Return a crescent (blue; tails of the coin)."""
    return [[*_arc(0, 0, 0.85, 45, 315), *_arc(0.45, 0, 0.62, 90, 270)[::-1], (0.6, 0.6)]]


def _skull() -> list[Line]:
    """Return a skull (a body on the ground)."""
    head = _arc(0, 0.25, 0.72, -45, 225)
    jaw: Line = [(-0.45, -0.35), (-0.45, -0.85), (0.45, -0.85), (0.45, -0.3)]
    eyes = [_circle_at(x, 0.2, 0.14) for x in (-0.3, 0.3)]
    return [head, jaw, *eyes, [(0.0, -0.85), (0.0, -0.55)]]


def _drop() -> list[Line]:
    """Return a drop (poison)."""
    return [[(0, 0.95), *_arc(0, -0.3, 0.6, 165, 375), (0, 0.95)]]


def _vine() -> list[Line]:
    """Return a stem with three leaves (vines)."""
    stem: Line = [(-0.3, -0.95), (0.15, -0.45), (-0.15, 0.05), (0.15, 0.5), (0.0, 0.95)]
    leaves: list[Line] = [
        [(0.15, -0.45), (0.75, -0.25)],
        [(-0.15, 0.05), (-0.75, 0.3)],
        [(0.15, 0.5), (0.7, 0.75)],
    ]
    return [stem, *leaves]


def _syringe() -> list[Line]:
    """Return a syringe, its needle down."""
    barrel: Line = [(-0.3, -0.4), (0.3, -0.4), (0.3, 0.4), (-0.3, 0.4), (-0.3, -0.4)]
    return [barrel, [(0, -0.4), (0, -0.95)], [(0, 0.4), (0, 0.85)], [(-0.35, 0.85), (0.35, 0.85)]]


def _horn() -> list[Line]:
    """Return a megaphone (promo)."""
    bell: Line = [(-0.8, -0.2), (0.3, -0.7), (0.3, 0.7), (-0.8, 0.2), (-0.8, -0.2)]
    return [
        bell,
        [(0.65, 0.0), (0.95, 0.0)],
        [(0.6, 0.45), (0.85, 0.6)],
        [(0.6, -0.45), (0.85, -0.6)],
    ]


def _note() -> list[Line]:
    """Return two joined quavers (song)."""
    heads = [_circle_at(x, -0.65 + rise, 0.18) for x, rise in ((-0.5, 0.0), (0.4, 0.15))]
    return [*heads, [(-0.32, -0.65), (-0.32, 0.6), (0.58, 0.8), (0.58, -0.5)]]


def _circle_at(x: float, y: float, radius: float) -> Line:
    return [(x + dx, y + dy) for dx, dy in _circle(radius, 8)]


def _crack() -> list[Line]:
    """Return a broken line (damage to a tree, a bridge or a ladder)."""
    return [[(-0.2, 0.95), (0.25, 0.35), (-0.3, 0.0), (0.3, -0.4), (-0.1, -0.95)]]


def _stones() -> list[Line]:
    """Return three stones (rubble of a spire)."""
    return [_circle_at(x, y, 0.36) for x, y in ((-0.5, -0.4), (0.5, -0.4), (0.0, 0.45))]


def _rings() -> list[Line]:
    """Return two rings and a heart (stump of a tree)."""
    return [_circle(0.95), _circle(0.5), [(0.0, 0.0), (0.0, 0.05)]]


def _waves() -> list[Line]:
    """Return three waves (quicksand)."""
    wave = [(0.2 * k - 0.8, 0.15 if k % 4 == 1 else -0.15 if k % 4 == 3 else 0.0) for k in range(9)]
    return [[(x, y + rise) for x, y in wave] for rise in (-0.55, 0.0, 0.55)]


def _reversal() -> list[Line]:
    """Return an arrow up beside an arrow down (geomagnetic reversal)."""
    up: list[Line] = [[(-0.5, -0.8), (-0.5, 0.8)], [(-0.9, 0.4), (-0.5, 0.8), (-0.1, 0.4)]]
    return [*up, *([(-x, -y) for x, y in line] for line in up)]


SIGNS: Mapping[str, Callable[[], list[Line]]] = {
    "arrow": _arrow,
    "chevrons": _chevrons,
    "spring": _spring,
    "question": _question,
    "fighter": _sword,
    "ranger": _bow,
    "caster": _star,
    "specialist": _cog,
    "sun": _sun,
    "moon": _moon,
    "skull": _skull,
    "drop": _drop,
    "vine": _vine,
    "syringe": _syringe,
    "horn": _horn,
    "note": _note,
    "crack": _crack,
    "stones": _stones,
    "rings": _rings,
    "waves": _waves,
    "reversal": _reversal,
}
"""Polylines inside a circle of radius 1, by the name of the sign."""


def sign_outline(name: str, radius_mm: float, width_mm: float = STROKE_MM) -> BaseGeometry:
    """Return the outline of a sign about (0, 0); KeyError if the name is unknown.

    Args:
        name: Name of the sign.
        radius_mm: Half size of the sign.
        width_mm: Width of the strokes.
    """
    lines = [[(x * radius_mm, y * radius_mm) for x, y in line] for line in SIGNS[name]()]
    return stroke_outline(lines, width_mm)
