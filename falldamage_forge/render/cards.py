"""Unit cards and slips for hidden items, to print and cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from falldamage_forge.render.paper import FAINT, INK, Paper
from falldamage_forge.rules.movement import UNLIMITED
from falldamage_forge.rules.units import Ability, Unit

T = TypeVar("T")

CARD_PT = (63 * 72 / 25.4, 88 * 72 / 25.4)
"""A card is 63 by 88 mm and fits common sleeves."""
SLIP_PT = (63 * 72 / 25.4, 40 * 72 / 25.4)
SLIPS_EACH = 3
"""Slips for every hidden item."""
_ACROSS = 3
CLASS_COLOURS = {
    "fighter": "#a8452a",
    "ranger": "#3f7a4f",
    "caster": "#5b4a94",
    "specialist": "#2f6690",
    "summoned": "#6b6358",
}
_PUSHES = {"B": "back", "R": "right", "L": "left", "F": "forward"}
_HIDDEN = "A hidden item"


def cards(units: Sequence[Unit], size: str = "a4") -> bytes:
    """The PDF of all cards, each as often as the unit has copies, then the slips."""
    paper = Paper(size, "Fall Damage unit cards")
    deck = [unit for unit in units for _ in range(unit.copies)]
    for at, unit in _places(
        paper, CARD_PT, deck, "Unit cards: print at 100 %, cut along the lines"
    ):
        _card(paper, unit, *at)
    slips = [slip for slip in hidden_items(units) for _ in range(SLIPS_EACH)]
    words = "Hidden items: note tile and level in secret, fold, reveal when it happens"
    for at, (unit, ability) in _places(paper, SLIP_PT, slips, words):
        _slip(paper, unit, ability, *at)
    return paper.finish()


def hidden_items(units: Iterable[Unit]) -> list[tuple[Unit, Ability]]:
    """Abilities that put a hidden item on the board, each with its unit."""
    return [
        (unit, ability)
        for unit in units
        for ability in unit.abilities
        if ability.text.startswith(_HIDDEN)
    ]


def _places(
    paper: Paper, each: tuple[float, float], things: Sequence[T], footer: str
) -> Iterator[tuple[tuple[float, float], T]]:
    """The upper left corner of each thing, side by side on as many pages as they take."""
    wide, high = each
    across, down = _ACROSS, int((paper.height_pt - 30) // high)
    left, top = (paper.width_pt - across * wide) / 2, (paper.height_pt - 12 - down * high) / 2
    for number, thing in enumerate(things):
        place = number % (across * down)
        if place == 0:
            paper.new_page(footer)
        yield (left + place % across * wide, top + place // across * high), thing


def _card(paper: Paper, unit: Unit, x: float, y: float) -> None:
    wide, high = CARD_PT
    colour = CLASS_COLOURS[unit.unit_class]
    paper.box(x, y, wide, high, dash=True)
    paper.fill(x + 5, y + 5, wide - 10, 30, colour)
    size = 13.0
    while paper.width(unit.title, size, bold=True) > wide - 22:
        size -= 0.5
    paper.text(unit.title, x + 11, y + 21, size, bold=True, colour="#ffffff")
    paper.text(unit.unit_class, x + 11, y + 31, 7, colour="#ffffff")
    for number, (name, value) in enumerate(_numbers(unit)):
        left = x + 8 + number % 3 * (wide - 16) / 3
        top = y + 42 + number // 3 * 34
        paper.box(left + 1, top, (wide - 16) / 3 - 2, 31)
        middle = left + (wide - 16) / 6
        fits = 15.0 if len(value) < 4 else 10.0
        paper.text(value, middle, top + 17, fits, bold=True, anchor=0.5)
        paper.text(name, middle, top + 27, 6.5, colour=FAINT, anchor=0.5)
    _abilities(paper, unit, x + 10, y + 122, wide - 20, high - 122 - 26)
    _health(paper, unit, x + 10, y + high - 18, wide - 20)


def _numbers(unit: Unit) -> list[tuple[str, str]]:
    push = f"{_PUSHES[unit.push[0]]} {unit.push[1:]}" if unit.push else "-"
    return [
        ("Move", str(unit.move)),
        ("Jump", "any" if unit.jump >= UNLIMITED else str(unit.jump)),
        ("Health", str(unit.health)),
        ("Attack", str(unit.attack)),
        ("Reach", str(unit.reach)),
        ("Push", push),
    ]


def lines_of(unit: Unit) -> list[tuple[str, str]]:
    """What a card says below its numbers: a name and a sentence each."""
    said = [
        (unit.mage, "Mage", "falls it causes hurt 2 more."),
        (not unit.needs_sight, "No line of sight", "needed for its attack."),
        (unit.vertical_counts, "Climber", "up and down count as Move."),
        (unit.no_fall, "Sure-footed", "its own drops do not hurt it."),
        (unit.no_push, "Unmoved", "cannot be pushed."),
        (unit.pass_enemies, "Slips by", "moves through enemies."),
    ]
    lines = [(name, words) for there, name, words in said if there]
    for ability in unit.abilities:
        action = " (action)" if ability.action else ""
        lines.append((ability.name + action, ability.text))
    return lines


def _abilities(paper: Paper, unit: Unit, x: float, y: float, width: float, height: float) -> None:
    """Names and texts in the largest letters that fit."""
    size = 9.0
    while True:
        rows: list[tuple[str, bool]] = []
        for name, words in lines_of(unit):
            rows += [(row, True) for row in paper.wrap(name, size, width, bold=True)]
            rows += [(row, False) for row in paper.wrap(words, size, width)]
        if len(rows) * size * 1.18 <= height or size <= 4.5:
            break
        size -= 0.25
    for number, (row, bold) in enumerate(rows):
        paper.text(row, x, y + (number + 0.8) * size * 1.18, size, bold=bold)


def _health(paper: Paper, unit: Unit, x: float, y: float, width: float) -> None:
    """A box for every point of health, to tick off."""
    step = min(13.0, width / unit.health)
    for number in range(unit.health):
        paper.box(x + number * step, y, step - 2, min(step - 2, 11.0))


def _slip(paper: Paper, unit: Unit, ability: Ability, x: float, y: float) -> None:
    wide, high = SLIP_PT
    paper.box(x, y, wide, high, dash=True)
    paper.text(ability.name, x + 8, y + 18, 11, bold=True)
    paper.text(unit.title, x + wide - 8, y + 18, 8, colour=FAINT, anchor=1.0)
    for number, words in enumerate(paper.wrap(ability.text, 6.5, wide - 16)[:4]):
        paper.text(words, x + 8, y + 30 + 8 * number, 6.5)
    for left, words in ((8.0, "tile"), (wide / 2, "level")):
        paper.text(words, x + left, y + high - 12, 8, colour=FAINT)
        paper.line(x + left + 22, y + high - 11, x + left + 74, y + high - 11, INK)
