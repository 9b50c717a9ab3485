"""Printable cards: units, rules summary, treasure tables, treasure to take, and hidden items.

Every card is 63 by 88 mm, nine on a page of A4 or Letter with cut marks; treasure to take and
slips for hidden items have half the height. Backs are on the next
page, mirrored, for duplex printing along the long edge. `fdforge cards` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from importlib import resources
from typing import TYPE_CHECKING, Any, TypeVar

from falldamage_forge.games.fall_damage.play.game_data import GameData, TreasureEffect
from falldamage_forge.games.fall_damage.unit_cards import UNLIMITED, Ability, UnitCard
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.toml_loader import parse_toml
from falldamage_forge.languages.translator import ENGLISH, Say, spoken
from falldamage_forge.render import rich_text
from falldamage_forge.render.icons import icon
from falldamage_forge.render.palette import LIGHT, side_colour
from falldamage_forge.render.pdf_pages import FAINT, INK, PdfPages
from falldamage_forge.render.silhouettes import (
    FLAP_MM,
    SCALE,
    STRIP_MM,
    figure_of,
    paper_standee,
    silhouette,
)

if TYPE_CHECKING:
    from falldamage_forge.pieces.catalogue import Catalogue
    from falldamage_forge.pieces.piece import Piece

T = TypeVar("T")

MM = 72 / 25.4
CARD_PT = (63 * MM, 88 * MM)
"""A card is 63 by 88 mm, for common sleeves."""
SLIP_PT = (63 * MM, 44 * MM)
STRIP_PT = (STRIP_MM[0] * MM, STRIP_MM[1] * MM)
SIDES = ("red", "blue")
SLIPS_EACH = 4
"""Slips for every hidden item."""
SUMMARIES = 2
"""Sets of the summary: one for each player."""
LARGEST_PT, SMALLEST_PT = 9.5, 6.5
"""Font sizes on cards; smaller ones are not legible at the table."""
COLOURS = {
    "fighter": "#a8452a",
    "ranger": "#3f7a4f",
    "caster": "#5b4a94",
    "specialist": "#2f6690",
    "summoned": "#6b6358",
    "rules": "#3a332b",
    "treasure": "#9a6b12",
}
PAPER = "#ffffff"
LEAST_FIGURE_PT = 44.0
"""Height that a card's text leaves to the outline of its figure, if small letters do."""
_EDGE, _BAND, _FOOT = 9.0, 32.0, 20.0


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """One card. `kind` is a class of units, `rules` or `treasure`.

    `paint` draws it: it gets the pages and the upper left corner in points.
    """

    title: str
    kind: str
    paint: Callable[[PdfPages, float, float], None]


