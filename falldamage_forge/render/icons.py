"""Icons of cards as shapes on a square of 24 units; no font is needed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from falldamage_forge.render.display_list import Drawing, Pen, Point

SIDE = 24.0
Icon = Callable[[Pen, str, str], None]


def icon(name: str, colour: str, ground: str = "#ffffff") -> Drawing:
    """Return an icon in one colour; KeyError if the name is unknown.

    Args:
        name: Key of `ICONS`.
        colour: Colour of the icon.
        ground: Colour of its ground, for cut-outs.
    """
    pen = Pen()
    ICONS[name](pen, colour, ground)
    return Drawing(SIDE, SIDE, tuple(pen.shapes))


def _ring(x: float, y: float, reach: float, corners: int = 28) -> list[Point]:
    turns = [2 * math.pi * corner / corners for corner in range(corners)]
    return [(x + reach * math.sin(turn), y - reach * math.cos(turn)) for turn in turns]


def _star(x: float, y: float, out: float, inner: float, points: int) -> list[Point]:
    ring = []
    for number in range(2 * points):
        turn = math.pi * number / points
        reach = inner if number % 2 else out
        ring.append((x + reach * math.sin(turn), y - reach * math.cos(turn)))
    return ring


def _turned(points: Sequence[Point], degrees: float) -> list[Point]:
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return [
        (
            12 + (x - 12) * cosine - (y - 12) * sine,
            12 + (x - 12) * sine + (y - 12) * cosine,
        )
        for x, y in points
    ]


SWORD = [(12, 1), (14, 4), (14, 15), (17.5, 15), (17.5, 17.4), (13.4, 17.4), (13.4, 21), (14.5, 23)]
SWORD += [(24 - x, y) for x, y in reversed(SWORD[1:])]


def _move(pen: Pen, colour: str, _: str) -> None:
    pen.fill([(2, 9), (13, 9), (13, 4), (22, 12), (13, 20), (13, 15), (2, 15)], colour)


def _jump(pen: Pen, colour: str, _: str) -> None:
    pen.fill([(9, 18), (9, 10), (4, 10), (12, 1), (20, 10), (15, 10), (15, 18)], colour)
    pen.fill([(3, 20.5), (21, 20.5), (21, 23), (3, 23)], colour)


def _health(pen: Pen, colour: str, _: str) -> None:
    left = [(12 - 5.2 - 5.2 * math.cos(t / 10), 8 - 5.2 * math.sin(t / 10)) for t in range(32)]
    pen.fill([(12, 22.5), *left, *[(24 - x, y) for x, y in reversed(left)]], colour)


def _attack(pen: Pen, colour: str, _: str) -> None:
    pen.fill(_turned(SWORD, 45), colour)


def _reach(pen: Pen, colour: str, _: str) -> None:
    pen.line(_ring(12, 12, 10), colour, 2.0, closed=True)
    pen.line(_ring(12, 12, 5.6), colour, 2.0, closed=True)
    pen.fill(_ring(12, 12, 2.2), colour)


def _push(pen: Pen, colour: str, _: str) -> None:
    pen.fill([(2, 6), (8, 6), (8, 18), (2, 18)], colour)
    pen.fill(
        [(10.5, 10), (15, 10), (15, 5.5), (22.5, 12), (15, 18.5), (15, 14), (10.5, 14)], colour
    )


def _action(pen: Pen, colour: str, ground: str) -> None:
    pen.fill(_ring(12, 12, 11.5), colour)
    pen.fill([(13.6, 3), (6, 13.6), (11, 13.6), (9.6, 21), (18, 10), (12.8, 10)], ground)


def _blind(pen: Pen, colour: str, ground: str) -> None:
    lid = [(2 + 20 * n / 12, 12 - 7 * math.sin(math.pi * n / 12)) for n in range(13)]
    pen.line([*lid, *[(x, 24 - y) for x, y in reversed(lid)]], colour, 2.0, closed=True)
    pen.fill(_ring(12, 12, 3.4), colour)
    pen.line([(4, 21), (20, 3)], ground, 4.6)
    pen.line([(4, 21), (20, 3)], colour, 2.2)


def _tip(pen: Pen, colour: str, _: str) -> None:
    pen.line([*_ring(12, 9, 7)[:11], (14.6, 17.5), (9.4, 17.5), *_ring(12, 9, 7)[18:]], colour, 2)
    pen.line([(9.4, 20), (14.6, 20)], colour, 2.0)
    pen.line([(10.4, 22.6), (13.6, 22.6)], colour, 1.8)


def _hidden(pen: Pen, colour: str, _: str) -> None:
    pen.line([(3, 6), (21, 6), (21, 21), (3, 21)], colour, 2.0, closed=True)
    pen.line([(3, 6), (12, 14), (21, 6)], colour, 2.0)


def _fighter(pen: Pen, colour: str, _: str) -> None:
    pen.fill(_turned(SWORD, 42), colour)
    pen.fill(_turned(SWORD, -42), colour)


def _ranger(pen: Pen, colour: str, _: str) -> None:
    bow = [(6 + 13 * math.sin(math.pi * n / 14), 1.5 + 1.5 * n) for n in range(15)]
    pen.line(bow, colour, 2.2)
    pen.line([(6, 1.5), (6, 22.5)], colour, 1.1)
    pen.line([(2, 12), (19, 12)], colour, 1.8)
    pen.fill([(23.5, 12), (17.5, 8.8), (17.5, 15.2)], colour)


def _caster(pen: Pen, colour: str, _: str) -> None:
    pen.fill(_star(12, 12, 11.5, 4.2, 5), colour)


def _specialist(pen: Pen, colour: str, ground: str) -> None:
    pen.fill([(12, 0.8), (21.5, 12), (12, 23.2), (2.5, 12)], colour)
    pen.fill([(12, 6.4), (16.8, 12), (12, 17.6), (7.2, 12)], ground)
    pen.fill(_ring(12, 12, 2.2), colour)


def _summoned(pen: Pen, colour: str, ground: str) -> None:
    pen.fill(_ring(12, 10, 9.4), colour)
    pen.fill([(7, 15), (17, 15), (17, 22.5), (7, 22.5)], colour)
    for x in (8.4, 15.6):
        pen.fill(_ring(x, 10.4, 2.7, 16), ground)
    pen.fill([(12, 13), (13.6, 16.4), (10.4, 16.4)], ground)
    for x in (10.2, 13.8):
        pen.line([(x, 19), (x, 22.5)], ground, 1.2)


def _treasure(pen: Pen, colour: str, ground: str) -> None:
    arch = [
        (2 + 10 - 10 * math.cos(math.pi * n / 12), 11 - 7 * math.sin(math.pi * n / 12))
        for n in range(13)
    ]
    pen.fill(arch, colour)
    pen.fill([(2, 12.6), (22, 12.6), (22, 21.5), (2, 21.5)], colour)
    pen.fill([(9.6, 10), (14.4, 10), (14.4, 16.6), (9.6, 16.6)], ground)
    pen.fill([(10.8, 11.4), (13.2, 11.4), (13.2, 15.4), (10.8, 15.4)], colour)


def _rules(pen: Pen, colour: str, _: str) -> None:
    pen.line([(4, 2), (20, 2), (20, 22), (4, 22)], colour, 2.0, closed=True)
    for y in (7, 12, 17):
        pen.line([(8, y), (16, y)], colour, 1.8)


def _pips(*spots: tuple[int, int]) -> Icon:
    def draw(pen: Pen, colour: str, _: str) -> None:
        pen.line([(2, 2), (22, 2), (22, 22), (2, 22)], colour, 1.8, closed=True)
        for col, row in spots:
            pen.fill(_ring(12 + 5.2 * col, 12 + 5.2 * row, 2.1, 16), colour)

    return draw


_DIAGONAL = ((-1, -1), (1, 1))
_CROSS = (*_DIAGONAL, (1, -1), (-1, 1))
ICONS: Mapping[str, Icon] = {
    "move": _move,
    "jump": _jump,
    "health": _health,
    "attack": _attack,
    "reach": _reach,
    "push": _push,
    "action": _action,
    "blind": _blind,
    "tip": _tip,
    "hidden": _hidden,
    "fighter": _fighter,
    "ranger": _ranger,
    "caster": _caster,
    "specialist": _specialist,
    "summoned": _summoned,
    "treasure": _treasure,
    "rules": _rules,
    "die-1": _pips((0, 0)),
    "die-2": _pips(*_DIAGONAL),
    "die-3": _pips((0, 0), *_DIAGONAL),
    "die-4": _pips(*_CROSS),
    "die-5": _pips((0, 0), *_CROSS),
    "die-6": _pips((-1, 0), (1, 0), *_CROSS),
}
"""Icons by name: numbers of a card, abilities, classes, kinds of cards, dice."""
