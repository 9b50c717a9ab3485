"""Legend under a picture: only what the picture shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from falldamage_forge.board import (
    DIRECTIONS,
    Board,
    Column,
    Deck,
    Fitting,
    Ground,
    Tile,
    make_board,
)
from falldamage_forge.elements import ELEMENTS, FITTINGS
from falldamage_forge.elements.scene import scene
from falldamage_forge.languages.translator import Say
from falldamage_forge.render import fitting_symbols, isometric_objects
from falldamage_forge.render.display_list import Pen, Point, rectangle
from falldamage_forge.render.isometric_projection import Projection
from falldamage_forge.render.overlay import Overlay, badge
from falldamage_forge.render.paint_context import PaintContext
from falldamage_forge.render.palette import Palette, mix, side_colour, tone
from falldamage_forge.render.side_marks import SIDE_OPACITY, SideMark, mark_of
from falldamage_forge.render.stroke_font import text_width

_TEXT = 10.0
_ROW = 26.0
_SWATCH = 20.0
Entry = tuple[Callable[[Pen, Point], None], str]


def size_words(board: Board, cross: str = "×") -> str:
    """Return the size of a board in words, such as `10 × 10 tiles, 4 levels`.

    Args:
        board: The board.
        cross: Sign between columns and rows; a PDF has `x`.
    """
    levels = f"{board.highest} level{'' if board.highest == 1 else 's'}"
    return f"{board.cols} {cross} {board.rows} tiles, {levels}"


def draw_legend(
    pen: Pen,
    board: Board,
    palette: Palette,
    overlays: Sequence[Overlay],
    at: Point,
    width: float,
    say: Say = str,
) -> float:
    """Draw the legend from its upper left corner and return its height in pixels.

    Args:
        pen: Collects the shapes.
        board: Board of the picture.
        palette: Colours.
        overlays: Overlays of the picture.
        at: Upper left corner in pixels.
        width: Maximum width of lines in pixels.
        say: Translates each text.
    """
    y = at[1]
    for overlay in overlays:
        entries = [_entry(overlay, palette, tint, words, say) for tint, words in overlay.legend]
        pen.group = f"overlay-{overlay.key}"
        pen.text(say(overlay.title), (at[0], y + 14), _TEXT + 1.5, palette.ink)
        draw = _rows if overlay.pins else _lines
        y = draw(pen, palette, entries, (at[0], y + 22), width)
        pen.group = ""
    entries = [(paint, say(words)) for paint, words in _entries(board, palette)]
    y = _lines(pen, palette, entries, (at[0], y), width)
    return y - at[1]


def _entry(overlay: Overlay, palette: Palette, tint: int, words: str, say: Say) -> Entry:
    """Return a swatch of a tint; for an overlay with pins the badge on the board."""
    colour = overlay.colour(palette, tint)
    number, _, rest = words.partition(" ")
    if overlay.pins and number.isdigit():
        return partial(_badge, colour, number), say(rest.strip())
    return partial(_square, colour), say(words)


def _badge(colour: str, text: str, pen: Pen, at: Point) -> None:
    badge(pen, (at[0] + _SWATCH / 2, at[1] + _SWATCH / 2), 0.45 * _SWATCH, text, colour)


def _lines(pen: Pen, palette: Palette, entries: Sequence[Entry], at: Point, width: float) -> float:
    x, y = at
    for paint, words in entries:
        wide = _SWATCH + 8 + text_width(words, _TEXT) + 24
        if x > at[0] and x + wide - 24 > at[0] + width:
            x, y = at[0], y + _ROW
        paint(pen, (x, y))
        pen.text(words, (x + _SWATCH + 8, y + 15), _TEXT, palette.ink)
        x += wide
    return y + (_ROW if entries else 0)


def _rows(pen: Pen, palette: Palette, entries: Sequence[Entry], at: Point, width: float) -> float:
    """Draw one entry below the other, each in as many lines of words as it needs."""
    x, y = at
    for paint, words in entries:
        paint(pen, (x, y))
        for line in _wrapped(words, width - _SWATCH - 8):
            pen.text(line, (x + _SWATCH + 8, y + 15), _TEXT, palette.ink)
            y += 15
        y += _ROW - 15
    return y


def _wrapped(words: str, width: float) -> list[str]:
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, _TEXT) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _entries(board: Board, palette: Palette) -> list[Entry]:
    levels = sorted({column.level for column in board.columns})
    grounds = {column.ground for column in board.columns}
    entries: list[Entry] = []
    for level in levels:
        colour = palette.grounds[min(level, len(palette.grounds) - 1)]
        entries.append((partial(_level, palette, colour, str(level)), f"level {level}"))
    for ground in Ground:
        if ground in grounds and ground is not Ground.GROUND:
            entries.append((partial(_pool, palette, ground), ground.value))
    there = {x.kind for x in scene(board)} - {*FITTINGS, *Ground}
    entries += ((partial(_thing, palette, word), word) for word in ELEMENTS if word in there)
    entries += fitting_symbols.legend(board, palette)
    for number, zone in enumerate(board.starts):
        colour = side_colour(palette, zone.side, number)
        paint = partial(_side, mark_of(zone.side, number, 0.0), colour, palette)
        entries.append((paint, f"{zone.side} starts"))
    return entries


def _square(colour: str, pen: Pen, at: Point) -> None:
    pen.fill(rectangle(*at, _SWATCH, _SWATCH), colour)
    pen.line(rectangle(*at, _SWATCH, _SWATCH), tone(colour, 0.6), 1.1, closed=True)


def _level(palette: Palette, colour: str, level: str, pen: Pen, at: Point) -> None:
    _square(colour, pen, at)
    pen.text(level, (at[0] + 10, at[1] + 14), 9, palette.edge, anchor=0.5, weight=0.16)


def _pool(palette: Palette, word: str, pen: Pen, at: Point) -> None:
    element = ELEMENTS[word]
    _square(getattr(palette, element.paint), pen, at)
    (ink, *_) = element.symbol(Fitting(word, _AT, 0)) if element.symbol else ()
    mark = getattr(palette, ink.paint)
    for number in range(3):
        y = at[1] + 5 + 5 * number
        shift = 2 if number % 2 else 0
        points = [(at[0] + 3 + shift + 3 * i, y + (1.2 if i % 2 else -1.2)) for i in range(5)]
        pen.line(points, mark, 1.4)


def _side(mark: SideMark, colour: str, palette: Palette, pen: Pen, at: Point) -> None:
    def path(points: Sequence[Point]) -> list[Point]:
        return [(at[0] + col * _SWATCH, at[1] + row * _SWATCH) for row, col in points]

    ink = mix(colour, palette.ink, 0.5)
    pen.fill(path(mark.ring), colour, SIDE_OPACITY)
    pen.line(path(mark.ring), colour, 2.0, closed=True)
    for line in mark.sign:
        pen.line(path(line), ink, 0.9)
    pen.text(mark.letter, (at[0] + 10, at[1] + 14), 8.5, ink, anchor=0.5, weight=0.17)


_AT = Tile(0, 0)


def _thing(palette: Palette, word: str, pen: Pen, at: Point) -> None:
    """Draw a thumbnail with the painter of the picture."""
    small = Pen(group=pen.group)
    board = make_board(1, 1, [Column()])
    sketch = PaintContext(board, small, Projection(20.0), palette)
    element = ELEMENTS[word]
    x = Fitting(word, _AT, 0, DIRECTIONS * element.edged, to=Tile(-1, 0), to_level=1)
    if element.level:
        isometric_objects.deck(sketch, Deck(Tile(0, -1), Tile(0, 1), 1), _AT)
    elif element.solids:
        isometric_objects.thing(sketch, x, element.solids(x))
    xs = [x for shape in small.shapes for path in shape.paths for x, _ in path]
    ys = [y for shape in small.shapes for path in shape.paths for _, y in path]
    scale = (_SWATCH + 2) / max(max(xs) - min(xs), max(ys) - min(ys))
    middle_x, middle_y = (min(xs) + max(xs)) / 2 * scale, (min(ys) + max(ys)) / 2 * scale
    pen.add(small.shapes, at[0] + 10 - middle_x, at[1] + 10 - middle_y, scale)