@dataclass(frozen=True, slots=True)
class RulesTopic:
    """One card of the summary; `lines` are paragraphs in the markup of `rich_text`."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HiddenItemSlip:
    """A hidden item to note down: its name, its owner, and its effect."""

    title: str
    owner: str
    text: str


@cache
def summary() -> tuple[RulesTopic, ...]:
    """Return the cards of the rules summary."""
    table = _table("summary.toml")
    return tuple(RulesTopic(entry["title"], tuple(entry["lines"])) for entry in table.values())


def is_used_up(find: TreasureEffect) -> bool:
    """Return True if the result is kept and used once."""
    return find.text.startswith("Once")


def _table(name: str) -> dict[str, Any]:
    text = (resources.files(__package__) / "deck" / name).read_text(encoding="utf-8")
    return parse_toml(text, name)


def slips_of(units: Iterable[UnitCard], game: GameData | None = None) -> list[HiddenItemSlip]:
    """Return the hidden items of units' abilities and of treasure.

    Args:
        units: Units of the deck.
        game: Game whose treasure adds its own; None for none.
    """
    slips = [
        HiddenItemSlip(ability.name, unit.title, ability.text)
        for unit in units
        for ability in unit.abilities
        if ability.hidden
    ]
    if game:
        slips += [
            HiddenItemSlip(find.title, game.category_of(find).title, find.slip)
            for find in game.treasure.values()
            if find.slip
        ]
    return slips


def deck(
    units: Sequence[UnitCard], catalogue: Catalogue | None = None, game: GameData | None = None
) -> list[PrintedCard]:
    """Return the cards of units, each as often as the unit has copies.

    Args:
        units: Units of the deck.
        catalogue: Pieces whose figures are drawn on the cards; None for cards without figures.
        game: Game whose summary and treasure tables are added; None for the units alone.
    """
    cards = [
        PrintedCard(
            unit.title,
            unit.unit_class,
            partial(_unit, unit, figure_of(unit.title, catalogue) if catalogue else None),
        )
        for unit in units
        for _ in range(unit.copies)
    ]
    if game:
        cards += [
            PrintedCard(topic.title, "rules", partial(_topic, topic))
            for _ in range(SUMMARIES)
            for topic in summary()
        ]
        cards += [
            PrintedCard(category.title, "treasure", partial(_finds, game, number))
            for number, category in game.categories.items()
        ]
    return cards


def cards(
    units: Sequence[UnitCard],
    size: str = "a4",
    catalogue: Catalogue | None = None,
    game: GameData | None = None,
    *,
    backs: bool = True,
    standees: bool = False,
    language: str = ENGLISH,
) -> bytes:
    """Return the PDF of a deck, of treasure to take, and of the slips of its hidden items.

    Args:
        units: Units of the deck.
        size: `a4` or `letter`.
        catalogue: Pieces whose figures are drawn on the cards; None for cards without figures.
        game: Game whose summary and treasure tables are added; None for the units alone.
        backs: True to add a page of backs after each page.
        standees: True to add figures of paper for both sides.
        language: Name of the language of the texts.
    """
    say = spoken(language)
    paper = PdfPages(size, say("Fall Damage cards"))
    paper.say = say
    fronts = "Cards: print at 100 %, on both sides along the long edge; cut at the marks"
    for page in _pages(paper, CARD_PT, deck(units, catalogue, game)):
        paper.new_page(fronts if backs else "Cards: print at 100 %; cut at the marks")
        _cut_marks(paper, CARD_PT)
        for (x, y), card in page:
            card.paint(paper, x, y)
        if backs:
            paper.new_page("Backs of the page before")
            for (x, y), card in page:
                _back(paper, card, paper.width_pt - x - CARD_PT[0], y)
    finds = (
        [(find, game.category_of(find).title) for find in game.treasure.values()] if game else []
    )
    for half_page in _pages(paper, SLIP_PT, finds):
        paper.new_page("Treasure: take the card of both dice and lay it beside the finder's card")
        _cut_marks(paper, SLIP_PT)
        for (x, y), (find, category) in half_page:
            _find(paper, find, category, x, y)
    slips = [slip for slip in slips_of(units, game) for _ in range(SLIPS_EACH)]
    for slip_page in _pages(paper, SLIP_PT, slips):
        paper.new_page("Hidden items: note tile and level in secret, fold, show when it happens")
        _cut_marks(paper, SLIP_PT)
        for (x, y), slip in slip_page:
            _slip(paper, slip, x, y)
    strips = standees_of(units, catalogue) if standees and catalogue else ()
    for strip_page in _pages(paper, STRIP_PT, strips):
        paper.new_page("Cut out, fold back at the top, glue, fold the flaps out: print at 100 %")
        for (x, y), strip in strip_page:
            _standee(paper, *strip, x, y)
    return paper.finish()


def standees_of(
    units: Iterable[UnitCard], catalogue: Catalogue
) -> list[tuple[Piece, UnitCard, str]]:
    """Return figure, card and side of each standee: a side has one for each copy of a card.

    Cards with one figure, such as both of the Beast, share it.

    Args:
        units: Cards of units.
        catalogue: Catalogue with the figures.
    """
    found = {figure: unit for unit in units if (figure := figure_of(unit.title, catalogue))}
    return [
        (figure, unit, side)
        for side in SIDES
        for figure, unit in found.items()
        for _ in range(unit.copies)
    ]


# -- pages ---------------------------------------------------------------------------------------


def _pages(
    paper: PdfPages, each: tuple[float, float], things: Sequence[T]
) -> Iterator[list[tuple[tuple[float, float], T]]]:
    """Yield items with the upper left corner of each, a page at a time."""
    (left, top), across, down = _grid(paper, each)
    count = across * down
    for start in range(0, len(things), count):
        yield [
            ((left + place % across * each[0], top + place // across * each[1]), thing)
            for place, thing in enumerate(things[start : start + count])
        ]


def _grid(paper: PdfPages, each: tuple[float, float]) -> tuple[tuple[float, float], int, int]:
    """Return the upper left corner of a page of cards, and the numbers of columns and rows."""
    wide, high = each
    across, down = int((paper.width_pt - 30) // wide), int((paper.height_pt - 30) // high)
    corner = (paper.width_pt - across * wide) / 2, (paper.height_pt - 12 - down * high) / 2
    return corner, across, down


def _cut_marks(paper: PdfPages, each: tuple[float, float]) -> None:
    """Draw short lines beyond the cards' corners, so that no line is on a card."""
    (left, top), across, down = _grid(paper, each)
    right, foot = left + across * each[0], top + down * each[1]
    for number in range(across + 1):
        x = left + number * each[0]
        paper.line(x, top - 9, x, top - 2, INK)
        paper.line(x, foot + 2, x, foot + 9, INK)
    for number in range(down + 1):
        y = top + number * each[1]
        paper.line(left - 12, y, left - 2, y, INK)
        paper.line(right + 2, y, right + 12, y, INK)


