"""How to play: pages with worked examples, drawn from the situations that `fdforge conform` runs.

The text is `deck/guide.toml`. Each picture is a state of the engine, before and after the moves of
a situation, so a page cannot show what the game does not do. `fdforge guide` writes the pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any

from falldamage_forge.board import Board, Chest, Tile
from falldamage_forge.games.fall_damage.options import FallDamageOptions
from falldamage_forge.games.fall_damage.play.conformance import ConformanceCase
from falldamage_forge.games.fall_damage.play.game_data import GameData
from falldamage_forge.games.fall_damage.play.state_value import SIDES, State
from falldamage_forge.games.fall_damage.play.surface_number import surface_of
from falldamage_forge.infra.lazy_dataclass import dataclass
from falldamage_forge.infra.toml_loader import parse_toml, read_table
from falldamage_forge.languages.translator import ENGLISH, spoken
from falldamage_forge.render import rich_text
from falldamage_forge.render.display_list import Drawing
from falldamage_forge.render.isometric import isometric
from falldamage_forge.render.overlay import Overlay, OverlayMark
from falldamage_forge.render.pdf_pages import FAINT, MARGIN_PT, PdfPages

_TEXT_PT = 10.5
_SMALL_PT = 9.0
_PICTURE_PT = {1: 150.0, 2: 80.0}
"""Height of pictures by the number of examples side by side."""
_MARKS = {"red": 1, "blue": 0}
"""Index of each side's colour in the palette's `marks`."""


@dataclass(frozen=True, slots=True)
class Example:
    """A situation by its id, and the sentence below its pictures."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class GuidePage:
    """A page: paragraphs in the markup of `rich_text`, a picture of the map, worked examples."""

    title: str
    lines: tuple[str, ...]
    map: bool = False
    examples: tuple[Example, ...] = ()
    columns: int = 2


@dataclass(frozen=True, slots=True)
class FirstUnit:
    """A card of the first game with its tile on each side."""

    card: str
    red: str
    blue: str


@dataclass(frozen=True, slots=True)
class FirstGame:
    """The first game: paragraphs, the map, and who stands where."""

    title: str
    map: str
    lines: tuple[str, ...]
    units: tuple[FirstUnit, ...]


@dataclass(frozen=True, slots=True)
class SilentRules:
    """Rules of ours, each as text, option and value."""

    title: str
    lines: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Guide:
    """The whole text."""

    credit: str
    page: tuple[GuidePage, ...]
    silent: SilentRules
    first: FirstGame


@cache
def guide() -> Guide:
    """Return the text of the pages."""
    text = (resources.files(__package__) / "deck" / "guide.toml").read_text(encoding="utf-8")
    return read_table(Guide, parse_toml(text, "guide.toml"), "guide.toml")


def how_to_play(
    situations: Sequence[Mapping[str, Any]],
    content: GameData,
    board: Board,
    titles: Mapping[str, str],
    size: str = "a4",
    language: str = ENGLISH,
) -> bytes:
    """Return the PDF: four pages of rules, and a page about the first game.

    Args:
        situations: Conformance cases; the guide names them by their `id`.
        content: Cards, abilities and treasure of the game.
        board: Board of the first game.
        titles: Titles of cards by name.
        size: `a4` or `letter`.
        language: Name of the language of the texts.
    """
    words = guide()
    by_id = {str(example["id"]): example for example in situations}
    say = spoken(language)
    paper = PdfPages(size, say("Fall Damage: how to play"))
    paper.say = say
    writer = _GuideWriter(paper, by_id, content)
    for page in words.page:
        y = writer.rules(page, board)
    writer.silent(words.silent, y)
    writer.first_game(words.first, board, titles)
    return writer.paper.finish()


def scenes(example: Mapping[str, Any], content: GameData) -> tuple[Drawing, ...]:
    """Return pictures of a situation before its moves, and after them if they change anything.

    Args:
        example: A conformance case that agrees with the engine.
        content: Game data.

    Raises:
        ValueError: If the engine plays the case differently.
    """
    case = ConformanceCase(example, FallDamageOptions(), content)
    names = [str(unit["id"]) for unit in example["units"]]
    health = [unit.health for unit in case.state.units]
    before = _picture(case.state, names, health)
    if differences := case.differences():
        raise ValueError(f"situation {example['id']}: {differences[0]}")
    after = _picture(case.state, names, health)
    return (before,) if after == before else (before, after)


def _picture(state: State, names: Sequence[str], health: Sequence[int]) -> Drawing:
    """Return the board with a badge for each living unit, with its health if it has changed."""
    marks = []
    for unit, name, before in zip(state.units, names, health, strict=True):
        if unit.alive:
            words = name if unit.health == before else f"{name} {unit.health}"
            marks.append(OverlayMark(*surface_of(unit.spot), _MARKS[SIDES[unit.side]], words))
    chests = tuple(Chest(*surface_of(chest)) for chest in state.chests)
    board = replace(state.land.board(), treasures=chests)
    return _cropped(isometric(board, overlays=(_units(marks),), legend=False))