def _frame(paper: PdfPages, title: str, kind: str, x: float, y: float, spare: float = 0.0) -> None:
    """Draw the band with icon, title and kind; `spare` points at its right stay free."""
    wide, _ = CARD_PT
    paper.fill(x + 5, y + 5, wide - 10, _BAND, COLOURS[kind])
    paper.drawing(icon(kind, "#ffffff", COLOURS[kind]), x + 10, y + 10.5, 21, 21)
    size = paper.fitted(title, 13.0, wide - 48 - spare, bold=True)
    paper.text(title, x + 37, y + 20, size, bold=True, colour="#ffffff")
    paper.text(kind, x + 37, y + 31, 7.5, colour="#ffffff")


def _paragraphs(
    paper: PdfPages, texts: Sequence[tuple[str, str]], x: float, y: float, high: float
) -> float:
    """Draw paragraphs, each with its colour, in the largest font that fits; return their end."""
    width, size = CARD_PT[0] - 2 * _EDGE, LARGEST_PT
    while True:
        lines = [rich_text.lines_of(paper, text, size, width) for text, _ in texts]
        gap = 0.45 * size
        tall = sum(len(each) for each in lines) * size * rich_text.LEADING + gap * (len(texts) - 1)
        if tall <= high or size <= SMALLEST_PT:
            break
        size -= 0.25
    for each, (_, colour) in zip(lines, texts, strict=True):
        y = rich_text.write(paper, each, x, y, size, colour) + gap
    return y


def _back(paper: PdfPages, card: PrintedCard, x: float, y: float) -> None:
    """Draw the back of a card: frame and icon of its kind on white paper, which spares ink."""
    wide, high = CARD_PT
    colour = COLOURS[card.kind]
    for inset, ink in ((5, colour), (8, PAPER), (11, colour), (12, PAPER)):
        paper.fill(x + inset, y + inset, wide - 2 * inset, high - 2 * inset, ink)
    for left, top in ((20, 20), (wide - 38, 20), (20, high - 38), (wide - 38, high - 38)):
        paper.drawing(icon(card.kind, colour), x + left, y + top, 18, 18)
    paper.drawing(icon(card.kind, colour), x + wide / 2 - 32, y + high / 2 - 44, 64, 64)
    words_at = y + high / 2 + 44
    paper.text("FALL DAMAGE", x + wide / 2, words_at, 13, bold=True, colour=colour, anchor=0.5)
    paper.text(card.kind, x + wide / 2, words_at + 14, 9, colour=colour, anchor=0.5)


# -- units ---------------------------------------------------------------------------------------


def _unit(unit: UnitCard, figure: Piece | None, paper: PdfPages, x: float, y: float) -> None:
    wide, high = CARD_PT
    _frame(paper, unit.title, unit.unit_class, x, y)
    step = (wide - 12) / 6
    for number, (sign, name, value) in enumerate(_numbers(unit)):
        middle, top = x + 6 + (number + 0.5) * step, y + _BAND + 10
        paper.drawing(icon(sign, COLOURS[unit.unit_class]), middle - 6, top, 12, 12)
        paper.text(value, middle, top + 25, 13 if len(value) < 3 else 10, bold=True, anchor=0.5)
        size = paper.fitted(name, 6.5, step - 1, bold=True)
        paper.text(name, middle, top + 33, size, colour=FAINT, anchor=0.5)
    top = _BAND + 50
    paper.line(x + _EDGE, y + top - 1, x + wide - _EDGE, y + top - 1)
    texts = [(text, INK) for text in rules_of(unit, paper.say)]
    texts += [(text, FAINT) for text in tips_of(unit, paper.say)]
    foot = y + high - _FOOT
    room = high - top - _FOOT - 6 - (LEAST_FIGURE_PT if figure else 0)
    end = _paragraphs(paper, texts, x + _EDGE, y + top + 3, room)
    if figure and end < foot:
        drawing = silhouette(figure, COLOURS[unit.unit_class], PAPER)
        paper.drawing(drawing, x + _EDGE, end, wide - 2 * _EDGE, foot - end)
    _health(paper, unit, x + _EDGE, foot + 4)


def _numbers(unit: UnitCard) -> list[tuple[str, str, str]]:
    """Return icon, name and value of each of the card's numbers."""
    return [
        ("move", "Move", str(unit.move)),
        ("jump", "Jump", "any" if unit.jump >= UNLIMITED else str(unit.jump)),
        ("health", "Health", str(unit.health)),
        ("attack", "Attack", str(unit.attack)),
        ("reach", "Reach", "*" if unit.reach_varies else str(unit.reach)),
        ("push", "Push", unit.push or "-"),
    ]


def card_text(unit: UnitCard, say: Say = str) -> str:
    """Return a card as plain text: its numbers, then its rules, a line each.

    Args:
        unit: Card of a unit.
        say: Translates each text.
    """
    numbers = ", ".join(f"{say(name)} {say(value)}" for _, name, value in _numbers(unit))
    rules = (*rules_of(unit, say), *tips_of(unit, say))
    return "\n".join([numbers, *map(rich_text.plain_text, rules)])


def rules_of(unit: UnitCard, say: Say = str) -> list[str]:
    """Return the paragraphs of a card: rules that its numbers do not show, in whole sentences.

    A rule that an ability's own text mentions is not repeated.

    Args:
        unit: Card of a unit.
        say: Translates each text.
    """
    mentioned = " ".join(ability.text.lower() for ability in unit.abilities)
    rules = [
        (not unit.needs_sight, "line of sight", "{blind} Its attack needs no line of sight."),
        (unit.vertical_counts, "costs one move", "Each level up or down costs one Move."),
        (unit.no_fall, "fall damage", "It takes no fall damage."),
        (unit.no_push, "be pushed", "It cannot be pushed."),
        (unit.pass_enemies, "through enemies", "It may move through enemies."),
        (unit.mage, "2 more damage", "Units that its spells make fall take 2 more damage."),
    ]
    lines = [_sentence(ability, say) for ability in unit.abilities if not ability.tip]
    return lines + [say(words) for there, sign, words in rules if there and sign not in mentioned]


def _sentence(ability: Ability, say: Say) -> str:
    signs = " {action}" * ability.action + " {hidden}" * ability.hidden
    return f"**{say(ability.name)}**{signs} {say(ability.text)}"


def tips_of(unit: UnitCard, say: Say = str) -> list[str]:
    """Return the advice of a card, apart from its rules.

    Args:
        unit: Card of a unit.
        say: Translates each text.
    """
    return [f"{{tip}} {say(ability.text)}" for ability in unit.abilities if ability.tip]