def _cropped(drawing: Drawing) -> Drawing:
    """Return a drawing without its margins, which are wide beside a few tiles."""
    left, top, right, foot = drawing.bounds()
    shapes = tuple(shape.moved(-left, -top) for shape in drawing.shapes)
    return replace(drawing, width=right - left, height=foot - top, shapes=shapes)


def _units(marks: Sequence[OverlayMark]) -> Overlay:
    return Overlay("units", "units", tuple(marks), scale="marks", pins=True)


@dataclass(frozen=True, slots=True)
class _GuideWriter:
    """Writes the pages; `situations` are conformance cases by id."""

    paper: PdfPages
    situations: Mapping[str, Mapping[str, Any]]
    content: GameData

    def rules(self, page: GuidePage, board: Board) -> float:
        """Draw a page of rules; return the y below its examples."""
        y = self._page(page.title)
        y = self._paragraphs(page.lines, y)
        if page.map:
            y = self._map(isometric(board, legend=False), y)
        width = (self.paper.width_pt - 2 * MARGIN_PT) / page.columns
        high = _PICTURE_PT[page.columns]
        for start in range(0, len(page.examples), page.columns):
            row = page.examples[start : start + page.columns]
            y = max(
                self._example(example, MARGIN_PT + number * width, y, (width - 14, high))
                for number, example in enumerate(row)
            )
        return y

    def _example(self, example: Example, x: float, y: float, size: tuple[float, float]) -> float:
        """Draw a situation before and after, with its sentence; return the y below it."""
        width, high = size
        paper = self.paper
        pictures = scenes(self.situations[example.id], self.content)
        each = width / 2
        for number, picture in enumerate(pictures):
            paper.drawing(picture, x + number * each, y, each - 8, high)
        if len(pictures) > 1:
            paper.text(">", x + each - 4, y + high / 2, 12, bold=True, anchor=0.5)
        lines = rich_text.lines_of(paper, example.text, _SMALL_PT, width)
        return rich_text.write(paper, lines, x, y + high + 2, _SMALL_PT) + 8

    def silent(self, rules: SilentRules, y: float) -> None:
        """Draw the list of rules that are ours, each with its option."""
        self.paper.text(rules.title, MARGIN_PT, y + 12, 12, bold=True)
        for number, (text, option, value) in enumerate(rules.lines):
            at = y + 28 + number * 12.5
            self.paper.text(text, MARGIN_PT, at, _SMALL_PT)
            words = f"{option.replace('_', '-')}={value}"
            right = self.paper.width_pt - MARGIN_PT
            self.paper.text(words, right, at, 8, colour=FAINT, anchor=1.0)

    def first_game(self, first: FirstGame, board: Board, titles: Mapping[str, str]) -> None:
        """Draw the page of the first game: the list of places, and the map with all units."""
        paper = self.paper
        y = self._paragraphs(first.lines, self._page(first.title))
        columns = (MARGIN_PT, MARGIN_PT + 60, MARGIN_PT + 180, MARGIN_PT + 240)
        for x, word in zip(columns, ("sign", "unit", "red", "blue"), strict=True):
            paper.text(word, x, y + 10, _SMALL_PT, colour=FAINT)
        marks = []
        for number, unit in enumerate(first.units, start=1):
            title = paper.say(titles[unit.card])
            cells = (title[:2], title, unit.red, unit.blue)
            for x, word in zip(columns, cells, strict=True):
                paper.text(word, x, y + 10 + number * 14, _TEXT_PT, bold=x == columns[0])
            for side, place in (("red", unit.red), ("blue", unit.blue)):
                tile = Tile.parse(place)
                level = board.column(tile).level
                marks.append(OverlayMark(tile, level, _MARKS[side], title[:2]))
        y += 34 + 14 * len(first.units)
        self._map(isometric(board, overlays=(_units(marks),), legend=False), y)

    def _page(self, title: str) -> float:
        self.paper.new_page(guide().credit)
        self.paper.text(title, MARGIN_PT, 62, 20, bold=True)
        return 78.0

    def _paragraphs(self, texts: Sequence[str], y: float) -> float:
        """Draw paragraphs over the whole width; return the y below them."""
        width = self.paper.width_pt - 2 * MARGIN_PT
        for text in texts:
            lines = rich_text.lines_of(self.paper, text, _TEXT_PT, width)
            y = rich_text.write(self.paper, lines, MARGIN_PT, y, _TEXT_PT) + 5
        return y + 6

    def _map(self, drawing: Drawing, y: float) -> float:
        """Draw a picture over the rest of the page; return the y below it."""
        width = self.paper.width_pt - 2 * MARGIN_PT
        height = self.paper.height_pt - MARGIN_PT - 10 - y
        return y + self.paper.drawing(drawing, MARGIN_PT, y, width, height)