def _health(paper: PdfPages, unit: UnitCard, x: float, y: float) -> None:
    """Draw a box for every point of health, to tick off."""
    paper.drawing(icon("health", COLOURS[unit.unit_class]), x, y, 10, 10)
    step = min(14.0, (CARD_PT[0] - 2 * _EDGE - 14) / unit.health)
    for number in range(unit.health):
        paper.box(x + 14 + number * step, y, step - 2.5, 10)


# -- the other cards -----------------------------------------------------------------------------


def _topic(topic: RulesTopic, paper: PdfPages, x: float, y: float) -> None:
    _frame(paper, topic.title, "rules", x, y)
    texts = [(line, INK) for line in topic.lines]
    _paragraphs(paper, texts, x + _EDGE, y + _BAND + 11, CARD_PT[1] - _BAND - 18)


def _finds(game: GameData, number: int, paper: PdfPages, x: float, y: float) -> None:
    category = game.categories[number]
    _frame(paper, category.title, "treasure", x, y, 20)
    paper.drawing(icon(f"die-{number}", "#ffffff"), x + CARD_PT[0] - 26, y + 13, 16, 16)
    texts = [
        (f"{{die-{find.dice[1]}}} **{paper.say(find.title)}:** {paper.say(find.text)}", INK)
        for find in game.treasure.values()
        if find.dice[0] == number
    ]
    texts += [(category.note, FAINT)] * bool(category.note)
    _paragraphs(paper, texts, x + _EDGE, y + _BAND + 11, CARD_PT[1] - _BAND - 18)


def _find(paper: PdfPages, find: TreasureEffect, category: str, x: float, y: float) -> None:
    wide, high = SLIP_PT
    for number, face in enumerate(find.dice):
        paper.drawing(
            icon(f"die-{face}", COLOURS["treasure"]), x + _EDGE + 16 * number, y + 9, 13, 13
        )
    size = paper.fitted(find.title, 11.0, wide - 2 * _EDGE - 36, bold=True)
    paper.text(find.title, x + _EDGE + 36, y + 19, size, bold=True)
    _paragraphs(paper, [(find.text, INK)], x + _EDGE, y + 36, high - 60)
    paper.text(category, x + _EDGE, y + high - 10, 7, colour=FAINT)
    if is_used_up(find):
        paper.box(x + wide - _EDGE - 9, y + high - 17, 9, 9)
        paper.text("used", x + wide - _EDGE - 13, y + high - 10, 7, colour=FAINT, anchor=1.0)


def _slip(paper: PdfPages, slip: HiddenItemSlip, x: float, y: float) -> None:
    wide, high = SLIP_PT
    paper.drawing(icon("hidden", COLOURS["specialist"]), x + _EDGE, y + 9, 13, 13)
    title_size = paper.fitted(slip.title, 11, wide - 2 * _EDGE - 18, bold=True)
    paper.text(slip.title, x + _EDGE + 18, y + 19, title_size, bold=True)
    paper.text(slip.owner, x + _EDGE + 18, y + 28, 7, colour=FAINT)
    size = 7.5
    lines = rich_text.lines_of(paper, slip.text, size, wide - 2 * _EDGE)
    rich_text.write(paper, lines, x + _EDGE, y + 34, size)
    for left, name in ((_EDGE, "tile"), (wide / 2 + 4, "level")):
        paper.text(name, x + left, y + high - 14, 8.5, colour=FAINT)
        paper.line(x + left + 22, y + high - 13, x + left + 70, y + high - 13, INK)


def _standee(paper: PdfPages, figure: Piece, unit: UnitCard, side: str, x: float, y: float) -> None:
    drawing = paper_standee(
        figure, COLOURS[unit.unit_class], PAPER, side_colour(LIGHT, side, SIDES.index(side))
    )
    high = drawing.height / SCALE * MM
    paper.drawing(drawing, x, y, STRIP_PT[0], high)
    title, middle = str(figure["title"]), x + STRIP_PT[0] / 2
    paper.text(
        title, middle, y + high - FLAP_MM * MM / 2 + 2.5, 7, bold=True, colour=PAPER, anchor=0.5
    )
